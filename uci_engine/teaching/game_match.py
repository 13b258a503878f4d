"""A match on any game of the protocol: who wins more, and how certain that is.

Players rotate through the seats: each opening is played once for each seat of a player, so that
moving first helps nobody. The error bar comes from the spread between openings.
"""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Any

from ..base.language import say
from ..match.elo import student_quantile
from .game_protocol import CHANCE, MAX, Game, Number, draw_lot
from .searches.alpha_beta import alpha_beta
from .searches.expectiminimax import expectiminimax
from .searches.max_n import max_n
from .searches.minimax import minimax
from .searches.puct import puct
from .searches.uct import uct

#: A player: chooses one of the moves, from a game, what it sees of the state, and the moves.
Chooser = Callable[[Any, Any, Sequence[Any]], Any]

#: The value of a state for player 0, from a game and the state.
Evaluation = Callable[[Any, Any], Number]

#: By name: the usual number of plies or simulations, and the move that it finds.
_SEARCHES: dict[str, tuple[int, Callable[[Any, Any, int, random.Random], Any]]] = {
    "minimax": (2, lambda game, state, n, _: minimax(game, state, n).move),
    "alpha-beta": (2, lambda game, state, n, _: alpha_beta(game, state, n).move),
    "expectiminimax": (1, lambda game, state, n, _: expectiminimax(game, state, n).move),
    "max-n": (2, lambda game, state, n, _: max_n(game, state, n).move),
    "uct": (100, lambda game, state, n, chooser: uct(game, state, n, chooser)[0].move),
    "puct": (100, lambda game, state, n, _: puct(game, state, n)[0].move),
}


def named_player(text: str, game: Game[Any, Any], searches: Sequence[str], seed: int) -> Chooser:
    """A player by its name: `random`, or a search with a number of plies or simulations: `uct 50`.

    :param searches: those that suit the game.
    :raises ValueError: if there is no such player.
    """
    chooser = random.Random(seed)
    name, _, number = text.partition(" ")
    if text == "random":
        return lambda _game, _state, moves: chooser.choice(moves)
    known = ["random", *(one for one in searches if one in _SEARCHES)]
    if name not in known or not (number or "1").isdecimal() or int(number or 1) < 1:
        names = ", ".join(known)
        raise ValueError(
            say("{text!r} is neither a .py file nor one of {names}", text=text, names=names)
        )
    usual, find = _SEARCHES[name]
    return lambda _, state, __: find(game, state, int(number or usual), chooser)


def evaluating_player(evaluate: Evaluation, game: Game[Any, Any], plies: int = 0) -> Chooser:
    """A player that looks ahead and evaluates the states at the end.

    :param plies: 0 for the usual number: 2, or 1 if there is chance.
    :raises ValueError: if the game has not two players, or hides something from them.
    """
    if game.players != 2 or type(game).sees is not Game.sees:
        message = "evaluate suits games of two players who see everything; this one needs choose"
        raise ValueError(say(message))
    own: Any = copy.copy(game)
    own.evaluate = lambda state: (value := evaluate(game, state), -value)
    if _has_chance(game):
        return lambda _, state, __: expectiminimax(own, state, plies or 1).move
    return lambda _, state, __: alpha_beta(own, state, plies or 2).move


@dataclass
class GameMatch:
    """A match; `play` adds games to it.

    :ivar players: as many as the game has, by name.
    :ivar counts: games won, drawn and lost, of each player.
    :ivar means: of each opening, the mean result of each player.
    """

    game: Game[Any, Any]
    players: Sequence[tuple[str, Chooser]]
    counts: list[list[int]] = field(default_factory=list)
    means: list[list[float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """:raises ValueError: if the game has another number of players, or only one."""
        wanted = self.game.players
        if wanted < 2:
            raise ValueError(say("a puzzle has only one player, so there is no match"))
        if len(self.players) != wanted:
            found = len(self.players)
            raise ValueError(
                say("this game has {wanted} players, not {found}", wanted=wanted, found=found)
            )
        self.counts = [[0, 0, 0] for _ in self.players]

    def play(self, games: int, seed: int, report: Callable[[int, int], object]) -> None:
        """Play some games, rounded up to whole openings.

        :param report: is called with the number of games played, and the total.
        :raises ValueError: if a player chooses an impossible move.
        """
        seats = len(self.players)
        for opening in range(math.ceil(games / seats)):
            chooser = random.Random(f"{seed} {opening}")
            start = self._opening(chooser)
            totals = [0.0] * seats
            for shift in range(seats):
                result = self._play(start, shift, chooser)
                for player in range(seats):
                    totals[player] += float(result[(player + shift) % seats]) / seats
                    self._count(player, result, (player + shift) % seats)
                report(opening * seats + shift + 1, seats * math.ceil(games / seats))
            self.means.append(totals)

    def mean(self, player: int) -> tuple[float, float | None]:
        """The mean result of a player and half its 95 % interval; None if the spread is unknown."""
        values = [one[player] for one in self.means]
        spread = stdev(values) if len(values) > 1 else 0.0
        error = student_quantile(len(values) - 1) * spread / math.sqrt(len(values)) if spread else 0
        return fmean(values), error if 0 < error < math.inf else None

    def _opening(self, chooser: random.Random) -> Any:
        """The start of the game, after two random moves unless chance comes first."""
        game = self.game
        while True:
            state = game.start()
            for _ in range(2):
                if game.player(state) not in (None, CHANCE):
                    state = game.apply(state, chooser.choice(game.moves(state)))
            if game.player(state) is not None:
                return state

    def _play(self, state: Any, shift: int, chooser: random.Random) -> Sequence[Number]:
        game = self.game
        is_hidden = type(game).sees is not Game.sees
        while (seat := game.player(state)) is not None:
            if seat == CHANCE:
                state = game.apply(state, draw_lot(game, state, chooser))
                continue
            name, choose = self.players[(seat - shift) % len(self.players)]
            moves = list(game.moves(state))
            move = choose(game, game.sees(state, seat) if is_hidden else state, list(moves))
            if move not in moves:
                possible = ", ".join(game.move_text(state, one) for one in moves[:20])
                text = "{name} chose {move!r}; the possible moves were {possible}"
                raise ValueError(say(text, name=name, move=move, possible=possible))
            state = game.apply(state, move)
        return game.result(state)

    def _count(self, player: int, result: Sequence[Number], seat: int) -> None:
        best = max(result)
        is_shared = list(result).count(best) > 1
        self.counts[player][2 if result[seat] < best else 1 if is_shared else 0] += 1


def _has_chance(game: Game[Any, Any]) -> bool:
    """Whether dice are rolled at the start of the game or after a move."""
    state = game.start()
    while (player := game.player(state)) not in (None, CHANCE):
        state = game.apply(state, game.moves(state)[MAX])
    return player == CHANCE

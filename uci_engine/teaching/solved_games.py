"""The lectures' games by name, with a search's opinion of each move in one of their states."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import chess

from ..base.language import local, say, spelled
from .game_protocol import CHANCE, MAX, Game, Number, read_moves
from .games.backgammon import SLIDE, Backgammon
from .games.battleships import Battleships
from .games.chess_game import ChessGame
from .games.connect_four import ConnectFour
from .games.knapsack import Knapsack
from .games.kuhn_poker import KuhnPoker
from .games.nim import Nim, take_away
from .games.noughts_and_crosses import NoughtsAndCrosses
from .games.one_more_roll import OneMoreRoll
from .games.queens import COSTS, Queens
from .recorded import exact
from .searches.alpha_beta import alpha_beta
from .searches.branch_and_bound import backtracking, branch_and_bound
from .searches.counterfactual_regret import CounterfactualRegret
from .searches.expectiminimax import expectiminimax
from .searches.max_n import max_n, paranoid
from .searches.minimax import minimax
from .searches.negamax import Table, negamax
from .searches.puct import puct
from .searches.star1 import star1
from .searches.uct import uct
from .told import Solution

#: Simulations of Monte Carlo tree search, and rounds of counterfactual regret.
SIMULATIONS, ROUNDS = 1000, 1000


class _Slide(Backgammon):
    def start(self) -> Any:
        return SLIDE


class _ValuedMove(NamedTuple):
    """A move, its value in a search, and the states visited."""

    move: str
    says: str
    nodes: int


@dataclass(frozen=True)
class NamedGame:
    """A game with a name.

    :ivar make: creates it from the numbers after its name.
    :ivar numbers: a description of these numbers.
    :ivar depth: in plies, for searches that must stop early; -1 searches to the end.
    """

    make: Callable[..., Game[Any, Any]]
    numbers: str
    searches: tuple[str, ...]
    depth: int = -1


_TWO = ("negamax-table", "minimax", "alpha-beta", "fail-hard", "uct", "puct")
_PUZZLE = ("branch-and-bound", "backtracking")

#: By name; the first of a game's searches is the usual one.
GAMES: dict[str, NamedGame] = {
    "noughts-and-crosses": NamedGame(NoughtsAndCrosses, "", _TWO),
    "connect-four": NamedGame(ConnectFour, "columns rows", _TWO, 6),
    "nim": NamedGame(lambda *heaps: Nim(heaps or (3, 4, 5)), "heaps", _TWO),
    "take-away": NamedGame(take_away, "matches", _TWO),
    "three-players": NamedGame(
        lambda matches=5: take_away(matches, 3), "matches", ("max-n", "paranoid")
    ),
    "backgammon": NamedGame(Backgammon, "", ("expectiminimax", "star1"), 2),
    "backgammon-slide": NamedGame(_Slide, "", ("expectiminimax", "star1"), 2),
    "one-more-roll": NamedGame(OneMoreRoll, "", ("expectiminimax", "star1")),
    "kuhn-poker": NamedGame(KuhnPoker, "", ("regret",)),
    "battleships": NamedGame(
        lambda *lengths: Battleships(lengths or (3, 2)), "ships", ("most-likely-hit",)
    ),
    "queens": NamedGame(lambda size=8: Queens(size, COSTS.get(size)), "size", _PUZZLE),
    "knapsack": NamedGame(
        lambda *things: Knapsack(tuple(zip(things[1::2], things[2::2], strict=True)), things[0])
        if things else Knapsack(),
        "capacity value weight value weight ...", _PUZZLE,
    ),
    "chess": NamedGame(ChessGame, "", ("alpha-beta", "minimax", "fail-hard"), 3),
}  # fmt: skip


class SolvedGame:
    """A state of a game, and a search's opinion of each move in it.

    :param name: from `GAMES`, followed by numbers: `connect-four 4 4`; or a FEN of chess.
    :param moves: the moves that lead to the state, separated by spaces.
    :param search: one of the game's searches; by default its usual one.
    :param depth: in plies; by default the game's own; -1 searches to the end.
    :raises ValueError: if there is no such game, search or move.
    """

    def __init__(
        self, name: str, moves: str = "", search: str = "", depth: int | None = None
    ) -> None:
        self.name, self.named, self.game = read_game(name)
        self.search = search or self.named.searches[0]
        if self.search not in self.named.searches:
            raise ValueError(
                f"a search of {self.name} is {', '.join(self.named.searches)}, not {search!r}"
            )
        self.depth = self._usual_depth() if depth is None else depth
        self.state = read_moves(self.game, moves)
        self.player = self.game.player(self.state)
        self.lines: list[_ValuedMove] = []
        self.found = ""
        if self.player is None:
            result = exact(tuple(self.game.result(self.state)))
            self.found = say("the game is over: {result}", result=result)
        else:
            self._solve()

    def _usual_depth(self) -> int:
        """A small board of Connect Four can be solved completely."""
        if isinstance(self.game, ConnectFour) and self.game.width * self.game.height <= 16:
            return -1
        return self.named.depth

    @property
    def nodes(self) -> int:
        """The number of states visited, including the first one."""
        return 1 + sum(line.nodes for line in self.lines)

    @property
    def turn(self) -> str:
        """Whose turn it is, in words."""
        if self.player is None:
            return "over"
        names = {1: ("",), 2: ("MAX", "MIN")}.get(self.game.players, ("1", "2", "3"))
        return "chance" if self.player == CHANCE else names[self.player]

    def _solve(self) -> None:
        game, state = self.game, self.state
        if self.search in _PUZZLE:
            self._solve_puzzle()
        elif self.search == "regret":
            self._learn()
        elif self.search == "most-likely-hit":
            self._aim()
        elif self.search in ("uct", "puct") and self.player != CHANCE:
            _, root = (
                uct(game, state, SIMULATIONS, random.Random(1))
                if self.search == "uct"
                else puct(game, state, SIMULATIONS)
            )
            for move, child in root.children.items():
                says = say("{mean} in {n:,} visits", mean=exact(child.mean), n=child.visits)
                self._add(state, move, says, child.visits)
            best = max(root.children, key=lambda move: root.children[move].visits)
            self.found = say("{move} is visited most", move=self._move_text(state, best))
        else:
            self._try_all_moves()

    def _add(self, state: Any, move: Any, says: str, nodes: int) -> None:
        self.lines.append(_ValuedMove(self._move_text(state, move), says, nodes))

    def _move_text(self, state: Any, move: Any) -> str:
        text = self.game.move_text(state, move)
        return spelled(text) if isinstance(self.game, ChessGame) else text

    def _try_all_moves(self) -> None:
        """Search the state after each move."""
        game, state, player = self.game, self.state, self.player
        assert player is not None
        find = self._finder()
        found: list[tuple[Any, Any]] = []
        for move in game.moves(state):
            reply = find(game.apply(state, move))
            found.append((move, reply.value))
            self._add(state, move, exact(reply.value), reply.nodes)
        if player == CHANCE:
            chances = dict(game.chances(state))
            mean = sum((chances[move] * value for move, value in found), Fraction(0))
            self.found = say("the mean is {mean}", mean=exact(mean))
            return
        if game.players > 2 and self.search == "max-n":
            best = max(found, key=lambda one: one[1][player])
        else:
            best = (max if player == MAX else min)(found, key=lambda one: one[1])
        move = self._move_text(state, best[0])
        self.found = say("{move} is worth {value}", move=move, value=exact(best[1]))

    def _finder(self) -> Callable[[Any], Solution[Any]]:
        game, depth = self.game, self.depth - 1 if self.depth > 0 else -1
        table: Table = {}
        bounds = (-5, 5) if isinstance(game, OneMoreRoll) else (-3, 3)

        def color(state: Any) -> int:
            return -1 if game.player(state) == 1 else 1

        def for_max(state: Any) -> Solution[Any]:
            found = negamax(game, state, depth, table=table)
            return Solution(color(state) * found.value, None, found.nodes)

        finders: dict[str, Callable[[Any], Solution[Any]]] = {
            "minimax": lambda state: minimax(game, state, depth),
            "alpha-beta": lambda state: alpha_beta(game, state, depth),
            "fail-hard": lambda state: alpha_beta(game, state, depth, is_hard=True),
            "negamax-table": for_max,
            "expectiminimax": lambda state: expectiminimax(game, state, depth),
            "star1": lambda state: star1(game, state, *bounds, depth),
            "max-n": lambda state: max_n(game, state, depth),
            "paranoid": lambda state: paranoid(game, state, self.player or 0, depth),
        }
        return finders.get(self.search, finders.get("expectiminimax"))  # type: ignore[return-value]

    def _solve_puzzle(self) -> None:
        game, state = self.game, self.state
        search = branch_and_bound if self.search == "branch-and-bound" else backtracking
        solution = search(game, state)
        if solution.move is None:
            self.found = say("there is no solution")
            return
        value: Number = solution.value if isinstance(game, Knapsack) else -solution.value
        self.found = say(
            "the best is {value}, in {n:,} states", value=exact(value), n=solution.nodes
        )
        for move in solution.move:
            after = game.apply(state, move)
            self._add(state, move, game.text(after), 1)
            state = after

    def _learn(self) -> None:
        """The strategy for each information set, with the probability of each move."""
        learner = CounterfactualRegret(self.game)
        learner.play(ROUNDS)
        for (player, seen), known in learner.sets.items():
            card, history = seen if isinstance(seen, tuple) else (seen, "")
            shares = zip(known.names, known.mean(), strict=True)
            mix = ", ".join(f"{name} {local(f'{share:.0%}')}" for name, share in shares)
            name = say("player {n}: {card} {bets}", n=player + 1, card=card, bets=history)
            self.lines.append(_ValuedMove(name, mix, ROUNDS))
        value = learner.value()
        self.found = say("worth {value:.4f} for player 1; -1/18 is -0.0556", value=value)

    def _aim(self) -> None:
        """The probability of a hit on each square, best first."""
        assert isinstance(self.game, Battleships) and self.player is not None
        if len(self.state.fleets) < 2:
            ways = len(self.game.fleets)
            self.found = say("a fleet is hidden in one of {n:,} ways", n=ways)
            return
        chances = self.game.hit_chances(self.state, self.player)
        possible = len(self.game.possible(self.state, self.player))
        for square in sorted(chances, key=lambda one: -chances[one]):
            self._add(self.state, square, exact(chances[square]), 1)
        self.found = say("{n:,} fleets are possible", n=possible)


def read_game(text: str) -> tuple[str, NamedGame, Game[Any, Any]]:
    """Parse the name of a game.

    :raises ValueError: if there is no such game.
    """
    if text.count("/") == 7:
        chess.Board(text)  # raises with what is wrong
        return "chess", GAMES["chess"], ChessGame(text)
    name, *words = text.split() or [""]
    if name not in GAMES:
        raise ValueError(f"{name!r} is none of {', '.join(GAMES)}")
    named = GAMES[name]
    try:
        return name, named, named.make(*_numbers(words))
    except TypeError:
        wanted = f"{name} {named.numbers}".strip()
        raise ValueError(f"a game is named as in {wanted!r}, not {text!r}") from None


def _numbers(words: Sequence[str]) -> list[int]:
    wrong = next((word for word in words if not word.isdigit() or len(word) > 4), None)
    if wrong is not None:
        raise ValueError(f"numbers follow the name of a game, not {wrong[:20]!r}")
    return list(map(int, words))

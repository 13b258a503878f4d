"""Backtracking, and branch and bound: finds the best end of a one-player puzzle.

Backtracking tries the first move, continues, and takes it back when nothing is left to try. Branch
and bound also asks what can still be reached at best: if that is no more than the best end so far,
it goes back at once. Sources: Golomb and Baumert, Backtrack Programming (1965); Land and Doig, An
Automatic Method of Solving Discrete Programming Problems (1960).
"""

from __future__ import annotations

import math
from typing import Any, Protocol, TypeVar

from ..game_protocol import Game, Move, Number, State
from ..told import Listener, Solution, nobody

Key = TypeVar("Key", contravariant=True)


class Bounded(Protocol[Key]):
    """A puzzle that can bound what can still be reached."""

    def bound(self, state: Key, /) -> Number:
        """No end that begins like this is worth more."""


def backtracking(
    game: Game[State, Move], state: State, tell: Listener = nobody
) -> Solution[tuple[Move, ...]]:
    """Visit every end, and keep the first of the best ones; the move is all moves to it."""
    search = _Search(game, None, tell)
    search.visit(state, ())
    return Solution(search.best, search.moves, search.nodes)


def branch_and_bound(
    game: Game[State, Move], state: State, tell: Listener = nobody
) -> Solution[tuple[Move, ...]]:
    """Omit what cannot become better than the best end so far.

    :param game: with a method `bound`.
    """
    search = _Search(game, game, tell)  # type: ignore[arg-type]
    search.visit(state, ())
    return Solution(search.best, search.moves, search.nodes)


class _Search:
    """One run, with its best result so far.

    :ivar best: the value of the best end; minus infinity while there is none.
    """

    def __init__(self, game: Game[Any, Any], bounded: Bounded[Any] | None, tell: Listener) -> None:
        self._game, self._bounded, self._tell = game, bounded, tell
        self.best: Number = -math.inf
        self.moves: tuple[Any, ...] | None = None
        self.nodes = 0

    def visit(self, state: Any, moves: tuple[Any, ...]) -> None:
        """Visit a state, and all states after it."""
        game, tell = self._game, self._tell
        self.nodes += 1
        tell("puzzle_enter", state)
        bound = math.inf if self._bounded is None else self._bounded.bound(state)
        if self._bounded is not None:
            tell("puzzle_bound", state, bound=bound)
        if bound <= self.best:
            tell("puzzle_pruned", state, bound=bound, best=self.best)
        elif game.player(state) is None:
            self._finish(state, moves)
        else:
            for move in game.moves(state):
                after = game.apply(state, move)
                tell("puzzle_try", state, after)
                self.visit(after, (*moves, move))
        tell("puzzle_return" if moves else "puzzle_done", state)

    def _finish(self, state: Any, moves: tuple[Any, ...]) -> None:
        value = self._game.result(state)[0]
        if value > self.best:
            self.best, self.moves = value, moves
            self._tell("puzzle_best", state, value=value)
        else:
            self._tell("puzzle_stuck" if value == -math.inf else "puzzle_end", state, value=value)

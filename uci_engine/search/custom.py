"""A user's Python functions in the search: an evaluation, and a move order.

Each call gets a separate board, set up anew: whatever a function does to it, the search keeps its
own. The first error ends the search; no exception passes through it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from operator import index
from typing import Any

from ..board.movegen import (
    MAX_MOVES,
    Board,
    Flag,
    Move,
    MoveCode,
    Ply,
    Rating,
    Score,
    copy_position,
    decode,
    encode,
    generate_all,
    is_noisy,
)

#: Evaluations are limited to this many centipawns: higher scores are mates and tablebase wins.
MAX_EVALUATION = 15_000

#: What is wrong with a value that a function returned.
NO_MOVE = "order returned {value}, which is none of the moves"
NO_NUMBER = "evaluate returned {value}, which is not a number of centipawns"
NO_RETURN = "{name} returned None: is a return statement missing?"


class CustomEvaluation:
    """Asks a function for the evaluation, in centipawns from the side to move.

    :param function: takes a board; returns an integer or a float.
    :param board: passed to the function; used for nothing else.
    """

    def __init__(self, function: Callable[[Any], Any], board: Board) -> None:
        self.function = function
        self.board = board
        #: Whether the function is running: only then may a signal handler raise an exception.
        self.is_running = False
        self.has_failed = False
        self.error: BaseException | None = None

    def begin(self) -> None:
        """Get ready for the next search."""
        self.has_failed = False
        self.error = None

    def evaluate(self, board: Board) -> Score:
        """The evaluation of a position; 0 after an error."""
        score: Score = 0
        if self.has_failed:
            return 0
        copy_position(board, self.board)
        try:
            self.is_running = True
            value = self.function(self.board)
            self.is_running = False
            if isinstance(value, float):
                value = min(max(value, -MAX_EVALUATION), MAX_EVALUATION)
                value = round(value)  # rejects what is not a number
            elif not isinstance(value, int):
                value = _as_int(value)
            if value > MAX_EVALUATION:
                score = MAX_EVALUATION
            elif value < -MAX_EVALUATION:
                score = -MAX_EVALUATION
            else:
                score = value
        except BaseException as error:
            self.is_running = False
            self.has_failed = True
            self.error = error
            return 0
        return score


class CustomOrder:
    """Asks a function for the order of the moves.

    :param function: takes a board and a list of moves; returns the moves, best first. Moves left
        out come last.
    :param board: passed to the function; used for nothing else.
    """

    def __init__(self, function: Callable[[Any, list[Move]], Iterable[Any]], board: Board) -> None:
        self.function = function
        self.board = board
        #: Whether the function is running: only then may a signal handler raise an exception.
        self.is_running = False
        self.has_failed = False
        self.error: BaseException | None = None

    def begin(self) -> None:
        """Get ready for the next search."""
        self.has_failed = False
        self.error = None

    def rate_all_moves(
        self, board: Board, ratings: array[int], wants_quiets: Flag, tt_move: MoveCode
    ) -> Ply:
        """Write all legal moves into `ratings`, each with its rating << 16; return their number.

        After an error, they stay in the order in which python-chess generates them.
        """
        codes = [code for code in generate_all(board) if wants_quiets or is_noisy(board, code)]
        ordered = codes
        if not self.has_failed:
            try:
                copy_position(board, self.board)
                ordered = self._ask(codes)
            except BaseException as error:
                self.is_running = False
                self.has_failed = True
                self.error = error
        if tt_move in codes:
            ordered = [tt_move] + [code for code in ordered if code != tt_move]
        end: Ply = 0
        code: MoveCode
        for code in ordered:
            rating: Rating = MAX_MOVES - end
            ratings[end] = rating << 16 | code
            end += 1
        return end

    def _ask(self, codes: list[MoveCode]) -> list[MoveCode]:
        """The moves in the function's order.

        :raises ValueError: if it returns a move that it was not given.
        """
        self.is_running = True
        wanted = list(self.function(self.board, [decode(code) for code in codes]))
        self.is_running = False
        places = dict.fromkeys(codes, 0)
        ordered = {}
        for move in wanted:
            code = encode(move) if isinstance(move, Move) else -1
            if code not in places:
                raise ValueError(_wrong(NO_MOVE, move))
            ordered[code] = 0
        return list(ordered) + [code for code in codes if code not in ordered]


def _as_int(value: Any) -> int:
    """Convert a number of another type, such as numpy's, to an int.

    :raises TypeError: if it is not a number; the message is one line.
    """
    try:
        return index(value)
    except TypeError:
        pass
    try:
        return round(float(value)) if hasattr(value, "__float__") else index(value)
    except TypeError:
        raise TypeError(_wrong(NO_RETURN if value is None else NO_NUMBER, value)) from None


def _wrong(text: str, value: Any) -> str:
    """What is wrong with the value of `evaluate` or `order`, in the reader's language."""
    from ..base.language import say  # only now: the engine starts without it

    return say(text, value=shown_value(value), name="evaluate")


def shown_value(value: Any) -> str:
    """A function's return value and its type, in a few words."""
    try:
        text = ascii(value)
    except Exception:  # raised by its own `__repr__`
        text = "something"
    return f"{text[:60]} ({type(value).__name__})"

"""The static evaluation of a position, and of many: `evaluate` and `evaluate_many`.

The total takes microseconds. The terms take hundreds of times as long, so they are calculated only
on request.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, overload

import chess

from ..board.fen import ALL_DEFECTS, MAX_COUNTER, MAX_FEN_LENGTH, fen_of, read_position
from ..board.movegen import Board, new_board
from ..eval.static import StaticEvaluator
from ..eval.weights import GROUPS
from .arguments import check_board, check_chess
from .breakdown import break_down
from .shown_results import BoardError, Evaluation
from .term_titles import title_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_static = StaticEvaluator()


def evaluate(board: chess.Board) -> Evaluation:
    """Evaluate a position by terms, without a search: the total at once, its terms on request.

    :param board: the position; the game before it does not matter.
    :raises TypeError: if the board is no `chess.Board`.
    :raises ValueError: if the position is impossible.

    >>> import chess
    >>> evaluate(chess.Board()).white == evaluate(chess.Board().mirror()).relative
    True
    """
    value = _static.evaluate(_checked(board))
    return Evaluation(board.copy(stack=False), value)


@overload
def evaluate_many(
    positions: Iterable[chess.Board | str], *, terms: Literal[False] = False
) -> NDArray[np.int32]: ...


@overload
def evaluate_many(
    positions: Iterable[chess.Board | str], *, terms: Literal[True]
) -> dict[str, NDArray[np.float64]]: ...


def evaluate_many(positions: Iterable[chess.Board | str], *, terms: bool = False) -> Any:
    """Evaluate many positions without a search, each like `evaluate`.

    :param positions: boards, or FENs.
    :param terms: return a table instead, a dictionary of columns: `white`, a column for each term
        of the evaluation, by its name, and `rounding`. All positions have the same columns; the
        terms and the rounding add up to `white`. This takes hundreds of times as long.
    :returns: centipawns from White's point of view, as a numpy array (`int32`), or as an
        `array.array` if numpy is not installed; the columns of a table are `float64`.
    :raises BoardError: if a position is impossible, belongs to another variant, is not a valid FEN,
        or is neither a `chess.Board` nor a string; its `index` tells which one.

    >>> values = evaluate_many(["4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", chess.Board()])
    >>> values[0] > 500 > values[1]
    True
    """
    return _table(positions) if terms else _column("i", _values(positions))


def _boards(positions: Iterable[chess.Board | str]) -> Iterator[Board]:
    """The positions, each until the next one."""
    for index, position in enumerate(positions):
        try:
            yield _read(position) if isinstance(position, str) else _checked(position)
        except (TypeError, ValueError) as error:
            raise BoardError(index, position, str(error)) from None


def _values(positions: Iterable[chess.Board | str]) -> Iterator[int]:
    """The evaluations of positions, from White's point of view."""
    for board in _boards(positions):
        value = _static.evaluate(board)
        yield value if board.turn else -value


def _table(positions: Iterable[chess.Board | str]) -> dict[str, Any]:
    names = [
        title_of(name, index)
        for group in GROUPS.values()
        for name, weights in group.items()
        for index in range(len(weights))
    ]
    columns = {name: array("d") for name in ("white", *names, "rounding")}
    for board in _boards(positions):
        found = break_down(board)
        for column in columns.values():
            column.append(0.0)
        for term in found.terms:
            columns[term.name][-1] = float(term.contribution)
        columns["white"][-1] = found.white_value
        columns["rounding"][-1] = float(found.rounding)
    return {name: _column("d", column) for name, column in columns.items()}


def _column(code: Literal["i", "d"], numbers: Iterable[float]) -> Any:
    """Numbers as a numpy array, if numpy is installed."""
    found = array(code, numbers)
    try:
        import numpy
    except ImportError:
        return found
    return numpy.array(found)


def _checked(board: chess.Board) -> Board:
    """A board as the evaluation takes it, until the next one.

    :raises TypeError: if it is no `chess.Board`.
    :raises ValueError: if its position is impossible, or of another game than chess.
    """
    if isinstance(board, chess.Board) and board.uci_variant == "chess":
        own = _static.board_of(board)
        if not int(own.status()) & ALL_DEFECTS:
            return own
    check_board(board)
    check_chess(board)
    return _static.board_of(board)


def _read(fen: str) -> Board:
    """A FEN as `read_position` reads it; one of the usual kind is read at once.

    :raises ValueError: if it cannot be read.
    """
    if len(fen) <= MAX_FEN_LENGTH and "_" not in fen:
        try:
            board = new_board(fen)
        except (ValueError, IndexError, OverflowError):
            pass
        else:
            is_usual = (
                not board.promoted and board.halfmove_clock < MAX_COUNTER > board.fullmove_number
            )
            if is_usual and not int(board.status()) & ALL_DEFECTS:
                return board
    return read_position(fen_of(fen))

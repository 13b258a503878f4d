"""Moves as numbers, for programs that learn: `moves_array` and `policy_move`."""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import TYPE_CHECKING

import chess

from ..board import public_board
from ..board.movegen import Board, decode, encode, generate_all
from ..board.policy import Policy
from .arguments import check_chess

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: A side has at most sixteen pieces in a game; the moves of more would not fit into a buffer.
_MAX_PIECES = 16

policy_of_size = lru_cache(maxsize=None)(Policy)


def moves_array(board: chess.Board, *, policy: int | None = None) -> NDArray[np.uint16]:
    """The legal moves as numbers, in the order of `board.legal_moves`.

    :param policy: 1858 for the numbers of the moves in Leela Chess Zero's policy, or 4672 for those
        in AlphaZero's as PettingZoo has it, both as the side to move sees the board. Without it
        they are codes, in every position the same: the origin (a1 = 0, b1 = 1 ... h8 = 63), plus
        64 times the target, plus 4096 times the piece that a pawn promotes to (2 to 5, as in
        python-chess).
    :returns: an array of numpy, or of the module `array` if numpy is not installed.
    :raises TypeError: if the board is no `chess.Board`.
    :raises ValueError: if the board is of another game, or there is no such policy.

    >>> import chess
    >>> codes = moves_array(chess.Board())
    >>> len(codes), chess.SQUARE_NAMES[codes[0] & 63], chess.SQUARE_NAMES[codes[0] >> 6 & 63]
    (20, 'g1', 'h3')
    """
    own = _own_board(board)
    if max(map(int.bit_count, own.occupied_co)) > _MAX_PIECES:
        codes = list(map(encode, own.legal_moves))
    else:
        codes = generate_all(own)
    if policy is not None:
        number_of = policy_of_size(policy).number_of
        codes = [number_of(own, code) for code in codes]
    found = array("H", codes)
    try:
        import numpy
    except ImportError:
        return found  # type: ignore[return-value]
    return numpy.frombuffer(found, numpy.uint16)


def policy_move(board: chess.Board, number: int, *, policy: int) -> chess.Move:
    """The legal move with this number in a policy: the inverse of `moves_array`.

    :param number: from 0 on.
    :param policy: 1858 or 4672.
    :raises TypeError: if the board is no `chess.Board`.
    :raises chess.IllegalMoveError: if no legal move has the number (a `ValueError`).
    :raises ValueError: if the board is of another game, or there is no such policy.

    >>> board = chess.Board()
    >>> policy_move(board, moves_array(board, policy=1858)[0], policy=1858)
    Move.from_uci('g1h3')
    """
    code = policy_of_size(policy).code_of(_own_board(board), int(number))
    if not code:
        message = f"number {number} of the policy with {policy} is no legal move in {board.fen()}"
        raise chess.IllegalMoveError(message)
    return decode(code)


def _own_board(board: chess.Board) -> Board:
    """A board that the generator knows, with the position of any board of chess."""
    if not isinstance(board, chess.Board):
        raise TypeError(f"the board must be a chess.Board, not {type(board).__name__}")
    check_chess(board)
    if isinstance(board, Board):
        return board
    return public_board.Board.from_board(board, stack=False)

"""What a FEN says besides the squares and the side to move, for a script that knows no rules.

A *state* is castling rights, en passant square and halfmove clock as in a FEN. Only those are told
that are not the former rights, `-`, and one more.
"""

from __future__ import annotations

from collections.abc import Iterable

import chess


def state_behind(board: chess.Board, move: chess.Move) -> str:
    """The state behind a legal move, empty where it is as expected.

    >>> state_behind(chess.Board(), chess.Move.from_uci("e2e4"))
    'KQkq - 0'
    """
    return line_states(board, (move,)).get("0", "")


def last_state(board: chess.Board) -> str:
    """The state behind the last move on the stack of a board, empty where it is as expected."""
    before = board.copy(stack=1)
    return state_behind(before, before.pop())


def line_states(board: chess.Board, line: Iterable[chess.Move]) -> dict[str, str]:
    """The states in a line that are not as expected, by the index of the move before them."""
    states = {}
    board = board.copy(stack=False)
    for number, move in enumerate(line):
        expected = f"{_castling(board)} - {board.halfmove_clock + 1}"
        board.push(move)
        square = board.ep_square if board.has_legal_en_passant() else None
        en_passant = "-" if square is None else chess.square_name(square)
        state = f"{_castling(board)} {en_passant} {board.halfmove_clock}"
        if state != expected:
            states[str(number)] = state
    return states


def _castling(board: chess.Board) -> str:
    return board.castling_shredder_fen() if board.chess960 else board.castling_xfen()

"""The parts of a FEN besides squares and side to move, for scripts that do not know the rules.

A *state* consists of castling rights, en passant square and halfmove clock as in a FEN. It is only
given where it differs from unchanged rights, `-`, and a clock one higher.
"""

from __future__ import annotations

from collections.abc import Iterable

import chess


def state_behind(board: chess.Board, move: chess.Move) -> str:
    """The state after a legal move; empty if it is as expected.

    >>> state_behind(chess.Board(), chess.Move.from_uci("e2e4"))
    'KQkq - 0'
    """
    return line_states(board, (move,)).get("0", "")


def last_state(board: chess.Board) -> str:
    """The state after the last move on the board's stack; empty if it is as expected."""
    before = board.copy(stack=1)
    return state_behind(before, before.pop())


def line_states(board: chess.Board, line: Iterable[chess.Move]) -> dict[str, str]:
    """The unexpected states in a line, by the index of the move before them."""
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

"""The phases of a game: opening, middlegame, endgame.

The rules are those of lichess.org; see `Divider` in https://github.com/lichess-org/scalachess. The
middlegame begins when at most ten pieces other than pawns and kings are left, when a player has
fewer than four men on their back rank, or when the men of both sides are mixed. The endgame begins
when at most six such pieces are left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import chess

PHASES = ("opening", "middlegame", "endgame")

_MIDDLEGAME_PIECES, _ENDGAME_PIECES = 10, 6
_LEAST_ON_BACK_RANK = 4
_MAX_MIXED = 150

#: How mixed a two-by-two block of squares is, by the numbers of White's and Black's men in it, as a
#: function of its lower rank.
_MIXED: dict[tuple[int, int], Callable[[int], int]] = {
    (1, 0): lambda rank: 9 - rank,
    (2, 0): lambda rank: rank if rank > 2 else 0,
    (3, 0): lambda rank: rank + 2 if rank > 1 else 0,
    (4, 0): lambda rank: rank + 2 if rank > 1 else 0,
    (0, 1): lambda rank: rank + 1,
    (0, 2): lambda rank: 8 - rank if rank < 6 else 0,
    (0, 3): lambda rank: 10 - rank if rank < 7 else 0,
    (0, 4): lambda rank: 10 - rank if rank < 7 else 0,
    (1, 1): lambda rank: 5 + abs(3 - rank),
    (2, 1): lambda rank: rank + 4,
    (3, 1): lambda rank: rank + 5,
    (1, 2): lambda rank: 10 - rank,
    (1, 3): lambda rank: 11 - rank,
    (2, 2): lambda rank: 7,
}


def phases(boards: Sequence[chess.Board]) -> list[str]:
    """The phase of each position of a game, in order; a phase never recurs.

    >>> phases([chess.Board(), chess.Board("8/5pk1/8/8/8/8/5PK1/8 w - - 0 1")])
    ['opening', 'endgame']
    """
    middlegame = _first(boards, _is_middlegame)
    endgame = _first(boards[middlegame:], _is_endgame) + middlegame
    return [PHASES[(ply >= middlegame) + (ply >= endgame)] for ply in range(len(boards))]


def _first(boards: Sequence[chess.Board], test: Callable[[chess.Board], bool]) -> int:
    """The index of the first position that passes a test, or the number of positions."""
    return next((ply for ply, board in enumerate(boards) if test(board)), len(boards))


def _pieces(board: chess.Board) -> int:
    return chess.popcount(board.occupied & ~(board.kings | board.pawns))


def _is_endgame(board: chess.Board) -> bool:
    return _pieces(board) <= _ENDGAME_PIECES


def _is_middlegame(board: chess.Board) -> bool:
    return (
        _pieces(board) <= _MIDDLEGAME_PIECES
        or _is_developed(board, chess.WHITE, chess.BB_RANK_1)
        or _is_developed(board, chess.BLACK, chess.BB_RANK_8)
        or _mixedness(board) > _MAX_MIXED
    )


def _is_developed(board: chess.Board, color: chess.Color, back_rank: chess.Bitboard) -> bool:
    return chess.popcount(board.occupied_co[color] & back_rank) < _LEAST_ON_BACK_RANK


def _mixedness(board: chess.Board) -> int:
    white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    total = 0
    for rank in range(1, 8):
        for file in range(7):
            block = 0x0303 << (8 * (rank - 1) + file)
            counts = (chess.popcount(white & block), chess.popcount(black & block))
            if counts in _MIXED:
                total += _MIXED[counts](rank)
    return total

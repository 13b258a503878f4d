"""A linear evaluation that learns its weights: no piece values are given.

The value is a sum of features times weights. Gradient descent fits its sigmoid to a search's scores
of 40,000 positions (https://www.chessprogramming.org/Texel%27s_Tuning_Method). `python -m
halbzug.teaching.engines.linear_evaluation FILE`, of `training_games`, prints `LEARNT`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import chess

from halbzug.teaching.engines.basics import until_time_is_up
from halbzug.teaching.engines.transposition_table import Remembering
from halbzug.tuning.descent import expected_result

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

name = "Linear evaluation"

#: A feature is the number of pieces of a type in a region, as seen by their side.
CENTRE, EDGE = 0x00003C3C3C3C0000, chess.BB_BACKRANKS | chess.BB_FILE_A | chess.BB_FILE_H
REGIONS = [(kind, chess.BB_ALL) for kind in range(1, 6)]
REGIONS += [(chess.PAWN, rank) for rank in chess.BB_RANKS[2:7]]
REGIONS += [(kind, region) for kind in range(1, 7) for region in (CENTRE, EDGE)]
REGIONS += [(kind, chess.BB_RANK_7) for kind in (chess.ROOK, chess.QUEEN)]
WHITE_SIDE = [(kind, mask, chess.flip_vertical(mask)) for kind, mask in REGIONS]
SIDES = {chess.WHITE: WHITE_SIDE, chess.BLACK: [(kind, b, a) for kind, a, b in WHITE_SIDE]}

#: Centipawns for each feature, and for the right to move; learnt on 24 November 2026.
LEARNT = [91, 291, 333, 470, 845, -2, -1, 28, 35, 127, 14, -26, 31, -41, 5, -45, 32, -9, -5, -15]
LEARNT += [-5, 12, 50, 23, 62]


def features(board: chess.Board) -> list[int]:
    """The side to move's surplus of each feature; 1 for the right to move."""
    kinds = (0, board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    white = [kind & board.occupied_co[chess.WHITE] for kind in kinds]
    black = [kind & board.occupied_co[chess.BLACK] for kind in kinds]
    own, other = (white, black) if board.turn else (black, white)
    sides = SIDES[board.turn]
    return [(own[k] & a).bit_count() - (other[k] & b).bit_count() for k, a, b in sides] + [1]


def learn(lines: Iterable[str], rounds: int = 10) -> list[float]:
    """The weights in centipawns, from lines of `training_games`: `FEN;MOVE;SCORE`."""
    fields = [line.split(";") for line in lines]
    samples = [
        (features(chess.Board(fen)), expected_result(int(score), 1 / 174))
        for fen, _, score in fields
    ]
    weights = [0.0] * (len(REGIONS) + 1)
    for number in range(rounds):
        for counts, wanted in samples:
            value = sum(weight * count for weight, count in zip(weights, counts, strict=True))
            step = (wanted - expected_result(value, 1 / 174)) / (1 + number) ** 0.5
            weights = [weight + step * count for weight, count in zip(weights, counts, strict=True)]
    return weights


class Linear(Remembering):
    """The same search with the learnt evaluation."""

    def evaluate(self, board: chess.Board) -> int:
        """The sum of features times weights, in centipawns."""
        return sum(map(int.__mul__, LEARNT, features(board)))


def choose(board: chess.Board, clock: Clock) -> Iterator[chess.Move]:
    """Better and better moves from deeper and deeper searches."""
    return until_time_is_up(board, Linear(clock).deepen(board))


if __name__ == "__main__":
    print(list(map(round, learn(Path(sys.argv[1]).read_text("ascii").splitlines()[:40_000]))))

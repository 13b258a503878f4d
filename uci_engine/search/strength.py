"""Reduced strength: how the search realises a requested Elo.

Weaker players see less far and misjudge positions, but do not give pieces away on purpose. So a
handicap is a node limit, which bounds how far the search sees, and a perturbation of the
evaluation: for a whole game, each kind of piece is worth more or less on each square than it is,
for both sides. (A new error for each position would cause random blunders.) Weaker players also
know less opening theory and no tablebases. But all levels know how to win against a bare king.

The table was fitted to games against Stockfish 15.1 with `UCI_LimitStrength`; see LEDGER.md.
"""

from __future__ import annotations

from bisect import bisect_right
from random import Random
from typing import NamedTuple

from ..board.movegen import Board, pieces_of, popcount

#: The range of `UCI_Elo`, on the scale of Stockfish 15.1 at 10 seconds + 0.1 a move.
MIN_ELO, MAX_ELO = 800, 2850

#: `Skill Level` ranges from 0, the weakest, to this, full strength.
MAX_SKILL_LEVEL = 20

#: (Elo, nodes per move, largest perturbation in centipawns); interpolated between rows.
CALIBRATION = (
    (800, 100, 170),
    (1100, 210, 133),
    (1350, 530, 103),
    (1600, 1_500, 77),
    (1900, 8_500, 40),
    (2100, 30_000, 19),
    (2400, 400_000, 5),
    (2850, 2_000_000, 0),
)

#: Minimum nodes per move for mating a bare king with pieces, at any level.
MATING_NODES = 1_000


class Handicap(NamedTuple):
    """Limits on a search that weaken it.

    :param nodes: node limit for a move.
    :param perturbation: the largest error about a piece on a square, in centipawns.
    :param book_moves: the number of full moves it may play from the book.
    :param seed: selects the errors; each game has its own.
    :param has_technique: whether it knows how to win the position, against a bare king.
    """

    nodes: int
    perturbation: int
    book_moves: int
    seed: int = 0
    has_technique: bool = False

    def facing(self, board: Board) -> Handicap:
        """The handicap for the side to move in this position.

        It is unchanged unless the other side has only its king. Against a bare king, the evaluation
        is not perturbed, and knows the technique (`halbzug.eval.technique`). Without pawns, the
        nodes suffice for the final mate in two.
        """
        if popcount(pieces_of(board, not board.turn)) > 1:
            return self
        nodes = self.nodes if board.pawns else max(self.nodes, MATING_NODES)
        return self._replace(nodes=nodes, perturbation=0, has_technique=True)

    def perturbations(self) -> list[int]:
        """The errors of the evaluation, indexed by piece type << 6 | square as White sees it.

        In centipawns, added to the value of a piece on that square. Small errors are more likely
        than large ones.
        """
        random = Random(self.seed)
        largest = self.perturbation
        return [round(random.triangular(-largest, largest)) for _ in range(7 * 64)]


def handicap_of(elo: float, seed: int = 0) -> Handicap | None:
    """The handicap for playing at about this Elo; None for full strength.

    :param elo: clamped to MIN_ELO .. MAX_ELO.
    """
    if elo >= MAX_ELO:
        return None
    elo = max(elo, MIN_ELO)
    above = bisect_right(CALIBRATION, elo, key=lambda row: row[0])
    low, few, large = CALIBRATION[above - 1]
    high, many, small = CALIBRATION[above]
    part = (elo - low) / (high - low)
    nodes = round(few * (many / few) ** part)  # strength grows with the logarithm of nodes
    perturbation = round(large + (small - large) * part)
    return Handicap(nodes, perturbation, book_moves=int(elo - 600) // 150, seed=seed)


def elo_of_skill(level: int) -> float:
    """The Elo of a Skill Level; levels divide the range evenly.

    :param level: 0 to MAX_SKILL_LEVEL.
    """
    return MIN_ELO + (MAX_ELO - MIN_ELO) * level / MAX_SKILL_LEVEL

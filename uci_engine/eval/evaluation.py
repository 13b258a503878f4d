"""The evaluation by terms, blended by game phase, or by a network; from the side to move."""

from __future__ import annotations

from ..board.movegen import (
    Bitboard,
    Board,
    Flag,
    Score,
    Tapered,
    king_square,
    pieces_of,
)
from .accumulator import Accumulator
from .endgame import FULL_SCALE, mop_up, scale
from .material import Imbalance
from .network import Network
from .passed import evaluate_passed_pawns
from .pawns import PawnStructure
from .pieces import PieceActivity
from .tables import FULL_PHASE, single
from .tapered import endgame_of, middlegame_of

_FULL_PHASE = FULL_PHASE
_FULL_SCALE = FULL_SCALE
#: At or below this `scale`, an advantage is nearly worthless; in 64ths.
_HARDLY_WON = 4
_TEMPO = single("tempo")


class Evaluator:
    """Evaluates boards; each search has its own, because the pawn cache is not shared."""

    def __init__(self) -> None:
        self.imbalance = Imbalance()
        self.pawns = PawnStructure()
        self.activity = PieceActivity()

    def evaluate(self, board: Board, accumulator: Accumulator) -> Score:
        """The static evaluation in centipawns from the side to move.

        :param accumulator: the sums for this board; if it has those of a network, this evaluates.
        """
        network = accumulator.network
        if network is not None:
            return self._by_network(board, network)
        white: Bitboard = pieces_of(board, True)
        black: Bitboard = pieces_of(board, False)
        activity = self.activity
        total: Tapered = accumulator.score + self.imbalance.score(board)
        total += self.pawns.score(
            board.pawns & white,
            board.pawns & black,
            king_square(board, True),
            king_square(board, False),
        )
        total += activity.evaluate_pieces(board)
        total += activity.king_attack(board, True) - activity.king_attack(board, False)
        total += activity.threats(board, True) - activity.threats(board, False)
        passed: Bitboard = self.pawns.passed
        if passed:
            ours: Bitboard = activity.attacked[8]  # from White's side
            theirs: Bitboard = activity.attacked[0]
            total += evaluate_passed_pawns(board, passed & white, ours, theirs, True)
            total -= evaluate_passed_pawns(board, passed & black, theirs, ours, False)
        total += mop_up(board, True) - mop_up(board, False)
        if not board.turn:
            total = -total
        return self.blend(board, total + _TEMPO, accumulator.phase)

    def _by_network(self, board: Board, network: Network) -> Score:
        """The evaluation by a network, plus endgame knowledge that it may lack."""
        score: Score = network.evaluate(board)
        score += endgame_of(mop_up(board, board.turn) - mop_up(board, not board.turn))
        strong: Flag = board.turn if score > 0 else not board.turn
        part: Score = scale(board, strong)
        # The network knows other endgames better.
        return score * part // _FULL_SCALE if part <= _HARDLY_WON else score

    def blend(self, board: Board, total: Tapered, phase: Score) -> Score:
        """Blend the two halves of a packed score into one number for the side to move.

        The middlegame is weighted by the game phase (0 endgame .. 24 full board), the endgame by
        the rest and by the share of the advantage that can be won.
        """
        if phase > _FULL_PHASE:
            phase = _FULL_PHASE
        late: Score = endgame_of(total)
        strong: Flag = board.turn if late > 0 else not board.turn
        late = late * scale(board, strong) // _FULL_SCALE
        return (middlegame_of(total) * phase + late * (_FULL_PHASE - phase)) // _FULL_PHASE

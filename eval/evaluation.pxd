cimport cython

from eval.accumulator cimport Accumulator
from eval.endgame cimport mop_up, scale
from eval.material cimport Imbalance
from eval.network cimport Network
from eval.passed cimport escort
from eval.pawns cimport PawnStructure
from eval.pieces cimport PieceActivity
from eval.tapered cimport endgame_of, middlegame_of
from uci_engine.rules cimport (
    Bitboard, Board, Flag, Index, Score, Tapered, king_square, pieces_of, popcount,
)

cdef int _FULL_PHASE, _FULL_SCALE
cdef Tapered _NETWORK, _TEMPO

@cython.final
cdef class Evaluator:
    cdef Imbalance imbalance
    cdef PawnStructure pawns
    cdef PieceActivity activity
    cdef public Flag use_network
    cpdef Score evaluate(self, Board board, Accumulator accumulator) noexcept
    cpdef Score blend(self, Board board, Tapered total, Score phase) noexcept

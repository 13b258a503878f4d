cimport cython

from eval.accumulator cimport Accumulator
from eval.endgame cimport mop_up, scale
from eval.material cimport Imbalance
from eval.passed cimport escort
from eval.pawns cimport PawnStructure
from eval.pieces cimport PieceActivity
from eval.tapered cimport endgame_of, middlegame_of
from uci_engine.rules cimport (
    Bitboard, Board, Flag, Score, Tapered, king_square, pieces_of,
)

cdef int _FULL_PHASE, _FULL_SCALE
cdef Tapered _TEMPO

@cython.final
cdef class Evaluator:
    cdef Imbalance imbalance
    cdef PawnStructure pawns
    cdef PieceActivity activity
    cpdef Score evaluate(self, Board board, Accumulator accumulator) noexcept
    cpdef Score blend(self, Board board, Tapered total, Score phase) noexcept

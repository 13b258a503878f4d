cimport cython

from halbzug.eval.accumulator cimport Accumulator
from halbzug.eval.endgame cimport mop_up, scale
from halbzug.eval.material cimport Imbalance
from halbzug.eval.passed cimport evaluate_passed_pawns
from halbzug.eval.pawns cimport PawnStructure
from halbzug.eval.pieces cimport PieceActivity
from halbzug.eval.tapered cimport endgame_of, middlegame_of
from halbzug.eval.network cimport Network
from halbzug.board.movegen cimport (
    Bitboard, Board, Flag, Score, Tapered, king_square, pieces_of,
)

cdef int _FULL_PHASE, _FULL_SCALE, _HARDLY_WON

@cython.final
cdef class Evaluator:
    cdef Imbalance imbalance
    cdef PawnStructure pawns
    cdef PieceActivity activity
    cpdef Score evaluate(self, Board board, Accumulator accumulator) noexcept
    cdef Score _by_network(self, Board board, Network network) noexcept
    cpdef Score blend(self, Board board, Tapered total, Score phase) noexcept

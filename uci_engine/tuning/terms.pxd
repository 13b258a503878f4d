cimport cython

from halbzug.board.movegen cimport Bitboard, Board, Flag, Index, Number, PieceType, Score, Square, lsb
from halbzug.eval.accumulator cimport Accumulator
from halbzug.eval.evaluation cimport Evaluator

cdef Index _WORDS
cdef Number _KING, _MAX_TERMS

@cython.final
cdef class Terms:
    cdef Evaluator evaluator
    cdef Accumulator accumulator
    cdef Board board
    cdef unsigned long long[::1] words
    cdef short[::1] found
    cdef Flag _set_up(self, Index record, Square turned) noexcept

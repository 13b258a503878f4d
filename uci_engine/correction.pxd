cimport cython

from uci_engine.rules cimport Bitboard, Board, Depth, Key, Score, pieces_of

cdef int _SLOTS, _GRAIN, _LIMIT, _LARGEST_STEP
cdef Bitboard _ALL, _SPREAD

@cython.final
cdef class CorrectionHistory:
    cdef int[::1] entries
    cpdef Score correct(self, Board board, Score evaluation) noexcept
    cpdef void learn(self, Board board, Depth depth, Score difference) noexcept
    cdef Key _slot(self, Board board) noexcept

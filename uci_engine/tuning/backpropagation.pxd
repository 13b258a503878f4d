cimport cython
from libc.math cimport exp, sqrt

from halbzug.board.movegen cimport Bitboard, Flag, Index, Number, lsb

ctypedef double Real

cdef Index _BLOCK, _PIECES, _SIZE, _NOTHING, _BIASES, _OUTPUTS, _WORDS, _PIECES_PER_ROW, _GROUP, _SIDE
cdef int _ROUNDS
cdef Bitboard _MIX
cdef double _FADE, _SQUARE_FADE, _TINY

@cython.final
cdef class Backpropagation:
    cdef const unsigned long long[::1] records
    cdef const short[::1] terms
    cdef float[::1] weights, moments, sums, scratch, worth, slopes, static, targets
    cdef readonly float[::1] gradient, corrections
    cdef int[::1] inputs, piece_counts
    cdef Index positions, recorded, size, blocks, first, count
    cdef Bitboard key
    cdef double scale, score_scale, limit, unit
    cdef readonly double squared_error, slope
    cpdef void choose(self, Index first, Index count, Bitboard key) noexcept
    cpdef void gather(self, Index begin, Index end) noexcept
    cpdef void forward(self, Index block) noexcept
    cpdef void judge(self, Real advantage) noexcept
    cpdef void backward(self, Index block) noexcept
    cpdef void update(
        self, Index block, Number number, Real step, Real decay, Real max_input,
        Real max_output,
    ) noexcept
    cdef Index _shuffled(self, Index place) noexcept nogil
    cdef void _gather(self, Index begin, Index end) noexcept nogil
    cdef Index _row(self, Index place, Index view) noexcept nogil
    cdef void _forward(self, Index block) noexcept nogil
    cdef void _judge(self, Real advantage) noexcept nogil
    cdef void _backward(self, Index block) noexcept nogil
    cdef void _update(
        self, Index begin, Index end, Number number, Real step, Real decay, Real limit,
    ) noexcept nogil

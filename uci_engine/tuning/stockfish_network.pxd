cimport cython

from halbzug.board.movegen cimport Bitboard, Flag, Index, Number, Rating, Score, Square, lsb

cdef Index _SUMS, _INPUTS, _PLACES, _SETS, _FIRST, _SECOND
cdef Number _FULL, _WEIGHT_BITS, _ONE, _PARTS, _PAWN, _KING

@cython.final
cdef class StockfishNetwork:
    cdef unsigned long long[::1] words
    cdef Flag has_failed
    cdef const short[::1] biases, inputs, first
    cdef const int[::1] material, first_biases, second_biases, second, output_biases, output
    cdef const int[::1] values
    cdef short[::1] sums, products
    cdef int[::1] neurons, clipped, squares, codes, kings
    cdef Score _evaluate(self, Index record) noexcept
    cdef Rating _add_up(self, Number black, Index first, Index count, Index weights) noexcept
    cdef void _multiply(self, Index first) noexcept
    cdef Rating _layers(self, Index weights) noexcept

cdef Rating _clipped(Rating value) noexcept
cdef Rating _divided(Rating value, Rating by) noexcept

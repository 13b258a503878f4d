cimport cython

from halbzug.board.movegen cimport (
    Bitboard, Board, Color, Key, Number, Tapered, pieces_of, popcount,
)

cdef Bitboard _SPREAD
cdef int _SIDE

@cython.final
cdef class Imbalance:
    cdef int[::1] own_pairs, enemy_pairs, scores
    cdef Key[::1] keys
    cpdef Tapered score(self, Board board) noexcept
    cpdef Key counts(self, Board board, Color color) noexcept
    cpdef Tapered score_side(self, Key own, Key enemy) noexcept

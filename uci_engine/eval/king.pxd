cimport cython

from halbzug.eval.geometry cimport fill_ahead, rank_of, square_bit
from halbzug.board.movegen cimport Bitboard, Color, Number, Square, Tapered, lsb, msb

@cython.final
cdef class KingShelter:
    cdef int[::1] shelter, storm, blocked_storm
    cpdef Tapered score_side(self, Bitboard own, Bitboard enemy, Square king, Color color) noexcept

cpdef Number nearest(Bitboard pawns, Color color) noexcept

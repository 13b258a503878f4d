cimport cython

from halbzug.eval.network cimport Network
from halbzug.board.movegen cimport (
    Bitboard, Board, Color, PieceType, Square, Tapered, lsb, piece_on, pieces_of,
)

@cython.final
cdef class Accumulator:
    cdef int[::1] values, phases, saved
    cdef int saves
    cdef readonly Network network
    cdef readonly Tapered score
    cdef readonly int phase
    cpdef void clear(self) noexcept
    cpdef void set_up(self, Board board) noexcept
    cpdef void add(self, Color color, PieceType piece, Square square) noexcept
    cpdef void remove(self, Color color, PieceType piece, Square square) noexcept
    cpdef void save(self) noexcept
    cpdef void restore(self) noexcept

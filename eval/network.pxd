cimport cython

from halbzug.board.rules cimport Color, Index, PieceType, Score, Small, Square

cdef Small _FULL
cdef Index _HIDDEN, _VIEWS, _MEN_A_ROW, _COME, _GONE, _NOTES, _NOTHING
cdef int _SHIFT, _LARGEST

cpdef Index row_of(Index men) noexcept

@cython.final
cdef class Network:
    cdef short[::1] inputs, outputs, biases, sums
    cdef int[::1] notes
    cdef Index top, known
    cpdef void clear(self) noexcept
    cpdef void add(self, Color color, PieceType piece, Square square) noexcept
    cpdef void remove(self, Color color, PieceType piece, Square square) noexcept
    cpdef void save(self) noexcept
    cpdef void restore(self) noexcept
    cpdef Score side(self, Color color, Index men) noexcept
    cdef void _note(self, Index slot, Color color, PieceType piece, Square square) noexcept
    cdef void _forget(self, Index level) noexcept
    cdef void _settle(self) noexcept
    cdef void _apply(self, Index source, Index level) noexcept

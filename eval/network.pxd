cimport cython

from uci_engine.rules cimport Color, Index, PieceType, Score, Small, Square

cdef Small _FULL
cdef Index _HIDDEN, _VIEWS, _MEN_A_ROW, _LAST_ROW

@cython.final
cdef class Network:
    cdef short[::1] inputs, outputs, biases, sums
    cdef Index top
    cpdef void clear(self) noexcept
    cpdef void add(self, Color color, PieceType piece, Square square) noexcept
    cpdef void remove(self, Color color, PieceType piece, Square square) noexcept
    cpdef void save(self) noexcept
    cpdef void restore(self) noexcept
    cpdef Score side(self, Color color, Index men) noexcept
    cdef Index _input(self, Color own, PieceType piece, Square square) noexcept

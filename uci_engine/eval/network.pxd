cimport cython

from halbzug.board.movegen cimport Color, Flag, Index, Number, PieceType, Score, Square

cdef Index _HIDDEN, _VIEWS, _PIECES_PER_ROW, _ROWS_OF_SIDE, _ADDED, _REMOVED, _DIRTY, _NOTHING
cdef Number _FULL
cdef int _SHIFT, _MAX_CORRECTION

cpdef Index row_of(Index piece_count, Flag is_to_move) noexcept

@cython.final
cdef class Network:
    cdef short[::1] inputs, outputs, biases, sums
    cdef int[::1] dirty_pieces
    cdef Index ply, computed
    cpdef void clear(self) noexcept
    cpdef void add(self, Color color, PieceType piece, Square square) noexcept
    cpdef void remove(self, Color color, PieceType piece, Square square) noexcept
    cpdef void save(self) noexcept
    cpdef void restore(self) noexcept
    cpdef Score output(self, Color color, Index piece_count, Flag is_to_move) noexcept
    cdef void _mark_dirty(self, Index slot, Color color, PieceType piece, Square square) noexcept
    cdef void _clear_dirty(self, Index ply) noexcept
    cdef void _update(self) noexcept
    cdef void _apply(self, Index source, Index ply) noexcept

from halbzug.eval.neurons cimport capture, update, worth

cimport cython

from halbzug.board.movegen cimport Color, Flag, Index, Number, PieceType, Score, Square
from halbzug.eval.neurons cimport c_neurons_capture, c_neurons_update, c_neurons_worth

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

# Pointers into the network, not into its arrays: Cython counts the users of an array by a locked
# instruction.
cdef inline void update(Network network, Index to, Index source, Index added, Index removed, Number count) noexcept:
    c_neurons_update(&network.sums[to], &network.sums[source], &network.inputs[added], &network.inputs[removed], count)

cdef inline void capture(Network network, Index to, Index source, Index added, Index removed, Index captured, Number count) noexcept:
    c_neurons_capture(&network.sums[to], &network.sums[source], &network.inputs[added], &network.inputs[removed], &network.inputs[captured], count)

cdef inline Score worth(Network network, Index first, Index row, Number full, Number count) noexcept:
    return c_neurons_worth(&network.sums[first], &network.outputs[row], full, count)

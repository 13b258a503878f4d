cimport cython

from halbzug.board.movegen cimport (
    Bitboard, Board, Color, Index, Number, PieceType, Rating, Score, Square, lsb, pieces_of, popcount,
)
from halbzug.eval.rows cimport c_rows_change, c_rows_worth

cdef Number _FULL, _WHOLE_SCALE, _QUARTER, _SHIFT, _MAX_EVALUATION, _KING, _NONE
cdef Index _ROWS, _INPUTS, _DIRTY, _KINDS, _CACHE

@cython.final
cdef class Network:
    cdef Index count, nothing, kings, ply
    cdef Number scale
    cdef const unsigned char[::1] places
    cdef const short[::1] biases, position
    cdef const signed char[::1] outputs, inputs
    cdef short[::1] sums
    cdef int[::1] values, dirty, where, is_new, is_computed
    cdef long long[::1] added, removed
    cdef unsigned long long[::1] cached_pieces
    cpdef void clear(self) noexcept
    cpdef void add(self, Color color, PieceType piece, Square square) noexcept
    cpdef void remove(self, Color color, PieceType piece, Square square) noexcept
    cpdef void save(self) noexcept
    cpdef void restore(self) noexcept
    cpdef Score evaluate(self, Board board) noexcept
    cdef Number _place(self, Index view, Square square) noexcept
    cdef void _forget(self, Index ply) noexcept
    cdef void _renew(self) noexcept
    cdef void _note(self, Index slot, Color color, PieceType piece, Square square) noexcept
    cdef void _update(self, Board board, Index view) noexcept
    cdef Index _input(self, Index view, Number piece, Number place) noexcept
    cdef void _apply(self, Index ply, Index view) noexcept
    cdef void _refresh(self, Board board, Index view) noexcept
    cdef void _change(self, Index to, Index source, Index added, Index second_added, Index removed, Index second_removed) noexcept
    cdef Bitboard _pieces(self, Board board, Index kind) noexcept

cdef inline void change(Network network, Index to, Index source, Index added, Index second_added, Index removed, Index second_removed, Index count) noexcept:
    c_rows_change(&network.sums[to], &network.sums[source], &network.inputs[added * count], &network.inputs[second_added * count], &network.inputs[removed * count], &network.inputs[second_removed * count], second_removed != network.nothing, second_added != network.nothing, <int>count)

cdef inline Score worth_of_view(Network network, Index first, Index row, Number full, Index count) noexcept:
    return c_rows_worth(&network.sums[first], &network.outputs[row], full, <int>count)

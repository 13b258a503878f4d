cimport cython

from halbzug.board.movegen cimport (
    Board, Depth, Flag, MoveCode, Number, PieceType, Ply, Rating, Score, Square, from_square, piece_on, to_square,
)
from halbzug.search.settings cimport Settings

cdef int HISTORY_LIMIT, _LIMIT_BITS, _BLACK, _PIECE_TARGETS

@cython.final
cdef class History:
    cdef int[::1] quiet, capture, killers, moved
    cdef public Settings settings
    cdef short[::1] continuation
    cdef unsigned char[::1] filled_rows
    cpdef void clear(self)
    cpdef void note_move(self, Board board, MoveCode move, Ply ply) noexcept
    cpdef void note_null_move(self, Ply ply) noexcept
    cpdef Score rate_quiet(self, Board board, MoveCode move, Ply ply) noexcept
    cdef void rate_quiets(self, Board board, Rating[::1] ratings, Ply end, Ply ply) noexcept
    cpdef Score rate_capture(self, Board board, MoveCode move) noexcept
    cdef Square last_target(self, Ply ply) noexcept
    cpdef Flag is_killer(self, MoveCode move, Ply ply) noexcept
    cpdef void add_bonus(self, Board board, Ply ply, Depth depth, MoveCode move) noexcept
    cpdef void add_malus(self, Board board, Ply ply, Depth depth, MoveCode move) noexcept
    cpdef void add_capture_bonus(self, Board board, Depth depth, MoveCode move) noexcept
    cpdef void add_capture_malus(self, Board board, Depth depth, MoveCode move) noexcept
    cdef Depth _bonus(self, Depth depth) noexcept
    cdef void _update_quiet(self, Board board, Ply ply, MoveCode move, Depth bonus) noexcept
    cdef void _update_continuation(self, MoveCode row, MoveCode this, Depth bonus) noexcept
    cdef void _update_capture(self, Board board, MoveCode move, Depth bonus) noexcept
    cdef Score _gravity_update(self, Score value, Depth bonus) noexcept
    cdef MoveCode _capture_index(self, Board board, MoveCode move) noexcept
    cdef MoveCode _piece_target(self, Board board, MoveCode move) noexcept

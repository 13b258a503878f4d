cimport cython

from halbzug.board.movegen cimport Bitboard, Board, Color, Depth, Key, Number, Score, pieces_of
from halbzug.search.settings cimport Settings

cdef int _SLOTS, _MAX_CHANGES
cdef Bitboard _ALL, _PAWNS, _KNIGHTS, _BISHOPS, _ROOKS, _QUEENS, _KINGS

@cython.final
cdef class CorrectionHistory:
    cdef short[::1] entries
    cdef unsigned int[::1] changed
    cdef Number changed_end
    cdef public Settings settings
    cpdef void clear(self)
    cpdef Score correct(self, Board board, Score evaluation) noexcept
    cpdef void learn(self, Board board, Depth depth, Score error) noexcept
    cdef void _gravity_update(self, Key slot, Score bonus) noexcept
    cdef Key _pawn_slot(self, Board board) noexcept
    cdef Key _piece_slot(self, Board board, Color color) noexcept

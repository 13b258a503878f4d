cimport cython

from halbzug.board.movegen cimport (
    Board, Flag, MoveCode, Ply, Rating, Score, copy_position, is_noisy,
)

@cython.final
cdef class CustomEvaluation:
    cdef readonly object function
    cdef readonly Board board
    cdef readonly Flag is_running, has_failed
    cdef readonly object error
    cpdef Score evaluate(self, Board board) noexcept

@cython.final
cdef class CustomOrder:
    cdef readonly object function
    cdef readonly Board board
    cdef readonly Flag is_running, has_failed
    cdef readonly object error
    cdef Ply rate_all_moves(
        self, Board board, Rating[::1] ratings, Flag wants_quiets, MoveCode tt_move)

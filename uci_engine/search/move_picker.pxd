cimport cython

from halbzug.board.checks cimport CheckSquares
from halbzug.board.movegen cimport (
    Bitboard, Board, Flag, MoveCode, Number, Ply, Rating, Square,
    bring_best, generate_evasions, generate_noisy, generate_quiets, is_noisy, is_pseudo_legal,
    is_safe, king_square, slider_blockers, to_square,
)
from halbzug.search.custom cimport CustomOrder
from halbzug.search.history cimport History
from halbzug.search.position cimport Position
from halbzug.search.see cimport capture_value, see_ge
from halbzug.search.textbook_orders cimport rate_all_moves
from halbzug.search.threats cimport Threats
from halbzug.search.transposition cimport TranspositionTable

cdef int _TT_MOVE, _GENERATE_NOISY, _NOISY, _QUIETS, _CHECKS, _LOSING_CAPTURES
cdef int _GENERATE_EVASIONS, _ALL_MOVES, _DONE
cdef Bitboard _ALL
cdef int _NOISY_EVASION, _FIRST_KILLER, _SECOND_KILLER

@cython.final
cdef class MovePicker:
    cdef Position position
    cdef History history
    cdef TranspositionTable tt
    cdef Rating[::1] ratings
    cdef int[::1] losing
    cdef int stage, next_index, end, losing_end, order
    cdef public Flag skip_quiets, keep_checks
    cdef CheckSquares check_squares
    cdef Threats threats
    cdef Flag knows_checks
    cdef MoveCode tt_move
    cdef Ply ply
    cdef Flag noisy_only, drop_losing
    cdef readonly Flag is_noisy, is_losing
    cdef Square king
    cdef Bitboard blockers
    cdef CustomOrder custom
    cdef void use(self, Position position, Flag drop_losing, Number order) noexcept
    cpdef void begin(self, MoveCode tt_move, Ply ply, Flag noisy_only) noexcept
    cpdef MoveCode next(self) noexcept
    cpdef Flag gives_check(self, MoveCode move) noexcept
    cdef Flag _is_wanted_now(self, MoveCode move) noexcept
    cdef void _end_stage(self) noexcept
    cdef void _leave_out_quiets(self) noexcept
    cdef void _find_checks(self) noexcept
    cdef Flag _can_begin_with(self, MoveCode move) noexcept
    cdef void _rate_noisy(self) noexcept
    cdef void _rate_quiets(self) noexcept
    cdef void _rate_evasions(self) noexcept
    cdef void _rate_all(self)
    cdef Rating _noisy_rating(self, Board board, MoveCode move) noexcept

cimport cython

from halbzug.board.checks cimport CheckSquares
from halbzug.search.position cimport Position
from halbzug.board.rules cimport (
    Bitboard, Board, Color, Depth, Flag, MoveCode, Number, PieceType, Ply, Rating, Score,
    Square, attackers_to, bishop_attacks, bring_best, from_square, generate_evasions,
    generate_noisy, generate_quiets, is_pseudo_legal, is_safe, king_attacks, king_square,
    knight_attacks, lsb, pawn_attacks, piece_on, pieces_of, promotion, rook_attacks,
    slider_blockers, to_square,
)
from halbzug.search.transposition cimport TranspositionTable

cdef int _PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN, _KING, _PIECE_TARGETS
cdef int _TABLE_MOVE, _NOISY, _NEXT_NOISY, _NEXT_QUIET, _NEXT_CHECK, _NEXT_BAD
cdef int _EVASIONS, _NEXT_EVASION, _DONE
cdef Bitboard _ALL
cdef int _NOISY_EVASION, _FIRST_KILLER, _SECOND_KILLER
cdef int _TABLE, _CAPTURE, _KILLER, _THREAT, _FORWARD, _OTHER, _TEXTBOOK_ORDER, _KILLER_ORDER

cpdef Flag wins_exchange(Board board, MoveCode move, Score threshold) noexcept
cpdef Flag is_noisy(Board board, MoveCode move) noexcept
cpdef Score capture_value(Board board, MoveCode move) noexcept
cdef Score _exchange_value(PieceType piece) noexcept
cdef Flag _threatens(Board board, MoveCode move) noexcept

@cython.final
cdef class History:
    cdef int[::1] quiet, capture, killers, moved
    cdef public Flag use_long
    cdef short[::1] continuation
    cpdef void note_move(self, Board board, MoveCode move, Ply ply) noexcept
    cpdef void note_null_move(self, Ply ply) noexcept
    cpdef Score rate(self, Board board, MoveCode move, Ply ply) noexcept
    cdef void rate_all(self, Board board, Rating[::1] ratings, Ply end, Ply ply) noexcept
    cpdef Flag is_killer(self, MoveCode move, Ply ply) noexcept
    cpdef void reward(self, Board board, Ply ply, Depth depth, MoveCode move) noexcept
    cpdef void punish(self, Board board, Ply ply, Depth depth, MoveCode move) noexcept
    cpdef Score rate_noisy(self, Board board, MoveCode move) noexcept
    cpdef void reward_noisy(self, Board board, Depth depth, MoveCode move) noexcept
    cpdef void punish_noisy(self, Board board, Depth depth, MoveCode move) noexcept
    cdef MoveCode _capture_index(self, Board board, MoveCode move) noexcept
    cdef Depth _bonus(self, Depth depth) noexcept
    cdef void _update(self, Board board, Ply ply, MoveCode move, Depth bonus) noexcept
    cdef void _update_noisy(self, Board board, MoveCode move, Depth bonus) noexcept
    cdef Score _pull(self, Score value, Depth bonus) noexcept
    cdef MoveCode _piece_target(self, Board board, MoveCode move) noexcept

@cython.final
cdef class MovePicker:
    cdef Position position
    cdef History history
    cdef TranspositionTable table
    cdef Rating[::1] ratings
    cdef int[::1] bad
    cdef int stage, next_index, end, bad_end, order
    cdef public Flag skip_quiets, keep_checks
    cdef CheckSquares check_squares
    cdef Flag knows_checks
    cdef MoveCode table_move
    cdef Ply ply
    cdef Flag noisy_only, drop_losing
    cdef readonly Flag is_noisy, is_losing
    cdef Square king
    cdef Bitboard blockers
    cpdef void begin(self, MoveCode table_move, Ply ply, Flag noisy_only) noexcept
    cpdef MoveCode next(self) noexcept
    cpdef Flag gives_check(self, MoveCode move) noexcept
    cdef void _leave_out_quiets(self) noexcept
    cdef void _find_checks(self) noexcept
    cdef Flag _can_begin_with(self, MoveCode move) noexcept
    cdef void _rate_noisy(self) noexcept
    cdef void _rate_quiets(self) noexcept
    cdef void _rate_evasions(self) noexcept
    cdef void _rate_all(self)
    cdef Rating _kind(self, Board board, MoveCode move) noexcept
    cdef Rating _noisy_rating(self, Board board, MoveCode move) noexcept

cimport cython

from halbzug.eval.geometry cimport ahead, all_pawn_attacks, beside, fill_ahead, rank_of
from halbzug.board.rules cimport (
    Bitboard, Board, Color, Number, PieceType, Square, Tapered,
    bishop_attacks, king_attacks, king_square, knight_attacks, lsb, piece_on, pieces_of, popcount,
    rook_attacks,
)

cdef int _PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN, _KING
cdef Bitboard _FILE_A, _RANK_1, _RANK_3, _RANK_6, _OUTPOST_RANKS, _DARK, _ALL
cdef Number _WEAK_SQUARE, _MOST_DANGER
cdef Bitboard _CENTER_FILES
cdef Tapered _BAD_BISHOP, _LOCKED_BISHOP, _MINOR_BEHIND_PAWN, _KNIGHT_TO_OUTPOST, _QUEEN_FILE
cdef Tapered _PAWNLESS_FLANK, _PIN, _RESTRICTED
cdef Tapered _KNIGHT_OUTPOST, _BISHOP_OUTPOST
cdef Tapered _OPEN_FILE, _HALF_OPEN_FILE, _SEVENTH_RANK
cdef Tapered _PAWN_ON_MINOR, _PAWN_ON_MAJOR
cdef Tapered _HANGING, _LOOSE_PAWN, _PUSH_THREAT

@cython.final
cdef class PieceActivity:
    cdef int[::1] mobility_value, danger, attacker_units, check_units, units
    cdef int[::1] safe_check, other_check, king_mobility, minor_threat, rook_threat
    cdef Bitboard[::1] attacked, flanks, twice
    cdef readonly Tapered mobility, placement
    cpdef Tapered survey(self, Board board) noexcept
    cpdef void look(self, Board board, Color color) noexcept
    cpdef Tapered side(self, Board board, Color color) noexcept
    cpdef Tapered king_attack(self, Board board, Color color) noexcept
    cpdef Tapered threats(self, Board board, Color color) noexcept

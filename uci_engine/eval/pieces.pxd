cimport cython

from halbzug.eval.geometry cimport ahead, all_pawn_attacks, beside, fill_ahead, rank_of
from halbzug.board.movegen cimport (
    Bitboard, Board, Color, Number, PieceType, Square, Tapered,
    bishop_attacks, king_attacks, king_square, knight_attacks, lsb, piece_on, pieces_of, popcount,
    rook_attacks,
)

cdef Bitboard _OUTPOST_RANKS
cdef Number _WEAK_SQUARE, _MAX_DANGER
cdef Bitboard _CENTER_FILES

@cython.final
cdef class PieceActivity:
    cdef int[::1] mobility_value, danger, attacker_units, check_units, units
    cdef int[::1] safe_check, other_check, king_mobility, minor_threat, rook_threat
    cdef Bitboard[::1] attacked, flanks, twice
    cpdef Tapered evaluate_pieces(self, Board board) noexcept
    cdef void _begin_attack_tables(self, Board board, Color color) noexcept
    cdef Tapered _evaluate_side(self, Board board, Color color) noexcept
    cpdef Tapered king_attack(self, Board board, Color color) noexcept
    cpdef Tapered threats(self, Board board, Color color) noexcept

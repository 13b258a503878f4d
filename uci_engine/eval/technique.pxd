from halbzug.eval.endgame cimport non_pawn_material
from halbzug.eval.geometry cimport all_pawn_attacks, distance, fill_ahead, rank_of, square_bit
from halbzug.board.movegen cimport (
    Bitboard, Board, Color, Flag, Number, Score, Square, bishop_attacks, king_attacks,
    king_square, knight_attacks, lsb, pieces_of, popcount, rook_attacks,
)

cdef Bitboard _FILES_A_AND_H
cdef Number _ROOM, _NEAR, _WON_AT_SIGHT

cpdef Score technique(Board board, Color strong, Score score) noexcept
cpdef Number room(Bitboard area, Bitboard attacked) noexcept
cdef Number _steps(Square one, Square other) noexcept
cdef Bitboard _attacks_of(Board board, Color strong) noexcept
cpdef Flag is_won_at_sight(Board board, Square pawn, Color strong) noexcept

from halbzug.eval.geometry cimport ahead, distance, fill_ahead, rank_of, square_bit
from halbzug.board.rules cimport (
    Bitboard, Board, Color, Number, Square, Tapered, king_square, lsb, pieces_of,
)

cdef Tapered _OWN_KING, _ENEMY_KING, _BLOCKED, _FREE_STOP, _FREE_PATH, _ROOK_BEHIND
cdef Tapered _HELD_STOP, _CHASED

cpdef Tapered escort(
    Board board, Bitboard passed, Bitboard held, Bitboard attacked, Color color) noexcept

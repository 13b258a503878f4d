from halbzug.eval.geometry cimport ahead, distance, fill_ahead, rank_of, square_bit
from halbzug.board.movegen cimport (
    Bitboard, Board, Color, Number, Square, Tapered, king_square, lsb, pieces_of,
)

cpdef Tapered evaluate_passed_pawns(
    Board board, Bitboard passed, Bitboard own_attacks, Bitboard enemy_attacks, Color color) noexcept

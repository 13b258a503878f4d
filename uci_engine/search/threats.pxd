cimport cython

from halbzug.board.movegen cimport (
    Bitboard, Board, MoveCode, PieceType, Rating, Square, bishop_attacks, from_square,
    knight_attacks, lsb, piece_on, pieces_of, rook_attacks, to_square,
)
from halbzug.eval.geometry cimport all_pawn_attacks

@cython.final
cdef class Threats:
    cdef Bitboard by_pawns, by_minors, by_rooks
    cdef void find(self, Board board) noexcept
    cdef Rating rate(self, Board board, MoveCode move) noexcept

cimport cython

from halbzug.board.movegen cimport (
    Bitboard, Board, MoveCode, PieceType, Rating, Square, bishop_attacks, from_square,
    knight_attacks, lsb, piece_on, pieces_of, rook_attacks, to_square,
)

cdef Bitboard _NOT_FILE_A, _NOT_FILE_H

@cython.final
cdef class Threats:
    cdef Bitboard by_pawns, by_minors, by_rooks
    cdef void find(self, Board board) noexcept
    cdef Rating rate(self, Board board, MoveCode move) noexcept

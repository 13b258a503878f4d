cimport cython

from halbzug.board.movegen cimport (
    Bitboard, Board, Flag, MoveCode, PieceType, Square, bishop_attacks, from_square,
    king_square, knight_attacks, pawn_attacks, piece_on, rook_attacks, to_square,
)

@cython.final
cdef class CheckSquares:
    cdef Bitboard pawns, knights, bishops, rooks
    cdef readonly Bitboard any
    cpdef void find(self, Board board) noexcept
    cpdef Flag has(self, Board board, MoveCode move) noexcept

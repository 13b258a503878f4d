from halbzug.board.movegen cimport (
    Bitboard, Board, Color, Flag, MoveCode, PieceType, Score, Square,
    attackers_to, bishop_attacks, from_square, lsb, piece_on, pieces_of, promotion, rook_attacks,
    to_square,
)

cdef int _PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN

cpdef Flag see_ge(Board board, MoveCode move, Score threshold) noexcept
cdef Score piece_value(PieceType piece) noexcept
cpdef Score capture_value(Board board, MoveCode move) noexcept

from halbzug.eval.geometry cimport distance
from halbzug.board.movegen cimport (
    Bitboard, Board, Color, Flag, Number, Square, Tapered, king_square, pieces_of, popcount,
)

cdef Number _FULL_SCALE, _MINOR, _ROOK, _QUEEN

cpdef Number non_pawn_material(Board board, Color color) noexcept
cpdef Number scale(Board board, Color strong) noexcept
cdef Flag _is_wrong_corner(
    Board board, Bitboard pawns, Bitboard bishops, Color strong) noexcept
cpdef Tapered mop_up(Board board, Color strong) noexcept
cpdef Number edge_distance(Square square) noexcept
cpdef Number corner_closeness(Square square, Flag dark) noexcept

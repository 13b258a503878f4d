from halbzug.board.movegen cimport (
    Bitboard, Board, Flag, MoveCode, Number, PieceType, Ply, Rating, Square,
    bishop_attacks, from_square, is_noisy, king_attacks, knight_attacks, pawn_attacks, piece_on,
    pieces_of, rook_attacks, to_square,
)
from halbzug.search.history cimport History
from halbzug.search.see cimport capture_value

cdef int _PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN, _KING
cdef int _TT_MOVE, _CAPTURE, _KILLER, _THREAT, _FORWARD, _OTHER

cdef Ply rate_all_moves(
    Board board, Rating[::1] ratings, Number order, Flag wants_quiets, MoveCode tt_move,
    History history, Ply ply) except -1
cdef Rating _kind(Board board, MoveCode move, Flag is_first, Flag is_killer) noexcept
cdef Flag _threatens(Board board, MoveCode move) noexcept

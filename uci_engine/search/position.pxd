cimport cython

from halbzug.eval.accumulator cimport Accumulator
from halbzug.board.movegen cimport (
    Bitboard, Board, Color, Flag, Key, MoveCode, PieceType, Ply, Square, checkers_of,
    en_passant_square, from_square, has_legal_en_passant, is_insufficient_material, king_square,
    lsb, pawn_attacks, piece_on, pieces_of, pop, promotion, push, to_square,
)

cdef int _PAWN, _ROOK, _KING, _CASTLING, _EN_PASSANT, _TURN

@cython.final
cdef class Position:
    cdef readonly Board board
    cdef readonly Accumulator accumulator
    cdef readonly Key key
    cdef readonly Bitboard checkers
    cdef readonly int height
    cdef Key en_passant_key
    cdef readonly Key[::1] keys
    cdef Key[::1] random, old_checkers, old_en_passant, castling_keys
    cpdef void make(self, MoveCode move) noexcept
    cpdef Key key_after(self, MoveCode move) noexcept
    cpdef void make_null(self) noexcept
    cpdef void unmake(self) noexcept
    cpdef Flag is_repetition(self, Ply ply) noexcept
    cpdef Flag has_insufficient_material(self) noexcept
    cdef void _save(self) noexcept
    cdef Key _shift(
        self, Color color, PieceType piece, Bitboard before, Bitboard after) noexcept
    cdef Key _piece_key(self, Color color, PieceType piece, Square square) noexcept
    cdef Key _find_en_passant_key(self) noexcept

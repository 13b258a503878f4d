cimport cython

from halbzug.board.movegen cimport (
    Bitboard, Board, Flag, Index, MoveCode, Number, PieceType, Square, checkers_of,
    en_passant_square, from_square, generate_legal, has_legal_en_passant,
    is_insufficient_material, is_legal, king_square, piece_on, pieces_of, promotion, push,
    to_square,
)

cdef int GOES_ON, CHECKMATE, DRAWN, PLANES_OF_POSITION, OTHER_PLANES
cdef int _UPSIDE_DOWN, _MAX_KEYS, _MAX_MARKED
cdef Bitboard _MIXER, _ODD_RANKS, _ODD_PAIRS, _LOWER_HALF

@cython.final
cdef class Policy:
    cdef readonly int size, usual_promotion
    cdef short[::1] numbers, codes
    cpdef Number number_of(self, Board board, MoveCode code) noexcept
    cpdef MoveCode code_of(self, Board board, Number number) noexcept

@cython.final
cdef class Planes:
    cdef Policy policy
    cdef Bitboard[::1] planes, past, keys
    cdef unsigned char[::1] mask
    cdef long long[::1] moves
    cdef short[::1] marked
    cdef Index history
    cpdef void forget(self, Index row) noexcept
    cpdef Number step(self, Index row, Board board, Number number) except? -2
    cpdef Number write(self, Index row, Board board) except? -2
    cdef Flag _may_be_repeated(self, Index row, Board board) noexcept
    cdef void _save(self, Board board, Index first, Flag repeated) noexcept
    cdef void _turn(self, Board board, Index source, Index to) noexcept
    cdef void _write_rights(self, Board board, Index to, Flag color) noexcept
    cdef Number _mark(self, Index row, Board board) noexcept

cpdef Bitboard upside_down(Bitboard squares) noexcept

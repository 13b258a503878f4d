cimport cython

from halbzug.eval.geometry cimport ahead, all_pawn_attacks, beside, fill_ahead, rank_of
from halbzug.eval.king cimport KingShelter
from halbzug.board.movegen cimport Bitboard, Color, Key, Square, Tapered, lsb, popcount

cdef Bitboard _SPREAD

cpdef Bitboard passed_pawns(Bitboard own, Bitboard enemy, Color color) noexcept

@cython.final
cdef class PawnStructure:
    cdef KingShelter kings
    cdef int[::1] passed_bonus, phalanx, supported, lever, connected, known_kings, scores
    cdef Key[::1] known_white, known_black, known_passed
    cdef readonly Bitboard passed
    cpdef Tapered score(
        self, Bitboard white, Bitboard black, Square white_king, Square black_king) noexcept
    cpdef Tapered score_side(self, Bitboard own, Bitboard enemy, Color color) noexcept

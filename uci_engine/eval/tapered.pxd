from halbzug.board.movegen cimport Score, Tapered

cpdef Score middlegame_of(Tapered score) noexcept
cpdef Score endgame_of(Tapered score) noexcept

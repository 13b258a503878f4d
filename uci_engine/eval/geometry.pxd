from halbzug.board.movegen cimport Bitboard, Color, Number, Square

cpdef Bitboard square_bit(Square square) noexcept
cpdef Bitboard ahead(Bitboard squares, Color color) noexcept
cpdef Bitboard fill_ahead(Bitboard squares, Color color) noexcept
cpdef Bitboard beside(Bitboard squares) noexcept
cpdef Bitboard all_pawn_attacks(Bitboard pawns, Color color) noexcept
cpdef Number rank_of(Square square, Color color) noexcept
cpdef Number distance(Square one, Square other) noexcept

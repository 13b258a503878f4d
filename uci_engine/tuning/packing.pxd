from halbzug.board.movegen cimport Bitboard, Board, Index, lsb, piece_on, pieces_of

cdef Bitboard _DRAWN

cpdef record_of(Board board)

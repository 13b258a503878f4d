from halbzug.board.movegen cimport Board, MoveCode, Number
from halbzug.board.pychess cimport Text

# This module is not compiled on its own: its C function is inlined elsewhere.
cdef extern from "bits.h" nogil:
    pass

cdef inline MoveCode read_san(
    Board board, const unsigned char[::1] text, Number begin, Number end) noexcept nogil:
    return board._c_read_san(<Text>&text[begin], end - begin)

cimport cython

from halbzug.board.rules cimport Flag, Number

cdef int ENGINE_ORDER, NO_ORDER, TEXTBOOK_ORDER, KILLER_ORDER

@cython.final
cdef class Settings:
    pass  # the build declares its fields

cimport cython

from halbzug.board.movegen cimport Flag, Number

cdef int ENGINE_ORDER, NO_ORDER, TEXTBOOK_ORDER, KILLER_ORDER, CUSTOM_ORDER

@cython.final
cdef class Settings:
    pass  # the build adds declarations of the fields

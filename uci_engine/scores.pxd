# The integers that the search and its helpers get as C constants.
cdef int MATE, MAX_PLY, TB_BOUND, INFINITE

# The integers that the search and its helpers get as C constants.
cdef int MATE, MAX_PLY, TB_BOUND, INFINITE
cdef int NO_BOUND, UPPER_BOUND, LOWER_BOUND, EXACT_BOUND

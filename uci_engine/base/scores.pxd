# These integers become C constants in the search and its helpers.
cdef int MATE, MAX_PLY, TB_BOUND, INFINITE
cdef int NO_BOUND, UPPER_BOUND, LOWER_BOUND, EXACT_BOUND

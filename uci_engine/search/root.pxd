cimport cython

from halbzug.board.movegen cimport Flag, MoveCode, Nodes, Number, Ply, Score
from halbzug.search.transposition cimport bound_of
from halbzug.search.tree cimport Tree

@cython.final
cdef class RootMove:
    cdef public MoveCode code
    cdef public Flag is_noisy
    cdef public Score score
    cdef public list pv
    cdef public Nodes nodes
    cdef public Ply selective_depth

@cython.final
cdef class Root:
    cdef Tree tree
    cdef public list moves
    cdef public Number bound
    cdef list reported
    cdef dict exact_lines
    cdef readonly object report
    cdef object tablebase_score, time_scale

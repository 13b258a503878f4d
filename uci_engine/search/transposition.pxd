cimport cython

from halbzug.board.movegen cimport (
    Depth, Flag, Key, MoveCode, Number, Ply, Score, prefetch, read_once,
)

cdef int NO_EVALUATION
cdef int _OFFSET
cdef int _GENERATIONS, _MIN_DEPTH, _MAX_FILLED

cpdef Number bound_of(Score score, Score alpha, Score beta) noexcept

@cython.final
cdef class TranspositionTable:
    cdef readonly Key buckets
    cdef readonly int generation
    cdef readonly int move, score, evaluation, depth, bound
    cdef Key[::1] words
    cdef unsigned int[::1] filled
    cdef int filled_end
    cdef Key _index(self, Key key) noexcept
    cpdef Flag probe(self, Key key, Ply ply) noexcept
    cpdef void prefetch(self, Key key) noexcept
    cpdef Flag decides(self, Score alpha, Score beta) noexcept
    cpdef void store(
        self, Key key, Ply ply, MoveCode move, Score score, Score evaluation, Depth depth,
        Number bound) noexcept
    cdef void _clear_filled(self) noexcept

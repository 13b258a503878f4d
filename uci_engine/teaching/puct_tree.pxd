cimport cython
from libc.math cimport exp, sqrt

from halbzug.board.movegen cimport (
    Bitboard, Board, Flag, Index, MoveCode, Number, PieceType, Ply, Score, Square,
    from_square, generate_legal, lsb, piece_on, pieces_of, to_square,
)
from halbzug.search.position cimport Position
from halbzug.search.settings cimport Settings
from halbzug.search.tree cimport Frame, Tree

ctypedef double Real

cdef Index _HIDDEN, _REACHED
cdef int _MATE, _MAX_PLY, _UNIT
cdef double _EXPLORATION, _FLATNESS, _ODDS_SCALE

@cython.final
cdef class PuctPolicy:
    cdef const short[::1] inputs, hidden_biases, outputs, biases
    cdef short[::1] sums
    cpdef void look(self, Board board) noexcept
    cpdef Real rate(self, Board board, MoveCode move) noexcept
    cdef Number _output(self, Index number) noexcept

@cython.final
cdef class PuctTree:
    cdef readonly PuctPolicy policy
    cdef Settings settings
    cdef Tree quiescence
    cdef object limits, clock, counters
    cdef Position position
    cdef long long[::1] buffer
    cdef int[::1] path, moves, visit_counts, firsts, child_counts
    cdef double[::1] odds, priors, totals
    cdef readonly Index nodes
    cdef Index capacity, most_nodes
    cpdef MoveCode best_move(self) noexcept
    cdef void _visit(self)
    cdef Real _value(self, Frame frame)
    cdef Flag _has_moves(self, Index node) except -1
    cdef void _add(self, MoveCode move, Real prior) noexcept
    cdef Index _most_urgent(self, Index node) noexcept

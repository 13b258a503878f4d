cimport cython

from halbzug.eval.evaluation cimport Evaluator
from halbzug.eval.technique cimport technique
from halbzug.search.custom cimport CustomEvaluation, CustomOrder
from halbzug.search.correction cimport CorrectionHistory
from halbzug.search.history cimport History
from halbzug.search.move_picker cimport MovePicker
from halbzug.search.position cimport Position
from halbzug.search.see cimport capture_value, see_ge
from halbzug.board.movegen cimport (
    Bitboard, Depth, Flag, Key, MoveCode, Nodes, Number, PieceType, Ply, Score, Square,
    is_noisy, lsb, piece_on, pieces_of, popcount, promotion, to_square,
)
from halbzug.search.settings cimport Settings
from halbzug.search.transposition cimport TranspositionTable, bound_of

cdef int _MAX_SEARCHED, _MAX_LINE, _FRAME_MOVES, _CACHE_SIZE, _SCORE_BITS, _SCORE_MASK, _SCORE_OFFSET, _NEAR_FIFTY_MOVES

@cython.final
cdef class Frame:
    cdef Ply ply, pv_length
    cdef Score evaluation
    cdef MoveCode excluded
    cdef readonly Frame next
    cdef MovePicker picker, other_picker
    cdef int[::1] pv, quiets, noisies
    cdef void set_moves(self, int[::1] moves)
    cdef void set_pickers(self, Position position, History history, TranspositionTable tt)
    cdef void begin(self, Position position, Settings settings)

@cython.locals(moves=cython.int[::1], frame=Frame)
cdef list _new_stack()

@cython.final
cdef class Tree:
    cdef TranspositionTable tt
    cdef readonly Position position
    cdef readonly History history
    cdef CorrectionHistory correction
    cdef Evaluator evaluator
    cdef CustomEvaluation custom
    cdef CustomOrder custom_order
    cdef Settings settings
    cdef list stack
    cdef readonly Frame root_frame
    cdef readonly Nodes nodes, inner_nodes, cutoffs, first_cutoffs
    cdef public Nodes next_poll, node_limit
    cdef public Flag stopped
    cdef public Key salt
    cdef public Ply root_depth
    cdef Ply selective_depth
    cdef Flag wants_mate
    cdef double began_ms
    cdef MoveCode probcut_move
    cdef Key[::1] cached_evaluations
    cdef int[::1] reductions, perturbations
    cdef readonly object clock, counters, handicap, tablebase
    cdef readonly Flag has_technique
    cdef Flag is_perturbed, strong_side
    cdef public int tablebase_pieces, tablebase_hits
    cdef int tablebase_depth
    cpdef Score search(
        self, Score alpha, Score beta, Depth depth, Frame frame, Flag after_null,
        Flag is_cut) except -99999
    cdef Score _probcut(
        self, Score beta, Depth depth, Frame frame, Score static, MoveCode tt_move,
        Flag is_cut) except -99999
    cdef Score _quiescence(self, Score alpha, Score beta, Frame frame, Flag is_first) except -99999
    cdef Score _probe_tablebase(self, Ply ply) except -99999
    cdef Flag _enter_node(self, Frame frame) except -1
    cdef Flag _is_tt_cutoff(self, Score alpha, Score beta, Depth depth) noexcept
    cpdef Flag is_draw(self, Flag in_check, Frame frame) noexcept
    cpdef Score evaluate(self) noexcept
    cdef Score _perturbation(self) noexcept
    cdef Flag _has_pieces(self) noexcept
    cdef void _extend_pv(self, Frame frame, MoveCode move) noexcept

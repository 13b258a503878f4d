cimport cython

from halbzug.eval.evaluation cimport Evaluator
from halbzug.eval.technique cimport technique
from halbzug.search.correction cimport CorrectionHistory
from halbzug.search.history cimport History
from halbzug.search.move_picker cimport MovePicker
from halbzug.search.position cimport Position
from halbzug.search.see cimport capture_value, see_ge
from halbzug.board.rules cimport (
    Bitboard, Depth, Flag, Key, MoveCode, Nodes, Number, PieceType, Ply, Score, Square,
    is_noisy, lsb, piece_on, pieces_of, popcount,
)
from halbzug.search.settings cimport Settings
from halbzug.search.transposition cimport TranspositionTable, bound_of

cdef int _MAX_SEARCHED, _CACHE_SIZE, _NEAR_FIFTY_MOVES

@cython.final
cdef class RootMove:
    cdef public MoveCode code
    cdef public Flag is_noisy
    cdef public Score score
    cdef public list pv
    cdef public Nodes nodes
    cdef public Ply selective_depth

@cython.final
cdef class Search:
    cdef TranspositionTable tt
    cdef Position position
    cdef History history
    cdef CorrectionHistory correction
    cdef Evaluator evaluator
    cdef Settings settings, base_settings
    cdef Flag stopped, is_analysis, wants_mate
    cdef Key salt
    cdef double began_ms
    cdef readonly Nodes nodes, inner_nodes, cutoffs, first_cutoffs
    cdef Nodes next_poll, node_limit, next_mate_search
    cdef int mate_plies
    cdef MoveCode probcut_move
    cdef set refuted
    cdef Ply selective_depth, root_depth
    cdef list reported
    cdef Number bound
    cdef Key[::1] cached_keys
    cdef int[::1] cached_scores
    cdef int[::1] reductions, pv, pv_end, searched, evaluations, excluded
    cdef list pickers, other_pickers, root_moves
    cdef object handicap
    cdef Flag is_perturbed, has_technique, strong_side
    cdef int[::1] perturbations
    cdef object clock, report, time_scale, counters
    cdef object tablebase, root_tablebase_score
    cdef int tablebase_pieces, tablebase_depth, tablebase_hits
    cdef Score _probe_tablebase(self, Ply ply) except -99999
    cdef Score _search(
        self, Score alpha, Score beta, Depth depth, Ply ply, Flag after_null,
        Flag is_cut) except -99999
    cdef Score _probcut(
        self, Score beta, Depth depth, Ply ply, Score static, MoveCode tt_move,
        Flag is_cut) except -99999
    cdef Score _quiescence(self, Score alpha, Score beta, Ply ply, Flag is_first) except -99999
    cdef Flag _is_tt_cutoff(self, Score alpha, Score beta, Depth depth) noexcept
    cdef Flag _is_draw(self, Flag in_check, Ply ply) noexcept
    cdef Score _evaluate(self) noexcept
    cdef Score _perturbation(self) noexcept
    cdef Flag _has_pieces(self) noexcept
    cdef void _extend_pv(self, Ply ply, MoveCode move) noexcept

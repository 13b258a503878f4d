"""The search: iterative deepening, aspiration windows, principal variation search, quiescence.

`Search.run` is synchronous and knows no processes or protocol. For a fixed depth or node limit it
is deterministic: the same position and the same table contents give the same tree, in the pure
and in the compiled build. The techniques are numbered where they happen, in `_search`; each can
be switched off (`settings.py`), and with all of them off the value is plain minimax's. Without
`alpha_beta` it is minimax itself, node by node.
Reference for all of them: https://www.chessprogramming.org/Search
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from dataclasses import replace

from halbzug.board.constants import FIFTY_MOVES
from halbzug.board.rules import (
    Bitboard,
    Depth,
    Flag,
    Key,
    MoveCode,
    Number,
    PieceType,
    Ply,
    Score,
    Square,
    is_noisy,
    lsb,
    piece_on,
    pieces_of,
    popcount,
    uci,
)
from halbzug.eval.evaluation import Evaluator
from halbzug.eval.technique import technique
from halbzug.events import BestMove, CurrentMove, Event, Info, Notice
from halbzug.limits import Limits
from halbzug.scores import (
    EXACT_BOUND,
    INFINITE,
    LOWER_BOUND,
    MATE,
    MAX_PLY,
    TB_BOUND,
    UPPER_BOUND,
    is_mate,
)
from halbzug.search.correction import CorrectionHistory
from halbzug.search.history import History
from halbzug.search.move_picker import MovePicker
from halbzug.search.parameters import (
    ASPIRATION_DEPTH,
    ASPIRATION_WINDOW,
    DEEPER_MARGIN,
    DEEPER_MARGIN_PER_PLY,
    DELTA_MARGIN,
    FIRST_MATE_SEARCH,
    FUTILITY_BASE,
    FUTILITY_DEPTH,
    FUTILITY_MARGIN,
    HISTORY_PRUNING_DEPTH,
    HISTORY_PRUNING_MARGIN,
    INTERNAL_REDUCTION_DEPTH,
    LATE_MOVE_BASE,
    LATE_MOVE_DEPTH,
    MATE_ITERATION_SHARE,
    MATE_SEARCH_GROWTH,
    MATE_SEARCH_SHARE,
    MIN_MATE_ITERATION,
    NULL_MOVE_DEPTH,
    NULL_MOVE_DEPTH_DIVISOR,
    NULL_MOVE_MAX_SURPLUS,
    NULL_MOVE_REDUCTION,
    NULL_MOVE_SCORE_DIVISOR,
    NULL_MOVE_VERIFIED_DEPTH,
    PROBCUT_DEPTH,
    PROBCUT_MARGIN,
    PROBCUT_REDUCTION,
    RAZORING_DEPTH,
    RAZORING_MARGIN,
    REDUCTION_BASE,
    REDUCTION_DEPTH,
    REDUCTION_DIVISOR,
    REDUCTION_HISTORY_BITS,
    REDUCTION_MOVES,
    REVERSE_FUTILITY_DEPTH,
    REVERSE_FUTILITY_MARGIN,
    SEE_DEPTH,
    SEE_NOISY_MARGIN,
    SEE_QUIET_MARGIN,
    SHALLOWER_MARGIN,
    SINGULAR_DEPTH,
    SINGULAR_DOUBLE_MARGIN,
    SINGULAR_MARGIN,
    SINGULAR_TT_DEPTH,
    WON_SCORE,
)
from halbzug.search.position import Position
from halbzug.search.see import capture_value, see_ge
from halbzug.search.settings import ENGINE_ORDER, NO_PRUNING, Settings
from halbzug.search.smp_counters import SharedCounters
from halbzug.search.strength import Handicap
from halbzug.search.time_management import Clock, TimeScale
from halbzug.search.transposition import NO_EVALUATION, TranspositionTable, bound_of
from halbzug.tablebase.probing import Tablebase
from halbzug.tablebase.wdl import wdl_score

#: The current root move is reported once a search has taken this long.
CURRENT_MOVE_AFTER_MS = 3000

#: A failed aspiration window is reported once a search has taken this long.
BOUNDS_AFTER_MS = 1000

#: Time between two looks at the clock.
POLL_EVERY_MS = 2.0

#: The first iteration looks at all root moves, whatever the clock says, unless it takes longer.
FIRST_ITERATION_MS = 10.0

# Keys of a search for a mate: what others have stored proves nothing.
_MATE_SALT = 0x9E3779B97F4A7C15
_CACHE_SIZE = 1 << 14  # evaluations; eight times as many cost as much time as they saved
_MAX_SEARCHED = 64  # quiet moves, and captures, of a node that can get a malus
_NEAR_FIFTY_MOVES = 90  # a table score from a fresher position may promise too much from here


def _reduction_table() -> array[int]:
    """Plies to reduce a late quiet move by, at depth << 6 | move number."""
    table = array("i", bytes(4 * 64 * 64))
    for depth in range(1, 64):
        for number in range(1, 64):
            table[depth << 6 | number] = int(
                REDUCTION_BASE + math.log(depth) * math.log(number) / REDUCTION_DIVISOR
            )
    return table


_REDUCTIONS = _reduction_table()


class RootMove:
    """A move at the root, with its line and its score in this iteration."""

    def __init__(self, code: MoveCode, is_noisy: bool) -> None:
        self.code = code
        self.is_noisy = is_noisy
        self.score = -INFINITE
        self.pv = [code]
        self.selective_depth = 0
        self.nodes = 0


class Search:
    """Searches positions, one at a time.

    :param tt: shared between searches; what one has learnt speeds up the next.
    """

    def __init__(self, tt: TranspositionTable, settings: Settings | None = None) -> None:
        self.tt = tt
        self.base_settings = settings or Settings()
        self.history = History()
        self.correction = CorrectionHistory()
        self._forget_evaluations()
        self._use(self.base_settings)
        self.tablebase: Tablebase | None = None
        self.tablebase_pieces = 0
        self.tablebase_depth = 4
        self.tablebase_hits = 0
        self.root_tablebase_score: int | None = None
        self.reductions = _REDUCTIONS
        self.pv = array("i", bytes(4 * (MAX_PLY + 2) * (MAX_PLY + 2)))
        self.pv_end = array("i", bytes(4 * (MAX_PLY + 2)))
        self.excluded = array("i", bytes(4 * (MAX_PLY + 2)))
        self.evaluations = array("i", bytes(4 * (MAX_PLY + 2)))
        self.searched = array("i", bytes(4 * 2 * _MAX_SEARCHED * (MAX_PLY + 2)))
        self.handicap: Handicap | None = None
        self.is_perturbed = False
        self.has_technique = False
        self.strong_side = False
        self.perturbations = array("i", bytes(4 * 7 * 64))
        self.nodes = 0
        #: Nodes that looked at their moves: the others are the leaves.
        self.inner_nodes = 0
        #: Nodes that a move at least as good as beta ended, and those where it was the first one.
        self.cutoffs = 0
        self.first_cutoffs = 0
        self.selective_depth = 0
        self.probcut_move = 0
        self.salt = 0
        self.stopped = False
        self.next_poll = 0
        self.node_limit = 0

    def new_game(self) -> None:
        """Forget what belongs to the last game. The table is cleared by its owner."""
        self.history.clear()
        self.correction = CorrectionHistory()
        self._forget_evaluations()

    def _forget_evaluations(self) -> None:
        self.evaluator = Evaluator()
        self.cached_keys = array("Q", bytes(8 * _CACHE_SIZE))
        self.cached_scores = array("i", bytes(4 * _CACHE_SIZE))

    def set_handicap(self, handicap: Handicap | None) -> None:
        """Play with this handicap; None is full strength.

        The table must not hold what was found with another one: its scores are misjudged.
        """
        if handicap == self.handicap:
            return  # a game has one, and drawing its opinions takes time
        self.handicap = handicap
        self.is_perturbed = handicap is not None and handicap.perturbation > 0
        self.has_technique = handicap is not None and handicap.has_technique
        if handicap:
            self.perturbations = array("i", handicap.perturbations())

    def _use(self, settings: Settings) -> None:
        """Search with these settings from now on; a search for a mate has others than a game."""
        self.settings = self.history.settings = self.correction.settings = settings
        self.evaluator.use_network = settings.network

    # -- the root -------------------------------------------------------------------------------

    def run(
        self,
        position: Position,
        limits: Limits,
        clock: Clock | None = None,
        report: Callable[[Event], None] | None = None,
        multi_pv: int = 1,
        is_analysis: bool = False,
        counters: SharedCounters | None = None,
    ) -> BestMove:
        """Search until a limit is reached or `clock` says stop.

        :param clock: the deadlines and the way to interrupt from another thread.
        :param report: called with an `Info` for each line of each finished iteration.
        :param multi_pv: how many best lines to find.
        :param is_analysis: search a forced move, too, instead of playing it at once.
        :param counters: those shared with other processes that search the same position; the nodes
            and tablebase hits that are reported are those of all.
        :returns: the best move of the deepest finished iteration, or a better one that the
            unfinished iteration has already proved; no move if there is none.
        """
        self._use(self.base_settings)
        self.clock = clock or Clock()
        self.report = report or (lambda event: None)
        self.counters = counters or SharedCounters()
        self.position = position
        self.pickers = [self._new_picker() for _ in range(MAX_PLY + 1)]
        # A second picker a ply, for the search that leaves a move out while the first one waits.
        self.other_pickers = [self._new_picker() for _ in range(MAX_PLY + 1)]
        self.history.clear_killers()
        self.tt.new_search()
        self.nodes = self.inner_nodes = self.cutoffs = self.first_cutoffs = 0
        self.stopped = False
        self.node_limit = 0 if limits.nodes is None else max(limits.nodes, 1)
        self.next_poll = 1
        self.began_ms = self.clock.elapsed_ms()
        self.root_depth = 0
        self.reported: list[Info] = []
        self.bound = EXACT_BOUND
        self.is_analysis = is_analysis
        self.wants_mate = limits.mate is not None
        self.time_scale = TimeScale()
        self.root_moves = self._legal_root_moves(limits.search_moves)
        if not self.root_moves:
            self._report_game_over()
            return BestMove(None)
        if self.has_technique:
            self.strong_side = position.board.turn
            self._leave_out_repetitions()
        self.evaluations[0] = NO_EVALUATION if position.checkers else self._evaluate()
        self.tablebase_hits = 0
        self.root_tablebase_score = None
        self.tablebase_pieces = 0
        # The tables lead to a win, but not to the shortest mate.
        if self.tablebase is not None and self.handicap is None and not self.wants_mate:
            self.tablebase_pieces = self.tablebase.largest
            self._keep_tablebase_moves(self.tablebase, is_analysis or multi_pv > 1)

        self.mate_plies = 1
        self.refuted: set[MoveCode] = set()  # root moves that do not mate in so many
        self.next_mate_search = FIRST_MATE_SEARCH
        lines = min(max(multi_pv, 1), len(self.root_moves))
        may_prove = self.base_settings.mate_search and self.counters.is_main
        may_prove = may_prove and lines == 1 and limits.mate is None and self.handicap is None
        depth = 0
        deepest = self._deepest(limits)
        for depth in range(1 if self.base_settings.iterative_deepening else deepest, deepest + 1):
            if self.counters.skips(depth) and depth < deepest:
                continue
            self._iterate(depth, lines)
            if limits.mate is not None and depth == 1:
                self._finish_first_iteration()
                plies = self._solve(limits.mate, deepest, lines)
                if plies and self.counters.is_main:
                    depth = plies
                    break
            if self.stopped or self._is_enough():
                break
            if may_prove and self._is_mate_search_due():
                is_proved = self._prove_mate(depth)
                if is_proved or self.stopped:
                    break
        self.counters.publish(self.nodes, self.tablebase_hits)
        if self.counters.is_main:  # of a helper only finished iterations count
            self._finish_first_iteration()
            self._report_final_line(depth, lines)
        return self._best_move()

    def _new_picker(self) -> MovePicker:
        return MovePicker(
            self.position, self.history, self.tt, self.settings.see_pruning, self.settings.order
        )

    def _legal_root_moves(self, wanted: tuple[str, ...]) -> list[RootMove]:
        """The root's legal moves in picker order, restricted to `wanted` (UCI) if given."""
        position = self.position
        tt_move = 0
        if self.settings.transposition_table and self.tt.probe(position.key, 0):
            tt_move = self.tt.move
        picker: MovePicker = self.pickers[0]
        picker.begin(tt_move, 0, False)
        moves = []
        move = picker.next()
        while move:
            if not wanted or uci(move) in wanted:
                moves.append(RootMove(move, picker.is_noisy))
            move = picker.next()
        return moves

    def _leave_out_repetitions(self) -> None:
        """Keep the root moves to positions that the game has not seen, if there are any."""
        position = self.position
        new = []
        for move in self.root_moves:
            position.make(move.code)
            if not position.is_repetition(MAX_PLY):  # once is enough, however long ago
                new.append(move)
            position.unmake()
        self.root_moves = new or self.root_moves

    def set_tablebase(self, tablebase: Tablebase | None, depth: int = 4) -> None:
        """Use these tablebases; with as many pieces as they have at most, from `depth` on."""
        self.tablebase = tablebase
        self.tablebase_depth = depth

    def _keep_tablebase_moves(self, tablebase: Tablebase, keep_all: bool) -> None:
        """Keep the root moves that do not worsen the result; of a decided game only the best one.

        :param keep_all: keep all of them in a decided game, too.
        """
        budget = self.clock.budget
        seconds = budget.maximum_ms / 2000 if budget and not self.clock.pondering else None
        allowed = {move.code: move for move in self.root_moves}
        ranked = tablebase.rank_root(self.position.board, seconds, self.clock.must_stop) or []
        ranked = [move for move in ranked if move.code in allowed]
        if not ranked:
            return
        self.tablebase_hits += len(ranked)
        best = ranked[0]
        self.root_tablebase_score = best.score
        self.tablebase_pieces = 0  # the result is known: what is left is how
        is_decided = abs(best.score) >= TB_BOUND
        if is_decided and not keep_all:
            ranked = ranked[:1]
        self.root_moves = [allowed[move.code] for move in ranked if move.rank == best.rank]

    def _deepest(self, limits: Limits) -> int:
        deepest = MAX_PLY - 1
        if limits.depth is not None:
            deepest = min(deepest, max(limits.depth, 1))
        return deepest

    def _is_enough(self) -> bool:
        """Whether a finished iteration ends the search."""
        best = self.root_moves[0].score
        move = self.root_moves[0]
        share = move.nodes / max(self.nodes, 1)
        scale = self.time_scale.update(move.code, best, share)
        if len(self.root_moves) == 1 and not self.is_analysis:
            scale = 0.0  # nothing to choose
        return self.clock.is_optimum_over(scale)

    def _is_mate_search_due(self) -> bool:
        """Whether the position is won, no shortest mate is known, and enough was searched."""
        could_be_shorter = WON_SCORE < self.root_moves[0].score < MATE - self.mate_plies
        return could_be_shorter and self.nodes >= self.next_mate_search

    def _prove_mate(self, depth: int) -> bool:
        """Look for the shortest mate, and report it; False if its nodes find none.

        Pruning and reductions make the search deep, but they hide short mates that begin with a
        quiet move or a sacrifice. So here nothing is pruned, and no score is taken from the table.
        The tree is bounded because only a mate in a given number of moves counts (step 4). Fewer
        moves were tried before, so the first mate found is the shortest.
        """
        self.next_mate_search = MATE_SEARCH_GROWTH * self.nodes
        limit = self.node_limit
        share = self.nodes // MATE_SEARCH_SHARE * self.counters.size  # the others count as well
        most = self.counters.total_nodes(self.nodes) + share
        self.node_limit = min(limit, most) if limit else most
        self.next_poll = 0
        self._use(replace(self.base_settings, tt_cutoffs=False, **NO_PRUNING))
        mate = self._find_mate(MATE - self.root_moves[0].score)
        self._use(self.base_settings)
        self.node_limit = limit
        self.stopped = False
        self._poll()  # whether it was more than the limit of this that stopped it
        if mate is None:
            return False
        self.root_moves.sort(key=lambda move: move is not mate)
        self._report_lines([self._info(depth, mate, EXACT_BOUND)])
        return True

    def _find_mate(self, known: int) -> RootMove | None:
        """The root move with the shortest mate, shorter than `known` plies; None if stopped before.

        The next call goes on where this one stopped.
        """
        position = self.position
        while self.mate_plies < known:
            for move in self.root_moves:
                if move.code in self.refuted:
                    continue
                self.history.note_move(position.board, move.code, 0)
                position.make(move.code)
                # The window is wider by one, so that the line is kept to its end.
                alpha = MATE - self.mate_plies - 2
                score = -self._search(-INFINITE, -alpha, self.mate_plies - 1, 1, False, False)
                position.unmake()
                if self.stopped:
                    return None
                if score >= MATE - self.mate_plies:
                    move.score = score
                    move.pv = [move.code, *self._line_after_root()]
                    return move
                self.refuted.add(move.code)
            self.mate_plies += 2
            self.refuted.clear()
        return None

    def _finish_first_iteration(self) -> None:
        """Order the root moves by static evaluation if time was up before the first was searched.

        On a board full of queens the first move's captures alone can take longer than there is.
        """
        if self.reported or self.node_limit or self.root_moves[0].score != -INFINITE:
            return
        position = self.position
        picker: MovePicker = self.pickers[1]
        for move in self.root_moves:
            position.make(move.code)
            in_check: Flag = position.checkers != 0
            picker.begin(0, 1, False)
            if not picker.next():
                move.score = MATE - 1 if in_check else 0
            else:
                move.score = 0 if self._is_draw(in_check, 1) else -self._evaluate()
            position.unmake()
        self.root_moves.sort(key=lambda move: -move.score)
        self.bound = EXACT_BOUND

    def _solve(self, moves: int, deepest: int, lines: int) -> int:
        """Look for a mate in `moves` moves, but no deeper than `deepest` plies.

        Only an exhaustive search proves that there is none. Iterations as in a game, with checks
        extended, often find one sooner, so they come first, with a part of the nodes.

        :returns: the depth, in plies, that answers the question; 0 if it was not answered.
        """
        moves = max(moves, 1)
        longest = 2 * moves - 1
        careful = replace(self.base_settings, **NO_PRUNING)
        exhaustive = replace(careful, quiescence=False, singular_extension=False)
        self.stopped = False
        depth = 2
        for plies in range(1, min(longest, deepest) + 1, 2):
            self._use(careful)
            while depth <= min(longest, deepest) and not self._mates_within(longest):
                if not self._try_iteration(depth, lines):
                    break
                depth += 1
            self._use(exhaustive)
            if not self.stopped and not self._mates_within(longest):
                self._prove_mate_in(plies)
            self._use(self.base_settings)
            if self.stopped:
                return 0
            if self._mates_within(longest):
                return MATE - self.root_moves[0].score
        if longest > deepest:
            return 0
        if self.counters.is_main:
            plural = "s" if moves > 1 else ""
            self.report(Notice(f"all lines are exhausted: no mate in {moves} move{plural}"))
        return longest

    def _mates_within(self, plies: int) -> bool:
        return MATE - self.root_moves[0].score <= plies

    def _try_iteration(self, depth: int, lines: int) -> bool:
        """Search an iteration, but give it up, and restore what was, if it takes many nodes.

        :returns: whether it was finished.
        """
        limit, moves, bound = self.node_limit, list(self.root_moves), self.bound
        results = [(move.score, move.pv) for move in moves]
        most = MATE_ITERATION_SHARE * self.counters.total_nodes(self.nodes) + MIN_MATE_ITERATION
        self.node_limit = min(limit, most) if limit else most
        self.next_poll = 0
        self._iterate(depth, lines)
        self.node_limit = limit
        if not self.stopped:
            return True
        self.root_moves, self.bound = moves, bound
        for move, (score, pv) in zip(moves, results, strict=True):
            move.score, move.pv = score, pv
        self.stopped = False
        self._poll()
        return False

    def _prove_mate_in(self, plies: int) -> None:
        """Search all root moves for a mate in `plies` plies; a move that mates becomes the first.

        Only entries of the table that such a search has stored are used. The tree is bounded
        because only a mate in this many plies counts (step 4).
        """
        position = self.position
        # Each worker begins elsewhere, and finds in the table what the others have refuted.
        first = self.counters.slot * len(self.root_moves) // self.counters.size
        alpha = MATE - plies - 1
        self.salt = _MATE_SALT
        self.root_depth = 0
        self.next_poll = 0
        for move in self.root_moves[first:] + self.root_moves[:first]:
            self.history.note_move(position.board, move.code, 0)
            position.make(move.code)
            score = -self._search(-alpha - 1, -alpha, plies - 1, 1, False, True)
            if score > alpha and not self.stopped:  # again, for the line
                score = -self._search(-INFINITE, -alpha + 1, plies - 1, 1, False, False)
            position.unmake()
            if self.stopped:
                break
            if score > alpha:
                move.score = score
                move.pv = [move.code, *self._line_after_root()]
                self.bound = EXACT_BOUND
                self.root_moves = [move, *(other for other in self.root_moves if other is not move)]
                break
        self.salt = 0

    def _iterate(self, depth: int, lines: int) -> None:
        """One iteration of iterative deepening, for the best `lines` moves."""
        previous = [move.score for move in self.root_moves]
        for move in self.root_moves:
            move.score = -INFINITE
        for line in range(lines):
            self.selective_depth = 0
            self._aspirate(depth, line, lines, previous[line])
            if self.stopped:
                return
        self.root_moves[:lines] = sorted(self.root_moves[:lines], key=lambda move: -move.score)
        self._report_lines(
            [self._info(depth, move, EXACT_BOUND) for move in self.root_moves[:lines]]
        )

    def _aspirate(self, depth: int, line: int, lines: int, previous: int) -> None:
        """Search with a narrow window around the last score, and widen it where that fails.

        Source: https://www.chessprogramming.org/Aspiration_Windows
        """
        self.root_depth = depth
        width = ASPIRATION_WINDOW
        alpha, beta = -INFINITE, INFINITE
        if self.settings.aspiration and depth >= ASPIRATION_DEPTH and abs(previous) < TB_BOUND:
            alpha, beta = previous - width, previous + width
        while True:
            score = self._search_root(alpha, beta, depth, line)
            rest = self.root_moves[line:]
            self.root_moves[line:] = sorted(rest, key=lambda move: -move.score)
            if self.stopped or alpha < score < beta:
                return
            if self.clock.elapsed_ms() >= BOUNDS_AFTER_MS and lines == 1:
                bound = UPPER_BOUND if score <= alpha else LOWER_BOUND
                self._report_lines([self._info(depth, self.root_moves[0], bound)])
            width *= 2
            if score <= alpha:
                # What fails low is seldom as good as beta promised: do not search that far up.
                beta = (alpha + beta) // 2
                alpha = max(score - width, -INFINITE)
            else:
                beta = min(score + width, INFINITE)
            if abs(score) >= TB_BOUND:
                alpha, beta = -INFINITE, INFINITE

    def _search_root(self, alpha: int, beta: int, depth: int, line: int) -> int:
        """Search the root moves from number `line` on; the better ones stand before it."""
        settings = self.settings
        position = self.position
        best = -INFINITE
        best_move = 0
        start_alpha = alpha
        for number, move in enumerate(self.root_moves[line:]):
            if line == 0 and self.clock.elapsed_ms() >= CURRENT_MOVE_AFTER_MS:
                self.report(CurrentMove(depth, uci(move.code), line + number + 1))
            reduction = 0
            if (
                settings.root_reductions
                and depth >= REDUCTION_DEPTH
                and number >= REDUCTION_MOVES
                and not move.is_noisy
                and not position.checkers
            ):
                # Late quiet moves, as in step 19; a ply less, because the root must not be wrong.
                reduction = self.reductions[min(depth, 63) << 6 | min(number + 1, 63)] - 1
                reduction -= (
                    self.history.rate_quiet(position.board, move.code, 0) >> REDUCTION_HISTORY_BITS
                )
                reduction = max(min(reduction, depth - 2), 0)
            nodes = self.nodes
            self.history.note_move(position.board, move.code, 0)
            position.make(move.code)
            if settings.check_exemption and position.checkers:
                reduction = 0
            if number == 0 or not settings.principal_variation_search:
                score = -self._search(-beta, -alpha, depth - 1, 1, False, False)
            else:
                score = -self._search(-alpha - 1, -alpha, depth - 1 - reduction, 1, False, True)
                if score > alpha and reduction > 0 and not self.stopped:
                    score = -self._search(-alpha - 1, -alpha, depth - 1, 1, False, True)
                if alpha < score < beta and not self.stopped:
                    score = -self._search(-beta, -alpha, depth - 1, 1, False, False)
            position.unmake()
            move.nodes += self.nodes - nodes
            if self.stopped:
                return best
            if number == 0 or score > alpha:
                if line == 0:
                    self.bound = bound_of(score, alpha, beta)
                move.score = score
                move.selective_depth = self.selective_depth
                move.pv = [move.code, *self._line_after_root()]
            else:
                move.score = -INFINITE
            if score > best:
                best = score
                best_move = move.code
                if score > alpha and settings.alpha_beta:
                    alpha = score
                    if score >= beta:
                        break
        if settings.transposition_table and line == 0:
            bound = bound_of(best, start_alpha, beta)
            self.tt.store(position.key, 0, best_move, best, NO_EVALUATION, depth, bound)
        return best

    def _line_after_root(self) -> list[MoveCode]:
        """The best line after the root move that was searched last."""
        width = MAX_PLY + 2
        return list(self.pv[width + 1 : width + self.pv_end[1]])

    # -- the tree -------------------------------------------------------------------------------

    def _search(
        self, alpha: Score, beta: Score, depth: Depth, ply: Ply, after_null: Flag, is_cut: Flag
    ) -> Score:
        """Principal variation search, fail-soft, `ply` plies from the root.

        The window is wider than one exactly in nodes that may lie on the principal variation.

        :param is_cut: a move is expected to fail high here.
        """
        settings = self.settings
        position = self.position
        board = position.board
        in_check: Flag = position.checkers != 0

        # 1. Check extension: a side in check has few answers and must not be judged yet.
        if in_check and settings.check_extension:
            depth += 1

        # 2. Quiescence: at the horizon only captures and checks are followed. If beta is a lost
        #    score, a side that is not in check, and so not mated, fails high at once.
        if depth <= 0:
            if beta <= -TB_BOUND and not in_check:
                return beta
            return self._quiescence(alpha, beta, ply, True)

        self.pv_end[ply] = ply
        self.nodes += 1
        if self.nodes >= self.next_poll:
            self._poll()
        if self.stopped:
            return 0
        if ply > self.selective_depth:
            self.selective_depth = ply

        # 3. Draws, and the depth no line may exceed.
        if self._is_draw(in_check, ply):
            return 0
        if ply >= MAX_PLY:
            return self._evaluate()

        # 4. Mate distance pruning: a mate already found cannot be beaten by a longer one.
        if settings.mate_distance_pruning:
            if alpha < ply - MATE:
                alpha = ply - MATE
            if beta > MATE - ply - 1:
                beta = MATE - ply - 1
            if alpha >= beta:
                return alpha

        # 5. Transposition table: a deep enough score ends the node, off the principal variation;
        #    a move alone comes first.
        is_pv: Flag = beta - alpha > 1
        key = position.key ^ self.salt
        excluded: MoveCode = self.excluded[ply]
        tt_move: MoveCode = 0
        tt_score: Score = 0
        tt_depth: Depth = 0
        tt_bound: Number = 0
        evaluation: Score = NO_EVALUATION
        if settings.transposition_table and self.tt.probe(key, ply):
            tt = self.tt
            tt_move = tt.move
            tt_score = tt.score
            tt_depth = tt.depth
            tt_bound = tt.bound
            evaluation = tt.evaluation
            if excluded == 0 and self._is_tt_cutoff(alpha, beta, depth):
                return tt_score

        # 6. Tablebases: a capture or pawn move led to an ending whose result is known.
        score: Score
        if (
            self.tablebase_pieces > 0
            and depth >= self.tablebase_depth
            and board.halfmove_clock == 0
            and excluded == 0
            and popcount(board.occupied) <= self.tablebase_pieces
        ):
            score = self._probe_tablebase(ply)
            known: Number = EXACT_BOUND
            if score >= TB_BOUND:
                known = LOWER_BOUND  # a mate may be better still
            elif score <= -TB_BOUND:
                known = UPPER_BOUND
            if score != INFINITE and (
                known == EXACT_BOUND or (score >= beta if known == LOWER_BOUND else score <= alpha)
            ):
                if settings.transposition_table:
                    trusted: Depth = depth + 6 if depth + 6 < MAX_PLY else MAX_PLY - 1
                    self.tt.store(key, ply, 0, score, evaluation, trusted, known)
                return score

        # 7. Static evaluation, for the decisions below; meaningless in check. It is improving if
        #    it is better than when we were last not in check.
        improving: Flag = False
        raw_evaluation: Score = evaluation
        if in_check:
            raw_evaluation = evaluation = NO_EVALUATION
            self.evaluations[ply] = self.evaluations[ply - 2] if ply >= 2 else NO_EVALUATION
        else:
            if raw_evaluation == NO_EVALUATION:
                raw_evaluation = self._evaluate()
            evaluation = raw_evaluation
            if settings.correction_history:
                evaluation = self.correction.correct(board, raw_evaluation)
            improving = ply >= 2 and evaluation > self.evaluations[ply - 2]
            self.evaluations[ply] = evaluation
        # A table score that says more, if only as a bound, is the better guess.
        static: Score = evaluation
        if (
            settings.tt_evaluation
            and tt_bound
            and not in_check
            and -TB_BOUND < tt_score < TB_BOUND
            and (tt_bound == EXACT_BOUND or (tt_score > evaluation) == (tt_bound == LOWER_BOUND))
        ):
            evaluation = tt_score

        if not is_pv and not in_check and excluded == 0:
            # 8. Reverse futility: so far above beta that a quiet ply or two cannot matter.
            if (
                settings.reverse_futility
                and depth <= REVERSE_FUTILITY_DEPTH
                and evaluation - REVERSE_FUTILITY_MARGIN * (depth - improving) >= beta
                and -TB_BOUND < beta < TB_BOUND
            ):
                return evaluation

            # 9. Razoring: so far below alpha that only captures can help; see whether they do.
            #    What beats a won position is no capture but a mate.
            if (
                settings.razoring
                and depth <= RAZORING_DEPTH
                and evaluation + RAZORING_MARGIN * depth < alpha < WON_SCORE
            ):
                score = self._quiescence(alpha, alpha + 1, ply, True)
                if score <= alpha or self.stopped:
                    return score

            # 10. Null move: if passing the move still holds beta, a real move will, too. Not
            #     with king and pawns alone, where passing may be best (zugzwang); with pieces that
            #     is rare, and far from the horizon a search of the moves must confirm it.
            if (
                settings.null_move
                and not after_null
                and depth >= NULL_MOVE_DEPTH
                and evaluation >= beta
                and beta > -TB_BOUND
                and self._has_pieces()
            ):
                surplus: Depth = (evaluation - beta) // NULL_MOVE_SCORE_DIVISOR
                if surplus > NULL_MOVE_MAX_SURPLUS:
                    surplus = NULL_MOVE_MAX_SURPLUS
                null_depth: Depth = (
                    depth - NULL_MOVE_REDUCTION - depth // NULL_MOVE_DEPTH_DIVISOR - surplus
                )
                self.history.note_null_move(ply)
                position.make_null()
                score = -self._search(-beta, -beta + 1, null_depth, ply + 1, True, not is_cut)
                position.unmake()
                if self.stopped:
                    return 0
                is_confirmed: Flag = score >= beta
                if is_confirmed and depth >= NULL_MOVE_VERIFIED_DEPTH:
                    verified: Score = self._search(beta - 1, beta, null_depth, ply, True, is_cut)
                    if self.stopped:
                        return 0
                    is_confirmed = verified >= beta
                if is_confirmed:
                    return beta if score >= TB_BOUND else score

        # 11. ProbCut: a good capture that holds clearly above beta at a lower depth would hold
        #     beta here, too.
        probcut_beta: Score = beta + PROBCUT_MARGIN
        if (
            settings.probcut
            and not is_pv
            and not in_check
            and excluded == 0
            and depth >= PROBCUT_DEPTH
            and -TB_BOUND < beta < TB_BOUND
            and not (
                tt_bound and tt_depth >= depth - PROBCUT_REDUCTION + 1 and tt_score < probcut_beta
            )
        ):
            score = self._probcut(probcut_beta, depth, ply, static, tt_move, is_cut)
            if self.stopped:
                return 0
            if score >= probcut_beta:
                if settings.transposition_table:
                    self.tt.store(
                        key,
                        ply,
                        self.probcut_move,
                        score,
                        raw_evaluation,
                        depth - PROBCUT_REDUCTION + 1,
                        LOWER_BOUND,
                    )
                return score

        # 12. Internal iterative reduction: without a table move the node is poorly ordered, and
        #     not worth its depth yet.
        if (
            settings.internal_iterative_reduction
            and tt_move == 0
            and depth >= INTERNAL_REDUCTION_DEPTH
        ):
            depth -= 1

        # 13. The moves, best guess first.
        picker: MovePicker = self.other_pickers[ply] if excluded else self.pickers[ply]
        picker.begin(tt_move, ply, False)
        picker.keep_checks = settings.check_exemption
        start_alpha: Score = alpha
        best: Score = -INFINITE
        best_move: MoveCode = 0
        count: Ply = 0
        quiets: Ply = 0
        noisies: Ply = 0
        is_quiet: Flag = False
        is_best_quiet: Flag = False
        new_depth: Depth = 0
        is_tt_move_noisy: Flag = (
            settings.noisy_tt_move and tt_move != 0 and is_noisy(board, tt_move)
        )
        row: Ply = (depth if depth < 63 else 63) << 6
        while True:
            move: MoveCode = picker.next()
            if move == 0:
                break
            if move == excluded:
                continue
            count += 1
            is_quiet = not picker.is_noisy
            reduction: Depth = 0
            if (
                settings.late_move_reductions
                and depth >= REDUCTION_DEPTH
                and count > REDUCTION_MOVES
            ):
                reduction = self.reductions[row | (count if count < 63 else 63)]

            # Off the principal variation, and once a move is found that is not lost, those with
            # little hope may be left out; but of checks only those that lose too much material.
            if best > -TB_BOUND and not in_check and not is_pv:
                if is_quiet and not (settings.check_exemption and picker.gives_check(move)):
                    # 14. Late move pruning: in a good order the last quiet moves are the worst.
                    if (
                        settings.late_move_pruning
                        and depth <= LATE_MOVE_DEPTH
                        and count > (LATE_MOVE_BASE + depth * depth) >> (0 if improving else 1)
                    ):
                        picker.skip_quiets = True
                        continue

                    # 15. History pruning: what has failed nearly everywhere will fail here.
                    if (
                        settings.history_pruning
                        and depth <= HISTORY_PRUNING_DEPTH
                        and self.history.rate_quiet(board, move, ply)
                        < HISTORY_PRUNING_MARGIN * depth
                    ):
                        continue

                    # 16. Futility: a quiet move cannot lift a position this far below alpha.
                    left: Depth = depth - reduction
                    if (
                        settings.futility
                        and left <= FUTILITY_DEPTH
                        and evaluation + FUTILITY_BASE + FUTILITY_MARGIN * left <= alpha
                    ):
                        picker.skip_quiets = True
                        continue

                # 17. Static exchange: the deeper, the more a move may give up for its idea.
                #     Of captures the picker's stages have told those that lose nothing.
                if (
                    settings.see_pruning
                    and depth <= SEE_DEPTH
                    and (is_quiet or picker.is_losing or settings.order != ENGINE_ORDER)
                    and not see_ge(
                        board, move, (SEE_QUIET_MARGIN if is_quiet else SEE_NOISY_MARGIN) * depth
                    )
                ):
                    continue

            # 18. Singular extension: if all other moves fail clearly below the table's score, the
            #     table's move is the only one, and its consequences are worth a ply more. If
            #     others reach beta, too, the node is cut (multicut). Not in won positions: their
            #     only moves are checks without end.
            extension: Depth = 0
            if (
                settings.singular_extension
                and move == tt_move
                and excluded == 0
                and depth >= SINGULAR_DEPTH
                and tt_depth >= depth - SINGULAR_TT_DEPTH
                and tt_bound != UPPER_BOUND
                and -WON_SCORE < tt_score < WON_SCORE
                and ply < 2 * self.root_depth
            ):
                singular_beta: Score = tt_score - SINGULAR_MARGIN * depth
                self.excluded[ply] = move
                score = self._search(
                    singular_beta - 1, singular_beta, (depth - 1) >> 1, ply, after_null, is_cut
                )
                self.excluded[ply] = 0
                if self.stopped:
                    return 0
                if score < singular_beta:
                    extension = 1
                    if not is_pv and score < singular_beta - SINGULAR_DOUBLE_MARGIN:
                        extension = 2
                elif singular_beta >= beta:
                    return singular_beta
                elif tt_score >= beta:
                    extension = -1

            # 19. Late move reductions: late moves are first tried at a lower depth, the lower
            #     the worse their history; of the noisy ones only those that lose material.
            if reduction > 0:
                if is_quiet:
                    if is_pv:
                        reduction -= 1
                    if not improving:
                        reduction += 1
                    if is_cut and settings.cut_nodes:
                        reduction += 1
                    if is_tt_move_noisy:
                        reduction += 1
                    if self.history.is_killer(move, ply):
                        reduction -= 1
                    reduction -= self.history.rate_quiet(board, move, ply) >> REDUCTION_HISTORY_BITS
                elif settings.noisy_reductions and picker.is_losing:
                    reduction = reduction >> 1
                else:
                    reduction = 0

            self.history.note_move(board, move, ply)
            position.make(move)
            if position.checkers or in_check:
                reduction -= 1
            if reduction > depth - 2:
                reduction = depth - 2
            if reduction < 0:
                reduction = 0

            # 20. Principal variation search: the first move gets the whole window, the others
            #     must only prove that they are no better. How far a reduced move beat alpha
            #     says how deep to look again.
            if count == 1 or not settings.principal_variation_search:
                score = -self._search(
                    -beta, -alpha, depth - 1 + extension, ply + 1, False, not is_pv and not is_cut
                )
            else:
                score = -self._search(
                    -alpha - 1, -alpha, depth - 1 - reduction, ply + 1, False, True
                )
                if score > alpha and reduction > 0 and not self.stopped:
                    new_depth = depth - 1
                    if settings.deeper_research:
                        if score > best + DEEPER_MARGIN + DEEPER_MARGIN_PER_PLY * depth:
                            new_depth += 1
                        elif score < best + SHALLOWER_MARGIN:
                            new_depth -= 1
                    if new_depth > depth - 1 - reduction:
                        score = -self._search(
                            -alpha - 1, -alpha, new_depth, ply + 1, False, not is_cut
                        )
                if alpha < score < beta and not self.stopped:
                    score = -self._search(-beta, -alpha, depth - 1, ply + 1, False, False)
            position.unmake()
            if self.stopped:
                return 0

            if score > best:
                best = score
                if score > alpha:
                    best_move = move
                    is_best_quiet = is_quiet
                    if settings.alpha_beta:  # an alpha that is never raised makes it minimax
                        alpha = score
                    if is_pv:
                        self._extend_pv(ply, move)
                    if score >= beta:
                        break
            if is_quiet:
                if quiets < _MAX_SEARCHED:
                    self.searched[2 * _MAX_SEARCHED * ply + quiets] = move
                    quiets += 1
            elif noisies < _MAX_SEARCHED:
                self.searched[2 * _MAX_SEARCHED * ply + _MAX_SEARCHED + noisies] = move
                noisies += 1

        # 21. Mate and stalemate.
        if count == 0:
            if excluded:
                return alpha
            return ply - MATE if in_check else 0
        self.inner_nodes += 1

        # 22. History: a bonus for the move that cut off, a malus for those searched before it.
        if best >= beta:
            self.cutoffs += 1
            if count == 1:
                self.first_cutoffs += 1
            index: Ply
            if is_best_quiet:
                self.history.add_bonus(board, ply, depth, best_move)
                for index in range(quiets):
                    self.history.add_malus(
                        board, ply, depth, self.searched[2 * _MAX_SEARCHED * ply + index]
                    )
            elif settings.capture_history:
                self.history.add_capture_bonus(board, depth, best_move)
            if settings.capture_history:
                for index in range(noisies):
                    self.history.add_capture_malus(
                        board, depth, self.searched[2 * _MAX_SEARCHED * ply + _MAX_SEARCHED + index]
                    )

        # 23. Remember.
        bound: Number = bound_of(best, start_alpha, beta)
        if settings.transposition_table and excluded == 0:
            self.tt.store(key, ply, best_move, best, raw_evaluation, depth, bound)

        # 24. Correct the evaluation where it was wrong and no capture explains it.
        if (
            settings.correction_history
            and not in_check
            and excluded == 0
            and (best_move == 0 or is_best_quiet)
            and not (bound == LOWER_BOUND and best <= static)
            and not (bound == UPPER_BOUND and best >= static)
        ):
            self.correction.learn(board, depth, best - static)
        return best

    def _probcut(
        self, beta: Score, depth: Depth, ply: Ply, static: Score, tt_move: MoveCode, is_cut: Flag
    ) -> Score:
        """The score of a good capture that fails high over `beta`, or less if there is none.

        The capture is left in `probcut_move`.
        Source: https://www.chessprogramming.org/ProbCut
        """
        position = self.position
        picker: MovePicker = self.pickers[ply]
        picker.begin(tt_move, ply, True)
        score: Score = -INFINITE
        while True:
            move: MoveCode = picker.next()
            if move == 0:
                return -INFINITE
            if see_ge(position.board, move, beta - static):
                self.history.note_move(position.board, move, ply)
                position.make(move)
                score = -self._quiescence(-beta, -beta + 1, ply + 1, True)
                if score >= beta and not self.stopped:
                    score = -self._search(
                        -beta, -beta + 1, depth - PROBCUT_REDUCTION, ply + 1, False, not is_cut
                    )
                position.unmake()
                if self.stopped or score >= beta:
                    self.probcut_move = move
                    return score

    def _quiescence(self, alpha: Score, beta: Score, ply: Ply, is_first: Flag) -> Score:
        """Follow captures and promotions, and all answers to checks, until the position is quiet.

        The side to move may stand pat: not capturing is always possible, unless it is in check.
        Source: https://www.chessprogramming.org/Quiescence_Search

        :param is_first: at the horizon itself, where quiet moves that give check directly and lose
            nothing are tried, too.
        """
        settings = self.settings
        position = self.position
        self.pv_end[ply] = ply
        self.nodes += 1
        if self.nodes >= self.next_poll:
            self._poll()
        if self.stopped:
            return 0
        if ply > self.selective_depth:
            self.selective_depth = ply
        in_check: Flag = position.checkers != 0
        if self._is_draw(in_check, ply):
            return 0
        if not settings.quiescence or ply >= MAX_PLY:
            return self._evaluate()
        # In the table a quiescence without checks must not stand for one with them.
        with_checks: Flag = is_first and not in_check and settings.quiescence_checks
        depth: Depth = 0 if with_checks or in_check else -1

        is_pv: Flag = beta - alpha > 1
        key = position.key
        tt_move: MoveCode = 0
        evaluation: Score = NO_EVALUATION
        if settings.transposition_table and self.tt.probe(key, ply):
            tt = self.tt
            tt_move = tt.move
            evaluation = tt.evaluation
            if self._is_tt_cutoff(alpha, beta, depth):
                return tt.score

        start_alpha: Score = alpha
        best: Score = -INFINITE
        best_move: MoveCode = 0
        if not in_check:
            if evaluation == NO_EVALUATION:
                evaluation = self._evaluate()
            best = evaluation
            if settings.correction_history:
                best = self.correction.correct(position.board, evaluation)
            if best >= beta:
                return best
            if best > alpha and settings.alpha_beta:
                alpha = best

        picker: MovePicker = self.pickers[ply]
        picker.begin(tt_move, ply, True)
        picker.keep_checks = with_checks
        score: Score
        count: Ply = 0
        evasions: Ply = 0  # quiet moves, in check
        futile: Score = best + DELTA_MARGIN
        while True:
            move: MoveCode = picker.next()
            if move == 0:
                break
            count += 1
            if settings.delta_pruning and best > -TB_BOUND:
                if in_check:
                    # One quiet evasion is enough beside the captures: it is no mate.
                    if not picker.is_noisy and evasions > 0:
                        break
                elif picker.is_noisy:
                    value: Score = futile + capture_value(position.board, move)
                    if value <= alpha:
                        if value > best:
                            best = value
                        continue
            if not picker.is_noisy:
                evasions += 1
            self.history.note_move(position.board, move, ply)
            position.make(move)
            score = -self._quiescence(-beta, -alpha, ply + 1, False)
            position.unmake()
            if self.stopped:
                return 0
            if score > best:
                best = score
                if score > alpha:
                    best_move = move
                    if settings.alpha_beta:
                        alpha = score
                    if is_pv:
                        self._extend_pv(ply, move)
                    if score >= beta:
                        break
        if count > 0:
            self.inner_nodes += 1
        elif in_check:
            return ply - MATE

        if settings.transposition_table:
            bound = bound_of(best, start_alpha, beta)
            self.tt.store(key, ply, best_move, best, evaluation, depth, bound)
        return best

    def _probe_tablebase(self, ply: Ply) -> Score:
        """The score the tablebases give this position, INFINITE if they cannot tell."""
        wdl = None if self.tablebase is None else self.tablebase.probe_wdl(self.position.board)
        if wdl is None:
            return INFINITE
        self.tablebase_hits += 1
        score: Score = wdl_score(wdl, ply)
        return score

    # -- helpers of the tree --------------------------------------------------------------------

    def _is_tt_cutoff(self, alpha: Score, beta: Score, depth: Depth) -> Flag:
        """Whether what the table's last probe found ends a node that is to be searched to `depth`.

        Not on the principal variation, which would be cut short; without null windows nothing
        tells it from the rest.
        """
        tt = self.tt
        settings = self.settings
        enough: Flag = tt.depth == depth if settings.exact_tt_depth else tt.depth >= depth
        return (
            enough
            and (beta - alpha <= 1 or not settings.principal_variation_search)
            and self.position.board.halfmove_clock < _NEAR_FIFTY_MOVES
            and tt.decides(alpha, beta)
            and settings.tt_cutoffs
        )

    def _is_draw(self, in_check: Flag, ply: Ply) -> Flag:
        """Repetition, the fifty-move rule (mate comes first) and insufficient material."""
        position = self.position
        if position.board.halfmove_clock >= FIFTY_MOVES:
            if not in_check:
                return True
            picker: MovePicker = self.pickers[ply]
            picker.begin(0, ply, False)
            return picker.next() != 0
        return position.is_repetition(ply) or position.has_insufficient_material()

    def _evaluate(self) -> Score:
        """The static evaluation, in centipawns from the side to move; cached.

        Most leaves are cut off by it and are not stored in the transposition table.
        Source: https://www.chessprogramming.org/Evaluation_Hash_Table
        """
        position = self.position
        slot: Key = position.key & (_CACHE_SIZE - 1)
        if self.cached_keys[slot] != position.key:
            self.cached_keys[slot] = position.key
            self.cached_scores[slot] = self.evaluator.evaluate(position.board, position.accumulator)
        score: Score = self.cached_scores[slot]
        if self.is_perturbed:
            score += self._perturbation()
        if self.has_technique:
            if position.board.turn == self.strong_side:
                return technique(position.board, self.strong_side, score)
            return -technique(position.board, self.strong_side, -score)
        return score

    def _perturbation(self) -> Score:
        """What a handicap adds to the evaluation, in centipawns from the side to move."""
        board = self.position.board
        white: Bitboard = pieces_of(board, True)
        rest: Bitboard = board.occupied
        error: Score = 0
        while rest:
            square: Square = lsb(rest)
            rest &= rest - 1
            piece: PieceType = piece_on(board, square)
            if white >> square & 1:
                error += self.perturbations[piece << 6 | square]
            else:
                error -= self.perturbations[piece << 6 | square ^ 56]
        return error if board.turn else -error

    def _has_pieces(self) -> Flag:
        """Whether the side to move has more than king and pawns."""
        board = self.position.board
        own = pieces_of(board, board.turn)
        return own & (board.knights | board.bishops | board.rooks | board.queens) != 0

    def _extend_pv(self, ply: Ply, move: MoveCode) -> None:
        """The best line from here is `move` and the best line after it.

        Source: https://www.chessprogramming.org/Triangular_PV-Table
        """
        width: Ply = MAX_PLY + 2
        end: Ply = self.pv_end[ply + 1]
        self.pv[ply * width + ply] = move
        index: Ply
        for index in range(ply + 1, end):
            self.pv[ply * width + index] = self.pv[(ply + 1) * width + index]
        self.pv_end[ply] = end if end > ply else ply + 1

    def _poll(self) -> None:
        """Look at the clock and the node limit, and decide when to look again."""
        counters = self.counters
        if self._is_time_up():
            self.stopped = True
        rate = self.nodes / max(self.clock.elapsed_ms(), 0.1)
        step = max(min(int(rate * POLL_EVERY_MS), 16384), 16)
        counted = self.nodes
        if self.node_limit:
            left = self.node_limit - counters.total_nodes(self.nodes)
            if left <= 0:
                self.stopped = True
            step = min(step, max(left // counters.size, 1))
            counted += step  # told in advance, so that all together keep the limit
        self.next_poll = self.nodes + step
        counters.publish(counted, self.tablebase_hits)

    def _is_time_up(self) -> bool:
        """Whether to drop everything; the first iteration has its own time."""
        is_over = self.clock.must_stop() or self.counters.is_over
        if self.root_depth != 1:
            return is_over
        is_late = self.clock.elapsed_ms() - self.began_ms >= FIRST_ITERATION_MS
        return is_late and (is_over or self.wants_mate)

    # -- reports --------------------------------------------------------------------------------

    def _info(self, depth: int, move: RootMove, bound: Number) -> Info:
        score = move.score
        if self.root_tablebase_score is not None and not is_mate(score):
            score = self.root_tablebase_score
        return Info(
            depth=depth,
            selective_depth=max(move.selective_depth, depth),
            multipv=1,
            score=score,
            bound=bound,
            nodes=self.counters.total_nodes(self.nodes),
            time_ms=int(self.clock.elapsed_ms()),
            hashfull=self.tt.hashfull(),
            pv=tuple(uci(code) for code in move.pv),
            tablebase_hits=self.counters.total_hits(self.tablebase_hits),
        )

    def _report_lines(self, lines: list[Info]) -> None:
        """Report the best lines, best first, numbered from 1."""
        self.reported = lines
        for number, info in enumerate(lines, start=1):
            self.report(replace(info, multipv=number))

    def _report_final_line(self, depth: int, lines: int) -> None:
        """Report the move that will be played, unless it was the first line of the last report.

        The other lines stay as they were, without an older one of the same move.
        """
        best = self.root_moves[0]
        if self.reported and self.reported[0].pv == tuple(uci(code) for code in best.pv):
            return
        if best.score == -INFINITE:  # stopped before the first move was searched
            best.score = self._evaluate()
        first = self._info(depth, best, self.bound)
        others = [
            replace(info, nodes=first.nodes, time_ms=first.time_ms)
            for info in self.reported
            if info.pv[0] != first.pv[0]
        ]
        self._report_lines([first, *others][:lines])

    def _report_game_over(self) -> None:
        score = -MATE if self.position.checkers else 0
        self.report(Info(0, 0, 1, score, EXACT_BOUND, 0, int(self.clock.elapsed_ms()), 0, ()))

    def _best_move(self) -> BestMove:
        best = self.root_moves[0]
        ponder = best.pv[1] if len(best.pv) > 1 else self._expected_reply(best.code)
        return BestMove(uci(best.code), uci(ponder) if ponder else None)

    def _expected_reply(self, move: MoveCode) -> MoveCode:
        """The table's move after `move`, if it is legal there; 0 for none."""
        reply: MoveCode = 0
        self.position.make(move)
        if (
            self.settings.transposition_table
            and self.tt.probe(self.position.key, 1)
            and self.tt.move
        ):
            picker: MovePicker = self.pickers[1]
            picker.begin(0, 1, False)
            code: MoveCode = picker.next()
            while code:
                if code == self.tt.move:
                    reply = code
                code = picker.next()
        self.position.unmake()
        return reply

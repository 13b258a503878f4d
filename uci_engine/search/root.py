"""The root of a search: moves, iterations, aspiration windows, and reports."""

from __future__ import annotations

from collections.abc import Callable

from ..base.events import TABLEBASE_SOURCE, BestMove, CurrentMove, Event, Info
from ..base.scores import (
    EXACT_BOUND,
    INFINITE,
    LOWER_BOUND,
    MATE,
    MAX_PLY,
    TB_BOUND,
    UPPER_BOUND,
    is_mate,
)
from ..board.movegen import Flag, MoveCode, Number, uci
from ..tablebase.probing import Tablebase
from .parameters import (
    ASPIRATION_DEPTH,
    ASPIRATION_WINDOW,
    REDUCTION_DEPTH,
    REDUCTION_HISTORY_BITS,
    REDUCTION_MOVES,
)
from .time_management import TimeScale
from .transposition import NO_EVALUATION, bound_of
from .tree import Tree

#: The current root move is reported once a search has taken this long.
CURRENT_MOVE_AFTER_MS = 3000

#: A failed aspiration window is reported once a search has taken this long, except with a node
#: limit: such a search reports the same at any speed.
BOUNDS_AFTER_MS = 1000


class RootMove:
    """A move at the root, with its line and its score in this iteration."""

    def __init__(self, code: MoveCode, is_noisy: bool) -> None:
        self.code = code
        self.is_noisy = is_noisy
        self.score = -INFINITE
        self.pv = [code]
        self.selective_depth = 0
        self.nodes = 0


class Root:
    """The root moves of a search, best first, and their reports.

    :param tree: prepared for this search (`Tree.begin`).
    :param wanted: the moves to search, in UCI notation; all legal moves if empty.
    :param report: called with an `Info` for each line of each finished iteration.
    """

    def __init__(
        self, tree: Tree, wanted: tuple[str, ...], report: Callable[[Event], None]
    ) -> None:
        self.tree = tree
        self.report = report
        self.reported: list[Info] = []
        #: The last exact line reported for each move.
        self.exact_lines: dict[str, Info] = {}
        #: The kind of the first move's score.
        self.bound = EXACT_BOUND
        self.tablebase_score: int | None = None
        self.time_scale = TimeScale()
        self.moves = self._legal_moves(wanted)

    def _legal_moves(self, wanted: tuple[str, ...]) -> list[RootMove]:
        """The legal moves in picker order, restricted to `wanted` (UCI) if given."""
        tree = self.tree
        tt_move = 0
        if tree.settings.transposition_table and tree.tt.probe(tree.position.key, 0):
            tt_move = tree.tt.move
        picker = tree.root_frame.picker
        picker.begin(tt_move, 0, False)
        moves = []
        move = picker.next()
        while move:
            if not wanted or uci(move) in wanted:
                moves.append(RootMove(move, picker.is_noisy))
            move = picker.next()
        return moves

    def leave_out_repetitions(self) -> None:
        """Keep only root moves to positions that are new in the game, if there are any."""
        position = self.tree.position
        new = []
        for move in self.moves:
            position.make(move.code)
            if not position.is_repetition(MAX_PLY):  # one occurrence is enough
                new.append(move)
            position.unmake()
        self.moves = new or self.moves

    def filter_by_tablebase(self, tablebase: Tablebase, keep_all: bool) -> None:
        """Keep the moves that preserve the tablebase result; in a decided game, only the best one.

        :param keep_all: keep all of them in a decided game, too.
        """
        tree = self.tree
        clock = tree.clock
        move_time = clock.move_time
        seconds = move_time.maximum_ms / 2000 if move_time and not clock.pondering else None
        allowed = {move.code: move for move in self.moves}
        ranked = tablebase.rank_root(tree.position.board, seconds, clock.must_stop) or []
        ranked = [move for move in ranked if move.code in allowed]
        if not ranked:
            return
        tree.tablebase_hits += len(ranked)
        best = ranked[0]
        self.tablebase_score = best.score
        tree.tablebase_pieces = 0  # the result is known; no need to probe in the tree
        is_decided = abs(best.score) >= TB_BOUND
        if is_decided and not keep_all:
            ranked = ranked[:1]
        self.moves = [allowed[move.code] for move in ranked if move.rank == best.rank]
        if len(self.moves) == 1 and not keep_all:
            self.report(TABLEBASE_SOURCE)

    # -- iterations -----------------------------------------------------------------------------

    def iterate(self, depth: int, lines: int) -> None:
        """Run one iteration of iterative deepening for the best `lines` moves."""
        previous = [move.score for move in self.moves]
        for move in self.moves:
            move.score = -INFINITE
        for line in range(lines):
            self.tree.selective_depth = 0
            self._aspirate(depth, line, lines, previous[line])
            if self.tree.stopped:
                return
        self.moves[:lines] = sorted(self.moves[:lines], key=lambda move: -move.score)
        self.report_lines([self.info(depth, move, EXACT_BOUND) for move in self.moves[:lines]])

    def _aspirate(self, depth: int, line: int, lines: int, previous: int) -> None:
        """Search with a narrow window around the last score, and widen it when it fails.

        Source: https://www.chessprogramming.org/Aspiration_Windows
        """
        tree = self.tree
        tree.root_depth = depth
        width = ASPIRATION_WINDOW
        alpha, beta = -INFINITE, INFINITE
        if tree.settings.aspiration and depth >= ASPIRATION_DEPTH and abs(previous) < TB_BOUND:
            alpha, beta = previous - width, previous + width
        while True:
            score = self._search_moves(alpha, beta, depth, line)
            rest = self.moves[line:]
            self.moves[line:] = sorted(rest, key=lambda move: -move.score)
            if tree.stopped or alpha < score < beta:
                return
            is_late = tree.clock.elapsed_ms() >= BOUNDS_AFTER_MS
            if is_late and lines == 1 and not tree.node_limit:
                bound = UPPER_BOUND if score <= alpha else LOWER_BOUND
                self.report_lines([self.info(depth, self.moves[0], bound)])
            width *= 2
            if score <= alpha:
                # After a fail low, the score is seldom near beta, so lower it, too.
                beta = (alpha + beta) // 2
                alpha = max(score - width, -INFINITE)
            else:
                beta = min(score + width, INFINITE)
            if abs(score) >= TB_BOUND:
                alpha, beta = -INFINITE, INFINITE

    def _search_moves(self, alpha: int, beta: int, depth: int, line: int) -> int:
        """Search the moves from index `line` on; better ones come before it."""
        tree = self.tree
        settings = tree.settings
        position = tree.position
        frame = tree.root_frame.next
        best = -INFINITE
        best_move = 0
        start_alpha = alpha
        for number, move in enumerate(self.moves[line:]):
            if line == 0 and tree.clock.elapsed_ms() >= CURRENT_MOVE_AFTER_MS:
                self.report(CurrentMove(depth, uci(move.code), line + number + 1))
            reduction = 0
            if (
                settings.root_reductions
                and depth >= REDUCTION_DEPTH
                and number > REDUCTION_MOVES + 1
                and not move.is_noisy
                and not position.checkers
            ):
                # Late quiet moves, as in step 19, but a move later and a ply less, because errors
                # at the root cost most.
                reduction = tree.reductions[min(depth, 63) << 6 | min(number + 1, 63)] - 1
                reduction -= (
                    tree.history.rate_quiet(position.board, move.code, 0) >> REDUCTION_HISTORY_BITS
                )
                reduction = max(min(reduction, depth - 2), 0)
            nodes = tree.nodes
            tree.history.note_move(position.board, move.code, 0)
            position.make(move.code)
            if settings.check_exemption and position.checkers:
                reduction = 0
            if number == 0 or not settings.principal_variation_search:
                score = -tree.search(-beta, -alpha, depth - 1, frame, False, False)
            else:
                score = -tree.search(-alpha - 1, -alpha, depth - 1 - reduction, frame, False, True)
                if score > alpha and reduction > 0 and not tree.stopped:
                    score = -tree.search(-alpha - 1, -alpha, depth - 1, frame, False, True)
                if alpha < score < beta and not tree.stopped:
                    score = -tree.search(-beta, -alpha, depth - 1, frame, False, False)
            position.unmake()
            move.nodes += tree.nodes - nodes
            if tree.stopped:
                return best
            if number == 0 or score > alpha:
                if line == 0:
                    self.bound = bound_of(score, alpha, beta)
                self.record(move, score)
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
            tree.tt.store(position.key, 0, best_move, best, NO_EVALUATION, depth, bound)
        return best

    def record(self, move: RootMove, score: int) -> None:
        """Record the score that a move's search has just found, and the best line."""
        frame = self.tree.root_frame.next
        move.score = score
        move.selective_depth = self.tree.selective_depth
        move.pv = [move.code, *frame.line()]

    def is_enough(self, is_analysis: bool) -> bool:
        """Whether the finished iteration ends the search.

        :param is_analysis: search a forced move, too.
        """
        tree = self.tree
        best = self.moves[0]
        share = best.nodes / max(tree.nodes, 1)
        scale = self.time_scale.update(best.code, best.score, share)
        if len(self.moves) == 1 and not is_analysis:
            scale = 0.0  # no choice
        return tree.clock.is_optimum_over(scale)

    def finish_first_iteration(self) -> None:
        """Order the moves by static evaluation if time ran out before the first was searched.

        On a board full of queens, the first move's captures alone can take longer than the time
        available.
        """
        tree = self.tree
        if self.reported or tree.node_limit or self.moves[0].score != -INFINITE:
            return
        position = tree.position
        frame = tree.root_frame.next
        picker = frame.picker
        for move in self.moves:
            position.make(move.code)
            in_check: Flag = position.checkers != 0
            picker.begin(0, 1, False)
            if not picker.next():
                move.score = MATE - 1 if in_check else 0
            else:
                move.score = 0 if tree.is_draw(in_check, frame) else -tree.evaluate()
            position.unmake()
        self.moves.sort(key=lambda move: -move.score)
        self.bound = EXACT_BOUND

    # -- reports --------------------------------------------------------------------------------

    def info(self, depth: int, move: RootMove, bound: Number) -> Info:
        """A line of analysis: a root move with its score and line, and the search's counters."""
        tree = self.tree
        counters = tree.counters
        score = move.score
        if self.tablebase_score is not None and not is_mate(score):
            score = self.tablebase_score
        return Info(
            depth=depth,
            selective_depth=max(move.selective_depth, depth),
            multipv=1,
            score=score,
            bound=bound,
            nodes=counters.total_nodes(tree.nodes),
            time_ms=int(tree.clock.elapsed_ms()),
            hashfull=tree.tt.hashfull(),
            pv=tuple(uci(code) for code in move.pv),
            tablebase_hits=counters.total_hits(tree.tablebase_hits),
        )

    def report_lines(self, lines: list[Info]) -> None:
        """Report the best lines, best first, numbered from 1."""
        self.reported = lines
        for number, info in enumerate(lines, start=1):
            if info.bound == EXACT_BOUND:
                self.exact_lines[info.pv[0]] = info
            self.report(info._replace(multipv=number))

    def report_final_line(self, depth: int, lines: int) -> None:
        """Report the move to be played, unless it was the first line of the last report.

        Other lines stay as they were, except an older one of the same move. A mere bound of a new
        best move is not shown among exact lines if the move has an older, exact line. After a
        search with a node limit, the last lines show the final node count.
        """
        best, tree = self.moves[0], self.tree
        if self.reported and self.reported[0].pv == tuple(uci(code) for code in best.pv):
            nodes = tree.counters.total_nodes(tree.nodes)
            if tree.node_limit and nodes > self.reported[0].nodes:
                time_ms = int(tree.clock.elapsed_ms())
                lines_now = [i._replace(nodes=nodes, time_ms=time_ms) for i in self.reported]
                self.report_lines(lines_now)
            return
        if best.score == -INFINITE:  # stopped before the first move was searched
            best.score = self.tree.evaluate()
        first = self.info(depth, best, self.bound)
        exact = self.exact_lines.get(first.pv[0])
        is_bound = lines > 1 and self.bound != EXACT_BOUND
        if is_bound and exact is not None and first.pv[0] != self.reported[0].pv[0]:
            first = exact._replace(nodes=first.nodes, time_ms=first.time_ms)
        others = [
            info._replace(nodes=first.nodes, time_ms=first.time_ms)
            for info in self.reported
            if info.pv[0] != first.pv[0]
        ]
        self.report_lines([first, *others][:lines])

    def report_game_over(self) -> None:
        """Report the score of a position without legal moves."""
        score = -MATE if self.tree.position.checkers else 0
        self.report(Info(0, 0, 1, score, EXACT_BOUND, 0, int(self.tree.clock.elapsed_ms()), 0, ()))

    def best_move(self) -> BestMove:
        """The best move so far, with the expected reply."""
        best = self.moves[0]
        ponder = best.pv[1] if len(best.pv) > 1 else self._expected_reply(best.code)
        return BestMove(uci(best.code), uci(ponder) if ponder else None)

    def _expected_reply(self, move: MoveCode) -> MoveCode:
        """The table's move after `move`; 0 if there is none or it is illegal."""
        reply: MoveCode = 0
        tree = self.tree
        tt = tree.tt
        tree.position.make(move)
        if tree.settings.transposition_table and tt.probe(tree.position.key, 1) and tt.move:
            picker = tree.root_frame.next.picker
            picker.begin(0, 1, False)
            code: MoveCode = picker.next()
            while code:
                if code == tt.move:
                    reply = code
                code = picker.next()
        tree.position.unmake()
        return reply

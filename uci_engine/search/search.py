"""A search: iterative deepening, from a position and limits to a best move.

`Search` coordinates its parts: the tree (`Tree`), its root (`Root`), and the mate searches
(`MateSearch`). It is synchronous, and independent of processes and protocols.

Source: https://www.chessprogramming.org/Iterative_Deepening
"""

from __future__ import annotations

from collections.abc import Callable

from ..base.events import BestMove, Event
from ..base.limits import Limits
from ..base.scores import MAX_PLY
from .mate_search import MateSearch
from .position import Position
from .root import Root
from .settings import Settings
from .smp_counters import SharedCounters
from .time_management import Clock
from .transposition import TranspositionTable
from .tree import Tree


class Search:
    """Searches positions, one at a time.

    State that persists between searches, such as histories, tablebases and a handicap, is in
    `tree`.

    :param tt: shared between searches; what one has learnt speeds up the next.
    """

    def __init__(self, tt: TranspositionTable, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.tree = Tree(tt, self.settings)

    @property
    def nodes(self) -> int:
        """Nodes of the last search, in this process only."""
        return self.tree.nodes

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
        """Search until a limit is reached or `clock` stops it.

        :param clock: sets the deadlines, and lets another thread stop the search.
        :param report: called with an `Info` for each line of each finished iteration.
        :param multi_pv: the number of best lines to find.
        :param is_analysis: search a forced move, too, instead of playing it at once.
        :param counters: shared with other processes that search the same position; reports give the
            nodes and tablebase hits of all.
        :returns: the best move of the deepest finished iteration, or a better one that the
            unfinished iteration has already proved; without a move if there is none.
        """
        tree, settings = self.tree, self.settings
        counters = counters or SharedCounters()
        tree.begin(position, settings, limits, clock or Clock(), counters)
        root = Root(tree, limits.search_moves, report or (lambda event: None))
        if not root.moves:
            root.report_game_over()
            return BestMove(None)
        if tree.has_technique:
            root.leave_out_repetitions()
        # Tablebase moves win, but not by the shortest mate.
        if tree.tablebase is not None and tree.handicap is None and limits.mate is None:
            tree.tablebase_pieces = tree.tablebase.largest
            root.filter_by_tablebase(tree.tablebase, keep_all=is_analysis or multi_pv > 1)

        lines = min(max(multi_pv, 1), len(root.moves))
        mate_search = MateSearch(tree, root, settings)
        may_prove = settings.mate_search and counters.is_main
        may_prove = may_prove and lines == 1 and limits.mate is None and tree.handicap is None
        deepest = MAX_PLY - 1
        if limits.depth is not None:
            deepest = min(deepest, max(limits.depth, 1))
        depth = 0
        for depth in range(1 if settings.iterative_deepening else deepest, deepest + 1):
            if counters.skips(depth) and depth < deepest:
                continue
            root.iterate(depth, lines)
            if limits.mate is not None and depth == 1:
                root.finish_first_iteration()
                plies = mate_search.solve(limits.mate, deepest, lines)
                if plies and counters.is_main:
                    depth = plies
                    break
            if tree.stopped or root.is_enough(is_analysis):
                break
            if may_prove and mate_search.is_due():
                # A proof holds at any depth, and is reported at the requested one.
                is_proved = mate_search.prove(depth if limits.depth is None else deepest)
                if is_proved or tree.stopped:
                    break
        counters.publish(tree.nodes, tree.tablebase_hits)
        if counters.is_main:  # a helper's unfinished iterations do not count
            root.finish_first_iteration()
            root.report_final_line(depth, lines)
        return root.best_move()

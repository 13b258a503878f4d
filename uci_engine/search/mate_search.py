"""Searches for the shortest mate: in won positions, and for `go mate`.

A proof search prunes nothing (`NO_PRUNING`) and looks for a mate in a given number of plies; mate
distance pruning (step 4 of `Tree.search`) keeps its tree small.
"""

from __future__ import annotations

from dataclasses import replace

from ..base.events import Notice
from ..base.scores import EXACT_BOUND, INFINITE, MATE
from ..board.movegen import MoveCode
from .parameters import (
    FIRST_MATE_SEARCH,
    MATE_ITERATION_SHARE,
    MATE_SEARCH_GROWTH,
    MATE_SEARCH_SHARE,
    MIN_MATE_ITERATION,
    WON_SCORE,
)
from .root import Root, RootMove
from .settings import NO_PRUNING, Settings
from .tree import Tree

# XORed into the keys of a mate search: entries from other searches prove nothing.
_SALT = 0x9E3779B97F4A7C15


class MateSearch:
    """The mate searches within one search.

    :param settings: those of the search; a proof search uses others.
    """

    def __init__(self, tree: Tree, root: Root, settings: Settings) -> None:
        self._tree = tree
        self._root = root
        self._settings = settings
        self._plies = 1  # there is no mate in fewer plies
        self._refuted: set[MoveCode] = set()  # root moves that do not mate in this many plies
        self._next_nodes = FIRST_MATE_SEARCH  # the node count at which to search for a proof again

    # -- in a won position ----------------------------------------------------------------------

    def is_due(self) -> bool:
        """Whether the position is won, without a known shortest mate, and enough was searched."""
        could_be_shorter = WON_SCORE < self._root.moves[0].score < MATE - self._plies
        return could_be_shorter and self._tree.nodes >= self._next_nodes

    def prove(self, depth: int) -> bool:
        """Search for the shortest mate and report it; False if the node limit comes first.

        Pruning and reductions make the search deep, but hide short mates that begin with a quiet
        move or a sacrifice. So nothing is pruned here, and no scores are taken from the table. The
        tree stays small because only a mate in a given number of moves counts (step 4). Since
        shorter distances are tried first, the first mate found is the shortest.
        """
        tree, root, counters = self._tree, self._root, self._tree.counters
        self._next_nodes = MATE_SEARCH_GROWTH * tree.nodes
        limit = tree.node_limit
        share = tree.nodes // MATE_SEARCH_SHARE * counters.size  # the others' nodes count as well
        max_nodes = counters.total_nodes(tree.nodes) + share
        tree.node_limit = min(limit, max_nodes) if limit else max_nodes
        tree.next_poll = 0
        tree.use(replace(self._settings, tt_cutoffs=False, **NO_PRUNING))
        mate = self._find(MATE - root.moves[0].score)
        tree.use(self._settings)
        tree.node_limit = limit
        tree.stopped = False
        tree.poll()  # check whether it was stopped by more than its own node limit
        if mate is None:
            return False
        root.moves.sort(key=lambda move: move is not mate)
        root.report_lines([root.info(depth, mate, EXACT_BOUND)])
        return True

    def _find(self, known: int) -> RootMove | None:
        """The root move with the shortest mate, if shorter than `known` plies; None if stopped.

        The next call continues where this one stopped.
        """
        tree, position = self._tree, self._tree.position
        frame = tree.root_frame.next
        while self._plies < known:
            for move in self._root.moves:
                if move.code in self._refuted:
                    continue
                tree.history.note_move(position.board, move.code, 0)
                position.make(move.code)
                # One wider, so that the mating line is kept to its end.
                alpha = MATE - self._plies - 2
                score = -tree.search(-INFINITE, -alpha, self._plies - 1, frame, False, False)
                position.unmake()
                if tree.stopped:
                    return None
                if score >= MATE - self._plies:
                    self._root.record(move, score)
                    return move
                self._refuted.add(move.code)
            self._plies += 2
            self._refuted.clear()
        return None

    # -- `go mate` ------------------------------------------------------------------------------

    def solve(self, moves: int, deepest: int, lines: int) -> int:
        """Search for a mate in `moves` moves, at most `deepest` plies deep.

        Only an exhaustive search proves that there is none. Ordinary iterations, with checks
        extended, often find one sooner, so they come first with a share of the nodes.

        :returns: the depth, in plies, that answers the question; 0 if it was not answered.
        """
        tree = self._tree
        moves = max(moves, 1)
        longest = 2 * moves - 1
        careful = replace(self._settings, **NO_PRUNING)
        exhaustive = replace(careful, quiescence=False, singular_extension=False)
        tree.stopped = False
        depth = 2
        for plies in range(1, min(longest, deepest) + 1, 2):
            tree.use(careful)
            while depth <= min(longest, deepest) and not self._mates_within(longest):
                if not self._try_iteration(depth, lines):
                    break
                depth += 1
            tree.use(exhaustive)
            if not tree.stopped and not self._mates_within(longest):
                self._prove_in(plies)
            tree.use(self._settings)
            if tree.stopped:
                return 0
            if self._mates_within(longest):
                return MATE - self._root.moves[0].score
        if longest > deepest:
            return 0
        if tree.counters.is_main:
            plural = "s" if moves > 1 else ""
            self._root.report(Notice(f"all lines are exhausted: no mate in {moves} move{plural}"))
        return longest

    def _mates_within(self, plies: int) -> bool:
        return MATE - self._root.moves[0].score <= plies

    def _try_iteration(self, depth: int, lines: int) -> bool:
        """Search an iteration; if it takes too many nodes, restore the previous state.

        :returns: whether it was finished.
        """
        tree, root = self._tree, self._root
        limit, moves, bound = tree.node_limit, list(root.moves), root.bound
        results = [(move.score, move.pv) for move in moves]
        max_nodes = (
            MATE_ITERATION_SHARE * tree.counters.total_nodes(tree.nodes) + MIN_MATE_ITERATION
        )
        tree.node_limit = min(limit, max_nodes) if limit else max_nodes
        tree.next_poll = 0
        root.iterate(depth, lines)
        tree.node_limit = limit
        if not tree.stopped:
            return True
        root.moves, root.bound = moves, bound
        for move, (score, pv) in zip(moves, results, strict=True):
            move.score, move.pv = score, pv
        tree.stopped = False
        tree.poll()
        return False

    def _prove_in(self, plies: int) -> None:
        """Search all root moves for a mate in `plies` plies; a mating move becomes the first.

        Only table entries stored by such a search are used. The tree stays small because only a
        mate in this many plies counts (step 4).
        """
        tree, root, counters = self._tree, self._root, self._tree.counters
        position, frame = tree.position, tree.root_frame.next
        # Each worker starts at another move, and finds in the table what the others have refuted.
        first = counters.slot * len(root.moves) // counters.size
        alpha = MATE - plies - 1
        tree.salt = _SALT
        tree.root_depth = 0
        tree.next_poll = 0
        for move in root.moves[first:] + root.moves[:first]:
            tree.history.note_move(position.board, move.code, 0)
            position.make(move.code)
            score = -tree.search(-alpha - 1, -alpha, plies - 1, frame, False, True)
            if score > alpha and not tree.stopped:  # search again to get the line
                score = -tree.search(-INFINITE, -alpha + 1, plies - 1, frame, False, False)
            position.unmake()
            if tree.stopped:
                break
            if score > alpha:
                root.record(move, score)
                root.bound = EXACT_BOUND
                root.moves = [move, *(other for other in root.moves if other is not move)]
                break
        tree.salt = 0

"""The vote at the end of a parallel search: decides which worker's line is played.

Every worker votes for the move of its last finished iteration. Greater depth and a better score
increase a vote's weight. So a move found by several workers independently beats one that only the
main worker prefers, and a deeper result beats a shallower one. A proved win needs no majority.

Source: Stockfish 15, `ThreadPool::get_best_thread`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..base.events import Info
from ..base.scores import TB_BOUND

#: Minimum weight of a vote, in centipawns above the worst score.
_MIN_WEIGHT = 14

#: A worker that is more plies behind the deepest one has no vote, unless it has a proof.
_MAX_BEHIND = 2


def elect(lines: Sequence[Info]) -> Info:
    """Choose the line to play; the first one among equals.

    :param lines: at least one; each has a move, and none is an upper bound.
    """
    deepest = max(line.depth for line in lines)
    lines = [
        line for line in lines if line.depth >= deepest - _MAX_BEHIND or line.score >= TB_BOUND
    ]
    worst = min(line.score for line in lines)
    votes: Counter[str] = Counter()
    for line in lines:
        votes[line.pv[0]] += (line.score - worst + _MIN_WEIGHT) * line.depth
    best = lines[0]
    for line in lines[1:]:
        if abs(best.score) >= TB_BOUND or line.score >= TB_BOUND:
            is_better = line.score > best.score  # the shorter mate, or the longer resistance
        else:
            is_better = line.score > -TB_BOUND and votes[line.pv[0]] > votes[best.pv[0]]
        if is_better:
            best = line
    return best

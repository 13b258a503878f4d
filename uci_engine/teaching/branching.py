"""The arithmetic of game trees: branching factors, and the best possible savings by alpha-beta.

Sources: https://www.chessprogramming.org/Branching_Factor; Knuth and Moore, An Analysis of
Alpha-Beta Pruning (1975), for the minimal tree.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def effective_branching(nodes: int, depth: int) -> float:
    """The branching factor b of a uniform tree: b + b**2 + ... + b**depth = nodes.

    :param nodes: excluding the root.
    :param depth: plies, at least 1.
    """
    low, high = 0.0, float(max(nodes, 1))
    for _ in range(100):
        middle = (low + high) / 2
        total = 0.0
        for _ in range(depth):
            total = (total + 1) * middle
            if total > nodes:
                break
        if total > nodes:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def least_leaves(leaves: int, depth: int) -> float:
    """The minimum number of leaves for alpha-beta in a uniform tree with this many leaves.

    With b = leaves ** (1 / depth) that is b ** ceil(depth / 2) + b ** floor(depth / 2) - 1.
    Alpha-beta visits exactly these if the best move always comes first, and no proof of the value
    needs fewer.
    """
    branching: float = leaves ** (1 / depth)
    least: float = branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1
    return least


def exponent(part: int, whole: int) -> float:
    """The x for which whole ** x = part."""
    return math.log(max(part, 1)) / math.log(whole) if whole > 1 else 1.0


def fit(nodes: Sequence[tuple[int, int]]) -> float:
    """The b for which b ** depth is closest to these (depth, nodes), in logarithms.

    A least squares fit; the curve has one node at depth 0.
    """
    above = sum(depth * math.log(max(count, 1)) for depth, count in nodes)
    return math.exp(above / sum(depth * depth for depth, _ in nodes))

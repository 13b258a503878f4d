"""Small random networks for `EvalFile`."""

from __future__ import annotations

import random
from array import array

from halbzug.eval.network_file import INPUTS, ROWS, Weights


def made_up() -> bytes:
    """The file of a random network."""
    chooser = random.Random(1)
    sizes = (("h", 32, 99), ("b", 64 * ROWS, 9), ("h", INPUTS * ROWS, 999), ("b", 32 * INPUTS, 9))
    parts = [array(kind, [chooser.randint(-m, m) for _ in range(n)]) for kind, n, m in sizes]
    return Weights(32, 1024, array("B", bytes(32)), *parts).pack()

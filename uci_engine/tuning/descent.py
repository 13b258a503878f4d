"""Shared by the fits: the sigmoid from scores to expected results, and the optimiser Adam.

Sources: https://www.chessprogramming.org/Texel%27s_Tuning_Method,
https://www.chessprogramming.org/Stochastic_Gradient_Descent (Adam). Needs numpy.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

    Vector: TypeAlias = np.ndarray[Any, np.dtype[Any]]

#: The decay of Adam's averages of the gradient and of its square.
FADE, SQUARE_FADE = 0.9, 0.999

#: Prevents division by zero.
TINY = 1e-9


def expectation(scores: Vector, scale: float) -> Vector:
    """Expected results, 0 to 1, of scores in centipawns; `scale` converts a centipawn."""
    import numpy as np

    expected: Vector = 1 / (1 + np.exp(-scale * scores))
    return expected


def expected_result(score: float, scale: float) -> float:
    """The expected result of one score, without numpy."""
    return 1 / (1 + math.exp(-scale * score))


class Adam:
    """The optimiser Adam: steps against the gradient, larger where the gradient is steady.

    :param weights: an array of the shape of the weights.
    """

    def __init__(self, weights: Vector) -> None:
        import numpy as np

        self.rounds = 0
        self.slope = np.zeros_like(weights)
        self.square = np.zeros_like(weights)

    def change(self, gradient: Vector, step: float) -> Vector:
        """The change to the weights; about `step` where the gradient is steady."""
        import numpy as np

        self.rounds += 1
        self.slope = FADE * self.slope + (1 - FADE) * gradient
        self.square = SQUARE_FADE * self.square + (1 - SQUARE_FADE) * gradient**2
        size = np.sqrt(self.square / (1 - SQUARE_FADE**self.rounds)) + TINY
        change: Vector = -step * self.slope / (1 - FADE**self.rounds) / size
        return change

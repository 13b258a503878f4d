"""The evaluation: a weighted sum of features of a position, in centipawns.

Weights are data (`weights.py`), terms are small functions, and sums that can be updated move by
move are (`accumulator.py`). `Evaluator` combines them. This package knows chess only through
`halbzug.board.movegen`, and nothing of the search.
"""

from __future__ import annotations

from ..base.loading import prefer_compiled

prefer_compiled()

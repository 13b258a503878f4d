"""The evaluation: a weighted sum of features of a position, in centipawns.

Weights are data (`weights.py`), terms are small functions, and what can be kept up to date while
moves are made and unmade is (`accumulator.py`). `Evaluator` puts it together. This package knows
chess through `halbzug.board.movegen` only and nothing of the search.
"""

from __future__ import annotations

from ..base.loading import prefer_compiled

prefer_compiled()

"""Explains search and evaluation: searches a position while techniques are switched on in turn.

The techniques are switches of the engine's search (`halbzug.search.settings`), and the terms are
those of the engine's evaluation (`halbzug.eval.features`). A bad move is explained by its
refutation (`halbzug.reasons.move_reason`).

Nothing here has a search or evaluation of its own: each row is the engine's search with different
`Settings`. The textbook move orders (`halbzug.search.textbook_orders`) are compiled, so that their
speed can be compared with ours. `examples/README.md` shows real output; rerun its commands after a
visible change.

>>> import chess, halbzug
>>> halbzug.explain.horizon("promotion").is_mistake
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..base.loading import load_for_python

if TYPE_CHECKING:
    from .experiments import (
        alpha_beta,
        draw,
        game,
        horizon,
        learn,
        match,
        monte_carlo,
        move,
        quiz,
        terms,
        transpositions,
        tree,
    )

__all__ = [
    "alpha_beta",
    "draw",
    "game",
    "horizon",
    "learn",
    "match",
    "monte_carlo",
    "move",
    "quiz",
    "terms",
    "transpositions",
    "tree",
]


def __getattr__(name: str) -> Any:
    """Import a call when it is first used: the command line needs no search to show its help."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(load_for_python(f"{__name__}.experiments"), name)
    globals()[name] = value
    return value

"""What all searches of games return, and how they tell their steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from .game_protocol import Move

#: Is told each step of a search: the name of its sentence in `html/search_texts.json`, the state, a
#: state behind a move if the step is about one, and by their names what the sentence says.
Listener = Callable[..., object]


def nobody(sentence: str, state: Any, child: Any = None, **values: Any) -> None:
    """Listens to nothing."""


@dataclass(frozen=True)
class Solution(Generic[Move]):
    """What a search found out about a state.

    :ivar value: for MAX, or of several players for each.
    :ivar move: the first one that reaches it; None when nobody chooses.
    :ivar nodes: states that were visited, this one among them.
    """

    value: Any
    move: Move | None
    nodes: int

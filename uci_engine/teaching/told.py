"""What all game searches return, and how they report their steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from .game_protocol import Move

#: Called with each step of a search: the name of its sentence in `html/search_texts.json`, the
#: state, the state after a move if the step concerns one, and the sentence's values by name.
Listener = Callable[..., object]


def nobody(sentence: str, state: Any, child: Any = None, **values: Any) -> None:
    """A listener that ignores everything."""


@dataclass(frozen=True)
class Solution(Generic[Move]):
    """What a search found out about a state.

    :ivar value: for MAX, or for each of several players.
    :ivar move: the first one that achieves it; None if nobody chooses.
    :ivar nodes: the number of states visited, including this one.
    """

    value: Any
    move: Move | None
    nodes: int

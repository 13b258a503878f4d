"""Game searches, recorded so that a page can step through them.

Whatever the game and the search, a recording has the same kinds of steps as `tree_search` (a node
is entered, a leaf has its value, a move is tried), each with the name of a sentence in
`html/search_texts.json`. A `StepRecorder` listens to a search of `searches` on a drawn tree.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from .numbered_tree import DrawnNode, NumberedTree
from .tree_search import Kind

#: How a node is drawn, and thereby its player.
Figure = Literal["max", "min", "chance", "first", "second", "third", "solo", "queens", "leaf"]

#: A leaf's value: a number, or one for each player; None where a puzzle cannot be completed.
Worth = Fraction | tuple[int, ...] | None

#: The step of a search (the end of its sentence's name), its kind, and what the node shows
#: afterwards.
_STEPS: Mapping[str, tuple[Kind, str]] = {
    "start": ("enter", ""),
    "enter": ("enter", ""),
    "playout": ("enter", ""),
    "judge": ("enter", ""),
    "over": ("enter", ""),
    "leaf": ("leaf", "{value}"),
    "known": ("leaf", "{value}"),
    "stuck": ("leaf", ""),
    "end": ("leaf", "{value}"),
    "try": ("try", ""),
    "new": ("try", ""),
    "select": ("try", ""),
    "back": ("back", ""),
    "equal": ("back", ""),
    "bound": ("bound", "{limit}"),
    "pruned": ("cut", "{limit}"),
    "raise": ("bound", "{bound}"),
    "best": ("best", "{value}"),
    "worst": ("best", "{value}"),
    "ally": ("best", "{value}"),
    "sum": ("best", "{sum}"),
    "cut": ("cut", "{value}"),
    "hit": ("hit", "{value}"),
    "return": ("return", "{value}"),
    "done": ("return", ""),
    "visited": ("return", "{mean} \N{MULTIPLICATION SIGN}{number}"),
    "set": ("return", "{next}"),
}

#: Printed before negative numbers.
_MINUS = "\N{MINUS SIGN}"

#: A longer fraction does not fit beside a node, in characters.
_LONGEST = 6


@dataclass(frozen=True, eq=False)
class RecordedNode(DrawnNode):
    """A state of a game, or of another search.

    :ivar figure: how it is drawn.
    :ivar name: a short text to draw beside it; for a placement, the rows of its queens.
    :ivar moves: the name of each move, with the node it leads to.
    :ivar worth: a leaf's value.
    :ivar chance: the probability with which CHANCE leads here; otherwise 1.
    :ivar note: a text beside the move that leads here.
    :ivar state: of the drawn game.
    """

    figure: Figure
    name: str = ""
    moves: tuple[tuple[str, RecordedNode], ...] = ()
    worth: Worth | None = None
    chance: Fraction = Fraction(1)
    note: str = ""
    state: Any = None


class Note(NamedTuple):
    """A step of a search, as the page describes it.

    :ivar node: where it happens, numbered as in `walk`.
    :ivar sentence: the name of a text; by default that of the step's kind.
    :ivar values: values for the sentence's placeholders.
    :ivar shown: what the node shows from then on; empty if unchanged.
    :ivar child: for `try` and `back`, the child.
    """

    kind: Kind
    node: int
    sentence: str
    values: Mapping[str, str]
    shown: str = ""
    child: int = -1


@dataclass(frozen=True)
class Recording:
    """A search from its first step to the last.

    :ivar values: what each visited node shows at the end, by its number.
    :ivar cut: nodes that were not visited.
    :ivar line: the nodes that the players choose, or of the best placement; root first.
    :ivar leaves: visited nodes without moves.
    :ivar cutoffs: the number of cutoffs.
    :ivar result: what the search found, in a word.
    """

    steps: tuple[Note, ...]
    values: Mapping[int, str]
    cut: frozenset[int]
    line: tuple[int, ...]
    leaves: int
    cutoffs: int
    result: str

    @property
    def nodes(self) -> int:
        """The number of visited nodes."""
        return len(self.values)


@dataclass(frozen=True)
class SearchedTree:
    """A tree with its searches.

    :ivar kind: the name of its title and note in `html/search_texts.json`.
    :ivar runs: by name, in teaching order.
    :ivar values: values for the placeholders in title and note.
    :ivar first: the search shown first; by default the last one.
    """

    kind: str
    root: RecordedNode
    runs: Mapping[str, Recording]
    values: Mapping[str, str | int] = field(default_factory=dict)
    first: str = ""

    @property
    def usual(self) -> str:
        """The search shown first."""
        return self.first or list(self.runs)[-1]


class _Shown(dict[str, str]):
    """What a node may show; empty where a step does not change it."""

    def __missing__(self, name: str) -> str:
        return ""


class StepRecorder:
    """Listens to a search of a drawn tree, and records its steps."""

    def __init__(self, root: RecordedNode) -> None:
        self._tree = NumberedTree(root)
        self._steps: list[Note] = []
        self._visited: dict[int, str] = {}
        self._chosen: dict[int, int] = {}
        self.cutoffs = 0

    def __call__(
        self, sentence: str, node: RecordedNode, child: RecordedNode | None = None, **values: Any
    ) -> None:
        """Record a step; see `halbzug.teaching.told.Listener`."""
        kind, form = _STEPS[sentence.rpartition("_")[2]]
        number = self._tree.numbers[id(node)]
        values_shown = _Shown((key, short(value)) for key, value in values.items())
        shown = form.format_map(values_shown).strip()
        told = {key: exact(value) for key, value in values.items()}
        below = -1
        if child is not None:
            below = self._tree.numbers[id(child)]
            told["move"] = self._tree.moves[below]
        if kind == "best" and not sentence.endswith("_sum"):
            self._choose(number, below)
        if kind == "enter" or shown:
            self._visited[number] = shown
        self._steps.append(Note(kind, number, sentence, told, shown, below))
        self.cutoffs += kind == "cut"

    def _choose(self, number: int, below: int) -> None:
        """Remember the best child so far; for an end, the whole path to it."""
        if below >= 0:
            self._chosen[number] = below
            return
        self._chosen.clear()
        while (parent := self._tree.parents[number]) >= 0:
            self._chosen[parent] = number
            number = parent

    def recording(self, result: str) -> Recording:
        """The complete recording."""
        line = [0]
        while line[-1] in self._chosen:
            line.append(self._chosen[line[-1]])
        leaves = sum(not self._tree.children[number] for number in self._visited)
        cut = frozenset(range(len(self._tree.nodes))) - self._visited.keys()
        return Recording(
            tuple(self._steps), self._visited, cut, tuple(line), leaves, self.cutoffs, result
        )


def exact(value: Any) -> str:
    """An exact value as text: `19/36`, or `1 2 6` for three players; a float is rounded."""
    if isinstance(value, float):
        value = f"{value:.3f}".rstrip("0").rstrip(".") if math.isfinite(value) else f"{value:+}"
    words = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return words.replace("-", _MINUS).replace("inf", "∞")


def short(value: Any) -> str:
    """A value as shown beside a node: a long fraction is rounded, as in `≈0.811`."""
    words = exact(value)
    if not isinstance(value, Fraction) or len(words) <= _LONGEST:
        return words
    return f"≈{float(value):.3f}".replace("-", _MINUS)

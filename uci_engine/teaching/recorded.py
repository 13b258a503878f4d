"""Searches of games, recorded so that a page can step through them.

Whatever the game and the search, a recording has its steps as `tree_search` has them (a node is
entered, a leaf has its value, a move is tried), each with the name of a sentence in
`html/search_texts.json`. A `StepRecorder` listens to a search of `searches` on a drawn tree.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from .tree_search import Kind

#: How a node is drawn, and whose turn it is in it.
Figure = Literal["max", "min", "chance", "first", "second", "third", "solo", "queens", "leaf"]

#: A value of a leaf: a number, or one for each player; None where a puzzle cannot be finished.
Worth = Fraction | tuple[int, ...] | None

#: What a step of a search is called (the end of the name of its sentence), and its kind; then what
#: stands at the node from then on.
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

#: As it stands before a number in print.
_MINUS = "\N{MINUS SIGN}"

#: A fraction with more characters does not fit beside a node.
_LONGEST = 6


@dataclass(frozen=True, eq=False)
class RecordedNode:
    """A state of a game, or of another search.

    :ivar figure: how it is drawn.
    :ivar name: a short text to be drawn beside it; of a placement the rows of its queens.
    :ivar moves: the name of each move, with the node behind it.
    :ivar worth: of a leaf.
    :ivar chance: the probability with which CHANCE leads here; 1 elsewhere.
    :ivar note: a text beside the move that leads here.
    :ivar state: of the game that is drawn.
    """

    figure: Figure
    name: str = ""
    moves: tuple[tuple[str, RecordedNode], ...] = ()
    worth: Worth | None = None
    chance: Fraction = Fraction(1)
    note: str = ""
    state: Any = None

    def walk(self) -> Iterator[RecordedNode]:
        """Yield it and all below, parents before their children, from left to right."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending += [child for _, child in reversed(node.moves)]

    @property
    def size(self) -> int:
        """How many nodes there are, this one included."""
        return sum(1 for _ in self.walk())


class Note(NamedTuple):
    """A step of a search, as the page tells it.

    :ivar node: where it happens, counted as `walk` does.
    :ivar sentence: the name of a text; without one that of the kind is used.
    :ivar values: what the sentence says, by the names in its braces.
    :ivar shown: what stands at the node from then on; empty for what stood there.
    :ivar child: of `try` and `back`, the child.
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

    :ivar values: what stands at each visited node at the end, by its number.
    :ivar cut: nodes that were not visited.
    :ivar line: the nodes that the players choose, or of the best placement; the root first.
    :ivar leaves: visited nodes without moves.
    :ivar cutoffs: how often something was cut off.
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
        """How many nodes were visited."""
        return len(self.values)


@dataclass(frozen=True)
class SearchedTree:
    """A tree with its searches.

    :ivar kind: the name of its title and its note in `html/search_texts.json`.
    :ivar runs: by their names, in the order in which they are taught.
    :ivar values: what title and note say, by the names in their braces.
    :ivar first: the search that is shown first; the last one if nothing is said.
    """

    kind: str
    root: RecordedNode
    runs: Mapping[str, Recording]
    values: Mapping[str, str | int] = field(default_factory=dict)
    first: str = ""

    @property
    def usual(self) -> str:
        """The search that is shown first."""
        return self.first or list(self.runs)[-1]


class _Shown(dict[str, str]):
    """What may stand at a node; nothing where a step does not say it."""

    def __missing__(self, name: str) -> str:
        return ""


class StepRecorder:
    """Listens to a search of a drawn tree, and takes down its steps."""

    def __init__(self, root: RecordedNode) -> None:
        self._all = list(root.walk())
        self._numbers = {id(node): number for number, node in enumerate(self._all)}
        self._moves = {id(child): move for node in self._all for move, child in node.moves}
        self._parents = {
            self._numbers[id(child)]: number
            for number, node in enumerate(self._all)
            for _, child in node.moves
        }
        self._steps: list[Note] = []
        self._visited: dict[int, str] = {}
        self._chosen: dict[int, int] = {}
        self.cutoffs = 0

    def __call__(
        self, sentence: str, node: RecordedNode, child: RecordedNode | None = None, **values: Any
    ) -> None:
        """Take down a step; see `halbzug.teaching.told.Listener`."""
        kind, form = _STEPS[sentence.rpartition("_")[2]]
        number = self._numbers[id(node)]
        values_shown = _Shown((key, short(value)) for key, value in values.items())
        shown = form.format_map(values_shown).strip()
        told = {key: exact(value) for key, value in values.items()}
        below = -1
        if child is not None:
            below = self._numbers[id(child)]
            told["move"] = self._moves[id(child)]
        if kind == "best" and not sentence.endswith("_sum"):
            self._choose(number, below)
        if kind == "enter" or shown:
            self._visited[number] = shown
        self._steps.append(Note(kind, number, sentence, told, shown, below))
        self.cutoffs += kind == "cut"

    def _choose(self, number: int, below: int) -> None:
        """Remember the child that is the best so far; of an end, the whole way to it."""
        if below >= 0:
            self._chosen[number] = below
            return
        self._chosen.clear()
        while number in self._parents:
            self._chosen[self._parents[number]] = number
            number = self._parents[number]

    def recording(self, result: str) -> Recording:
        """All of it."""
        line = [0]
        while line[-1] in self._chosen:
            line.append(self._chosen[line[-1]])
        leaves = sum(not self._all[number].moves for number in self._visited)
        cut = frozenset(set(self._numbers.values()) - self._visited.keys())
        return Recording(
            tuple(self._steps), self._visited, cut, tuple(line), leaves, self.cutoffs, result
        )


def exact(value: Any) -> str:
    """A value in print, exactly: `19/36`, or `1 2 6` for three players; a float is rounded."""
    if isinstance(value, float):
        value = f"{value:.3f}".rstrip("0").rstrip(".") if math.isfinite(value) else f"{value:+}"
    words = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return words.replace("-", _MINUS).replace("inf", "∞")


def short(value: Any) -> str:
    """A value as it stands beside a node: a long fraction is rounded, as in `≈0.811`."""
    words = exact(value)
    if not isinstance(value, Fraction) or len(words) <= _LONGEST:
        return words
    return f"≈{float(value):.3f}".replace("-", _MINUS)

"""Searches that are no alpha-beta, recorded so that a page can step through them.

A tree of these has nodes of other kinds than MAX and MIN: CHANCE, three players, placements of
queens. Whatever the search, a recording has its steps as `tree_search` has them (a node is entered,
a leaf has its value, a move is tried), each with the name of a sentence in
`html/search_texts.json`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple

from .tree_search import Kind

#: How a node is drawn, and whose turn it is in it.
Figure = Literal["max", "min", "chance", "first", "second", "third", "queens", "leaf"]

#: A value of a leaf: a number, or one for each player.
Worth = Fraction | tuple[int, ...]

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
    """

    figure: Figure
    name: str = ""
    moves: tuple[tuple[str, RecordedNode], ...] = ()
    worth: Worth | None = None
    chance: Fraction = Fraction(1)
    note: str = ""

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
    """

    kind: str
    root: RecordedNode
    runs: Mapping[str, Recording]
    values: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def usual(self) -> str:
        """The search that is shown first: the last one, and of three players nobody is allied."""
        first, *others = self.runs
        return others[-1] if others and first != "max-n" else first


class StepRecorder:
    """Takes down the steps of a search."""

    def __init__(self, root: RecordedNode) -> None:
        self._all = list(root.walk())
        self._numbers = {id(node): number for number, node in enumerate(self._all)}
        self._steps: list[Note] = []
        self._visited: dict[int, str] = {}
        self.cutoffs = 0
        #: The child that a node has chosen.
        self.chosen: dict[int, int] = {}

    def number(self, node: RecordedNode) -> int:
        """Its place in the walk."""
        return self._numbers[id(node)]

    def step(
        self,
        kind: Kind,
        node: RecordedNode,
        sentence: str = "",
        shown: str = "",
        child: RecordedNode | None = None,
        **values: str,
    ) -> None:
        """Take down a step; see `Note`."""
        number = self.number(node)
        if kind == "enter" or shown:
            self._visited[number] = shown
        below = self.number(child) if child else -1
        self._steps.append(Note(kind, number, sentence or kind, values, shown, below))
        self.cutoffs += kind == "cut"

    def choose(self, node: RecordedNode, child: RecordedNode) -> None:
        """Remember the child that is the best so far."""
        self.chosen[self.number(node)] = self.number(child)

    def recording(self, result: str) -> Recording:
        """All of it."""
        line = [0]
        while line[-1] in self.chosen:
            line.append(self.chosen[line[-1]])
        leaves = sum(not self._all[number].moves for number in self._visited)
        cut = frozenset(set(self._numbers.values()) - self._visited.keys())
        return Recording(
            tuple(self._steps), self._visited, cut, tuple(line), leaves, self.cutoffs, result
        )


def exact(value: Worth) -> str:
    """A value in print, exactly: `19/36`, or `1 2 6` for three players."""
    words = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return words.replace("-", _MINUS)


def short(value: Worth) -> str:
    """A value as it stands beside a node: a long fraction is rounded, as in `≈0.811`."""
    words = exact(value)
    if isinstance(value, tuple) or len(words) <= _LONGEST:
        return words
    return f"≈{float(value):.3f}".replace("-", _MINUS)

"""The evaluation as a weighted sum, feature by feature.

`count` returns how often each weight of `weights.py` applies to a board, for White and Black. The
tuner fits the weights to these counts, and they show people why a position is judged as it is.

Each term's condition exists only once, in the module that the search uses. `count` runs the source
of that module in pure Python with a `Sum` in place of every weight, so the result is not a score
but the list of weights in it.
"""

from __future__ import annotations

import builtins
import functools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.machinery import SourceFileLoader
from importlib.util import resolve_name
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

from ..board.movegen import Board, popcount
from . import network, network_file, tapered
from .endgame import FULL_SCALE, scale
from .tables import FULL_PHASE, PHASE
from .tapered import pack
from .weights import GROUPS, WEIGHTS

#: A weight: the name of its table and its index there.
Feature = tuple[str, int]
Counts = Counter[Feature]
Weights = Mapping[str, Sequence[tuple[int, int]]]


class Term(NamedTuple):
    """A group of weights' contribution to the evaluation: packed scores, each from its own side."""

    name: str
    white: int
    black: int


def count(board: Board) -> tuple[Counts, Counts]:
    """How often each feature occurs, for White and for Black."""
    evaluator, accumulator = _with_sums()
    accumulator.set_up(board)
    own, other = evaluator.evaluate(board, accumulator).counts()
    return (own, other) if board.turn else (other, own)


def terms(board: Board) -> list[Term]:
    """The sum of each group of weights; their total, blended, is the evaluation."""
    white, black = count(board)
    return [
        Term(group, *(pack(*weigh(counts, names)) for counts in (white, black)))
        for group, names in GROUPS.items()
    ]


def phase(board: Board) -> int:
    """The game phase: 24 with all pieces on the board, 0 with none."""
    pieces = (0, board.pawns, board.knights, board.bishops, board.rooks, board.queens, 0)
    total = sum(PHASE[number] * popcount(pieces[number]) for number in range(7))
    return min(total, FULL_PHASE)


def weigh(counts: Counts, weights: Weights = WEIGHTS) -> tuple[int, int]:
    """The sum of count times weight: middlegame and endgame, in centipawns.

    Features without a weight are ignored.
    """
    middlegame = endgame = 0
    for (name, index), number in counts.items():
        if name in weights:
            middlegame += number * weights[name][index][0]
            endgame += number * weights[name][index][1]
    return middlegame, endgame


def score(board: Board, weights: Weights = WEIGHTS) -> int:
    """The evaluation in centipawns from the side to move, equal to `Evaluator.evaluate`."""
    white, black = count(board)
    own, other = (white, black) if board.turn else (black, white)
    middlegame, endgame = (
        ours - theirs
        for ours, theirs in zip(weigh(own, weights), weigh(other, weights), strict=True)
    )
    strong = board.turn if endgame > 0 else not board.turn
    endgame = endgame * scale(board, strong) // FULL_SCALE
    early = phase(board)
    return (middlegame * early + endgame * (FULL_PHASE - early)) // FULL_PHASE


class Sum:
    """A sum of features, with which the evaluation computes as with packed scores.

    What is added counts for one side, and what is subtracted for the other.

    :param parts: features or other sums, how often each is added, and whether it is subtracted.
    """

    __slots__ = ("parts",)

    def __init__(self, *parts: tuple[Feature | Sum, int, bool]) -> None:
        self.parts = parts

    def __add__(self, other: Sum | int) -> Sum:
        if isinstance(other, Sum):
            return Sum((self, 1, False), (other, 1, False))
        return self if other == 0 else NotImplemented

    __radd__ = __add__

    def __neg__(self) -> Sum:
        return Sum((self, 1, True))

    def __sub__(self, other: Sum | int) -> Sum:
        return self + (-other)

    def __rsub__(self, other: Sum | int) -> Sum:
        return -self + other

    def __mul__(self, number: int) -> Sum:
        return Sum((self, number, False))

    __rmul__ = __mul__

    def counts(self) -> tuple[Counts, Counts]:
        """How often each feature was added, and how often subtracted."""
        sides: tuple[Counts, Counts] = Counter(), Counter()
        pending: list[tuple[Feature | Sum, int, bool]] = [(self, 1, False)]
        while pending:
            what, number, is_subtracted = pending.pop()
            if not number:
                continue
            if isinstance(what, Sum):
                pending += [
                    (part, number * times, is_subtracted != is_other)
                    for part, times, is_other in what.parts
                ]
            else:
                sides[is_subtracted][what] += number
        return sides


@functools.cache
def _with_sums() -> tuple[Any, Any]:
    """An evaluator and an accumulator with sums of features instead of scores."""
    return evaluation_of(lambda feature: Sum((feature, 1, False)))


def evaluation_of(make: Callable[[Feature], Any], **modules: Any) -> tuple[Any, Any]:
    """An evaluator and an accumulator that compute with other objects than scores.

    :param make: creates the object that replaces a feature's weight.
    :param modules: replacements for modules of the package, by name with `_` for dots, such as
        `board_movegen`.
    """
    weights = {
        name: [((name, index), 1) for index in range(len(table))] for name, table in WEIGHTS.items()
    }
    modules = {
        "array": SimpleNamespace(array=_list),
        "halbzug.eval.network_file": network_file,
        "halbzug.eval.network": network,
        "halbzug.eval.tapered": SimpleNamespace(
            **{**vars(tapered), "pack": lambda feature, _: make(feature)}
        ),
        "halbzug.eval.weights": SimpleNamespace(WEIGHTS=weights),
        **{f"halbzug.{name.replace('_', '.')}": module for name, module in modules.items()},
    }

    def bring(
        name: str,
        context: Mapping[str, Any] | None = None,
        local: object = None,
        names: Sequence[str] = (),
        level: int = 0,
    ) -> Any:
        """Replaces `import` in these modules, so that they import each other's replacements."""
        if level and context:
            name = resolve_name("." * level + name, context["__package__"])
        if name.startswith("halbzug.eval.") and name not in modules:
            modules[name] = _read(name, bring)
        return modules[name] if name in modules else builtins.__import__(name, fromlist=names)

    evaluation = bring("halbzug.eval.evaluation")
    evaluator = evaluation.Evaluator()
    accumulator = bring("halbzug.eval.accumulator").Accumulator()
    accumulator.network = None  # a network has no terms
    # Keep the sum instead of blending it into one number.
    evaluator.blend = lambda board, total, phase: total
    return evaluator, accumulator


def _read(name: str, bring: Any) -> ModuleType:
    """An evaluation module, executed from its source, which the compiled build also has."""
    path = Path(__file__).with_name(name.rpartition(".")[2] + ".py")
    module = ModuleType(name)
    module.__package__ = name.rpartition(".")[0]
    vars(module)["__builtins__"] = {**vars(builtins), "__import__": bring}
    SourceFileLoader(name, str(path)).exec_module(module)
    return module


def _list(kind: str, values: Iterable[Any]) -> list[Any]:
    """A list in place of an array, so that it may hold sums; bytes are zeros, as for an array."""
    if isinstance(values, bytes):
        return [0] * (len(values) // {"i": 4, "Q": 8}[kind])
    return list(values)

"""Questions about drawn trees. Every solution is computed by a search, none is written down."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import chess

from halbzug.board.notation import san_line
from halbzug.explain.branching import least_leaves
from halbzug.explain.game_trees import GameTree, Order, TreeNode
from halbzug.explain.horizon_effect import compare
from halbzug.explain.party_search import PLAYERS
from halbzug.explain.recorded import Node, SearchedTree
from halbzug.explain.tree_drawing import value_text
from halbzug.explain.tree_search import Algorithm, search

#: How a question is answered: by clicking several nodes, or one; by a number; or by a choice.
Answer = Literal["nodes", "node", "number", "choice"]

#: An answer: numbers of nodes as `walk` counts them, a number as text, or the place of a choice.
Given = frozenset[int] | str | int

_NUMBER = re.compile(r"[+-]?\d{1,9}(?:/[1-9]\d{0,8}|[.,]\d{1,9})?")


@dataclass(frozen=True)
class Asked:
    """What a teacher asks; the form of a file's entry.

    :ivar ask: one of `ASKS`.
    :ivar tree: what it is about; None: a position.
    :ivar order: of the moves.
    :ivar node: the name of a node, or the moves that lead to it.
    :ivar search: the name of a search of the tree; empty: its usual one.
    :ivar number: of a player, 1 to 3.
    :ivar board: the position, and the depth in plies to which it is searched.
    :ivar text: the question in the teacher's own words.
    """

    ask: str
    tree: GameTree | SearchedTree | None = None
    order: Order = "given"
    node: str = ""
    search: str = ""
    number: int = 1
    board: tuple[chess.Board, int] | None = None
    text: str = ""


@dataclass(frozen=True)
class Question:
    """A question with its solution.

    :ivar asked: where it comes from; its tree is in the order of the moves that was asked for.
    :ivar right: the answer. Of `node` each of these is right, of `nodes` all of them together.
    :ivar values: what the texts say, by the names in their braces.
    :ivar choices: moves or inequalities to choose from.
    :ivar worth: what a wrong node is worth.
    :ivar hidden: nodes that must not show their values.
    """

    asked: Asked
    answer: Answer
    right: Given
    values: Mapping[str, str] = field(default_factory=dict)
    choices: tuple[str, ...] = ()
    worth: Mapping[int, str] = field(default_factory=dict)
    hidden: frozenset[int] = frozenset()

    @property
    def solution(self) -> object:
        """The right answer: a number as text, a choice, or numbers of nodes."""
        if isinstance(self.right, frozenset):
            return sorted(self.right)
        if isinstance(self.right, int):
            return self.choices[self.right]
        return self.right.replace("\N{MINUS SIGN}", "-")

    @property
    def key(self) -> str:
        """Which of the texts asks it."""
        asked, kind = self.asked, self.asked.ask
        is_party = isinstance(asked.tree, SearchedTree) and asked.tree.root.figure in PLAYERS
        if kind == "move" and is_party:
            return "move_party" + "_allied" * (asked.search not in ("", "max-n"))
        if kind == "value" and asked.node:
            # By its name, or by the way to it.
            return "value_node" if asked.node[0].isupper() else "value_path"
        return kind

    def text(self, words: Mapping[str, str]) -> str:
        """The question, in the teacher's words or in those of a language."""
        told = {name: words.get(value, value) for name, value in self.values.items()}
        return self.asked.text or words[f"ask_of_{self.key}"].format(**told)

    def is_right(self, given: Given) -> bool:
        """Whether an answer is right.

        >>> Question(Asked("value"), "number", "1/2").is_right("0,5")
        True
        """
        if self.answer == "number":
            assert isinstance(self.right, str)
            return isinstance(given, str) and _number(given) == _number(self.right)
        if self.answer == "node":
            assert isinstance(self.right, frozenset)
            return isinstance(given, frozenset) and len(given) == 1 and given <= self.right
        return given == self.right


def _number(text: str) -> Fraction | None:
    plain = text.strip().replace("\N{MINUS SIGN}", "-")
    return Fraction(plain.replace(",", ".")) if _NUMBER.fullmatch(plain) else None


def make_question(asked: Asked) -> Question:
    """Solve what is asked.

    :raises ValueError: if there is no such question about such a tree.
    """
    if asked.board:
        return _about_position(asked)
    tree = asked.tree
    if tree is None:
        raise ValueError(f"a question has a tree; {asked.ask!r} has none")
    makers = _TWO_PLAYERS if isinstance(tree, GameTree) else _OTHERS
    if asked.ask not in makers:
        raise ValueError(
            f"about this tree one can ask {', '.join(sorted(makers))}, not {asked.ask!r}"
        )
    return makers[asked.ask](asked)


def question_data(question: Question) -> dict[str, Any]:
    """What the page needs of a question, less its tree; see the head of `quiz.js`."""
    right = question.right
    return {
        "ask": question.key,
        "own": question.asked.text,
        "answer": question.answer,
        "right": sorted(right) if isinstance(right, frozenset) else right,
        "values": dict(question.values),
        "choices": list(question.choices),
        "worth": dict(question.worth),
        "hidden": sorted(question.hidden),
    }


# -- MAX and MIN --------------------------------------------------------------------------------


class _Searched:
    """A tree of MAX and MIN with a search, and its nodes by their names."""

    def __init__(self, asked: Asked) -> None:
        assert isinstance(asked.tree, GameTree)
        self.root = asked.tree.root
        self.nodes = list(self.root.walk())
        self.numbers = {id(node): number for number, node in enumerate(self.nodes)}
        self.truth = search(self.root, "minimax")
        self.run = search(self.root, _algorithm(asked.search))
        self.leaves = {number for number, node in enumerate(self.nodes) if not node.moves}

    def find(self, name: str) -> int:
        """The number of a node, by its name or by the moves that lead to it; the root for nothing.

        :raises ValueError: if there is none.
        """
        if not name:
            return 0
        named = [number for number, node in enumerate(self.nodes) if node.name == name]
        if len(named) == 1:
            return named[0]
        node: TreeNode | None = self.root
        for move in name.split():
            node = dict(node.moves).get(move) if node else None
        if node is None:
            raise ValueError(f"there is no node {name[:40]!r} in this tree")
        return self.numbers[id(node)]


def _algorithm(name: str) -> Algorithm:
    if name in ("", "alpha-beta"):
        return "alpha-beta"
    if name == "minimax":
        return "minimax"
    if name == "fail-hard":
        return "fail-hard"
    raise ValueError(f"a search is minimax, alpha-beta or fail-hard, not {name[:40]!r}")


def _value(asked: Asked) -> Question:
    found = _Searched(asked)
    number = found.find(asked.node)
    value = value_text(found.truth.values[number])
    told = {"node": asked.node, "value": value}
    hidden = frozenset({number}) if number in found.leaves else frozenset[int]()
    return Question(asked, "number", value, told, hidden=hidden)


def _returned(asked: Asked) -> Question:
    """What a search returns at a node, which may be less than it is worth."""
    found = _Searched(asked)
    number = found.find(asked.node)
    if number not in found.run.values:
        raise ValueError(f"the search does not come to {asked.node!r}")
    told = {
        "node": asked.node,
        "value": value_text(found.run.values[number]),
        "truth": value_text(found.truth.values[number]),
        "search": found.run.algorithm,
    }
    return Question(asked, "number", told["value"], told)


def _move(asked: Asked) -> Question:
    found = _Searched(asked)
    values = {
        found.numbers[id(child)]: found.truth.values[found.numbers[id(child)]]
        for _, child in found.root.moves
    }
    right = frozenset(number for number, value in values.items() if value == found.truth.value)
    told = {"player": "MAX" if found.root.player == "max" else "MIN"}
    told["value"] = value_text(found.truth.value)
    worth = {number: value_text(value) for number, value in values.items()}
    return Question(asked, "node", right, told, worth=worth)


def _cut(asked: Asked) -> Question:
    found = _Searched(asked)
    right = frozenset(found.run.cut & found.leaves)
    return Question(asked, "nodes", right, {"number": str(len(right))})


def _visited(asked: Asked) -> Question:
    found = _Searched(asked)
    visited = str(len(found.leaves - found.run.cut))
    return Question(asked, "number", visited, {"value": visited, "all": str(len(found.leaves))})


def _least(asked: Asked) -> Question:
    """How few leaves alpha-beta can do with in a uniform tree: Knuth and Moore's number."""
    found = _Searched(asked)
    depth, node = 0, found.root
    while node.moves:
        depth, node = depth + 1, node.moves[0][1]
    width = len(found.root.moves)
    if len(found.leaves) != width**depth:
        raise ValueError("least is asked about a uniform tree")
    least = len(found.leaves - found.run.cut)
    assert least == round(least_leaves(width**depth, depth))
    told = {"width": str(width), "depth": str(depth), "value": str(least)}
    told |= {"up": str((depth + 1) // 2), "down": str(depth // 2)}
    return Question(asked, "number", str(least), told)


def _inequality(asked: Asked) -> Question:
    """Which inequality makes the first cutoff."""
    found = _Searched(asked)
    if not found.run.cutoffs:
        raise ValueError("nothing is cut off in this tree")
    step = found.run.cutoffs[0]
    node = found.nodes[step.node]
    alpha, beta = value_text(step.alpha), value_text(step.beta)
    best = max(found.truth.values.values())
    high = value_text(best)
    choices = [f"alpha = {alpha} ≥ beta = {beta}", f"alpha = {beta} < beta = {alpha}"]
    choices += [f"alpha = {alpha} ≥ beta = {high}", f"alpha = {high} < beta = {beta}"]
    unique = tuple(sorted(dict.fromkeys(choices)))
    told = {"node": node.name or "", "value": choices[0]}
    return Question(asked, "choice", unique.index(choices[0]), told, unique)


def _different(asked: Asked) -> Question:
    """How many positions the tree has, if each is counted once."""
    found = _Searched(asked)
    if not all(node.name for node in found.nodes):
        raise ValueError("different is asked about a tree whose nodes all have their states")
    sides = {id(found.root): True}
    for node in found.nodes:
        for _, child in node.moves:
            sides[id(child)] = not sides[id(node)]
    states = {(node.name, sides[id(node)]) for node in found.nodes}
    told = {"value": str(len(states)), "all": str(len(found.nodes))}
    return Question(asked, "number", str(len(states)), told)


_TWO_PLAYERS: Mapping[str, Callable[[Asked], Question]] = {
    "value": _value,
    "returned": _returned,
    "move": _move,
    "cut": _cut,
    "visited": _visited,
    "least": _least,
    "inequality": _inequality,
    "different": _different,
}


# -- chance, three players, queens --------------------------------------------------------------


class _Other:
    """A tree with a search of another kind, and the exact values that it has found."""

    def __init__(self, asked: Asked) -> None:
        assert isinstance(asked.tree, SearchedTree)
        self.tree = asked.tree
        names = list(self.tree.runs)
        self.name = asked.search or self.tree.usual
        if self.name not in self.tree.runs:
            raise ValueError(f"a search of this tree is {', '.join(names)}, not {asked.search!r}")
        self.run = self.tree.runs[self.name]
        self.nodes = list(self.tree.root.walk())
        self.numbers = {id(node): number for number, node in enumerate(self.nodes)}
        self.values = {
            step.node: step.values["value"]
            for step in self.run.steps
            if step.kind in ("leaf", "return") and "value" in step.values
        }

    def children(self) -> dict[int, str]:
        """What the moves of the root are worth, in print, by the number of the child."""
        numbers = [self.numbers[id(child)] for _, child in self.tree.root.moves]
        return {number: self.values[number] for number in numbers if number in self.values}


def _other_value(asked: Asked) -> Question:
    """The value of the root, or of a node with a name."""
    found = _Other(asked)
    number = 0
    if asked.node:
        names = [number for number, node in enumerate(found.nodes) if node.name == asked.node]
        if len(names) != 1:
            raise ValueError(f"there is no node {asked.node[:40]!r} in this tree")
        (number,) = names
    if found.tree.root.figure not in ("max", "min", "chance"):
        raise ValueError("value is asked about a tree of MAX, MIN and CHANCE")
    value = found.values[number]
    return Question(asked, "number", value, {"node": asked.node, "value": value})


def _other_move(asked: Asked) -> Question:
    found = _Other(asked)
    root, worth = found.tree.root, found.children()
    if root.figure in PLAYERS:
        key = _party_key(root, found.name)
        told = {"player": str(PLAYERS.index(root.figure) + 1)}
    elif root.figure in ("max", "min"):
        sign = 1 if root.figure == "max" else -1
        told = {"player": root.figure.upper()}

        def key(value: str) -> tuple[Fraction, ...]:
            return (sign * (_number(value) or Fraction(0)),)

    else:
        raise ValueError("move is asked about a tree with a player at its root")
    best = max(key(value) for value in worth.values())
    right = frozenset(number for number, value in worth.items() if key(value) == best)
    return Question(asked, "node", right, {**told, "value": found.run.result}, worth=worth)


def _party_key(root: Node, search_name: str) -> Callable[[str], tuple[Fraction, ...]]:
    """How much a player wants three numbers: his own, and those of his friend among equals."""
    player = PLAYERS.index(root.figure)
    friends = search_name.removeprefix("max-n").strip("-")
    friend = player
    if str(player + 1) in friends:
        friend = int(friends.replace(str(player + 1), "")) - 1

    def key(value: str) -> tuple[Fraction, ...]:
        numbers = [_number(word) or Fraction(0) for word in value.split()]
        return numbers[player], numbers[friend]

    return key


def _share(asked: Asked) -> Question:
    """What a player gets in the end."""
    found = _Other(asked)
    if found.tree.root.figure not in PLAYERS:
        raise ValueError("share is asked about a tree of three players")
    values = found.run.result.split()
    told = {"player": str(asked.number), "value": values[asked.number - 1]}
    return Question(asked, "number", told["value"], {**told, "all": found.run.result})


def _queens(asked: Asked) -> _Other:
    found = _Other(asked)
    if found.tree.root.figure != "queens":
        raise ValueError(f"{asked.ask} is asked about queens")
    return found


def _cheapest(asked: Asked) -> Question:
    found = _queens(asked)
    return Question(asked, "number", found.run.result, {"value": found.run.result})


def _placements(asked: Asked) -> Question:
    """How many placements have all queens."""
    found = _queens(asked)
    whole = str(sum("." not in node.name for node in found.nodes))
    return Question(asked, "number", whole, {"value": whole, "all": str(len(found.nodes))})


def _given_up(asked: Asked) -> Question:
    """Where branch and bound gives up."""
    found = _queens(asked)
    right = frozenset(step.node for step in found.run.steps if step.kind == "cut")
    return Question(asked, "nodes", right, {"number": str(len(right))})


_OTHERS: Mapping[str, Callable[[Asked], Question]] = {
    "value": _other_value,
    "move": _other_move,
    "share": _share,
    "cheapest": _cheapest,
    "placements": _placements,
    "given-up": _given_up,
}


# -- positions ----------------------------------------------------------------------------------


def _about_position(asked: Asked) -> Question:
    """Which move a search of fixed depth chooses, without what looks further or with it."""
    if asked.ask not in ("horizon", "quiescence") or asked.board is None:
        raise ValueError(f"about a position one can ask horizon, quiescence, not {asked.ask!r}")
    board, depth = asked.board
    found = compare(board, depth)
    moves = [found.without.moves[0], found.full.moves[0]]
    others = sorted(move.uci() for move in board.legal_moves if move.uci() not in moves)
    sans = [board.san(chess.Move.from_uci(move)) for move in [*moves, *others[:: len(others)]]]
    choices = tuple(sorted(dict.fromkeys(sans)))
    line = found.without if asked.ask == "horizon" else found.full
    right = choices.index(sans[0] if asked.ask == "horizon" else sans[1])
    told = {
        "depth": str(depth),
        "player": "white" if board.turn else "black",
        "value": choices[right],
        "line": san_line(board, [*line.moves, *line.beyond]),
        "score": f"{line.value / 100:+.2f}",
        "judged": f"{line.judged / 100:+.2f}",
    }
    return Question(asked, "choice", right, told, choices)


#: What can be asked.
ASKS = (*_TWO_PLAYERS, *_OTHERS, "horizon", "quiescence")

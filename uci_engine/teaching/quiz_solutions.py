"""Questions about drawn trees. Every solution is computed by a search, none is written by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import chess

from ..board.notation import san_line
from .branching import least_leaves
from .drawn_game import PLAYERS
from .game_trees import GameTree, Order
from .games.battleships import Battleships, SeaState, square_name
from .games.kuhn_poker import KuhnPoker
from .horizon_effect import compare
from .node_names import NodeNames
from .numbered_tree import NumberedTree
from .recorded import RecordedNode, SearchedTree
from .tree_drawing import value_text
from .tree_search import ALGORITHMS, Algorithm, search
from .tree_texts import move_text, phrase

#: How a question is answered: by clicking one or several nodes, by a number, or by a choice.
Answer = Literal["nodes", "node", "number", "choice"]

#: An answer: node numbers in the order of `walk`, a number as text, or the index of a choice.
Given = frozenset[int] | str | int

#: The forms of a node's name, by the placeholders in texts.
_FORMS = {"node": "", "place": "_place"}

_NUMBER = re.compile(r"[+-]?\d{1,9}(?:/[1-9]\d{0,8}|[.,]\d{1,9})?")


@dataclass(frozen=True)
class Asked:
    """What a teacher asks, as in an entry of a file.

    :ivar ask: one of `ASKS`.
    :ivar tree: the tree in question; None for a position.
    :ivar order: of the moves.
    :ivar node: the name of a node, or the moves that lead to it.
    :ivar search: the name of a search of the tree; empty for its usual one.
    :ivar number: of a player, 1 to 3.
    :ivar board: the position, and the search depth in plies.
    :ivar shots: at battleships, by square: whether each has hit.
    :ivar text: the question in the teacher's own words.
    """

    ask: str
    tree: GameTree | SearchedTree | None = None
    order: Order = "given"
    node: str = ""
    search: str = ""
    number: int = 1
    board: tuple[chess.Board, int] | None = None
    shots: Mapping[int, bool] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True)
class QuizQuestion:
    """A question with its solution.

    :ivar asked: its origin; its tree has the moves in the requested order.
    :ivar right: the answer. For `node`, each of these is right; for `nodes`, all of them together.
    :ivar values: values for the placeholders in texts.
    :ivar choices: moves or inequalities to choose from.
    :ivar worth: the value of a wrong node.
    :ivar hidden: nodes that must not show their values.
    :ivar at: the number of the node in question; 0 is the root.
    :ivar reason: the name of the text that explains the solution, if not the question's.
    """

    asked: Asked
    answer: Answer
    right: Given
    values: Mapping[str, str] = field(default_factory=dict)
    choices: tuple[str, ...] = ()
    worth: Mapping[int, str] = field(default_factory=dict)
    hidden: frozenset[int] = frozenset()
    at: int = 0
    reason: str = ""

    @property
    def solution(self) -> object:
        """The right answer: a number as text, a choice, or node numbers."""
        if isinstance(self.right, frozenset):
            return sorted(self.right)
        if isinstance(self.right, int):
            return self.choices[self.right]
        return self.right.replace("\N{MINUS SIGN}", "-")

    def choice_texts(self, words: Mapping[str, str]) -> tuple[str, ...]:
        """The choices in a language."""
        if not self.asked.board:
            return self.choices
        return tuple(move_text(choice, words) for choice in self.choices)

    def node_names(self) -> list[str]:
        """The names of the answer's nodes in the tree: `C2`, or the moves to them."""
        if not isinstance(self.right, frozenset) or not self.asked.tree:
            return []
        names = NodeNames(self.asked.tree.root)
        return [names.short(number) or names.path(number) for number in sorted(self.right)]

    def named_solution(self, words: Mapping[str, str]) -> str:
        """The right answer as people write it: node names, a number or a choice."""
        if not isinstance(self.right, frozenset):
            if not isinstance(self.right, int):
                return self.right
            return self.choice_texts(words)[self.right]
        assert self.asked.tree is not None
        names = NodeNames(self.asked.tree.root)
        told = [names.name(number, words) for number in sorted(self.right)]
        between = words["or"] if self.answer == "node" else "; "
        return between.join(told) or words["none_at_all"]

    @property
    def key(self) -> str:
        """The name of the text that asks it."""
        asked, kind = self.asked, self.asked.ask
        is_max_n = isinstance(asked.tree, SearchedTree) and asked.tree.root.figure in PLAYERS
        if kind == "move" and is_max_n:
            return "move_max_n" + "_allied" * (asked.search not in ("", "max-n"))
        if _is_knapsack(asked.tree):
            return f"{kind}_knapsack"
        return kind + "_at" * (kind in ("cut", "inequality") and bool(self.at))

    def text(self, words: Mapping[str, str]) -> str:
        """The question, in the teacher's words or in a language."""
        return self.asked.text or phrase(words, f"ask_of_{self.key}", self.told(words))

    def told(self, words: Mapping[str, str]) -> Mapping[str, str]:
        """Values for the placeholders in a language's texts about this question."""
        told = {name: words.get(value, value) for name, value in self.values.items()}
        if self.asked.board:
            told |= {name: move_text(told[name], words) for name in ("value", "line")}
        if self.asked.tree:
            names = NodeNames(self.asked.tree.root)
            told |= {form: names.name(self.at, words, end) for form, end in _FORMS.items()}
        return told

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


def make_question(asked: Asked) -> QuizQuestion:
    """Solve a question.

    :raises ValueError: if there is no such question about such a tree.
    """
    if asked.board:
        return _about_position(asked)
    if asked.ask == "shot":
        return _shot(asked)
    tree = asked.tree
    if tree is None:
        raise ValueError(f"a question has a tree; {asked.ask!r} has none")
    kinds = _kinds(tree)
    if asked.ask not in kinds:
        raise ValueError(
            f"about this tree one can ask {', '.join(sorted(kinds))}, not {asked.ask!r}"
        )
    return kinds[asked.ask][0](asked)


def question_data(question: QuizQuestion) -> dict[str, Any]:
    """The question as data for the page, without its tree; see the top of `quiz.js`."""
    right = question.right
    return {
        "ask": question.key,
        "why": question.reason or question.key,
        "own": question.asked.text,
        "answer": question.answer,
        "right": sorted(right) if isinstance(right, frozenset) else right,
        "values": dict(question.values),
        "choices": list(question.choices),
        "worth": dict(question.worth),
        "hidden": sorted(question.hidden),
        "at": question.at,
    }


# -- MAX and MIN --------------------------------------------------------------------------------


class _Searched:
    """A MAX/MIN tree with a search, and its nodes by name."""

    def __init__(self, asked: Asked) -> None:
        assert isinstance(asked.tree, GameTree)
        self.root = asked.tree.root
        self.tree = NumberedTree(self.root)
        self.nodes = self.tree.nodes
        self.truth = search(self.root, "minimax")
        self.run = search(self.root, _algorithm(asked.search))
        self.leaves = {number for number, node in enumerate(self.nodes) if not node.moves}

    def find(self, name: str) -> int:
        """See `NodeNames.find`."""
        return NodeNames(self.root).find(name)

    def below(self, number: int) -> set[int]:
        """The numbers of a node and all nodes below it."""
        return set(range(number, number + self.nodes[number].size))


def _algorithm(name: str) -> Algorithm:
    for algorithm in ALGORITHMS:
        if algorithm == (name or "alpha-beta"):
            return algorithm
    raise ValueError(f"a search is minimax, alpha-beta or fail-hard, not {name[:40]!r}")


def _value(asked: Asked) -> QuizQuestion:
    found = _Searched(asked)
    number = found.find(asked.node)
    return _value_at(asked, number, value_text(found.truth.values[number]), number in found.leaves)


def _value_at(asked: Asked, number: int, value: str, is_leaf: bool) -> QuizQuestion:
    """The question about the value of a node, which a leaf must not show."""
    hidden = frozenset({number}) if is_leaf else frozenset[int]()
    reason = "value_leaf" if is_leaf else ""
    return QuizQuestion(
        asked, "number", value, {"value": value}, hidden=hidden, at=number, reason=reason
    )


def _returned(asked: Asked) -> QuizQuestion:
    """What a search returns at a node, which may be less than its value."""
    found = _Searched(asked)
    number = found.find(asked.node)
    if number not in found.run.values:
        raise ValueError(f"the search does not reach {asked.node!r}")
    told = {
        "value": value_text(found.run.values[number]),
        "truth": value_text(found.truth.values[number]),
        "search": found.run.algorithm,
    }
    reason = "returned"
    if number in found.run.signs:
        # After a cutoff of its own, or because of the bounds alone.
        reason += "_cut" if number in {step.node for step in found.run.cutoffs} else "_bound"
        reason += "_hard" if found.run.algorithm == "fail-hard" else "_soft"
    return QuizQuestion(asked, "number", told["value"], told, at=number, reason=reason)


def _move(asked: Asked) -> QuizQuestion:
    found = _Searched(asked)
    at = found.find(asked.node)
    if at in found.leaves:
        raise ValueError("move is asked at a node with moves")
    node, true = found.nodes[at], found.truth.values
    values = {child: true[child] for child in found.tree.children[at]}
    right = frozenset(number for number, value in values.items() if value == true[at])
    told = {"player": "MAX" if node.player == "max" else "MIN", "value": value_text(true[at])}
    worth = {number: value_text(value) for number, value in values.items()}
    return QuizQuestion(asked, "node", right, told, worth=worth, at=at)


def _cut(asked: Asked) -> QuizQuestion:
    found = _Searched(asked)
    if found.run.algorithm == "minimax":
        raise ValueError("minimax cuts nothing off: a search is alpha-beta or fail-hard")
    at = found.find(asked.node)
    right = frozenset(found.run.cut & found.leaves & found.below(at))
    told = {"number": str(len(right)), "search": found.run.algorithm}
    return QuizQuestion(asked, "nodes", right, told, at=at)


def _visited(asked: Asked) -> QuizQuestion:
    found = _Searched(asked)
    visited = str(len(found.leaves - found.run.cut))
    told = {"value": visited, "all": str(len(found.leaves)), "search": found.run.algorithm}
    return QuizQuestion(asked, "number", visited, told)


def _least(asked: Asked) -> QuizQuestion:
    """The minimum number of leaves for alpha-beta in a uniform tree: Knuth and Moore's number."""
    found = _Searched(asked)
    depth = max(found.tree.levels)
    width = len(found.root.moves)
    if len(found.leaves) != width**depth:
        raise ValueError("least is asked about a uniform tree")
    least = len(found.leaves - found.run.cut)
    assert least == round(least_leaves(width**depth, depth))
    told = {"width": str(width), "depth": str(depth), "value": str(least)}
    told |= {"up": str((depth + 1) // 2), "down": str(depth // 2)}
    return QuizQuestion(asked, "number", str(least), told)


def _inequality(asked: Asked) -> QuizQuestion:
    """The inequality that causes the first cutoff, or the one at a node."""
    found = _Searched(asked)
    at = found.find(asked.node)
    cutoffs = [step for step in found.run.cutoffs if not at or step.node == at]
    if not cutoffs:
        raise ValueError("nothing is cut off " + (f"at {asked.node!r}" if at else "in this tree"))
    alpha, beta = cutoffs[0].alpha, cutoffs[0].beta
    # All are numerically true, so that only the search decides which one is meant.
    leaves = sorted({found.truth.values[number] for number in found.leaves})
    wrong = [(value, beta) for value in leaves if value >= beta and value != alpha]
    wrong += [(alpha, value) for value in leaves if value <= alpha and value != beta]
    wrong += [(alpha + 1, beta), (alpha, beta - 1), (alpha + 1, beta - 1)]
    near = sorted(dict.fromkeys(wrong), key=lambda pair: abs(pair[0] - alpha) + abs(pair[1] - beta))
    choices = tuple(
        f"alpha = {value_text(high)} ≥ beta = {value_text(low)}"
        for high, low in sorted([(alpha, beta), *near[:3]])
    )
    right = f"alpha = {value_text(alpha)} ≥ beta = {value_text(beta)}"
    told = {"value": right, "search": found.run.algorithm}
    return QuizQuestion(asked, "choice", choices.index(right), told, choices, at=at)


def _different(asked: Asked) -> QuizQuestion:
    """The number of different positions in the tree."""
    found = _Searched(asked)
    if not all(node.name for node in found.nodes):
        raise ValueError("different is asked about a tree whose nodes all have their states")
    levels = found.tree.levels
    states = {(node.name, level % 2) for node, level in zip(found.nodes, levels, strict=True)}
    told = {"value": str(len(states)), "all": str(len(found.nodes))}
    return QuizQuestion(asked, "number", str(len(states)), told)


#: What solves each question, and the keys of its entry besides `ask`, `tree` and `text`.
_Kinds = Mapping[str, tuple[Callable[[Asked], QuizQuestion], tuple[str, ...]]]

_TWO_PLAYERS: _Kinds = {
    "value": (_value, ("order", "node")),
    "returned": (_returned, ("order", "node", "search")),
    "move": (_move, ("order", "node")),
    "cut": (_cut, ("order", "node", "search")),
    "visited": (_visited, ("order", "search")),
    "least": (_least, ()),
    "inequality": (_inequality, ("order", "node", "search")),
    "different": (_different, ()),
}


# -- chance, three players, queens --------------------------------------------------------------


class _Other:
    """A tree with another kind of search, and the exact values it has found."""

    def __init__(self, asked: Asked) -> None:
        assert isinstance(asked.tree, SearchedTree)
        self.tree = asked.tree
        names = list(self.tree.runs)
        self.name = asked.search or self.tree.usual
        if self.name not in self.tree.runs:
            raise ValueError(f"a search of this tree is {', '.join(names)}, not {asked.search!r}")
        self.run = self.tree.runs[self.name]
        self.numbered = NumberedTree(self.tree.root)
        self.nodes = self.numbered.nodes
        self.values = {
            step.node: step.values["value"]
            for step in self.run.steps
            if step.kind in ("leaf", "return") and "value" in step.values
        }

    def children(self) -> dict[int, str]:
        """The values of the root's moves as text, by the number of the child."""
        children = self.numbered.children[0]
        return {number: self.values[number] for number in children if number in self.values}


def _other_value(asked: Asked) -> QuizQuestion:
    """The value of the root, or of a node."""
    found = _Other(asked)
    number = NodeNames(found.tree.root).find(asked.node)
    if found.tree.root.figure not in ("max", "min", "chance"):
        raise ValueError("value is asked about a tree of MAX, MIN and CHANCE")
    if number not in found.values:
        raise ValueError(f"the search does not reach {asked.node!r}")
    return _value_at(asked, number, found.values[number], not found.nodes[number].moves)


def _other_move(asked: Asked) -> QuizQuestion:
    found = _Other(asked)
    root, worth = found.tree.root, found.children()
    if root.figure in PLAYERS:
        key = _max_n_key(root, found.name)
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
    return QuizQuestion(asked, "node", right, {**told, "value": found.run.result}, worth=worth)


def _max_n_key(root: RecordedNode, search_name: str) -> Callable[[str], tuple[Fraction, ...]]:
    """A player's preference among triples: the own number, then a friend's."""
    player = PLAYERS.index(root.figure)
    friends = search_name.removeprefix("max-n").strip("-")
    friend = player
    if str(player + 1) in friends:
        friend = int(friends.replace(str(player + 1), "")) - 1

    def key(value: str) -> tuple[Fraction, ...]:
        numbers = [_number(word) or Fraction(0) for word in value.split()]
        return numbers[player], numbers[friend]

    return key


def _share(asked: Asked) -> QuizQuestion:
    """What a player gets in the end."""
    found = _Other(asked)
    if found.tree.root.figure not in PLAYERS:
        raise ValueError("share is asked about a tree of three players")
    values = found.run.result.split()
    told = {"player": str(asked.number), "value": values[asked.number - 1]}
    return QuizQuestion(asked, "number", told["value"], {**told, "all": found.run.result})


def _queens(asked: Asked) -> _Other:
    found = _Other(asked)
    if found.tree.root.figure != "queens":
        raise ValueError(f"{asked.ask} is asked about queens")
    return found


def _is_knapsack(tree: GameTree | SearchedTree | None) -> bool:
    """Whether it is the one puzzle besides queens."""
    return isinstance(tree, SearchedTree) and tree.root.figure == "solo"


def _cheapest(asked: Asked) -> QuizQuestion:
    found = _queens(asked)
    return QuizQuestion(asked, "number", found.run.result, {"value": found.run.result})


def _placements(asked: Asked) -> QuizQuestion:
    """The number of complete placements."""
    found = _queens(asked)
    whole = str(sum("." not in node.name for node in found.nodes))
    return QuizQuestion(asked, "number", whole, {"value": whole, "all": str(len(found.nodes))})


def _given_up(asked: Asked) -> QuizQuestion:
    """Where branch and bound gives up."""
    is_knapsack = _is_knapsack(asked.tree)
    found = _Other(asked) if is_knapsack else _queens(asked)
    cut = (step.node for step in found.run.steps if step.kind == "cut")
    # Where all is packed, nothing is left to give up; a queen without a free square is no leaf.
    right = frozenset(node for node in cut if not is_knapsack or found.nodes[node].moves)
    return QuizQuestion(asked, "nodes", right, {"number": str(len(right))})


def _alike(asked: Asked) -> QuizQuestion:
    """The nodes of an information set: the player sees the same there, and must play alike."""
    found = _Other(asked)
    if found.tree.kind != "kuhn":
        raise ValueError("alike is asked about hidden cards: tree: kuhn")
    game, at = KuhnPoker(), NodeNames(found.tree.root).find(asked.node)
    state = found.nodes[at].state
    player = game.player(state)
    if player not in (0, 1):
        raise ValueError("alike is asked at a node with a player")
    right = frozenset(
        number
        for number, node in enumerate(found.nodes)
        if game.player(node.state) == player
        and game.sees(node.state, player) == game.sees(state, player)
    )
    told = {"player": "MIN" if player else "MAX", "number": str(len(right))}
    told["card"], _ = game.sees(state, player)
    return QuizQuestion(asked, "nodes", right, told, at=at)


_OTHERS: _Kinds = {
    "value": (_other_value, ("node", "search")),
    "move": (_other_move, ("search",)),
    "share": (_share, ("search", "number")),
    "cheapest": (_cheapest, ("search",)),
    "placements": (_placements, ()),
    "given-up": (_given_up, ()),
    "alike": (_alike, ("node",)),
}


# -- positions ----------------------------------------------------------------------------------


def _about_position(asked: Asked) -> QuizQuestion:
    """The move chosen by a search of fixed depth, with or without quiescence and extensions."""
    if asked.ask not in ("horizon", "quiescence") or asked.board is None:
        raise ValueError(f"about a position one can ask horizon, quiescence, not {asked.ask!r}")
    board, depth = asked.board
    found = compare(board, depth)
    moves = [found.without.moves[0], found.full.moves[0]]
    others = sorted(move.uci() for move in board.legal_moves if move.uci() not in moves)
    sans = [board.san(chess.Move.from_uci(move)) for move in [*moves, *others[:1]]]
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
    return QuizQuestion(asked, "choice", right, told, choices)


# -- battleships --------------------------------------------------------------------------------


def _shot(asked: Asked) -> QuizQuestion:
    """The square of a hidden fleet that a shot hits most likely; all fleets are equally likely."""
    game = Battleships()
    shots = sum(1 << square for square in asked.shots)
    hits = sum(1 << square for square, has_hit in asked.shots.items() if has_hit)
    fleet = next((one for one in game.fleets if sum(one) & shots == hits), None)
    if fleet is None or sum(fleet) == hits:
        raise ValueError("no fleet of three and two squares has these hits, or it is sunk")
    state = SeaState((fleet, fleet), (shots, 0))
    chances = game.hit_chances(state, 0)
    best = max(chances, key=lambda square: chances[square])
    # Only one square is right, even if others are as good: they are no choices.
    near = {chance: square for square, chance in chances.items() if chance != chances[best]}
    others = [near[chance] for chance in sorted(near, reverse=True)[:3]]
    choices = tuple(sorted(map(square_name, (best, *others))))
    told = {
        "hits": ", ".join(square_name(one) for one, has_hit in asked.shots.items() if has_hit),
        "misses": ", ".join(square_name(one) for one, hit in asked.shots.items() if not hit),
        "value": square_name(best),
        "part": str(chances[best]),
        "number": str(len(game.possible(state, 0))),
    }
    told = {name: value or "-" for name, value in told.items()}
    return QuizQuestion(asked, "choice", choices.index(told["value"]), told, choices)


def _kinds(tree: GameTree | SearchedTree) -> _Kinds:
    return _TWO_PLAYERS if isinstance(tree, GameTree) else _OTHERS


def keys_of(ask: str, tree: GameTree | SearchedTree) -> tuple[str, ...] | None:
    """The keys allowed besides `ask`, `tree` and `text`; None if there is no such question."""
    kind = _kinds(tree).get(ask)
    return kind[1] if kind else None


#: What can be asked.
ASKS = (*_TWO_PLAYERS, *_OTHERS, "horizon", "quiescence", "shot")

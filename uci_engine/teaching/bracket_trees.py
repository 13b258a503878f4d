"""Bracketed trees with chance nodes or several players, as a teacher writes them.

`(3 5)` is a node whose moves lead to 3 and to 5, as in `game_trees`. `[1/3:6 2/3:0]` is a chance
node, with a probability before each child; without probabilities, all are equally likely. A leaf
`1,2,6` has a number for each of three players, who take turns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from .drawn_game import PLAYERS
from .game_trees import MAX_VALUE, ONE_LEAF, Player, letter, quoted
from .recorded import Figure, RecordedNode, Worth

#: A larger tree is rejected: nobody could follow it.
MAX_NODES = 5000

#: Maximum depth of nested brackets.
MAX_DEPTH = 50

_TOKEN = re.compile(r"[()\[\]]|[^\s()\[\]]+")
_CHANCE = re.compile(r"(\d{1,6}(?:/[1-9]\d{0,5})?):(.*)")
_NUMBER = re.compile(r"-?\d{1,7}(?:/[1-9]\d{0,5})?")
_VECTOR = re.compile(r"-?\d{1,7}(?:,-?\d{1,7}){2}")


def is_max_n(text: str) -> bool:
    """Whether the tree's leaves are those of three players."""
    return "," in text


def read_bracket_tree(text: str, player: Player = "max") -> RecordedNode:
    """Read a tree.

    :param player: the player to move at the root of a MAX/MIN tree.
    :raises ValueError: if it is not a tree, or too large.

    >>> read_bracket_tree("(3 [1/3:6 2/3:0])").size
    5
    """
    order: Sequence[Figure] = PLAYERS
    if not is_max_n(text):
        order = ("max", "min") if player == "max" else ("min", "max")
    return _Reader(text, order).read()


class _Reader:
    def __init__(self, text: str, order: Sequence[Figure]) -> None:
        plain = text.replace("\N{MINUS SIGN}", "-")  # as the pages print it
        self._tokens = _TOKEN.findall(plain)[::-1]
        if len(self._tokens) > 2 * MAX_NODES:
            raise ValueError(f"a tree has at most {MAX_NODES:,} nodes")
        self._order = order
        self._letters = 0

    def read(self) -> RecordedNode:
        """The whole tree."""
        if not self._tokens or self._tokens[-1] not in ("(", "["):
            raise ValueError(
                "a tree is one pair of brackets around everything, such as ((3 5) (2 9))"
            )
        root = self._node(self._tokens.pop(), 0, 0)
        if self._tokens:
            raise ValueError("a tree has a closing bracket for each opening one, and not more")
        if sum(not node.moves for node in root.walk()) < 2:
            raise ValueError(ONE_LEAF)
        return root

    def _node(self, token: str, turn: int, depth: int) -> RecordedNode:
        """A node whose first token has been read."""
        if token not in ("(", "["):
            return RecordedNode("leaf", worth=self._worth(token))
        if depth > MAX_DEPTH:
            raise ValueError(f"a tree has at most {MAX_DEPTH} nested brackets")
        name = letter(self._letters)
        self._letters += 1
        if token == "(":
            figure, children = self._order[turn % len(self._order)], self._moves(turn, depth)
        else:
            figure, children = "chance", self._outcomes(turn, depth)
        moves = tuple((str(number), child) for number, child in enumerate(children, 1))
        return RecordedNode(figure, name, moves)

    def _moves(self, turn: int, depth: int) -> list[RecordedNode]:
        """The children of a player's node."""
        return [self._node(token, turn + 1, depth + 1) for token in self._until(")")]

    def _outcomes(self, turn: int, depth: int) -> list[RecordedNode]:
        """The children of a chance node, each with its probability."""
        found: list[tuple[Fraction | None, RecordedNode]] = []
        for token in self._until("]"):
            share = None
            if match := _CHANCE.fullmatch(token):
                share = Fraction(match[1])
                token = match[2] or self._take("]")
            found.append((share, self._node(token, turn, depth + 1)))
        equal = Fraction(1, len(found)) if all(share is None for share, _ in found) else None
        shares = [share or equal or Fraction(0) for share, _ in found]
        if sum(shares) != 1 or 0 in shares:
            total = sum(shares)
            raise ValueError(f"the probabilities of a node add up to 1, each above 0, not {total}")
        return [
            replace(node, chance=share, note=str(share))
            for share, (_, node) in zip(shares, found, strict=True)
        ]

    def _until(self, closing: str) -> Iterator[str]:
        """The first token of each child, up to the closing bracket."""
        is_empty = True
        while (token := self._take(closing)) != closing:
            if token in (")", "]"):
                raise ValueError(f"a tree has a {closing} where there is a {token}")
            yield token
            is_empty = False
        if is_empty:
            raise ValueError("a node in brackets needs children")

    def _take(self, closing: str) -> str:
        if not self._tokens:
            raise ValueError(f"a tree has a {closing} for each opening bracket")
        return str(self._tokens.pop())

    def _worth(self, token: str) -> Worth:
        if len(self._order) == len(PLAYERS):
            if not _VECTOR.fullmatch(token):
                raise ValueError(
                    f"a leaf has a number for each player, as 1,2,6, not {quoted(token)}"
                )
            return tuple(int(one) for one in token.split(","))
        if not _NUMBER.fullmatch(token) or abs(Fraction(token)) > MAX_VALUE:
            raise ValueError(f"a leaf is a number, as 3 or -7/2, not {quoted(token)}")
        return Fraction(token)

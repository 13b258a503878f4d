"""python-chess's PGN reader on our board: `chess.pgn.read_game(file, Visitor=GameBuilder)`.

The reader takes its board from the headers of the visitor's game, so these are what is replaced.
Games of a variant keep the variant's board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, overload

import chess.pgn

from .public_board import Board

GameT = TypeVar("GameT", bound=chess.pgn.Game)


class Headers(chess.pgn.Headers):
    """Headers whose board is ours."""

    def variant(self) -> type[chess.Board]:
        """The class of the game's boards."""
        variant = super().variant()
        return Board if variant is chess.Board else variant


class Game(chess.pgn.Game):
    """A game whose boards, like those of its nodes, are ours."""

    def __init__(
        self, headers: Mapping[str, str] | Iterable[tuple[str, str]] | None = None
    ) -> None:
        super().__init__(headers)
        self.headers = Headers(self.headers)


_ChildNode = chess.pgn.ChildNode
_add_variation = chess.pgn.GameNode.add_variation
_FIELDS = {"parent", "move", "variations", "comment", "starting_comment", "nags"}
#: Whether `new_child` fills all attributes of a node; another python-chess may have more.
_IS_KNOWN = vars(_ChildNode(chess.pgn.Game(), chess.Move.null())).keys() == _FIELDS


def new_child(parent: chess.pgn.GameNode, move: chess.Move, starting_comment: str) -> _ChildNode:
    """The same as `parent.add_variation()`, in a third of the time.

    On our boards, python-chess's reader spends most of its time creating nodes.
    """
    if not _IS_KNOWN or type(parent).add_variation is not _add_variation:
        return parent.add_variation(move, starting_comment=starting_comment)
    node = _ChildNode.__new__(_ChildNode)
    node.parent = parent
    node.move = move
    node.variations = []
    node.comment = ""
    node.starting_comment = starting_comment
    node.nags = set()
    parent.variations.append(node)
    return node


class GameBuilder(chess.pgn.GameBuilder[GameT]):
    """python-chess's default visitor, building a `Game` of this module.

    :param Game: another class of games, as in python-chess; its headers determine the class of
        boards.
    """

    # Lets type checkers infer the class of the games, as in python-chess.
    @overload
    def __init__(self: GameBuilder[Game]) -> None: ...
    @overload
    def __init__(self: GameBuilder[GameT], *, Game: type[GameT]) -> None: ...  # noqa: N803
    def __init__(self, *, Game: Any = Game) -> None:  # noqa: N803 (as python-chess has it)
        super().__init__(Game=Game)

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        """Add a node, like python-chess's visitor."""
        stack = self.variation_stack
        stack[-1] = new_child(stack[-1], move, self.starting_comment)
        self.starting_comment = ""
        self.in_variation = True

"""python-chess's PGN reader on our board: `chess.pgn.read_game(file, Visitor=GameBuilder)`.

The reader takes its board from the headers of the game that the visitor builds, so that is what
differs here. Games of a variant have the board of that variant.
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
    """A game whose boards, and those of its nodes, are ours."""

    def __init__(
        self, headers: Mapping[str, str] | Iterable[tuple[str, str]] | None = None
    ) -> None:
        super().__init__(headers)
        self.headers = Headers(self.headers)


_ChildNode = chess.pgn.ChildNode
_add_variation = chess.pgn.GameNode.add_variation
_FIELDS = {"parent", "move", "variations", "comment", "starting_comment", "nags"}
#: Whether a node is what `new_child` makes of it; another python-chess may have more to fill.
_IS_KNOWN = vars(_ChildNode(chess.pgn.Game(), chess.Move.null())).keys() == _FIELDS


def new_child(parent: chess.pgn.GameNode, move: chess.Move, starting_comment: str) -> _ChildNode:
    """What `parent.add_variation()` makes, in a third of the time.

    Making the nodes is what python-chess's reader spends most of its time on, on our boards.
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
    """python-chess's default visitor, which builds a `Game` of this module.

    :param Game: another class of games, as for python-chess's; of what its headers are, so are
        its boards.
    """

    # Type checkers find the class of the games here, as with python-chess's.
    @overload
    def __init__(self: GameBuilder[Game]) -> None: ...
    @overload
    def __init__(self: GameBuilder[GameT], *, Game: type[GameT]) -> None: ...  # noqa: N803
    def __init__(self, *, Game: Any = Game) -> None:  # noqa: N803 (as python-chess has it)
        super().__init__(Game=Game)

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        """Add a node, as python-chess's visitor does."""
        stack = self.variation_stack
        stack[-1] = new_child(stack[-1], move, self.starting_comment)
        self.starting_comment = ""
        self.in_variation = True

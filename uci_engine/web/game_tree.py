"""The game that pages show, as python-chess's tree whose nodes have numbers.

A node keeps its number as long as the game is shown; another game has another version.
"""

from __future__ import annotations

from typing import Any

import chess
import chess.pgn
import chess.svg

from ..base.text import on_one_line
from ..board.pgn import pgn_text
from ..display.board_tree import ARROW_COLORS, COMMAND, node_record, tree_data

#: The longest comment, in characters.
MAX_COMMENT = 10_000

#: The most arrows and circles of a position.
MAX_ARROWS = 100

#: The signs for moves and positions that a user may set.
NAGS = (1, 2, 3, 4, 5, 6, 10, 13, 14, 15, 16, 17, 18, 19)


class TreeError(ValueError):
    """Why something cannot be done with the tree, in one line."""


class PageTree:
    """A game with numbers for its nodes.

    :param version: another one than that of the game before.
    """

    def __init__(self, game: chess.pgn.Game, version: int = 0) -> None:
        self.game = game
        self.version = version
        self.evaluations: dict[chess.pgn.GameNode, tuple[str, float]] = {}
        self.reasons: dict[chess.pgn.GameNode, list[str]] = {}
        self.reviews: dict[chess.pgn.GameNode, dict[str, Any]] = {}
        self._nodes: list[chess.pgn.GameNode | None] = []
        self._numbers: dict[chess.pgn.GameNode, int] = {}
        self.data()

    def data(self) -> dict[str, Any]:
        """The whole tree for a page."""

        def facts(node: chess.pgn.GameNode, board: chess.Board) -> dict[str, Any]:
            return {**self._place(node), **self._known(node)}

        return tree_data(self.game, facts)

    def _place(self, node: chess.pgn.GameNode) -> dict[str, int]:
        place = {"id": self.number(node)}
        if node.parent:
            place["parent"] = self.number(node.parent)
        return place

    def number(self, node: chess.pgn.GameNode) -> int:
        """The number of a node; a new one has the next."""
        if node not in self._numbers:
            self._numbers[node] = len(self._nodes)
            self._nodes.append(node)
        return self._numbers[node]

    def _known(self, node: chess.pgn.GameNode) -> dict[str, Any]:
        """What the review of the game says of a node, and what an engine found later."""
        known = dict(self.reviews.get(node, {}))
        if any(nag <= chess.pgn.NAG_DUBIOUS_MOVE for nag in node.nags):
            known.pop("nags", None)  # the user's sign for the move stays
        if node in self.evaluations:
            text, chances = self.evaluations[node]
            known |= {"eval": text, "chances": round(chances, 1)}
        return known

    def node(self, number: int) -> chess.pgn.GameNode:
        """The node with a number.

        :raises TreeError: if there is none, or none any more.
        """
        node = self._nodes[number] if 0 <= number < len(self._nodes) else None
        if node is None:
            raise TreeError("there is no such move")
        return node

    def record(self, node: chess.pgn.GameNode) -> dict[str, Any]:
        """The record of a node that is not the first."""
        assert isinstance(node, chess.pgn.ChildNode)
        record = node_record(node, node.parent.board())
        return {**self._place(node), **record, **self._known(node)}

    def play(self, node: chess.pgn.GameNode, move: str) -> tuple[chess.pgn.ChildNode, bool]:
        """The node behind a move, and whether it is new.

        :param move: in UCI; `0000` passes.
        :raises TreeError: if it is illegal.
        """
        board = node.board()
        try:
            parsed = board.parse_uci(move[:8])
        except ValueError:
            raise TreeError("that is not a legal move") from None
        if not parsed and board.is_check():
            raise TreeError("a side in check cannot pass")
        if node.has_variation(parsed):
            return node.variation(parsed), False
        return node.add_variation(parsed), True

    def delete(self, node: chess.pgn.GameNode) -> chess.pgn.GameNode:
        """Remove a move and all behind it; the node before it.

        :raises TreeError: at the beginning.
        """
        if not isinstance(node, chess.pgn.ChildNode):
            raise TreeError("there is no move to delete")
        node.parent.remove_variation(node)
        waiting: list[chess.pgn.GameNode] = [node]
        while waiting:
            removed = waiting.pop()
            self._nodes[self.number(removed)] = None
            waiting += removed.variations
        return node.parent

    def promote(self, node: chess.pgn.GameNode) -> None:
        """Make the line of a node the main line, on the whole way."""
        while isinstance(node, chess.pgn.ChildNode):
            node.parent.promote_to_main(node)
            node = node.parent

    def comment(self, node: chess.pgn.GameNode, text: str) -> None:
        """Set the text behind a move; marks for programs in it stay."""
        plain = on_one_line(text[:MAX_COMMENT]).replace("}", ")").strip()
        commands = map(str.strip, COMMAND.findall(node.comment))
        node.comment = " ".join(filter(None, [*commands, plain]))

    def draw(self, node: chess.pgn.GameNode, arrows: object) -> None:
        """Set the arrows and circles of a position.

        :param arrows: of each the square where it begins, where it ends, and its colour.
        :raises TreeError: if they are something else.
        """
        if not isinstance(arrows, list) or len(arrows) > MAX_ARROWS:
            raise TreeError(f"not a list of at most {MAX_ARROWS} arrows")
        drawn = []
        for arrow in arrows:
            match arrow:
                case [str(tail), str(head), str(color)] if {tail, head} <= set(
                    chess.SQUARE_NAMES
                ) and color in ARROW_COLORS:
                    squares = chess.parse_square(tail), chess.parse_square(head)
                    drawn.append(chess.svg.Arrow(*squares, color=color))
                case _:
                    raise TreeError("not an arrow")
        node.set_arrows(drawn)

    def mark(self, node: chess.pgn.GameNode, nag: int) -> None:
        """Set the sign of a move; 0 removes all.

        :raises TreeError: if there is no such symbol.
        """
        if nag and nag not in NAGS:
            raise TreeError("there is no such symbol")
        if isinstance(node, chess.pgn.ChildNode):
            node.nags = {nag} if nag else set()

    def pgn(self) -> str:
        """The game as PGN, with a line break at its end."""
        return pgn_text(self.game) + "\n"

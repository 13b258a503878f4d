"""The game shown on the pages: python-chess's tree with numbered nodes.

A node keeps its number while the game is shown; each new game gets a new version.
"""

from __future__ import annotations

from typing import Any

import chess
import chess.pgn
import chess.svg

from ..base.text import on_one_line
from ..board.pgn import pgn_text
from ..display.board_tree import ARROW_COLORS, COMMAND, node_record, tree_data

#: Maximum length of a comment, in characters.
MAX_COMMENT = 10_000

#: Maximum number of arrows and circles in a position.
MAX_ARROWS = 100

#: NAGs that a user may set on a move or position.
NAGS = (1, 2, 3, 4, 5, 6, 10, 13, 14, 15, 16, 17, 18, 19)


class TreeError(ValueError):
    """A change that the tree does not allow; the message is one line."""


class PageTree:
    """A game whose nodes are numbered.

    :param version: must differ from the previous game's.
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
        """The whole tree as data for a page."""

        def facts(node: chess.pgn.GameNode, board: chess.Board) -> dict[str, Any]:
            return {**self._place(node), **self._known(node)}

        return tree_data(self.game, facts)

    def _place(self, node: chess.pgn.GameNode) -> dict[str, int]:
        place = {"id": self.number(node)}
        if node.parent:
            place["parent"] = self.number(node.parent)
        return place

    def number(self, node: chess.pgn.GameNode) -> int:
        """The number of a node; a new node gets the next free one."""
        if node not in self._numbers:
            self._numbers[node] = len(self._nodes)
            self._nodes.append(node)
        return self._numbers[node]

    def _known(self, node: chess.pgn.GameNode) -> dict[str, Any]:
        """What the review, or later an engine, found out about a node."""
        known = dict(self.reviews.get(node, {}))
        if any(nag <= chess.pgn.NAG_DUBIOUS_MOVE for nag in node.nags):
            known.pop("nags", None)  # keep the user's own sign
        if node in self.evaluations:
            text, chances = self.evaluations[node]
            known |= {"eval": text, "chances": round(chances, 1)}
        return known

    def node(self, number: int) -> chess.pgn.GameNode:
        """The node with this number.

        :raises TreeError: if there is none, or it was deleted.
        """
        node = self._nodes[number] if 0 <= number < len(self._nodes) else None
        if node is None:
            raise TreeError("there is no such move")
        return node

    def has(self, node: chess.pgn.GameNode) -> bool:
        """Whether a node has not been deleted."""
        return self._nodes[self.number(node)] is node

    def record(self, node: chess.pgn.GameNode) -> dict[str, Any]:
        """The record of a node other than the root."""
        assert isinstance(node, chess.pgn.ChildNode)
        record = node_record(node, node.parent.board())
        return {**self._place(node), **record, **self._known(node)}

    def play(self, node: chess.pgn.GameNode, move: str) -> tuple[chess.pgn.ChildNode, bool]:
        """The node reached by a move, and whether it is new.

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
        """Delete a move and everything after it; return the node before it.

        :raises TreeError: at the root.
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
        """Make the line through this node the main line, from the root on."""
        while isinstance(node, chess.pgn.ChildNode):
            node.parent.promote_to_main(node)
            node = node.parent

    def comment(self, node: chess.pgn.GameNode, text: str) -> None:
        """Set the comment on a move; keep commands such as `[%clk]`."""
        plain = on_one_line(text[:MAX_COMMENT]).replace("}", ")").strip()
        commands = map(str.strip, COMMAND.findall(node.comment))
        node.comment = " ".join(filter(None, [*commands, plain]))

    def draw(self, node: chess.pgn.GameNode, arrows: object) -> None:
        """Set the arrows and circles of a position.

        :param arrows: for each, its start square, end square and colour.
        :raises TreeError: if one is malformed.
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
        """Set the sign of a move; 0 removes all signs.

        :raises TreeError: if there is no such sign.
        """
        if nag and nag not in NAGS:
            raise TreeError("there is no such symbol")
        if isinstance(node, chess.pgn.ChildNode):
            node.nags = {nag} if nag else set()

    def pgn(self) -> str:
        """The game as PGN, ending with a line break."""
        return pgn_text(self.game) + "\n"

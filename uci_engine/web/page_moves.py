"""The changes that pages make to the move tree."""

from __future__ import annotations

from ..display.board_tree import arrow_records
from .page_match import PageMatch
from .page_messages import Message, MessageError, number_in, text_in
from .page_view import PageView
from .shared_board import SharedBoard

#: Maximum length of an added line, in plies.
MAX_LINE = 200


class PageMoves:
    """Adds moves, comments and arrows, and reorders variations."""

    def __init__(self, board: SharedBoard, view: PageView, match: PageMatch) -> None:
        self._board = board
        self._view = view
        self._match = match

    def do_move(self, message: Message) -> None:
        """Play a move; during a game, the engine answers."""
        before = self._board.node_in(message)
        node, is_new = self._board.tree.play(before, text_in(message, "move", 8))
        if not self._match.take_move(before, node, is_new):
            self._view.show_move(node, is_new)

    def do_line(self, message: Message) -> None:
        """Add a line of moves, and show its end."""
        node = self._board.node_in(message)
        moves = message.get("moves")
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise MessageError("not a line")
        for move in moves[:MAX_LINE]:
            node, is_new = self._board.tree.play(node, move)
            if is_new:
                self._board.tell_node(node)
        self._view.go(node)

    def do_delete(self, message: Message) -> None:
        """Delete a move and everything after it."""
        node = self._board.node_in(message)
        self._match.end_if_in(node)
        self._view.show_tree(self._board.tree.delete(node))

    def do_promote(self, message: Message) -> None:
        """Promote a line to the main line."""
        node = self._board.node_in(message)
        self._board.tree.promote(node)
        self._view.show_tree(node)

    def do_comment(self, message: Message) -> None:
        """Set the comment on a move."""
        node = self._board.node_in(message)
        self._board.tree.comment(node, text_in(message, "text", 100_000))
        self._view.show_tree(node)

    def do_arrows(self, message: Message) -> None:
        """Set the arrows and circles of a position: two squares and a colour each."""
        node = self._board.node_in(message)
        self._board.tree.draw(node, message.get("arrows"))
        arrows = {"arrows": arrow_records(node), "tag": self._board.tag}
        self._board.tell({**self._board.about("arrows", node), **arrows})
        self._board.tell({"type": "pgn", "text": self._board.tree.pgn()})

    def do_mark(self, message: Message) -> None:
        """Set the sign of a move."""
        node = self._board.node_in(message)
        self._board.tree.mark(node, number_in(message, "nag"))
        self._view.show_tree(node)

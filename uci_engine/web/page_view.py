"""Shows positions, and what is known about them."""

from __future__ import annotations

import asyncio

import chess
import chess.pgn

from ..board.game_end import natural_end
from ..display.board_tree import fen_text, legal_steps
from .page_data import Knowledge, terms
from .page_engines import PageEngines
from .page_messages import Message
from .page_reasons import PageReasons
from .shared_board import SharedBoard


class PageView:
    """Moves all pages to a position, and has the engines analyse it."""

    def __init__(
        self,
        board: SharedBoard,
        engines: PageEngines,
        reasons: PageReasons,
        knowledge: Knowledge,
    ) -> None:
        self._board = board
        self._engines = engines
        self._reasons = reasons
        self._knowledge = knowledge

    def messages(self) -> list[Message]:
        """Everything known about the shown position."""
        return [*self._messages_at_once(), *self._messages_later()]

    def _messages_at_once(self) -> list[Message]:
        """What a page needs to move on, and a requested explanation."""
        board = self._board.at.board()
        end = natural_end(board)
        known = {
            "fen": fen_text(board),
            "rights": _castling_rights(board),
            "legal": [] if self._board.is_engines_turn() else legal_steps(board),
            "end": f"{end.result} {end.reason}" if end else "",
            "opening": self._knowledge.opening(board),
            "book": self._knowledge.book(board),
        }
        return [{**self._board.about("position"), **known}, *self._reasons.messages()]

    def _messages_later(self) -> list[Message]:
        """What may arrive a little later."""
        board = self._board.at.board()
        known = {"tablebase": self._knowledge.tablebase(board), "terms": terms(board)}
        pgn = {"type": "pgn", "text": self._board.tree.pgn()}
        return [{**self._board.about("facts"), **known}, pgn]

    def tell_position(self) -> None:
        """Send the position at once, and the rest afterwards if it is still shown."""
        for message in self._messages_at_once():
            self._board.tell(message)
        asyncio.get_running_loop().call_soon(self._tell_later, self._board.at)
        for follow in self._board.followers:
            follow()

    def _tell_later(self, node: chess.pgn.GameNode) -> None:
        if node is self._board.at:
            for message in self._messages_later():
                self._board.tell(message)

    def retell(self) -> None:
        """Send the whole tree and the position again."""
        for message in (self._board.tree_message(), *self.messages()):
            self._board.tell(message)

    def _show(self, node: chess.pgn.GameNode) -> None:
        if node is not self._board.at:
            self._reasons.stop()
        self._board.at = node

    def go(self, node: chess.pgn.GameNode) -> None:
        """Show a node."""
        self._show(node)
        self._board.tell({**self._board.about("at"), "tag": self._board.tag})
        self.tell_position()
        self._engines.ask()

    def show_move(self, node: chess.pgn.GameNode, is_new: bool) -> None:
        """Show a node, which may be new."""
        if is_new:
            self._board.tell_node(node)
        self.go(node)

    def show_tree(self, node: chess.pgn.GameNode) -> None:
        """Show a node of a tree that was reordered or replaced."""
        self._show(node)
        self._board.tell(self._board.tree_message())
        self.tell_position()
        self._board.tell_state()
        self._engines.ask()

    def do_go(self, message: Message) -> None:
        """Show another position."""
        self.go(self._board.node_in(message))


def _castling_rights(board: chess.Board) -> str:
    """Castling rights as in a FEN of standard chess; the rook's file does not matter here."""
    rights = ""
    for color, letters in ((chess.WHITE, "KQ"), (chess.BLACK, "kq")):
        rights += letters[0] if board.has_kingside_castling_rights(color) else ""
        rights += letters[1] if board.has_queenside_castling_rights(color) else ""
    return rights

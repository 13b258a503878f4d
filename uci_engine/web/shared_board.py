"""The game that all pages show, and the shown position."""

from __future__ import annotations

from collections.abc import Callable

import chess.pgn

from .game_tree import PageTree
from .page_messages import Message, number_in
from .reading import Opened


class SharedBoard:
    """The game that all pages show, the shown position, and how pages are informed.

    :param opened: the game to show first.
    :param tell: called with every message for all pages.
    :param state: returns the message with the engines' and the match's state.
    :ivar tag: lets a page recognise the answer to its own message.
    :ivar game_key: a different object for each game.
    :ivar is_engines_turn: whether an engine is to move in the shown position of a match.
    :ivar ends: callbacks that end what belongs to a game when another one is opened.
    :ivar starts: callbacks for when another game has been opened, before the pages are informed.
    :ivar followers: callbacks for when another position is shown.
    """

    def __init__(
        self, opened: Opened, tell: Callable[[Message], None], state: Callable[[], Message]
    ) -> None:
        self.tell = tell
        self.tag = ""
        self.tree = PageTree(opened.game)
        self.at: chess.pgn.GameNode = opened.game
        self.warning = opened.warning
        self.game_key: object = object()
        self.is_engines_turn: Callable[[], bool] = lambda: False
        self.ends: list[Callable[[], None]] = []
        self.starts: list[Callable[[], None]] = []
        self.followers: list[Callable[[], None]] = []
        self._state = state

    def open(self, opened: Opened) -> None:
        """Replace the game without informing the pages."""
        for end in self.ends:
            end()
        self.warning = opened.warning
        self.tree = PageTree(opened.game, self.tree.version + 1)
        self.game_key = object()
        for start in self.starts:
            start()

    def node_in(self, message: Message) -> chess.pgn.GameNode:
        """The position that a message refers to.

        :raises ValueError: if there is none.
        """
        return self.tree.node(number_in(message, "at"))

    def about(self, kind: str, node: chess.pgn.GameNode | None = None) -> Message:
        """The start of a message about a position; by default the shown one."""
        number = self.tree.number(node or self.at)
        return {"type": kind, "at": number, "version": self.tree.version}

    def tree_message(self) -> Message:
        """The whole tree."""
        tree = {"tree": self.tree.data(), "tag": self.tag, "warning": self.warning}
        return {**self.about("tree"), **tree}

    def tell_node(self, node: chess.pgn.GameNode) -> None:
        """Send a new node to the pages."""
        record = self.tree.record(node)
        self.tell({"type": "node", "record": record, "version": self.tree.version})

    def tell_state(self) -> None:
        """Send the engines' and the match's state to the pages."""
        self.tell(self._state())

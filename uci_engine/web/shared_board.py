"""The game that all pages show, and where they are in it."""

from __future__ import annotations

from collections.abc import Callable

import chess.pgn

from .game_tree import PageTree
from .page_messages import Message, number_in
from .reading import Opened


class SharedBoard:
    """The game that all pages show, the position in it that they show, and how they are told.

    :param opened: what is shown first.
    :param tell: called with every message for all pages.
    :param state: the message that says what is switched on, and how a match stands.
    :ivar tag: by which a page recognises the answer to its own message.
    :ivar game_key: another object for another game.
    :ivar is_engines_turn: says whether an engine is to move in the shown position of a match.
    :ivar ends: what belongs to a game and ends when another one is shown.
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
        self._state = state

    def open(self, opened: Opened) -> None:
        """Have another game, which nobody is told yet."""
        for end in self.ends:
            end()
        self.warning = opened.warning
        self.tree = PageTree(opened.game, self.tree.version + 1)
        self.game_key = object()

    def node_in(self, message: Message) -> chess.pgn.GameNode:
        """The position that a message is about.

        :raises ValueError: if there is none.
        """
        return self.tree.node(number_in(message, "at"))

    def about(self, kind: str, node: chess.pgn.GameNode | None = None) -> Message:
        """The beginning of a message about a position; by default the shown one."""
        number = self.tree.number(node or self.at)
        return {"type": kind, "at": number, "version": self.tree.version}

    def tree_message(self) -> Message:
        """The whole tree."""
        tree = {"tree": self.tree.data(), "tag": self.tag, "warning": self.warning}
        return {**self.about("tree"), **tree}

    def tell_node(self, node: chess.pgn.GameNode) -> None:
        """Tell a node that is new."""
        record = self.tree.record(node)
        self.tell({"type": "node", "record": record, "version": self.tree.version})

    def tell_state(self) -> None:
        """Tell what is switched on, and how a match stands."""
        self.tell(self._state())

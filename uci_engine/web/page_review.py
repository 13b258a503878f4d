"""The review of the whole shown game, for all pages."""

from __future__ import annotations

import asyncio
import contextlib

import chess.pgn

from ..base.limits import Limits
from ..batch import DEFAULT_SECONDS_EACH
from .page_engines import PageEngines
from .page_messages import Message, MessageError, seconds_in
from .page_view import PageView
from .review import Review
from .shared_board import SharedBoard


class PageReview:
    """Analyses the shown game in the background.

    :param is_wanted: whether to start as soon as a page is open.
    """

    def __init__(
        self, board: SharedBoard, view: PageView, engines: PageEngines, is_wanted: bool
    ) -> None:
        self._board = board
        self._view = view
        self._engines = engines
        self._is_wanted = is_wanted
        self._review: Review | None = None
        self._finished: list[tuple[chess.pgn.Game, Review]] = []
        board.ends.append(self._leave)
        board.starts.append(self._return)

    @property
    def is_running(self) -> bool:
        """Whether a game is being analysed."""
        return self._review is not None and self._review.is_running

    def begin_if_wanted(self) -> None:
        """Analyse a game from a file, once, when a page is opened."""
        if self._is_wanted:
            self._is_wanted = False
            with contextlib.suppress(ValueError):  # nobody asked for it
                self._begin(DEFAULT_SECONDS_EACH)

    def begin(self, message: Message) -> None:
        """Analyse the whole game in the background.

        :raises ValueError: if that is impossible; the message is one line.
        """
        self._begin(seconds_in(message, DEFAULT_SECONDS_EACH, "position"))

    def _begin(self, seconds: float) -> None:
        if not self._board.tree.game.variations:
            raise MessageError("the game has no moves")
        loop = asyncio.get_running_loop()

        def tell() -> None:
            loop.call_soon_threadsafe(self._hear, review)

        limits = Limits(move_time_ms=round(seconds * 1000))
        review = Review(self._board.tree.game, limits, tell)
        self.end()
        self._review = review
        review.start()
        self._board.tell(self._message(review))

    def end(self) -> None:
        """End the analysis, and discard its results."""
        if self._review:
            self.stop()
            self._review = None
            self._board.tell({"type": "review", "size": 0})

    def _leave(self) -> None:
        """End the analysis; if it is finished, keep it in case the user returns to the game."""
        if self._review and self._is_done(self._review):
            # The shown game and the one before it.
            self._finished = [(self._board.tree.game, self._review), *self._finished[:1]]
        self.end()

    def _return(self) -> None:
        """Show the finished analysis of a game that is shown again."""
        for game, review in self._finished:
            if game is self._board.tree.game and self._review is None:
                self._review = review
                self._record(review)
                # After the tree, which makes its version known.
                asyncio.get_running_loop().call_soon(self._tell)

    def _tell(self) -> None:
        for message in self.messages():
            self._board.tell(message)

    def stop(self) -> None:
        """Stop the analysis, and keep its results."""
        if self._review:
            self._review.stop()

    def do_stop_review(self, message: Message) -> None:
        """Stop the analysis of the whole game."""
        self.end()

    def _hear(self, review: Review) -> None:
        if self._review is not review:
            return
        self._mark(review)
        if self._is_done(review):
            self._record(review)
            self._view.retell()
            for message in self._engines.heard():
                self._board.tell(message)
        self._board.tell(self._message(review))

    @staticmethod
    def _is_done(review: Review) -> bool:
        return bool(review.facts) and not review.is_running

    def _record(self, review: Review) -> None:
        self._board.tree.reviews = dict(zip(review.nodes, review.facts, strict=True))

    def _mark(self, review: Review) -> None:
        """Send the moves judged so far, while the others are analysed."""
        tree = self._board.tree
        while not review.fresh.empty():
            node, facts = review.fresh.get()
            tree.reviews[node] = facts
            if tree.has(node):
                self._board.tell_node(node)

    def messages(self) -> list[Message]:
        """The progress of the analysis, if there is one."""
        return [self._message(self._review)] if self._review else []

    def _message(self, review: Review) -> Message:
        is_done = self._is_done(review)
        return {
            "type": "review",
            "version": self._board.tree.version,
            "tag": self._board.tag,
            "done": review.done,
            "size": len(review.nodes),
            "running": review.is_running,
            "failure": review.failure,
            "nodes": [self._board.tree.number(node) for node in review.nodes] if is_done else [],
            "summary": review.summary if is_done else [],
        }

    def file(self, name: str) -> bytes | None:
        """The graph, report or annotated PGN of this name, if there is one."""
        return self._review.files.get(name) if self._review else None

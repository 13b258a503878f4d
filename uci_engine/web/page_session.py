"""What the pages of one board share: the game, the engines, and a game against one of them.

Pages send messages `{"do": NAME, ...}`, and `BoardSession.handle()` passes each to the part with a
method `do_NAME`. Changes are sent to all pages as messages `{"type": NAME, ...}`. Both are plain
data, independent of how they are transported.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from ..base.os_errors import words_of
from ..base.text import visible
from ..client.engine_errors import UciError
from .page_data import Knowledge
from .page_engines import EngineSetup, PageEngines
from .page_explorer import PageExplorer
from .page_games import PageGames
from .page_match import PageMatch
from .page_messages import Message, MessageError
from .page_moves import PageMoves
from .page_reasons import PageReasons
from .page_review import PageReview
from .page_view import PageView
from .reading import Opened, ReadGames
from .shared_board import SharedBoard

_Action = Callable[[Message], Awaitable[None] | None]


class BoardSession:
    """One board, shared by any number of pages.

    :param opened: the game to show first.
    :param games: the file that it comes from.
    :param engines: Halbzug first, then others.
    :param tell: called with every message for all pages.
    :param explored: PGN files for the opening explorer.
    """

    def __init__(
        self,
        opened: Opened,
        games: ReadGames | None,
        engines: Sequence[EngineSetup],
        knowledge: Knowledge,
        tell: Callable[[Message], None],
        explored: Sequence[Path] = (),
    ) -> None:
        # a game from a file is analysed as soon as a page shows it
        wants_review = games is not None and len(games) == 1
        self._knowledge = knowledge
        self._lock = asyncio.Lock()
        self._board = SharedBoard(opened, tell, self._state)
        self._engines = PageEngines(self._board, engines)
        self._reasons = PageReasons(self._board, self._engines)
        self._view = PageView(self._board, self._engines, self._reasons, knowledge)
        self._games = PageGames(self._board, self._view, games)
        self._explorer = PageExplorer(self._board, self._games, explored)
        self._review = PageReview(self._board, self._view, self._engines, wants_review)
        self._match = PageMatch(self._board, self._view, self._engines, self._review, self._games)
        moves = PageMoves(self._board, self._view, self._match)
        parts = (self, self._engines, self._reasons, self._view, self._games, self._review)
        self._actions: dict[str, _Action] = {
            name.removeprefix("do_"): getattr(part, name)
            for part in (*parts, self._match, self._explorer, moves)
            for name in dir(part)
            if name.startswith("do_")
        }

    async def close(self) -> None:
        """Stop all engines, and close the files."""
        self._review.stop()
        self._explorer.close()
        parts = (self._match, self._reasons, self._engines)
        await asyncio.gather(*(part.close() for part in parts))
        self._knowledge.close()

    def greeting(self) -> list[Message]:
        """The messages that bring a newly opened page up to date."""
        return [
            self._board.tree_message(),
            *self._view.messages(),
            self._state(),
            *self._games.messages(),
            *self._engines.heard(),
            *self._review.messages(),
            *self._explorer.messages(),
        ]

    def _state(self) -> Message:
        return {
            "type": "state",
            **self._engines.state(),
            "chess960": self._board.tree.game.board().chess960,
            **self._match.state(),
            **self._games.state(),
        }

    def watch(self, is_watched: bool) -> None:
        """Run the engines while a page is open."""
        if is_watched == self._engines.is_watched:
            return
        self._engines.is_watched = is_watched
        self._engines.ask()
        self._review.begin_if_wanted()
        self._explorer.begin()

    def do_review(self, message: Message) -> None:
        """Analyse the whole game in the background."""
        if self._match.is_played:
            raise MessageError("the game against the engine is not over")
        self._review.begin(message)

    def review_file(self, name: str) -> bytes | None:
        """The graph, report or annotated PGN of the whole game, if there is one."""
        return self._review.file(name)

    async def handle(self, message: object, reply: Callable[[Message], None]) -> None:
        """Carry out a page's message; `reply` sends errors to that page alone."""
        async with self._lock:
            if not isinstance(message, dict) or not isinstance(message.get("do"), str):
                reply({"type": "error", "text": "not a message"})
                return
            version = self._board.tree.version
            if "at" in message and message.get("version", version) != version:
                self._view.retell()
                return
            self._board.tag = str(message.get("tag", ""))[:40]
            try:
                action = self._actions.get(message["do"])
                if action is None:
                    raise MessageError("not a message")
                done = action(message)
                if done is not None:
                    await done
            except (ValueError, OSError, UciError) as error:
                reply({"type": "error", "text": visible(words_of(error))[:300]})
            finally:
                self._board.tag = ""

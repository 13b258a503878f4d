"""Explains, on request, why the move that led to the shown position is bad."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import chess.engine
import chess.pgn

from ..base.os_errors import words_of
from ..base.text import visible
from .page_engines import PageEngines
from .page_messages import Message, MessageError
from .reason import ReasonSearch
from .shared_board import SharedBoard


@dataclass
class _Asked:
    """A move whose explanation was requested."""

    node: chess.pgn.GameNode
    search: ReasonSearch
    task: asyncio.Task[None] | None = None


class PageReasons:
    """Explains one move at a time; analysing engines pause meanwhile."""

    def __init__(self, board: SharedBoard, engines: PageEngines) -> None:
        self._board = board
        self._engines = engines
        self._asked: _Asked | None = None

    async def close(self) -> None:
        """Cancel the search and wait for its end."""
        asked = self._asked
        self.stop()
        if asked and asked.task:
            await asyncio.gather(asked.task, return_exceptions=True)

    def stop(self) -> None:
        """Cancel the search, because another position is shown."""
        if self._asked:
            self._asked.search.stop()
        self._set(None)

    def _set(self, asked: _Asked | None) -> None:
        self._asked = asked
        self._engines.is_paused = asked is not None

    @property
    def _is_searching(self) -> bool:
        return self._asked is not None and self._asked.node is self._board.at

    def messages(self, failure: str = "") -> list[Message]:
        """The explanation of the move that led to the shown position, if requested.

        :param failure: why nothing was found.
        """
        notes = self._board.tree.reasons.get(self._board.at, [])
        if not (self._is_searching or notes or failure):
            return []
        found = {"searching": self._is_searching, "notes": notes, "failure": failure}
        return [{**self._board.about("reason"), **found}]

    def do_reason(self, message: Message) -> None:
        """Explain why the move that led to the shown position is bad."""
        node = self._board.node_in(message)
        if node is not self._board.at or self._is_searching:
            return
        if not isinstance(node, chess.pgn.ChildNode) or not node.move:
            raise MessageError("no move led to this position")
        if node not in self._board.tree.reasons:
            board = node.parent.board().copy(stack=False)
            asked = _Asked(node, ReasonSearch(board, node.move))
            self._set(asked)
            asked.task = asyncio.ensure_future(self._find(asked))
            self._engines.ask()
        self._tell()

    def _tell(self, failure: str = "") -> None:
        for message in self.messages(failure):
            self._board.tell(message)

    async def _find(self, asked: _Asked) -> None:
        notes: list[str] = []
        failure = ""
        try:
            notes = await asyncio.get_running_loop().run_in_executor(None, asked.search.run)
        except (ValueError, OSError, asyncio.TimeoutError, chess.engine.EngineError) as error:
            failure = visible(words_of(error))[:300]
        if self._asked is not asked:
            return
        self._set(None)
        if notes:
            self._board.tree.reasons[asked.node] = notes
        self._tell(failure)
        self._engines.ask()

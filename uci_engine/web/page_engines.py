"""The engines beside the board that analyse the shown position."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import chess

from ..base.launch import own_command
from ..client.engine_command import EngineCommand
from ..engine.options import MAX_HASH_MB
from .analyst import AnalystSettings, PageAnalyst, PageQuestion
from .game_tree import TreeError
from .page_messages import Message, MessageError, number_in
from .shared_board import SharedBoard

#: Default analysis time for a position, in seconds.
DEFAULT_SECONDS = 120.0

#: Maximum number of lines of an engine.
MAX_LINES = 10

OWN_NAME = "Halbzug"


@dataclass(frozen=True)
class EngineSetup:
    """An engine to run beside the board."""

    name: str
    command: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)


def own_engine() -> EngineSetup:
    """Halbzug itself."""
    return EngineSetup(OWN_NAME, tuple(own_command("halbzug.__main__")))


def other_engine(engine: EngineCommand) -> EngineSetup:
    """An engine given on the command line.

    :raises ValueError: if there is no such file; the message is one line.
    """
    name = os.path.basename(engine.words[0])  # noqa: PTH119 (of either system)
    return EngineSetup(name, tuple(engine.program), engine.settings)


class PageEngines:
    """The engines that analyse the shown position while a page is open.

    :param setups: Halbzug first, then others.
    :ivar is_paused: whether they are waiting for another search to end.
    """

    def __init__(self, board: SharedBoard, setups: Sequence[EngineSetup]) -> None:
        self.setups = list(setups)
        self.is_watched = False
        self.is_paused = False
        self._board = board
        self._seconds: float | None = DEFAULT_SECONDS
        self._threat = False
        self._heard: dict[int, Message] = {}
        self._analysts = [
            PageAnalyst(
                setup.name,
                setup.command,
                setup.options,
                AnalystSettings(),
                lambda message, index=index: self._hear(index, message),  # type: ignore[misc]
                is_own=index == 0,
            )
            for index, setup in enumerate(setups)
        ]
        self._analysts[0].is_on = True

    async def close(self) -> None:
        """Stop all engines."""
        closing = (analyst.close() for analyst in self._analysts)
        await asyncio.gather(*closing, return_exceptions=True)

    def name(self, index: int) -> str:
        """An engine's name, as it reports it itself once started."""
        return self._analysts[index].name

    def state(self) -> Message:
        """Which engines are on, and their settings."""
        return {
            "engines": [
                {
                    "name": analyst.name,
                    "on": analyst.is_on,
                    "error": analyst.error,
                    "threads": analyst.settings.threads,
                    "hash": analyst.settings.hash_mb,
                    "lines": analyst.settings.lines,
                }
                for analyst in self._analysts
            ],
            "seconds": self._seconds,
            "threat": self._threat,
            "cores": os.cpu_count() or 1,
        }

    def heard(self) -> list[Message]:
        """The engines' latest lines for the shown position."""
        return [message for _, message in sorted(self._heard.items())]

    def switch_off(self) -> None:
        """Switch off all engines."""
        for analyst in self._analysts:
            analyst.is_on = False
        self._threat = False
        self.ask()

    def ask(self) -> None:
        """Have the engines that are on analyse the shown position."""
        self._heard.clear()
        question = self._question() if self.is_watched and not self.is_paused else None
        for analyst in self._analysts:
            analyst.ask(question if analyst.is_on else None)

    def _question(self) -> PageQuestion | None:
        shown = self._board
        board = shown.at.board()
        if board.is_game_over():
            return None
        prefix: tuple[str, ...] = ()
        if self._threat:
            if board.is_check():
                return None
            board = board.copy(stack=False)
            board.push(chess.Move.null())
            board.clear_stack()
            prefix = ("0000 --",)
            if not board.is_valid() or board.is_game_over():
                return None
        elif not all(board.move_stack):
            board = board.copy(stack=False)  # engines do not know null moves
        number, version = shown.tree.number(shown.at), shown.tree.version
        return PageQuestion(number, version, board, shown.game_key, prefix, self._seconds)

    def _hear(self, index: int, message: Message) -> None:
        """Pass on an engine's message, and remember its evaluation of the position."""
        if message["type"] != "analysis":
            self._board.tell_state()
            return
        tree = self._board.tree
        if message["version"] != tree.version:
            return
        message["engine"] = index
        self._heard[index] = message
        first = next((number for number, one in enumerate(self._analysts) if one.is_on), 0)
        if not message["threat"] and message["lines"] and index == first:
            with contextlib.suppress(TreeError):  # the node was deleted
                best = message["lines"][0]
                tree.evaluations[tree.node(message["at"])] = (best["eval"], best["chances"])
        self._board.tell(message)

    def do_engine(self, message: Message) -> None:
        """Switch an engine on or off, or change its settings."""
        index = number_in(message, "engine")
        if not 0 <= index < len(self._analysts):
            raise MessageError("there is no such engine")
        analyst = self._analysts[index]
        limits = {"threads": os.cpu_count() or 1, "hash_mb": MAX_HASH_MB, "lines": MAX_LINES}
        for name, maximum in limits.items():
            if name in message:
                number = max(1, min(number_in(message, name), maximum))
                setattr(analyst.settings, name, number)
        if "on" in message:
            analyst.is_on = bool(message["on"])
            analyst.error = ""
        self._ask_again()

    def do_seconds(self, message: Message) -> None:
        """Set how long each position is analysed; null means without a limit."""
        seconds = message.get("seconds")
        if seconds is not None and not (isinstance(seconds, (int, float)) and 0 < seconds < 1e6):
            raise MessageError("not a time")
        self._seconds = None if seconds is None else float(seconds)
        self._ask_again()

    def do_threat(self, message: Message) -> None:
        """Analyse the threat: what the other side would do if the side to move passed."""
        self._threat = bool(message.get("on"))
        self._ask_again()

    def _ask_again(self) -> None:
        self._board.tell_state()
        self.ask()

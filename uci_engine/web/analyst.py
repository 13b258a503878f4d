"""Engines beside the board: one that analyses what is shown, and one that plays."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import chess
import chess.engine

from ..api.result_display import score_text
from ..base.scores import MATE
from ..base.text import visible
from ..client.client import Client
from ..client.engine_errors import UciError
from ..display.board_tree import line_steps
from ..reasons.accuracy import winning_chances

#: How often new lines are shown, in seconds.
SHOW_SECONDS = 0.1

#: How many plies of a line are shown.
MAX_PLIES = 24


@dataclass(frozen=True)
class PageQuestion:
    """A position to analyse.

    :param prefix: steps before the lines: the null move of a threat.
    :param seconds: how long to search it; None: until something else is asked.
    """

    at: int
    version: int
    board: chess.Board
    game: object
    prefix: tuple[str, ...] = ()
    seconds: float | None = None


@dataclass
class AnalystSettings:
    """What the user chooses for an engine that analyses."""

    threads: int = 1
    hash_mb: int = 64
    lines: int = 3

    def options(self) -> dict[str, str]:
        """As options of UCI."""
        return {"Threads": str(self.threads), "Hash": str(self.hash_mb)}


def chances_of(score: chess.engine.PovScore) -> float:
    """White's winning chances of a score, in per cent."""
    white = score.white()
    if white.is_mate():
        # A mate that is on the board has no sign of its own.
        return winning_chances(MATE if white > chess.engine.Cp(0) else -MATE)
    return winning_chances(white.score() or 0)


@dataclass
class _Lines:
    """The lines of one search so far, by their number."""

    question: PageQuestion
    found: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    last: dict[str, Any] = field(default_factory=dict)

    def hear(self, info: chess.engine.InfoDict) -> bool:
        """Take in a line; whether there is something new to show."""
        for key in ("nodes", "nps", "depth", "seldepth", "tbhits", "hashfull"):
            if key in info:
                self.last[key] = info[key]
        if "pv" not in info or "score" not in info:
            return False
        if info.get("lowerbound") or info.get("upperbound"):
            return False
        number = info.get("multipv", 1)
        self.found[number] = dict(info)
        return True

    def message(self) -> dict[str, Any]:
        question = self.question
        lines = []
        for _, info in sorted(self.found.items()):
            steps = line_steps(question.board, info["pv"][:MAX_PLIES])
            lines.append(
                {
                    "eval": score_text(info["score"]),
                    "chances": round(chances_of(info["score"]), 1),
                    "depth": info.get("depth", 0),
                    "steps": [*question.prefix, *steps],
                }
            )
        return {
            "type": "analysis",
            "at": question.at,
            "version": question.version,
            "threat": bool(question.prefix),
            "depth": max((line["depth"] for line in lines), default=0),
            "nodes": self.last.get("nodes", 0),
            "nps": self.last.get("nps", 0),
            "lines": lines,
        }


class PageAnalyst:
    """An engine that analyses one position at a time, while it is switched on.

    :param tell: called with each message for the pages.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        options: Mapping[str, str],
        settings: AnalystSettings,
        tell: Callable[[dict[str, Any]], None],
    ) -> None:
        self.name = visible(name)
        self.settings = settings
        self.is_on = False
        self.error = ""
        self._tell = tell
        self._options = dict(options)
        self._client = Client(name, command, self._options, {"OwnBook": "false"})
        self._question: PageQuestion | None = None
        self._lines: _Lines | None = None
        self._changed = asyncio.Event()
        self._set: dict[str, str] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._task = asyncio.ensure_future(self._run())

    def ask(self, question: PageQuestion | None) -> None:
        """Analyse another position, or none."""
        if question is None and self._question is None:
            return
        self._question = question
        self._changed.set()
        self._client.stop_searching()

    async def close(self) -> None:
        """End the engine."""
        self._question = None
        self._client.stop_searching()
        self._task.cancel()
        if self._timer:
            self._timer.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._client.stop()

    async def _run(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            question = self._question
            if question is None:
                continue
            try:
                await self._search(question)
                self.error = ""
            except UciError as error:
                self.error = visible(str(error))
                if self._question is question:
                    self._question = None
                    self.is_on = False
                self._tell({"type": "engine-error"})

    async def _search(self, question: PageQuestion) -> None:
        if not self._client.is_running:
            self._set = {}
            await self._client.start()
            self.name = visible(self._client.id.get("name", self.name))
            self._tell({"type": "engine-started"})
        known = self._client.options
        own = {key.lower() for key in self._options}
        wanted = {
            key: value
            for key, value in self.settings.options().items()
            if key in known and key.lower() not in own
        }
        if wanted != self._set:
            await self._client.configure(wanted)
            self._set = wanted
        lines = min(self.settings.lines, question.board.legal_moves.count())
        if self._question is not question or not lines:
            return
        self._lines = _Lines(question)
        await self._client.analyse(
            question.board,
            chess.engine.Limit(time=question.seconds),
            game=question.game,
            multipv=lines if "MultiPV" in known else 1,
            hear=lambda info: self._hear(question, info),
            patience_seconds=math.inf,
        )
        self._show()

    def _hear(self, question: PageQuestion, info: chess.engine.InfoDict) -> None:
        if self._question is not question:
            # It was asked something else before the search had begun.
            self._client.stop_searching()
        elif self._lines and self._lines.hear(info) and self._timer is None:
            is_first = len(self._lines.found) == 1
            delay = 0.0 if is_first else SHOW_SECONDS
            self._timer = asyncio.get_running_loop().call_later(delay, self._show)

    def _show(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        lines = self._lines
        if lines and lines.found and lines.question is self._question:
            self._tell(lines.message())


class PagePlayer:
    """An engine that plays a game against the user.

    :param options: set at its start.
    """

    def __init__(self, name: str, command: Sequence[str], options: Mapping[str, str]) -> None:
        self.name = visible(name)
        self._client = Client(name, command, options)
        self._game = object()

    async def start(self) -> None:
        """Start it, if it does not run.

        :raises UciError: if it cannot be started.
        """
        await self._client.start()

    async def choose(
        self, board: chess.Board, limit: chess.engine.Limit, patience_seconds: float
    ) -> chess.Move | None:
        """Its move, once it has been started.

        :param patience_seconds: how long to wait for it.
        :raises UciError: if it has none.
        """
        answer = await self._client.play(
            board, limit, game=self._game, patience_seconds=patience_seconds
        )
        return answer.move

    async def close(self) -> None:
        """End the engine."""
        await self._client.stop()

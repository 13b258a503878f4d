"""An engine beside the board that analyses the shown position."""

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

#: Minimum interval between updates of the lines, in seconds.
SHOW_SECONDS = 0.1

#: Maximum length of a shown line, in plies.
MAX_PLIES = 24


@dataclass(frozen=True)
class PageQuestion:
    """A position to analyse.

    :param prefix: steps shown before each line, such as the null move of a threat.
    :param seconds: search time; None searches until something else is asked.
    """

    at: int
    version: int
    board: chess.Board
    game: object
    prefix: tuple[str, ...] = ()
    seconds: float | None = None


@dataclass
class AnalystSettings:
    """The user's settings for an analysing engine."""

    threads: int = 1
    hash_mb: int = 64
    lines: int = 3

    def options(self) -> dict[str, str]:
        """The settings as UCI options."""
        return {"Threads": str(self.threads), "Hash": str(self.hash_mb)}


def chances_of(score: chess.engine.PovScore, *, is_own: bool) -> float:
    """White's winning chances for a score, in per cent.

    :param is_own: whether it is a score of Halbzug's own search.
    """
    white = score.white()
    if white.is_mate():
        # `mate()` is 0 for a mate on the board, whichever side gave it.
        return winning_chances(MATE if white > chess.engine.Cp(0) else -MATE)
    return winning_chances(white.score() or 0, is_own=is_own)


@dataclass
class _Lines:
    """The lines of a search so far, by their MultiPV number."""

    question: PageQuestion
    is_own: bool
    found: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    last: dict[str, Any] = field(default_factory=dict)

    def hear(self, info: chess.engine.InfoDict) -> bool:
        """Record a line; return whether there is something new to show."""
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
                    "chances": round(chances_of(info["score"], is_own=self.is_own), 1),
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
    """An engine that analyses one position at a time while it is switched on.

    :param tell: called with each message for the pages.
    :param is_own: whether it is Halbzug itself.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        options: Mapping[str, str],
        settings: AnalystSettings,
        tell: Callable[[dict[str, Any]], None],
        is_own: bool = False,
    ) -> None:
        self.name = visible(name)
        self._is_own = is_own
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
        """Analyse this position instead; None stops."""
        if question is None and self._question is None:
            return
        self._question = question
        self._changed.set()
        self._client.stop_searching()

    async def close(self) -> None:
        """Stop the engine."""
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
        self._lines = _Lines(question, self._is_own)
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
            # The question changed before the search began.
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

"""An analysis that shows its progress if it takes a while."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Iterable

import chess
from chess.engine import INFO_ALL, InfoDict, Limit, SimpleAnalysisResult, SimpleEngine

from ..base.language import say
from ..display.progress import Report, progress_shown


def analyse_showing(
    progress: bool | Report | None,
    engine: SimpleEngine,
    board: chess.Board,
    limit: Limit,
    multipv: int,
    root_moves: Iterable[chess.Move] | None,
) -> list[InfoDict]:
    """Analyse like `SimpleEngine.analyse`, as a separate game.

    :param progress: see `progress_shown`. Nothing is shown if only clocks or a mate end the search,
        because the duration is unknown.
    :raises TypeError: if `progress` has the wrong type.
    :raises asyncio.TimeoutError: if the time limit and the engine's timeout have passed.
    """
    begun = time.monotonic()
    unit, total = _measure(limit)
    title = say("Analysing ({unit})", unit=say(unit))
    patience = None
    if limit.time is not None and engine.timeout is not None:
        patience = begun + limit.time + engine.timeout
    with (
        progress_shown(progress, title, total, may_be_short=True) as tell,
        engine.analysis(
            board,
            limit,
            multipv=multipv,
            game=object(),
            info=INFO_ALL,
            root_moves=root_moves,
        ) as running,
    ):
        done = 0
        while info := _next(running, patience):
            if unit == "seconds":
                done = int(time.monotonic() - begun)
            elif unit == "nodes":
                done = info.get("nodes", done)
            elif "score" in info:  # a line that is complete
                done = info.get("depth", done)
            if total:
                tell(min(done, total), total)
        return running.multipv


def _measure(limit: Limit) -> tuple[str, int]:
    """The quantity that limits the search, and its total."""
    if limit.time:
        return "seconds", math.ceil(limit.time)
    if limit.nodes:
        return "nodes", limit.nodes
    if limit.depth:
        return "depth", limit.depth
    return "", 0


def _next(running: SimpleAnalysisResult, patience: float | None) -> InfoDict | None:
    """`SimpleAnalysisResult.next` with a time limit."""
    engine = running.simple_engine
    left = None if patience is None else patience - time.monotonic()
    with engine._not_shut_down():
        waiting = asyncio.wait_for(running.inner.next(), left)
        future = asyncio.run_coroutine_threadsafe(waiting, engine.protocol.loop)
    return future.result()

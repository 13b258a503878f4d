"""The client for callers without an event loop: each engine runs its own loop in a thread."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, TypeVar

import chess
import chess.engine

from . import PATIENCE_SECONDS
from .client import Answer, Client
from .engine_errors import EngineMistake
from .protocol import ignore_engines

_T = TypeVar("_T")


class BlockingClient:
    """A running engine; see `Client`. Only one thread may use it, but any thread may call `kill`.

    :raises UciError: if the engine does not start.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        options: Mapping[str, str] | None = None,
        preferred: Mapping[str, str] | None = None,
    ) -> None:
        self._client = Client(name, command, options, preferred)
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(ignore_engines)
        self._thread = threading.Thread(target=self._run, name=f"client of {name}", daemon=True)
        self._thread.start()
        try:
            self._do(self._client.start())
        except BaseException:
            self.close(is_polite=False)
            raise
        self.options = self._client.options
        self.id = self._client.id

    @property
    def uciok_seconds(self) -> float:
        """See `Client.uciok_seconds`."""
        return self._client.uciok_seconds

    @property
    def notices(self) -> list[str]:
        """See `Client.notices`."""
        return self._client.notices

    def take_mistakes(self) -> list[EngineMistake]:
        """See `Client.take_mistakes`."""
        return self._client.take_mistakes()

    def configure(self, options: Mapping[str, str]) -> None:
        """See `Client.configure`.

        :raises UciError: if the engine lacks an option, or is not ready in time.
        """
        self._do(self._client.configure(options))

    def analyse(
        self,
        board: chess.Board,
        limit: chess.engine.Limit,
        *,
        game: object,
        multipv: int = 1,
        hear: Callable[[chess.engine.InfoDict], bool | None] | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> Answer:
        """See `Client.analyse`.

        :param hear: called in this thread; returning True ends the search.
        :raises UciError: if there is no legal move in the answer.
        """
        heard: queue.SimpleQueue[chess.engine.InfoDict | None] = queue.SimpleQueue()
        search = self._client.analyse(
            board,
            limit,
            game=game,
            multipv=multipv,
            hear=heard.put if hear else None,
            patience_seconds=patience_seconds,
        )
        answer = asyncio.run_coroutine_threadsafe(search, self._loop)
        answer.add_done_callback(lambda _: heard.put(None))
        try:
            while (said := heard.get()) is not None:
                if hear and hear(said):
                    self._loop.call_soon_threadsafe(self._client.stop_searching)
        except BaseException:  # the caller no longer waits for this search
            self.kill()
            raise
        return answer.result()

    def play(
        self,
        board: chess.Board,
        limit: chess.engine.Limit,
        *,
        game: object,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> Answer:
        """See `Client.play`.

        :raises UciError: if there is no legal move in the answer.
        """
        return self._do(
            self._client.play(board, limit, game=game, patience_seconds=patience_seconds)
        )

    def kill(self) -> None:
        """Kill the process at once; a caller waiting for its answer gets a `UciError`."""
        with contextlib.suppress(RuntimeError):  # it has been closed
            self._loop.call_soon_threadsafe(self._client.kill)

    def close(self, *, is_polite: bool = True) -> int | None:
        """End the process.

        :param is_polite: say `quit` first.
        :returns: its exit code, negative for a signal; None if it had ended before.
        """
        if self._loop.is_closed():
            return None
        code = self._do(self._client.stop(is_polite=is_polite))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        return code

    def _run(self) -> None:
        try:
            self._loop.run_forever()
            self._loop.run_until_complete(_cancel_others())
        finally:
            self._loop.close()

    def _do(self, coroutine: Coroutine[Any, Any, _T]) -> _T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()


async def _cancel_others() -> None:
    """Cancel the remaining tasks."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)

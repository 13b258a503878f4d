"""`halbzug.Engine`: python-chess's `SimpleEngine`, connected to the engine of this package.

A script written for `chess.engine.SimpleEngine.popen_uci("stockfish")` also works with
`halbzug.Engine()`. The process is the command `halbzug` without arguments.
Reference: https://python-chess.readthedocs.io/en/latest/engine.html
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import os
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar, overload

import chess
import chess.engine
from chess.engine import (
    INFO_ALL,
    INFO_NONE,
    CommandState,
    ConfigMapping,
    EngineTerminatedError,
    InfoDict,
    Limit,
    Opponent,
    PlayResult,
    SimpleAnalysisResult,
    SimpleEngine,
    UciProtocol,
)

from ..base.launch import own_command, run_command
from ..client.engine_processes import leave_exit_code_to_watcher
from .arguments import check_board, check_count, check_limit, check_root_moves, uci_settings
from .background import Background

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .engine_options import EngineOptions

_T = TypeVar("_T")

#: How long an answer may take beyond its time limit, in seconds.
TIMEOUT_SECONDS = 10.0

#: Other defaults than UCI's: no book, because its moves have no score; win, draw and loss reported.
_DEFAULTS: dict[str, str | int | bool | None] = {"OwnBook": False, "UCI_ShowWDL": True}

#: Nothing to set for one search, the default of `SimpleEngine`.
NO_OPTIONS: ConfigMapping = {}

_ATTRIBUTES = {
    *("transport", "protocol", "timeout", "shutdown_event", "returncode"),
    *("_shutdown_lock", "_shutdown", "_background", "_turn"),
}


class _Result(asyncio.Future[_T]):
    """The result of a command; one that comes after the command was cancelled is dropped.

    python-chess would set it anyway, and then lose the engine's line or the next command.
    """

    def set_result(self, result: _T, /) -> None:
        """Set the result, unless the command was cancelled."""
        if not self.cancelled():
            super().set_result(result)


class _Protocol(UciProtocol):
    """python-chess's protocol, made safe for requests that are cancelled before they begin."""

    async def communicate(
        self, command_factory: Callable[[Self], chess.engine.BaseCommand[_T]]
    ) -> _T:
        """Send a request; one that is still waiting for its turn is cancelled."""
        waiting, self.next_command = self.next_command, None
        if waiting is not None:
            waiting.result.cancel()

        def make(engine: Self) -> chess.engine.BaseCommand[_T]:
            command = command_factory(engine)
            command.result = _Result()
            return command

        return await super().communicate(make)

    def connection_lost(self, exc: Exception | None) -> None:
        """End all requests; python-chess forgets an analysis that has not begun."""
        command = self.command
        super().connection_lost(exc)
        if command is None:
            return
        if not command.result.done():
            died = EngineTerminatedError(f"the engine died (exit code {self.returncode.result()})")
            command.result.set_exception(died)
        analysis = getattr(command, "analysis", None)
        for answer in (command.result, analysis and analysis._finished):
            if answer and answer.done() and not answer.cancelled():
                answer.exception()  # the caller may have gone; asyncio would complain at the end

    def send_line(self, line: str) -> None:
        """Send a line; a search that was cancelled before it began is stopped at once."""
        super().send_line(line)
        command = self.command
        if line.startswith("go ") and command and command.state is CommandState.CANCELLING:
            super().send_line("stop")


async def popen(
    file: str | os.PathLike[str] | None = None,
    **options: Unpack[EngineOptions],
) -> tuple[asyncio.SubprocessTransport, UciProtocol]:
    """Start Halbzug for a program with an event loop, as `chess.engine.popen_uci` does.

    :param file: a Python file that plays instead of Halbzug, see `Engine`.
    :param options: see `Engine`.
    :returns: the process and python-chess's protocol, ready to search; `await engine.quit()`
        ends it.
    :raises TypeError: if there is no such option, or a value has the wrong type.
    :raises ValueError: if a value is out of range.
    """
    settings = {**_DEFAULTS, **uci_settings(options)}
    transport, protocol = await _Protocol.popen(_command(file))
    leave_exit_code_to_watcher(transport)
    try:
        await protocol.initialize()
        await protocol.configure(settings)
        await protocol.ping()
    except BaseException:
        transport.close()
        raise
    return transport, protocol


def _command(file: str | os.PathLike[str] | None) -> list[str]:
    return own_command("halbzug.__main__") if file is None else run_command(os.fspath(file))


class Engine(SimpleEngine):
    """Halbzug as a `chess.engine.SimpleEngine`: takes boards, returns moves and scores.

    The constructor waits until the engine is ready, so the first search has its full time. The
    process ends with `close()`, at the end of a `with` block, when the object is collected, and
    with the program. Several threads may use one engine: each call waits for earlier calls to
    finish, except that a running `analysis` ends with the next call. The opening book is off unless
    `own_book=True`, because a book move has no score.

    :param file: a Python file that plays instead of Halbzug, as with `halbzug run`. It is executed.
    :param timeout: how long, in seconds, an answer may take beyond its time limit; None:
        indefinitely.
    :param options: UCI options, in lower case with underscores: `threads=2`, `hash=64` (MiB),
        `uci_elo=1500`, `skill_level=5`, `own_book=True`, `syzygy_path="/tables"`.
    :raises TypeError: if there is no such option, or a value has the wrong type.
    :raises ValueError: if a value is out of range, or there is no such file.
    :raises chess.engine.EngineTerminatedError: if the engine's process does not start.

    >>> import chess
    >>> from chess.engine import Limit
    >>> with Engine() as engine:
    ...     info = engine.analyse(chess.Board("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"), Limit(depth=5))
    >>> info["score"].white()
    Mate(+1)
    """

    _background: Background
    _turn: threading.RLock

    def __init__(
        self,
        file: str | os.PathLike[str] | None = None,
        /,
        *,
        timeout: float | None = TIMEOUT_SECONDS,
        **options: Unpack[EngineOptions],
    ) -> None:
        settings = {**_DEFAULTS, **uci_settings(options)}
        self._open(_Protocol, _command(file), timeout, None, False, {})
        try:
            self.configure(settings)
            self.ping()
        except BaseException:
            self.close()
            raise

    @classmethod
    def popen(
        cls,
        Protocol: type[chess.engine.Protocol],  # noqa: N803 (python-chess's name)
        command: str | list[str],
        *,
        timeout: float | None = TIMEOUT_SECONDS,
        debug: bool | None = None,
        setpgrp: bool = False,
        **popen_args: Any,
    ) -> Engine:
        """Start another engine, see `chess.engine.SimpleEngine.popen`.

        No options are set. This engine, too, ends with its object.
        """
        engine = cls.__new__(cls)
        engine._open(Protocol, command, timeout, debug, setpgrp, popen_args)
        return engine

    def _open(
        self,
        protocol: type[chess.engine.Protocol],
        command: str | list[str],
        timeout: float | None,
        debug: bool | None,
        setpgrp: bool,
        popen_args: dict[str, Any],
    ) -> None:
        def start() -> Any:
            return protocol.popen(command, setpgrp=setpgrp, **popen_args)

        self._turn = threading.RLock()
        self._background = Background(self, start, timeout, debug)

    def play(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        game: object = None,
        info: chess.engine.Info = INFO_NONE,
        ponder: bool = False,
        draw_offered: bool = False,
        root_moves: Iterable[chess.Move] | None = None,
        options: ConfigMapping = NO_OPTIONS,
        opponent: Opponent | None = None,
    ) -> PlayResult:
        """Choose a move, see `chess.engine.SimpleEngine.play`.

        :raises TypeError: if the board or the limit has the wrong type.
        :raises ValueError: if the position is impossible, the limit would not end the search, or a
            root move is not legal.
        :raises chess.engine.EngineTerminatedError: if the engine is closed or has died.
        :raises asyncio.TimeoutError: if the time limit and `timeout` have passed.
        """
        check_board(board)
        check_limit(limit)
        root_moves = check_root_moves(board, root_moves)
        with self._asking():
            return super().play(
                board,
                limit,
                game=game,
                info=info,
                ponder=ponder,
                draw_offered=draw_offered,
                root_moves=root_moves,
                options=options,
                opponent=opponent,
            )

    @overload
    def analyse(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        game: object = None,
        info: chess.engine.Info = INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: ConfigMapping = NO_OPTIONS,
    ) -> InfoDict: ...
    @overload
    def analyse(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        multipv: int,
        game: object = None,
        info: chess.engine.Info = INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: ConfigMapping = NO_OPTIONS,
    ) -> list[InfoDict]: ...
    @overload
    def analyse(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        info: chess.engine.Info = INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: ConfigMapping = NO_OPTIONS,
    ) -> InfoDict | list[InfoDict]: ...
    def analyse(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        info: chess.engine.Info = INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: ConfigMapping = NO_OPTIONS,
    ) -> InfoDict | list[InfoDict]:
        """Analyse a position, see `chess.engine.SimpleEngine.analyse`. Raises what `play` does."""
        check_board(board)
        check_limit(limit)
        if multipv is not None:
            check_count("multipv", multipv, "lines")
        root_moves = check_root_moves(board, root_moves)
        with self._asking():
            return super().analyse(
                board,
                limit,
                multipv=multipv,
                game=game,
                info=info,
                root_moves=root_moves,
                options=options,
            )

    def analysis(
        self,
        board: chess.Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        game: object = None,
        info: chess.engine.Info = INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: ConfigMapping = NO_OPTIONS,
    ) -> SimpleAnalysisResult:
        """Start an analysis, see `chess.engine.SimpleEngine.analysis`; raises the same as `play`.

        Without a limit it is endless. It also stops when the returned object is collected.
        """
        check_board(board)
        if limit is not None and limit != Limit():
            check_limit(limit)
        if multipv is not None:
            check_count("multipv", multipv, "lines")
        root_moves = check_root_moves(board, root_moves)
        with self._asking():
            running = super().analysis(
                board,
                limit,
                multipv=multipv,
                game=game,
                info=info,
                root_moves=root_moves,
                options=options,
            )
        weakref.finalize(running, _stop, self.protocol.loop, running.inner).atexit = False
        return running

    def configure(self, options: ConfigMapping) -> None:
        """Set options, see `chess.engine.SimpleEngine.configure`."""
        with self._asking():
            super().configure(options)

    def ping(self) -> None:
        """Wait until the engine answers, see `chess.engine.SimpleEngine.ping`."""
        with self._asking():
            super().ping()

    def close(self) -> None:
        """End the engine's process. Calls that are waiting raise `EngineTerminatedError`."""
        if self._background.is_ours:
            super().close()
            self._background.wait()

    @contextlib.contextmanager
    def taken(self) -> Iterator[Engine]:
        """Reserve the engine for this thread; calls from other threads wait."""
        self._check_owner()
        with self._turn:
            yield self

    @contextlib.contextmanager
    def _not_shut_down(self) -> Iterator[None]:
        # python-chess enters this before it hands anything to the event loop.
        self._check_owner()
        with self._shutdown_lock:
            if self._shutdown:
                raise EngineTerminatedError(f"the engine is closed{self._exit_code()}")
            yield

    def _check_owner(self) -> None:
        if not self._background.is_ours:
            raise EngineTerminatedError(
                f"the engine belongs to process {self._background.pid}, from which this one was"
                " forked; start another engine here"
            )

    def _exit_code(self) -> str:
        code = self.returncode.result() if self.returncode.done() else None
        return "" if code is None else f" (exit code {code})"

    @contextlib.contextmanager
    def _asking(self) -> Iterator[None]:
        """Make a request when it is this thread's turn.

        A request that is interrupted, by Ctrl-C or in a notebook, does not continue in the
        background. A request to an engine that is about to die fails like one to an engine that has
        died.
        """
        with self.taken(), self._ended_by_interrupts():
            yield

    @contextlib.contextmanager
    def _ended_by_interrupts(self) -> Iterator[None]:
        try:
            yield
        except concurrent.futures.CancelledError:
            if not self.protocol.returncode.done():  # a new question has ended this one
                raise
            raise EngineTerminatedError(f"the engine died{self._exit_code()}") from None
        except BaseException as error:
            if not isinstance(error, Exception):
                with contextlib.suppress(EngineTerminatedError), self._not_shut_down():
                    self.protocol.loop.call_soon_threadsafe(_cancel, self.protocol)
            raise

    def __setattr__(self, name: str, value: object) -> None:
        if name not in _ATTRIBUTES:
            raise AttributeError(
                f"{type(self).__name__} has no attribute {name!r}; options are set with"
                " configure({'Threads': 2}), or where the engine is made: Engine(threads=2)"
            )
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        name = self.protocol.id.get("name", "unknown") if hasattr(self, "protocol") else "unknown"
        if not hasattr(self, "protocol") or self._shutdown:
            return f"<{type(self).__name__} {name} (closed)>"
        return f"<{type(self).__name__} {name} (pid={self.transport.get_pid()})>"


def _cancel(protocol: chess.engine.Protocol) -> None:
    """Cancel the engine's current request, in the engine's thread."""
    for command in (protocol.next_command, protocol.command):
        if command is not None:
            command.result.cancel()


def _stop(loop: asyncio.AbstractEventLoop, analysis: chess.engine.AnalysisResult) -> None:
    with contextlib.suppress(RuntimeError):  # the loop has ended before
        loop.call_soon_threadsafe(analysis.stop)

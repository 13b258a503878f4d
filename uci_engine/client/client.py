"""A client that starts an engine, asks it, and limits its time.

Whatever the engine does, each request ends within a known time: with an answer, or with a
`UciError` and the end of the engine's process. The next `start` starts a new process.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import chess
import chess.engine

from . import PATIENCE_SECONDS
from .engine_errors import EngineMistake, Fault, UciError
from .protocol import LEAVE_SECONDS, CheckedProtocol

#: How long the system may take to end a killed process, in seconds. If the loop is closed earlier,
#: asyncio warns.
KILLED_SECONDS = 30.0

#: How long an engine may take to start, and to become ready for a game, in seconds.
START_SECONDS = 30.0

#: How long an analysing engine may take to answer after its time is up, or after `stop`, in
#: seconds.
ANSWER_SECONDS = 10.0

#: How far an engine may exceed its node limit before it is stopped, as a factor: some engines check
#: the limit rarely, some never.
NODES_FACTOR = 2
NODES_SLACK = 1_000_000

#: How often deadlines are checked, in seconds.
_LOOK_SECONDS = 0.1

_T = TypeVar("_T")

#: A deadline, by `time.perf_counter`, and what the engine will have failed to do by then.
_Deadline = tuple[float, str]


@dataclass(frozen=True)
class Answer:
    """The result of a search."""

    move: chess.Move | None  # None: the position has no legal move
    ponder: chess.Move | None
    seconds: float  # from `go` to `bestmove`
    info: chess.engine.InfoDict  # the last value of each field in `info` lines


class Client:
    """An engine, for programs with an event loop.

    :param name: its name in errors.
    :param command: the program and its arguments.
    :param options: set at the start; the engine must have them.
    :param preferred: set at the start if the engine has them.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        options: Mapping[str, str] | None = None,
        preferred: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self.command = tuple(command)
        self._options = dict(options or {})
        self._preferred = dict(preferred or {})
        self._protocol: CheckedProtocol | None = None
        self._analysis: chess.engine.AnalysisResult | None = None

    @property
    def is_running(self) -> bool:
        """Whether there is a process that can be used."""
        return self._protocol is not None and not self._protocol.exited.done()

    @property
    def pid(self) -> int | None:
        """The process id; None if there is no process."""
        transport = self._protocol.transport if self._protocol else None
        return transport.get_pid() if transport else None

    @property
    def options(self) -> Mapping[str, chess.engine.Option]:
        """The options of the running engine; names are case-insensitive."""
        return self._protocol.options if self._protocol else {}

    @property
    def id(self) -> Mapping[str, str]:
        """The `id` lines of the running engine: `name`, `author`."""
        return self._protocol.id if self._protocol else {}

    @property
    def uciok_seconds(self) -> float:
        """How many seconds the running engine took to answer `uci`."""
        return self._protocol.named_at - self._protocol.asked_at if self._protocol else 0.0

    @property
    def notices(self) -> list[str]:
        """The running engine's last `info string` lines, at most a hundred."""
        return list(self._protocol.notices) if self._protocol else []

    def take_mistakes(self) -> list[EngineMistake]:
        """What the running engine's file did wrong since the last call."""
        return self._protocol.take_mistakes() if self._protocol else []

    async def start(self) -> None:
        """Start the engine unless it is running.

        :raises UciError: if it does not start.
        """
        if self.is_running:
            return
        await self.stop()
        try:
            _, protocol = await CheckedProtocol.popen(list(self.command), setpgrp=True)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UciError(self.name, Fault.CRASH, f"does not start: {reason}") from None
        self._protocol = protocol
        until = time.perf_counter() + START_SECONDS
        try:
            await self._wait_for(
                self._shake_hands(protocol),
                lambda: (until, f"no answer to uci and isready in {START_SECONDS:g} s"),
            )
        except UciError as error:
            reason = f"does not start: {error.reason}"
            raise UciError(self.name, error.fault, reason) from None

    async def _shake_hands(self, protocol: CheckedProtocol) -> None:
        await protocol.initialize()
        known = {name: value for name, value in self._preferred.items() if name in protocol.options}
        await protocol.configure({**known, **self._options})
        await protocol.ping()

    async def configure(self, options: Mapping[str, str]) -> None:
        """Set options of the started engine, and wait until it is ready.

        :raises UciError: if it lacks an option, or is not ready in time.
        """
        protocol = self._running()
        until = time.perf_counter() + START_SECONDS

        async def set_and_wait() -> None:
            await protocol.configure(dict(options))
            await protocol.ping()

        reason = f"no answer to isready in {START_SECONDS:g} s"
        await self._wait_for(set_and_wait(), lambda: (until, reason))

    async def play(
        self,
        board: chess.Board,
        limit: chess.engine.Limit,
        *,
        game: object,
        patience_seconds: float,
    ) -> Answer:
        """Ask the started engine for a move in a game.

        :param board: with the game so far on its stack.
        :param game: the same object throughout a game.
        :param patience_seconds: how long to wait for the answer.
        :raises UciError: if no legal move arrives in that time.
        """
        protocol = self._running()
        protocol.reads_every_line = False
        wanted = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE
        late = f"gives no move in {patience_seconds:g} s"
        played = await self._search(
            protocol.play(board, limit, game=game, info=wanted),
            lambda: (protocol.began_at + patience_seconds, late),
        )
        return Answer(played.move, played.ponder, self._seconds(protocol), played.info)

    async def analyse(
        self,
        board: chess.Board,
        limit: chess.engine.Limit,
        *,
        game: object,
        multipv: int = 1,
        hear: Callable[[chess.engine.InfoDict], None] | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> Answer:
        """Have the started engine analyse a position; `stop_searching` ends that early.

        An engine that exceeds its depth or nodes is stopped.

        :param game: the same object for positions of one game, between which the hash table is
            kept.
        :param hear: called with every line of analysis that has a score.
        :param patience_seconds: without a time limit, how many seconds may pass without a new line.
        :raises UciError: if there is no legal move in the answer.
        """
        protocol = self._running()
        protocol.reads_every_line = True

        async def listen() -> tuple[chess.engine.BestMove, chess.engine.InfoDict]:
            lines = multipv if multipv > 1 else None
            running = await protocol.analysis(board, limit, multipv=lines, game=game)
            self._analysis = running
            async for said in running:
                if hear:
                    hear(said)
                if _is_past(limit, said):
                    running.stop()
            return await running.wait(), running.info

        def deadline() -> _Deadline:
            if protocol.stopped_at is not None:
                until = protocol.stopped_at + ANSWER_SECONDS
                return until, f"does not answer stop in {ANSWER_SECONDS:g} s"
            if limit.time is not None:
                seconds = limit.time + ANSWER_SECONDS
                return protocol.began_at + seconds, f"does not answer in {seconds:g} s"
            until = protocol.heard_at + patience_seconds
            return until, f"does not answer, and says nothing for {patience_seconds:g} s"

        try:
            best, info = await self._search(listen(), deadline)
        finally:
            self._analysis = None
        return Answer(best.move, best.ponder, self._seconds(protocol), info)

    def stop_searching(self) -> None:
        """Make an analysing engine answer at once."""
        if self._analysis:
            self._analysis.stop()

    async def stop(self, *, is_polite: bool = True) -> int | None:
        """End the process, with `quit` first if it still answers.

        :returns: its exit code, negative for a signal; None if there was no process.
        """
        protocol, self._protocol = self._protocol, None
        if protocol is None:
            return None
        try:
            if is_polite and not protocol.exited.done():
                protocol.send_line("quit")
                await asyncio.wait({protocol.returncode}, timeout=LEAVE_SECONDS)
        finally:  # also when cancelled: asyncio complains if its loop is closed earlier
            protocol.kill()
            await asyncio.wait({protocol.returncode}, timeout=KILLED_SECONDS)
            protocol.close()
        return protocol.returncode.result() if protocol.returncode.done() else None

    def kill(self) -> None:
        """Kill the process at once; a caller waiting for it gets a `UciError`."""
        if self._protocol:
            self._protocol.end(Fault.CRASH, "was stopped by Halbzug")

    def _running(self) -> CheckedProtocol:
        if self._protocol is None:
            raise UciError(self.name, Fault.CRASH, "is not running")
        return self._protocol

    @staticmethod
    def _seconds(protocol: CheckedProtocol) -> float:
        return max(protocol.answered_at - protocol.began_at, 0.0)

    async def _search(
        self, coroutine: Coroutine[Any, Any, _T], deadline: Callable[[], _Deadline]
    ) -> _T:
        """Wait for a search, whose time starts with `go`, not with the preceding new game."""
        protocol = self._running()
        protocol.is_searching = False
        begun = protocol.began_at
        ready_until = time.perf_counter() + START_SECONDS

        def either() -> _Deadline:
            if protocol.began_at != begun:
                return deadline()
            return ready_until, f"is not ready for a game in {START_SECONDS:g} s"

        return await self._wait_for(coroutine, either)

    async def _wait_for(
        self, coroutine: Coroutine[Any, Any, _T], deadline: Callable[[], _Deadline]
    ) -> _T:
        """Wait for an answer, the end of the process or the deadline, whichever comes first.

        :raises UciError: if it is not the answer; the process is then killed.
        """
        protocol = self._running()
        task: asyncio.Future[_T] = asyncio.ensure_future(coroutine)
        either: set[asyncio.Future[Any]] = {task, protocol.exited}
        try:
            while not task.done():
                if protocol.exited.done():
                    raise UciError(self.name, *protocol.failure)
                until, reason = deadline()
                left = until - time.perf_counter()
                if left <= 0:
                    raise UciError(self.name, Fault.TIME, reason)
                await asyncio.wait(
                    either,
                    timeout=min(left, _LOOK_SECONDS),
                    return_when=asyncio.FIRST_COMPLETED,
                )
            return task.result()
        except UciError:
            await self.stop(is_polite=False)
            raise
        except chess.engine.EngineTerminatedError:
            await self.stop(is_polite=False)
            raise UciError(self.name, *protocol.failure) from None
        except chess.engine.EngineError as error:
            await self.stop(is_polite=False)
            raise UciError(self.name, Fault.CRASH, str(error)) from None
        finally:
            task.cancel()


def _is_past(limit: chess.engine.Limit, said: chess.engine.InfoDict) -> bool:
    """Whether an engine has exceeded its depth or node limit."""
    if limit.depth is not None and said.get("depth", 0) > limit.depth:
        return True
    max_nodes = None if limit.nodes is None else NODES_FACTOR * limit.nodes + NODES_SLACK
    return max_nodes is not None and said.get("nodes", 0) > max_nodes

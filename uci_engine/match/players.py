"""Engines as players: started, asked, timed, and survived.

python-chess's `chess.engine` speaks UCI; what it takes on trust is checked here. An engine may
crash, hang, flood, ignore `stop`, close its pipe or play what is illegal: each ends in a
`ForfeitError` within a known time, never in a match that waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from dataclasses import dataclass, field

import chess
import chess.engine

from uci_engine.match.forfeit import Fault, ForfeitError
from uci_engine.match.time_control import TimeControl

#: How long an engine may take to start and to become ready for a game, in seconds.
START_SECONDS = 30.0

#: How long an engine is still listened to after its time is up, in seconds: who is late and who
#: hangs both lose, but one of them need not be restarted.
GRACE_SECONDS = 1.0

#: How long an engine may take to leave after `quit`, and to die once its output is closed.
LEAVE_SECONDS = 2.0

#: Bytes of a line after which it is no UCI.
LONGEST_LINE = 1 << 20

#: Bytes of standard error that are kept: its last line tells why an engine died.
LAST_WORDS = 500

_HEARD = (b"info ", b"bestmove", b"readyok", b"uciok", b"id ", b"option ")


@dataclass(frozen=True)
class EngineSpec:
    """An engine as the user describes it."""

    name: str
    command: tuple[str, ...]
    options: dict[str, str] = field(default_factory=dict)
    control: TimeControl = field(default_factory=TimeControl)


@dataclass(frozen=True)
class Played:
    """A move, and what the engine said about it."""

    move: chess.Move
    seconds: float
    score: chess.engine.PovScore | None
    depth: int | None


class Player:
    """One process of an engine, replaced by a new one at the start of a game if it has ended.

    :param patience_seconds: how long to wait for a move where no clock runs.
    :param margin_seconds: how much an engine may overstep its time.
    """

    def __init__(
        self, spec: EngineSpec, patience_seconds: float, margin_seconds: float = 0.0
    ) -> None:
        self.spec = spec
        self.patience_seconds = patience_seconds
        self.margin_seconds = margin_seconds
        self._client: _Client | None = None

    @property
    def knows_chess960(self) -> bool:
        """Whether the running engine can play Chess960."""
        return self._client is not None and "UCI_Chess960" in self._client.options

    async def start(self) -> None:
        """Start the engine, unless it runs.

        :raises ForfeitError: if it does not.
        """
        if self._client is not None and not self._client.returncode.done():
            return
        await self.stop()
        try:
            _, client = await _Client.popen(list(self.spec.command), setpgrp=True)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ForfeitError(Fault.CRASH, reason) from None
        self._client = client
        try:
            await self._shake_hands(client)
        except BaseException:
            await self.stop(is_polite=False)
            raise

    async def _shake_hands(self, client: _Client) -> None:
        """:raises ForfeitError: if that fails."""

        async def greet() -> None:
            await client.initialize()
            await client.configure(self.spec.options)
            await client.ping()

        try:
            await asyncio.wait_for(greet(), START_SECONDS)
        except asyncio.TimeoutError:
            reason = f"no answer to uci and isready in {START_SECONDS:g} s"
            raise ForfeitError(Fault.TIME, reason) from None
        except chess.engine.EngineTerminatedError:
            raise ForfeitError(Fault.CRASH, client.obituary) from None
        except chess.engine.EngineError as error:
            raise ForfeitError(Fault.CRASH, str(error)) from None

    async def play(
        self,
        board: chess.Board,
        limit: chess.engine.Limit,
        allowance_seconds: float | None,
        game: object,
    ) -> Played:
        """Ask the started player for a move.

        :param board: with the game so far on its stack.
        :param allowance_seconds: when the time is up; None if no clock runs.
        :param game: the same object throughout a game.
        :raises ForfeitError: if no legal move comes; one that comes late is returned. The player is
            stopped then.
        """
        assert self._client is not None
        try:
            return await self._ask(self._client, board, limit, allowance_seconds, game)
        except ForfeitError:
            await self.stop(is_polite=False)
            raise

    async def _ask(
        self,
        client: _Client,
        board: chess.Board,
        limit: chess.engine.Limit,
        allowance_seconds: float | None,
        game: object,
    ) -> Played:
        client.is_searching.clear()
        client.answer = ""
        answer = asyncio.ensure_future(
            client.play(
                board, limit, game=game, info=chess.engine.INFO_BASIC | chess.engine.INFO_SCORE
            )
        )
        begun = asyncio.ensure_future(client.is_searching.wait())
        try:
            # The clock starts with `go`: what the new game takes before is not thinking time.
            await asyncio.wait(
                {answer, begun}, timeout=START_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            if not (answer.done() or begun.done()):
                raise ForfeitError(Fault.TIME, f"is not ready for a game in {START_SECONDS:g} s")
            if allowance_seconds is None:
                patience = self.patience_seconds
            else:
                patience = allowance_seconds + self.margin_seconds + GRACE_SECONDS
            await asyncio.wait({answer}, timeout=patience)
            if not answer.done():
                raise ForfeitError(Fault.TIME, f"gives no move in {patience:g} s")
            return self._read(client, board, answer.result())
        except chess.engine.EngineTerminatedError:
            raise ForfeitError(Fault.CRASH, client.obituary) from None
        except chess.engine.EngineError:
            raise _illegal(client) from None
        finally:
            answer.cancel()
            begun.cancel()

    def _read(self, client: _Client, board: chess.Board, result: chess.engine.PlayResult) -> Played:
        # python-chess checks moves, but lets null moves pass.
        if result.move is None or not board.is_legal(result.move):
            raise _illegal(client)
        seconds = max(client.answered_at - client.began_at, 0.0)
        return Played(result.move, seconds, result.info.get("score"), result.info.get("depth"))

    async def stop(self, is_polite: bool = True) -> None:
        """End the process, with `quit` first if it deserves that."""
        client, self._client = self._client, None
        if client is None:
            return
        try:
            if is_polite and not client.returncode.done():
                client.send_line("quit")
                await asyncio.wait({client.returncode}, timeout=LEAVE_SECONDS)
        finally:
            client.kill()
        await asyncio.wait({client.returncode}, timeout=LEAVE_SECONDS)
        client.close()


def _illegal(client: _Client) -> ForfeitError:
    return ForfeitError(Fault.ILLEGAL, f"answers {client.answer!r}, which is no legal move")


class _Client(chess.engine.UciProtocol):
    """python-chess's client, which notes times and does not drown in what an engine writes."""

    def __init__(self) -> None:
        super().__init__()
        self.is_searching = asyncio.Event()  # set by `go`
        self.began_at = self.answered_at = 0.0
        self.answer = ""
        self._fault = ""
        self._errors = b""  # the end of standard error
        self._unfinished = b""

    @property
    def obituary(self) -> str:
        """Why the process is no more."""
        code = self.returncode.result() if self.returncode.done() else None
        text = self._fault or ("crashed" if code is None else f"ended with exit code {code}")
        lines = self._errors.decode("utf-8", "replace").strip().splitlines()
        return f"{text}: {lines[-1]}" if lines else text

    def send_line(self, line: str) -> None:
        """Send a line, and start the clock with `go`."""
        if line.startswith("go"):
            self.began_at = time.perf_counter()
            self.is_searching.set()
        super().send_line(line)

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Split what came into lines.

        Of a run of `info` lines only the last with a score is read, so that a talkative engine
        does not cost the others of the match their time.
        """
        now = time.perf_counter()
        assert isinstance(data, bytes)
        if fd != 1:
            self._errors = (self._errors + data)[-LAST_WORDS:]
            return
        *lines, self._unfinished = (self._unfinished + data).split(b"\n")
        if len(self._unfinished) > LONGEST_LINE:
            self._break("wrote a line without end")
            return
        information = b""
        for line in map(bytes.strip, lines):
            if not line.startswith(_HEARD):
                continue
            if line.startswith(b"info "):
                information = line if b" score " in line else information
                continue
            if line.startswith(b"bestmove"):
                self.answered_at = now
                self.answer = line[:40].decode("utf-8", "replace")
                self._hear(information)
                information = b""
            self._hear(line)
        self._hear(information)

    def _hear(self, line: bytes) -> None:
        try:
            if line:
                self._line_received(line.decode("utf-8", "replace"))
        except Exception as error:  # python-chess's own assertions about the order of answers
            self._break(f"answered out of turn ({type(error).__name__})")

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Do not wait for an engine that can no longer be heard."""
        if fd == 1:
            self.loop.call_later(LEAVE_SECONDS, self._break, "closed its output")

    def _break(self, fault: str) -> None:
        if not self.returncode.done():
            self._fault = self._fault or fault
            self.kill()

    def kill(self) -> None:
        """End the process with all that it has started."""
        assert self.transport is not None
        if self.transport.get_returncode() is not None:
            return
        if sys.platform == "win32":
            self.transport.kill()
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.transport.get_pid(), signal.SIGKILL)

    def close(self) -> None:
        """Let go of the pipes, which somebody else may hold open.

        Not before the process has ended: asyncio would look for it twice, and complain.
        """
        assert self.transport is not None
        self.transport.close()

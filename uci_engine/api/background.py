"""Runs an engine's event loop in a separate thread, and ends it reliably.

python-chess's `SimpleEngine` keeps its engine, and the interpreter, alive until it is closed. Here
the thread has only a weak reference to the engine. It ends with the object, with the interpreter,
with the engine's process, or on request. A forked child closes the pipes, so that the engine's
process notices when the parent's side ends.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import contextlib
import os
import threading
import weakref
from collections.abc import Awaitable, Callable

import chess.engine

from ..client.engine_processes import leave_exit_code_to_watcher

#: How long to wait for a thread whose engine has been ended, in seconds.
_LEAVE_SECONDS = 2.0

#: Starts the process: its pipes and its protocol.
Start = Callable[[], Awaitable[tuple[asyncio.SubprocessTransport, chess.engine.Protocol]]]


class Background:
    """The thread of one engine.

    :param owner: set up as a `SimpleEngine` once the engine has introduced itself; the process
        ends when it is collected.
    :param start: starts the process.
    :param timeout: of the owner, in seconds; None: wait indefinitely. The engine may take that long
        to introduce itself.
    :raises OSError: if the program cannot be started.
    :raises asyncio.TimeoutError: if it does not introduce itself in time.
    :raises chess.engine.EngineTerminatedError: if it ends instead.
    """

    def __init__(
        self,
        owner: chess.engine.SimpleEngine,
        start: Start,
        timeout: float | None,
        debug: bool | None = None,
    ) -> None:
        self.pid = os.getpid()
        self._owner = weakref.ref(owner)
        self._start = start
        self._timeout = timeout
        self._loop: asyncio.AbstractEventLoop | None = None
        self._transport: asyncio.SubprocessTransport | None = None
        self._is_ended = False
        self._opened: concurrent.futures.Future[None] = concurrent.futures.Future()
        self._thread = threading.Thread(
            target=self._run, args=(debug,), name=type(owner).__name__, daemon=True
        )
        weakref.finalize(owner, self.end).atexit = False  # `_end_all` waits for the process, too
        _alive.add(self)
        self._thread.start()
        try:
            self._opened.result()
        except BaseException:  # Ctrl-C as well
            self.end()
            raise

    @property
    def is_ours(self) -> bool:
        """Whether this is the process that started the engine, not a forked child."""
        return os.getpid() == self.pid

    def end(self) -> None:
        """End the engine's process, from any thread. In a forked child, do nothing."""
        self._is_ended = True
        loop, transport = self._loop, self._transport
        if self.is_ours and loop is not None and transport is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended before
                loop.call_soon_threadsafe(transport.close)

    def wait(self) -> None:
        """Wait, for a limited time, until the process has ended and its pipes are closed."""
        if self.is_ours and self._thread is not threading.current_thread():
            self._thread.join(_LEAVE_SECONDS)

    def let_go(self) -> None:
        """In a forked child: close the parent's pipes."""
        if self._transport is None:
            return
        _of_the_parent.append(self._transport)
        for number in (0, 1, 2):
            pipe = self._transport.get_pipe_transport(number)
            if pipe:
                with contextlib.suppress(OSError, ValueError):  # it was closed before
                    # Replaced, not closed: the number still belongs to an object of the parent's.
                    null = os.open(os.devnull, os.O_RDWR)
                    os.dup2(null, pipe.get_extra_info("pipe").fileno(), inheritable=False)
                    os.close(null)

    def _run(self, debug: bool | None) -> None:
        try:
            asyncio.run(self._serve(), debug=debug)
        except BaseException as error:
            if not self._opened.done():
                self._opened.set_exception(error)
        finally:
            self._opened.cancel()  # nobody waits for it any more, or the engine was ended
            _alive.discard(self)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport, protocol = await self._start()
        transport = self._transport
        leave_exit_code_to_watcher(transport)
        try:
            if self._is_ended:
                return
            await asyncio.wait_for(protocol.initialize(), self._timeout)
            threading.current_thread().name += f" (pid={transport.get_pid()})"
            returncode = self._set_up(transport, protocol)
            if returncode:
                returncode.set_result(await protocol.returncode)
        finally:
            transport.close()
            self._close_owner()
            # Whoever still waits for an answer gets python-chess's error, not a cancellation.
            waiting = asyncio.all_tasks() - {asyncio.current_task()}
            if waiting:
                await asyncio.wait(waiting, timeout=_LEAVE_SECONDS)

    def _set_up(
        self, transport: asyncio.SubprocessTransport, protocol: chess.engine.Protocol
    ) -> concurrent.futures.Future[int] | None:
        owner = self._owner()
        if owner is None or self._is_ended:
            return None
        chess.engine.SimpleEngine.__init__(owner, transport, protocol, timeout=self._timeout)
        self._opened.set_result(None)
        return owner.returncode

    def _close_owner(self) -> None:
        owner = self._owner()
        if owner is not None and hasattr(owner, "returncode"):
            owner.close()


_alive: set[Background] = set()

#: In a forked child: what must not be collected, because collecting it would use the pipes.
_of_the_parent: list[asyncio.SubprocessTransport] = []


def _end_all() -> None:
    running = [one for one in list(_alive) if one.is_ours]
    for one in running:
        one.end()
    for one in running:
        one.wait()


def _let_go_of_all() -> None:
    for one in list(_alive):
        one.let_go()
    _alive.clear()


atexit.register(_end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go_of_all)

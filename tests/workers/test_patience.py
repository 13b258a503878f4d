"""On a busy machine a search process is late, but has not failed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from uci_client import has_proc

from halbzug.base.events import Event, Info, Notice
from halbzug.base.limits import Limits
from halbzug.engine.engine import Engine
from halbzug.workers.patience import LOOK_SECONDS, Patience

pytestmark = [
    pytest.mark.any_build,
    pytest.mark.skipif(
        not has_proc() or not hasattr(os, "SCHED_IDLE"), reason="needs /proc, and Linux's scheduler"
    ),
]

PATIENCE_SECONDS = 0.3
LOOP = [sys.executable, "-S", "-c", "while True: pass"]


@contextlib.contextmanager
def starved(pid: int) -> Iterator[None]:
    """Give a process less than a hundredth of a processor, which four loops share."""
    processors = os.sched_getaffinity(0)
    one = {min(processors)}
    threads = [int(thread.name) for thread in Path(f"/proc/{pid}/task").iterdir()]
    loops = [subprocess.Popen(LOOP) for _ in range(4)]
    try:
        for loop in loops:
            os.sched_setaffinity(loop.pid, one)
        for thread in threads:
            os.sched_setaffinity(thread, one)
            os.sched_setscheduler(thread, os.SCHED_IDLE, os.sched_param(0))
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
        for thread in threads:
            with contextlib.suppress(OSError):  # it was killed, or this needs a superuser
                os.sched_setaffinity(thread, processors)
                os.sched_setscheduler(thread, os.SCHED_OTHER, os.sched_param(0))


def drive(engine: Engine, seconds: float) -> None:
    """Drive the engine for this many seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        due = engine.seconds_to_deadline()
        if due is not None:
            time.sleep(min(due, 0.05))
        while not engine.inbox.empty():
            engine.handle(engine.inbox.get())
        engine.enforce_deadlines()


@pytest.mark.parametrize("is_main", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_process_that_waits_for_its_turn_is_not_replaced(
    is_main: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("halbzug.engine.supervisor.LATE_SECONDS", PATIENCE_SECONDS)
    monkeypatch.setattr("halbzug.workers.smp_pool.HELPER_SILENCE_SECONDS", PATIENCE_SECONDS)
    monkeypatch.setattr("halbzug.workers.smp_pool.MAX_UNANSWERED_JOBS", 1)
    events: list[Event] = []
    with Engine(events.append) as engine:
        if not is_main:
            engine.configure(threads=2)
        while not engine.is_ready:
            engine.handle_next()
        processes = [engine.worker_pid, *engine.helper_pids]
        victim = processes[0 if is_main else 1]
        assert victim
        with starved(victim):
            for _ in range(1 if is_main else 6):
                engine.play(Limits(move_time_ms=20))
                drive(engine, (5 if is_main else 1) * LOOK_SECONDS)
        events.clear()
        engine.play(Limits(depth=3))
        assert max(event.depth for event in events if isinstance(event, Info)) == 3
        assert [engine.worker_pid, *engine.helper_pids] == processes
        assert not any(isinstance(event, Notice) for event in events)


@pytest.mark.parametrize("is_stopped", [True, False])
def test_a_process_that_hangs_has_only_its_time(is_stopped: bool) -> None:
    with subprocess.Popen(LOOP) as process:
        try:
            if is_stopped:
                os.kill(process.pid, signal.SIGSTOP)
            begun = time.perf_counter()
            patience = Patience(process.pid, PATIENCE_SECONDS)
            while not patience.is_over():
                assert time.perf_counter() - begun < 60
                time.sleep(max(patience.due - time.perf_counter(), 0))
            assert time.perf_counter() - begun >= PATIENCE_SECONDS
        finally:
            process.kill()

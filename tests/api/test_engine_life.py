"""`halbzug.Engine` starts and ends with its object and its program, however these end.

Most tests run a program of their own. Nothing may hang, and no process may be left.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import chess.engine
import pytest
from match_runs import fake
from python_runs import Program, run
from uci_client import children_of, has_proc, wait_until_gone

import halbzug
from halbzug.board import movegen
from halbzug.client.protocol import CheckedProtocol

pytestmark = [
    pytest.mark.any_build,
    pytest.mark.skipif(not has_proc(), reason="looks for processes in /proc"),
]

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")


def test_two_engines_at_once(tmp_path: Path) -> None:
    code = """
one, other = halbzug.Engine(), halbzug.Engine(threads=2)
note(one), note(other)
running = one.analysis(board)
print(other.play(board, Limit(depth=4)).move in board.legal_moves)
running.stop()
print(running.wait().move in board.legal_moves)
"""
    assert run(tmp_path, code) == ["True", "True"]


@pytest.mark.slow
def test_engines_in_threads(tmp_path: Path) -> None:
    code = """
def think(number):
    with halbzug.Engine() as engine:
        note(engine)
        moves[number] = engine.play(board, Limit(depth=3)).move

moves = {}
threads = [threading.Thread(target=think, args=(number,)) for number in range(3)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(moves), all(move in board.legal_moves for move in moves.values()))
"""
    assert run(tmp_path, code) == ["3 True"]


def test_questions_from_several_threads_wait_for_each_other(tmp_path: Path) -> None:
    """One engine answers them all, one after another; closing it ends those still waiting."""
    code = """
def think(number):
    for _ in range(4):
        engine.play(board, Limit(depth=2))
        depths.append(engine.analyse(board, Limit(depth=3))["depth"])
        depths.append(halbzug.analyse(board, depth=3, engine=engine).depth)
        engine.ping()

def wait():
    try:
        engine.play(board, Limit(time=600))
    except chess.engine.EngineTerminatedError:
        ends.append("terminated")

depths, ends = [], []
engine = halbzug.Engine()
note(engine)
threads = [threading.Thread(target=think, args=(number,)) for number in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(depths), set(depths))
waiting = [threading.Thread(target=wait) for _ in range(3)]
[thread.start() for thread in waiting]
time.sleep(0.1)
engine.close()
[thread.join() for thread in waiting]
print(ends == ["terminated"] * 3)
"""
    assert run(tmp_path, code) == ["32 {3}", "True"]


@pytest.mark.slow
def test_one_liners_in_several_threads_wait_for_each_other(tmp_path: Path) -> None:
    code = """
def think(number):
    for _ in range(5):
        scores.append(halbzug.analyse(board, depth=3).score)

scores = []
threads = [threading.Thread(target=think, args=(number,)) for number in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(scores), len(set(map(str, scores))))
"""
    assert run(tmp_path, code) == ["20 1"]


def test_an_engine_is_closed_by_another_thread_and_used_afterwards(tmp_path: Path) -> None:
    code = """
for wait in ("engine.play(board, Limit(time=600))", "list(engine.analysis(board))"):
    engine = halbzug.Engine()
    note(engine)
    threading.Timer(0.1, engine.close).start()
    try:
        eval(wait)
    except chess.engine.EngineTerminatedError:
        print("terminated")
engine.close()
engine.close()
for use in ("play(board, Limit(depth=1))", "ping()", "analysis(board)", "id"):
    try:
        eval("engine." + use)
    except chess.engine.EngineTerminatedError as error:
        print(error)
"""
    first, second, *lines = run(tmp_path, code)
    assert (first, second, len(lines)) == ("terminated", "terminated", 4)
    assert all(line.startswith("the engine is closed") for line in lines)


@pytest.mark.slow
def test_an_engine_ends_when_it_is_garbage_collected(tmp_path: Path) -> None:
    """Running a notebook cell thirty times must not leave thirty processes."""
    code = """
pids = []
for _ in range(3):
    engine = halbzug.Engine()
    pids.append(engine.transport.get_pid())
    engine.play(board, Limit(depth=2))
    del engine

def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True

until = time.monotonic() + 60
while any(map(is_alive, pids)) and time.monotonic() < until:
    time.sleep(0.01)
print([pid for pid in pids if is_alive(pid)])
"""
    assert run(tmp_path, code) == ["[]"]


ENDS = {
    "end of the script": ("", 0),
    "sys.exit": ("sys.exit(3)", 3),
    "exception": ("raise ValueError", 1),
    "os._exit": ("os._exit(4)", 4),
}
DOINGS = {"idle": "", "busy": "running = engine.analysis(board)"}


@pytest.mark.parametrize(
    ("doing", "end"),
    [
        pytest.param(
            doing,
            end,
            marks=() if (doing, end) == ("busy", "os._exit") else pytest.mark.slow,
        )
        for doing in DOINGS
        for end in ENDS
    ],
)
def test_a_program_may_end_without_closing_its_engine(tmp_path: Path, doing: str, end: str) -> None:
    last, exit_code = ENDS[end]
    code = f"engine = halbzug.Engine(threads=2)\nnote(engine)\n{DOINGS[doing]}\n{last}\n"
    program = Program(tmp_path, code)
    pid = program.read_pid()
    workers = children_of(pid)
    assert program.end(exit_code) == []
    wait_until_gone([pid, *workers])


@pytest.mark.parametrize("shared", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_killed_program_leaves_no_engine(tmp_path: Path, shared: bool) -> None:
    code = """
engine = halbzug.Engine(threads=2)
note(engine)
engine.play(board, Limit(time=600))
"""
    if shared:
        code = code.replace(
            "engine = halbzug.Engine(threads=2)",
            "halbzug.play(board, depth=1)\nfrom halbzug.api.one_liners import engine_for\n"
            "with engine_for(None) as engine: pass",
        )
    program = Program(tmp_path, code)
    pid = program.read_pid()
    workers = children_of(pid)
    program.process.kill()
    program.process.communicate()
    wait_until_gone([pid, *workers])


@posix
def test_an_exception_or_an_interrupt_in_the_callers_loop_ends_the_search(tmp_path: Path) -> None:
    """Nobody closes the analysis or the engine, but the engine answers further questions.

    The interrupt is Ctrl-C, or the interruption of a notebook cell.
    """
    code = """
def analyse(engine):
    for info in engine.analysis(board):
        if info.get("depth", 0) > 3:
            raise KeyError("mine")

engine = halbzug.Engine()
note(engine)
try:
    analyse(engine)
except KeyError as error:
    print(error)
print(engine.id["name"].split()[0])
print(engine.play(board, Limit(depth=2)).move in board.legal_moves)
threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    engine.play(board, Limit(time=600))
except KeyboardInterrupt:
    print("interrupted")
print(engine.play(board, Limit(depth=2)).move in board.legal_moves)
"""
    assert run(tmp_path, code) == ["'mine'", "Halbzug", "True", "interrupted", "True"]


@pytest.mark.slow
@posix
def test_an_interrupted_one_liner(tmp_path: Path) -> None:
    code = """
threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    halbzug.analyse(board, time=600)
except KeyboardInterrupt:
    print("interrupted")
print(halbzug.play(board, depth=2).move in board.legal_moves)
"""
    assert run(tmp_path, code) == ["interrupted", "True"]


@pytest.mark.slow
@posix
def test_a_forked_child(tmp_path: Path) -> None:
    """It cannot use the parent's engine and does no harm to it; it can start its own."""
    code = """
import warnings
warnings.simplefilter("ignore")
engine = halbzug.Engine()
halbzug.play(board, depth=1)
note(engine)
pid = os.fork()
if pid == 0:
    try:
        engine.play(board, Limit(depth=1))
    except chess.engine.EngineTerminatedError as error:
        print("forked" in str(error), flush=True)
    engine.close()
    del engine
    with halbzug.Engine() as mine:
        note(mine)
        print(mine.play(board, Limit(depth=2)).move in board.legal_moves, flush=True)
    print(halbzug.play(board, depth=2).move in board.legal_moves, flush=True)
    sys.exit(0)
os.waitpid(pid, 0)
print(engine.play(board, Limit(depth=2)).move in board.legal_moves)
"""
    assert run(tmp_path, code) == ["True"] * 4


@posix
def test_killing_a_parent_whose_forked_child_lives_on(tmp_path: Path) -> None:
    code = """
engine = halbzug.Engine()
note(engine)
pid = os.fork()
if pid:
    print(pid, flush=True)
time.sleep(600)
"""
    program = Program(tmp_path, code)
    engine, child = program.read_pid(), program.read_pid()
    try:
        program.process.kill()
        wait_until_gone([engine])
    finally:
        os.kill(child, signal.SIGKILL)
        program.process.communicate()


def test_an_engine_whose_process_dies(tmp_path: Path) -> None:
    code = """
engine = halbzug.Engine()
threading.Timer(0.1, engine.transport.kill).start()
try:
    engine.play(board, Limit(time=600))
except chess.engine.EngineTerminatedError as error:
    print("terminated")
try:
    engine.ping()
except chess.engine.EngineTerminatedError as error:
    print(error)
print(engine.returncode.result(30) != 0, "closed" in repr(engine))
"""
    lines = run(tmp_path, code)
    assert lines[0] == "terminated"
    assert lines[1].startswith("the engine is closed (exit code ")
    assert lines[2] == "True True"


def test_the_shared_engine_is_replaced_when_it_dies(tmp_path: Path) -> None:
    code = """
from halbzug.api.one_liners import engine_for
halbzug.play(board, depth=1)
with engine_for(None) as engine:
    engine.transport.kill()
    engine.returncode.result(60)
print(halbzug.play(board, depth=2).move in board.legal_moves)
"""
    assert run(tmp_path, code) == ["True"]


def test_another_engine_ends_with_its_object(tmp_path: Path) -> None:
    code = """
from checkout import ROOT
fake = str(ROOT / "tests" / "fake_engine.py")
engine = halbzug.Engine.popen_uci([sys.executable, fake, "plain"])
note(engine)
print(isinstance(engine, chess.engine.SimpleEngine), engine.play(board, Limit(time=1)).move)
"""
    folder = str(Path(__file__).parents[1])
    code = f"sys.path.insert(0, {folder!r})\n{code}"
    lines = run(tmp_path, code)
    assert lines and lines[0].startswith("True ")


@pytest.mark.slow
@pytest.mark.skipif(movegen.BUILD != "compiled", reason="a thousand searches")
def test_a_thousand_plays_leak_nothing(tmp_path: Path) -> None:
    code = """
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024

def descriptors():
    return len(os.listdir("/proc/self/fd"))

def think(times):
    for _ in range(times):
        engine.play(board, Limit(nodes=100), game=object())

engine = halbzug.Engine()
think(200)
before = resident(), descriptors()
think(1000)
print(resident() - before[0] < 2000, descriptors() == before[1])
"""
    assert run(tmp_path, code) == ["True True"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system has no SIGKILL")
def test_a_question_to_an_engine_that_was_just_killed(tmp_path: Path) -> None:
    code = """
for question in ("analyse(board, Limit(depth=9))", "play(board, Limit(depth=9))", "ping()"):
    engine = halbzug.Engine()
    note(engine)
    os.kill(engine.transport.get_pid(), signal.SIGKILL)
    try:
        eval("engine." + question)
    except chess.engine.EngineTerminatedError as error:
        print(bool(str(error)))
"""
    assert run(tmp_path, code) == ["True"] * 3


_Start = Callable[[], Awaitable[tuple[asyncio.SubprocessTransport, chess.engine.Protocol]]]


async def _die_and_close(start: _Start) -> int:
    if sys.version_info < (3, 12):  # the default of 3.12; the older one seldom loses the race
        watcher = asyncio.PidfdChildWatcher()
        watcher.attach_loop(asyncio.get_running_loop())
        asyncio.set_child_watcher(watcher)
    transport, protocol = await start()
    os.kill(transport.get_pid(), signal.SIGKILL)
    os.waitid(os.P_PID, transport.get_pid(), os.WEXITED | os.WNOWAIT)
    transport.close()
    return await protocol.returncode


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="asyncio waits differently there")
@pytest.mark.parametrize(
    "start",
    [halbzug.popen, lambda: CheckedProtocol.popen(fake("plain").split())],
    ids=["ours", "another"],
)
def test_the_exit_code_of_an_engine_that_dies_before_it_is_closed(
    start: _Start, caplog: pytest.LogCaptureFixture
) -> None:
    try:
        assert asyncio.run(_die_and_close(start)) == -signal.SIGKILL
    finally:
        if sys.version_info < (3, 12):
            asyncio.set_child_watcher(None)  # type: ignore[arg-type]
    assert not caplog.records  # such as "Unknown child process pid", which users would see


#: Ways to leave `analyse_many`, with the exit code and the output of each.
UNFINISHED = {
    "referenced": ("next(analyses)", 0),
    "zip": ("for number, analysis in zip(range(2), analyses): pass", 0),
    "exception": ("for analysis in analyses: raise ValueError", 1),
    "thread": (
        "others = map(lambda found: is_found.set(), analyses); is_found = threading.Event()\n"
        "threading.Thread(target=list, args=(others,), daemon=True).start(); is_found.wait()",
        0,
    ),
    "generator": ("def first():\n    yield from analyses\nfound = first(); next(found)", 0),
    "interrupt": (
        "next(analyses); threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "for analysis in analyses: pass",
        None,
    ),
}


#: The others end like this one, or like the parent of a forked child, and are slow.
FIRST_WAYS = ("interrupt",)


@pytest.mark.parametrize(
    "way",
    [pytest.param(way, marks=() if way in FIRST_WAYS else pytest.mark.slow) for way in UNFINISHED],
)
def test_a_program_may_leave_analyses_unfinished(tmp_path: Path, way: str) -> None:
    """Its processes end with it, and it does not wait for them."""
    last, exit_code = UNFINISHED[way]
    code = f"""
import itertools
analyses = halbzug.analyse_many(itertools.repeat(board), nodes=2000, processes=2)
{last}
"""
    program = Program(tmp_path, code)
    program.end(exit_code)
    assert "Fatal" not in program.errors and "Exception ignored" not in program.errors


@posix
def test_a_forked_child_with_unfinished_analyses(tmp_path: Path) -> None:
    """It takes no part in them, and the parent continues."""
    code = """
import itertools, warnings
warnings.simplefilter("ignore")
analyses = halbzug.analyse_many(itertools.repeat(board), nodes=100)
next(analyses)
pid = os.fork()
if pid == 0:
    try:
        list(analyses)
    except chess.engine.EngineError as error:
        print("forked" in str(error), flush=True)
    sys.exit(0)
os.waitpid(pid, 0)
print(*(next(analyses).depth > 0 for _ in range(2)))
"""
    assert run(tmp_path, code) == ["True", "True True"]


@pytest.mark.parametrize(
    "end",
    [
        pytest.param("pass", marks=pytest.mark.slow),
        pytest.param("raise KeyError", marks=pytest.mark.slow),
        "await engine.analysis(board)",
    ],
)
def test_an_event_loop_that_is_never_closed_leaves_no_engine(tmp_path: Path, end: str) -> None:
    code = f"""
import asyncio
async def main():
    transport, engine = await halbzug.popen()
    print(transport.get_pid(), flush=True)
    {end}
asyncio.run(main())
"""
    assert run(tmp_path, code, exit_code=int("raise" in end)) == []

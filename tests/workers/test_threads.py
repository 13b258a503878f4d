"""More than one thread: several processes, one engine. Everything else must stay the same."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest
import torture
from positions import COMPILED
from uci_client import (
    MATE_IN_TWO,
    MATED,
    MIDDLEGAME,
    PATIENCE_SECONDS,
    SINGLE_MOVE,
    UciClient,
    has_proc,
    is_alive,
    wait_until_gone,
)

from halbzug.base.events import BestMove, Event, Info, Notice
from halbzug.base.limits import Limits
from halbzug.base.scores import EXACT_BOUND, LOWER_BOUND
from halbzug.engine.engine import Engine
from halbzug.workers import shared_memory, smp_pool
from halbzug.workers.smp_pool import cores
from halbzug.workers.worker import WorkerReport

THREADS = 3

#: Processes beyond the cores have the lowest priority: on a busy machine they wait minutes for a
#: turn.
THREADS_WITH_TURNS = max(2, min(THREADS, cores()))

#: Enough nodes for all threads to have their share.
MANY_NODES = 100_000 if COMPILED else 30_000

#: The number of searches in which the workers may disagree.
SEARCHES = 40 if os.environ.get("CI") else 10

pytestmark = pytest.mark.any_build

needs_proc = pytest.mark.skipif(not has_proc(), reason="needs /proc")
needs_signals = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")


@pytest.fixture(scope="module")
def _client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[UciClient]:
    with UciClient(tmp_path_factory.mktemp("threads")) as client:
        client.send(f"setoption name Threads value {THREADS}")
        client.handshake()
        yield client


@pytest.fixture
def smp(_client: UciClient) -> UciClient:
    """An idle engine with several threads, at the start position."""
    _client.send("setoption name MultiPV value 1", "position startpos", "ucinewgame")
    assert _client.synchronise() == []
    return _client


def legal(move: str, fen: str = chess.STARTING_FEN) -> bool:
    return chess.Move.from_uci(move) in chess.Board(fen).legal_moves


# -- searching ------------------------------------------------------------------------------------


@pytest.mark.slow
@needs_proc
def test_as_many_processes_search_as_there_are_threads(tmp_path: Path) -> None:
    def work(pid: int) -> int:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11])  # clock ticks

    with UciClient(tmp_path) as client:
        client.send(f"setoption name Threads value {THREADS_WITH_TURNS}")
        client.handshake()
        client.go("go nodes 1")
        workers = client.children()
        assert len(workers) == THREADS_WITH_TURNS
        before = {pid: work(pid) for pid in workers}
        client.send("go infinite")
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not all(work(pid) > before[pid] for pid in workers):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        client.send("stop")
        client.read_until("bestmove")
        assert client.children() == workers


@pytest.mark.slow
@needs_proc
def test_more_threads_than_cores_have_a_lower_priority(tmp_path: Path) -> None:
    """With hundreds, the front and the main worker would have no time to answer."""
    usable = len(os.sched_getaffinity(0))
    with UciClient(tmp_path) as client:
        client.handshake()
        main = client.children()
        client.send(f"setoption name Threads value {usable + 2}")
        assert client.synchronise() == []
        helpers = [pid for pid in client.children() if pid not in main]
        own = os.getpriority(os.PRIO_PROCESS, client.process.pid)
        assert os.getpriority(os.PRIO_PROCESS, main[0]) == own
        nicer = [pid for pid in helpers if os.getpriority(os.PRIO_PROCESS, pid) > own]
        assert (len(helpers), len(nicer)) == (usable + 1, 2)


@pytest.mark.parametrize(
    "limit", ["depth 7", "movetime 300", f"nodes {MANY_NODES}", "wtime 3000 winc 30"]
)
def test_only_one_process_prints(smp: UciClient, limit: str) -> None:
    answer = smp.go(f"go {limit}")
    is_timed = "time" in limit  # on a busy machine it may have to guess
    assert [text for text in answer.strings if not (is_timed and "guess" in text)] == []
    assert answer.last.pv[0] == answer.move
    assert legal(answer.move)
    for name in ("nodes", "time", "tbhits"):
        counted = [info.numbers[name] for info in answer.infos]
        assert counted == sorted(counted)
    smp.expect_silence(but="")


@pytest.mark.parametrize("nodes", [1, 2, 50, 3000, MANY_NODES])
def test_a_node_limit_is_a_total(smp: UciClient, nodes: int) -> None:
    answer = smp.go(f"go nodes {nodes}")
    assert answer.last.numbers["nodes"] <= nodes + THREADS
    assert legal(answer.move)
    if nodes == MANY_NODES:
        assert answer.last.numbers["nodes"] > nodes // 4


def test_a_depth_is_reached_and_not_exceeded(smp: UciClient) -> None:
    answer = smp.go("go depth 8")
    depths = [info.depth for info in answer.infos if not info.bound]
    assert depths == sorted(depths)
    assert depths[-1] == 8


def test_a_mate_is_found(smp: UciClient) -> None:
    smp.send(f"position fen {MATE_IN_TWO}")
    answer = smp.go("go mate 2")
    assert answer.move == "a1a6"
    assert answer.last.mate == 2
    assert len(answer.last.pv) == 3


def test_the_ponder_move_and_the_depth_agree_with_the_output(smp: UciClient) -> None:
    """The vote used to combine one worker's move with another's reply, or with a shallower line."""
    moves: list[str] = []
    for number in range(SEARCHES):
        smp.send(f"position startpos moves {' '.join(moves)}")
        answer = smp.go(f"go movetime {30 + number}")
        depths = [info.depth for info in answer.infos]
        assert depths[-1] == max(depths), "\n".join(answer.lines)
        assert answer.last.pv[0] == answer.move
        if len(answer.last.pv) > 1:
            assert answer.ponder == answer.last.pv[1], "\n".join(answer.lines)
        moves.append(answer.move)


def test_searchmoves_are_respected(smp: UciClient) -> None:
    for limit in ("movetime 200", "nodes 20000", "depth 5"):
        answer = smp.go(f"go {limit} searchmoves a2a3 h2h3")
        assert {info.pv[0] for info in answer.infos} <= {"a2a3", "h2h3"}
        assert answer.move in ("a2a3", "h2h3")


def test_multi_pv_gives_all_lines(smp: UciClient) -> None:
    smp.send("setoption name MultiPV value 4", f"position fen {MIDDLEGAME}")
    answer = smp.go(f"go nodes {MANY_NODES // 3}")
    last = {info.multipv: info for info in answer.infos}
    assert sorted(last) == [1, 2, 3, 4]
    assert len({info.pv[0] for info in last.values()}) == 4
    assert last[1].pv[0] == answer.move


def test_several_lines_reach_the_requested_depth(smp: UciClient) -> None:
    # A helper that is faster knows only one line.
    smp.send("setoption name MultiPV value 2")
    for _ in range(SEARCHES):
        answer = smp.go("go depth 6")
        assert [(info.multipv, info.depth) for info in answer.infos[-2:]] == [(1, 6), (2, 6)]


def test_infinite_and_pondering_wait(smp: UciClient) -> None:
    for end in ("stop", "ponderhit"):
        smp.send("go infinite" if end == "stop" else "go ponder movetime 100")
        smp.expect_silence()
        smp.send(end)
        assert legal(smp.wait_for_best_move().move)
    smp.send(f"position fen {MATE_IN_TWO}", "go infinite mate 2")
    while "score mate 2" not in (smp.read() or ""):
        pass
    smp.expect_silence()  # finished, but held back
    smp.send("stop")
    assert smp.wait_for_best_move().move == "a1a6"


@pytest.mark.parametrize(("fen", "move"), [(MATED, "(none)"), (SINGLE_MOVE, "h1g1")])
def test_a_forced_move(smp: UciClient, fen: str, move: str) -> None:
    smp.send(f"position fen {fen}")
    assert smp.go("go wtime 60000 btime 60000").move == move


def test_tablebase_hits_of_all_threads_count(smp: UciClient) -> None:
    smp.send("position fen 8/8/8/8/3pk3/8/3KP3/8 w - - 0 1")
    answer = smp.go("go depth 6")
    assert answer.last.numbers["tbhits"] > 0
    assert legal(answer.move, "8/8/8/8/3pk3/8/3KP3/8 w - - 0 1")


def test_perft_is_counted_once(smp: UciClient) -> None:
    smp.send("go perft 3")
    lines = smp.read_until("Nodes")
    assert lines[-1] == "Nodes searched: 8902"


@pytest.mark.slow
def test_one_thread_is_deterministic_even_after_more_threads(tmp_path: Path) -> None:
    trees = []
    limits = ("depth 8", "nodes 20000") if COMPILED else ("depth 5", "nodes 4000")
    with UciClient(tmp_path) as client:
        for threads in (1, 2, 1, 3, 1):
            client.send(f"setoption name Threads value {threads}", "ucinewgame")
            client.synchronise()
            for limit in limits:
                answer = client.go(f"go {limit}")
                if threads == 1:
                    # Failed windows are reported by the clock, once a search takes long.
                    exact = [info for info in answer.infos if not info.bound]
                    lines = [info.line.partition(" nps ")[0] for info in exact]
                    trees.append([*lines, answer.last.pv, answer.lines[-1]])
    assert trees[0:2] == trees[2:4] == trees[4:6]


@pytest.mark.slow
def test_the_stock_settings_of_lichess_bot(tmp_path: Path) -> None:
    with UciClient(tmp_path) as client:
        client.send("uci")
        client.read_until("uciok")
        options = ("Move Overhead value 100", "Threads value 4", "Hash value 512")
        client.send(*(f"setoption name {option}" for option in options), "ucinewgame")
        assert client.synchronise() == []
        assert legal(client.go("go wtime 5000 btime 5000 winc 100 binc 100").move)


# -- failing workers ------------------------------------------------------------------------------


@pytest.fixture
def events() -> list[Event]:
    return []


@pytest.fixture
def engine(events: list[Event], monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    monkeypatch.setattr(smp_pool, "cores", lambda: THREADS)  # all have the same priority
    with Engine(events.append) as engine:
        engine.configure(threads=THREADS)
        wait_until_ready(engine)
        yield engine


def wait_until_ready(engine: Engine) -> None:
    while not engine.is_ready:
        engine.handle_next()


def drive(engine: Engine, seconds: float) -> None:
    """Drive the engine for this many seconds."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        try:
            engine.handle(engine.inbox.get(timeout=min(left, 0.02)))
        except queue.Empty:
            engine.enforce_deadlines()


def test_counters_never_decrease_whoever_counts(engine: Engine, events: list[Event]) -> None:
    """A failed window of the main worker may count more than a helper's line that follows."""
    engine.go(Limits(infinite=True))
    mains, helpers = first_lines(engine)
    assert isinstance(mains.event, Info) and isinstance(helpers.event, Info)
    few = helpers.event._replace(depth=99, nodes=4, time_ms=5, tablebase_hits=6)
    many = mains.event._replace(bound="upperbound", nodes=40, time_ms=50, tablebase_hits=60)
    for report in (mains._replace(event=many), helpers._replace(event=few)):
        engine.handle(report)
    said = [event for event in events if isinstance(event, Info)]
    assert [info.depth for info in said[-2:]] == [many.depth, 99]
    assert {(info.nodes, info.time_ms, info.tablebase_hits) for info in said[-2:]} == {(40, 50, 60)}
    engine.requests.stop()


def test_a_finished_depth_has_the_last_word(engine: Engine, events: list[Event]) -> None:
    """A helper ends `go depth` while the main worker is still searching, with a move it considers
    good.
    """
    engine.go(Limits(depth=40))
    mains, helpers = first_lines(engine)
    assert isinstance(mains.event, Info) and isinstance(helpers.event, Info)
    half = mains.event._replace(depth=40, bound=LOWER_BOUND)
    whole = helpers.event._replace(depth=40, bound=EXACT_BOUND)
    best = BestMove(half.pv[0])
    for worker, event in ((mains, half), (helpers, whole), (mains, best)):
        engine.handle(worker._replace(event=event))
    last = [event for event in events if isinstance(event, Info)][-1]
    assert (last.depth, last.bound) == (40, EXACT_BOUND)
    assert events[-1] == BestMove(last.pv[0], last.pv[1] if len(last.pv) > 1 else None)


def first_lines(engine: Engine) -> tuple[WorkerReport, WorkerReport]:
    """A line of the main worker and one of a helper, not yet handled."""
    mains: WorkerReport | None = None
    helpers: WorkerReport | None = None
    while not (mains and helpers):
        item = engine.inbox.get(timeout=60)
        if isinstance(item, WorkerReport) and isinstance(item.event, Info) and item.event.pv:
            if item.worker.pid == engine.worker_pid:
                mains = item
            else:
                helpers = item
    return mains, helpers


@needs_signals
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_lost_helper_costs_nothing(
    engine: Engine, events: list[Event], how: signal.Signals
) -> None:
    def depth() -> int:
        return max((event.depth for event in events if isinstance(event, Info)), default=0)

    victim = engine.helper_pids[0]
    engine.go(Limits(infinite=True))
    while depth() < 3:
        engine.handle_next()
    os.kill(victim, how)
    before = depth()
    while depth() <= before:
        engine.handle_next()
    engine.requests.stop()
    while engine.requests.is_searching:
        engine.handle_next()
    best = [event for event in events if isinstance(event, BestMove)]
    assert len(best) == 1 and legal(best[0].move or "")
    if how == signal.SIGKILL:
        while victim in engine.helper_pids:  # its end may be reported after the best move
            engine.handle_next()
        wait_until_ready(engine)
        assert len(engine.helper_pids) == THREADS - 1
        assert sum(isinstance(event, Notice) for event in events) <= 1


@pytest.mark.slow
@needs_signals
def test_helpers_killed_again_and_again_are_replaced(
    engine: Engine, events: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    # If killed before their first message too often, they would no longer be replaced.
    monkeypatch.setattr("halbzug.workers.smp_pool.HELPER_START_SECONDS", 80.0)
    engine.go(Limits(infinite=True))
    for _ in range(3):
        wait_for_helpers(engine)
        for pid in engine.helper_pids:
            os.kill(pid, signal.SIGKILL)
        drive(engine, 0.1)
    wait_for_helpers(engine)
    assert len(engine.helper_pids) == THREADS - 1
    engine.requests.stop()
    while engine.requests.is_searching:
        engine.handle_next()
    assert sum(isinstance(event, BestMove) for event in events) == 1


def wait_for_helpers(engine: Engine) -> None:
    """Wait until they have started."""
    drive(engine, 0.1)
    deadline = time.monotonic() + 90
    while engine.seconds_to_deadline() is not None:
        assert time.monotonic() < deadline
        drive(engine, 0.05)


@pytest.mark.slow
@needs_signals
def test_a_hanging_helper_is_eventually_replaced(
    engine: Engine, events: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("halbzug.workers.smp_pool.HELPER_SILENCE_SECONDS", 0.3)
    victim = engine.helper_pids[1]
    os.kill(victim, signal.SIGSTOP)
    deadline = time.monotonic() + 30
    while victim in engine.helper_pids:
        assert time.monotonic() < deadline
        assert legal(engine.play(Limits(move_time_ms=60)).move or "")
    wait_until_ready(engine)
    assert len(engine.helper_pids) == THREADS - 1


@pytest.mark.slow
@needs_signals
def test_a_search_whose_main_worker_dies_is_answered(engine: Engine, events: list[Event]) -> None:
    for how in (signal.SIGKILL, signal.SIGSTOP):
        assert engine.worker_pid
        engine.go(Limits(move_time_ms=1500))
        drive(engine, 0.4)
        os.kill(engine.worker_pid, how)
        while engine.requests.is_searching:
            engine.handle_next()
        wait_until_ready(engine)
    best = [event for event in events if isinstance(event, BestMove)]
    assert [legal(event.move or "") for event in best] == [True, True]
    drive(engine, 2.0)
    wait_until_ready(engine)
    events.clear()
    assert legal(engine.play(Limits(depth=6)).move or "")
    assert max(event.depth for event in events if isinstance(event, Info)) == 6


@pytest.mark.slow
@needs_signals
@needs_proc
@pytest.mark.parametrize("state", ["", "go infinite", "setoption name Threads value 1"])
def test_no_worker_outlives_a_killed_front(tmp_path: Path, state: str) -> None:
    with UciClient(tmp_path) as client:
        client.send(f"setoption name Threads value {THREADS_WITH_TURNS}")
        client.handshake()
        workers = client.children()
        assert len(workers) == THREADS_WITH_TURNS
        client.send(state)
        client.synchronise()
        client.process.kill()
        client.wait()
        wait_until_gone(workers)


@pytest.mark.slow
@needs_proc
def test_quit_and_fewer_threads_end_the_surplus_workers(tmp_path: Path) -> None:
    with UciClient(tmp_path) as client:
        everybody: set[int] = set()
        for threads in (4, 2, 3, 1):
            client.send(f"setoption name Threads value {threads}", "go infinite")
            client.synchronise()
            wait_until_gone([pid for pid in everybody if pid not in client.children()])
            assert len(client.children()) == threads
            everybody |= set(client.children())
            client.send("stop")
            client.wait_for_best_move()
        client.send("setoption name Threads value 4", "go infinite")
        client.synchronise()
        workers = client.children()
        client.send("quit")
        client.wait()
        wait_until_gone(workers)
        assert not any(map(is_alive, everybody))


# -- memory ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_without_shared_memory_one_thread_searches_and_says_so(
    events: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    monkeypatch.setattr(shared_memory, "FOLDERS", ("/no/such/folder",))
    if os.name != "posix":
        pytest.skip("Windows shares memory without files")
    with Engine(events.append) as engine:
        engine.configure(threads=4)
        assert legal(engine.play(Limits(depth=4)).move or "")
        assert engine.helper_pids == []
        notices = [event.text for event in events if isinstance(event, Notice)]
        assert len(notices) == 1
        assert "one thread" in notices[0]
        events.clear()
        monkeypatch.undo()
        engine.new_game()  # it is tried again
        wait_until_ready(engine)
        assert legal(engine.play(Limits(depth=4)).move or "")
        assert len(engine.helper_pids) == 3
        assert not any(isinstance(event, Notice) for event in events)


@needs_signals
def test_with_files_only_it_says_where_they_are(
    events: list[Event], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    monkeypatch.setattr(shared_memory, "FOLDERS", ("/no/such/folder", str(tmp_path)))
    with Engine(events.append) as engine:
        engine.configure(threads=2)
        wait_until_ready(engine)
        assert legal(engine.play(Limits(depth=3)).move or "")
        notices = [event.text for event in events if isinstance(event, Notice)]
        assert notices == [f"the table for all threads is a file in {tmp_path}"]
        assert list(tmp_path.iterdir()) == []


@needs_signals
def test_a_worker_that_cannot_start(events: list[Event], monkeypatch: pytest.MonkeyPatch) -> None:
    with Engine(events.append) as engine:
        wait_until_ready(engine)
        monkeypatch.setattr(sys, "executable", "/no/such/program")
        engine.configure(threads=3)
        assert legal(engine.play(Limits(depth=4)).move or "")
        monkeypatch.setattr(sys, "executable", "/bin/false")
        engine.configure(threads=3)
        while engine.helper_pids:
            engine.handle_next()
        assert legal(engine.play(Limits(depth=4)).move or "")
        assert engine.helper_pids == []
        assert any(isinstance(event, Notice) for event in events)


@pytest.mark.slow
@needs_signals
@needs_proc
def test_a_wild_session_leaves_nothing_behind() -> None:
    report = torture.run(changes=5, new_games=5, kills=3)
    assert report.illegal == []
    assert report.orphans == []
    assert report.left_files == []
    assert report.open_files_after <= report.open_files_before
    assert report.memory_after_mb < report.memory_before_mb + 20


def test_a_program_that_ends_without_closing_leaves_no_worker(tmp_path: Path) -> None:
    program = (
        "import os\n"
        "from halbzug.engine.engine import Engine\n"
        "from halbzug.base.limits import Limits\n"
        "engine = Engine()\n"
        "engine.configure(threads=2)\n"
        "engine.play(Limits(move_time_ms=50))\n"
        "print(engine.worker_pid, *engine.helper_pids, flush=True)\n"
        "os._exit(0)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    pids = [int(word) for word in result.stdout.split()]
    assert len(pids) == 2  # with more threads than cores, some would wait for other programs
    if has_proc():
        wait_until_gone(pids)

"""`Engine` as Python programs use it, and what it does when its search process fails."""

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
from uci_client import MATED, STALEMATE, has_proc, wait_until_gone

from halbzug.base.events import BestMove, Event, Info, Notice
from halbzug.base.limits import Limits
from halbzug.base.scores import EXACT_BOUND, MATE, UPPER_BOUND
from halbzug.engine.engine import Engine
from halbzug.engine.game_position import GamePosition
from halbzug.workers import smp_pool
from halbzug.workers.worker import WorkerReport

needs_signals = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
START_MOVES = {move.uci() for move in chess.Board().legal_moves}


@pytest.fixture
def events() -> list[Event]:
    return []


@pytest.fixture
def engine(events: list[Event], monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    monkeypatch.setattr(smp_pool, "cores", lambda: 2)  # or a helper might never have its turn
    with Engine(events.append) as engine:
        yield engine


def drive_until_answered(engine: Engine, seconds: float = 30.0) -> float:
    """Drive the engine until it is idle; return how many seconds that took."""
    start = time.monotonic()
    while engine.requests.is_searching:
        assert time.monotonic() - start < seconds, "no answer"
        drive(engine, 0.05)
    return time.monotonic() - start


def drive(engine: Engine, seconds: float) -> None:
    """Drive the engine for this many seconds."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        due = engine.seconds_to_deadline()
        try:
            item = engine.inbox.get(timeout=left if due is None else min(left, due))
        except queue.Empty:
            engine.enforce_deadlines()
        else:
            engine.handle(item)


def wait_until_ready(engine: Engine) -> None:
    """Wait until the worker is ready."""
    deadline = time.monotonic() + 30
    while not engine.is_ready:
        assert time.monotonic() < deadline
        drive(engine, 0.02)


def best_moves(events: list[Event]) -> list[BestMove]:
    return [event for event in events if isinstance(event, BestMove)]


# -- public interface -----------------------------------------------------------------------------


def test_play_answers_with_a_legal_move_and_events(engine: Engine, events: list[Event]) -> None:
    best = engine.play(Limits(depth=3))
    assert best.move in START_MOVES
    assert best_moves(events) == [best]
    assert [event.depth for event in events if isinstance(event, Info)] == [1, 2, 3]
    assert not engine.requests.is_searching


def test_set_position_takes_moves_and_a_fen(engine: Engine, events: list[Event]) -> None:
    engine.set_position(moves=["e2e4", "e7e5"])
    assert engine.board.fen() == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    engine.set_position(moves=["e2e4", "e7e5", "g1f3"])
    assert len(engine.board.move_stack) == 3
    engine.set_position(moves=["e2e4"])
    assert len(engine.board.move_stack) == 1
    engine.set_position(moves=["d2d4", "d2d4"])
    assert [move.uci() for move in engine.board.move_stack] == ["d2d4"]
    assert isinstance(events[-1], Notice)
    engine.set_position("4k3/8/8/8/8/8/8/4K2R w K - 0 1", ["e1g1"])
    assert engine.board.piece_at(chess.F1) == chess.Piece.from_symbol("R")


def test_an_invalid_fen_raises_an_error_and_keeps_the_old_position(engine: Engine) -> None:
    engine.set_position(moves=["e2e4"])
    before = engine.board.fen()
    for fen in ("", "nonsense", "8/8/8/8/8/8/8/8 w - - 0 1"):
        with pytest.raises(ValueError, match=r"position|FEN"):
            engine.set_position(fen)
        assert engine.board.fen() == before


def test_the_board_is_a_copy(engine: Engine) -> None:
    engine.board.push_uci("e2e4")
    assert engine.board.fen() == chess.STARTING_FEN


@pytest.mark.parametrize(("fen", "score"), [(MATED, -32000), (STALEMATE, 0)])
def test_a_finished_game_has_no_move(
    engine: Engine, events: list[Event], fen: str, score: int
) -> None:
    engine.set_position(fen)
    assert engine.play(Limits(depth=5)).move is None
    infos = [event for event in events if isinstance(event, Info)]
    assert [(info.score, info.depth, info.nodes) for info in infos] == [(score, 0, 0)]


def test_stop_from_an_event_handler() -> None:
    def stop_at_depth_two(event: Event) -> None:
        if isinstance(event, BestMove) or (isinstance(event, Info) and event.depth >= 2):
            engine.requests.stop()

    with Engine(stop_at_depth_two) as engine:
        assert engine.play(Limits(infinite=True)).move in START_MOVES


def test_stop_from_the_handler_of_the_best_move(events: list[Event]) -> None:
    def stop(event: Event) -> None:
        events.append(event)
        engine.requests.stop()

    with Engine(stop) as engine:
        engine.set_position(MATED)
        engine.go(Limits(infinite=True))
        engine.requests.stop()
        assert len(best_moves(events)) == 1


def test_a_new_search_from_the_handler_of_a_best_move(events: list[Event]) -> None:
    def go_on(event: Event) -> None:
        events.append(event)
        if isinstance(event, BestMove) and len(best_moves(events)) < 3:
            engine.go(Limits(depth=1))

    with Engine(go_on) as engine:
        engine.go(Limits(depth=1))
        drive_until_answered(engine)
        assert len(best_moves(events)) == 3


def test_play_waits_for_its_own_answer(engine: Engine, events: list[Event]) -> None:
    engine.go(Limits(infinite=True))
    engine.set_position("7k/8/8/8/8/8/r7/7K w - - 0 1")
    assert engine.play(Limits(depth=1)).move == "h1g1"
    assert len(best_moves(events)) == 2
    assert not engine.requests.is_searching


def test_two_engines_in_one_process() -> None:
    with Engine() as first, Engine() as second:
        first.configure(multi_pv=3)
        second.set_position(moves=["e2e4"])
        first.go(Limits(depth=3))
        second.go(Limits(depth=3))
        assert second.play(Limits(depth=2)).move not in START_MOVES
        drive_until_answered(first)
        assert first.board.fen() == chess.STARTING_FEN
        assert first.worker_pid != second.worker_pid


def test_the_same_search_twice_is_the_same() -> None:
    lines = []
    for _ in range(2):
        events: list[Event] = []
        with Engine(events.append) as engine:
            engine.play(Limits(depth=4))
        infos = [
            event for event in events if isinstance(event, Info) and event.bound == EXACT_BOUND
        ]
        lines.append([(info.depth, info.nodes, info.pv) for info in infos])
    assert lines[0] == lines[1]


def test_a_closed_engine_still_answers() -> None:
    engine = Engine()
    engine.close()
    engine.close()
    assert engine.play(Limits(depth=1)).move in START_MOVES


@pytest.mark.skipif(not has_proc(), reason="needs /proc")
def test_close_ends_the_worker_even_during_a_search() -> None:
    engine = Engine()
    pid = engine.worker_pid
    assert pid
    engine.go(Limits(infinite=True))
    engine.close()
    wait_until_gone([pid])


@pytest.mark.skipif(not has_proc(), reason="needs /proc")
def test_configuring_a_closed_engine_starts_no_processes() -> None:
    engine = Engine()
    engine.close()
    engine.configure(threads=3)
    engine.new_game()
    assert engine.helper_pids == []


def test_a_script_needs_no_main_guard_and_may_lie_beside_any_file(tmp_path: Path) -> None:
    for name in ("chess.py", "json.py", "pickle.py", "random.py"):
        (tmp_path / name).write_text("raise SystemExit('the wrong module')\n")
    folder = tmp_path / "scripts"
    folder.mkdir()
    script = folder / "play.py"
    script.write_text(
        "from halbzug.engine.engine import Engine\n"
        "from halbzug.base.limits import Limits\n"
        "engine = Engine()\n"
        "print(engine.play(Limits(depth=2)).move)\n"
        "engine.close()\n"
    )
    result = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert result.stdout.strip() in START_MOVES
    assert result.stderr == ""


@pytest.mark.parametrize("chess960", [False, True])
def test_the_search_is_told_only_the_positions_that_can_repeat(chess960: bool) -> None:
    moves = ["e2e4", "g8f6", "g1f3", "f6g8", *["f3g1", "g8f6", "g1f3", "f6g8"] * 5000]
    position = GamePosition()
    assert position.read(None, moves, chess960) == ""
    fen, last = position.repeatable_part()
    assert len(last) == 100
    board = chess.Board(fen, chess960=chess960)
    for move in last:
        board.push_uci(move)
    assert board.fen() == position.public_board().fen()
    assert board.halfmove_clock == 20003
    assert position.read(None, [*moves, "d2d4"], chess960) == ""
    assert position.repeatable_part()[1] == ()


# -- failing workers ------------------------------------------------------------------------------


@needs_signals
@pytest.mark.parametrize("is_counting", [False, True])
def test_a_move_time_starts_when_the_worker_is_free(
    engine: Engine, events: list[Event], is_counting: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for a worker that is starting, and for perft."""
    monkeypatch.setattr("halbzug.engine.request.LATEST_START_SECONDS", 60.0)
    seconds = 0.2
    wait_until_ready(engine)
    assert engine.worker_pid
    os.kill(engine.worker_pid, signal.SIGSTOP)
    if is_counting:
        engine.go(Limits(depth=2), "perft")
    else:
        engine.clear_hash()
    engine.go(Limits(move_time_ms=int(seconds * 1000)))
    drive(engine, 2 * seconds)
    assert not best_moves(events)
    continued = time.perf_counter()
    os.kill(engine.worker_pid, signal.SIGCONT)
    drive_until_answered(engine)
    while not best_moves(events):
        engine.handle_next()
    assert time.perf_counter() - continued > seconds - 0.1  # the rest is Move Overhead


@pytest.mark.slow
@needs_signals
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_worker_lost_in_a_timed_search(
    engine: Engine, events: list[Event], how: signal.Signals
) -> None:
    wait_until_ready(engine)
    pid = engine.worker_pid
    assert pid
    engine.go(Limits(move_time_ms=1500))
    drive(engine, 0.3)
    os.kill(pid, how)
    assert drive_until_answered(engine) < 5
    assert [best.move in START_MOVES for best in best_moves(events)] == [True]
    assert any(isinstance(event, Info) for event in events)
    drive(engine, 2)  # a stopped worker is replaced after a while
    events.clear()
    wait_until_ready(engine)
    assert engine.play(Limits(depth=3)).move in START_MOVES
    assert max(event.depth for event in events if isinstance(event, Info)) == 3
    assert engine.worker_pid != pid
    assert sum(isinstance(event, Notice) for event in events) <= 2


@pytest.mark.slow
@needs_signals
def test_a_worker_stopped_in_a_fast_game_is_replaced(engine: Engine, events: list[Event]) -> None:
    wait_until_ready(engine)
    pid = engine.worker_pid
    assert pid
    os.kill(pid, signal.SIGSTOP)
    deadline = time.monotonic() + 20
    while engine.worker_pid == pid:  # moves continue, one after another
        assert time.monotonic() < deadline, "never replaced"
        engine.go(Limits(move_time_ms=100))
        assert drive_until_answered(engine) < 5
    answers = best_moves(events)
    assert answers and all(best.move in START_MOVES for best in answers)
    for index, event in enumerate(events):
        if isinstance(event, BestMove):  # each follows a line with a score
            assert isinstance(events[index - 1], Info)
    wait_until_ready(engine)
    engine.play(Limits(depth=1))
    told = [event.text for event in events if isinstance(event, Notice)]
    told = [text for text in told if "the search process" in text]
    assert told == ["the search process does not answer and is replaced"]


@pytest.mark.slow
@needs_signals
def test_a_worker_killed_in_an_infinite_search_is_replaced_silently(
    engine: Engine, events: list[Event]
) -> None:
    wait_until_ready(engine)
    assert engine.worker_pid
    engine.go(Limits(infinite=True))
    for _ in range(2):
        drive(engine, 0.3)
        os.kill(engine.worker_pid, signal.SIGKILL)
        drive(engine, 0.6)
        assert not best_moves(events)
    engine.requests.stop()
    drive_until_answered(engine)
    assert [best.move in START_MOVES for best in best_moves(events)] == [True]


def test_the_last_line_shows_the_move_that_is_played(engine: Engine, events: list[Event]) -> None:
    """A helper's move was elected, while the last line was a bound of the main worker's move."""
    engine.configure(threads=2)
    wait_until_ready(engine)
    engine.go(Limits(infinite=True))
    line: Info | None = None
    has_helper_line = False  # without one there is no vote
    while engine.requests.is_searching:
        item = engine.inbox.get(timeout=30)
        is_line = isinstance(item, WorkerReport) and isinstance(item.event, Info)
        if not isinstance(item, WorkerReport) or item.worker.pid != engine.worker_pid:
            has_helper_line = has_helper_line or is_line
        elif is_line and item.event.depth >= 5 and has_helper_line:
            line = item.event
            engine.requests.stop()
        elif isinstance(item.event, BestMove) and line:
            other = next(move for move in START_MOVES if move != item.event.move)
            failed_low = line._replace(depth=40, bound=UPPER_BOUND, pv=(other,))
            engine.handle(WorkerReport(item.worker, item.number, failed_low))
        engine.handle(item)
    (best,) = best_moves(events)
    assert [event.pv[0] for event in events if isinstance(event, Info)][-1] == best.move


def test_a_finished_search_shows_the_elected_line_before_it_is_stopped(
    engine: Engine, events: list[Event]
) -> None:
    """With `go infinite` the main worker has finished, but a helper has found a mate."""
    engine.configure(threads=2)
    wait_until_ready(engine)
    other = ""
    while not other:
        engine.go(Limits(infinite=True, depth=9))
        helper = line = None
        while engine.requests.current:
            item = engine.inbox.get(timeout=30)
            if isinstance(item, WorkerReport) and item.number != engine.requests.current.job.number:
                engine.handle(item)  # of the search before this one
                continue
            if isinstance(item, WorkerReport) and isinstance(item.event, Info):
                line = item.event
                helper = item if item.worker.pid != engine.worker_pid else helper
            is_over = isinstance(item, WorkerReport) and isinstance(item.event, BestMove)
            if is_over and item.worker.pid == engine.worker_pid:
                if helper and line:
                    other = next(move for move in START_MOVES if move != item.event.move)
                    mate = line._replace(depth=9, bound=EXACT_BOUND, score=MATE - 3, pv=(other,))
                    engine.handle(WorkerReport(helper.worker, helper.number, mate))
                engine.handle(item)
                break
            engine.handle(item)
        shown = [event.pv[0] for event in events if isinstance(event, Info)]
        engine.requests.stop()
        drive_until_answered(engine)
    assert shown[-1] == other == best_moves(events)[-1].move


@pytest.mark.parametrize("threads", [1, 2])
def test_the_last_line_shows_the_move_played_for_a_stopped_worker(
    engine: Engine, events: list[Event], threads: int
) -> None:
    """Time ran out between the worker's last line, a bound of another move, and its answer."""
    engine.configure(threads=threads)
    wait_until_ready(engine)
    engine.go(Limits(move_time_ms=20_000))
    while engine.requests.is_searching:
        item = engine.inbox.get(timeout=30)
        engine.handle(item)
        if not isinstance(item, WorkerReport) or not isinstance(item.event, Info):
            continue
        line = item.event
        if (
            item.worker.pid == engine.worker_pid
            and line.depth >= 5
            and engine.requests.is_searching
        ):
            other = next(move for move in START_MOVES if move != line.pv[0])
            failed_low = line._replace(depth=40, bound=UPPER_BOUND, pv=(other,))
            engine.handle(WorkerReport(item.worker, item.number, failed_low))
            assert engine.requests.current
            engine.requests.current.deadline = time.perf_counter()
            engine.enforce_deadlines()
    (best,) = best_moves(events)
    lines = [event for event in events if isinstance(event, Info)]
    assert lines[-1].pv[0] == best.move
    assert lines[-1].depth == max(line.depth for line in lines)


@pytest.mark.slow
@needs_signals
def test_a_new_worker_keeps_the_node_count_and_the_better_line(
    engine: Engine, events: list[Event]
) -> None:
    def nodes() -> list[int]:
        return [event.nodes for event in events if isinstance(event, Info)]

    wait_until_ready(engine)
    assert engine.worker_pid
    engine.go(Limits(infinite=True))
    drive(engine, 1.0)
    counted = len(nodes())
    os.kill(engine.worker_pid, signal.SIGKILL)
    deadline = time.monotonic() + 30
    while len(nodes()) < counted + 4:
        assert time.monotonic() < deadline
        drive(engine, 0.05)
    later = nodes()[counted:]
    assert later == sorted(set(later)) and later[0] > nodes()[counted - 1]
    engine.requests.stop()
    drive_until_answered(engine)
    lines = [event for event in events if isinstance(event, Info)]
    assert lines[-1].depth == max(line.depth for line in lines)
    assert lines[-1].pv[0] == best_moves(events)[-1].move


@needs_signals
def test_a_worker_killed_while_idle(engine: Engine, events: list[Event]) -> None:
    for waits in (0.0, 0.5):
        wait_until_ready(engine)
        assert engine.worker_pid
        os.kill(engine.worker_pid, signal.SIGKILL)
        drive(engine, waits)
        assert not events  # nobody asked for one
        assert engine.play(Limits(depth=2)).move in START_MOVES
        assert any(isinstance(event, Notice) for event in events)
        events.clear()


@pytest.mark.slow
@needs_signals
def test_a_worker_killed_after_ponderhit(engine: Engine, events: list[Event]) -> None:
    wait_until_ready(engine)
    assert engine.worker_pid
    engine.go(Limits(ponder=True, move_time_ms=2000))
    drive(engine, 0.2)
    engine.requests.ponder_hit()
    os.kill(engine.worker_pid, signal.SIGKILL)
    assert drive_until_answered(engine) < 10
    assert len(best_moves(events)) == 1


@needs_signals
def test_stop_is_answered_for_a_suspended_worker(engine: Engine, events: list[Event]) -> None:
    wait_until_ready(engine)
    assert engine.worker_pid
    os.kill(engine.worker_pid, signal.SIGSTOP)
    engine.go(Limits(infinite=True))
    engine.requests.stop()
    assert drive_until_answered(engine) < 5
    assert best_moves(events)[0].move in START_MOVES


@pytest.mark.parametrize("program", ["/no/such/program", "/bin/false"])
def test_a_worker_that_cannot_start(
    program: str, events: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", program)
    with Engine(events.append) as engine:
        wait_until_ready(engine)
        assert engine.play(Limits(move_time_ms=300)).move in START_MOVES
        assert engine.play(Limits(depth=3)).move in START_MOVES
        engine.set_position(MATED)
        assert engine.play(Limits(depth=3)).move is None
        assert any(isinstance(event, Notice) for event in events)


def test_after_silent_exits_the_worker_is_restarted_later_or_in_a_new_game(
    events: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    python = sys.executable
    for comes_by_itself in (False, True):
        monkeypatch.setattr(sys, "executable", "/bin/false")
        with Engine(events.append) as engine:
            while engine.worker_pid is not None:
                drive(engine, 0.1)
            assert engine.play(Limits(depth=3)).move in START_MOVES
            monkeypatch.setattr(sys, "executable", python)
            assert engine.play(Limits(depth=3)).move in START_MOVES
            assert engine.worker_pid is None  # not at once
            if comes_by_itself:
                monkeypatch.setattr("halbzug.engine.supervisor.PENALTY_SECONDS", 0.0)
            else:
                engine.new_game()
                wait_until_ready(engine)
            events.clear()
            engine.play(Limits(depth=3))
            assert max(event.depth for event in events if isinstance(event, Info)) == 3


@pytest.mark.parametrize(
    ("fen", "wanted"),
    [
        pytest.param("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", id="mate in one"),
        pytest.param("3qk3/8/8/8/8/8/8/3RK3 w - - 0 1", "d1d8", id="queen to take"),
        pytest.param("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", id="promotion"),
        pytest.param("4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1", None, id="pawn is defended"),
        pytest.param("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f8", id="no stalemate"),
    ],
)
def test_a_move_without_a_search_does_not_lose_a_piece(
    fen: str, wanted: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with Engine() as engine:
        engine.set_position(fen)
        while engine.worker_pid is not None:
            drive(engine, 0.05)
        events: list[Event] = []
        engine.emit = events.append
        move = engine.play(Limits(move_time_ms=100)).move
        assert [event for event in events if isinstance(event, Notice) and "guess" in event.text]
        (line,) = (event for event in events if isinstance(event, Info))
        assert line.pv == (move,)
        board = chess.Board(fen)
        assert move is not None
        board.push_uci(move)
        assert (line.score == MATE - 1) == board.is_checkmate()
        assert move == wanted if wanted else move != "d3d6"

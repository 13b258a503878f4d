"""The UCI process as a GUI meets it. Each section is a number of the list that UCI engines
usually trip over: start-up, waiting, one answer a question, deafness, options, limits, ..."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.polyglot
import pytest
from positions import COMPILED
from uci_client import (
    ENDGAME,
    MATE_IN_TWO,
    MATED,
    MIDDLEGAME,
    PATIENCE_SECONDS,
    QUEENS,
    SINGLE_MOVE,
    STALEMATE,
    Answer,
    UciClient,
    has_proc,
    is_alive,
    wait_until_gone,
)

from halbzug.eval.network_file import DEFAULT_EVALUATION

START = chess.STARTING_FEN

needs_proc = pytest.mark.skipif(not has_proc(), reason="needs /proc to see child processes")


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[UciClient]:
    """A process of its own, before the handshake."""
    with UciClient(tmp_path) as client:
        yield client


def legal(fen: str, move: str, chess960: bool = False) -> bool:
    """Whether a move is legal and written as the engine should write it."""
    board = chess.Board(fen, chess960=chess960)
    return move in {board.uci(legal_move) for legal_move in board.legal_moves}


def check_answer(board: chess.Board, answer: Answer) -> None:
    """Check what holds for every answer: legal moves and lines, plausible numbers."""
    assert answer.lines[-1].split()[0] == "bestmove"
    best = board.parse_uci(answer.move)
    assert answer.infos, "no line with a score"
    assert answer.last.pv[0] == answer.move
    if answer.ponder:
        board.push(best)
        assert board.parse_uci(answer.ponder)
        board.pop()
    for info in answer.infos:
        assert (info.cp is None) != (info.mate is None)
        assert info.seldepth >= info.depth >= 0
        assert set(info.numbers) >= {"nodes", "nps", "time", "hashfull"}
        assert 0 <= info.numbers["hashfull"] <= 1000
        assert all(number >= 0 for number in info.numbers.values())
        line = board.copy()
        for index, move in enumerate(info.pv):
            over = line.is_repetition(3) or line.halfmove_clock >= 100
            assert index == 0 or not over, f"the line runs past a draw: {info.line}"
            line.push(line.parse_uci(move))
        if info.mate is not None and not info.bound:
            assert line.is_checkmate(), info.line
            plies = 2 * info.mate - 1 if info.mate > 0 else -2 * info.mate
            assert len(info.pv) == plies, info.line


# -- 1: start-up ----------------------------------------------------------------------------------


def test_1_uci_is_answered_with_well_formed_lines_and_uciok(fresh: UciClient) -> None:
    lines = fresh.handshake()
    assert lines[-1] == "uciok"
    assert all(line == line.strip() for line in lines)
    assert [line for line in lines if line.startswith("id name ")]
    assert [line for line in lines if line.startswith("id author ")]
    number = r"-?\d+"
    kinds = (
        rf"spin default {number} min {number} max {number}",
        r"check default (true|false)",
        r"string default \S.*",
        r"button",
        r"combo default \S+( var \S+)+",
    )
    form = re.compile(rf"option name \S+( \S+)* type ({'|'.join(kinds)})")
    options = [line for line in lines if line.startswith("option")]
    assert options
    for line in options:
        assert form.fullmatch(line), line
    others = {line.split()[0] for line in lines} - {"id", "option", "info", "uciok"}
    assert not others


def test_1_nothing_is_printed_before_uci(fresh: UciClient) -> None:
    fresh.expect_silence(but="")


def test_1_uci_may_be_repeated_during_a_search(uci: UciClient) -> None:
    uci.send("go infinite", "uci")
    assert uci.read_until("uciok")[-1] == "uciok"
    uci.send("stop")
    uci.wait_for_best_move()


def test_1_the_uci_process_imports_no_terminal_library(tmp_path: Path) -> None:
    report = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "halbzug"],
        input=b"uci\nisready\ngo depth 1\neval\nd\nquit\n",
        cwd=tmp_path,
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        check=True,
    )
    imported = {line.split("|")[-1].strip() for line in report.stderr.decode().splitlines()}
    assert "halbzug.uci.session" in imported
    roots = {name.split(".")[0] for name in imported}
    assert not roots & {"rich", "typer", "click", "asyncio", "pytest", "Cython", "json"}
    rooms = {name.split(".")[1] for name in imported if name.startswith("halbzug.")}
    assert not rooms & {"batch", "commands", "games", "installation", "match"}


def test_1_every_line_arrives_whole_and_at_once(uci: UciClient) -> None:
    # UciClient checks that each line ends with a newline; here, that none waits in a buffer.
    for command, answer in (("isready", "readyok"), ("d", ""), ("eval", ""), ("help", "")):
        uci.send(command)
        line = uci.read(10)
        assert line is not None
        assert not answer or line == answer
        uci.synchronise()


def test_1_lines_of_search_and_commands_never_mix(uci: UciClient) -> None:
    uci.send("setoption name MultiPV value 20", "go infinite")
    for _ in range(200):
        uci.send("isready", "nonsense", "d")
    lines = []
    while lines.count("readyok") < 200:
        lines.append(uci.read())
    uci.send("stop")
    lines += uci.wait_for_best_move().lines
    known = ("info ", "bestmove ", "readyok", "Fen: ", "Key: ", "Checkers:", "   a   b   c")
    for line in lines:
        board_row = re.fullmatch(r" \+(---\+){8}| (\| [ pnbrqkPNBRQK] ){8}\| [1-8]", line or "")
        assert not line or line.startswith(known) or board_row, line
    assert sum(line == "info string unknown command: nonsense" for line in lines) == 200


# -- 2: infinite and ponder hold the best move back ------------------------------------------------


@pytest.mark.parametrize("command", ["go infinite", "go ponder wtime 1000 btime 1000"])
@pytest.mark.parametrize(
    ("fen", "extra"),
    [
        (START, ""),
        (START, " depth 1"),
        (START, " nodes 1"),
        (START, " movetime 1"),
        (MATE_IN_TWO, " mate 2"),
        (SINGLE_MOVE, ""),
        (MATED, ""),
        (STALEMATE, ""),
        ("8/8/8/4k3/8/4K3/8/8 w - - 0 1", ""),
    ],
)
def test_2_the_best_move_waits_for_stop(uci: UciClient, command: str, fen: str, extra: str) -> None:
    uci.send(f"position fen {fen}", command + extra)
    uci.expect_silence()
    uci.send("stop")
    answer = uci.wait_for_best_move()
    assert answer.move == "(none)" if fen in (MATED, STALEMATE) else legal(fen, answer.move)
    uci.send("isready")
    assert uci.read() == "readyok"


@pytest.mark.parametrize(
    ("fen", "limits"),
    [
        (START, "wtime 500 btime 500"),
        (START, "movetime 50"),
        (START, "depth 1"),
        (SINGLE_MOVE, "wtime 60000 btime 60000"),
        (MATED, "wtime 500 btime 500"),
    ],
)
def test_2_ponderhit_starts_the_clock(uci: UciClient, fen: str, limits: str) -> None:
    uci.send(f"position fen {fen}", f"go {limits} ponder")
    uci.expect_silence()
    uci.send("ponderhit")
    answer = uci.wait_for_best_move()
    assert answer.move == "(none)" if fen == MATED else legal(fen, answer.move)


def test_2_ponderhit_right_after_go_ponder(uci: UciClient) -> None:
    uci.send("go ponder movetime 100", "ponderhit")
    assert legal(START, uci.wait_for_best_move().move)


def test_2_ponderhit_counts_for_the_go_that_waits_behind_another(uci: UciClient) -> None:
    uci.send("go infinite", "stop", "go ponder movetime 100", "ponderhit")
    for _ in range(2):
        assert legal(START, uci.wait_for_best_move().move)


def test_2_an_infinite_search_ignores_ponderhit(uci: UciClient) -> None:
    uci.send("go infinite depth 1", "ponderhit")
    uci.expect_silence()
    uci.send("stop")
    uci.wait_for_best_move()


# -- 3: exactly one best move for each go ----------------------------------------------------------


def test_3_nothing_follows_the_best_move(uci: UciClient) -> None:
    uci.send("setoption name MultiPV value 5")
    for command in ("go depth 2", "go movetime 1", "go nodes 1", "go wtime 10 btime 10"):
        uci.go(command)
        uci.expect_silence(0.2, but="")
    uci.send("go infinite", "stop")
    uci.wait_for_best_move()
    uci.expect_silence(but="")


def test_3_a_second_go_answers_both(uci: UciClient) -> None:
    uci.send("go infinite", f"position fen {ENDGAME}", "go depth 2")
    assert legal(START, uci.wait_for_best_move().move)
    assert legal(ENDGAME, uci.wait_for_best_move().move)
    uci.expect_silence(but="")


def test_3_a_position_during_a_search_waits_for_the_next_go(uci: UciClient) -> None:
    uci.send("go infinite", f"position fen {ENDGAME}", "stop")
    assert legal(START, uci.wait_for_best_move().move)
    assert legal(ENDGAME, uci.go("go depth 1").move)


def test_3_stop_right_after_go(uci: UciClient) -> None:
    for _ in range(20):
        uci.send("go infinite", "stop")
        answer = uci.wait_for_best_move()
        check_answer(chess.Board(), answer)


def test_3_many_goes_at_once_are_all_answered(uci: UciClient) -> None:
    uci.send("go infinite", *["go depth 3"] * 30)
    for _ in range(31):
        assert legal(START, uci.wait_for_best_move().move)
    uci.expect_silence(but="")


def test_3_a_thousand_queued_goes_are_all_answered(uci: UciClient) -> None:
    uci.send("go infinite", f"position fen {MATED}", *["go depth 1"] * 1000)
    assert legal(START, uci.wait_for_best_move().move)
    for _ in range(1000):
        assert uci.wait_for_best_move().move == "(none)"


@pytest.mark.any_build
def test_3_a_go_during_perft_or_bench_is_answered_after_it(uci: UciClient) -> None:
    for command in ("go perft 4", "bench 1"):
        uci.send(command, "go depth 1")
        lines = uci.wait_for_best_move().lines
        assert legal(START, lines[-1].split()[1])
        assert any(line.startswith("Nodes searched") for line in lines)
    for command in ("go perft 20", "bench 60"):
        uci.send(command, "go depth 1", "stop")
        assert legal(START, uci.wait_for_best_move().move)
        uci.synchronise()


def test_3_stop_ends_perft_and_bench(uci: UciClient) -> None:
    for command in ("go perft 20", "bench 60"):
        uci.send(command, "isready")
        uci.read_until("readyok")
        uci.send("stop")
        uci.synchronise()
        assert uci.go("go depth 1").move


# -- 4: always responsive -------------------------------------------------------------------------


def test_4_isready_is_answered_during_a_search(uci: UciClient) -> None:
    uci.send("go infinite")
    for _ in range(10):
        assert all(line.startswith("info") for line in uci.synchronise())
    uci.send("stop")
    uci.wait_for_best_move()


def test_4_isready_does_not_disturb_the_search(uci: UciClient) -> None:
    alone = uci.go("go depth 4")
    uci.send("ucinewgame", "go depth 4", *["isready"] * 50)
    disturbed = uci.wait_for_best_move()
    assert disturbed.lines[-1] == alone.lines[-1]
    assert disturbed.last.numbers["nodes"] == alone.last.numbers["nodes"]
    uci.send("d")  # a readyok still on its way comes before this
    uci.read_until("Checkers:")


def test_4_stray_stop_and_ponderhit_are_ignored(uci: UciClient) -> None:
    uci.send("stop", "ponderhit", "stop")
    assert uci.synchronise() == []
    uci.send("go depth 1", "ponderhit")
    uci.wait_for_best_move()
    uci.send("stop", "ponderhit")
    assert uci.synchronise() == []


@pytest.mark.parametrize(
    ("state", "leave"),
    [
        pytest.param("", b"quit\n", marks=pytest.mark.slow),  # as other clients end
        ("go infinite", b"quit\n"),
        ("go perft 20", b"stop\nquit\n"),
        pytest.param("go ponder movetime 10", b"", marks=pytest.mark.slow),
        ("go infinite", b"isrea"),
    ],
)
@needs_proc
def test_4_quit_and_end_of_input_end_front_and_worker(
    tmp_path: Path, state: str, leave: bytes
) -> None:
    with UciClient(tmp_path) as client:
        client.handshake()
        client.send(state)
        client.synchronise()
        workers = client.children()
        assert workers
        client.send_bytes(leave)
        if not leave.endswith(b"quit\n"):
            assert client.process.stdin is not None
            client.process.stdin.close()
        assert client.wait() == 0
        wait_until_gone(workers)
        assert client.complaints() == ""


def test_4_quit_before_the_worker_has_started(tmp_path: Path) -> None:
    for line in ("quit", "go infinite\nquit", "isready\ngo depth 9\nstop\nquit"):
        with UciClient(tmp_path) as client:
            client.send(line)
            assert client.wait() == 0


def test_4_isready_is_answered_though_quit_follows_at_once() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "halbzug"],
        input="uci\nisready\nquit\n",
        capture_output=True, text=True, check=True, timeout=100,
    )  # fmt: skip
    assert done.stdout.splitlines()[-2:] == ["uciok", "readyok"]


@needs_proc
def test_4_the_worker_does_not_outlive_a_killed_front(fresh: UciClient) -> None:
    fresh.handshake()
    fresh.send("go infinite")
    fresh.synchronise()
    workers = fresh.children()
    assert workers
    fresh.process.kill()
    assert fresh.wait() == -signal.SIGKILL
    wait_until_gone(workers)


@needs_proc
def test_4_a_closed_output_ends_the_process_quietly(tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        errors = stack.enter_context((tmp_path / "errors").open("wb"))
        process = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-m", "halbzug"],
                cwd=tmp_path,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        )
        assert process.stdin and process.stdout
        process.stdin.write(b"isready\ngo infinite\n")
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()  # as when the GUI dies but another process has inherited its input
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(b"isready\n")
            process.stdin.flush()
        assert process.wait(PATIENCE_SECONDS) == 0
        assert (tmp_path / "errors").read_bytes() == b""


@pytest.mark.skipif(os.name != "posix", reason="sends SIGTERM")
def test_4_sigterm_ends_front_and_worker(fresh: UciClient) -> None:
    fresh.handshake()
    fresh.send("go infinite")
    fresh.synchronise()
    workers = fresh.children()
    fresh.process.terminate()
    fresh.wait()
    wait_until_gone(workers)
    assert not is_alive(fresh.process.pid)
    assert fresh.complaints() == ""


# -- 5: options: more in test_options.py -----------------------------------------------------------


def test_5_option_names_in_any_case(uci: UciClient) -> None:
    uci.send("setoption name mUlTiPv value 2", "setoption name move OVERHEAD value 10")
    assert uci.synchronise() == []
    assert {info.multipv for info in uci.go("go depth 2").infos} == {1, 2}


def test_5_a_refused_value_leaves_the_old_one(uci: UciClient) -> None:
    uci.send("setoption name MultiPV value 3")
    for wrong in ("0", "501", "-1", "many", "", "3.5", "1e1", "1_0", "9" * 5000):
        uci.send(f"setoption name MultiPV value {wrong}")
        (message,) = uci.synchronise()
        assert message.startswith("info string MultiPV ")
    assert {info.multipv for info in uci.go("go depth 1").infos} == {1, 2, 3}


def test_5_the_order_of_options_does_not_matter(fresh: UciClient) -> None:
    options = ["Threads value 1", "Hash value 4", "UCI_ShowWDL value true", "Clear Hash"]
    for order in (options, options[::-1]):
        fresh.send(*(f"setoption name {option}" for option in order))
        assert fresh.synchronise() == []
        assert fresh.go("go depth 1").last.wdl


# -- 6: limits ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "limits",
    [
        "wtime 100",
        "wtime 100 btime 100",
        "btime 1 wtime 1",
        "wtime 0 btime 0",
        "wtime -500 btime -500 winc 10 binc 10",
        "wtime 300 winc 1000",
        "movestogo 1 wtime 100 btime 100",
        "movestogo 0 wtime 100 btime 100",
        "movestogo -1 wtime 100 btime 100",
        "movetime 1",
        "movetime 0",
        "movetime -1",
        "movetime 100",
        "depth 0",
        "depth -1",
        "depth 2",
        "nodes 0",
        "nodes -1",
        "nodes 1",
        "nodes 1000",
        "depth 50 nodes 100000 movetime 100",
        "depth 1 nodes 100000000 movetime 100000",
        "depth 100 nodes 100 movetime 100000",
        "movetime 100000 wtime 200 btime 200",
        "binc 0 winc 0 btime 200 movestogo 40 wtime 200",
        "depth 2 searchmoves a2a3 h2h3 wtime 1000 btime 1000",
        "mate 1 depth 2",
    ],
)
def test_6_limits_alone_and_together(uci: UciClient, limits: str) -> None:
    check_answer(chess.Board(), uci.go(f"go {limits}"))


@pytest.mark.parametrize("limits", ["wtime 200", "wtime 200 winc 5", "wtime 200 movestogo 5"])
def test_6_the_clock_of_the_other_side_alone(uci: UciClient, limits: str) -> None:
    uci.send("position startpos moves e2e4")
    board = chess.Board()
    board.push_uci("e2e4")
    check_answer(board, uci.go(f"go {limits}"))


@pytest.mark.parametrize(
    "words", ["depth", "depth x", "movetime depth 1", "x y depth 1", "depth 1 wtime", "wtime x"]
)
def test_6_unknown_limits_are_reported(uci: UciClient, words: str) -> None:
    answer = uci.go(f"go {words} depth 1")
    assert any(text.startswith("go: ") for text in answer.strings)
    assert legal(START, answer.move)


def test_6_movetime_is_used(uci: UciClient) -> None:
    uci.send("position fen 4k3/ppp5/8/8/8/8/5PPP/4K3 w - - 0 1")
    started = time.monotonic()
    uci.go("go movetime 600")
    assert time.monotonic() - started > 0.5  # the rest is Move Overhead


def test_6_a_short_move_time_is_a_search(uci: UciClient) -> None:
    """Move Overhead is longer and left no time to search; a busy machine may leave none, too."""
    begun = time.monotonic()
    depth = 0
    while depth < (5 if COMPILED else 1):
        assert time.monotonic() - begun < PATIENCE_SECONDS
        uci.send("ucinewgame")
        uci.synchronise()
        depth = uci.go("go movetime 20").last.depth


def test_6_a_move_time_starts_with_the_search(fresh: UciClient) -> None:
    """The search process takes longer to start than this, and a guess used to be played."""
    begun = time.monotonic()
    nodes = 0
    while not nodes:  # on a busy machine it may have to guess
        assert time.monotonic() - begun < 4 * PATIENCE_SECONDS
        fresh.send("setoption name Hash value 1", "setoption name Hash value 64")
        fresh.send(f"position fen {MIDDLEGAME}")
        nodes = assert_searched_or_guessed(fresh, "go movetime 100").last.numbers["nodes"]


def assert_searched_or_guessed(client: UciClient, command: str) -> Answer:
    """A guess says that it is one."""
    answer = client.go(command)
    is_guess = any("guess" in text for text in answer.strings)
    assert (answer.last.numbers["nodes"] == 0) == is_guess
    return answer


def test_6_a_move_time_starts_after_the_previous_command(uci: UciClient) -> None:
    """A line shown in place of a missing one must not have the score of another position."""
    uci.send(f"position fen {MATE_IN_TWO}")
    assert uci.go("go mate 2").last.mate == 2
    uci.send("bench 1", "position startpos")
    answer = assert_searched_or_guessed(uci, "go movetime 100")
    assert answer.last.mate is None and abs(answer.last.cp or 0) < 200


def test_6_tokens_in_any_order(uci: UciClient) -> None:
    pairs = {"wtime": 200, "btime": 200, "winc": 1, "binc": 1, "movestogo": 9, "depth": 2}
    words = [f"{name} {value}" for name, value in pairs.items()]
    for shift in range(len(words)):
        order = words[shift:] + words[:shift]
        assert legal(START, uci.go("go " + " ".join(order)).move)


def test_6_nodes_are_kept(uci: UciClient) -> None:
    for nodes in (1, 50, 777):
        assert uci.go(f"go nodes {nodes}").last.numbers["nodes"] <= nodes


def test_6_huge_numbers(uci: UciClient) -> None:
    huge = "9" * 400
    assert uci.go(f"go depth 1 nodes {huge} wtime {huge} movestogo {huge} mate {huge}").move


def test_6_a_pondered_search_keeps_its_other_limits(uci: UciClient) -> None:
    uci.send("go ponder depth 2 wtime 60000 btime 60000", "ponderhit")
    assert uci.wait_for_best_move().last.depth == 2


# -- 7: searchmoves and mate ----------------------------------------------------------------------


def test_7_searchmoves_restricts_the_root(uci: UciClient) -> None:
    uci.send("setoption name MultiPV value 5")
    answer = uci.go("go searchmoves a2a3 h2h3 depth 3")
    assert {info.pv[0] for info in answer.infos} == {"a2a3", "h2h3"}
    assert answer.move in ("a2a3", "h2h3")


@pytest.mark.parametrize("wrong", ["e2e5", "0000", "e7e5", "hello", "a1a1", "e2e4q", "\x1b[31m"])
def test_7_illegal_searchmoves_are_dropped_with_a_message(uci: UciClient, wrong: str) -> None:
    answer = uci.go(f"go depth 1 searchmoves {wrong} a2a3")
    assert answer.move == "a2a3"
    assert len(answer.strings) == 1
    assert answer.strings[0].isprintable()
    answer = uci.go(f"go depth 1 searchmoves {wrong}")
    assert legal(START, answer.move)
    assert len(answer.strings) == 2


def test_7_thousands_of_searchmoves_cause_no_flood(uci: UciClient) -> None:
    answer = uci.go("go depth 1 searchmoves " + "e2e4 e2e5 " * 5000)
    assert answer.move == "e2e4"
    assert len(answer.lines) < 30


def test_7_searchmoves_during_a_pondered_castling(uci: UciClient) -> None:
    uci.send("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert uci.go("go searchmoves e1g1 depth 2").move == "e1g1"


@pytest.mark.parametrize("moves", [2, 3])
def test_7_mate_counts_full_moves(uci: UciClient, moves: int) -> None:
    uci.send(f"position fen {MATE_IN_TWO}")
    answer = uci.go(f"go mate {moves}")
    assert answer.move == "a1a6"
    assert answer.last.mate == 2


@pytest.mark.parametrize("fen", ["8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", MIDDLEGAME, QUEENS])
def test_7_a_search_for_a_mate_that_does_not_exist_ends(uci: UciClient, fen: str) -> None:
    uci.send(f"position fen {fen}")
    answer = uci.go("go mate 1")
    assert legal(fen, answer.move)
    assert any("no mate in 1 move" in text for text in answer.strings)
    assert answer.last.cp is not None and answer.last.pv[0] == answer.move


# -- 8: mates and their ends ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "moves", "best"),
    [
        (MATE_IN_TWO, 2, "a1a6"),
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1, "a1a8"),
        ("r5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", 1, "a8a1"),
        ("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", None, None),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", -1, "a8b8"),
    ],
)
def test_8_mate_scores_count_full_moves(
    uci: UciClient, fen: str, moves: int | None, best: str | None
) -> None:
    uci.send(f"position fen {fen}")
    answer = uci.go(f"go mate {moves}" if moves and moves > 0 else "go depth 6")
    if best is None:
        assert answer.move == "(none)"
        assert answer.last.cp == 0
        return
    check_answer(chess.Board(fen), answer)
    assert (answer.last.mate, answer.move) == (moves, best)


@pytest.mark.parametrize("limits", ["depth 3", "movetime 10", "wtime 10", "nodes 5", "mate 1"])
@pytest.mark.parametrize(("fen", "score"), [(MATED, "mate 0"), (STALEMATE, "cp 0")])
def test_8_a_finished_game(uci: UciClient, fen: str, score: str, limits: str) -> None:
    uci.send(f"position fen {fen}")
    answer = uci.go(f"go {limits}")
    assert answer.lines[-1] == "bestmove (none)"
    assert len(answer.infos) == 1
    assert f"score {score} " in answer.infos[0].line
    assert not answer.infos[0].pv


def test_8_a_mate_played_by_moves(uci: UciClient) -> None:
    uci.send("position startpos moves f2f3 e7e5 g2g4 d8h4")
    assert uci.go("go searchmoves e2e4 depth 5").move == "(none)"


# -- 9: lines -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "depth"),
    [
        (START, 4),
        (MIDDLEGAME, 2),
        (ENDGAME, 6),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3),
        ("8/8/8/8/8/1k6/2p5/2K5 w - - 97 100", 6),
        ("8/8/8/5k2/8/8/4QK2/8 w - - 96 100", 5),
        ("7k/8/8/8/8/6q1/8/K7 w - - 97 100", 4),
        ("6k1/5ppp/8/8/8/8/1q3PPP/3RR1K1 w - - 0 1", 5),
        ("3k4/8/3K4/8/8/8/8/7R w - - 0 1", 6),
        ("8/8/8/8/4k3/8/3KP3/8 b - - 0 1", 8),
        ("5k2/5P2/5K2/8/8/8/8/8 w - - 10 60", 8),
    ],
)
def test_9_every_move_of_every_line_is_legal(uci: UciClient, fen: str, depth: int) -> None:
    uci.send(f"position fen {fen}", "setoption name MultiPV value 3")
    check_answer(chess.Board(fen), uci.go(f"go depth {depth}"))
    uci.send("setoption name MultiPV value 1")
    check_answer(chess.Board(fen), uci.go(f"go depth {depth + 1}"))


def test_9_a_line_ends_at_the_third_repetition(uci: UciClient) -> None:
    moves = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"
    uci.send(f"position startpos moves {moves}")
    board = chess.Board()
    for move in moves.split():
        board.push_uci(move)
    answer = uci.go("go depth 4 searchmoves f6g8")
    assert answer.last.pv == ["f6g8"]
    assert answer.last.cp == 0
    check_answer(board, answer)


# -- 10: several lines ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "wanted", "given"),
    [(START, 4, 4), (START, 500, 20), (SINGLE_MOVE, 4, 1), (MATE_IN_TWO, 500, 16), (MATED, 3, 1)],
)
@pytest.mark.parametrize("limits", ["depth 3", "wtime 3000 btime 3000"])
def test_10_all_lines_at_each_depth_are_sorted(
    uci: UciClient, fen: str, wanted: int, given: int, limits: str
) -> None:
    uci.send(f"setoption name MultiPV value {wanted}", f"position fen {fen}")
    answer = uci.go(f"go {limits}")
    by_depth: dict[int, list[int]] = {}
    scores: dict[tuple[int, int], int] = {}
    last = answer.last.depth
    cut_short = limits.startswith("wtime")
    for info in answer.infos:
        if cut_short and info.depth == last:
            break  # after its first line the older ones may be repeated
        if not info.bound:
            by_depth.setdefault(info.depth, []).append(info.multipv)
            mate = info.mate
            value = info.cp if mate is None else (10**6 - mate if mate > 0 else -(10**6) - mate)
            assert value is not None
            scores[info.depth, info.multipv] = value
    for depth, numbers in by_depth.items():
        assert numbers == list(range(1, given + 1))
        ordered = [scores[depth, number] for number in numbers]
        assert ordered == sorted(ordered, reverse=True)
    if fen != MATED:
        assert legal(fen, answer.move)
        firsts = [info.pv[0] for info in answer.infos if info.depth == answer.infos[0].depth]
        if by_depth:  # at least one depth was finished, even on a busy machine
            assert len(set(firsts)) == given


@pytest.mark.slow
def test_10_bounds_only_on_the_line_that_failed(uci: UciClient) -> None:
    uci.send(f"position fen {MIDDLEGAME}", "setoption name MultiPV value 2")
    for info in uci.go("go movetime 2500").infos:
        assert not info.bound or info.multipv == 1


# -- 11: the fields of info -----------------------------------------------------------------------


def test_11_fields_and_their_ranges(uci: UciClient) -> None:
    answer = uci.go("go depth 4")
    check_answer(chess.Board(), answer)
    infos = [info for info in answer.infos if not info.bound]
    assert [info.depth for info in infos] == [1, 2, 3, 4]
    for name in ("nodes", "time"):
        numbers = [info.numbers[name] for info in infos]
        assert numbers == sorted(numbers)


@pytest.mark.slow
def test_11_the_current_move_comes_late_and_lines_do_not_flood(uci: UciClient) -> None:
    uci.send("go infinite")
    early = uci.expect_silence(2.5)
    assert not [line for line in early if "currmove" in line]
    late = uci.expect_silence(3)
    uci.send("stop")
    uci.wait_for_best_move()
    assert len(early + late) < 500
    for line in late:
        if "currmove" in line:
            assert re.fullmatch(r"info depth \d+ currmove \S+ currmovenumber \d+", line)


def test_11_hashfull_grows_with_a_small_table(uci: UciClient) -> None:
    uci.send("setoption name Hash value 1")
    full = [info.numbers["hashfull"] for info in uci.go("go nodes 8000").infos]
    assert max(full) <= 1000


# -- 12: Chess960 ---------------------------------------------------------------------------------

CASTLE = "6k1/8/8/8/8/8/5PPP/4K2R w K - 0 1"


def test_12_castling_is_written_as_the_option_says(uci: UciClient) -> None:
    uci.send(f"position fen {CASTLE}")
    assert uci.go("go depth 1 searchmoves e1g1").move == "e1g1"
    uci.send("setoption name UCI_Chess960 value true", f"position fen {CASTLE}")
    assert uci.go("go depth 1 searchmoves e1h1").move == "e1h1"
    uci.send("setoption name UCI_Chess960 value false", f"position fen {CASTLE}")
    assert uci.go("go depth 1 searchmoves e1g1").move == "e1g1"


def test_12_the_option_applies_to_the_current_position(uci: UciClient) -> None:
    uci.send(f"position fen {CASTLE}", "setoption name UCI_Chess960 value true")
    assert uci.go("go depth 1 searchmoves e1h1").move == "e1h1"
    uci.send("setoption name UCI_Chess960 value false")
    assert uci.go("go depth 1 searchmoves e1g1").move == "e1g1"


@pytest.mark.parametrize(
    ("fen", "moves", "castling"),
    [
        ("1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w KQkq - 0 1", "", "c1g1"),  # X-FEN
        ("1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1", "", "c1g1"),  # Shredder-FEN
        ("1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1", "c1g1", "c8b8"),
        ("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", "", "e1b1"),  # the inner rook has the castling right
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w HAha - 0 1", "", "e1a1"),
    ],
)
def test_12_both_notations_of_the_fen(uci: UciClient, fen: str, moves: str, castling: str) -> None:
    uci.send("setoption name UCI_Chess960 value true", f"position fen {fen} moves {moves}")
    board = chess.Board(fen, chess960=True)
    for move in moves.split():
        board.push_uci(move)
    assert board.is_castling(board.parse_uci(castling))
    answer = uci.go(f"go depth 2 searchmoves {castling}")
    assert answer.move == castling
    assert not answer.strings
    check_answer(board, answer)
    check_answer(board, uci.go("go depth 3"))


def test_12_castling_moves_are_accepted_in_either_notation(uci: UciClient) -> None:
    uci.send("setoption name UCI_Chess960 value true", f"position fen {CASTLE} moves e1h1 g8h8")
    assert uci.synchronise() == []
    uci.send("setoption name UCI_Chess960 value false", f"position fen {CASTLE} moves e1g1 g8h8")
    assert uci.synchronise() == []


# -- 13: no strength option without an effect ------------------------------------------------------


@pytest.mark.slow
def test_13_no_declared_option_is_without_effect(fresh: UciClient) -> None:
    names = re.findall(r"option name (.+?) type", "\n".join(fresh.handshake()))
    assert len(set(names)) == len(names)
    if "UCI_Elo" in names:
        assert "UCI_LimitStrength" in names


# -- 14: invalid input ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        *("hello", "Uci", "gogo", "setoption", "setoption name", "setoption name No Such value 3"),
        *("position", "position fen", "position here", "position startpos e2e4", "debug maybe"),
        *("bench deep", "setoption value 3", "position moves e2e4", "\x00\x1b[2J", "é" * 5000),
    ],
)
def test_14_unknown_input_is_ignored_with_a_message(uci: UciClient, line: str) -> None:
    uci.send(line)
    (message,) = uci.synchronise()
    assert message.startswith("info string ")
    assert message.isprintable()
    assert len(message) < 200


@pytest.mark.parametrize(
    "fen",
    [
        *("8/8/8/8/8/8/8/8 w - - 0 1", "nonsense", "4k3/8/8/8/8/8/8/8 w - - 0 1", "x" * 10_000),
        *("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K2r b - - 0 1"),
    ],
)
def test_14_a_refused_position_is_not_searched(uci: UciClient, fen: str) -> None:
    uci.send(f"position fen {ENDGAME}", f"position fen {fen} moves e2e4")
    (message,) = uci.synchronise()
    assert message.startswith("info string position refused: ")
    reason = message.partition(": ")[2]
    for command in ("go depth 1", "go movetime 50", "go wtime 1000 btime 1000 searchmoves e2e4"):
        answer = uci.go(command)
        assert answer.strings == [f"no position to search: {reason}"]
        assert answer.lines[-1] == "bestmove (none)"
        assert not answer.infos
    for command, purpose, ending in (
        ("d", "show", ["Fen: none", "Checkers: "]),
        ("eval", "evaluate", ["Final evaluation: none (no position)"]),
        ("go perft 2", "count from", ["Nodes searched: 0", ""]),
        ("flip", "flip", []),
    ):
        uci.send(command)
        notice, *rest = uci.synchronise()
        assert notice == f"info string no position to {purpose}: {reason}"
        assert rest[len(rest) - len(ending) :] == ending
    uci.send(f"position fen {ENDGAME}", "d")
    assert f"Fen: {ENDGAME}" in uci.synchronise()
    check_answer(chess.Board(ENDGAME), uci.go("go depth 2"))


@pytest.mark.parametrize(
    "line",
    [
        *("position", "position fen", "position here", "position startpos e2e4"),
        "position startpos moves " + "e2e4 " * 220_000,
    ],
    ids=lambda line: line[:30],
)
def test_14_an_invalid_position_is_not_searched(uci: UciClient, line: str) -> None:
    uci.send(f"position fen {ENDGAME}", line)
    (message,) = uci.synchronise()
    assert message.startswith("info string ")
    answer = uci.go("go depth 1")
    assert answer.move == "(none)"
    assert answer.strings[0].startswith("no position to search: ")


def test_14_only_a_position_command_restores_a_position(uci: UciClient) -> None:
    uci.send(f"position fen {ENDGAME}", "position fen nonsense")
    for line in ("ucinewgame", "setoption name Hash value 8", "stop", "bench 1", "isready"):
        uci.send(line)
        uci.synchronise()
        assert uci.go("go depth 1").move == "(none)"
    uci.send("position startpos")
    assert legal(START, uci.go("go depth 1").move)


@pytest.mark.parametrize("release", ["stop", "ponderhit"])
def test_14_without_a_position_a_best_move_is_still_deferred(uci: UciClient, release: str) -> None:
    uci.send("position fen nonsense")
    uci.send("go infinite" if release == "stop" else "go ponder wtime 1000 btime 1000")
    uci.expect_silence()
    uci.send(release)
    assert uci.wait_for_best_move().move == "(none)"


def test_14_a_search_continues_when_the_next_position_is_refused(uci: UciClient) -> None:
    uci.send(f"position fen {ENDGAME}", "go infinite", "position fen nonsense", "go depth 1")
    assert legal(ENDGAME, uci.wait_for_best_move().move)
    assert uci.wait_for_best_move().move == "(none)"
    uci.expect_silence(but="")


def test_14_the_option_may_come_after_the_position(uci: UciClient) -> None:
    fen = "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1"
    uci.send(f"position fen {fen} moves c1g1 a7a6")
    (message,) = uci.synchronise()
    assert "illegal move c1g1" in message
    uci.send("setoption name UCI_Chess960 value true", "d")
    assert "Fen: 1rk3r1/1ppppppp/p7/8/8/8/PPPPPPPP/1R3RK1 w gb - 0 2" in uci.synchronise()
    assert uci.go("go depth 1 searchmoves f1c1").move == "f1c1"
    uci.send("position fen nonsense", "setoption name UCI_Chess960 value false")
    uci.synchronise()
    assert uci.go("go depth 1").move == "(none)"


@pytest.mark.parametrize("wrong", ["e2e4", "0000", "e7e9", "castle", "e7e5q", "\x1b"])
def test_14_an_illegal_move_ends_the_list(uci: UciClient, wrong: str) -> None:
    uci.send(f"position startpos moves e2e4 {wrong} g1f3")
    (message,) = uci.synchronise()
    assert message.startswith("info string illegal move")
    assert message.isprintable()
    board = chess.Board()
    board.push_uci("e2e4")
    uci.send("d")
    assert f"Fen: {board.fen()}" in uci.synchronise()
    check_answer(board, uci.go("go depth 2"))


# -- 15: the moves before the position ------------------------------------------------------------


def test_15_the_third_repetition_is_seen_at_the_root(uci: UciClient) -> None:
    # Black is a queen up. Either side may repeat the first position for the third time.
    fen = "3qk3/8/8/8/8/8/8/4K3"
    for turn, moves, back in (
        ("w", "e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1", "e7e8"),
        ("b", "e8e7 e1e2 e7e8 e2e1 e8e7 e1e2 e7e8", "e2e1"),
    ):
        uci.send(f"position fen {fen} {turn} - - 0 1 moves {moves}")
        assert uci.go(f"go depth 3 searchmoves {back}").last.cp == 0
        answer = uci.go("go depth 3")
        if back == "e2e1":  # White takes the draw ...
            assert (answer.move, answer.last.cp) == (back, 0)
        else:  # ... and Black leaves it
            assert answer.move != back
            assert answer.last.cp is None or answer.last.cp > 300
    board = chess.Board(f"{fen} b - - 0 1")
    for move in moves.split():
        board.push_uci(move)
    uci.send(f"position fen {board.fen()}")
    answer = uci.go(f"go depth 3 searchmoves {back}")
    assert answer.last.cp is None or answer.last.cp < -300


def test_15_the_fifty_move_rule_counts_the_whole_list(uci: UciClient) -> None:
    # A rook up, but after 50 moves without progress every move draws.
    shuffle = ["h1h2", "e8e7", "h2h1", "e7e8"]
    fen = "4k3/8/8/8/8/8/8/4K2R w - - 90 100"
    moves = (shuffle * 3)[:9]
    uci.send(f"position fen {fen} moves {' '.join(moves)}")
    answer = uci.go("go depth 3")
    assert answer.last.cp == 0
    assert len(answer.last.pv) == 1
    uci.send("position fen 4k3/8/8/8/8/8/8/4K2R b - - 0 100")
    answer = uci.go("go depth 3")
    assert answer.last.cp is not None and answer.last.cp < -200


def test_15_a_position_line_with_six_hundred_moves(uci: UciClient) -> None:
    moves = ("g1f3 g8f6 f3g1 f6g8 " * 150).split()
    uci.send(f"position startpos moves {' '.join(moves)}")
    assert legal(START, uci.go("go movetime 200").move)
    uci.send(f"position startpos moves {' '.join(moves[:-1])}")  # one is taken back
    board = chess.Board()
    for move in moves[:-1]:
        board.push_uci(move)
    answer = uci.go("go depth 2")
    assert board.is_legal(chess.Move.from_uci(answer.move))


def test_15_a_list_that_grows_move_by_move(uci: UciClient) -> None:
    board = chess.Board()
    moves = []
    for number in range(30):
        uci.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        answer = uci.go("go depth 1" if number % 2 else "go movetime 5")
        if answer.move == "(none)":
            break
        board.push(board.parse_uci(answer.move))
        moves.append(answer.move)
    uci.send("position startpos moves " + " ".join(moves), "d")
    assert any(line.startswith("Fen: " + board.board_fen()) for line in uci.synchronise())


# -- 16 and 17: time ------------------------------------------------------------------------------


def test_16_a_forced_move_is_played_at_once_in_a_game(uci: UciClient) -> None:
    uci.send(f"position fen {SINGLE_MOVE}")
    assert uci.go("go wtime 3600000 btime 3600000").move == "h1g1"  # not after minutes
    uci.send("setoption name UCI_AnalyseMode value true")
    begun = time.monotonic()
    uci.go("go movetime 200")
    assert time.monotonic() - begun > 0.1  # the rest is Move Overhead


@pytest.mark.parametrize(
    "clock",
    [
        *("wtime 1000 btime 1000 winc 10 binc 10", "wtime 10 btime 10 winc 5000 binc 5000"),
        *("wtime 250 btime 250 movestogo 40", "movetime 100", "wtime 900 btime 900 movestogo 1"),
    ],
)
def test_17_the_answer_comes_before_the_flag(uci: UciClient, clock: str) -> None:
    start = time.monotonic()
    assert legal(START, uci.go(f"go {clock}").move)
    assert time.monotonic() - start < int(clock.split()[1]) / 1000 + PATIENCE_SECONDS


# -- customary commands and malformed lines -------------------------------------------------------


def test_an_attempt_to_register_succeeds(uci: UciClient) -> None:
    uci.send("register later")
    assert uci.synchronise() == []
    for attempt in ("register name Stefan MK code 4359874324", "register code 1"):
        uci.send(attempt)
        assert uci.synchronise() == ["registration checking", "registration ok"]
    for wrong in ("register", "register now", "register later or never"):
        uci.send(wrong)
        assert uci.synchronise() == ["info string register: expected later, or name and code"]


def test_register_debug_and_help_do_no_harm(uci: UciClient) -> None:
    uci.send("register later", "debug on")
    assert uci.synchronise() == []
    assert uci.go("go depth 1").strings
    uci.send("debug off", "help")
    assert any("uci" in line for line in uci.synchronise())


@pytest.mark.parametrize("fen", [START, MATED, STALEMATE, MIDDLEGAME, ENDGAME])
def test_d_and_eval_show_any_position(uci: UciClient, fen: str) -> None:
    uci.send(f"position fen {fen}", "d")
    lines = uci.synchronise()
    board = chess.Board(fen)
    assert f"Fen: {fen}" in lines
    assert f"Key: {chess.polyglot.zobrist_hash(board):016X}" in lines
    for row, (pieces, rank) in enumerate(zip(str(board).split("\n"), "87654321", strict=True)):
        shown = " ".join(piece if piece != " " else "." for piece in lines[2 * row + 1][3:34:4])
        assert (shown, lines[2 * row + 1][-1]) == (pieces, rank)
    uci.send("eval")
    lines = uci.synchronise()
    assert any(line.startswith("Sum ") for line in lines)
    if board.is_check():
        assert lines[-1] == "Final evaluation: none (in check)"
    else:
        assert re.fullmatch(r"Final evaluation +[+-]\d+\.\d\d \(white side\)", lines[-2])
        assert lines[-1] == ""


def test_eval_ends_with_the_evaluation_that_the_search_uses(uci: UciClient, tmp_path: Path) -> None:
    def final() -> tuple[dict[str, str], str]:
        uci.send("eval")
        lines = uci.synchronise()
        values = dict(line[3:].split(None, 1) for line in lines if line.startswith("By "))
        return values, lines[-2].removeprefix("Final evaluation").strip()

    uci.send(f"position fen {MIDDLEGAME}")
    values, last = final()
    assert last == values[DEFAULT_EVALUATION]
    assert values["terms"] != values["network"]
    for name in ("terms", "network"):
        uci.send(f"setoption name EvalFile value {name}")
        assert final() == (values, values[name])
    damaged = tmp_path / "mine.nnue"
    damaged.write_bytes(b"HALBZUG1")
    uci.send(f"setoption name EvalFile value {damaged}", "eval")
    lines = uci.synchronise()
    assert any(line.startswith(f"{damaged} is not used: ") for line in lines)
    assert lines[-2].endswith(values[DEFAULT_EVALUATION])


@pytest.mark.parametrize("fen", [START, MIDDLEGAME, ENDGAME])
def test_flip_swaps_the_sides(uci: UciClient, fen: str) -> None:
    board = chess.Board(fen)
    uci.send(f"position fen {fen}", "flip", "d")
    assert f"Fen: {board.mirror().fen()}" in uci.synchronise()
    uci.send("flip", "d")
    assert f"Fen: {fen}" in uci.synchronise()


@pytest.mark.parametrize("lines", [1, 3])
def test_the_last_lines_show_the_requested_nodes(uci: UciClient, lines: int) -> None:
    uci.send(f"setoption name MultiPV value {lines}")
    for nodes in (300, 3000, 20_000 if COMPILED else 6000):
        uci.send("ucinewgame")
        last = uci.go(f"go nodes {nodes}").infos[-lines:]
        assert [info.multipv for info in last] == list(range(1, lines + 1))
        assert {info.numbers["nodes"] for info in last} == {nodes}


def test_a_proved_mate_is_reported_at_the_requested_depth(uci: UciClient) -> None:
    uci.send("position fen 1Qq5/8/2N5/7b/3Nr2p/4kp1R/8/1B2K3 w - - 0 1")  # 1. Qd6, a quiet move
    last = uci.go("go depth 30").last
    assert (last.mate, last.depth) == (2, 30)
    assert last.numbers["nodes"] < 100_000


def test_perft_divides(uci: UciClient) -> None:
    uci.send("go perft 3")
    lines = uci.read_until("Nodes")
    assert uci.read() == ""  # in the form of Stockfish's
    assert lines[-1] == "Nodes searched: 8902"
    assert sum(": " in line for line in lines) == 21
    uci.send(f"position fen {MATED}", "go perft 2")
    assert uci.read_until("Nodes")[-1] == "Nodes searched: 0"
    assert uci.read() == ""


def test_bench_counts_nodes_and_their_speed(uci: UciClient) -> None:
    uci.send("bench 1")
    assert re.fullmatch(r"Nodes searched: \d+", uci.read_until("Nodes")[-1])
    assert re.match(r"Nodes/second: \d+", uci.read() or "")
    assert re.fullmatch(r"\d+ nodes \d+ nps", uci.read() or "")


def test_malformed_lines(uci: UciClient) -> None:
    rough = [b"  isready  \r\n", b"\tisready\r\n", b"\n", b"\r\n", b"   \n", b"isready\t\n"]
    uci.send_bytes(b"".join(rough))
    assert [uci.read() for _ in range(3)] == ["readyok"] * 3
    uci.send_bytes(b"position\tstartpos  moves \t e2e4\r\ngo \t depth  1 \r\n")
    assert uci.wait_for_best_move().move
    uci.send_bytes(b"setoption\tname\tMultiPV\tvalue\t2\r\ngo depth 1\n")
    assert {info.multipv for info in uci.wait_for_best_move().infos} == {1, 2}


def test_bytes_that_are_not_text(uci: UciClient) -> None:
    uci.send_bytes(b"\xff\xfe\x80\n" + bytes(range(11, 256)).replace(b"\r", b"") + b"\n")
    messages = uci.synchronise()
    assert all(message.startswith("info string ") for message in messages)
    uci.send_bytes(b"position fen \xff\xff\nsetoption name \xc3 value \xc3\n")
    assert len(uci.synchronise()) == 2


@pytest.mark.parametrize(
    "line",
    [
        *(
            "x" * 100_000,
            "go depth 1 " + "y " * 50_000,
            "position startpos moves" + " e2e4" * 20_000,
        ),
        *("setoption name " + "n" * 100_000, "setoption name Hash value " + "7" * 100_000),
        *("position fen " + "8/" * 50_000, "go wtime " + "1" * 100_000 + " depth 1"),
    ],
    ids=lambda line: line[:24],
)
def test_very_long_lines(uci: UciClient, line: str) -> None:
    uci.send(line)
    messages = uci.synchronise()
    if line.startswith("go") and not any(text.startswith("bestmove") for text in messages):
        messages += uci.wait_for_best_move().lines
    assert any(message.startswith("info string ") for message in messages)
    assert len(messages) < 20
    assert all(len(message) < 300 for message in messages)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_an_output_that_accepts_nothing_is_reported(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "halbzug"],
            input="uci\nisready\n",
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            text=True,
            timeout=60,
            check=False,
        )
    assert ended.returncode == 1
    assert ended.stderr == "halbzug: cannot write to standard output: No space left on device\n"

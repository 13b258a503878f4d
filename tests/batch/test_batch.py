"""Many positions: in order, shared among processes, continued after a crash, on a Dask cluster."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest
from checkout import link_rooms, own_room
from cluster import Cluster, some_positions, wait_for
from command_line import OPERA_GAME, Command
from positions import COMPILED
from second_engine import STOCKFISH
from uci_client import children_of, has_proc

pytestmark = [pytest.mark.slow, pytest.mark.any_build]

#: Enough positions that a run can be interrupted.
NODES = "5000" if COMPILED else "400"


#: Plays the first legal move; dies on a position with this many pieces, hangs with one more.
FAKE_ENGINE = """
import sys
import chess

board = chess.Board()
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name Fake", "uciok", sep="\\n")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "position":
        board = chess.Board(" ".join(words[2:8])) if words[1] == "fen" else chess.Board()
    elif words[0] == "go":
        if len(board.piece_map()) == int(sys.argv[1]):
            sys.exit(1)
        if len(board.piece_map()) == int(sys.argv[1]) + 1:
            continue
        print("info depth 1 score cp 12 pv", next(iter(board.legal_moves)))
        print("bestmove", next(iter(board.legal_moves)))
    elif words[0] == "quit":
        break
    sys.stdout.flush()
"""


def write(halbzug: Command, fens: list[str]) -> str:
    return halbzug.write("many.fen", "\n".join(fens) + "\n")


def without_times(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The part of the output that must be the same in every run with the same limit."""
    return [
        {key: value for key, value in line.items() if key not in ("time_ms", "nps")}
        for line in lines
    ]


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# -- on this machine ----------------------------------------------------------------------------


def test_results_are_in_the_order_of_the_positions(halbzug: Command) -> None:
    fens = some_positions(20)
    lines = halbzug.json("analyse", write(halbzug, fens), "--depth", "3", "--json", "-p", "3")
    assert [line["number"] for line in lines] == list(range(1, 21))
    assert [line["position"] for line in lines] == fens
    for line in lines:
        assert line["depth"] == 3
        assert line["bestmove"] == line["pv"][0]


def test_the_number_of_processes_changes_no_result(halbzug: Command) -> None:
    path = write(halbzug, some_positions(24))
    one, two = (
        halbzug.json("analyse", path, "--nodes", NODES, "--json", "--processes", count)
        for count in ("1", "2")
    )
    assert without_times(one) == without_times(two)


def some_games(count: int) -> str:
    """Short games, of which the first is the longest."""
    texts = []
    for number in range(count):
        game = chess.pgn.Game({"White": f"Player {number}", "Result": "*"})
        board = game.board()
        node: chess.pgn.GameNode = game
        for ply in range(12 - number):
            moves = sorted(board.legal_moves, key=chess.Move.uci)
            node = node.add_variation(moves[(number * 5 + ply * 7) % len(moves)])
            board = node.board()
        texts.append(str(game))
    return "\n\n".join(texts) + "\n"


def test_the_number_of_processes_changes_no_annotation(halbzug: Command) -> None:
    path = halbzug.write("games.pgn", some_games(4))
    one, three = (
        halbzug.output("analyse", path, "--depth", "5", "--pgn", "-", "--processes", count)
        for count in ("1", "3")
    )
    assert one == three
    assert one.count("[%eval ") > 40


def log_of(halbzug: Command, games: str, processes: str) -> list[list[str]]:
    """The processes that searched the positions of each game, in the order of the positions."""
    loud = FAKE_ENGINE.replace(
        'elif words[0] == "go":',
        'elif words[0] == "go":\n'
        "        time.sleep(0.02)\n"
        '        with open(sys.argv[2], "a") as log:\n'
        "            print(os.getpid(), board.fen(), file=log)",
    ).replace("import sys", "import os, sys, time")
    script = halbzug.write(
        "loud.py", loud.replace("else chess.Board()", "else chess.Board()\n" + MOVES)
    )
    command = f"'{sys.executable}' {script} 99 log.txt"
    path = halbzug.write("games.pgn", games)
    halbzug.output("analyse", path, "--engine", command, "-p", processes, "-d", "1", "--json")
    pids = {}
    for line in (halbzug.folder / "log.txt").read_text(encoding="utf-8").splitlines():
        pid, fen = line.split(" ", 1)
        pids[fen] = pid
    seen = []
    handle = io.StringIO(games)
    while game := chess.pgn.read_game(handle):
        seen.append([pids[node.board().fen()] for node in game.mainline()])
    return seen


#: Reads the moves of a position command, for the engine above.
MOVES = """\
        for move in words[words.index("moves") + 1 :] if "moves" in words else []:
            board.push_uci(move)
"""


def test_each_of_several_games_stays_with_one_process(halbzug: Command) -> None:
    seen = log_of(halbzug, some_games(4), "2")
    assert all(len(set(pids)) == 1 for pids in seen)
    assert len({pids[0] for pids in seen}) == 2


def test_a_single_game_is_divided_into_parts(halbzug: Command) -> None:
    (pids,) = log_of(halbzug, some_games(1), "2")
    assert len(set(pids)) == 2
    assert sum(first != second for first, second in pairwise(pids)) == 1, (
        "each process has one stretch of the game"
    )


def test_an_engine_that_dies_costs_one_position_of_a_game(halbzug: Command) -> None:
    taking = "1. e4 d5 2. exd5 Qxd5 3. a3 a6 *"
    games = f"1. e4 e5 *\n\n{taking}\n\n1. d4 d5 *\n"
    dies = FAKE_ENGINE.replace("sys.argv[1]) + 1:", "sys.argv[1]) + 99:")  # never hangs
    script = halbzug.write(
        "fake.py", dies.replace("else chess.Board()", "else chess.Board()\n" + MOVES)
    )
    command = f"'{sys.executable}' {script} 30"
    path = halbzug.write("games.pgn", games)
    arguments = ("analyse", path, "-e", command, "-d", "1", "--json")
    for processes in ("1", "2"):
        process = halbzug.run(*arguments, "-p", processes)
        assert process.returncode == 1
        assert process.stderr.startswith("halbzug: game 2, 2...Qxd5 to 3...a6: ")
        assert process.stderr.count("\n") == 1
        lines = [json.loads(line) for line in process.stdout.splitlines()]
        assert [line["game"] for line in lines if "move" not in line] == [1, 2, 3]
        known = [line["white_score"] for line in lines if line["game"] == 2 and "move" in line]
        assert [score is not None for score in known] == [True] * 3 + [False] * 3


def test_invalid_lines_are_named_and_still_counted(halbzug: Command) -> None:
    fens = some_positions(3)
    path = write(halbzug, [fens[0], "rubbish", fens[1], "8/8 w", fens[2]])
    process = halbzug.run("analyse", path, "--depth", "2", "--json", "-p", "2")
    assert process.returncode == 1
    assert [line.split(": ")[1] for line in process.stderr.splitlines()] == ["line 2", "line 4"]
    numbers = [json.loads(line)["number"] for line in process.stdout.splitlines()]
    assert numbers == [1, 3, 5]


def test_every_position_of_a_database(halbzug: Command) -> None:
    path = halbzug.write("games.pgn", OPERA_GAME * 3)
    lines = halbzug.json("analyse", path, "--all-moves", "--depth", "1", "--json", "-p", "2")
    assert [line["number"] for line in lines] == list(range(1, 94))
    assert [line["game"] for line in lines] == [1] * 31 + [2] * 31 + [3] * 31


def test_results_do_not_wait_for_the_end_of_the_input(halbzug: Command) -> None:
    """Another program may send one position after another through a pipe."""
    arguments = [sys.executable, "-m", "halbzug", "analyse", "-", "--depth", "2", "--json"]
    with subprocess.Popen(
        arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env=halbzug.environment,
    ) as process:
        assert process.stdin and process.stdout
        for fen in some_positions(3):
            process.stdin.write(fen + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["position"] == fen
        process.stdin.close()
        assert process.wait(timeout=60) == 0


@pytest.mark.skipif(not has_proc(), reason="looks for processes in /proc")
def test_an_interrupt_ends_all_processes(halbzug: Command) -> None:
    path = write(halbzug, some_positions(20))
    process = halbzug.start("analyse", path, "--time", "30", "--json", "-p", "2")
    wait_for(lambda: len(children_of(process.pid)) == 2, process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")


# -- resuming -------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_a_killed_run_resumes_without_losing_or_repeating_a_result(halbzug: Command) -> None:
    path = write(halbzug, some_positions(60))
    arguments = ["analyse", path, "--nodes", NODES, "--processes", "2"]
    whole = halbzug.json(*arguments, "--json")
    output = halbzug.folder / "out.jsonl"
    process = halbzug.start(*arguments, "-o", "out.jsonl")
    wait_for(lambda: output.exists() and output.read_bytes().count(b"\n") >= 7, process)
    process.kill()
    process.communicate()
    done = output.read_bytes().count(b"\n")
    assert 7 <= done < 60
    with output.open("ab") as file:
        file.write(b'{"number": 99, "posit')  # what a full disk or a power cut leaves behind
    again = halbzug.run(*arguments, "-o", "out.jsonl", "--resume")
    assert again.returncode == 0, again.stderr
    assert without_times(read_lines(output)) == without_times(whole)


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_a_run_with_unordered_results_resumes_too(halbzug: Command) -> None:
    path = write(halbzug, some_positions(60))
    arguments = ["analyse", path, "--nodes", NODES, "--processes", "2"]
    whole = halbzug.json(*arguments, "--json")
    output = halbzug.folder / "out.jsonl"
    half = [whole[number] for number in (5, 1, 0, 30, 31, 7)]
    output.write_text("".join(json.dumps(line) + "\n" for line in half), encoding="utf-8")
    process = halbzug.run(*arguments, "-o", "out.jsonl", "--unordered", "--resume")
    assert process.returncode == 0, process.stderr
    lines = read_lines(output)
    assert lines[:6] == half
    assert without_times(sorted(lines, key=lambda line: line["number"])) == without_times(whole)


def test_resuming_a_finished_run_does_nothing(halbzug: Command) -> None:
    suite = halbzug.write("suite.epd", "7k/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;\n" * 3)
    arguments = ["analyse", suite, "--depth", "2", "-o", "out.jsonl"]
    assert halbzug.run(*arguments).returncode == 0
    before = (halbzug.folder / "out.jsonl").read_bytes()
    assert halbzug.run(*arguments, "--resume").returncode == 0
    assert (halbzug.folder / "out.jsonl").read_bytes() == before
    assert read_lines(halbzug.folder / "out.jsonl")[-1]["solved"] == 3


def test_totals_include_the_results_before_the_interruption(halbzug: Command) -> None:
    suite = halbzug.write("suite.epd", "7k/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;\n" * 4)
    arguments = ["analyse", suite, "--depth", "2", "-o", "out.jsonl"]
    halbzug.run(*arguments)
    output = halbzug.folder / "out.jsonl"
    lines = output.read_text(encoding="utf-8").splitlines(keepends=True)
    output.write_text("".join(lines[:2]), encoding="utf-8")
    process = halbzug.run(*arguments, "--resume")
    assert "Solved 4 of 4" in process.stderr
    assert [line.get("number") for line in read_lines(output)] == [1, 2, 3, 4, None]
    assert read_lines(output)[-1]["solved"] == 4


@pytest.mark.parametrize(
    ("content", "arguments", "words"),
    [
        ("{}", [], "out.jsonl already exists; --resume continues it"),
        ("[1, 2]\n", ["--resume"], "line 1: not a result"),
        ('{"number": 1, "position": "other"}\n', ["--resume"], "the results of other positions"),
    ],
)
def test_a_file_with_other_contents_is_left_alone(
    halbzug: Command, content: str, arguments: list[str], words: str
) -> None:
    path = write(halbzug, some_positions(2))
    halbzug.write("out.jsonl", content)
    process = halbzug.run("analyse", path, "-d", "1", "-o", "out.jsonl", *arguments)
    assert (process.returncode, process.stdout) == (1, "")
    assert words in process.stderr and process.stderr.count("\n") == 1
    assert (halbzug.folder / "out.jsonl").read_text(encoding="utf-8") == content


def test_resume_needs_an_output(halbzug: Command) -> None:
    process = halbzug.run("analyse", write(halbzug, some_positions(2)), "--resume")
    assert process.returncode == 2 and "--output" in process.stderr


# -- other engines ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        ("no-such-engine", "no-such-engine does not start: No such file"),
        (f"{sys.executable} -c pass", "does not start: ended with exit code 0"),
        (f"{sys.executable} fake.py 0; Nonsense=1", "does not support option Nonsense"),
        (f"{sys.executable} fake.py 0; Nonsense", "not Option=Value: Nonsense"),
        ("'", "cannot read the command"),
    ],
)
def test_an_engine_that_does_not_start_is_one_error_line(
    halbzug: Command, engine: str, words: str
) -> None:
    halbzug.write("fake.py", FAKE_ENGINE)
    for position in ("startpos", write(halbzug, some_positions(5))):
        process = halbzug.run("analyse", position, "--depth", "1", "--engine", engine)
        assert (process.returncode, process.stderr.count("\n")) == (1, 1)
        assert words in process.stderr


def test_a_run_that_never_started_leaves_no_file(halbzug: Command) -> None:
    path = write(halbzug, some_positions(2))
    process = halbzug.run("analyse", path, "-e", "no-such-engine", "-o", "out.jsonl")
    assert process.returncode == 1
    assert not (halbzug.folder / "out.jsonl").exists()


def test_an_engine_that_dies_on_a_position_costs_only_that_position(halbzug: Command) -> None:
    halbzug.write("fake.py", FAKE_ENGINE)
    fens = ["8/8/8/4k3/8/8/8/K6R w - - 0 1", "8/8/8/4k3/8/8/8/K5BN w - - 0 1", chess.STARTING_FEN]
    process = halbzug.run(
        "analyse", write(halbzug, fens), "-d", "1", "--json", "-e", f"{sys.executable} fake.py 4"
    )
    assert process.returncode == 1
    assert process.stderr.startswith("halbzug: line 2: ")
    numbers = [json.loads(line)["number"] for line in process.stdout.splitlines()]
    assert numbers == [1, 3]


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("where", ["processes", "cluster"])
def test_a_position_that_kills_the_process_costs_only_itself(
    halbzug: Command, where: str, request: pytest.FixtureRequest
) -> None:
    """The engine kills the process that drives it; what was lost with it is searched again."""
    shared_by = ["-p", "2"]
    if where == "cluster":
        cluster: Cluster = request.getfixturevalue("cluster")
        cluster.add_worker()
        shared_by = ["--dask", cluster.address]
    deadly = FAKE_ENGINE.replace("sys.exit(1)", "os.kill(os.getppid(), 9)")
    halbzug.write("fake.py", deadly.replace("import sys", "import os, sys"))
    fens = some_positions(30)
    fens.insert(20, "8/8/8/4k3/8/8/8/K5BN w - - 0 1")
    process = halbzug.run(
        *("analyse", write(halbzug, fens), "-d", "1", "--json", *shared_by),
        *("-e", f"{sys.executable} fake.py 4"),
    )
    assert process.stderr == (
        "halbzug: line 21: the search process died 3 times here (killed by signal 9)\n"
    )
    numbers = [json.loads(line)["number"] for line in process.stdout.splitlines()]
    assert numbers == [*range(1, 21), *range(22, 32)]


def test_an_engine_that_hangs_on_a_position_costs_only_that_position(halbzug: Command) -> None:
    halbzug.write("fake.py", FAKE_ENGINE)
    fens = ["8/8/8/4k3/8/8/8/K5BN w - - 0 1", chess.STARTING_FEN]
    process = halbzug.run(
        "analyse", write(halbzug, fens), "-t", "0.1", "--json", "-e", f"{sys.executable} fake.py 3"
    )
    assert process.returncode == 1
    assert process.stderr.startswith("halbzug: line 1: ")
    assert "does not answer" in process.stderr
    assert [json.loads(line)["number"] for line in process.stdout.splitlines()] == [2]


@pytest.mark.skipif(not STOCKFISH, reason="stockfish is not installed")
def test_stockfish_can_analyse(halbzug: Command) -> None:
    engine = f"{STOCKFISH}; Threads=1"
    fens = [*some_positions(2), "7k/8/5K2/8/8/8/8/R7 w - - 0 1"]
    path = write(halbzug, fens)
    lines = halbzug.json("analyse", path, "-d", "8", "--multipv", "2", "--json", "-e", engine)
    assert [len(line["lines"]) for line in lines] == [1, 1, 1]
    assert lines[2]["score"] == {"mate": 2}
    assert "Best move: " in halbzug.output("analyse", "startpos", "-d", "5", "-e", engine)


# -- test suites --------------------------------------------------------------------------------


def test_a_suite_reports_when_the_answer_was_found(halbzug: Command) -> None:
    suite = halbzug.write(
        "suite.epd",
        '4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - dm 2; id "Morphy";\n'
        '4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - dm 1; id "too soon";\n'
        '7k/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; am Kd2; id "both";\n',
    )
    right, wrong, both, total = halbzug.json("analyse", suite, "--depth", "7", "--json")
    assert right["solved"] and right["dm"] == 2 and right["bestmove"] == "b3b8"
    assert 1 <= right["solution"]["depth"] <= 7
    assert right["solution"]["time_ms"] <= right["time_ms"]
    assert not wrong["solved"] and "solution" not in wrong
    assert both["solved"] and both["solution"]["depth"] == 1
    assert (total["problems"], total["solved"]) == (3, 2)
    assert total["solution"]["time_ms"] >= right["solution"]["time_ms"]
    rows = halbzug.output("analyse", suite, "--depth", "7").splitlines()
    assert "missed: mate in 1" in rows[2]


def test_a_confirmed_answer_ends_the_search(halbzug: Command) -> None:
    suite = halbzug.write(
        "suite.epd", "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - am Bxf7+;\n" * 2
    )
    lines = halbzug.json("analyse", suite, "--depth", "12", "--confirm", "2", "--json")
    for line in lines[:2]:
        assert line["solved"]
        assert line["solution"]["depth"] + 2 <= line["depth"] < 12


# -- on a cluster -------------------------------------------------------------------------------


@pytest.fixture
def cluster(halbzug: Command) -> Iterator[Cluster]:
    pytest.importorskip("distributed", reason="distributed (halbzug[cluster]) is not installed")
    cluster = Cluster(halbzug)
    yield cluster
    cluster.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_a_cluster_that_loses_a_worker_loses_no_position(
    halbzug: Command, cluster: Cluster
) -> None:
    """One of two workers is killed halfway; the results equal those of one machine."""
    path = write(halbzug, some_positions(60))
    arguments = ["analyse", path, "--nodes", NODES]
    whole = halbzug.json(*arguments, "--json")
    doomed, survivor = cluster.add_worker(), cluster.add_worker()
    output = halbzug.folder / "out.jsonl"
    process = halbzug.start(*arguments, "-o", "out.jsonl", "--dask", cluster.address)
    wait_for(lambda: output.exists() and output.read_bytes().count(b"\n") >= 10, process)
    os.kill(doomed.pid, signal.SIGKILL)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors
    assert without_times(read_lines(output)) == without_times(whole)
    assert survivor.poll() is None, "the cluster stays"


def test_a_cluster_annotates_a_game(halbzug: Command, cluster: Cluster) -> None:
    cluster.add_worker()
    path = halbzug.write("game.pgn", OPERA_GAME)
    text = halbzug.output("analyse", path, "-d", "3", "--pgn", "-", "--dask", cluster.address)
    assert text.count("%eval") >= 30


def test_without_a_scheduler_the_error_is_one_line(halbzug: Command) -> None:
    pytest.importorskip("distributed", reason="distributed (halbzug[cluster]) is not installed")
    path = write(halbzug, some_positions(2))
    process = halbzug.run("analyse", path, "--dask", "tcp://127.0.0.1:9")
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr.startswith("halbzug: no Dask scheduler at tcp://127.0.0.1:9")
    assert process.stderr.count("\n") == 1


def test_without_the_extra_the_error_says_how_to_install_it(halbzug: Command) -> None:
    halbzug.write("distributed.py", "raise ImportError('not here')\n")
    process = halbzug.run(
        "analyse",
        write(halbzug, some_positions(2)),
        "--dask",
        "tcp://x:1",
        PYTHONPATH=str(halbzug.folder),
    )
    assert (process.returncode, process.stderr.count("\n")) == (1, 1)
    assert "pip install distributed" in process.stderr


def test_an_internal_error_is_one_line_with_its_traceback_in_the_log(
    halbzug: Command, tmp_path: Path
) -> None:
    package = link_rooms(tmp_path / "copy")
    with (own_room(package, "engine") / "game_position.py").open("a") as source:
        source.write("\n\ndef broken(*_):\n    raise RuntimeError('oh dear')\n\n\n")
        source.write("GamePosition.repeatable_part = broken\n")
    halbzug.environment |= {"PYTHONPATH": str(package.parent), "HALBZUG_DEBUG_LOG_FILE": "log.txt"}
    process = halbzug.run("analyse", write(halbzug, some_positions(2)), "-d", "1", "--json")
    assert process.returncode == 1
    assert process.stderr.count("\n") == process.stderr.count("RuntimeError: oh dear\n") == 2
    log = (halbzug.folder / "log.txt").read_text("utf-8")
    assert log.count("Traceback") >= 2 and "in broken" in log

"""`halbzug run FILE.py`: a UCI engine whose ideas come from a file."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import chess
import pytest
from command_line import Command
from file_engines import MATERIAL, change_file, run_file, write_engine
from made_networks import made_up
from uci_client import MATE_IN_TWO, MIDDLEGAME, Answer

from halbzug.lab.file import run_file as run_module
from halbzug.lab.ideas import FileError, read_ideas

pytestmark = pytest.mark.any_build


def test_the_files_evaluation_is_searched_with_in_place_of_ours(tmp_path: Path) -> None:
    hanging = "4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1"
    with run_file(tmp_path, MATERIAL) as client:
        client.send(f"position fen {hanging}")
        answer = client.go("go depth 4")
        assert answer.move == "e3d5"
        client.send(f"position fen {MATE_IN_TWO}")
        assert client.go("go depth 4").last.mate == 2
        source = "def evaluate(board):\n    return 999 if board.king(not board.turn) == 0 else 17.6"
        change_file(client, tmp_path, source)
        client.send(f"position fen {MIDDLEGAME}")
        assert abs(client.go("go depth 1").last.cp or 0) in (17, 18)


def test_the_file_gives_its_name_and_its_options(tmp_path: Path) -> None:
    source = """
    name = "Sunday Engine"
    author = "A. Newcomer"
    OPTIONS = {"Style": "wild", "Risk": (3, 1, 10), "Fast": True, "Number": 7}

    def choose(board):
        print(OPTIONS)
        return next(iter(board.legal_moves))
    """
    with run_file(tmp_path, source) as client:
        while "id name Sunday Engine" not in client.hello:  # on a busy machine it comes later
            client.hello += client.synchronise()
        assert {
            "id name Sunday Engine",
            "id author A. Newcomer",
            "option name Style type string default wild",
            "option name Risk type spin default 3 min 1 max 10",
            "option name Fast type check default true",
        } <= set(client.hello)
        assert not any("Threads" in line or "UCI_Elo" in line for line in client.hello)
        client.send("setoption name Risk value 11", "setoption name risk value 8")
        assert client.synchronise() == ["info string Risk must be from 1 to 10"]
        client.send("setoption name Fast value false", "setoption name Style value a  b")
        strings = client.go("go movetime 9000").strings
        told = {"Style": "a  b", "Risk": 8, "Fast": False, "Number": 7}
        assert strings == [str(told)]


def test_a_generator_yields_better_moves_until_time_is_up(tmp_path: Path) -> None:
    source = """
    import chess

    def choose(board, clock):
        yield chess.Move.from_uci("a2a3")
        while True:
            yield chess.Move.from_uci("e2e4")
    """
    with run_file(tmp_path, source) as client:
        client.send("go infinite")
        for move in ("a2a3", "e2e4"):
            while not str(client.read()).endswith(f"pv {move}"):
                pass
        client.expect_silence()
        client.send("stop")
        assert client.wait_for_best_move().move == "e2e4"
        answer = client.go("go movetime 100")
        # If other processes have the processor, there is no time for a first move.
        assert answer.move in ("a2a3", "e2e4") or "too late" in answer.lines[0]
        client.send("isready")
        client.read_until("readyok")


def test_choose_receives_the_clock_the_limits_and_the_game(tmp_path: Path) -> None:
    source = """
    from halbzug.lab import Clock

    def choose(board, clock: Clock):
        print(len(board.move_stack), clock.depth, clock.nodes, clock.seconds < 60, clock.is_over())
        return list(board.legal_moves)[-1]
    """
    with run_file(tmp_path, source) as client:
        client.send("position startpos moves g1f3 g8f6")
        assert client.go("go depth 7").strings == ["2 7 None False False"]
        assert client.go("go nodes 90").strings == ["2 None 90 False False"]
        assert client.go("go wtime 60000 btime 60000").strings == ["2 None None True False"]
        client.send("go ponder wtime 60000 btime 60000")
        client.expect_silence()
        client.send("ponderhit")
        client.wait_for_best_move()


def test_an_order_decides_which_moves_are_searched_first(tmp_path: Path) -> None:
    source = """
    def order(board, moves):
        return sorted(moves, key=lambda move: move.uci() != "h2h4")
    """
    with run_file(tmp_path, source) as client:
        assert client.go("go nodes 1").move == "h2h4"
        assert client.go("go depth 6").move != "h2h4"


def test_a_lichess_bot_class_plays_and_an_unsupported_one_is_refused(
    tmp_path: Path,
) -> None:
    source = """
    import chess
    from chess.engine import PlayResult, Limit
    from lib.engine_wrapper import MinimalEngine
    from lib.lichess_types import HOMEMADE_ARGS_TYPE
    from homemade import ExampleEngine

    class LastMove(ExampleEngine):
        def search(self, board: chess.Board, *args: HOMEMADE_ARGS_TYPE) -> PlayResult:
            limit, ponder, draw_offered, root_moves = args
            print(type(limit).__name__, ponder, draw_offered, root_moves)
            return PlayResult(sorted(board.legal_moves, key=str)[-1], None)
    """
    with run_file(tmp_path, source) as client:
        answer = client.go("go movetime 9000")
        assert (answer.move, answer.strings) == ("h2h4", ["Limit False False None"])
        write_engine(tmp_path, "import lib.config\n")
        client.send("ucinewgame")
        said = [*client.synchronise(), *client.go("go movetime 50").lines]
        assert any("mine.py needs lib.config of lichess-bot" in line for line in said)


def test_weights_and_techniques_can_be_changed(tmp_path: Path) -> None:
    bishops = "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1"
    without = "WITHOUT = ['null move']\n"
    values = []
    with run_file(tmp_path, 'WEIGHTS = {"bishop": 300}\n' + without) as client:
        for weights in ("", '{"bishop": (900, 900), "own pair": 0}'):
            if weights:
                change_file(client, tmp_path, f"WEIGHTS = {weights}\n{without}")
            client.send(f"position fen {bishops}")
            values.append(client.go("go depth 1").last.cp or 0)
    assert values[1] - values[0] > 600


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            '\nWEIGHTS = {\n    "own pairs": 3,\n}',
            "line 2: WEIGHTS: there is no own pairs; did you",
        ),
        (
            'WITHOUT = ["null moves"]',
            "line 1: WITHOUT: there is no null moves; did you mean null move, ",
        ),
        ('WEIGHTS = {"network": 0}', "line 1: WEIGHTS: there is no network"),
        ('WITHOUT = ["network"]', "line 1: WITHOUT: there is no network"),
        ('WEIGHTS = {"own pair": "many"}', "neither a number nor a pair"),
        ('OPTIONS = {"Depth": (5, 7, 9)}', "Depth: 5 is out of its range"),
        ("OPTIONS = {'A': None}\ndef choose(b): pass", "A must be a number"),
        ("evaluate = 3", "line 1: evaluate: is not a function"),
        ("x = 1", "mine.py does not define an engine"),
        ("def evalaute(board): return 0", "evalaute: did you mean evaluate?"),
        ("def chose(board): pass", "chose: did you mean choose?"),
        ("WIEGHTS = {'own pair': 3}", "WIEGHTS: did you mean WEIGHTS?"),
    ],
)
def test_a_definite_mistake_is_reported_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, said: str
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    path = str(write_engine(tmp_path, source))
    try:
        told = [*read_ideas(run_module(path), path).remarks]
    except FileError as error:
        told = [str(error)]
    assert any(said in line for line in told), told


def test_a_file_that_cannot_be_used_says_so_and_a_move_is_played(tmp_path: Path) -> None:
    with run_file(tmp_path, 'WITHOUT = ["null moves"]') as client:
        said = "line 1: WITHOUT: there is no null moves; did you mean null move, "
        assert [line for line in client.hello if said in line], client.hello
        answer = client.go("go movetime 200")
        assert chess.Move.from_uci(answer.move) in chess.Board().legal_moves
        assert any(said in line for line in answer.strings)


def test_a_slip_beside_another_idea_is_reported(tmp_path: Path) -> None:
    source = """
    def evaluate(board):
        return helpers(board)

    def helpers(board):
        return ordered(board) + chooser(board)

    def ordered(board): return 0
    def chooser(board): return 0
    def evaluate2(board): return 0
    def border(board): return 0
    def evaluation(board): return 0
    VALUES = WEIGHT = {}
    print(len(WEIGHT))
    def ordre(board, moves): return moves
    NAME = "Crowder"
    """
    with run_file(tmp_path, source) as client:
        said = [line for line in client.hello if "did you mean" in line]
        assert said == [
            "info string mine.py, line 14: ordre: is ignored; did you mean order?",
            "info string mine.py, line 15: NAME: is ignored; did you mean name?",
        ]
        assert client.go("go depth 1").strings == []


@pytest.mark.parametrize("ends", ["sum(iter(lambda: 0, 1))", "raise ValueError"])
def test_a_move_found_before_an_evaluation_fails_is_played_and_shown(
    tmp_path: Path, ends: str
) -> None:
    """A better move found in the last iteration used to have no line."""
    source = f"""
    calls = 0

    def evaluate(board):
        global calls
        calls += 1
        if calls > 200:
            print("now")
            {ends}
        return 50 if board.piece_at(15) else 0
    """
    with run_file(tmp_path, source) as client:
        client.send("go infinite")
        lines = []
        while (line := str(client.read())) != "info string now":
            lines.append(line)
        client.send("stop")
        answer = client.wait_for_best_move()
        assert bool(answer.strings) == ("raise" in ends)
        assert answer.move == Answer([*lines, *answer.lines]).last.pv[0]


def test_a_changed_file_is_loaded_for_a_new_game_and_respects_searchmoves(tmp_path: Path) -> None:
    source = "import chess\ndef choose(board, clock):\n    return chess.Move.from_uci('{}')\n"
    with run_file(tmp_path, source.format("e2e4")) as client:
        assert client.go("go movetime 9000").move == "e2e4"
        write_engine(tmp_path, "def choose(board):\n    return list(board.legal_moves)[0]\n")
        assert client.go("go movetime 9000").move == "e2e4"
        client.send("ucinewgame")
        client.synchronise()
        assert client.go("go movetime 9000").move == next(iter(chess.Board().legal_moves)).uci()
        answer = client.go("go movetime 9000 searchmoves e2e4")
        assert answer.move == "e2e4"
        assert "is not one of the searchmoves" in answer.strings[0]
        client.send("setoption name UCI_Chess960 value true")
        client.send("position fen 4k3/8/8/8/8/8/8/RK6 w A - 0 1 moves b1a1")
        client.go("go movetime 200")


def test_wrong_usage_ends_with_one_line(halbzug: Command) -> None:
    for arguments in (["nothing.py"], ["."], []):
        result = halbzug.run("run", *arguments)
        assert result.returncode == 2
        assert result.stderr.count("\n") == 1, result.stderr


def test_options_and_moves_work_with_the_client_of_python_chess(tmp_path: Path) -> None:
    import chess.engine

    file = write_engine(tmp_path, MATERIAL, "my engine.py")
    command = [sys.executable, "-m", "halbzug", "run", str(file)]
    with chess.engine.SimpleEngine.popen_uci(command, timeout=60) as engine:
        assert engine.id["name"] == "my engine"
        assert json.dumps(sorted(engine.options))
        result = engine.play(chess.Board(), chess.engine.Limit(time=0.1))
        assert result.move in chess.Board().legal_moves


def test_a_file_can_play_with_a_network(tmp_path: Path) -> None:
    (tmp_path / "mine.nnue").write_bytes(made_up())
    found = []
    with run_file(tmp_path, "WITHOUT = []") as client:
        for source in ("", 'EVAL_FILE = "terms"', 'EVAL_FILE = "mine.nnue"'):
            if source:
                change_file(client, tmp_path, source)
            client.send("position startpos moves g1h3 d7d5")
            lines = client.go("go depth 3").lines
            found.append([line.partition(" nodes ")[0] for line in lines if " depth 3 " in line])
    by_nothing, by_terms, by_network = found
    assert by_nothing == by_terms != by_network


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ('EVAL_FILE = "no.nnue"', "line 1: EVAL_FILE: no.nnue cannot be used: "),
        (
            'EVAL_FILE = "network"\nWEIGHTS = {"pawn": 1}',
            "line 1: EVAL_FILE: a network has none of",
        ),
        ("EVAL_FILE = 3", "line 1: EVAL_FILE: is not a text"),
        ('EVAL_FIL = "network"', "did you mean EVAL_FILE?"),
    ],
)
def test_a_network_that_a_file_cannot_use_is_reported(
    source: str, said: str, tmp_path: Path
) -> None:
    path = str(write_engine(tmp_path, source))
    with pytest.raises(FileError) as raised:
        read_ideas(run_module(path), path)
    assert said in str(raised.value)

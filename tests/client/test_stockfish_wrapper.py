"""The package `stockfish` from PyPI drives Halbzug: every public call with the real command."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest
from stockfish import Stockfish, StockfishException
from uci_client import MATED, MIDDLEGAME

from halbzug.version import __version__

pytestmark = pytest.mark.any_build

START = chess.STARTING_FEN
IN_CHECK = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"
IMPOSSIBLE = "8/8/8/3k4/3K4/8/8/8 w - - 0 1"

#: Public calls that no test here makes, with the reason.
LEFT_OUT = {
    "benchmark",  # sets Stockfish's own parameters
    *("get_parameters", "info"),  # discontinued: they only raise an error
}


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A command of a single word, as the wrapper expects."""
    folder = tmp_path_factory.mktemp("command")
    if os.name == "nt":
        return str(Path(sys.executable).with_name("halbzug.exe"))
    script = folder / "halbzug"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m halbzug\n')
    script.chmod(0o755)
    return str(script)


@pytest.fixture(scope="module")
def shared(command: str) -> Iterator[Stockfish]:
    engine = Stockfish(path=command, depth=4)
    yield engine
    close(engine)


@pytest.fixture
def engine(shared: Stockfish) -> Stockfish:
    """At the start position, with the wrapper's own settings."""
    shared.set_fen_position(START)
    shared.set_depth(4)
    shared.set_turn_perspective(True)
    if shared.get_engine_parameters() != Stockfish._DEFAULT_STOCKFISH_PARAMS.to_dict():
        shared.reset_engine_parameters()
    return shared


def close(engine: Stockfish) -> None:
    engine.send_quit_command()
    assert engine._stockfish.wait() == 0
    engine._stockfish.stdin.close()
    engine._stockfish.stdout.close()


def test_every_public_call_is_made_here() -> None:
    calls = {
        name
        for name, _ in inspect.getmembers(Stockfish, inspect.isfunction)
        if not name.startswith("_")
    }
    made = Path(__file__).read_text(encoding="utf-8")
    assert {name for name in calls - LEFT_OUT if f".{name}" not in made} == set()


def test_the_version_is_ours(engine: Stockfish) -> None:
    major, minor = map(int, __version__.split(".")[:2])
    assert engine.get_stockfish_major_version() == major
    assert engine.get_stockfish_minor_version() == minor
    assert engine.get_stockfish_major_minor_version() == f"{major}.{minor}"
    assert engine.get_stockfish_patch_version() == engine.get_stockfish_sha_version() == ""
    assert not engine.is_development_build_of_engine()
    assert engine.does_current_engine_version_have_wdl_option()


@pytest.mark.parametrize("fen", [START, MIDDLEGAME, IN_CHECK, MATED])
def test_positions_and_boards(engine: Stockfish, fen: str) -> None:
    engine.set_fen_position(fen)
    assert engine.get_fen_position() == fen
    board = chess.Board(fen)
    drawn = engine.get_board_visual().splitlines()
    pieces = [[row[2 + 4 * file] for file in range(8)] for row in drawn[1:16:2]]
    wanted = str(board).replace(".", " ").splitlines()
    assert pieces == [list(row[::2]) for row in wanted]
    assert drawn[17] == "  a   b   c   d   e   f   g   h"
    turned = engine.get_board_visual(perspective_white=False).splitlines()
    assert [row[:33] for row in turned[16::-1]] == [row[32::-1] for row in drawn[:17]]
    for square in chess.SQUARES:
        piece, symbol = engine.get_what_is_on_square(chess.square_name(square)), None
        if board.piece_at(square):
            symbol = board.piece_at(square).symbol()
        assert (piece.value if piece else None) == symbol


def test_moves(engine: Stockfish) -> None:
    engine.make_moves_from_start(["e2e4", "d7d5"])
    engine.make_moves_from_current_position(["e4e5", "f7f5"])
    assert engine.will_move_be_a_capture("e5f6") is Stockfish.Capture.EN_PASSANT
    assert engine.will_move_be_a_capture("d1h5") is Stockfish.Capture.NO_CAPTURE
    assert engine.is_move_legal("e5f6")
    assert not engine.is_move_legal("e5e6e7")
    before = engine.get_fen_position()
    with pytest.raises(ValueError, match="Incorrect move sequence"):
        engine.make_moves_from_current_position(["e5f6", "a1a5"])
    assert engine.get_fen_position() == before
    engine.flip()
    assert engine.get_fen_position() == chess.Board(before).mirror().fen()


# Here the wrapper starts an engine of its own, and leaves its pipes open.
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_position_is_valid_or_not(engine: Stockfish) -> None:
    assert engine.is_fen_valid(START)
    assert not engine.is_fen_valid(IMPOSSIBLE)
    assert not engine.is_fen_valid("nonsense")


def test_best_moves(engine: Stockfish) -> None:
    engine.set_fen_position(MIDDLEGAME)
    legal = {move.uci() for move in chess.Board(MIDDLEGAME).legal_moves}
    assert engine.get_best_move() in legal
    assert engine.get_best_move(wtime=500, btime=500) in legal
    assert engine.get_best_move_time(50) in legal
    assert engine.raw_stockfish_output(engine.get_best_move_time)[-1].startswith("bestmove")
    engine.set_fen_position(MATED)
    assert engine.get_best_move() is None


@pytest.mark.parametrize(
    ("fen", "limits"),
    [
        (START, {}),
        (START, {"num_nodes": 2000}),
        (MIDDLEGAME, {}),
        (MIDDLEGAME, {"num_nodes": 5000}),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", {}),
    ],
)
@pytest.mark.parametrize("number", [1, 3])
def test_top_moves(engine: Stockfish, fen: str, limits: dict[str, int], number: int) -> None:
    engine.set_fen_position(fen)
    board = chess.Board(fen)
    top = engine.get_top_moves(number, verbose=True, **limits)
    assert len(top) == min(number, board.legal_moves.count())
    assert [int(move["MultiPVNumber"]) for move in top] == list(range(1, len(top) + 1))
    assert len({move["Move"] for move in top}) == len(top)
    for move in top:
        assert (move["Centipawn"] is None) != (move["Mate"] is None)
        assert move["PVMoves"].split()[0] == move["Move"]
        assert sum(map(int, move["WDL"].split())) == 1000
    assert [move["Move"] for move in engine.get_top_moves(number, **limits)]
    assert engine.get_engine_parameters()["MultiPV"] == 1


def test_there_are_no_top_moves_in_a_finished_game(engine: Stockfish) -> None:
    engine.set_fen_position(MATED)
    assert engine.get_top_moves(2) == []
    assert engine.get_wdl_stats() is None


def test_evaluations(engine: Stockfish) -> None:
    assert engine.get_evaluation()["type"] == "cp"
    assert sum(engine.get_wdl_stats(get_as_tuple=True)) == 1000
    assert sum(engine.get_wdl_stats(time=30)) == 1000
    engine.set_fen_position("k7/8/1K6/8/8/8/8/7R w - - 0 1")
    assert engine.get_evaluation() == {"type": "mate", "value": 1}
    engine.set_fen_position("4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1")
    assert engine.get_evaluation(30)["value"] < 0
    assert engine.get_static_eval() < -5
    engine.set_turn_perspective(False)
    assert not engine.get_turn_perspective()
    assert engine.get_evaluation()["value"] > 0
    assert engine.get_static_eval() > 5
    engine.set_fen_position(IN_CHECK)
    assert engine.get_static_eval() is None
    assert engine.get_evaluation() == {"type": "cp", "value": 0}  # the rest of the output is read


def test_perft(engine: Stockfish) -> None:
    total, parts = engine.get_perft(3)
    assert total == sum(parts.values()) == 8902
    assert set(parts) == {move.uci() for move in chess.Board().legal_moves}
    assert engine.get_perft(1)[0] == 20
    engine.set_fen_position(MATED)
    assert engine.get_perft(2) == (0, {})


def test_settings(engine: Stockfish) -> None:
    engine.set_debug_view(False)
    engine.set_depth(2)
    assert engine.get_depth() == 2
    engine.set_num_nodes(123)
    assert engine.get_num_nodes() == 123
    engine.update_engine_parameters({"Threads": 2, "Hash": 4, "UCI_Chess960": True})
    engine.set_fen_position("1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1")
    assert engine.is_move_legal("c1g1")
    assert engine.will_move_be_a_capture("c1g1") is Stockfish.Capture.NO_CAPTURE
    assert len(engine.get_top_moves(2)) == 2
    assert engine.is_move_legal(engine.get_best_move())
    engine.send_ucinewgame_command()
    engine.reset_engine_parameters()
    engine.set_fen_position(START)
    for weaken in (lambda: engine.set_skill_level(3), lambda: engine.set_elo_rating(1400)):
        weaken()
        with pytest.warns(UserWarning, match="weaker"):
            engine.get_evaluation()
        assert engine.is_move_legal(engine.get_best_move())
        engine.resume_full_strength()


def test_no_call_blocks_on_an_impossible_position(engine: Stockfish) -> None:
    engine.set_fen_position(IMPOSSIBLE)
    assert engine.get_best_move() is None
    assert engine.get_fen_position() == "none"
    assert set(engine.get_board_visual()[:-36]) <= set("+-| \n12345678")
    assert engine.get_perft(1) == (0, {})
    assert engine.get_top_moves(2) == []
    assert engine.get_wdl_stats() is None
    errors: list[tuple[type[Exception], Callable[[], object]]] = [
        (RuntimeError, engine.get_static_eval),
        (ValueError, engine.get_evaluation),
        (ValueError, lambda: engine.update_engine_parameters({"Hash": 16})),
    ]
    for error, call in errors:
        with pytest.raises(error):
            call()
    engine.set_fen_position(START)
    assert engine.is_move_legal("e2e4")


def test_the_engine_quits_when_told_to(command: str) -> None:
    engine = Stockfish(path=command)
    close(engine)
    with pytest.raises(StockfishException):
        engine.get_best_move()

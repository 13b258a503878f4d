"""Positions judged by a real Stockfish: which are kept, and that they are reproducible."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import chess
import chess.engine
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, endgames, games
from recorded_positions import Recorded, unpack
from second_engine import STOCKFISH

from halbzug.base.events import Event, Info
from halbzug.base.limits import Limits
from halbzug.board.movegen import new_board
from halbzug.eval.static import StaticEvaluator
from halbzug.search.position import Position
from halbzug.search.search import Search
from halbzug.search.transposition import TranspositionTable
from halbzug.tuning import teacher, visits
from halbzug.tuning.packing import record_of
from halbzug.tuning.positions_file import SIZE, codes_of, pack
from halbzug.tuning.searcher import LabError
from halbzug.tuning.stockfish_network import StockfishNetwork

pytestmark = pytest.mark.any_build

needs_stockfish = pytest.mark.skipif(not STOCKFISH, reason="Stockfish is not installed")

VISITS = visits.VisitsRecipe(engine=str(STOCKFISH), seed=3, file_positions=300)
#: Smaller, for what is made several times.
FEW_VISITS = replace(VISITS, file_positions=20)
FEW_SEARCHED = replace(FEW_VISITS, depth=1)


@cache
def found_by(small: visits.VisitsRecipe, index: int = 0) -> tuple[bytes, ...]:
    """The records of a file, made only once in this process."""
    return tuple(visits.positions(small, index))


@pytest.fixture(scope="module")
def network_file() -> bytes:
    """The network as written by Stockfish."""
    with teacher.Teacher(str(STOCKFISH), 1) as found:
        return found.network()


@needs_stockfish
@pytest.mark.parametrize(
    "small", [VISITS, replace(VISITS, depth=1)], ids=["visits", "searched visits"]
)
def test_the_kept_positions_are_quiet_and_judged_for_white(small: visits.VisitsRecipe) -> None:
    found = [unpack(record) for record in found_by(small)]
    assert len(found) == small.file_positions
    assert len({one.game for one in found}) > 1
    for one in found:
        assert one.board.is_valid() and not one.board.is_check()
        assert one.result == 0.5
    far = [one for one in found if abs(one.score) > 500]
    assert {one.board.turn for one in far} == {chess.WHITE, chess.BLACK}
    with chess.engine.SimpleEngine.popen_uci(str(STOCKFISH)) as engine:
        infos = [engine.analyse(one.board, chess.engine.Limit(depth=6)) for one in far]
    scores = [info["score"].white().score(mate_score=10_000) for info in infos]
    agreed = sum(score * one.score > 0 for score, one in zip(scores, far, strict=True))
    # A static evaluation does not see that a queen can be captured.
    assert agreed >= 0.9 * len(far)


def test_own_terms_need_no_other_engine() -> None:
    own = replace(FEW_VISITS, engine="terms")
    found = [unpack(record) for record in found_by(own)]
    evaluator = StaticEvaluator()
    for one in found:
        score = evaluator.evaluate(evaluator.board_of(one.board))
        assert one.score == (score if one.board.turn else -score)
    assert len({one.score for one in found}) > 10


def test_the_terms_have_no_depth(tmp_path: Path) -> None:
    own = replace(FEW_VISITS, engine="terms", depth=1)
    with pytest.raises(LabError, match="--depth needs another engine"):
        visits.provide(tmp_path, own, 1, 1)
    assert not list(tmp_path.iterdir())


@given(st.one_of(games(), endgames(8)))
def test_a_board_is_packed_as_python_chess_sees_it(game: Game) -> None:
    board = game.position().board
    codes = codes_of(game.reference().board_fen())
    assert record_of(board) == pack(codes, int(board.turn), 0, 0.5, 0)


@needs_stockfish
def test_the_same_seed_gives_the_same_positions_and_another_gives_others() -> None:
    first, other = (found_by(FEW_SEARCHED, index) for index in (0, 1))
    assert tuple(visits.positions(FEW_SEARCHED, 0)) == first
    assert not set(first) & set(other)


@needs_stockfish
def test_the_files_are_the_same_on_any_number_of_cores(tmp_path: Path) -> None:
    for cores in (1, 2):
        visits.provide(tmp_path / str(cores), FEW_SEARCHED, 2, cores)
    for index in range(2):
        name = f"games-{index:06}.bin"
        data = (tmp_path / "1" / name).read_bytes()
        assert data == (tmp_path / "2" / name).read_bytes()
        assert data == b"".join(found_by(FEW_SEARCHED, index))
        assert len(data) == FEW_SEARCHED.file_positions * SIZE
    with pytest.raises(LabError, match="of another recipe"):
        visits.provide(tmp_path / "1", replace(FEW_SEARCHED, seed=4), 2, 1)
    (tmp_path / "1" / name).unlink()
    visits.provide(tmp_path / "1", FEW_SEARCHED, 2, 1)
    assert (tmp_path / "1" / name).read_bytes() == data


@pytest.mark.slow  # the files of searched visits are made in the same way
@needs_stockfish
def test_a_separate_process_finds_the_same_positions(tmp_path: Path) -> None:
    visits.provide(tmp_path, FEW_VISITS, 1, 1)
    data = (tmp_path / "games-000000.bin").read_bytes()
    assert data == b"".join(found_by(FEW_VISITS))


@needs_stockfish
def test_the_visited_search_is_that_of_a_game() -> None:
    """Sampling positions does not change the tree: the moves are those of a plain search."""
    plain = Search(TranspositionTable(1))
    visitor = visits.Visitor(random.Random(1), 12, chess.Board.fen)
    watched = visitor._search
    for fen in (
        chess.STARTING_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ):
        lines = []
        for search in (plain, watched):
            visitor._position = Position(new_board(fen, []))
            found: list[Event] = []
            search.run(visitor._position, Limits(nodes=2000), report=found.append)
            lines.append(
                [
                    (one.depth, one.score, one.nodes, one.pv)
                    for one in found
                    if isinstance(one, Info)
                ]
            )
        assert lines[0] == lines[1]


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        pytest.param("/no/engine", "/no/engine does not start", id="does not start"),
        pytest.param(
            "true",
            "the engine has ended",
            id="ends",
            marks=pytest.mark.skipif(os.name != "posix", reason="needs the POSIX program `true`"),
        ),
    ],
)
def test_an_engine_that_does_not_answer_is_one_line(
    tmp_path: Path, engine: str, words: str
) -> None:
    command = [sys.executable, "-m", "halbzug.tuning.visits", str(tmp_path / "visits")]
    result = subprocess.run(
        [*command, "--engine", engine], capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    assert words in line


@pytest.mark.skipif(os.name != "posix", reason="needs the POSIX program `cat`")
def test_a_program_that_is_not_a_uci_engine_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(teacher, "_START_SECONDS", 0.3)
    with pytest.raises(LabError, match=r"cat has not answered `uci` in 0\.3 s"):
        teacher.Teacher("cat", 1)


@needs_stockfish
def test_static_evaluations_are_those_of_stockfish() -> None:
    """Where it evaluates by its network, before it reduces the value for moves without progress."""
    found = [unpack(record) for record in found_by(VISITS)]
    fens = [one.board.fen() for one in found]
    text = "".join(f"position fen {fen}\neval\n" for fen in fens)
    said = subprocess.run([str(STOCKFISH)], input=text, capture_output=True, text=True, check=True)
    lines = [line.split() for line in said.stdout.splitlines() if line.startswith("Final")]
    assert len(lines) == len(found)
    compared = 0
    for one, words in zip(found, lines, strict=True):
        assert words[:2] == ["Final", "evaluation"]
        # Without reversible moves it multiplies by 195 / 211, and rounds.
        centipawns = 100 * float(words[2]) * 211 / 195
        if abs(_balance(one.board)) < 5:  # otherwise it may evaluate without the network
            assert one.score == pytest.approx(centipawns, abs=2)
            compared += 1
    assert compared > 200


def _balance(board: chess.Board) -> int:
    """White's material less Black's, in pawns."""
    worth = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9}
    letters = board.board_fen()
    return sum(
        value * (letters.count(letter) - letters.count(letter.lower()))
        for letter, value in worth.items()
    )


@needs_stockfish
def test_a_static_evaluation_distinguishes_colours_but_not_wings(network_file: bytes) -> None:
    records = found_by(VISITS)
    network = StockfishNetwork(network_file)
    boards = [unpack(record).board for record in records]
    for turned, sign in (
        ([board.mirror() for board in boards], -1),
        ([board.transform(chess.flip_horizontal) for board in boards], 1),
    ):
        packed = b"".join(Recorded(board, 0, 0.5, 0).pack() for board in turned)
        assert network.scores(packed) == [sign * unpack(record).score for record in records]


@pytest.mark.skipif(not STOCKFISH or os.name != "posix", reason="needs Stockfish and a shell")
def test_a_teacher_without_a_network_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other"
    small = replace(VISITS, engine=str(other))
    other.write_text(f"#!/bin/sh\nsed -u /export_net/d | {STOCKFISH}\n")
    other.chmod(0o755)
    with pytest.raises(LabError, match="does not write its network by `export_net`"):
        visits.provide(tmp_path / "visits", small, 1, 1)
    with teacher.Teacher(str(other), 1) as found:
        found.ask([chess.STARTING_FEN])
        assert found.answer()


@pytest.mark.compiled_module
@needs_stockfish
def test_invalid_networks_and_positions_are_refused(network_file: bytes) -> None:
    data = network_file
    for other, words in (
        (b"", "network is incomplete"),
        (data[:-1], "network is incomplete"),
        (data + b"!", "network is followed by other data"),
        (b"Dear Ann, how are you?", "not a network for Stockfish 15.1"),
        (data[:4] + bytes(4) + data[8:], "not a network for Stockfish 15.1"),
    ):
        with pytest.raises(LabError, match=words):
            StockfishNetwork(other)
    network = StockfishNetwork(data)
    start = Recorded(chess.Board(), 0, 0.5, 0).pack()
    for records in (start[:-1], bytes(32), b"\xff" * 32, start[:8] + bytes(24), start + bytes(32)):
        with pytest.raises(ValueError, match="a record"):
            network.scores(records)
    assert len(network.scores(start)) == 1


@needs_stockfish
def test_an_option_that_the_teacher_lacks_is_refused() -> None:
    with pytest.raises(LabError, match=r"Stockfish .* has no option 'Hashh'"):
        teacher.Teacher(f"{STOCKFISH}; Hashh=3", 1)
    with teacher.Teacher(f"{STOCKFISH}; hash=3", 1) as found:
        found.ask([chess.STARTING_FEN])
        assert found.answer()


@needs_stockfish
def test_a_folder_with_other_contents_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ann")
    with pytest.raises(LabError, match="is not empty and not a folder of positions"):
        visits.provide(tmp_path, VISITS, 1, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]

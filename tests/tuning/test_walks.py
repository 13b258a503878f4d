"""Walks that a real Stockfish judges: what is kept, and that the same walks come again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import chess
import chess.engine
import pytest
from second_engine import STOCKFISH

from halbzug.tuning import recipe, walks
from halbzug.tuning.positions_file import SIZE, read_records, unpack
from halbzug.tuning.searcher import LabError

pytestmark = pytest.mark.any_build

needs_stockfish = pytest.mark.skipif(not STOCKFISH, reason="Stockfish is not installed")

SMALL = walks.Recipe(engine=str(STOCKFISH), depth=1, seed=3, file_positions=300)


@needs_stockfish
def test_what_is_kept_is_quiet_and_judged_for_white() -> None:
    found = [unpack(record) for record in walks.positions(SMALL, 0)]
    assert len(found) == 300
    assert len({one.game for one in found}) > 3
    for one in found:
        assert one.board.is_valid() and not one.board.is_check()
        assert one.result == 0.5
    far = [one for one in found if abs(one.score) > 300]
    assert far
    with chess.engine.SimpleEngine.popen_uci(str(STOCKFISH)) as engine:
        for one in far[:20]:
            info = engine.analyse(one.board, chess.engine.Limit(depth=6))
            assert info["score"].white().score(mate_score=10_000) * one.score > 0


@needs_stockfish
def test_the_same_walks_come_again_and_others_do_not() -> None:
    first, other = (list(walks.positions(SMALL, index)) for index in (0, 1))
    assert list(walks.positions(SMALL, 0)) == first
    assert not set(first) & set(other)


@needs_stockfish
def test_the_files_are_the_same_on_any_number_of_cores(tmp_path: Path) -> None:
    for cores in (1, 2):
        walks.provide(tmp_path / str(cores), SMALL, 2, cores)
    for index in range(2):
        name = f"games-{index:06}.bin"
        data = (tmp_path / "1" / name).read_bytes()
        assert data == (tmp_path / "2" / name).read_bytes()
        assert len(data) == 300 * SIZE
    with pytest.raises(LabError, match="of another recipe"):
        walks.provide(
            tmp_path / "1", walks.Recipe(str(STOCKFISH), 1, seed=4, file_positions=300), 2, 1
        )
    (tmp_path / "1" / name).unlink()
    walks.provide(tmp_path / "1", SMALL, 2, 1)
    assert (tmp_path / "1" / name).read_bytes() == data
    assert len(list(read_records(tmp_path / "1" / name))) == 300


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        pytest.param("/no/engine", "/no/engine does not start", id="does not start"),
        pytest.param(
            "true",
            "the engine has ended",
            id="ends",
            marks=pytest.mark.skipif(os.name != "posix", reason="`true` is a program of POSIX"),
        ),
    ],
)
def test_an_engine_without_answers_is_one_line(tmp_path: Path, engine: str, words: str) -> None:
    command = [sys.executable, "-m", "halbzug.tuning.walks", str(tmp_path / "walks")]
    result = subprocess.run(
        [*command, "--engine", engine], capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    assert words in line


def test_a_recipe_says_where_positions_come_from(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    games = Path(recipe.__file__).parent.joinpath("recipes", "small.toml").read_text("utf-8")
    played = games[games.index("[training]") :]
    training = played.replace("result = 0.3", "result = 0")
    source = (
        '[walks]\ncount = 10\nengine = "x"\ndepth = 1\nlines = 4\nfile_positions = 5\nseed = 1\n'
    )
    path.write_text(source + training, "utf-8")
    found = recipe.read_recipe(path).source
    assert isinstance(found, recipe.Walks)
    assert str(found) == "walks judged by x at depth 1, 4 lines, seed 1"
    for text, words in (
        (source + played, "walks have no result"),
        (source + games, "one of them is enough"),
        (source.replace('"x"', "3") + training, "needs a text engine"),
    ):
        path.write_text(text, "utf-8")
        with pytest.raises(LabError, match=words):
            recipe.read_recipe(path)

"""Results in pandas and polars, as the guide reads them; the tests alone need neither."""

from __future__ import annotations

from pathlib import Path

import lichess_games
import pytest
from command_line import Command

GAMES = list(lichess_games.games(12))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    halbzug = Command(tmp_path_factory.mktemp("results"))
    how = ("--every", "31", "-k", "2", "-d", "2", "-o", "games.jsonl")
    process = halbzug.run("analyse", halbzug.write("games.pgn", "".join(GAMES)), *how)
    assert process.returncode == 0
    return halbzug.folder / "games.jsonl"


def test_pandas_reads_the_results_in_one_line(results: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_json(results, lines=True)
    assert {"game", "ply", "position", "white_elo", "result", "bestmove", "cp"} <= {*frame.columns}
    assert frame["cp"].notna().sum() > 10


def test_polars_reads_the_results_in_one_line(results: Path) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.read_ndjson(results, infer_schema_length=None)
    assert frame["cp"].dtype == polars.Int64
    assert frame["site"].n_unique() == len(GAMES)

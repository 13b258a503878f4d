"""Recorded games: their positions, their format, and resuming a run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, endgames, games

from halbzug.board.movegen import BUILD
from halbzug.tuning import record
from halbzug.tuning.positions_file import (
    SIZE,
    Recorded,
    read,
    read_columns,
    unpack,
)
from halbzug.tuning.record import GameRecorder, RecordRecipe

pytestmark = pytest.mark.any_build

any_game = st.one_of(games(), endgames(8))

QUICK = RecordRecipe(nodes=20, seed=3, kept=5)


@given(
    any_game,
    st.integers(min_value=-32_000, max_value=32_000),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.integers(min_value=0, max_value=2**32 - 1),
)
def test_packed_records_can_be_unpacked(game: Game, score: int, result: float, number: int) -> None:
    board = game.reference()
    packed = Recorded(board, score, result, number).pack()
    assert len(packed) == SIZE
    found = unpack(packed)
    assert found.board.piece_map() == board.piece_map()
    assert found.board.turn == board.turn
    if not game.chess960:
        assert found.board.clean_castling_rights() == board.clean_castling_rights()
    assert (found.score, found.result, found.game) == (score, result, number)
    placement, turn, rights, *rest = found.board.fen().split()
    assert f"{placement} {turn}" == " ".join(board.fen().split()[:2])
    cleaned = board.copy(stack=False)
    cleaned.castling_rights = board.clean_castling_rights()
    assert game.chess960 or rights == cleaned.fen().split()[2]
    assert rest == ["-", "0", "1"]
    assert found.pack() == packed


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(bytes(SIZE - 1), id="short"),
        pytest.param(b"\xff" * SIZE, id="64 pieces"),
        pytest.param(b"\x01" + bytes(SIZE - 1), id="no piece"),
    ],
)
def test_invalid_records_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="record"):
        unpack(data)


def test_numpy_reads_the_same(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    found = GameRecorder(QUICK).game(1)
    path = tmp_path / "games.bin"
    path.write_bytes(b"".join(one.pack() for one in found))
    columns = read_columns(path)
    assert columns["score"].tolist() == [one.score for one in found]
    assert (columns["result"] / 2).tolist() == [one.result for one in found]
    assert columns["occupied"].tolist() == [one.board.occupied for one in found]
    assert columns["game"].tolist() == [1] * len(found)


def test_positions_are_quiet_few_and_reproducible() -> None:
    recorder = GameRecorder(QUICK)
    first = [recorder.game(number) for number in (1, 2, 3)]
    again = [GameRecorder(QUICK).game(number) for number in (3, 1)]
    assert again == [first[2], first[0]]
    for found in first:
        assert 1 <= len(found) <= 5
        assert len({one.result for one in found}) == 1
        for one in found:
            assert not one.board.is_check()
            assert not one.board.is_game_over()
    assert GameRecorder(RecordRecipe(20, 4, 5)).game(1) != first[0]


def test_a_file_cut_anywhere_is_completed_identically(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.part"
    record.record_file(path, QUICK, range(10, 13))
    whole = path.read_bytes()
    for length in (0, 7, SIZE, len(whole) - SIZE, len(whole) - 1, len(whole)):
        path.write_bytes(whole[:length])
        record.record_file(path, QUICK, range(10, 13))
        assert path.read_bytes() == whole


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix" or BUILD == "pure", reason="kills processes; takes minutes")
def test_a_killed_run_resumes_and_another_recipe_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "positions"
    command = [sys.executable, "-m", "halbzug.tuning.record", str(folder), "--nodes", "1"]
    command += ["--kept", "2", "--cores", "1"]
    process = subprocess.Popen(command)
    part = folder / "games-000000.part"
    while not part.exists() or part.stat().st_size < 20 * SIZE:
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    time.sleep(0.5)  # the processes it has started end, too
    size = part.stat().st_size
    before = part.read_bytes()
    time.sleep(0.5)
    assert part.stat().st_size == size
    (numbers,) = ({one.game for one in read(part)},)
    assert numbers == set(range(len(numbers)))
    other = subprocess.run([*command, "--seed", "2"], capture_output=True, text=True, check=False)
    assert other.returncode == 1
    (line,) = other.stderr.splitlines()
    assert "has positions of another recipe" in line
    assert part.read_bytes() == before

"""The format of recorded positions."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, endgames, games
from recorded_positions import Recorded, unpack

from halbzug.tuning.positions_file import SIZE, read_columns

pytestmark = pytest.mark.any_build

any_game = st.one_of(games(), endgames(8))


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


@pytest.mark.parametrize("is_white_to_move", [True, False])
def test_numpy_reads_the_same(tmp_path: Path, is_white_to_move: bool) -> None:
    pytest.importorskip("numpy")
    board = chess.Board()
    board.turn = is_white_to_move
    found = [Recorded(board, score, result, 7) for score, result in ((-300, 0.0), (45, 0.5))]
    path = tmp_path / "games.bin"
    path.write_bytes(b"".join(one.pack() for one in found))
    columns = read_columns(path)
    assert columns["score"].tolist() == [one.score for one in found]
    assert (columns["result"] / 2).tolist() == [one.result for one in found]
    assert columns["occupied"].tolist() == [board.occupied] * 2
    assert (columns["flags"] & 1).tolist() == [is_white_to_move] * 2
    assert columns["game"].tolist() == [7, 7]

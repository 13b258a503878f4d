"""The names of openings: by position, and for a whole game."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest

from halbzug.books.opening_names import Opening, build, opening_at, opening_of

pytestmark = pytest.mark.any_build


def board_of(moves: str) -> chess.Board:
    board = chess.Board()
    for move in moves.split():
        board.push_san(move)
    return board


@pytest.mark.parametrize(
    ("moves", "eco", "name"),
    [
        ("e4 c5", "B20", "Sicilian Defense"),
        ("Nf3 d5 d4 Nf6 c4 e6 Nc3", "D37", "Queen's Gambit Declined: Three Knights Variation"),
        ("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 h6 a3", "C70", "Ruy Lopez: Morphy Defense"),
    ],
)
def test_a_game_is_named_after_its_last_known_position(moves: str, eco: str, name: str) -> None:
    assert opening_of(board_of(moves)) == Opening(eco, name)


def test_an_unknown_position_has_no_name() -> None:
    assert opening_at(chess.Board()) is None
    assert opening_of(chess.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1")) is None
    assert opening_of(chess.Board.from_chess960_pos(518)) is None


def test_the_file_is_built_from_a_table_of_names_and_moves(tmp_path: Path) -> None:
    source = tmp_path / "names.tsv"
    source.write_text("eco\tname\tpgn\nA00\tOne\t1. a3\nA01\tTwo\t1. b3 e5\nA01\tThree\t1. b3 e5\n")
    assert build(source, tmp_path / "built.tsv") == 2
    header, *rows = (tmp_path / "built.tsv").read_text().splitlines()
    assert "CC0" in header
    assert [row.split("\t")[1:] for row in rows] == [["A00", "One"], ["A01", "Two"]]

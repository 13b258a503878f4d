"""Exercises as files: they can be read back, also by other programs."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import chess
import chess.pgn
import pytest

from halbzug.batch.positions import source_game
from halbzug.display.board_tree import tags
from halbzug.puzzles.puzzle_files import (
    PuzzleFileError,
    last_game,
    puzzle_json,
    puzzles_sheet,
    read_puzzles,
    source_text,
    to_epd,
    to_pgn,
)
from halbzug.puzzles.puzzles import Puzzle
from halbzug.search.strength import MAX_ELO
from halbzug.web.reading import ReadGames

pytestmark = pytest.mark.any_build


def moves(text: str) -> tuple[chess.Move, ...]:
    return tuple(map(chess.Move.from_uci, text.split()))


BACK_RANK = Puzzle(
    chess.Board("r5k1/5ppp/8/8/8/3R4/5PPP/3R2K1 w - - 0 31"), moves("d3d8 a8d8 d1d8"), (),
    31_999, 40, 800, "back rank", 3,
    (("Date", "1858.??.??"), ("White", "Morphy, Paul"), ("Black", "Duke; Karl's Count")),
)  # fmt: skip
FORK = Puzzle(
    chess.Board("4k3/8/8/8/3n4/8/8/1R2K2R b - - 3 20"), moves("d4c2"), moves("e1d2 c2b4 b1b4"),
    300, -20, MAX_ELO, "", 7, (),
)  # fmt: skip
CHESS960 = Puzzle(
    chess.Board("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", chess960=True), moves("b1a1"), (),
    500, 0, 1500, "castle", 5, (("Round", "2"),),
)  # fmt: skip
#: Tags of each game.
ROSTER = dict.fromkeys(("Event", "Site", "Round", "White", "Black"), "?") | {"Date": "????.??.??"}

ALL = [BACK_RANK, FORK, CHESS960]


def test_written_exercises_can_be_read_back(tmp_path: Path) -> None:
    path = tmp_path / "exercises.pgn"
    path.write_text(to_pgn(ALL), "utf-8")
    found = read_puzzles(path)
    assert [replace(puzzle, headers=()) for puzzle in found] == [
        replace(puzzle, headers=()) for puzzle in ALL
    ]
    assert [dict(puzzle.headers) for puzzle in found] == [ROSTER | dict(p.headers) for p in ALL]
    assert last_game(ALL) == 7 and last_game([]) == 0
    path.write_text("", "utf-8")
    assert read_puzzles(path) == []


def test_other_programs_read_the_solution_as_a_game(tmp_path: Path) -> None:
    path = tmp_path / "exercises.pgn"
    path.write_text(to_pgn(ALL), "utf-8")
    with path.open(encoding="utf-8") as file:
        games = [chess.pgn.read_game(file) for _ in ALL]
    for puzzle, game in zip(ALL, games, strict=True):
        assert game and not game.errors
        assert game.board() == puzzle.board and tuple(game.mainline_moves()) == puzzle.solution
    first = games[0].variation(0).comment
    assert first.startswith("The only move: ") and first.endswith("the second best move +0.40.")
    assert games[1].end().comment.endswith("Then 21.Kd2 Nb4 22.Rxb4.")


def test_the_epd_is_a_test_suite_whatever_the_names() -> None:
    lines = to_epd(ALL[:2]).splitlines()  # python-chess does not support Chess960 in EPD
    for number, (line, puzzle) in enumerate(zip(lines, ALL[:2], strict=True), 1):
        board = chess.Board()
        operations = board.set_epd(line)
        assert board.board_fen() == puzzle.board.board_fen() and operations["id"] == str(number)
        assert operations["bm"] == [puzzle.solution[0]]
        assert operations["pv"] == list(puzzle.solution)
        assert operations.get("c2", "") == puzzle.theme
    assert "Morphy - Duke  Karl's Count, 1858" in lines[0] and 'c1 "Elo 800"' in lines[0]
    assert f'c1 "Elo {MAX_ELO}+"' in lines[1]


def test_the_source_is_named_as_far_as_it_is_known() -> None:
    assert source_text(BACK_RANK).startswith("Morphy - Duke") and source_text(FORK) == "game 7"
    assert puzzle_json(FORK) == {
        "position": FORK.board.fen(),
        "solution": ["d4c2"],
        "continuation": ["e1d2", "c2b4", "b1b4"],
        "score": 300,
        "second": -20,
        "elo": MAX_ELO,
        "theme": "",
        "game": 7,
        "source": "game 7",
    }


def test_names_are_shown_without_the_escapes_of_pgn() -> None:
    headers = (("White", r"Tal \"Misha\""), ("Black", r"a\\b, c"))
    assert source_text(replace(FORK, headers=headers)) == r'Tal "Misha" - a\b'
    text = f'[White "{headers[0][1]}"]\n[Black "{headers[1][1]}"]\n\n1. e4 *\n'
    game = chess.pgn.read_game(io.StringIO(text))
    assert game and tags(game)["White"] == 'Tal "Misha"'
    assert source_game(game).name == r'Tal "Misha" - a\b'
    (title,) = ReadGames(text.splitlines(keepends=True)).titles()
    assert title.startswith('Tal "Misha" - a')


def test_the_table_has_a_row_for_each_exercise() -> None:
    rows = [list(row.cells) for row in puzzles_sheet(ALL).rows]
    assert [row[:3] for row in rows] == [
        ["1", "800", "2"],
        ["2", f"{MAX_ELO}+", "1"],
        ["3", "1500", "1"],
    ]
    assert rows[0][3] == "31.Rd8+ Rxd8 32.Rxd8#" and rows[1][3] == "20...Nc2+"


@pytest.mark.parametrize(
    ("change", "number"),
    [
        (lambda text: text.replace('[PuzzleElo "800"]', ""), 1),
        (lambda text: text.replace('[PuzzleGame "7"]', '[PuzzleGame "x"]'), 2),
        (lambda text: text.replace("e1d2 c2b4", "e1e8 c2b4"), 2),
        (lambda text: "no exercise at all", 1),
    ],
)
def test_a_file_of_another_kind_is_not_appended_to(tmp_path: Path, change, number: int) -> None:
    path = tmp_path / "exercises.pgn"
    path.write_text(change(to_pgn(ALL)), "utf-8")
    with pytest.raises(PuzzleFileError, match=f"game {number}: not an exercise of halbzug puzzles"):
        read_puzzles(path)


def test_an_unreadable_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(PuzzleFileError, match="cannot read"):
        read_puzzles(tmp_path / "none.pgn")

"""The figures of the course: correct, in both languages, and inside their frames."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import chess
import pytest
from command_line import Command

from halbzug.teaching import course_figures
from halbzug.teaching.course_figures import FIGURES, ROOK_FEN, rook_mask, small_key
from halbzug.teaching.game_protocol import read_moves
from halbzug.teaching.games.noughts_and_crosses import NoughtsAndCrosses, open_lines

#: The approximate width of a letter, in pixels.
_LETTER = 6.7


def _texts(svg: str) -> list[str]:
    return [one.text or "" for one in ET.fromstring(svg).iter() if one.get("class") != "halo"]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_fits_into_its_frame(name: str, language: str) -> None:
    root = ET.fromstring(course_figures.draw_figure(name, language))
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    assert width <= 660, "it would be shrunk on a page"
    for one in root.iter():
        if one.get("class", "").endswith("inside") or one.get("class") == "title":
            x, y = float(one.get("x", "0")), float(one.get("y", "0"))
            long = _LETTER * len(one.text or "")
            share = {"start": 0, "middle": 0.5, "end": 1}[one.get("text-anchor", "middle")]
            assert x - share * long >= 0 and x + (1 - share) * long <= width, one.text
            assert 0 < y < height


def test_the_mask_of_a_rook_determines_its_moves() -> None:
    board = chess.Board(ROOK_FEN)
    reduced = chess.Board(None)
    reduced.set_piece_at(chess.D4, chess.Piece(chess.ROOK, chess.WHITE))
    for square in chess.scan_forward(rook_mask(chess.D4) & board.occupied):
        reduced.set_piece_at(square, chess.Piece(chess.PAWN, chess.BLACK))
    assert reduced.attacks_mask(chess.D4) == board.attacks_mask(chess.D4)
    assert sum(2 ** rook_mask(square).bit_count() for square in chess.SQUARES) == 102400


def test_a_key_by_hand_changes_by_one_number() -> None:
    game = NoughtsAndCrosses()
    before, after = read_moves(game, "b2 a3"), read_moves(game, "b2 a3 c1")
    assert small_key(before) ^ small_key(after) == course_figures.CROSS_KEYS[8]
    assert small_key(read_moves(game, "c1 a3 b2")) == small_key(after)
    assert small_key(game.start()) == 0


def test_features_of_three_squares_choose_better_than_squares_and_open_lines() -> None:
    shares = [
        course_figures.share_of_best_moves(one)
        for one in (course_figures.square_sum, open_lines, course_figures.line_sum)
    ]
    assert [round(100 * float(share)) for share in shares] == [54, 60, 97]


def test_a_player_shoots_where_most_possible_fleets_are_hit() -> None:
    texts = _texts(FIGURES["battleships"]("en"))
    assert texts.count("28 %") == 1 and texts.count("38 %") == 4 and texts.count("27 %") == 4


def test_a_figure_is_written_and_an_unknown_one_is_refused(halbzug: Command) -> None:
    assert halbzug.output("explain", "figure").split() == list(FIGURES)
    halbzug.output("explain", "figure", "elo", "--svg", "elo.svg", "--language", "de")
    text = (Path(halbzug.folder) / "elo.svg").read_text(encoding="utf-8")
    assert "Elo-Differenz" in text and re.search(r">\+200<", text)
    process = halbzug.run("explain", "figure", "nix")
    assert process.returncode == 1 and "there is no figure 'nix'" in process.stderr

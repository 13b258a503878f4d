"""The experiments from Python: `halbzug.explain`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import chess
import chess.variant
import pytest
from command_line import environment_of_users

import halbzug

pytestmark = pytest.mark.any_build

ENDGAME = "8/8/8/3k4/8/8/8/2BNK3 w - - 0 1"
BISHOPS = "8/5k2/8/1B6/6P1/3K1P2/8/6b1 w - - 0 1"


def run_program(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**environment_of_users(), **environment},
        check=False,
    )


def test_nothing_else_has_to_be_imported() -> None:
    result = run_program("import halbzug; print(halbzug.explain.horizon('hidden').is_mistake)")
    assert (result.stdout, result.stderr) == ("True\n", "")


def test_the_tree_is_the_one_that_the_command_shows() -> None:
    tree = halbzug.explain.tree(chess.Board(ENDGAME), 2)
    assert tree.agrees and tree.depth == 2
    assert [one.technique.name for one in tree.measurements][::7] == ["minimax", "full engine"]
    text = str(tree)
    assert max(map(len, text.splitlines())) <= 80
    assert "White to move, depth 2" in text and "The first six agree on" in text


def test_an_abandoned_search_has_no_value() -> None:
    tree = halbzug.explain.tree(chess.Board(), 2, nodes=100, progress=False)
    row = next(line for line in str(tree).splitlines() if line.startswith("minimax"))
    assert row.split() == ["minimax", ">100", "-", row.split()[3], "ms", "-", "-"]


def test_the_progress_of_the_tree_is_reported() -> None:
    steps: list[tuple[int, int]] = []
    halbzug.explain.tree(chess.Board(ENDGAME), 1, progress=lambda *step: steps.append(step))
    assert steps == [(done, 8) for done in range(1, 9)]


def test_a_position_of_the_users_own() -> None:
    """The depth is found automatically; the moves before the position do not matter."""
    board = chess.Board()
    for move in ("f2f3", "e7e5", "g2g4"):
        board.push_uci(move)
    horizon = halbzug.explain.horizon(board)
    assert horizon.is_searched and horizon.full.moves[0] == "d8h4"
    assert board.move_stack
    assert halbzug.explain.horizon(board, 1).depth == 1


def test_the_terms_equal_those_of_the_evaluation_in_groups() -> None:
    board = chess.Board(BISHOPS)
    terms = halbzug.explain.terms(board)
    assert dict(terms) == dict(halbzug.evaluate(board))
    lines = [" ".join(line.split()) for line in str(terms).splitlines()]
    assert any(line.startswith("Passed pawns ") for line in lines)
    assert f"{terms.relative:+}" in str(terms)


@pytest.mark.slow
@pytest.mark.parametrize(
    "draw",
    [
        lambda: halbzug.explain.tree(chess.Board(ENDGAME), 2).plot(),
        lambda: halbzug.explain.horizon("promotion").plot(),
        lambda: halbzug.explain.terms(chess.Board(BISHOPS)).plot(),
    ],
    ids=["tree", "horizon", "terms"],
)
def test_each_experiment_has_a_plot(draw: Any, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot = draw()
    assert ElementTree.fromstring(plot._repr_svg_()).tag.endswith("svg")
    assert plot._repr_svg_() == plot._repr_svg_()
    plot.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == plot._repr_svg_()
    plot.save(tmp_path / "b.PNG")
    assert (tmp_path / "b.PNG").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r"\.svg or \.png, not c\.gif"):
        plot.save(tmp_path / "c.gif")
    with pytest.raises(OSError, match="cannot write"):
        plot.save(tmp_path / "missing" / "a.svg")


def test_the_texts_of_the_plots() -> None:
    pytest.importorskip("matplotlib")
    tree = halbzug.explain.tree(chess.Board(ENDGAME), 3)
    (axes,) = tree.plot().figure.axes
    minimax = next(line for line in axes.lines if line.get_label() == "minimax")
    assert list(minimax.get_xdata()) == [1, 2, 3]
    assert minimax.get_ydata()[-1] == tree.measurements[0].nodes

    horizon = halbzug.explain.horizon("promotion")
    (axes,) = horizon.plot().figure.axes
    words = {text.get_text() for text in axes.texts}
    assert {"Re1+", "Rxa6", "a8=Q"} <= words
    labels = {line.get_label() for line in axes.lines}
    assert "horizon" in labels

    terms = halbzug.explain.terms(chess.Board(BISHOPS))
    (axes,) = terms.plot().figure.axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names[0] == "Material" and names[-1] == "Evaluation"
    assert f"{terms.white:+}" in axes.texts[-1].get_text()
    *parts, total = (bar.get_width() for bar in axes.patches)
    assert sum(parts) == pytest.approx(total) == pytest.approx(terms.white)


def test_without_matplotlib_the_error_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "matplotlib").mkdir()
    (tmp_path / "matplotlib" / "__init__.py").write_text("raise ImportError('not here')")
    program = "import halbzug; halbzug.explain.horizon('hidden').plot()"
    result = run_program(program, PYTHONPATH=str(tmp_path))
    assert "ImportError: plots need the package matplotlib: pip install matplotlib" in result.stderr


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: halbzug.explain.tree("startpos"), TypeError, "must be a chess.Board, not str"),
        (lambda: halbzug.explain.tree(depth=0), ValueError, "depth must be at least 1"),
        (lambda: halbzug.explain.tree(nodes=0), ValueError, "nodes must be at least 1"),
        (lambda: halbzug.explain.tree(progress="yes"), TypeError, "progress must be"),
        (lambda: halbzug.explain.horizon("nowhere"), ValueError, "none of hidden, promotion"),
        (lambda: halbzug.explain.horizon(7), TypeError, "must be a chess.Board, not int"),
        (lambda: halbzug.explain.terms(chess.Board(None)), ValueError, "the board is empty"),
        (lambda: halbzug.explain.terms(chess.variant.AtomicBoard()), ValueError, "not atomic"),
        (
            lambda: halbzug.explain.tree(chess.Board("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1")),
            ValueError,
            "the game is over",
        ),
    ],
)
def test_invalid_arguments(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert words in str(caught.value)

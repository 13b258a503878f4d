"""The notebooks of `examples/`, run in a real kernel, and what a reader sees in them."""

from __future__ import annotations

import io
import re
import shutil
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import chess
import chess.pgn
import pytest
from checkout import ROOT
from notebook_runs import notebook_of, outputs, printed, run_notebook

import halbzug

NEEDED = ("nbformat", "nbclient", "ipykernel", "matplotlib")

pytestmark = [
    pytest.mark.any_build,
    pytest.mark.skipif(not all(map(find_spec, NEEDED)), reason=f"needs {', '.join(NEEDED)}"),
]

FILES = sorted((ROOT / "examples").glob("*.ipynb"))
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def pretty(shown: object) -> str:
    """The text that IPython shows at a terminal."""
    from IPython.lib import pretty as shower

    return shower.pretty(shown)


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """A copy of the folder, as a teacher would open it."""
    folder = tmp_path / "examples"
    shutil.copytree(ROOT / "examples", folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_notebooks_are_stored_without_outputs(path: Path):
    import nbformat

    text = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    assert text == nbformat.writes(notebook).rstrip("\n") + "\n"
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert not cell.outputs and cell.execution_count is None


def run(folder: Path, name: str):
    import nbformat

    notebook = nbformat.read(folder / f"{name}.ipynb", as_version=4)
    run_notebook(notebook, folder)
    assert not [
        output
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "stream" and output.name == "stderr"
    ]
    return notebook


@pytest.mark.slow
def test_first_steps(examples: Path):
    notebook = run(examples, "first_steps")
    pages = outputs(notebook, "text/html")
    played, puzzle, terms, _ = pages
    assert "<svg" in played and "Move" in played
    assert "#2" in puzzle and "Qd8+" in puzzle and puzzle.count("<tr>") == 4
    assert "bad bishop" in terms and "evaluation, for White" in terms
    # python-chess draws its own boards.
    assert len(outputs(notebook, "image/svg+xml")) >= 4
    assert outputs(notebook, "text/plain")[-1] == "8902"
    assert re.search(r"^#2 +\w+ +1\.Qd8\+", printed(notebook), re.MULTILINE)


@pytest.mark.slow
def test_the_theory(examples: Path):
    notebook = run(examples, "theory")
    assert " 4 matches: -1, 12 nodes, 11 with alpha-beta" in printed(notebook)
    shown = [page for page in outputs(notebook, "text/html") if page]
    tree, horizon, terms, grown = [one for one in shown if not one.startswith("<iframe")]
    pages = [unescape(one) for one in shown if one.startswith("<iframe")]
    titles = [re.findall("<title>(.*?)</title>", one)[0] for one in pages]
    assert titles == [
        "A tree", "The horizon effect", "The evaluation, square by square",
        "Questions about game trees",
    ]  # fmt: skip
    drawings = [svg for svg in outputs(notebook, "image/svg+xml") if "matplotlib" not in svg]
    names = [re.findall('class="title"[^>]*>(.*?)</text>', svg) for svg in drawings]
    assert [name[0].split(" (")[0] for name in names if name] == [
        "A tree", "A tree with chance", "The game of matches for three", "A position, depth 5",
    ]  # fmt: skip
    for name in ("minimax", "alpha-beta", "full engine"):
        assert name in tree
    assert "The first six agree on" in tree
    assert "Checks delay a promotion" in horizon and "- horizon -" in horizon
    assert "Passed pawns" in terms and "<svg" in terms
    assert "policy and value" in grown and "<svg" in grown and "Ra5+" in grown
    plots = [svg for svg in outputs(notebook, "image/svg+xml") if "matplotlib" in svg]
    assert len(plots) == 4
    for plot in plots:
        assert ElementTree.fromstring(plot).tag.endswith("svg")
    assert "promotion" in printed(notebook)


@pytest.mark.slow
def test_an_annotated_game(examples: Path):
    notebook = run(examples, "annotated_game")
    page, *boards = [page for page in outputs(notebook, "text/html") if page]
    assert "winning chances over the game" in page and "Morphy, Paul" in page
    assert "Accuracy" in page
    judged = re.findall(r"'(\w+)': [1-9]", printed(notebook))  # a short search may find no mistake
    assert all(name in page for name in judged)
    assert "#2" in boards[-1] and "16.Qb8+" in boards[-1]
    assert "[%eval" in printed(notebook) and "16. Qb8+" in printed(notebook)
    assert (examples / "opera.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["module://no.such.backend", "nonsense"])
def test_plots_need_no_backend(tmp_path: Path, backend: str):
    notebook = notebook_of(
        "import chess, halbzug",
        f"halbzug.explain.terms(chess.Board('{KIWIPETE}')).plot()",
        "halbzug.explain.horizon('hidden').plot()",
        "halbzug.explain.tree(chess.Board('8/8/8/3k4/8/8/8/2BNK3 w - - 0 1'), 2).plot()",
        "import os; os.environ['MPLBACKEND']",
    )
    run_notebook(notebook, tmp_path, MPLBACKEND=backend)
    assert len(outputs(notebook, "image/svg+xml")) == 3
    assert outputs(notebook, "text/plain")[-1] == repr(backend)


@pytest.mark.slow
def test_a_plot_does_not_change_the_notebooks_own_plots(tmp_path: Path):
    notebook = notebook_of(
        "import halbzug; halbzug.explain.horizon('hidden').plot()",
        "import matplotlib.pyplot as plt; plt.plot([1, 2])",
    )
    run_notebook(notebook, tmp_path)
    assert len(outputs(notebook, "image/png")) == 1


@pytest.mark.slow
def test_progress_is_a_bar_that_disappears(tmp_path: Path):
    notebook = notebook_of(
        "import chess.pgn, io, halbzug",
        "game = chess.pgn.read_game(io.StringIO('1. e4 e5 2. Nf3 Nc6 3. Bb5 a6'))",
        "halbzug.annotate(game, time=0.2)",
        "halbzug.annotate(game, depth=1, progress=False)",
    )
    messages = run_notebook(notebook, tmp_path)
    bars = [data for kind, data in messages if "<progress" in data.get("text/html", "")]
    assert bars[0]["text/plain"] == "Annotating: 0 of 7"
    assert re.match(r"Annotating: [1-7] of 7, .* about .* left", bars[-1]["text/plain"])
    assert "<progress" not in "".join(outputs(notebook, "text/html"))
    assert [kind for kind, _ in messages].count("display_data") == 1
    assert printed(notebook) == ""


def test_a_tree_too_wide_for_a_notebook_is_shown_as_a_table():
    large = halbzug.explain.alpha_beta(f"({'1 ' * 700})")
    assert large._repr_svg_() is None
    assert "Alpha-beta" in pretty(large)
    assert "<svg" in (halbzug.explain.alpha_beta()._repr_svg_() or "")


def test_questions_are_a_list_and_pages_are_shown_in_a_frame():
    quiz = halbzug.explain.quiz("ask: value\ntree: ((3 5) (2 9))\ntext: 3 < 5?")
    assert quiz._repr_html_() == "<ol><li>3 &lt; 5?</li></ol>"
    page = quiz.html()
    assert page.startswith("<!DOCTYPE html>")
    assert re.fullmatch(r"<page of [\d,]+ characters>", pretty(page))


def test_results_where_only_text_is_shown():
    """The text that IPython shows at a terminal."""
    board = chess.Board(KIWIPETE)
    lines = pretty(halbzug.analyse(board, depth=2, multipv=2))
    assert len(lines.splitlines()) == 2
    assert pretty(halbzug.analyse(board, depth=2)[0]).startswith(("+", "-"))
    assert "evaluation, for White" in pretty(halbzug.evaluate(board))
    assert "Evaluation, for White, who moves" in pretty(halbzug.explain.terms(board))
    assert "- horizon -" in pretty(halbzug.explain.horizon("hidden"))
    assert "minimax" in pretty(halbzug.explain.tree(board, 1))
    game = chess.pgn.read_game(io.StringIO("1. f3 e5 2. g4 Qh4#"))
    annotated = pretty(halbzug.annotate(game, depth=4))
    assert "Accuracy" in annotated and "2.g4??" in annotated and "blunder" in annotated

"""Engine files in German: creating one, the mistakes in it, and a tournament."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

import chess
import pytest
from command_line import Command
from file_engines import write_engine

from halbzug.base.language import speaking
from halbzug.base.time_control import TimeControl
from halbzug.board.movegen import new_board
from halbzug.lab.file import describe_error, run_file
from halbzug.lab.ideas import FileError, read_ideas
from halbzug.lab.new_file import example_names, write_start
from halbzug.lab.rating_run import RatingPlan, RatingRun
from halbzug.lab.rating_summary import RatingSummary
from halbzug.match.games_display import fault_text
from halbzug.match.match_summary import pace_text
from halbzug.match.openings import shipped_openings
from halbzug.match.players import EngineSpec
from halbzug.search.custom import CustomEvaluation

pytestmark = pytest.mark.any_build


def code_in(path: Path) -> str:
    """The program in a file without its comments, texts and author."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return re.sub(r"'[^']*'", "", ast.dump(tree, include_attributes=False))


def test_a_new_file_has_german_comments_and_the_same_code(halbzug: Command) -> None:
    said = halbzug.output("new", "ada.py", "--language", "de")
    assert said == "ada.py ist geschrieben. So spielen Sie dagegen: halbzug play --engine ada.py\n"
    halbzug.output("new", "bob.py")
    text = (halbzug.folder / "ada.py").read_text(encoding="utf-8")
    assert "# Was jede Figur wert ist" in text and "worth more" not in text
    assert max(map(len, text.splitlines())) <= 100
    assert code_in(halbzug.folder / "ada.py") == code_in(halbzug.folder / "bob.py")
    error = halbzug.run("new", "ada.py", HALBZUG_LANGUAGE="de").stderr
    assert "ada.py gibt es schon; --force ersetzt die Datei" in error


def comments_in(source: str) -> set[str]:
    """The paragraphs of the docstrings of a file, and its comments."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = {token.string.lstrip("#: ") for token in tokens if token.type == tokenize.COMMENT}
    nodes = (ast.Module, ast.ClassDef, ast.FunctionDef)
    parts = (node for node in ast.walk(ast.parse(source)) if isinstance(node, nodes))
    return comments.union(*((ast.get_docstring(part) or "").split("\n\n") for part in parts))


@pytest.mark.parametrize("name", example_names())
def test_a_copied_engine_has_german_comments_and_the_same_code(name: str, tmp_path: Path) -> None:
    english, german = tmp_path / "english.py", tmp_path / "german.py"
    for path, language in ((english, "en"), (german, "de")):
        with speaking(language):
            write_start(path, name)
    texts = [path.read_text(encoding="utf-8") for path in (english, german)]
    assert comments_in(texts[0]) & comments_in(texts[1]) <= {""}
    assert max(map(len, texts[1].splitlines())) <= 100
    bare = [without_docstrings(text) for text in texts]
    assert bare[0] == bare[1]


def without_docstrings(source: str) -> str:
    """The program in a file."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(
            node
        ):
            del node.body[0]
    return ast.dump(tree)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("1 / 0\n", "mine.py, Zeile 1, in <module>: ZeroDivisionError: division by zero"),
        ("def f(:\n", "mine.py, Zeile 1: SyntaxError"),
        ("import sys\nsys.exit(3)\n", "die Datei ruft exit auf (3)"),
        ("def evalute(board): return 0\n", "mine.py ist keine Engine: Definiert ist darin weder"),
        ("def evalute(board): return 0\n", "; evalute: War evaluate gemeint?"),
        ("WEIGHTS = {'pwn': 1}\n", "Zeile 1: WEIGHTS: pwn gibt es nicht; war pawn"),
        ("OPTIONS = {'Mut': (5, 6, 7)}\n", "OPTIONS: Mut: 5 liegt außerhalb der Grenzen"),
    ],
)
def test_a_mistake_in_a_file_is_reported_in_german(
    tmp_path: Path, source: str, message: str
) -> None:
    path = str(tmp_path / "mine.py")
    Path(path).write_text(source, encoding="utf-8")
    with speaking("de"):
        try:
            read_ideas(run_file(path), path)
        except FileError as error:
            lines = [str(error)]
        except BaseException as error:
            lines = describe_error(error, path)
    assert message in lines[0]


def test_weights_have_the_names_of_the_german_table(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("WEIGHTS = {'Läufer mit Läufer': 60, 'Isolani': -5}\n", encoding="utf-8")
    found = read_ideas(run_file(str(path)), str(path)).weights
    assert set(found.values()) == {(60, 60), (-5, -5)}


@pytest.mark.parametrize(
    ("said", "german"),
    [
        (
            "White (ben) ended with exit code 1: exception: ben.py, Zeile 2: x White exception",
            "Weiß (ben) endete mit Exit-Code 1: Ausnahme: ben.py, Zeile 2: x White exception",
        ),
        ("Black (too late (1) x) crashed", "Schwarz (too late (1) x) crashed"),
        (
            "Black (too late (1) x) oversteps its time by 5 ms",
            "Schwarz (too late (1) x) überschreitet die Zeit um 5 ms",
        ),
        (
            "too late: no search in time: this move is a guess",
            "zu spät: keine Suche rechtzeitig fertig: dieser Zug ist geraten",
        ),
        ("exception: too late: illegal move", "Ausnahme: too late: illegal move"),
        ("a.py, Zeile 2: ended with exit code 1", "a.py, Zeile 2: ended with exit code 1"),
    ],
)
def test_faults_in_a_game_are_reported_in_german(said: str, german: str) -> None:
    """Names of engines and messages of files stay as they are."""
    with speaking("de"):
        assert fault_text(said) == german
    with speaking("en"):
        assert fault_text(said) == said


def test_a_rating_names_the_last_loss_in_german() -> None:
    plan = RatingPlan((EngineSpec("ada", ("x",)),), (), shipped_openings())
    with speaking("de"), RatingRun(plan) as run:
        run.candidates[0].last_loss = "halbzug-800: Black mates"
        shown = RatingSummary(run, TimeControl(nodes=1)).live_sheet().text()
    assert "halbzug-800: Schwarz setzt matt" in shown


def test_paces_are_shown_in_german() -> None:
    with speaking("de"):
        assert pace_text(TimeControl(move_seconds=0.05, nodes=1)) == "0,05 s je Zug, 1 Knoten"
        clock = TimeControl(40, 60, 0.5, nodes=1200, depth=3)
        assert pace_text(clock) == "40/60+0,5, 1200 Knoten, Tiefe 3"


@pytest.mark.slow
def test_a_tournament_is_played_in_german(halbzug: Command) -> None:
    (halbzug.folder / "class").mkdir()
    write_engine(halbzug.folder / "class", "def choose(board): return 1 / 0\n", "ada.py")
    write_engine(
        halbzug.folder / "class",
        "def choose(board): return list(board.legal_moves)[0]\n",
        "ben.py",
    )
    process = halbzug.run(
        *("tournament", "class", "--no-ladder", "--st", "0.02", "--time-margin", "2000"),
        *("--max-moves", "6"),
        HALBZUG_LANGUAGE="de",
    )
    assert process.returncode == 0
    assert "2 Partien, 0,02 s je Zug" in process.stdout
    assert "Die Seite ist tournament.html, die Partien stehen in tournament.pgn" in process.stdout
    page = (halbzug.folder / "tournament.html").read_text(encoding="utf-8")
    assert '<html lang="de">' in page and "Was schiefging" in page
    assert "Ausnahme: ada.py, Zeile 1, in choose: ZeroDivisionError" in page
    for english in ("Points", "Games", "Engines in italics", "went wrong", "Played by"):
        assert english not in page


def test_a_wrong_value_is_reported_in_german() -> None:
    board = new_board(chess.STARTING_FEN)
    with speaking("de"):
        evaluation = CustomEvaluation(lambda _: "viel", new_board(chess.STARTING_FEN))
        evaluation.evaluate(board)
    german = "evaluate lieferte 'viel' (str) statt einer Zahl in Hundertstelbauern"
    assert str(evaluation.error) == german


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "evaluate returned None: is a return statement missing?"),
        ("de", "evaluate hat None zurückgegeben: Fehlt ein return?"),
    ],
)
def test_a_missing_return_is_named(language: str, said: str) -> None:
    with speaking(language):
        evaluation = CustomEvaluation(lambda _: None, new_board(chess.STARTING_FEN))
        evaluation.evaluate(new_board(chess.STARTING_FEN))
    assert str(evaluation.error) == said

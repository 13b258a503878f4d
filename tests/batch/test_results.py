"""The file of results: only one run writes to it, and other files are left alone."""

from __future__ import annotations

import io
import json
from contextlib import closing
from pathlib import Path

import chess
import pytest
from command_line import Command

from halbzug.base.events import BestMove, Info
from halbzug.base.scores import EXACT_BOUND, MATE, UPPER_BOUND
from halbzug.base.whole_file import Claim
from halbzug.batch.batch import Batch
from halbzug.batch.findings import Finding, Listener, finding_json
from halbzug.batch.positions import Subject
from halbzug.batch.result_lines import ResultFile, ResultFileError
from halbzug.commands.analyse import analyse
from halbzug.commands.analysis_display import RowsReport
from halbzug.display.terminal import PlainConsole
from halbzug.puzzles.puzzle_files import PuzzleFileError, read_puzzles

pytestmark = pytest.mark.any_build

FEN = "8/8/8/4k3/8/8/8/K6R w - - 0 1"
RECORDS = [{"number": number, "position": FEN, "bestmove": "h1h5"} for number in (1, 2)]
TEXT = "".join(json.dumps(record) + "\n" for record in RECORDS)


def test_a_second_run_does_not_write_to_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    for is_resumed in (False, True):
        with closing(ResultFile(path, is_resumed)) as file:
            with pytest.raises(ResultFileError, match=r"another run is writing to .*out.jsonl"):
                ResultFile(path, is_resumed=True)
            file.file.write(TEXT if not is_resumed else "")
    assert path.read_text() == TEXT


@pytest.mark.parametrize(
    "foreign",
    [
        b"A text without an end",
        b'{"name": "a document", "number": 5}',
        b'{"number": 5}',
        b"[1, 2]",
        b'{\n "number": 1}',
        bytes(range(256)) * 20,
        TEXT.encode() + b"remarks",
        TEXT.encode() + b'{"other": 1',
        b"remarks\n" + TEXT.encode() + b'{"number": 3, "pos',
    ],
)
def test_a_foreign_file_without_a_final_newline_is_left_alone(
    tmp_path: Path, foreign: bytes
) -> None:
    path = tmp_path / "notes"
    path.write_bytes(foreign)
    with pytest.raises(ResultFileError, match="not a result of halbzug analyse"):
        ResultFile(path, is_resumed=True)
    assert path.read_bytes() == foreign


@pytest.mark.parametrize("keys", [{}, {"name": "line 3"}, {"game": 1, "ply": 2}])
def test_our_record_is_recognized_wherever_it_was_cut_off(
    tmp_path: Path, keys: dict[str, object]
) -> None:
    path = tmp_path / "out.jsonl"
    third = json.dumps({"number": 314, **keys, "position": FEN})
    for end in (third, json.dumps({"problems": 12, "solved": 3})):
        for cut in range(len(end) + 1):
            path.write_text(TEXT + end[:cut])
            with closing(ResultFile(path, is_resumed=True)) as file:
                assert file.done == 2
            assert path.read_text() == TEXT


def test_each_command_refuses_a_file_that_another_process_writes(halbzug: Command) -> None:
    halbzug.write("games.pgn", "1. e4 e5 *\n")
    with Claim(halbzug.folder / "out"):
        for command in (
            ("analyse", "games.pgn", "--depth", "1", "--pgn", "out"),
            ("analyse", "games.pgn", "--depth", "1", "--html", "out"),
            ("puzzles", "games.pgn", "-o", "out"),
            ("book", "build", "games.pgn", "-o", "out"),
        ):
            process = halbzug.run(*command)
            assert process.returncode == 1
            assert process.stderr == "halbzug: cannot write out: another process is writing it\n"
    assert [path.name for path in halbzug.folder.iterdir()] == ["games.pgn"]


def test_an_interrupted_run_says_how_to_resume(
    halbzug: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(halbzug.folder)
    monkeypatch.setattr(Batch, "run", interrupted)
    halbzug.write("many.fen", f"{FEN}\n" * 3)
    halbzug.write("out.jsonl", TEXT)
    arguments = ["many.fen", "--depth", "1", "-o", "out.jsonl"]
    resumed = analyse.make_context("analyse", [*arguments, "--resume"])
    with resumed, pytest.raises(KeyboardInterrupt):
        analyse.invoke(resumed)
    assert capsys.readouterr().err == "halbzug: interrupted; --resume continues out.jsonl\n"
    Path("out.jsonl").unlink()
    with analyse.make_context("analyse", arguments) as context, pytest.raises(KeyboardInterrupt):
        analyse.invoke(context)
    assert capsys.readouterr().err == "", "there is nothing to resume"


@pytest.mark.parametrize("foreign", ['{"number": 5}', "remarks", "1. e4 *", "\x00\x01" * 99])
def test_exercises_are_not_appended_to_a_foreign_file(tmp_path: Path, foreign: str) -> None:
    (tmp_path / "notes").write_text(foreign)
    with pytest.raises(PuzzleFileError, match="not an exercise"):
        read_puzzles(tmp_path / "notes")
    (tmp_path / "notes").write_text("\n")
    assert read_puzzles(tmp_path / "notes") == []


def test_columns_stay_separate() -> None:
    output = io.StringIO()
    report = RowsReport(PlainConsole(file=output, width=120))
    move = "h1h5"
    info = Info(127, 127, 1, MATE - 1, EXACT_BOUND, 10**9, 10**7, 0, (move,))
    finding = Finding(BestMove(move), (info,), seconds=5999.0)
    report.add(1, Subject("a suite with a long name", chess.Board(FEN)), finding)
    heading, row = output.getvalue().splitlines()
    assert row.split()[-5:] == ["Rh5+", "#1", "127/127", *row.split()[-2:]]
    assert heading.index("Depth") + len("Depth") == row.index("127/127") + len("127/127")


def test_the_line_begins_with_the_best_move_even_if_that_has_only_an_upper_bound() -> None:
    """After an iteration that ended early."""
    exact = Info(4, 7, 1, 482, EXACT_BOUND, 1257, 1, 0, ("h1h5", "e5d4"))
    listener = Listener(None)
    listener.hear(exact)
    listener.hear(exact._replace(score=470, multipv=2, pv=("a1b2",)))
    bound = Info(5, 9, 1, 272, UPPER_BOUND, 3000, 2, 0, ("a1a2", "e5d4"))
    listener.hear(bound)
    subject = Subject("", chess.Board(FEN))
    finding = listener.conclude(BestMove("a1a2", "e5d4"))
    line = finding_json(1, subject, finding)
    assert (line["pv"], line["cp"], line["bound"]) == (["a1a2", "e5d4"], 272, "upperbound")
    assert [other["pv"] for other in line["lines"]] == [["h1h5", "e5d4"]]
    # An upper bound of the move that has an exact score says less.
    assert listener.conclude(BestMove("h1h5")).first == exact

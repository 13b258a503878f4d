"""Progress is shown where somebody can see it, and nowhere else."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Command, environment_of_users, read_to_end

from halbzug.base.language import speaking
from halbzug.display.progress import progress_shown

pytestmark = pytest.mark.any_build

ANNOTATE = (
    "import io, chess.pgn, halbzug\n"
    "game = chess.pgn.read_game(io.StringIO('1. e4 e5 2. Nf3'))\n"
    "print(len(halbzug.annotate(game, time=0.1, progress={switch}).moves))"
)

#: Separates a part that must show nothing from one that shows something, in one process.
TELL_NEXT = "import sys; print('next', end='', file=sys.stderr, flush=True)"


def at_terminal(program: str, folder: Path) -> tuple[str, str]:
    """Standard output, which is a pipe, and the text seen at the terminal."""
    import pty

    ours, theirs = pty.openpty()
    environment = {**environment_of_users(), "TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=theirs,
        cwd=folder,
        env=environment,
        encoding="utf-8",
    ) as process:
        os.close(theirs)
        seen = read_to_end(ours).decode()
        os.close(ours)
        assert process.stdout
        printed = process.stdout.read()
    assert process.returncode == 0
    return printed, seen


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo terminal")
def test_at_a_terminal_it_is_one_line_that_disappears_or_is_switched_off(tmp_path: Path) -> None:
    quiet, loud = ANNOTATE.format(switch=False), ANNOTATE.format(switch=None)
    printed, seen = at_terminal(f"{quiet}\n{TELL_NEXT}\n{loud}", tmp_path)
    assert printed == "3\n3\n"
    before, seen = seen.split("next")
    assert before == ""
    assert "Annotating" in seen and "/4" in seen
    assert seen.rstrip().endswith("\x1b[2K")  # the line is erased at the end
    assert "Annotating" not in seen.rsplit("\n", 1)[-1]


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo terminal")
def test_a_long_analysis_shows_progress(tmp_path: Path) -> None:
    program = (
        "import chess, halbzug, halbzug.display.progress as progress\n"
        "progress._SHORT_SECONDS = 60\n"
        "print(halbzug.analyse(chess.Board(), depth=2).board.ply())\n"
        f"{TELL_NEXT}\n"
        "progress._SHORT_SECONDS = 0.2\n"
        "print(halbzug.analyse(chess.Board(), time=0.6).board.ply())"
    )
    printed, seen = at_terminal(program, tmp_path)
    assert printed == "0\n0\n"
    before, seen = seen.split("next")
    assert before == ""
    assert "Analysing (seconds)" in seen and "/1" in seen
    assert seen.rstrip().endswith("\x1b[2K")


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo terminal")
def test_a_long_perft_shows_progress(tmp_path: Path) -> None:
    import pty

    code, short = Command(tmp_path).run_at_terminal("perft", "startpos", "2")
    assert code == 0 and "Nodes searched: 400" in short and "Depth" not in short
    ours, theirs = pty.openpty()
    environment = {**environment_of_users(), "TERM": "xterm", "COLUMNS": "100"}
    command = [sys.executable, "-m", "halbzug", "perft", "startpos", "12"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=theirs, cwd=tmp_path, env=environment
    ) as process:
        os.close(theirs)
        seen = os.read(ours, 65536)
        while b"/400" not in seen:
            seen += os.read(ours, 65536)
        process.send_signal(signal.SIGINT)
        seen += read_to_end(ours)
        os.close(ours)
        assert process.communicate() == (b"", None)
    assert process.returncode == 130
    assert b"Depth 12" in seen and seen.rstrip().endswith(b"\x1b[2K")


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo terminal")
def test_other_lines_appear_above_the_bar(tmp_path: Path) -> None:
    import pty

    program = (
        "import sys, halbzug.display.progress as progress, halbzug.__main__\n"
        "progress._SHORT_SECONDS = 0\n"
        "sys.argv = ['halbzug', 'perft', 'startpos', '5']\n"
        "sys.exit(halbzug.__main__.main())"
    )
    ours, theirs = pty.openpty()
    environment = {**environment_of_users(), "TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=theirs,
        stderr=theirs,
        cwd=tmp_path,
        env=environment,
    ) as process:
        os.close(theirs)
        seen = read_to_end(ours).decode()
        os.close(ours)
    assert process.returncode == 0
    assert "Depth 5" in seen
    assert len(re.findall(r"(?<=\n|K)[a-h][1-8][a-h][1-8]: \d+\r\n", seen)) == 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("switch", "told"),
    [
        ("None", ""),
        ("False", ""),
        ("True", "".join(f"Annotating: {done} of 4\n" for done in range(1, 5))),
    ],
)
def test_a_pipe_receives_only_the_output(tmp_path: Path, switch: str, told: str) -> None:
    result = subprocess.run(
        [sys.executable, "-c", ANNOTATE.format(switch=switch)],
        capture_output=True,
        cwd=tmp_path,
        env={**environment_of_users(), "FORCE_COLOR": "1"},
        encoding="utf-8",
        check=True,
    )
    assert (result.stdout, result.stderr) == ("3\n", told)


def test_long_work_prints_ten_lines_into_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_shown(True, "Counting", 250) as tell:
        for done in range(1, 251):
            tell(done, 250)
    lines = capsys.readouterr().err.splitlines()
    assert lines == [f"Counting: {25 * part} of 250" for part in range(1, 11)]


def test_the_words_are_in_the_readers_language(capsys: pytest.CaptureFixture[str]) -> None:
    with speaking("de"), progress_shown(True, "Analyse", 1000) as report:
        report(100, 1000)
    assert capsys.readouterr().err == "Analyse: 100 von 1000\n"


def test_a_line_is_written_only_once(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_shown(True, "Counting", 10) as tell:
        for done in (0, 1, 1, 1, 5, 5, 10):
            tell(done, 10)
    lines = capsys.readouterr().err.splitlines()
    assert lines == [f"Counting: {done} of 10" for done in (1, 5, 10)]


def test_a_callable_is_called_at_every_step() -> None:
    steps: list[tuple[int, int]] = []
    with progress_shown(lambda *step: steps.append(step), "Counting", 2) as tell:
        tell(1, 2)
        tell(2, 2)
    assert steps == [(1, 2), (2, 2)]


def test_an_invalid_progress_argument_is_reported() -> None:
    with (
        pytest.raises(TypeError, match="True, False, None or a callable, not 'yes'"),
        progress_shown("yes", "Counting", 2),  # type: ignore[arg-type]
    ):
        pass

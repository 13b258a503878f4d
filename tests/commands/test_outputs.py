"""Output files: never the input, and complete or not written at all; also devices and pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import chess.pgn
import pytest
from command_line import OPERA_GAME, Command, read_to_end

pytestmark = pytest.mark.any_build

GAME = '[White "a"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n'
SUITE = '4k3/8/8/8/8/8/8/4K2R w - - id "a";\n4k3/8/8/8/8/8/8/4K1R1 w - - id "b";\n'

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX links and limits")
needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")

#: The names for standard output.
STANDARD_OUTPUT = ["-", *(["/dev/stdout"] if Path("/dev/stdout").exists() else [])]

NAMES = ("itself", "hard", "soft")


@needs_posix
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "arguments",
    [
        ("book", "build", "itself", "-o"),
        ("book", "build", ".", "-o"),
        ("book", "check", "itself", "--scores", "other.epd", "--engine", "none", "--report"),
        ("book", "check", "itself", "--engine", "none", "--scores"),
        ("book", "check", "other.pgn", "--engine", "none", "--scores", "itself", "--report"),
        ("analyse", "itself", "-d", "1", "--pgn"),
        ("analyse", "itself", "-d", "1", "--html"),
        ("analyse", "itself", "-d", "1", "--last-move", "--resume", "-o"),
        ("match", "-e", "a=none", "-e", "b=none", "--openings", "itself", "--pgn"),
        ("match", "-e", "a=none", "-e", "b=none", "--runner", "fastchess", "--openings", "itself",
         "--pgn"),
    ],
    ids=lambda arguments: " ".join(arguments[:3]) + arguments[-1],
)  # fmt: skip
def test_an_input_file_is_not_overwritten(
    halbzug: Command, arguments: tuple[str, ...], name: str
) -> None:
    target = halbzug.folder / "itself.pgn"
    target.write_text(GAME)
    halbzug.write("other.pgn", GAME)
    (halbzug.folder / "hard.pgn").hardlink_to(target)
    (halbzug.folder / "soft.pgn").symlink_to("itself.pgn")
    words = [f"{word}.pgn" if word in NAMES else word for word in (*arguments, name)]
    process = halbzug.run(*words)
    assert process.returncode in (1, 2)
    assert process.stderr.startswith(f"halbzug: {name}.pgn is ")
    assert "choose another name" in process.stderr and process.stderr.count("\n") == 1
    assert target.read_text() == GAME and (halbzug.folder / "soft.pgn").is_symlink()
    assert target.samefile(halbzug.folder / "hard.pgn")


@needs_posix
@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (("analyse", "-", "-d", "1", "--pgn", "itself"), None),
        (("analyse", "-", "-d", "1", "--html", "soft"), None),
        (("analyse", "-", "-d", "1", "--last-move", "-o", "itself"), None),
        (("play", "--pgn", "itself"), None),
        # The appended output would itself be read, endlessly.
        (("analyse", "-", "-d", "1", "--pgn", "-"), "itself"),
        (("analyse", "itself", "-d", "1", "--pgn", "-"), "itself"),
        (("analyse", "itself", "-d", "1", "--last-move", "-o", "-"), "itself"),
        (("book", "build", "itself", "-o", "-"), "itself"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_file_behind_a_standard_stream_is_not_overwritten(
    halbzug: Command, arguments: tuple[str, ...], output: str | None
) -> None:
    target = halbzug.folder / "itself"
    target.write_text(GAME)
    (halbzug.folder / "soft").symlink_to("itself")
    with target.open() as source, (halbzug.folder / (output or "out")).open("a") as sink:
        process = halbzug.run_with_streams(source, sink, *arguments)
    assert process.returncode in (1, 2)
    assert "is the input; choose another name" in process.stderr
    assert process.stderr.count("\n") == 1
    assert target.read_text() == GAME and (halbzug.folder / "soft").is_symlink()


def test_openings_do_not_replace_their_source(halbzug: Command) -> None:
    halbzug.write("openings.pgn", GAME)
    halbzug.write("scores.epd", "")
    process = halbzug.run("book", "openings", "openings.pgn", "--scores", "scores.epd", "-o", ".")
    assert process.returncode == 1 and "choose another name" in process.stderr
    assert (halbzug.folder / "openings.pgn").read_text() == GAME


@pytest.mark.slow
@needs_posix
@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (("book", "build", "game.pgn", "-o", "out"), "out"),
        (("analyse", "game.pgn", "-d", "1", "--html", "out"), "out"),
        (("analyse", "game.pgn", "-d", "1", "--pgn", "out"), "out"),
    ],
)
def test_a_full_disk_leaves_the_old_files(
    halbzug: Command, arguments: tuple[str, ...], output: str
) -> None:
    path = halbzug.folder / output
    path.write_text("old")
    path.chmod(0o640)
    halbzug.write("game.pgn", GAME)
    process = halbzug.run_with_full_disk(40, *arguments)
    assert process.returncode == 1
    assert process.stderr == "halbzug: cannot write out: File too large\n"
    assert path.read_text() == "old"
    assert {file.name for file in halbzug.folder.iterdir()} == {"out", "game.pgn"}
    assert halbzug.run(*arguments).returncode == 0
    assert path.read_bytes() != b"old" and path.stat().st_mode & 0o777 == 0o640


@needs_posix
def test_results_can_be_resumed_after_a_full_disk(halbzug: Command) -> None:
    halbzug.write("suite.epd", SUITE)
    arguments = ("analyse", "suite.epd", "-d", "1", "-o", "out.jsonl")
    process = halbzug.run_with_full_disk(350, *arguments)
    assert process.returncode == 1
    assert process.stderr == "halbzug: cannot write out.jsonl: File too large\n"
    assert halbzug.run(*arguments, "--resume").returncode == 0
    lines = (halbzug.folder / "out.jsonl").read_text().splitlines()
    assert [json.loads(line)["number"] for line in lines] == [1, 2]


@needs_full
@pytest.mark.parametrize(
    "arguments",
    [
        ("book", "build", "game.pgn", "-o"),
        ("analyse", "game.pgn", "-d", "1", "--html"),
        ("analyse", "game.pgn", "-d", "1", "--pgn"),
        ("analyse", "suite.epd", "-d", "1", "-o"),
    ],
)
def test_a_full_device_is_named(halbzug: Command, arguments: tuple[str, ...]) -> None:
    halbzug.write("game.pgn", GAME)
    halbzug.write("suite.epd", SUITE)
    process = halbzug.run(*arguments, "/dev/full")
    assert process.returncode == 1
    assert process.stderr == "halbzug: cannot write /dev/full: No space left on device\n"


def numbers(text: str) -> list[int]:
    return [json.loads(line)["number"] for line in text.splitlines()]


@pytest.mark.slow
def test_a_dash_is_standard_output(halbzug: Command) -> None:
    halbzug.write("suite.epd", SUITE)
    assert numbers(halbzug.output("analyse", "suite.epd", "-d", "1", "-o", "-")) == [1, 2]
    assert numbers(halbzug.output("analyse", "startpos", "-d", "1", "-o", "-")) == [1]
    assert not (halbzug.folder / "-").exists()
    process = halbzug.run("analyse", "suite.epd", "-d", "1", "-o", "-", "--resume")
    assert process.returncode == 2 and process.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no /dev/stdout")
def test_standard_output_by_name(tmp_path: Path) -> None:
    halbzug = Command(tmp_path, is_fresh=True)  # /dev/stdout belongs to the process itself
    halbzug.write("suite.epd", SUITE)
    arguments = ("analyse", "suite.epd", "-d", "1", "-o", "/dev/stdout")
    assert numbers(halbzug.run(*arguments).stdout) == [1, 2]
    with (halbzug.folder / "results").open("wb") as file:
        subprocess.run(
            [*halbzug.program, *arguments],
            stdout=file,
            stderr=subprocess.DEVNULL,
            cwd=halbzug.folder,
            env=halbzug.environment,
            check=True,
        )
    assert numbers((halbzug.folder / "results").read_text()) == [1, 2]
    process = halbzug.run(*arguments, "--resume")
    assert process.returncode == 2 and process.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", STANDARD_OUTPUT)
def test_an_output_has_standard_output_to_itself(tmp_path: Path, name: str) -> None:
    halbzug = Command(tmp_path, is_fresh=True)  # /dev/stdout belongs to the process itself
    halbzug.write("game.pgn", OPERA_GAME)
    arguments = ("analyse", "game.pgn", "-d", "1")
    html = halbzug.output(*arguments, "--html", name)
    assert html.startswith("<!DOCTYPE html>") and html.endswith("</html>\n")
    pgn = halbzug.output(*arguments, "--pgn", name)
    assert pgn.startswith("[Event ") and pgn.split()[-1] == "*" and "Accuracy  " not in pgn
    both = halbzug.output(*arguments, "--pgn", name, "--html", "report.html")
    assert both == pgn and (halbzug.folder / "report.html").read_text() == html
    for others in (("--html", "-"), ("--json",)):
        process = halbzug.run(*arguments, "--pgn", name, *others)
        assert process.returncode == 2 and process.stderr.count("\n") == 1
        assert process.stdout == ""
    assert {file.name for file in halbzug.folder.iterdir()} == {"game.pgn", "report.html"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("match", "-e", "a=none", "-e", "b=none", "--pgn", "-"),
        ("play", "--pgn", "-"),
        ("book", "openings", "game.pgn", "--scores", "game.pgn", "-o", "-"),
        ("book", "check", "game.pgn", "--engine", "none", "--scores", "-"),
        ("explain", "tree", "--plot", "-"),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_dash_is_refused_where_a_file_is_needed(
    halbzug: Command, arguments: tuple[str, ...]
) -> None:
    halbzug.write("game.pgn", GAME)
    process = halbzug.run(*arguments)
    assert process.returncode == 2
    assert "cannot be -, standard output" in process.stderr and process.stderr.count("\n") == 1
    assert not (halbzug.folder / "-").exists()


@needs_posix
def test_a_book_is_not_written_to_a_terminal(halbzug: Command) -> None:
    halbzug.write("game.pgn", GAME)
    terminal, end = os.openpty()
    process = subprocess.run(
        [*halbzug.program, "book", "build", "game.pgn", "-o", "-"],
        stdin=end,
        stdout=end,
        stderr=subprocess.PIPE,
        cwd=halbzug.folder,
        env=halbzug.environment,
        check=False,
    )
    os.close(end)
    assert process.returncode == 2
    assert process.stderr.count(b"\n") == 1 and b"terminal" in process.stderr
    assert read_to_end(terminal) == b""
    os.close(terminal)


@pytest.mark.parametrize("name", STANDARD_OUTPUT)
def test_a_book_has_standard_output_to_itself(halbzug: Command, name: str) -> None:
    halbzug.write("game.pgn", GAME)
    command = [*halbzug.program, "book", "build", "game.pgn", "-o", name]
    with (halbzug.folder / "book.bin").open("wb") as file:
        process = subprocess.run(
            command,
            stdout=file if name == "-" else subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=halbzug.folder,
            env=halbzug.environment,
            check=True,
        )
    book = process.stdout or (halbzug.folder / "book.bin").read_bytes()
    assert len(book) == 4 * 16
    assert b"4 moves in 4 positions" in process.stderr
    assert not (halbzug.folder / "-").exists()


@pytest.mark.slow
@needs_posix
@pytest.mark.parametrize(
    "arguments",
    [
        ("book", "build", "game.pgn", "-o", "-"),
        ("analyse", "game.pgn", "-d", "1", "--pgn", "-"),
        ("analyse", "game.pgn", "-d", "1", "--html", "-"),
        ("analyse", "game.pgn", "-d", "1", "--last-move", "-o", "-"),
    ],
    ids=lambda arguments: f"{arguments[0]} {arguments[-2]}",
)
def test_a_reader_that_leaves_ends_the_command_silently(
    halbzug: Command, arguments: tuple[str, ...]
) -> None:
    halbzug.write("game.pgn", GAME)
    end, sink = os.pipe()
    os.close(end)
    process = subprocess.run(
        [*halbzug.program, *arguments],
        stdout=sink,
        stderr=subprocess.PIPE,
        cwd=halbzug.folder,
        env=halbzug.environment,
        check=False,
    )
    os.close(sink)
    assert (process.returncode, process.stderr) == (141, b"")


@needs_posix
def test_a_named_pipe_is_written(halbzug: Command) -> None:
    halbzug.write("game.pgn", GAME)
    os.mkfifo(halbzug.folder / "pipe")
    process = halbzug.start("analyse", "game.pgn", "-d", "1", "--pgn", "pipe")
    with (halbzug.folder / "pipe").open(encoding="utf-8") as pipe:
        game = chess.pgn.read_game(pipe)
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert game and len(list(game.mainline())) == 7


@needs_posix
def test_a_link_remains_a_link(halbzug: Command) -> None:
    halbzug.write("game.pgn", GAME)
    (halbzug.folder / "books").mkdir()
    (halbzug.folder / "book.bin").symlink_to("books/mine.bin")
    halbzug.output("book", "build", "game.pgn", "-o", "book.bin")
    assert (halbzug.folder / "book.bin").is_symlink()
    assert (halbzug.folder / "books" / "mine.bin").stat().st_size == 4 * 16


def test_extreme_bounds_of_a_test_are_refused(halbzug: Command) -> None:
    for bounds in (("-1e9", "1e9"), ("nan", "5"), ("0", "inf"), ("5", "0")):
        arguments = ("match", "-e", "a=none", "-e", "b=none", "--sprt", *bounds)
        process = halbzug.run(*arguments)
        assert process.returncode == 2 and process.stderr.count("\n") == 1
        assert "-1200 to 1200" in process.stderr

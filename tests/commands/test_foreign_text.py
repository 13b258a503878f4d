"""Names in games, files and engines are plain text: no markup, and no terminal control codes."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import chess.pgn
import pytest
from command_line import Command, read_to_end

from halbzug.base.text import visible

pytestmark = pytest.mark.any_build

#: Unbalanced markup of rich, an escape sequence, C1 controls, a direction override.
HOSTILE = "a[/b][red]\x1b]0;title\x07\x9b31m\u202eb\x7f"

#: Characters that a terminal obeys or that mislead readers, except line ends and rich's own.
RAW = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)

#: The escape sequences for colours, the cursor and erasing, which rich writes.
OURS = re.compile(r"\x1b\[[0-9;?]*[mABCDGHJKhl]")

GAME = f'[Event "{HOSTILE}"]\n[White "{HOSTILE}"]\n[Black "x"]\n\n1. e4 {{ {HOSTILE} }} e5 *\n'

needs_terminals = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")


def on_a_terminal(halbzug: Command, *arguments: str) -> tuple[int, str]:
    """The exit code of a command at a terminal, and what the terminal received."""
    import pty

    front, back = pty.openpty()
    with subprocess.Popen(
        [*halbzug.program, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=back,
        stderr=back,
        cwd=halbzug.folder,
        env={**halbzug.environment, "TERM": "xterm-256color", "COLUMNS": "200"},
    ) as process:
        os.close(back)
        seen = read_to_end(front)
        code = process.wait(timeout=60)
    os.close(front)
    return code, seen.decode("utf-8")


def assert_harmless(text: str) -> None:
    rest = OURS.sub("", text)
    assert not RAW.search(rest) and "\x1b" not in rest, ascii(rest)


@needs_terminals
def test_a_game_at_a_terminal(halbzug: Command) -> None:
    halbzug.write("game.pgn", GAME)
    code, text = on_a_terminal(halbzug, "analyse", "game.pgn", "-d", "2")
    assert code == 0
    assert_harmless(text)
    assert "a[/b][red]␛]0;title␇" in text


@needs_terminals
@pytest.mark.parametrize("options", [(), ("--json",), ("-o", "results.jsonl")])
def test_a_suite_at_a_terminal(halbzug: Command, options: tuple[str, ...]) -> None:
    record = f'4k3/8/8/8/8/8/8/4K2R w - - bm Kd2; id "{HOSTILE}";'
    halbzug.write("suite.epd", f"{record}\n{record}\nrubbish {HOSTILE}\n")
    _, text = halbzug.run_at_terminal("analyse", "suite.epd", "-d", "2", *options)
    assert_harmless(text)


@needs_terminals
@pytest.mark.parametrize(
    "arguments",
    [
        ("analyse", HOSTILE),
        ("analyse", f"8/8/8/8/8/8/8/{HOSTILE} w - - 0 1"),
        ("analyse", "startpos", "--engine", HOSTILE),
        ("analyse", "startpos", "-o", f"no/{HOSTILE}"),
        ("book", "show", "--book", HOSTILE),
        ("book", "build", HOSTILE, "-o", "book.bin"),
        ("explain", "horizon", HOSTILE),
        ("explain", "eval", HOSTILE),
        ("match", "-e", HOSTILE, "-e", "halbzug"),
        ("match", "-e", f"{HOSTILE}=halbzug", "-e", "halbzug"),
        ("match", "-e", "a=halbzug", "-e", "b=halbzug", "--openings", HOSTILE),
        ("perft", "1", HOSTILE),
        ("play", "--fen", HOSTILE),
        ("play", "--pgn", f"no/{HOSTILE}"),
        ("register", "cutechess", "--config", f"{HOSTILE}/{HOSTILE}"),
        ("tablebases", "list", "--path", HOSTILE),
        ("tablebases", "probe", HOSTILE),
        ("tablebases", "fetch", "3", "--mirror", HOSTILE),
        (HOSTILE,),
        ("analyse", f"--{HOSTILE}"),
    ],
    ids=lambda arguments: ascii(" ".join(arguments))[:40],
)
def test_errors_at_a_terminal(halbzug: Command, arguments: tuple[str, ...]) -> None:
    _, text = halbzug.run_at_terminal(*arguments)
    assert text and "Traceback" not in text
    assert_harmless(text)


@pytest.mark.slow
@needs_terminals
def test_an_engine_that_writes_escape_sequences(halbzug: Command) -> None:
    halbzug.write(
        "engine.py",
        "import sys\n"
        f"name = {HOSTILE!r}\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('uci\\n'): print('id name', name, '\\nuciok')\n"
        "    if line.startswith('isready'): print('readyok')\n"
        "    if line.startswith('go'):\n"
        "        print('info string', name, '\\ninfo depth 1 score cp 1 pv e2e4 ' + name)\n"
        "        print('bestmove e2e4')\n"
        "    sys.stdout.flush()\n",
    )
    engine = f"{sys.executable} engine.py"
    _, text = on_a_terminal(halbzug, "analyse", "startpos", "-d", "1", "--engine", engine)
    assert_harmless(text)


def test_an_annotated_game_is_complete_and_harmless(halbzug: Command) -> None:
    halbzug.write("game.pgn", GAME.replace('White "', 'White "x\\" \\\\ y"z '))
    halbzug.run("analyse", "game.pgn", "-d", "2", "--pgn", "out.pgn", "--html", "out.html")
    text = (halbzug.folder / "out.pgn").read_text(encoding="utf-8")
    assert_harmless(text)
    game = chess.pgn.read_game(io.StringIO(text))
    assert game and len(list(game.mainline())) == 2
    assert game.headers["White"].startswith('x\\" \\\\ y\\"z a[/b][red]')


@pytest.mark.slow
def test_pipes_get_no_control_characters_either(halbzug: Command) -> None:
    halbzug.write("game.pgn", GAME)
    for options in ([], ["--pgn", "-"], ["--json"], ["--last-move"]):
        process = halbzug.run("analyse", "game.pgn", "-d", "2", *options)
        assert (process.returncode, process.stderr) == (0, "")
        assert_harmless(process.stdout)


def test_other_scripts_are_left_alone() -> None:
    for text in ("plain\ttext\n", "Łukasz", "مرحبا", "שלום", "日本", "♞"):
        assert visible(text) == text
    assert visible("\x1b\x00\x7f\x85\u202e") == "␛␀␡\ufffd\ufffd"


def test_text_on_both_streams_keeps_its_order(halbzug: Command) -> None:
    """Tables and plain lines take different ways to the same terminal."""
    text = halbzug.output("tablebases", "probe", "8/8/8/8/4k3/8/3PK3/8 w - - 0 1")
    assert text.index("for the side to move") < text.index("Result")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs file names in bytes")
def test_file_names_that_are_not_text(halbzug: Command) -> None:
    name = os.fsdecode(b"g\xff\x1b[31m.pgn")
    (halbzug.folder / name).write_text(GAME, encoding="utf-8")
    process = halbzug.run("analyse", name, "-d", "1", "--pgn", f"{name}.out")
    assert process.returncode == 0
    assert_harmless(process.stdout)
    process = halbzug.run("analyse", f"{name}x", "-d", "1")
    assert process.returncode == 1 and process.stderr.count("\n") == 1
    assert_harmless(process.stderr)
    assert Path(halbzug.folder / f"{name}.out").exists()

"""What a chess program receives from an engine that cannot start."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from halbzug.uci.startup_error import StartupErrorSession

pytestmark = pytest.mark.any_build

SAID = "info string Halbzug cannot start: no python-chess"


def answers(*lines: str | bytes) -> list[str]:
    """The answers to some lines of input."""
    text = b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines)
    sink = io.BytesIO()
    StartupErrorSession(io.BytesIO(text), sink, "no python-chess", "line 1\nline 2").run()
    return sink.getvalue().decode().splitlines()


def test_the_handshake_is_complete_and_gives_the_reason() -> None:
    first, *others, last = answers("uci")
    assert first == "id name Halbzug (cannot start)" and last == "uciok"
    assert SAID in others
    assert "option name Debug Log File type string default <empty>" in others


def test_each_go_is_answered_and_nothing_after_quit() -> None:
    asked = ("isready", "position startpos", "", "go infinite", "stop", "quit", "isready")
    assert answers(*asked) == ["readyok", SAID, "bestmove (none)"]


@pytest.mark.parametrize("line", [b"\xff\xfe\x00", b"x" * 100_000, b"setoption", b"setoption name"])
def test_unknown_commands_are_skipped(line: bytes) -> None:
    assert answers(line, "isready") == ["readyok"]


def test_the_log_has_both_sides_and_the_details(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    asked = ["isready", f"setoption name debug log file value {log}", "go depth 1"]
    assert answers(*asked)[-1] == "bestmove (none)"
    assert log.read_text("utf-8").splitlines() == [
        f"> {SAID}", "! line 1", "! line 2", "< go depth 1", f"> {SAID}", "> bestmove (none)",
    ]  # fmt: skip


@pytest.mark.parametrize("value", ["<empty>", "", "FOLDER/missing/log.txt"])
def test_a_log_that_cannot_be_written_changes_nothing(tmp_path: Path, value: str) -> None:
    place = value.replace("FOLDER", str(tmp_path))
    assert answers(f"setoption name Debug Log File value {place}", "isready") == ["readyok"]
    assert not any(tmp_path.iterdir())


class Full(io.BytesIO):
    """A stream that accepts nothing."""

    def write(self, data: object) -> int:
        raise BrokenPipeError


def test_a_chess_program_that_has_gone_ends_the_session() -> None:
    source = io.BytesIO(b"uci\nisready\n")
    StartupErrorSession(source, Full(), "no python-chess").run()
    assert source.read() == b"isready\n"

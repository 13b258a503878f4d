"""Internal errors in a session: the game continues, but not forever."""

from __future__ import annotations

import os
import sys

import pytest

from halbzug.uci.session import MAX_FAILURES, Session


def test_a_session_in_which_everything_fails_ends(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "halbzug.uci.evaluation_text", None)  # cannot be imported
    said, told = os.pipe()
    heard, heard_by_us = os.pipe()
    with os.fdopen(told, "wb") as commands:
        commands.write(b"eval\n" * (MAX_FAILURES + 5) + b"isready\n")
    with os.fdopen(said, "rb") as source, os.fdopen(heard_by_us, "wb") as sink:
        Session(source, sink).run()
    with os.fdopen(heard, encoding="utf-8") as output:
        lines = output.read().splitlines()
    errors = [line for line in lines if line.startswith("info string internal error: ")]
    assert len(errors) == MAX_FAILURES == 20 and "readyok" not in lines
    assert capfd.readouterr().err.count("Traceback") == MAX_FAILURES

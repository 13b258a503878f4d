"""`halbzug run --strict`: a mistake in the file ends the engine, with a message on stderr."""

from __future__ import annotations

import pytest
from command_line import Command
from file_engines import MATERIAL, write_engine
from hostile_engines import HOSTILE

pytestmark = pytest.mark.any_build

#: The message, by the name of the file in `HOSTILE`; the first ones are tested in every run.
FAULTS = {
    "exception": "exception: hostile.py, line 2, in choose: ZeroDivisionError: division by zero",
    "illegal move": "illegal move: hostile.py, line 2: ValueError: e1e8 is not a legal move in ",
    "syntax error": "exception: hostile.py, line 2: SyntaxError",
    "os._exit": "crash: the search process died",
    "exception in evaluate": "exception: hostile.py, line 3, in evaluate: KeyError",
    "endless loop at import": "too late: the file is not loaded after",
    "None": "illegal move: hostile.py, line 1: ValueError: choose returned None: ",
    "os._exit at import": "crash: the search process died",
    "yields nothing": "illegal move: hostile.py, line 1: ValueError: choose yielded no move",
    "memory hog": "exception: hostile.py, line 4, in choose: MemoryError",
}
QUICK = tuple(FAULTS)[:2]

#: Files without a fault, or whose moves are merely late.
PLAYS_ON = (
    *("printing", "yields and then loops", "endless loop"),
    *("endless loop that catches everything", "endless loop in C"),
)

GAME = "uci\nisready\nposition startpos\ngo movetime 50\n"

#: Enough time for the fault to appear on a busy machine before a move is due, in milliseconds.
LONG = GAME.replace("50", "25000")


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in FAULTS],
)
def test_a_fault_ends_the_engine_with_a_message(halbzug: Command, name: str) -> None:
    write_engine(halbzug.folder, HOSTILE[name][0], "hostile.py")
    process = halbzug.run("run", "--strict", "--memory", "300", "hostile.py", stdin=LONG)
    assert process.returncode == 1
    assert process.stderr.startswith(FAULTS[name]) and process.stderr.count("\n") == 1
    assert "bestmove" not in process.stdout, "nothing is played in its place"


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(MATERIAL, id="material", marks=pytest.mark.slow),
        pytest.param(HOSTILE[PLAYS_ON[0]][0], id=PLAYS_ON[0]),
        *(pytest.param(HOSTILE[name][0], id=name, marks=pytest.mark.slow) for name in PLAYS_ON[1:]),
    ],
)
def test_a_file_without_a_fault_keeps_playing(halbzug: Command, source: str) -> None:
    write_engine(halbzug.folder, source)
    process = halbzug.run("run", "--strict", "mine.py", stdin=GAME)
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.splitlines()[-1].startswith("bestmove ")

"""The laws of a UCI session hold for any lines in any order; `fuzz_uci` states them."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

import pytest
from fuzz_uci import GOES, OTHERS, RARE, Door, ViolationError, damaged, is_harmless
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from halbzug.board import movegen

pytestmark = pytest.mark.slow


class UciDoor(RuleBasedStateMachine):
    """A GUI that sends anything."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.door = Door(Path(self.folder.name))
        self.says_quit = True

    @rule(line=st.sampled_from(GOES))
    def go(self, line: str) -> None:
        self.door.send([line.encode()])

    @rule(lines=st.lists(st.sampled_from((*GOES, *OTHERS)), max_size=12), ends=st.booleans())
    def send(self, lines: list[str], ends: bool) -> None:
        self.door.send([line.encode() for line in lines], b"\r\n" if ends else b"\n")

    @rule(line=st.sampled_from((*GOES, *OTHERS)), seed=st.integers(0, 2**32))
    def send_damaged(self, line: str, seed: int) -> None:
        data = damaged(random.Random(seed), line)
        if is_harmless(data):
            self.door.send([data])

    @rule(data=st.binary(max_size=80))
    def send_bytes(self, data: bytes) -> None:
        data = data.replace(b"\n", b"").replace(b"\r", b"")
        if is_harmless(data):
            self.door.send([data])

    @rule(line=st.sampled_from(RARE))
    def change_threads(self, line: str) -> None:
        self.door.send([line.encode()])

    @rule(milliseconds=st.sampled_from([0, 1, 5, 30]))
    def wait(self, milliseconds: int) -> None:
        time.sleep(milliseconds / 1000)

    @rule()
    def wait_until_idle(self) -> None:
        self.door.wait_until_idle()
        self.door.expect_silence(0.01)

    @rule(says_quit=st.booleans())
    def choose_how_to_leave(self, says_quit: bool) -> None:
        self.says_quit = says_quit

    def teardown(self) -> None:
        try:
            self.door.wait_until_idle()
            self.door.send([b"go infinite"])
            self.door.leave(self.says_quit)
        finally:
            self.door.close()
            self.folder.cleanup()


TestUciDoor = UciDoor.TestCase
TestUciDoor.settings = settings(
    max_examples=14 if movegen.BUILD == "compiled" else 8,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


# -- the checker itself -------------------------------------------------------------------------

BROKEN = {
    "silence": "session.SessionOutput.write_readyoks = lambda self: None",
    "twice": "write = session.LineWriter.write\n"
    "def twice(self, text):\n"
    "    for _ in range(1 + text.startswith('bestmove')):\n"
    "        write(self, text)\n"
    "session.LineWriter.write = twice",
    "never": "write = session.LineWriter.write\n"
    "session.LineWriter.write = lambda self, text: 'bestmove' in text or write(self, text)",
    "illegal": "from halbzug.engine import shown_lines\n"
    "shown_lines.ShownLines.elect_best_move = lambda self, request, best: type(best)('e2e5')",
    "complaint": "sys.stderr.write('Traceback')",
    "staying": "session.Session._serve_next = "
    "lambda self: self._handle_item(self._next_item()) or True",
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_law_is_noticed(tmp_path: Path, fault: str) -> None:
    start = f"import sys\nfrom halbzug.uci import session\n{BROKEN[fault]}\n"
    start += "from halbzug.__main__ import main\nsys.exit(main())"
    patience = 1.0 if fault in ("silence", "never", "staying") else 30.0
    door = Door(tmp_path, arguments=("-c", start), patience_seconds=patience)
    try:
        with pytest.raises(ViolationError):
            door.send([b"position startpos", b"setoption name OwnBook value false"])
            door.send([b"go depth 1", b"isready"])
            door.wait_until_idle()
            door.expect_silence(0.1)
            door.leave(True)
    finally:
        door.close()

"""A GUI without a window: drives the real engine process through its pipes, line by line."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from halbzug.engine.options import Button, Check
from halbzug.uci.session_options import OPTIONS

#: Longer than anything takes on a loaded machine, in seconds; only a broken test waits that long.
PATIENCE_SECONDS = 30.0

#: How long to listen before concluding that nothing comes, in seconds.
SILENCE_SECONDS = 0.1

MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"  # Paul Morphy's problem: 1. Ra6
SINGLE_MOVE = "7k/8/8/8/8/8/r7/7K w - - 0 1"  # only Kg1
ENDGAME = "8/5pk1/4p1p1/3pP1P1/p1pP1K2/P1P5/1P6/8 w - - 0 1"
MIDDLEGAME = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
#: Each capture leads to the next, so a quiescence search never ends.
QUEENS = "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1"


@dataclass
class Info:
    """The fields of one `info` line that is not a string."""

    line: str
    depth: int = -1
    seldepth: int = -1
    multipv: int = 1
    mate: int | None = None
    cp: int | None = None
    bound: str = ""
    wdl: tuple[int, ...] = ()
    numbers: dict[str, int] = field(default_factory=dict)
    pv: list[str] = field(default_factory=list)


def parse_info(line: str) -> Info:
    """Read an `info` line strictly: unknown words and invalid numbers are errors."""
    words = line.split(" ")
    assert words.pop(0) == "info"
    info = Info(line)
    while words:
        word = words.pop(0)
        if word in ("depth", "seldepth", "multipv"):
            setattr(info, word, int(words.pop(0)))
        elif word == "score":
            kind = words.pop(0)
            assert kind in ("cp", "mate")
            setattr(info, kind, int(words.pop(0)))
            if words and words[0] in ("lowerbound", "upperbound"):
                info.bound = words.pop(0)
        elif word == "wdl":
            info.wdl = tuple(int(words.pop(0)) for _ in range(3))
        elif word in ("nodes", "nps", "hashfull", "tbhits", "time", "currmovenumber"):
            info.numbers[word] = int(words.pop(0))
        elif word == "currmove":
            words.pop(0)
        elif word == "pv":
            info.pv, words = words, []
            assert all(info.pv)
        else:
            raise AssertionError(f"unknown word {word!r} in {line!r}")
    return info


@dataclass
class Answer:
    """Everything that came back after a `go`, up to and including its `bestmove`."""

    lines: list[str]

    @property
    def move(self) -> str:
        """The best move."""
        return self.lines[-1].split()[1]

    @property
    def ponder(self) -> str | None:
        """The move expected in reply."""
        words = self.lines[-1].split()
        return words[3] if len(words) > 2 else None

    @property
    def infos(self) -> list[Info]:
        """The `info` lines with a score."""
        lines = [line for line in self.lines if line.startswith("info ") and " score " in line]
        return [parse_info(line) for line in lines if not line.startswith("info string")]

    @property
    def last(self) -> Info:
        """The last line of analysis of the best move."""
        return [info for info in self.infos if info.multipv == 1][-1]

    @property
    def strings(self) -> list[str]:
        """The `info string` messages."""
        return [line[12:] for line in self.lines if line.startswith("info string ")]


class UciClient:
    """One engine process.

    :param folder: its current folder.
    :param own_book: whether it may play from its book; most tests want it to search.
    """

    def __init__(self, folder: Path, *arguments: str, own_book: bool = False) -> None:
        self.log: list[str] = []
        #: Whether an option may have been set since somebody last made this false.
        self.is_changed = False
        #: The answer to the `uci` of `handshake`.
        self.hello: list[str] = []
        # Read by name: the engine would share the position of an inherited file handle.
        self._errors = folder / f"stderr-{time.perf_counter_ns()}.txt"
        with self._errors.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, *(arguments or ("-m", "halbzug"))],
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if not own_book:
            self.send("setoption name OwnBook value false")

    def __enter__(self) -> UciClient:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self.quit()
        finally:
            self.process.kill()
            self.process.wait()
            self._reader.join(PATIENCE_SECONDS)
            for stream in (self.process.stdin, self.process.stdout):
                assert stream is not None
                with contextlib.suppress(OSError):
                    stream.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    # -- talking --------------------------------------------------------------------------------

    def send_bytes(self, data: bytes) -> None:
        """Write exactly these bytes."""
        assert self.process.stdin is not None
        self.is_changed |= b"option" in data.lower()
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, *lines: str) -> None:
        """Write these lines at once."""
        self.log += ["> " + line[:200] for line in lines]
        self.send_bytes("".join(line + "\n" for line in lines).encode())

    def read(self, timeout: float = PATIENCE_SECONDS) -> str | None:
        """The next line; None at the end of the output.

        :raises TimeoutError: if none comes.
        """
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError("no line from the engine; so far:\n" + self.transcript()) from None
        if line is None:
            return None
        assert line.endswith(b"\n"), f"not a whole line: {line!r}"
        text = line[:-1].decode()
        self.log.append("< " + text[:300])
        return text

    def read_until(self, word: str, timeout: float = PATIENCE_SECONDS) -> list[str]:
        """All lines up to and including the first that starts with `word`."""
        lines: list[str] = []
        deadline = time.monotonic() + timeout
        while not lines or lines[-1].split(" ")[0] != word:
            line = self.read(max(deadline - time.monotonic(), 0.01))
            assert line is not None, "the engine ended; so far:\n" + self.transcript()
            lines.append(line)
        return lines

    def expect_silence(self, seconds: float = SILENCE_SECONDS, but: str = "info") -> list[str]:
        """Listen for a while: only lines that start with `but` may come."""
        deadline = time.monotonic() + seconds
        heard = []
        while (left := deadline - time.monotonic()) > 0:
            try:
                line = self.read(left)
            except TimeoutError:
                break
            assert line is not None and but and line.startswith(but), line
            heard.append(line)
        return heard

    def handshake(self) -> list[str]:
        """`uci` and `isready`; the answer to `uci`."""
        self.send("uci")
        lines = self.hello = self.read_until("uciok")
        self.send("isready")
        assert self.read() == "readyok"
        return lines

    def synchronise(self) -> list[str]:
        """`isready`: everything that came before `readyok`."""
        self.send("isready")
        return self.read_until("readyok")[:-1]

    def go(self, command: str, timeout: float = PATIENCE_SECONDS) -> Answer:
        """Search and wait for the best move; nothing may come after it."""
        self.send(command)
        return self.wait_for_best_move(timeout)

    def wait_for_best_move(self, timeout: float = PATIENCE_SECONDS) -> Answer:
        """Everything up to `bestmove`."""
        return Answer(self.read_until("bestmove", timeout))

    def transcript(self) -> str:
        """The last lines both ways."""
        return "\n".join(list(self.log)[-40:])

    # -- the process ----------------------------------------------------------------------------

    def children(self) -> list[int]:
        """Process ids of the workers."""
        return children_of(self.process.pid)

    def wait(self, timeout: float = PATIENCE_SECONDS) -> int:
        """Wait for the end of the process; its exit code."""
        return self.process.wait(timeout)

    def complaints(self) -> str:
        """The output on standard error."""
        return self._errors.read_bytes().decode()

    def quit(self) -> None:
        """Send `quit`, and check that the engine ends."""
        if self.process.poll() is None:
            with contextlib.suppress(OSError):
                self.send("quit")
            assert self.wait() == 0, self.transcript()
        assert self.complaints() == "", self.transcript()


def children_of(pid: int) -> list[int]:
    """Process ids of the children of a process."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # the thread has ended meanwhile
            found += [int(child) for child in task.read_text().split()]
    return found


def is_alive(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def wait_until_gone(pids: list[int], timeout: float = PATIENCE_SECONDS) -> None:
    """:raises AssertionError: if one of the processes lives on."""
    deadline = time.monotonic() + timeout
    while any(map(is_alive, pids)):
        assert time.monotonic() < deadline, f"still alive: {pids}"
        time.sleep(0.02)


def wait_for_cpu(pid: int, seconds: float) -> None:
    """Wait until a process and its descendants have used this much processor time."""
    if not has_proc():
        time.sleep(2 * seconds)
        return
    deadline = time.monotonic() + 4 * PATIENCE_SECONDS
    while _cpu_seconds(pid) < seconds:
        assert is_alive(pid) and time.monotonic() < deadline
        time.sleep(0.02)


def _cpu_seconds(pid: int) -> float:
    """The processor time of a process and its descendants."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    own = sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
    return own + sum(map(_cpu_seconds, children_of(pid)))


def kilobytes_by_kind(pid: int) -> dict[str, int]:
    """The memory of a process, by the names that proc(5) gives to its kinds."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {words[0][:-1]: int(words[1]) for words in map(str.split, lines) if words[-1] == "kB"}


def resident_kilobytes(pid: int) -> int:
    """The resident memory of a process, without what it shares with others."""
    kinds = kilobytes_by_kind(pid)
    return kinds["RssAnon"] + kinds["RssFile"]


def has_proc() -> bool:
    """Whether the system shows its processes as files."""
    return Path("/proc/self/task").exists()


def defaults() -> Iterator[str]:
    """The lines that set every option to its default, except for the book."""
    for option in OPTIONS:
        if not isinstance(option, Button) and option.name != "OwnBook":
            value = str(option.default)
            value = value.lower() if isinstance(option, Check) else value
            yield f"setoption name {option.name} value {value or '<empty>'}"


class SharedEngine:
    """One process for many tests; one that a test has broken is replaced."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._client: UciClient | None = None

    def take(self) -> UciClient:
        """The engine, after the handshake."""
        if self._client is None:
            self._client = UciClient(self._folder)
            self._client.handshake()
        return self._client

    def give_back(self) -> None:
        """Reset the engine, and check that it still works."""
        client, self._client = self._client, None
        assert client is not None
        try:
            client.send("stop", *(defaults() if client.is_changed else ()))
            client.send("debug off", f"position fen {MATED}", "go depth 1")
            while client.wait_for_best_move().move != "(none)":
                pass  # what a failed test has left behind
            client.send("position startpos", "ucinewgame")
            client.synchronise()
            client.is_changed = False
            assert client.complaints() == ""
        except BaseException as error:
            client.__exit__(type(error), error, None)
            raise
        self._client = client

    def close(self) -> None:
        """End the process."""
        if self._client:
            with self._client:
                pass

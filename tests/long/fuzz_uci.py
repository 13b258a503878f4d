"""Fuzzing of the UCI session: valid and damaged lines, in any order and at any moment.

Whatever the real process receives, these laws hold: it gives exactly one best move for each `go`
and none otherwise, and the move is legal; it answers each `isready`; every line is complete and of
a known kind; nothing appears on standard error; memory and open files do not grow without bound;
and the process ends on `quit` and at the end of the input, with its workers.

`Door` watches over them. The state machine of `test_fuzz_uci` drives it, and so does this script as
a long job:

    python tests/long/fuzz_uci.py --lines 1000000 --seed 1

A violation prints the lines that led to it, and ends the script with code 1.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).parents[1]))  # helpers of the tests

from uci_client import (
    ENDGAME,
    MATE_IN_TWO,
    MATED,
    MIDDLEGAME,
    SINGLE_MOVE,
    STALEMATE,
    UciClient,
    has_proc,
    parse_info,
    resident_kilobytes,
    wait_until_gone,
)

from halbzug.base.text import on_one_line
from halbzug.engine.options import Button, Check, Option, Spin, Text
from halbzug.uci.session_options import OPTIONS

FENS = (
    *(chess.STARTING_FEN, ENDGAME, MATE_IN_TWO, MATED, STALEMATE, MIDDLEGAME, SINGLE_MOVE),
    "8/8/8/8/4k3/8/1R6/K7 w - - 0 1",  # in the tablebases
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",  # Chess960
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 99 60",  # one ply before a draw
)

GOES = (
    "go depth 1",
    "go depth 2",
    "go nodes 30",
    "go movetime 1",
    "go movetime 5",
    "go wtime 20 btime 20 winc 1 binc 1",
    "go wtime 0 btime -5",
    "go infinite",
    "go ponder movetime 5",
    "go ponder depth 1",
    "go ponder wtime 50 btime 50",
    "go mate 1 depth 3",
    "go depth 1 searchmoves e2e4 a1a2 0000",
)

#: Larger values of these options would overload a shared machine.
MAX_VALUES = {b"threads": 3, b"hash": 16}

#: Lines that start processes cost as much as a hundred others.
RARE = tuple(f"setoption name Threads value {number}" for number in (2, 3))

#: Values for text options, beside their default.
TEXTS = {
    "BookFile": ("/dev/zero", "x\x00y"),
    "EvalFile": ("/dev/zero", "x\x00y"),
    "SyzygyPath": ("/dev/full", "/tmp"),
    "UCI_Opponent": ("GM 2800 human A B",),
    "UCI_EngineAbout": ("another",),
    "Debug Log File": ("/no/such/folder/log",),
}


def values_of(option: Option) -> Iterator[str]:
    """Values of an option, valid and invalid, that the machine can bear."""
    if isinstance(option, Spin):
        maximum = MAX_VALUES.get(option.name.lower().encode(), option.maximum)
        if option.name == "Threads":
            maximum = 1  # see RARE
        numbers = (
            option.minimum,
            min(option.minimum + 2, maximum),
            maximum,
            option.minimum - 1,
            option.maximum + 1,
        )
        yield from map(str, dict.fromkeys(numbers))
        yield "x"
    elif isinstance(option, Check):
        yield from ("true", "false", "perhaps")
    elif isinstance(option, Text):
        yield from ("<empty>", *TEXTS[option.name])


def option_lines() -> Iterator[str]:
    """Lines that set every option to values of all kinds."""
    for option in OPTIONS:
        if isinstance(option, Button):
            yield f"setoption name {option.name}"
        for value in values_of(option):
            yield f"setoption name {option.name} value {value}"


OTHERS = (
    *("stop", "stop", "stop", "ponderhit", "ponderhit", "isready", "isready"),
    *("go perft 1", "ucinewgame", "uci", "eval", "flip", "help", "debug on", "debug off"),
    *(
        "register later",
        "register name A code 1",
        "",
        " \t ",
        "info string hello",
        "bestmove e2e4",
        "xyzzy",
    ),
    *option_lines(),
    "setoption",
    "setoption name value",
    "position startpos",
    "position startpos moves e2e4 e7e5 e1e2",
    "position startpos moves e2e4 e2e4",
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1",
    "position startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 30,
    "position fen broken",
    "position fen " + "8/" * 200,
    *(f"position fen {fen}" for fen in FENS),
)

#: Lines that `Door` sends itself, that end the session, or that take long.
OWN_WORDS = {b"d", b"quit", b"bench"}

#: Longer than anything takes on a loaded machine, in seconds.
PATIENCE_SECONDS = 60.0

#: How much larger the front may become than early in the session, in kilobytes.
MAX_GROWTH_KILOBYTES = 30_000

#: The memory that the documentation promises for the largest Hash and the most threads of these
#: lines, in kilobytes.
MAX_TOTAL_KILOBYTES = (MAX_VALUES[b"hash"] + 150 + 50 * (MAX_VALUES[b"threads"] - 1)) << 10


class ViolationError(AssertionError):
    """A law has been broken."""


def damaged(rng: random.Random, line: str) -> bytes:
    """A line after an accident."""
    data = bytearray(line.encode())
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(len(data) + 1)
        kind = rng.randrange(6)
        if kind == 0:
            data[place:place] = bytes(rng.choice(b" \t\x00\x7f\xff\xc3-9qZ") for _ in range(3))
        elif kind == 1:
            del data[place : place + 3]
        elif kind == 2:
            data[place:place] = data[: rng.randrange(40)]
        elif kind == 3:
            data[place:] = data[place:][::-1]
        elif kind == 4:
            words = data.split()
            rng.shuffle(words)
            data[:] = b" ".join(words)
        else:
            data[place:place] = rng.choice(OTHERS).encode()[: rng.randrange(1, 60)]
    return bytes(data).replace(b"\n", b"").replace(b"\r", b"")


def is_go(line: bytes) -> bool:
    """Whether a line asks for a best move."""
    words = line.decode("utf-8", "replace").split()
    return words[:1] == ["go"] and "perft" not in words


def is_harmless(line: bytes) -> bool:
    """Whether a line may be sent: `Door` can count its answers, and the machine can bear it."""
    words = line.lower().split()
    if words[:1] and words[0] in OWN_WORDS:
        return False
    if words[:2] == [b"go", b"perft"] or (words[:1] == [b"go"] and b"perft" in words):
        return words[-2:] == [b"perft", b"1"] and len(words) == 3
    if words[:2] == [b"setoption", b"name"] and b"log" in words:
        return b"/no/such/folder/log" in words
    for name, maximum in MAX_VALUES.items():
        if name in words:
            numbers = [word for word in words if re.fullmatch(rb"[+-]?[0-9]+", word)]
            return all(
                int(word[:9]) in range(-maximum, maximum + 1) or word == b"999" for word in numbers
            )
    return True


def random_line(rng: random.Random, goes: float = 0.15, damages: float = 0.3) -> bytes:
    """A random line, which may be damaged."""
    while True:
        kinds = GOES if rng.random() < goes else RARE if rng.random() < 0.001 else OTHERS
        text = rng.choice(kinds)
        line = damaged(rng, text) if rng.random() < damages else text.encode()
        if is_harmless(line):
            return line


@dataclass
class Counts:
    """Counts of what happened."""

    lines: int = 0
    goes: int = 0
    answers: int = 0
    processes: int = 0
    max_front_kilobytes: int = 0  # of a front
    max_total_kilobytes: int = 0  # of a front and its workers, in kilobytes


class Door:
    """One engine process and the laws it must obey.

    :param counts: the counts to which events are added.
    :param arguments: for Python, to run something other than the unchanged engine.
    :param patience_seconds: how long to wait for an answer.
    """

    def __init__(
        self,
        folder: Path,
        counts: Counts | None = None,
        arguments: Sequence[str] = (),
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self._patience_seconds = patience_seconds
        self.counts = counts or Counts()
        self.counts.processes += 1
        self.sent: deque[bytes] = deque(maxlen=5000)
        self._client = UciClient(folder, *arguments, own_book=True)
        self._client.log = deque(maxlen=2000)  # type: ignore[assignment]
        self._fens: deque[str] = deque()  # of searches not answered so far
        self._answers: deque[str] = deque()  # whose position has not been reported yet
        self._asked = 0
        self._answered = 0
        self._pending_readyoks = 0  # readyok
        self._idle_count = 0
        self._first_kilobytes = 0

    # -- sending ------------------------------------------------------------------------------

    def send(self, lines: Iterable[bytes], end: bytes = b"\n") -> None:
        """Send these lines at once."""
        data = []
        for line in lines:
            self.counts.lines += 1
            data.append(line + end)
            if is_go(line):
                # The position is requested after the search: an option may have changed it.
                data.append(b"d\n")
                self._asked += 1
                self.counts.goes += 1
            self._pending_readyoks += line.decode("utf-8", "replace").split()[:1] == ["isready"]
        self.sent.extend(data)
        try:
            self._client.send_bytes(b"".join(data))
        except OSError as error:
            raise self.violation(f"the engine does not listen: {error}") from None

    # -- listening ----------------------------------------------------------------------------

    def wait_until_idle(self) -> None:
        """Stop the search and wait for all pending answers; nothing else may come."""
        self.send([b"stop", b"isready"])
        deadline = time.monotonic() + self._patience_seconds
        while self._answered < self._asked or self._pending_readyoks or self._fens or self._answers:
            self._hear(max(deadline - time.monotonic(), 0.01))
        self._idle_count += 1
        self._check_memory()

    def expect_silence(self, seconds: float) -> None:
        """After `wait_until_idle`: no line comes unasked."""
        time.sleep(seconds)
        self._client.send_bytes(b"isready\n")
        self._pending_readyoks += 1
        while self._pending_readyoks:
            self._hear(self._patience_seconds)

    def _hear(self, seconds: float) -> None:
        try:
            line = self._client.read(seconds)
        except TimeoutError:
            pending = f"{self._asked - self._answered} best moves, {self._pending_readyoks} readyok"
            raise self.violation(f"no answer in time: {pending}") from None
        except (AssertionError, UnicodeDecodeError) as error:
            raise self.violation(str(error)) from None
        if line is None:
            raise self.violation("the engine ended")
        if line == "readyok":
            self._pending_readyoks -= 1
            if self._pending_readyoks < 0:
                raise self.violation("an unasked readyok")
        elif line.startswith("bestmove"):
            self._hear_best_move(line)
        elif line.startswith("Fen: "):
            self._fens.append("" if line == "Fen: none" else line[5:])
            self._check_answers()
        elif line.startswith("info "):
            if "internal error" in line or "search failed" in line or "Traceback" in line:
                raise self.violation(line)
            if not line.startswith("info string"):
                try:
                    parse_info(line)
                except (AssertionError, ValueError, IndexError) as error:
                    raise self.violation(f"not a line of UCI: {error!r}: {line}") from None
            elif line != on_one_line(line) or len(line) > 450:
                raise self.violation(f"not a message for people: {line!r}")

    def _hear_best_move(self, line: str) -> None:
        self._answered += 1
        self.counts.answers += 1
        if self._answered > self._asked:
            raise self.violation(f"an unasked {line}")
        self._answers.append(line)
        self._check_answers()

    def _check_answers(self) -> None:
        while self._fens and self._answers:
            fen, line = self._fens.popleft(), self._answers.popleft()
            if not is_legal_answer(fen, line):
                raise self.violation(f"{line} in {fen}")

    def _check_memory(self) -> None:
        if not has_proc() or self._idle_count % 10:
            return
        kilobytes = resident_kilobytes(self._client.process.pid)
        in_all = kilobytes
        for worker in self._client.children():
            with contextlib.suppress(OSError, KeyError):  # it may just have been dismissed
                in_all += resident_kilobytes(worker)
        self.counts.max_front_kilobytes = max(self.counts.max_front_kilobytes, kilobytes)
        self.counts.max_total_kilobytes = max(self.counts.max_total_kilobytes, in_all)
        if in_all > MAX_TOTAL_KILOBYTES:
            raise self.violation(f"{in_all} kB in all")
        if self._idle_count == 10:
            self._first_kilobytes = kilobytes
        elif kilobytes - self._first_kilobytes > MAX_GROWTH_KILOBYTES:
            raise self.violation(f"grown from {self._first_kilobytes} to {kilobytes} kB")

    # -- the end ------------------------------------------------------------------------------

    def leave(self, says_quit: bool) -> None:
        """Leave by `quit` or by the end of the input, in whatever state it is."""
        workers = self._client.children() if has_proc() else []
        process = self._client.process
        assert process.stdin
        try:
            if says_quit:
                self._client.send_bytes(b"quit\n")
            else:
                process.stdin.close()
            code = process.wait(self._patience_seconds)
            wait_until_gone(workers)
        except Exception as error:
            raise self.violation(f"does not leave: {error!r}") from None
        complaints = self._client.complaints()
        if code or complaints:
            raise self.violation(f"left with {code}: {complaints[-3000:]}")
        self.close()

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._client.__exit__(KeyboardInterrupt, None, None)

    def violation(self, what: str) -> ViolationError:
        """The error to raise; prints the last lines in both directions."""
        sent = b"".join(self.sent).decode("utf-8", "backslashreplace")
        return ViolationError(
            f"{what}\n--- the last lines sent\n{sent}"
            f"--- the last lines heard\n{chr(10).join(list(self._client.log)[-60:])}"
            f"\n--- standard error\n{self._client.complaints()[-3000:]}"
        )


def is_legal_answer(fen: str, line: str) -> bool:
    """Whether a `bestmove` line fits the position, in either notation of castling.

    :param fen: empty if the position was refused.
    """
    words = line.split(" ")
    if not fen:
        return words[1:] == ["(none)"]
    for chess960 in (False, True):
        board = chess.Board(fen, chess960=chess960)
        if words[1:] == ["(none)"]:
            return not any(board.legal_moves)
        try:
            board.push(board.parse_uci(words[1]))
            if words[2:]:
                assert words[2] == "ponder" and len(words) == 4
                board.parse_uci(words[3])
        except (ValueError, AssertionError, IndexError):
            continue
        return words[1] != "0000"
    return False


# -- the long job -------------------------------------------------------------------------------


def run(lines: int, seed: int, folder: Path, is_quiet: bool = False) -> Counts:
    """Send this many lines, to one process after another.

    :raises ViolationError: if a law is broken.
    """
    rng = random.Random(seed)
    counts = Counts()
    started = time.monotonic()
    reported = 0
    while counts.lines < lines:
        door = Door(folder, counts)
        try:
            for _ in range(rng.choice((1, 5, 100, 400))):
                send_batch(door, rng)
                door.wait_until_idle()
                if rng.random() < 0.02:
                    door.expect_silence(0.05)
                if counts.lines >= lines:
                    break
            if rng.random() < 0.5:
                send_batch(door, rng)  # and leaves during a search
            door.leave(rng.random() < 0.5)
        finally:
            door.close()
        if not is_quiet and counts.lines - reported >= 10_000:
            reported = counts.lines
            speed = counts.lines / (time.monotonic() - started)
            print(f"{_summary(counts)}, {speed:.0f} lines/s", flush=True)
    return counts


def send_batch(door: Door, rng: random.Random) -> None:
    """Send many lines, in one piece or in many, with or without pauses."""
    goes = rng.choice((0.02, 0.1, 0.3))
    lines = [random_line(rng, goes) for _ in range(rng.choice((1, 5, 30, 100)))]
    piece = rng.choice((1, 3, 100))
    for first in range(0, len(lines), piece):
        door.send(lines[first : first + piece], rng.choice((b"\n", b"\n", b"\r\n")))
        if rng.random() < 0.03:
            time.sleep(rng.choice((0.001, 0.005, 0.03)))


def _summary(counts: Counts) -> str:
    return (
        f"{counts.lines} lines, {counts.goes} searches, {counts.answers} best moves, "
        f"{counts.processes} processes, front at most {counts.max_front_kilobytes / 1024:.1f} MiB, "
        f"with workers {counts.max_total_kilobytes / 1024:.1f} MiB"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as a script; return the exit code."""
    parser = argparse.ArgumentParser(description="Fuzz the engine's UCI session.")
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    print(f"seed {options.seed}, pid {os.getpid()}", flush=True)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            counts = run(options.lines, options.seed, Path(folder))
        except ViolationError as error:
            print(f"VIOLATION (seed {options.seed})\n{error}")
            return 1
    print(f"{_summary(counts)}, 0 violations, {time.monotonic() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())

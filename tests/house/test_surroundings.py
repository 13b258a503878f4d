"""A hostile environment must not make the engine lose the game or harm the machine."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest
from checkout import ROOT, link_rooms
from uci_client import (
    PATIENCE_SECONDS,
    UciClient,
    children_of,
    has_proc,
    is_alive,
    resident_kilobytes,
    wait_until_gone,
)

pytestmark = pytest.mark.slow

START_MOVES = {move.uci() for move in chess.Board().legal_moves}

needs_posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals and pipes")
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
needs_proc = pytest.mark.skipif(not has_proc(), reason="needs /proc")

ENGINE = ("-m", "halbzug")


def wait_for(condition: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


#: The engine with shorter time limits, so that tests take less time.
IMPATIENT = (
    "-c",
    "import sys, halbzug.engine.supervisor, halbzug.uci.reader\n"
    "halbzug.engine.supervisor.READY_SECONDS = halbzug.uci.reader.LAST_WRITE_SECONDS = 0.5\n"
    "from halbzug.__main__ import main\n"
    "sys.exit(main())",
)


def under(preparation: str, *command: str) -> tuple[str, ...]:
    """Arguments for Python that prepare its process and then replace it by the engine."""
    script = f"import os, resource, signal, sys\n{preparation}\n"
    script += "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    return ("-c", script, *(command or ENGINE))


def under_code(folder: Path, code: str, **environment: str) -> tuple[str, ...]:
    """Like `under`, with code that every Python of the engine runs first, workers included."""
    (folder / "sitecustomize.py").write_text(code)
    environment["PYTHONPATH"] = str(folder)
    return under(f"os.environ.update({environment!r})")


# -- pipes --------------------------------------------------------------------------------------


@contextlib.contextmanager
def unread(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """An engine whose output nobody reads, with a full pipe."""
    process = subprocess.Popen(
        [sys.executable, *IMPATIENT],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin and process.stdout and process.stderr
    try:
        os.set_blocking(process.stdin.fileno(), False)
        # Three times the capacity of a pipe; some of it may not fit into the input.
        for _ in range(60):
            with contextlib.suppress(BlockingIOError):
                os.write(process.stdin.fileno(), b"uci\n" * 2)
            time.sleep(0.01)
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()


def flood(process: subprocess.Popen[bytes], data: bytes, seconds: float) -> int:
    """Write as much as the pipe takes; return the number of bytes."""
    assert process.stdin
    written = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            written += os.write(process.stdin.fileno(), data)
        except BlockingIOError:
            time.sleep(0.01)
    return written


@needs_posix
@needs_proc
def test_without_a_reader_it_does_not_grow_and_answers_in_the_end(tmp_path: Path) -> None:
    with unread(tmp_path) as process:
        assert process.stdin and process.stdout
        flood(process, b"isready\n" * 500, 0.5)
        before = resident_kilobytes(process.pid)
        written = flood(process, b"isready\n" * 500, 1.0)
        assert resident_kilobytes(process.pid) - before < 20_000, written
        # Now somebody reads: every question is answered.
        os.set_blocking(process.stdin.fileno(), True)
        reader = UciReader(process)
        process.stdin.write(b"\nposition startpos\ngo depth 1\n")
        process.stdin.close()
        lines = reader.rest()
        assert lines[-1].split()[1] in START_MOVES
        assert process.wait(PATIENCE_SECONDS) == 0


class UciReader:
    """Reads in a thread, so that neither side waits for the other."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        import threading

        self._lines: list[str] = []
        self._process = process
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._lines.append(line.decode())

    def rest(self) -> list[str]:
        self._thread.join(PATIENCE_SECONDS * 2)
        assert not self._thread.is_alive()
        return self._lines


@needs_posix
@needs_proc
@pytest.mark.parametrize("how", ["end of input", "quit", "flood and end", "reader leaves"])
def test_without_a_reader_the_end_of_the_input_is_noticed(tmp_path: Path, how: str) -> None:
    with unread(tmp_path) as process:
        assert process.stdin and process.stdout
        workers = children_of(process.pid)
        if how == "quit":
            os.write(process.stdin.fileno(), b"\nquit\n")
        elif how == "reader leaves":
            process.stdout.close()
        else:
            if how == "flood and end":
                flood(process, b"isready\n" * 8000, 1.0)
            process.stdin.close()
        assert process.wait(PATIENCE_SECONDS) == 0
        wait_until_gone(workers)


@needs_linux
def test_a_full_device_as_output_ends_the_process_with_one_line(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [sys.executable, *ENGINE],
            cwd=tmp_path,
            input=b"uci\nisready\ngo depth 1\n",
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=PATIENCE_SECONDS,
        )
    assert (result.returncode, result.stderr.count(b"\n")) == (1, 1)
    assert b"No space left on device" in result.stderr


def test_an_endless_line_is_ignored_with_a_message(tmp_path: Path) -> None:
    with UciClient(tmp_path) as client:
        client.handshake()
        client.send_bytes(b"nonsense " + b"e2e4 " * 400_000)
        client.expect_silence(but="")
        client.send_bytes(b"\n")
        (message,) = client.synchronise()
        assert "a line of more than 1048576 bytes" in message
        assert client.go("go depth 1").move in START_MOVES


@needs_proc
def test_a_flood_of_go_commands_is_answered_without_growing(tmp_path: Path) -> None:
    with UciClient(tmp_path) as client:
        client.handshake()
        client.go("go depth 2")
        before = resident_kilobytes(client.process.pid)
        number = 1500
        client.send(*["go depth 1 searchmoves e2e4"] * number)
        for _ in range(number):
            assert client.wait_for_best_move().move == "e2e4"
        client.expect_silence(but="")
        assert resident_kilobytes(client.process.pid) - before < 30_000


# -- signals ------------------------------------------------------------------------------------


@needs_posix
def test_an_interrupt_from_the_terminal_is_left_to_the_gui(tmp_path: Path) -> None:
    with UciClient(tmp_path) as client:
        client.handshake()
        client.send("go movetime 500")
        for pid in (client.process.pid, *client.children()):
            os.kill(pid, signal.SIGINT)
        assert client.wait_for_best_move().move in START_MOVES
        client.synchronise()


@needs_posix
def test_at_a_terminal_an_interrupt_ends_it(tmp_path: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    try:
        with subprocess.Popen(
            [sys.executable, *ENGINE],
            cwd=tmp_path,
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdout and process.stderr
            os.write(ours, b"isready\n")
            assert process.stdout.readline() == b"readyok\n"
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE_SECONDS) == 0
            assert process.stderr.read() == b""
    finally:
        os.close(ours)
        os.close(theirs)


@needs_posix
@needs_proc
@pytest.mark.parametrize("command", ["isready", "go movetime 300", "go infinite", "go ponder"])
def test_sigterm_ends_it_in_any_state(tmp_path: Path, command: str) -> None:
    with UciClient(tmp_path) as client:
        client.handshake()
        client.send(command)
        workers = client.children()
        assert workers
        client.process.terminate()
        assert client.wait() == -signal.SIGTERM
        wait_until_gone(workers)
        assert client.complaints() == ""


@needs_posix
@needs_proc
@pytest.mark.parametrize("who", ["front", "worker", "both"])
def test_suspended_and_continued_during_a_move(tmp_path: Path, who: str) -> None:
    # As when a laptop sleeps or somebody presses Ctrl-Z: the clock jumps.
    with UciClient(tmp_path) as client:
        client.handshake()
        front, workers = client.process.pid, client.children()
        pids = {"front": [front], "worker": workers, "both": [front, *workers]}[who]
        client.send("go movetime 300")
        time.sleep(0.1)
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(0.6)
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
        assert client.wait_for_best_move().move in START_MOVES
        client.synchronise()
        assert client.go("go depth 3").last.depth == 3
        client.expect_silence(but="")
        assert len([pid for pid in client.children() if is_alive(pid)]) == 1


@needs_posix
@needs_proc
def test_a_hanging_worker_keeps_nobody_waiting(tmp_path: Path) -> None:
    with UciClient(tmp_path) as client:
        client.handshake()
        (worker,) = client.children()
        os.kill(worker, signal.SIGSTOP)
        # More than the pipe to the worker holds; the front still listens.
        moves = "g1f3 g8f6 f3g1 f6g8 " * 1500
        for _ in range(4):
            client.send(f"position startpos moves {moves}", "go movetime 1")
            client.wait_for_best_move()
        client.send(*["setoption name Hash value 2"] * 2000, "d")
        client.read_until("Checkers:")
        assert client.go("go movetime 50").move in START_MOVES
        with contextlib.suppress(ProcessLookupError):  # a slow worker has been replaced
            os.kill(worker, signal.SIGCONT)
        client.synchronise()
        assert client.go("go movetime 200").move in START_MOVES


@needs_posix
@needs_proc
def test_isready_does_not_wait_for_a_worker_that_hangs_at_its_start(
    tmp_path: Path,
) -> None:
    with UciClient(tmp_path, *IMPATIENT) as client:
        wait_for(client.children)
        (worker,) = client.children()
        # Only once it is a program of its own: until then the front waits for it in fork().
        wait_for(lambda: b"workers.start" in Path(f"/proc/{worker}/cmdline").read_bytes())
        os.kill(worker, signal.SIGSTOP)
        client.send("isready")
        assert client.read() == "readyok"
        assert client.go("go movetime 100").move in START_MOVES


# -- memory and files ---------------------------------------------------------------------------


@needs_linux
def test_no_folder_for_temporary_files(tmp_path: Path) -> None:
    # Nothing can be written anywhere, not a single byte.
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"
    with UciClient(tmp_path, *under(limit)) as client:
        lines = client.handshake()
        assert not any("cannot start" in line for line in lines)
        assert client.go("go depth 3").last.depth == 3
        client.send("setoption name Threads value 2")
        client.synchronise()
        answer = client.go("go depth 3")
        assert any("no memory to share" in text for text in answer.strings)
        assert answer.last.depth == 3


def can_unshare() -> bool:
    """Whether this user can have a private /dev/shm."""
    with contextlib.suppress(OSError):
        command = ["unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=1m", "none", "/dev/shm"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    return False


@needs_linux
@pytest.mark.parametrize("has_memory_files", [True, False])
def test_one_megabyte_of_dev_shm(tmp_path: Path, has_memory_files: bool) -> None:
    if not can_unshare():
        pytest.skip("needs a mount of its own")
    start = "" if has_memory_files else "import os; del os.memfd_create\n"
    start += "import sys; from halbzug.__main__ import main; sys.exit(main())"
    shell = 'mount -t tmpfs -o size=1m none /dev/shm && exec "$@"'
    script = "import os, sys; os.execvp('unshare', sys.argv[1:])"
    command = ("unshare", "-m", "sh", "-c", shell, "sh", sys.executable, "-c", start)
    with UciClient(tmp_path, "-c", script, *command) as client:
        client.handshake()
        for threads, hash_mb in ((1, 8), (2, 8), (3, 32), (2, 1)):
            client.send(f"setoption name Threads value {threads}")
            client.send(f"setoption name Hash value {hash_mb}")
            client.synchronise()
            assert client.go("go depth 4").last.depth == 4
            time.sleep(0.05)


@needs_linux
@pytest.mark.parametrize(("limit_mb", "hash_mb"), [(700, 8192), (400, 1024)])
def test_an_address_space_smaller_than_hash(tmp_path: Path, limit_mb: int, hash_mb: int) -> None:
    limit = f"resource.setrlimit(resource.RLIMIT_AS, ({limit_mb << 20},) * 2)"
    with UciClient(tmp_path, *under(limit)) as client:
        client.handshake()
        client.send(f"setoption name Hash value {hash_mb}")
        messages = client.synchronise()
        assert any("using a smaller one" in message for message in messages)
        assert client.go("go depth 3").last.depth == 3
        client.send("setoption name Threads value 2")
        client.synchronise()
        assert client.go("go depth 3").last.depth == 3
        client.send("setoption name Hash value 1", "setoption name Threads value 1")
        assert client.synchronise() == []
        assert client.go("go depth 3").last.depth == 3


@needs_proc
def test_a_thousand_changes_of_hash_leave_nothing_behind(tmp_path: Path) -> None:
    def measure() -> tuple[int, int]:
        client.synchronise()
        client.go("go depth 2")
        pids = [client.process.pid, *client.children()]
        files = sum(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in pids)
        return sum(map(resident_kilobytes, pids)), files

    with UciClient(tmp_path) as client:
        client.handshake()
        for threads in (1, 2):
            client.send(f"setoption name Threads value {threads}")
            change = [f"setoption name Hash value {1 + number % 4}" for number in range(100)]
            client.send(*change, "setoption name Hash value 4")
            memory, files = measure()
            for _ in range(5):
                client.send(*change)
                client.synchronise()
            client.send("setoption name Hash value 4")
            memory_then, files_then = measure()
            assert files_then <= files
            assert memory_then - memory < 15_000


# -- clock, language, folders -------------------------------------------------------------------


def test_a_clock_that_runs_backwards(tmp_path: Path) -> None:
    # For the front and the workers, the time of day goes back an hour at each call.
    code = (
        "import itertools, time\n"
        "hours = itertools.count()\n"
        "time.time = lambda: 2e9 - 3600 * next(hours)\n"
        "time.time_ns = lambda: int(time.time() * 1e9)\n"
    )
    with UciClient(tmp_path, *under_code(tmp_path, code)) as client:
        client.handshake()
        client.send(f"setoption name Debug Log File value {tmp_path / 'log.txt'}")
        begun = time.monotonic()
        answer = client.go("go wtime 2000 btime 2000 winc 10 binc 10")
        assert answer.move in START_MOVES
        assert time.monotonic() - begun < PATIENCE_SECONDS / 2
        assert client.go("go movetime 100").last.numbers["time"] < 5000


@pytest.mark.parametrize(
    "settings",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "de_DE.UTF-8"},
        {"LC_ALL": "fa_IR.UTF-8"},
    ],
    ids=["ASCII", "decimal comma", "other digits"],
)
def test_other_locales(tmp_path: Path, settings: dict[str, str]) -> None:
    # The system may lack the locale. Where it cannot be made either (Debian: `locales`), this at
    # least shows that the name does no harm.
    place = tmp_path / "locales"
    place.mkdir()
    if shutil.which("localedef"):
        name = settings["LC_ALL"]
        command = ["localedef", "-c", "-i", name[:5], "-f", "UTF-8", str(place / name)]
        subprocess.run(command, capture_output=True, check=False)
    code = (
        "import contextlib, locale\n"
        "with contextlib.suppress(locale.Error):\n"
        "    locale.setlocale(locale.LC_ALL, '')\n"
    )
    start = under_code(tmp_path, code, **settings, LOCPATH=str(place))
    with UciClient(tmp_path, *start) as client:
        client.handshake()
        client.send("setoption name BookFile value B\u00fccher/\u00e4.bin")
        client.send(f"setoption name Debug Log File value {tmp_path}/gr\u00fc\u00dfe.txt")
        client.send("setoption name OwnBook value true")
        for info in client.go("go depth 3").infos:
            assert info.line.isascii()
        client.send("eval", "d")
        client.synchronise()


def test_a_folder_with_blanks_and_umlauts(tmp_path: Path) -> None:
    place = tmp_path / "M\u00fcllers Spiele \u265e 100% $HOME"
    link_rooms(place)
    book = place / "das  B\u00fcchlein.bin"
    shutil.copy(ROOT / "uci_engine" / "books" / "default.bin", book)
    log = place / "was geschah \u2014 und wann.txt"
    folder = place / "Endspiel Tabellen"
    shutil.copytree(ROOT / "uci_engine" / "tablebase" / "tables", folder)
    start = f"os.environ['PYTHONPATH'] = {str(place)!r}"
    with UciClient(place, *under(start), own_book=True) as client:
        client.handshake()
        client.send(f"setoption name BookFile value {book}")
        client.send(f"setoption name SyzygyPath value {folder}")
        client.send(f"setoption name Debug Log File value {log}")
        assert client.synchronise() == []
        assert any("book move" in text for text in client.go("go movetime 100").strings)
        client.send("setoption name Threads value 2", "setoption name OwnBook value false")
        client.synchronise()
        answer = client.go("go depth 4")
        assert answer.last.depth == 4
        assert answer.strings == []
    assert "> bestmove" in log.read_text(encoding="utf-8")


def test_the_search_trusts_the_environment_no_more_than_the_front_does(tmp_path: Path) -> None:
    (tmp_path / "queue.py").write_text("raise RuntimeError('not the real one')\n")
    result = subprocess.run(
        [sys.executable, "-I", "-m", "halbzug"],
        input=b"go depth 3\n",
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(tmp_path / "nothing"), str(tmp_path)]),
        },
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"info string" not in result.stdout
    assert b"info depth 3" in result.stdout


def test_python_chess_in_a_zip_file(tmp_path: Path) -> None:
    package = Path(chess.__file__).parent
    shutil.make_archive(str(tmp_path / "library"), "zip", package.parent, package.name)
    paths = [str(tmp_path / "nothing"), str(tmp_path / "library.zip")]
    with UciClient(
        tmp_path, *under(f"os.environ['PYTHONPATH'] = {os.pathsep.join(paths)!r}")
    ) as client:
        client.handshake()
        answer = client.go("go depth 3")
        assert answer.last.depth == 3
        assert answer.strings == []

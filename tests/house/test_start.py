"""Errors at the start are reported to the chess program and in the log, and explained by doctor."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import chess
import pytest
from checkout import PACKAGE, link_rooms, own_room
from command_line import Command
from uci_client import PATIENCE_SECONDS, UciClient

import halbzug
from halbzug.board import movegen

START_MOVES = {move.uci() for move in chess.Board().legal_moves}

compiled = pytest.mark.skipif(movegen.BUILD != "compiled", reason="needs the compiled build")


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the engine to break; an engine started in this folder runs it.

    Files beside it are found, too: the folder is on the path, whatever the current folder.
    """
    folder = link_rooms(tmp_path / "copy").parent
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return folder


def damage(copy: Path, module: str) -> None:
    """Leave nothing but the name of a compiled module."""
    (file,) = PACKAGE.rglob(f"_compiled/{module}.*.*")
    room, *place = file.relative_to(PACKAGE).parts
    own_room(copy / "halbzug", room).joinpath(*place).write_bytes(b"")


def strings(lines: list[str]) -> list[str]:
    return [line[12:] for line in lines if line.startswith("info string ")]


def talk(folder: Path, *lines: str) -> tuple[int, list[str]]:
    """The exit code and the output of an engine that receives all these lines and then quits."""
    result = subprocess.run(
        [sys.executable, "-m", "halbzug"],
        cwd=folder,
        input="".join(line + "\n" for line in (*lines, "quit")),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    return result.returncode, result.stdout.splitlines()


def doctor(copy: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = Command(copy, is_fresh=True)
    command.environment["PYTHONPATH"] = str(copy)
    return command.run("doctor", *arguments, **environment)


# -- the engine ---------------------------------------------------------------------------------


@compiled
def test_a_search_that_cannot_be_loaded_falls_back_to_pure_python(copy: Path) -> None:
    damage(copy, "tree")
    log = copy / "log.txt"
    with UciClient(copy) as client:
        client.expect_silence(but="info string")
        client.send("uci", f"setoption name Debug Log File value {log}", "isready")
        client.read_until("readyok")
        answer = client.go("go depth 3")
        assert answer.move in START_MOVES
        assert answer.last.depth == 3
    said = [line for line in client.log if "cannot be loaded" in line]
    assert len(said) == 1
    assert "search" in said[0] and "much slower" in said[0]
    assert "cannot be loaded" in log.read_text("utf-8")


@compiled
def test_rules_that_cannot_be_loaded_are_reported_with_the_handshake(copy: Path) -> None:
    damage(copy, "movegen")
    log = copy / "log.txt"
    with UciClient(copy) as client:
        (said,) = strings(client.handshake())
        assert said.startswith("pure build")
        assert "cannot be loaded" in said and "movegen" in said
        client.send(f"setoption name Debug Log File value {log}")
        answer = client.go("go depth 3")
        assert answer.move in START_MOVES
        assert answer.strings == []
    assert said in log.read_text("utf-8")  # although it was reported before the log was open


@pytest.mark.slow
@compiled
def test_commands_and_programs_fall_back_too(copy: Path) -> None:
    damage(copy, "movegen")
    result = subprocess.run(
        [sys.executable, "-m", "halbzug", "bench", "--depth", "1", "--json"],
        cwd=copy,
        capture_output=True,
        text=True,
        check=True,
    )
    assert '"build": "pure"' in result.stdout
    assert len(result.stderr.splitlines()) == 1
    script = "import chess, halbzug; print(halbzug.play(chess.Board(), depth=1).move)"
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=copy, capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() in START_MOVES
    assert "RuntimeWarning: the compiled code cannot be loaded" in result.stderr


def put_another_python_chess(copy: Path, old: str, new: str) -> None:
    """A python-chess of the same version with different source, like its development version."""
    package = Path(chess.__file__).parent
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(package, copy / "chess", ignore=ignored, dirs_exist_ok=True)
    source = (copy / "chess" / "__init__.py").read_text("utf-8")
    assert old in source
    (copy / "chess" / "__init__.py").write_text(source.replace(old, new), "utf-8")


def put_the_development_version(copy: Path) -> None:
    """Like python-chess's own: its methods call others that the compiled boards lack."""
    method = "    def king(self, color: Color)"
    put_another_python_chess(
        copy, method, f"    def _effective_promoted(self): return self.promoted\n\n{method}"
    )
    path = copy / "chess" / "__init__.py"
    source = path.read_text("utf-8")
    path.write_text(
        source.replace("[square] & self.promoted", "[square] & self._effective_promoted()"), "utf-8"
    )


@pytest.mark.slow
@compiled
def test_the_engine_stays_compiled_beside_another_python_chess(copy: Path) -> None:
    put_the_development_version(copy)
    with UciClient(copy) as client:
        (said,) = strings(client.handshake())
        assert said.startswith("compiled build")
        answer = client.go("go depth 3")
        assert answer.move in START_MOVES
        assert answer.last.depth == 3
        assert answer.strings == []
    result = doctor(copy)
    text = " ".join(result.stdout.split())
    assert result.returncode == 0, text
    assert "compiled build, python-chess 1.11.2; Python programs: pure" in text


PROGRAM = """
import chess, halbzug, json
from halbzug.board import movegen
from halbzug.base.launch import own_command
board = chess.Board()
print(json.dumps([
    halbzug.play(board, depth=3).move.uci(), halbzug.perft(board, 3), str(halbzug.evaluate(board)),
    movegen.BUILD, chess.__file__, own_command("halbzug.__main__"),
]))
"""


@pytest.mark.slow
@compiled
@pytest.mark.parametrize("build", ["compiled", "pure"])
def test_a_program_keeps_its_python_chess_and_is_compiled_only_with_a_matching_one(
    copy: Path, build: str
) -> None:
    """A pure program shows no message: its results are right, and its engine is compiled."""
    if build == "pure":
        put_the_development_version(copy)
    else:
        put_another_python_chess(copy, "", "")
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        cwd=copy,
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stderr == ""
    move, leaves, evaluation, own_build, file, (_, *command) = json.loads(result.stdout)
    assert move in START_MOVES and leaves == 8902
    assert evaluation == str(halbzug.evaluate(chess.Board()))
    assert own_build == build
    assert file == str(copy / "chess" / "__init__.py")
    with UciClient(copy, *command) as client:
        (said,) = strings(client.handshake())
        assert said.startswith("compiled build")
        assert client.go("go depth 3").strings == []


@compiled
def test_another_python_chess_keeps_its_own_board(copy: Path) -> None:
    """`halbzug.Board` is then merely a subclass of it."""
    put_another_python_chess(copy, "__version__ = ", "# Not what was compiled.\n__version__ = ")
    script = (
        "import chess\nfrom halbzug import Board, GameBuilder\nboard = Board()\n"
        "board.push_san('e4')\nprint(board.push.__func__ is chess.Board.push, board.fen())"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=copy, capture_output=True, text=True, check=True
    )
    assert result.stdout == f"True {chess.Board.fen(played('e4'))}\n"
    assert result.stderr == ""


def played(san: str) -> chess.Board:
    board = chess.Board()
    board.push_san(san)
    return board


@pytest.mark.slow
def test_another_python_chess_works_in_the_pure_build(copy: Path) -> None:
    put_the_development_version(copy)
    result = doctor(copy, "--json", HALBZUG_PURE="1")
    checks = json.loads(result.stdout)["checks"]
    assert checks["Build"]["build"] == "pure"
    assert checks["UCI"]["answers"] is True


def test_without_python_chess_the_chess_program_is_told(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALBZUG_PURE", "1")  # the compiled build has its own copy
    (copy / "chess.py").write_text("raise ImportError('python-chess is lost')\n")
    log = copy / "log.txt"
    option = f"setoption name Debug Log File value {log}"
    code, lines = talk(copy, "uci", option, "isready", "position startpos", "go movetime 100")
    assert code == 1
    assert lines[-1] == "bestmove (none)"
    assert {"uciok", "readyok"} < set(lines)
    assert lines[0].startswith("id name Halbzug")
    before = lines[: lines.index("uciok")]
    assert strings(before) == ["Halbzug cannot start: ImportError: python-chess is lost"]
    text = log.read_text("utf-8")
    assert "cannot start: ImportError: python-chess is lost" in text
    assert "Traceback" in text


@pytest.mark.parametrize("module", ["chess", "click", "rich"])
def test_a_command_without_its_libraries_says_so_in_one_line(copy: Path, module: str) -> None:
    (copy / f"{module}.py").write_text(f"raise ImportError('{module} is lost')\n")
    result = doctor(copy, HALBZUG_PURE="1")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("halbzug: cannot start: ")
    assert f"{module} is lost" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_search_process_that_dies_at_once_leaves_its_last_words(copy: Path) -> None:
    module = own_room(copy / "halbzug", "workers") / "search_process.py"
    module.write_text("raise ImportError('no luck today')\n")
    log = copy / "log.txt"
    with UciClient(copy) as client:
        client.send("uci", f"setoption name Debug Log File value {log}")
        client.read_until("uciok")
        client.send("isready")
        client.read_until("readyok", timeout=PATIENCE_SECONDS)
        answer = client.go("go movetime 300")
        assert answer.move in START_MOVES
        notices = [text for text in answer.strings if "no luck today" in text]
        assert notices, client.transcript()
    assert "no luck today" in log.read_text("utf-8")


def test_a_book_that_cannot_be_read_is_reported_at_the_first_move(tmp_path: Path) -> None:
    with UciClient(tmp_path, own_book=True) as client:
        client.handshake()
        client.send("setoption name BookFile value /no/such/book.bin")
        answer = client.go("go movetime 100")
        assert any("/no/such/book.bin" in text for text in answer.strings)
        assert answer.move in START_MOVES


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on file sizes")
def test_without_shared_memory_one_thread_plays_and_doctor_reports_it(tmp_path: Path) -> None:
    # Limits the size of files, including files in memory.
    limit = [sys.executable, "-c", _WITHOUT_FILES, sys.executable, "-m", "halbzug"]
    with UciClient(tmp_path, *limit[1:]) as client:
        client.handshake()
        client.send("setoption name Threads value 2")
        client.synchronise()
        answer = client.go("go depth 4")
        assert any("no memory to share" in text for text in answer.strings)
        assert answer.move in START_MOVES
    command = Command(tmp_path)
    command.program = limit
    result = command.run("doctor")
    assert result.returncode == 1
    assert "no shared memory" in result.stdout
    assert "Threads above 1" in " ".join(result.stdout.split())


_WITHOUT_FILES = """
import os, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
os.execv(sys.argv[1], sys.argv[1:])
"""


def test_an_internal_error_is_reported_and_the_game_continues(copy: Path) -> None:
    room = own_room(copy / "halbzug", "uci")
    (room / "evaluation_text.py").write_text("raise RuntimeError('oh dear')\n")
    log = copy / "log.txt"
    client = UciClient(copy)
    try:
        client.handshake()
        client.send(f"setoption name Debug Log File value {log}", "eval")
        assert client.synchronise() == ["info string internal error: RuntimeError: oh dear"]
        assert client.go("go depth 2").move in START_MOVES
        client.send("quit")
        assert client.wait() == 0
        assert "Traceback" in client.complaints()
    finally:
        client.__exit__(KeyboardInterrupt, None, None)
    assert "Traceback" in log.read_text("utf-8")


def test_a_search_lost_to_an_internal_error_is_answered(copy: Path) -> None:
    room = own_room(copy / "halbzug", "books")
    (room / "opening_book.py").write_text("raise RuntimeError('oh dear')\n")
    client = UciClient(copy, own_book=True)
    try:
        client.handshake()
        for _ in range(2):
            answer = client.go("go wtime 10000 btime 10000")
            assert answer.strings == ["internal error: RuntimeError: oh dear"]
            assert answer.move in START_MOVES
        client.send("setoption name OwnBook value false")
        assert client.go("go depth 3").infos[-1].depth == 3
        assert client.synchronise() == []
    finally:
        client.__exit__(KeyboardInterrupt, None, None)


# -- doctor -------------------------------------------------------------------------------------


def test_doctor_on_this_installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("halbzug.installation.diagnosis.BENCH_SECONDS", 0.2)
    result = Command(tmp_path).run("doctor", NO_COLOR="1")
    assert result.stderr == ""
    titles = [line.split("  ")[0] for line in result.stdout.splitlines() if line[:1].strip()]
    assert titles[:6] == ["Version", "Build", "Python", "Platform", "CPUs", "Shared memory"]
    assert titles[6:10] == ["Book", "Tables", "Speed", "UCI"]
    assert "\x1b" not in result.stdout
    assert len(result.stdout.splitlines()) < 25
    if movegen.BUILD == "compiled":
        assert result.returncode == 0, result.stdout
        assert result.stdout.endswith("Nothing is wrong.\n")


@pytest.mark.slow
def test_doctor_as_json(halbzug: Command) -> None:
    result = halbzug.run("doctor", "--json")
    report = json.loads(result.stdout)
    checks = report["checks"]
    assert report["ok"] == (result.returncode == 0)
    assert checks["Build"]["build"] == movegen.BUILD
    assert checks["Speed"]["nps"] > 0
    assert checks["UCI"]["answers"] is True
    assert checks["Book"]["entries"] > 1000
    assert checks["Tables"]["files"] >= 70


@pytest.mark.slow
def test_doctor_names_all_causes_at_once(copy: Path) -> None:
    (own_room(copy / "halbzug", "books") / "default.bin").write_bytes(b"no book")
    tables = own_room(copy / "halbzug", "tablebase") / "tables"
    (tables / "KQvK.rtbw").unlink()
    table = tables / "KRvK.rtbz"
    table.write_bytes(table.read_bytes()[:-1] + b"!")
    result = doctor(copy, HALBZUG_PURE="1")
    assert result.returncode == 1
    text = " ".join(result.stdout.split())
    assert "HALBZUG_PURE is set" in text
    assert "For the compiled build unset HALBZUG_PURE" in text
    assert "default.bin" in text and "plays without a book" in text
    assert "(and 1 more)" in text or "(and 2 more)" in text
    assert "Nothing is wrong" not in text


@pytest.mark.slow
def test_doctor_checks_the_users_own_book(halbzug: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.bin").write_bytes(bytes(32))
    result = halbzug.run("doctor", "--book", "notes.bin", "--tables", "/no/such/folder")
    text = " ".join(result.stdout.split())
    assert result.returncode == 1
    assert "notes.bin has no move for the start position" in text
    assert "/no/such/folder" in text


@pytest.mark.slow
@compiled
def test_doctor_says_why_compiled_code_is_not_used(copy: Path) -> None:
    damage(copy, "position")
    result = doctor(copy)
    assert result.returncode == 1
    text = " ".join(result.stdout.split())
    assert "Halbzug runs without compiled code" in text
    assert "cannot be loaded (ImportError" in text
    # Installs the same sources again, without pip's cache.
    assert "HALBZUG_COMPILED=require" in text
    assert "-m pip install --force-reinstall --no-cache-dir" in text


@pytest.mark.slow
@compiled
def test_doctor_notices_sources_that_were_not_compiled(copy: Path) -> None:
    with (own_room(copy / "halbzug", "search") / "tree.py").open("a") as source:
        source.write("\n# newer than the compiled code\n")
    result = doctor(copy)
    assert result.returncode == 1
    assert "halbzug/search/tree.py" in result.stdout.replace(os.sep, "/")


@pytest.mark.slow
@compiled
def test_doctor_does_not_miss_what_an_executable_omits(copy: Path) -> None:
    """The stand-alone executable contains the compiled code but not the tools that compile it."""
    (copy / "halbzug" / "native").unlink()
    result = doctor(copy)
    assert result.returncode == 0, result.stdout


@pytest.mark.slow
def test_doctor_reports_an_engine_that_does_not_answer(copy: Path) -> None:
    room = own_room(copy / "halbzug", "uci")
    (room / "session.py").write_text("raise RuntimeError('hoarse')\n")
    result = doctor(copy)
    text = " ".join(result.stdout.split())
    assert result.returncode == 1
    assert "hoarse" in text

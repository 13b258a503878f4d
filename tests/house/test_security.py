"""What SECURITY.md promises: no network, no code from files, no shell."""

from __future__ import annotations

import ast
import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import ROOT, imports, modules
from uci_client import UciClient

#: Who may import what is dangerous in other hands; `native` is for installing only.
ALLOWED = {
    "pickle": {
        *("uci_engine/workers/worker.py", "uci_engine/workers/search_process.py"),
        *("uci_engine/batch/analyst_process.py", "uci_engine/batch/analyst_child.py"),
        *("uci_engine/batch/cluster.py", "uci_engine/lab/cluster_games.py"),
    },
    "socket": {
        *(
            "uci_engine/workers/worker.py",
            "uci_engine/workers/search_process.py",
            "uci_engine/workers/shared_memory.py",
            "uci_engine/web/server.py",
        ),
    },
    "http": {"uci_engine/tablebase/download.py"},
    "urllib": {
        "uci_engine/tablebase/download.py",
        "uci_engine/installation/diagnosis.py",  # a path out of the address of an installation
    },
    "distributed": {"uci_engine/batch/cluster.py"},
    # The board in the browser: the one command that listens, at the loopback interface alone.
    **{
        name: {"uci_engine/web/server.py"}
        for name in ("starlette", "uvicorn", "webbrowser", "websockets")
    },
    "runpy": {"uci_engine/__main__.py"},  # the stand-alone executable, for its own modules
}
FORBIDDEN = {"marshal", "shelve", "dill", "cloudpickle", "ftplib", "smtplib", "code"}
#: Runs the files that a user names as engines, and nothing else.
RUNS_FILES = "uci_engine/lab/file.py"
FORBIDDEN_CALLS = {"eval", "exec", "compile", "os.system", "os.popen", "input"}


def sources() -> Iterator[tuple[str, ast.Module]]:
    for path in modules():
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith("uci_engine/native/"):
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def test_only_a_few_modules_have_dangerous_tools() -> None:
    for name, _ in sources():
        for module in {module.partition(".")[0] for module, _ in imports(ROOT / name)}:
            assert module not in FORBIDDEN, (name, module)
            assert name in ALLOWED.get(module, {name}), (name, module)


def test_nothing_runs_code_or_a_shell() -> None:
    for name, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and name != RUNS_FILES:
                called = ast.unparse(node.func)
                is_pattern = called == "compile" and ("re", []) in imports(ROOT / name)
                assert called not in FORBIDDEN_CALLS or is_pattern, (name, called)
                assert not any(keyword.arg == "shell" for keyword in node.keywords), name


def test_one_function_runs_a_file_and_only_in_a_process_of_its_own() -> None:
    users = {
        (name, taken)
        for name, _ in sources()
        for module, names in imports(ROOT / name)
        for taken in names
        if module == "halbzug.lab.file" and taken == "run_file"
    }
    assert users == {("uci_engine/lab/process.py", "run_file")}
    (tree,) = (tree for name, tree in sources() if name == RUNS_FILES)
    (function,) = (one for one in ast.walk(tree) if getattr(one, "name", "") == "run_file")
    calls = [ast.unparse(one.func) for one in ast.walk(tree) if isinstance(one, ast.Call)]
    inside = [ast.unparse(one.func) for one in ast.walk(function) if isinstance(one, ast.Call)]
    for call in ("exec", "compile"):
        assert calls.count(call) == inside.count(call) == 1


AUDIT = """
import os, sys

def note(event, arguments):
    if event.startswith(("socket.", "os.system", "os.exec", "os.posix_spawn", "urllib", "ftplib",
                         "subprocess", "os.remove", "os.rename", "os.mkdir", "shutil")):
        write(event, arguments)
    elif event == "open" and isinstance(arguments[0], str) and isinstance(arguments[2], int):
        if arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            write("write", arguments[:1])

def write(event, arguments):
    words = " ".join(ascii(argument)[:200] for argument in arguments)
    os.write(audit, (event + " " + words + chr(10)).encode())

audit = os.open(os.environ["AUDIT"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
os.set_inheritable(audit, False)
sys.addaudithook(note)
"""


@pytest.mark.skipif(os.name != "posix", reason="descriptors are handed over differently")
def test_a_session_touches_nothing_but_its_own(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(AUDIT)
    log = tmp_path / "log.txt"
    audit = tmp_path / "audit.txt"
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    start = f"import os, sys; os.environ.update(PYTHONPATH={path!r}, AUDIT={str(audit)!r})\n"
    start += "os.environ['PYTHONDONTWRITEBYTECODE'] = '1'\n"
    start += "os.execv(sys.executable, [sys.executable, '-m', 'halbzug'])"
    with UciClient(tmp_path, "-c", start, own_book=True) as client:
        client.handshake()
        client.go("go depth 1")
        client.send(f"setoption name Debug Log File value {log}")
        client.send("setoption name Threads value 2", "setoption name OwnBook value false")
        client.synchronise()
        client.go("go depth 4")
        client.send("position fen 8/8/8/8/4k3/8/1R6/K7 w - - 0 1")
        client.go("go depth 3")
    events = audit.read_text("ascii").splitlines()
    kinds = {event.split(" ")[0] for event in events}
    assert {"subprocess.Popen", "write"} <= kinds  # the hook is at work
    allowed = {"subprocess.Popen", "write", "os.remove", "socket.__new__", "socket.sendmsg"}
    assert kinds <= allowed, kinds - allowed
    for event in events:
        kind, _, what = event.partition(" ")
        if kind == "subprocess.Popen":
            assert what.startswith(ascii(sys.executable)), event
        elif kind in ("write", "os.remove"):
            # The log; the nameless file for a worker's last words, and the test whether it can be.
            assert str(log) in what or what.startswith(f"'{tempfile.gettempdir()}"), event
        elif kind == "socket.__new__":  # a pair that is connected already, or one end handed over
            assert what.split("> ")[1].split(" ")[0] in (str(int(socket.AF_UNIX)), "-1"), event

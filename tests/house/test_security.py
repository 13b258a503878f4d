"""What SECURITY.md promises about a session: no network, no other programs, only its own files."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from pathlib import Path

import pytest
from checkout import ROOT
from uci_client import UciClient

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
def test_a_session_touches_only_its_own_files(tmp_path: Path) -> None:
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
    assert {"subprocess.Popen", "write"} <= kinds  # the hook works
    allowed = {"subprocess.Popen", "write", "os.remove", "socket.__new__", "socket.sendmsg"}
    assert kinds <= allowed, kinds - allowed
    for event in events:
        kind, _, what = event.partition(" ")
        if kind == "subprocess.Popen":
            assert what.startswith(ascii(sys.executable)), event
        elif kind in ("write", "os.remove"):
            # The log, and the nameless file for a worker's last words, which is tried out first.
            assert str(log) in what or what.startswith(f"'{tempfile.gettempdir()}"), event
        elif kind == "socket.__new__":  # a connected pair, or one end of it
            assert what.split("> ")[1].split(" ")[0] in (str(int(socket.AF_UNIX)), "-1"), event

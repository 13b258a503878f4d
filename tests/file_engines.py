"""Engine files for tests: their source, and a session with them."""

from __future__ import annotations

import textwrap
from pathlib import Path

from uci_client import UciClient

#: Material count, as beginners write it.
MATERIAL = """
VALUES = {1: 100, 2: 300, 3: 300, 4: 500, 5: 900, 6: 0}

def evaluate(board):
    value = 0
    for piece, worth in VALUES.items():
        value += worth * len(board.pieces(piece, board.turn))
        value -= worth * len(board.pieces(piece, not board.turn))
    return value
"""


def write_engine(folder: Path, source: str, name: str = "mine.py") -> Path:
    """Write a file with this source, whose first line is line 1."""
    path = folder / name
    path.write_text(textwrap.dedent(source).lstrip("\n"), encoding="utf-8")
    return path


def run_file(folder: Path, source: str, name: str = "mine.py", *options: str) -> UciClient:
    """A session with `halbzug run` of a file with this source, after the handshake."""
    write_engine(folder, source, name)
    client = UciClient(folder, "-m", "halbzug", "run", name, *options, own_book=True)
    client.send("uci")
    hello = client.read_until("uciok")
    client.hello = [*client.synchronise(), *hello]  # a slow file has its messages later
    return client


def change_file(client: UciClient, folder: Path, source: str) -> None:
    """Give the file of a session a different source, for the next game."""
    write_engine(folder, source)
    client.send("ucinewgame")
    assert client.synchronise() == []

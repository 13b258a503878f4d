"""The process that reads parts of a PGN file; see `pgn_pool.py`."""

from __future__ import annotations

import io
import os
import pickle
import sys

from .pgn_games import GameReader, PgnGame, pack


def main() -> int:
    """Read parts from standard input until it ends, and write their games to standard output."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = io.StringIO()  # nothing else may be written there
    while True:
        try:
            part = pickle.load(sys.stdin.buffer)
        except EOFError:
            return 0
        reader = GameReader(iter([part]), None)
        games: list[PgnGame] = []
        error: OSError | None = None
        try:
            games.extend(reader.games())
        except OSError as caught:
            error = caught
        pickle.dump((pack(games), reader.number, error), out, pickle.HIGHEST_PROTOCOL)
        out.flush()

"""Many games at a short fixed time per move, through python-chess as its users play them.

    python tests/long/short_moves.py --games 100 --movetime 20

The engine plays itself from the openings of the package, with `Limit(time=...)`. The report gives
the depth that moves reached, how late the answers came as seen from python-chess, and forfeits:
answers more than `FORFEIT_MS` late. The first move of each game is counted separately, because
python-chess waits for `readyok` before it. The exit code is 0 if the median depth and the 99th
percentile of lateness are as expected on an idle machine.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from statistics import median

import chess
import chess.engine
from soak import ROOT, percentile

from halbzug.match.openings import read_openings

#: The most that match programs forgive, in milliseconds.
FORFEIT_MS = 100.0

#: The results expected of 20 ms per move.
LEAST_DEPTH, LATEST_MS = 6, 10.0

#: A game that reaches this many plies is stopped.
LONGEST_GAME = 200


class Tally:
    """What happened to the moves of all games."""

    def __init__(self) -> None:
        self.depths: list[int] = []
        self.late_ms: list[float] = []
        self.first_late_ms: list[float] = []  # of the first moves of games
        self.guesses = 0

    def play(
        self, engine: chess.engine.SimpleEngine, board: chess.Board, milliseconds: int
    ) -> None:
        """Play one game until it ends."""
        game = object()
        late_ms = self.first_late_ms
        while not board.is_game_over(claim_draw=True) and board.ply() < LONGEST_GAME:
            begun = time.perf_counter()
            limit = chess.engine.Limit(time=milliseconds / 1000)
            played = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL)
            late_ms.append(1000 * (time.perf_counter() - begun) - milliseconds)
            late_ms = self.late_ms
            self.depths.append(played.info.get("depth", 0))
            self.guesses += "guess" in played.info.get("string", "")
            assert played.move is not None
            board.push(played.move)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as a script; return the exit code."""
    parser = argparse.ArgumentParser(description="Let the engine play at a short time per move.")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--movetime", type=int, default=20, help="in milliseconds")
    options = parser.parse_args(arguments)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    openings = read_openings(ROOT / "uci_engine" / "books" / "openings.epd")
    tally = Tally()
    command = [sys.executable, "-m", "halbzug"]
    with chess.engine.SimpleEngine.popen_uci(command) as engine:
        engine.configure({"OwnBook": False})
        for number in range(options.games):
            tally.play(engine, openings.read(number % len(openings)), options.movetime)
    late, first = tally.late_ms, tally.first_late_ms
    depth, latest = median(tally.depths), percentile(late, 99)
    forfeits = sum(ms > FORFEIT_MS for ms in late)
    print(f"{options.games} games, {len(tally.depths)} moves of {options.movetime} ms")
    print(f"  depth       median {depth:.0f}, least {min(tally.depths)}, guesses {tally.guesses}")
    print(
        f"  lateness    median {median(late):+.1f} ms, 90 % {percentile(late, 90):+.1f} ms, "
        f"99 % {latest:+.1f} ms, maximum {max(late):+.1f} ms"
    )
    print(f"  first moves median {median(first):+.1f} ms, maximum {max(first):+.1f} ms")
    print(f"  forfeits    {forfeits} (more than {FORFEIT_MS:.0f} ms late)")
    return 0 if depth >= LEAST_DEPTH and latest <= LATEST_MS else 1


if __name__ == "__main__":
    sys.exit(main())

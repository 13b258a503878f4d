"""Nodes per second of our search with Python evaluations, beside sunfish's, in one run.

    python tests/long/lab_speed.py [--seconds 2] [--rounds 3] [--sunfish COMMAND]

The evaluations are typical of beginners: a material count, and one with piece-square tables.
Without a command, sunfish is installed into its own virtual environment, because it needs an older
python-chess. The engines take turns on the same positions; a figure is nodes per second of
processor time of the engine and its children, so that other work on the machine counts little.
Needs Linux's /proc.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import chess
import chess.engine

MATERIAL = """
import chess

VALUES = {chess.PAWN: 100, chess.KNIGHT: 280, chess.BISHOP: 320, chess.ROOK: 479, chess.QUEEN: 929}

def evaluate(board):
    value = 0
    for piece, worth in VALUES.items():
        value += worth * len(board.pieces(piece, board.turn))
        value -= worth * len(board.pieces(piece, not board.turn))
    return value
"""

SQUARES = """
import chess

VALUES = (0, 100, 280, 320, 479, 929, 0)
CENTRE = [
    3 - max(abs(2 * (square % 8) - 7), abs(2 * (square // 8) - 7)) // 2 for square in range(64)
]
TABLES = [
    [VALUES[piece] + CENTRE[square] * (0, 4, 10, 6, 2, 2, -8)[piece] for square in range(64)]
    for piece in range(7)
]

def evaluate(board):
    value = 0
    for square, piece in board.piece_map().items():
        if piece.color:
            value += TABLES[piece.piece_type][square]
        else:
            value -= TABLES[piece.piece_type][square ^ 56]
    return value if board.turn else -value
"""

POSITIONS = (
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8",
    "r2q1rk1/pp2ppbp/6p1/n1p5/2BPP1b1/2P1BP2/P3N1PP/R2Q1RK1 w - - 1 12",
    "8/5pk1/6p1/7p/3R3P/5PP1/r4PK1/8 w - - 0 40",
)


class Runner:
    """An engine's process, and the processor time it has used."""

    def __init__(self, command: list[str], pure: bool = False) -> None:
        environment = {**os.environ, "HALBZUG_PURE": "1" if pure else "0"}
        self.engine = chess.engine.SimpleEngine.popen_uci(command, env=environment, timeout=60)

    def speed(self, fen: str, seconds: float) -> float:
        """Nodes per second of processor time in one search."""
        before = self._used()
        info = self.engine.analyse(chess.Board(fen), chess.engine.Limit(time=seconds), game=fen)
        return float(info["nodes"]) / max(self._used() - before, 0.01)

    def _used(self) -> float:
        """Seconds of processor time of the process and its children."""
        pids, ticks = [self.engine.transport.get_pid()], 0
        while pids:
            pid = pids.pop()
            try:
                words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                for task in Path(f"/proc/{pid}/task").glob("*/children"):
                    pids += map(int, task.read_text().split())
            except OSError:
                continue
            ticks += int(words[11]) + int(words[12])
        return ticks / os.sysconf("SC_CLK_TCK")


def install_sunfish(folder: Path) -> list[str]:
    """The command of sunfish, installed with its own python-chess."""
    venv.create(folder, with_pip=True)
    subprocess.run([folder / "bin" / "pip", "install", "-q", "sunfish"], check=True)
    return [str(folder / "bin" / "sunfish-uci")]


def main() -> int:
    """Print the medians and their ratios; return 1 if a compiled one is below 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sunfish", nargs="+", metavar="COMMAND")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sunfish = options.sunfish or install_sunfish(folder / "sunfish")
        runners = {"sunfish": Runner(sunfish)}
        for title, source in (("material", MATERIAL), ("squares", SQUARES)):
            file = folder / f"{title}.py"
            file.write_text(source, encoding="utf-8")
            command = [sys.executable, "-m", "halbzug", "run", str(file)]
            runners[f"{title}, compiled"] = Runner(command)
            runners[f"{title}, pure"] = Runner(command, pure=True)
        speeds: dict[str, list[float]] = {title: [] for title in runners}
        for _ in range(options.rounds):
            for fen in POSITIONS:
                for title, runner in runners.items():
                    speeds[title].append(runner.speed(fen, options.seconds))
        for runner in runners.values():
            runner.engine.quit()
    base = statistics.median(speeds["sunfish"])
    for title, values in speeds.items():
        ratios = [value / one for value, one in zip(values, speeds["sunfish"], strict=True)]
        print(
            f"{title:20} {statistics.median(values):9,.0f} nodes/s, "
            f"{statistics.median(ratios):5.2f} times sunfish "
            f"({min(ratios):.2f} to {max(ratios):.2f})"
        )
    slow = [t for t, v in speeds.items() if "compiled" in t and statistics.median(v) < base]
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())

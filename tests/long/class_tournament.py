"""The tournament of a class of twenty: twelve lecture engines and eight by students.

    python tests/long/class_tournament.py FOLDER [--st 0.02] [--games 2] [--jobs 2]

It writes the files into FOLDER/class, runs `halbzug tournament` there, and prints how long it took;
FOLDER/tournament.html shows the result. Some of the students' files are good, some broken, some
hostile. After an interruption the same command continues.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

from halbzug.teaching import engines

sys.path.insert(0, str(Path(__file__).parents[1]))

from file_engines import MATERIAL

LECTURES = Path(engines.__file__).parent

#: What the students have written, by the name of the file.
PUPILS = {
    "ada_material": MATERIAL,
    "ben_centre": """
        import chess

        CENTRE = [chess.D4, chess.E4, chess.D5, chess.E5]

        def evaluate(board):
            value = 0
            for square, piece in board.piece_map().items():
                worth = (0, 100, 300, 300, 500, 900, 0)[piece.piece_type]
                worth += 20 * (square in CENTRE)
                value += worth if piece.color == board.turn else -worth
            return value
        """,
    "chloe_first_move": """
        def choose(board, clock):
            return list(board.legal_moves)[0]
        """,
    "dmitri_divides": """
        import random

        def choose(board, clock):
            moves = [move for move in board.legal_moves if board.is_capture(move)]
            return moves[random.randrange(len(moves))]
        """,
    "emre_thinks_long": """
        def choose(board, clock):
            best = None
            for first in board.legal_moves:
                board.push(first)
                for second in list(board.legal_moves):
                    board.push(second)
                    for third in list(board.legal_moves):
                        for fourth in range(1000):
                            best = first
                    board.pop()
                board.pop()
            return best
        """,
    "farah_promotes": """
        import chess

        def choose(board, clock):
            for move in board.legal_moves:
                if board.piece_type_at(move.from_square) == chess.PAWN:
                    # Forgets that a promotion has a piece.
                    return chess.Move(move.from_square, move.to_square)
            return next(iter(board.legal_moves))
        """,
    "<b>g\u00fcl & co": """
        raise RuntimeError("<script>alert('not loaded')</script>")
        """,
    "hana_forgot_a_colon": """
        def evaluate(board)
            return 0
        """,
}


def write_files(folder: Path) -> None:
    """Write the folder of the class."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in engines.LECTURES:
        shutil.copy(LECTURES / f"{name}.py", folder)
    for name, source in PUPILS.items():
        path = folder / f"{name}.py"
        path.write_text(textwrap.dedent(source).lstrip("\n"), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", type=Path)
    parser.add_argument("--st", default="0.02", help="seconds per move")
    parser.add_argument("--games", default="2", help="between each pair")
    parser.add_argument("--jobs", default="2", help="simultaneous games")
    options = parser.parse_args()
    write_files(options.folder / "class")
    command = [sys.executable, "-m", "halbzug", "tournament", "class", "--st", options.st]
    started = time.perf_counter()
    code = subprocess.run(
        [*command, "--games", options.games, "-j", options.jobs],
        cwd=options.folder,
        check=False,
    ).returncode
    print(f"{time.perf_counter() - started:.0f} s")
    return code


if __name__ == "__main__":
    sys.exit(main())

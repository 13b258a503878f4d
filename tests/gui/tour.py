"""The two-minute tour: Halbzug's commands at a terminal, as an animated picture.

`PYTHONPATH=tests python -m gui.tour docs/images/tour.svg` runs them with the engine of the checkout
and writes the film. It needs pyte and a system with pseudo-terminals.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from gui.screen import write_command
from gui.terminal_film import Film, svg

TITLE = "Halbzug in two minutes"

DESCRIPTION = (
    "A terminal in which commands of Halbzug run: the version, the best move of a position, a game "
    "annotated, a session in UCI and one in Python, what each idea of the search saves, a Python "
    "file that becomes an engine, and its match against Halbzug at 1400 Elo."
)

MATE = '"r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 1"'

GAME = """\
[Event "Paris"]
[Date "1858.??.??"]
[White "Morphy, Paul"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7
8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7
14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""

#: Seconds to read a screen: a fraction for each new line.
READING_SECONDS, SECONDS_A_LINE, LONGEST_READING_SECONDS = 2.5, 0.35, 9.0


def record(film: Film) -> int:
    """Run the commands of the tour; return the number of the frame that is best as a still."""

    def read() -> None:
        lines = sum(1 for line in film.text.splitlines() if line.strip())
        film.wait(min(READING_SECONDS + SECONDS_A_LINE * lines, LONGEST_READING_SECONDS))

    def begin(heading: str) -> None:
        film.clear()
        film.show(f"\x1b[1;36m# {heading}\x1b[0m\n\n")

    begin("An engine in Python, compiled when it is installed")
    film.enter("halbzug --version")
    film.show("\n")
    film.enter(f"halbzug analyse {MATE} --depth 8")
    read()
    still = len(film.frames) - 1

    begin("A game, annotated; report.html has a board and a graph")
    film.enter("halbzug analyse morphy.pgn --depth 9 --html report.html")
    read()

    begin("What chess programs say to it: UCI")
    film.converse(
        "halbzug",
        [
            ("isready", "readyok"),
            ("position startpos moves e2e4", "moves e2e4"),
            ("go depth 5", "bestmove .*"),
            ("quit", "quit"),
        ],
        answer=r"halbzug play\.",
    )
    read()

    begin("From Python, with the boards and moves of python-chess")
    film.converse(
        "python -q",
        [
            ("import chess, halbzug", ">>>"),
            ("board = chess.Board()", ">>>"),
            ("print(halbzug.analyse(board, depth=10, multipv=3))", ">>>"),
            ("print(halbzug.play(board, time=1).san)", ">>>"),
            ("exit()", r"exit\(\)"),
        ],
        answer=">>>",
    )
    read()

    begin("The theory, visible: what each idea of the search saves")
    film.enter("halbzug explain tree startpos | head -n 19")
    read()

    begin("A Python file is an engine")
    film.enter("halbzug new my_engine.py")
    film.enter("sed -n '8,26p' my_engine.py")
    read()

    begin("It plays in chess programs and in matches")
    film.enter(
        'halbzug match -e my_engine.py -e "halbzug; UCI_LimitStrength=true; UCI_Elo=1400" '
        "--nodes 3000 --games 4"
    )
    read()
    return still


def main() -> int:
    """Write the film and print its length."""
    picture = Path(sys.argv[1] if len(sys.argv) > 1 else "tour.svg").absolute()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bin").mkdir()
        (folder / "home").mkdir()
        (folder / "home" / "morphy.pgn").write_text(GAME, encoding="utf-8")
        write_command(folder / "bin")
        path = f"{folder / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
        environment = {"PATH": path, "HOME": str(folder / "home"), "LC_ALL": "C.UTF-8"}
        film = Film(environment, folder / "home")
        still = record(film)
    text = svg(film, title=TITLE, description=DESCRIPTION, still=still)
    picture.write_text(text, encoding="utf-8")
    size = len(text.encode()) // 1000
    print(f"{picture}: {len(film.frames)} frames, {film.seconds:.0f} seconds, {size} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())

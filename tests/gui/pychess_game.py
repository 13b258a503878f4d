"""PyChess plays against Halbzug.

`PYTHONPATH=tests python -m gui.pychess_game [PICTURE.png] [MOVES] [HALBZUG]` plays this many moves
and takes a picture; HALBZUG is an installed command to use in place of that of the checkout.
`halbzug register pychess` adds the engine to PyChess; moves are typed on the keyboard. What PyChess
receives from the engine is in its own log.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import chess

from gui.screen import (
    find,
    home_environment,
    missing,
    open_screen,
    running,
    wait_for,
    write_command,
)
from halbzug.base.limits import Limits
from halbzug.engine.engine import Engine

NEEDED = ("pychess", "Xvfb", "xdotool", "import")

#: No questions at the start, no book of PyChess's own, and two minutes against the engine in the
#: dialog for a new game.
CONFIG = """\
[General]
show_tip_at_startup = False
dont_show_externals_at_startup = True
usesounds = False
analyzer_check = False
autosave = False
whiteplayercombobox = 0
blackplayercombobox = 1
skillslider2 = 20
notimeradio = False
blitzradio = True
ngblitz min = 2
firstname = A human
showeval = True
book_depth_max = 0
mainwindow_width = 1100
mainwindow_height = 760
mainwindow_x = 0
mainwindow_y = 0
"""


def play(picture: Path, moves: int, command: str | None = None) -> tuple[chess.Board, float]:
    """Play this many moves, and save a picture of the last position.

    :param command: an installed `halbzug`; None means that of the checkout.
    :returns: the game, and the seconds from PyChess's start to the engine's first move.
    """
    first = 0.0
    with tempfile.TemporaryDirectory() as name, open_screen() as screen:
        home = Path(name)
        environment = screen.environment(home_environment(home))
        halbzug = command or str(write_command(home))
        subprocess.run([halbzug, "register", "pychess"], env=environment, check=True)
        (home / ".config/pychess/config").write_text(CONFIG, encoding="utf-8")
        environment["PATH"] = "/usr/bin:/bin"  # and no other engine
        program = [str(find("pychess")), "--no-version-check", "--no-gettext", "--log-debug"]
        started = time.monotonic()
        with running(program, environment, home), Engine() as human:
            log = _Log(home / ".local/share/pychess")
            engines = home / ".config/pychess/engines.json"
            wait_for(lambda: '"recheck": false' in _read(engines), "PyChess to accept the engine")
            wait_for(lambda: bool(screen.windows("PyChess")), "the window")
            time.sleep(2)
            screen.press("ctrl+n")
            time.sleep(2)
            screen.press("Return")
            wait_for(lambda: log.is_ready, "the game to begin")
            time.sleep(2)
            board = chess.Board()
            for number in range(1, moves + 1):
                human.set_position(moves=[move.uci() for move in board.move_stack])
                board.push_uci(str(human.play(Limits(depth=5)).move))
                screen.type(board.peek().uci())
                screen.press("Return")
                wait_for(lambda: len(log.best_moves) >= number, f"move {number}")  # noqa: B023
                board.push_uci(log.best_moves[number - 1])
                first = first or time.monotonic() - started
            time.sleep(1)
            screen.picture(picture)
    return board, first


class _Log:
    """The messages of its engine that PyChess logs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def text(self) -> str:
        return "".join(_read(path) for path in sorted(self._folder.glob("*.log")))

    @property
    def is_ready(self) -> bool:
        return "isready" in self.text

    @property
    def best_moves(self) -> list[str]:
        return re.findall(r"bestmove (\w{4,5})", self.text)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


def main() -> int:
    """Play, and print the outcome."""
    if reason := missing(*NEEDED):
        print(reason, file=sys.stderr)
        return 1
    picture = Path(sys.argv[1] if len(sys.argv) > 1 else "pychess.png").absolute()
    moves = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    board, seconds = play(picture, moves, sys.argv[3] if len(sys.argv) > 3 else None)
    print(f"PyChess's start to the first move of the engine: {seconds:.1f} s")
    print(chess.Board().variation_san(board.move_stack))
    print(f"the last position: {picture}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

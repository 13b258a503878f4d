"""XBoard lets Halbzug play against itself, both sides through the adapter Polyglot.

`PYTHONPATH=tests python -m gui.xboard_game [PICTURE.png] [PLIES]` plays this many plies and takes a
picture.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import chess.pgn

from gui.screen import (
    Screen,
    find,
    home_environment,
    missing,
    open_screen,
    running,
    wait_for,
    write_command,
)

NEEDED = ("xboard", "polyglot", "Xvfb")
NEEDED_FOR_A_PICTURE = ("xdotool", "import")

#: Positions of the windows: a pattern of the title, X, Y, width, height. The title of the graph
#: becomes the score.
PLACES = (
    ("Engine Output", 430, 0, 668, 260),
    ("^Eval|^{", 430, 270, 224, 220),
    ("Move list", 662, 270, 436, 220),
)

_SIZES = {
    "engineOutput": (668, 260),
    "evalGraph": (224, 220),
    "moveHistory": (436, 220),
}


def play(clock: str, picture: Path | None = None, plies: int = 0) -> tuple[chess.pgn.Game, str]:
    """Play a game, or its beginning with a picture of it.

    :param clock: minutes, or minutes and seconds with a colon, for each side's game.
    :param picture: saved after this many plies, which ends the game; None plays it to the end.
    :returns: the game, and all messages between XBoard and the adapters.
    """
    with tempfile.TemporaryDirectory() as name, open_screen("1100x492") as screen:
        home = Path(name)
        environment = screen.environment(home_environment(home))
        environment["PATH"] = f"{os.environ.get('PATH', '')}:/usr/games"
        halbzug = str(write_command(home))
        game, debug = home / "game.pgn", home / "xboard.debug"
        program = [str(find("xboard"))]
        for side in ("f", "s"):
            program += [f"-{side}cp", halbzug, f"-{side}UCI", f"-{side}d", name]
        program += ["-mode", "TwoMachines", "-matchGames", "1", "-tc", clock, "-inc", "0.05"]
        program += ["-saveGameFile", str(game), "-debug", "-nameOfDebugFile", str(debug)]
        program += ["-size", "49", "-x", "0", "-y", "0"]
        for window, (width, height) in _SIZES.items():
            program += [
                f"-{window}Up",
                "true",
                f"-{window}W",
                str(width),
                f"-{window}H",
                str(height),
            ]
        with running(program, environment, home) as process:
            if picture:
                wait_for(lambda: _moves(debug) >= plies // 2, "the moves")
                _arrange(screen)
                wait_for(lambda: _moves(debug) >= plies, "the moves")
                time.sleep(0.5)
                screen.picture(picture)
            else:
                wait_for(lambda: process.poll() is not None or game.exists(), "the end of the game")
                time.sleep(1)
        with game.open(encoding="utf-8", errors="replace") as file:
            played = chess.pgn.read_game(file)
        assert played
        return played, debug.read_text("utf-8", "replace")


def _moves(debug: Path) -> int:
    try:
        return debug.read_text("utf-8", "replace").count(": move ")
    except OSError:
        return 0


def _arrange(screen: Screen) -> None:
    for name, x, y, width, height in PLACES:
        for window in screen.windows(name):
            screen.do("windowsize", window, str(width), str(height))
            screen.do("windowmove", window, str(x), str(y))


def main() -> int:
    """Play, and print the outcome."""
    if reason := missing(*NEEDED, *NEEDED_FOR_A_PICTURE):
        print(reason, file=sys.stderr)
        return 1
    picture = Path(sys.argv[1] if len(sys.argv) > 1 else "xboard.png").absolute()
    game, _ = play("1", picture, int(sys.argv[2]) if len(sys.argv) > 2 else 36)
    print(game.mainline_moves())
    print(f"a picture: {picture}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

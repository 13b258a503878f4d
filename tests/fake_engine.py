"""UCI engines as test doubles, most of them badly behaved: `python fake_engine.py BEHAVIOUR [LOG]`.

Moves are legal, chosen by a random generator that the position seeds; scores come from a count of
the material. What is received is appended to the file LOG.
"""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

from halbzug.base.python_chess import use_copy

use_copy()  # as in the engine's own processes: this halves the time of the import

import chess  # noqa: E402

VALUES = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900}


class Engine:
    """Plays properly."""

    def __init__(self) -> None:
        self.board = chess.Board()
        self.chess960 = False
        self.gos = 0

    def say(self, text: str) -> None:
        # In one write: with PYTHONUNBUFFERED, `print` writes the end of the line separately.
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    def uci(self) -> None:
        self.say("id name Fake")
        self.say("option name Hash type spin default 16 min 1 max 1024")
        self.say("option name UCI_Chess960 type check default false")
        self.say("uciok")

    def isready(self) -> None:
        self.say("readyok")

    def position(self, words: list[str]) -> None:
        moves = words.index("moves") if "moves" in words else len(words)
        fen = chess.STARTING_FEN if words[1] == "startpos" else " ".join(words[2:moves])
        self.board = chess.Board(fen, chess960=self.chess960)
        for move in words[moves + 1 :]:
            self.board.push_uci(move)

    def score(self) -> int:
        board = self.board
        return sum(
            value * (len(board.pieces(kind, board.turn)) - len(board.pieces(kind, not board.turn)))
            for kind, value in VALUES.items()
        )

    def choose(self) -> chess.Move:
        moves = sorted(self.board.legal_moves, key=chess.Move.uci)
        return random.Random(self.board.epd()).choice(moves)

    def go(self) -> None:
        self.say(f"info depth 3 seldepth 4 score cp {self.score()} nodes 10 pv {self.choose()}")
        self.say(f"bestmove {self.choose()}")

    def quit(self) -> None:
        sys.exit()

    def run(self) -> None:
        for line in sys.stdin:
            if len(sys.argv) > 2:
                with Path(sys.argv[2]).open("a", encoding="utf-8") as log:
                    log.write(line)
            words = line.split()
            if words[0] == "position":
                self.position(words)
            elif words[:3] == ["setoption", "name", "UCI_Chess960"]:
                self.chess960 = words[-1] == "true"
            elif words[0] == "go":
                self.gos += 1
                self.go()
            elif words[0] in ("uci", "isready", "quit", "stop"):
                getattr(self, words[0], lambda: None)()


class Greedy(Engine):
    """Captures whatever it can, and gives mate."""

    def choose(self) -> chess.Move:
        def gain(move: chess.Move) -> int:
            self.board.push(move)
            is_mate = self.board.is_checkmate()
            gain = -self.score()
            self.board.pop()
            return 100_000 if is_mate else gain

        moves = sorted(self.board.legal_moves, key=chess.Move.uci)
        random.Random(self.board.epd()).shuffle(moves)
        return max(moves, key=gain)


class Gloomy(Engine):
    """Thinks that it is losing."""

    def score(self) -> int:
        return -900


class Level(Engine):
    """Finds everything equal, and moves its pieces back and forth."""

    def score(self) -> int:
        return 0

    def choose(self) -> chess.Move:
        moves = [move for move in self.board.legal_moves if not self.board.is_zeroing(move)]
        ordered = sorted(moves or self.board.legal_moves, key=chess.Move.uci)
        return random.Random(self.board.fen()).choice(ordered)


class Crashing(Engine):
    """Dies in its second search of a game."""

    def go(self) -> None:
        if self.gos == 2:
            raise ZeroDivisionError("division by zero")
        super().go()


class Leaving(Engine):
    """Answers once in a game, then exits."""

    def go(self) -> None:
        super().go()
        sys.exit(7)


class Dead(Engine):
    """Does not even start."""

    def uci(self) -> None:
        sys.exit("no network found")


class Hanging(Engine):
    """Never answers, and ignores everything, including the signals that can be ignored."""

    def go(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(60)


class Mute(Engine):
    """Is always ready, and never moves."""

    def go(self) -> None:
        pass


class Dying(Engine):
    """Writes something, then is killed."""

    def go(self) -> None:
        self.say(f"info depth 3 score cp 5 nodes 10 pv {self.choose()}")
        os.kill(os.getpid(), signal.SIGSEGV)


class Babbling(Engine):
    """Repeats the same line forever."""

    def go(self) -> None:
        while True:
            self.say(f"info depth 2 score cp 5 nodes 10 pv {self.choose()}")
            self.say("info string still here")
            time.sleep(0.01)


class Deepening(Engine):
    """Ignores limits: it searches until it is told to stop."""

    def go(self) -> None:
        for depth in range(1, 100):
            self.say(f"info depth {depth} score cp 5 nodes {10**depth} pv {self.choose()}")
            if select.select([sys.stdin], [], [], 0.05)[0]:
                break
        self.say(f"bestmove {self.choose()}")


class StandingBy(Deepening):
    """Ignores limits and `stop`."""

    def go(self) -> None:
        for depth in range(1, 10**9):
            self.say(f"info depth {depth} score cp 5 nodes {depth} pv {self.choose()}")
            time.sleep(0.1)


class Parent(Engine):
    """Has started another process, which outlives it and holds its pipes."""

    def uci(self) -> None:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        Path(os.environ["CHILD_FILE"]).write_text(str(child.pid), encoding="ascii")
        super().uci()

    def go(self) -> None:
        if self.gos == 2:
            os._exit(3)
        super().go()


class Impatient(Engine):
    """Answers before it is asked, and then twice."""

    def isready(self) -> None:
        self.say("bestmove a1h7")
        self.say("readyok\nreadyok\nuciok")

    def go(self) -> None:
        # At once: a second answer that came later would count for the next question.
        move = self.choose()
        info = f"info depth 3 seldepth 4 score cp {self.score()} nodes 10 pv {move}"
        self.say(f"{info}\nbestmove {move}\nbestmove a1h7")


class Boundless(Engine):
    """Counts nodes without end."""

    def go(self) -> None:
        huge = "9" * 400
        for line in (f"multipv {huge}", "multipv 1000000", "multipv -5", f"time {huge}"):
            self.say(f"info depth 2 {line} score cp 5")
        super().go()


class IgnoresStop(Engine):
    """Answers when it has finished, whatever it is told."""

    def go(self) -> None:
        time.sleep(3600)

    def quit(self) -> None:
        pass


class Unready(Engine):
    """Is ready once, and never again."""

    def __init__(self) -> None:
        super().__init__()
        self.is_ready = True

    def isready(self) -> None:
        if self.is_ready:
            super().isready()
        self.is_ready = False


class Late(Engine):
    """Answers a little too late."""

    def go(self) -> None:
        time.sleep(0.6)
        super().go()


class Illegal(Engine):
    """Plays illegal moves."""

    def go(self) -> None:
        self.say("bestmove a1h7")


class Passing(Engine):
    """Makes the null move."""

    def go(self) -> None:
        self.say("bestmove 0000")


class Silent(Engine):
    """Finds no move."""

    def go(self) -> None:
        self.say("bestmove (none)")


class Garbled(Engine):
    """Writes bytes that are not text, and words that are not UCI."""

    def go(self) -> None:
        sys.stdout.buffer.write(b"\xff\xfe\x00 info score\ninfo score cp \xe9\ninfo depth x\n")
        sys.stdout.buffer.write(b"readyok\nuciok\ncopyprotection ok\n\n")
        sys.stdout.flush()
        super().go()


class Flooding(Engine):
    """Writes a flood of lines before each move, and then moves."""

    def go(self) -> None:
        line = f"info depth 9 currmove {self.choose()} score cp 5 string " + "x" * 60
        for _ in range(40):
            self.say("\n".join([line] * 500))
        super().go()


class Endless(Engine):
    """Writes forever, but never a complete line."""

    def go(self) -> None:
        while True:
            os.write(1, b"info string " + b"x" * 100_000)


class Closing(Engine):
    """Closes its pipe and continues to run."""

    def go(self) -> None:
        os.close(1)
        while True:
            time.sleep(60)


BEHAVIOURS = {
    "plain": Engine,
    "greedy": Greedy,
    "gloomy": Gloomy,
    "level": Level,
    "crashing": Crashing,
    "leaving": Leaving,
    "dead": Dead,
    "hanging": Hanging,
    "mute": Mute,
    "dying": Dying,
    "babbling": Babbling,
    "deepening": Deepening,
    "standing-by": StandingBy,
    "parent": Parent,
    "impatient": Impatient,
    "boundless": Boundless,
    "ignores-stop": IgnoresStop,
    "unready": Unready,
    "late": Late,
    "illegal": Illegal,
    "passing": Passing,
    "silent": Silent,
    "garbled": Garbled,
    "flooding": Flooding,
    "endless": Endless,
    "closing": Closing,
}

if __name__ == "__main__":
    BEHAVIOURS[sys.argv[1]]().run()

"""How fast boards are from Python: python-chess's, ours, and others from PyPI.

    python tests/long/boards.py [--python PYTHON] [--folder FOLDER] [--rounds 5] [--record]
        [BOARD ...]

Each library is installed into its own virtual environment outside this checkout, and measured there
in processes that take turns. A figure is the minimum processor time of one operation in
nanoseconds, with the lowest of a row in bold; a dash means that a library does not offer the
operation. Libraries whose boards cannot take back a move play it on a new board. Only an idle
machine gives figures worth quoting: `--record` writes how many times as fast as python-chess they
are into `docs/how-to/fast-boards.md`; see `measured.py`.
"""

from __future__ import annotations

import argparse
import importlib
import io
import json
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import measured

ROOT = Path(__file__).parents[2]

#: The package to install for each library; its adapter is below.
REQUIREMENTS = {
    "chess": "chess==1.11.2",
    "halbzug": str(ROOT),
    "bulletchess": "bulletchess",
    "cozy-chess-py": "cozy-chess-py",
    "rust-chess": "rust-chess",
    "esca": "esca",
    "chessmg": "chessmg",
    "fastchess": "fastchess",
    "cython-chess": "cython-chess",
    "rust-pgn-reader": "rust-pgn-reader-python-binding",
}

POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8",
    "r2q1rk1/pp2ppbp/6p1/n1p5/2BPP1b1/2P1BP2/P3N1PP/R2Q1RK1 w - - 1 12",
    "8/5pk1/6p1/7p/3R3P/5PP1/r4PK1/8 w - - 0 40",
)

#: Anderssen against Kieseritzky, 1851.
GAME = """[Event "London"]
[Site "London"]
[Date "1851.06.21"]
[Round "?"]
[White "Anderssen, Adolf"]
[Black "Kieseritzky, Lionel"]
[Result "1-0"]

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6
10. g4 Nf6 11. Rg1 cxb5 12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2
18. Bd6 Bxg1 19. e5 Qxa1+ 20. Ke2 Na6 21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0

"""
PLIES = 45
#: The number of games in a file of them.
GAMES = 100

#: The operations measured, by the name of the method that performs them on all positions and
#: returns how many there were.
OPERATIONS = {
    "listing": "list of legal moves; a move",
    "loop": "list of legal moves, push, check?, pop; a move",
    "perft": "perft 3 in Python; a leaf",
    "count": "number of legal moves",
    "san": "write SAN",
    "parse_san": "read SAN",
    "fen": "write FEN",
    "set_fen": "read FEN, into a new board",
    "copy": "copy, 20 moves played",
    "copy_alone": "copy without the game",
    "over": "is the game over?",
    "pgn": "read a game of PGN as a tree (`GameBuilder`); a move",
    "pgn_file": "read all moves of a file of PGN (`read_games`); a move",
}


#: The libraries in the documents: those with boards of their own that most operations suit.
SHOWN = ("halbzug", "bulletchess", "cozy-chess-py", "rust-chess", "esca", "fastchess")


def _file_of_games() -> str:
    path = Path(tempfile.mkdtemp(), "games.pgn")
    path.write_text(GAME * GAMES, "utf-8")
    return str(path)


class PythonChess:
    """python-chess, and libraries with its interface."""

    def __init__(self) -> None:
        self.chess = importlib.import_module("chess")
        self.Board = self.chess.Board
        self.visitor = importlib.import_module("chess.pgn").GameBuilder
        self.boards = [self.Board(fen) for fen in POSITIONS]
        self.moves = [list(board.legal_moves) for board in self.boards]
        self.sans = [
            [board.san(move) for move in moves]
            for board, moves in zip(self.boards, self.moves, strict=True)
        ]
        self.played = [self.played_on(board.copy()) for board in self.boards]
        self.path = _file_of_games()

    @staticmethod
    def played_on(board: Any) -> Any:
        for _ in range(20):
            board.push(next(iter(board.legal_moves)))
        return board

    def listing(self) -> int:
        return sum(len(list(board.legal_moves)) for board in self.boards)

    def loop(self) -> int:
        count = 0
        for board in self.boards:
            for move in list(board.legal_moves):
                board.push(move)
                board.is_check()
                board.pop()
                count += 1
        return count

    def perft(self) -> int:
        return _perft(self.boards[0], 3)

    def count(self) -> int:
        for board in self.boards:
            board.legal_moves.count()
        return len(self.boards)

    def san(self) -> int:
        for board, moves in zip(self.boards, self.moves, strict=True):
            for move in moves:
                board.san(move)
        return sum(map(len, self.moves))

    def parse_san(self) -> int:
        for board, sans in zip(self.boards, self.sans, strict=True):
            for san in sans:
                board.parse_san(san)
        return sum(map(len, self.sans))

    def fen(self) -> int:
        for board in self.boards:
            board.fen()
        return len(self.boards)

    def set_fen(self) -> int:
        for fen in POSITIONS:
            self.Board(fen)
        return len(POSITIONS)

    def copy(self) -> int:
        for board in self.played:
            board.copy()
        return len(self.played)

    def copy_alone(self) -> int:
        for board in self.played:
            board.copy(stack=False)
        return len(self.played)

    def over(self) -> int:
        for board in self.boards:
            board.is_game_over()
        return len(self.boards)

    def pgn(self) -> int:
        read_game = importlib.import_module("chess.pgn").read_game
        read_game(io.StringIO(GAME), Visitor=self.visitor)
        return PLIES

    def pgn_file(self) -> int:
        read_game = importlib.import_module("chess.pgn").read_game
        moves = 0
        with Path(self.path).open(encoding="utf-8") as file:
            while game := read_game(file):
                moves += sum(1 for _ in game.mainline_moves())
        return moves


def _perft(board: Any, depth: int) -> int:
    if depth == 0:
        return 1
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += _perft(board, depth - 1)
        board.pop()
    return leaves


class Halbzug(PythonChess):
    """Ours."""

    def __init__(self) -> None:
        super().__init__()
        halbzug = importlib.import_module("halbzug")
        movegen = importlib.import_module("halbzug.board.movegen")
        if movegen.BUILD != "compiled":
            raise SystemExit("only the pure build is installed")
        self.Board = halbzug.Board
        self.visitor = halbzug.GameBuilder
        self.boards = [self.Board(fen) for fen in POSITIONS]
        self.played = [self.played_on(board.copy()) for board in self.boards]
        self.read_games = halbzug.read_games

    def pgn_file(self) -> int:
        return sum(len(game.codes) for game in self.read_games(self.path))


class CythonChess(PythonChess):
    """Functions that generate moves for boards of an older python-chess."""

    san = parse_san = fen = set_fen = copy = copy_alone = over = pgn = pgn_file = None  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.library = importlib.import_module("cython_chess")
        self.library.initialize()

    def listing(self) -> int:
        everywhere = 2**64 - 1, 2**64 - 1
        return sum(
            len(list(self.library.generate_legal_moves(board, *everywhere)))
            for board in self.boards
        )

    def loop(self) -> int:
        count = 0
        for board in self.boards:
            for move in list(self.library.generate_legal_moves(board, 2**64 - 1, 2**64 - 1)):
                board.push(move)
                board.is_check()
                board.pop()
                count += 1
        return count

    def perft(self, depth: int = 3) -> int:
        board = self.boards[0]
        if depth == 0:
            return 1
        leaves = 0
        for move in self.library.generate_legal_moves(board, 2**64 - 1, 2**64 - 1):
            board.push(move)
            leaves += self.perft(depth - 1)
            board.pop()
        return leaves

    def count(self) -> int:
        for board in self.boards:
            len(list(self.library.generate_legal_moves(board, 2**64 - 1, 2**64 - 1)))
        return len(self.boards)


class BulletChess:
    """A board in C that can take back moves."""

    def __init__(self) -> None:
        self.library = importlib.import_module("bulletchess")
        self.boards = list(map(self.library.Board.from_fen, POSITIONS))
        self.moves = [board.legal_moves() for board in self.boards]
        self.sans = [
            [move.san(board) for move in moves]
            for board, moves in zip(self.boards, self.moves, strict=True)
        ]
        self.played = list(map(self.library.Board.from_fen, POSITIONS))
        for board in self.played:
            for _ in range(20):
                board.apply(board.legal_moves()[0])
        self.path = _file_of_games()
        self.file = Path(tempfile.mkdtemp(), "game.pgn")
        self.file.write_text(GAME, "utf-8")

    def listing(self) -> int:
        return sum(len(board.legal_moves()) for board in self.boards)

    def loop(self) -> int:
        count, check = 0, self.library.CHECK
        for board in self.boards:
            for move in board.legal_moves():
                board.apply(move)
                _ = board in check
                board.undo()
                count += 1
        return count

    def perft(self, depth: int = 3) -> int:
        if depth == 0:
            return 1
        board, leaves = self.boards[0], 0
        for move in board.legal_moves():
            board.apply(move)
            leaves += self.perft(depth - 1)
            board.undo()
        return leaves

    def count(self) -> int:
        for board in self.boards:
            len(board.legal_moves())
        return len(self.boards)

    def san(self) -> int:
        for board, moves in zip(self.boards, self.moves, strict=True):
            for move in moves:
                move.san(board)
        return sum(map(len, self.moves))

    def parse_san(self) -> int:
        from_san = self.library.Move.from_san
        for board, sans in zip(self.boards, self.sans, strict=True):
            for san in sans:
                from_san(san, board)
        return sum(map(len, self.sans))

    def fen(self) -> int:
        for board in self.boards:
            board.fen()
        return len(self.boards)

    def set_fen(self) -> int:
        for fen in POSITIONS:
            self.library.Board.from_fen(fen)
        return len(POSITIONS)

    def copy(self) -> int:
        for board in self.played:
            board.copy()
        return len(self.played)

    def over(self) -> int:
        mate, draw = self.library.CHECKMATE, self.library.FORCED_DRAW
        for board in self.boards:
            _ = board in mate or board in draw
        return len(self.boards)

    def pgn(self) -> int:
        with importlib.import_module("bulletchess.pgn").PGNFile.open(str(self.file)) as games:
            games.next_game()
        return PLIES

    def pgn_file(self) -> int:
        moves = 0
        with importlib.import_module("bulletchess.pgn").PGNFile.open(self.path) as games:
            while game := games.next_game():
                moves += len(game.moves)
        return moves


class _NewBoards:
    """Libraries that play a move on a new board; their differences are in subclasses."""

    new: Callable[[str], Any]
    moves_of: Callable[[Any], Sequence[Any]]
    after: Callable[[Any, Any], Any]
    is_check: Callable[[Any], bool]
    write: Callable[[Any], str]

    def __init__(self) -> None:
        self.prepare()
        self.boards = [self.new(fen) for fen in POSITIONS]

    def prepare(self) -> None:
        raise NotImplementedError

    def listing(self) -> int:
        return sum(len(self.moves_of(board)) for board in self.boards)

    def loop(self) -> int:
        count = 0
        for board in self.boards:
            for move in self.moves_of(board):
                self.is_check(self.after(board, move))
                count += 1
        return count

    def perft(self) -> int:
        moves_of, after = self.moves_of, self.after

        def perft(board: Any, depth: int) -> int:
            if depth == 0:
                return 1
            leaves = 0
            for move in moves_of(board):
                leaves += perft(after(board, move), depth - 1)
            return leaves

        return perft(self.boards[0], 3)

    def count(self) -> int:
        for board in self.boards:
            len(self.moves_of(board))
        return len(self.boards)

    def fen(self) -> int:
        for board in self.boards:
            self.write(board)
        return len(self.boards)

    def set_fen(self) -> int:
        for fen in POSITIONS:
            self.new(fen)
        return len(POSITIONS)


class CozyChess(_NewBoards):
    """Bindings of cozy-chess, in Rust."""

    def prepare(self) -> None:
        library = importlib.import_module("cozy_chess")

        def after(board: Any, move: Any) -> Any:
            new = board.__copy__()
            new.play_unchecked(move)
            return new

        self.new = library.Board.from_fen
        self.moves_of = library.Board.generate_moves
        self.after = after
        self.is_check = lambda board: bool(board.checkers())
        self.write = library.Board.fen

    def copy_alone(self) -> int:
        for board in self.boards:
            board.__copy__()
        return len(self.boards)


class RustChess(_NewBoards):
    """Bindings of chess, in Rust."""

    def prepare(self) -> None:
        self.library = library = importlib.import_module("rust_chess")
        self.new = library.Board

        def moves_of(board: Any) -> list[Any]:
            board.reset_move_generator()
            return list(board.generate_legal_moves())

        self.moves_of = moves_of
        self.after = lambda board, move: board.make_move_new(move, False)
        self.is_check = library.Board.is_check
        self.write = library.Board.get_fen
        self.sans = [  # the library writes none
            ["e4", "d4", "Nf3", "Nc3"],
            ["O-O", "O-O-O", "Nxg6", "Qxf6"],
            ["Ne5", "dxc5", "O-O", "Bxh7+"],
            ["Bxf7+", "fxg4", "d5", "Rc1"],
            ["Rd7", "Kg1", "Rd5", "g4"],
        ]

    def parse_san(self) -> int:
        for board, sans in zip(self.boards, self.sans, strict=True):
            for san in sans:
                board.get_move_from_san(san)
        return sum(map(len, self.sans))


class Esca(_NewBoards):
    """A library in Rust."""

    def prepare(self) -> None:
        self.library = library = importlib.import_module("esca")
        self.path = _file_of_games()
        self.new = library.Position.from_fen
        self.moves_of = library.Position.legal_moves
        self.after = library.Position.play
        self.is_check = _asked(library.Position, "in_check")
        self.write = _asked(library.Position, "fen")

    def san(self) -> int:
        count = 0
        for board in self.boards:
            for move in self.moves_of(board):
                board.san(move)
                count += 1
        return count

    def parse_san(self) -> int:
        if not hasattr(self, "sans"):
            self.sans = [
                [board.san(move) for move in self.moves_of(board)] for board in self.boards
            ]
        for board, sans in zip(self.boards, self.sans, strict=True):
            for san in sans:
                board.parse_san(san)
        return sum(map(len, self.sans))

    def pgn(self) -> int:
        list(importlib.import_module("esca.pgn").read_string(GAME))
        return PLIES

    def pgn_file(self) -> int:
        games = importlib.import_module("esca.pgn").read(self.path)
        return sum(len(list(game.mainline())) for game in games)


def _asked(cls: Any, name: str) -> Callable[[Any], Any]:
    """The value of a property or a method, as a function."""
    member = getattr(cls, name)
    return member if callable(member) else member.__get__  # type: ignore[no-any-return]


class Chessmg:
    """A C++ generator behind a board in Python."""

    def __init__(self) -> None:
        self.library = importlib.import_module("chessmg")
        self.boards = list(map(self.library.ChessPosition, POSITIONS))

    def listing(self) -> int:
        return sum(len(board.legal_moves()) for board in self.boards)

    def loop(self) -> int:
        count = 0
        for board in self.boards:
            for move in board.legal_moves():
                board.make_move(move)
                _ = board.is_check
                board.undo_move()
                count += 1
        return count

    def perft(self, depth: int = 3) -> int:
        if depth == 0:
            return 1
        board, leaves = self.boards[0], 0
        for move in board.legal_moves():
            board.make_move(move)
            leaves += self.perft(depth - 1)
            board.undo_move()
        return leaves

    def count(self) -> int:
        for board in self.boards:
            len(board.legal_moves())
        return len(self.boards)

    def fen(self) -> int:
        for board in self.boards:
            _ = board.fen
        return len(self.boards)

    def set_fen(self) -> int:
        for fen in POSITIONS:
            self.library.ChessPosition(fen)
        return len(POSITIONS)


class Fastchess:
    """A board in C that cannot take back moves, which are texts."""

    def __init__(self) -> None:
        self.library = importlib.import_module("fastchess")
        self.boards = list(map(self.library.Board, POSITIONS))

    def listing(self) -> int:
        return sum(len(board.legal_moves_uci()) for board in self.boards)

    def loop(self) -> int:
        count = 0
        for board in self.boards:
            for move in board.legal_moves_uci():
                after = board.copy()
                after.push_uci(move)
                after.is_check()
                count += 1
        return count

    def perft(self) -> int:
        def perft(board: Any, depth: int) -> int:
            if depth == 0:
                return 1
            leaves = 0
            for move in board.legal_moves_uci():
                after = board.copy()
                after.push_uci(move)
                leaves += perft(after, depth - 1)
            return leaves

        return perft(self.boards[0], 3)

    def count(self) -> int:
        for board in self.boards:
            len(board.legal_moves_uci())
        return len(self.boards)

    def fen(self) -> int:
        for board in self.boards:
            board.fen()
        return len(self.boards)

    def set_fen(self) -> int:
        for fen in POSITIONS:
            self.library.Board(fen)
        return len(POSITIONS)


class RustPgnReader:
    """Reads PGN into arrays of boards and moves, all games at once; has no single board."""

    def __init__(self) -> None:
        self.library = importlib.import_module("rust_pgn_reader_python_binding")
        self.path = _file_of_games()

    def pgn_file(self) -> int:
        text = Path(self.path).read_text("utf-8")
        games = [game for game in text.replace("\n\n[Event", "\n\n\0[Event").split("\0") if game]
        parsed = self.library.parse_games_from_strings(games, num_threads=1)
        return int(parsed.num_moves)


ADAPTERS: dict[str, Callable[[], Any]] = {
    "chess": PythonChess,
    "halbzug": Halbzug,
    "bulletchess": BulletChess,
    "cozy-chess-py": CozyChess,
    "rust-chess": RustChess,
    "esca": Esca,
    "chessmg": Chessmg,
    "fastchess": Fastchess,
    "cython-chess": CythonChess,
    "rust-pgn-reader": RustPgnReader,
}


def measure(name: str) -> dict[str, float]:
    """Nanoseconds for each operation of a library, in this process."""
    adapter = ADAPTERS[name]()
    found = {}
    for operation in OPERATIONS:
        function = getattr(adapter, operation, None)
        if function is None:
            continue
        count, times, least, ends = 1, 1, float("inf"), time.process_time() + 0.3
        while time.process_time() < ends or least == float("inf"):
            start = time.process_time()
            for _ in range(times):
                count = function()
            spent = time.process_time() - start
            if spent < 0.002:  # too short for some clocks
                times *= 2
            else:
                least = min(least, spent / times)
        if operation == "perft" and count != 8902:
            raise SystemExit(f"{name} counts {count} leaves")
        if operation == "pgn_file" and count != PLIES * GAMES:
            raise SystemExit(f"{name} reads {count} moves")
        found[operation] = least / count * 1e9
    return found


def prepare(name: str, folder: Path, python: str) -> Path:
    """The Python of a library's environment, which is created if missing."""
    place = folder / name
    scripts = place / ("Scripts" if sys.platform == "win32" else "bin")
    if not place.exists():
        if python == sys.executable:
            venv.create(place, with_pip=True)
        else:
            subprocess.run([python, "-m", "venv", str(place)], check=True)
        pip = [str(scripts / "python"), "-m", "pip", "install", "--quiet", REQUIREMENTS[name]]
        subprocess.run(pip, check=True)
    return scripts / "python"


def measurement(least: dict[str, dict[str, float]], python: str) -> dict[str, Any]:
    """How many times as fast as python-chess each library is, with this commit and day."""
    rows: list[dict[str, Any]] = []
    for operation, text in OPERATIONS.items():
        rows.append({"name": text.partition(";")[0]})
        for name in SHOWN:
            if operation in least[name]:
                times = least["chess"][operation] / least[name][operation]
                rows[-1][name] = round(times, 1) if times < 10 else round(times)
    return {**measured.today(), "python": python, "libraries": SHOWN, "rows": rows}


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("boards", nargs="*", metavar="BOARD", help=f"of {', '.join(ADAPTERS)}")
    parser.add_argument("--python", default=sys.executable, help="the Python for all environments")
    parser.add_argument(
        "--folder", type=Path, help="the folder of the environments, which are kept"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--record", action="store_true", help="write the table into the documents")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measure(arguments.measure)))
        return
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="boards-"))
    pythons = {}
    for name in arguments.boards or ADAPTERS:
        try:
            pythons[name] = prepare(name, folder, arguments.python)
        except subprocess.CalledProcessError:
            print(f"{name} cannot be installed", file=sys.stderr)
    least: dict[str, dict[str, float]] = {name: {} for name in pythons}
    for _ in range(arguments.rounds):
        for name, python in pythons.items():
            result = subprocess.run(
                [str(python), __file__, "--measure", name],
                cwd=folder, capture_output=True, text=True, check=False,
            )  # fmt: skip
            if result.returncode:
                print(name, result.stderr.strip().rpartition("\n")[2], file=sys.stderr)
                continue
            for operation, value in json.loads(result.stdout).items():
                least[name][operation] = min(value, least[name].get(operation, value))
    reference = least.get("chess", {})
    print("| ns (times as fast as chess) |", " | ".join(least), "|")
    print("| --- |" + " --: |" * len(least))
    for operation, text in OPERATIONS.items():
        cells = []
        for name in least:
            value = least[name].get(operation)
            if value is None:
                cells.append("-")
            elif name == "chess" or operation not in reference:
                cells.append(f"{value:,.0f}")
            else:
                cells.append(f"{value:,.0f} ({reference[operation] / value:.1f})")
            if value == min(row[operation] for row in least.values() if operation in row):
                cells[-1] = f"**{cells[-1]}**"
        print(f"| {text} |", " | ".join(cells), "|")
    if arguments.record:
        measured.record("boards", measurement(least, measured.version_of(arguments.python)))


if __name__ == "__main__":
    main()

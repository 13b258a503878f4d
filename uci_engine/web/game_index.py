"""The moves played in each position of a PGN file, and how those games ended.

An index is an SQLite file in the user's cache, one for each PGN file. It has the first moves of
every game by the key of the position before them, so a position is the same whatever its move
order. It belongs to one state of the file: if the file's size or modification time changes, the
index is rebuilt. The games are sorted by rating, then by date.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import chess

from ..base.os_errors import reason_of
from ..base.user_cache import cache_folder
from ..batch.filters import rating
from ..board.fen import defect_of, engine_board
from ..board.movegen import decode, new_board
from ..board.pgn import tag_text
from ..board.pgn_files import read_games
from ..board.pgn_games import PgnGame
from ..search.position import Position

if TYPE_CHECKING:
    import sqlite3

#: The number of the layout; an index with a different number is rebuilt.
_LAYOUT = 1

#: The number of plies of a game that are indexed.
MAX_PLIES = 40

#: The results of games by their codes, which are stored above the 15 bits of a move.
RESULTS = ("*", "1-0", "1/2-1/2", "0-1")
_MOVE_BITS = 15

#: How often progress is reported, in games and in SQLite's steps.
_GAMES_EACH = 1000
_STEPS_EACH = 1_000_000

#: The maximum stored length of a tag, in characters.
_MAX_TEXT = 100

_SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -65536;
CREATE TABLE source (size, changed, games, damaged, others, fault);
CREATE TABLE game (
    id INTEGER PRIMARY KEY, number, white, black, white_elo, black_elo, result, date, event
);
CREATE TABLE played (key, game, move, PRIMARY KEY (key, game, move)) WITHOUT ROWID;
CREATE TEMP TABLE found (number, white, black, white_elo, black_elo, result, date, event);
CREATE TEMP TABLE step (key, number, move);
BEGIN;
"""

_SORT = """
INSERT INTO game SELECT NULL, * FROM found ORDER BY
    coalesce(white_elo, black_elo, 0) + coalesce(black_elo, white_elo, 0) DESC, date DESC,
    number DESC;
CREATE UNIQUE INDEX place ON game (number);
INSERT OR IGNORE INTO played SELECT step.key, game.id, step.move
    FROM step JOIN game ON game.number = step.number ORDER BY 1, 2, 3;
"""


class DamagedIndexError(ValueError):
    """There is no usable index for a file's current contents."""


class Summary(NamedTuple):
    """The content of an index."""

    games: int
    damaged: int  # of these, only partly readable
    others: int  # games of other variants, not indexed
    fault: str  # why the file could not be read to its end; empty if it could


class IndexedGame(NamedTuple):
    """A game of the file, with the content of its tags; names are on one line."""

    id: int  # 1 for the best-rated
    number: int  # in the file, from 1
    white: str
    black: str
    white_elo: int | None
    black_elo: int | None
    result: str
    date: str  # "2024.01.15"; unknown parts are 0
    event: str


def index_path(source: Path) -> Path:
    """The path of a file's index."""
    name = hashlib.sha256(os.fsencode(source.resolve())).hexdigest()[:32]
    return cache_folder("explorer") / f"{name}.sqlite"


def key_of(board: chess.Board) -> int | None:
    """The key of a position as a number that SQLite can store; None if no game can reach it."""
    if type(board).uci_variant != "chess" or defect_of(board):
        return None
    return _signed(Position(engine_board(board)).key)


def _signed(key: int) -> int:
    return key - (key >> 63 << 64)


class GameIndex:
    """An existing index, which any thread may ask.

    :param source: the PGN file.
    :raises DamagedIndexError: here and in all methods, if it must be rebuilt.
    """

    def __init__(self, source: Path) -> None:
        self._source = source
        self._lock = threading.Lock()
        path = index_path(source)
        if not path.is_file():
            raise DamagedIndexError("there is no index yet")
        import sqlite3  # missing in some Pythons

        self._error = sqlite3.Error
        self._data = sqlite3.connect(
            f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=False, isolation_level=None
        )
        try:
            [[layout]] = self._ask("PRAGMA user_version")
            rows = self._ask("SELECT * FROM source") if layout == _LAYOUT else []
            now = _identity(source)
            if [row[:2] for row in rows] != [now]:
                raise DamagedIndexError("the index belongs to another file")
        except BaseException:
            self.close()
            raise
        self.summary = Summary(*rows[0][2:])

    def close(self) -> None:
        """Close the file, after the question that is being answered."""
        with self._lock:
            self._data.close()

    def _ask(self, question: str, *values: object) -> list[Any]:
        try:
            with self._lock:
                return self._data.execute(question, values).fetchall()
        except self._error as error:
            raise DamagedIndexError(str(error)) from None

    def moves(self, key: int) -> Mapping[tuple[chess.Move, str], int]:
        """The number of games with each move in a position, by result."""
        found: Counter[tuple[chess.Move, str]] = Counter()
        for code, games in self._ask(
            "SELECT move, count(*) FROM played WHERE key = ? GROUP BY move", key
        ):
            move, result = decode(code & (1 << _MOVE_BITS) - 1), RESULTS[code >> _MOVE_BITS]
            found[move, result] += games
        return found

    def games(self, key: int, count: int) -> list[IndexedGame]:
        """The first games in which a position occurs."""
        rows = self._ask(
            "SELECT * FROM game WHERE id IN"
            " (SELECT DISTINCT game FROM played WHERE key = ? ORDER BY game LIMIT ?) ORDER BY id",
            *(key, count),
        )
        return [IndexedGame(*row) for row in rows]

    def load(self, number: int) -> PgnGame:
        """Read a game from the file, which takes about a second for 200,000 games before it.

        :param number: `IndexedGame.id`.
        :raises ValueError: if there is none.
        :raises OSError: if the file cannot be read.
        """
        rows = self._ask("SELECT * FROM game WHERE id = ?", number)
        if not rows or _identity(self._source) != self._ask("SELECT size, changed FROM source")[0]:
            raise ValueError("the file has changed: there is no such game any more")
        wanted = IndexedGame(*rows[0])

        def is_like_it(tags: Mapping[str, str]) -> bool:
            return _text(tags, "White") == wanted.white and _text(tags, "Black") == wanted.black

        for game in read_games(self._source, filter=is_like_it):
            if game.number == wanted.number:
                return game
        raise ValueError("there is no such game")


def _identity(source: Path) -> tuple[int, int]:
    """What identifies a state of a file: its size, and when it was changed."""
    status = source.stat()
    return status.st_size, status.st_mtime_ns


# -- making an index ----------------------------------------------------------------------------

#: Called with the completed fraction, from 0 to 1, and the number of games so far.
Tell = Callable[[float, int], None]


def part_path(target: Path, process: int) -> Path:
    """Where a process writes an index until it is complete."""
    return target.with_name(f".{target.name}.{process}.part")


def build_index(source: Path, tell: Tell) -> None:
    """Make the index of a file; an old one is replaced at the end.

    :param tell: may raise an exception to end it.
    :raises OSError: if the file cannot be opened.
    :raises sqlite3.Error: if the index cannot be written.
    """
    import sqlite3

    target = index_path(source)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = part_path(target, os.getpid())
    try:
        with source.open("rb") as file, closing(sqlite3.connect(part)) as data:
            identity = _identity(source)
            data.executescript(_SCHEMA)
            games = _GameSteps(data, identity[0], tell)
            fault = ""
            try:
                data.executemany("INSERT INTO step VALUES (?, ?, ?)", games.steps(file))
            except OSError as error:
                fault = reason_of(error)
            games.write_tags()
            data.set_progress_handler(lambda: tell(1.0, games.count), _STEPS_EACH)
            data.executescript(_SORT)
            facts = (*identity, games.count, games.damaged, games.others, fault)
            data.execute("INSERT INTO source VALUES (?, ?, ?, ?, ?, ?)", facts)
            data.execute(f"PRAGMA user_version = {_LAYOUT}")
            data.commit()
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


class _GameSteps:
    """The moves of all games, and the content of their tags.

    :param size: of the file, in bytes.
    """

    def __init__(self, data: sqlite3.Connection, size: int, tell: Tell) -> None:
        self.count = self.damaged = self.others = 0
        self._data = data
        self._tags: list[tuple[Any, ...]] = []
        self._size = max(size, 1)
        self._tell = tell
        self._usual = Position(new_board())

    def steps(self, file: Any) -> Iterator[tuple[int, int, int]]:
        """For each move the key of the position before it, the number of the game, and its code."""
        for game in read_games(file):
            if game.number % _GAMES_EACH == 0:
                self.write_tags()
                self._tell(min(file.tell() / self._size, 1.0), self.count)
            tags = game.tags
            self.damaged += bool(game.faults)
            position = self._usual
            if "FEN" in tags or "Variant" in tags:
                start = game.start
                if type(start).uci_variant != "chess":
                    self.others += 1
                    continue
                if defect_of(start):
                    self.damaged += not game.faults
                    continue
                position = Position(engine_board(start))
            result = game.result
            number = RESULTS.index(result) if result in RESULTS else 0
            self._tags.append(
                (
                    *(game.number, _text(tags, "White"), _text(tags, "Black")),
                    *(rating(tags.get("WhiteElo", "")), rating(tags.get("BlackElo", ""))),
                    *(RESULTS[number], _text(tags, "Date").replace("?", "0")),
                    _text(tags, "Event"),
                )
            )
            made = 0
            for code in game.codes[:MAX_PLIES]:
                if not code:  # a null move: no game reaches the position after it
                    break
                yield _signed(position.key), game.number, number << _MOVE_BITS | code
                position.make(code)
                made += 1
            for _ in range(made):
                position.unmake()

    def write_tags(self) -> None:
        """Write the remaining facts about the last games."""
        self._data.executemany("INSERT INTO found VALUES (?, ?, ?, ?, ?, ?, ?, ?)", self._tags)
        self.count += len(self._tags)
        self._tags.clear()


def _text(tags: Mapping[str, str], name: str) -> str:
    value = tag_text(tags.get(name, ""))[:_MAX_TEXT].strip()
    return "" if value == "?" else value


def main() -> int:
    """Make an index in a separate process.

    It writes a line for each step of progress, with the completed fraction and the number of games;
    a line that begins with `!` says why there is no index.
    """
    import sqlite3
    import sys

    out = sys.stdout

    def tell(part: float, games: int) -> None:
        print(f"{part:.4f} {games}", file=out, flush=True)

    source = Path(sys.argv[1])
    os.environ["SQLITE_TMPDIR"] = str(index_path(source).parent)  # /tmp may be small
    try:
        build_index(source, tell)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):  # the listener may have gone
            print(f"! {reason_of(error)}", file=out, flush=True)
        return 1
    return 0

"""The opening explorer: indexes of PGN files, and what pages learn about the shown position."""

from __future__ import annotations

import asyncio
import gzip
import io
import os
import random
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest
from made_pgn import made_games

from halbzug.web.game_index import (
    MAX_PLIES,
    DamagedIndexError,
    GameIndex,
    build_index,
    index_path,
    key_of,
)
from halbzug.web.page_data import Knowledge
from halbzug.web.page_engines import EngineSetup
from halbzug.web.page_session import BoardSession
from halbzug.web.reading import game_from

pytestmark = pytest.mark.any_build

GAMES = """\
[White "Old, Olga"]
[Black "<b>Bold\x1b[31m</b>"]
[Date "1999.??.??"]
[Result "1-0"]

1. d4 d5 2. c4 e6 3. Nf3 1-0

[White "Strong, Stan"]
[Black "Weak, Wanda"]
[WhiteElo "2500"]
[BlackElo "1500"]
[Event "Club https://lichess.org/tournament/c2sZVZGt"]
[Date "2020.01.02"]
[Result "0-1"]

1. c4 e6 2. d4 d5 3. Nc3 0-1

[White "New, Nora"]
[Black "Noon, Ned"]
[Date "2024.05.06"]
[Result "1/2-1/2"]

1. c4 e6 2. d4 d5 3. Nc3 Nf6 1/2-1/2
"""


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "my games.pgn"
    path.write_text(GAMES, encoding="utf-8")
    return path


def make(source: Path) -> GameIndex:
    build_index(source, lambda part, games: None)
    return GameIndex(source)


def after(*moves: str) -> chess.Board:
    board = chess.Board()
    for move in moves:
        board.push_san(move)
    return board


def counts(index: GameIndex, board: chess.Board) -> dict[str, dict[str, int]]:
    """The results of each move, by its name."""
    found: dict[str, dict[str, int]] = {}
    key = key_of(board)
    assert key is not None
    for (move, result), games in index.moves(key).items():
        found.setdefault(board.san(move), {})[result] = games
    return found


def test_a_position_counts_whatever_its_move_order(source: Path) -> None:
    with closing(make(source)) as index:
        board = after("d4", "e6", "c4", "d5")
        assert counts(index, board) == {"Nf3": {"1-0": 1}, "Nc3": {"0-1": 1, "1/2-1/2": 1}}
        assert counts(index, chess.Board()) == {
            "d4": {"1-0": 1},
            "c4": {"0-1": 1, "1/2-1/2": 1},
        }
        key = key_of(board)
        assert key is not None
        # The highest rated games first, then the latest.
        assert [game.number for game in index.games(key, 8)] == [2, 3, 1]
        assert [game.number for game in index.games(key, 1)] == [2]


def test_all_moves_of_generated_games_are_counted(tmp_path: Path) -> None:
    source = tmp_path / "made.pgn"
    source.write_text("".join(made_games(60)), encoding="utf-8")
    expected: dict[str, Counter[tuple[str, str]]] = {}
    text = io.StringIO(source.read_text(encoding="utf-8"))
    while game := chess.pgn.read_game(text):
        board, seen = game.board(), set()
        for move in list(game.mainline_moves())[:MAX_PLIES]:
            if not move:
                break
            # Positions are compared without counters, and with only legal en passant captures.
            seen.add((board.epd(), board.uci(move, chess960=True)))
            board.push(move)
        for position, name in seen:
            found = expected.setdefault(position, Counter())
            found[name, game.headers["Result"]] += 1
    assert len(expected) > 500
    with closing(make(source)) as index:
        for position, wanted in random.Random(1).sample(sorted(expected.items()), 200):
            board = chess.Board(position + " 0 1", chess960=True)
            key = key_of(board)
            assert key is not None
            told: Counter[tuple[str, str]] = Counter()
            for (move, result), games in index.moves(key).items():
                told[board.parse_uci(move.uci()).uci(), result] += games
            assert told == wanted, position


def test_damaged_games_and_variants_are_counted_and_reported(tmp_path: Path) -> None:
    source = tmp_path / "games.pgn.gz"
    broken = '[White "Broken"]\n\n1. e4 e5 2. Qh9 Nc6 *\n\n'
    other = '[Variant "Atomic"]\n\n1. e4 e5 *\n\n'
    data = gzip.compress((GAMES + "\n" + broken + other).encode())
    source.write_bytes(data)
    with closing(make(source)) as index:
        assert index.summary == (4, 1, 1, "")
        assert counts(index, after("e4")) == {"e5": {"*": 1}}
    source.write_bytes(data[:-20])
    with closing(make(source)) as index:
        assert index.summary.games >= 1
        assert index.summary.fault


def test_an_index_of_another_file_or_a_damaged_one_is_refused(source: Path) -> None:
    make(source).close()
    status = source.stat()
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    with pytest.raises(DamagedIndexError):
        GameIndex(source)
    make(source).close()
    path = index_path(source)
    whole = path.read_bytes()
    key = key_of(chess.Board())
    assert key is not None
    cut, zeroed = whole[: len(whole) // 2], whole[:8192] + bytes(len(whole) - 8192)
    for damaged in (b"", b"no index", cut, zeroed):
        path.write_bytes(damaged)
        with pytest.raises(DamagedIndexError), closing(GameIndex(source)) as index:
            index.moves(key)
    with closing(make(source)) as index:
        assert index.summary.games == 3


def test_an_interrupt_leaves_only_the_old_index(source: Path) -> None:
    make(source).close()

    def interrupt(part: float, games: int) -> None:
        raise KeyboardInterrupt

    with source.open("a", encoding="utf-8") as file:
        file.write("\n" + "\n\n".join(["1. e4 *"] * 1001))
    with pytest.raises(KeyboardInterrupt):
        build_index(source, interrupt)
    assert list(index_path(source).parent.iterdir()) == [index_path(source)]
    with pytest.raises(DamagedIndexError):
        GameIndex(source)


def test_a_question_in_another_thread_is_answered_before_the_index_is_closed(source: Path) -> None:
    """SQLite allows closing at that moment, and then reads freed memory."""
    index = make(source)
    begun = threading.Event()
    index._data.create_function("begun", 0, begun.set)
    count = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)"
    with ThreadPoolExecutor() as threads:
        answer = threads.submit(index._ask, f"{count} SELECT max(i), begun() FROM n")
        begun.wait()
        index.close()
        assert answer.result() == [(200_000, None)]


class Session:
    """A session with an explorer, and the messages to all pages."""

    def __init__(self, *paths: Path) -> None:
        self.told: list[dict[str, Any]] = []
        self.errors: list[str] = []
        broken = EngineSetup("Broken", ("/no/such/engine",))
        opened = game_from("startpos")
        self.knowledge = Knowledge()
        self.session = BoardSession(opened, None, [broken], self.knowledge, self.told.append, paths)

    async def do(self, name: str, **message: Any) -> None:
        await self.session.handle(
            {"do": name, **message}, lambda answer: self.errors.append(answer["text"])
        )

    def explorer(self) -> dict[str, Any]:
        found = [message for message in self.told if message["type"] == "explorer"]
        return found[-1] if found else {"moves": [], "games": [], "files": []}

    async def until_found(self) -> dict[str, Any]:
        while not self.explorer()["moves"]:
            await asyncio.sleep(0.01)
        return self.explorer()


def with_session(use: Any, *paths: Path) -> None:
    async def whole() -> None:
        session = Session(*paths)
        try:
            session.session.watch(True)
            await use(session)
        finally:
            await session.session.close()

    asyncio.run(whole())


def test_pages_receive_the_moves_and_games_of_the_shown_position(source: Path) -> None:
    make(source).close()

    async def use(session: Session) -> None:
        found = await session.until_found()
        assert [(row["step"].split()[1], row["games"]) for row in found["moves"]] == [
            ("c4", 2),
            ("d4", 1),
        ]
        assert found["moves"][0] == {**found["moves"][0], "white": 0, "draws": 1, "black": 1}
        assert found["files"] == [{"name": "my games.pgn", "status": "3 games"}]
        titles = [row["title"] for row in found["games"]]
        assert titles[:2] == [
            "Strong, Stan (2500) - Weak, Wanda (1500), Club, 2020",
            "New, Nora - Noon, Ned, 2024",
        ]
        assert "\x1b" not in titles[2]
        session.told.clear()
        await session.do("paste", text="1. c4 e6 2. d4 d5 *")
        await session.do("go", at=4)
        session.told.clear()
        found = await session.until_found()
        assert found["at"] == 4
        await session.do("explored", file=0, id=found["games"][0]["id"])
        [tree] = [message for message in session.told if message["type"] == "tree"]
        assert tree["tree"]["tags"]["White"] == "Strong, Stan"
        assert tree["at"] == 4  # the same position is still shown
        for file, number in ((1, 1), (0, 99), (-1, 1)):
            await session.do("explored", file=file, id=number)
        assert len(session.errors) == 3

    with_session(use, source)


def test_a_damaged_index_is_rebuilt(source: Path) -> None:
    make(source).close()
    path = index_path(source)
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + bytes(len(whole) - 8192))

    async def use(session: Session) -> None:
        found = await session.until_found()
        assert len(found["moves"]) == 2
        told = [message["reading"] for message in session.told if message["type"] == "explorer"]
        assert (told[0], found["reading"]) == (True, False)

    with_session(use, source)


def test_a_lookup_while_the_board_ends_does_not_cost_the_index(
    source: Path,
) -> None:
    make(source).close()

    async def use(session: Session) -> None:
        await session.until_found()
        await session.do("new")
        await session.session.close()
        await asyncio.sleep(0.1)
        assert index_path(source).exists()

    with_session(use, source)


def test_an_unreadable_file_is_reported_and_the_others_are_used(
    source: Path, tmp_path: Path
) -> None:
    make(source).close()

    async def use(session: Session) -> None:
        found = await session.until_found()
        statuses = [file["status"] for file in found["files"]]
        assert statuses == ["cannot be read: file is missing", "3 games"]

    with_session(use, tmp_path / "gone.pgn", source)

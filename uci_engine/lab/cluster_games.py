"""Games on a Dask cluster: each is a task, and both of its engines run on one worker.

Only the commands of the engines are sent: their files must have the same paths on each worker, and
a worker that has different files refuses. If a worker dies, another one replays its games. Only
this program saves games, so none is lost and none occurs twice.
"""

from __future__ import annotations

import asyncio
import io
import pickle
import platform
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chess
import chess.pgn

from ..base.launch import local_command, portable_command
from ..batch.analysts import AnalystError, StartError
from ..batch.pool import dask_pool
from ..batch.pool_events import Broken, Done, Lost
from ..board.game_end import GameEnd
from ..board.pgn import pgn_text
from ..client.engine_errors import EngineMistake
from ..client.protocol import ignore_engines
from ..match.game import Conditions, FinishedGame, play_game
from ..match.game_runners import ScheduledGames
from ..match.match_files import MatchError
from ..match.players import EngineSpec, Player
from ..match.schedule import Fixture
from ..tablebase.probing import Tablebase
from .sources import source_digest

if TYPE_CHECKING:
    from ..batch.cluster import DaskPool


@dataclass(frozen=True)
class GameSetup:
    """What a worker must know about all games.

    :ivar engines: with portable commands.
    :ivar files: the digests of the files named in the commands, by path.
    :ivar conditions: without a tablebase.
    :ivar tablebase_folders: where a worker finds its own; None if none is used.
    """

    engines: tuple[EngineSpec, ...]
    files: dict[str, str]
    conditions: Conditions
    tablebase_folders: str | None = None


@dataclass(frozen=True)
class GameTask:
    """A game to play, and its opening."""

    fixture: Fixture
    opening: chess.Board


class ClusterRunner:
    """A Dask cluster.

    :param address: of its scheduler.
    :param tablebase_folders: where a worker finds its tablebases, if the games use any.
    """

    def __init__(self, address: str, tablebase_folders: str) -> None:
        self._address = address
        self._tablebase_folders = tablebase_folders

    def play(self, games: ScheduledGames) -> None:
        """See `halbzug.match.game_runners.GameRunner`.

        :raises MatchError: if the cluster cannot be used, or workers keep dying at a game.
        """
        try:
            setup = _setup(games, self._tablebase_folders)
            pool = dask_pool()(setup, self._address, GamePlayer)
        except StartError as error:
            raise MatchError(str(error)) from None
        try:
            _play_on(pool, games)
        finally:
            pool.close()


def _setup(games: ScheduledGames, tablebase_folders: str) -> GameSetup:
    engines = tuple(replace(spec, command=portable_command(spec.command)) for spec in games.engines)
    words = {word for spec in games.engines for word in spec.command}
    digests = {word: source_digest(Path(word)) for word in words}
    portable = {portable_command([word])[0]: digest for word, digest in digests.items() if digest}
    folders = tablebase_folders if games.conditions.tablebase else None
    return GameSetup(engines, portable, replace(games.conditions, tablebase=None), folders)


def _play_on(pool: DaskPool, games: ScheduledGames) -> None:
    """Submit games in advance, and count them as they finish."""
    fixtures = iter(games.fixtures)
    tasks = zip(count(1), (GameTask(one, games.openings[one.opening]) for one in fixtures))
    under_way: dict[int, GameTask] = {}
    lost: list[str] = []
    while True:
        _submit(pool, tasks, under_way)
        if not under_way:
            break
        event = pool.next_event(waits=True)
        if isinstance(event, Broken):
            raise MatchError(str(event.error)) from None
        if isinstance(event, Lost):
            number = under_way.pop(event.number).fixture.number
            lost.append(f"game {number} was lost: {event.reason}")
        elif isinstance(event, Done):
            task = under_way.pop(event.number)
            answer: Any = event.answers
            if games.on_end(_unpacked(task, *answer)):
                return
    if lost:
        raise MatchError(lost[0])


def _submit(
    pool: DaskPool, tasks: Iterator[tuple[int, GameTask]], under_way: dict[int, GameTask]
) -> None:
    while len(under_way) < pool.wanted:
        number, task = next(tasks, (0, None))
        if task is None:
            return
        under_way[number] = task
        pool.submit(number, [[task]])


def _unpacked(
    task: GameTask, text: str, end: GameEnd, mistakes: tuple[tuple[str, EngineMistake], ...]
) -> FinishedGame:
    """A game played elsewhere, which arrives as text because pickles of games nest too deeply."""
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    game.headers["Round"] = str(task.fixture.number)
    return FinishedGame(game, end, mistakes)


# -- on a worker --------------------------------------------------------------------------------


class GamePlayer:
    """Plays one game at a time, on a worker of the cluster."""

    def __init__(self, setup: GameSetup) -> None:
        self._setup = setup
        folders = setup.tablebase_folders
        self._tablebase = None if folders is None else Tablebase(folders)
        self._is_checked = False
        self._is_cancelled = False
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[FinishedGame] | None = None

    def start(self) -> None:
        """Check that the files are there.

        :raises StartError: if they are not, or others.
        """
        if self._is_checked:
            return
        for portable, digest in self._setup.files.items():
            (path,) = local_command([portable])
            found = source_digest(Path(path))
            if found != digest:
                what = "has another version of" if found else "has no file"
                raise StartError(f"the Dask worker on {platform.node()} {what} {path}")
        self._is_checked = True

    def work_packed(self, chunk: bytes) -> bytes:
        """Play a game; see `halbzug.batch.cluster.ChunkWorker`."""
        ((task,),) = pickle.loads(chunk)
        try:
            finished = asyncio.run(self._play(task))
        except asyncio.CancelledError:
            raise AnalystError("stopped") from None
        answer = pgn_text(finished.game), finished.end, finished.mistakes
        return pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)

    async def _play(self, task: GameTask) -> FinishedGame:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(ignore_engines)
        white, black = self._player(task.fixture.white), self._player(task.fixture.black)
        conditions = replace(self._setup.conditions, tablebase=self._tablebase)
        game = play_game(white, black, task.opening, conditions)
        with self._lock:
            self._loop, self._task = loop, asyncio.ensure_future(game)
            if self._is_cancelled:
                self._task.cancel()
        try:
            return await self._task
        finally:
            with self._lock:
                self._loop = self._task = None
            await asyncio.gather(white.stop(), black.stop())

    def _player(self, index: int) -> Player:
        spec = self._setup.engines[index]
        conditions = self._setup.conditions
        spec = replace(spec, command=local_command(spec.command))
        return Player(spec, conditions.patience_seconds, conditions.margin_seconds)

    def cancel(self) -> None:
        """End the game and its engines at once."""
        with self._lock:
            self._is_cancelled = True
            if self._loop and self._task:
                self._loop.call_soon_threadsafe(self._task.cancel)

    def close(self) -> None:
        """See `cancel`."""
        self.cancel()
        if self._tablebase:
            self._tablebase.close()

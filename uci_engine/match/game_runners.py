"""Plays the games of a schedule, several at a time, until all are played or a test decides.

A `GameRunner` determines where they are played: `LocalRunner` plays them on this machine.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import chess

from ..client.engine_errors import UciError
from ..client.protocol import ignore_engines
from .game import Conditions, FinishedGame, play_game
from .players import EngineSpec, Player
from .schedule import Fixture


class GamesStartError(Exception):
    """An engine that cannot take part, and why."""


@dataclass(frozen=True)
class ScheduledGames:
    """Games to be played.

    :ivar openings: by their index in a fixture.
    :ivar fixtures: the games; the next one is requested when it can be played.
    :ivar on_end: called with each finished game, whose Round is its number in the schedule; if it
        returns True, no further games are played.
    """

    engines: Sequence[EngineSpec]
    openings: dict[int, chess.Board]
    conditions: Conditions
    fixtures: Iterable[Fixture]
    on_end: Callable[[FinishedGame], bool]


class GameRunner(Protocol):
    """Where games are played."""

    def play(self, games: ScheduledGames) -> None:
        """Play games until all are played or a test decides.

        No engine process is left at the end, even after an error.
        """


class LocalRunner:
    """The machine on which this runs.

    :param concurrency: number of simultaneous games, each with its own processes.
    """

    def __init__(self, concurrency: int) -> None:
        self._concurrency = concurrency

    def play(self, games: ScheduledGames) -> None:
        """See `GameRunner`."""
        asyncio.run(_Tournament(games, self._concurrency).run())


def start_errors(
    engines: Sequence[EngineSpec],
    conditions: Conditions,
    *,
    needs_chess960: bool = False,
    concurrency: int = 1,
) -> list[str]:
    """Start each engine, and end it again.

    :param concurrency: how many to start at a time.
    :returns: for each engine the reason why it cannot take part, in one line; empty if it can.
    """

    async def check_all() -> list[str]:
        asyncio.get_running_loop().set_exception_handler(ignore_engines)
        turns = asyncio.Semaphore(concurrency)

        async def check(spec: EngineSpec) -> str:
            async with turns:
                return await _start_error(spec, conditions, needs_chess960)

        return await asyncio.gather(*map(check, engines))

    return asyncio.run(check_all())


def check_engines(
    engines: Sequence[EngineSpec], conditions: Conditions, needs_chess960: bool = False
) -> None:
    """Start each engine once.

    :raises StartError: if one does not start; one that fails later only loses games.
    """
    for spec in engines:
        for error in start_errors([spec], conditions, needs_chess960=needs_chess960):
            if error:
                raise GamesStartError(error)


async def _start_error(spec: EngineSpec, conditions: Conditions, needs_chess960: bool) -> str:
    player = _player(spec, conditions)
    try:
        await player.start()
        if needs_chess960 and not player.knows_chess960:
            return f"{spec.name} does not play Chess960"
        for mistake in player.client.take_mistakes():
            return f"{spec.name} cannot play: {mistake.text}"
    except UciError as error:
        return str(error)
    finally:
        await player.stop()
    return ""


def _player(spec: EngineSpec, conditions: Conditions) -> Player:
    return Player(spec, conditions.patience_seconds, conditions.margin_seconds)


class _Tournament:
    """Games that are played on this machine, several at a time."""

    def __init__(self, games: ScheduledGames, concurrency: int) -> None:
        self._games = games
        self._concurrency = concurrency
        self._workers: list[asyncio.Task[None]] = []

    async def run(self) -> None:
        asyncio.get_running_loop().set_exception_handler(ignore_engines)
        remaining = iter(self._games.fixtures)
        count = self._concurrency
        self._workers = [asyncio.create_task(self._work(remaining)) for _ in range(count)]
        try:
            await asyncio.wait(self._workers, return_when=asyncio.FIRST_EXCEPTION)
            for worker in self._workers:
                if worker.done() and not worker.cancelled():
                    worker.result()  # raises the worker's exception
        finally:
            for worker in self._workers:
                worker.cancel()
            await asyncio.gather(*self._workers, return_exceptions=True)

    async def _work(self, fixtures: Iterator[Fixture]) -> None:
        """Play one game after another; engines that also play the next game keep running."""
        games = self._games
        players: dict[int, Player] = {}
        try:
            for fixture in fixtures:
                for engine in players.keys() - {fixture.white, fixture.black}:
                    await players.pop(engine).stop()
                for engine in (fixture.white, fixture.black):
                    if engine not in players:
                        players[engine] = _player(games.engines[engine], games.conditions)
                finished = await play_game(
                    players[fixture.white],
                    players[fixture.black],
                    games.openings[fixture.opening],
                    games.conditions,
                )
                finished.game.headers["Round"] = str(fixture.number)
                if games.on_end(finished):
                    self._cancel_others()
                    return
        finally:
            await asyncio.gather(*(player.stop() for player in players.values()))

    def _cancel_others(self) -> None:
        for worker in self._workers:
            if worker is not asyncio.current_task():
                worker.cancel()

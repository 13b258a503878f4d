"""Plays the games of a schedule, several at a time, until all are played or a test has ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence

import chess

from halbzug.client.errors import UciError
from halbzug.client.protocol import ignore_engines
from halbzug.match.game import Conditions, FinishedGame, play_game
from halbzug.match.players import EngineSpec, Player
from halbzug.match.schedule import Fixture


class StartError(Exception):
    """An engine that cannot take part, and why."""


class Tournament:
    """Engines, openings and conditions.

    :param openings: the openings, by the index in a fixture.
    :param concurrency: games at a time, each with its own processes.
    :param on_end: called with each finished game, which has its number in the schedule as Round;
        the match ends if it returns True.
    :param tested: how many of the engines, the first ones, must start before the first game; None
        is all of them.
    """

    def __init__(
        self,
        engines: Sequence[EngineSpec],
        openings: dict[int, chess.Board],
        conditions: Conditions,
        concurrency: int,
        on_end: Callable[[FinishedGame], bool],
        tested: int | None = None,
    ) -> None:
        self._engines = engines
        self._openings = openings
        self._conditions = conditions
        self._concurrency = concurrency
        self._on_end = on_end
        self._tested = engines[:tested]
        self._workers: list[asyncio.Task[None]] = []

    async def run(self, fixtures: Iterable[Fixture]) -> None:
        """Play the games. At the end, also after an error, no engine process is left.

        :raises StartError: if an engine does not start at all; one that fails later only loses
            games.
        """
        asyncio.get_running_loop().set_exception_handler(ignore_engines)
        await self._check_engines()
        remaining = iter(fixtures)
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

    async def _check_engines(self) -> None:
        needs_chess960 = any(board.chess960 for board in self._openings.values())
        for spec in self._tested:
            player = self._player(spec)
            try:
                await player.start()
                if needs_chess960 and not player.knows_chess960:
                    raise StartError(f"{spec.name} does not play Chess960")
            except UciError as error:
                raise StartError(str(error)) from None
            finally:
                await player.stop()

    def _player(self, spec: EngineSpec) -> Player:
        conditions = self._conditions
        return Player(spec, conditions.patience_seconds, conditions.margin_seconds)

    async def _work(self, fixtures: Iterator[Fixture]) -> None:
        """Play one game after another; engines that also play the next one keep running."""
        players: dict[int, Player] = {}
        try:
            for fixture in fixtures:
                for engine in players.keys() - {fixture.white, fixture.black}:
                    await players.pop(engine).stop()
                for engine in (fixture.white, fixture.black):
                    if engine not in players:
                        players[engine] = self._player(self._engines[engine])
                finished = await play_game(
                    players[fixture.white],
                    players[fixture.black],
                    self._openings[fixture.opening],
                    self._conditions,
                )
                finished.game.headers["Round"] = str(fixture.number)
                if self._on_end(finished):
                    self._cancel_others()
                    return
        finally:
            await asyncio.gather(*(player.stop() for player in players.values()))

    def _cancel_others(self) -> None:
        for worker in self._workers:
            if worker is not asyncio.current_task():
                worker.cancel()

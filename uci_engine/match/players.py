"""Engines as players: each chooses one move at a time, within a time limit."""

from __future__ import annotations

from dataclasses import dataclass, field

import chess
import chess.engine

from ..base.time_control import TimeControl
from ..client.client import Client
from ..client.engine_errors import EngineMistake

#: How long to wait for a late move, in seconds. The game is lost either way, but an engine that
#: still answers need not be restarted.
GRACE_SECONDS = 1.0


@dataclass(frozen=True)
class EngineSpec:
    """An engine as the user describes it."""

    name: str
    command: tuple[str, ...]
    options: dict[str, str] = field(default_factory=dict)
    control: TimeControl = field(default_factory=TimeControl)


@dataclass(frozen=True)
class PlayedMove:
    """A move, with the engine's last line about it."""

    move: chess.Move
    seconds: float
    score: chess.engine.PovScore | None
    depth: int | None
    mistakes: tuple[EngineMistake, ...] = ()  # of the engine's file, since its last move


class Player:
    """One process of an engine; if it has ended, a new one starts with the next game.

    :param patience_seconds: how long to wait for a move without a clock.
    :param margin_seconds: how far an engine may exceed its time.
    """

    def __init__(
        self, spec: EngineSpec, patience_seconds: float, margin_seconds: float = 0.0
    ) -> None:
        self.spec = spec
        self.patience_seconds = patience_seconds
        self.margin_seconds = margin_seconds
        self.client = Client(spec.name, spec.command, spec.options)

    @property
    def knows_chess960(self) -> bool:
        """Whether the running engine can play Chess960."""
        return "UCI_Chess960" in self.client.options

    async def start(self) -> None:
        """Start the engine, unless it is running.

        :raises UciError: if it does not.
        """
        await self.client.start()

    async def play(
        self,
        board: chess.Board,
        limit: chess.engine.Limit,
        allowance_seconds: float | None,
        game: object,
    ) -> PlayedMove:
        """Let the started player choose a move.

        :param board: with the game so far on its stack, which is not over.
        :param allowance_seconds: the time for the move; None without a clock.
        :param game: the same object throughout a game.
        :raises UciError: if no legal move comes; the player is then stopped. A late move is
            returned.
        """
        if allowance_seconds is None:
            patience = self.patience_seconds
        else:
            patience = allowance_seconds + self.margin_seconds + GRACE_SECONDS
        answer = await self.client.play(board, limit, game=game, patience_seconds=patience)
        assert answer.move is not None, "the game is not over"
        info = answer.info
        mistakes = tuple(self.client.take_mistakes())
        return PlayedMove(
            answer.move, answer.seconds, info.get("score"), info.get("depth"), mistakes
        )

    async def stop(self) -> None:
        """End the process."""
        await self.client.stop()

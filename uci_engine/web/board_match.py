"""A game of the user against an engine, with or without clocks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import chess
import chess.engine
import chess.pgn

from ..base.time_control import GameClock, TimeControl, limit_for
from ..board.game_end import GameEnd, lost
from ..client.client import Client
from .game_tree import PageTree

#: How far an engine may exceed its limit, in seconds.
_PATIENCE_SECONDS = 10.0


class BoardMatch:
    """A game of the user against an engine.

    :param human: the user's side.
    :param player: the engine, which is started when it has to move.
    :param engine: its index among the engines beside the board.
    :param elo: the engine's strength; None is full strength.
    :param control: the limit for each engine move, or the clocks of both sides.
    :param head: the node where the game begins.
    """

    def __init__(
        self,
        human: chess.Color,
        player: Client,
        engine: int,
        elo: int | None,
        control: TimeControl,
        head: chess.pgn.GameNode,
    ) -> None:
        self.human = human
        self.player = player
        self.engine = engine
        self.elo = elo
        self.control = control
        self.start = self.head = head
        self.over = ""
        self.task: asyncio.Task[None] | None = None
        self._clocks = {color: GameClock(control) for color in chess.COLORS}
        self._began_at: float | None = None  # from time.perf_counter; None: no clock is running
        self._flag: asyncio.TimerHandle | None = None
        # Both clocks when each position was reached, in seconds.
        self._times: dict[chess.pgn.GameNode, dict[chess.Color, float]] = {}

    @property
    def has_clocks(self) -> bool:
        """Whether both sides play by the clock."""
        return bool(self.control.base_seconds)

    def message(self, tree: PageTree) -> dict[str, Any]:
        """The state of the game for the pages; clocks are current, in seconds."""
        return {
            "color": _name(self.human),
            "engine": self.engine,
            "name": self.player.name,
            "elo": self.elo,
            "head": tree.number(self.head),
            "over": self.over,
            "thinks": self.task is not None and not self.task.done(),
            "clocks": [round(self._left(color), 2) for color in (chess.WHITE, chess.BLACK)]
            if self.has_clocks
            else None,
            "running": None if self._began_at is None else _name(self.head.turn()),
        }

    def _left(self, color: chess.Color) -> float:
        is_running = self._began_at is not None and self.head.turn() == color
        used = self._used() if is_running else 0.0
        return max(self._clocks[color].remaining_seconds - used, 0.0)

    def _used(self) -> float:
        return 0.0 if self._began_at is None else time.perf_counter() - self._began_at

    def start_clock(self, on_flag: Callable[[], None]) -> None:
        """Start the clock of the side to move.

        :param on_flag: called when its time runs out.
        """
        if not self.has_clocks:
            return
        self.stop_clock()
        self._times[self.head] = {
            color: clock.remaining_seconds for color, clock in self._clocks.items()
        }
        self._began_at = time.perf_counter()
        left = self._clocks[self.head.turn()].remaining_seconds
        self._flag = asyncio.get_running_loop().call_later(left, on_flag)

    def stop_clock(self) -> None:
        """Stop both clocks."""
        self._began_at = None
        if self._flag:
            self._flag.cancel()
            self._flag = None

    def advance(self, node: chess.pgn.ChildNode) -> None:
        """Continue after a move, and press the clock of the side that made it."""
        if node.parent is not self.head:
            self.rewind(node.parent)
        if self.has_clocks:
            clock = self._clocks[node.parent.turn()]
            clock.press(self._used())
            node.set_clock(clock.remaining_seconds)
        self.stop_clock()
        self.head = node

    def rewind(self, node: chess.pgn.GameNode) -> None:
        """Return to an earlier position and restore its clocks."""
        self.stop_clock()
        for color, seconds in self._times.get(node, {}).items():
            self._clocks[color].remaining_seconds = seconds
        self.head = node
        self.over = ""

    def flag_end(self) -> GameEnd:
        """The result when the side to move runs out of time."""
        self.stop_clock()
        board = self.head.board()
        self._clocks[board.turn].remaining_seconds = 0.0
        if board.has_insufficient_material(not board.turn):
            reason = f"Draw: {_name(board.turn)} runs out of time, but the other side cannot mate"
            return GameEnd("1/2-1/2", "time forfeit", reason)
        return lost(board.turn, "time forfeit", "loses on time")

    async def choose(self, board: chess.Board) -> chess.Move | None:
        """Ask the engine for its move.

        :raises UciError: if it fails to answer.
        """
        limit = limit_for(self._clocks, board.turn)
        allowed = limit.time or self._left(board.turn)
        patience = allowed + _PATIENCE_SECONDS
        answer = await self.player.play(board, limit, game=self, patience_seconds=patience)
        return answer.move


def _name(color: chess.Color) -> str:
    return "white" if color else "black"

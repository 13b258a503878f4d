"""The engine as an opponent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import chess

from ..base.events import BestMove, Event, Info, Introduction, Notice
from ..base.limits import Limits
from ..base.scores import EXACT_BOUND
from ..base.time_control import GameClock
from ..engine.engine import Engine
from ..engine.options import Option, Options
from ..uci.session_options import find_option, option_of_file, read_value
from ..workers.worker import WorkerProgram

#: The time for a hint, in seconds.
HINT_SECONDS = 1.0

#: The first move of the game at which the engine may accept a draw.
MIN_DRAW_MOVES = 20


class OpponentStartError(Exception):
    """Why the engine cannot play, in one line."""


@dataclass(frozen=True)
class TerminalPlayer:
    """The player that replaces Halbzug itself: a program, and its initial options.

    :ivar settings: values for options that its file declares, as strings.
    """

    name: str
    program: WorkerProgram
    options: Options
    settings: Mapping[str, str] = field(default_factory=dict)


class Opponent:
    """The engine, as a player and for hints.

    :param seconds: for each of its moves, if there is no clock.
    :param player: the player that replaces Halbzug itself.
    :ivar notices: its messages since its last move.
    :raises StartError: if it cannot search, or does not have the options to be set.
    """

    def __init__(
        self, seconds: float, elo: int | None, player: TerminalPlayer | None = None
    ) -> None:
        self.name = player.name if player else "Halbzug"
        self._has_book = player is None
        self.elo = elo  # None: full strength
        self.notices: list[str] = []
        self._file_options: list[Option] = []
        self._is_loading = player is not None  # its file
        self.score: int | None = None  # of its last move, in centipawns from its side
        self._seconds = seconds
        program, options = (player.program, player.options) if player else (None, None)
        self._engine = Engine(self._hear, options=options, program=program)
        if elo is not None:
            self._engine.configure(limits_strength=True, elo=elo)
        while not self._engine.is_ready or (self._is_loading and self._engine.worker_pid):
            self._engine.handle_next()
        if self._engine.worker_pid is None:
            raise OpponentStartError("Halbzug cannot start its search process")
        try:
            self._set_file_options(player.settings if player else {})
        except ValueError as error:
            self.close()
            raise OpponentStartError(f"{self.name}: {error}") from None

    def _set_file_options(self, settings: Mapping[str, str]) -> None:
        """:raises ValueError: in one line, if one is unknown, or its value is wrong."""
        for name, text in settings.items():
            option = find_option(name, self._file_options)
            value = read_value(option, text)
            assert value is not None
            self._engine.set_file_option(option.name, value)

    def choose(self, board: chess.Board, clocks: Mapping[chess.Color, GameClock]) -> chess.Move:
        """The engine's move in a position of the game.

        :param clocks: of both sides; empty without clocks.
        """
        self._engine.configure(uses_book=self._has_book, is_analysing=False)
        best = self._ask(board, _clock_limits(clocks) if clocks else self._limits(self._seconds))
        return board.parse_uci(best.move or "0000")

    def advise(self, board: chess.Board) -> tuple[chess.Move, int]:
        """The best move for the human at full strength, and its score in centipawns."""
        then = self.score
        self._engine.configure(uses_book=False, is_analysing=True)
        best = self._ask(board, self._limits(HINT_SECONDS))
        score, self.score = self.score or 0, then
        return board.parse_uci(best.move or "0000"), score

    def accepts_draw(self, board: chess.Board) -> bool:
        """Whether it accepts a draw: not early in the game, and not if it is better."""
        is_early = board.fullmove_number < MIN_DRAW_MOVES
        return not is_early and self.score is not None and self.score <= 0

    def close(self) -> None:
        """End its process."""
        self._engine.close()

    def _limits(self, seconds: float) -> Limits:
        return Limits(move_time_ms=max(round(seconds * 1000), 1))

    def _ask(self, board: chess.Board, limits: Limits) -> BestMove:
        self.notices.clear()
        self._engine.configure(chess960=board.chess960)
        root = board.root().fen(shredder=board.chess960, en_passant="fen")
        self._engine.set_position(root, [move.uci() for move in board.move_stack])
        return self._engine.play(limits)

    def _hear(self, event: Event) -> None:
        if isinstance(event, Introduction):
            self._is_loading = False
            self.name = event.name or self.name
            self._file_options = [option_of_file(option) for option in event.options]
        elif isinstance(event, Info) and event.multipv == 1 and event.bound == EXACT_BOUND:
            self.score = event.score
        elif isinstance(event, Notice):
            self.notices.append(event.text)


def _clock_limits(clocks: Mapping[chess.Color, GameClock]) -> Limits:
    white, black = clocks[chess.WHITE], clocks[chess.BLACK]
    return Limits(
        white_time_ms=round(1000 * white.remaining_seconds),
        black_time_ms=round(1000 * black.remaining_seconds),
        white_increment_ms=round(1000 * white.control.increment_seconds),
        black_increment_ms=round(1000 * black.control.increment_seconds),
    )

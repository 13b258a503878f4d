"""Time controls: tournament clocks, or a fixed time, number of nodes or depth per move."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import chess
import chess.engine

_NUMBER = r"\d+(?:\.\d*)?|\.\d+"
_CLOCK = re.compile(
    rf"(?:(?P<moves>\d+)/)?(?:(?P<minutes>\d+):)?(?P<seconds>{_NUMBER})"
    rf"(?:\+(?P<increment>{_NUMBER}))?"
)
_MINUTES = re.compile(r"(\d{1,4}(?:\.\d+)?)(?:\+(\d{1,4}(?:\.\d+)?))?")


@dataclass(frozen=True)
class TimeControl:
    """The limits of one engine; a field that is None or 0 sets no limit."""

    moves: int = 0  # per period; 0: the base time is for the whole game
    base_seconds: float = 0.0  # per period
    increment_seconds: float = 0.0  # per move
    move_seconds: float | None = None
    nodes: int | None = None  # per move
    depth: int | None = None  # plies

    def __str__(self) -> str:
        """As in the PGN tag TimeControl, with words for limits that the tag cannot express."""
        return ", ".join(text.format(n=n) for text, n in self.parts())

    def parts(self) -> Iterator[tuple[str, str]]:
        """Each limit: a text with the placeholder `n`, and its number."""
        if self.base_seconds:
            increment = f"+{self.increment_seconds:g}" if self.increment_seconds else ""
            period = f"{self.moves}/" if self.moves else ""
            yield "{n}", f"{period}{self.base_seconds:g}{increment}"
        if self.move_seconds:
            yield "{n} s a move", f"{self.move_seconds:g}"
        if self.nodes:
            yield "{n} node" if self.nodes == 1 else "{n} nodes", str(self.nodes)
        if self.depth:
            yield "depth {n}", str(self.depth)


def parse_clock(text: str) -> TimeControl:
    """Parse a clock in cutechess-cli's format: `moves/time+increment`.

    The time is in seconds or `minutes:seconds`, the increment in seconds; moves and increment are
    optional.

    :raises ValueError: if it is not a clock, or the time is 0.
    """
    match = _CLOCK.fullmatch(text.strip())
    if not match:
        raise ValueError(f"not a time control: {text}")
    base = 60 * int(match["minutes"] or 0) + float(match["seconds"])
    if base <= 0 or (match["moves"] and not int(match["moves"])):
        raise ValueError(f"not a time control: {text}")
    return TimeControl(int(match["moves"] or 0), base, float(match["increment"] or 0))


def parse_minutes(text: str) -> TimeControl:
    """Parse a clock as people write it: `MINUTES+SECONDS`, with an optional increment.

    :raises ValueError: if it is not a clock, or the time is 0.
    """
    match = _MINUTES.fullmatch(text)
    if match is None or float(match[1]) == 0:
        raise ValueError(f"{text} is not MINUTES+SECONDS, such as 5+3.")
    return TimeControl(base_seconds=60 * float(match[1]), increment_seconds=float(match[2] or 0))


class GameClock:
    """One side's clock in one game."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.remaining_seconds = control.base_seconds
        self.moves_to_go = control.moves

    @property
    def allowance_seconds(self) -> float | None:
        """The time for the next move, in seconds; None if there is no limit."""
        if self.control.move_seconds is not None:
            return self.control.move_seconds
        return self.remaining_seconds if self.control.base_seconds else None

    def press(self, used_seconds: float) -> float:
        """Subtract the time used for a move, and add the increment.

        :returns: the number of seconds by which it was too late; 0 if it was in time.
        """
        allowance = self.allowance_seconds
        if allowance is None:
            return 0.0
        if self.control.base_seconds:
            left = max(self.remaining_seconds - used_seconds, 0.0)
            self.remaining_seconds = left + self.control.increment_seconds
            if self.moves_to_go:
                self.moves_to_go -= 1
                if self.moves_to_go == 0:
                    self.moves_to_go = self.control.moves
                    self.remaining_seconds += self.control.base_seconds
        return max(used_seconds - allowance, 0.0)


def limit_for(clocks: dict[chess.Color, GameClock], turn: chess.Color) -> chess.engine.Limit:
    """The limit to send to the engine to move."""
    control = clocks[turn].control
    limit = chess.engine.Limit(time=control.move_seconds, nodes=control.nodes, depth=control.depth)
    if control.base_seconds:
        limit.white_clock, limit.black_clock = (
            clocks[color].remaining_seconds if clocks[color].control.base_seconds else None
            for color in (chess.WHITE, chess.BLACK)
        )
        limit.white_inc = clocks[chess.WHITE].control.increment_seconds
        limit.black_inc = clocks[chess.BLACK].control.increment_seconds
        limit.remaining_moves = clocks[turn].moves_to_go or None
    return limit

"""The limits of a `go` command, as plain data."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """The limits of a `go`; None means not given. Times are in milliseconds."""

    white_time_ms: int | None = None
    black_time_ms: int | None = None
    white_increment_ms: int = 0
    black_increment_ms: int = 0
    moves_to_go: int | None = None
    move_time_ms: int | None = None
    depth: int | None = None  # plies
    nodes: int | None = None
    mate: int | None = None  # full moves
    infinite: bool = False
    ponder: bool = False
    search_moves: tuple[str, ...] = ()  # UCI notation; empty: all

    def clock_of(self, white: bool) -> tuple[int | None, int]:
        """One side's remaining time and increment, in milliseconds.

        If a GUI sends only one clock, it counts for both sides: otherwise the search would never
        end.
        """
        clocks = [
            (self.white_time_ms, self.white_increment_ms),
            (self.black_time_ms, self.black_increment_ms),
        ]
        own, other = clocks if white else reversed(clocks)
        return other if own[0] is None else own

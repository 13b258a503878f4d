"""Counts the totals of a run over many positions."""

from __future__ import annotations

import statistics
import time
from typing import Any

from ..base.text import counted
from ..display.quantities import seconds_text


class Tally:
    """The totals of a run over many positions."""

    def __init__(self) -> None:
        self.started = time.perf_counter()
        self.positions = 0
        self.problems = 0
        self.solved = 0
        self._solution_ms: list[int] = []
        self._solution_depths: list[int] = []

    def count(self, line: dict[str, Any]) -> None:
        """Count one position.

        :param line: its JSON line from `finding_json`, of this run or an earlier one.
        """
        self.positions += 1
        if "solved" not in line:
            return
        self.problems += 1
        self.solved += bool(line["solved"])
        if "solution" in line:
            self._solution_ms.append(line["solution"]["time_ms"])
            self._solution_depths.append(line["solution"]["depth"])

    @property
    def note(self) -> str:
        """The state of a test suite in a few words."""
        return f"{self.solved} of {self.problems} solved" if self.problems else ""

    def json(self) -> dict[str, Any]:
        """The totals of a test suite, as in the last JSON line."""
        totals: dict[str, Any] = {"problems": self.problems, "solved": self.solved}
        if self._solution_ms:
            totals["solution"] = {
                "time_ms": sum(self._solution_ms),
                "median_time_ms": statistics.median(self._solution_ms),
                "median_depth": statistics.median(self._solution_depths),
            }
        return totals

    def lines(self) -> list[str]:
        """The totals as text."""
        seconds = seconds_text(time.perf_counter() - self.started)
        total = f"{counted(self.positions, 'position')} in {seconds}"
        if not self.problems:
            return [total]
        share = 100 * self.solved / self.problems
        lines = [f"Solved {self.solved} of {self.problems} ({share:.1f} %); {total}"]
        if self._solution_ms:
            lines.append(
                f"Time to solution: {seconds_text(sum(self._solution_ms) / 1000)} in all, median "
                f"{seconds_text(statistics.median(self._solution_ms) / 1000)}, "
                f"median depth {statistics.median(self._solution_depths):g}"
            )
        return lines

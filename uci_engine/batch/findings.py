"""Collects what an engine finds in a position."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..base.events import BestMove, Info
from ..base.scores import EXACT_BOUND, UPPER_BOUND, is_mate, mate_in_moves
from ..client.engine_errors import EngineMistake
from ..uci.printer import BOUND_WORDS
from .positions import Subject


class SecondLook(NamedTuple):
    """The result of a longer search of a played move, from the side that played it."""

    refutation: tuple[str, ...]  # from the position after it
    best_line: tuple[str, ...]
    score_before: int
    score_after: int


@dataclass(frozen=True)
class Finding:
    """The outcome of one search."""

    best: BestMove
    lines: tuple[Info, ...]  # the last line for each move, best first; may be empty
    is_solved: bool | None = None  # None if the position has no known answer
    solution: Info | None = None  # the first line from which on the answer was always right
    seconds: float = 0.0  # from request to answer
    mistakes: tuple[EngineMistake, ...] = ()  # mistakes of an engine file
    again: SecondLook | None = None  # present if the played move is a mistake

    @property
    def first(self) -> Info | None:
        """The best line."""
        return self.lines[0] if self.lines else None


class Listener:
    """Collects an engine's lines for one position.

    :param subject: the position; may be None without a known answer.
    :param confirm: a right answer that persists for this many further plies may end the search.
    """

    def __init__(self, subject: Subject | None, confirm: int | None = None) -> None:
        self._problem = subject if subject and subject.is_problem else None
        self.confirm = confirm
        self._started = time.perf_counter()
        self._lines: dict[int, Info] = {}
        self._failed_low: Info | None = None
        self._solution: Info | None = None

    def hear(self, info: Info) -> None:
        """Add one line."""
        if info.bound == UPPER_BOUND and info.multipv == 1:
            self._failed_low = info
        if info.bound == UPPER_BOUND or not (info.pv or info.multipv == 1):
            return
        self._lines[info.multipv] = info
        if info.multipv > 1 or self._problem is None:
            return
        if not self._problem.is_solved_by(info.pv[0] if info.pv else None, info.score):
            self._solution = None
        elif self._solution is None:
            self._solution = info

    @property
    def is_confirmed(self) -> bool:
        """Whether the answer is right and has persisted for `confirm` plies."""
        if self.confirm is None or self._solution is None:
            return False
        return self._lines[1].depth >= self._solution.depth + self.confirm

    def conclude(self, best: BestMove, mistakes: tuple[EngineMistake, ...] = ()) -> Finding:
        """The finding, once the engine has answered."""
        seconds = time.perf_counter() - self._started
        lines = self._final_lines(best)
        if self._problem is None:
            return Finding(best, lines, seconds=seconds, mistakes=mistakes)
        last = lines[0] if lines else None
        is_solved = self._problem.is_solved_by(best.move, last.score if last else None)
        # An answer from only the last, unfinished iteration counts from the end of the search.
        solution = (self._solution or last) if is_solved else None
        return Finding(best, lines, is_solved, solution, seconds, mistakes)

    def _final_lines(self, best: BestMove) -> tuple[Info, ...]:
        """The last line for each move, best first.

        If the last iteration found another move but no line for it, its upper bound comes first.
        """
        lines = [info for _, info in sorted(self._lines.items())]
        bound = self._failed_low
        is_other = bool(lines) and lines[0].pv[:1] != (best.move,)
        if is_other and bound and bound.pv[:1] == (best.move,):
            others = [info for info in lines if info.pv[:1] != (best.move,)]
            lines = [bound, *others][: len(lines)]
            lines = [info._replace(multipv=number) for number, info in enumerate(lines, start=1)]
        return tuple(lines)


def score_json(score: int) -> dict[str, int]:
    """A score in JSON lines: `{"cp": 34}` in centipawns, or `{"mate": -2}` in full moves."""
    return {"mate": mate_in_moves(score)} if is_mate(score) else {"cp": score}


def line_json(info: Info) -> dict[str, Any]:
    """A line of analysis in JSON lines."""
    line = {
        "depth": info.depth,
        "seldepth": info.selective_depth,
        "multipv": info.multipv,
        "score": score_json(info.score),
        "nodes": info.nodes,
        "nps": info.nodes_per_second,
        "time_ms": info.time_ms,
        "pv": list(info.pv),
    }
    return line if info.bound == EXACT_BOUND else {**line, "bound": BOUND_WORDS[info.bound]}


def position_json(subject: Subject) -> dict[str, Any]:
    """The keys of a JSON line that identify a position."""
    board = subject.board
    name = {"name": subject.name} if subject.name else {}
    position = {**name, "position": board.fen(shredder=board.chess960)}
    if not subject.game:
        return position
    game = {"game": subject.game, "ply": len(board.move_stack)}
    played = board.uci(subject.played) if subject.played else None
    return {**game, **position, "played": played, **(subject.source or {})}


def answer_json(subject: Subject, finding: Finding) -> dict[str, Any]:
    """The engine's answer, and whether it is right."""
    answer: dict[str, Any] = {"bestmove": finding.best.move, "ponder": finding.best.ponder}
    if finding.is_solved is None:
        return answer
    answer["bm"] = [subject.board.uci(move) for move in subject.best]
    answer["am"] = [subject.board.uci(move) for move in subject.avoid]
    if subject.mate:
        answer["dm"] = subject.mate
    answer["solved"] = finding.is_solved
    if finding.solution:
        answer["solution"] = {
            "depth": finding.solution.depth,
            "time_ms": finding.solution.time_ms,
            "nodes": finding.solution.nodes,
        }
    return answer


def _score_columns(first: Info | None) -> dict[str, int | None]:
    """The score again, with a column for each unit; None in the other one."""
    score = score_json(first.score) if first else {}
    return {"cp": score.get("cp"), "mate": score.get("mate")}


def finding_json(number: int, subject: Subject, finding: Finding) -> dict[str, Any]:
    """The JSON line for one of many positions.

    :param number: of the position in its source, from 1.
    """
    first, *others = finding.lines or (None,)
    return {
        "number": number,
        **position_json(subject),
        **answer_json(subject, finding),
        **(line_json(first) if first else {}),
        **_score_columns(first),
        **({"lines": [line_json(info) for info in others if info]} if others else {}),
    }

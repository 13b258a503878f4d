"""Analyses the whole game in the background, with the code of `halbzug analyse`."""

from __future__ import annotations

import queue
import tempfile
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import chess
import chess.pgn

from ..base.limits import Limits
from ..base.os_errors import reason_of
from ..batch.analysts import AnalystError, Setup
from ..batch.pool import LocalPool
from ..batch.positions import Failure, source_game
from ..board.pgn import check_game
from ..games.annotation import AnnotatedGame, AnnotatedMove
from ..games.annotation_run import GameRun, Outputs
from ..games.report_game import game_tree, move_facts

#: The keys of the report's tree that the board shows beside a move.
_SHOWN = ("eval", "chances", "judgement", "verdict", "nags")


class _StoppedError(Exception):
    """The analysis was cancelled."""


class Review:
    """An analysis of a game's main line, in a thread with an engine process.

    :param game: it is not changed.
    :param limits: for each position.
    :param tell: called in that thread whenever there is something new.
    :raises ValueError: if the game cannot be searched; the message is one line.
    :ivar nodes: the nodes of the main line when the analysis began.
    :ivar is_running: whether there is more to come.
    :ivar done: the number of positions analysed.
    :ivar failure: what went wrong, in one line.
    :ivar facts: the report's data for each node; for a mistake also the exercise: the moves that
        solve it, in UCI, and the best one as a step. Empty until the end.
    :ivar fresh: the nodes whose moves were judged since, with what the report will say of them.
    :ivar summary: for White and Black, the accuracy in per cent (None without a move) and the
        number of moves with each judgement.
    :ivar files: the graph, the report and the annotated PGN, by file name.
    """

    def __init__(self, game: chess.pgn.Game, limits: Limits, tell: Callable[[], None]) -> None:
        check_game(game)
        self.nodes: list[chess.pgn.GameNode] = [game, *game.mainline()]
        self.is_running = True
        self.done = 0
        self.failure = ""
        self.facts: list[dict[str, Any]] = []
        self.summary: list[dict[str, Any]] = []
        self.files: dict[str, bytes] = {}
        self._record = source_game(game.accept(chess.pgn.GameBuilder()))
        self.fresh: queue.SimpleQueue[tuple[chess.pgn.GameNode, dict[str, Any]]] = (
            queue.SimpleQueue()
        )
        self._mainline = list(self._record.game.mainline())
        self._setup = Setup(limits)
        self._tell = tell
        self._is_stopped = False

    def start(self) -> None:
        """Start the analysis."""
        threading.Thread(target=self._run, name="halbzug-review", daemon=True).start()

    def stop(self) -> None:
        """Stop after the current position, without further messages."""
        self._is_stopped = True

    def _run(self) -> None:
        try:
            with tempfile.TemporaryDirectory() as folder:
                report, pgn = Path(folder, "report.html"), Path(folder, "annotated.pgn")
                outputs = Outputs(pgn, report, False, self._keep)
                run = GameRun(
                    LocalPool(self._setup, 1), outputs, self._setup, self._complain, self._hear
                )
                run.run([self._record], _Progress(self._advance))
                for path in (report, pgn):
                    if path.exists():
                        self.files[path.name] = path.read_bytes()
        except AnalystError as error:
            self.failure = str(error)
        except OSError as error:
            self.failure = reason_of(error)
        except _StoppedError:
            return
        self.is_running = False
        if not self._is_stopped:
            self._tell()

    def _advance(self, positions: int) -> None:
        if self._is_stopped:
            raise _StoppedError
        self.done += positions
        self._tell()

    def _hear(self, ply: int, move: AnnotatedMove) -> None:
        facts = move_facts(move, self._mainline[ply])
        known = {key: value for key, value in facts.items() if value}
        self.fresh.put((self.nodes[ply + 1], _shown(known)))

    def _keep(self, game: AnnotatedGame) -> None:
        tree = game_tree(game)
        records = tree["nodes"][: len(self.nodes)]  # the main line comes first
        self.files["graph.svg"] = tree["graph"].encode()
        self.summary = [
            {
                "accuracy": round(game.accuracy[color], 1) if color in game.accuracy else None,
                "judgements": dict(game.count(color)),
            }
            for color in (chess.WHITE, chess.BLACK)
        ]
        self.facts = [_shown(record) for record in records]
        for before, record, facts in zip(records, records[1:], self.facts[1:], strict=False):
            exercise, line = record.get("exercise"), before.get("line")
            if exercise and line:
                facts["exercise"] = {"good": list(exercise["good"]), "best": line[0]}

    def _complain(self, failure: Failure) -> None:
        self.failure = f"{failure.place}: {failure.message}".removeprefix(": ")


def _shown(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: record[key] for key in _SHOWN if key in record}


class _Progress(AbstractContextManager["_Progress"]):
    """Passes on the progress of a run."""

    def __init__(self, advance: Callable[[int], None]) -> None:
        self._advance = advance

    def __exit__(self, *exception: object) -> None:
        pass

    def advance(self, number: int = 1, note: str = "") -> None:
        """Report that `number` more positions are done."""
        self._advance(number)

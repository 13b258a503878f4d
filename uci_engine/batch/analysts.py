"""Analysts: Halbzug, or any other UCI engine, behind one interface.

An analyst analyses one position after another and reports while it searches. Pools use processes
that take many positions at a time (`analyst_process.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..base.events import BestMove, Event, Info
from ..base.limits import Limits
from ..base.scores import EXACT_BOUND, LOWER_BOUND, MATE, UPPER_BOUND
from ..client import PATIENCE_SECONDS
from ..client.engine_command import parse_engine
from .findings import Finding, Listener
from .positions import Subject

if TYPE_CHECKING:
    import chess.engine

#: Attempts at a position before Halbzug counts as failed.
ATTEMPTS = 3

Hear = Callable[[Event], None]


class AnalystError(Exception):
    """Why an engine failed on a position, in one line. Its process can no longer be used."""


class StartError(AnalystError):
    """Why no engine could be started, in one line."""


@dataclass(frozen=True)
class Setup:
    """Which engine analyses, and how; it is also sent to other machines."""

    limits: Limits
    multi_pv: int = 1
    hash_mb: int = 64
    command: str = ""  # another engine: `COMMAND ARGS; Option=Value; ...`
    #: how long another engine without a time limit may go without a new line, in seconds
    patience_seconds: float = PATIENCE_SECONDS
    confirm: int | None = None  # plies for which a right answer must persist; None: no early end

    def start(self) -> Analyst:
        """Start the engine.

        :raises StartError: if it does not start.
        """
        return UciAnalyst(self) if self.command else HalbzugAnalyst(self)


class Analyst(Protocol):
    """An engine that is asked about one position after another, in one thread."""

    def analyse(self, subject: Subject, hear: Hear | None = None) -> Finding:
        """Search a position.

        :param hear: called with each event of the search as it arrives.
        :raises AnalystError: if the engine fails.
        """

    def forget(self) -> None:
        """Forget all earlier searches, so that they do not affect the next ones."""

    def close(self) -> None:
        """Stop the engine."""


class HalbzugAnalyst:
    """Halbzug itself, driven without UCI."""

    def __init__(self, setup: Setup) -> None:
        from ..engine.engine import Engine

        self._setup = setup
        self._is_fresh = True
        self._engine = Engine()
        self._engine.configure(hash_mb=setup.hash_mb, multi_pv=setup.multi_pv, is_analysing=True)
        # The start of a new process does not count as thinking time.
        while not self._engine.is_ready:
            self._engine.handle_next()
        self._check()

    def analyse(self, subject: Subject, hear: Hear | None = None) -> Finding:
        """See `Analyst`.

        On a busy machine, the engine may guess a move because its search process has not reported
        anything. That saves a game on the clock, but counts as a failure here.
        """
        self._is_fresh = False
        for _ in range(ATTEMPTS):
            finding = self._search(subject, hear)
            if finding.lines or finding.best.move is None:
                return finding
        self._check()
        raise AnalystError(f"the search process said nothing in {ATTEMPTS} attempts")

    def forget(self) -> None:
        """See `Analyst`."""
        if not self._is_fresh:
            self._engine.new_game()
            self._is_fresh = True

    def close(self) -> None:
        """See `Analyst`."""
        self._engine.close()

    def _search(self, subject: Subject, hear: Hear | None) -> Finding:
        engine = self._engine
        listener = Listener(subject, self._setup.confirm)
        answers: list[BestMove] = []

        def listen(event: Event) -> None:
            if isinstance(event, Info):
                if event.depth or not event.pv:
                    listener.hear(event)
            elif isinstance(event, BestMove):
                answers.append(event)
            if hear:
                hear(event)

        engine.emit = listen
        engine.configure(chess960=subject.board.chess960)
        engine.set_position(subject.root_fen, subject.moves)
        engine.go(self._setup.limits)
        is_stopped = False
        while engine.requests.is_searching:
            if not is_stopped and listener.is_confirmed:
                is_stopped = True
                engine.requests.stop()
            else:
                engine.handle_next()
        return listener.conclude(answers[-1])

    def _check(self) -> None:
        """Make sure that a search process has started.

        :raises StartError: if none has.
        """
        if self._engine.worker_pid is None:
            raise StartError("Halbzug cannot start its search process")


class UciAnalyst:
    """Another engine, run through the UCI client."""

    def __init__(self, setup: Setup) -> None:
        from ..client.blocking import BlockingClient
        from ..client.engine_errors import UciError

        self._setup = setup
        self._game = object()
        try:
            command = parse_engine(setup.command)
            program = command.program
        except ValueError as error:
            raise StartError(str(error)) from None
        name = command.words[0]
        hash_mb = {"Hash": str(setup.hash_mb)}
        try:
            self._client = BlockingClient(name, program, command.settings, hash_mb)
        except UciError as error:
            raise StartError(str(error)) from None
        for mistake in self._client.take_mistakes():
            self._client.close()
            raise StartError(mistake.text)
        if setup.multi_pv > 1 and "MultiPV" not in self._client.options:
            self._client.close()
            raise StartError(f"{name} does not have the option MultiPV for more lines than one")

    def analyse(self, subject: Subject, hear: Hear | None = None) -> Finding:
        """See `Analyst`."""
        from ..client.engine_errors import UciError

        listener = Listener(subject, self._setup.confirm)

        def listen(said: chess.engine.InfoDict) -> bool:
            info = info_of(said)
            if info is None:
                return False
            listener.hear(info)
            if hear:
                hear(info)
            return listener.is_confirmed

        try:
            answer = self._client.analyse(
                subject.board,
                _limit(self._setup.limits),
                multipv=self._setup.multi_pv,
                game=self._game,
                hear=listen,
                patience_seconds=self._setup.patience_seconds,
            )
        except UciError as error:
            raise AnalystError(str(error)) from None
        best = BestMove(
            answer.move.uci() if answer.move else None,
            answer.ponder.uci() if answer.ponder else None,
        )
        return listener.conclude(best, tuple(self._client.take_mistakes()))

    def forget(self) -> None:
        """See `Analyst`."""
        self._game = object()

    def close(self) -> None:
        """See `Analyst`."""
        self._client.close()


def _limit(limits: Limits) -> chess.engine.Limit:
    import chess.engine

    seconds = None if limits.move_time_ms is None else limits.move_time_ms / 1000
    return chess.engine.Limit(time=seconds, depth=limits.depth, nodes=limits.nodes)


def info_of(said: chess.engine.InfoDict) -> Info | None:
    """An engine's line as our `Info`; None if it has no score."""
    if "score" not in said:
        return None
    relative = said["score"].relative
    mate = relative.mate()
    if mate is None:
        score = relative.score() or 0
    else:
        score = MATE - (2 * mate - 1) if mate > 0 else -MATE - 2 * mate
    bound = EXACT_BOUND
    if said.get("lowerbound"):
        bound = LOWER_BOUND
    elif said.get("upperbound"):
        bound = UPPER_BOUND
    return Info(
        said.get("depth", 0),
        said.get("seldepth", said.get("depth", 0)),
        said.get("multipv", 1),
        score,
        bound,
        said.get("nodes", 0),
        round(said.get("time", 0.0) * 1000),
        said.get("hashfull", 0),
        tuple(move.uci() for move in said.get("pv", ())),
    )

"""Why the move that led to the shown position is bad, as in `halbzug explain move`."""

from __future__ import annotations

import threading

import chess
from chess.engine import EngineTerminatedError, SimpleEngine

from ..api.engine import Engine
from ..base.language import speaking
from ..explain.experiment_report import move_notes
from ..games.reason_search import reason_of


class ReasonSearch:
    """One search for the reason, with an engine that lives as long as the search.

    :param board: the position before the move.
    :param move: a legal move.
    """

    def __init__(self, board: chess.Board, move: chess.Move) -> None:
        self._board = board
        self._move = move
        self._lock = threading.Lock()
        self._engine: SimpleEngine | None = None
        self._is_stopped = False

    def run(self) -> list[str]:
        """The explanation as paragraphs; blocks for several seconds, so call it in a thread.

        :raises ValueError: if the position is impossible.
        :raises chess.engine.EngineError: if the engine fails, or the search was stopped.
        :raises OSError: if the engine cannot be started.
        :raises asyncio.TimeoutError: if it does not answer.
        """
        with Engine() as engine:
            with self._lock:
                if self._is_stopped:
                    raise EngineTerminatedError("stopped")
                self._engine = engine
            with speaking("en"):  # as on the page
                return move_notes(reason_of(self._board, self._move, engine=engine))

    def stop(self) -> None:
        """Cancel the search from another thread; `run` soon raises."""
        with self._lock:
            self._is_stopped = True
            if self._engine:
                self._engine.close()

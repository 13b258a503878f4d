"""The child side of `analyst_process`: answers chunks of questions, one position after another.

The main thread works while a second thread reads, so that the end of the input, for instance when
the parent is killed, ends the process at once.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO, NoReturn

from ..base.fault_log import log_fault
from ..client.engine_processes import kill_engines
from ..eval.network_file import DEFAULT_EVALUATION, NetworkError, choose, named
from .analysts import AnalystError, Setup, StartError, UciAnalyst
from .questions import Answer, Later, Run
from .search_analyst import SearchAnalyst
from .second_look import answer_of

#: How often answers are sent, in seconds.
SEND_SECONDS = 0.05

#: The rest of a run, and the question and answer before it.
Part = tuple[Run, Later]


class AnalystChild:
    """Answers questions with one analyst, which is replaced when it fails."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source = source
        self._sink = sink
        self._chunks: queue.SimpleQueue[tuple[list[Part], bool] | bytes] = queue.SimpleQueue()
        self._setup: Setup = pickle.load(source)
        self._analyst: SearchAnalyst | UciAnalyst | None = None

    def run(self) -> None:
        """Answer incoming chunks until the process ends."""
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self._start()
            self._send(None)
            while True:
                chunk = self._chunks.get()
                if isinstance(chunk, bytes):
                    self._work_off_packed(chunk)
                else:
                    self._work_off(*chunk)
        except StartError as error:
            self._send(error)
        except Exception:
            log_fault()
            raise

    def _read(self) -> None:
        with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                self._chunks.put(pickle.load(self._source))
        _leave()

    def _work_off(self, parts: list[Part], sends_each: bool) -> None:
        """Answer a chunk; each message has answers with the numbers of their runs.

        :param sends_each: send each answer at once, so that the parent knows at which position this
            process dies.
        """
        answers: list[tuple[int, Answer]] = []
        sent = time.perf_counter()
        for number, part in enumerate(parts):
            for answer in self._answers(*part):
                answers.append((number, answer))
                now = time.perf_counter()
                if sends_each or now - sent >= SEND_SECONDS:
                    self._send((answers, False))
                    answers, sent = [], now
        self._send((answers, True))

    def _work_off_packed(self, chunk: bytes) -> None:
        """Answer a pickled chunk with a single message, pickled twice as well."""
        answers = [list(self._answers(run)) for run in pickle.loads(chunk)]
        self._send(pickle.dumps(answers, pickle.HIGHEST_PROTOCOL))

    def _answers(self, run: Run, later: Later = None) -> Iterator[Answer]:
        """The answers to a run; after an error, a new analyst continues."""
        self._ready().forget()
        for question in run:
            analyst = self._ready()
            try:
                if isinstance(analyst, SearchAnalyst):
                    finding = answer_of(analyst, question, later)
                else:
                    finding = analyst.analyse(question.subject())
            except StartError:
                raise
            except AnalystError as error:
                analyst.close()
                self._analyst = later = None
                yield AnalystError(str(error))
            else:
                later = question, finding
                yield finding

    def _ready(self) -> SearchAnalyst | UciAnalyst:
        return self._analyst or self._start()

    def _start(self) -> SearchAnalyst | UciAnalyst:
        setup = self._setup
        with suppress(NetworkError):  # as the engine does, which reports it
            choose(named(DEFAULT_EVALUATION))
        self._analyst = UciAnalyst(setup) if setup.command else SearchAnalyst(setup, self._send)
        return self._analyst

    def _send(self, message: object) -> None:
        try:
            pickle.dump(message, self._sink, pickle.HIGHEST_PROTOCOL)
            self._sink.flush()
        except OSError:
            _leave()


def main() -> None:
    """Run until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent
    sink = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr  # nothing else may write to the pipe
    AnalystChild(sys.stdin.buffer, sink).run()
    _leave()


def _leave() -> NoReturn:
    """End this process at once, and before it its engine, even if that is starting or hangs."""
    kill_engines()
    os._exit(0)

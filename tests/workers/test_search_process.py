"""The child side alone, as a process that is spoken to in pickles."""

from __future__ import annotations

import pickle
import subprocess
import sys

import chess

from halbzug.base.limits import Limits
from halbzug.workers.messages import Job, Ready, SetHash, Stop

#: Handing over a task lets the other thread run first, as a busy machine does now and then.
_LATE_LISTENER = """
import queue, time
from halbzug.workers import search_process

class Queue(queue.Queue):
    def put(self, task):
        super().put(task)
        time.sleep(0.2)

search_process.queue.SimpleQueue = Queue
search_process.main("", None)
"""


def test_a_job_can_be_stopped_however_late_the_listener_runs_on() -> None:
    job = Job(
        1, "search", chess.STARTING_FEN, (), False, Limits(infinite=True), None, 1, True, None
    )
    with subprocess.Popen(
        [sys.executable, "-c", _LATE_LISTENER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    ) as process:
        assert process.stdin
        assert process.stdout
        reports = open(process.stdout.fileno(), "rb", closefd=False)  # noqa: SIM115
        try:
            process.stdin.write(pickle.dumps(SetHash(2)))
            assert pickle.load(reports) == (0, Ready(1))
            process.stdin.write(pickle.dumps(job))
            pickle.load(reports)  # the first line: the search has begun
            process.stdin.write(pickle.dumps(Stop(1)))
            while pickle.load(reports) != (0, Ready(1)):
                pass
        finally:
            process.kill()

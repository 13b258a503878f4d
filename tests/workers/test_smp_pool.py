"""How reports of helpers are used: whether all are ready, and when a job is over."""

from __future__ import annotations

import queue
from dataclasses import dataclass
from typing import Any, cast

import chess
import pytest

from halbzug.base.events import BestMove, Info
from halbzug.base.limits import Limits
from halbzug.base.scores import EXACT_BOUND
from halbzug.workers.messages import Job, Ready, SetTablebases
from halbzug.workers.smp_pool import Helpers, _Helper
from halbzug.workers.worker import Worker, WorkerProgram, WorkerReport

pytestmark = pytest.mark.any_build


@dataclass
class IdleWorker:
    """Accepts every message, and does nothing."""

    settings_sent: int = 0

    def send(self, message: object, memory: object = ()) -> None:
        if isinstance(message, SetTablebases):
            self.settings_sent += 1


class Pool:
    """Two helpers without processes."""

    def __init__(self) -> None:
        tablebases = SetTablebases("", 1, 7, True)
        inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.helpers = Helpers(inbox, print, 1, tablebases, WorkerProgram())
        self.workers = [cast(Worker, IdleWorker()) for _ in range(2)]
        self.helpers._helpers = [
            _Helper(slot, worker) for slot, worker in enumerate(self.workers, 1)
        ]
        self.helpers._wanted = (2, 1)
        self.helpers.open_tablebases(tablebases)

    def start(self, number: int, multi_pv: int = 1) -> None:
        limits, fen = Limits(depth=9), chess.STARTING_FEN
        job = Job(
            number=number, kind="search", fen=fen, moves=(), chess960=False, limits=limits,
            move_time=None, multi_pv=multi_pv, is_analysis=False, handicap=None,
        )  # fmt: skip
        self.helpers._shared_counters.begin(number)
        self.helpers.start_job(job)

    def hear(self, which: int, number: int, event: object) -> None:
        self.helpers.handle(WorkerReport(self.workers[which], number, cast(Any, event)))

    @property
    def is_over(self) -> bool:
        return self.helpers._shared_counters.is_over


def test_all_are_ready_once_each_has_applied_its_last_setting() -> None:
    pool = Pool()
    pool.helpers.open_tablebases(SetTablebases("x", 1, 7, True))
    assert not pool.helpers.are_ready and pool.helpers.due
    for which, done in ((0, 2), (1, 1), (0, 2)):
        pool.hear(which, 0, Ready(done))
        assert not pool.helpers.are_ready
    pool.hear(1, 0, Ready(2))
    assert pool.helpers.are_ready and pool.helpers.due is None


def test_the_first_helper_that_finishes_a_job_ends_it_for_all() -> None:
    pool = Pool()
    pool.start(7)
    pool.hear(0, 6, BestMove("e2e4"))  # a late report about the previous job
    assert not pool.is_over
    pool.hear(1, 7, BestMove("d2d4"))
    assert pool.is_over


def test_several_lines_come_from_the_main_worker() -> None:
    pool = Pool()
    pool.start(7, multi_pv=2)
    pool.hear(0, 7, BestMove("e2e4"))
    assert not pool.is_over


def test_only_finished_lines_of_this_job_take_part_in_the_vote() -> None:
    def line(move: str, multi_pv: int = 1, bound: int = EXACT_BOUND) -> Info:
        return Info(5, 5, multi_pv, 20, bound, 100, 1, 0, (move,) if move else ())

    pool = Pool()
    pool.start(7)
    for number, info in ((6, line("a2a3")), (7, line("b2b3", 2)), (7, line(""))):
        pool.hear(0, number, info)
    pool.hear(0, 7, line("c2c3", bound=EXACT_BOUND + 1))
    assert pool.helpers.lines(7) == []
    pool.hear(0, 7, line("e2e4"))
    pool.hear(1, 7, line("d2d4"))
    assert pool.helpers.lines(7) == [line("e2e4"), line("d2d4")]
    assert pool.helpers.lines(6) == []
    pool.start(8)
    assert pool.helpers.lines(8) == []

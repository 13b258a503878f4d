"""How the workers of a search exchange counts and agree on a move."""

from __future__ import annotations

import pytest

from halbzug.base.events import Info
from halbzug.base.scores import EXACT_BOUND, MATE
from halbzug.search.smp_counters import COUNTERS_BYTES, MAX_THREADS, SharedCounters
from halbzug.workers.vote import elect


def counters_of(size: int, job: int = 1) -> list[SharedCounters]:
    """The counters of all workers of a search in progress."""
    words = memoryview(bytearray(COUNTERS_BYTES)).cast("Q")
    members = [SharedCounters(words, slot, size) for slot in range(size)]
    for member in members:
        member.begin(job)
    return members


def line(move: str, score: int, depth: int) -> Info:
    return Info(depth, depth, 1, score, EXACT_BOUND, 1000, 10, 0, (move,))


# -- the counters ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 5, MAX_THREADS])
def test_counters_add_up(size: int) -> None:
    members = counters_of(size)
    for slot, member in enumerate(members):
        member.publish(1000 + slot, slot)
    for slot, member in enumerate(members):
        assert member.total_nodes(1000 + slot) == sum(range(1000, 1000 + size))
        assert member.total_hits(slot) == sum(range(size))


def test_a_worker_still_at_an_old_job_does_not_count_for_the_new_one() -> None:
    main, late, helper = counters_of(3)
    late.publish(500, 5)
    main.begin(2)
    helper.begin(2)
    helper.publish(20, 2)
    late.publish(600, 6)
    assert main.total_nodes(1) == 21
    assert main.total_hits(1) == 3
    late.begin(2)
    assert main.total_nodes(1) == 21


def test_the_counts_of_a_worker_that_has_exited_remain() -> None:
    words = memoryview(bytearray(COUNTERS_BYTES)).cast("Q")
    main, first = (SharedCounters(words, slot, 2) for slot in range(2))
    main.begin(7)
    first.begin(7)
    first.publish(300, 3)
    second = SharedCounters(words, 1, 2)
    second.begin(7)
    assert main.total_nodes(10) == 310
    second.publish(50, 0)
    assert main.total_nodes(10) == 360
    assert second.total_nodes(60) == 360


def test_a_job_is_over_for_all_and_the_next_one_is_not() -> None:
    main, helper = counters_of(2, job=3)
    assert not helper.is_over
    main.end(3)
    main.end(2)  # a late message
    assert helper.is_over and main.is_over
    helper.begin(4)
    assert not helper.is_over


def test_the_main_worker_skips_no_depth_and_helpers_stay_ahead_of_it() -> None:
    main, first, second = counters_of(3)
    assert not any(main.skips(depth) for depth in range(1, 8))  # it is at depth 7 now
    assert [depth for depth in range(1, 12) if not first.skips(depth)] == [9, 10, 11]
    assert [depth for depth in range(1, 12) if not second.skips(depth)] == [8, 9, 10, 11]
    main.begin(2)
    first.begin(2)
    assert not first.skips(2)


# -- the vote --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "move"),
    [
        ([line("e2e4", 30, 12)], "e2e4"),
        ([line("e2e4", 30, 12), line("d2d4", 30, 12)], "e2e4"),  # the first of equals
        ([line("e2e4", 30, 12), line("d2d4", 30, 13)], "d2d4"),  # deeper
        ([line("e2e4", 60, 12), line("d2d4", 30, 13)], "e2e4"),  # much better
        ([line("e2e4", 30, 12), line("d2d4", 30, 12), line("d2d4", 31, 12)], "d2d4"),  # two
        ([line("e2e4", 30, 12), line("d2d4", 90, 4)], "e2e4"),  # too far behind to judge
        ([line("e2e4", 30, 3), line("d2d4", 20, 12)], "d2d4"),
        ([line("e2e4", MATE - 5, 9), line("d2d4", 300, 20)], "e2e4"),
        ([line("e2e4", 500, 12), line("d2d4", MATE - 9, 11)], "d2d4"),
        ([line("e2e4", MATE - 5, 12), line("d2d4", MATE - 9, 13)], "e2e4"),  # the shorter mate
        ([line("e2e4", 9 - MATE, 12), line("d2d4", 15 - MATE, 12)], "d2d4"),  # resists longer
        ([line("e2e4", -50, 12), line("d2d4", 9 - MATE, 14)], "e2e4"),
    ],
)
def test_the_vote(lines: list[Info], move: str) -> None:
    assert elect(lines).pv == (move,)

"""The clock: no deadline exceeds the remaining time, whatever the GUI sends."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from halbzug.base.limits import Limits
from halbzug.search.parameters import OVERRUN
from halbzug.search.time_management import MOVE_COST_MS, Clock, MoveTime, allot

sane_times = st.integers(1, 10_000_000)
any_times = st.one_of(sane_times, st.integers(-(10**9), 10**12), st.sampled_from((0, -1, 1)))
increments = st.one_of(st.integers(0, 60_000), st.integers(-(10**9), 10**12))
moves_to_go = st.one_of(st.none(), st.integers(-2, 80), st.integers(-(10**6), 10**6))
overheads = st.integers(0, 5000)


def limits_of(white: bool, time_left, increment=0, to_go=None, move_time=None) -> Limits:
    """Limits with this clock for one side and none for the other."""
    side = "white" if white else "black"
    return Limits(
        **{f"{side}_time_ms": time_left, f"{side}_increment_ms": increment},
        moves_to_go=to_go,
        move_time_ms=move_time,
    )


@given(st.booleans(), any_times, increments, moves_to_go, overheads, st.booleans())
@example(True, 0, 0, None, 0, False)
@example(True, -5000, 10**12, 0, 10, True)
@example(False, 1, 60_000, 1, 5000, True)
def test_deadlines_stay_within_the_remaining_time(
    white, time_left, increment, to_go, overhead, can_ponder
):
    allotted = allot(limits_of(white, time_left, increment, to_go), white, overhead, can_ponder)
    assert allotted is not None
    maximum = time_left - min(overhead, max(time_left, 0) / 3)
    assert 0 < allotted.optimum_ms <= allotted.maximum_ms <= max(maximum, 1)


@given(st.booleans(), any_times, overheads)
@example(True, 20, 30)
def test_move_time_is_used_except_for_the_overhead_of_at_most_a_third(white, move_time, overhead):
    allotted = allot(Limits(move_time_ms=move_time), white, overhead)
    assert allotted.is_exact and allotted.optimum_ms == allotted.maximum_ms
    assert allotted.maximum_ms == pytest.approx(max(move_time - overhead, move_time * 2 / 3, 1))


@given(st.booleans(), st.integers(3, 10_000), overheads, increments)
def test_the_last_move_of_a_period_gets_its_share_whatever_the_overhead(
    white, time_left, overhead, increment
):
    allotted = allot(limits_of(white, time_left, increment, 1), white, overhead)
    assert allotted.maximum_ms >= 0.2 * time_left


def test_an_exact_time_is_used_however_settled_the_search_is():
    exact, about = MoveTime(1e7, 1e7, is_exact=True), MoveTime(1e7, 1e7)
    assert Clock(about, elapsed_ms=6e6).is_optimum_over(0.5)
    assert not Clock(exact, elapsed_ms=6e6).is_optimum_over(0.5)
    assert Clock(exact, elapsed_ms=1.1e7).is_optimum_over(0.5)
    assert Clock(exact).is_optimum_over(0)  # a forced move needs no time


@given(st.booleans(), any_times, increments, st.integers(-(10**6), 0), overheads)
def test_zero_moves_to_go_means_the_whole_game(white, time_left, increment, to_go, overhead):
    odd = allot(limits_of(white, time_left, increment, to_go), white, overhead)
    assert odd == allot(limits_of(white, time_left, increment), white, overhead)


@given(st.booleans(), any_times, increments, moves_to_go, any_times, overheads)
def test_the_tighter_of_clock_and_move_time_counts(
    white, time_left, increment, to_go, move_time, overhead
):
    both = allot(limits_of(white, time_left, increment, to_go, move_time), white, overhead)
    clock = allot(limits_of(white, time_left, increment, to_go), white, overhead)
    alone = allot(Limits(move_time_ms=move_time), white, overhead)
    assert both.maximum_ms == min(clock.maximum_ms, alone.maximum_ms)
    assert 0 < both.optimum_ms <= both.maximum_ms


@pytest.mark.parametrize("white", [True, False])
def test_without_a_clock_time_is_unlimited(white):
    for limits in (Limits(), Limits(infinite=True), Limits(depth=5), Limits(nodes=5)):
        assert allot(limits, white, 10) is None


@pytest.mark.parametrize("white", [True, False])
def test_a_single_clock_counts_for_both_sides(white):
    alone = limits_of(not white, 1000, 20)
    assert allot(alone, white, 10) == allot(limits_of(white, 1000, 20), white, 10)


@given(st.booleans(), sane_times, sane_times, st.integers(0, 60_000), moves_to_go, overheads)
def test_more_time_never_means_a_shorter_search(white, one, other, increment, to_go, overhead):
    less, more = (
        allot(limits_of(white, time_left, increment, to_go), white, overhead)
        for time_left in sorted((one, other))
    )
    assert less.optimum_ms <= more.optimum_ms
    assert less.maximum_ms <= more.maximum_ms


@given(sane_times, st.integers(1, 60), st.integers(1, 60))
def test_more_moves_to_go_mean_less_time_for_this_one(time_left, one, other):
    few, many = (
        allot(limits_of(True, time_left, 0, to_go), True, 0) for to_go in sorted((one, other))
    )
    assert many.optimum_ms <= few.optimum_ms
    assert many.maximum_ms <= few.maximum_ms


@given(st.integers(1000, 10_000_000), st.integers(0, 100), st.integers(2, 60))
def test_the_soft_deadline_can_be_kept_for_every_move_of_a_period(time_left, overhead, to_go):
    for number in range(to_go, 0, -1):
        allotted = allot(limits_of(True, time_left, 0, number), True, 0)
        time_left -= allotted.optimum_ms
        assert time_left >= 0


@pytest.mark.parametrize(
    ("time_left", "increment", "overhead"),
    [(1000, 10, 10), (2000, 0, 10), (60_000, 1000, 50), (10_000, 100, 30)],
)
def test_a_long_game_at_the_hard_deadline_never_runs_out_of_time(time_left, increment, overhead):
    """Even if each move takes all of its maximum time and then loses the overhead."""
    left = float(time_left)
    for _ in range(300):
        if left <= 2 * overhead:
            break  # from here only lag can lose; no deadline is shorter than a millisecond
        allotted = allot(limits_of(True, int(left), increment), True, overhead)
        left -= allotted.maximum_ms + overhead
        assert left > -1
        left += increment


@pytest.mark.parametrize(
    ("time_left", "increment"),
    [(1000, 10), (3000, 30), (10_000, 100), (60_000, 600), (180_000, 2000), (500, 1000)],
)
def test_a_long_game_keeps_some_increments_in_reserve(time_left, increment):
    """In the end it lives on increments, and a machine that stalls for a moment must not lose it.

    Each move takes what the plan assumes: the optimum time and part of another iteration.
    """
    left = float(time_left)
    for _ in range(300):
        allotted = allot(limits_of(True, int(left), increment), True, 30)
        left -= min(OVERRUN * allotted.optimum_ms, allotted.maximum_ms) + MOVE_COST_MS
        left += increment
    assert left > 4 * increment


def test_one_second_with_an_increment_leaves_time_to_think():
    allotted = allot(limits_of(True, 60_000, 600), True, 30)
    assert 600 <= allotted.optimum_ms <= 6000
    assert allotted.maximum_ms >= 1.5 * allotted.optimum_ms


def test_an_unlimited_clock_never_stops():
    clock = Clock()
    assert not clock.must_stop()
    assert not clock.is_optimum_over()


def test_stop_is_final():
    for clock in (Clock(), Clock(MoveTime(1e9, 1e9)), Clock(MoveTime(1, 1), pondering=True)):
        assert not clock.must_stop()
        clock.stop()
        assert clock.must_stop()
        clock.ponder_hit()
        assert clock.must_stop()


def test_a_past_deadline_is_over_and_a_distant_one_is_not():
    late = Clock(MoveTime(5, 10))
    time.sleep(0.02)
    assert late.is_optimum_over()
    assert late.must_stop()
    early = Clock(MoveTime(1e7, 1e8))
    assert not early.is_optimum_over()
    assert not early.must_stop()


def test_between_the_deadlines_only_new_iterations_are_barred():
    clock = Clock(MoveTime(1, 1e8))
    time.sleep(0.005)
    assert clock.is_optimum_over()
    assert not clock.must_stop()


def test_time_already_spent_counts_from_the_start():
    clock = Clock(MoveTime(500, 1e8), elapsed_ms=1000)
    assert clock.elapsed_ms() >= 1000
    assert clock.is_optimum_over()


def test_pondering_is_untimed_until_the_ponder_hit():
    clock = Clock(MoveTime(1, 1e8), pondering=True)
    time.sleep(0.005)
    assert not clock.must_stop()
    assert not clock.is_optimum_over()
    clock.ponder_hit()
    assert clock.is_optimum_over()
    assert clock.must_stop()  # the thinking during pondering is enough


def test_at_the_ponder_hit_the_last_iteration_decides_how_much_time_the_move_gets():
    for scale, is_enough in ((0.5, True), (1.5, False), (0.0, True)):
        clock = Clock(MoveTime(1e6, 4e6), pondering=True, elapsed_ms=6e5)
        assert not clock.is_optimum_over(scale)
        clock.ponder_hit()
        assert clock.must_stop() == is_enough


def test_the_hard_deadline_runs_from_the_ponder_hit():
    clock = Clock(MoveTime(10, 10), pondering=True)
    clock.ponder_hit()
    time.sleep(0.02)
    assert clock.must_stop()


def test_elapsed_time_never_runs_backwards():
    clock = Clock()
    readings = [clock.elapsed_ms() for _ in range(1000)]
    assert readings == sorted(readings)
    assert readings[0] >= 0

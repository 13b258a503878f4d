"""The transposition table returns what was stored, adjusted to any ply, and never grows."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import COMPILED

from halbzug.base.scores import EXACT_BOUND, LOWER_BOUND, MATE, MAX_PLY, TB_BOUND, UPPER_BOUND
from halbzug.search.transposition import (
    BUCKET,
    ENTRY_BYTES,
    NO_EVALUATION,
    TranspositionTable,
)

keys = st.integers(0, 2**64 - 1)
codes = st.integers(0, 2**15 - 1)
plain_scores = st.integers(1 - TB_BOUND, TB_BOUND - 1)
evaluations = st.one_of(plain_scores, st.just(NO_EVALUATION))
depths = st.integers(-1, MAX_PLY)
plies = st.integers(0, MAX_PLY)
bounds = st.sampled_from((UPPER_BOUND, LOWER_BOUND, EXACT_BOUND))

#: Entries of a table of 1 MiB.
ENTRIES = 1024 * 1024 // ENTRY_BYTES


@pytest.fixture(scope="module")
def shared_tt() -> TranspositionTable:
    return TranspositionTable(1)


@pytest.fixture
def tt() -> TranspositionTable:
    return TranspositionTable(1)


def found(tt: TranspositionTable) -> tuple[int, int, int, int, int]:
    return (tt.move, tt.score, tt.evaluation, tt.depth, tt.bound)


@given(keys, plies, plies, codes, plain_scores, evaluations, depths, bounds)
def test_what_is_stored_is_found(
    shared_tt, key, ply, other_ply, move, score, evaluation, depth, bound
):
    shared_tt.clear()
    shared_tt.store(key, ply, move, score, evaluation, depth, bound)
    assert shared_tt.probe(key, other_ply)
    assert found(shared_tt) == (move, score, evaluation, depth, bound)


@given(keys, plies, plies, st.integers(0, MAX_PLY), st.booleans())
def test_a_mate_score_is_relative_to_the_position_wherever_it_is_met(
    shared_tt, key, ply, other_ply, distance, winning
):
    """A mate `distance` plies after the position, met `ply` plies from the root."""
    sign = 1 if winning else -1
    if ply + distance > MAX_PLY or other_ply + distance > MAX_PLY:
        return
    shared_tt.clear()
    shared_tt.store(key, ply, 1, sign * (MATE - ply - distance), 0, 5, EXACT_BOUND)
    assert shared_tt.probe(key, other_ply)
    assert shared_tt.score == sign * (MATE - other_ply - distance)


@given(st.lists(st.tuples(keys, codes), max_size=BUCKET, unique_by=lambda pair: pair[0]), keys)
def test_a_foreign_key_is_a_miss(shared_tt, stored, foreign):
    shared_tt.clear()
    for key, move in stored:
        shared_tt.store(key, 0, move, 0, 0, 1, EXACT_BOUND)
    for key, move in stored:
        assert shared_tt.probe(key, 0)
        assert shared_tt.move == move
    assert bool(shared_tt.probe(foreign, 0)) == (foreign in dict(stored))


def test_keys_that_differ_in_one_bit_are_different(tt):
    key = 0x0123456789ABCDEF
    tt.store(key, 0, 77, 0, 0, 1, EXACT_BOUND)
    assert not any(tt.probe(key ^ 1 << bit, 0) for bit in range(64))


def test_an_empty_table_knows_nothing(tt):
    chooser = random.Random(1)
    assert not tt.probe(0, 0)
    assert not any(tt.probe(chooser.getrandbits(64), 0) for _ in range(1000))
    assert tt.hashfull() == 0


@given(keys, codes, codes, plain_scores)
def test_a_newer_result_of_the_same_position_replaces_the_old(shared_tt, key, old, new, score):
    shared_tt.clear()
    shared_tt.store(key, 0, old, 1, 2, 3, LOWER_BOUND)
    shared_tt.store(key, 0, new, score, 5, 6, UPPER_BOUND)
    assert shared_tt.probe(key, 0)
    assert found(shared_tt) == (new or old, score, 5, 6, UPPER_BOUND)


def test_a_result_without_a_move_keeps_the_known_move(tt):
    tt.store(5, 0, 1234, 10, 0, 3, LOWER_BOUND)
    tt.store(5, 0, 0, -10, 0, 4, UPPER_BOUND)
    assert tt.probe(5, 0)
    assert tt.move == 1234


def test_a_shallow_bound_does_not_displace_a_deep_result(tt):
    tt.store(5, 0, 1, 10, 0, 20, EXACT_BOUND)
    tt.store(5, 0, 2, 99, 0, 1, LOWER_BOUND)
    assert tt.probe(5, 0)
    assert (tt.depth, tt.score) == (20, 10)


def flood(tt: TranspositionTable, count: int, seed: int) -> list[int]:
    """Store shallow results of `count` random positions."""
    chooser = random.Random(seed)
    stored = [chooser.getrandbits(64) for _ in range(count)]
    for key in stored:
        tt.store(key, 0, key & 0x7FFF, 0, 0, 1, LOWER_BOUND)
    return stored


def test_it_never_holds_more_entries_than_its_size(tt):
    stored = flood(tt, ENTRIES * 2, seed=2)
    held = 0
    for key in stored:
        if tt.probe(key, 0):
            assert tt.move == key & 0x7FFF
            held += 1
    assert ENTRIES // 2 < held <= ENTRIES
    assert 900 <= tt.hashfull() <= 1000


@pytest.mark.parametrize("megabytes", [1, 2, 3])
def test_a_larger_table_holds_more(megabytes):
    tt = TranspositionTable(megabytes)
    stored = flood(tt, ENTRIES * 3 // 2, seed=3)
    held = sum(bool(tt.probe(key, 0)) for key in stored)
    assert held <= megabytes * ENTRIES
    if megabytes >= 2:
        assert held > ENTRIES


def test_deep_recent_results_survive_a_flood_of_shallow_ones_and_old_ones_give_way(tt):
    deep = [key << 57 | key for key in range(1, 101)]
    for key in deep:
        tt.store(key, 0, 42, 0, 0, 20, EXACT_BOUND)
    flood(tt, ENTRIES * 2, seed=4)
    assert all(tt.probe(key, 0) for key in deep)
    for _ in range(10):
        tt.new_search()
    flood(tt, ENTRIES * 2, seed=5)
    assert sum(bool(tt.probe(key, 0)) for key in deep) < 10


def test_hashfull_grows_with_what_this_search_has_stored(tt):
    shares = [tt.hashfull()]
    for part in range(3):
        flood(tt, ENTRIES // 4, seed=10 + part)
        shares.append(tt.hashfull())
    assert 0 == shares[0] < shares[1] < shares[2] < shares[3] <= 1000
    tt.new_search()
    assert tt.hashfull() == 0


@pytest.mark.parametrize("count", [1000, ENTRIES * 2])
def test_clear_removes_everything(tt, count):
    for seed in (6, 7):  # and again after the first results
        stored = flood(tt, count, seed)
        tt.clear()
        assert not any(tt.probe(key, 0) for key in stored)
        assert tt.hashfull() == 0
    tt.store(stored[0], 0, 7, 8, 9, 10, EXACT_BOUND)
    assert tt.probe(stored[0], 0)


def test_results_of_earlier_searches_are_still_found(tt):
    tt.store(9, 0, 7, 8, 9, 10, EXACT_BOUND)
    for _ in range(200):  # more searches than the age counter distinguishes
        tt.new_search()
        assert tt.probe(9, 0)


def test_unavailable_memory_is_an_error_and_not_a_crash():
    with pytest.raises(MemoryError):
        TranspositionTable(2**40)


@pytest.mark.skipif(not COMPILED, reason="a million stores take a while in pure Python")
def test_a_million_stores_are_consistent(tt):
    for key in flood(tt, 1_000_000, seed=7):
        if tt.probe(key, 0):
            assert tt.move == key & 0x7FFF

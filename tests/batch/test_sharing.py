"""How positions are divided into chunks: order, lost chunks, and how far ahead is read."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

import pytest

from halbzug.base.events import BestMove
from halbzug.batch.analysts import AnalystError
from halbzug.batch.findings import Finding
from halbzug.batch.pool_events import Chunk, Done, Lost, PoolEvent
from halbzug.batch.questions import Question, Run
from halbzug.batch.sharing import MAX_HELD, Entry, Sharing

pytestmark = pytest.mark.any_build


class Workshop:
    """A pool whose analysts answer with the name of the position, and die on some positions."""

    chunk_seconds = 1.0
    size = 3
    wanted = 6

    def __init__(self, seconds_each: float = 0.01, deadly: Iterable[str] = ()) -> None:
        self.seconds_each = seconds_each
        self.deadly = set(deadly)
        self.chunks: dict[int, Chunk] = {}
        self.sizes: list[int] = []
        self.exits = 0
        self.random = random.Random(1)

    def submit(self, number: int, chunk: Chunk) -> None:
        self.chunks[number] = chunk
        self.sizes.append(sum(map(len, chunk)))

    def next_event(self, *, waits: bool) -> PoolEvent | None:
        if not waits or not self.chunks:
            assert not waits, "nothing would ever come"
            return None
        number = self.random.choice(list(self.chunks))
        chunk = self.chunks.pop(number)
        names = [[question.fen for question in run] for run in chunk]
        if any(self.deadly & set(run) for run in names):
            self.exits += 1
            return Lost(number, "they died")
        answers = [[Finding(BestMove(name), ()) for name in run] for run in names]
        return Done(number, answers, self.seconds_each * self.sizes[number - 1])

    def wake(self) -> None:
        raise AssertionError("wake without a waiting thread")

    def close(self) -> None:
        pass


def entries(count: int) -> Iterator[Entry[int]]:
    """Numbers, each with a run that holds one position of the same name."""
    for number in range(count):
        yield number, [(Question(str(number), (), False),)]


def shared(pool: Workshop, count: int, *, in_order: bool = True) -> dict[int, str]:
    """The results in the order in which they are delivered."""
    found = {}
    for number, ((answer,),) in Sharing(pool, entries(count), in_order=in_order):
        assert number not in found
        found[number] = str(answer if isinstance(answer, AnalystError) else answer.best.move)
    return found


def test_answers_come_in_order_or_as_soon_as_they_are_found() -> None:
    ordered = shared(Workshop(), 5000)
    assert list(ordered) == list(range(5000))
    assert all(text == str(number) for number, text in ordered.items())
    unordered = shared(Workshop(), 5000, in_order=False)
    assert unordered == ordered and list(unordered) != list(ordered)


def test_chunks_grow_until_they_take_their_intended_time() -> None:
    for seconds_each, size in ((0.01, 100), (0.1, 10), (5.0, 1)):
        pool = Workshop(seconds_each)
        shared(pool, 2000)
        assert pool.sizes[0] == 1
        assert max(pool.sizes) == pytest.approx(size, rel=0.02)


def test_only_the_position_that_kills_analysts_is_lost() -> None:
    deadly = {"0", "77", "1234", "4999"}
    pool = Workshop(deadly=deadly)
    found = shared(pool, 5000)
    assert len(found) == 5000
    assert {str(number) for number, text in found.items() if text == "they died"} == deadly
    assert pool.exits <= 4 * 4, "a lost chunk is divided, not tried position by position"


def test_runs_stay_whole_and_entries_wait_for_all_their_runs() -> None:
    def games() -> Iterator[Entry[str]]:
        for number in range(40):
            runs: list[Run] = [
                tuple(Question(f"{number}{part}{ply}", (), False) for ply in range(number % 7 + 1))
                for part in "ab"
            ]
            yield f"game {number}", runs
            yield f"no game after {number}", []

    told: dict[str, int] = {}

    def advance(item: str, positions: int) -> None:
        told[item] = told.get(item, 0) + positions

    read = list(Sharing(Workshop(), games(), advance=advance))
    assert len(read) == 80
    for number, (item, answers) in enumerate(read[::2]):
        assert item == f"game {number}"
        assert [len(run) for run in answers] == [number % 7 + 1] * 2
        assert told[item] == 2 * (number % 7 + 1)


def test_every_position_of_a_lost_game_has_an_error() -> None:
    run = [Question(name, (), False) for name in "abc"]
    ((_, (answers,)),) = Sharing(Workshop(deadly="b"), [("game", [run])])
    assert [str(answer) for answer in answers] == ["they died"] * 3


@pytest.mark.slow
@pytest.mark.parametrize("in_order", [True, False])
def test_a_slow_position_blocks_nothing_and_memory_stays_bounded(in_order: bool) -> None:
    """The first position takes longer than all others that may wait for it."""

    class Slow(Workshop):
        def next_event(self, *, waits: bool) -> PoolEvent | None:
            first = self.chunks.pop(1, None) if len(self.chunks) > 1 else None
            event = super().next_event(waits=waits)
            if first:
                self.chunks[1] = first
            return event

    read = given = 0

    def many() -> Iterator[Entry[int]]:
        nonlocal read
        for number, entry in enumerate(entries(3 * MAX_HELD), start=1):
            read = number
            yield entry

    maximum = 0
    for given, _ in enumerate(Sharing(Slow(), many(), in_order=in_order), start=1):
        maximum = max(maximum, read - given)
    assert given == 3 * MAX_HELD
    # Six chunks of a hundred are under way, and as many again are read ahead.
    assert maximum < 1500 + (MAX_HELD if in_order else 0)
    assert not in_order or maximum > MAX_HELD


def test_many_entries_without_positions_are_passed_on_at_once() -> None:
    pool = Workshop()
    assert len(list(Sharing(pool, ((number, []) for number in range(3000))))) == 3000
    assert not pool.sizes

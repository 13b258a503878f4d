"""Searches in other processes: which of them are ended, and what that costs their neighbours."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from halbzug.base.limits import Limits
from halbzug.batch import analyst_process
from halbzug.batch.analyst_process import AnalystProcess
from halbzug.batch.analysts import AnalystError, Setup
from halbzug.batch.findings import Finding
from halbzug.batch.questions import Question
from halbzug.batch.search_watch import Pulse, SearchWatch

pytestmark = pytest.mark.any_build

#: A search of half a second is allowed three times that plus ten seconds.
LIMIT_MS, ALLOWED = 500, 11


def ends_after(pulses: Iterator[Pulse | None]) -> int:
    """The number of seconds until a search that sends these pulses, one a second, is ended."""
    watch = SearchWatch()
    watch.hear(Pulse(LIMIT_MS))
    for second, pulse in zip(range(1, 1001), pulses, strict=False):
        if watch.count_second():
            return second
        if pulse:
            watch.hear(pulse)
    return 0


def pulses(nodes_a_second: int, share: float, since: int = 0) -> Iterator[Pulse | None]:
    """The pulses of a search with this share of a processor, stuck after `since` seconds."""
    second = 0
    while True:
        second += 1
        yield (
            None
            if since and second > since
            else Pulse(LIMIT_MS, nodes_a_second * second, share * second)
        )


def test_a_silent_search_is_ended_after_its_allowance() -> None:
    assert ends_after(iter(lambda: None, 1)) == ALLOWED + 1


def test_a_search_that_ignores_its_clock_is_ended() -> None:
    assert ALLOWED < ends_after(pulses(1_000_000, share=1.0)) <= ALLOWED + 2


def test_on_a_busy_machine_a_search_continues_while_its_node_count_grows() -> None:
    assert ends_after(pulses(1000, share=0.1)) > 9 * ALLOWED, "it has a share of a processor"
    assert 30 < ends_after(pulses(1000, share=0.1, since=30)) <= 42, "it no longer moves"
    assert ends_after(pulses(0, share=0.1)) <= ALLOWED + 1, "it never moved"


def test_each_search_has_its_own_allowance() -> None:
    """In a game with many mistakes, for example: about eight searches for each position."""
    watch = SearchWatch()
    for limit_ms in (500, 1000, 125, 1000) * 50:
        watch.hear(Pulse(limit_ms))
        for _ in range(10):
            assert not watch.count_second()
    watch.hear(Pulse(None))
    for _ in range(1000):
        assert not watch.count_second(), "no search is under way"


# -- real processes -----------------------------------------------------------------------------

#: An analyst that logs what it searches, and does `{act}` in one of the positions.
HOSTILE = """
import os, sys, time
sys.path[:0] = {path!r}
from halbzug.batch import analyst_child
from halbzug.batch.search_analyst import SearchAnalyst
answer = SearchAnalyst._answer
def hostile(self, question, limits):
    with open({log!r}, "a") as log:
        print(question.fen, file=log)
    if question.fen == {bad!r}:
        {act}
    return answer(self, question, limits)
SearchAnalyst._answer = hostile
analyst_child.main()
"""

FENS = [f"{piece}7/8/8/4k3/8/8/8/7K w - - 0 1" for piece in "QRBNq"]


def hostile(
    monkeypatch: pytest.MonkeyPatch, folder: Path, act: str, **limits: int
) -> AnalystProcess:
    """An analyst whose child process misbehaves in the third position."""
    script = HOSTILE.format(path=sys.path, log=str(folder / "log"), bad=FENS[2], act=act)
    command = [sys.executable, "-c", script]
    monkeypatch.setattr(analyst_process, "own_command", lambda module: command)
    return AnalystProcess(Setup(Limits(**limits), hash_mb=1))


@pytest.mark.parametrize(
    "limits", [{"move_time_ms": 20}, pytest.param({"nodes": 200}, marks=pytest.mark.slow)]
)
def test_a_position_that_kills_the_process_costs_only_itself(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, limits: dict[str, int]
) -> None:
    heard = []
    run = [Question(fen, (), False) for fen in FENS]
    with closing(hostile(monkeypatch, tmp_path, "os._exit(3)", **limits)) as process:
        ((*answers,),) = process.work([run], lambda number, count: heard.append(number))
    assert [isinstance(answer, Finding) for answer in answers] == [True, True, False, True, True]
    assert str(answers[2]) == "the search process died 3 times here (ended with exit code 3)"
    if "move_time_ms" in limits:  # finished positions are not searched again
        searched = (tmp_path / "log").read_text().splitlines()
        assert [searched.count(fen) for fen in FENS] == [1, 1, 3, 1, 1]
        assert len(heard) == 5


def test_an_endless_search_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(analyst_process, "_TICK_SECONDS", 0.01)
    monkeypatch.setattr(analyst_process, "ATTEMPTS", 1)
    act = "self._clock(limits, True); time.sleep(1000)"
    with closing(hostile(monkeypatch, tmp_path, act, move_time_ms=500)) as process:
        ((answer,),) = process.work([[Question(FENS[2], (), False)]])
    assert isinstance(answer, AnalystError)
    assert "(a search of 0.5 s had not ended after 12 s)" in str(answer)

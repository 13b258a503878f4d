"""`halbzug.analyse_many`: the results of `analyse`, for any number of boards."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.variant
import pytest
from chess.engine import EngineError

import halbzug

pytestmark = pytest.mark.any_build

MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"


def played_on(moves: int) -> Iterator[chess.Board]:
    """One board on which moves are played, as in a loop over a game."""
    board = chess.Board()
    for number in range(moves):
        board.push(sorted(board.legal_moves, key=chess.Move.uci)[number * 7 % 20])
        yield board


def test_the_results_equal_those_of_single_analyses() -> None:
    boards = [*(board.copy() for board in played_on(6)), chess.Board(MATED)]
    steps: list[tuple[int, int]] = []
    before = children()
    found = list(
        halbzug.analyse_many(
            boards, nodes=300, multipv=2, processes=2, progress=lambda *step: steps.append(step)
        )
    )
    assert children() == before
    assert steps == [(number, 7) for number in range(1, 8)]
    for board, analysis in zip(boards, found, strict=True):
        assert analysis.board == board
        single = halbzug.analyse(board, nodes=300, multipv=2)
        assert [(line.pv, line.score) for line in analysis] == [
            (line.pv, line.score) for line in single
        ]
        assert analysis.wdl == single.wdl
    assert (found[-1].move, found[-1].score.relative) == (None, chess.engine.Mate(-0))


def children() -> set[str]:
    """The IDs of the processes that search for this one."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid() and b"analyst_start" in (folder / "cmdline").read_bytes():
                found.add(folder.name)
        except OSError:
            continue
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_boards_are_read_on_demand_and_the_processes_end_with_the_iterator() -> None:
    read = 0

    def endless() -> Iterator[chess.Board]:
        nonlocal read
        while True:
            for board in played_on(20):
                read += 1
                yield board

    before = children()
    analyses = halbzug.analyse_many(endless(), nodes=1, processes=2)
    assert (read, children()) == (0, before), "nothing happens before the first result is requested"
    boards = [next(analyses).board.ply() for _ in range(30)]
    assert boards == [number % 20 + 1 for number in range(30)], (
        "each board as it was when it was read"
    )
    assert 30 <= read < 20_000
    assert children() - before
    del analyses
    gc.collect()
    assert children() == before


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"nodes": 0}, ValueError, "nodes must be at least 1"),
        ({"processes": 0}, ValueError, "processes must be at least 1"),
        ({"multipv": "2"}, TypeError, "multipv must be a whole number"),
        ({"progress": "yes"}, TypeError, "progress must be"),
        ({"boards": chess.Board()}, TypeError, "an iterable of boards"),
    ],
)
def test_invalid_arguments_are_reported_at_once(
    arguments: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        halbzug.analyse_many(**{"boards": [], **arguments})


NO_KING = "8/8/8/8/8/8/8/K7 w - - 0 1"


@pytest.mark.parametrize(
    ("board", "error", "words"),
    [
        (chess.Board(NO_KING), ValueError, "Black has no king"),
        (chess.variant.AtomicBoard(), ValueError, "must be chess or Chess960, not atomic"),
        (chess.STARTING_FEN, TypeError, "must be a chess.Board, not str"),
    ],
)
def test_an_invalid_board_is_reported_after_the_analyses_before_it(
    board: Any, error: type[Exception], words: str
) -> None:
    found = []
    with pytest.raises(error, match=words) as raised:
        for analysis in halbzug.analyse_many([chess.Board(), chess.Board(), board], nodes=1):
            found.append(analysis)
    assert len(found) == 2
    assert isinstance(raised.value, halbzug.BoardError) and isinstance(raised.value, EngineError)
    assert raised.value.index == 2
    assert raised.value.fen == (board.fen() if isinstance(board, chess.Board) else board)


def test_errors_can_be_returned_among_the_analyses() -> None:
    boards = [chess.Board(), chess.Board(NO_KING), chess.Board(MATED)]
    first, error, last = halbzug.analyse_many(boards, nodes=1, errors="return")
    assert isinstance(first, halbzug.api.shown_results.Analysis) and first.move
    assert isinstance(error, halbzug.BoardError)
    assert (error.index, error.fen) == (1, NO_KING)
    assert isinstance(last, halbzug.api.shown_results.Analysis) and last.move is None
    with pytest.raises(ValueError, match="errors must be"):
        halbzug.analyse_many(boards, nodes=1, errors="skip")  # type: ignore[call-overload]


def test_an_error_in_the_iterable_of_boards_comes_after_the_analyses_before_it() -> None:
    def boards() -> Iterator[chess.Board]:
        yield chess.Board()
        raise KeyError("mine")

    analyses = halbzug.analyse_many(boards(), nodes=1, errors="return")
    assert next(analyses)
    with pytest.raises(KeyError, match="mine"):
        next(analyses)


@pytest.mark.slow
def test_without_a_cluster_an_engine_error_is_raised() -> None:
    pytest.importorskip("distributed", reason="distributed (halbzug[cluster]) is not installed")
    with pytest.raises(EngineError, match="no Dask scheduler"):
        next(halbzug.analyse_many([chess.Board()], nodes=1, dask="tcp://127.0.0.1:9"))

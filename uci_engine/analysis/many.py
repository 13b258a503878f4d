"""`halbzug.analyse_many`: boards in, analyses out, by several processes or a cluster."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sized
from contextlib import closing
from typing import cast

import chess
from chess.engine import EngineError, InfoDict, PovScore, PovWdl, Wdl

from ..api.checks import check_board, check_chess, check_count
from ..api.questions import limit_of
from ..api.results import Analysis, analysis_of
from ..display.progress import Report, check_switch, progress_shown
from ..events import Info
from ..limits import Limits
from ..scores import LOWER_BOUND, UPPER_BOUND, is_mate, mate_in_moves, win_draw_loss
from . import DEFAULT_SECONDS_EACH
from .analysts import AnalystError, Setup, StartError
from .findings import Finding
from .pool import close_at_exit, make_pool
from .positions import Subject
from .questions import question_of
from .sharing import Entry, Sharing

_BOUNDS = {LOWER_BOUND: "lowerbound", UPPER_BOUND: "upperbound"}


def analyse_many(
    boards: Iterable[chess.Board],
    *,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    multipv: int = 1,
    processes: int = 1,
    hash: int = 64,
    dask: str | None = None,
    progress: bool | Report | None = None,
) -> Iterator[Analysis]:
    """Find the best lines of many positions, each as if it were a game of its own.

    The boards are read while they are analysed, a few seconds ahead, and the analyses come in
    their order, so there may be any number of them. The processes end with the iterator, also
    when it is dropped. A board may be changed as soon as the next one is read.

    :param boards: the positions, each with its game on the stack.
    :param time: how long a position is looked at, in seconds; 1 if nothing is said.
    :param depth: how deep a position is searched, in plies.
    :param nodes: how many nodes a position is given; with it the result is always the same.
    :param multipv: how many lines, at most as many as there are moves.
    :param processes: how many search at the same time.
    :param hash: the size of the transposition table of each process, in MiB.
    :param dask: the address of a Dask cluster that is to do it instead, `tcp://10.0.0.1:8786`.
    :param progress: None: shown in a notebook and at a terminal; True: elsewhere as well, as
        lines; False: not at all. A callable is told how many positions are done, and of how many.
        Boards without a length, as those of a generator, have no progress.
    :raises TypeError: if something has the wrong type; for a board, when it is read.
    :raises ValueError: if a position is impossible, or a number out of range.
    :raises chess.engine.EngineError: if no process or cluster is there, or a process dies again
        and again at a position.

    >>> import chess
    >>> boards = [chess.Board(), chess.Board("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1")]
    >>> [analysis.score.white() for analysis in analyse_many(boards, depth=3)][1]
    Mate(+1)
    """
    limit = limit_of(None, time, depth, nodes, DEFAULT_SECONDS_EACH)
    check_count("multipv", multipv, "lines")
    check_count("processes", processes, "processes")
    check_count("hash", hash, "MiB")
    if isinstance(boards, chess.Board):
        raise TypeError("the boards must be an iterable of boards; for one there is `analyse`")
    total = len(boards) if isinstance(boards, Sized) else None
    check_switch(progress)
    milliseconds = None if limit.time is None else max(round(limit.time * 1000), 1)
    limits = Limits(move_time_ms=milliseconds, depth=limit.depth, nodes=limit.nodes)
    setup = Setup(limits, multipv, hash)
    analyses = _analyses(iter(boards), total, setup, processes, dask, progress)
    close_at_exit(analyses)
    return analyses


def _analyses(
    boards: Iterator[chess.Board],
    total: int | None,
    setup: Setup,
    processes: int,
    dask: str | None,
    progress: bool | Report | None,
) -> Generator[Analysis, None, None]:
    try:
        pool = make_pool(setup, processes, dask)
        switch = False if total is None else progress
        with closing(pool), progress_shown(switch, "Analysing", total or 0) as tell:
            sharing = Sharing(pool, _entries(boards))
            for number, (board, ((answer,),)) in enumerate(sharing, start=1):
                if isinstance(answer, AnalystError):
                    raise EngineError(f"board {number}, {board.fen()}: {answer}")
                yield _analysis(board, answer)
                tell(number, total or number)
    except StartError as error:
        raise EngineError(str(error)) from None


def _entries(boards: Iterator[chess.Board]) -> Iterator[Entry[chess.Board]]:
    for board in boards:
        check_board(board)
        check_chess(board)
        copy = board.copy()  # a caller may play on with the same board
        yield copy, [(question_of(Subject("", copy)),)]


def _analysis(board: chess.Board, finding: Finding) -> Analysis:
    return analysis_of(board, [_info_dict(board, line) for line in finding.lines])


def _info_dict(board: chess.Board, line: Info) -> InfoDict:
    """A line as python-chess has it from an engine."""
    mover = board.turn
    info: InfoDict = {
        "depth": line.depth,
        "seldepth": line.selective_depth,
        "multipv": line.multipv,
        "score": PovScore(_score(line.score), mover),
        "wdl": PovWdl(Wdl(*win_draw_loss(line.score)), mover),
        "nodes": line.nodes,
        "nps": line.nodes_per_second,
        "hashfull": line.hashfull,
        "tbhits": line.tablebase_hits,
        "time": line.time_ms / 1000,
        "pv": [board.parse_uci(line.pv[0])] if line.pv else [],
    }
    info["pv"] += map(chess.Move.from_uci, line.pv[1:])
    if line.bound in _BOUNDS:
        cast("dict[str, object]", info)[_BOUNDS[line.bound]] = True  # python-chess does not list it
    return info


def _score(score: int) -> chess.engine.Score:
    return chess.engine.Mate(mate_in_moves(score)) if is_mate(score) else chess.engine.Cp(score)

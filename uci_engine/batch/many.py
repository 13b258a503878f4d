"""`halbzug.analyse_many`: analyses a stream of boards on several processes or a cluster."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence, Sized
from contextlib import closing
from typing import Any, Literal, cast, overload

import chess
from chess.engine import EngineError, InfoDict, PovWdl, Wdl

from ..api.arguments import check_board, check_chess, check_count
from ..api.one_liners import limit_of
from ..api.shown_results import Analysis, BoardError, analysis_of, pov_score
from ..base.events import Info
from ..base.language import say
from ..base.limits import Limits
from ..base.scores import LOWER_BOUND, UPPER_BOUND, win_draw_loss
from ..display.progress import Report, check_switch, progress_shown
from . import DEFAULT_SECONDS_EACH
from .analysts import AnalystError, Setup, StartError
from .pool import close_at_exit, make_pool
from .positions import Subject
from .questions import Answer, question_of
from .sharing import Entry, Sharing

_BOUNDS = {LOWER_BOUND: "lowerbound", UPPER_BOUND: "upperbound"}


@overload
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
    errors: Literal["raise"] = "raise",
) -> Iterator[Analysis]: ...
@overload
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
    errors: Literal["return"],
) -> Iterator[Analysis | BoardError]: ...
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
    errors: Literal["raise", "return"] = "raise",
) -> Iterator[Analysis] | Iterator[Analysis | BoardError]:
    """Find the best lines in many positions, each treated as a separate game.

    Boards are read a few seconds ahead of the analysis, and results come in the same order, so the
    input may be endless. The processes end with the iterator, even if it is dropped. The caller may
    change a board as soon as the next one has been read.

    :param boards: the positions, with their move stacks.
    :param time: search time for each position, in seconds; 1 by default.
    :param depth: search depth for each position, in plies.
    :param nodes: node limit for each position; makes the results reproducible.
    :param multipv: number of lines, limited by the number of legal moves.
    :param processes: number of positions searched in parallel.
    :param hash: size of each process's transposition table, in MiB.
    :param dask: address of a Dask cluster to use instead, such as `tcp://10.0.0.1:8786`.
    :param progress: None shows progress in notebooks and terminals, True also elsewhere, as lines,
        False never; a callable receives the number of positions done and the total. Without a
        length, as for a generator, there is no progress.
    :param errors: how to treat a board that cannot be analysed: "raise" its error after the
        analyses of the boards before it, or "return" the error in its place and continue.
    :raises TypeError: if something has the wrong type.
    :raises ValueError: if a number is out of range.
    :raises halbzug.BoardError: with `index` and `fen`, if an item is not a board, a position is
        impossible, or processes die on it repeatedly.
    :raises chess.engine.EngineError: if no process starts, or the cluster cannot be reached.

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
    if errors not in ("raise", "return"):
        raise ValueError(f'errors must be "raise" or "return", not {errors!r}')
    milliseconds = None if limit.time is None else max(round(limit.time * 1000), 1)
    limits = Limits(move_time_ms=milliseconds, depth=limit.depth, nodes=limit.nodes)
    setup = Setup(limits, multipv, hash)
    found = _analyses(iter(boards), total, setup, processes, dask, progress, errors == "return")
    close_at_exit(found)
    return found


def _analyses(
    boards: Iterator[chess.Board],
    total: int | None,
    setup: Setup,
    processes: int,
    dask: str | None,
    progress: bool | Report | None,
    returns_errors: bool,
) -> Generator[Any, None, None]:
    try:
        pool = make_pool(setup, processes, dask)
        switch = False if total is None else progress
        with closing(pool), progress_shown(switch, say("Analysing"), total or 0) as tell:
            sharing = Sharing(pool, _entries(boards))
            for number, (item, answers) in enumerate(sharing, start=1):
                found = _outcome(number - 1, item, answers)
                if isinstance(found, Exception) and not (
                    returns_errors and isinstance(found, BoardError)
                ):
                    raise found
                yield found
                tell(number, total or number)
    except StartError as error:
        raise EngineError(str(error)) from None


def _entries(boards: Iterator[chess.Board]) -> Iterator[Entry[chess.Board | Exception]]:
    """Each board with its question, or an error that waits for the boards before it."""
    index = 0
    try:
        for board in boards:
            try:
                check_board(board)
                check_chess(board)
            except (TypeError, ValueError) as error:
                yield BoardError(index, board, str(error)), []
            else:
                copy = board.copy()  # the caller may continue playing on the same board
                yield copy, [(question_of(Subject("", copy)),)]
            index += 1
    except Exception as error:  # raised by the caller's iterator
        yield error, []


def _outcome(
    index: int, item: chess.Board | Exception, answers: Sequence[Sequence[Answer]]
) -> Analysis | Exception:
    if isinstance(item, Exception):
        return item
    ((answer,),) = answers
    if isinstance(answer, AnalystError):
        return BoardError(index, item, str(answer))
    return analysis_of(item, [_info_dict(item, line) for line in answer.lines])


def _info_dict(board: chess.Board, line: Info) -> InfoDict:
    """A line in python-chess's form."""
    mover = board.turn
    info: InfoDict = {
        "depth": line.depth,
        "seldepth": line.selective_depth,
        "multipv": line.multipv,
        "score": pov_score(line.score, mover),
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
        cast("dict[str, object]", info)[_BOUNDS[line.bound]] = True  # not in python-chess's type
    return info

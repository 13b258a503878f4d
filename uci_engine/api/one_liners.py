"""Functions that need one call: `play`, `analyse`, `perft`.

They share one engine in each process, which is started when it is first needed and ends with the
process. Each call is a separate game: the same call with the same depth or nodes gives the same
answer, whatever came before.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import chess
from chess.engine import INFO_ALL, Limit, SimpleEngine

from ..base.language import say
from ..board import movegen
from ..board.fen import engine_board
from ..board.perft import divide_all, lines_of_two
from ..display.progress import Report, progress_shown
from .arguments import (
    check_board,
    check_chess,
    check_count,
    check_limit,
    check_root_moves,
)
from .engine import Engine
from .long_analysis import analyse_showing
from .shown_results import Analysis, Played, analysis_of

#: How long to think where the caller sets no limit, in seconds.
DEFAULT_SECONDS = 1.0


class _Shared:
    """The engine that all calls in a process share, one call at a time."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._engine: Engine | None = None

    @contextmanager
    def taken(self) -> Iterator[Engine]:
        """The engine for one call; a new one if it has ended."""
        with self._lock:
            if self._engine is None or self._engine.returncode.done():
                self._engine = Engine()
            yield self._engine


_shared = _Shared()


def _start_anew() -> None:
    """In a forked child: the engine, and perhaps the lock, belong to the parent."""
    global _shared
    _shared = _Shared()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)


@contextmanager
def engine_for(engine: SimpleEngine | None) -> Iterator[SimpleEngine]:
    """The given engine, or the shared one; other threads wait for ours meanwhile."""
    if engine is None:
        with _shared.taken() as shared:
            yield shared
    elif isinstance(engine, Engine):
        with engine.taken():
            yield engine
    else:
        yield engine


def limit_of(
    limit: Limit | None,
    time: float | None,
    depth: int | None,
    nodes: int | None,
    default_seconds: float = DEFAULT_SECONDS,
) -> Limit:
    """The limit of a search, given whole or in parts; `default_seconds` if there is none.

    :raises TypeError: if both are given, or one has the wrong type.
    :raises ValueError: if a number is out of range, or the limit is empty.
    """
    if limit is None:
        if time is None and depth is None and nodes is None:
            time = default_seconds
        limit = Limit(time=time, depth=depth, nodes=nodes)
    elif not (time is depth is nodes is None):
        raise TypeError("give a limit, or time, depth and nodes, but not both")
    check_limit(limit)
    return limit


def play(
    board: chess.Board,
    limit: Limit | None = None,
    *,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    root_moves: Iterable[chess.Move] | None = None,
    engine: SimpleEngine | None = None,
) -> Played:
    """Find a move to play.

    :param board: the position, with its game on the stack.
    :param limit: a python-chess limit, for clocks and mates; use this or the following parameters.
    :param time: how long to think, in seconds; 1 if there is no limit at all.
    :param depth: how deep to search, in plies.
    :param nodes: how many nodes to search.
    :param root_moves: the moves to choose from; None: all legal moves.
    :param engine: the engine to use instead of the shared one; it may be another program.
    :raises TypeError: if an argument has the wrong type.
    :raises ValueError: if the position is impossible, a root move not legal, or a number out of
        range.
    :returns: the move (None in a finished game), with `Played.san` and `Played.score`.

    >>> import chess
    >>> play(chess.Board("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"), depth=3).san
    'Qg7#'
    """
    check_board(board)
    limit = limit_of(limit, time, depth, nodes)
    root_moves = check_root_moves(board, root_moves)
    with engine_for(engine) as asked:
        result = asked.play(board, limit, game=object(), info=INFO_ALL, root_moves=root_moves)
    return Played(board.copy(), result)


def analyse(
    board: chess.Board,
    limit: Limit | None = None,
    *,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    multipv: int = 1,
    root_moves: Iterable[chess.Move] | None = None,
    engine: SimpleEngine | None = None,
    progress: bool | Report | None = None,
) -> Analysis:
    """Find the best lines of a position, and their scores.

    :param multipv: how many lines, at most as many as there are moves.
    :param progress: None: a search that takes a while shows its progress in a notebook and in a
        terminal; True: also elsewhere, as lines; False: never. A callable is called with the number
        of seconds, plies or nodes done, and the total.
    :raises chess.engine.EngineError: if the engine reports no score.

    The other parameters and errors are those of `play`.

    >>> import chess
    >>> analyse(chess.Board("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"), depth=3).score.white()
    Mate(+1)
    """
    check_board(board)
    check_count("multipv", multipv, "lines")
    limit = limit_of(limit, time, depth, nodes)
    root_moves = check_root_moves(board, root_moves)
    with engine_for(engine) as asked:
        infos = analyse_showing(progress, asked, board, limit, multipv, root_moves)
    return analysis_of(board.copy(), infos)


def perft(board: chess.Board, depth: int, *, progress: bool | Report | None = None) -> int:
    """Count the leaves of the tree of legal moves.

    :param depth: in plies, at least 0.
    :param progress: as for `analyse`; a callable is called with the number of two-ply lines done,
        and the total.
    :raises TypeError: if the board is not a `chess.Board`, or the depth is not a whole number.
    :raises ValueError: if the position is impossible, or the depth negative.

    Source: https://www.chessprogramming.org/Perft

    >>> import chess
    >>> perft(chess.Board(), 3)
    8902
    """
    check_board(board)
    check_count("depth", depth, "plies", least=0)
    own = own_board(board)
    if depth == 0:
        return 1
    lines = lines_of_two(own, depth)
    with progress_shown(progress, say("Depth {n}", n=depth), lines, may_be_short=True) as tell:
        return sum(leaves for _, leaves in divide_all(own, depth, lambda done: tell(done, lines)))


def own_board(board: chess.Board) -> movegen.Board:
    """The position in the form that the engine's own modules use.

    :raises ValueError: if it belongs to another variant.
    """
    check_chess(board)
    return engine_board(board)

"""Turns each `go` into a request for a search: its job, handicap and book move."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ..base.events import BestMove, Event, Notice, shown
from ..base.limits import Limits
from ..board.movegen import code_from_uci, generate_all, uci
from ..eval.network_file import DEFAULT_EVALUATION, TERMS
from ..search.strength import Handicap, elo_of_skill, handicap_of
from ..search.time_management import allot
from ..workers.messages import Job
from .book import BookChooser
from .game_position import GamePosition
from .options import Options
from .request import Request


class RequestMaker:
    """Makes requests, in one game after another.

    :param emit: emits an event.
    """

    def __init__(
        self, emit: Callable[[Event], None], position: GamePosition, book: BookChooser
    ) -> None:
        self._emit = emit
        self._position = position
        self._book = book
        self._random = Random()
        self._number = 0  # of the last request
        self.new_game()

    def new_game(self) -> None:
        """Use another handicap of the same strength."""
        self._seed = self._random.getrandbits(31)

    def make(self, limits: Limits, kind: str, started: float, options: Options) -> Request:
        """Make the request for a `go` in this position.

        :param kind: "search", "perft" or "bench".
        :param started: when the `go` was received, by `time.perf_counter`.
        """
        refusal = "" if kind == "bench" else self._position.refusal
        moves = () if refusal else self._legal_search_moves(limits.search_moves)
        handicap = self._handicap(limits, options) if kind == "search" else None
        board = self._position.board
        candidates = () if refusal else moves or tuple(map(uci, generate_all(board)))
        book_move = None
        if kind == "search" and not refusal:
            book_move = self._book.choose(board, limits, options, handicap)
        nodes = _node_limit(limits, handicap)
        if (moves, nodes) != (limits.search_moves, limits.nodes):
            limits = limits._replace(search_moves=moves, nodes=nodes)
        return Request(
            job=self._make_job(kind, limits, handicap, options),
            started=started,
            best_move=BestMove(candidates[0] if candidates else None),
            candidates=candidates,
            is_check=board.is_check(),
            is_open_ended=limits.infinite or limits.ponder,
            refusal=refusal,
            book_move=book_move,
        )

    def _make_job(
        self, kind: str, limits: Limits, handicap: Handicap | None, options: Options
    ) -> Job:
        board = self._position.board
        fen, moves = self._position.repeatable_part()
        move_time = None
        if not limits.infinite:
            move_time = allot(limits, board.turn, options.move_overhead_ms, options.can_ponder)
        self._number += 1
        return Job(
            number=self._number,
            kind=kind,
            fen=fen,
            moves=moves,
            chess960=board.chess960,
            limits=limits,
            move_time=move_time,
            multi_pv=options.multi_pv,
            is_analysis=options.is_analysing,
            handicap=handicap,
            # the levels were fitted to the terms
            eval_file=options.eval_file or (TERMS if handicap else DEFAULT_EVALUATION),
        )

    def _legal_search_moves(self, wanted: tuple[str, ...]) -> tuple[str, ...]:
        """The legal moves among `searchmoves`, in the search's notation."""
        legal: dict[str, None] = {}
        illegal: dict[str, None] = {}
        for text in wanted:
            try:
                legal[uci(code_from_uci(self._position.board, text))] = None
            except ValueError:
                illegal[shown(text)] = None
        if illegal:
            some = ", ".join(list(illegal)[:5]) + (", ..." if len(illegal) > 5 else "")
            self._emit(Notice(f"searchmoves: illegal moves ignored: {some}"))
        if wanted and not legal:
            self._emit(Notice("searchmoves: no legal move given, searching all"))
        return tuple(legal)

    def _handicap(self, limits: Limits, options: Options) -> Handicap | None:
        """The handicap of this search; None at full strength."""
        if options.is_analysing or limits.infinite or limits.mate:
            return None
        elo = options.elo if options.limits_strength else elo_of_skill(options.skill_level)
        handicap = handicap_of(elo, self._seed)
        return handicap.facing(self._position.board) if handicap else None


def _node_limit(limits: Limits, handicap: Handicap | None) -> int | None:
    bounds = [] if limits.nodes is None else [max(limits.nodes, 1)]
    if handicap:
        bounds.append(handicap.nodes)
    return min(bounds, default=None)

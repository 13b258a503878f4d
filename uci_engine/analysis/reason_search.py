"""Why a move is bad, with a search for the lines: `halbzug.explain.move`.

The reason is looked for in two searches, and what only one of them finds is not said.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import chess
from chess.engine import Limit, SimpleEngine

from halbzug.analysis.analysts import info_of
from halbzug.analysis.material import is_settled
from halbzug.analysis.move_reason import CONFIRMED, MoveReason, explain_move
from halbzug.analysis.reason_facts import Fact, fact_of
from halbzug.api.checks import check_board, check_chess
from halbzug.api.questions import engine_for, limit_of
from halbzug.scores import MATE, is_mate

#: A line that has not come to rest is searched on from its end, at most so often.
_CONTINUATIONS = 4

#: So many plies show what a line is about; lines from the hash table may be shorter.
_SHORTEST = 6

#: What one search alone finds is taken in so many plies; in the other line it may be later.
_NEAR_CAPTURE = 4

#: What is left of a line is not looked at.
_LONGEST = 24


def reason_of(
    board: chess.Board,
    move: chess.Move,
    limit: Limit | None = None,
    *,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    engine: SimpleEngine | None = None,
) -> MoveReason:
    """Search for the reason why a move is bad.

    :param board: the position before it.
    :param move: a legal move.
    :param limit: what each of the two positions is given at first, and then twice as much;
        otherwise the following.
    :param time: in seconds; 1 if nothing is said.
    :param depth: in plies.
    :param nodes: how many nodes.
    :param engine: ask this one, which may be another program, instead of the shared one.
    :raises TypeError: if something has the wrong type.
    :raises ValueError: if the position is impossible, the move not legal in it, or a number out of
        range.
    """
    check_board(board)
    check_chess(board)
    if not isinstance(move, chess.Move):
        raise TypeError(f"the move must be a chess.Move, not {type(move).__name__}")
    if not board.is_legal(move):
        raise ValueError(f"{move.uci()} is not legal in this position")
    limit = limit_of(limit, time, depth, nodes)
    with engine_for(engine) as asked:
        first = _Found(asked, limit, board, move)
        if not first.strict.is_bad:
            return first.strict
        return _agreed(first, _Found(asked, _doubled(limit), board, move))


def _doubled(limit: Limit) -> Limit:
    """Twice the search; a ply more where only the depth is limited."""
    if limit.nodes:
        return Limit(nodes=2 * limit.nodes, depth=limit.depth)
    if limit.time:
        return Limit(time=2 * limit.time, depth=limit.depth)
    return Limit(depth=limit.depth + 1) if limit.depth else limit


class _Found:
    """What one search finds out about a move."""

    def __init__(
        self, engine: SimpleEngine, limit: Limit, board: chess.Board, move: chess.Move
    ) -> None:
        after = board.copy()
        after.push(move)
        search = _Search(engine, limit)
        # The later position first, so that the engine knows what comes of the move.
        refutation, score_after = search.line(after)
        best_line, score_before = search.line(board)
        if best_line and best_line[0] == move:
            score_before = -score_after
        self._said = (board, move, refutation, best_line, score_before, -score_after)
        self.strict = explain_move(*self._said)

    @property
    def plain(self) -> MoveReason:
        """The lines and the scores without a reason."""
        board, move, refutation, best_line, before, after = self._said
        best = best_line[0] if best_line else None
        return MoveReason(board, move, best, before, after, tuple(refutation), tuple(best_line))

    @cached_property
    def wide(self) -> MoveReason:
        """With reasons further away."""
        return explain_move(*self._said, CONFIRMED)

    def supports(self, reason: MoveReason) -> bool:
        """Whether the refutation begins as that of another search, and takes the same piece."""
        lost, refutation = reason.lost, self._said[2]
        if lost is None or reason.missed or lost.motif is None or not refutation:
            return False
        if lost.motif.capture > _NEAR_CAPTURE:
            return False
        takes = (move.to_square for move in refutation[: CONFIRMED.horizon : 2])
        is_bad = self.strict.is_bad and self.strict.missed is None
        return (
            is_bad and lost.moves[0] == refutation[0] and any(lost.prize == each for each in takes)
        )

    @cached_property
    def fact(self) -> Fact | None:
        """What else the refutation brings about."""
        return fact_of(*self._said)


def _agreed(first: _Found, second: _Found) -> MoveReason:
    """What two searches both say, in the words of the second, deeper one, or the plainer words."""
    plain = second.plain
    if not second.strict.is_bad:
        return plain
    for one, other in ((first.strict, second.strict), (first.wide, second.wide)):
        if other.is_certain and other.agrees(one):
            is_plainer = one.is_plain and not other.is_plain
            is_less = one.is_plain == other.is_plain and one.points < other.points
            return one if is_plainer or is_less else other
    for found, checked in ((second, first), (first, second)):
        if checked.supports(found.wide):
            return found.wide
    if first.strict.is_certain or second.strict.is_certain:
        return plain
    if first.fact and second.fact and second.fact.agrees(first.fact):
        return replace(plain, fact=second.fact)
    return plain


class _Search:
    """Searches lines to their ends."""

    def __init__(self, engine: SimpleEngine, limit: Limit) -> None:
        self._engine = engine
        self._limit = limit
        self._game = object()

    def line(self, board: chess.Board) -> tuple[list[chess.Move], int]:
        """The best line, up to a mate or a position at rest, and the score of the side to move."""
        if board.is_game_over():
            return [], -MATE if board.is_checkmate() else 0
        moves, score = self._look(board)
        for _ in range(_CONTINUATIONS):
            end = board.copy(stack=False)
            for move in moves:
                end.push(move)
            if end.is_game_over() or len(moves) >= _LONGEST:
                break
            if len(moves) >= _SHORTEST and not is_mate(score) and is_settled(end):
                break
            moves += self._look(end)[0]
        return moves, score

    def _look(self, board: chess.Board) -> tuple[list[chess.Move], int]:
        line = info_of(self._engine.analyse(board, self._limit, game=self._game))
        moves = []
        after = board.copy(stack=False)
        for text in line.pv if line else ():
            moves.append(after.parse_uci(text))
            after.push(moves[-1])
        return moves, line.score if line else 0

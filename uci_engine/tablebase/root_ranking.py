"""Ranks the legal root moves by the tables, respecting the fifty-move rule.

It follows Stockfish's `Tablebases::root_probe`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..base.scores import TB_WIN
from ..board.constants import FIFTY_MOVES
from ..board.movegen import Board, MoveCode, Score, generate_all, pop, push
from .wdl import BLESSED_LOSS, CURSED_WIN, DRAW, LOSS, WIN, wdl_score

_BEST_RANK = 1 << 18  # Stockfish's MAX_DTZ
_UNKNOWN_WIN = _BEST_RANK // 2 - 3 * FIFTY_MOVES  # below any known win

#: A function that looks up a position; None if the tables do not know it.
Probe = Callable[[Board], int | None]


class RootRank(NamedTuple):
    """The tables' view of a root move, from the side that makes it."""

    code: MoveCode
    rank: int  # moves with the best rank keep the result; greater is better
    score: Score
    wdl: int
    dtz: int | None  # plies, counted from the root; None if unknown


class RootRanking:
    """The legal moves of a position, and what the tables say about each.

    :param board: with the moves that matter for repetition on its stack.
    :param probe_wdl: looks up win, draw or loss, ignoring the fifty-move clock.
    :param probe_dtz: looks up the distance to zeroing, in plies.
    """

    def __init__(
        self, board: Board, probe_wdl: Probe, probe_dtz: Probe, fifty_move_rule: bool
    ) -> None:
        self._board = board.copy()
        self._probe_wdl = probe_wdl
        self._probe_dtz = probe_dtz
        self._fifty_move_rule = fifty_move_rule
        self.moves = [
            _Successor(self._board, code, fifty_move_rule) for code in generate_all(self._board)
        ]

    def find_values(self, must_stop: Callable[[], bool]) -> bool:
        """Find the WDL value of each move.

        :returns: whether there are moves, and all are known.
        """
        return bool(self.moves) and all(
            self._value(move) and not must_stop() for move in self.moves
        )

    def _value(self, move: _Successor) -> bool:
        """Find a move's WDL value, ignoring the clock; return whether it is known."""
        if move.is_mate or move.is_draw:
            move.wdl = WIN if move.is_mate else DRAW
            return True
        board = self._board
        push(board, move.code)
        wdl = self._probe_wdl(board)
        pop(board)
        move.wdl = -(wdl or DRAW)
        return wdl is not None

    def by_dtz(self, is_late: Callable[[], bool]) -> list[RootRank] | None:
        """Rank by DTZ, which is probed only for the moves with the best WDL value.

        :returns: the best move first; None if the tables do not know.
        """
        board, moves = self._board, self.moves
        best = max(move.wdl for move in moves)
        clock = board.halfmove_clock
        is_repeated = _has_repeated(board)
        goal = 0 if best == DRAW else self._probe_dtz(board)
        if goal is None:
            return None
        has_progress = best < 0  # the losing side makes none
        moves.sort(key=lambda move: (not move.is_mate, not move.is_zeroing))
        for move in moves:
            if move.wdl != best:
                move.rank = _low_rank(move.wdl)
            elif best == DRAW:
                move.dtz = 0
            elif has_progress and is_late():
                move.rank = _UNKNOWN_WIN if best > 0 else -_BEST_RANK
            else:
                dtz = self._dtz_after(move)
                if dtz is None or (dtz > 0) != (best > 0):  # the tables contradict each other
                    return None
                move.set_dtz(dtz)
                move.rank = _rank(move.dtz or 0, clock, is_repeated)
                has_progress = has_progress or (move.dtz or 0) <= goal
        moves.sort(key=lambda move: (-move.rank, move.order))
        return [
            RootRank(move.code, move.rank, self._root_score(move.rank), move.wdl, move.dtz)
            for move in moves
        ]

    def _dtz_after(self, move: _Successor) -> int | None:
        """The DTZ of the position after a move, for the side that makes it."""
        if move.is_mate:
            return 1
        board = self._board
        push(board, move.code)
        dtz = self._probe_dtz(board)
        pop(board)
        return None if dtz is None else -dtz

    def by_wdl(self) -> list[RootRank]:
        """Rank by WDL alone: a winning side should zero the clock, the others should not."""
        moves = self.moves
        moves.sort(key=lambda move: (-move.wdl, move.is_zeroing != (move.wdl > 0)))
        return [
            RootRank(move.code, move.wdl, wdl_score(move.wdl, 0), move.wdl, None) for move in moves
        ]

    def _root_score(self, rank: int) -> Score:
        win = _BEST_RANK // 2 - FIFTY_MOVES if self._fifty_move_rule else 1
        if abs(rank) >= win:
            return TB_WIN if rank > 0 else -TB_WIN
        return CURSED_WIN * ((rank > 0) - (rank < 0))


class _Successor:
    """A legal move at the root, and what is known about it."""

    def __init__(self, board: Board, code: MoveCode, fifty_move_rule: bool) -> None:
        self.code = code
        self.wdl = DRAW
        self.dtz: int | None = None
        self.rank = 0
        self.order = (False, 0, 0)  # within a rank
        push(board, code)
        self.is_mate = board.is_checkmate()
        self.is_zeroing = board.halfmove_clock == 0
        is_late = fifty_move_rule and board.halfmove_clock >= FIFTY_MOVES
        self.is_draw = not self.is_mate and (is_late or board.is_repetition(3))
        pop(board)

    def set_dtz(self, distance: int) -> None:
        """Negate the DTZ after the move, and count it from the root.

        After a zeroing move, it is counted from that move, and orders only such moves.
        """
        sign = 1 if distance > 0 else -1
        if self.is_mate:
            self.dtz = 1
        elif self.is_zeroing:
            self.dtz = sign if abs(self.wdl) == WIN else sign * (FIFTY_MOVES + 1)
        else:
            self.dtz = distance + sign
        progress = self.dtz if sign > 0 else distance
        self.order = (not self.is_mate, progress, distance)


def _rank(dtz: int, clock: int, is_repeated: bool) -> int:
    """Stockfish's rank of a root move; `dtz` is 0 for a draw."""
    plies = abs(dtz) + clock
    if dtz > 0:
        is_safe = plies < FIFTY_MOVES and not is_repeated
        return _BEST_RANK if is_safe else _BEST_RANK // 2 - plies
    if dtz < 0:
        is_hopeless = plies - dtz < FIFTY_MOVES
        return -_BEST_RANK if is_hopeless else -_BEST_RANK // 2 + plies
    return 0


def _low_rank(wdl: int) -> int:
    """The rank of a move with a worse WDL value than the best: below all those, in order."""
    if wdl == LOSS:
        return -_BEST_RANK
    if wdl == BLESSED_LOSS:
        return -_BEST_RANK // 2 + 2 * FIFTY_MOVES
    return wdl  # a cursed win ranks above a draw by repetition


def _has_repeated(board: Board) -> bool:
    """Whether some position occurred twice since the last zeroing move."""
    board = board.copy()
    seen = set()
    while True:
        state = (
            board.turn,
            board.occupied_co[True],
            board.occupied_co[False],
            board.pawns,
            board.knights,
            board.bishops,
            board.rooks,
            board.queens,
            board.kings,
            board.ep_square if board.has_legal_en_passant() else None,
        )
        if state in seen:
            return True
        seen.add(state)
        if not board.move_stack or board.halfmove_clock == 0:
            return False
        pop(board)

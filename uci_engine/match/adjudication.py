"""Adjudicates games: resignation, draws by score, tablebase results, and a limit of length.

The rules are those of cutechess-cli, so that results are comparable.
"""

from __future__ import annotations

from dataclasses import dataclass

import chess
import chess.engine

from ..base.text import counted
from ..board.fen import engine_board
from ..board.game_end import GameEnd, lost
from ..tablebase.probing import Tablebase
from ..tablebase.wdl import LOSS, WIN

#: The value of a mate in centipawns, above any limit.
_MATE = 1_000_000


@dataclass(frozen=True)
class ResignRule:
    """A side loses after `moves` moves in a row with a score of `-centipawns` or less."""

    moves: int
    centipawns: int


@dataclass(frozen=True)
class DrawRule:
    """A draw if both scores stay within a bound for long without a capture or pawn move."""

    first_move: int  # moves that have been made before
    moves: int  # of each side, in a row
    centipawns: int


@dataclass(frozen=True)
class Rules:
    """The rules for ending games early; None means that a rule is off."""

    resign: ResignRule | None = None
    draw: DrawRule | None = None
    longest_game: int = 200  # moves of each side; then it is a draw


class Adjudicator:
    """Follows one game.

    :param tablebase: the tablebase for adjudication, if any.
    """

    def __init__(self, rules: Rules, tablebase: Tablebase | None) -> None:
        self._rules = rules
        self._tablebase = tablebase
        self._hopeless = {chess.WHITE: 0, chess.BLACK: 0}  # moves in a row
        self._level = 0  # moves of both sides in a row
        self._plies = 0

    def verdict(self, board: chess.Board, score: chess.engine.PovScore | None) -> GameEnd | None:
        """Adjudicate a game that is not over by the rules; called once after each move.

        :param board: after the move.
        :param score: the score reported by the side that moved.
        """
        self._plies += 1
        return (
            self._by_tablebase(board)
            or self._by_resignation(not board.turn, score)
            or self._by_agreement(board, score)
            or self._by_length()
        )

    def _by_tablebase(self, board: chess.Board) -> GameEnd | None:
        if not self._tablebase or chess.popcount(board.occupied) > self._tablebase.largest:
            return None
        # The tables are right after a capture or a pawn move; other positions wait for one.
        wdl = self._tablebase.probe_wdl(engine_board(board))
        if wdl is None:
            return None
        if wdl in (WIN, LOSS):
            white_wins = (wdl == WIN) == board.turn
            winner = "White" if white_wins else "Black"
            return _adjudicate("1-0" if white_wins else "0-1", f"{winner} wins by tablebase")
        return _adjudicate("1/2-1/2", "Draw by tablebase")

    def _by_resignation(
        self, mover: chess.Color, score: chess.engine.PovScore | None
    ) -> GameEnd | None:
        rule = self._rules.resign
        if rule is None:
            return None
        is_hopeless = score is not None and _centipawns(score, mover) <= -rule.centipawns
        self._hopeless[mover] = self._hopeless[mover] + 1 if is_hopeless else 0
        if self._hopeless[mover] < rule.moves:
            return None
        return lost(mover, "adjudication", "resigns")

    def _by_agreement(
        self, board: chess.Board, score: chess.engine.PovScore | None
    ) -> GameEnd | None:
        rule = self._rules.draw
        if rule is None:
            return None
        is_level = score is not None and abs(_centipawns(score, board.turn)) <= rule.centipawns
        self._level = self._level + 1 if is_level and board.halfmove_clock else 0
        is_late = board.fullmove_number > rule.first_move
        if not is_late or self._level < 2 * rule.moves:
            return None
        return _adjudicate("1/2-1/2", "Draw by agreement")

    def _by_length(self) -> GameEnd | None:
        if self._plies < 2 * self._rules.longest_game:
            return None
        return _adjudicate(
            "1/2-1/2", f"Draw: no end after {counted(self._rules.longest_game, 'move')}"
        )


def _centipawns(score: chess.engine.PovScore, color: chess.Color) -> int:
    return score.pov(color).score(mate_score=_MATE)


def _adjudicate(result: str, reason: str) -> GameEnd:
    return GameEnd(result, "adjudication", reason)

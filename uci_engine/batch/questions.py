"""Questions to analysts in other processes, and their answers: plain data that is cheap to send."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import chess

from ..board.fen import exact_fen
from ..board.public_board import Board
from .analysts import AnalystError
from .findings import Finding
from .positions import Subject


class Question(NamedTuple):
    """A position to search: a `Subject` without the parts meant for people."""

    fen: str
    moves: tuple[str, ...]  # from that position
    chess960: bool
    best: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    mate: int | None = None
    played: str = ""  # the game's move, if it deserves a second look where it is a mistake

    @property
    def is_problem(self) -> bool:
        """Whether the right answer is known."""
        return bool(self.best or self.avoid or self.mate)

    def subject(self) -> Subject:
        """The same, with a board."""
        board = Board(self.fen, chess960=self.chess960)
        for move in self.moves:
            board.push(chess.Move.from_uci(move))
        best, avoid = (tuple(map(chess.Move.from_uci, own)) for own in (self.best, self.avoid))
        return Subject("", board, best, avoid, self.mate)


#: Positions that one analyst searches in sequence without clearing its hash table in between.
Run = Sequence[Question]

#: What was found in a position, or why nothing was.
Answer = Finding | AnalystError

#: The question before the next one of a run, with its answer; None if there is none.
Later = tuple[Question, Finding] | None


def question_of(subject: Subject, is_of_game: bool = False) -> Question:
    """The question about a position.

    :param is_of_game: whether a bad game move deserves a second look.
    """
    board = subject.board
    if board.move_stack and all(board.move_stack):  # null moves do not occur in games
        fen, moves = subject.root_fen, subject.moves
    else:
        fen, moves = exact_fen(board), ()
    if not subject.is_problem:
        played = board.uci(subject.played) if is_of_game and subject.played else ""
        return Question(fen, moves, board.chess960, played=played)
    best, avoid = (tuple(move.uci() for move in own) for own in (subject.best, subject.avoid))
    return Question(fen, moves, board.chess960, best, avoid, subject.mate)

"""What analysts in other processes are asked and answer: plain data that is cheap to send."""

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
    """A position to search, as `Subject` without what is only for people."""

    fen: str
    moves: tuple[str, ...]  # from there on
    chess960: bool
    best: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    mate: int | None = None
    played: str = ""  # the move of the game, if it is looked at twice where it is a mistake

    @property
    def is_problem(self) -> bool:
        """Whether there is a right answer."""
        return bool(self.best or self.avoid or self.mate)

    def subject(self) -> Subject:
        """The same, with a board."""
        board = Board(self.fen, chess960=self.chess960)
        for move in self.moves:
            board.push(chess.Move.from_uci(move))
        best, avoid = (tuple(map(chess.Move.from_uci, own)) for own in (self.best, self.avoid))
        return Subject("", board, best, avoid, self.mate)


#: Positions that one analyst searches one after another without clearing its hash between them.
Run = Sequence[Question]

#: What was found in a position, or why nothing was.
Answer = Finding | AnalystError

#: The question before the next one of a run, with its answer, where that is known.
Later = tuple[Question, Finding] | None


def question_of(subject: Subject, is_of_game: bool = False) -> Question:
    """The question about a position.

    :param is_of_game: whether its move is looked at twice where it is a mistake.
    """
    board = subject.board
    if board.move_stack and all(board.move_stack):  # a null move is no move of a game
        fen, moves = subject.root_fen, subject.moves
    else:
        fen, moves = exact_fen(board), ()
    if not subject.is_problem:
        played = board.uci(subject.played) if is_of_game and subject.played else ""
        return Question(fen, moves, board.chess960, played=played)
    best, avoid = (tuple(move.uci() for move in own) for own in (subject.best, subject.avoid))
    return Question(fen, moves, board.chess960, best, avoid, subject.mate)

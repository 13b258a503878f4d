"""The opening suite for engine matches: balanced positions from the book's source.

An opening is a variation of the source, cut at its last position within the depth limits that is
balanced according to its recorded score and not in check. No opening continues another one. The
suite is written twice, in the same order: as EPD for programs that start from positions, and as PGN
for programs that play the moves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn

from ..base.whole_file import WriteError, write_whole
from .checker import Scores, boards_of, look_up, source_games
from .opening_book import BookError

#: Minimum and maximum length of an opening, in plies.
MIN_PLIES, MAX_PLIES = 6, 10

#: Maximum absolute score of a balanced position, in centipawns.
MAX_CENTIPAWNS = 40

EVENT = "Halbzug match openings"


@dataclass(frozen=True)
class MatchOpening:
    """One opening."""

    name: str
    eco: str  # of the family
    moves: tuple[chess.Move, ...]
    score: int  # centipawns from the side to move

    @property
    def board(self) -> chess.Board:
        """The position where the engines take over."""
        board = chess.Board()
        for move in self.moves:
            board.push(move)
        return board

    def epd(self) -> str:
        """A line of EPD with counters, name and score as operations."""
        board = self.board
        return board.epd(
            hmvc=board.halfmove_clock, fmvn=board.fullmove_number, id=self.name, ce=self.score
        )

    def game(self, number: int) -> chess.pgn.Game:
        """The moves as a game without a result."""
        game = chess.pgn.Game.from_board(self.board)
        game.headers.update({"Event": EVENT, "Round": str(number), "Result": "*"})
        game.headers.update({"ECO": self.eco, "Opening": self.name})
        return game


def select(
    sources: Iterable[Path], scores: Scores, min_plies: int = MIN_PLIES, max_plies: int = MAX_PLIES
) -> list[MatchOpening]:
    """The balanced openings of a source, in its order.

    :param min_plies: minimum length.
    :param max_plies: maximum length.
    :raises BookError: if there are none, or a position has no score.
    """
    chosen: dict[str, MatchOpening] = {}
    for game in source_games(sources):
        name, eco = game.headers.get("Event", "?"), game.headers.get("ECO", "?")
        for board in boards_of(game):
            epd = board.epd()
            if not min_plies <= board.ply() <= max_plies or epd in chosen or board.is_check():
                continue
            score = look_up(scores, epd)
            if abs(score) <= MAX_CENTIPAWNS:
                chosen[epd] = MatchOpening(name, eco, tuple(board.move_stack), score)
    if not chosen:
        raise BookError(f"no balanced position after {min_plies} to {max_plies} plies")
    passed = _passed_through(chosen.values())
    return [opening for epd, opening in chosen.items() if epd not in passed]


def _passed_through(openings: Iterable[MatchOpening]) -> set[str]:
    """The positions before the last in these openings."""
    passed = set()
    for opening in openings:
        board = chess.Board()
        for move in opening.moves:
            passed.add(board.epd())
            board.push(move)
    return passed


def write(openings: list[MatchOpening], folder: Path) -> None:
    """Write `openings.epd` and `openings.pgn`.

    :raises BookError: if that fails.
    """
    epd = "".join(f"{opening.epd()}\n" for opening in openings)
    pgn = "".join(f"{opening.game(number)}\n\n" for number, opening in enumerate(openings, 1))
    try:
        for path, text in zip(files_in(folder), (epd, pgn), strict=True):
            write_whole(path, text)
    except WriteError as error:
        raise BookError(str(error)) from None


def files_in(folder: Path) -> tuple[Path, Path]:
    """The suite's two files, EPD and PGN."""
    return folder / "openings.epd", folder / "openings.pgn"

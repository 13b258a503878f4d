"""Openings for matches: an EPD or FEN file, a PGN file, or the 960 positions of Chess960.

Only the openings that are played are parsed, because files with a million lines are common.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Sequence
from pathlib import Path

import chess

from .. import books
from ..base.compression import plain_suffix
from ..base.text import open_text
from ..board.epd import read_record
from ..board.games import GameLines, split_games
from ..board.pgn import read_game

#: How PGN begins: with a tag, a comment, a number or a move.
_PGN_START = re.compile(r"\s*(?:[\[{;%]|\d+\s*[.)\s]|\S*[a-h][1-8])")


class Openings:
    """A list of openings, each parsed when it is needed.

    :param sources: for each opening its place (for messages) and its text: EPD, FEN or PGN.
    :param are_games: whether they are PGN.
    :ivar notes: how openings in unusual notation were read, each with its place.
    """

    def __init__(
        self, sources: Sequence[tuple[str, str]], chess960: bool = False, are_games: bool = False
    ) -> None:
        self._sources = sources
        self._chess960 = chess960
        self._are_games = are_games
        self.notes: list[str] = []

    def __len__(self) -> int:
        return len(self._sources)

    @property
    def digest(self) -> str:
        """A digest that identifies the list."""
        text = "\n".join(text for _, text in self._sources)
        return hashlib.sha256(f"{self._chess960}\n{text}".encode()).hexdigest()

    def read(self, index: int) -> chess.Board:
        """The position of an opening, with its moves if known.

        :raises ValueError: in one line with its place, if no game can start from it.
        """
        place, text = self._sources[index]
        try:
            if self._are_games:
                board, notes = _last_position(text, self._chess960)
            else:
                board, _, note = read_record(text, self._chess960)
                notes = [note] if note else []
            if board.is_game_over():
                raise ValueError("the game is over in this position")
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from None
        self.notes += [f"{place}: {note}" for note in notes]
        return board


def read_openings(path: Path, chess960: bool = False) -> Openings:
    """Read a file of openings; PGN is recognised by the file's name or beginning.

    :raises OSError: if it cannot be read.
    :raises ValueError: if it has no openings.
    """
    with open_text(path) as file:
        lines = list(file)
    are_games = is_pgn(path, "".join(lines))
    if are_games:
        games = ["".join(game) for game in split_games(lines)]
        if not any(map(_PGN_START.match, games)):
            raise ValueError(f"{path}: not PGN")
        sources = [(f"{path}, game {n}", game) for n, game in enumerate(games, 1)]
    else:
        sources = [
            (f"{path}, line {number}", line.strip())
            for number, line in enumerate(lines, 1)
            if line.strip() and not line.startswith("#")
        ]
    if not sources:
        raise ValueError(f"{path} contains no positions")
    return Openings(sources, chess960, are_games)


def is_pgn(path: Path, text: str) -> bool:
    """Whether a file of openings is PGN."""
    return plain_suffix(path) == ".pgn" or text.lstrip().startswith("[")


def chess960_openings() -> Openings:
    """The 960 starting positions of Chess960."""
    boards = map(chess.Board.from_chess960_pos, range(960))
    return Openings([(f"position {n}", board.fen()) for n, board in enumerate(boards)], True)


def _last_position(text: str, chess960: bool) -> tuple[chess.Board, list[str]]:
    """The final position of a game, and notes on how it was read.

    :raises ValueError: if it is broken, or another variant.
    """
    lines = GameLines(io.StringIO(text))
    game = read_game(lines)
    if game is None:
        raise ValueError("not PGN")
    board = game.end().board()
    board.chess960 = board.chess960 or chess960
    return board, lines.remarks.notes


def shipped_openings() -> Path:
    """The file of Halbzug's openings for matches."""
    return Path(books.__file__).parent / "openings.epd"

"""Reads what a user gives the board: a FEN, PGN text, or a file of games.

A broken game is shown as far as it can be read, with the first error.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn

from ..base.text import on_one_line, open_text
from ..board.epd import is_position, read_operations, read_record, shorten
from ..board.fen import fen_of
from ..board.games import GameLines, Tags, read_readable, split_games, tags_of
from ..board.pgn import check_start, tag_text

#: Maximum number of games kept from a file or text.
MAX_GAMES = 20_000

#: Maximum number of characters kept from them.
MAX_LENGTH = 1 << 27


@dataclass(frozen=True)
class Opened:
    """A game to show, and its first error in one line; empty if there is none."""

    game: chess.pgn.Game
    warning: str = ""


class ReadGames:
    """The games of a text, each parsed when it is opened.

    :param lines: the lines of the text.
    :raises ValueError: if it has no games.
    :raises OSError: if it cannot be read.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._texts: list[list[str]] = []
        length = 0
        self.is_complete = True
        for game in split_games(lines):
            length += sum(map(len, game))
            if len(self._texts) == MAX_GAMES or length > MAX_LENGTH:
                self.is_complete = False
                break
            self._texts.append(game)
        if not self._texts:
            raise ValueError("there is no game")

    def __len__(self) -> int:
        return len(self._texts)

    def titles(self) -> list[str]:
        """A line for each game, with players, result and date."""
        return [_title(tags_of(text)) for text in self._texts]

    def open(self, index: int) -> Opened:
        """Parse a game.

        :raises ValueError: if there is none with this index, or it is not chess.
        """
        if not 0 <= index < len(self):
            raise ValueError(f"there is no game {index + 1}")
        lines = GameLines(self._texts[index])
        game = read_readable(lines)
        if game is None:
            raise ValueError("there is no game")
        remarks = lines.remarks
        opened = opened_game(game, [*remarks.notes, *remarks.faults])
        if not game.variations and dict(game.headers) == dict(chess.pgn.Game().headers):
            why = f": {remarks.break_off}" if remarks.break_off else ""
            raise ValueError(f"neither a FEN nor a game{why}")
        return opened


def opened_game(game: chess.pgn.Game, remarks: Iterable[str]) -> Opened:
    """A game to show.

    :param remarks: what is wrong with it.
    :raises ValueError: in one line, if it is not chess.
    """
    check_start(game.board())
    words = "; ".join(remarks)
    if words.startswith("breaks off"):
        words = f"the game {words}"
    return Opened(game, shorten(on_one_line(words[:1].upper() + words[1:]), 300))


def event_name(text: str) -> str:
    """An event without the address that lichess appends, such as that of a tournament."""
    return re.sub(r"\s*https?://\S+", "", text)


def _title(tags: Tags) -> str:
    get = tags.get
    players = f"{get('White', '?')} - {get('Black', '?')}"
    event = event_name(get("Event", ""))
    facts = (get("Result", ""), event, get("Date", "").partition(".")[0])
    words = [players, *(fact for fact in facts if fact not in ("", "?", "*", "????"))]
    return tag_text(", ".join(words))[:200]


def read_file(path: Path) -> ReadGames:
    """The games in a file.

    :raises ValueError: if it has none; the message is one line.
    :raises OSError: if it cannot be read.
    """
    with open_text(path) as file:
        return ReadGames(file)


def text_of(data: bytes, longest: int) -> str:
    """Decode a file's bytes, decompressing them if necessary.

    :param longest: maximum number of characters.
    :raises ValueError: if there are more.
    :raises OSError: if they cannot be decompressed.
    """
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        with open_text(file.fileno()) as lines:
            text = lines.read(longest + 1)
    if len(text) > longest:
        raise ValueError(f"longer than {longest} characters")
    return text


def read_text(text: str) -> Opened | ReadGames:
    """Parse a position, or the games of a text.

    :raises ValueError: if it is neither; the message is one line.
    """
    text = text.strip().lstrip("\ufeff")
    if not text:
        raise ValueError("there is nothing to read")
    if text == "startpos" or is_position(text):
        return game_from(text)
    return ReadGames(line + "\n" for line in text.splitlines())


def game_from(fen: str, chess960: bool = False) -> Opened:
    """A game without moves that starts from a position.

    :raises ValueError: if it cannot be read or searched; the message is one line.
    """
    board, rest, note = read_record(fen_of(" ".join(fen.split())), chess960)
    read_operations(board, rest)
    game = chess.pgn.Game()
    if board.fen() != chess.STARTING_FEN or board.chess960:
        game.setup(board)
    return Opened(game, note)

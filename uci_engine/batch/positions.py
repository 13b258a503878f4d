"""Reads positions from a FEN, moves, an EPD or PGN file, or standard input.

Each source becomes a stream of `Subject`s or whole `SourceGame`s. A `Failure` replaces each part
that cannot be read, so that the others are still analysed.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal

import chess
import chess.pgn

from ..base.compression import plain_suffix
from ..base.scores import is_mate, mate_in_moves
from ..base.text import counted, name_text, open_text
from ..board import epd
from ..board.fen import fault_of
from ..board.games import Chooses, GameLines, Mainline
from ..board.notation import last_move_text
from ..board.pgn import read_mainline, read_readable, tag_text
from ..board.public_board import snapshot
from .filters import Selection, rating

#: What to analyse of a game: the game as a whole, each position by itself, or the last one.
GamePart = Literal["game", "all", "last"]

#: What results for a position say about its game: JSON keys, and tags.
SOURCE_TAGS = {
    "site": "Site",
    "white": "White",
    "black": "Black",
    "white_elo": "WhiteElo",
    "black_elo": "BlackElo",
    "result": "Result",
}

_EVERYTHING = Selection()

_MOVE = r"(?:[NBRQK]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=?[nbrqNBRQ])?|[O0]-[O0](?:-[O0])?)[+#]?[!?]*"
_PGN_START = re.compile(rf"\s*(?:\[|\d+\s*\.|[{{;%]|{_MOVE}(?:\s|$))")


@dataclass(frozen=True)
class Subject:
    """A position to analyse."""

    label: str  # shown to people: "line 3", an EPD id, the players; empty: the last move
    board: chess.Board  # with its move stack
    best: tuple[chess.Move, ...] = ()  # EPD bm: one of these is right
    avoid: tuple[chess.Move, ...] = ()  # EPD am: these are wrong
    mate: int | None = None  # EPD dm: a forced mate in this many full moves
    game: int | None = None  # number of its game in a PGN file
    played: chess.Move | None = None  # the move played in that game
    source: Mapping[str, str | int | None] | None = None  # `SOURCE_TAGS` of that game

    @property
    def name(self) -> str:
        """Its name for people: "line 3", an EPD id, the players, or the last move."""
        if self.label or not self.game:
            return self.label
        return last_move_text(self.board) if self.board.move_stack else "before move 1"

    @property
    def root_fen(self) -> str:
        """The position before the first move on the board's stack."""
        return self.board.root().fen(shredder=self.board.chess960, en_passant="fen")

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves so far, in UCI notation."""
        return tuple(move.uci() for move in self.board.move_stack)

    @property
    def is_problem(self) -> bool:
        """Whether the right answer is known."""
        return bool(self.best or self.avoid or self.mate)

    def is_solved_by(self, text: str | None, score: int | None) -> bool:
        """Whether this move with its score is the right answer.

        :param text: the move in UCI notation; None means no answer.
        :param score: the engine's score from the side to move; None if there is none. Used only
            when the task is a mate.
        """
        if text is None:
            return False
        move = self.board.parse_uci(text)
        if self.mate:
            found = mate_in_moves(score) if score is not None and is_mate(score) else 0
            if not 0 < found <= self.mate:
                return False
        return (not self.best or move in self.best) and move not in self.avoid


@dataclass(frozen=True)
class SourceGame:
    """A game to annotate: standard chess or Chess960, legal to its end."""

    number: int  # in its file, from 1
    name: str  # the players, or "game 2"
    game: chess.pgn.Game
    chess960: bool

    @property
    def size(self) -> int:
        """The number of positions."""
        return 1 + sum(1 for _ in self.game.mainline())

    def subjects(self) -> list[Subject]:
        """The positions before the first move and after each, with their move stacks."""
        board = self.game.board()
        board.chess960 = self.chess960
        source = source_columns(self.game.headers)
        subjects = []
        for move in (*self.game.mainline_moves(), None):
            subjects.append(
                Subject("", snapshot(board), game=self.number, played=move, source=source)
            )
            if move is not None:
                board.push(move)
        return subjects


@dataclass(frozen=True)
class Failure:
    """Something that could not be read or analysed, or only in part."""

    place: str  # "line 3", "game 2"; empty if there is only one
    message: str


#: The items of a source.
Item = Subject | SourceGame | Failure

#: Called with remarks about irregular input that was read without loss.
Tell = Callable[[Failure], None]


def is_position(text: str) -> bool:
    """Whether a text is meant as a position, even a faulty one, rather than a file name."""
    return text == "startpos" or epd.is_position(text)


def is_game(text: str) -> bool:
    """Whether a text is meant as moves or PGN, even with errors, rather than a file name."""
    if is_position(text) or plain_suffix(Path(text)) in (".pgn", ".epd", ".fen"):
        return False
    return _PGN_START.match(text) is not None and not _names(text, Path.exists)


def is_file(text: str) -> bool:
    """Whether a text is the path of a regular file."""
    return _names(text, Path.is_file)


def _names(text: str, test: Callable[[Path], bool]) -> bool:
    try:
        return test(Path(text))
    except (OSError, ValueError):  # too long for a path, or with a null character
        return False


def read(
    text: str,
    chess960: bool = False,
    part: GamePart = "game",
    selection: Selection = _EVERYTHING,
    tell: Tell | None = None,
) -> Iterator[Item]:
    """Read the user's input `text`.

    A game that breaks off, or its positions, is followed by a failure that says where.

    :param text: `startpos`, a FEN or EPD record, moves or PGN, the path of a file, or `-` for
        standard input. A file may be compressed.
    :param chess960: read castling as in Chess960, even if the position does not need it.
    :param part: what a PGN game becomes: a `SourceGame`, or one or more `Subject`s.
    :param selection: which PGN games to read, and which of their positions.
    :param tell: called with each remark about irregular input.
    """
    how = How(chess960, part, selection, tell or (lambda note: None))
    is_stream = text == "-"
    if is_position(text):
        yield read_record(text, chess960=chess960, tell=how.tell)
    elif not is_stream and is_game(text):
        yield from read_games(io.StringIO(text), "these moves", how)
    else:
        path = None if is_stream else Path(text)
        try:
            # The encoding of a terminal or pipe may differ from that of a chess file. A separate
            # file object, so that the exit does not wait for a thread that reads sys.stdin.
            with open_text(path or sys.stdin.fileno()) as lines:
                yield from _read_stream(lines, path, how)
        except FileNotFoundError:
            if epd.resembles_position(text):
                yield Failure("", f"not a FEN: {fault_of(text)}")
            else:
                name = epd.shorten(name_text(text))
                yield Failure("", f"neither a position, a game nor a file: {name}")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            name = "standard input" if is_stream else epd.shorten(name_text(text))
            yield Failure("", f"cannot read {name}: {reason}")


@dataclass(frozen=True)
class How:
    """How to read a source; see `read`."""

    chess960: bool
    part: GamePart
    selection: Selection
    tell: Tell


def _read_stream(lines: Iterator[str], path: Path | None, how: How) -> Iterator[Item]:
    """Read PGN or a list of positions, recognised by the file name or the first lines."""
    suffix = plain_suffix(path) if path else ""
    number, line = _first_content(lines)
    if not line:
        yield Failure("", f"no position in {_name(path)}")
        return
    lines = chain([line], lines)
    if suffix == ".pgn" or (suffix not in (".epd", ".fen") and _PGN_START.match(line)):
        yield from read_games(lines, _name(path), how)
    elif how.selection != _EVERYTHING:
        yield Failure("", f"{_name(path)} has no games to select from")
    else:
        yield from _read_records(lines, number, how)


def _first_content(lines: Iterable[str]) -> tuple[int, str]:
    """The number and text of the first line that is neither blank nor a list comment."""
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            return number, line
    return 0, ""


# -- FEN and EPD --------------------------------------------------------------------------------


def _read_records(lines: Iterable[str], first: int, how: How) -> Iterator[Subject | Failure]:
    for number, line in enumerate(lines, start=first):
        text = line.strip()
        if text and not text.startswith("#"):
            place = f"line {number}"
            yield read_record(text, place, place, how.chess960, how.tell)


def read_record(
    text: str, name: str = "", place: str = "", chess960: bool = False, tell: Tell | None = None
) -> Subject | Failure:
    """Read a FEN or EPD record, or the word `startpos`.

    :param tell: called if castling rights were dropped.
    """
    if text == "startpos":
        return Subject(name or "Start position", chess.Board(chess960=chess960))
    try:
        board, rest, note = epd.read_record(text, chess960)
        operations = epd.read_operations(board, rest)
    except ValueError as error:
        return Failure(place, str(error))
    if note and tell:
        tell(Failure(place, note))
    best, avoid, mate = (operations.get(code) for code in ("bm", "am", "dm"))
    return Subject(
        " ".join(str(operations.get("id") or name).split()),  # a tab would shift the columns
        board,
        tuple(best) if isinstance(best, list) else (),
        tuple(avoid) if isinstance(avoid, list) else (),
        mate if isinstance(mate, int) and mate > 0 else None,
    )


# -- PGN ----------------------------------------------------------------------------------------


def read_games(lines: Iterable[str], name: str, how: How) -> Iterator[Item]:
    """Read the games of a PGN file.

    :param name: the file's name, for messages.
    """
    selection = how.selection
    admits = selection.admits_game if selection.games else None
    games = GameLines(lines, admits, has_comments=how.part == "game")
    is_empty = True
    for item in _read_valid_games(games, how):
        is_empty = False
        yield item
    if games.number == 0:
        yield Failure("", f"no game in {name}")
    elif is_empty:
        kind = "position" if selection.is_of_positions else "game"
        yield Failure("", f"no such {kind} among {counted(games.number, 'game')} in {name}")


def _read_valid_games(games: GameLines, how: How) -> Iterator[Item]:
    """The items for each game, and its errors."""
    chooses: Chooses | None = None
    if how.part == "all":
        is_chosen = how.selection.is_of_positions
        chooses = how.selection.admits_position if is_chosen else _every_position
    while True:
        found: Iterable[Item] | None
        try:
            if how.part == "game":
                game = read_readable(games)
                found = [source_game(game, games.number, how.chess960)] if game else None
            else:
                mainline = read_mainline(games, chooses)
                found = _read_mainline(mainline, games.number, how) if mainline else None
        except ValueError as error:
            yield Failure(f"game {games.number}", str(error))
            continue
        if found is None:
            return
        for note in games.remarks.notes:
            how.tell(Failure(f"game {games.number}", note))
        yield from found
        for fault in games.remarks.faults:
            yield Failure(f"game {games.number}", fault)


def _every_position(ply: int, board: chess.Board) -> bool:
    return True


def _read_mainline(game: Mainline, number: int, how: How) -> Iterator[Subject]:
    """The selected positions of a game, or the last one, named after the players."""
    source = source_columns(game.tags)
    moves = (*game.end.move_stack, None)
    if how.part == "last":
        label = _players(game.tags) or f"game {number}"
        last = len(moves) - 1
        game.chosen = [(last, game.end)] if how.selection.admits_position(last, game.end) else []
    else:
        label = ""
    for ply, board in game.chosen:
        board.chess960 = board.chess960 or how.chess960
        yield Subject(label, board, game=number, played=moves[ply], source=source)


def source_columns(tags: Mapping[str, str]) -> dict[str, str | int | None]:
    """What results for its positions say about a game; see `SOURCE_TAGS`."""
    columns: dict[str, str | int | None] = {}
    for column, tag in SOURCE_TAGS.items():
        value = tag_text(tags.get(tag, "?"))
        columns[column] = rating(value) if tag.endswith("Elo") else None if value == "?" else value
    return columns


def source_game(game: chess.pgn.Game, number: int = 1, chess960: bool = False) -> SourceGame:
    """A python-chess game, named after its players.

    :param number: of the game in its file, from 1.
    :param chess960: read castling as in Chess960, even if the game does not say so.
    """
    name = _players(game.headers) or f"game {number}"
    return SourceGame(number, name, game, game.board().chess960 or chess960)


def _players(tags: Mapping[str, str]) -> str:
    white, black = (tag_text(tags.get(name, "?")) for name in ("White", "Black"))
    if {white, black} <= {"?", ""}:
        return ""
    # PGN writes "Family, Given"; the family name is enough to identify a player.
    return " ".join(f"{white.split(',')[0]} - {black.split(',')[0]}".split())


# -- words --------------------------------------------------------------------------------------


def _name(path: Path | None) -> str:
    return name_text(str(path)) if path else "standard input"

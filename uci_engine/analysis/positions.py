"""Reads positions from a FEN, moves, an EPD or PGN file, or standard input.

Every source becomes a stream of `Subject`s, or of whole `SourceGame`s. A `Failure` replaces each
part that could not be read, so that the others are still analysed.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import Literal

import chess
import chess.pgn

from halbzug.board import epd
from halbzug.board.games import GameLines
from halbzug.board.notation import numbered_san
from halbzug.board.pgn import read_game
from halbzug.scores import is_mate, mate_in_moves
from halbzug.text import open_text

#: What to analyse of a game: all of it, each position by itself, or the last one.
GamePart = Literal["game", "all", "last"]

_MOVE = r"(?:[NBRQK]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=?[nbrqNBRQ])?|[O0]-[O0](?:-[O0])?)[+#]?[!?]*"
_PGN_START = re.compile(rf"\s*(?:\[|\d+\s*\.|[{{;%]|{_MOVE}(?:\s|$))")
_NO_MOVES = re.compile(r"^[ \t]*\[.*\][ \t]*$|\{[^}]*(?:\}|\Z)|;.*$|[()]", re.MULTILINE)
_WORD = re.compile(rf"\d*\.*(?:{_MOVE})?|[!?]+|\$\d+|1-0|0-1|1/2-1/2|\*")


@dataclass(frozen=True)
class Subject:
    """A position to analyse."""

    name: str  # for people: "line 3", an EPD id, the players and the move
    board: chess.Board  # with the game before it
    best: tuple[chess.Move, ...] = ()  # EPD bm: one of these should be found
    avoid: tuple[chess.Move, ...] = ()  # EPD am: none of these
    mate: int | None = None  # EPD dm: a forced mate in this many full moves
    game: int | None = None  # the number of the game it is from, if it is from a PGN file

    @property
    def root_fen(self) -> str:
        """The position before the first move of the board's stack."""
        return self.board.root().fen(shredder=self.board.chess960, en_passant="fen")

    @property
    def moves(self) -> tuple[str, ...]:
        """The game so far, in UCI notation."""
        return tuple(move.uci() for move in self.board.move_stack)

    @property
    def is_problem(self) -> bool:
        """Whether there is a right answer."""
        return bool(self.best or self.avoid or self.mate)

    def is_solved_by(self, text: str | None, score: int | None) -> bool:
        """Whether a move with its score is the right answer.

        :param text: the move in UCI notation; None is no answer.
        :param score: the engine's, from the side to move; None if it gave none. It is used only if
            the problem is a mate.
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
    """A game to annotate: legal to its end, of standard chess or Chess960."""

    number: int  # in its file, from 1
    name: str  # for people: the players, or "game 2"
    game: chess.pgn.Game
    chess960: bool

    @property
    def size(self) -> int:
        """The number of positions."""
        return 1 + sum(1 for _ in self.game.mainline())

    def subjects(self) -> list[Subject]:
        """Its positions, before the first move and after each, with the game before them."""
        board = self.game.board()
        board.chess960 = self.chess960
        subjects = [Subject("before move 1", board.copy(), game=self.number)]
        for move in self.game.mainline_moves():
            played = numbered_san(board, move)
            board.push(move)
            subjects.append(Subject(played, board.copy(), game=self.number))
        return subjects


@dataclass(frozen=True)
class Failure:
    """Something that could not be read or analysed."""

    place: str  # "line 3", "game 2"; empty if there is only one
    message: str


#: The items of a source.
Item = Subject | SourceGame | Failure


def is_position(text: str) -> bool:
    """Whether a text is meant as a position, even with errors, and not as the name of a file."""
    return text == "startpos" or epd.is_position(text)


def is_game(text: str) -> bool:
    """Whether a text is meant as moves or PGN, even with errors, and not as a file's name."""
    if is_position(text) or Path(text).suffix.lower() in (".pgn", ".epd", ".fen"):
        return False
    return _PGN_START.match(text) is not None and not _names(text, Path.exists)


def is_file(text: str) -> bool:
    """Whether a text is the name of a regular file."""
    return _names(text, Path.is_file)


def _names(text: str, test: Callable[[Path], bool]) -> bool:
    try:
        return test(Path(text))
    except (OSError, ValueError):  # too long for a name, or with a null character
        return False


def read(text: str, chess960: bool = False, part: GamePart = "game") -> Iterator[Item]:
    """Read what the user gave as `text`.

    :param text: `startpos`, a FEN or EPD record, moves or PGN, the path of a file, or `-` for
        standard input.
    :param chess960: read castling as in Chess960, even if the position does not need it.
    :param part: what a PGN game becomes: a `SourceGame`, or one or more `Subject`s.
    """
    if text == "-":
        # The encoding of a terminal or a pipe need not be that of a chess file. A separate file
        # object, so that the exit does not wait for a thread that reads sys.stdin.
        with open_text(sys.stdin.fileno()) as lines:
            yield from _read_stream(lines, None, chess960, part)
    elif is_position(text):
        yield read_record(text, chess960=chess960)
    elif is_game(text):
        yield from _read_typed_games(text, chess960, part)
    else:
        try:
            with open_text(Path(text)) as lines:
                yield from _read_stream(lines, Path(text), chess960, part)
        except FileNotFoundError:
            kind = "not a FEN" if text.count("/") == 7 else "neither a position, a game nor a file"
            yield Failure("", f"{kind}: {epd.shorten(text)}")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            yield Failure("", f"cannot read {epd.shorten(text)}: {reason}")


def _read_stream(
    lines: Iterator[str], path: Path | None, chess960: bool, part: GamePart
) -> Iterator[Item]:
    """Read PGN or a list of positions, recognised by the name or the beginning."""
    is_empty = True
    skipped = []
    for line in lines:
        skipped.append(line)
        if line.strip() and not line.startswith("#"):
            is_empty = False
            break
    suffix = path.suffix.lower() if path else ""
    if is_empty:
        yield Failure("", f"no position in {_name(path)}")
    elif suffix == ".pgn" or (suffix not in (".epd", ".fen") and _PGN_START.match(skipped[-1])):
        yield from _read_games(chain(skipped[-1:], lines), _name(path), chess960, part)
    else:
        yield from _read_records(chain(skipped, lines), chess960)


# -- FEN and EPD --------------------------------------------------------------------------------


def _read_records(lines: Iterable[str], chess960: bool) -> Iterator[Subject | Failure]:
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text and not text.startswith("#"):
            yield read_record(text, f"line {number}", f"line {number}", chess960)


def read_record(
    text: str, name: str = "", place: str = "", chess960: bool = False
) -> Subject | Failure:
    """Read a FEN or an EPD record, or the word `startpos`."""
    if text == "startpos":
        return Subject(name or "Start position", chess.Board(chess960=chess960))
    try:
        board, rest = epd.read_record(text, chess960)
        operations = epd.read_operations(board, rest)
        best, avoid, mate = (operations.get(code) for code in ("bm", "am", "dm"))
        return Subject(
            str(operations.get("id") or name),
            board,
            tuple(best) if isinstance(best, list) else (),
            tuple(avoid) if isinstance(avoid, list) else (),
            mate if isinstance(mate, int) and mate > 0 else None,
        )
    except ValueError as error:
        return Failure(place, str(error))


# -- PGN ----------------------------------------------------------------------------------------


def _read_games(lines: Iterable[str], name: str, chess960: bool, part: GamePart) -> Iterator[Item]:
    games = GameLines(lines)
    for number in count(1):
        try:
            game = read_game(games)
            if game is None:
                break
            record = _record(game, number, chess960)
        except ValueError as error:
            yield Failure(f"game {number}", str(error))
        else:
            if part == "game":
                yield record
            elif part == "all":
                yield from record.subjects()
            else:
                yield replace(record.subjects()[-1], name=record.name)
    if number == 1:
        yield Failure("", f"no game in {name}")


def _read_typed_games(text: str, chess960: bool, part: GamePart) -> Iterator[Item]:
    """Read games typed on the command line, in which errors are reported and not skipped."""
    words = _NO_MOVES.sub(" ", text).split()
    wrong = next((word for word in words if not _WORD.fullmatch(word)), None)
    if wrong is None:
        yield from _read_games(io.StringIO(text), "these moves", chess960, part)
    else:
        yield Failure("", f"not a move: {epd.shorten(wrong)}")


def _record(game: chess.pgn.Game, number: int, chess960: bool) -> SourceGame:
    name = _players(game) or f"game {number}"
    return SourceGame(number, name, game, game.board().chess960 or chess960)


def _players(game: chess.pgn.Game) -> str:
    white, black = game.headers.get("White", "?"), game.headers.get("Black", "?")
    if {white, black} <= {"?", ""}:
        return ""
    # PGN writes "Family, Given"; the family name is enough to identify a game.
    return f"{white.split(',')[0]} - {black.split(',')[0]}"


# -- words --------------------------------------------------------------------------------------


def _name(path: Path | None) -> str:
    return str(path) if path else "standard input"

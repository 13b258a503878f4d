"""Where a user's positions come from: a FEN, an EPD or PGN file, or standard input.

Every source becomes a stream of `Subject`s, with a `Fault` in the place of whatever could not be
read, so that one bad line does not cost the others.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TextIO

import chess
import chess.pgn

from uci_engine.fen import read_position

_RANK = "[pnbrqkPNBRQK1-8~]+"
_PLACEMENT = re.compile(rf"{_RANK}(/{_RANK}){{7}}(\s|$)")
_RECORD = re.compile(
    r"(?P<placement>\S+)"
    r"(\s+(?P<turn>[wb])(\s+(?P<castling>[A-Ha-hKQkq]+|-)(\s+(?P<passant>[a-h][36]|-))?)?)?"
    r"(\s+(?P<halfmoves>[-+]?\d+)(\s+(?P<number>[-+]?\d+))?)?"
    r"\s*;?\s*(?P<operations>.*)$"
)
_FIELDS = {"turn": "whose move it is", "castling": "castling", "passant": "en passant"}
_PGN_START = re.compile(r"\[|\d+\s*\.|[{;%]")


@dataclass(frozen=True)
class Subject:
    """A position to analyse."""

    name: str  # for people: "line 3", an EPD id, the players and the move
    board: chess.Board  # with the game before it
    best: tuple[chess.Move, ...] = ()  # EPD bm: one of these should be found
    avoid: tuple[chess.Move, ...] = ()  # EPD am: none of these

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
        """Whether there is a right and a wrong answer."""
        return bool(self.best or self.avoid)

    def is_solved_by(self, move: chess.Move) -> bool:
        """Whether a move is the right answer."""
        return (not self.best or move in self.best) and move not in self.avoid


@dataclass(frozen=True)
class Fault:
    """Something that could not be read."""

    place: str  # "line 3", "game 2"; empty if there is only one
    message: str


def read(text: str, chess960: bool = False, all_moves: bool = False) -> Iterator[Subject | Fault]:
    """The positions that a user means by `text`.

    :param text: `startpos`, a FEN or EPD record, the path of a file, or `-` for standard input.
    :param chess960: read castling as in Chess960, also where the position does not show it.
    :param all_moves: each position of a game, not only the last.
    """
    if text == "-":
        # A terminal's or a pipe's own encoding says nothing about a chess file.
        lines = io.TextIOWrapper(sys.stdin.buffer, "utf-8-sig", errors="replace")
        yield from _read_stream(lines, None, chess960, all_moves)
    elif text == "startpos" or _PLACEMENT.match(text):
        yield _read_record(text, "", "", chess960)
    else:
        try:
            with Path(text).open(encoding="utf-8-sig", errors="replace") as lines:
                yield from _read_stream(lines, Path(text), chess960, all_moves)
        except FileNotFoundError:
            kind = "not a FEN" if text.count("/") == 7 else "neither a position nor a file"
            yield Fault("", f"{kind}: {_shorten(text)}")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            yield Fault("", f"cannot read {_shorten(text)}: {reason}")


def _read_stream(
    lines: TextIO, path: Path | None, chess960: bool, all_moves: bool
) -> Iterator[Subject | Fault]:
    """Tell a PGN from a list of positions by name or by how it begins, and read it."""
    is_empty = True
    skipped = []
    for line in lines:
        skipped.append(line)
        if line.strip() and not line.startswith("#"):
            is_empty = False
            break
    suffix = path.suffix.lower() if path else ""
    if is_empty:
        yield Fault("", f"no position in {_name(path)}")
    elif suffix == ".pgn" or (suffix not in (".epd", ".fen") and _PGN_START.match(skipped[-1])):
        # python-chess wants a file, and standard input cannot be rewound.
        games = lines if path else io.StringIO("".join(skipped) + lines.read())
        if path:
            lines.seek(0)
        yield from _read_games(games, _name(path), chess960, all_moves)
    else:
        yield from _read_records(skipped, 1, chess960)
        yield from _read_records(lines, len(skipped) + 1, chess960)


# -- FEN and EPD --------------------------------------------------------------------------------


def _read_records(lines: Iterable[str], first: int, chess960: bool) -> Iterator[Subject | Fault]:
    for number, line in enumerate(lines, start=first):
        text = line.strip()
        if text and not text.startswith("#"):
            yield _read_record(text, f"line {number}", f"line {number}", chess960)


def _read_record(text: str, name: str, place: str, chess960: bool) -> Subject | Fault:
    """Read a FEN or an EPD record, or the word `startpos`."""
    if text == "startpos":
        return Subject(name or "Start position", chess.Board(chess960=chess960))
    try:
        match = _RECORD.match(text)
        if match is None or not _PLACEMENT.match(text):
            raise ValueError(f"not a FEN: {_shorten(text)}")
        if match["operations"] and match["passant"] is None:
            fields = ("turn", "castling", "passant")
            unread = next(field for field in fields if match[field] is None)
            raise ValueError(f"not a FEN: cannot read {_FIELDS[unread]} in {_shorten(text, 90)}")
        board = _read_fen(match, chess960)
        operations = _read_operations(board, match["operations"])
        best, avoid = operations.get("bm"), operations.get("am")
        return Subject(
            str(operations.get("id") or name),
            board,
            tuple(best) if isinstance(best, list) else (),
            tuple(avoid) if isinstance(avoid, list) else (),
        )
    except ValueError as error:
        return Fault(place, str(error))


def _read_fen(match: re.Match[str], chess960: bool) -> chess.Board:
    """Set up the position of a record, as Chess960 where its castling is none else.

    :raises ValueError: if it cannot be read or searched.
    """
    fields = (
        match["placement"],
        match["turn"] or "w",
        match["castling"] or "-",
        match["passant"] or "-",
        match["halfmoves"] or "0",
        match["number"] or "1",
    )
    fen = " ".join(fields)
    board = chess.Board(_checked(fen, True), chess960=True)
    if chess960 or board.has_chess960_castling_rights():
        return board
    return chess.Board(_checked(fen, False))


def _checked(fen: str, chess960: bool) -> str:
    """The same position, complete and without rights that the board does not support."""
    return read_position(fen, chess960).fen(shredder=chess960, en_passant="fen")


def _read_operations(board: chess.Board, text: str) -> dict[str, object]:
    """The operations of an EPD record.

    :raises ValueError: if they make no sense in this position.
    """
    if not text:
        return {}
    if not re.match(r"[A-Za-z]\w*[\s;]", text + " "):
        raise ValueError(f"neither FEN nor EPD after the position: {_shorten(text)}")
    try:
        epd = board.epd(shredder=board.chess960, en_passant="fen")
        return dict(chess.Board(chess960=board.chess960).set_epd(f"{epd} {text}"))
    except ValueError as error:
        raise ValueError(f"bad EPD operation: {error}") from None


# -- PGN ----------------------------------------------------------------------------------------


class _GameBuilder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Collects the errors of a game and leaves it to the caller to report them."""

    def handle_error(self, error: Exception) -> None:
        """Remember an error; python-chess would log it, too."""
        self.game.errors.append(error)


def _read_games(
    handle: TextIO, name: str, chess960: bool, all_moves: bool
) -> Iterator[Subject | Fault]:
    for number in count(1):
        try:
            game = chess.pgn.read_game(handle, Visitor=_GameBuilder)
            if game is None:
                break
            yield from _read_game(game, number, chess960, all_moves)
        except ValueError as error:
            yield Fault(f"game {number}", str(error))
        except (IndexError, KeyError):  # python-chess loses its way in what is no PGN at all
            yield Fault(f"game {number}", "not PGN")
    if number == 1:
        yield Fault("", f"no game in {name}")


def _read_game(
    game: chess.pgn.Game, number: int, chess960: bool, all_moves: bool
) -> Iterator[Subject]:
    """:raises ValueError: if the game is broken or not chess."""
    if game.errors:
        raise ValueError(str(game.errors[0]))
    roster = chess.pgn.Game().headers
    if game.next() is None and dict(game.headers) == dict(roster):
        raise ValueError("neither tags nor moves")
    board = game.board()
    if board.uci_variant != "chess":
        raise ValueError(f"a game of {board.uci_variant}, which is another game")
    players = _players(game) or f"game {number}"
    read_position(board.fen(shredder=board.chess960, en_passant="fen"), board.chess960)
    board.chess960 = board.chess960 or chess960
    moves = list(game.mainline_moves())
    if all_moves:
        yield Subject("before move 1", board.copy())
    for move in moves:
        if not move:
            raise ValueError(f"a null move after {board.fullmove_number - 1} moves")
        played = _numbered_san(board, move)
        board.push(move)
        if all_moves:
            yield Subject(played, board.copy())
    if not all_moves:
        yield Subject(players, board)


def _players(game: chess.pgn.Game) -> str:
    white, black = game.headers.get("White", "?"), game.headers.get("Black", "?")
    if {white, black} <= {"?", ""}:
        return ""
    # "Family, Given" is PGN's way; the family name is enough to tell games apart.
    return f"{white.split(',')[0]} - {black.split(',')[0]}"


def _numbered_san(board: chess.Board, move: chess.Move) -> str:
    dots = "." if board.turn else "..."
    return f"{board.fullmove_number}{dots}{board.san(move)}"


# -- words --------------------------------------------------------------------------------------


def _name(path: Path | None) -> str:
    return str(path) if path else "standard input"


def _shorten(text: str, length: int = 60) -> str:
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 3] + "..."

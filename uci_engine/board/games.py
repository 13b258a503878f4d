"""Reads PGN: games without errors, or the first error of a game.

python-chess parses the games, and ends a game at a blank line. Files may have blank lines inside
of a game, or none between two games; `GameLines` corrects that before the parser sees them.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, TextIO, cast

import chess.pgn

from .game_builder import GameBuilder, Headers
from .movegen import BUILD
from .public_board import Board, snapshot
from .san import quick_move

#: Tags of a game by their names.
Tags = Mapping[str, str]

#: Whether to keep a position of a game, which comes after so many plies.
Chooses = Callable[[int, chess.Board], bool]

#: The most characters of a game, comments included.
MAX_GAME_LENGTH = 1 << 22

_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9][\w+#=:-]*)\s+"')
_COMMENT = re.compile(r"\{[^}]*\}")
_COMMENT_MARK = re.compile(r"[{};]")
_LATER_MOVE = re.compile(r"\s*0*(?:[2-9]|[1-9]\d+)\s*\.")
_FIRST_MOVE = re.compile(r"\s*1\s*\.(?!\s*\.)")
_TERMINATIONS = ("1-0", "0-1", "1/2-1/2", "*")


class GameLines:
    """Lines of PGN, each game with one blank line between tags and moves, and two behind it.

    :param lines: from a file, or a part of one.
    :param admits: whether to read the game with these tags; the moves of others are not parsed.
    :param has_comments: whether comments are kept; without them a game is parsed faster.
    :ivar number: the number of games so far, those that are not read included.
    """

    def __init__(
        self,
        lines: Iterable[str],
        admits: Callable[[Tags], bool] | None = None,
        has_comments: bool = True,
    ) -> None:
        self.number = 0
        self._admits = admits
        self._has_comments = has_comments
        self._lines = self._flow(lines)

    def _flow(self, lines: Iterable[str]) -> Iterator[str]:
        for game in split_games(lines):
            self.number += 1
            if self._admits is None or self._admits(tags_of(game)):
                yield from game if self._has_comments else _without_comments(game)
                yield "\n"
                yield "\n"

    def readline(self) -> str:
        """The next line, empty at the end."""
        return next(self._lines, "")


def tags_of(game: Iterable[str]) -> Tags:
    """The tags of a game's lines, as python-chess reads them."""
    found = map(chess.pgn.TAG_REGEX.match, takewhile(lambda line: line[0] == "[", game))
    return {match[1]: match[2] for match in found if match}


def _without_comments(game: list[str]) -> list[str]:
    """A game's lines without the comments in braces, if they can be told without parsing."""
    first = next((index for index, line in enumerate(game) if line[0] != "["), len(game))
    text = "".join(game[first:])
    if ";" in text:
        return game
    moves = _COMMENT.sub(" ", text).split("\n")
    return [*game[:first], "\n", *(f"{line}\n" for line in moves if line and not line.isspace())]


def split_games(lines: Iterable[str]) -> Iterator[list[str]]:
    """Split lines into games, without blank lines.

    A game ends at a blank line behind its moves, unless it has no result yet and continues with a
    move number above 1. It also ends where another game begins: at a tag behind moves, at move 1 in
    the line behind a result, and, if it has no moves, at a tag that it already has. A comment
    without an end is closed before a blank line with the tag Event behind it.

    :raises OSError: at a game that is longer than `MAX_GAME_LENGTH`.
    """
    game = _Game()
    for line in lines:
        line = line.lstrip("\ufeff")
        tag = _TAG.match(line)
        if game.is_over_before(line, tag):
            yield game.finished()
            game = _Game()
        game.add(line, tag)
    if game.lines:
        yield game.finished()


class _Game:
    """A game that is collected line by line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._length = 0
        self._tags: set[str] = set()
        self._has_moves = self._has_result = self._in_comment = False
        self._blanks = 0  # directly before the next line

    def is_over_before(self, line: str, tag: re.Match[str] | None) -> bool:
        """Whether a line, perhaps with a tag, belongs to the next game."""
        if self._in_comment:
            return bool(self._blanks) and line.startswith('[Event "')
        if self._has_moves:
            if self._has_result:
                return bool(tag or line.isspace() or _FIRST_MOVE.match(line))
            if tag or not self._blanks or line.isspace():
                return bool(tag)
            return not _LATER_MOVE.match(line)
        if not tag or not self.lines:
            return False
        return self._blanks > 1 or (self._blanks > 0 and tag[1] in self._tags)

    def add(self, line: str, tag: re.Match[str] | None) -> None:
        """Add a line of this game.

        :raises OSError: if the game is too long.
        """
        self._length += len(line)
        if self._length > MAX_GAME_LENGTH:
            size = MAX_GAME_LENGTH >> 20
            raise OSError(errno.EFBIG, f"a game of more than {size} million characters")
        is_blank = line.isspace()
        if self._in_comment:
            self._add_moves(line)
        elif is_blank or line.startswith(("%", ";")):
            pass
        elif not self._has_moves and line.lstrip().startswith("["):
            self.lines.append(line.lstrip())
            if tag:
                self._tags.add(tag[1])
        else:
            if self.lines and not self._has_moves:
                self.lines.append("\n")
            self._add_moves(line)
        self._blanks = self._blanks + 1 if is_blank else 0

    def finished(self) -> list[str]:
        """All lines, an open comment closed."""
        return [*self.lines, "}\n"] if self._in_comment else self.lines

    def _add_moves(self, line: str) -> None:
        self.lines.append(line)
        self._has_moves = True
        words = self._without_comments(line).split()
        self._has_result = words[-1] in _TERMINATIONS if words else self._has_result

    def _without_comments(self, line: str) -> str:
        """A line's moves without comments; remembers whether one goes on in the next line.

        Of a line with comments that all end in it, only the moves behind the last one may be
        returned.
        """
        if ";" not in line:
            end = line.rfind("}")
            rest = line[end + 1 :] if end >= 0 else "" if self._in_comment else line
            if not rest.isspace() and "{" not in rest:
                self._in_comment = self._in_comment and end < 0
                return rest
        parts: list[str] = []
        begin = 0
        for mark in _COMMENT_MARK.finditer(line):
            if self._in_comment:
                if mark[0] == "}":
                    self._in_comment = False
                    begin = mark.end()
            elif mark[0] == "{":
                self._in_comment = True
                parts.append(line[begin : mark.start()])
            elif mark[0] == ";":
                parts.append(line[begin : mark.start()])
                return " ".join(parts)
        if not self._in_comment:
            parts.append(line[begin:])
        return " ".join(parts)


def read_readable(lines: GameLines) -> chess.pgn.Game | None:
    """The next game as far as it can be read, None at the end; its `errors` say what cannot."""
    game: chess.pgn.Game | None = visit_game(lines, _Builder)
    return game


def read_game(lines: GameLines) -> chess.pgn.Game | None:
    """The next game, None at the end.

    :raises ValueError: with the first error in it. The next call reads the game behind it.
    """
    game = read_readable(lines)
    if game and game.errors:
        raise ValueError(str(game.errors[0]))
    return game


def visit_game(lines: GameLines, visitor: Any) -> Any:
    """Parse the next game with a visitor of python-chess.

    :param visitor: creates the visitor.
    :returns: the visitor's result, None at the end.
    """
    return chess.pgn.read_game(cast(TextIO, lines), Visitor=visitor)


@dataclass
class Mainline:
    """The moves of a game that were played, without comments and variations."""

    tags: MutableMapping[str, str]
    start: chess.Board  # ours, except in a variant
    end: chess.Board  # with all moves, perhaps with null moves
    chosen: list[tuple[int, chess.Board]]  # the plies before what was asked for, and that


def read_mainline(lines: GameLines, chooses: Chooses | None = None) -> Mainline | None:
    """The next game's mainline, None at the end; variations are not parsed.

    :param chooses: whether to keep the position after so many plies; None keeps none.
    :raises ValueError: with the first error in it. The next call reads the game behind it.
    """
    visitor = visit_game(lines, lambda: _MainlineVisitor(chooses))
    if visitor is None:
        return None
    if visitor.error:
        raise ValueError(str(visitor.error))
    return cast(Mainline, visitor.mainline)


class _MainlineVisitor(chess.pgn.BaseVisitor["_MainlineVisitor"]):
    """Collects the positions of one game."""

    def __init__(self, chooses: Chooses | None) -> None:
        self.tags = Headers({})
        self.mainline: Mainline | None = None
        self.error: Exception | None = None
        self._chooses = chooses
        self._ply = 0

    def begin_headers(self) -> chess.pgn.Headers:
        return self.tags

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.tags[tagname] = tagvalue

    def visit_board(self, board: chess.Board) -> None:
        if self.mainline is None:
            self.mainline = Mainline(self.tags, board.copy(), board, [])
        if self._chooses and not self.error and self._chooses(self._ply, board):
            self.mainline.chosen.append((self._ply, snapshot(board)))

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:
        return _parse_move(board, san)

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        self._ply += 1

    def visit_result(self, result: str) -> None:
        if self.tags.get("Result", "*") == "*":
            self.tags["Result"] = result

    def begin_variation(self) -> chess.pgn.SkipType:
        return chess.pgn.SKIP

    def handle_error(self, error: Exception) -> None:
        self.error = self.error or error

    def result(self) -> _MainlineVisitor:
        return self


def _parse_move(board: chess.Board, san: str) -> chess.Move:
    """Read a move, also in the notation of UCI."""
    if BUILD == "pure" and type(board) in (chess.Board, Board):
        move = quick_move(board, san)
        if move:
            return move
    try:
        return board.parse_san(san)
    except ValueError:
        if re.fullmatch("(?:[a-h][1-8]){2}[nbrq]?", san) is None:
            raise
        return board.parse_uci(san)


class _Builder(GameBuilder[chess.pgn.Game]):
    """Collects the errors of a game instead of logging them.

    After an error in a variation python-chess does not restore the board, so that later variations
    would begin at a wrong position. From then on they are not read as variations.
    """

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:
        """Read a move, also in the notation of UCI."""
        return _parse_move(board, san)

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)

    def begin_variation(self) -> None:
        if not self.game.errors:
            super().begin_variation()

    def end_variation(self) -> None:
        if not self.game.errors:
            super().end_variation()

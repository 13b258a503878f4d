"""Reads PGN: games without errors, or the first error of a game.

python-chess parses the games, and ends a game at a blank line. Files may have blank lines inside
of a game, or none between two games; `GameLines` corrects that before the parser sees them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, TextIO, cast

import chess.pgn

from halbzug.board.game_builder import GameBuilder

_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9][\w+#=:-]*)\s+"')
_COMMENT_MARK = re.compile(r"[{};]")
_LATER_MOVE = re.compile(r"\s*0*(?:[2-9]|[1-9]\d+)\s*\.")
_FIRST_MOVE = re.compile(r"\s*1\s*\.(?!\s*\.)")
_TERMINATIONS = ("1-0", "0-1", "1/2-1/2", "*")


class GameLines:
    """Lines of PGN, each game with one blank line between tags and moves, and two behind it.

    :param lines: from a file, or a part of one.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = (line for game in split_games(lines) for line in (*game, "\n", "\n"))

    def readline(self) -> str:
        """The next line, empty at the end."""
        return next(self._lines, "")


def split_games(lines: Iterable[str]) -> Iterator[list[str]]:
    """Split lines into games, without blank lines.

    A game ends at a blank line behind its moves, unless it has no result yet and continues with a
    move number above 1. It also ends where another game begins: at a tag behind moves, at move 1 in
    the line behind a result, and, if it has no moves, at a tag that it already has. A comment
    without an end is closed before a blank line with the tag Event behind it.
    """
    game = _Game()
    for line in lines:
        line = line.lstrip("\ufeff")
        if game.is_over_before(line):
            yield game.finished()
            game = _Game()
        game.add(line)
    if game.lines:
        yield game.finished()


class _Game:
    """A game that is collected line by line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._tags: set[str] = set()
        self._has_moves = self._has_result = self._in_comment = False
        self._blanks = 0  # directly before the next line

    def is_over_before(self, line: str) -> bool:
        """Whether a line belongs to the next game."""
        if self._in_comment:
            return bool(self._blanks) and line.startswith('[Event "')
        tag = _TAG.match(line)
        if self._has_moves:
            if self._has_result:
                return bool(tag or line.isspace() or _FIRST_MOVE.match(line))
            if tag or not self._blanks or line.isspace():
                return bool(tag)
            return not _LATER_MOVE.match(line)
        if not tag:
            return False
        return self._blanks > 1 or (self._blanks > 0 and tag[1] in self._tags)

    def add(self, line: str) -> None:
        """Add a line of this game."""
        is_blank = line.isspace()
        if self._in_comment:
            self._add_moves(line)
        elif is_blank or line.startswith(("%", ";")):
            pass
        elif not self._has_moves and line.lstrip().startswith("["):
            self._add_tag(line.lstrip())
        else:
            if self.lines and not self._has_moves:
                self.lines.append("\n")
            self._add_moves(line)
        self._blanks = self._blanks + 1 if is_blank else 0

    def finished(self) -> list[str]:
        """All lines, an open comment closed."""
        return [*self.lines, "}\n"] if self._in_comment else self.lines

    def _add_tag(self, line: str) -> None:
        self.lines.append(line)
        tag = _TAG.match(line)
        if tag:
            self._tags.add(tag[1])

    def _add_moves(self, line: str) -> None:
        self.lines.append(line)
        self._has_moves = True
        words = self._without_comments(line).split()
        self._has_result = words[-1] in _TERMINATIONS if words else self._has_result

    def _without_comments(self, line: str) -> str:
        """A line's moves without comments; remembers whether one goes on in the next line."""
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


def read_game(lines: GameLines) -> chess.pgn.Game | None:
    """The next game, None at the end.

    :raises ValueError: with the first error in it. The next call reads the game behind it.
    """
    game: chess.pgn.Game | None = visit_game(lines, _Builder)
    if game and game.errors:
        raise ValueError(str(game.errors[0]))
    return game


def visit_game(lines: GameLines, visitor: Any) -> Any:
    """Parse the next game with a visitor of python-chess.

    :param visitor: creates the visitor.
    :returns: the visitor's result, None at the end.
    """
    return chess.pgn.read_game(cast(TextIO, lines), Visitor=visitor)


class _Builder(GameBuilder[chess.pgn.Game]):
    """Collects the errors of a game instead of logging them.

    After an error in a variation python-chess does not restore the board, so that later variations
    would begin at a wrong position. From then on they are not read as variations.
    """

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:
        """Read a move, also in the notation of UCI."""
        try:
            return super().parse_san(board, san)
        except ValueError:
            if re.fullmatch("(?:[a-h][1-8]){2}[nbrq]?", san) is None:
                raise
            return board.parse_uci(san)

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)

    def begin_variation(self) -> None:
        if not self.game.errors:
            super().begin_variation()

    def end_variation(self) -> None:
        if not self.game.errors:
            super().end_variation()

"""Reads games from PGN whose positions can all be searched, and writes games as PGN."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import chess.pgn

from ..base.text import counted, on_one_line
from . import games
from .fen import exact_fen, read_position
from .games import Chooses, GameLines, Mainline


def read_game(lines: GameLines) -> chess.pgn.Game | None:
    """The next chess game; None at the end. Its mainline has no null moves.

    :raises ValueError: if it is empty, broken, or another variant. The next call reads the game
        after it.
    """
    game = read_readable(lines)
    if game and lines.remarks.faults:
        raise ValueError(lines.remarks.faults[0])
    return game


def read_readable(lines: GameLines) -> chess.pgn.Game | None:
    """The next chess game as far as it can be read; see `read_game` and `GameLines.remarks`.

    :raises ValueError: if it is empty, rejected, or another variant.
    """
    game = games.read_readable(lines, null_moves=False)
    if game is None:
        return None
    _check_content(lines, game.next() is not None, game.headers)
    check_game(game)
    return game


def read_mainline(lines: GameLines, chooses: Chooses | None = None) -> Mainline | None:
    """The next chess game's mainline, without comments and variations; see `read_readable`.

    :param chooses: selects the positions to keep.
    :raises ValueError: as in `read_readable`.
    """
    mainline = games.read_mainline(lines, chooses)
    if mainline is None:
        return None
    _check_content(lines, bool(mainline.end.move_stack), mainline.tags)
    _check(mainline.start, mainline.end.move_stack)
    return mainline


def _check_content(lines: GameLines, has_moves: bool, tags: Mapping[str, str]) -> None:
    """Make sure that there is a game.

    :raises ValueError: if there are neither tags nor moves, or the first move cannot be read.
    """
    if has_moves:
        return
    if lines.remarks.break_off:
        raise ValueError(lines.remarks.break_off)
    usual = dict(chess.pgn.Game().headers)
    if {**usual, **tags} == usual:
        raise ValueError("neither tags nor moves")


def check_game(game: chess.pgn.Game) -> None:
    """Make sure that a game's mainline can be searched.

    :raises ValueError: if it is not standard chess or Chess960, begins with an impossible position,
        or has a null move; the message is one line.
    """
    _check(game.board(), game.mainline_moves())


def _check(board: chess.Board, moves: Iterable[chess.Move]) -> None:
    check_start(board)
    for ply, move in enumerate(moves, board.ply()):
        if not move:
            raise ValueError(f"a null move after {counted(ply // 2, 'move')}")


def check_start(board: chess.Board) -> None:
    """Make sure that a game's start position can be searched.

    :raises ValueError: if it is of another variant, or impossible; the message is one line.
    """
    if board.uci_variant != "chess":
        raise ValueError(f"a game of {board.uci_variant}, which is a different game")
    fen = exact_fen(board)
    if fen != chess.STARTING_FEN:
        read_position(fen, board.chess960)


def tag_value(text: str) -> str:
    """A text as a tag value: on one line, with quotes and backslashes escaped."""
    return on_one_line(text).replace("\\", "\\\\").replace('"', '\\"')


def tag_text(value: str) -> str:
    """A tag value as people read it: on one line, without the escapes of `tag_value`."""
    return re.sub(r'\\([\\"])', r"\1", on_one_line(value))


def pgn_text(game: chess.pgn.Game) -> str:
    """A game as PGN, without the final blank line.

    Tag values must be in file form, see `tag_value`; unescaped quotes in them are escaped.
    """
    return game.accept(_Exporter(columns=80))


class _Exporter(chess.pgn.StringExporter):
    """python-chess's exporter, which would otherwise write line breaks in tags and comments."""

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        value = _STRAY.sub(lambda found: found[1] or f"\\{found[0]}", on_one_line(tagvalue))
        super().visit_header(tagname, value)

    def visit_comment(self, comment: str) -> None:
        super().visit_comment(on_one_line(comment))


#: An escaped quote or backslash, which is kept, or an unescaped one.
_STRAY = re.compile(r'(\\[\\"])|[\\"]')

"""Reads PGN: games up to their first error, with a remark on everything that was not read.

python-chess parses the games, and ends a game at a blank line. Files may have blank lines within a
game, or none between games; `GameLines` corrects that before the parser sees them, along with parts
of tags and moves that the parser would silently skip.
"""

from __future__ import annotations

import contextlib
import errno
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, TextIO, TypeVar, cast

import chess.pgn

from ..base.text import decode, on_one_line
from . import movetext, tags
from .fen import MAX_REASON_LENGTH
from .game_builder import Game, GameBuilder, Headers, new_child
from .game_scanner import BEGIN_VARIATION, COMMENT, END_VARIATION, GLYPH, GameScanner
from .movegen import decode as decode_move
from .movegen import push
from .movetext import FAULT, NOTE, REFUSAL, numbered
from .public_board import snapshot
from .san import parse_move

#: A game's tags by name.
Tags = Mapping[str, str]

ResultT = TypeVar("ResultT")

#: Whether to keep a position of a game, given the number of plies before it.
Chooses = Callable[[int, chess.Board], bool]

#: Maximum length of a game in characters, including comments.
MAX_GAME_LENGTH = 1 << 22

_COMMENT = re.compile(r"\{[^}]*\}")
_ANY_COMMENT = re.compile(r"\{[^}]*\}|;[^\n]*")
_COMMENT_MARK = re.compile(r"[{};]")
_LATER_MOVE = re.compile(r"\s*0*(?:[2-9]|[1-9]\d+)\s*\.")
_FIRST_MOVE = re.compile(r"\s*1\s*\.(?!\s*\.)")
_TERMINATIONS = ("1-0", "0-1", "1/2-1/2", "*")


@dataclass
class Remarks:
    """Remarks on a game that was read.

    :ivar notes: how it was read; nothing is lost.
    :ivar break_off: why its mainline was cut short, with the move; empty if it was not.
    :ivar others: the same for variations.
    """

    notes: list[str] = field(default_factory=list)
    break_off: str = ""
    others: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """What could not be read, in sentences without a full stop."""
        found = [f"breaks off: {self.break_off}"] if self.break_off else []
        return found + [f"a variation breaks off: {text}" for text in self.others]


class GameText(NamedTuple):
    """A game that has not been parsed.

    :ivar head: its tags.
    :ivar remarks: on the tags, for the visitor.
    :ivar lines: the lines after the tags.
    """

    head: dict[str, str]
    remarks: list[str]
    lines: list[str]


class GameLines:
    """Lines of PGN in which each game has one blank line between tags and moves, and two after it.

    :param lines: from a file, or a part of one.
    :param admits: whether to read the game with these tags; moves of other games are not parsed.
    :param has_comments: whether to keep comments; parsing is faster without them.
    :param split: splits the lines into lists, one per game; by default `split_games`.
    :ivar number: the number of games so far, including those not read.
    :ivar remarks: on the game visited last.
    """

    def __init__(
        self,
        lines: Iterable[str],
        admits: Callable[[Tags], bool] | None = None,
        has_comments: bool = True,
        split: Callable[[Iterable[str]], Iterable[list[str]]] | None = None,
    ) -> None:
        self.number = 0
        self.remarks = Remarks()
        self.has_comments = has_comments
        self._admits = admits
        self._games = iter((split or split_games)(lines))
        self._lines: Iterator[str] = iter(())  # the rest of the current game

    def take(self) -> GameText | None:
        """The next game to read; None at the end."""
        for game in self._games:
            self.number += 1
            end = _end_of_tags(game)
            head, remarks = tags.read_head(game[:end])
            if self._admits is None or self._admits(head):
                return GameText(head, remarks, game[end:])
        return None

    def give_back(self, game: GameText) -> None:
        """Make this game, which was taken, the source of the next lines."""
        self._lines = self._lines_of(game)

    def _lines_of(self, game: GameText) -> Iterator[str]:
        yield from (f'[{name} "{value}"]\n' for name, value in game.head.items())
        yield "\n"
        yield from (f"{remark}\n" for remark in game.remarks)
        yield from _readable(game.head, game.lines, self.has_comments)
        yield "\n"
        yield "\n"

    def readline(self) -> str:
        """The next line; empty at the end."""
        while not (line := next(self._lines, "")) and (game := self.take()):
            self.give_back(game)
        return line


def tags_of(game: list[str]) -> Tags:
    """The tags in a game's lines."""
    return tags.read_head(game[: _end_of_tags(game)])[0]


def _end_of_tags(game: list[str]) -> int:
    return next((index for index, line in enumerate(game) if line[0] != "["), len(game))


def _readable(head: Tags, lines: list[str], has_comments: bool) -> list[str]:
    """A game's moves in the form that python-chess reads, with or without comments."""
    lines = lines[1:] if lines[:1] == ["\n"] else lines
    text = "".join(lines)
    moves = text
    if not has_comments and ";" not in text:
        moves = _COMMENT.sub(" ", text)
    if not movetext.is_plain(moves):
        return movetext.rewritten(text, lambda: _start(head))
    if moves is text:
        return lines
    return [f"{line}\n" for line in moves.split("\n") if line and not line.isspace()]


def _start(head: Tags) -> chess.Board:
    """The start position of a game; if it is unclear, the game is rejected anyway."""
    with contextlib.suppress(ValueError):
        return Headers(head).board()
    return chess.Board()


def split_games(lines: Iterable[str]) -> Iterator[list[str]]:
    """Split lines into games, without blank lines.

    A game ends at a blank line after its moves, unless it has no result yet and continues with a
    move number above 1. It also ends where another game begins: at a tag after moves, at move 1 in
    a line after moves, and, if it has no moves, at a tag that it already has. An unterminated
    comment ends before a blank line that is followed by the tag Event.

    :raises OSError: at a game that is longer than `MAX_GAME_LENGTH`.
    """
    game = _Game()
    for line in lines:
        line = line.lstrip("\ufeff")
        tag = tags.name_of(line)
        if game.is_over_before(line, tag):
            yield game.lines
            game = _Game()
        game.add(line, tag)
    if game.lines:
        yield game.lines


class _Game:
    """A game being collected line by line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._length = 0
        self._tags: set[str] = set()
        self._has_moves = self._has_result = self._in_comment = False
        self._blanks = 0  # directly before the current line

    def is_over_before(self, line: str, tag: str | None) -> bool:
        """Whether a line, which may have a tag, belongs to the next game."""
        if self._in_comment:
            return bool(self._blanks) and tag == "Event"
        if self._has_moves:
            if self._has_result:
                return bool(tag or line.isspace() or _FIRST_MOVE.match(line))
            if tag or line.isspace():
                return bool(tag)
            if self._blanks:
                return not _LATER_MOVE.match(line)
            return bool(_FIRST_MOVE.match(line)) and self._is_in_mainline()
        if not tag or not self.lines:
            return False
        return self._blanks > 1 or (self._blanks > 0 and tag in self._tags)

    def _is_in_mainline(self) -> bool:
        """Whether there are moves, and no variation is open after them."""
        text = "".join(line for line in self.lines if line[0] not in "[%")
        moves = _ANY_COMMENT.sub(" ", text)
        return not moves.isspace() and moves.count("(") == moves.count(")")

    def add(self, line: str, tag: str | None) -> None:
        """Add a line to this game.

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
        elif self.lines and not self._has_moves and tags.is_open(self.lines[-1]) and not tag:
            self.lines[-1] = f"{self.lines[-1].rstrip()} {line.lstrip()}"
        elif not self._has_moves and line.lstrip().startswith("["):
            head, rest = tags.split_head(line)
            self.lines += head
            if tag:
                self._tags.add(tag)
            if rest:
                self.add(rest, None)
        else:
            if self.lines and not self._has_moves:
                self.lines.append("\n")
            self._add_moves(line)
        self._blanks = self._blanks + 1 if is_blank else 0

    def _add_moves(self, line: str) -> None:
        self.lines.append(line)
        self._has_moves = True
        words = self._without_comments(line).split()
        self._has_result = words[-1] in _TERMINATIONS if words else self._has_result

    def _without_comments(self, line: str) -> str:
        """A line's moves without comments; remembers whether a comment continues.

        If all comments of a line end in it, only the moves after the last one may be returned.
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


def read_readable(lines: GameLines, null_moves: bool = True) -> chess.pgn.Game | None:
    """The next game as far as it can be read; None at the end; see `GameLines.remarks`.

    :param null_moves: whether the mainline may have null moves; otherwise it ends there.
    :raises ValueError: if it is rejected. The next call reads the game after it.
    """
    scanned = _scan(lines, null_moves)
    if scanned is None:
        return cast("chess.pgn.Game | None", _parse(lines, lambda: _Builder(null_moves)))
    game = Game()
    _set_headers(game.headers, scanned)
    add_moves(game, scanned.events, scanned.text, lines.has_comments)
    return game


def read_game(lines: GameLines) -> chess.pgn.Game | None:
    """The next game; None at the end.

    :raises ValueError: with its first error. The next call reads the game after it.
    """
    game = read_readable(lines)
    if game and lines.remarks.faults:
        raise ValueError(lines.remarks.faults[0])
    return game


class _Scanned(NamedTuple):
    """A game read by the scanner; see `game_scanner.py`."""

    head: dict[str, str]
    start: chess.Board  # must not be changed
    text: bytes
    codes: Sequence[int]
    events: Sequence[int]


def _scan(lines: GameLines, null_moves: bool) -> _Scanned | None:
    """Have the scanner read the next game; None if there is none, or if it needs a visitor."""
    game = lines.take()
    if game is None:
        return None
    start = None if game.remarks else start_of(game.head.get("FEN"), game.head.get("Variant"))
    text = "".join(game.lines).encode("utf-8", "replace")
    if start is not None and (scanner := scan_moves(start, text, 0, len(text))):
        codes = scanner.codes[: scanner.count]
        if null_moves or 0 not in codes:
            lines.remarks = Remarks()
            events = scanner.events[: scanner.event_count]
            return _Scanned(game.head, start, text, codes, events)
    lines.give_back(game)
    return None


def _set_headers(headers: chess.pgn.Headers, scanned: _Scanned) -> None:
    for name, value in scanned.head.items():
        headers[name] = value
    if headers.get("Result", "*") == "*":
        headers["Result"] = result_of(scanned.text)


def result_of(moves: bytes) -> str:
    """The result at the end of moves that the scanner has read; `*` if there is none."""
    words = re.sub(rb"\{[^}]*\}", b" ", moves).split()
    last = words[-1].decode("ascii") if words else "*"
    return last if last in _TERMINATIONS else "*"


@lru_cache(maxsize=1024)
def start_of(fen: str | None, variant: str | None) -> chess.Board | None:
    """The start position of a chess game with these tags; None if it needs a remark.

    It is the same board each time and must not be changed.
    """
    given = {"FEN": fen, "Variant": variant}
    head = [f'[{name} "{value}"]\n' for name, value in given.items() if value is not None]
    lines = GameLines([*head, "\n", "*\n"])
    with contextlib.suppress(ValueError):
        found = _parse(lines, lambda: _MainlineVisitor(None))
        if found and found.start.uci_variant == "chess" and lines.remarks == Remarks():
            return cast(chess.Board, found.start)
    return None


_local = threading.local()


def scan_moves(start: chess.Board, text: bytes, begin: int, end: int) -> GameScanner | None:
    """The current thread's scanner after reading the moves; None if it does not know them all."""
    scanner = getattr(_local, "scanner", None)
    if scanner is None:
        scanner = _local.scanner = GameScanner()
    scanner.use(text, True)
    return scanner if scanner.read_moves(start, begin, end) >= 0 else None


def add_moves(
    game: chess.pgn.Game, events: Iterable[int], text: bytes, has_comments: bool = True
) -> None:
    """Add to a game what the scanner has read, like `chess.pgn.GameBuilder`.

    :param events: see `game_scanner.py`.
    :param text: the text they come from.
    """
    stack: list[chess.pgn.GameNode] = [game]
    starting = ""
    is_in_line = False  # after a move of the line
    events = iter(events)
    for event in events:
        node = stack[-1]
        if event >= 0:
            stack[-1] = new_child(node, decode_move(event), starting)
            starting = ""
            is_in_line = True
        elif event <= GLYPH:
            node.nags.add(GLYPH - event)
        elif event == BEGIN_VARIATION:
            assert node.parent is not None
            stack.append(node.parent)
            is_in_line = False
        elif event == END_VARIATION:
            stack.pop()
        else:
            comment = comment_at(text, next(events), next(events))
            if not has_comments:
                continue
            if is_in_line or (node.parent is None and node.is_end()):
                node.comment = joined(node.comment, comment)
            else:
                starting = joined(starting, comment)


def comment_at(text: bytes, begin: int, end: int) -> str:
    """The comment between two offsets, minus one space at each end, as in python-chess."""
    return decode(text[begin:end]).replace("\r\n", "\n").removeprefix(" ").removesuffix(" ")


def joined(comment: str, more: str) -> str:
    """Join two comments at the same place."""
    return f"{comment} {more}" if comment and more else comment or more


def visit_game(lines: GameLines, visitor: Callable[[], Reader[Any]]) -> Any:
    """Parse the next game with a visitor.

    :param visitor: creates the visitor.
    :returns: the visitor's result; None at the end.
    :raises ValueError: if the game is rejected. The next call reads the game after it.
    """
    scanned = _scan(lines, null_moves=False)
    return _parse(lines, visitor) if scanned is None else _show(scanned, visitor())


def _parse(lines: GameLines, visitor: Callable[[], Reader[Any]]) -> Any:
    """Like `visit_game`, with python-chess's parser."""
    readers: list[Reader[Any]] = []

    def make() -> Reader[Any]:
        readers.append(visitor())
        return readers[0]

    result = chess.pgn.read_game(cast(TextIO, lines), Visitor=make)
    lines.remarks = readers[0].remarks
    if readers[0].refusal:
        raise ValueError(readers[0].refusal)
    return result


def _show(scanned: _Scanned, visitor: Reader[Any]) -> Any:
    """Show a visitor what the scanner has read, like python-chess's parser; its result."""
    visitor.begin_game()
    visitor.begin_headers()
    for name, value in scanned.head.items():
        visitor.visit_header(name, value)
    if visitor.end_headers() is not chess.pgn.SKIP:
        boards = [scanned.start.copy()]
        visitor.visit_board(boards[0])
        skipped = 0  # the depth of skipped variations
        events = iter(scanned.events)
        for event in events:
            if event == COMMENT:
                comment = comment_at(scanned.text, next(events), next(events))
                if not skipped:
                    visitor.visit_comment(comment)
            elif event == BEGIN_VARIATION:
                if skipped or visitor.begin_variation() is chess.pgn.SKIP:
                    skipped += 1
                    continue
                boards.append(boards[-1].copy())
                boards[-1].pop()
            elif event == END_VARIATION:
                if skipped:
                    skipped -= 1
                else:
                    boards.pop()
                if not skipped:
                    visitor.end_variation()
            elif not skipped:
                if event <= GLYPH:
                    visitor.visit_nag(GLYPH - event)
                    continue
                visitor.visit_move(boards[-1], decode_move(event))
                push(boards[-1], event)
                visitor.visit_board(boards[-1])
        visitor.visit_result(result_of(scanned.text))
    visitor.end_game()
    return visitor.result()


class Reader(chess.pgn.BaseVisitor[ResultT]):
    """A visitor that reads each line of a game up to its first error.

    python-chess does not return to the right position after an error in a variation, so it never
    sees one.

    :ivar remarks: on the game.
    :ivar refusal: why the game is not read at all; empty if it is.
    """

    #: Whether the mainline may have null moves; otherwise it ends before the first.
    null_moves = False

    def __init__(self) -> None:
        super().__init__()
        self.remarks = Remarks()
        self.refusal = ""
        self._board = chess.Board()
        self._outer_boards: list[chess.Board] = []  # around the current variation
        self._begins_variation = False  # so its board is one move before `_board`
        self._broken_at: int | None = None  # the depth of the line whose rest is skipped
        self._move = chess.Move.null()

    @property
    def is_broken(self) -> bool:
        """Whether the current line has had its first error."""
        return self._broken_at is not None

    def visit_board(self, board: chess.Board) -> None:
        """Record the position."""
        self._board = board
        self._begins_variation = False

    def begin_variation(self) -> chess.pgn.SkipType | None:
        """Begin a variation; skip it if it belongs to a part that is not read."""
        self._outer_boards.append(self._board)
        self._begins_variation = True
        return chess.pgn.SKIP if self.is_broken else super().begin_variation()

    def end_variation(self) -> None:
        """End a variation, and the skipped part in it."""
        self._board = self._outer_boards.pop()
        self._begins_variation = False
        if self._broken_at is None:
            super().end_variation()
        elif len(self._outer_boards) < self._broken_at:
            self._broken_at = None
            super().end_variation()

    def begin_parse_san(self, board: chess.Board, san: str) -> chess.pgn.SkipType | None:
        """Read a move, or skip it if the line is broken."""
        if self._broken_at is not None:
            return chess.pgn.SKIP
        try:
            self._move = parse_move(board, san)
        except chess.AmbiguousMoveError:
            fault = "is ambiguous"
        except ValueError:
            if san in _TERMINATIONS:  # in a variation
                return chess.pgn.SKIP
            fault = "is not legal"
        else:
            if self._move or self.null_moves or self._outer_boards:
                return None
            fault = "is a null move"
        self._break_off(f"{numbered(board, san)} {fault}")
        return chess.pgn.SKIP

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:
        """The move that has been read."""
        return self._move

    def visit_comment(self, comment: str) -> None:
        """Handle a remark, or a comment on a part that was read."""
        found = movetext.read_remark(comment)
        if found is None:
            if not self.is_broken:
                super().visit_comment(comment)
            return
        kind, text = found
        if kind == NOTE:
            self.remarks.notes.append(text)
        elif kind == REFUSAL:
            self._refuse(text)
        elif kind == FAULT and not self.is_broken:
            board = self._board
            if self._begins_variation:
                board = board.copy()
                board.pop()
            self._break_off(numbered(board, text))

    def visit_nag(self, nag: int) -> None:
        """Handle a mark on a part that was read."""
        if not self.is_broken:
            super().visit_nag(nag)

    def handle_error(self, error: Exception) -> None:
        """Reject a game whose start cannot be read; python-chess quotes the tag as it is."""
        self._refuse(on_one_line(str(error))[:MAX_REASON_LENGTH])

    def break_off(self, fault: str) -> None:
        """Called when a line breaks off."""

    def _break_off(self, fault: str) -> None:
        self._broken_at = len(self._outer_boards)
        if self._outer_boards:
            self.remarks.others.append(fault)
        else:
            self.remarks.break_off = fault
        self.break_off(fault)

    def _refuse(self, reason: str) -> None:
        self.refusal = self.refusal or reason
        self._broken_at = 0


@dataclass
class Mainline:
    """The moves played in a game, without comments and variations."""

    tags: MutableMapping[str, str]
    start: chess.Board  # ours, except for variants
    end: chess.Board  # with all moves on its stack
    chosen: list[tuple[int, chess.Board]]  # each kept position, after its number of plies


def read_mainline(lines: GameLines, chooses: Chooses | None = None) -> Mainline | None:
    """The next game's mainline as far as it can be read; None at the end; see `GameLines.remarks`.

    Variations are not parsed.

    :param chooses: whether to keep the position after this many plies; None keeps none.
    :raises ValueError: if the game is rejected. The next call reads the game after it.
    """
    scanned = _scan(lines, null_moves=False)
    if scanned is None:
        return cast("Mainline | None", _parse(lines, lambda: _MainlineVisitor(chooses)))
    headers = Headers({})
    _set_headers(headers, scanned)
    board = scanned.start.copy()
    mainline = Mainline(headers, scanned.start.copy(), board, [])
    if chooses and chooses(0, board):
        mainline.chosen.append((0, snapshot(board)))
    for ply, code in enumerate(scanned.codes, 1):
        push(board, code)
        if chooses and chooses(ply, board):
            mainline.chosen.append((ply, snapshot(board)))
    return mainline


class _MainlineVisitor(Reader[Mainline]):
    """Collects the positions of one game."""

    def __init__(self, chooses: Chooses | None) -> None:
        super().__init__()
        self.tags = Headers({})
        self.mainline: Mainline | None = None
        self._chooses = chooses
        self._ply = 0

    def begin_headers(self) -> chess.pgn.Headers:
        return self.tags

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.tags[tagname] = tagvalue

    def visit_board(self, board: chess.Board) -> None:
        self._board = board  # faster than calling the base class
        if self.mainline is None:
            self.mainline = Mainline(self.tags, board.copy(), board, [])
        if self._chooses and self._broken_at is None and self._chooses(self._ply, board):
            self.mainline.chosen.append((self._ply, snapshot(board)))

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        self._ply += 1

    def visit_result(self, result: str) -> None:
        if self.tags.get("Result", "*") == "*":
            self.tags["Result"] = result

    def begin_variation(self) -> chess.pgn.SkipType:
        super().begin_variation()
        return chess.pgn.SKIP

    def result(self) -> Mainline:
        assert self.mainline is not None or self.refusal
        return cast(Mainline, self.mainline)


class _Builder(Reader[chess.pgn.Game], GameBuilder[chess.pgn.Game]):  # type: ignore[misc]
    """Builds a game; a comment marks where it breaks off."""

    def __init__(self, null_moves: bool) -> None:
        super().__init__()
        self.null_moves = null_moves

    def break_off(self, fault: str) -> None:
        node = self.variation_stack[-1]
        if self.in_variation or len(self.variation_stack) == 1:
            node.comment = " ".join(filter(None, [node.comment, f"Breaks off here: {fault}."]))

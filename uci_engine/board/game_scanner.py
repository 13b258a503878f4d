"""Finds games in PGN and reads their moves, as long as they are in the usual form.

It reads usual tags, moves in standard notation, comments in braces, numeric annotation glyphs,
variations and a result followed by a blank line, exactly as python-chess does. Everything else,
including illegal moves, is left to the reader in `games.py`, which understands other notations and
reports what it omits.
"""

from __future__ import annotations

from array import array

import chess

from .movegen import (
    Board,
    Buffer,
    Flag,
    MoveCode,
    Number,
    copy_position,
    new_board,
    pop,
    push,
)
from .san_reading import read_san

#: Results of `GameScanner.find_game`: a game was found; there is none left; more data is needed to
#: tell; the game must be left to the reader.
FOUND, NO_GAME, UNFINISHED, UNKNOWN = 1, 2, 3, 0

#: Special values among the move codes in a game's events. `COMMENT` is followed by its start and
#: end; glyph n is `GLYPH` - n.
BEGIN_VARIATION, END_VARIATION, COMMENT, GLYPH = -1, -2, -3, -10

_TAB, _NEWLINE, _RETURN, _SPACE = 9, 10, 13, 32
_EXCLAMATION, _QUOTE, _HASH, _DOLLAR, _PERCENT = 33, 34, 35, 36, 37
_OPEN, _CLOSE, _ASTERISK, _PLUS, _DASH, _DOT, _SLASH = 40, 41, 42, 43, 45, 46, 47
_ZERO, _ONE, _TWO, _EIGHT, _NINE = 48, 49, 50, 56, 57
_COLON, _SEMICOLON, _EQUALS, _QUESTION = 58, 59, 61, 63
_B, _K, _N, _O, _Q, _R, _Z = 66, 75, 78, 79, 81, 82, 90
_BRACKET, _BACKSLASH, _END_BRACKET = 91, 92, 93
_SMALL_A, _SMALL_H, _SMALL_X, _BRACE, _END_BRACE, _DELETE = 97, 104, 120, 123, 125, 127
_MARK = 1  # the first byte of the reader's remarks

#: The number of slashes in a FEN.
_FEN_SLASHES = 7

_MAX_DEPTH = 16
_ROOM = 1024
_BAD, _SHORT = -1, -2


def fens_of(start: Board, codes: Buffer[int]) -> list[str]:
    """The FENs of a position and after each of these legal moves.

    Afterwards the board is at the last position.
    """
    fens = [start.fen()]
    index: Number
    for index in range(len(codes)):
        push(start, codes[index])
        fens.append(start.fen())
    return fens


def boards_of(start: Board, codes: Buffer[int], stack: bool | int) -> list[chess.Board]:
    """Copies of a board before and after each of these moves; see `fens_of`.

    :param stack: as for `chess.Board.copy`.
    """
    boards = [start.copy(stack=stack)]
    index: Number
    for index in range(len(codes)):
        push(start, codes[index])
        boards.append(start.copy(stack=stack))
    return boards


class GameScanner:
    """Reads games from bytes, which are set by `use`.

    :ivar head: where the tags of the game found begin.
    :ivar moves: where its moves begin, after the tags.
    :ivar end: where its moves end, after the result.
    :ivar next: where the following text begins.
    :ivar has_start: whether tags concern its start position.
    :ivar codes: the mainline moves that were read last.
    :ivar count: the number of these moves.
    :ivar events: everything that was read last; see `BEGIN_VARIATION`.
    :ivar event_count: the number of values in it.
    """

    def __init__(self) -> None:
        self.head = self.moves = self.end = self.next = 0
        self.has_start = False
        self.event_count = self.count = 0
        self._data = b""
        self._size = 0
        self._is_all = True
        self._boards = [new_board() for _ in range(_MAX_DEPTH + 1)]
        self._last = array("i", bytes(4 * (_MAX_DEPTH + 1)))  # the last move at each depth
        self._room = 0
        self._make_room(_ROOM)

    def _make_room(self, room: Number) -> None:
        if room > self._room:
            self._room = room
            self.codes = array("H", bytes(2 * room))
            self.events = array("i", bytes(4 * 3 * room))
            self._codes = self.codes
            self._events = self.events

    def use(self, data: bytes, is_all: Flag) -> None:
        """Read from these bytes from now on.

        :param is_all: whether no more data follows.
        """
        self._data = data
        self._size = len(data)
        self._is_all = is_all

    # -- finding games --------------------------------------------------------------------------

    def find_game(self, at: Number) -> Number:
        """Find the next game, searching from the beginning of a line, and return the outcome."""
        data = self._data
        begin: Number = at
        while at < self._size and (
            data[at] == _SPACE or data[at] == _NEWLINE or data[at] == _RETURN or data[at] == _TAB
        ):
            if data[at] == _NEWLINE:
                begin = at + 1
            at += 1
        self.head = begin
        self.has_start = False
        if at == self._size:
            return NO_GAME
        if data[at] == _BRACKET and at > begin:
            return UNKNOWN
        while at < self._size and data[at] == _BRACKET:
            at = self._read_tag(at)
            if at < 0:
                return UNFINISHED if at == _SHORT and not self._is_all else UNKNOWN
        while at < self._size and (
            data[at] == _SPACE or data[at] == _NEWLINE or data[at] == _RETURN or data[at] == _TAB
        ):
            at += 1
        if at == self._size:
            return UNKNOWN if self._is_all else UNFINISHED
        self.moves = at
        return self._find_end(at)

    def _read_tag(self, at: Number) -> Number:
        """Where the line after a tag begins; negative if the tag is unusual or cut off."""
        data = self._data
        size: Number = self._size
        at += 1
        begin: Number = at
        while at < size and data[at] > _SPACE and data[at] < _DELETE and data[at] != _QUOTE:
            c: Number = data[at] | 32
            if not (_SMALL_A <= c <= 122 or _ZERO <= data[at] <= _NINE):
                c = data[at]
                if at == begin or not (c == 95 or c in (_PLUS, _HASH, _EQUALS, _COLON, _DASH)):
                    return _BAD
            at += 1
        if at + 2 >= size:
            return _SHORT
        if at == begin or data[at - 1] == _COLON or data[at - 1] == _EQUALS:
            return _BAD
        if data[at] != _SPACE or data[at + 1] != _QUOTE:
            return _BAD
        is_fen: Flag = self._is_start(begin, at)
        at += 2
        slashes: Number = 0
        while at < size and data[at] != _QUOTE:
            if data[at] == _BACKSLASH:
                at += 1
                if at == size:
                    return _SHORT
            if data[at] == _NEWLINE or data[at] == _RETURN:
                return _BAD
            slashes += data[at] == _SLASH
            at += 1
        if slashes >= _FEN_SLASHES and not is_fen:
            return _BAD
        at += 1
        if at < size and data[at] != _END_BRACKET:
            return _BAD
        at += 1
        while at < size and (data[at] == _SPACE or data[at] == _TAB):
            at += 1
        if at < size and data[at] == _RETURN:
            at += 1
        if at >= size:
            return _SHORT
        return at + 1 if data[at] == _NEWLINE else _BAD

    def _is_start(self, begin: Number, end: Number) -> Flag:
        """Whether a name is FEN, SetUp or Variant; records it if so."""
        data = self._data
        first: Number = data[begin] | 32
        length: Number = end - begin
        if length == 3 and first == 102 and data[begin + 1] | 32 == 101:
            self.has_start = True
            return data[begin + 2] | 32 == 110
        if (length == 5 and first == 115) or (length == 7 and first == 118):
            self.has_start = True
        return False

    def _find_end(self, at: Number) -> Number:
        """Find where the moves beginning here end."""
        data = self._data
        size: Number = self._size
        word: Number = at
        is_in_word: Flag = False
        is_first: Flag = True
        word_end: Number = at
        while True:
            # At the first character of a non-blank line.
            c: Number = data[at]
            if c in (_BRACKET, _PERCENT, _SEMICOLON):
                return UNKNOWN
            if c == _ONE and not is_first and self._may_be_first(at):
                return UNKNOWN if self._is_all or at + 8 < size else UNFINISHED
            is_first = False
            while at < size and data[at] != _NEWLINE:
                c = data[at]
                if c == _BRACE:
                    if is_in_word:
                        word_end = at
                        is_in_word = False
                    at = self._comment_end(at)
                    if at < 0:
                        return UNKNOWN if at == _BAD or self._is_all else UNFINISHED
                elif c > _SPACE and c < _DELETE:
                    if c in (_SEMICOLON, _END_BRACE):
                        return UNKNOWN
                    if not is_in_word:
                        word = at
                        is_in_word = True
                elif c in (_SPACE, _TAB, _RETURN):
                    if c == _RETURN and at + 1 < size and data[at + 1] != _NEWLINE:
                        return UNKNOWN
                    if is_in_word:
                        word_end = at
                        is_in_word = False
                else:
                    return UNKNOWN
                at += 1
            if is_in_word:
                word_end = at
                is_in_word = False
            end: Number = at
            at += 1
            while at < size and (data[at] == _SPACE or data[at] == _TAB or data[at] == _RETURN):
                if data[at] == _RETURN and at + 1 < size and data[at + 1] != _NEWLINE:
                    return UNKNOWN
                at += 1
            if at >= size:
                if not self._is_all:
                    return UNFINISHED
                at = size
            elif data[at] != _NEWLINE:
                continue
            if not self._is_result(word, word_end):
                return UNKNOWN
            self.end = end
            self.next = min(at, size)
            return FOUND

    def _may_be_first(self, at: Number) -> Flag:
        """Whether a line may begin with the number of a game's first move."""
        data = self._data
        at += 1
        while at < self._size and data[at] == _SPACE:
            at += 1
        if at < self._size and data[at] != _DOT:
            return data[at] == _TAB
        at += 1
        return at >= self._size or data[at] != _DOT

    def _comment_end(self, at: Number) -> Number:
        """Where a comment ends, at its brace; negative if uncertain, or cut off."""
        data = self._data
        size: Number = self._size
        while at < size and data[at] != _END_BRACE:
            if data[at] == _NEWLINE:
                at += 1
                while at < size and (data[at] == _SPACE or data[at] == _TAB):
                    at += 1
                if at + 1 < size and data[at] == _BRACKET and data[at + 1] != _PERCENT:
                    return _BAD  # perhaps a tag after an unterminated comment
                if at < size and (_DELETE < data[at] < 0xC3 or 0xE0 < data[at] < 0xE4):
                    return _BAD  # perhaps a Unicode space
                if at < size and data[at] < _SPACE and data[at] not in (_NEWLINE, _RETURN):
                    return _BAD
                continue
            if data[at] == _MARK:
                return _BAD
            if data[at] == _RETURN and at + 1 < size and data[at + 1] != _NEWLINE:
                return _BAD
            at += 1
        return at if at < size else _SHORT

    def _is_result(self, begin: Number, end: Number) -> Flag:
        data = self._data
        length: Number = end - begin
        if length == 1:
            return data[begin] == _ASTERISK
        if length == 3:
            if data[begin + 1] != _DASH:
                return False
            return (data[begin] == _ONE and data[begin + 2] == _ZERO) or (
                data[begin] == _ZERO and data[begin + 2] == _ONE
            )
        return (
            length == 7
            and data[begin] == _ONE
            and data[begin + 1] == _SLASH
            and data[begin + 2] == _TWO
            and data[begin + 3] == _DASH
            and data[begin + 4] == _ONE
            and data[begin + 5] == _SLASH
            and data[begin + 6] == _TWO
        )

    # -- reading moves --------------------------------------------------------------------------

    def read_moves(self, start: Board, at: Number, end: Number) -> Number:
        """Read all moves between two offsets.

        :param start: the position before the first of them, which is not changed.
        :returns: the number of mainline moves; -1 if they must be left to the reader.
        """
        data = self._data
        self._make_room((end - at) // 2 + 2)
        depth: Number = 0
        count: Number = 0
        filled: Number = 0
        may_open: Flag = False  # whether a move precedes in this line
        board: Board = self._boards[0]
        copy_position(start, board)
        while True:
            while at < end and (
                data[at] == _SPACE
                or data[at] == _NEWLINE
                or data[at] == _RETURN
                or data[at] == _TAB
            ):
                at += 1
            if at >= end:
                if depth:
                    return _BAD
                break
            c: Number = data[at]
            if c == _BRACE:
                first: Number = at + 1
                at = self._comment_end(at)
                if at < 0 or at >= end:
                    return _BAD
                self._events[filled] = COMMENT
                self._events[filled + 1] = first
                self._events[filled + 2] = at
                filled += 3
                at += 1
                continue
            if c == _OPEN:
                if not may_open or depth == _MAX_DEPTH:
                    return _BAD
                may_open = False
                # The variation starts before the last move.
                pop(board)
                outer: Board = board
                board = self._boards[depth + 1]
                copy_position(outer, board)
                push(outer, self._last[depth])
                depth += 1
                self._events[filled] = BEGIN_VARIATION
                filled += 1
                at += 1
                continue
            begin: Number = at
            while at < end and data[at] > _SPACE and data[at] != _BRACE and data[at] != _CLOSE:
                at += 1
            # The word is data[begin:at].
            if at == begin and data[at] != _CLOSE:
                return _BAD
            if at > begin and self._is_result(begin, at):
                if depth:
                    return _BAD
                break
            begin = self._skip_number(begin, at)
            if begin < 0:
                return _BAD
            if begin < at and data[begin] != _DOLLAR:
                core: Number = self._end_of_move(begin, at)
                move: MoveCode = self._read_move(board, begin, core)
                if move < 0:
                    return _BAD
                push(board, move)
                self._last[depth] = move
                self._events[filled] = move
                filled += 1
                if depth == 0:
                    self._codes[count] = move
                    count += 1
                may_open = True
                begin = core
                if move and begin < at and (data[begin] == _PLUS or data[begin] == _HASH):
                    begin += 1
                glyph: Number = self._read_judgement(begin, at)
                if glyph < 0:
                    return _BAD
                if glyph:
                    self._events[filled] = GLYPH - glyph
                    filled += 1
                    begin += 1 if glyph < 3 else 2
            if begin < at:
                glyph = self._read_glyph(begin, at)
                if glyph < 0:
                    return _BAD
                self._events[filled] = GLYPH - glyph
                filled += 1
            while at < end and data[at] == _CLOSE:
                if depth == 0 or not may_open:
                    return _BAD
                depth -= 1
                board = self._boards[depth]
                self._events[filled] = END_VARIATION
                filled += 1
                at += 1
                if at < end and data[at] > _SPACE and data[at] != _BRACE and data[at] != _CLOSE:
                    return _BAD
        # Only comments may follow the result.
        while at < end:
            if data[at] == _BRACE:
                first = at + 1
                at = self._comment_end(at)
                if at < 0 or at >= end:
                    return _BAD
                self._events[filled] = COMMENT
                self._events[filled + 1] = first
                self._events[filled + 2] = at
                filled += 3
            elif data[at] > _SPACE:
                return _BAD
            at += 1
        self.event_count = filled
        self.count = count
        return count

    def _skip_number(self, at: Number, end: Number) -> Number:
        """Where a word continues after a move number; negative if that is unclear."""
        data = self._data
        begin: Number = at
        while at < end and _ZERO <= data[at] <= _NINE:
            at += 1
        digits: Number = at - begin
        if at < end and data[at] == _DOT:
            while at < end and data[at] == _DOT:
                at += 1
            return (
                at
                if digits < 5
                and (at == end or data[at] > _NINE or data[at] == _ZERO or data[at] == _DASH)
                else _BAD
            )
        if digits == 0:
            return at
        if digits == 1 and data[begin] == _ZERO and at < end and data[at] == _DASH:
            return begin  # castling
        return at if at == end and digits < 4 else _BAD

    def _end_of_move(self, at: Number, end: Number) -> Number:
        """Where a move ends, and its marks begin."""
        data = self._data
        while at < end and (
            data[at] > _QUESTION or _DASH <= data[at] <= _NINE or data[at] == _EQUALS
        ):
            at += 1
        return at

    def _read_move(self, board: Board, begin: Number, end: Number) -> MoveCode:
        """The move that a word in standard notation means; -1 if it is not standard."""
        data = self._data
        length: Number = end - begin
        if length < 2:
            return _BAD
        c: Number = data[begin]
        if length == 2 and (
            (c == _DASH and data[begin + 1] == _DASH) or (c == _Z and data[begin + 1] == _ZERO)
        ):
            return 0
        if c in (_O, _ZERO):
            if length != 3 and length != 5:
                return _BAD
            return read_san(board, data, begin, end)
        at: Number = begin
        if c in (_N, _B, _R, _Q, _K):
            at += 1
        elif not _SMALL_A <= c <= _SMALL_H:
            return _BAD
        while at < end:
            c = data[at]
            if not (_ONE <= c <= _EIGHT or _SMALL_A <= c <= _SMALL_H or c == _SMALL_X):
                break
            at += 1
        if at < end:  # the promotion piece
            if c == _EQUALS:
                at += 1
            if at + 1 != end:
                return _BAD
            c = data[at]
            if c not in (_Q, _R, _B, _N):
                return _BAD
        elif not _ONE <= c <= _EIGHT:
            return _BAD
        return read_san(board, data, begin, end)

    def _read_judgement(self, at: Number, end: Number) -> Number:
        """The NAG of `!`, `?` and their pairs; 0 if there is none."""
        data = self._data
        if at == end or (data[at] != _EXCLAMATION and data[at] != _QUESTION):
            return 0
        is_good: Flag = data[at] == _EXCLAMATION
        at += 1
        if at == end or (data[at] != _EXCLAMATION and data[at] != _QUESTION):
            return 1 if is_good else 2
        if data[at] == _EXCLAMATION:
            return 3 if is_good else 6
        return 5 if is_good else 4

    def _read_glyph(self, at: Number, end: Number) -> Number:
        """The number after a dollar sign, at the end of a word; negative if it is not one."""
        data = self._data
        if data[at] != _DOLLAR or not 2 <= end - at <= 5:
            return _BAD
        at += 1
        number: Number = 0
        while at < end:
            if not _ZERO <= data[at] <= _NINE:
                return _BAD
            number = 10 * number + data[at] - _ZERO
            at += 1
        return number

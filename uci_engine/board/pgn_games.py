"""PGN games, one by one, at the speed of compiled code.

`game_scanner.py` reads the usual form of PGN, and the reader in `games.py` all the rest, so that
all readers follow the same rules.
"""

from __future__ import annotations

import io
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from operator import attrgetter
from typing import Any, NamedTuple

import chess
import chess.engine
import chess.pgn

from ..base.text import decode
from . import games, tags
from .game_builder import Game
from .game_scanner import (
    BEGIN_VARIATION,
    COMMENT,
    END_VARIATION,
    FOUND,
    UNKNOWN,
    GameScanner,
    boards_of,
    fens_of,
)
from .movegen import Board as OwnBoard
from .movegen import decode as decode_move
from .movegen import encode
from .public_board import Board

#: Selects games by their tags.
Filter = Callable[[Mapping[str, str]], bool]

_TAG = re.compile(r'^\[([A-Za-z0-9][\w+#=:-]*) "((?:[^"\\\r\n]|\\.)*)"\]\s*$', re.MULTILINE)
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)?")


class PgnGame:
    """A game of a PGN file, parsed only when needed.

    :ivar number: its place in the file, from 1, counting games that the filter leaves out.
    :ivar notes: how unusual parts were read; nothing is lost.
    :ivar faults: what could not be read, in sentences without a full stop. The moves end before the
        first fault.
    """

    __slots__ = (
        *("_codes", "_head", "_is_odd", "_moves", "_start", "_tags", "_tree"),
        *("faults", "notes", "number"),
    )

    def __init__(
        self,
        number: int,
        head: bytes,
        moves: bytes,
        codes: array[int] | None,
        start: chess.Board | None,
    ) -> None:
        self.number = number
        self.notes: tuple[str, ...] = ()
        self.faults: tuple[str, ...] = ()
        self._head = head  # the text of the tags
        self._moves = moves  # the text after the tags
        self._codes = codes  # None if there are moves without a code
        self._start = start  # None for the standard start position
        self._is_odd = False  # only the reader knows this form; then `_moves` is the whole text
        self._tags: dict[str, str] | None = None
        self._tree: chess.pgn.Game | None = None

    def __getstate__(self) -> list[Any]:
        """All attributes except the tree, whose depth would overflow pickle's recursion."""
        return [None if name == "_tree" else getattr(self, name) for name in self.__slots__]

    def __setstate__(self, state: list[Any]) -> None:
        for name, value in zip(self.__slots__, state, strict=True):
            setattr(self, name, value)

    def __repr__(self) -> str:
        white, black = (self.tags.get(name, "?") for name in ("White", "Black"))
        return f"<PgnGame {self.number}: {white} - {black} {self.result}>"

    # -- tags -----------------------------------------------------------------------------------

    @property
    def tags(self) -> dict[str, str]:
        """The tags in the file, by name; a new dictionary each time."""
        return dict(self._own_tags())

    def _own_tags(self) -> dict[str, str]:
        if self._tags is None:
            self._tags = _usual_tags(self._head)
        return self._tags

    @property
    def headers(self) -> chess.pgn.Headers:
        """The tags as in python-chess: the seven standard ones first, even if missing."""
        headers = Game().headers
        for name, value in self._own_tags().items():
            with suppress(ValueError):  # python-chess rejects the name
                headers[name] = value
        headers["Result"] = self.result
        return headers

    @property
    def result(self) -> str:
        """`1-0`, `0-1`, `1/2-1/2` or `*`, from the tag, or if that is `*`, the end of the moves."""
        result = self._own_tags().get("Result", "*")
        if result != "*":
            return result
        if self._is_odd:
            return self.tree().headers.get("Result", "*")
        return games.result_of(self._moves)

    # -- moves ----------------------------------------------------------------------------------

    @property
    def codes(self) -> array[int]:
        """The mainline as 16-bit numbers: origin square | target square << 6 | promotion << 12.

        Squares range from 0 (a1) to 63 (h8), the promotion is a python-chess piece type or 0; a
        null move is 0. Castling is coded as the king's move, in Chess960 to its rook's square.

        :raises ValueError: in a game of another variant with drops, which have no numbers.
        """
        if self._codes is None:
            raise ValueError(f"game {self.number} has moves without a number: drops")
        return self._codes[:]

    @property
    def moves(self) -> list[chess.Move]:
        """The moves of the mainline."""
        if self._codes is None:
            return list(self.tree().mainline_moves())
        return list(map(decode_move, self._codes))

    def __len__(self) -> int:
        """The number of mainline moves, in plies."""
        return len(self.moves if self._codes is None else self._codes)

    # -- positions ------------------------------------------------------------------------------

    @property
    def start(self) -> chess.Board:
        """The position before the first move; a new board each time.

        It is a `halbzug.Board`, except for games of another variant.
        """
        return Board() if self._start is None else self._start.copy()

    def board(self) -> chess.Board:
        """The final position, with its move stack."""
        board = self.start
        for move in self.moves:
            board.push(move)
        return board

    def boards(self, *, stack: bool | int = False) -> list[chess.Board]:
        """All positions from first to last: one more than moves.

        :param stack: as for `chess.Board.copy`: whether to copy the move stack, or how many moves
            of it.
        """
        board = self.start
        if self._codes is not None and isinstance(board, OwnBoard):
            return boards_of(board, self._codes, stack)
        found = [board.copy(stack=stack)]
        for move in self.moves:
            board.push(move)
            found.append(board.copy(stack=stack))
        return found

    def fens(self) -> list[str]:
        """The FENs of all positions from first to last: one more than moves."""
        board = self.start
        if self._codes is not None and isinstance(board, OwnBoard):
            return fens_of(board, self._codes)
        return [board.fen() for board in self.boards()]

    # -- comments -------------------------------------------------------------------------------

    def comments(self) -> list[str]:
        """The mainline comments: before the first move, and after each move.

        Missing comments are empty; several at one place are joined with spaces.
        """
        if self._is_odd:
            tree = self.tree()
            return [tree.comment, *(node.comment for node in tree.mainline())]
        found = [""]
        depth = 0
        events = iter(self._events())
        for event in events:
            if event >= 0 and not depth:
                found.append("")
            elif event == BEGIN_VARIATION:
                depth += 1
            elif event == END_VARIATION:
                depth -= 1
            elif event == COMMENT:
                text = games.comment_at(self._moves, next(events), next(events))
                if not depth:
                    found[-1] = games.joined(found[-1], text)
        return found

    def clocks(self) -> list[float | None]:
        """The clock times after each move (`[%clk 0:03:00]`), in seconds."""
        return [_clock(comment) for comment in self.comments()[1:]]

    def evaluations(self) -> list[chess.engine.PovScore | None]:
        """The evaluations after each move (`[%eval 0.17]`, `[%eval #-3]`)."""
        turn = not self.start.turn
        return [
            _evaluation(comment, turn ^ (ply % 2 == 1))
            for ply, comment in enumerate(self.comments()[1:])
        ]

    # -- the whole game -------------------------------------------------------------------------

    def tree(self) -> chess.pgn.Game:
        """The game as a python-chess tree, with variations, comments and NAGs.

        Its `errors` are the faults. The tree is created on first use.
        """
        if self._tree is None:
            self._tree = self._make_tree()
        return self._tree

    def _make_tree(self) -> chess.pgn.Game:
        if self._is_odd:
            again = _read_by_reader(self.number, [*io.StringIO(_text_of(self._moves))])
            assert again is not None
            return again.tree()
        game = Game()
        game.headers = self.headers
        games.add_moves(game, self._events(), self._moves)
        return game

    def _events(self) -> array[int]:
        """Everything in the moves; see `game_scanner`."""
        start = self._start or _STANDARD
        scanner = games.scan_moves(start, self._moves, 0, len(self._moves))
        assert scanner is not None
        events: array[int] = scanner.events[: scanner.event_count]
        return events


class PackedGames(NamedTuple):
    """Games for another process, in a form that is unpickled faster than separate games.

    :ivar sizes: for each plain game, its number and the lengths of its two texts and its codes.
    :ivar texts: all of their texts.
    :ivar codes: all of their codes.
    :ivar others: games with additional data.
    """

    sizes: array[int]
    texts: bytes
    codes: array[int]
    others: list[PgnGame]


def pack(games: Iterable[PgnGame]) -> PackedGames:
    """Pack games, which are in the order of their numbers."""
    sizes, codes, texts = array("Q"), array("H"), []
    others: list[PgnGame] = []
    for game in games:
        if game._is_odd or game._start is not None or game._codes is None:
            others.append(game)
            continue
        sizes.extend((game.number, len(game._head), len(game._moves), len(game._codes)))
        texts += [game._head, game._moves]
        codes += game._codes
    return PackedGames(sizes, b"".join(texts), codes, others)


def unpack(packed: PackedGames) -> list[PgnGame]:
    """The packed games, in order."""
    sizes, texts, codes, others = packed
    games = []
    at = code = 0
    for index in range(0, len(sizes), 4):
        number, head, moves, count = sizes[index : index + 4]
        text = at + head
        games.append(
            PgnGame(
                number,
                texts[at:text],
                texts[text : text + moves],
                codes[code : code + count],
                None,
            )
        )
        at = text + moves
        code += count
    return sorted([*games, *others], key=attrgetter("number")) if others else games


class GameReader:
    """Reads games from the pieces of a file.

    :param admits: whether to read the game with these tags.
    :ivar number: the number of games so far.
    """

    def __init__(self, pieces: Iterator[bytes], admits: Filter | None) -> None:
        self._pieces = pieces
        self._admits = admits
        self._scanner = GameScanner()
        self._data = b""
        self._at = 0  # where the next game begins
        self._is_all = False  # whether no more data follows
        self._error: OSError | None = None  # why no more data follows
        self.number = 0

    def games(self) -> Iterator[PgnGame]:
        """Yield all games.

        :raises OSError: after them, if the rest cannot be read.
        """
        scanner = self._scanner
        while True:
            found = scanner.find_game(self._at)
            if found == FOUND:
                head = self._data[scanner.head : scanner.moves]
                moves = self._data[scanner.moves : scanner.end]
                self._at = scanner.next
                yield from self._read(head, moves)
            elif found == UNKNOWN or len(self._data) - self._at > games.MAX_GAME_LENGTH:
                yield from self._left_to_reader(next(games.split_games(self._lines()), []))
            elif self._is_all:
                break
            else:
                self._at = scanner.head
                self._grow()
        if self._error:
            raise self._error

    def _read(self, head: bytes, moves: bytes) -> Iterator[PgnGame]:
        """The game found, if it is admitted."""
        scanner = self._scanner
        start: chess.Board | None = None
        found: dict[str, str] | None = None
        if scanner.has_start:
            lines = io.StringIO(_text_of(head))
            found, remarks = tags.read_head(line for line in lines if not line.isspace())
            start = None if remarks else games.start_of(found.get("FEN"), found.get("Variant"))
        elif self._admits:
            found = _usual_tags(head)
        if start is not None or not scanner.has_start:
            if self._admits and not self._admits(found or {}):
                self.number += 1
                return
            count = scanner.read_moves(start or _STANDARD, scanner.moves, scanner.end)
            if count >= 0:
                self.number += 1
                game = PgnGame(self.number, head, moves, scanner.codes[:count], start)
                game._tags = found
                yield game
                return
        for lines_of_game in games.split_games(io.StringIO(_text_of(head + moves))):
            yield from self._left_to_reader(lines_of_game)

    def _left_to_reader(self, lines: list[str]) -> Iterator[PgnGame]:
        """A game that the scanner does not know, if there is one and it is admitted."""
        if not lines:
            return
        self.number += 1
        if self._admits and not self._admits(games.tags_of(lines)):
            return
        game = _read_by_reader(self.number, lines)
        if game is not None:
            yield game

    def _lines(self) -> Iterator[str]:
        """The lines from the next game on; at each, `_at` is its offset."""
        while True:
            place = self._at
            match = _LINE.match(self._data, place)
            end = match.end() if match else place
            is_cut = end == len(self._data) and not self._is_all
            if is_cut and end - place <= 4 * games.MAX_GAME_LENGTH:
                self._grow()
                continue
            if end == place:
                return
            line = decode(self._data[place:end])
            yield line.removesuffix("\n").removesuffix("\r") + ("\n" if line[-1] in "\r\n" else "")
            self._at += end - place

    def _grow(self) -> None:
        """Read another piece, and drop the data before the next game."""
        piece = b""
        try:
            piece = next(self._pieces, b"")
        except OSError as error:
            self._error = error
        self._is_all = not piece
        self._data = self._data[self._at :] + piece
        self._at = 0
        self._scanner.use(self._data, self._is_all)


def _read_by_reader(number: int, lines: list[str]) -> PgnGame | None:
    """A game as all commands' readers read it; None if it is empty."""
    reader = games.GameLines(lines, split=lambda _: [lines])
    found = dict(games.tags_of(lines))
    refusal = ""
    board: chess.Board = Board()
    try:
        tree = games.read_readable(reader)
        if tree is None:
            return None
        board = tree.board()
    except ValueError as error:
        refusal = str(error)
        tree = Game()  # from the standard start position, so that it can be shown
        for name in found.keys() - {"FEN", "SetUp", "Variant"}:
            tree.headers[name] = found[name]
    moves = list(tree.mainline_moves())
    codes = None if any(move.drop for move in moves) else array("H", map(encode, moves))
    game = PgnGame(number, b"", "".join(lines).encode("utf-8", "replace"), codes, board)
    game._is_odd = True
    game.notes = tuple(reader.remarks.notes)
    game.faults = (refusal,) if refusal else tuple(reader.remarks.faults)
    tree.errors = [ValueError(fault) for fault in game.faults]
    game._tags, game._tree = found, tree
    return game


_STANDARD = Board()


def _usual_tags(head: bytes) -> dict[str, str]:
    """The tags of a head in the usual form."""
    names = tags.NAMES
    return {names.get(name.lower(), name): value for name, value in _TAG.findall(_text_of(head))}


def _text_of(data: bytes) -> str:
    return decode(data).replace("\r\n", "\n")


def _clock(comment: str) -> float | None:
    found = chess.pgn.CLOCK_REGEX.search(comment) if "[%clk" in comment else None
    if not found:
        return None
    hours, minutes, seconds = found.group("hours", "minutes", "seconds")
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


def _evaluation(comment: str, turn: chess.Color) -> chess.engine.PovScore | None:
    if "[%eval" not in comment:
        return None
    node = chess.pgn.Game()
    node.comment = comment
    found = node.eval()
    if found is not None and found.relative == chess.engine.Mate(0):
        return chess.engine.PovScore(found.relative, turn)  # the side to move has been mated
    return found

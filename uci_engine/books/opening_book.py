"""Looks up moves in Polyglot opening books.

The format is described at http://hgm.nubati.net/book_format.html and read by `chess.polyglot`. A
book is untrusted data. Errors of the file as a whole raise `BookError` when it is opened; after
that, a lookup returns legal moves or nothing, and never raises.
"""

from __future__ import annotations

import os
import stat
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import chess
import chess.polyglot
from chess.polyglot import ENTRY_STRUCT, MemoryMappedReader

from ..base.os_errors import reason_of

#: Size of an entry in bytes: key, move, weight, learning data.
ENTRY_SIZE = ENTRY_STRUCT.size

#: Approximate number of evenly spaced entries read to check whether a book is sorted.
ORDER_SAMPLES = 1 << 16

#: The `variety` at which moves are chosen in proportion to their weights.
FULL_VARIETY = 100


class BookError(ValueError):
    """Why a file cannot be used as a book, in one line."""


@dataclass(frozen=True)
class BookMove:
    """A move in the book."""

    move: chess.Move
    weight: int  # sum over duplicate entries
    share: float  # of all weights in this position, 0 to 1
    ponder: chess.Move | None = None  # the book's best reply


class OpeningBook(AbstractContextManager["OpeningBook"]):
    """A Polyglot book.

    Entries should be sorted by key; an unsorted book is searched from end to end at each lookup,
    which takes milliseconds for a million entries. Memory use does not depend on the size: the file
    is mapped.

    :param path: the file.
    :raises BookError: if it is missing, not a regular file, unreadable, empty or truncated.

    >>> with OpeningBook(default_book_path()) as book:
    ...     book.choose(chess.Board(), False, Random()) is not None
    True
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._identity = _check_file(self.path)
        try:
            self._reader = MemoryMappedReader(self.path)
        except (OSError, ValueError) as error:
            raise BookError(_reason(self.path, error)) from None
        if len(self._reader) * ENTRY_SIZE != self._identity.st_size:
            self._reader.close()
            raise BookError(f"cannot map book {self.path}")
        self._is_open = True
        self.is_sorted = self._looks_sorted()

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        """The number of entries in the file."""
        return self._identity.st_size // ENTRY_SIZE

    def close(self) -> None:
        """Close the file; lookups return nothing from now on."""
        self._is_open = False
        self._reader.close()

    def choose(self, board: chess.Board, variety: bool | int, random: Random) -> BookMove | None:
        """Choose a move, with the book's best reply as the ponder move.

        :param variety: False or 0: the move with the greatest weight, the first in the file among
            equals. True or 100: at random in proportion to the weights. Values in between favour
            greater weights.
        :returns: None if the book has no legal move here, and always in Chess960.
        """
        offers = self.entries(board)
        if not offers:
            return None
        percent = FULL_VARIETY if variety is True else max(0, min(int(variety), FULL_VARIETY))
        chosen = offers[0]
        if percent:
            chances = [_chance(offer, offers[0], percent) for offer in offers]
            chosen = random.choices(offers, chances)[0]
        after = board.copy(stack=False)
        after.push(chosen.move)
        replies = self.entries(after)
        ponder = replies[0].move if replies else None
        return BookMove(chosen.move, chosen.weight, chosen.share, ponder)

    def entries(self, board: chess.Board) -> list[BookMove]:
        """The legal book moves in this position, greatest weight first, without replies.

        Duplicates are merged, with the sum of their weights. Moves with weight zero come last; they
        are chosen only if there are no others.
        """
        if board.chess960 or type(board).uci_variant != "chess" or not self._is_intact():
            return []
        weights: dict[chess.Move, int] = {}
        for code, weight in self._find(chess.polyglot.zobrist_hash(board)):
            move = _legal_move(board, code)
            if move is not None:
                weights[move] = weights.get(move, 0) + weight
        total = sum(weights.values())
        offers = [
            BookMove(move, weight, weight / total if total else 1 / len(weights))
            for move, weight in weights.items()
        ]
        return sorted(offers, key=lambda offer: -offer.weight)

    def described(self, board: chess.Board) -> list[dict[str, Any]]:
        """The moves of `entries` with their names, shares and most likely replies, as data."""
        rows = []
        for offer in self.entries(board):
            after = board.copy(stack=False)
            after.push(offer.move)
            replies = self.entries(after)
            rows.append(
                {
                    "move": offer.move.uci(),
                    "san": board.san(offer.move),
                    "weight": offer.weight,
                    "share": round(offer.share, 4),
                    "reply": after.san(replies[0].move) if replies else None,
                }
            )
        return rows

    def _find(self, key: int) -> list[tuple[int, int]]:
        """Move and weight of each entry with this key."""
        data = self._reader.mmap
        if not self.is_sorted:
            return self._scan(key)
        found = []
        for index in range(self._reader.bisect_key_left(key), len(self)):
            entry_key, code, weight, _ = ENTRY_STRUCT.unpack_from(data, index * ENTRY_SIZE)
            if entry_key != key:
                break
            found.append((code, weight))
        return found

    def _scan(self, key: int) -> list[tuple[int, int]]:
        data = self._reader.mmap
        wanted = key.to_bytes(8, "big")
        found = []
        place = data.find(wanted)
        while place >= 0:
            if place % ENTRY_SIZE == 0:
                _, code, weight, _ = ENTRY_STRUCT.unpack_from(data, place)
                found.append((code, weight))
            place = data.find(wanted, place + 1)
        return found

    def _looks_sorted(self) -> bool:
        # Only a sample, so that a huge book opens at once. If a few entries outside the sample are
        # out of order, only these are not found.
        step = -(-len(self) // ORDER_SAMPLES)
        last = 0
        for index in range(0, len(self), step):
            key = ENTRY_STRUCT.unpack_from(self._reader.mmap, index * ENTRY_SIZE)[0]
            if key < last:
                return False
            last = key
        return True

    def _is_intact(self) -> bool:
        # Reading a mapped page that was cut off the file would kill the process.
        if not self._is_open:
            return False
        try:
            now = self.path.stat()
        except OSError:
            return True  # removed or replaced: the mapping keeps the old file alive
        then = self._identity
        is_same_file = (now.st_dev, now.st_ino) == (then.st_dev, then.st_ino)
        return not is_same_file or now.st_size >= then.st_size


def default_book_path() -> Path:
    """The path of the book that comes with Halbzug."""
    from importlib.resources import files

    return Path(str(files("halbzug.books") / "default.bin"))


def polyglot_code(board: chess.Board, move: chess.Move) -> int:
    """A move in Polyglot's code: castling is the king taking its own rook."""
    to_square = move.to_square
    if board.is_castling(move):
        is_short = chess.square_file(to_square) > chess.square_file(move.from_square)
        to_square = chess.square(7 if is_short else 0, chess.square_rank(move.from_square))
    promotion = move.promotion - 1 if move.promotion else 0
    return to_square | move.from_square << 6 | promotion << 12


def _legal_move(board: chess.Board, code: int) -> chess.Move | None:
    """The legal move for a Polyglot code, or None."""
    from_square, to_square, promotion = code >> 6 & 63, code & 63, code >> 12 & 7
    if promotion > chess.QUEEN - 1:
        return None
    move = chess.Move(from_square, to_square, promotion + 1 if promotion else None)
    if board.king(board.turn) == from_square and not promotion:
        own_rooks = board.rooks & board.occupied_co[board.turn]
        if own_rooks >> to_square & 1:
            step = 2 if to_square > from_square else -2
            move = chess.Move(from_square, (from_square + step) % 64)
            if polyglot_code(board, move) != code & 0xFFF:
                return None
    return move if board.is_legal(move) else None


def _chance(offer: BookMove, best: BookMove, percent: int) -> float:
    if not best.weight:
        return 1.0
    return float((offer.weight / best.weight) ** (FULL_VARIETY / percent))


def _check_file(path: Path) -> os.stat_result:
    # Checked before opening: opening a FIFO would wait for a writer, and a device cannot be mapped.
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise BookError(_reason(path, error)) from None
    if stat.S_ISDIR(status.st_mode):
        raise BookError(f"book {path} is a directory")
    if not stat.S_ISREG(status.st_mode):
        raise BookError(f"book {path} is not a regular file")
    if not status.st_size:
        raise BookError(f"book {path} is empty")
    if status.st_size % ENTRY_SIZE:
        raise BookError(f"book {path} is truncated or not a Polyglot book")
    return status


def _reason(path: Path, error: Exception) -> str:
    text = f"cannot read book {path}: {reason_of(error)}"
    return " ".join(text.split())

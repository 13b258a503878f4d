"""Lines with a position: FEN, or EPD with its operations.

Files mix both, leave fields out and add remarks; all of that is read where the meaning is clear.

Source: https://www.chessprogramming.org/Extended_Position_Description
"""

from __future__ import annotations

import re
from typing import NamedTuple

import chess

from .fen import fault_of, read_fen, spaced
from .movetext import read_move
from .public_board import Board

_RANK = "[pnbrqkPNBRQK1-8~]+"
_PLACEMENT = re.compile(rf"{_RANK}(/{_RANK}){{7}}(\s|_|$)")
_RECORD = re.compile(
    r"(?P<placement>\S+)"
    r"(\s+(?P<turn>[wb])(\s+(?P<castling>[A-Ha-hKQkq]+|-)(\s+(?P<passant>[a-h][36]|-))?)?)?"
    r"(\s+(?P<halfmoves>[-+]?\d+)(\s+(?P<number>[-+]?\d+))?)?"
    r"\s*;?\s*(?P<operations>.*)$"
)
_HALFMOVES = re.compile(r"(?:^|;)\s*hmvc\s+(\d+)\s*;")
_OPERATION = re.compile(r'\s*([A-Za-z]\w*)(?=[\s;"]|\Z)((?:"[^"]*"|[^;"])*)(?:;|\Z)')
_SEPARATORS = re.compile(r'(?:[\s,"]|\bor\b|\d+\.+(?!\d))+')
_MATE = re.compile(r"\+?#(\d+)")
_NUMBER = re.compile(r"(?:^|;)\s*fmvn\s+(\d+)\s*;")


def is_position(text: str) -> bool:
    """Whether a text begins like FEN or EPD."""
    return _PLACEMENT.match(text) is not None


def resembles_position(text: str) -> bool:
    """Whether a text resembles a FEN more than anything else, even if it has errors."""
    ranks = (text.split() or [""])[0].split("/")
    return sum(re.fullmatch(_RANK, rank) is not None for rank in ranks) >= 4


class Record(NamedTuple):
    """A position with the text after it: EPD operations, or a remark.

    :ivar note: the castling rights that were dropped, in words; empty if none were.
    """

    board: chess.Board
    operations: str
    note: str


def read_record(text: str, chess960: bool = False) -> Record:
    """Read a position and the text after it.

    Counters come from the FEN, or from the operations `hmvc` and `fmvn`.

    :param chess960: read it as Chess960; otherwise its castling rights decide, see `read_fen`.
    :raises ValueError: if it cannot be read or searched; the message is one line.
    """
    match = _RECORD.match(spaced(text))
    if match is None or not is_position(text):
        raise ValueError(f"not a FEN: {fault_of(text) or shorten(text)}")
    operations: str = match["operations"]
    if operations and match["passant"] is None:
        beginning = " ".join(text.split()[:4])
        raise ValueError(f"not a FEN: {fault_of(beginning) or shorten(text, 90)}")
    fields = (
        match["placement"],
        match["turn"] or "w",
        match["castling"] or "-",
        match["passant"] or "-",
        match["halfmoves"] or _value(_HALFMOVES, operations) or "0",
        match["number"] or _value(_NUMBER, operations) or "1",
    )
    read, note = read_fen(" ".join(fields), chess960 or None)
    fen = read.fen(shredder=read.chess960, en_passant="fen")
    return Record(Board(fen, chess960=read.chess960), operations, note)


def read_operations(board: chess.Board, text: str) -> dict[str, object]:
    """Read an EPD record's operations: `bm` and `am` are lists of `chess.Move`, `dm` a number.

    Other values are texts without quotes. `bm #3` means `dm 3`, as in many suites.

    :raises ValueError: if they make no sense in this position; the message is one line.
    """
    found: dict[str, object] = {}
    end = 0
    text = text.rstrip()
    while end < len(text):
        operation = _OPERATION.match(text, end)
        if operation is None:
            if found:
                raise ValueError(f"bad EPD operation: {shorten(text[end:])}")
            raise ValueError(f"neither FEN nor EPD after the position: {shorten(text)}")
        end = operation.end()
        code, value = operation[1], operation[2].strip()
        try:
            found |= _read_operation(board, code, value)
        except ValueError as error:
            raise ValueError(f"bad EPD operation: {code}: {error}") from None
    return found


def _read_operation(board: chess.Board, code: str, value: str) -> dict[str, object]:
    if code == "dm":
        if not value.isdecimal() or len(value) > 4:
            raise ValueError(f"{shorten(value, 30) or 'nothing'} is not a number of moves")
        return {code: int(value)}
    if code not in ("bm", "am"):
        return {code: value.strip('"')}
    words = [word for word in _SEPARATORS.split(value) if word]
    mates = [mate for mate in map(_MATE.fullmatch, words) if mate and code == "bm"]
    moves = [read_move(board, word) for word in words if not (mates and _MATE.fullmatch(word))]
    if not words:
        raise ValueError("no move")
    found: dict[str, object] = {"dm": int(mates[0][1][:4])} if mates else {}
    return found | ({code: [move for move in moves if move]} if moves else {})


def shorten(text: str, length: int = 60) -> str:
    """The beginning of an external text, on one line, for use in a message."""
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 3] + "..."


def _value(pattern: re.Pattern[str], operations: str) -> str | None:
    found = pattern.search(operations)
    return found[1] if found else None

"""Lines with a position: FEN, or EPD with its operations.

Files mix both, leave fields out and add remarks; all of that is read where its meaning is clear.
Source: https://www.chessprogramming.org/Extended_Position_Description
"""

from __future__ import annotations

import re

import chess

from .fen import fault_of, read_position
from .public_board import Board

_RANK = "[pnbrqkPNBRQK1-8~]+"
_PLACEMENT = re.compile(rf"{_RANK}(/{_RANK}){{7}}(\s|$)")
_RECORD = re.compile(
    r"(?P<placement>\S+)"
    r"(\s+(?P<turn>[wb])(\s+(?P<castling>[A-Ha-hKQkq]+|-)(\s+(?P<passant>[a-h][36]|-))?)?)?"
    r"(\s+(?P<halfmoves>[-+]?\d+)(\s+(?P<number>[-+]?\d+))?)?"
    r"\s*;?\s*(?P<operations>.*)$"
)
_HALFMOVES = re.compile(r"(?:^|;)\s*hmvc\s+(\d+)\s*;")
_NUMBER = re.compile(r"(?:^|;)\s*fmvn\s+(\d+)\s*;")


def is_position(text: str) -> bool:
    """Whether a text begins as FEN and EPD do."""
    return _PLACEMENT.match(text) is not None


def resembles_position(text: str) -> bool:
    """Whether a text is more like FEN than like anything else, though it may have errors."""
    ranks = (text.split() or [""])[0].split("/")
    return sum(re.fullmatch(_RANK, rank) is not None for rank in ranks) >= 4


def read_record(text: str, chess960: bool = False) -> tuple[chess.Board, str]:
    """Read a position, and the text behind it: EPD operations, or a remark.

    The counters are those of the FEN, or of the operations `hmvc` and `fmvn`.

    :param chess960: read it as Chess960; that also happens if its castling rights need it.
    :raises ValueError: in one line, if it cannot be read or searched.
    """
    match = _RECORD.match(text)
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
    fen = " ".join(fields)
    board = Board(_checked(fen), chess960=True)
    if not (chess960 or board.has_chess960_castling_rights()):
        board.chess960 = False  # the same rights, in both ways of reading them
    return board, operations


def read_operations(board: chess.Board, text: str) -> dict[str, object]:
    """Read the operations of an EPD record, moves as `chess.Move`.

    :raises ValueError: if they make no sense in this position.
    """
    if not text:
        return {}
    if not re.match(r"[A-Za-z]\w*[\s;]", text + " "):
        raise ValueError(f"neither FEN nor EPD after the position: {shorten(text)}")
    try:
        epd = board.epd(shredder=board.chess960, en_passant="fen")
        return dict(chess.Board(chess960=board.chess960).set_epd(f"{epd} {text}"))
    except ValueError as error:
        raise ValueError(f"bad EPD operation: {shorten(str(error), 120)}") from None


def shorten(text: str, length: int = 60) -> str:
    """The beginning of a text from outside, on one line, for use in a message."""
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 3] + "..."


def _value(pattern: re.Pattern[str], operations: str) -> str | None:
    found = pattern.search(operations)
    return found[1] if found else None


def _checked(fen: str) -> str:
    """The same position, complete and without rights that the board does not support."""
    return read_position(fen, chess960=True).fen(shredder=True, en_passant="fen")

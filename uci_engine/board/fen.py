"""Reads positions: every returned board is legal and can be searched.

Each side has one king and at most 16 pieces. No pawn is on the first or last rank, and the side not
to move is not in check. Castling and en passant rights that the board does not support are dropped.
The rest of the engine relies on this and does not check again.
"""

from __future__ import annotations

import random
import re

import chess

from .movegen import Board, new_board

#: Longer than any FEN; longer texts are rejected without parsing.
MAX_FEN_LENGTH = 200

#: Escaping control characters in a quoted text may make it four times as long.
MAX_REASON_LENGTH = 250

#: The highest accepted move counter; no game reaches it.
MAX_COUNTER = 9999

# As integers, because the members of python-chess's enumeration are slow to compare.
_DEFECTS = {
    int(chess.STATUS_EMPTY): "the board is empty",
    int(chess.STATUS_NO_WHITE_KING): "White has no king",
    int(chess.STATUS_NO_BLACK_KING): "Black has no king",
    int(chess.STATUS_TOO_MANY_KINGS): "a side has more than one king",
    int(chess.STATUS_TOO_MANY_WHITE_PAWNS): "White has more than eight pawns",
    int(chess.STATUS_TOO_MANY_BLACK_PAWNS): "Black has more than eight pawns",
    int(chess.STATUS_TOO_MANY_WHITE_PIECES): "White has more than sixteen pieces",
    int(chess.STATUS_TOO_MANY_BLACK_PIECES): "Black has more than sixteen pieces",
    int(chess.STATUS_PAWNS_ON_BACKRANK): "a pawn stands on the first or last rank",
    int(chess.STATUS_OPPOSITE_CHECK): "the side that is not to move stands in check",
}

#: The defects that prevent a search, as python-chess's `Status`.
ALL_DEFECTS = sum(_DEFECTS)
_INVALID_EP_SQUARE = int(chess.STATUS_INVALID_EP_SQUARE)


def fen_of(text: str) -> str:
    """Expand the user's FEN; `startpos` is the start position."""
    return chess.STARTING_FEN if text == "startpos" else text


#: The fields after the piece placement, as patterns and in words.
_FIELDS = (
    ("[wb]", "the side to move is w or b"),
    ("-|[A-Ha-hKQkq]+", "the castling rights are letters such as KQkq, or -"),
    ("-|[a-h][36]", "the en passant square is one such as e3, or -"),
    ("[0-9]+", "the halfmove clock is a number"),
    ("[0-9]+", "the move number is a number"),
)


def fault_of(fen: str) -> str:
    """Which part of an invalid FEN is wrong, and how; empty if each part is valid by itself."""
    placement, *fields = fen.split() or [""]
    if fault := _placement_fault(placement):
        return fault
    for (pattern, words), field in zip(_FIELDS, fields, strict=False):
        if not re.fullmatch(pattern, field):
            return f"{words}, not {field[:30]!a}"
    rest = " ".join(fields[len(_FIELDS) :])
    return f"nothing belongs behind the move number, not {rest[:30]!a}" if rest else ""


def _placement_fault(placement: str) -> str:
    ranks = placement.split("/")
    if len(ranks) == 1:
        return f"{placement[:30]!a} is not a board" if placement else "it is empty"
    for number, rank in zip(range(8, 0, -1), ranks, strict=False):
        place = f"rank {number}, {rank[:30]!a},"
        unknown = next((sign for sign in rank if sign not in "pnbrqkPNBRQK12345678~"), "")
        if unknown:
            return f"{place} has {unknown!a}, which is neither a piece nor a number from 1 to 8"
        squares = sum(int(sign) if sign.isdigit() else sign != "~" for sign in rank)
        if squares != 8:
            return f"{place} has {squares} squares, not 8"
        if re.search("[1-8]{2}", rank):
            return f"{place} has two numbers side by side"
    return "" if len(ranks) == 8 else f"there are {len(ranks)} ranks, not 8"


def spaced(fen: str) -> str:
    """The FEN with spaces between its fields, which links write as underscores."""
    return fen if " " in fen.strip() else fen.replace("_", " ")


def read_position(fen: str, chess960: bool = False) -> Board:
    """Read a FEN, X-FEN or Shredder-FEN; missing counters get their default values.

    :raises ValueError: if it cannot be read or searched; the message is one line.
    """
    fen = " ".join(spaced(fen).split())
    if len(fen) > MAX_FEN_LENGTH:
        raise ValueError(f"not a FEN: longer than {MAX_FEN_LENGTH} characters")
    counters = fen.split(" ")[4:]
    if not all(re.fullmatch("[+-]?[0-9]+", counter) for counter in counters):
        raise ValueError(f"not a FEN: {fault_of(fen) or 'a move counter is not a number'}")
    if any(len(counter.lstrip("+-0")) > len(str(MAX_COUNTER)) for counter in counters):
        raise ValueError("a move counter is out of range")
    try:
        board = new_board(fen, (), chess960)
    except (ValueError, IndexError, OverflowError) as error:
        reason = fault_of(fen) or str(error)[:MAX_REASON_LENGTH]
        raise ValueError(f"not a FEN: {reason}") from None
    board.promoted = 0  # a crazyhouse marker; python-chess does not count a king that has it
    board.castling_rights = board.clean_castling_rights()
    status = int(board.status())
    if status & ALL_DEFECTS:
        raise ValueError(f"impossible position: {_defect(status)}")
    if status & _INVALID_EP_SQUARE:
        board.ep_square = None
    return board


def read_fen(fen: str, chess960: bool | None = None) -> tuple[Board, str]:
    """Read a FEN, X-FEN or Shredder-FEN; its castling rights decide if it is Chess960.

    Rights that all fit the standard starting squares are kept. Otherwise, if all fit one Chess960
    set-up with each king between its rooks, it is Chess960; if not, rights that do not fit the
    standard squares are dropped.

    :param chess960: if known, True for Chess960 or False for standard chess.
    :returns: the board, and the dropped rights in words; empty if none were.
    :raises ValueError: if it cannot be read or searched; the message is one line.
    """
    board = read_position(fen, chess960=True)
    letters = "".join((spaced(fen).split()[2:3] or ["-"])[0].split("-"))
    squares = {letter: _rook_of(board, letter) for letter in letters}
    if chess960 is None:
        is_standard = all(_is_standard(board, each, squares[each]) for each in letters)
        chess960 = not is_standard and _is_one_set_up(board, squares)
    dropped, rights = "", 0
    for letter, square in squares.items():
        fits = square is not None if chess960 else _is_standard(board, letter, square)
        if fits and square is not None:
            rights |= chess.BB_SQUARES[square]
        else:
            dropped += letter
    board.chess960 = chess960
    board.castling_rights = rights
    board.castling_rights = board.clean_castling_rights()
    if dropped:
        return board, f"castling rights {dropped} dropped, which this position cannot have"
    return board, ""


def _rook_of(board: Board, letter: str) -> chess.Square | None:
    """The square of the rook that a castling right refers to; None if there is none."""
    color = letter.isupper()
    king = board.king(color)
    rank = chess.BB_RANK_1 if color else chess.BB_RANK_8
    if king is None or not chess.BB_SQUARES[king] & rank:
        return None
    rooks = [*chess.SquareSet(board.rooks & board.occupied_co[color] & rank)]
    side = letter.lower()
    if side == "k":
        return max((rook for rook in rooks if rook > king), default=None)
    if side == "q":
        return min((rook for rook in rooks if rook < king), default=None)
    return next((rook for rook in rooks if chess.square_file(rook) == ord(side) - ord("a")), None)


def _is_standard(board: Board, letter: str, rook: chess.Square | None) -> bool:
    """Whether a castling right fits the standard starting squares."""
    king = board.king(letter.isupper())
    return (
        rook is not None
        and king is not None
        and chess.square_file(king) == 4
        and chess.square_file(rook) in (0, 7)
    )


def _is_one_set_up(board: Board, rooks: dict[str, chess.Square | None]) -> bool:
    """Whether castling rights fit one Chess960 set-up, with the kings between their rooks."""
    kings: set[int] = set()
    files: dict[bool, set[int]] = {False: set(), True: set()}
    for letter, rook in rooks.items():
        king = board.king(letter.isupper())
        if rook is None or king is None:
            return False
        kings.add(chess.square_file(king))
        files[rook > king].add(chess.square_file(rook))
    return len(kings) == 1 and not kings & {0, 7} and max(map(len, files.values())) < 2


def defect_of(board: chess.Board) -> str:
    """Why a position cannot be searched, in words; empty if it can."""
    return _defect(int(board.status()))


def _defect(status: int) -> str:
    return next((message for defect, message in _DEFECTS.items() if status & defect), "")


def exact_fen(board: chess.Board) -> str:
    """A FEN that restores the same position: all rights, and the en passant square as set."""
    return board.fen(shredder=board.chess960, en_passant="fen")


def engine_board(board: chess.Board) -> Board:
    """The position of any chess board, without its move stack, for the engine's own modules."""
    return new_board(exact_fen(board), (), board.chess960)


def chess960_number(text: str) -> int:
    """Read the number of a Chess960 start position: 0 to 959, or `random`.

    :raises ValueError: if there is no such position.
    """
    if text == "random":
        return random.randrange(960)
    if not text.isdecimal() or int(text) > 959:
        raise ValueError(f"{text} is not a number from 0 to 959.")
    return int(text)

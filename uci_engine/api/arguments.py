"""Checks arguments before they reach an engine: boards, limits, options.

An engine can answer an invalid request only with silence or a guess. These functions raise an error
instead that says what is allowed.
"""

from __future__ import annotations

import difflib
import math
import operator
import re
from collections.abc import Iterable, Mapping
from typing import Any

import chess
import chess.engine

from ..base.text import on_one_line
from ..board.fen import defect_of
from ..engine.options import Button, Check, Option, Spin
from ..uci.session_options import OPTIONS

#: What the whole numbers of a limit count.
_COUNTS = {"depth": "plies", "nodes": "nodes", "mate": "moves"}
_CLOCKS = ("white_clock", "black_clock", "white_inc", "black_inc")


def _keyword(name: str) -> str:
    """The keyword for an option: `skill_level` for `Skill Level`, `own_book` for `OwnBook`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace(" ", "_").lower()


#: The options by their keywords. python-chess sets MultiPV, Ponder and UCI_Chess960 itself.
KEYWORDS: dict[str, Option] = {
    _keyword(option.name): option
    for option in OPTIONS
    if not isinstance(option, Button)
    and not chess.engine.Option(option.name, "", None, None, None, None).is_managed()
}


def check_board(board: chess.Board) -> None:
    """Make sure that a position can be searched.

    :raises TypeError: if it is not a `chess.Board`.
    :raises ValueError: if the position is impossible in chess, such as a board without a king.
    """
    if not isinstance(board, chess.Board):
        hint = "; chess.Board(fen) makes one" if isinstance(board, str) else ""
        raise TypeError(f"the board must be a chess.Board, not {_type(board)}{hint}")
    defect = defect_of(board)
    if defect and type(board).uci_variant == "chess":
        raise ValueError(f"impossible position: {defect}")


def check_chess(board: chess.Board) -> None:
    """Make sure that a board is for standard chess or Chess960, not for another variant.

    :raises ValueError: if it is for another variant.
    """
    if type(board).uci_variant != "chess":
        raise ValueError(f"the game must be chess or Chess960, not {type(board).uci_variant}")


def check_limit(limit: chess.engine.Limit) -> None:
    """Make sure that a limit ends a search.

    :raises TypeError: if it, or a number in it, has the wrong type.
    :raises ValueError: if nothing in it ends a search, or a number is out of range.
    """
    if not isinstance(limit, chess.engine.Limit):
        raise TypeError(f"the limit must be a chess.engine.Limit, not {_type(limit)}")
    for name, unit in _COUNTS.items():
        if getattr(limit, name) is not None:
            check_count(name, getattr(limit, name), unit)
    if limit.remaining_moves is not None:
        _whole("remaining_moves", limit.remaining_moves)
    for name in ("time", *_CLOCKS):
        _check_seconds(name, getattr(limit, name), least=0.0 if name == "time" else None)
    ends = (limit.time, limit.depth, limit.nodes, limit.mate, limit.white_clock, limit.black_clock)
    if all(end is None for end in ends):
        raise ValueError(
            "the limit is empty, and the search would never end: give time, depth, nodes, mate or"
            " the clocks"
        )


def check_count(name: str, value: Any, unit: str, least: int = 1) -> None:
    """Make sure that a number is a whole number of at least `least`.

    :param name: of the number, for the message.
    :raises TypeError: if it is not a whole number.
    :raises ValueError: if it is less than `least`.
    """
    if _whole(name, value) < least:
        raise ValueError(f"{name} must be at least {least} ({unit}), not {value}")


def check_root_moves(
    board: chess.Board, moves: Iterable[chess.Move] | None
) -> list[chess.Move] | None:
    """Make sure that root moves are legal.

    :raises TypeError: if they are not moves.
    :raises ValueError: if one of them is not legal, or there are none.
    """
    if moves is None:
        return None
    if isinstance(moves, str | chess.Move):
        raise TypeError(f"root_moves must be an iterable of chess.Move, not {_type(moves)}")
    listed = list(moves)
    for move in listed:
        if not isinstance(move, chess.Move):
            hint = "; board.parse_san(text) makes one" if isinstance(move, str) else ""
            raise TypeError(f"root_moves must be of chess.Move, not {_type(move)}{hint}")
        if not board.is_legal(move):
            raise ValueError(f"root_moves: {move.uci()} is not legal in {board.fen()}")
    if not listed:
        raise ValueError("root_moves is empty; use None for all legal moves")
    return listed


def uci_settings(options: Mapping[str, Any]) -> dict[str, str | int | bool | None]:
    """Convert keyword options to UCI options.

    :param options: UCI names in Python style: `hash`, `skill_level`, `own_book`, `uci_elo`.
    :raises TypeError: if there is no such option, or a value has the wrong type.
    :raises ValueError: if a value is out of range.
    """
    settings: dict[str, str | int | bool | None] = {}
    for keyword, value in options.items():
        option = KEYWORDS.get(keyword)
        if option is None:
            near = difflib.get_close_matches(keyword, KEYWORDS, 1, 0.5)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(KEYWORDS)}"
            raise TypeError(f"unknown option {keyword!r}: {hint}")
        settings[option.name] = _checked(keyword, option, value)
    if "uci_elo" in options:  # asking for an Elo limits the strength
        settings.setdefault("UCI_LimitStrength", True)
    return settings


def _checked(keyword: str, option: Option, value: Any) -> str | int | bool:
    if isinstance(option, Check):
        if not isinstance(value, bool):
            raise TypeError(f"{keyword} must be True or False, not {value!r}")
        return value
    if isinstance(option, Spin):
        number = _whole(keyword, value)
        if not option.minimum <= number <= option.maximum:
            raise ValueError(
                f"{keyword} must be from {option.minimum} to {option.maximum}, not {number}"
            )
        return number
    if hasattr(value, "__fspath__"):
        value = value.__fspath__()
    if not isinstance(value, str):
        raise TypeError(f"{keyword} must be a string or a path, not {_type(value)}")
    if value != on_one_line(value):
        raise ValueError(f"{keyword} must be one line of text without control characters")
    return value


def _whole(name: str, value: Any) -> int:
    if not isinstance(value, bool):
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise TypeError(f"{name} must be a whole number, not {value!r}")


def _check_seconds(name: str, value: Any, least: float | None) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not hasattr(value, "__float__") or isinstance(value, str):
        raise TypeError(f"{name} must be a number of seconds, not {value!r}")
    if not math.isfinite(value):
        raise ValueError(f"{name} must be a finite number of seconds, not {value}")
    if least is not None and value < least:
        raise ValueError(f"{name} must be at least {least:g} seconds, not {value}")


def _type(value: object) -> str:
    return type(value).__name__

"""Parses UCI lines into command objects. No line raises an exception.

Source: the UCI specification by Stefan Meyer-Kahlen, April 2006.
"""

from __future__ import annotations

import contextlib
import re
from typing import Any, NamedTuple

from ..base.events import shown
from ..base.limits import Limits

#: Larger numbers are reduced to this one.
MAX_NUMBER = 2**31 - 1

#: Search time if no limit of a `go` can be read, in milliseconds: an endless search would lose the
#: game.
UNREADABLE_MOVE_TIME_MS = 100

#: How many invalid words of a line are reported.
MAX_COMPLAINTS = 5


class Simple(NamedTuple):
    """A command without arguments."""

    name: str


class Debug(NamedTuple):
    """`debug on|off`."""

    on: bool


class Register(NamedTuple):
    """`register later`, or `register name N code C`, which needs an answer."""

    is_later: bool


class SetOption(NamedTuple):
    """`setoption name N [value V]`."""

    name: str
    value: str | None


class SetPosition(NamedTuple):
    """`position startpos|fen F [moves ...]`; `fen` None is the start position."""

    fen: str | None
    moves: tuple[str, ...]


class Go(NamedTuple):
    """`go ...`, with messages about its invalid parts."""

    limits: Limits
    complaints: tuple[str, ...] = ()


class Perft(NamedTuple):
    """`go perft N`."""

    depth: int


class Bench(NamedTuple):
    """`bench [depth]`."""

    depth: int | None


class Bad(NamedTuple):
    """Not a command; `complaint` says why."""

    complaint: str


class BadPosition(NamedTuple):
    """A `position` command that sets no position; `complaint` says why."""

    complaint: str


Command = (
    Simple | Debug | Register | SetOption | SetPosition | Go | Perft | Bench | Bad | BadPosition
)

_SIMPLE = {
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "eval",
    "flip",
    "help",
}

_DIGITS = re.compile(r"[+-]?[0-9]{1,20}")

# The fields of `Limits` by the words of `go`.
_NUMBERS = {
    "wtime": "white_time_ms",
    "btime": "black_time_ms",
    "winc": "white_increment_ms",
    "binc": "black_increment_ms",
    "movestogo": "moves_to_go",
    "movetime": "move_time_ms",
    "depth": "depth",
    "nodes": "nodes",
    "mate": "mate",
}
_LIMITS = ("white_time_ms", "black_time_ms", "move_time_ms", "depth", "nodes", "mate")
_GO_WORDS = {*_NUMBERS, "searchmoves", "ponder", "infinite", "perft"}


def parse(line: str) -> Command | None:
    """Parse one line; None for an empty one."""
    words = line.split()
    if not words:
        return None
    name, arguments = words[0], words[1:]
    if name in _SIMPLE:
        return Simple(name)
    if name == "go":
        return _parse_go(arguments)
    if name == "position":
        return _parse_position(arguments)
    if name == "setoption":
        return _parse_setoption(line)
    if name == "debug":
        if arguments not in (["on"], ["off"]):
            return Bad("debug: expected on or off")
        return Debug(arguments == ["on"])
    if name == "register":
        if arguments != ["later"] and arguments[:1] not in (["name"], ["code"]):
            return Bad("register: expected later, or name and code")
        return Register(arguments == ["later"])
    if name == "bench":
        depth = to_int(arguments[0]) if arguments else None
        if arguments and depth is None:
            return Bad(f"bench: not a depth: {shown(arguments[0])}")
        return Bench(depth)
    return Bad(f"unknown command: {shown(name)}")


def _parse_setoption(line: str) -> Command:
    words = line.split()
    if words[1:2] != ["name"] or words[2:3] in ([], ["value"]):
        return Bad("setoption: expected name and value")
    if "value" not in words:
        return SetOption(" ".join(words[2:]), None)
    end = words.index("value")
    # Names contain single spaces; values are kept unchanged, because paths may contain more.
    value = line.split(None, end + 1)[end + 1 :]
    return SetOption(" ".join(words[2:end]), value[0].strip() if value else "")


def _parse_position(words: list[str]) -> Command:
    moves: tuple[str, ...] = ()
    if "moves" in words:
        index = words.index("moves")
        words, moves = words[:index], tuple(map(_move, words[index + 1 :]))
    if words == ["startpos"]:
        return SetPosition(None, moves)
    if words[:1] == ["fen"] and len(words) > 1:
        return SetPosition(" ".join(words[1:]), moves)
    return BadPosition("expected startpos or fen")


def _move(word: str) -> str:
    """A move in lower case, even if its promotion letter is not."""
    return word if word.islower() else word.lower()


def _parse_go(words: list[str]) -> Command:
    values: dict[str, Any] = {}  # the numbers by the fields of `Limits`
    complaints: list[str] = []
    search_moves: list[str] = []
    flags = {"ponder": False, "infinite": False}
    is_unreadable = False
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word in flags:
            flags[word] = True
        elif word == "searchmoves":
            while index < len(words) and words[index] not in _GO_WORDS:
                search_moves.append(_move(words[index]))
                index += 1
        elif word in _NUMBERS or word == "perft":
            text = words[index] if index < len(words) else ""
            number = to_int(text)
            if number is None and word != "perft" and text not in _GO_WORDS:
                number = _whole_part(text) or None  # less than 1 is no limit
                index += bool(text)
                found = "is unreadable" if number is None else f"is read as {number}"
                complaints.append(f"go: {word} {shown(text)} {found}" if text else _missing(word))
                is_unreadable = is_unreadable or number is None
            elif number is None:
                complaints.append(_missing(word))
                is_unreadable = True
            else:
                index += 1
            if number is not None:
                values[_NUMBERS.get(word, word)] = number
        else:
            complaints.append(f"go: {shown(word)} not understood")
            is_unreadable |= any(map(str.isdigit, word))
    if "perft" in words:  # even without a number, it is not a search
        return Perft(max(values["perft"], 1)) if "perft" in values else Bad(complaints[0])
    if is_unreadable and not flags["infinite"] and not any(name in values for name in _LIMITS):
        values["move_time_ms"] = UNREADABLE_MOVE_TIME_MS
        complaints.insert(0, f"go: no valid limit, searching {UNREADABLE_MOVE_TIME_MS} ms")
    limits = Limits(**values, **flags, search_moves=tuple(search_moves))
    return Go(limits, tuple(complaints[:MAX_COMPLAINTS]))


def _missing(word: str) -> str:
    return f"go: {word} needs a number"


def _whole_part(text: str) -> int | None:
    """The whole part of text that is not an integer: `100.5`, `6e4`, `100ms`; else None."""
    with contextlib.suppress(ValueError, OverflowError):
        return to_int(str(int(float(text[:40])))) if text.isascii() else None
    found = _DIGITS.match(text)
    return to_int(found[0]) if found else None


def to_int(text: str) -> int | None:
    """A decimal number within 32 bits; None if it is not one."""
    if not text.lstrip("+-").isdecimal() or not text.isascii() or len(text) > 1000:
        return None
    try:
        return max(-MAX_NUMBER, min(int(text), MAX_NUMBER))
    except ValueError:
        return None

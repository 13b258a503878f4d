"""The messages of pages, as plain data, and how what is in them is read."""

from __future__ import annotations

from typing import Any

Message = dict[str, Any]

#: The most seconds for a move of an opponent, and for a position of a game that is analysed.
MAX_MOVE_SECONDS = 60.0


class MessageError(ValueError):
    """What is wrong with a message, in one line."""


def number_in(message: Message, key: str) -> int:
    """A number of a message.

    :raises MessageError: if it is none.
    """
    value = message.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise MessageError(f"{key} is no number")
    return value


def text_in(message: Message, key: str, max_length: int) -> str:
    """A text of a message.

    :param max_length: in characters.
    :raises MessageError: if it is none, or longer.
    """
    value = message.get(key)
    if not isinstance(value, str):
        raise MessageError(f"{key} is no text")
    if len(value) > max_length:
        raise MessageError(f"longer than {max_length} characters")
    return value


def seconds_in(message: Message, default: float, what: str) -> float:
    """The seconds of a message, for a move or a position.

    :param what: they are for, for the error.
    :raises MessageError: if they are none, or more than `MAX_MOVE_SECONDS`.
    """
    seconds = message.get("seconds", default)
    if not isinstance(seconds, (int, float)) or not 0.01 <= seconds <= MAX_MOVE_SECONDS:
        raise MessageError(f"the time for a {what} is at most {MAX_MOVE_SECONDS:g} seconds")
    return float(seconds)

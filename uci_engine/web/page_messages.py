"""Messages from pages: plain data, and functions that check it."""

from __future__ import annotations

from typing import Any

Message = dict[str, Any]

#: Maximum seconds for an opponent's move, or for each position of a reviewed game.
MAX_MOVE_SECONDS = 60.0


class MessageError(ValueError):
    """What is wrong with a message, in one line."""


def number_in(message: Message, key: str) -> int:
    """Read a number from a message.

    :raises MessageError: if it is missing or not a number.
    """
    value = message.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise MessageError(f"{key} is not a number")
    return value


def text_in(message: Message, key: str, max_length: int) -> str:
    """Read a text from a message.

    :param max_length: in characters.
    :raises MessageError: if it is missing, not a text, or longer.
    """
    value = message.get(key)
    if not isinstance(value, str):
        raise MessageError(f"{key} is not a text")
    if len(value) > max_length:
        raise MessageError(f"longer than {max_length} characters")
    return value


def seconds_in(message: Message, default: float, what: str) -> float:
    """Read the seconds for a move or a position from a message.

    :param what: names their purpose in the error.
    :raises MessageError: if they are invalid, or more than `MAX_MOVE_SECONDS`.
    """
    seconds = message.get("seconds", default)
    if not isinstance(seconds, (int, float)) or not 0.01 <= seconds <= MAX_MOVE_SECONDS:
        raise MessageError(f"the time for a {what} is at most {MAX_MOVE_SECONDS:g} seconds")
    return float(seconds)

"""Selects games of a database by their tags, and positions in these games.

The tags are those of lichess's databases, which follow the PGN standard. A game without a tag that
is asked about is not selected.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import chess

    from ..base.time_control import TimeControl

#: Whether a game with these tags is selected.
GameTest = Callable[[Mapping[str, str]], bool]

#: lichess's names for time controls, each a range of estimated durations in seconds, including the
#: first and excluding the second. Source: https://lichess.org/faq#time-controls
SPEEDS = {
    "ultrabullet": (0.0, 30.0),
    "bullet": (30.0, 180.0),
    "blitz": (180.0, 480.0),
    "rapid": (480.0, 1500.0),
    "classical": (1500.0, 21600.0),
    "correspondence": (21600.0, math.inf),
}

#: The number of moves a player makes in the game whose duration is estimated.
_MOVES_OF_A_GAME = 40

#: Results as users write them, and as tags.
_RESULTS = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "draw": "1/2-1/2", "*": "*"}

_ECO = re.compile(r"[A-E]\d{0,2}", re.IGNORECASE)
_DATE = re.compile(r"(\d{4})(?:[-.](0[1-9]|1[0-2])(?:[-.](0[1-9]|[12]\d|3[01]))?)?")


@dataclass(frozen=True)
class Selection:
    """Which games to select, and which of their positions.

    A position must satisfy all conditions.
    """

    games: tuple[GameTest, ...] = ()
    plies: tuple[int, int | None] = (0, None)  # first and last ply; 0 is before the first move
    every: int = 1  # of these, every n-th ply only
    is_quiet: bool = False  # only quiet positions

    @property
    def is_of_positions(self) -> bool:
        """Whether it filters positions within a game."""
        return self.plies != (0, None) or self.every > 1 or self.is_quiet

    def admits_game(self, tags: Mapping[str, str]) -> bool:
        """Whether the game with these tags is selected."""
        return all(test(tags) for test in self.games)

    def admits_position(self, ply: int, board: chess.Board) -> bool:
        """Whether the position after `ply` plies is selected."""
        first, last = self.plies
        if ply < first or (ply - first) % self.every or (last is not None and ply > last):
            return False
        if not self.is_quiet:
            return True
        from ..search.quiet import is_quiet

        return is_quiet(board)


def parse_range(text: str) -> tuple[int, int | None]:
    """Parse `FROM..TO`, `FROM..` or `..TO` with whole numbers; the second is None if open.

    :raises ValueError: if it has another form.
    """
    match = re.fullmatch(r"(\d*)\.\.(\d*)", text.strip(), re.ASCII)
    if not match or match[0] == "..":
        raise ValueError(f"{text!r} is not a range: FROM..TO, FROM.. or ..TO.")
    first, last = int(match[1] or 0), int(match[2]) if match[2] else None
    if last is not None and first > last:
        raise ValueError(f"{first} is above {last}.")
    return first, last


def rating_test(text: str) -> GameTest:
    """Both players' ratings are in a range; see `parse_range`.

    :raises ValueError: if it is not a range.
    """
    first, last = parse_range(text)
    highest = math.inf if last is None else last

    def test(tags: Mapping[str, str]) -> bool:
        ratings = [rating(tags.get(tag, "")) for tag in ("WhiteElo", "BlackElo")]
        return all(each is not None and first <= each <= highest for each in ratings)

    return test


def rating(text: str) -> int | None:
    """The value of a rating tag; None if unknown.

    >>> rating("2104"), rating("?")
    (2104, None)
    """
    return int(text) if re.fullmatch(r"\d{1,4}", text, re.ASCII) else None


def result_test(text: str) -> GameTest:
    """The result is one of a comma-separated list.

    :raises ValueError: if the list contains anything else.
    """
    words = [word.strip() for word in text.split(",")]
    if wrong := next((word for word in words if word not in _RESULTS), None):
        raise ValueError(f"{wrong!r} is not a result: {', '.join(_RESULTS)}.")
    wanted = {_RESULTS[word] for word in words if word}
    return lambda tags: tags.get("Result") in wanted


def date_test(text: str) -> GameTest:
    """The date, including any unknown parts, lies in a range of dates or in a single one.

    :param text: a year, a month or a day, such as 2026-01, or `FROM..TO` of these.
    :raises ValueError: if it has another form.
    """
    begin, dots, end = text.strip().partition("..")
    end = end if dots else begin
    if not (begin or end) or any(date and not _DATE.fullmatch(date) for date in (begin, end)):
        raise ValueError(f"{text!r} is not a date, such as 2026, 2026-01 or 2026-01-15..2026-03.")
    first, last = _completed(begin, "00"), _completed(end, "99") if end else "9999.99.99"
    if first > last:
        raise ValueError(f"{begin} is after {end}.")

    def test(tags: Mapping[str, str]) -> bool:
        date = tags.get("Date") or tags.get("UTCDate", "")
        return bool(date) and first <= _completed(date, "00") and _completed(date, "99") <= last

    return test


def _completed(date: str, unknown: str) -> str:
    """A PGN date with its unknown parts filled in."""
    parts = [*date.replace("-", ".").split("."), "??", "??"][:3]
    year, month, day = (unknown if "?" in part else part for part in parts)
    return f"{year * 2 if len(year) == 2 else year}.{month}.{day}"


def opening_test(text: str) -> GameTest:
    """The ECO code starts with a text such as `B9`, or the opening's name contains the text.

    :raises ValueError: if it is empty.
    """
    wanted = _plain(text.strip())
    if not wanted:
        raise ValueError("it is empty.")
    if _ECO.fullmatch(wanted):
        return lambda tags: tags.get("ECO", "").lower().startswith(wanted)

    def test(tags: Mapping[str, str]) -> bool:
        return wanted in _plain(f"{tags.get('Opening', '')}: {tags.get('Variation', '')}")

    return test


def _plain(text: str) -> str:
    """The text in lower case, without accents."""
    letters = unicodedata.normalize("NFKD", text)
    return "".join(each for each in letters if not unicodedata.combining(each)).lower()


def time_control_test(text: str) -> GameTest:
    """The time control is one of a comma-separated list.

    :param text: names from `SPEEDS`, time controls such as `180+2`, and ranges of the estimated
        duration in seconds.
    :raises ValueError: if the list contains anything else.
    """
    from ..base.time_control import parse_clock

    speeds: list[tuple[float, float]] = []
    controls: list[TimeControl] = []
    for word in (word.strip().lower() for word in text.split(",")):
        if word in SPEEDS:
            speeds.append(SPEEDS[word])
        elif ".." in word:
            first, last = parse_range(word)
            speeds.append((first, math.inf if last is None else last + 1))
        else:
            try:
                controls.append(parse_clock(word))
            except ValueError:
                known = ", ".join(SPEEDS)
                raise ValueError(
                    f"{word!r} is not a time control, such as 180+2, a range, or one of {known}."
                ) from None

    def test(tags: Mapping[str, str]) -> bool:
        tag = tags.get("TimeControl", "")
        if tag == "-":  # correspondence games on lichess
            return SPEEDS["correspondence"] in speeds
        try:
            control = parse_clock(tag.partition(":")[0])  # the first of several periods
        except ValueError:
            return False
        seconds = _estimated_seconds(control)
        return control in controls or any(first <= seconds < end for first, end in speeds)

    return test


def _estimated_seconds(control: TimeControl) -> float:
    """A player's total thinking time in an average game, as lichess estimates it."""
    moves = _MOVES_OF_A_GAME
    periods = moves / control.moves if control.moves else 1
    return control.base_seconds * periods + moves * control.increment_seconds

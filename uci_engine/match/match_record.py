"""Saves the games of a match in a PGN file, and continues an interrupted match from it.

Each finished game is appended in a single write, and is on disk before it counts. Its tag MatchId
identifies the match, and Round the game of the schedule. When the file is opened again, an
incomplete game that a killed process left at its end is removed, and that game is played again. So
no game is lost or counted twice.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import chess.pgn

from ..base.text import decode
from ..base.whole_file import append_whole, lock, open_to_append
from ..board.pgn import pgn_text
from ..client.engine_errors import Fault
from .game import EVENT

_TAG = re.compile(rb'^\[(\w+) "(.*)"\]\s*$', re.MULTILINE)
_START = b'[Event "'
_FIRST_TAG = re.compile(rb'[\xef\xbb\xbf\s]*\[\s*\w+\s+"')
_OUR_START = f'[Event "{EVENT}"]\n'.encode()
_RESULTS = ("1-0", "0-1", "1/2-1/2")


@dataclass(frozen=True)
class GameRecord:
    """The facts of a finished game that count."""

    number: int  # in the schedule
    white: str
    black: str
    result: str
    termination: str
    white_mistakes: int = 0  # of the engine's file, which cost a move each
    black_mistakes: int = 0

    @property
    def white_points(self) -> float:
        """Points for White: 0, 0.5 or 1."""
        return {"1-0": 1.0, "0-1": 0.0}.get(self.result, 0.5)

    @property
    def loser(self) -> str:
        """The name of the loser; empty after a draw."""
        return {"1-0": self.black, "0-1": self.white}.get(self.result, "")

    @property
    def is_forfeit(self) -> bool:
        """Whether an engine lost the game through a fault and not on the board."""
        return self.termination in {fault.value for fault in Fault}


def match_id(*parts: object) -> str:
    """The identity of a match: a digest of everything that determines its games."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


class RecordError(Exception):
    """Why a file cannot be continued, in one line."""


class GameFile(AbstractContextManager["GameFile"]):
    """An open PGN file with the games of a match; it may also contain games of other matches.

    :param path: the file, which may not exist yet.
    :param match_id: the identity of the match, see `match_id`.
    :raises RecordError: if the file is in use by another match, damaged, or not PGN.
    :raises OSError: if it cannot be read and written.
    """

    def __init__(self, path: Path, match_id: str) -> None:
        self.path = path
        self.match_id = match_id
        self.has_other_games = False
        self._file = open_to_append(path)
        try:
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise RecordError(f"{path} is not a regular file")
            try:
                lock(self._file)
            except BlockingIOError:
                raise RecordError(f"another match is writing to {path}") from None
            self.games = self._load()
        except BaseException:
            self.close()
            raise

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close and unlock the file."""
        os.close(self._file)

    def append(self, game: chess.pgn.Game) -> None:
        """Add a finished game, with its number as Round. When this returns, the game is saved.

        :raises OSError: if it cannot be written; the file is then as before.
        """
        game.headers["MatchId"] = self.match_id
        append_whole(self._file, pgn_text(game).encode() + b"\n\n")

    # -- reading ----------------------------------------------------------------------------------

    def _load(self) -> dict[int, GameRecord]:
        """Read the games of this match by number, and remove an incomplete game at the end."""
        with os.fdopen(os.dup(self._file), "rb") as file:
            file.seek(0)
            data = file.read()
        whole = _without_rest(data)
        if whole.strip() and not _FIRST_TAG.match(whole):
            raise RecordError(f"{self.path} is not PGN, and nothing was appended to it")
        if len(whole) < len(data):
            os.ftruncate(self._file, len(whole))
        elif data and not data.endswith(b"\n\n"):
            os.write(self._file, b"\n\n")  # another program's game ends without empty line
        games: dict[int, GameRecord] = {}
        for text in _split(whole):
            tags = _tags(text)
            if tags.get("MatchId") != self.match_id:
                self.has_other_games = True
                continue
            if not _is_complete(text):
                number = ascii(tags.get("Round", "?")[:20])[1:-1]
                raise RecordError(f"{self.path}: game {number} is damaged")
            record = record_of(tags)
            if record.number in games:
                raise RecordError(f"{self.path}: game {record.number} occurs twice")
            games[record.number] = record
        return games


def record_of(tags: chess.pgn.Headers | dict[str, str]) -> GameRecord:
    """The record of a game with these tags."""
    return GameRecord(
        *(int(tags["Round"]), tags["White"], tags["Black"], tags["Result"], tags["Termination"]),
        *(_count_in(tags.get(f"{side}Mistakes", "")) for side in ("White", "Black")),
    )


def _count_in(text: str) -> int:
    return int(text) if re.fullmatch("[0-9]{1,6}", text) else 0


def _split(data: bytes) -> list[bytes]:
    """The games of a file."""
    starts = [match.start() for match in re.finditer(rb"^\[Event \"", data, re.MULTILINE)]
    return [data[begin:end] for begin, end in pairwise([*starts, len(data)])]


def _tags(text: bytes) -> dict[str, str]:
    return {name.decode(): decode(value) for name, value in _TAG.findall(text)}


def _is_complete(text: bytes) -> bool:
    """Whether a game ends with the result of its tag, and a line break."""
    words = text.split()
    tags = _tags(text)
    is_ours = {"Round", "White", "Black", "Termination"} <= tags.keys()
    is_ours = is_ours and re.fullmatch("[0-9]{1,9}", tags["Round"]) is not None
    result = tags.get("Result", "")
    return is_ours and result in _RESULTS and words[-1] == result.encode() and text[-1:] == b"\n"


def _without_rest(data: bytes) -> bytes:
    """A file without the unfinished game at its end, if Halbzug wrote that game."""
    begin = data.rfind(b"\n\n") + 2 if b"\n\n" in data else 0
    if begin < len(data) and _OUR_START.startswith(data[begin:]):
        return data[:begin]
    start = data.rfind(b"\n" + _START) + 1
    text = data[start:]
    if text.startswith(_OUR_START) and not _is_complete(text):
        return data[:start]
    return data

"""The files of a match: reads openings, saves games, and finds saved games."""

from __future__ import annotations

from pathlib import Path

import chess.pgn

from .match_record import GameFile, RecordError, match_id
from .openings import Openings, chess960_openings, read_openings


class MatchError(Exception):
    """Why a match cannot be played or continued, in one line."""


def open_openings(path: Path | None, chess960: bool = False) -> Openings:
    """Read the openings.

    :param path: their file; None for the 960 starting positions of Chess960.
    :raises MatchError: if there are none.
    """
    if path is None:
        return chess960_openings()
    try:
        return read_openings(path, chess960)
    except ValueError as error:
        raise MatchError(str(error)) from None
    except OSError as error:
        raise MatchError(f"cannot read {path}: {error.strerror}") from None


def open_games(path: Path, *identity: object) -> GameFile:
    """Open the file of games.

    :param identity: everything that determines the games; if it differs, it is another match.
    :raises MatchError: if it cannot be used.
    """
    try:
        return GameFile(path, match_id(*identity))
    except RecordError as error:
        raise MatchError(str(error)) from None
    except OSError as error:
        raise MatchError(f"cannot write {path}: {error.strerror}") from None


def save_game(file: GameFile, game: chess.pgn.Game) -> None:
    """Save a finished game.

    :raises MatchError: if it cannot be saved.
    """
    try:
        file.append(game)
    except OSError as error:
        reason = error.strerror or str(error)
        raise MatchError(f"cannot write {file.path}: {reason}") from None

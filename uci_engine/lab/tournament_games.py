"""The games of a tournament, read from its PGN file for the page and for programs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import chess
import chess.pgn

from ..base.text import open_text
from ..board.games import GameLines
from ..board.pgn import read_game
from ..match.match_record import GameFile, GameRecord, record_of
from .faults import FileFault, fault_in

_MARK = re.compile(r"\[%[^\]]*\]")


@dataclass(frozen=True)
class PlayedGame:
    """A finished game."""

    record: GameRecord
    game: chess.pgn.Game
    reason: str  # the referee's comment

    @property
    def fault(self) -> FileFault | None:
        """The fault by which the loser lost; None if it was decided on the board or drawn."""
        return fault_in(self.record.termination, self.reason)


def read_games(file: GameFile) -> Iterator[PlayedGame]:
    """The games of a tournament, in the order in which they ended.

    :raises OSError: if the file cannot be read.
    """
    with open_text(file.path) as text:
        lines = GameLines(text, lambda tags: tags.get("MatchId") == file.match_id)
        while True:
            try:
                game = read_game(lines)
            except ValueError:  # a file that others may have changed
                continue
            if game is None:
                return
            reason = " ".join(_MARK.sub("", game.end().comment).split())
            yield PlayedGame(record_of(game.headers), game, reason)

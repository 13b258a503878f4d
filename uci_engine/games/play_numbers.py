"""Each side's numbers for each phase of a game: accuracy, loss, and judged moves."""

from __future__ import annotations

from dataclasses import dataclass

import chess

from ..reasons.accuracy import JUDGEMENTS
from .annotation import AnnotatedGame, AnnotatedMove
from .phases import PHASES, phases


@dataclass
class PlayNumbers:
    """Totals over some moves of one side."""

    moves: int = 0
    accuracy: float = 0.0  # in per cent
    loss: int = 0  # in centipawns
    inaccuracies: int = 0
    mistakes: int = 0
    blunders: int = 0

    def add(self, move: AnnotatedMove) -> None:
        """Count a move."""
        self.moves += 1
        self.accuracy += move.accuracy
        self.loss += move.centipawn_loss
        blunder, mistake, inaccuracy = (move.judgement is one for one in JUDGEMENTS)
        self.blunders += blunder
        self.mistakes += mistake
        self.inaccuracies += inaccuracy

    @property
    def row(self) -> list[float]:
        """All numbers as a row; the accuracy has one decimal."""
        return [
            self.moves,
            round(self.accuracy, 1),
            self.loss,
            self.inaccuracies,
            self.mistakes,
            self.blunders,
        ]


def play_numbers(game: AnnotatedGame) -> dict[chess.Color, dict[str, PlayNumbers]]:
    """Each side's numbers by phase. A move belongs to the phase of the position before it."""
    numbers = {color: {phase: PlayNumbers() for phase in PHASES} for color in chess.COLORS}
    of_positions = phases([position.board for position in game.positions])
    for move, phase in zip(game.moves, of_positions, strict=False):
        numbers[move.color][phase].add(move)
    return numbers

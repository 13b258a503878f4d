"""The results of a match, by pairing and by engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..client.engine_errors import Fault
from .match_record import GameRecord


@dataclass
class Score:
    """Results from one side's point of view.

    `pentanomial` counts the complete pairs of games by their points: 0, 0.5, 1, 1.5 and 2.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pentanomial: list[int] = field(default_factory=lambda: [0] * 5)

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The points: 1 for a win, 0.5 for a draw."""
        return self.wins + self.draws / 2

    def add(self, points: float) -> None:
        """Count a game."""
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0

    def mirrored(self) -> Score:
        """The same from the other side's point of view."""
        return Score(self.losses, self.draws, self.wins, self.pentanomial[::-1])

    def __add__(self, other: Score) -> Score:
        pairs = zip(self.pentanomial, other.pentanomial, strict=True)
        return Score(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            [one + two for one, two in pairs],
        )


class Standings:
    """The state of a match.

    :param names: the engines' names, all different.
    :param meetings: which engines meet, by index.
    """

    def __init__(self, names: Sequence[str], meetings: Sequence[tuple[int, int]]) -> None:
        self.names = list(names)
        self.scores = {meeting: Score() for meeting in meetings}  # the first one's view
        self.forfeits = {name: Counter[Fault]() for name in names}
        self.mistakes = Counter[str]()  # of the engines' files, by name
        self.games = 0
        self._halves: dict[int, float] = {}  # points of the game whose pair is still open

    def add(self, record: GameRecord) -> None:
        """Count a game.

        :raises LookupError: if the two do not meet in this match.
        """
        white, black = (
            self.names.index(name) if name in self.names else -1
            for name in (record.white, record.black)
        )
        is_first_white = (white, black) in self.scores
        score = self.scores.get((white, black) if is_first_white else (black, white))
        if score is None:
            raise LookupError(f"game {record.number} was played by other engines")
        self.games += 1
        self.mistakes[record.white] += record.white_mistakes
        self.mistakes[record.black] += record.black_mistakes
        points = record.white_points if is_first_white else 1 - record.white_points
        score.add(points)
        pair = (record.number - 1) // 2
        if pair in self._halves:
            score.pentanomial[round(2 * (points + self._halves.pop(pair)))] += 1
        else:
            self._halves[pair] = points
        for fault in Fault:
            if record.termination == fault.value:
                self.forfeits[record.loser][fault] += 1

    def between(self, engine: int, opponent: int) -> Score | None:
        """The score of an engine against another; None if they do not meet."""
        if (engine, opponent) in self.scores:
            return self.scores[engine, opponent]
        if (opponent, engine) in self.scores:
            return self.scores[opponent, engine].mirrored()
        return None

    def total(self, engine: int) -> Score:
        """The score of an engine against all others."""
        total = Score()
        for opponent in range(len(self.names)):
            total += self.between(engine, opponent) or Score()
        return total

    def ranking(self) -> list[int]:
        """The engines, best first: by points per game, then in the given order."""

        def share(engine: int) -> float:
            total = self.total(engine)
            return total.points / total.games if total.games else 0.0

        return sorted(range(len(self.names)), key=share, reverse=True)

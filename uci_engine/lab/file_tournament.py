"""A tournament of all Python files in a folder against each other and against known opponents.

It is a match (`halbzug.match.running`) in which each file plays every other file, and opponents of
known strength that are chosen on the way (`halbzug.lab.tournament_opponents`), under the rules of
`halbzug.lab.file_games`. A file that cannot be loaded is left out.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from ..base.language import say
from ..base.launch import run_command
from ..base.os_errors import reason_of
from ..base.text import name_text, on_one_line
from ..base.time_control import TimeControl
from ..base.whole_file import is_same_file
from ..client.engine_errors import Fault
from ..match.adjudication import Rules
from ..match.game import Conditions
from ..match.game_runners import GameRunner, start_errors
from ..match.games_display import GamesDisplay
from ..match.match_files import MatchError
from ..match.plan import MatchPlan
from ..match.players import EngineSpec
from ..match.running import Match
from ..match.standings import Score, Standings
from .faults import fault_in
from .field_rating import rate_field
from .file_games import PATIENCE_SECONDS, TABLEBASE_FOLDERS, strictly
from .levels import Level
from .rating import Rating
from .sources import source_digest
from .tournament_games import PlayedGame, read_games
from .tournament_opponents import KnownOpponents, rounds

#: The longest name of an engine, in characters.
MAX_NAME = 40

#: How often a game is repeated in which an opponent from the ladder failed.
MAX_ATTEMPTS = 3


@dataclass(frozen=True)
class TournamentPlan:
    """A tournament, before it is played."""

    folder: Path
    control: TimeControl
    openings: Path
    pgn: Path
    games: int = 2  # between each pair of files, an even number
    levels: tuple[Level, ...] = ()  # the ladder: opponents of known Elo to choose from
    seed: int = 1  # of the order of openings
    rules: Rules = field(default_factory=Rules)
    margin_seconds: float = 0.0  # seconds by which an engine may exceed its time


@dataclass(frozen=True)
class Entrant:
    """A participant: a file, or an opponent of known strength.

    :ivar known: its Elo; None for a file.
    :ivar trouble: why it is left out, in one line; empty if it plays.
    """

    spec: EngineSpec
    known: float | None = None
    trouble: str = ""


@dataclass(frozen=True)
class Standing:
    """The standing of a participant."""

    entrant: Entrant
    index: int  # in the order of the entrants
    rating: Rating
    score: Score
    forfeits: Counter[Fault]  # games that it lost by a fault
    mistakes: int  # moves that came too late and were replaced


class Tournament(AbstractContextManager["Tournament"]):
    """A plan whose files were found and started once, and its match.

    :param runner: where the games are played.
    :ivar entrants: the files by name, then the opponents of known strength.
    :raises MatchError: if there are not enough players, or the openings or the games cannot be
        used.
    """

    def __init__(self, plan: TournamentPlan, runner: GameRunner) -> None:
        self.plan = plan
        conditions = Conditions(plan.rules, None, plan.margin_seconds, PATIENCE_SECONDS)
        taken = {level.spec.name for level in plan.levels}
        files = find_files(plan.folder)
        specs = _specs(files, plan.control, taken)
        errors = start_errors(specs, conditions, concurrency=os.cpu_count() or 1)
        self.entrants = [
            *(
                Entrant(spec, trouble=_without_preface(spec, error))
                for spec, error in zip(specs, errors, strict=True)
            ),
            *(Entrant(level.spec, level.elo) for level in plan.levels),
        ]
        absent = frozenset(index for index, one in enumerate(self.entrants) if one.trouble)
        if len(self.entrants) - len(absent) < 2 or len(absent) == len(files):
            reasons = "; ".join(f"{one.spec.name}: {one.trouble}" for one in self.left_out)
            folder = name_text(str(plan.folder))
            raise MatchError(f"not enough files can play in {folder} ({reasons or 'one file'})")
        self._opponents = KnownOpponents(runner, [spec.name for spec in specs], plan.levels)
        count, whole = len(files), len(self.entrants)
        against_levels = ((file, level) for file in range(count) for level in range(count, whole))
        self.match = Match(
            MatchPlan(
                engines=tuple(one.spec for one in self.entrants),
                openings=plan.openings,
                games=plan.games + plan.games % 2,
                is_gauntlet=False,
                chess960=False,
                seed=plan.seed,
                concurrency=1,  # the runner knows
                rules=plan.rules,
                tablebase_folders=TABLEBASE_FOLDERS,
                margin_seconds=plan.margin_seconds,
                patience_seconds=PATIENCE_SECONDS,
                sprt=None,
                pgn=plan.pgn,
                meetings=(*combinations(range(count), 2), *against_levels),
                rounds=rounds(count, (plan.games + 1) // 2, has_levels=bool(plan.levels)),
                sources=tuple(map(source_digest, files)),
                absent=absent,
                is_checked=True,
            ),
            self._opponents,
        )
        assert self.match.file
        for record in self.match.file.games.values():
            self._opponents.add(record)
        self._places: list[Standing] = []
        self._placed_games = -1

    def __exit__(self, *exception: object) -> None:
        self.match.__exit__(*exception)

    def check_page(self, page: Path) -> None:
        """Check that the page does not overwrite another file of the tournament.

        :raises MatchError: if it is the file of the games, or one of the engines.
        """
        used = [self.plan.pgn, *find_files(self.plan.folder)]
        if any(is_same_file(page, path) for path in used):
            raise MatchError(f"{name_text(str(page))} is in use; choose another file for the page")

    def play(self, display: GamesDisplay) -> bool:
        """Play the missing games.

        :returns: False if it was interrupted.

        :raises MatchError: if a game cannot be saved.
        """
        for one in self.left_out:
            name, why = one.spec.name, one.trouble
            display.say(say("{name} is left out: {why}", name=name, why=why))
        for _ in range(MAX_ATTEMPTS):
            self._opponents.say = display.say
            if not self.match.play(display):
                return False
            if self.standings.games >= self.match.planned:
                break
        return True

    def games(self) -> list[PlayedGame]:
        """All games so far, by their numbers."""
        assert self.match.file
        return sorted(read_games(self.match.file), key=lambda game: game.record.number)

    @property
    def standings(self) -> Standings:
        """The points so far."""
        return self.match.standings

    @property
    def left_out(self) -> list[Entrant]:
        """The files that cannot play."""
        return [one for one in self.entrants if one.trouble]

    def places(self) -> list[Standing]:
        """The standings, best first and those without games last.

        Files that were left out and opponents of known strength are included only if they have
        games.
        """
        if self._placed_games != self.standings.games:
            self._placed_games = self.standings.games
            self._places = self._rank()
        return self._places

    def _rank(self) -> list[Standing]:
        standings = self.standings
        known = {i: one.known for i, one in enumerate(self.entrants) if one.known is not None}
        ratings = rate_field(len(self.entrants), standings.scores, known)
        places = []
        for index, entrant in enumerate(self.entrants):
            total = standings.total(index)
            if total.games or not (entrant.trouble or entrant.known is not None):
                name = entrant.spec.name
                faults = standings.forfeits[name], standings.mistakes[name]
                places.append(Standing(entrant, index, ratings[index], total, *faults))
        return sorted(places, key=lambda place: (not place.score.games, -place.rating.elo))


def find_files(folder: Path) -> list[Path]:
    """The Python files of a folder, by name; those whose names begin with `_` or `.` do not count.

    :raises MatchError: if there are none.
    """
    try:
        files = sorted(path for path in folder.iterdir() if _is_engine(path))
    except OSError as error:
        raise MatchError(f"cannot read {name_text(str(folder))}: {reason_of(error)}") from None
    if not files:
        raise MatchError(f"there are no Python files in {name_text(str(folder))}")
    return files


def _is_engine(path: Path) -> bool:
    return path.suffix.lower() == ".py" and path.name[0] not in "_." and path.is_file()


def _specs(files: Sequence[Path], control: TimeControl, taken: set[str]) -> list[EngineSpec]:
    """The engines of files, with unique names."""
    specs = []
    for file in files:
        name = _name_of(file, taken)
        taken.add(name)
        specs.append(strictly(EngineSpec(name, tuple(run_command(str(file))), {}, control)))
    return specs


def _name_of(file: Path, taken: set[str]) -> str:
    """A file's name as the name of an engine: printable and unique."""
    # These would be escaped in a PGN tag.
    stem = on_one_line(file.stem).replace('"', "'").replace("\\", "/").strip()[:MAX_NAME] or "?"
    numbers = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return stem if stem not in taken else next(name for name in numbers if name not in taken)


def _without_preface(spec: EngineSpec, error: str) -> str:
    """Why an engine cannot play, without the words that all reasons start with."""
    fault = fault_in("abandoned", error)
    if fault and fault.text and error:
        return f"{say(fault.kind)}: {fault.text}"
    return error.removeprefix(f"{spec.name} ")

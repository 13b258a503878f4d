"""Rates our own levels by the rest of the ladder, without the rungs close to them.

    python tests/long/own_levels.py FOLDER [--levels 1350 1800 ...] [--apart 200] [--error 30]
        [--games 600] [--jobs 2]

If `halbzug rate` confirms a level by opponents that are more than `--apart` Elo away, the steps of
the scale fit each other. No level looks at the clock, so other work on the machine changes nothing.
The games are kept in FOLDER; after an interruption the same command continues.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from halbzug.lab.levels import Level, levels
from halbzug.lab.rating_run import Candidate, RatingPlan, RatingRun
from halbzug.match.adjudication import Rules
from halbzug.match.game_runners import LocalRunner
from halbzug.match.match_record import GameRecord
from halbzug.match.openings import shipped_openings

#: No level looks at the clock: a slow answer means a busy processor.
PATIENCE_SECONDS = 600.0


class Quiet:
    """The display of a rating, which here shows only errors."""

    @contextmanager
    def watching(self) -> Iterator[None]:
        yield

    def say(self, text: str) -> None:
        print(f"    {text}", flush=True)

    def note(self, record: GameRecord, reason: str) -> None:
        pass


def rated(level: Level, options: argparse.Namespace) -> Candidate:
    """The rating of a level by the others that are far enough away."""
    others = tuple(one for one in levels() if abs(one.elo - level.elo) > options.apart)
    plan = RatingPlan(
        (replace(level.spec, name="candidate"),),
        others,
        shipped_openings(),
        error=options.error,
        max_games=options.games,
        rules=Rules(longest_game=150),
        margin_seconds=PATIENCE_SECONDS,
        pgn=options.folder / f"{level.spec.name}.pgn",
    )
    with RatingRun(plan, LocalRunner(options.jobs)) as run:
        run.play(Quiet())
        return run.candidates[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--levels", type=float, nargs="+", help="the Elo of the levels; default: the whole ladder"
    )
    parser.add_argument(
        "--apart", type=float, default=200.0, help="minimum distance of opponents in Elo"
    )
    parser.add_argument("--error", type=float, default=30.0)
    parser.add_argument("--games", type=int, default=600, help="maximum per level")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    is_right = True
    for level in levels():
        if options.levels and level.elo not in options.levels:
            continue
        found = rated(level, options)
        rating = found.rating
        is_inside = rating.low <= level.elo <= rating.high
        is_right &= is_inside
        print(
            f"{level.spec.name}: {level.elo:.0f} is found as {rating.elo:.0f}, {rating.low:.0f} to"
            f" {rating.high:.0f}, in {len(found.games)} games against {dict(found.played)}"
            f"{'' if is_inside else ': OUTSIDE'}",
            flush=True,
        )
    return 0 if is_right else 1


if __name__ == "__main__":
    raise SystemExit(main())

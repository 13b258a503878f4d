"""The state of a match: in one line, as tables, and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.language import local, say
from ..base.time_control import TimeControl
from ..client.engine_errors import Fault
from ..display.document import Listing, Part
from ..display.quantities import seconds_text
from ..display.sheet import Column, Sheet
from .elo import Sprt, Verdict, judge
from .games_display import GamesState
from .standings import Score, Standings

if TYPE_CHECKING:
    from .running import Match

_FORFEITS = {Fault.TIME: "time", Fault.ILLEGAL: "illegal", Fault.CRASH: "crash"}

#: With a larger part of games than this that were lost by forfeit, an Elo means little.
MANY_FORFEITS = 0.1

_MEANINGS = {"H1": "H1 accepted: a gain", "H0": "H0 accepted: no gain", None: "undecided"}


class MatchSummary(GamesState):
    """A match as a report shows it."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._standings = match.standings

    @property
    def games(self) -> int:
        """Games that were counted."""
        return self._standings.games

    def line(self) -> str:
        """The state in one line."""
        return summary(self._standings, self._match.sprt)

    def progress(self, played: int, seconds: float) -> str:
        """The number of games, and the time that is left.

        :param played: games of this run.
        :param seconds: since it began.
        """
        return progress_text(
            self.games, self._match.planned, played, seconds, may_end_early=bool(self._match.sprt)
        )

    def live_sheet(self) -> Sheet:
        """The engines, best first."""
        sheet = _sheet("Engine", "Games", "+", "=", "-", "Score", "Elo", "LOS", "Forfeits")
        standings = self._standings
        for engine in standings.ranking():
            score, name = standings.total(engine), standings.names[engine]
            verdict = judge(score.pentanomial)
            sheet.add(
                name,
                *map(str, (score.games, score.wins, score.draws, score.losses)),
                f"{local(f'{100 * score.points / score.games:.1f}')} %" if score.games else "",
                *(local(elo_text(verdict)), superiority_text(verdict)),
                str(standings.forfeits[name].total()),
            )
        return sheet

    def live_note(self) -> str:
        """The note below the table."""
        sprt = self._match.sprt
        return llr_text(sprt, self._standings.scores[0, 1]) if sprt else ""

    def result(self) -> Iterator[Part]:
        """The state in one line, the crosstable, Elo, and the result of the test."""
        yield self.line()
        if self.games:
            yield Listing(self.crosstable())
        standings = self._standings
        yield from forfeit_remarks(
            (name, standings.forfeits[name], standings.total(engine).games)
            for engine, name in enumerate(standings.names)
        )
        if sprt := self._match.sprt:
            verdict = sprt.verdict(self._standings.scores[0, 1].pentanomial)
            hypotheses = f"{local(f'{sprt.elo0:g}')} .. {local(f'{sprt.elo1:g}')}"
            yield f"SPRT {hypotheses}: {say(_MEANINGS[verdict])}"

    def crosstable(self) -> Sheet:
        """The points of each engine against every other, best first."""
        standings = self._standings
        ranking = standings.ranking()
        has_forfeits = any(count.total() for count in standings.forfeits.values())
        has_mistakes = bool(standings.mistakes.total())
        titles = ["Points", "Games", "Elo", "LOS", *map(str, range(1, len(ranking) + 1))]
        if has_mistakes:
            titles.append("Mistakes")
        sheet = _sheet("", "Engine", *titles, *(["Forfeits"] if has_forfeits else []))
        for place, engine in enumerate(ranking, 1):
            score, name = standings.total(engine), standings.names[engine]
            verdict = judge(score.pentanomial)
            against = [standings.between(engine, opponent) for opponent in ranking]
            sheet.add(
                *(str(place), name, local(f"{score.points:g}"), str(score.games)),
                *(local(elo_text(verdict)), superiority_text(verdict)),
                *(local(f"{part.points:g}") if part else "" for part in against),
                *([str(standings.mistakes[name])] if has_mistakes else []),
                *([forfeits_text(standings.forfeits[name])] if has_forfeits else []),
            )
        return sheet

    def json(self) -> dict[str, Any]:
        """The state for programs."""
        match = self._match
        return result_json(self._standings, match.planned, match.sprt, match.plan.pgn)


def _sheet(*titles: str) -> Sheet:
    return Sheet([Column(say(title), title not in ("Engine", "Forfeits")) for title in titles])


def summary(standings: Standings, sprt: Sprt | None) -> str:
    """The state of the match in one line."""
    if len(standings.names) > 2:
        totals = [
            (standings.names[engine], standings.total(engine)) for engine in standings.ranking()
        ]
        return ", ".join(f"{name} {local(f'{one.points:g}')}/{one.games}" for name, one in totals)
    first, second = standings.names
    score = standings.scores[0, 1]
    verdict = judge(score.pentanomial)
    counts = f"+{score.wins} ={score.draws} -{score.losses}"
    text = f"{first} - {second}: " + say("{counts} of {n}", counts=counts, n=score.games)
    if verdict.pairs:
        text += f", Elo {local(elo_text(verdict))}"
    if verdict.superiority is not None:
        text += f", LOS {superiority_text(verdict)}"
    text += say(", pairs {counts}", counts=score.pentanomial)
    if sprt:
        text += f", {llr_text(sprt, score)}"
    forfeits = [standings.forfeits[name].total() for name in standings.names]
    if any(forfeits):
        text += say(", forfeits {first}:{second}", first=forfeits[0], second=forfeits[1])
    if standings.mistakes.total():
        mistakes = {"first": standings.mistakes[first], "second": standings.mistakes[second]}
        text += say(", mistakes {first}:{second}", **mistakes)
    return text


def games_text(number: int) -> str:
    """A number of games, in the reader's language."""
    return say("1 game") if number == 1 else say("{n:,} games", n=number)


def pace_text(control: TimeControl) -> str:
    """A time control in the reader's language."""
    return ", ".join(say(text, n=local(n)) for text, n in control.parts())


def progress_text(
    games: int, planned: int, played: int, seconds: float, *, may_end_early: bool = False
) -> str:
    """The number of games played, the total, and the remaining time.

    :param played: games of this run.
    :param seconds: since it began.
    :param may_end_early: whether the match may end before all games are played.
    """
    text = say("{games:,} of {planned}", games=games, planned=games_text(planned))
    if played and planned > games:
        rest = local(seconds_text(seconds / played * (planned - games)))
        text += say(", at most {time} left" if may_end_early else ", {time} left", time=rest)
    return text


def elo_text(verdict: Verdict) -> str:
    """The Elo difference with its error, `+12.3 +/- 4.5`, with `?` for what is unknown."""
    if not verdict.pairs:
        return "?"
    if not _is_bounded(verdict):
        return "+inf" if verdict.score else "-inf"
    error = "?" if verdict.error is None else f"{verdict.error:.1f}"
    return f"{verdict.elo:+.1f} +/- {error}"


def superiority_text(verdict: Verdict) -> str:
    """The likelihood of superiority: `98 %`; empty if it is unknown."""
    return "" if verdict.superiority is None else f"{100 * verdict.superiority:.0f} %"


def llr_text(sprt: Sprt, score: Score) -> str:
    """The log-likelihood ratio of a test, and its bounds."""
    ratio = sprt.log_likelihood_ratio(score.pentanomial)
    bounds = f"{local(f'{sprt.lower:.2f}')}, {local(f'{sprt.upper:.2f}')}"
    return f"LLR {local(f'{ratio:+.2f}')} ({bounds})"


def forfeits_text(forfeits: Counter[Fault]) -> str:
    """The games that an engine forfeited, by kind: `2 time, 1 crash`."""
    return ", ".join(f"{count} {say(_FORFEITS[fault])}" for fault, count in forfeits.items())


def forfeit_remarks(engines: Iterable[tuple[str, Counter[Fault], int]]) -> Iterator[str]:
    """Warnings about Elo that mean little because many games were lost by forfeit.

    :param engines: their names, forfeits, and how many games they played.
    """
    for name, forfeits, games in engines:
        if forfeits.total() > MANY_FORFEITS * games:
            text = say(
                "{name} lost {n} of {games} by forfeit ({kinds}): its Elo says more about that "
                "than about chess",
                name=name,
                n=forfeits.total(),
                games=games_text(games),
                kinds=forfeits_text(forfeits),
            )
            if forfeits[Fault.TIME]:
                text += say("; try a larger --time-margin, or more time for a move")
            yield text


def result_json(
    standings: Standings, planned: int, sprt: Sprt | None, pgn: Path | None
) -> dict[str, Any]:
    """The state of the match for programs.

    :param planned: games of the whole schedule.
    :param pgn: the file of the games, if there is one.
    """
    names = standings.names
    return {
        "games": standings.games,
        "planned": planned,
        "engines": [
            {
                "name": name,
                **_score_json(standings.total(engine)),
                "forfeits": {
                    word: standings.forfeits[name][fault] for fault, word in _FORFEITS.items()
                },
                "mistakes": standings.mistakes[name],
            }
            for engine, name in enumerate(names)
        ],
        "pairings": [
            {"engines": [names[first], names[second]], **_score_json(score)}
            for (first, second), score in standings.scores.items()
        ],
        "sprt": _sprt_json(sprt, standings) if sprt else None,
        "pgn": str(pgn) if pgn else None,
    }


def _sprt_json(sprt: Sprt, standings: Standings) -> dict[str, Any]:
    pentanomial = standings.scores[0, 1].pentanomial
    return {
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "llr": round(sprt.log_likelihood_ratio(pentanomial), 3),
        "lower": round(sprt.lower, 3),
        "upper": round(sprt.upper, 3),
        "accepted": sprt.verdict(pentanomial),
    }


def _score_json(score: Score) -> dict[str, Any]:
    verdict = judge(score.pentanomial)
    has_elo = _is_bounded(verdict)
    return {
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "points": score.points,
        "pentanomial": score.pentanomial,
        "elo": round(verdict.elo, 2) if has_elo else None,
        "elo_error": _rounded(verdict.error, 2),
        "superiority": _rounded(verdict.superiority, 4),
    }


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def _is_bounded(verdict: Verdict) -> bool:
    """Whether the Elo difference is finite, that is, not all points go to one side."""
    return verdict.pairs > 0 and 0 < verdict.score < 1

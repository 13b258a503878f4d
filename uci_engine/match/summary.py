"""The state of a match: in one line, as cells of its tables, and as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from halbzug.client.errors import Fault
from halbzug.match.elo import Sprt, Verdict, judge
from halbzug.match.standings import Score, Standings

_FORFEITS = {Fault.TIME: "time", Fault.ILLEGAL: "illegal", Fault.CRASH: "crash"}


def summary(standings: Standings, sprt: Sprt | None) -> str:
    """The state of the match in one line."""
    if len(standings.names) > 2:
        totals = [
            (standings.names[engine], standings.total(engine)) for engine in standings.ranking()
        ]
        return ", ".join(f"{name} {score.points:g}/{score.games}" for name, score in totals)
    first, second = standings.names
    score = standings.scores[0, 1]
    verdict = judge(score.pentanomial)
    text = (
        f"{first} - {second}: +{score.wins} ={score.draws} -{score.losses} of {score.games}, "
        f"Elo {elo_text(verdict)}, LOS {100 * verdict.superiority:.0f} %, "
        f"pairs {score.pentanomial}"
    )
    if sprt:
        text += f", {llr_text(sprt, score)}"
    forfeits = [standings.forfeits[name].total() for name in standings.names]
    if any(forfeits):
        text += f", forfeits {forfeits[0]}:{forfeits[1]}"
    return text


def elo_text(verdict: Verdict) -> str:
    """The Elo difference with its error: `+12.3 +/- 4.5`."""
    if _is_bounded(verdict):
        return f"{verdict.elo:+.1f} +/- {verdict.error:.1f}"
    if not verdict.pairs:
        return "?"
    return "+inf" if verdict.score else "-inf"


def superiority_text(verdict: Verdict) -> str:
    """The likelihood of superiority: `98 %`; nothing before the first pair."""
    return f"{100 * verdict.superiority:.0f} %" if verdict.pairs else ""


def llr_text(sprt: Sprt, score: Score) -> str:
    """The log-likelihood ratio of a test, and its bounds."""
    ratio = sprt.log_likelihood_ratio(score.pentanomial)
    return f"LLR {ratio:+.2f} ({sprt.lower:.2f}, {sprt.upper:.2f})"


def forfeits_text(standings: Standings, name: str) -> str:
    """The games that an engine forfeited, by kind: `2 time, 1 crash`."""
    counts = standings.forfeits[name].items()
    return ", ".join(f"{count} {_FORFEITS[fault]}" for fault, count in counts)


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
        "elo_error": round(verdict.error, 2) if has_elo else None,
        "superiority": round(verdict.superiority, 4) if verdict.pairs else None,
    }


def _is_bounded(verdict: Verdict) -> bool:
    """Whether the Elo difference is finite; with all points or none it is not."""
    return verdict.pairs > 0 and 0 < verdict.score < 1

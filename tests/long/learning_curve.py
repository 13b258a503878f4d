"""The curve of chapter 22, its numbers, and the sentences that state them, from learning runs.

    halbzug explain learn seed1.npz --seed 1 --minutes 60
    halbzug explain learn seed2.npz --seed 2 --minutes 20
    python tests/long/learning_curve.py seed1.npz seed2.npz

The first run is the one that the chapter describes; the curves of the others are drawn beside it.
The program rewrites `docs/course/learning.json`, the curve in both languages, and the block between
`<!-- begin: learning_curve ... -->` and `<!-- end -->` of both chapters.
"""

from __future__ import annotations

import argparse
import itertools
import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measured import BLOCK, ROOT

from halbzug import explain
from halbzug.base.language import local, speaking

COURSE = ROOT / "docs/course"
CURVES = {"en": "learning.svg", "de": "learning-de.svg"}

#: The goal: the share of positions in which the search chooses a best move.
GOAL = 0.99

_TEXTS = {
    "en": {
        "run": "The curve shows a run of {minutes} minutes of processor time (seed {seed}) with "
        "{games} games. A random mover finds a best move in {chance}, UCT with {simulations} "
        "playouts in {uct}. PUCT with {simulations} simulations begins at {first} "
        "and ends at {last}, the policy alone at {policy}.",
        "reached": "PUCT reaches {goal} after {minutes} minutes, and is between {worst} and {best} "
        "from then on.",
        "missed": "The goal of {goal} is not reached: PUCT never gets above {best}.",
        "others": "After {minutes} minutes, seeds {seeds} are at {shares}.",
        "and": " and ",
    },
    "de": {
        "run": "Die Kurve zeigt einen Lauf von {minutes} Minuten Rechenzeit (Seed {seed}) mit "
        "{games} Partien. Wer zufällig zieht, findet in {chance} einen besten Zug, UCT mit "
        "{simulations} Playouts in {uct}. PUCT mit {simulations} Simulationen beginnt bei "
        "{first} und endet bei {last}, die Policy allein bei {policy}.",
        "reached": "PUCT erreicht {goal} nach {minutes} Minuten und bleibt von da an zwischen "
        "{worst} und {best}.",
        "missed": "Das Ziel von {goal} wird nicht erreicht: PUCT kommt nie über {best}.",
        "others": "Nach {minutes} Minuten sind die Seeds {seeds} bei {shares}.",
        "and": " und ",
    },
}


def read() -> list[dict[str, Any]]:
    """The runs that the chapter shows, each as `halbzug explain learn --json` prints it."""
    found: list[dict[str, Any]] = json.loads((COURSE / "learning.json").read_text(encoding="utf-8"))
    return found


def chapter(language: str) -> Path:
    """The page whose block is rewritten."""
    return COURSE / language / "22-learning-from-self-play.md"


def sentences(runs: list[dict[str, Any]], language: str) -> str:
    """What the chapter says about its runs, wrapped as the page is."""
    with speaking(language):
        return textwrap.fill(" ".join(_sentences(runs, _TEXTS[language])), 118) + "\n"


def _sentences(runs: list[dict[str, Any]], texts: dict[str, str]) -> Iterator[str]:
    def percent(share: float) -> str:
        return local(f"{100 * share:.1f}") + "\N{NO-BREAK SPACE}%"

    def minutes(row: dict[str, Any]) -> str:
        return local(f"{row['seconds'] / 60:.1f}")

    def listed(words: list[str]) -> str:
        return texts["and"].join([", ".join(words[:-1]), words[-1]])

    run, *others = runs
    log, goal = run["log"], f"{GOAL:.0%}".replace("%", "\N{NO-BREAK SPACE}%")
    yield texts["run"].format(
        minutes=minutes(log[-1]),
        seed=run["seed"],
        games=local(f"{log[-1]['games']:,}"),
        simulations=run["simulations"],
        chance=percent(run["baselines"]["chance"]),
        uct=percent(run["baselines"]["uct"]),
        first=percent(log[0]["puct"]),
        last=percent(log[-1]["puct"]),
        policy=percent(log[-1]["policy"]),
    )
    best = percent(max(row["puct"] for row in log))
    if after := list(itertools.dropwhile(lambda row: row["puct"] < GOAL, log)):
        worst, when = percent(min(row["puct"] for row in after)), minutes(after[0])
        yield texts["reached"].format(goal=goal, minutes=when, worst=worst, best=best)
    else:
        yield texts["missed"].format(goal=goal, best=best)
    if others:
        end = min(one["log"][-1]["seconds"] for one in runs)
        rows = [[row for row in one["log"] if row["seconds"] <= end + 1][-1] for one in runs]
        seeds = listed([str(one["seed"]) for one in runs])
        shares = listed([percent(row["puct"]) for row in rows])
        when = f"{end / 60:.0f}"
        yield texts["others"].format(minutes=when, seeds=seeds, shares=shares)


def with_sentences(page: str, runs: list[dict[str, Any]], language: str) -> str:
    """A chapter that states the figures of these runs."""
    return BLOCK.sub(lambda block: block[1] + sentences(runs, language) + block[5], page)


def _rounded(value: Any) -> Any:
    """The losses with four digits."""
    return [round(one, 4) for one in value] if isinstance(value, list) else value


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("runs", nargs="+", type=Path, help="files of halbzug explain learn")
    files = parser.parse_args().runs
    learned = [explain.learn(file) for file in files]
    runs = [one.as_json() for one in learned]
    for run in runs:
        run["log"] = [{name: _rounded(row[name]) for name in row} for row in run["log"]]
    lines = ",\n".join(json.dumps(run) for run in runs)
    (COURSE / "learning.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    for language, curve in CURVES.items():
        with speaking(language):
            learned[0].plot(*learned[1:]).save(COURSE / curve)
        page = chapter(language)
        text = page.read_text(encoding="utf-8")
        page.write_text(with_sentences(text, runs, language), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""The tables of measurements in the documents, from `docs/explanation/measured.json`.

    halbzug match ... --json | python tests/long/measured.py --against NAME --how TEXT
    halbzug match ... --json | python tests/long/measured.py --level ELO
    halbzug match ... --json | python tests/long/measured.py --without TECHNIQUE
    halbzug match ... --json | python tests/long/measured.py --hours HOURS --seed SEED
    python tests/long/measured.py

The first four add a match of the engine in this checkout (the first `-e`) to the file: against
another engine, against Stockfish at the same `UCI_Elo`, against this engine without a technique
(`WITHOUT` in a file for `halbzug run`), or, with a network of `halbzug train`, against `terms`. All
rewrite the tables of the pages, each between
`<!-- begin: NAME, written by PROGRAM -->` and `<!-- end -->`. The other programs named there
replace their own table with `record`.

A table says at which commit and on which day it was measured. Measurements that cannot be repeated,
because the engine of that time is gone, stay in the file with their commit and day.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "docs"

#: A table in a page: its start with its name and program, its text, and its end.
BLOCK = re.compile(r"(<!-- begin: (\w+), written by ([\w/.]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def pages(folder: Path = FOLDER) -> list[Path]:
    """The pages that may have tables."""
    return sorted(
        page for part in ("explanation", "how-to") for page in (folder / part).glob("*.md")
    )


def _file(folder: Path) -> Path:
    return folder / "explanation/measured.json"


def read(folder: Path = FOLDER) -> dict[str, Any]:
    """All measurements, by the name of the table."""
    found: dict[str, Any] = json.loads(_file(folder).read_text(encoding="utf-8"))
    return found


def today() -> dict[str, str]:
    """The commit of this checkout, with a `+` if there are changes, and the date."""
    git = ["git", "-C", str(ROOT)]
    commit = subprocess.check_output([*git, "rev-parse", "--short=8", "HEAD"], text=True).strip()
    changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "uci_engine"], check=False)
    day = datetime.now(timezone.utc).date().isoformat()
    return {"commit": commit + "+" * bool(changed.returncode), "date": day}


def version_of(python: str) -> str:
    """The version of a Python, as in `3.13`."""
    command = [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    return subprocess.check_output(command, text=True).strip()


def record(name: str, found: Any, folder: Path = FOLDER) -> None:
    """Replace a table in the file, and rewrite the pages."""
    data = {**read(folder), name: found}
    text = json.dumps(data, indent=1, ensure_ascii=False)
    rows = re.sub(r"\{\n\s+(\"[^][{}]*?)\n\s+\}", lambda row: _one_line(row[0]), text)
    _file(folder).write_text(rows + "\n", encoding="utf-8")
    for page in pages(folder):
        text = page.read_text(encoding="utf-8")
        if (again := with_measurements(text, data)) != text:
            page.write_text(again, encoding="utf-8")


def with_measurements(text: str, data: dict[str, Any]) -> str:
    """A page with the current tables."""
    return BLOCK.sub(lambda block: block[1] + markdown(block[2], data) + block[5], text)


def markdown(name: str, data: dict[str, Any]) -> str:
    """A table as a page shows it."""
    lines: Iterable[str] = _SHEETS[name](data["cluster" if name == "cluster_hours" else name])
    return "\n".join(lines) + "\n"


def _one_line(row: str) -> str:
    return re.sub(r"\s*\n\s*", " ", row).replace("{ ", "{").replace(" }", "}")


def _sheet(*rows: Iterable[object]) -> Iterator[str]:
    for number, row in enumerate(rows):
        cells = [str(cell) for cell in row]
        yield f"| {' | '.join(cells)} |"
        if not number:
            yield f"|{' --- |' * len(cells)}"


def _day(date: str) -> str:
    day = datetime.fromisoformat(date)
    return f"{day.day} {day:%B %Y}"


def _measured(found: dict[str, Any]) -> str:
    return f"Measured on {_day(found['date'])} at commit {found['commit']}"


def _games(row: dict[str, Any]) -> int:
    count: int = row["wins"] + row["draws"] + row["losses"]
    return count


def _elo(row: dict[str, Any]) -> str:
    error = f" +/- {row['error']}" if row["error"] else ""
    return f"{row['elo']:+}{error}" if row["elo"] else f"0{error}"


def _matches(rows: list[dict[str, Any]]) -> Iterator[str]:
    def cells(row: dict[str, Any]) -> Iterator[object]:
        yield row["against"]
        if "result" in row:
            yield from (row["how"], row["result"])
        else:
            yield f"{_games(row)} games{row['how'] and ' '}{row['how']}"
            result = f"+{row['wins']} ={row['draws']} -{row['losses']}"
            if row.get("elo") is not None:
                result += f" ({_elo(row)} Elo)"
            if (forfeits := row.get("forfeits")) is not None:
                result += f", {forfeits or 'no'} forfeit{'s' * (forfeits > 1)}"
            yield result
        yield row["build"]

    return _sheet(("against", "how", "result", "build"), *map(cells, rows))


def _builds(rows: list[dict[str, Any]]) -> Iterator[str]:
    return _sheet(
        ("build", "date", "commit", "what it is"),
        *((row["number"], _day(row["date"]), row["commit"], row["what"]) for row in rows),
    )


def _levels(rows: list[dict[str, Any]]) -> Iterator[str]:
    return _sheet(
        ("`UCI_Elo`", "games", "Halbzug's result", "build"),
        *((row["level"], _games(row), _elo(row), row["build"]) for row in rows),
    )


def _techniques(rows: list[dict[str, Any]]) -> Iterator[str]:
    return _sheet(
        ("with, against without", "games", "Elo", "build"),
        *((row["name"], _games(row), _elo(row), row["build"]) for row in rows),
    )


def _trained(rows: list[dict[str, Any]]) -> Iterator[str]:
    ordered = sorted(rows, key=lambda row: (row["hours"], row["seed"]))
    yield from _sheet(
        ("`--hours`", "`--seed`", "games", "Elo against the terms"),
        *((f"{row['hours']:g}", row["seed"], _games(row), _elo(row)) for row in ordered),
    )
    yield f"\n{_measured(rows[-1])}, by the clock at 2+0.02, on two cores."


def _lecture_ratings(found: dict[str, Any]) -> Iterator[str]:
    def cells(row: dict[str, Any]) -> Iterator[object]:
        yield from (f"`{row['name']}`", f"{row['elo']:.0f} +/- {row['error']:.0f}", row["games"])
        gain = row.get("gain")
        yield "" if gain is None else f"{gain:+.0f}{'' if row['certain'] else ' (not certain)'}"

    rows = found["rows"]
    yield from _sheet(("engine", "Elo", "games", "against the one before"), *map(cells, rows))
    games = sum(row["games"] for row in rows)
    yield f"\n{_measured(found)}, at {found['pace']}: {games:,} games, of which"
    yield f'{found["forfeits"]} were lost by forfeit. "Not certain" marks a gain or loss whose'
    yield "95 % interval includes 0."


def _lecture_moves(found: dict[str, Any]) -> Iterator[str]:
    yield from _sheet(
        ("engine", "mean loss", "best moves", "blunders"),
        *((row["name"], row["loss"], f"{row['best']} %", row["blunders"]) for row in found["rows"]),
    )
    yield f"\n{_measured(found)}."


def _boards(found: dict[str, Any]) -> Iterator[str]:
    names = found["libraries"]

    def cell(row: dict[str, Any], name: str) -> str:
        if name not in row:
            return "-"
        is_best = row[name] == max(row[one] for one in names if one in row)
        return f"**{row[name]}**" if is_best else f"{row[name]}"

    def cells(row: dict[str, Any]) -> Iterator[str]:
        yield row["name"]
        yield from (cell(row, name) for name in names)

    yield from _sheet(("", *names), *map(cells, found["rows"]))
    yield f"\n{_measured(found)}, on CPython {found['python']}."


def _environments(found: dict[str, Any]) -> Iterator[str]:
    rows = found["rows"]
    slowest = rows[0]["steps"]
    yield from _sheet(
        ("environment", "steps per second", "speedup"),
        *((row["name"], f"{row['steps']:,}", round(row["steps"] / slowest)) for row in rows),
    )
    yield f"\n{_measured(found)}, on CPython {found['python']}."


def _cluster_rates(found: dict[str, Any]) -> tuple[list[int], dict[float, dict[int, float]]]:
    """The sizes of the clusters, and their rates, by seconds a position and threads.

    0 threads are the largest cluster while its workers are killed.
    """
    rates: dict[float, dict[int, float]] = {}
    for row in found["rows"]:
        threads = 0 if row["has_failures"] else row["threads"]
        rates.setdefault(row["seconds_each"], {})[threads] = row["rate"]
    return sorted({row["threads"] for row in found["rows"]}), rates


def _cluster(found: dict[str, Any]) -> Iterator[str]:
    sizes, rates = _cluster_rates(found)
    dying = f"{sizes[-1]}, a tenth of the workers killed every 5 s"
    yield from _sheet(
        ("a position takes", *(f"{size} threads" for size in sizes), dying),
        *(
            (f"{each:g} s", *(f"{of[size]:,.0f}" for size in (*sizes, 0)))
            for each, of in rates.items()
        ),
    )
    yield f"\n{_measured(found)}, in positions a second."


def _cluster_hours(found: dict[str, Any]) -> Iterator[str]:
    sizes, rates = _cluster_rates(found)

    def time(rate: float) -> str:
        hours = 1e9 / rate / 3600
        return f"{hours:.0f} hours" if hours < 72 else f"{hours / 24:,.0f} days"

    return _sheet(
        ("a position takes", "core-hours", *(f"{size} threads" for size in sizes)),
        *(
            (f"{each:g} s", f"{1e9 * each / 3600:,.0f}", *(time(of[size]) for size in sizes))
            for each, of in rates.items()
        ),
    )


_SHEETS = {
    "matches": _matches,
    "builds": _builds,
    "levels": _levels,
    "techniques": _techniques,
    "trained": _trained,
    "lecture_ratings": _lecture_ratings,
    "lecture_moves": _lecture_moves,
    "boards": _boards,
    "environments": _environments,
    "cluster": _cluster,
    "cluster_hours": _cluster_hours,
}


def match_row(result: dict[str, Any]) -> dict[str, Any]:
    """The result of the first engine of a match.

    :param result: the output of `halbzug match --json`.
    """
    (pairing,) = result["pairings"]
    row = {name: pairing[name] for name in ("wins", "draws", "losses")}
    for name, key in (("elo", "elo"), ("error", "elo_error")):
        row[name] = None if pairing[key] is None else round(pairing[key])
    row["forfeits"] = sum(sum(engine["forfeits"].values()) for engine in result["engines"])
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--against", help="the opponent, as the table is to name it")
    kind.add_argument("--level", type=int, help="the `UCI_Elo` of both engines")
    kind.add_argument("--without", help="the technique that the second engine lacks")
    kind.add_argument("--hours", type=float, help="of the training of the first engine's network")
    parser.add_argument("--seed", type=int, help="of that training")
    parser.add_argument("--how", default="", help="after the number of games, as in 'at 10+0.1'")
    parser.add_argument("--build", help="what is new in this build, if it has no number yet")
    parser.add_argument("--docs", type=Path, default=FOLDER, help="the folder of the documents")
    options = parser.parse_args()
    if (options.hours is None) != (options.seed is None):
        parser.error("--hours and --seed belong together")
    data = read(options.docs)
    builds, now = data["builds"], today()
    if options.hours:
        trained = {"hours": options.hours, "seed": options.seed, **now}
        row = {**trained, **match_row(json.load(sys.stdin))}
        record("trained", [*data["trained"], row], options.docs)
        return 0
    if options.against:
        sheet, subject = "matches", {"against": options.against, "how": options.how}
    elif options.level:
        sheet, subject = "levels", {"level": options.level}
    elif options.without:
        sheet, subject = "techniques", {"name": options.without}
    else:
        record("builds", builds, options.docs)
        return 0
    found = [one["number"] for one in builds if one["commit"] == now["commit"]]
    if not found and not options.build:
        parser.error(f"{now['commit']} is not a build of the table yet: describe it (--build)")
    number = found[0] if found else builds[-1]["number"] + 1
    row = {**subject, **match_row(json.load(sys.stdin)), "build": number}
    if not found:
        record("builds", [*builds, {"number": number, **now, "what": options.build}], options.docs)
    record(sheet, [*data[sheet], row], options.docs)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

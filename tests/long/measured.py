"""The tables of measurements in the documents, from `docs/explanation/measured.json`.

    halbzug match ... --json | python tests/long/measured.py --against NAME --how TEXT
    python tests/long/measured.py

The first command adds a match of the engine in this checkout (the first `-e`) to the file. Both
then rewrite the tables of the pages, each between `<!-- begin: NAME ... -->` and `<!-- end -->`.
Other programs replace their own table with `record`.

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
FOLDER = ROOT / "docs/explanation"

#: A table in a page: its start with its name, its text, and its end.
BLOCK = re.compile(r"(<!-- begin: (\w+)[^>]*-->\n)(.*?)(<!-- end -->)", re.DOTALL)


def read(folder: Path = FOLDER) -> dict[str, Any]:
    """All measurements, by the name of the table."""
    found: dict[str, Any] = json.loads((folder / "measured.json").read_text(encoding="utf-8"))
    return found


def today() -> dict[str, str]:
    """The commit of this checkout, with a `+` if there are changes, and the date."""
    git = ["git", "-C", str(ROOT)]
    commit = subprocess.check_output([*git, "rev-parse", "--short=8", "HEAD"], text=True).strip()
    changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "uci_engine"], check=False)
    day = datetime.now(timezone.utc).date().isoformat()
    return {"commit": commit + "+" * bool(changed.returncode), "date": day}


def record(name: str, found: Any, folder: Path = FOLDER) -> None:
    """Replace a table in the file, and rewrite the pages."""
    data = {**read(folder), name: found}
    text = json.dumps(data, indent=1, ensure_ascii=False)
    rows = re.sub(r"\{\n\s+(\"[^][{}]*?)\n\s+\}", lambda row: _one_line(row[0]), text)
    (folder / "measured.json").write_text(rows + "\n", encoding="utf-8")
    for page in sorted(folder.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if (again := with_measurements(text, data)) != text:
            page.write_text(again, encoding="utf-8")


def with_measurements(text: str, data: dict[str, Any]) -> str:
    """A page with the current tables."""
    return BLOCK.sub(lambda block: block[1] + markdown(block[2], data) + block[4], text)


def markdown(name: str, data: dict[str, Any]) -> str:
    """A table as a page shows it."""
    lines: Iterable[str] = _SHEETS[name](data[name])
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


def _elo(row: dict[str, Any]) -> str:
    error = f" +/- {row['error']}" if row["error"] else ""
    return f"{row['elo']:+}{error}" if row["elo"] else f"0{error}"


def _matches(rows: list[dict[str, Any]]) -> Iterator[str]:
    def cells(row: dict[str, Any]) -> Iterator[object]:
        yield row["against"]
        if "result" in row:
            yield from (row["how"], row["result"])
        else:
            points = row["wins"], row["draws"], row["losses"]
            yield f"{sum(points)} games{row['how'] and ' '}{row['how']}"
            result = "+{} ={} -{}".format(*points)
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
        *((row["level"], row["games"], _elo(row), row["build"]) for row in rows),
    )


def _techniques(found: dict[str, Any]) -> Iterator[str]:
    def cells(row: dict[str, Any]) -> tuple[object, ...]:
        return row["name"], row["wins"] + row["draws"] + row["losses"], _elo(row)

    yield from _sheet(("with, against without", "games", "Elo"), *map(cells, found["rows"]))
    yield f"\n{_measured(found)}."


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


_SHEETS = {
    "matches": _matches,
    "builds": _builds,
    "levels": _levels,
    "techniques": _techniques,
    "lecture_ratings": _lecture_ratings,
    "lecture_moves": _lecture_moves,
}


def match_row(result: dict[str, Any], against: str, how: str, build: int) -> dict[str, Any]:
    """A match as a row of the table.

    :param result: the output of `halbzug match --json`.
    """
    (pairing,) = result["pairings"]
    row = {"against": against, "how": how}
    row |= {name: pairing[name] for name in ("wins", "draws", "losses")}
    for name, key in (("elo", "elo"), ("error", "elo_error")):
        row[name] = None if pairing[key] is None else round(pairing[key])
    row["forfeits"] = sum(sum(engine["forfeits"].values()) for engine in result["engines"])
    return {**row, "build": build}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--against", help="the opponent, as the table is to name it")
    parser.add_argument("--how", default="", help="after the number of games, as in 'at 10+0.1'")
    parser.add_argument("--build", help="what is new in this build, if it has no number yet")
    parser.add_argument("--docs", type=Path, default=FOLDER, help="the folder of the pages")
    options = parser.parse_args()
    data = read(options.docs)
    builds, now = data["builds"], today()
    if options.against:
        found = [one["number"] for one in builds if one["commit"] == now["commit"]]
        if not found and not options.build:
            parser.error(f"{now['commit']} is not a build of the table yet: describe it (--build)")
        number = found[0] if found else builds[-1]["number"] + 1
        row = match_row(json.load(sys.stdin), options.against, options.how, number)
        if not found:
            record(
                "builds", [*builds, {"number": number, **now, "what": options.build}], options.docs
            )
        record("matches", [*data["matches"], row], options.docs)
    else:
        record("builds", builds, options.docs)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

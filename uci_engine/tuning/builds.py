"""Measures the speed of this build, and compares speed and signature with pure Python."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Iterator
from typing import Any

from ..base.launch import own_command
from ..board.movegen import BUILD
from ..display.document import Listing, Part, Remark
from ..display.sheet import Column, Sheet
from ..search.bench import BenchResult
from ..version import __version__


class MeasureError(Exception):
    """Why two builds cannot be compared, in one line."""


def bench_json(result: BenchResult, depth: int, evaluation: str) -> dict[str, Any]:
    """A benchmark of this build, as data.

    :param depth: of the search, in plies.
    :param evaluation: as for `halbzug.eval.network_file.named`.
    """
    return {
        "signature": result.nodes,
        "depth": depth,
        "evaluation": evaluation,
        "positions": result.positions,
        "seconds": round(result.seconds, 3),
        "nps": result.nodes_per_second,
        "build": result.build,
        "version": __version__,
        "python": platform.python_version(),
    }


def bench_lines(result: BenchResult, depth: int, evaluation: str) -> list[str]:
    """A benchmark of this build, as text; the last line is for OpenBench.

    :param depth: of the search, in plies.
    :param evaluation: as for `halbzug.eval.network_file.named`.
    """
    rows = (
        ("Positions", f"{result.positions}, to depth {depth}"),
        ("Evaluation", evaluation),
        ("Build", f"Halbzug {__version__}, {result.build}, Python {platform.python_version()}"),
        ("Time", f"{result.seconds:.2f} s"),
        ("Nodes/second", f"{result.nodes_per_second:,}"),
        ("Signature", f"{result.nodes} nodes"),
    )
    return [*(f"{name:<13} {value}" for name, value in rows), result.summary]


def require_compiled() -> None:
    """Make sure that there are two builds to compare.

    :raises MeasureError: if this is the pure build.
    """
    if BUILD == "pure":
        raise MeasureError("this is the pure build: there is nothing to compare it with")


def compare_builds(depth: int) -> dict[str, Any]:
    """Measure both builds, one after the other, each in a separate process.

    :param depth: of the search, in plies.
    :returns: both measurements, their ratios, and whether the signatures are the same.
    :raises MeasureError: if there is only one build, or a measurement fails.
    """
    require_compiled()
    compiled, pure = _measure(depth, is_pure=False), _measure(depth, is_pure=True)
    return {
        "depth": depth,
        "compiled": compiled,
        "pure": pure,
        "perft_ratio": round(speed(compiled["perft"]) / speed(pure["perft"]), 1),
        "search_ratio": round(speed(compiled["search"]) / speed(pure["search"]), 1),
        "same_signature": compiled["search"]["nodes"] == pure["search"]["nodes"],
    }


def comparison(report: dict[str, Any]) -> Iterator[Part]:
    """The result of `compare_builds` as a document."""
    titles = ("compiled", "pure", "ratio")
    sheet = Sheet((Column("Nodes per second"), *(Column(title, True) for title in titles)))
    search = f"Whole search, depth {report['depth']}"
    for name, part in (("Make and unmake (perft)", "perft"), (search, "search")):
        speeds = [f"{speed(report[build][part]):,.0f}" for build in ("compiled", "pure")]
        sheet.add(name, *speeds, f"{report[part + '_ratio']:.1f}")
    yield Listing(sheet)
    signatures = [report[build]["search"]["nodes"] for build in ("compiled", "pure")]
    if report["same_signature"]:
        yield Remark(f"Same signature: {signatures[0]} nodes", "good")
    else:
        yield Remark(f"Signatures differ: {signatures[0]} and {signatures[1]}", "bad")


def speed(measured: dict[str, Any]) -> float:
    """Nodes per second."""
    return float(measured["nodes"]) / max(float(measured["seconds"]), 0.001)


def _measure(depth: int, is_pure: bool) -> dict[str, Any]:
    process = subprocess.run(
        own_command("halbzug.search.bench", "--depth", str(depth)),
        env={**os.environ, "HALBZUG_PURE": "1" if is_pure else "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        lines = process.stderr.strip().splitlines() or ["no message"]
        raise MeasureError(f"the measurement failed: {lines[-1]}")
    measured: dict[str, Any] = json.loads(process.stdout)
    return measured

"""`halbzug bench`: the signature of the search, its speed, and what compiling and threads gain."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

import click

from halbzug.console.errors import told_in_one_line
from halbzug.launch import own_command
from halbzug.scores import MAX_PLY
from halbzug.search.smp_counters import MAX_THREADS

if TYPE_CHECKING:
    from halbzug.benchmark.scaling import Scaling
    from halbzug.search.bench import BenchResult

EXAMPLES = """\b
Examples:
  halbzug bench
  halbzug bench --against-pure
  halbzug bench --threads 2
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "-d", "--depth", type=click.IntRange(1, MAX_PLY - 1), metavar="PLIES", help="Plies to search."
)
@click.option("--against-pure", is_flag=True, help="Compare this build with pure Python.")
@click.option(
    "--threads",
    type=click.IntRange(2, MAX_THREADS),
    metavar="N",
    help="Compare so many threads with one, by the clock on the wall.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
def bench(depth: int | None, against_pure: bool, threads: int | None, as_json: bool) -> int:
    """Search fixed positions to a fixed depth.

    The total of nodes is the signature of the search: it is the same in every run, on every
    machine and in both builds, and changes only when the search or the evaluation does. Times
    are processor time.

    With --threads, middlegames are searched to a greater depth by one and by N threads in turn.
    It needs N idle cores.
    """
    from halbzug.search import bench as benchmark

    if against_pure and threads:
        raise click.UsageError("one comparison at a time, please")
    if threads:
        return _scale(threads, depth, as_json)
    plies = depth or benchmark.DEPTH
    if against_pure:
        return _compare(plies, as_json)
    result = _run(plies)
    if as_json:
        click.echo(json.dumps(_as_json(result, plies)))
    else:
        _print_result(result, plies)
    return 0


def _run(depth: int) -> BenchResult:
    """Run the benchmark in this process, with a progress bar at a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from halbzug.console.terminal import PlainConsole, count_text
    from halbzug.search import bench as benchmark

    console = PlainConsole(stderr=True)
    with Progress(
        TextColumn("Searching"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[nodes]} nodes"),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task("", total=len(benchmark.boards()), nodes="0")

        def advance(number: int, nodes: int) -> None:
            progress.update(task, completed=number, nodes=count_text(nodes))

        return benchmark.run(depth, on_position=advance)


def _as_json(result: BenchResult, depth: int) -> dict[str, Any]:
    import platform

    from halbzug.version import __version__

    return {
        "signature": result.nodes,
        "depth": depth,
        "positions": result.positions,
        "seconds": round(result.seconds, 3),
        "nps": result.nodes_per_second,
        "build": result.build,
        "version": __version__,
        "python": platform.python_version(),
    }


def _print_result(result: BenchResult, depth: int) -> None:
    import platform

    from halbzug.version import __version__

    rows = (
        ("Positions", f"{result.positions}, to depth {depth}"),
        ("Build", f"Halbzug {__version__}, {result.build}, Python {platform.python_version()}"),
        ("Time", f"{result.seconds:.2f} s"),
        ("Nodes/second", f"{result.nodes_per_second:,}"),
        ("Signature", f"{result.nodes} nodes"),
    )
    for name, value in rows:
        click.echo(f"{name:<13} {value}")
    click.echo(result.summary)


# -- two builds ---------------------------------------------------------------------------------


def _compare(depth: int, as_json: bool) -> int:
    """Measure both builds, one after the other; the exit code tells whether the trees agree."""
    from halbzug.board.rules import BUILD

    if BUILD == "pure":
        raise click.ClickException("this is the pure build: there is nothing to compare it with")
    click.echo("Measuring this build, then pure Python, which takes a while ...", err=True)
    compiled, pure = _measure(depth, is_pure=False), _measure(depth, is_pure=True)
    report = {
        "depth": depth,
        "compiled": compiled,
        "pure": pure,
        "perft_ratio": round(_speed(compiled["perft"]) / _speed(pure["perft"]), 1),
        "search_ratio": round(_speed(compiled["search"]) / _speed(pure["search"]), 1),
        "same_signature": compiled["search"]["nodes"] == pure["search"]["nodes"],
    }
    if as_json:
        click.echo(json.dumps(report))
    else:
        _print_comparison(report)
    return 0 if report["same_signature"] else 1


def _measure(depth: int, is_pure: bool) -> dict[str, Any]:
    """Both measurements of one build, in a process of its own.

    :raises click.ClickException: if that process fails.
    """
    process = subprocess.run(
        own_command("halbzug.search.bench", "--depth", str(depth)),
        env={**os.environ, "HALBZUG_PURE": "1" if is_pure else "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        lines = process.stderr.strip().splitlines() or ["no message"]
        raise click.ClickException(f"the measurement failed: {lines[-1]}")
    measured: dict[str, Any] = json.loads(process.stdout)
    return measured


def _speed(measured: dict[str, Any]) -> float:
    """Nodes per second."""
    return float(measured["nodes"]) / max(float(measured["seconds"]), 0.001)


def _print_comparison(report: dict[str, Any]) -> None:
    from rich import box
    from rich.table import Table

    from halbzug.console.terminal import PlainConsole

    console = PlainConsole()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Nodes per second")
    for name in ("compiled", "pure", "ratio"):
        table.add_column(name, justify="right")
    for name, part in (("Make and unmake (perft)", "perft"), (_search_title(report), "search")):
        speeds = [f"{_speed(report[build][part]):,.0f}" for build in ("compiled", "pure")]
        table.add_row(name, *speeds, f"{report[part + '_ratio']:.1f}")
    console.print(table)
    signatures = [report[build]["search"]["nodes"] for build in ("compiled", "pure")]
    if report["same_signature"]:
        console.print(f"Same signature: {signatures[0]} nodes", style="green")
    else:
        console.print(f"Signatures differ: {signatures[0]} and {signatures[1]}", style="bold red")


def _search_title(report: dict[str, Any]) -> str:
    return f"Whole search, depth {report['depth']}"


# -- one thread and several ---------------------------------------------------------------------


def _scale(threads: int, depth: int | None, as_json: bool) -> int:
    """Measure what more threads gain.

    :raises click.ClickException: if they cannot be had.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from halbzug.benchmark import scaling
    from halbzug.console.terminal import PlainConsole

    console = PlainConsole(stderr=True)
    columns = (TextColumn("Searching"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        steps = scaling.measure(threads, depth or scaling.DEPTH)
        with told_in_one_line(RuntimeError):
            *_, result = progress.track(steps, total=len(scaling.middlegames()))
    if as_json:
        click.echo(json.dumps(_scaling_as_json(result)))
    else:
        _print_scaling(result)
    return 0


def _scaling_as_json(result: Scaling) -> dict[str, Any]:
    one, more = result.speeds()
    return {
        "threads": result.threads,
        "depth": result.depth,
        "positions": len(result.alone),
        "nps_one": round(one),
        "nps_all": round(more),
        "nps_ratio": round(result.speed_ratio, 3),
        "time_ratio_median": round(result.time_ratio, 3),
        "time_ratios": [round(ratio, 3) for ratio in result.time_ratios()],
    }


def _print_scaling(result: Scaling) -> None:
    one, more = result.speeds()
    ratios = result.time_ratios()
    threads = f"{result.threads} threads"
    rows = (
        ("Positions", f"{len(ratios)} middlegames, to depth {result.depth}"),
        ("One thread", f"{one:,.0f} nodes/second"),
        (threads.capitalize(), f"{more:,.0f} nodes/second, {result.speed_ratio:.2f} times"),
        (
            "Time to depth",
            f"{result.time_ratio:.2f} times faster (median; {ratios[0]:.2f} to {ratios[-1]:.2f})",
        ),
    )
    for name, value in rows:
        click.echo(f"{name:<13} {value}")

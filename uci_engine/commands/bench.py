"""`halbzug bench`: the signature of the search, its speed, and what compiling and threads gain."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ..base.scores import MAX_PLY
from ..display.errors import one_line_errors
from ..eval.network_file import NETWORK, TERMS, NetworkError, evaluating_by
from ..search.smp_counters import MAX_THREADS

if TYPE_CHECKING:
    from ..search.bench import BenchResult

EXAMPLES = """\b
Examples:
  halbzug bench
  halbzug bench --eval-file network
  halbzug bench --against-pure
  halbzug bench --threads 2
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "-d", "--depth", type=click.IntRange(1, MAX_PLY - 1), metavar="PLIES", help="Plies to search."
)
@click.option(
    "--eval-file",
    default=TERMS,
    show_default=True,
    metavar="FILE",
    help=f"Evaluate by the network in a file, or by `{NETWORK}`, the one that comes with Halbzug.",
)
@click.option("--against-pure", is_flag=True, help="Compare this build with pure Python.")
@click.option(
    "--threads",
    type=click.IntRange(2, MAX_THREADS),
    metavar="N",
    help="Compare this many threads with one, in wall-clock time.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
def bench(
    depth: int | None, eval_file: str, against_pure: bool, threads: int | None, as_json: bool
) -> int:
    """Search fixed positions to a fixed depth.

    The total number of nodes is the signature of the search. It is the same in every run, on every
    machine and in both builds, and changes only with the search or the evaluation. There are two
    signatures: one by terms, with which plain Python plays, and one by the network, with which the
    compiled engine plays. Times are processor time.

    With --threads, middlegames are searched to a greater depth, first by one thread and then by N.
    This needs N idle cores.
    """
    from ..search import bench as benchmark
    from ..tuning.builds import bench_json, bench_lines

    if against_pure and threads:
        raise click.UsageError("one comparison at a time, please")
    if eval_file != TERMS and (against_pure or threads):
        raise click.UsageError("comparisons evaluate by terms")
    if threads:
        return _scale(threads, depth, as_json)
    plies = depth or benchmark.DEPTH
    if against_pure:
        return _compare(plies, as_json)
    with one_line_errors(NetworkError), evaluating_by(eval_file):
        result = _run(plies)
    report = bench_json(result, plies, eval_file)
    lines = [json.dumps(report)] if as_json else bench_lines(result, plies, eval_file)
    click.echo("\n".join(lines))
    return 0


def _run(depth: int) -> BenchResult:
    """Run the benchmark in this process, with a progress bar at a terminal."""
    from ..display.progress import bar_for
    from ..display.quantities import count_text
    from ..display.terminal import PlainConsole
    from ..search import bench as benchmark

    console = PlainConsole(stderr=True)
    with bar_for(console) as bar:
        task = bar.add_task("Searching", total=len(benchmark.boards()), note="")

        def advance(number: int, nodes: int) -> None:
            bar.update(task, completed=number, note=f"{count_text(nodes)} nodes")

        return benchmark.run(depth, on_position=advance)


# -- two builds ---------------------------------------------------------------------------------


def _compare(depth: int, as_json: bool) -> int:
    """Measure both builds, one after the other; the exit code is 1 if the trees differ."""
    from ..display.printing import show
    from ..tuning.builds import MeasureError, compare_builds, comparison, require_compiled

    with one_line_errors(MeasureError):
        require_compiled()
        click.echo("Measuring this build, then pure Python, which takes a while ...", err=True)
        report = compare_builds(depth)
    if as_json:
        click.echo(json.dumps(report))
    else:
        show(comparison(report))
    return 0 if report["same_signature"] else 1


# -- one thread and several ---------------------------------------------------------------------


def _scale(threads: int, depth: int | None, as_json: bool) -> int:
    """Measure the speedup of more threads.

    :raises click.ClickException: if they cannot be started.
    """
    from ..display.progress import bar_for
    from ..display.terminal import PlainConsole
    from ..tuning import scaling

    console = PlainConsole(stderr=True)
    with bar_for(console) as bar:
        task = bar.add_task("Searching", total=len(scaling.middlegames()), note="")
        steps = scaling.measure(threads, depth or scaling.DEPTH)
        with one_line_errors(RuntimeError):
            *_, result = bar.track(steps, task_id=task)
    click.echo("\n".join([json.dumps(result.json())] if as_json else result.lines()))
    return 0

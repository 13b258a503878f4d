"""`halbzug tablebases`: downloads and lists tablebases, and looks up positions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.language import local, say, spelled
from ..base.text import counted
from ..display.common_options import consent, tablebases_option
from ..display.drawing_options import LANGUAGE
from ..display.errors import one_line_errors
from ..display.paths import PathName

if TYPE_CHECKING:
    from ..tablebase.fetching import FetchPlan

_PATH = tablebases_option("--path", "Also look in these folders, as in SyzygyPath.")


@click.group()
def tablebases() -> None:
    """Download, list and probe endgame tablebases."""


# -- fetch --------------------------------------------------------------------------------------


@tablebases.command(
    epilog="\b\nExamples:\n  halbzug tablebases fetch 5\n  halbzug tablebases fetch 5 --to syzygy\n"
)
@click.argument("pieces", type=click.IntRange(3, 6))
@click.option(
    "--to",
    "folder",
    type=PathName(file_okay=False),
    help="Where to put them.  [default: your data folder, where Halbzug finds them]",
)
@click.option(
    "--mirror", metavar="URL", help="Download from this address instead of the usual mirror."
)
@click.option("-y", "--yes", is_flag=True, help="Do not ask before a large download.")
def fetch(pieces: int, folder: Path | None, mirror: str | None, yes: bool) -> int:
    """Download the Syzygy tables of up to PIECES pieces (WDL and DTZ).

    Five pieces take about 0.9 GB, six about 150 GB. Every file is verified against the mirror's
    list of checksums. Run the command again to continue an interrupted download.
    """
    from ..tablebase.download import DownloadError
    from ..tablebase.fetching import FetchPlan
    from ..tablebase.files import user_folder

    folder = folder or user_folder()
    with one_line_errors(DownloadError):
        plan = FetchPlan(pieces, mirror)
        if pieces > 5 and not yes:
            consent(f"{pieces} pieces are {plan.megabytes / 1000:.0f} GB", "Download them")
        fetched, present = _fetch(plan, folder)
    click.echo(f"{counted(fetched, 'table')} downloaded, {present} already present, in {folder}")
    return 0


def _fetch(plan: FetchPlan, folder: Path) -> tuple[int, int]:
    """Download with a progress bar at a terminal; see `fetching.fetch`."""
    from ..display.progress import bar_for
    from ..display.terminal import PlainConsole
    from ..tablebase.fetching import fetch

    console = PlainConsole(stderr=True)
    with bar_for(console) as bar:
        task = bar.add_task("", total=len(plan.paths), note="")

        class Report:
            received = 0

            def begin(self, name: str) -> None:
                bar.update(task, description=name)

            def receive(self, count: int) -> None:
                self.received += count
                bar.update(task, note=f"{self.received / 1e6:.1f} MB")

            def finish(self) -> None:
                bar.advance(task)

        return fetch(plan, folder, Report())


# -- list ---------------------------------------------------------------------------------------


@tablebases.command("list", epilog="\b\nExamples:\n  halbzug tablebases list\n")
@_PATH
@LANGUAGE
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on each line.")
def list_tablebases(tablebase_paths: str, as_json: bool) -> int:
    """List the tables that Halbzug finds, by folder and number of pieces."""
    from ..tablebase import lookup

    rows, messages = lookup.list_tablebases(tablebase_paths)
    for message in messages:
        click.echo(message, err=True)
    if as_json:
        for row in rows:
            click.echo(json.dumps(row))
    else:
        _print_rows(rows)
    return 0


def _print_rows(rows: list[dict[str, Any]]) -> None:
    from ..display.document import Listing
    from ..display.printing import show
    from ..display.sheet import Column, Sheet

    titles = [Column(name, True) for name in (say("Pieces"), "WDL", "DTZ", say("of"), "MB")]
    sheet = Sheet((*titles, Column(say("Folder"))))
    for row in rows:
        counts = [str(row[name]) for name in ("pieces", "wdl", "dtz", "all")]
        sheet.add(*counts, local(f"{row['bytes'] / 1e6:.1f}"), row["folder"])
    show([Listing(sheet)])


# -- probe --------------------------------------------------------------------------------------


@tablebases.command(
    epilog='\b\nExamples:\n  halbzug tablebases probe "8/8/8/8/4k3/8/3PK3/8 w - - 0 1"\n'
)
@click.argument("fen")
@_PATH
@LANGUAGE
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def probe(fen: str, tablebase_paths: str, as_json: bool) -> int:
    """Show the result of a position, its DTZ, and the result of every move.

    FEN is a position in quotes, or `startpos`. The result takes the fifty-move clock into account.
    DTZ is counted in plies to the next capture, pawn move or mate.
    """
    import chess

    from ..board.fen import fen_of, read_position
    from ..tablebase.lookup import look_up
    from ..tablebase.probing import Tablebase

    with one_line_errors(ValueError):
        # The board may be a compiled one; notation needs python-chess's own.
        board = chess.Board(read_position(fen_of(fen)).fen(en_passant="fen"))
    tablebase = Tablebase(tablebase_paths)
    try:
        with one_line_errors(LookupError):
            report = look_up(tablebase, board)
    finally:
        for message in tablebase.take_messages():
            click.echo(message, err=True)
        tablebase.close()
    if as_json:
        click.echo(json.dumps(report))
    else:
        _print_report(report)
    return 0


def _print_report(report: dict[str, Any]) -> None:
    from ..display.document import Listing
    from ..display.printing import show
    from ..display.sheet import Column, Sheet

    dtz = "" if report["dtz"] is None else f", DTZ {report['dtz']}"
    result = say("{result} for the side to move", result=say(report["result"]))
    click.echo(f"{result[0].upper()}{result[1:]}{dtz}")
    sheet = Sheet((Column(say("Move")), Column(say("Result")), Column("DTZ", True)))
    for move in report["moves"]:
        dtz = "" if move["dtz"] is None else str(move["dtz"])
        sheet.add(spelled(move["san"]), say(move["result"]), dtz)
    if sheet.rows:
        show([Listing(sheet)])

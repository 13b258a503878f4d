"""`halbzug tablebases`: download endgame tables, list what is there, look positions up."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from halbzug.console.errors import one_line_errors

if TYPE_CHECKING:
    import chess

    from halbzug.tablebase.probing import RootRank, Tablebase, TableFile

#: The longest list of checksums, in bytes.
LONGEST_LIST = 1 << 24

_RESULTS = {2: "win", 1: "cursed win", 0: "draw", -1: "blessed loss", -2: "loss"}


@click.group()
def tablebases() -> None:
    """Endgame tablebases: fetch larger ones, list what is there, look a position up."""


# -- fetch --------------------------------------------------------------------------------------


@tablebases.command(
    epilog="\b\nExamples:\n  halbzug tablebases fetch 5\n  halbzug tablebases fetch 5 --to syzygy\n"
)
@click.argument("pieces", type=click.IntRange(3, 6))
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to put them.  [the user's data folder, where Halbzug finds them by itself]",
)
@click.option("--mirror", metavar="URL", help="Download from here instead of the usual mirror.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask, however large the download is.")
def fetch(pieces: int, folder: Path | None, mirror: str | None, yes: bool) -> int:
    """Download the Syzygy tables of up to PIECES pieces (WDL and DTZ).

    Five pieces take about 0.9 GB, six about 150 GB. Every file is checked against the mirror's
    list of checksums; an interrupted download is continued when the command is run again.
    """
    from halbzug.tablebase.download import DownloadError, reason_of
    from halbzug.tablebase.probing import user_folder

    plan = _Plan(pieces, mirror)
    folder = folder or user_folder()
    if pieces > 5 and not yes:
        _ask(f"{pieces} pieces are {plan.megabytes / 1000:.0f} GB")
    made = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        with one_line_errors(DownloadError):
            folder.mkdir(parents=True, exist_ok=True)
            _check_space(folder, plan)
            fetched, present = _fetch_all(plan, folder)
    except OSError as error:
        raise click.ClickException(reason_of(error)) from None
    finally:
        for place in made:
            with suppress(OSError):
                place.rmdir()  # only if nothing has come into it
    click.echo(f"{fetched} tables downloaded, {present} were there, in {folder}")
    return 0


def _ask(size: str) -> None:
    """Go on only with the user's consent.

    :raises click.ClickException: without it, or if there is nobody to ask.
    """
    if not (sys.stdin and sys.stdin.isatty()):
        raise click.ClickException(f"{size}: say --yes if you mean it")
    try:
        is_wanted = click.confirm(f"{size}. Download them?")
    except click.Abort:
        raise KeyboardInterrupt from None
    if not is_wanted:
        raise click.ClickException("nothing was downloaded")


class _Plan:
    """What to download from where.

    :param mirror: the URL above the folders, instead of the usual one.
    :raises click.ClickException: if that is not a URL.
    """

    def __init__(self, pieces: int, mirror: str | None) -> None:
        from chess.syzygy import tablenames

        from halbzug.tablebase.probing import SHIPPED

        data = json.loads((SHIPPED / "mirror.json").read_text("utf-8"))
        self.url = (mirror or data["url"]).rstrip("/") + "/"
        if not self.url.lower().startswith(("https://", "http://")):
            raise click.ClickException(f"not an http or https address: {self.url[:80]}")
        self.checksums_url = self.url + data["checksums"]
        sets = data["sets"]
        self.megabytes = sum(sets[size]["megabytes"] for size in sets if int(size) <= pieces)
        self.paths: list[str] = []  # on the mirror, with the folder
        for name in sorted(tablenames(piece_count=pieces), key=lambda name: (len(name), name)):
            folders = sets["5" if len(name) - 1 <= 5 else "6"]
            self.paths += [f"{folders['wdl']}/{name}.rtbw", f"{folders['dtz']}/{name}.rtbz"]


def _check_space(folder: Path, plan: _Plan) -> None:
    """Refuse what cannot fit, considering what is already there.

    :raises click.ClickException: if there is too little room.
    """
    import shutil

    there = sum(file.stat().st_size for file in folder.glob("*.rtb*") if file.is_file())
    missing = plan.megabytes * 1_000_000 - there
    free = shutil.disk_usage(folder).free
    if missing > free:
        raise click.ClickException(
            f"{folder} has {free / 1e9:.1f} GB left, but {missing / 1e9:.1f} GB are to come"
        )


def _fetch_all(plan: _Plan, folder: Path) -> tuple[int, int]:
    """Download what is missing; how many files that were, and how many were there.

    :raises click.ClickException: at the first file without a checksum.
    :raises DownloadError: at the first file that is not to be had.
    :raises OSError: if one cannot be written.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from halbzug.console.terminal import PlainConsole
    from halbzug.tablebase.download import fetch_file, has_digest

    digests = _read_list(plan)
    fetched = present = received = 0
    console = PlainConsole(stderr=True)
    with Progress(
        TextColumn("{task.description:<14}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[megabytes]:.1f} MB"),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task("", total=len(plan.paths), megabytes=0.0)

        def advance(count: int) -> None:
            nonlocal received
            received += count
            progress.update(task, megabytes=received / 1e6)

        for path in plan.paths:
            name = path.rpartition("/")[2]
            progress.update(task, description=name)
            digest = digests.get(path) or digests.get(name)
            if digest is None:
                raise click.ClickException(f"{name} is not in the mirror's list of checksums")
            if has_digest(folder / name, digest):
                present += 1
            else:
                fetch_file(plan.url + path, folder / name, digest, advance)
                fetched += 1
            progress.advance(task)
    return fetched, present


def _read_list(plan: _Plan) -> dict[str, str]:
    """The mirror's checksums.

    :raises click.ClickException: if it has none.
    :raises DownloadError: if they are not to be had.
    """
    from halbzug.tablebase.download import DIGEST_NAMES, read
    from halbzug.tablebase.probing import read_checksums

    text = read(plan.checksums_url, LONGEST_LIST).decode("utf-8", "replace")
    digests = read_checksums(text)
    digests = {path: digest for path, digest in digests.items() if len(digest) in DIGEST_NAMES}
    if not digests:
        raise click.ClickException(f"no list of checksums at {plan.checksums_url}")
    return digests


# -- list ---------------------------------------------------------------------------------------


@tablebases.command("list", epilog="\b\nExamples:\n  halbzug tablebases list\n")
@click.option("--path", metavar="FOLDERS", default="", help="Look here, too, as in SyzygyPath.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def list_tables(path: str, as_json: bool) -> int:
    """List the tables that Halbzug finds, by folder and number of pieces."""
    from halbzug.tablebase.probing import default_folders, find_tables, split_paths

    rows = []
    for folder in default_folders() + split_paths(path):
        tables: list[TableFile] = []
        for file in find_tables(folder):
            if isinstance(file, str):
                click.echo(file, err=True)
            else:
                tables.append(file)
        for pieces in sorted({table.pieces for table in tables}):
            rows.append(_row(folder, pieces, [t for t in tables if t.pieces == pieces]))
    if as_json:
        for row in rows:
            click.echo(json.dumps(row))
    else:
        _print_rows(rows)
    return 0


def _row(folder: Path, pieces: int, tables: list[TableFile]) -> dict[str, Any]:
    from chess.syzygy import tablenames

    smaller = sum(1 for _ in tablenames(piece_count=pieces - 1)) if pieces > 3 else 0
    return {
        "folder": str(folder),
        "pieces": pieces,
        "wdl": sum(table.suffix == ".rtbw" for table in tables),
        "dtz": sum(table.suffix == ".rtbz" for table in tables),
        "all": sum(1 for _ in tablenames(piece_count=pieces)) - smaller,
        "bytes": sum(table.size for table in tables),
    }


def _print_rows(rows: list[dict[str, Any]]) -> None:
    from rich import box
    from rich.table import Table

    from halbzug.console.terminal import PlainConsole

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("Pieces", "WDL", "DTZ", "of", "MB"):
        table.add_column(name, justify="right")
    table.add_column("Folder", overflow="fold")
    for row in rows:
        counts = [str(row[name]) for name in ("pieces", "wdl", "dtz", "all")]
        table.add_row(*counts, f"{row['bytes'] / 1e6:.1f}", row["folder"])
    PlainConsole().print(table)


# -- probe --------------------------------------------------------------------------------------


@tablebases.command(
    epilog='\b\nExamples:\n  halbzug tablebases probe "8/8/8/8/4k3/8/3PK3/8 w - - 0 1"\n'
)
@click.argument("fen")
@click.option("--path", metavar="FOLDERS", default="", help="Look here, too, as in SyzygyPath.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def probe(fen: str, path: str, as_json: bool) -> int:
    """Look a position up: its result, its distance to zeroing, and every move.

    The result is that of the position with its fifty-move clock; DTZ is counted in plies to the
    next capture, pawn move or mate.
    """
    import chess

    from halbzug.board.fen import read_position
    from halbzug.tablebase.probing import Tablebase

    with one_line_errors(ValueError):
        # The door may give a compiled board; notation needs python-chess's own.
        board = chess.Board(read_position(fen).fen(en_passant="fen"))
    tables = Tablebase(path)
    report = _look_up(tables, board)
    for message in tables.take_messages():
        click.echo(message, err=True)
    if report is None:
        raise click.ClickException(_why_unknown(tables, board))
    tables.close()
    if as_json:
        click.echo(json.dumps(report))
    else:
        _print_report(report)
    return 0


def _look_up(tables: Tablebase, board: chess.Board) -> dict[str, Any] | None:
    """What the tables say about a position; None if they do not know it."""
    from halbzug.board.rules import new_board

    twin = new_board(board.fen(en_passant="fen"))
    dtz = tables.probe_dtz(twin)
    ranking = tables.rank_root(twin)
    twin.halfmove_clock = 0
    fresh = tables.probe_wdl(twin)
    if fresh is None:
        return None
    return {
        "fen": board.fen(),
        "result": _result(ranking[0]) if ranking else _RESULTS[fresh],
        "wdl": fresh,
        "dtz": dtz,
        "moves": [_move_report(board, move) for move in ranking or ()],
    }


def _result(best: RootRank) -> str:
    """The result with the clock as it is: a win may have become a cursed one."""
    from halbzug.scores import TB_BOUND

    if abs(best.score) >= TB_BOUND:
        return _RESULTS[2 if best.score > 0 else -2]
    return _RESULTS[(best.score > 0) - (best.score < 0)]


def _move_report(board: chess.Board, move: RootRank) -> dict[str, Any]:
    from halbzug.board.rules import uci

    text = uci(move.code)
    return {
        "move": text,
        "san": board.san(board.parse_uci(text)),
        "result": _result(move),
        "wdl": move.wdl,
        "dtz": move.dtz,
    }


def _why_unknown(tables: Tablebase, board: chess.Board) -> str:
    if board.castling_rights:
        return "the tables have no positions with castling"
    pieces = board.occupied.bit_count()
    if pieces > tables.largest:
        return f"{pieces} pieces, but the tables found have at most {tables.largest}"
    return "a table that is needed is missing or damaged"


def _print_report(report: dict[str, Any]) -> None:
    from rich import box
    from rich.table import Table

    from halbzug.console.terminal import PlainConsole

    dtz = "" if report["dtz"] is None else f", DTZ {report['dtz']}"
    click.echo(f"{report['result'].capitalize()} for the side to move{dtz}")
    if not report["moves"]:
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Move")
    table.add_column("Result")
    table.add_column("DTZ", justify="right")
    for move in report["moves"]:
        table.add_row(move["san"], move["result"], "" if move["dtz"] is None else str(move["dtz"]))
    PlainConsole().print(table)

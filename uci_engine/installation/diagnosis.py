"""Examines an installation for a bug report, and diagnoses problems.

Each check examines one thing, independently of the others, and names the cause of a problem. No
check changes anything. `halbzug doctor` shows the results.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.launch import own_command
from ..base.text import counted

if TYPE_CHECKING:
    from ..client.blocking import BlockingClient

#: Duration of the benchmark, in seconds of processor time.
BENCH_SECONDS = 2.0

#: Timeout for an answer in seconds, as in python-chess and lichess-bot.
PATIENCE_SECONDS = 10.0

#: Size of the shared memory test in MiB; the default of `Hash`.
SHARED_MB = 16


@dataclass(frozen=True)
class CheckResult:
    """The result of one check.

    :param trouble: what is wrong and why, in one line; empty if nothing is.
    :param facts: the same as data.
    """

    title: str
    text: str
    trouble: str = ""
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Resources:
    """Files to examine besides the installation itself.

    :param book: a Polyglot book; None means the one that comes with Halbzug.
    :param tablebase_paths: folders of Syzygy tables, separated as in PATH.
    """

    book: Path | None = None
    tablebase_paths: str = ""


def examine(resources: Resources) -> Iterator[CheckResult]:
    """Run all checks one after another; an exception in a check counts as a problem."""
    checks: tuple[tuple[str, Callable[[Resources], CheckResult]], ...] = (
        ("Version", _version),
        ("Build", _build),
        ("Python", _python),
        ("Platform", _platform),
        ("CPUs", _cpus),
        ("Shared memory", _shared_memory),
        ("Book", _book),
        ("Tables", _tablebases),
        ("Speed", _speed),
        ("UCI", _uci),
    )
    for title, check in checks:
        try:
            yield check(resources)
        except Exception as error:
            from ..base.loading import describe

            yield CheckResult(title, "failed", f"{title}: {describe(error)}")


# -- the installation ---------------------------------------------------------------------------


def examination_json(findings: Sequence[CheckResult]) -> dict[str, object]:
    """The findings as data."""
    return {
        "ok": not any(finding.trouble for finding in findings),
        "troubles": [finding.trouble for finding in findings if finding.trouble],
        "checks": {
            finding.title: {"text": finding.text, "trouble": finding.trouble, **finding.facts}
            for finding in findings
        },
    }


def _version(resources: Resources) -> CheckResult:
    import chess

    from ..version import __version__
    from .build_report import build_for_programs, describe_builds

    facts = {
        "halbzug": __version__,
        "python_chess": chess.__version__,
        "programs": build_for_programs(),
    }
    return CheckResult("Version", f"Halbzug {__version__}, {describe_builds()}", facts=facts)


def _build(resources: Resources) -> CheckResult:
    import json
    from importlib.resources import files

    from ..base.loading import why_pure
    from ..board import movegen

    if movegen.BUILD != "compiled":
        reason = why_pure()
        return CheckResult(
            "Build",
            "pure Python",
            f"Halbzug runs without compiled code, about a hundred times slower: {reason}. "
            f"For the compiled build {_how_to_compile()}",
            {"build": "pure", "reason": reason, "remedy": _how_to_compile()},
        )
    info = json.loads((files("halbzug") / "_compiled" / "BUILD.json").read_text("utf-8"))
    compiler = f"{info['compiler']} {' '.join(info['options'])}, Cython {info['cython']}"
    facts = {"build": "compiled", "compiler": info["compiler"], "cython": info["cython"]}
    changed = changed_sources(info["sources"])
    trouble = ""
    if changed:
        trouble = f"the compiled code is not that of {changed[0]} here: install Halbzug again"
    return CheckResult("Build", f"compiled ({compiler})", trouble, facts)


def changed_sources(digests: Mapping[str, str]) -> list[str]:
    """The names of sources that have changed since they were compiled.

    :param digests: the SHA-256 of each by name; names are module names with slashes.
    """
    import importlib

    changed = []
    for name, digest in digests.items():
        package, _, file = name.rpartition("/")
        try:
            folders = importlib.import_module(package.replace("/", ".")).__path__
        except ModuleNotFoundError:
            continue  # the stand-alone executable omits what only the build needs
        for folder in folders:
            changed += [name] * bool(_changed_files({file: digest}, Path(folder)))
    return changed


def _how_to_compile() -> str:
    """How to get the compiled build, to follow the words "For the compiled build"."""
    from ..base.loading import is_pure_on_demand

    if is_pure_on_demand():
        return "unset HALBZUG_PURE"
    if getattr(sys, "frozen", False):
        return "download the executable for this system again"
    command = [sys.executable, "-m", "pip", "install", "--force-reinstall", "--no-cache-dir"]
    command.extend(_installed_from())
    return (
        "install a C compiler and Python's headers (Debian: gcc python3-dev), then run, with "
        f"HALBZUG_COMPILED=require in the environment: {shlex.join(command)}"
    )


def _installed_from() -> list[str]:
    """The arguments for pip to reinstall the same Halbzug: a folder, or its name."""
    import json
    from importlib import metadata
    from urllib.parse import unquote, urlsplit

    try:
        text = metadata.distribution("halbzug").read_text("direct_url.json")
        origin = json.loads(text or "{}")
    except (metadata.PackageNotFoundError, ValueError):
        origin = {}
    url = str(origin.get("url", "halbzug"))
    if "vcs_info" in origin:
        return [f"{origin['vcs_info']['vcs']}+{url}"]
    parts = urlsplit(url)
    if parts.scheme != "file":
        return [url]
    path = unquote(parts.path)
    folder = path.lstrip("/") if sys.platform == "win32" else path  # file:///C:/...
    is_editable = origin.get("dir_info", {}).get("editable", False)
    return ["--editable", folder] if is_editable else [folder]


def _changed_files(digests: Mapping[str, str], folder: Path) -> list[str]:
    """The names of existing files with a wrong SHA-256."""
    import hashlib

    return [
        name
        for name, digest in digests.items()
        if (folder / name).is_file()
        and hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest
    ]


def _python(resources: Resources) -> CheckResult:
    version = f"{platform.python_implementation()} {platform.python_version()}"
    bits = "64" if sys.maxsize > 2**32 else "32"
    frozen = " (stand-alone)" if getattr(sys, "frozen", False) else ""
    facts = {"python": platform.python_version(), "bits": int(bits), "executable": sys.executable}
    return CheckResult("Python", f"{version}, {bits} bits, {sys.executable}{frozen}", facts=facts)


# -- the machine --------------------------------------------------------------------------------


def _platform(resources: Resources) -> CheckResult:
    return CheckResult("Platform", platform.platform(), facts={"platform": platform.platform()})


def _cpus(resources: Resources) -> CheckResult:
    number = os.cpu_count() or 1
    usable = number
    if sys.platform == "linux":
        usable = len(os.sched_getaffinity(0))
    text = f"{usable}" if usable == number else f"{usable} of {number}"
    return CheckResult("CPUs", text, facts={"cpus": number, "usable": usable})


def _shared_memory(resources: Resources) -> CheckResult:
    from ..workers.shared_memory import FOLDERS, SharedMemory

    try:
        block = SharedMemory(SHARED_MB << 20)
        where = f"a file in {block.folder}" if block.folder else "memory"
        block.map()
        block.close()
    except OSError as error:
        trouble = f"no shared memory ({error}): Threads above 1 will search with one"
        return CheckResult("Shared memory", "none", trouble, {"works": False})
    text = f"{SHARED_MB} MiB in {where}"
    facts: dict[str, Any] = {"works": True}
    if Path(FOLDERS[0]).is_dir():
        size = shutil.disk_usage(FOLDERS[0])
        facts["folder_mb"], facts["folder_free_mb"] = size.total >> 20, size.free >> 20
        text += f"; {FOLDERS[0]} has {size.free >> 20} of {size.total >> 20} MiB free"
    return CheckResult("Shared memory", text, facts=facts)


# -- what the engine reads ----------------------------------------------------------------------


def _book(resources: Resources) -> CheckResult:
    import chess

    from ..books.opening_book import BookError, OpeningBook, default_book_path

    path = resources.book or default_book_path()
    try:
        with OpeningBook(path) as book:
            entries, first = len(book), book.entries(chess.Board())
    except BookError as error:
        trouble = f"{error}; Halbzug plays without a book"
        return CheckResult("Book", "none", trouble, {"path": str(path)})
    facts = {"path": str(path), "entries": entries}
    trouble = "" if first else f"book {path} has no move for the start position: not a book?"
    return CheckResult("Book", f"{entries:,} entries, {path}", trouble, facts)


def _tablebases(resources: Resources) -> CheckResult:
    from ..tablebase.files import (
        CHECKSUMS,
        SHIPPED,
        default_folders,
        find_tablebase_files,
        read_checksums,
        split_paths,
    )
    from ..tablebase.probing import Tablebase

    folders = [*default_folders(), *split_paths(resources.tablebase_paths)]
    entries = [entry for folder in folders for entry in find_tablebase_files(folder)]
    number = sum(not isinstance(entry, str) for entry in entries)
    tablebase = Tablebase(resources.tablebase_paths)
    complaints = tablebase.take_messages()
    max_pieces = tablebase.largest
    tablebase.close()
    if CHECKSUMS.is_file():
        wanted = read_checksums(CHECKSUMS.read_text("ascii"))
        missing = sorted(name for name in wanted if not (SHIPPED / name).is_file())
        complaints += [
            f"table {SHIPPED / name} is damaged (wrong checksum)"
            for name in _changed_files(wanted, SHIPPED)
        ]
        if missing:
            lack = f"{counted(len(missing), 'table')} missing in {SHIPPED}"
            complaints.append(f"{lack}, as {missing[0]}")
    else:
        complaints.append(f"the tables that come with Halbzug are missing in {SHIPPED}")
    more = f" (and {len(complaints) - 1} more)" if len(complaints) > 1 else ""
    trouble = complaints[0] + more if complaints else ""
    text = f"{counted(number, 'file')}, up to {max_pieces} pieces, in "
    text += counted(len(folders), "folder")
    facts = {"files": number, "pieces": max_pieces, "folders": [str(one) for one in folders]}
    return CheckResult("Tables", text, trouble, facts)


# -- the running engine -------------------------------------------------------------------------


def _speed(resources: Resources) -> CheckResult:
    from ..search import bench as benchmark

    result = benchmark.run_for(BENCH_SECONDS)
    text = f"{result.nodes_per_second:,} nodes/second in {result.seconds:.1f} s of the bench"
    return CheckResult("Speed", text, facts={"nps": result.nodes_per_second})


def _uci(resources: Resources) -> CheckResult:
    """Start an engine process as a chess program does, and have it make a move."""
    from contextlib import closing

    from ..client.blocking import BlockingClient
    from ..client.engine_errors import UciError
    from .installed import NotInstalledError, command_path

    try:
        program = [command_path()]
    except NotInstalledError:
        program = own_command("halbzug.__main__")
    try:
        name = " ".join(program)
        client = BlockingClient(name, program, preferred={"OwnBook": "false"})
        with closing(client):
            return _examine_engine(client)
    except UciError as error:
        return CheckResult("UCI", "no", str(error), {"answers": False})


def _examine_engine(engine: BlockingClient) -> CheckResult:
    """Have an engine move with one thread and with two, and quit.

    :raises UciError: if it does not answer correctly.
    """
    import chess
    import chess.engine

    if complaint := _complaint(engine.notices):  # an engine that cannot start only says why
        return CheckResult("UCI", "no", complaint, {"answers": False})
    board, game = chess.Board(), object()
    options = len(engine.options)
    one = engine.play(
        board, chess.engine.Limit(depth=2), game=game, patience_seconds=PATIENCE_SECONDS
    )
    engine.configure({"Threads": "2"})
    engine.play(board, chess.engine.Limit(depth=3), game=game, patience_seconds=PATIENCE_SECONDS)
    notices, seconds = engine.notices, engine.uciok_seconds
    code = engine.close()
    facts = {"answers": True, "uciok_ms": round(seconds * 1000), "options": options}
    text = f"uciok after {seconds:.2f} s, {options} options; plays {one.move}; two threads; quits"
    trouble = _complaint(notices)
    if code and not trouble:
        trouble = f"the engine ends with code {code}"
    return CheckResult("UCI", text, trouble, facts)


def _complaint(notices: list[str]) -> str:
    """The engine's notices, except the one about the build; empty if there are none."""
    odd = [line for line in notices if line != "compiled build" and "pure build" not in line]
    return f"the engine says: {odd[0]}" if odd else ""

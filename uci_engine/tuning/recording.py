"""A folder of recorded positions: processes make its files, each from its number alone.

`recipe.json` states what determines the positions, and another recipe cannot use the folder. A file
has a temporary name until it is finished. So a run continues where the last one stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from ..base.launch import own_command
from ..base.whole_file import Claim, write_whole
from .command import exit_code
from .positions_file import SIZE
from .searcher import LabError
from .seats import Seats

#: Seconds between two progress lines.
_TELL_SECONDS = 60


def file_of(folder: Path, index: int) -> Path:
    """The finished file with this number, from 0."""
    return folder / f"games-{index:06}.bin"


def missing(folder: Path, files: int) -> list[int]:
    """The numbers of unfinished files."""
    return [index for index in range(files) if not file_of(folder, index).exists()]


def recipe(folder: Path) -> dict[str, Any]:
    """What determines a folder's positions; empty if it has none."""
    path = folder / "recipe.json"
    known: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return known


def is_complete(folder: Path, determined: dict[str, Any], maker: str, files: int) -> bool:
    """Whether a folder has all files of this recipe, whichever program made them.

    :param determined: the recipe without its maker, whose key is `maker`.
    """
    known = recipe(folder)
    return not missing(folder, files) and known == {**determined, maker: known.get(maker)}


def claim(folder: Path, determined: dict[str, Any]) -> None:
    """Reserve a folder for these positions.

    :raises LabError: if it has positions of another recipe, or something else.
    """
    folder.mkdir(parents=True, exist_ok=True)
    known = recipe(folder)
    if not known and any(folder.iterdir()):
        raise LabError(f"{folder} is not empty and not a folder of positions")
    if known not in ({}, determined):
        raise LabError(
            f"{folder} has positions of another recipe or build, see {folder / 'recipe.json'}"
        )
    write_whole(folder / "recipe.json", json.dumps(determined) + "\n")


class _Core:
    """Has files made one after another by a process; see `halbzug.tuning.seats.Seat`."""

    def __init__(self, folder: Path, module: str) -> None:
        self._folder = folder
        self._module = module
        self._process: subprocess.Popen[str] | None = None
        self._is_closed = False

    def do(self, index: int) -> int:
        """Have a file made."""
        command = own_command(self._module, "--file", str(index), str(self._folder))
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as self._process:
            if self._is_closed:
                self._process.kill()
            assert self._process.stderr
            errors = self._process.stderr.read()
        if self._process.returncode:
            lines = errors.strip().splitlines() or ["it was killed"]
            raise LabError(f"file {index} cannot be recorded: {lines[-1]}")
        return index

    def close(self) -> None:
        """End the process."""
        self._is_closed = True
        if self._process:
            self._process.kill()


def provide(folder: Path, determined: dict[str, Any], files: int, cores: int, module: str) -> None:
    """Have all missing files made, and report progress.

    :param determined: what determines the positions.
    :param module: makes a file: `python -m MODULE --file NUMBER FOLDER`.
    :raises LabError: if the folder has positions of another recipe or something else, or a process
        fails.
    :raises WriteError: if another process makes files in the folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with Claim(folder):
        claim(folder, determined)
        _make_missing(folder, files, cores, module)


def _make_missing(folder: Path, files: int, cores: int, module: str) -> None:
    began, size = time.monotonic(), _size(folder)
    tasks = iter(missing(folder, files))
    results = Seats(cores, partial(_Core, folder, module), tasks).results()
    stopped = threading.Event()

    def tell() -> None:
        while not stopped.wait(_TELL_SECONDS):
            _tell(folder, size, began)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        for _ in results:
            pass
    finally:
        stopped.set()
        results.close()  # type: ignore[attr-defined]
    _tell(folder, size, began)


def _tell(folder: Path, size: int, began: float) -> None:
    now = _size(folder)
    speed = (now - size) / SIZE / max(time.monotonic() - began, 0.001)
    print(f"{now // SIZE:,} positions, {speed:,.0f} a second", flush=True)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("games-*"))


@contextmanager
def finished(target: Path) -> Iterator[Path]:
    """A temporary name to write to, which is renamed to the target when the file is complete."""
    part = target.with_suffix(".part")
    yield part
    part.replace(target)


def end_with_parent() -> None:
    """End this process when its parent process has ended."""

    def wait() -> None:
        sys.stdin.read()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def record(
    parser: argparse.ArgumentParser,
    arguments: Sequence[str] | None,
    usual: Any,
    make: Callable[[Any, int], Iterable[bytes]],
    provide: Callable[[Path, Any, int, int], None],
) -> int:
    """Run a command that records positions; its options are the fields of a recipe.

    :param usual: the recipe by default: a dataclass with `file_positions`.
    :param make: the records of a file, from the recipe and the number of the file.
    :param provide: makes the missing files of a folder, from the recipe, the number of files and
        the number of cores.
    """
    parser.add_argument("folder", metavar="FOLDER", type=Path)
    parser.add_argument(
        "--positions", type=int, default=1_000_000, help="rounded up to whole files: %(default)s"
    )
    for name, default in asdict(usual).items():
        parser.add_argument(f"--{name}", type=type(default), default=default, help="%(default)s")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--file", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    for name, value in vars(options).items():
        least = int(name not in ("depth", "file"))
        if isinstance(value, int) and name != "seed" and value < least:
            parser.error(f"--{name} is at least {least}")

    def work() -> None:
        is_child = options.file is not None
        known = recipe(options.folder) if is_child else vars(options)
        wanted = type(usual)(**{name: known[name] for name in asdict(usual)})
        if not is_child:
            files = -(-options.positions // wanted.file_positions)
            provide(options.folder, wanted, files, options.cores)
            return
        end_with_parent()
        with finished(file_of(options.folder, options.file)) as part:
            part.write_bytes(b"".join(make(wanted, options.file)))

    return exit_code(parser.prog, work, "folder")

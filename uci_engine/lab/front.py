"""The UCI session of an engine from a file. The file itself is loaded in the search process."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from ..engine.options import Options
from ..eval.network_file import TERMS
from ..uci.identity import Guest
from ..uci.session import Session
from ..uci.session_options import OPTIONS
from ..workers.worker import WorkerProgram
from .guard import HAS_GUARD

if TYPE_CHECKING:
    from ..match.terminal_opponent import TerminalPlayer

#: Memory that the code of a file may take, in MiB, besides the hash table.
MEMORY_MB = 2048

#: Our options that such an engine has: it plays in one thread, at full strength.
_OPTIONS = tuple(option for option in OPTIONS if not option.is_own_only)

#: Without book and tablebases unless requested, and with the terms, which the file may change;
#: its network is loaded in its process.
_VALUES = Options(uses_book=False, tablebase_probe_limit=0, eval_file=TERMS)


def program_of(path: Path, memory_mb: int = MEMORY_MB) -> WorkerProgram:
    """What the search processes of an engine file run.

    :param memory_mb: memory that its code may use, in MiB; 0: unlimited.
    """
    file = str(path.absolute())
    return WorkerProgram("halbzug.lab.start_file", (file, str(memory_mb)), file, HAS_GUARD)


def read_player(text: str) -> tuple[Path, Mapping[str, str]]:
    """The file of an engine, and values for its options: `FILE; OPTION=VALUE; ...`.

    :raises ValueError: if there is no such file, or an option cannot be read.
    """
    from ..client.engine_command import parse_engine  # a session needs no client

    name, semicolon, rest = text.partition(";")
    is_whole = not semicolon or Path(text).is_file()
    file = Path(text if is_whole else name.strip().strip('"'))
    if not file.is_file():
        raise ValueError(f"there is no file {file}" if text else "it is empty.")
    return file, {} if is_whole else parse_engine(f"engine;{rest}").settings


def player(path: Path, settings: Mapping[str, str]) -> TerminalPlayer:
    """An engine from a file, for a game in the terminal.

    :param settings: values for options that the file declares, as strings.
    """
    from ..match.terminal_opponent import TerminalPlayer

    return TerminalPlayer(path.stem, program_of(path), _VALUES, settings)


def session(
    path: Path,
    source: BinaryIO,
    sink: BinaryIO,
    memory_mb: int = MEMORY_MB,
    is_strict: bool = False,
    is_patient: bool = False,
) -> Session:
    """A session whose search processes run an engine file.

    :param memory_mb: memory that its code may use, in MiB; 0: unlimited.
    :param is_strict: see `halbzug.uci.identity.Guest`.
    :param is_patient: see there.
    """
    program = program_of(path, memory_mb)
    guest = Guest(program, path.stem, _OPTIONS, _VALUES, is_strict, is_patient)
    return Session(source, sink, guest)

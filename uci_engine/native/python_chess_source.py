"""Finds the source of python-chess that is specialised, and identifies it by its hash.

It is the first of these:

- the folder that HALBZUG_PYTHON_CHESS names, with a package `chess` in it, for packagers
- the one that the source distribution carries, in `specialised/`
- the installed one

Releases and development versions have the same number for a year, so that the number says little.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from .rewriting import PassMismatch

#: The environment variable with the folder of a source of the packager's own.
VARIABLE = "HALBZUG_PYTHON_CHESS"

#: In a source distribution: what `specialise.write` makes, and the package `chess` it is made of.
CARRIED = Path(__file__).parents[2] / "specialised"


@dataclass(frozen=True)
class Known:
    """A source that the passes have been written for.

    :ivar sha256: of its `chess/__init__.py`, with the line ends of Unix.
    :ivar constants: the number of its constants that become C.
    """

    name: str
    sha256: str
    constants: int


#: From the oldest to the newest; `passes.PASSES` has the numbers of each in this order.
KNOWN = (
    Known("1.11.2", "1fde6a8e932508d14b31f6a584497b49c2969fc3c7cdc675347f819f0d667a5b", 159),
    Known(
        "git master 9c24454 of 2026-07-12",
        "247050b57ecf611804d382a3db980b69ad4c6b8d71f32741217b9b112ef466b0",
        175,
    ),
)


@dataclass(frozen=True)
class PythonChessSource:
    """A source of python-chess.

    :ivar folder: its package `chess`.
    :ivar number: which one of `KNOWN` it is, or is taken for.
    :ivar carried: the folder with what has been made of it, if it is that of a distribution.
    """

    folder: Path
    text: str
    number: int
    carried: Path | None = None

    @property
    def known(self) -> Known:
        """What is known of it."""
        return KNOWN[self.number]

    @property
    def is_known(self) -> bool:
        """Whether it is the very source, and is not only taken for it."""
        return _digest(self.text) == self.known.sha256

    @property
    def version(self) -> str:
        """Its number, as it says itself."""
        return _version(self.text)

    @property
    def name(self) -> str:
        """What people call it."""
        return self.known.name if self.is_known else f"{self.version} of {self.folder.parent}"

    @contextmanager
    def imported(self) -> Iterator[ModuleType]:
        """Its module, which bears the name `chess` meanwhile, whatever is installed."""
        ours = [name for name in sys.modules if name.partition(".")[0] == "chess"]
        others = {name: sys.modules.pop(name) for name in ours}
        try:
            spec = importlib.util.spec_from_file_location(
                "chess", self.folder / "__init__.py", submodule_search_locations=[str(self.folder)]
            )
            assert spec is not None and spec.loader is not None
            module = sys.modules["chess"] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            yield module
        finally:
            sys.modules.pop("chess", None)
            sys.modules.update(others)


def find() -> PythonChessSource:
    """Finds the source to specialise.

    A source that HALBZUG_PYTHON_CHESS names and that is not known is taken for the newest known
    one: each pass then says whether it matches. An installed one must be known.

    :raises: :exc:`~.rewriting.PassMismatch` if there is none, or an unknown one.
    """
    chosen = os.environ.get(VARIABLE, "")
    if chosen:
        return _read(Path(chosen).absolute() / "chess", f"python-chess in {VARIABLE}")
    if (CARRIED / "chess").is_dir():
        source = _read(CARRIED / "chess", "python-chess")
        return PythonChessSource(source.folder, source.text, source.number, CARRIED)
    spec = importlib.util.find_spec("chess")
    if spec is None or spec.origin is None:
        raise PassMismatch("find", f"python-chess {KNOWN[0].name}", "none installed")
    source = _read(Path(spec.origin).parent, "python-chess")
    if not source.is_known:
        names = " or ".join(known.name for known in KNOWN)
        raise PassMismatch("find", names, f"{source.version}, whose source is not known")
    return source


def identify(folder: Path, text: str) -> PythonChessSource:
    """The source that is in a folder; one that is not known is taken for the newest."""
    digests = [known.sha256 for known in KNOWN]
    digest = _digest(text)
    number = digests.index(digest) if digest in digests else len(KNOWN) - 1
    return PythonChessSource(folder, text, number)


def _read(folder: Path, what: str) -> PythonChessSource:
    file = folder / "__init__.py"
    try:
        return identify(folder, file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise PassMismatch("find", what, f"no {file} ({error})") from None


def _version(text: str) -> str:
    found = re.search(r'^__version__ = "([^"\n]*)"', text, re.MULTILINE)
    return found[1] if found else "no version"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

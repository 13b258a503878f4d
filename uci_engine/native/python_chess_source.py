"""Finds the source of python-chess to specialise, and identifies it by its hash.

It is the first of these:

- the folder named by HALBZUG_PYTHON_CHESS, which contains a package `chess`, for packagers
- the one in a source distribution, in `specialised/`
- the installed one

Releases and development versions have the same version number for up to a year, so the number alone
does not identify a source.
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

#: The environment variable for a packager's source folder.
VARIABLE = "HALBZUG_PYTHON_CHESS"

#: In a source distribution: the output of `specialise.write`, and the package `chess` it is made
#: from.
CARRIED = Path(__file__).parents[2] / "specialised"


@dataclass(frozen=True)
class Known:
    """A source that the passes support.

    :ivar sha256: of its `chess/__init__.py`, with Unix line ends.
    :ivar constants: the number of its constants that become C.
    """

    name: str
    sha256: str
    constants: int


#: Oldest first; `passes.PASSES` has each source's numbers in this order.
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
    :ivar number: the index in `KNOWN` of the source it is, or is assumed to be.
    :ivar carried: the folder with its specialised form, if it is that of a distribution.
    """

    folder: Path
    text: str
    number: int
    carried: Path | None = None

    @property
    def known(self) -> Known:
        """Its entry in `KNOWN`."""
        return KNOWN[self.number]

    @property
    def is_known(self) -> bool:
        """Whether it is exactly that source, and not only assumed to be."""
        return _digest(self.text) == self.known.sha256

    @property
    def version(self) -> str:
        """Its version, as it reports it."""
        return _version(self.text)

    @property
    def name(self) -> str:
        """Its name for people."""
        return self.known.name if self.is_known else f"{self.version} of {self.folder.parent}"

    @contextmanager
    def imported(self) -> Iterator[ModuleType]:
        """Its module, imported under the name `chess`, whatever is installed."""
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

    An unknown source named by HALBZUG_PYTHON_CHESS is assumed to be the newest known one: each pass
    then reports whether it matches. An installed one must be known.

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
    """The source in a folder; an unknown one is assumed to be the newest."""
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

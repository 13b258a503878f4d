"""Loads matplotlib, which is optional, whatever backend the user has configured."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

#: The file formats for plots, by extension.
PICTURES = (".svg", ".png")

_BACKEND = "MPLBACKEND"

NEEDS_MATPLOTLIB = "needs the package matplotlib: pip install matplotlib"


class PictureKindError(ValueError):
    """Why a plot cannot be written to a file of this name."""


def check_picture(path: Path | None) -> None:
    """Make sure that a plot can be drawn, before minutes are spent on its content.

    :raises PictureKindError: if the file name has another extension.
    :raises ImportError: if matplotlib is missing.
    """
    if path is None:
        return
    if path.suffix.lower() not in PICTURES:
        raise PictureKindError(f"draws {' and '.join(PICTURES)} files, not {path.name}")
    load_matplotlib()


def load_matplotlib() -> None:
    """Load matplotlib, before importing a module that draws.

    matplotlib cannot be imported if MPLBACKEND names an unknown backend, and a notebook kernel
    passes its own backend on to its child processes. Plots here need no backend, so the variable is
    hidden during the import; afterwards its backend is selected if possible.

    :raises ImportError: if matplotlib is missing.
    """
    if "matplotlib" not in sys.modules:
        wanted = os.environ.pop(_BACKEND, None)
        try:
            import matplotlib
        except ImportError as error:
            raise ImportError(
                "plots need the package matplotlib: pip install matplotlib"
            ) from error
        finally:
            if wanted is not None:
                os.environ[_BACKEND] = wanted
        if wanted:
            with contextlib.suppress(ValueError):
                matplotlib.rcParams["backend"] = wanted

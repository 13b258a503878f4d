"""Loads matplotlib, which is optional and must not mind how the user has set it up."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

#: The kinds of files that a plot is written as, by the ending of the name.
PICTURES = (".svg", ".png")

_BACKEND = "MPLBACKEND"

NEEDS_MATPLOTLIB = "needs the package matplotlib: pip install matplotlib"


class PictureKindError(ValueError):
    """Why a plot cannot be written into a file of this name."""


def check_picture(path: Path | None) -> None:
    """Make sure that a plot can be drawn, before minutes are spent on what is in it.

    :raises PictureKindError: if not into a file of this name.
    :raises ImportError: if matplotlib is missing.
    """
    if path is None:
        return
    if path.suffix.lower() not in PICTURES:
        raise PictureKindError(f"draws {' and '.join(PICTURES)} files, not {path.name}")
    load_matplotlib()


def load_matplotlib() -> None:
    """Load matplotlib, before a module that draws is imported.

    matplotlib fails to load where MPLBACKEND names a backend that it does not know. A kernel of a
    notebook hands its own one down to whatever it starts. Plots here need no backend, so the
    variable is left out, and what it asks for is set afterwards, as far as that is possible.

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

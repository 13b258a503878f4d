"""Says which build the engine's processes run, and which the programs that import Halbzug."""

from __future__ import annotations

import sys

import chess

from ..base import python_chess
from ..board.movegen import BUILD


def describe_builds() -> str:
    """Both, each with its python-chess; in the stand-alone executable no program imports it."""
    engine = f"{BUILD} build, python-chess {chess.__version__}"
    if getattr(sys, "frozen", False):
        return engine
    return f"{engine}; Python programs: {build_for_programs()}"


def build_for_programs() -> str:
    """The build in a program that imports Halbzug, and the python-chess that is installed."""
    spec = python_chess.installed()
    if spec is None:
        return "no python-chess"
    build = BUILD if python_chess.is_same(spec) else "pure"
    return f"{build}, python-chess {python_chess.version(spec)}"

"""Describes the build that the engine's processes run, and the one that Python programs import."""

from __future__ import annotations

import sys

import chess

from ..base import python_chess
from ..board.movegen import BUILD


def describe_builds() -> str:
    """Both builds with their python-chess; no program can import the stand-alone executable's."""
    engine = f"{BUILD} build, python-chess {chess.__version__}"
    if getattr(sys, "frozen", False):
        return engine
    return f"{engine}; Python programs: {build_for_programs()}"


def build_for_programs() -> str:
    """The build in programs that import Halbzug, and the installed python-chess."""
    spec = python_chess.installed()
    if spec is None:
        return "no python-chess"
    build = BUILD if python_chess.is_same(spec) else "pure"
    return f"{build}, python-chess {python_chess.version(spec)}"

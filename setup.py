"""Compiles python-chess and the engine's hot modules if it can; see uci_engine/native/build.py.

It lists the packages, too: setuptools cannot find those below a package with another name than its
folder. Everything else is in pyproject.toml.
Set HALBZUG_PURE=1 to compile nothing.
"""

import sys
from pathlib import Path

from setuptools import setup

# Not `halbzug.native`: building must not import the engine.
sys.path.insert(0, str(Path(__file__).parent / "uci_engine"))

from native.build import BuildCompiled, BuildWithCourse, CarryPythonChess, extensions, packages

setup(
    packages=[*packages()],
    ext_modules=extensions(),
    cmdclass={
        "build_ext": BuildCompiled,
        "build_py": BuildWithCourse,
        "sdist": CarryPythonChess,
    },
)

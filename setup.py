"""Compiles python-chess and the engine's hot modules if it can; see uci_engine/native/build.py.

It says which packages there are, too; everything else about the package is in pyproject.toml.
Set HALBZUG_PURE=1 to compile nothing.
"""

import sys
from pathlib import Path

from setuptools import setup

# Not `halbzug.native`: building must not import the engine.
sys.path.insert(0, str(Path(__file__).parent / "uci_engine"))

from native.build import PACKAGES, BuildCompiled, CarryPythonChess, extensions, packages

setup(
    packages=[*packages()],
    package_dir=PACKAGES,
    ext_modules=extensions(),
    cmdclass={"build_ext": BuildCompiled, "sdist": CarryPythonChess},
)

"""Type checkers accept a program that uses every public name."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import link_package

import halbzug

PROGRAM = Path(__file__).with_name("typed_program.py")


def test_every_public_name_is_used() -> None:
    tree = ast.parse(PROGRAM.read_text(encoding="utf-8"))
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "halbzug"
    }
    assert set(halbzug.__all__) <= used


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_a_type_checker_accepts_the_program(checker: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed")
    (tmp_path / "installed").mkdir()
    links = str(link_package(tmp_path / "installed"))
    program = tmp_path / "program.py"  # a user's folder, not the checkout
    program.write_bytes(PROGRAM.read_bytes())
    settings = tmp_path / "pyrightconfig.json"
    settings.write_text(f'{{"extraPaths": ["{links}"], "typeCheckingMode": "standard"}}')
    # For an installed package mypy shows no errors either.
    silent = "--follow-imports=silent"
    words = {
        "mypy": ["--strict", silent],
        "pyright": ["--pythonpath", sys.executable, "-p", str(settings)],
    }
    result = subprocess.run(
        [sys.executable, "-m", checker, *words[checker]]
        + ([str(program)] if checker == "mypy" else []),
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": links},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr

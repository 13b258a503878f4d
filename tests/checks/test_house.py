"""The house: its rooms, their order, and what each may use."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import ROOT, copy_package, link_package, modules

#: No more folders than a reader can keep in mind, beside that of the engines which are examples.
MAX_ROOMS = 20

#: Where tests stand that belong to no single room.
_TESTS_OF_THE_WHOLE = {"checks", "house"}

_TERMINAL_LIBRARIES = {"click", "rich"}
_TERMINAL_ROOMS = ("uci_engine/commands/", "uci_engine/display/")


def _lint_imports(package_folder: Path) -> subprocess.CompletedProcess[str]:
    """Let import-linter check the package found in a folder by the contract in pyproject.toml."""
    program = "from importlinter.cli import lint_imports_command as run; run()"
    return subprocess.run(
        [sys.executable, "-c", program, "--no-cache"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(package_folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def _imports(path: Path) -> Iterator[str]:
    """The top-level packages that a module imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).partition(".")[0]


def test_a_room_imports_only_from_those_below_it() -> None:
    result = _lint_imports(link_package())
    assert result.returncode == 0, result.stdout + result.stderr
    seen = re.search(r"Analyzed (\d+) files", result.stdout)
    assert seen, result.stdout
    assert int(seen[1]) == len(modules()), "the checker has not seen every module"


@pytest.mark.parametrize(
    ("module", "addition", "fault"),
    [
        pytest.param(
            "eval/tapered.py",
            "\nimport halbzug.search.position\n",
            "halbzug.eval.tapered -> halbzug.search.position",
            id="evaluation imports search",
        ),
        pytest.param(
            "books/opening_book.py",
            "\nfrom typing import TYPE_CHECKING\n"
            "if TYPE_CHECKING:\n    from halbzug.engine.engine import Engine\n",
            "halbzug.books.opening_book -> halbzug.engine.engine",
            id="book imports a type",
        ),
        pytest.param(
            "board/fen.py",
            "\n\ndef late():\n    from halbzug.uci import parser\n",
            "halbzug.board.fen -> halbzug.uci.parser",
            id="board imports late",
        ),
        pytest.param("cellar.py", "", "cellar", id="a module without a place"),
    ],
)
def test_a_wrong_import_is_found(tmp_path: Path, module: str, addition: str, fault: str) -> None:
    with (copy_package(tmp_path) / module).open("a", encoding="utf-8") as file:
        file.write(addition)
    result = _lint_imports(tmp_path)
    assert result.returncode != 0
    assert fault in " ".join(result.stdout.split())


def test_rooms_are_few() -> None:
    rooms = {path.parent for path in modules()}
    rooms -= {ROOT / "uci_engine", ROOT / "uci_engine" / "lab" / "engines"}
    assert len(rooms) <= MAX_ROOMS, sorted(str(room.relative_to(ROOT)) for room in rooms)


def test_tests_stand_in_the_rooms_that_they_test() -> None:
    rooms = {path.parent.name for path in modules()} - {"uci_engine"}
    folders = {
        path.parent.relative_to(ROOT / "tests") for path in Path(ROOT, "tests").rglob("test_*.py")
    }
    strange = {folder.as_posix() for folder in folders} - rooms - _TESTS_OF_THE_WHOLE
    assert not strange, "neither a room nor one of the other folders"


def test_only_commands_and_display_use_the_terminal_libraries() -> None:
    users = {
        path.relative_to(ROOT).as_posix()
        for path in modules()
        if _TERMINAL_LIBRARIES.intersection(_imports(path))
    }
    elsewhere = {user for user in users if not user.startswith(_TERMINAL_ROOMS)}
    assert not elsewhere

"""The rooms of the package: their order, and what each may use."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest
from checkout import PACKAGE, ROOT, copy_package, imports, modules

#: As many folders as a reader can keep in mind, not counting those of example files.
MAX_ROOMS = 26

#: Files that are run by their path or copied by users; no package surrounds them.
_BY_PATH = ("teaching/engines/", "lab/weakened.py", "tuning/player.py")

#: Folders of tests that belong to no single room.
_TESTS_OF_THE_WHOLE = {"checks", "house"}

_TOP_LEVEL = {
    *("books", "docs", "eval", "examples", "tests", "uci_engine"),
    *(".ci", ".git-blame-ignore-revs", ".gitattributes", ".github", ".gitignore"),
    *(".pre-commit-config.yaml", "MANIFEST.in", "Makefile", "pyproject.toml", "setup.py"),
    *("ARCHITECTURE.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LEDGER.md"),
    *("LICENSE", "README.md", "SECURITY.md"),
}

_TERMINAL_LIBRARIES = {"click", "rich"}
_TERMINAL_ROOMS = ("uci_engine/commands/", "uci_engine/display/")


def _lint_imports(checkout: Path) -> subprocess.CompletedProcess[str]:
    """Let import-linter check the folder `uci_engine` against the contract in pyproject.toml."""
    program = "from importlinter.cli import lint_imports_command as run; run()"
    return subprocess.run(
        [sys.executable, "-c", program, "--no-cache", "--config", str(ROOT / "pyproject.toml")],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )


def _is_run_by_path(path: Path) -> bool:
    return path.relative_to(PACKAGE).as_posix().startswith(_BY_PATH)


def _layers() -> list[str]:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return re.findall(r'"(\w+)"', text.partition("\nlayers = [")[2].partition("]")[0])


def test_imports_inside_the_package_are_relative() -> None:
    """Then each can be followed on disk; `python -m halbzug` finds the package by its name."""
    absolute = re.compile(r"^ *(?:from|import) +halbzug\b", re.MULTILINE)
    wrong = {
        path.relative_to(ROOT).as_posix(): absolute.findall(path.read_text("utf-8"))
        for path in modules()
        if not _is_run_by_path(path)
    }
    assert not {path: found for path, found in wrong.items() if found}


def test_files_that_are_run_by_their_path_import_only_from_below() -> None:
    """import-linter does not see them; their own room is the highest that they may import."""
    layers = _layers()
    for path in filter(_is_run_by_path, modules()):
        room = path.relative_to(PACKAGE).parts[0]
        below = layers[layers.index(room) :]
        for module, names in imports(path):
            if module == "halbzug":
                assert set(names) <= set(below), path
            elif module.startswith("halbzug."):
                assert module.split(".")[1] in below, path


def test_a_room_imports_only_from_those_below_it() -> None:
    result = _lint_imports(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr
    seen = re.search(r"Analyzed (\d+) files", result.stdout)
    assert seen, result.stdout
    assert int(seen[1]) == len(modules()), "the checker has not seen every module"


@pytest.mark.parametrize(
    ("module", "addition", "fault"),
    [
        pytest.param(
            "eval/tapered.py",
            "\nfrom ..search import position\n",
            "uci_engine.eval.tapered -> uci_engine.search.position",
            id="evaluation imports search",
        ),
        pytest.param(
            "books/opening_book.py",
            "\nfrom typing import TYPE_CHECKING\n"
            "if TYPE_CHECKING:\n    from ..engine.engine import Engine\n",
            "uci_engine.books.opening_book -> uci_engine.engine.engine",
            id="book imports a type",
        ),
        pytest.param(
            "board/fen.py",
            "\n\ndef late():\n    from ..uci import parser\n",
            "uci_engine.board.fen -> uci_engine.uci.parser",
            id="board imports late",
        ),
        pytest.param("cellar.py", "", "cellar", id="a module without a place"),
    ],
)
def test_a_wrong_import_is_found(tmp_path: Path, module: str, addition: str, fault: str) -> None:
    with (copy_package(tmp_path, "uci_engine") / module).open("a", encoding="utf-8") as file:
        file.write(addition)
    result = _lint_imports(tmp_path)
    assert result.returncode != 0
    assert fault in " ".join(result.stdout.split())


def _circle(checkout: Path) -> list[str]:
    """Modules each of which imports the next one, type-only imports included, in a circle."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(checkout)
        graph = grimp.build_graph("uci_engine", cache_dir=None)
    imported = {one: graph.find_modules_directly_imported_by(one) for one in graph.modules}
    try:
        TopologicalSorter(imported).prepare()
    except CycleError as error:
        return list(error.args[1][::-1])
    return []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert not _circle(ROOT), "move what they share into a module below them"


def test_a_circle_of_type_imports_is_found(tmp_path: Path) -> None:
    wrong = copy_package(tmp_path, "uci_engine") / "board" / "perft_count.py"
    assert not wrong.exists()
    wrong.write_text("from . import fen\n", encoding="utf-8")
    with (wrong.parent / "fen.py").open("a", encoding="utf-8") as file:
        file.write("\nif TYPE_CHECKING:\n    from .perft_count import Count\n")
    circle = _circle(tmp_path)
    assert {f"uci_engine.board.{name}" for name in ("fen", "perft_count")} == set(circle)


def test_there_are_few_rooms() -> None:
    rooms = {path.parent for path in modules()}
    rooms -= {PACKAGE, *(PACKAGE / "teaching" / name for name in ("engines", "games", "searches"))}
    assert len(rooms) <= MAX_ROOMS, sorted(str(room.relative_to(ROOT)) for room in rooms)


def test_tests_stand_in_the_rooms_that_they_test() -> None:
    rooms = {path.parent.name for path in modules()} - {"uci_engine"}
    folders = {
        path.parent.relative_to(ROOT / "tests") for path in Path(ROOT, "tests").rglob("test_*.py")
    }
    strange = {folder.as_posix() for folder in folders} - rooms - _TESTS_OF_THE_WHOLE
    assert not strange, "neither a room nor one of the other folders"


def test_the_top_level_contains_nothing_unexpected() -> None:
    """A page that a command had written into the checkout was once committed."""
    command = ["git", "-C", str(ROOT), "ls-files"]
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("not a repository of git")
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode:
        pytest.skip("git does not read this repository")
    assert {path.partition("/")[0] for path in process.stdout.splitlines()} == _TOP_LEVEL


def test_only_commands_and_display_use_the_terminal_libraries() -> None:
    users = {
        path.relative_to(ROOT).as_posix()
        for path in modules()
        if _TERMINAL_LIBRARIES.intersection(name.partition(".")[0] for name, _ in imports(path))
    }
    elsewhere = {user for user in users if not user.startswith(_TERMINAL_ROOMS)}
    assert not elsewhere

"""The build of a small package whose name differs from its folder, and changes to it.

The build is the real one with another package name.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from checkout import ROOT

pytest.importorskip("setuptools", reason="building needs setuptools")
pytest.importorskip("Cython", reason="building needs Cython")

pytestmark = [pytest.mark.slow, pytest.mark.any_build]

SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")

FILES = {
    # Two modules with the same stem, each with a constant of the same name.
    "uci_engine/search/tree.py": (
        "from ..eval.weights import BONUS, scaled\n"
        "from .parameters import MARGIN\n\n_LIMIT = 3\n\n\n"
        "class Tree:\n    def __init__(self):\n        self.depth = _LIMIT\n\n"
        "    def value(self, number):\n"
        "        return number + self.depth + MARGIN + BONUS\n"
    ),
    "uci_engine/search/tree.pxd": (
        "cdef int _LIMIT\n\ncdef class Tree:\n    cdef int depth\n"
        "    cpdef int value(self, int number)\n"
    ),
    "uci_engine/explain/drawn/tree.py": (
        "from ...search.tree import Tree\n\n_LIMIT = 5000\n\n\n"
        "def limit(tree):\n    return _LIMIT + tree.depth\n"
    ),
    "uci_engine/explain/drawn/tree.pxd": (
        "from lapwing.search.tree cimport Tree\n\ncdef int _LIMIT\n\ncpdef int limit(Tree tree)\n"
    ),
    # A module of constants: in C for other modules, unchanged for Python.
    "uci_engine/search/parameters.py": "BASE = 10\nMARGIN = 7 * BASE\n",
    "uci_engine/search/parameters.pxd": "cdef int MARGIN\n",
    # Constants, and a function to compile.
    "uci_engine/eval/weights.py": "BONUS = 100\n\n\ndef scaled(number):\n    return 2 * number\n",
    "uci_engine/eval/weights.pxd": "cdef int BONUS\n\ncpdef int scaled(int number)\n",
    "uci_engine/search/plain.py": "from ..eval.weights import BONUS\n",
    # Not ours, whatever their names.
    "lapwing.py": "raise RuntimeError('lapwing.py')\n",
    "weights.py": "raise RuntimeError('weights.py')\n",
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout of the package `lapwing`, built in place."""
    root = tmp_path_factory.mktemp("checkout")
    native = root / "uci_engine" / "native"
    shutil.copytree(
        ROOT / "uci_engine/native",
        native,
        ignore=shutil.ignore_patterns("__pycache__", "movegen.*"),
    )
    shutil.copy(ROOT / "setup.py", root)
    plain = [
        root / "uci_engine/base" / f"{name}.py"
        for name in ("__init__", "loading", "python_chess", "os_errors", "script_folder")
    ]
    (root / "uci_engine/base").mkdir()
    for path in plain:
        shutil.copy(ROOT / "uci_engine/base" / path.name, path)
    for path in [*native.iterdir(), *plain]:
        text = path.read_text("utf-8")
        path.write_text(re.sub(r'\bhalbzug(?=[."]| import)', "lapwing", text), "utf-8")
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for folder in ("eval", "search", "explain", "explain/drawn"):
        (root / "uci_engine" / folder / "__init__.py").touch()
    (root / "uci_engine/__init__.py").write_text(
        "from .base.loading import prefer_compiled\n\nprefer_compiled()\n"
    )
    (root / "pyproject.toml").write_text(
        '[project]\nname = "lapwing"\nversion = "0"\n'
        '[tool.setuptools]\npackage-dir = { lapwing = "uci_engine" }\n'
    )
    if built(root) is None:
        pytest.skip("no working C compiler")
    return root


def built(root: Path, **environment: str) -> set[str] | None:
    """Build in place; return the newly compiled modules, or None if the build is pure."""
    before = {path: path.stat().st_mtime_ns for path in root.rglob(f"*{SUFFIX}")}
    result = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=root,
        env={
            **os.environ,
            **{"HALBZUG_PURE": "", "HALBZUG_COMPILED": "", "CFLAGS": "-O0"},
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert result.returncode == 0, result.stderr
    if "no working C compiler" in result.stderr:
        return None
    assert "without compiled code" not in result.stderr, result.stderr
    return {
        "/".join((*path.relative_to(root).parts[:-2], path.name.partition(".")[0]))
        for path in root.rglob(f"*{SUFFIX}")
        if before.get(path) != path.stat().st_mtime_ns
    }


def run(root: Path, code: str, **environment: str) -> str:
    """The output of some code that can import `lapwing` as if it were installed."""
    place = root.parent / f"{root.name}-installed"
    if not place.exists():
        place.mkdir()
        (place / "lapwing").symlink_to(root / "uci_engine", target_is_directory=True)
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(place), "HALBZUG_PURE": "", **environment},
        cwd=place,
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout.strip()


CODE = """
from lapwing.search.tree import Tree, BONUS, MARGIN, _LIMIT
from lapwing.explain.drawn import tree as drawn
from lapwing.search import parameters, plain
print(Tree().value(1000), drawn.limit(Tree()))
print(BONUS, MARGIN, _LIMIT, parameters.MARGIN, plain.BONUS)
"""


def test_modules_at_any_depth_are_compiled_and_found(tree: Path) -> None:
    compiled = {
        path.relative_to(tree).as_posix().removesuffix(SUFFIX) for path in tree.rglob(f"*{SUFFIX}")
    }
    assert compiled == {
        "uci_engine/_compiled/_memoryviews",
        "uci_engine/board/_compiled/pychess",
        "uci_engine/eval/_compiled/weights",
        "uci_engine/explain/drawn/_compiled/tree",
        "uci_engine/search/_compiled/tree",
    }
    info = json.loads((tree / "uci_engine/_compiled/BUILD.json").read_text("utf-8"))
    assert {"lapwing/search/tree.pxd", "lapwing/eval/weights.py"} <= info["sources"].keys()


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_both_builds_compute_the_same(tree: Path) -> None:
    """With the constants of two modules with the same stem, and of others."""
    expected = f"{1000 + 3 + 70 + 100} 5003\n100 70 3 70 100"
    if run(tree, "import lapwing.search.tree as t; print('_compiled' in t.__file__)") != "True":
        pytest.fail("the compiled module was not found")
    assert run(tree, CODE) == expected
    pure = "import lapwing.explain.drawn.tree as t; print('_compiled' in t.__file__)"
    assert run(tree, pure, HALBZUG_PURE="1") == "False"
    assert run(tree, CODE, HALBZUG_PURE="1") == expected


def test_numbers_of_the_search_can_be_variables_that_are_read_at_import(tree: Path) -> None:
    before = run(tree, CODE)
    changed = f"from lapwing.search import parameters\nparameters.MARGIN = 1\n{CODE}"
    # A constant is known where it is imported, and nothing can change it.
    assert run(tree, changed) == before.replace("70 100", "1 100")
    again = {"uci_engine/search/tree", "uci_engine/explain/drawn/tree"}
    assert built(tree, HALBZUG_VARIABLE_PARAMETERS="1") == again
    assert run(tree, CODE) == before
    assert run(tree, changed) == f"{1000 + 3 + 1 + 100} 5003\n100 1 3 1 100"
    assert built(tree) == again


CHANGES = [
    ("nothing", "uci_engine/eval/weights.py", "BONUS", "BONUS", set()),
    ("a source", "uci_engine/explain/drawn/tree.py", "+ tree", "- tree", {"explain/drawn/tree"}),
    (
        "a constant that others fold, by another on which it depends",
        "uci_engine/search/parameters.py",
        "BASE = 10",
        "BASE = 20",
        {"search/tree", "explain/drawn/tree"},
    ),
    (
        "a cimported interface: the layout of a class",
        "uci_engine/search/tree.pxd",
        "cdef int depth",
        "cdef int unused, depth",
        {"search/tree", "explain/drawn/tree"},
    ),
    ("a value that no constant needs", "uci_engine/search/plain.py", "BONUS", "BONUS as B", set()),
]


@pytest.mark.parametrize(
    ("name", "old", "new", "again"),
    [change[1:] for change in CHANGES],
    ids=[change[0] for change in CHANGES],
)
def test_only_changed_modules_and_those_that_depend_on_them_are_compiled_again(
    tree: Path, name: str, old: str, new: str, again: set[str]
) -> None:
    path = tree / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    assert built(tree) == {f"uci_engine/{module}" for module in again}


def test_a_damaged_module_is_compiled_again_and_a_moved_one_is_removed(tree: Path) -> None:
    (tree / f"uci_engine/eval/_compiled/weights{SUFFIX}").write_bytes(b"")
    drawn = tree / "uci_engine/explain/drawn"
    other = tree / "uci_engine/explain"
    for suffix in (".py", ".pxd"):
        (drawn / f"tree{suffix}").rename(other / f"sketch{suffix}")
    moved = other / "sketch.py"
    moved.write_text(moved.read_text("utf-8").replace("from ...", "from .."), "utf-8")
    assert built(tree) == {"uci_engine/eval/weights", "uci_engine/explain/sketch"}
    assert not [*drawn.rglob(f"*{SUFFIX}")]

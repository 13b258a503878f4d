"""The build: what is compiled, where it goes, and that nothing prevents an installation."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import chess
import pytest
from checkout import ROOT

pytest.importorskip("setuptools", reason="building needs setuptools")
pytest.importorskip("Cython", reason="building needs Cython")

from halbzug.native import build, specialise
from halbzug.native.python_chess_copy import COPY

pytestmark = [pytest.mark.slow, pytest.mark.any_build]

TempPaths = pytest.TempPathFactory

SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")

PYPROJECT = (
    '[project]\nname = "halbzug"\nversion = "0"\n'
    '[tool.setuptools]\npackage-dir = { halbzug = "uci_engine" }\n'
)

TINY = (
    "from array import array\nfrom .board.pychess import Board\n\n\n"
    "class Tiny:\n    def __init__(self):\n        self.seven = array('i', [7])\n\n"
    "    def moves(self, board: Board):\n        return self.seven[0]\n"
)
TINY_INTERFACE = (
    "from halbzug.board.pychess cimport Board\n\ncdef class Tiny:\n"
    "    cdef int[::1] seven\n    cpdef int moves(self, Board board) except -1\n"
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A checkout with one hot module."""
    ignored = shutil.ignore_patterns("__pycache__", "movegen.*")
    shutil.copytree(
        ROOT / "uci_engine" / "native", tmp_path / "uci_engine" / "native", ignore=ignored
    )
    shutil.copy(ROOT / "setup.py", tmp_path)
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    package = tmp_path / "uci_engine"
    (package / "base").mkdir()
    for name in ("__init__", "loading", "python_chess", "os_errors", "script_folder"):
        shutil.copy(ROOT / "uci_engine" / "base" / f"{name}.py", package / "base")
    (package / "__init__.py").write_text(
        "from .base.loading import prefer_compiled\nprefer_compiled()\n"
    )
    (package / "tiny.py").write_text(TINY)
    (package / "tiny.pxd").write_text(TINY_INTERFACE)
    return tmp_path


def setup(tree: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run setup.py, which builds in place unless other arguments are given."""
    command = [sys.executable, "setup.py", "-q", *(arguments or ("build_ext", "--inplace"))]
    settings = {"HALBZUG_PURE": "", "HALBZUG_COMPILED": "", "CFLAGS": "-O0", **environment}
    return subprocess.run(
        command, cwd=tree, env={**os.environ, **settings},
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip


def run_build(tree: Path, *arguments: str, **environment: str) -> str:
    """Build; return the line that says why nothing was compiled, if any."""
    result = setup(tree, *arguments, **environment)
    assert result.returncode == 0, result.stderr
    return "\n".join(line for line in result.stderr.splitlines() if line.startswith("halbzug:"))


def assert_pure(tree: Path, line: str, reason: str) -> None:
    """Check that one line gives the reason, a file repeats it, and nothing else was left."""
    compiled = tree / "uci_engine" / "_compiled"
    assert line.count("\n") == 0 and reason in line
    assert [path.name for path in compiled.iterdir()] == [build.WHY_PURE]
    assert line.endswith((compiled / build.WHY_PURE).read_text("utf-8").strip())
    assert sorted(path.name for path in tree.iterdir()) == [
        "pyproject.toml",
        "setup.py",
        "uci_engine",
    ]


def compiler_that_refuses(tree: Path, what: str, log: Path = Path(os.devnull)) -> str:
    """A C compiler that fails if its command contains *what*."""
    if os.name != "posix":
        pytest.skip("needs a shell script as compiler")
    compiler = tree.parent / "cc"
    compiler.write_text(
        f'#!/bin/sh\necho "$*" >>"{log}"\ncase "$*" in *{what}*) exit 1;; esac\nexec cc "$@" -O0\n'
    )
    compiler.chmod(0o755)
    return str(compiler)


@pytest.mark.skipif(
    os.name != "posix" or platform.machine().lower() != "x86_64" or not shutil.which("cc"),
    reason="needs a C compiler for x86-64",
)
def test_the_processor_reports_its_own_features(tmp_path: Path) -> None:
    """The runtime library of the compiler in `ziglang` claims that no processor can count bits."""
    (tmp_path / "chess_tables.h").write_text(specialise.attack_tables(chess))
    (tmp_path / "program.c").write_text(
        '#include <Python.h>\n#include "bits.h"\nunsigned int __cpu_model[4];\n'
        "int main(void) { return !_c_can_run(); }\n"
    )
    folders = [f"-I{folder}" for folder in (build.NATIVE, ".", sysconfig.get_path("include"))]
    command = ["cc", "-mpopcnt", *folders, "program.c", "-o", "program"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
    assert subprocess.run([tmp_path / "program"], timeout=60).returncode == 0


@pytest.mark.skipif(
    os.name != "posix" or platform.machine().lower() != "x86_64" or not shutil.which("cc"),
    reason="needs a C compiler for x86-64",
)
def test_the_networks_loops_give_the_same_results_with_wider_registers(tmp_path: Path) -> None:
    """On every processor, and at the limits of sums and weights."""
    (tmp_path / "program.c").write_text(
        """
#include "neurons.h"
#include <string.h>
static unsigned int seed = 1;
static short draw(int limit) {
    seed = seed * 1664525u + 1013904223u;
    if (!(seed >> 28)) return (short)limit;
    return (short)((int)(seed >> 8) % (2 * limit + 1) - limit);
}
int main(void) {
    short from[256], x[256], y[256];
    signed char a[256], b[256], c[256], weights[256];
    if (!_rows_has_avx2()) return 2;
    for (int round = 0; round < 1000; round++) {
        for (int i = 0; i < 256; i++) {
            from[i] = draw(round & 1 ? 400 : 9000);
            a[i] = (signed char)draw(127); b[i] = (signed char)draw(127);
            c[i] = (signed char)draw(127); weights[i] = (signed char)draw(127);
        }
        _rows_move(x, from, a, b, 256);
        _rows_move_avx2(y, from, a, b, 256);
        if (memcmp(x, y, sizeof x)) return 3;
        _rows_move(x, x, b, c, 256);
        _rows_move_avx2(y, y, b, c, 256);
        if (memcmp(x, y, sizeof x)) return 4;
        _rows_capture(x, from, a, b, c, 256);
        _rows_capture_avx2(y, from, a, b, c, 256);
        if (memcmp(x, y, sizeof x)) return 5;
        if (_rows_worth(from, weights, 256, 256) != _rows_worth_avx2(from, weights, 256, 256))
            return 6;
    }
    return 0;
}
"""
    )
    command = ["cc", "-O3", f"-I{build.NATIVE}", "program.c", "-o", "program"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
    code = subprocess.run([tmp_path / "program"], timeout=60).returncode
    if code == 2:
        pytest.skip("this processor has no AVX2")
    assert code == 0


@pytest.mark.parametrize("is_pure", [True, False])
def test_a_pure_wheel_is_tagged_for_every_system(tree: Path, is_pure: bool) -> None:
    """Otherwise an index and pip would take it for this system's compiled wheel."""
    chapter = tree / "docs/course/en/index.md"
    chapter.parent.mkdir(parents=True)
    chapter.write_text("# The course")
    line = run_build(tree, "bdist_wheel", "-d", "out", HALBZUG_PURE="1" if is_pure else "")
    if line and not is_pure:
        pytest.skip("no working C compiler")
    (wheel,) = (tree / "out").iterdir()
    assert wheel.name.endswith("-py3-none-any.whl") == is_pure
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/WHEEL"))
        assert f"Root-Is-Purelib: {str(is_pure).lower()}" in archive.read(name).decode()
        assert archive.read("halbzug/teaching/course/en/index.md") == b"# The course"
        names = [name for name in archive.namelist() if "_compiled/" in name]
    inside = {name.partition("_compiled/")[2] for name in names}
    assert (inside == {build.WHY_PURE}) == is_pure
    assert (f"{COPY}/chess/__init__.py" in inside) != is_pure


def test_compiler_flags_from_the_environment_win(tree: Path) -> None:
    log = tree.parent / "commands"
    compiler = compiler_that_refuses(tree, "nothing", log)
    if run_build(tree, CC=compiler, CFLAGS='-O1 -DWHO="the environment"'):
        pytest.skip("no working C compiler")
    commands = [line.split() for line in log.read_text().splitlines() if "tiny.c" in line]
    levels = [[word for word in command if word.startswith("-O")] for command in commands]
    assert levels and all(words[-1] == "-O1" for words in levels)
    info = json.loads((tree / "uci_engine" / "_compiled" / build.BUILD_INFO).read_text("utf-8"))
    assert info["options"][-2:] == ["-O1", "-DWHO=the environment"]


def test_a_build_in_place_reuses_what_an_installation_has_compiled(tree: Path) -> None:
    log = tree.parent / "commands"
    compiler = compiler_that_refuses(tree, "nothing", log)
    if run_build(tree, "build_ext", CC=compiler):
        pytest.skip("no working C compiler")
    (installed,) = (tree / "build").rglob(f"tiny{SUFFIX}")
    log.write_text("")
    assert run_build(tree, CC=compiler) == ""
    assert "tiny.c" not in log.read_text()
    compiled = tree / "uci_engine" / "_compiled"
    assert (compiled / f"tiny{SUFFIX}").read_bytes() == installed.read_bytes()

    shutil.rmtree(compiled)
    (tree / "uci_engine" / "tiny.py").write_text(TINY.replace("[7]", "[8]"))
    assert run_build(tree, CC=compiler) == ""
    assert "tiny.c" in log.read_text() and "pychess.c" not in log.read_text()
    assert (compiled / f"tiny{SUFFIX}").read_bytes() != installed.read_bytes()


def test_a_compiler_that_fails_halfway_leaves_nothing(tree: Path) -> None:
    """Neither the extension that could be built nor an earlier build remains."""
    compiler = compiler_that_refuses(tree, "tiny.c")
    compiled = tree / "uci_engine" / "_compiled"
    compiled.mkdir()
    (compiled / f"tiny{SUFFIX}").touch()
    (compiled / build.BUILD_INFO).touch()
    assert_pure(tree, run_build(tree, CC=compiler), "cc cannot compile halbzug.tiny")


def test_a_compiler_without_options_for_this_processor(tree: Path) -> None:
    if run_build(tree, CC=compiler_that_refuses(tree, "-mpopcnt")):
        pytest.skip("no working C compiler")
    info = json.loads((tree / "uci_engine" / "_compiled" / build.BUILD_INFO).read_text("utf-8"))
    assert info["options"] == [*build.COMPILER_OPTIONS["unix"], "-O0"]


def test_another_python_chess(tree: Path, tmp_path_factory: TempPaths) -> None:
    other = tmp_path_factory.mktemp("other") / "chess"
    other.mkdir()
    (other / "__init__.py").write_text('__version__ = "1.10.0"\n')
    line = run_build(tree, PYTHONPATH=str(other.parent))
    assert_pure(tree, line, "found 1.10.0, whose source is not known")


def test_a_module_that_cython_rejects(tree: Path) -> None:
    (tree / "uci_engine" / "tiny.pxd").write_text(
        "cdef class Tiny:\n    cpdef int moves(self, Nothing board)\n"
    )
    assert_pure(tree, run_build(tree), "Cython cannot translate halbzug.tiny")


def test_compiled(tree: Path) -> None:
    if run_build(tree):
        pytest.skip("no working C compiler")
    compiled = tree / "uci_engine" / "_compiled"
    names = {build.BUILD_INFO, COPY, *(module + SUFFIX for module in ("tiny", "_memoryviews"))}
    assert {path.name for path in compiled.iterdir()} == names
    board = tree / "uci_engine" / "board"
    assert [path.name for path in (board / "_compiled").iterdir()] == ["pychess" + SUFFIX]
    assert sorted(path.name for path in tree.iterdir()) == [
        "pyproject.toml",
        "setup.py",
        "uci_engine",
    ]
    for module in ("__init__.py", "engine.py", "pgn.py"):
        copied = compiled / COPY / "chess" / module
        assert copied.read_bytes() == Path(chess.__file__).with_name(module).read_bytes()
    info = json.loads((compiled / build.BUILD_INFO).read_text("utf-8"))
    assert info["python-chess"] == "1.11.2" and "halbzug/tiny.py" in info["sources"]
    code = (
        "import halbzug.tiny as t, halbzug.board.pychess as p; b = p.Board()\n"
        "assert t.Tiny().moves(b) == 7\n"
        "assert '_compiled' in t.__file__ and p.perft(b, 3) == 8902"
    )
    (board / "__init__.py").touch()
    place = tree.parent / f"{tree.name}-installed"
    shutil.copytree(tree / "uci_engine", place / "halbzug")
    environment = {**os.environ, "PYTHONPATH": str(place)}
    subprocess.run([sys.executable, "-c", code], cwd=place, env=environment, check=True)

"""What is compiled: the engine's sources with C types, constants and small functions filled in."""

from __future__ import annotations

import io
import json
import sys
import sysconfig
from contextlib import redirect_stderr
from pathlib import Path

import chess
import pytest
from checkout import ROOT

pytest.importorskip("setuptools", reason="building needs setuptools")
pytest.importorskip("Cython", reason="building needs Cython")

from setuptools import Distribution
from setuptools.errors import CompileError, OptionError

from halbzug.eval.network import MAX_EVALUATION
from halbzug.eval.network_file import WHOLE_SCALE
from halbzug.native import build, inlining

pytestmark = pytest.mark.any_build

#: The folder of the installed python-chess.
CHESS = Path(chess.__file__).parents[1]

SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")


def installed(folder: Path) -> tuple[str, list[Path]]:
    """Build into a folder; return the messages and the remaining files."""
    compiled = {"ext_modules": build.extensions(), "packages": [*build.packages()]}
    command = build.BuildCompiled(Distribution({"name": build.NAME, **compiled}))
    command.build_lib = str(folder)
    command.ensure_finalized()
    with redirect_stderr(io.StringIO()) as said:
        command.run()
    assert command.extensions == command.distribution.ext_modules == []
    return said.getvalue(), [path for path in folder.rglob("*") if path.is_file()]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an earlier build, and one for another Python, with a bare environment."""
    for name in ("HALBZUG_PURE", "HALBZUG_COMPILED", "CC"):
        monkeypatch.delenv(name, raising=False)
    compiled = tmp_path / build.NAME / build.FOLDER
    compiled.mkdir(parents=True)
    for name in (build.BUILD_INFO, f"moved{SUFFIX}", "moved.cpython-38-other.so"):
        (compiled / name).touch()
    return tmp_path


#: By reason.
PURE = {
    "HALBZUG_PURE is set": {"HALBZUG_PURE": "1"},
    "no working C compiler with Python's headers (tried compiler)": {"CC": "/no/compiler"},
}


@pytest.mark.skipif(sys.platform == "win32", reason="the compiler is found differently")
@pytest.mark.parametrize("reason", PURE)
def test_without_compiled_code_a_pure_build_is_installed_with_the_reason(
    folder: Path, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    for name, value in PURE[reason].items():
        monkeypatch.setenv(name, value)
    said, left = installed(folder)
    assert said == f"halbzug: installing without compiled code: {reason}\n"
    why, other = sorted(left)
    assert why.name == build.WHY_PURE and why.read_text("utf-8") == f"{reason}\n"
    assert other.name == "moved.cpython-38-other.so"

    monkeypatch.setenv("HALBZUG_COMPILED", "require")
    with pytest.raises(CompileError, match=f"HALBZUG_COMPILED=require is set, but {reason[:9]}"):
        installed(folder)
    assert not why.exists()


def test_a_cython_that_is_too_old_compiles_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("Cython.__version__", "3.0.12")
    reason = f"Cython 3.0.12 is too old: the build needs {build.OLDEST_CYTHON}"
    assert reason in installed(folder)[0]
    assert f'"cython>={build.OLDEST_CYTHON},<' in (ROOT / "pyproject.toml").read_text("utf-8")


def test_problems_are_errors_if_compiled_code_is_required(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALBZUG_COMPILED", "yes")
    with pytest.raises(OptionError, match="must be 'require' or empty, not 'yes'"):
        installed(folder)


def test_modules_unchanged_since_an_earlier_build_are_kept(tmp_path: Path) -> None:
    info, files = tmp_path / build.BUILD_INFO, {}
    for name in ("same", "changed", "lost", "new"):
        files[name] = tmp_path / name
        files[name].write_text(name)
    digests = {name: ["fingerprint", build._digest(path)] for name, path in files.items()}
    del digests["new"]
    info.write_text(json.dumps({"modules": digests}))
    files["changed"].write_text("otherwise")
    files["lost"].unlink()
    assert build._unchanged(info, files) == {"same": "fingerprint"}
    for damaged in ("", "[]", '{"modules": {"same": 1}}', '{"modules": []}'):
        info.write_text(damaged)
        assert build._unchanged(info, files) == {}


def test_a_module_is_compiled_again_if_its_sources_have_changed(tmp_path: Path) -> None:
    texts = {
        "halbzug.a": "from halbzug.b cimport f\nx = 1\n",
        "halbzug.c": "y = 1\n",
        build.PYCHESS: "z = 1\n",
    }
    interfaces = {"halbzug.b": "from halbzug.d cimport g\n", "halbzug.d": "cimport cython\n"}
    sources = {build.SHARED: tmp_path / "shared.c"}
    for suffix, those in ((".py", texts), (".pxd", interfaces)):
        for module, text in those.items():
            path = tmp_path.joinpath(*module.split(".")).with_suffix(suffix)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            if suffix == ".py":
                sources[module] = path
    header = sources[build.PYCHESS].with_name("bits.h")

    def changed(how: str, path: Path | None = None, text: str = "") -> set[str]:
        before = build.fingerprints(sources, tmp_path, "gcc")
        if path:
            path.write_text(text)
        after = build.fingerprints(sources, tmp_path, how)
        return {module for module in sources if before[module] != after[module]}

    assert changed("gcc") == set()
    assert changed("clang") == set(sources)
    assert changed("gcc", sources["halbzug.c"], "y = 2\n") == {"halbzug.c"}
    assert changed("gcc", tmp_path / "halbzug" / "d.pxd", "# another\n") == {"halbzug.a"}
    assert changed("gcc", header, "/* new */") == set(sources)


def test_kept_c_code_is_used_without_cython(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "tiny.py"
    source.write_text("x = 1\n")
    monkeypatch.setenv("HALBZUG_C_FOLDER", str(tmp_path / "kept"))
    kept = build._kept_c("halbzug.tiny", source, tmp_path)
    assert kept
    kept.write_text("/* translated */")
    assert build.run_cython("halbzug.tiny", source, tmp_path).read_text() == "/* translated */"
    source.write_text("x = 2\n")
    assert build._kept_c("halbzug.tiny", source, tmp_path) != kept


def test_a_wheel_without_compiled_code_is_tagged_for_every_system(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise an index and pip would take it for this system's compiled wheel."""
    monkeypatch.setenv("HALBZUG_PURE", "1")
    distribution = Distribution({"name": build.NAME, "ext_modules": build.extensions()})
    command, wheel = build.BuildCompiled(distribution), distribution.get_command_obj("bdist_wheel")
    command.build_lib = str(folder)
    command.ensure_finalized()
    wheel.root_is_pure = False
    with redirect_stderr(io.StringIO()):
        command.run()
    assert wheel.root_is_pure


@pytest.mark.parametrize(
    ("source", "result"),
    [
        ("from .c import d", "from halbzug.a.c import d"),
        ("from . import c", "from halbzug.a import c"),
        ("from ..b.c import (\n    d,\n)", "from halbzug.b.c import (\n    d,\n)"),
        ("if x:\n    from .. import b; y = '.'", "if x:\n    from halbzug import b; y = '.'"),
        ("from a.b import c", "from a.b import c"),
    ],
)
def test_relative_imports_get_the_names_that_interfaces_cimport(source: str, result: str) -> None:
    """Otherwise a name that is also cimported would be a slow global, without an error."""
    assert build.resolve_imports(source, "halbzug.a") == result


@pytest.mark.parametrize(
    ("source", "interface", "result"),
    [
        ("from a import b\nx = 1\n", "", "from a import b\nx = 1\n"),
        ("from a import b, c\n", "from a cimport c", "from a import b\n"),
        ("from a import c\nx = 1\n", "from a cimport b, c", "pass\nx = 1\n"),
        ("from a import c as d\n", "from a cimport c", "from a import c as d\n"),
        ("from a import c as d\n", "from a cimport c as d", "pass\n"),
        ("from a import b, c\n", "cdef inline A* b(C c) noexcept:\n", "from a import c\n"),
        (
            "from a import (\n    b,\n    c,\n)\nx = 1\n",
            "from a cimport (\n    d, c,  # both\n)",
            "from a import b\n\n\n\nx = 1\n",
        ),
        (
            "import typing\nif typing.TYPE_CHECKING:\n    from a import b\n    import c\nx = 1\n",
            "",
            "import typing\nif typing.TYPE_CHECKING:\n    pass\n\nx = 1\n",
        ),
        (
            "if TYPE_CHECKING:\n    from a import b\nelse:\n    from c import b\n",
            "from a cimport b",
            "if TYPE_CHECKING:\n    pass\nelse:\n    pass\n",
        ),
        (
            "def f():\n    from a import b\n    return b\n",
            "from a cimport b",
            "def f():\n    pass\n    return b\n",
        ),
    ],
)
def test_drop_cimported_imports(source: str, interface: str, result: str) -> None:
    assert build.drop_cimported_imports(source, interface) == result


def test_numbers_become_constants_and_line_numbers_stay() -> None:
    source = "_A, _B = 1, (\n    2\n)\n_C: Bitboard = 1 << 63\n_D = f(_A)\n"
    interface = (
        "cdef int _A, _B\ncdef Bitboard _C\ncdef Tapered _D\ncdef class E:\n    cdef int f\n"
    )
    values = {"m.n": {"_A": 1, "_B": -2, "_C": 1 << 63}}
    folded, typed = inlining.fold_constants(source, interface, "m.n", values)
    assert folded == (
        "globals().update(_A=1, _B=-2)\n\n\nglobals().update(_C=9223372036854775808)\n_D = f(_A)\n"
    )
    assert "#define constant_1m_1n__B (-2)" in typed
    assert 'int _B "constant_1m_1n__B"' in typed
    assert "#define constant_1m_1n__C (9223372036854775808ULL)" in typed
    assert "cdef Tapered _D\n" in typed and "    cdef int f\n" in typed
    with pytest.raises(ValueError, match="line 1"):
        inlining.fold_constants("_A, other = 1, 2\n", interface, "m.n", values)


def test_constants_of_other_modules_are_folded_where_they_are_imported() -> None:
    source = "from m.n import A, B as C, d, E\nfrom m.o import A\nfrom p import A\n"
    interface = "from m.n cimport E, d\n"
    values = {"m.n": {"A": 1, "B": 2, "E": 3}, "m.o": {}}
    folded, typed = inlining.fold_constants(source, interface, "x", values)
    first, *others = folded.splitlines()
    assert first == "globals().update(A=1, C=2, E=3)"
    assert others == source.splitlines()[1:]
    assert typed == "from m.n cimport A, B as C\n" + interface


def test_modules_with_the_same_stem_have_their_own_constants_in_c() -> None:
    modules = ["a.b", "a_b", "a.b_c", "a_b.c", "b.a", "a.b.c"]
    assert len({inlining._c_name(module, "_X") for module in modules}) == len(modules)


@pytest.mark.slow
def test_all_numbers_of_the_hot_modules_are_read_with_their_origin() -> None:
    interfaces = {
        "halbzug.eval.network": "cdef Number _WHOLE_SCALE, _MAX_EVALUATION\n",
        "halbzug.search.tree": "cdef int _CACHE_SIZE\ncdef int[::1] _OTHERS\n",
    }
    values, files = inlining.read_constants(interfaces, build.NAME, build.PACKAGE, CHESS)
    network = {"_WHOLE_SCALE": WHOLE_SCALE, "_MAX_EVALUATION": MAX_EVALUATION}
    assert values["halbzug.eval.network"] == network
    assert values["halbzug.search.tree"].keys() == {"_CACHE_SIZE"}
    assert {"uci_engine/eval/network_file.py", "uci_engine/base/scores.py"} <= set(files)
    assert all(file.startswith("uci_engine/") for file in files)
    with pytest.raises(ValueError, match="no attribute"):
        missing = {"halbzug.eval.network": "cdef int _NO_SUCH\n"}
        inlining.read_constants(missing, build.NAME, build.PACKAGE, CHESS)


def test_weights_are_declared() -> None:
    source = '_A = single("a")\n_B = single(\n    "b"\n)\n_C = packed("c")\n'
    typed = inlining.declare_weights(source, "cdef Number _D\n")
    assert typed == "cdef Number _D\ncdef Tapered _A\ncdef Tapered _B\n"


def test_fields_of_a_dataclass_are_declared() -> None:
    source = "@dataclass(frozen=True)\nclass A:\n    a: Flag = True\n    b: Number = 3\n"
    source += "\nclass B:\n    a: Flag = True\n"
    interface = "cdef class A:\n    pass  # a note\n\ncdef class B:\n    pass\n"
    fields = "    cdef readonly Flag a\n    cdef readonly Number b\n"
    assert inlining.declare_fields(source, interface) == interface.replace(
        "    pass  # a note\n", fields
    )


def test_small_functions_are_inlined_at_their_calls() -> None:
    source = (
        'def f(a: Square) -> Bitboard:\n    """What."""\n    b: Bitboard = 1\n    return b << a\n'
    )
    interface = "cpdef Bitboard f(Square a) noexcept\n"
    assert inlining.inline_functions(source, interface) == (
        "cdef inline Bitboard f(Square a) noexcept nogil:\n"
        "    cdef Bitboard b = 1\n"
        "    return b << a\n"
    )


def test_all_hot_modules_are_compiled() -> None:
    """A module that is not found any more after being moved or renamed would be pure, and slow."""
    modules = sorted(build._module(extension.name) for extension in build.extensions())
    assert len(modules) == 31, modules

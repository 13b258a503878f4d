"""Called by setup.py: compiles the specialised python-chess and the engine's hot modules.

Every extension is written to a folder ``_compiled`` inside its package, under the name of the
module it replaces, and found there first (see ``uci_engine/base/loading.py``). A module is
recompiled only if it or something it depends on has changed: each has a fingerprint of everything
that its C code is made from. Either all extensions are installed or none. Without a compiler,
without Cython, or with an unknown python-chess, the installation is pure Python, and the reason is
printed in one line and written to ``_compiled/WHY_PURE.txt``. With HALBZUG_COMPILED=require in the
environment, it fails instead.

This package imports nothing of the engine, so that setup.py can load it from a bare checkout.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib.util
import json
import os
import platform
import queue
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any

from setuptools import Extension
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.errors import CompileError, ExecError, OptionError

from . import inlining, python_chess_copy, python_chess_source, specialise
from .python_chess_source import PythonChessSource
from .rewriting import PassMismatch

ROOT = Path(__file__).parents[2]
NATIVE = Path(__file__).parent

#: The package's import name, and its folder in the checkout. `package-dir` in pyproject.toml tells
#: setuptools the same.
NAME = "halbzug"
PACKAGE = NATIVE.parent

#: The chapters of the course; an installed package has them in `teaching/course`.
COURSE = ROOT / "docs" / "course"

#: The modules made from this folder: python-chess, and `halbzug.board.movegen` on top of it.
PYCHESS = "halbzug.board.pychess"
MOVEGEN = "halbzug.board.movegen"

FOLDER = "_compiled"
WHY_PURE = "WHY_PURE.txt"
REQUIRE = "HALBZUG_COMPILED=require"
BUILD_INFO = "BUILD.json"

#: The numbers of the search. With HALBZUG_VARIABLE_PARAMETERS=1 in the environment, they become C
#: variables, read at import, instead of constants: for tuning without a compiler.
PARAMETERS = "halbzug.search.parameters"
VARIABLE = "HALBZUG_VARIABLE_PARAMETERS"

#: Cython's support code for typed arrays, compiled once instead of in every module, where it would
#: be two thirds of the C code.
SHARED = "halbzug._memoryviews"

#: The first version of Cython that supports this.
OLDEST_CYTHON = "3.1"

#: The search is compute-bound: -O3 makes it a fifth faster than -O2. The network's trainer compares
#: floats, which may trap, and so would be compared one by one without the third option. Warnings
#: are off because the C code is generated. CFLAGS follow these options, and override them.
_OF_GCC = ["-O3", "-g0", "-fno-trapping-math", "-w"]
COMPILER_OPTIONS = {"unix": _OF_GCC, "mingw32": _OF_GCC, "msvc": ["/O2"]}

#: x86-64 processors since 2008 have a population count instruction, but compilers use it only with
#: this option; bits.h checks the processor when the compiled code is loaded.
PROCESSOR_OPTIONS = {"unix": ["-mpopcnt"], "mingw32": ["-mpopcnt"]}

#: Run once per search, or mostly calls Python: optimising it costs time at install and gains
#: nothing.
_NOT_HOT = {
    *("halbzug._memoryviews", "halbzug.search.custom"),
    *("halbzug.search.root", "halbzug.search.settings"),
}

#: Cython's directives for the hot modules: C types come from annotations, from the .pxd, and by
#: inference from these. Integer division keeps Python's meaning, so that both builds search the
#: same tree. Indices are not checked, and must not be negative; the tests run the same source
#: uncompiled, where Python checks them. Nothing pickles their objects. Without code for that, and
#: without the source as comments, the modules are a fifth smaller, and most compile faster.
HOT_DIRECTIVES = {
    "language_level": "3",
    "auto_pickle": "False",
    "emit_code_comments": "False",
    "infer_types": "True",
    "boundscheck": "False",
    "wraparound": "False",
    "initializedcheck": "False",
}
#: The entry points of the specialised python-chess are C functions, which are faster to call but
#: still show their signatures. Boards pickle themselves.
PYCHESS_DIRECTIVES = {
    "language_level": "3",
    "infer_types": "True",
    "binding": "False",
    "embedsignature": "True",
    "embedsignature.format": "clinic",
    "auto_pickle": "False",
    "emit_code_comments": "False",
}


#: For all modules: free-threaded Pythons need not enable the GIL. Boards lock themselves, see
#: `passes.lock_entry_points`; everything else in the engine is used by one thread; and modules do
#: not change after their import, except for what `skeleton.py.in` remembers about classes.
COMMON_DIRECTIVES = {"freethreading_compatible": "True"}


class NotCompiledError(Exception):
    """Why this installation is pure Python, in one line."""


def packages() -> dict[str, Path]:
    """The package and all its subpackages by name, with their folders."""
    return {
        ".".join((NAME, *init.parent.relative_to(PACKAGE).parts)): init.parent
        for init in sorted(PACKAGE.rglob("__init__.py"))
        if FOLDER not in init.parts
    }


def hot_modules() -> list[str]:
    """The modules to compile from their ordinary source: those with a .pxd beside them.

    This excludes the modules in `inlining.INLINED`, whose functions are copied into their callers,
    modules that contain only constants, and those whose .pxd replaces their functions with C.
    """
    return [
        module
        for module, path in typed_modules().items()
        if module not in inlining.INLINED
        and not inlining.has_no_code(path.with_suffix(".pxd").read_text("utf-8"))
    ]


def typed_modules() -> dict[str, Path]:
    """The modules with a .pxd beside them, in packages of any depth, and their sources."""
    return {
        f"{package}.{interface.stem}": interface.with_suffix(".py")
        for package, folder in packages().items()
        if folder != NATIVE
        for interface in sorted(folder.glob("*.pxd"))
        if interface.with_suffix(".py").exists()
    }


def native_modules() -> list[str]:
    """The modules made from this folder."""
    return [PYCHESS] + [MOVEGEN] * (NATIVE / "movegen.pyx").exists()


def extensions() -> list[Extension]:
    """One extension for every module to compile; :class:`BuildCompiled` finds their sources."""
    native_files = [str(path.relative_to(ROOT)) for path in NATIVE.iterdir() if path.is_file()]
    typed = typed_modules()
    modules = [*native_modules(), SHARED, *hot_modules()]
    return [
        Extension(_placed(module), sources=[], depends=[*native_files, *_files(typed.get(module))])
        for module in modules
    ]


def _placed(module: str) -> str:
    """The name that makes setuptools put a module into its package's _compiled folder."""
    package, _, name = module.rpartition(".")
    return f"{package}.{FOLDER}.{name}"


def _module(placed: str) -> str:
    return placed.replace(f".{FOLDER}.", ".")


def _files(source: Path | None) -> list[str]:
    pair = [source, source.with_suffix(".pxd")] if source else []
    return [path.relative_to(ROOT).as_posix() for path in pair]


def installed_name(file: str) -> str:
    """The place of a package file after installation, in `site-packages`."""
    return (Path(NAME) / Path(file).relative_to(PACKAGE.name)).as_posix()


# Sources, in a folder of their own.


def resolve_imports(source: str, package: str) -> str:
    """Gives relative imports their full names, by which the interfaces cimport the same modules.

    Line numbers stay the same, so that tracebacks are right.

    :param package: the name of the module's package.
    """
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.level:
            written = "." * node.level + (node.module or "")
            name = importlib.util.resolve_name(written, package)
            line = lines[node.lineno - 1].encode()
            before, statement = line[: node.col_offset].decode(), line[node.col_offset :].decode()
            lines[node.lineno - 1] = before + re.sub(r"[.][.\w]*", name, statement, count=1)
    return "".join(lines)


def drop_cimported_imports(source: str, interface: str) -> str:
    """Removes imports from a hot module that its .pxd makes in C.

    A name that is both imported by Python and cimported or defined by the .pxd would be the Python
    object.
    Imports under ``if TYPE_CHECKING:`` are removed as well. Line numbers stay the same, so that
    tracebacks are right.
    """
    in_c = _names_in_c(interface)
    lines = source.splitlines(keepends=True)
    pending: list[ast.AST] = [ast.parse(source)]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            _replace_lines(lines, node.body, "pass")
            pending += node.orelse
            continue
        if isinstance(node, ast.ImportFrom):
            kept = [alias for alias in node.names if (alias.asname or alias.name) not in in_c]
            if len(kept) < len(node.names):
                statement = ast.ImportFrom(node.module, kept, node.level)
                _replace_lines(lines, [node], ast.unparse(statement) if kept else "pass")
        pending += ast.iter_child_nodes(node)
    return "".join(lines)


def _names_in_c(interface: str) -> set[str]:
    uncommented = re.sub(r"#.*", "", interface)
    statement = re.compile(r"^from\s+\S+\s+cimport\s+(?:\(([^)]*)\)|(.+))$", re.MULTILINE)
    lists = [listed or rest for listed, rest in statement.findall(uncommented)]
    defined = re.findall(r"^cdef inline .*?(\w+)\(", uncommented, re.MULTILINE)
    return {name.split()[-1] for name in ",".join(lists).split(",") if name.strip()} | {*defined}


def _replace_lines(lines: list[str], block: list[ast.stmt], text: str) -> None:
    first, last = block[0].lineno - 1, block[-1].end_lineno or block[-1].lineno
    indented = " " * block[0].col_offset + text + "\n"
    lines[first:last] = [indented] + ["\n"] * (last - first - 1)


def write_sources(
    python_chess: PythonChessSource, folder: Path
) -> tuple[dict[str, Path], list[str]]:
    """Writes the input for Cython into *folder*, in a tree of packages.

    :returns: the source of every module, and the engine's files that were read for it.
    :raises: :exc:`~.rewriting.PassMismatch` if a pass does not match the source of python-chess,
    :exc:`ValueError` if the engine's constants cannot be read.
    """
    paths = {
        module: folder / Path(*module.split(".")).with_suffix(".py")
        for module in (*native_modules(), SHARED, *typed_modules())
    }
    for path in paths.values():
        path.parent.mkdir(parents=True, exist_ok=True)
        for package in (path.parent, *path.parent.parents):
            if package == folder:
                break
            (package / "__init__.py").touch()
    specialise.write(python_chess, paths[PYCHESS].parent)
    for header in NATIVE.glob("*.h"):
        shutil.copy(header, paths[PYCHESS].parent)
    sources = {PYCHESS: paths[PYCHESS], SHARED: paths[SHARED].with_suffix(".c")}
    typed = typed_modules()
    interfaces = {
        module: path.with_suffix(".pxd").read_text("utf-8") for module, path in typed.items()
    }
    values, files = inlining.read_constants(interfaces, NAME, PACKAGE, python_chess.folder.parent)
    variable = PARAMETERS if os.environ.get(VARIABLE, "") not in ("", "0") else ""
    for module, path in typed.items():
        source = resolve_imports(path.read_text("utf-8"), module.rpartition(".")[0])
        source, interface = inlining.fold_constants(
            source, interfaces[module], module, values, variable
        )
        interface = inlining.declare_weights(source, interface)
        interface = inlining.declare_fields(source, interface)
        if module in inlining.INLINED:
            interface = inlining.inline_functions(source, interface)
        elif not inlining.has_no_code(interfaces[module]):
            paths[module].write_text(drop_cimported_imports(source, interface), "utf-8")
            sources[module] = paths[module]
        paths[module].with_suffix(".pxd").write_text(interface, "utf-8")
    for module in native_modules()[1:]:
        for suffix in (".pxd", ".pyx"):
            name = module.rpartition(".")[2] + suffix
            sources[module] = Path(shutil.copy(NATIVE / name, paths[module].with_suffix(suffix)))
    return sources, files


def fingerprints(sources: dict[str, Path], folder: Path, how: str) -> dict[str, str]:
    """For every module, a digest of everything that its compiled code depends on.

    That is its source, its interface, and all interfaces that it cimports, directly or indirectly,
    which contain the constants and small functions of other modules.

    :param how: the tools and their options.
    """
    headers = [*sorted(sources[PYCHESS].parent.glob("*.h"))]
    tools = [how, *(header.read_text("utf-8") for header in headers)]
    return {module: _fingerprint(module, path, folder, tools) for module, path in sources.items()}


def _fingerprint(module: str, path: Path, folder: Path, tools: list[str]) -> str:
    directives = [COMMON_DIRECTIVES, HOT_DIRECTIVES, PYCHESS_DIRECTIVES]
    texts = [*tools, *map(str, directives), module, *_NOT_HOT.intersection([module])]
    if module != SHARED:
        texts.append(path.read_text("utf-8"))
        for needed in sorted(_needed_interfaces(module, texts[-1], folder)):
            texts.append(_interface(needed, folder))
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()


def _needed_interfaces(module: str, source: str, folder: Path) -> set[str]:
    """The modules whose interfaces a module reads: its own, and all that are cimported."""
    found: set[str] = set()
    pending = [module, *_cimported_modules(source)]
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += _cimported_modules(_interface(name, folder))
    return found


def _interface(module: str, folder: Path) -> str:
    path = folder / Path(*module.split(".")).with_suffix(".pxd")
    return path.read_text("utf-8") if path.exists() else ""


def _cimported_modules(text: str) -> list[str]:
    return re.findall(r"^\s*(?:from\s+(?=\S+\s+cimport)|cimport\s+)([\w.]+)", text, re.MULTILINE)


#: The program of a `Cython` process: each input line has the arguments of a translation, and is
#: answered by a line that says whether it failed, and with which messages.
_TRANSLATE = """
import contextlib, io, json, sys, traceback
from Cython.Compiler.Main import main
answers = sys.stdout
for line in sys.stdin:
    sys.argv = ["cython", *json.loads(line)]
    code = 0
    with contextlib.redirect_stderr(io.StringIO()) as said, contextlib.redirect_stdout(said):
        try:
            main(command_line=1)
        except SystemExit as end:
            code = end.code
        except Exception:
            traceback.print_exc()
            code = 1
    print(json.dumps([bool(code), said.getvalue()]), file=answers, flush=True)
"""


class Cython:
    """A process in which Cython translates one module after another.

    Cython's own support code is read only once, which takes as long as translating a module.

    :param folder: the process's current folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None  # started before there is work

    def run(self, arguments: list[str]) -> tuple[bool, str]:
        """Translate a module; return whether that failed, with Cython's messages.

        :param arguments: as on the command line.
        """
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _TRANSLATE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=self._folder,
                text=True,
            )
        assert self._process.stdin and self._process.stdout
        with contextlib.suppress(BrokenPipeError):  # then there will be no answer
            self._process.stdin.write(json.dumps(arguments) + "\n")
            self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            return True, "its process has ended"
        has_failed, said = json.loads(answer)
        return has_failed, said

    def __enter__(self) -> Cython:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process:
            self._process.communicate()


def run_cython(module: str, source: Path, folder: Path, cython: Cython | None = None) -> Path:
    """Translates one module to C, or takes the result kept in the folder HALBZUG_C_FOLDER.

    :param cython: the process to use; by default a new one.
    :raises: :exc:`NotCompiledError` with Cython's first error.
    """
    target = source.with_suffix(".c")
    kept = _kept_c(module, source, folder)
    if kept and kept.exists():
        return Path(shutil.copy(kept, target))
    arguments = []
    directives = dict(COMMON_DIRECTIVES)
    if module != SHARED:
        directives |= PYCHESS_DIRECTIVES if module == PYCHESS else HOT_DIRECTIVES
    for name, value in directives.items():
        arguments += ["-X", f"{name}={value}"]
    if module == SHARED:
        arguments += ["--generate-shared", str(target)]
    else:
        arguments += ["--shared", SHARED, "--module-name", module, "-I", str(folder)]
        arguments += ["-o", str(target), str(source)]
    if cython is None:
        with Cython(folder) as cython:
            has_failed, said = cython.run(arguments)
    else:
        has_failed, said = cython.run(arguments)
    if has_failed:
        sys.stderr.write(said)
        error = re.search(r"^\S+:\d+:\d+: .*", said, re.MULTILINE)
        reason = error[0] if error else said.strip().rpartition("\n")[2]
        raise NotCompiledError(f"Cython cannot translate {module}: {reason}")
    if kept:
        with tempfile.TemporaryDirectory(dir=kept.parent) as name:  # several builds may write it
            Path(shutil.copy(target, name)).replace(kept)
    return target


def _kept_c(module: str, source: Path, folder: Path) -> Path | None:
    """The place where a module's C code is kept; None if it is not."""
    keep_in = os.environ.get("HALBZUG_C_FOLDER")
    if not keep_in or module == SHARED:
        return None
    Path(keep_in).mkdir(parents=True, exist_ok=True)
    digest = _fingerprint(module, source, folder, [metadata.version("cython")])
    return Path(keep_in, f"{module}-{digest[:32]}.c")


class BuildCompiled(build_ext):
    """Builds all extensions, several at a time, or none."""

    def run(self) -> None:
        """Compiles; if anything fails, installs the reason instead of the extensions.

        :raises: :exc:`~setuptools.errors.CompileError` instead, if the environment requires the
            compiled build.
        """
        is_required = _is_compiled_build_required()
        self._all = list(self.extensions)
        self._files = {
            _module(ext.name): Path(self.get_ext_fullpath(ext.name)) for ext in self._all
        }
        report = self._files[SHARED].parent
        for path in self._files.values():
            path.parent.mkdir(parents=True, exist_ok=True)
        self._kept = _unchanged(report / BUILD_INFO, self._files)
        if self.inplace and not self._kept:
            self._kept = self._take_over()
        for name in (WHY_PURE, BUILD_INFO):
            (report / name).unlink(missing_ok=True)
        python_chess_copy.remove(report)
        try:
            self._compile_all()
        except Exception as error:
            self._remove_others({})
            reason = " ".join(str(error).split()) or type(error).__name__
            if is_required:
                raise CompileError(f"halbzug: {REQUIRE} is set, but {reason}") from None
            self._leave_out_extensions()
            (report / WHY_PURE).write_text(f"{reason}\n", "utf-8")
            print(f"halbzug: installing without compiled code: {reason}", file=sys.stderr)
        else:
            self.extensions = self._all
            self._remove_others(self._files)
            python_chess_copy.write(self._python_chess, report)
            info = json.dumps(self._build_info(), indent=1)
            (report / BUILD_INFO).write_text(info + "\n", "utf-8")

    def _take_over(self) -> dict[str, str]:
        """Copies what an ordinary installation has compiled and left in the folder `build`.

        :returns: the fingerprints of these modules; those that have changed since are recompiled.
        """
        left = ROOT / "build" / f"lib.{sysconfig.get_platform()}-{sys.implementation.cache_tag}"
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        files = {
            _module(ext.name): left / f"{ext.name.replace('.', '/')}{suffix}" for ext in self._all
        }
        found = _unchanged(files[SHARED].parent / BUILD_INFO, files)
        for name in found:
            shutil.copy(files[name], self._files[name])
        return found

    def _remove_others(self, files: dict[str, Path]) -> None:
        """Removes compiled modules that are not among *files*, such as those of an earlier build.

        Otherwise a module that has moved would be found twice. Those for other Pythons are kept.
        """
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        folders = {path.parent for path in self._files.values()}
        if self.inplace:
            for place in packages().values():
                folders.add(place / FOLDER)
        else:
            folders |= {path for path in Path(self.build_lib).rglob(FOLDER) if path.is_dir()}
        kept = {path.resolve() for path in files.values()}
        for folder in folders:
            for path in folder.glob(f"*{suffix}"):
                if path.resolve() not in kept:
                    path.unlink()

    def _leave_out_extensions(self) -> None:
        """Continues without extensions, to make a wheel for every Python and system."""
        self.extensions = []
        self.distribution.ext_modules = []
        wheel: Any = self.distribution.get_command_obj("bdist_wheel", create=False)
        if wheel is not None:
            wheel.root_is_pure = True

    def _compile_all(self) -> None:
        if os.environ.get("HALBZUG_PURE", "") not in ("", "0"):
            raise NotCompiledError("HALBZUG_PURE is set")
        if sys.implementation.name != "cpython":
            raise NotCompiledError(f"{sys.implementation.name} is not CPython")
        _check_cython()
        with tempfile.TemporaryDirectory(prefix="halbzug-") as name:
            self._folder = Path(name, "sources")
            self.build_temp = str(Path(name, "objects"))
            if self.inplace and not self.editable_mode:
                self.build_lib = str(Path(name, "lib"))
            self.parallel = os.cpu_count() or 1
            self.force = True
            super().run()

    def build_extensions(self) -> None:
        """Translates everything to C and compiles it, several modules at a time."""
        self._folder.mkdir()
        self._check_compiler()
        self._python_chess = python_chess_source.find()
        sources, self._constants_from = write_sources(self._python_chess, self._folder)
        tools = [metadata.version("cython"), sys.version, *self._compiler_command(), *self._options]
        self._fingerprints = fingerprints(sources, self._folder, " ".join(tools))
        kept = {
            name for name, digest in self._fingerprints.items() if self._kept.get(name) == digest
        }
        self.extensions = [ext for ext in self._all if _module(ext.name) not in kept]
        sources = {name: source for name, source in sources.items() if name not in kept}
        headers = self._folder.joinpath(*PYCHESS.split(".")[:-1])
        # Longest first, so that all cores finish at about the same time.
        self.extensions.sort(key=lambda ext: -_length(sources[_module(ext.name)]))
        for ext in self.extensions:
            options = [*self._options, *self._path_options]
            if _module(ext.name) in _NOT_HOT and options[:1] == _OF_GCC[:1]:
                options[0] = "-O1"
            ext.include_dirs = [str(headers)]
            ext.extra_compile_args = options
        self._sources = sources
        self._translators: queue.SimpleQueue[Cython] = queue.SimpleQueue()
        with contextlib.ExitStack() as stack:
            for _ in range(self.parallel or 1):
                self._translators.put(stack.enter_context(Cython(self._folder)))
            super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        """Translates one module to C, and compiles it."""
        module = _module(ext.name)
        cython = self._translators.get()
        try:
            ext.sources = [str(run_cython(module, self._sources[module], self._folder, cython))]
        finally:
            self._translators.put(cython)
        try:
            super().build_extension(ext)
        except Exception as error:
            message = f"{self._compiler_name()} cannot compile {module}"
            raise NotCompiledError(message) from error

    def _check_compiler(self) -> None:
        """Checks for a C compiler and Python's headers before any work is done."""
        probe = self._folder / "probe.c"
        probe.write_text("#include <Python.h>\n", "utf-8")
        try:
            self.compiler.compile([str(probe)], output_dir=self.build_temp)
        except Exception as error:
            message = f"no working C compiler with Python's headers (tried {self._compiler_name()})"
            raise NotCompiledError(message) from error
        kind = self.compiler.compiler_type
        # C code knows its file name, and the folder's name is different each time.
        self._path_options = [f"-ffile-prefix-map={self._folder}=."]
        try:
            if kind not in PROCESSOR_OPTIONS:
                raise CompileError(f"{kind} has other options")
            self.compiler.compile(
                [str(probe)], output_dir=self.build_temp, extra_postargs=self._path_options
            )
        except Exception:  # an old compiler does not know it
            self._path_options = []
        self._options = list(COMPILER_OPTIONS.get(kind, []))
        more = PROCESSOR_OPTIONS.get(kind)
        if more and platform.machine().lower() in ("x86_64", "amd64"):
            with contextlib.suppress(Exception):  # a compiler for several processors may fail
                self.compiler.compile([str(probe)], output_dir=self.build_temp, extra_postargs=more)
                self._options += more
        if kind in COMPILER_OPTIONS and kind != "msvc":  # whose own variable is CL
            self._options += shlex.split(os.environ.get("CFLAGS", ""))

    def _compiler_name(self) -> str:
        return Path(self._compiler_command()[0]).name

    def _compiler_command(self) -> list[str]:
        return getattr(self.compiler, "compiler_so", None) or [self.compiler.compiler_type]

    def _build_info(self) -> dict[str, object]:
        depends = {file for ext in self.extensions for file in ext.depends}
        files = sorted(depends.union(self._constants_from))
        return {
            "python-chess": self._python_chess.name,
            "cython": metadata.version("cython"),
            "compiler": self._compiler_name(),
            "options": self._options,
            "modules": {
                name: [digest, _digest(self._files[name])]
                for name, digest in sorted(self._fingerprints.items())
            },
            "sources": {installed_name(file): _digest(ROOT / file) for file in files},
        }


class BuildWithCourse(build_py):
    """Adds the chapters of the course, which are documents of the checkout, to the package."""

    def run(self) -> None:
        """Called by setuptools."""
        super().run()
        if not self.editable_mode:
            for source in sorted(COURSE.glob("**/*.*")):
                if source.suffix in (".md", ".svg"):
                    place = Path(NAME, "teaching", "course", source.relative_to(COURSE))
                    target = Path(self.build_lib, place)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    self.copy_file(str(source), str(target))


class CarryPythonChess(sdist):
    """Adds the specialised python-chess, and its source, to a source distribution.

    With them it can be built without `chess` and without a network.
    """

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Creates the folder to pack."""
        super().make_release_tree(base_dir, files)
        folder = Path(base_dir, python_chess_source.CARRIED.name)
        try:
            source = python_chess_source.find()
            specialise.write(source, folder)
        except PassMismatch as error:
            raise ExecError(f"a source distribution carries python-chess, but {error}") from None
        python_chess_copy.carry(source, folder)


def _is_compiled_build_required() -> bool:
    """Whether the environment requires the compiled build.

    :raises: :exc:`~setuptools.errors.OptionError` if it asks for something else.
    """
    setting = os.environ.get("HALBZUG_COMPILED", "")
    if setting not in ("", "require"):
        raise OptionError(f"HALBZUG_COMPILED must be 'require' or empty, not {setting!r}")
    return setting == "require"


def _check_cython() -> None:
    """Checks for Cython.

    :raises: :exc:`NotCompiledError` if it is missing or too old.
    """
    if importlib.util.find_spec("Cython") is None:
        raise NotCompiledError("Cython is not installed")
    version = importlib.import_module("Cython").__version__
    numbers = [[int(part) for part in text.split(".")[:2]] for text in (version, OLDEST_CYTHON)]
    if numbers[0] < numbers[1]:
        raise NotCompiledError(f"Cython {version} is too old: the build needs {OLDEST_CYTHON}")


def _unchanged(info: Path, files: dict[str, Path]) -> dict[str, str]:
    """The fingerprints of compiled modules that are unchanged since an earlier build."""
    try:
        modules = json.loads(info.read_text("utf-8"))["modules"]
        return {
            name: modules[name][0]
            for name, path in files.items()
            if name in modules and path.exists() and _digest(path) == modules[name][1]
        }
    except (OSError, ValueError, LookupError, TypeError):
        return {}


def _length(source: Path) -> int:
    """A module's length in bytes; Cython's own module, which has no source, counts as long."""
    return source.stat().st_size if source.exists() else sys.maxsize


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()

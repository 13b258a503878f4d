"""Makes constants and functions of a line or two visible to the C compiler.

To Cython, a module's numbers are variables, and other modules call its functions through a pointer.
Here the numbers become C constants, so that a division by a constant can become a shift, and the
functions of `INLINED` are copied into the modules that call them.

Weights stay variables, so that new ones need no compiler. This module also writes their
declarations, and those of dataclass fields.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

#: Modules of small functions, which are copied into their callers and not compiled separately.
INLINED = ("halbzug.eval.geometry", "halbzug.eval.tapered")

#: C suffixes of the types of constants in movegen.pxd.
_SUFFIXES = {"int": "", "Number": "", "Small": "", "Bitboard": "ULL", "Index": "ULL"}
_DECLARATION = re.compile(rf"^cdef ({'|'.join(_SUFFIXES)}) (\w+(?:, *\w+)*)$", re.MULTILINE)
_WEIGHT = re.compile(r"^(_\w+) = single\(", re.MULTILINE)
_FUNCTION = re.compile(r"^cpdef (\w+ (\w+)\(.*\)) noexcept$", re.MULTILINE)

# Finds the package in the given folder, and never in the working directory.
_ASK = """
import importlib, importlib.util, json, sys
asked, package, init = json.load(sys.stdin)

class Finder:
    def find_spec(name, path=None, target=None):
        if name == package:
            return importlib.util.spec_from_file_location(name, init)

sys.meta_path.insert(0, Finder)
values = {name: {key: getattr(importlib.import_module(name), key) for key in keys}
        for name, keys in asked.items()}
files = [module.__file__ for module in sys.modules.values() if getattr(module, "__file__", None)]
json.dump([values, files], sys.stdout)
"""


def declared_constants(interface: str) -> dict[str, str]:
    """The numbers that an interface declares, and their types."""
    return {name: kind for kind, names in _DECLARATION.findall(interface) for name in _split(names)}


def has_only_constants(interface: str) -> bool:
    """Whether an interface declares only numbers: such a module is not compiled."""
    rest = _DECLARATION.sub("", re.sub(r"#.*", "", interface))
    rest = re.sub(r"^from\s+\S+\s+cimport\s+(?:\([^)]*\)|.+)$", "", rest, flags=re.MULTILINE)
    return not rest.strip() and bool(declared_constants(interface))


def has_no_code(interface: str) -> bool:
    """Whether a module is not compiled: it has only constants, or its functions are in C."""
    return has_only_constants(interface) or 'cdef extern from "' in interface


def read_constants(
    interfaces: dict[str, str], package: str, folder: Path, python_chess: Path
) -> tuple[dict[str, dict[str, int]], list[str]]:
    """The values of all numbers that these interfaces declare, and the files they come from.

    :param interfaces: the text of each module's .pxd.
    :param package: the name of these modules' package.
    :param folder: its folder in the checkout, to which the names of files are relative.
    :param python_chess: the folder with the package `chess` for imports.
    :raises ValueError: if a module does not load, or a constant is not an integer.
    """
    asked = {module: [*declared_constants(text)] for module, text in interfaces.items()}
    root = folder.parent.resolve()
    path = [entry for entry in sys.path if entry and Path(entry).resolve() != root]
    if str(python_chess) not in path:  # it may not be the installed one
        path.insert(0, str(python_chess))
    result = subprocess.run(
        [sys.executable, "-B", "-c", _ASK],
        input=json.dumps([asked, package, str(folder / "__init__.py")]),
        capture_output=True,
        text=True,
        env={**os.environ, "HALBZUG_PURE": "1", "PYTHONPATH": os.pathsep.join(path)},
        check=False,
    )
    if result.returncode:
        raise ValueError(f"cannot read constants: {result.stderr.strip().rpartition(chr(10))[2]}")
    numbers, files = json.loads(result.stdout)
    for module, values in numbers.items():
        for name, value in values.items():
            if type(value) is not int:
                raise ValueError(f"{module}.{name} is no integer: {value!r}")
    # The checkout may contain other modules, such as those of a virtual environment.
    inside = [Path(file) for file in files if Path(file).is_relative_to(folder)]
    return numbers, sorted(path.relative_to(folder.parent).as_posix() for path in inside)


def fold_constants(
    source: str,
    interface: str,
    module: str,
    values: dict[str, dict[str, int]],
    variable: str = "",
) -> tuple[str, str]:
    """A module and its interface, with C constants instead of variables.

    The module's own numbers become constants, and so do those that it imports from modules
    declaring them. In Python, all of them are still attributes of the module. Line numbers stay the
    same, so that tracebacks are right.

    :param values: the constants of all modules.
    :param variable: a module of constants whose numbers become C variables instead: each module
        that imports them takes their values at that time.
    :raises ValueError: if one statement assigns both constants and variables.
    """
    own = values.get(module, {})
    form = "static {kind} {name} = {value};" if module == variable else "#define {name} ({value})"

    def declare(match: re.Match[str]) -> str:
        kind, names = match.groups()
        lines = [
            "    "
            + form.format(kind=kind, name=_c_name(module, name), value=_literal(own[name], kind))
            for name in _split(names)
        ]
        declared = [f'    {kind} {name} "{_c_name(module, name)}"' for name in _split(names)]
        return "\n".join(["cdef extern from *:", '    """', *lines, '    """', *declared])

    lines = source.splitlines(keepends=True)
    cimports = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and not node.level and node.module in values:
            constants = values[node.module]
            folded = [alias for alias in node.names if alias.name in constants]
            if not folded:
                continue
            # Names that the interface cimports are removed from the statement.
            known = _cimports_of(interface, node.module)
            rest = [
                alias
                for alias in node.names
                if alias.name not in constants and (alias.asname or alias.name) not in known
            ]
            kept = [ast.unparse(ast.ImportFrom(node.module, rest, 0))] if rest else []
            names = {alias.asname or alias.name: constants[alias.name] for alias in folded}
            assigned_names = (
                _read_now(node.module, folded) if node.module == variable else _assignments(names)
            )
            _replace(lines, node, "; ".join([*kept, assigned_names]))
            missing = [alias for alias in folded if (alias.asname or alias.name) not in known]
            if missing:
                listed = ", ".join(ast.unparse(alias) for alias in missing)
                cimports.append(f"from {node.module} cimport {listed}\n")
        assigned = _assigned(node)
        if assigned & own.keys():
            if assigned - own.keys():
                raise ValueError(f"line {node.lineno} assigns constants and variables")
            _replace(lines, node, _assignments({name: own[name] for name in sorted(assigned)}))
    return "".join(lines), "".join(cimports) + _DECLARATION.sub(declare, interface)


def declare_weights(source: str, interface: str) -> str:
    """An interface that also declares the weights which its module reads with `single`."""
    names = _WEIGHT.findall(source)
    return interface + "".join(f"cdef Tapered {name}\n" for name in names)


def declare_fields(source: str, interface: str) -> str:
    """An interface that also declares the fields of its module's frozen dataclasses."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and "dataclass" in ast.unparse(node).partition("\n")[0]:
            fields = [
                f"    cdef readonly {ast.unparse(part.annotation)} {ast.unparse(part.target)}\n"
                for part in node.body
                if isinstance(part, ast.AnnAssign)
            ]
            empty = rf"^(cdef class {node.name}:\n)    pass.*\n"
            interface = re.sub(empty, r"\1" + "".join(fields), interface, flags=re.MULTILINE)
    return interface


def _cimports_of(interface: str, module: str) -> set[str]:
    """The local names that an interface cimports from a module."""
    statement = rf"^from\s+{re.escape(module)}\s+cimport\s+(?:\(([^)]*)\)|(.+))$"
    text = re.sub(r"#.*", "", interface)
    lists = [listed or rest for listed, rest in re.findall(statement, text, re.MULTILINE)]
    return {name.split()[-1] for name in ",".join(lists).split(",") if name.strip()}


def _c_name(module: str, name: str) -> str:
    """A unique C name: each part of the module's name with its length, and the constant."""
    return "_".join(["constant", *(f"{len(part)}{part}" for part in module.split(".")), name])


def _assignments(values: dict[str, int]) -> str:
    """Statements that make C constants attributes of the module."""
    return f"globals().update({', '.join(f'{name}={value}' for name, value in values.items())})"


def _read_now(module: str, imported: list[ast.alias]) -> str:
    """Statements that set C variables, and the module's attributes, to the current values."""
    names = [alias.asname or alias.name for alias in imported]
    settings = [
        f"{name} = _numbers.{alias.name}" for name, alias in zip(names, imported, strict=True)
    ]
    attributes = ", ".join(f"{name}={name}" for name in names)
    return "; ".join([f"import {module} as _numbers", *settings, f"globals().update({attributes})"])


def _replace(lines: list[str], node: ast.stmt, text: str) -> None:
    first, last = node.lineno - 1, node.end_lineno or node.lineno
    lines[first:last] = [text + "\n"] + ["\n"] * (last - first - 1)


def inline_functions(source: str, interface: str) -> str:
    """An interface that also contains the bodies of its functions."""
    bodies = {
        node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)
    }

    def define(match: re.Match[str]) -> str:
        head, name = match.groups()
        body = [node for node in bodies[name].body if not _is_docstring(node)]
        text = "\n".join(_statement(node) for node in body)
        return f"cdef inline {head} noexcept nogil:\n{text}"

    return _FUNCTION.sub(define, interface)


def _split(names: str) -> list[str]:
    return [name.strip() for name in names.split(",")]


def _literal(value: int, kind: str) -> str:
    return f"{value}{_SUFFIXES[kind]}"


def _assigned(node: ast.stmt) -> set[str]:
    """The names that a statement assigns."""
    if isinstance(node, ast.AnnAssign):
        targets: list[ast.expr] = [node.target]
    elif isinstance(node, ast.Assign):
        targets = node.targets
    else:
        return set()
    return {
        part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)
    }


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _statement(node: ast.stmt) -> str:
    """A statement of a function body; typed variables become C variables."""
    if isinstance(node, ast.AnnAssign):
        text = f"cdef {ast.unparse(node.annotation)} {ast.unparse(node.target)}"
        text += f" = {ast.unparse(node.value)}" if node.value else ""
    else:
        text = ast.unparse(node)
    return "\n".join(f"    {line}" for line in text.splitlines())

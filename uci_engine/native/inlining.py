"""What a C compiler can only use when it sees it: constants, and functions of a line or two.

A module's numbers are variables to Cython, and its functions are reached from other modules
through a pointer. Here the numbers become C constants, so that a division by one is a shift, and
the functions of `INLINED` are copied into the modules that call them.

Weights stay variables: a tuner's new ones need no compiler.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

#: Modules of small functions: their callers get a copy of them, and they are not compiled alone.
INLINED = ("eval.geometry", "eval.tapered")

#: C suffixes of the types of constants in rules.pxd.
_SUFFIXES = {"int": "", "Number": "", "Small": "", "Bitboard": "ULL", "Index": "ULL"}
_DECLARATION = re.compile(rf"^cdef ({'|'.join(_SUFFIXES)}) (\w+(?:, *\w+)*)$", re.MULTILINE)
_FUNCTION = re.compile(r"^cpdef (\w+ (\w+)\(.*\)) noexcept$", re.MULTILINE)

_ASK = """
import importlib, json, sys
asked = json.load(sys.stdin)
told = {name: {key: getattr(importlib.import_module(name), key) for key in keys}
        for name, keys in asked.items()}
files = [module.__file__ for module in sys.modules.values() if getattr(module, "__file__", None)]
json.dump([told, files], sys.stdout)
"""


def read_constants(
    interfaces: dict[str, str], root: Path
) -> tuple[dict[str, dict[str, int]], list[str]]:
    """The values of all numbers that some interfaces declare, and the files they come from.

    :param interfaces: the text of each module's .pxd.
    :param root: where the packages are; file names are relative to it.
    :raises ValueError: if a module does not load, or one of them is no integer.
    """
    asked = {
        module: [name for _, names in _DECLARATION.findall(text) for name in _split(names)]
        for module, text in interfaces.items()
    }
    result = subprocess.run(
        [sys.executable, "-c", _ASK],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        cwd=root,
        env={**os.environ, "KIEBITZ_PURE": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    if result.returncode:
        raise ValueError(f"cannot read constants: {result.stderr.strip().rpartition(chr(10))[2]}")
    told, files = json.loads(result.stdout)
    for module, values in told.items():
        for name, value in values.items():
            if type(value) is not int:
                raise ValueError(f"{module}.{name} is no integer: {value!r}")
    inside = [Path(file) for file in files if Path(file).is_relative_to(root)]
    return told, sorted(path.relative_to(root).as_posix() for path in inside)


def fold_constants(
    source: str, interface: str, values: dict[str, int], prefix: str
) -> tuple[str, str]:
    """A module and its interface, with C constants instead of variables.

    Lines keep their numbers in the module, so that tracebacks fit.

    :param prefix: for the names in C, which all modules share.
    """

    def declare(match: re.Match[str]) -> str:
        kind, names = match.groups()
        lines = [
            f"    #define {prefix}{name} ({_literal(values[name], kind)})" for name in _split(names)
        ]
        declared = [f'    {kind} {name} "{prefix}{name}"' for name in _split(names)]
        return "\n".join(["cdef extern from *:", '    """', *lines, '    """', *declared])

    lines = source.splitlines(keepends=True)
    for node in ast.parse(source).body:
        assigned = _assigned(node)
        if assigned & values.keys():
            if assigned - values.keys():
                raise ValueError(f"line {node.lineno} assigns constants and variables")
            for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[number] = "\n"
    return "".join(lines), _DECLARATION.sub(declare, interface)


def inline_functions(source: str, interface: str) -> str:
    """An interface that has the bodies of its functions, too."""
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

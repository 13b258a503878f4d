"""Each .pxd repeats its module correctly: the same names, parameters and types as in the source."""

from __future__ import annotations

import ast
import re
from graphlib import CycleError, TopologicalSorter

import pytest

pytest.importorskip("setuptools", reason="building needs setuptools")

from halbzug.native import build, inlining

pytestmark = pytest.mark.any_build

TYPED = build.typed_modules()
INTERFACES = {name: path.with_suffix(".pxd").read_text("utf-8") for name, path in TYPED.items()}

_FUNCTION = re.compile(r"^(\s*)c(?:p)?def (?:inline )?\w[\w\[\]:, ]*? (\w+)\(([^)]*)\)", re.M)
_CLASS = re.compile(r"^cdef class (\w+).*:\n((?:    .*\n|\n)*)", re.M)
_ATTRIBUTES = re.compile(r"^    cdef (?!void)(?:public |readonly )?[\w\[\]:]+ ([\w, ]+)$", re.M)
_CIMPORT = re.compile(r"^from ([\w.]+) cimport (?:\(([^)]*)\)|(.+))$", re.M)


def parameters(text: str) -> list[tuple[str, str]]:
    """The name and type of each parameter, without self."""
    pairs = [part.split() for part in text.split(",") if part.strip() not in ("", "self")]
    return [(name, " ".join(kind)) for *kind, name in pairs]


def declared(interface: str) -> dict[str, dict[str, list[tuple[str, str]]]]:
    """For every class, and for the module as "", its functions and their parameters."""
    classes = dict(_CLASS.findall(interface))
    classes[""] = _CLASS.sub("", interface)
    return {
        name: {function: parameters(rest) for _, function, rest in _FUNCTION.findall(body)}
        for name, body in classes.items()
    }


def cimported(interface: str) -> list[str]:
    """The modules from which it cimports."""
    return [module for module, *_ in _CIMPORT.findall(re.sub(r" *#.*", "", interface))]


def compare(source: str, interface: str) -> list[str]:
    """The differences between a module and its interface."""
    interface = re.sub(r" *#.*", "", interface)
    module = ast.parse(source)
    bodies: dict[str, list[ast.stmt]] = {"": module.body}
    classes = [node for node in module.body if isinstance(node, ast.ClassDef)]
    bodies |= {node.name: node.body for node in classes}
    # A protocol stands for the declared class, which keeps modules from importing each other.
    protocols = {node.name for node in classes if "Protocol" in map(ast.unparse, node.bases)}
    wrong = []
    for name, functions in declared(interface).items():
        if name not in bodies:
            wrong.append(f"no class {name}")
            continue
        defined = {node.name: node for node in bodies[name] if isinstance(node, ast.FunctionDef)}
        for function, expected in functions.items():
            place = f"{name}.{function}".strip(".")
            if function not in defined:
                wrong.append(f"no function {place}")
                continue
            types = dict(expected)
            found = [
                # Only the interface declares arrays: Python has no such types.
                (
                    arg.arg,
                    kind if "[" in kind or kind == "object" or written in protocols else written,
                )
                for arg in defined[function].args.args
                if arg.arg != "self"
                for kind in [types.get(arg.arg, "")]
                for written in [ast.unparse(arg.annotation) if arg.annotation else kind]
            ]
            if found != expected:
                wrong.append(f"{place} has {found}, declared are {expected}")
    for name, body in _CLASS.findall(interface):
        assigned = {
            node.attr
            for statement in bodies.get(name, [])
            for node in ast.walk(statement)
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self"
        }
        for names in _ATTRIBUTES.findall(body):
            wrong += [
                f"{name} has no {one}" for one in names.split(", ") if one.strip() not in assigned
            ]
    top = {
        part.id
        for node in module.body
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
    top |= {  # imported names that are passed on
        alias.asname or alias.name
        for node in module.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    wrong += [f"no {one}" for one in inlining.declared_constants(interface) if one not in top]
    rest = _CIMPORT.sub("", interface) + source
    for _, several, one in _CIMPORT.findall(interface):
        for text in (several or one).split(","):
            used = text.split()[-1] if text.strip() else ""
            if used and not re.search(rf"\b{used}\b", rest):
                wrong.append(f"{used} is cimported for nothing")
    return wrong


@pytest.mark.parametrize("module", TYPED)
def test_interface_and_source_agree(module: str) -> None:
    source = TYPED[module].read_text("utf-8")
    interface = INTERFACES[module]
    for other in cimported(interface):
        if inlining.has_no_code(INTERFACES.get(other, "")) and "cdef inline" in interface:
            source += TYPED[other].read_text("utf-8")  # its functions are declared for C only
    assert not compare(source, interface)


def test_no_interfaces_cimport_each_other_in_a_circle() -> None:
    try:
        TopologicalSorter({name: cimported(text) for name, text in INTERFACES.items()}).prepare()
    except CycleError as error:
        pytest.fail(f"move what they share to one of them: {error.args[1]}")


def test_all_interfaces_are_checked() -> None:
    inside = {path.with_suffix(".pxd") for path in TYPED.values()}
    there = {path for path in build.PACKAGE.rglob("*.pxd") if path.parent != build.NATIVE}
    assert inside == there, "a .pxd without a source has no effect"


def test_every_kind_of_disagreement_is_reported() -> None:
    source = (
        "_A = 1\n\nclass C:\n    def __init__(self):\n        self.x = 1\n\n"
        "    def f(self, a: Score, b): ...\n\ndef g(a): ...\n"
    )
    interface = (
        "from m cimport Score, spare\n\ncdef int _A, _B\n\ncdef class C:\n    cdef int x, y\n"
        "    cdef void f(self, Depth a, int b) noexcept\n    cdef int h(self)\n\n"
        "cpdef int g(int a, int b)\n"
    )
    named = " ".join(compare(source, interface))
    for word in ("C.f has", "no function C.h", "g has", "C has no y", "no _B", "spare"):
        assert word in named
    assert "no _A" not in named and "no x" not in named

"""The generated C: hot functions use no Python objects except for those listed.

A name that is missing in a .pxd still compiles, into a dictionary look-up and arithmetic on Python
objects, and the search silently becomes slower.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path

import pytest

pytest.importorskip("setuptools", reason="building needs setuptools")
pytest.importorskip("Cython", reason="building needs Cython")

from halbzug.native import build, python_chess_source

pytestmark = [pytest.mark.slow, pytest.mark.any_build]

#: A function declared in a .pxd, as it appears in generated C: a `cdef`, or the C side of a
#: `cpdef`. The helpers that Cython adds for pickling do not count.
FUNCTION = re.compile(
    r"^(?:static|__PYX_EXTERN_C)[^;{}]*?\b__pyx_f_(?!\w*__pyx_unpickle)(\w+)\([^;{}]*\)\s*\{\n"
    r"(.*?)^\}",
    re.MULTILINE | re.DOTALL,
)

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

#: Looking up a global or a builtin, and working with Python objects.
OBJECTS = re.compile(
    r"\b(__Pyx_(?:Get(?:ModuleGlobalName|BuiltinName|Attr\w*|ItemInt\w*)"
    r"|PyObject_(?!to_Mem|Unicode)\w+|PyLong_\w+|PyFloat_\w+|PyInt_\w+|PyIter_\w+)"
    r"|Py(?:Number|Long|Float|Iter|Sequence)_\w+|PyObject_(?:Rich|Get|Set|Call|IsTrue)\w*)\("
)

#: Functions that may use Python objects: how many uses, and why.
ALLOWED = {
    ("halbzug.search.tree", "_new_stack"): (6, "makes the frames, once a process"),
    ("halbzug.search.tree", "Tree._enter_node"): (1, "looks at the clock now and then"),
    ("halbzug.search.tree", "Tree._probe_tablebase"): (
        5,
        "a probe reads a file: 20 times a node",
    ),
    ("halbzug.search.textbook_orders", "rate_all_moves"): (
        12,
        "the orders of the textbooks, which only the explanations use",
    ),
    ("halbzug.search.custom", "CustomEvaluation.evaluate"): (22, "calls a user's function"),
    ("halbzug.search.custom", "CustomOrder.rate_all_moves"): (20, "calls a user's function"),
    ("halbzug.search.tree", "Frame.set_pickers"): (2, "once a process"),
    ("halbzug.search.history", "History.clear"): (2, "once a game"),
    ("halbzug.board.game_scanner", "fens_of"): (2, "makes texts for Python"),
    ("halbzug.board.game_scanner", "GameScanner._make_room"): (
        8,
        "for a game longer than all before",
    ),
    ("halbzug.board.policy", "Planes.write"): (4, "asks python-chess about a likely repetition"),
    ("halbzug.tuning.packing", "record_of"): (9, "makes bytes for Python"),
    ("halbzug.teaching.puct_tree", "PuctTree._has_moves"): (1, "doubles the arrays when full"),
    ("halbzug.board.pychess", "Board._c_pop"): (3, "an error: no move was made"),
    ("halbzug.board.pychess", "Board._c_transposition_key"): (10, "a key is for Python"),
}


def uses_of_objects(text: str) -> dict[str, Counter[str]]:
    """For every declared function in a module's C, its uses of Python objects."""
    code = COMMENT.sub("", text)  # comments quote lines of other functions, too
    return {name: Counter(OBJECTS.findall(body)) for name, body in FUNCTION.findall(code)}


def readable(name: str) -> str:
    """`Board._c_pop` from `10uci_engine_7pychess_5Board__c_pop`."""
    parts = []
    while match := re.match(r"(\d+)", name):
        end = match.end() + int(match[1])
        parts.append(name[match.end() : end])
        name = name[end:].removeprefix("_")
    return ".".join([part for part in parts if part[:1].isupper()] + [name])


def translate(modules: list[tuple[str, Path]], folder: Path) -> list[tuple[str, str]]:
    """Each module and its C."""
    with build.Cython(folder) as cython:
        return [
            (module, build.run_cython(module, source, folder, cython).read_text("utf-8"))
            for module, source in modules
        ]


@pytest.mark.timeout(900)  # a minute on two processors, unless the C has been kept
def test_no_hot_loop_uses_a_python_object(tmp_path: Path) -> None:
    folder = tmp_path / "sources"
    sources, _ = build.write_sources(python_chess_source.find(), folder)
    sources.pop(build.SHARED)
    count = os.cpu_count() or 1
    with ThreadPoolExecutor(count) as threads:
        parts = [list(sources.items())[first::count] for first in range(count)]
        texts = threads.map(lambda part: translate(part, folder), parts)
    found = {
        (module, readable(name)): uses
        for module, text in chain(*texts)
        for name, uses in uses_of_objects(text).items()
        # In python-chess only the twins; the rest are entry points, which receive objects.
        if not module.endswith(".pychess") or "._c_" in readable(name)
    }
    assert len(found) > 500, "the functions are no longer recognised"
    wrong = {
        place: dict(uses)
        for place, uses in found.items()
        if uses.total() > ALLOWED.get(place, (0, ""))[0]
    }
    assert not wrong, f"a name that no .pxd declares, or an untyped variable: {wrong}"
    unused = [place for place in ALLOWED if not found[place]]
    assert not unused, f"no longer an exception: {unused}"


FORGETFUL = """
_DECLARED = 3
_FORGOTTEN = 4


class Sum:
    def add(self, number):
        return number + _DECLARED

    def forget(self, number):
        return number + _FORGOTTEN

    def call(self, number):
        return max(number, len(self.names))

    def drift(self, number):
        rest = number
        for part in self.names:
            rest = part
        return rest
"""


def test_a_forgotten_name_is_found(tmp_path: Path) -> None:
    source = tmp_path / "forgetful.py"
    source.write_text(FORGETFUL)
    source.with_suffix(".pxd").write_text(
        "cdef int _DECLARED\n\ncdef class Sum:\n    cdef object names\n"
        "    cdef int add(self, int number)\n    cdef int forget(self, int number)\n"
        "    cdef int call(self, int number)\n    cdef int drift(self, int number)\n"
    )
    text = build.run_cython("forgetful", source, tmp_path).read_text("utf-8")
    uses = {readable(name): found for name, found in uses_of_objects(text).items()}
    assert uses.keys() == {"Sum.add", "Sum.forget", "Sum.call", "Sum.drift"}
    assert not uses["Sum.add"]
    assert uses["Sum.forget"]["__Pyx_GetModuleGlobalName"]
    assert uses["Sum.drift"]


def test_c_code_is_kept_until_its_sources_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALBZUG_C_FOLDER", str(tmp_path / "kept"))
    source = tmp_path / "forgetful.py"
    source.write_text(FORGETFUL)
    source.with_suffix(".pxd").write_text("cdef int _DECLARED\n")
    target = build.run_cython("forgetful", source, tmp_path)
    text = target.read_text("utf-8")
    target.unlink()
    with monkeypatch.context() as without_cython:
        without_cython.setattr(sys, "executable", "/nonexistent/python")
        assert build.run_cython("forgetful", source, tmp_path).read_text("utf-8") == text
    source.with_suffix(".pxd").write_text("cdef int _DECLARED\ncdef int _FORGOTTEN\n")
    assert build.run_cython("forgetful", source, tmp_path).read_text("utf-8") != text

"""The paths, modules, functions and rooms that documents name exist."""

from __future__ import annotations

import ast
import importlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import PACKAGE, ROOT
from site_pages import pages

if sys.version_info >= (3, 11):
    import tomllib

DOCUMENTS = (
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    ".github/PULL_REQUEST_TEMPLATE.md",
    "uci_engine/books/source/README.md",
    "examples/README.md",
    *(str(page.relative_to(ROOT)) for page in pages()),
)

_TOP_FOLDERS = ("uci_engine", "docs", "tests", "examples", ".ci", ".github")
_PATH = re.compile(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, _TOP_FOLDERS))})/[\w./-]*")
#: A file without a folder: in the root or in the document's own folder.
_FILE = re.compile(r"[\w./-]+\.(?:md|pxd|py|pyx|spec|toml|yml)")
_NAME = re.compile(r"\bhalbzug(?:\.\w+)+")
_CODE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FUNCTION = re.compile(r"`((?:\w+\.)?\w+)\(\)`")
#: A number that may be a signature: not a speed, a size, or a part of something else.
_SIGNATURE = re.compile(r"(?<![\w.,/-])\d{5,8}(?![\w,/-]|\.\d| (?:nps|MiB|of)\b)")
#: Files of other programs and of readers, our executable on Windows, files of every room, one that
#: needs PyTorch, and those of an earlier commit that the page on origins checks out.
_OTHERS = {
    *("config.yml", "halbzug.exe", "mine.py", "__init__.py", "halbzug.tuning.torch_training"),
    *("halbzug.tuning.train", "uci_engine/tuning/recipes/visits-512.toml"),
}
#: The folder in which the documentation is built.
_SITE = "docs/_build"


def _text(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def _without_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


def _paths(document: str) -> Iterator[str]:
    """The paths that a document names, in the repository or in its own folder."""
    text = _text(document)
    yield from _PATH.findall(text)
    for code in _CODE.findall(_without_blocks(text)):
        if _FILE.fullmatch(code):
            yield code
    for link in _LINK.findall(text):
        if "://" not in link:
            yield link.partition("#")[0]


def _exists(path: str, document: str) -> bool:
    path = path.rstrip(".")
    if path.rsplit("/", 1)[-1].isupper() and "." not in path:  # a placeholder: tests/corpus/NAME
        path = path.rsplit("/", 1)[0]
    return (ROOT / path).exists() or (ROOT / document).parent.joinpath(path).exists()


def _is_importable(name: str) -> bool:
    """Whether there is such a module, or such a name in a module."""
    words = name.split(".")
    for end in range(len(words), 0, -1):
        try:
            found = importlib.import_module(".".join(words[:end]))
        except ModuleNotFoundError:
            continue
        for word in words[end:]:
            if not hasattr(found, word):
                return False
            found = getattr(found, word)
        return True
    return False


def _functions(path: Path) -> set[str]:
    """The functions of a module, and the methods of its classes as `Class.method`."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
            methods = (part for part in node.body if isinstance(part, kinds))
            names.update(f"{node.name}.{method.name}" for method in methods)
    return names


def _rooms() -> list[str]:
    """The first column of the table of rooms, without slashes."""
    rows = re.findall(r"^\| (`.+?) \|", _text("ARCHITECTURE.md"), flags=re.MULTILINE)
    return [word.removesuffix("/") for row in rows for word in _CODE.findall(row)]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_everything_that_a_document_names_exists(document: str) -> None:
    paths = {
        path
        for path in set(_paths(document)) - _OTHERS
        if not (path.startswith(_SITE) or _exists(path, document))
    }
    names = {
        name
        for name in _NAME.findall(_text(document))
        if name not in _OTHERS and not _is_importable(name)
    }
    assert not paths | names


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_signature_in_a_document_is_the_current_one(document: str) -> None:
    """Old ones belong in LEDGER.md and CHANGELOG.md."""
    pinned = json.loads((ROOT / "tests/signatures.json").read_text(encoding="utf-8"))
    stale = {
        number
        for part in _text(document).split("\n\n")
        if re.search(r"\bsignature|\bbench\b", part, flags=re.IGNORECASE)
        for number in _SIGNATURE.findall(part)
        if int(number) not in pinned.values()
    }
    assert not stale, f"tests/signatures.json has {pinned}"


@pytest.mark.parametrize("document", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_functions_are_in_the_files_named_beside_them(document: str) -> None:
    faults = []
    for part in re.split(r"\n\n|\n(?=\d+\. |- )", _without_blocks(_text(document))):
        wanted = set(_FUNCTION.findall(part))
        files = [ROOT / path for path in _PATH.findall(part) if path.endswith(".py")]
        there = {name for path in files if path.exists() for name in _functions(path)}
        faults += sorted(wanted - there)
    assert not faults


def test_classes_and_scripts_are_in_the_files_named_beside_them() -> None:
    """Every name in code, in the steps of ARCHITECTURE.md; `go` and `bestmove` are UCI's."""
    faults = []
    for part in re.split(r"\n\n|\n(?=\d+\. |- |\| )", _without_blocks(_text("ARCHITECTURE.md"))):
        files = [path for path in (ROOT / name for name in _PATH.findall(part)) if path.is_file()]
        known = {"go", "bestmove"}.union(
            *(re.findall(r"\w+", path.read_text(encoding="utf-8")) for path in files)
        )
        for code in _CODE.findall(part) if files else ():
            if re.fullmatch(r"[A-Za-z]\w+(?:\.\w+)?(?:\(\))?", code):
                faults += sorted(set(re.findall(r"\w+", code)) - known)
    assert not faults


def test_a_go_is_described_step_by_step() -> None:
    way = _text("ARCHITECTURE.md").partition("## How a `go` is answered")[2]
    assert "`Engine.go()`" in way, "otherwise the test above has found nothing"
    assert "`Search.run()`" in way


def test_the_rooms_are_those_that_exist() -> None:
    folders = {
        path.parent.name
        for path in PACKAGE.rglob("__init__.py")
        if path.parent != PACKAGE
        and "_compiled" not in path.parts
        and path.parent.parent != PACKAGE / "teaching"  # folders of engine files
    }
    modules = {path.stem for path in PACKAGE.glob("*.py")}
    assert sorted(_rooms()) == sorted((folders | modules) - {"__init__", "__main__"})


@pytest.mark.skipif(sys.version_info < (3, 11), reason="needs tomllib")
def test_the_rooms_are_listed_in_the_order_that_is_checked() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = settings["tool"]["importlinter"]["contracts"]
    assert _rooms() == [*contract["layers"], "native"]


def test_the_guide_for_contributors_is_short() -> None:
    assert len(_text("CONTRIBUTING.md").split()) <= 1500

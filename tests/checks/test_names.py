"""Identifiers are standard terms of the field, not words that the project once invented.

Each row gives a word that once stood in the sources, and the term that says the same. A word that
has another, ordinary meaning is forbidden only where it had the old one, or is allowed in the files
that a row names with the reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from checkout import PACKAGE, ROOT, modules, syntax_tree

FUNCTION, CLASS, CONSTANT, VARIABLE, MODULE = "function", "class", "constant", "variable", "module"
EVERY_KIND = frozenset({FUNCTION, CLASS, CONSTANT, VARIABLE, MODULE})
#: Where the network's words might have their old meaning.
NETWORK = ("eval/accumulator", "eval/network", "search/position", "test_network")


@dataclass(frozen=True)
class Identifier:
    name: str
    kind: str
    file: str  # relative to the repository's root
    line: int = 0

    @property
    def is_sentence(self) -> bool:
        """Whether it is the name of a test, which states in English what must hold."""
        return self.kind == FUNCTION and self.name.startswith("test_")


@cache
def _words(name: str) -> str:
    """The words in lower case, with one underscore between them and at both ends."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)
    return f"_{'_'.join(parts).lower()}_"


@cache
def _has_word(name: str, old: str, terms: tuple[str, ...], is_whole: bool) -> bool:
    words = _words(name)
    for term in terms:
        words = words.replace(f"_{term}_", "_")
    pattern = f"_(?:{old})_"
    return bool(re.fullmatch(pattern, words) if is_whole else re.search(pattern, words))


@dataclass(frozen=True)
class Row:
    """A word and its replacement.

    :param old: a pattern for adjacent words of an identifier.
    :param where: parts of the paths of the files in which it is forbidden.
    :param whole: forbidden only as the whole identifier.
    :param in_tests: whether it is forbidden in the name of a test, too.
    :param terms: longer terms that may contain it.
    :param allowed: part of a path, and what the word means there.
    """

    old: str
    better: str
    where: tuple[str, ...] = ("",)
    kinds: frozenset[str] = EVERY_KIND
    whole: bool = False
    in_tests: bool = True
    terms: tuple[str, ...] = ()
    allowed: Mapping[str, str] = field(default_factory=dict)

    def has_word(self, identifier: Identifier) -> bool:
        """Whether an identifier contains it, wherever that is allowed."""
        return (
            identifier.kind in self.kinds
            and (self.in_tests or not identifier.is_sentence)
            and any(part in identifier.file for part in self.where)
            and _has_word(identifier.name, self.old, self.terms, self.whole)
        )

    def forbids(self, identifier: Identifier) -> bool:
        return self.has_word(identifier) and not any(
            part in identifier.file for part in self.allowed
        )


ROWS = (
    # -- python-chess as the engine sees it
    Row("rules", "movegen, types, moves or attacks", where=("board/", "native/"), whole=True),
    # -- search and evaluation
    Row("officers?", "non-pawn material, or pieces"),
    Row("wins_exchange", "see_ge"),
    Row("exchange_pruning", "see_pruning"),
    Row("tables?_moves?", "tt_move"),
    Row("set_tables", "SetTablebases"),
    Row("smaller_tables?", "smaller hash"),
    Row(
        "tables?",
        "tt for the transposition table, tablebase for endgames",
        in_tests=False,
        terms=("transposition_table", "attack_tables", "reduction_table"),
        allowed={
            "eval/": "weights by square, rank or number",
            "tuning/": "weights by square, rank or number",
            "api/breakdown.py": "weights by square, rank or number",
            "api/evaluation.py": "rows and columns for people",
            "typed_program.py": "rows and columns for people",
            "test_evaluate.py": "rows and columns for people",
            "uci/evaluation_text.py": "rows and columns of text",
            "commands/": "rows and columns on the screen, and rich's Table",
            "display/terminal.py": "rows and columns on the screen, and rich's Table",
            "explain/": "rows and columns for people",
            "teaching/": "a transposition table that is drawn, and rows and columns",
            "display/sheet.py": "rows and columns for people",
            "games/game_summary.py": "rows and columns for people",
            "tablebase/": "a file of a tablebase, which `chess.syzygy` calls Table",
            "native/passes.py": "attacks by square, in python-chess",
            "base/python_chess.py": "attacks by square, in python-chess",
            "test_options.py": "rows and columns in README.md",
            "test_start.py": "a file of a tablebase",
        },
    ),
    Row("tried", "searched_quiets, searched_captures", where=("search/",)),
    Row("long_history", "continuation history, 4 plies"),
    Row(
        "rewards?|punish|pull",
        "bonus, malus, gravity update",
        allowed={"environment": "the rewards of Gymnasium and PettingZoo"},
    ),
    Row("stretch", "time scale"),
    Row("budgets?", "MoveTime, with an optimum and a maximum time"),
    Row("teams?", "SMP shared counters, or SMP pool"),
    Row("helpers", "smp_pool", kinds=frozenset({MODULE})),
    Row("opinions?|misjudge|misjudgement", "evaluation perturbation"),
    Row(
        "dead",
        "has_insufficient_material",
        allowed={"fake_engine.py": "an engine whose process ends at the start"},
    ),
    Row("come|too", "added", where=NETWORK, whole=True),
    Row("gone|taken", "removed", where=NETWORK, whole=True),
    Row("notes", "dirty pieces", where=NETWORK, whole=True),
    Row("settle", "update", where=NETWORK, whole=True),
    Row("known", "computed", where=NETWORK, whole=True),
    Row("top", "ply", where=NETWORK, whole=True),
    Row("men", "piece count"),
    Row(
        "look|side|survey",
        "attack tables",
        where=("eval/",),
        kinds=frozenset({FUNCTION}),
        whole=True,
    ),
    Row("escort", "passed pawn evaluation"),
    Row("most|largest", "MAX_...", kinds=frozenset({CONSTANT})),
    Row("most", "maximum, or what there is a maximum of", whole=True),
    # -- processes and messages
    Row("owes?|owed|pays?|held_back", "pending, deferred"),
    Row("told_in_one_line", "one_line_errors"),
    Row("deaths?", "worker exit"),
    Row("place", "what it is a place for", kinds=frozenset({CLASS}), whole=True),
    # -- rooms
    Row("sittings?", "terminal_game"),
    Row("ladders?|climbs?", "ablation"),
    Row("rungs?", "technique"),
    Row("afresh", "fresh_search"),
    Row("scenes?", "examples"),
    Row("intakes?", "reader"),
    Row("emergency|emergencies", "startup_error"),
    Row("handovers?", "external_runner"),
    Row("shelf|shelves", "table cache"),
    Row("desks?", "analyst pool"),
    Row("venues?", "game runner"),
    Row("strays?", "random walk", where=("tuning/", "eval/")),
    Row("party|parties", "max_n, or three players"),
)


def names_in(source: str, file: str) -> Iterator[Identifier]:
    """The identifiers that a module defines; those it merely uses are defined elsewhere."""
    for node in ast.walk(ast.parse(source)):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Identifier(node.name, FUNCTION, file, line)
        elif isinstance(node, ast.ClassDef):
            yield Identifier(node.name, CLASS, file, line)
        elif isinstance(node, ast.arg):
            yield Identifier(node.arg, VARIABLE, file, line)
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            name = node.id if isinstance(node, ast.Name) else node.attr
            yield Identifier(name, CONSTANT if name.isupper() else VARIABLE, file, line)
        elif isinstance(node, ast.alias) and node.asname:
            yield Identifier(node.asname, VARIABLE, file, line)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield Identifier(node.name, VARIABLE, file, line)


def names_in_cython(source: str, file: str) -> Iterator[Identifier]:
    """All words outside comments and strings: what Cython's syntax tree would contain, and more."""
    code = re.sub(
        r'""".*?"""|"[^"\n]*"|#.*',
        lambda match: re.sub(r"[^\n]", " ", match[0]),
        source,
        flags=re.DOTALL,
    )
    for number, line in enumerate(code.splitlines(), 1):
        for word in re.findall(r"[A-Za-z_]\w*", line):
            yield Identifier(word, CONSTANT if word.isupper() else VARIABLE, file, number)


def _sources() -> Iterator[Path]:
    for folder in ("uci_engine", "tests", "examples", ".ci"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".pxd", ".pyx") and "_compiled" not in path.parts:
                yield path


@pytest.fixture(scope="module")
def identifiers() -> list[Identifier]:
    found = []
    for path in _sources():
        file = path.relative_to(ROOT).as_posix()
        found.append(Identifier(path.stem, MODULE, file))
        read = names_in if path.suffix == ".py" else names_in_cython
        found += read(path.read_text(encoding="utf-8"), file)
    return found


def test_no_identifier_contains_an_old_word(identifiers: list[Identifier]) -> None:
    faults = {
        f"{one.file}:{one.line}: {one.name}; better: {row.better}"
        for one in identifiers
        for row in ROWS
        if row.forbids(one)
    }
    assert not faults, "\n" + "\n".join(sorted(faults))


def test_every_exception_is_needed(identifiers: list[Identifier]) -> None:
    unused = [
        (row.old, part)
        for row in ROWS
        for part in row.allowed
        if not any(part in one.file and row.has_word(one) for one in identifiers)
    ]
    assert not unused


#: Public classes that share a name, and why two modules may have it.
REPEATED_CLASSES = {
    "Clock": "one of a search, and one that engines in a user's file are given",
    "Engine": "what the session drives, and `halbzug.Engine`, which python-chess's users know",
    "Evaluation": "what `halbzug.evaluate` returns, and the function of a user's file",
    "Game": "a game of chess that is read or written, and the rules of any game",
    "Network": "the engine's, and that of a lecture, which is read alone",
    "Node": "each lecture on Monte Carlo tree search is read alone",
    "Tree": "the engine's, and what `halbzug.explain.alpha_beta` returns",
}
#: Modules that share a name: those of a lecture, and those named after a command or a room.
REPEATED_MODULES = {
    "alpha_beta": "an engine of the lectures, which is read alone, and the search for every game",
    "minimax": "an engine of the lectures, which is read alone, and the search for every game",
    "evaluation": "what `halbzug.evaluate` returns, and how it is computed",
    "engine": "the rooms `engine/` and `api/` are about one each",
    "network": "the engine's, and that of a lecture, which is read alone",
}


def _repeated(names: Mapping[str, list[str]], allowed: Mapping[str, str]) -> dict[str, list[str]]:
    return {name: where for name, where in names.items() if len(where) > 1 and name not in allowed}


def test_a_public_class_name_means_one_thing() -> None:
    names: dict[str, list[str]] = {}
    for path in modules():
        for node in syntax_tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                names.setdefault(node.name, []).append(path.relative_to(PACKAGE).as_posix())
    assert not _repeated(names, REPEATED_CLASSES), (
        "give one another name, or say why both may share it"
    )
    assert {name for name in REPEATED_CLASSES if len(names.get(name, ())) > 1} == {
        *REPEATED_CLASSES
    }, "an exception that is not needed"


def test_a_module_name_says_what_the_module_contains() -> None:
    names: dict[str, list[str]] = {}
    for path in modules():
        place = path.relative_to(PACKAGE)
        if path.stem != "__init__" and place.parts[0] != "commands":  # a command has its own name
            names.setdefault(path.stem, []).append(place.as_posix())
    assert not _repeated(names, REPEATED_MODULES)
    unneeded = {name for name in REPEATED_MODULES if len(names.get(name, ())) < 2}
    assert not unneeded, "an exception that is not needed"


@pytest.mark.parametrize(
    ("file", "source", "names"),
    [
        pytest.param("a.py", "class Handover:\n    owes: int\n", ["Handover", "owes"], id="class"),
        pytest.param("a.py", "def f(men, *, team=0): pass\n", ["men", "team"], id="argument"),
        pytest.param(
            "a.py", "for rung in (lambda desk: desk)(0): pass\n", ["desk", "rung"], id="loop"
        ),
        pytest.param("a.py", "self.wins_exchange = None\n", ["wins_exchange"], id="attribute"),
        pytest.param("a.py", "_MOST_MOVES, MOST = 3, 2\n", ["MOST", "_MOST_MOVES"], id="constant"),
        pytest.param("a.py", "almost = utmost = 1\n", [], id="part of a word"),
        pytest.param("a.py", "import x as shelf\n", ["shelf"], id="import"),
        pytest.param("eval/network.py", "known = known_kings = 1\n", ["known"], id="in its place"),
        pytest.param("books/a.py", "known = 1\n", [], id="in another place"),
        pytest.param("a.py", "def test_a_table_is_laid(): pass\n", [], id="sentence"),
        pytest.param(
            "a.py", "def test_the_table_move(): pass\n", ["test_the_table_move"], id="test"
        ),
        pytest.param("a.pxd", "cdef int[::1] officers  # men\n", ["officers"], id="interface"),
    ],
)
def test_old_words_are_found(file: str, source: str, names: list[str]) -> None:
    read = names_in if file.endswith(".py") else names_in_cython
    found = {one.name for one in read(source, file) if any(row.forbids(one) for row in ROWS)}
    assert sorted(found) == names

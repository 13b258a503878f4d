"""Makes small random faults in the sources, and reports which of them the tests find.

    python tests/long/mutants.py --seed 2 --count 30 --output mutants.jsonl

A mutant is one change of one expression or statement: `<` becomes `<=`, `+` becomes `-`, a number
is increased by one, a condition is negated, a call is removed. The rooms take turns. Each mutant is
made in a copy of the checkout and tried with the tests of its room; if it survives, with those of
the rooms that import its module; and then with all others of the README's command. So a reader can
look at the survivors of the first stage long before the last stage is finished. A mutant in a
compiled module runs pure. With `--output` the same command continues where it was interrupted; the
last line about a mutant counts. A mutant that survives is a gap in the tests, or equivalent to the
original: a reader decides.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, cast

import grimp

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "uci_engine"

#: The rooms where faults matter most, in the order in which they take turns.
ROOMS = (
    *("search", "eval", "uci", "board", "match", "lab"),
    *("games", "books", "tablebase", "tuning", "engine", "workers", "batch", "puzzles"),
)

#: A table of numbers, which no test knows one by one.
_NUMBERS = "weights.py"

_OPPOSITES: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


#: Replaces a node.
Change = Callable[[Any], ast.AST]


@dataclass(frozen=True)
class Mutant:
    """One change.

    :param start: the first byte of the replaced text; `end` is after the last one.
    """

    file: str
    line: int
    start: int
    end: int
    old: str
    new: str


def mutants(file: str, source: str) -> Iterator[Callable[[], Mutant]]:
    """All mutants of a module: the functions that make them."""
    data = source.encode()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def make(node: ast.expr | ast.stmt, change: Change) -> Mutant:
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        changed = change(copy.deepcopy(node))
        new = ast.unparse(changed)
        new = f"({new})" if isinstance(changed, ast.expr) else new
        return Mutant(file, node.lineno, start, end, data[start:end].decode(), new)

    for node, change in _changes(ast.parse(source)):
        yield partial(make, node, change)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, Change]]:
    """The replaceable parts below a node, and their replacements."""
    if isinstance(node, ast.JoinedStr | ast.Assert | ast.Import | ast.ImportFrom):
        return  # positions inside f-strings are wrong before Python 3.12
    if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
        return
    yield from _changes_here(node)
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _changes(child)


def _changes_here(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, Change]]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _OPPOSITES:
        yield node, _opposite_comparison
    elif isinstance(node, ast.BoolOp | ast.BinOp | ast.AugAssign) and type(node.op) in _OPPOSITES:
        yield node, _opposite_operator
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, lambda old: old.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield node, lambda old: ast.Constant(not old.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield node, lambda old: ast.Constant(old.value + 1)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield node, lambda _: ast.Pass()
    elif isinstance(node, ast.Break | ast.Continue):
        yield node, lambda old: ast.Continue() if isinstance(old, ast.Break) else ast.Break()
    if isinstance(node, ast.If | ast.While | ast.IfExp) and not isinstance(node.test, ast.Compare):
        yield node.test, lambda old: ast.UnaryOp(ast.Not(), old)


def _opposite_comparison(node: Any) -> ast.AST:
    node.ops[0] = _OPPOSITES[type(node.ops[0])]()
    return cast("ast.AST", node)


def _opposite_operator(node: Any) -> ast.AST:
    node.op = _OPPOSITES[type(node.op)]()
    return cast("ast.AST", node)


def choose(seed: int, count: int, rooms: tuple[str, ...]) -> list[Mutant]:
    """Mutants chosen by a seed, of each room in turn; within a room changes are equally likely."""
    drawn = random.Random(seed)
    pools = {
        room: [
            make
            for path in sorted((PACKAGE / room).rglob("*.py"))
            if "_compiled" not in path.parts and path.name != _NUMBERS
            for make in mutants(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
        ]
        for room in rooms
    }
    return [drawn.choice(pools[rooms[number % len(rooms)]])() for number in range(count)]


class Copy:
    """A copy of the checkout for one mutant at a time."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "halbzug"
        left_out = ("__pycache__", ".git", ".venv", "build", ".types", ".*_cache", "_build")
        shutil.copytree(ROOT, self.root, symlinks=True, ignore=shutil.ignore_patterns(*left_out))
        packages = folder / "packages"
        packages.mkdir()
        (packages / "halbzug").symlink_to(self.root / PACKAGE.name)
        self._environment = {**os.environ, "PYTHONPATH": str(packages), "CI": "1"}
        self._environment["PYTHONDONTWRITEBYTECODE"] = "1"  # changes may keep time and size

    @contextlib.contextmanager
    def mutated(self, mutant: Mutant) -> Iterator[None]:
        """The copy with one change."""
        path = self.root / mutant.file
        data = path.read_bytes()
        path.write_bytes(data[: mutant.start] + mutant.new.encode() + data[mutant.end :])
        try:
            yield
        finally:
            path.write_bytes(data)

    def fault(self, is_pure: bool, limit_seconds: float, *arguments: str) -> str:
        """What pytest reports: the first test that fails or hangs, or nothing if all pass."""
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *arguments],
            cwd=self.root,
            env={**self._environment, "HALBZUG_PURE": "1" if is_pure else ""},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=limit_seconds)
        except subprocess.TimeoutExpired:
            return "hangs"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if process.returncode in (0, 5):  # 5: no tests were collected
            return ""
        found = re.search(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
        fault = found[1] if found else output.strip().rpartition("\n")[2]
        return f"hangs: {fault}" if "Failed: Timeout" in output else fault


def is_compiled(file: str) -> bool:
    """Whether a module is compiled, so a change of it only takes effect in the pure build."""
    return (ROOT / file).with_suffix(".pxd").exists()


#: The stages: whose tests are tried, one after another.
STAGES = ("room", "importers", "others")


def tests_of(stage: str, file: str) -> list[str]:
    """The folders of tests of a stage, without repeats: all stages together are the README's
    command.
    """
    room, importers = Path(file).parts[1], set(_importing_rooms(file))
    folders = {path.name for path in (ROOT / "tests").iterdir() if any(path.glob("test_*.py"))}
    folders -= {"checks"}
    others = folders - {room} - importers
    chosen = {"room": {room}, "importers": importers - {room}, "others": others}
    return [f"tests/{name}" for name in sorted(chosen[stage] & folders)]


def _importing_rooms(file: str) -> Iterator[str]:
    module = "halbzug." + ".".join(Path(file).with_suffix("").parts[1:])
    importing = _graph().find_modules_that_directly_import(module)
    return (name.split(".")[1] for name in importing if name.count(".") > 1)


@cache
def _graph() -> Any:
    return grimp.build_graph("halbzug")


def try_out(tree: Copy, mutant: Mutant, stage: str, workers: str, limit_seconds: float) -> str:
    """The test of a stage that finds the mutant, if any."""
    tests = tests_of(stage, mutant.file)
    if not tests:
        return ""
    with tree.mutated(mutant):
        arguments = [*tests, "-n", workers, "--timeout", str(limit_seconds / 2)]
        return tree.fault(is_compiled(mutant.file), limit_seconds, *arguments)


def main() -> None:
    """Try the mutants, and count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--room", action="append", help="only these rooms, in turns")
    parser.add_argument("--workers", default="2", help="number of pytest processes")
    parser.add_argument("--limit", type=float, default=1200.0, help="seconds for one run of pytest")
    parser.add_argument("--stages", type=int, default=len(STAGES), help="1: the tests of its room")
    parser.add_argument("--list", action="store_true", help="list the mutants without trying them")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    chosen = choose(options.seed, options.count, tuple(options.room or ROOMS))
    for number, mutant in enumerate(chosen, 1):
        print(f"{number}. {mutant.file}:{mutant.line}: {mutant.old} -> {mutant.new}", flush=True)
    if options.list:
        return
    known: dict[Mutant, tuple[str, str]] = {}  # the last stage, and the test that finds it
    if options.output and options.output.exists():
        for line in options.output.read_text("utf-8").splitlines():
            result = json.loads(line)
            stage, test = result.pop("stage"), result.pop("test")
            known[Mutant(**result)] = stage, test
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = Copy(Path(folder))
        for stage in STAGES[: options.stages]:
            for number, mutant in enumerate(chosen, 1):
                last, test = known.get(mutant, ("", ""))
                if test or (last and STAGES.index(last) >= STAGES.index(stage)):
                    continue
                test = try_out(tree, mutant, stage, options.workers, options.limit)
                known[mutant] = stage, test
                print(f"{number}. {stage}: {test or 'survives'}", flush=True)
                if options.output:
                    with options.output.open("a", encoding="utf-8") as file:
                        line = json.dumps(asdict(mutant) | {"stage": stage, "test": test})
                        file.write(line + "\n")
    caught = sum(bool(known[mutant][1]) for mutant in chosen)
    print(f"{caught} of {len(chosen)} are caught")


if __name__ == "__main__":
    main()

"""Compares the signature that commits promise with what the benchmark counts.

    python .ci/check_signature.py [--since COMMIT] halbzug bench --json

The signature is the total of nodes of `halbzug bench`: it changes exactly when the tree does. A
commit that changes the tree ends with the line `Bench: NODES` and pins the same number in
tests/signatures.json; one without that line promises what is pinned. With `--since`, every commit
after that one is looked at, not only the last. The exit code is 0 if all promises are kept.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys

#: Nodes by depth in plies; the greatest depth is the benchmark's usual one.
PINNED = "tests/signatures.json"

_PROMISE = re.compile(r"Bench: (\d+)")
_LIKE_A_PROMISE = re.compile(r"bench(mark)?\s*[:=]?\s*[\d,._]+", re.IGNORECASE)


class PromiseError(Exception):
    """An error, in one line."""


def git(*arguments: str) -> str:
    """The output of a git command; empty if it fails."""
    result = subprocess.run(
        ["git", *arguments], capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    return result.stdout if result.returncode == 0 else ""


def promised(message: str) -> int | None:
    """The signature in the last line of a commit message; None if there is none.

    :raises PromiseError: if a line looks like one and is not, or is not the last.
    """
    lines = message.strip().splitlines()
    match = _PROMISE.fullmatch(lines[-1].strip()) if lines else None
    for line in lines[1:-1] if match else lines[1:]:
        if _LIKE_A_PROMISE.fullmatch(line.strip()):
            raise PromiseError(f"the last line must be `Bench: NODES`, here is {line.strip()!r}")
    return int(match[1]) if match else None


def pinned(commit: str) -> tuple[int, int] | None:
    """The usual depth and its signature in a commit; None before they were pinned."""
    text = git("show", f"{commit}:{PINNED}")
    return (
        max((int(depth), int(nodes)) for depth, nodes in json.loads(text).items()) if text else None
    )


def check_commit(commit: str) -> None:
    """Compare what a commit promises with what it pins.

    :raises PromiseError: if they differ, or if it changes the pinned one without a word.
    """
    promise = promised(git("show", "--no-patch", "--format=%B", commit))
    now, before = pinned(commit), pinned(f"{commit}^")
    if now is None:
        return
    if promise is not None and promise != now[1]:
        raise PromiseError(f"it promises {promise}, and {PINNED} has {now[1]}")
    if promise is None and before is not None and before != now:
        raise PromiseError(f"it changes {PINNED} and does not end with `Bench: {now[1]}`")


def check_bench(command: list[str]) -> None:
    """Compare what the last commit promises with the count of a benchmark.

    :raises PromiseError: if they differ.
    """
    report = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    expected = pinned("HEAD")
    if expected is None:
        raise PromiseError(f"there is no {PINNED}")
    depth, nodes = expected
    if report["depth"] != depth:
        raise PromiseError(f"the bench went to depth {report['depth']}, not {depth}")
    if report["signature"] != nodes:
        raise PromiseError(
            f"the {report['build']} build counts {report['signature']} nodes, promised were {nodes}"
        )
    print(f"{nodes} nodes, as promised ({report['build']} build)")


def main() -> int:
    """Check, and print which commit is wrong and why."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--since", default="", metavar="COMMIT")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="prints the bench as JSON")
    options = parser.parse_args()
    commits: list[str] = []
    if options.since:
        commits = git("rev-list", "--no-merges", f"{options.since}..HEAD").split()
        if not git("rev-parse", "--verify", "--quiet", f"{options.since}^{{commit}}"):
            print(f"no commit {options.since} here: only the last one is checked")
    faults = 0
    for commit in commits or git("rev-list", "--no-merges", "--max-count=1", "HEAD").split():
        try:
            check_commit(commit)
        except PromiseError as fault:
            faults += 1
            print(git("show", "--no-patch", "--format=%h %s", commit).strip(), fault, sep=": ")
    try:
        check_bench(options.command)
    except PromiseError as fault:
        faults += 1
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

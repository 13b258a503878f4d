"""The signature: pinned, the same in both builds, and as promised by commits."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT

from halbzug.board.movegen import BUILD
from halbzug.eval.network_file import NETWORK, evaluating_by
from halbzug.search import bench


def _pinned(name: str) -> dict[int, int]:
    pinned = json.loads((ROOT / "tests" / name).read_text())
    return {int(depth): nodes for depth, nodes in pinned.items()}


PINNED, NETWORK_PINNED = _pinned("signatures.json"), _pinned("network_signatures.json")
BENCH = [sys.executable, "-m", "halbzug", "bench", "--json", "--depth", "1"]


def test_the_usual_depth_is_pinned() -> None:
    assert max(PINNED) == bench.DEPTH


# The pure build takes a minute at the greatest depth; its least depth already tells trees apart.
@pytest.mark.parametrize("depth", PINNED if BUILD == "compiled" else [min(PINNED)])
def test_the_tree_is_the_pinned_one(depth: int) -> None:
    assert bench.run(depth).nodes == PINNED[depth]


@pytest.mark.parametrize(
    "depth",
    [
        pytest.param(depth, marks=[pytest.mark.slow] if BUILD == "pure" and depth > 1 else [])
        for depth in NETWORK_PINNED
        if BUILD == "compiled" or depth <= 3
    ],
)
def test_the_tree_of_the_network_is_the_pinned_one(depth: int) -> None:
    with evaluating_by(NETWORK):
        assert bench.run(depth).nodes == NETWORK_PINNED[depth]


class _History:
    """A repository whose commits pin and promise signatures."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._git("init", "-q")
        self._changes = 0

    def _git(self, *arguments: str) -> str:
        identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        return subprocess.run(
            ["git", *identity, "-c", "commit.gpgsign=false", *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    def commit(self, message: str, nodes: int | None = None) -> str:
        """Commit something, and pin a signature of depth 1 if one is given; return the commit's
        name.
        """
        self._changes += 1
        (self.folder / "code.py").write_text(f"# {self._changes}\n")
        if nodes is not None:
            (self.folder / "tests").mkdir(exist_ok=True)
            (self.folder / "tests" / "signatures.json").write_text(json.dumps({"1": nodes}))
        self._git("add", ".")
        self._git("commit", "-q", "-m", message)
        return self._git("rev-parse", "HEAD")

    def check(self, bench: list[str], *arguments: str) -> tuple[int, str]:
        """The exit code and the output of the check.

        :param bench: the command that prints the bench.
        """
        result = subprocess.run(
            [sys.executable, str(ROOT / ".ci" / "check_signature.py"), *arguments, *bench],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert not result.stderr, result.stderr
        return result.returncode, result.stdout


@pytest.fixture
def history(tmp_path: Path) -> _History:
    return _History(tmp_path)


@pytest.fixture(scope="module")
def report() -> str:
    """The output of the bench to depth 1."""
    return subprocess.run(BENCH, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def nodes(report: str) -> int:
    """The nodes that it counts."""
    return int(json.loads(report)["signature"])


@pytest.fixture
def again(report: str) -> list[str]:
    """A command that prints the same, quickly."""
    return [sys.executable, "-c", f"print({report!r})"]


@pytest.mark.any_build
def test_a_kept_promise(history: _History, report: str, nodes: int) -> None:
    start = history.commit("Begin", nodes - 1)
    history.commit(f"Look further\n\nIt gains.\n\nBench: {nodes}", nodes)
    # The engine's build differs from that of this process if another python-chess is installed.
    build = json.loads(report)["build"]
    assert history.check(BENCH, "--since", start) == (
        0,
        f"{nodes} nodes, as promised ({build} build)\n",
    )


@pytest.mark.any_build
def test_without_the_line_the_pinned_signature_is_promised(
    history: _History, nodes: int, again: list[str]
) -> None:
    history.commit("Begin", nodes)
    history.commit("Explain the bench\n\nBench: how it counts")
    assert history.check(again)[0] == 0
    history.commit(f"Pin another\n\nBench: {nodes + 1}", nodes + 1)
    code, text = history.check(again)
    assert code == 1
    assert f"counts {nodes} nodes, promised were {nodes + 1}" in text


@pytest.mark.any_build
@pytest.mark.parametrize(
    ("message", "difference", "fault"),
    [
        pytest.param(
            "Look further\n\nBench: 1",
            0,
            "it promises 1, and tests/signatures.json has",
            id="other",
        ),
        pytest.param("Look further", 1, "does not end with `Bench: ", id="silent"),
        pytest.param(
            "Look further\n\nbench: 301,839", 0, "the last line must be `Bench: NODES`", id="form"
        ),
        pytest.param(
            "Look further\n\nBench: 1\nSigned-off-by: Ann", 0, "here is 'Bench: 1'", id="not last"
        ),
    ],
)
def test_a_broken_promise_is_found_behind_the_last_commit(
    history: _History, nodes: int, again: list[str], message: str, difference: int, fault: str
) -> None:
    start = history.commit("Begin", nodes)
    wrong = history.commit(message, nodes + difference)
    if difference:
        history.commit(f"Look less far\n\nBench: {nodes}", nodes)
    history.commit("Explain")
    code, text = history.check(again, "--since", start)
    assert code == 1
    assert text.startswith(f"{wrong[:7]}")
    assert "Look further: " in text
    assert fault in text
    assert history.check(again)[0] == 0, "the last commit alone is right"


@pytest.mark.any_build
def test_an_unknown_commit_is_named_and_the_last_one_is_checked(
    history: _History, nodes: int, again: list[str]
) -> None:
    history.commit("Begin", nodes + 1)
    history.commit("Look further", nodes)
    code, text = history.check(again, "--since", "0" * 40)
    assert code == 1
    assert f"no commit {'0' * 40} here" in text
    assert f"does not end with `Bench: {nodes}`" in text

"""Matches handed over to cutechess-cli and fastchess: the same conditions in their own options."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from match_runs import Match

pytestmark = [
    pytest.mark.any_build,
    pytest.mark.skipif(sys.platform == "win32", reason="the runners here are scripts"),
]

#: Stands in for a runner: notes its arguments, and fails if told to.
RUNNER = f"""#!{sys.executable}
import json, os, sys, time
from pathlib import Path
words = sys.argv[1:]
book = words[words.index("-openings") + 1].removeprefix("file=")
Path("asked.json").write_text(json.dumps([words, Path(book).read_text()]))
print("Score of a vs b: 1 - 0 - 0")
while "WAIT" in os.environ and not Path("enough").exists():
    time.sleep(0.02)
sys.exit(int(os.environ.get("CODE", "0")))
"""

ENGINES = {"a": "first --quiet 1; Hash=64", "b": "second; tc=40/1:00+0.6; Move Overhead=50"}


class ExternalRunner:
    """Matches in a folder with both runners on the PATH."""

    def __init__(self, folder: Path) -> None:
        self.matches = Match(folder, is_fresh=True)  # they write to its standard output
        for name in ("cutechess-cli", "fastchess"):
            (folder / name).write_text(RUNNER, encoding="utf-8")
            (folder / name).chmod(0o755)
        self.path = os.pathsep.join((str(folder), os.environ["PATH"]))

    def asked(self, runner: str, *arguments: str) -> tuple[str, str]:
        """The arguments that the runner received, and the openings it could read."""
        process = self.matches.run(ENGINES, "--runner", runner, *arguments, PATH=self.path)
        assert (process.returncode, process.stderr) == (0, "")
        assert process.stdout == "Score of a vs b: 1 - 0 - 0\n"
        asked = json.loads((self.matches.folder / "asked.json").read_text(encoding="utf-8"))
        return " | ".join(asked[0]), asked[1]


@pytest.fixture
def external(tmp_path: Path) -> ExternalRunner:
    return ExternalRunner(tmp_path)


def test_engines_in_the_form_of_cutechess(external: ExternalRunner) -> None:
    words, _ = external.asked("cutechess-cli", "--nodes", "5000", "--time-margin", "20")
    assert (
        "-engine | name=a | cmd=first | proto=uci | arg=--quiet | arg=1 | option.Hash=64 | "
        "tc=inf | nodes=5000 | timemargin=20 | "
        "-engine | name=b | cmd=second | proto=uci | option.Move Overhead=50 | tc=40/60+0.6 | "
        "timemargin=20 | -openings"
    ) in words


def test_engines_in_the_form_of_fastchess(external: ExternalRunner) -> None:
    words, _ = external.asked("fastchess", "--depth", "8", "--st", "0.5")
    assert (
        "-engine | name=a | cmd=first | proto=uci | args=--quiet 1 | option.Hash=64 | st=0.5 | "
        "plies=8 | timemargin=100 | "
        "-engine | name=b | cmd=second | proto=uci | option.Move Overhead=50 | tc=40/60+0.6 | "
        "timemargin=100 | "
    ) in words


@pytest.mark.parametrize("runner", ["cutechess-cli", "fastchess"])
def test_the_conditions_are_the_same(external: ExternalRunner, runner: str) -> None:
    words, openings = external.asked(
        runner,
        *("--games", "31", "--seed", "7", "-c", "2", "--max-moves", "150", "--gauntlet"),
        *("--resign", "4", "600", "--draw", "40", "8", "10", "--sprt", "0", "5"),
        *("--pgn", "games.pgn", "--tablebases", "extra"),
    )
    for part in (
        "order=random | ",
        "-srand | 7 | -concurrency | 2 | -recover | -rounds | 16 | -games | 2 | -repeat | ",
        "-maxmoves | 150 | -resign | movecount=4 | score=600",
        "-draw | movenumber=40 | movecount=8 | score=10",
        "-sprt | elo0=0 | elo1=5 | alpha=0.05 | beta=0.05",
        "-tournament | gauntlet",
        f"{os.pathsep}extra",
        "openings.epd | format=epd",
    ):
        assert part in words
    saved = "games.pgn | fi" if runner == "cutechess-cli" else "file=games.pgn"
    assert f"-pgnout | {saved}" in words
    assert ("model=logistic" in words) == (runner == "fastchess")
    assert "variant" not in words
    assert len(openings.splitlines()) > 100


def test_chess960_without_openings_comes_with_a_file(external: ExternalRunner) -> None:
    words, openings = external.asked("fastchess", "--chess960")
    assert "-variant | fischerandom" in words
    assert len(set(openings.splitlines())) == 960


def test_the_exit_code_of_the_runner_is_passed_on(external: ExternalRunner) -> None:
    process = external.matches.run(ENGINES, "--runner", "fastchess", PATH=external.path, CODE="3")
    assert process.returncode == 3


def test_an_interrupt_gives_the_runner_time_to_end_its_games(external: ExternalRunner) -> None:
    matches = external.matches
    matches.environment |= {"PATH": external.path, "WAIT": "1", "CODE": "4"}
    process = matches.start(ENGINES, "--runner", "cutechess-cli")
    assert process.stdout is not None and process.stderr is not None
    while not (matches.folder / "asked.json").exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(1.0)
    (matches.folder / "enough").touch()
    assert process.communicate(timeout=30) == ("Score of a vs b: 1 - 0 - 0\n", "")
    assert process.returncode == 4


@pytest.mark.parametrize("option", [("--json",), ("--patience", "5")])
def test_unsupported_requests_are_reported(
    external: ExternalRunner, option: tuple[str, ...]
) -> None:
    process = external.matches.run(ENGINES, "--runner", "fastchess", *option, PATH=external.path)
    assert process.returncode == 2
    assert option[0] in process.stderr and len(process.stderr.splitlines()) == 1

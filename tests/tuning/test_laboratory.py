"""Two builds play until a test decides, and numbers are tuned, with real processes.

Here a build is an interpreter: that of the tests, or a script that stands for a weak or broken one.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halbzug.base.time_control import GameClock, parse_clock
from halbzug.board.movegen import BUILD
from halbzug.match.elo import Sprt, expected_score
from halbzug.tuning.installs import Build, InstallError, provide
from halbzug.tuning.lines_file import LinesFile, LinesFileError
from halbzug.tuning.pairs import OpeningSource
from halbzug.tuning.searcher import Searcher
from halbzug.tuning.sprt import SprtTally
from halbzug.tuning.spsa import Spsa, Tuned

pytestmark = pytest.mark.any_build

ENGINE = Build("ours", sys.executable)

#: An "interpreter" that plays as instructed, whatever script it is given.
STAND_IN = f"""#!{sys.executable}
import sys
import chess
print('{{"build": "none", "digest": "BEHAVIOUR"}}', flush=True)
for line in sys.stdin:
    if line.startswith("new"):
        print("ok", flush=True)
        continue
    fen, _, moves = line.split(" ", 2)[2].strip().partition(";")
    board = chess.Board(fen)
    for move in moves.split():
        board.push_uci(move)
    move = min(board.legal_moves, key=str)
    BEHAVIOUR
    print(move, 0, 1, flush=True)
"""

BEHAVIOURS = {
    "weak": "pass",
    "dies": "print(f'out of {1}\\nmemory', file=sys.stderr); sys.exit(1)",
    "cheats": "move = 'e1e8'",
}


@pytest.fixture
def stand_in(tmp_path: Path) -> Callable[[str], str]:
    """Make an interpreter with this behaviour."""

    def make(behaviour: str) -> str:
        path = tmp_path / behaviour
        path.write_text(STAND_IN.replace("BEHAVIOUR", behaviour, 1).replace(
            "BEHAVIOUR", BEHAVIOURS[behaviour]))  # fmt: skip
        path.chmod(0o755)
        return str(path)

    return make


def laboratory(module: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the room, in this process if its environment allows; the players are
    processes.
    """
    if environment:
        return subprocess.run(
            [sys.executable, "-m", f"halbzug.tuning.{module}", *words],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    program = importlib.import_module(f"halbzug.tuning.{module}")
    with (
        contextlib.redirect_stdout(io.StringIO()) as output,
        contextlib.redirect_stderr(io.StringIO()) as errors,
    ):
        try:
            code = program.main(words)
        except SystemExit as end:
            code = end.code
    return subprocess.CompletedProcess(words, code or 0, output.getvalue(), errors.getvalue())


posix = pytest.mark.skipif(os.name != "posix", reason="the stand-ins are scripts")


@pytest.mark.slow
@posix
def test_a_gain_and_a_loss_are_found_whoever_plays_first(
    tmp_path: Path, stand_in: Callable[[str], str]
) -> None:
    weak = stand_in("weak")
    for base, new, verdict in ((weak, sys.executable, "H1"), (sys.executable, weak, "H0")):
        result = laboratory(
            "sprt", base, new, str(tmp_path / verdict), "--nodes", "40", "--cores", "2"
        )
        assert result.returncode == 0, result.stderr
        first, last = result.stdout.splitlines()
        assert first.startswith(f"{new} against {base}: ")
        assert last.startswith(f"{verdict}: of 0 and 5 Elo ")
        # The Elo at which a sequential test stops is no measurement.
        assert "+/-" not in result.stdout


@pytest.mark.slow
def test_identical_builds_are_equal_and_the_number_of_cores_does_not_matter(tmp_path: Path) -> None:
    found = []
    for cores in ("1", "2"):
        path = tmp_path / cores
        words = (sys.executable, sys.executable, str(path), "--nodes", "30", "--games", "4")
        result = laboratory("sprt", *words, "--measure", "--cores", cores)
        assert "4 games, pairs [0, 0, 2, 0, 0]\nElo +0.0 +/- ?" in result.stdout, result.stderr
        found.append(sorted(path.read_text().splitlines()))
    assert found[0] == found[1]


@pytest.mark.slow
@posix
def test_a_killed_run_continues_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    words = (sys.executable, sys.executable, str(path), "--nodes", "30", "--cores", "2")
    command = [sys.executable, "-m", "halbzug.tuning.sprt", *words, "--measure", "--games"]
    process = subprocess.Popen([*command, "10000"])
    while not path.exists() or len(path.read_bytes().splitlines()) < 4:
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    with path.open("ab") as file:
        file.write(b'{"number": 77, "op')  # an interrupted write
    before = path.read_bytes().splitlines()[:-1]
    count = len(before) + 1
    result = subprocess.run(
        [*command, str(2 * count)], capture_output=True, text=True, check=True, timeout=60
    )
    lines = path.read_bytes().splitlines()
    assert lines[: len(before)] == before
    numbers = [json.loads(line)["number"] for line in lines[1:]]
    assert len(numbers) == len(set(numbers))
    assert set(range(1, count + 1)) <= set(numbers)
    assert result.stdout.count("pairs [") == 1


@posix
@pytest.mark.parametrize(
    ("behaviour", "words"),
    [("dies", "dies has ended: memory"), ("cheats", "cheats answers 'e1e8 0 1' in ")],
)
def test_a_failing_build_is_one_line(
    tmp_path: Path, stand_in: Callable[[str], str], behaviour: str, words: str
) -> None:
    result = laboratory(
        "sprt", sys.executable, stand_in(behaviour), str(tmp_path / "file"), "--nodes", "20"
    )
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("python -m halbzug.tuning.sprt: ")
    assert words in line


@pytest.mark.parametrize(
    ("new", "words"),
    [
        pytest.param("HEAD; NO_SUCH_NUMBER", "not NAME=NUMBER: 'NO_SUCH_NUMBER'", id="form"),
        pytest.param("no-such-commit", "'no-such-commit' is neither a commit of ", id="commit"),
        pytest.param(
            f"{sys.executable}; NO_SUCH_NUMBER=1", "has no number NO_SUCH_NUMBER", id="unknown"
        ),
        pytest.param(
            f"{sys.executable}; RAZORING_MARGIN=1.5",
            "RAZORING_MARGIN is a whole number",
            id="whole",
        ),
        pytest.param(
            f"{sys.executable}; RAZORING_MARGIN=1",
            "RAZORING_MARGIN is a constant of this build",
            id="constant",
            marks=pytest.mark.skipif(BUILD == "pure", reason="every file can be changed there"),
        ),
    ],
)
def test_a_path_that_is_no_build_is_one_line(tmp_path: Path, new: str, words: str) -> None:
    result = laboratory(
        "sprt", sys.executable, new, str(tmp_path / "file"), "--builds", str(tmp_path / "builds")
    )
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    assert words in line


def test_builds_are_outside_the_checkout(tmp_path: Path) -> None:
    words = ("HEAD", "HEAD", str(tmp_path / "file"), "--checkout", str(tmp_path))
    result = laboratory("sprt", *words, "--builds", str(tmp_path / "builds"))
    assert result.returncode == 1
    assert "is in the checkout" in result.stderr


def test_a_search_depends_only_on_its_game() -> None:
    boards = [chess.Board(), chess.Board("8/8/8/8/4k3/8/1R2P3/K7 b - - 0 1")]
    moves: list[list[object]] = []
    for _ in range(2):
        searcher = Searcher(ENGINE)
        try:
            for order in (boards, boards[::-1], boards):
                searcher.new_game()
                moves.append([searcher.think(board, 400) for board in order])
        finally:
            searcher.close()
    assert moves[0] == moves[2] == moves[3] == moves[5]
    assert moves[1] == moves[4]


@given(st.permutations([0.0, 0.5, 2.0, 2.0, 1.5] * 8), st.randoms())
def test_pairs_count_in_their_order_whenever_they_arrive(
    points: list[float], chooser: random.Random
) -> None:
    in_order, shuffled = SprtTally(Sprt(0, 60)), SprtTally(Sprt(0, 60))
    numbered = list(enumerate(points, 1))
    for number, score in numbered:
        in_order.add(number, score)
    chooser.shuffle(numbered)
    for number, score in numbered:
        shuffled.add(number, score)
    assert (in_order.pentanomial, in_order.verdict) == (shuffled.pentanomial, shuffled.verdict)


def test_a_clock_that_counts_nodes_gives_the_same_games_and_is_kept() -> None:
    searcher = Searcher(ENGINE, 1)
    try:
        used, moves = [], []
        for _ in range(2):
            searcher.new_game()
            clock, board = GameClock(parse_clock("1+0.05")), chess.Board()
            for _ in range(12):
                thought = searcher.think_on(clock, board, 20)
                board.push(thought.move)
                moves.append(thought)
                used.append(thought.nodes / 20)
                assert not clock.press(thought.nodes / 20_000)
    finally:
        searcher.close()
    assert moves[:12] == moves[12:]
    assert 300 < sum(used[:12]) < 1550  # milliseconds


@pytest.mark.slow
def test_time_management_is_tested_by_a_clock_that_counts_nodes(tmp_path: Path) -> None:
    words = ("--tc", "1+0.01", "--nodestime", "3", "--measure", "--games", "2")
    file = tmp_path / "pairs.jsonl"
    wasteful = f"{sys.executable}; EXPECTED_MOVES=1; MAX_CLOCK_SHARE=1.0; OVERRUN=0.0"
    result = laboratory("sprt", sys.executable, wasteful, str(file), *words)
    assert result.returncode == 0, result.stderr
    experiment, pair = map(json.loads, file.read_text().splitlines())
    assert experiment["limit"] == "1+0.01 at 3 nodes a millisecond"
    assert pair["points"] == 0
    assert pair["ends"] == ["White loses on time", "Black loses on time"]


@pytest.mark.parametrize(
    ("module", "words", "reason"),
    [
        ("sprt", ("--nodestime", "25"), "--nodestime needs --tc"),
        ("sprt", ("--tc", "1+0.1", "--nodestime", "0"), "--nodestime are at least 1"),
        ("spsa", ("--tc", "1+0.1"), "--tc needs --nodestime"),
    ],
)
def test_invalid_options_for_the_clock_are_one_line(
    module: str, words: tuple[str, ...], reason: str
) -> None:
    result = laboratory(module, *["x"] * (3 if module == "sprt" else 2), *words)
    assert result.returncode == 2 and reason in result.stderr.splitlines()[-1]


def test_no_opening_is_repeated_and_a_seed_gives_the_same_ones() -> None:
    def openings(source: OpeningSource, numbers: range) -> list[str]:
        return [source.opening(number, lambda board: 0).epd() for number in numbers]

    source = OpeningSource(1)
    found = openings(source, range(1, 101))
    assert len(set(found)) == 100
    assert openings(source, range(1, 101)) == found
    assert openings(OpeningSource(1), range(1, 101)) == found
    assert set(openings(OpeningSource(2), range(1, 101))).isdisjoint(found)
    later = OpeningSource(1)
    later.note(7, chess.Board(f"{found[0]} 0 1").fen())  # played as another pair in an earlier run
    assert openings(later, range(1, 2)) != found[:1]


def test_openings_from_a_file_end_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "openings.epd"
    path.write_text("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n")
    words = (sys.executable, sys.executable, str(tmp_path / "file"), "--openings", str(path))
    result = laboratory("sprt", *words, "--nodes", "20", "--measure")
    assert "2 games, pairs [0, 0, 1, 0, 0]" in result.stdout, result.stderr


@settings(max_examples=min(settings.default.max_examples, 25))
@given(st.integers(min_value=0, max_value=200))
def test_a_file_cut_anywhere_keeps_its_complete_lines(tmp_path_factory: pytest.TempPathFactory,
                                                   length: int) -> None:  # fmt: skip
    path = tmp_path_factory.mktemp("lines") / "file"
    with LinesFile(path, {"seed": 1}) as file:
        for number in range(5):
            file.append({"number": number, "text": "x" * 10})
    data = path.read_bytes()
    path.write_bytes(data[:length])
    whole = data[:length].count(b"\n")
    with LinesFile(path, {"seed": 1}) as file:
        assert [record["number"] for record in file.records] == list(range(max(whole - 1, 0)))
        file.append({"number": 9})
    with LinesFile(path, {"seed": 1}) as file:
        assert file.records[-1] == {"number": 9}
    with pytest.raises(LinesFileError, match="to another experiment \\(seed was '1'\\)"):
        LinesFile(path, {"seed": 2})


def test_a_file_with_other_contents_stays_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    for text in ('[Event "x"]\n', "no line break", "[]\n", '{"seed": 5}', '{"seed": 1}\n[1'):
        path.write_text(text)
        with pytest.raises(LinesFileError):
            LinesFile(path, {"seed": 1})
        assert path.read_text() == text


TUNED = [
    Tuned("PLIES", 3, 1, 8, 0.6),
    Tuned("MARGIN", 100, 0, 300, 20),
    Tuned("SCALE", 1.0, 0.2, 3.0, 0.2, is_integer=False),
]
BEST = {"PLIES": 5.0, "MARGIN": 180.0, "SCALE": 2.0}


def test_numbers_move_to_where_games_are_won() -> None:
    spsa = Spsa(TUNED, rounds=4000, seed=1)
    chooser = random.Random(1)

    def distance(player: dict[str, float]) -> float:
        return sum(((player[one.name] - BEST[one.name]) / one.step) ** 2 for one in TUNED)

    for number in range(1, spsa.rounds + 1):
        task = spsa.perturb(number)
        expected = 0.5 + (distance(task.second) - distance(task.first)) / 100
        won_by = sum(2 * (chooser.random() < expected) - 1 for _ in range(2))
        spsa.learn(number, task.signs, won_by)
    for one, value in zip(TUNED, spsa.values, strict=True):
        assert abs(value - BEST[one.name]) < 1.5 * one.step, one.name


def test_the_same_games_measure_all_numbers() -> None:
    elo = {"GOOD": 40.0, "BAD": -25.0, "IDLE": 0.0}
    spsa = Spsa([Tuned(name, 0, 0, 1, 1) for name in elo], rounds=6000, seed=1, rate=0.0)
    chooser = random.Random(1)
    for number in range(1, spsa.rounds + 1):
        task = spsa.perturb(number)
        ahead = sum(elo[name] * (task.first[name] - task.second[name]) for name in elo)
        expected = expected_score(ahead)
        won_by = sum(2 * (chooser.random() < expected) - 1 for _ in range(2))
        spsa.learn(number, task.signs, won_by)
    assert spsa.values == [0, 0, 0]
    for index, true in enumerate(elo.values()):
        found, margin = spsa.worth(index)
        assert abs(found - true) < margin < 8


@given(
    st.lists(st.sampled_from([-2, -1, 0, 1, 2]), min_size=1, max_size=60),
    st.integers(min_value=1, max_value=9),
)
def test_numbers_stay_within_their_bounds_and_integers_stay_integers(
    points: list[int], seed: int
) -> None:
    spsa = Spsa(TUNED, rounds=len(points), seed=seed)
    for number, won_by in enumerate(points, 1):
        task = spsa.perturb(number)
        assert task == spsa.perturb(number)
        for player in (task.first, task.second):
            for one in TUNED:
                assert one.low <= player[one.name] <= one.high
                assert isinstance(player[one.name], int) == one.is_integer
        spsa.learn(number, task.signs, won_by)


@pytest.mark.slow
def test_a_run_of_spsa_continues_from_its_file(tmp_path: Path) -> None:
    parameters, path = tmp_path / "parameters.toml", tmp_path / "rounds.jsonl"
    parameters.write_text(
        "[RAZORING_MARGIN]\nlow = 100\nhigh = 400\nstep = 30\n"
        "[REDUCTION_BASE]\nlow = 0.0\nhigh = 1.5\nstep = 0.1\n"
    )
    words = (str(parameters), str(path), "--build", sys.executable, "--nodes", "4", "--pairs", "2")
    first = laboratory("spsa", *words, HALBZUG_PURE="1")
    assert first.returncode == 0, first.stderr
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:2]))
    again = laboratory("spsa", *words, "--cores", "1", HALBZUG_PURE="1")
    assert again.stdout == first.stdout
    assert path.read_text().splitlines(keepends=True)[:2] == lines[:2]
    last = first.stdout.splitlines()[-1]
    assert last.startswith("RAZORING_MARGIN=") and "; REDUCTION_BASE=0.4" in last
    assert re.search(r"RAZORING_MARGIN +220 -> .* [+-]\d+\.\d \+/- \d+\.\d Elo", first.stdout)
    assert f"1 round found in {path}: RAZORING_MARGIN=" in again.stderr
    changed = laboratory(
        "spsa", str(parameters), str(tmp_path / "other"), "--build",
        f"{sys.executable}; RAZORING_MARGIN=301", *words[4:], HALBZUG_PURE="1",
    )  # fmt: skip
    assert re.search(r"RAZORING_MARGIN +301 -> ", changed.stdout), changed.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[NO_SUCH]\nlow = 1\nhigh = 2\nstep = 1\n", "has no number 'NO_SUCH'"),
        ("[RAZORING_MARGIN]\nlow = 1\n", "RAZORING_MARGIN needs the numbers low, high and step"),
        ("[RAZORING_MARGIN]\nlow = 9\nhigh = 8\nstep = 1\n", "low, start and high must rise"),
        ("[RAZORING_MARGIN]\nlow = 1\nhigh = 900\nstep = inf\n", "needs the numbers low"),
        ("[RAZORING_MARGIN]\nlow = 1\nhigh = 900\nstep = true\n", "needs the numbers low"),
        ("not TOML", "parameters.toml: "),
        ("", "has no parameters"),
    ],
)
def test_invalid_parameters_are_one_line(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "parameters.toml"
    path.write_text(text)
    result = laboratory("spsa", str(path), str(tmp_path / "file"), "--build", sys.executable)
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    assert words in line


@pytest.mark.slow
def test_the_commit_is_installed_and_only_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout, folder = tmp_path / "checkout", tmp_path / "builds"
    (checkout / "halbzug").mkdir(parents=True)
    (checkout / "setup.py").write_text(
        "from setuptools import setup\nsetup(name='halbzug', version='0', packages=['halbzug'])\n"
    )
    source = checkout / "halbzug" / "__init__.py"
    source.write_text("NUMBER = 1\n")
    git = ["git", "-C", str(checkout), "-c", "user.name=Ann", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Begin"]):
        subprocess.run([*git, *words], check=True)
    source.write_text("NUMBER = 2\n")
    build = provide("HEAD", checkout, folder)
    assert (Path(build.site) / "halbzug" / "__init__.py").read_text() == "NUMBER = 1\n"
    assert source.read_text() == "NUMBER = 2\n"
    assert not subprocess.run(
        [*git, "status", "--porcelain", "--untracked-files=all", "--ignored", "--", ":!halbzug"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    monkeypatch.setenv("PATH", os.path.dirname(subprocess.getoutput("which git")))  # noqa: PTH120
    assert provide("HEAD", checkout, folder) == build
    (checkout / "setup.py").write_text("raise SystemExit('error: it never compiles')\n")
    subprocess.run([*git, "commit", "-qam", "Break"], check=True)
    with pytest.raises(InstallError, match="cannot be installed: "):
        provide("HEAD", checkout, folder)
    numbers = checkout / "uci_engine" / "search" / "parameters.py"
    numbers.parent.mkdir(parents=True)
    numbers.write_text("MARGIN: Final[int] = 3\n")
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "Have a number"], check=True)
    with pytest.raises(InstallError, match=r"has no number MARG$"):
        provide("HEAD; MARG=1", checkout, folder)
    with pytest.raises(InstallError, match="cannot be installed: "):
        provide("HEAD; MARGIN=1", checkout, folder)
    assert [path.name for path in folder.iterdir() if path.name != "c"] == [Path(build.site).name]

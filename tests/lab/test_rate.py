"""`halbzug rate` as its users run it: real games with a clock against real opponents."""

from __future__ import annotations

import json
import signal
import sys
import time
from contextlib import AbstractContextManager, nullcontext
from itertools import pairwise
from pathlib import Path

import chess.pgn
import pytest
from command_line import Command

from halbzug import books
from halbzug.base.launch import own_command
from halbzug.base.time_control import TimeControl
from halbzug.lab.levels import HALBZUG, WEAKENED, Level, levels
from halbzug.lab.rating_run import RatingError, RatingPlan, RatingRun
from halbzug.match.match_record import GameRecord
from halbzug.match.players import EngineSpec
from halbzug.teaching import engines

pytestmark = pytest.mark.any_build

FOLDER = Path(engines.__file__).parent


def lecture(name: str) -> str:
    return str(FOLDER / f"{name}.py")


@pytest.mark.slow
def test_a_file_is_rated(halbzug: Command) -> None:
    process = halbzug.run(
        *("rate", lecture("greedy"), "--st", "0.05", "--games", "6", "--json", "--pgn", "g.pgn"),
        *("--time-margin", "2000"),
    )
    result = json.loads(process.stdout)  # messages go to standard error
    (engine,) = result["engines"]
    assert (engine["name"], engine["games"]) == ("greedy", 6)
    assert engine["low"] < engine["elo"] < engine["high"]
    assert sum(engine["opponents"].values()) == 6
    assert result["pace"] == "0.05 s a move"


@pytest.mark.slow
def test_an_interrupted_rating_is_resumed(halbzug: Command) -> None:
    command = ["rate", lecture("random_mover"), "--st", "0.05", "-j", "1", "--pgn", "g.pgn"]
    command += ["--time-margin", "2000", "--max-moves", "40"]
    process = halbzug.start(*command, "--games", "50")
    path = halbzug.folder / "g.pgn"
    while not path.exists() or path.read_text().count('[Event "') < 2:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert "random_mover" in output and process.returncode == 130
    found = path.read_text().count('[Event "')
    halbzug.run(*command, "--games", str(found + 2))
    with path.open() as file:
        rounds = []
        while game := chess.pgn.read_game(file):
            rounds.append(int(game.headers["Round"]))
    assert found + 1 <= len(rounds) <= found + 2
    assert len(set(rounds)) == len(rounds)


@pytest.mark.slow
def test_two_engines_are_compared(halbzug: Command) -> None:
    text = halbzug.output(
        *("rate", lecture("quiescence"), lecture("random_mover"), "--st", "0.05", "--games", "6"),
        *("--time-margin", "2000", "--max-moves", "60"),
    )
    assert "Elo on the scale of UCI_Elo, at 0.05 s a move" in text
    assert "quiescence - random_mover" in text and "certain" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing_there.py"], "nothing_there"),
        (["no-such-program"], "no-such-program"),
        (["a=halbzug", "a=stockfish"], "two engines have the name a"),
        (["halbzug-1350=halbzug"], "two engines have the name halbzug-1350"),
        (["halbzug", "--st", "1", "--tc", "1+1"], "not both"),
        (["halbzug; Hash"], "not Option=Value"),
    ],
)
def test_wrong_usage_is_reported_in_one_line(
    halbzug: Command, arguments: list[str], message: str
) -> None:
    process = halbzug.run("rate", *arguments)
    assert process.returncode and message in process.stderr
    assert len(process.stderr.splitlines()) == 1 and not process.stdout.count("Traceback")


def test_the_levels_rise_in_small_steps_from_a_random_mover() -> None:
    elos = [level.elo for level in levels()]
    assert elos == sorted(elos)
    assert len(elos) == len(WEAKENED) + len(HALBZUG) == len({one.spec.name for one in levels()})
    assert max(second - first for first, second in pairwise(elos)) <= 420


def test_opponents_that_fail_do_not_count_as_wins(tmp_path: Path) -> None:
    broken = Level(1200, EngineSpec("broken", (sys.executable, "-c", "")))
    candidate = EngineSpec(
        "mine", tuple(own_command("halbzug.__main__")), {}, TimeControl(nodes=100)
    )
    openings = Path(books.__file__).parent / "openings.epd"
    plan = RatingPlan((candidate,), (broken,), openings, pgn=tmp_path / "games.pgn")
    said = []

    class Display:
        def watching(self) -> AbstractContextManager[None]:
            return nullcontext()

        def say(self, text: str) -> None:
            said.append(text)

        def note(self, record: GameRecord, reason: str) -> None:
            pytest.fail("no game counts")

    with RatingRun(plan) as run:
        with pytest.raises(RatingError, match=r"the opponents fail: .*broken"):
            run.play(Display())
        assert run.games == 0
    assert said and all("does not count" in text for text in said)
    assert not (tmp_path / "games.pgn").read_text()


def test_modules_that_a_file_imports_from_its_folder_are_part_of_it(tmp_path: Path) -> None:
    def identity() -> str:
        candidate = EngineSpec("mine", (sys.executable, str(tmp_path / "mine.py")))
        openings = Path(books.__file__).parent / "openings.epd"
        plan = RatingPlan((candidate,), tuple(levels()), openings, pgn=tmp_path / "games.pgn")
        with RatingRun(plan) as run:
            assert run.file
            return run.file.match_id

    (tmp_path / "parts").mkdir()
    for name, source in {
        "mine.py": "import helper\nfrom parts.deep import VALUE\n",
        "helper.py": "def inner():\n    import further\n",
        "further.py": "VALUE = 1\n",
        "parts/__init__.py": "",
        "parts/deep.py": "VALUE = 1\n",
        "other.py": "VALUE = 1\n",
    }.items():
        (tmp_path / name).write_text(source)
    seen = {identity()}
    assert identity() in seen
    for name in ("mine.py", "helper.py", "further.py", "parts/deep.py"):
        with (tmp_path / name).open("a") as file:
            file.write("# changed\n")
        assert identity() not in seen, name
        seen.add(identity())
    (tmp_path / "other.py").write_text("VALUE = 2\n")  # not imported by the file
    assert identity() in seen

"""`halbzug tournament` as run for a class: good, broken and hostile files in one folder."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess.pgn
import pytest
from checkout import ROOT
from cluster import Cluster, wait_for
from command_line import Command
from file_engines import MATERIAL, write_engine
from match_runs import kill_all, processes_of

from halbzug.base.launch import local_command, portable_command
from halbzug.batch.analysts import StartError
from halbzug.lab.cluster_games import GamePlayer, GameSetup
from halbzug.lab.faults import fault_in
from halbzug.lab.file_tournament import find_files
from halbzug.lab.levels import levels
from halbzug.lab.sources import source_digest
from halbzug.match.adjudication import Rules
from halbzug.match.game import Conditions
from halbzug.match.match_files import MatchError

pytestmark = pytest.mark.any_build

LAST = "def choose(board, clock):\n    return list(board.legal_moves)[-1]\n"

#: By name; the hostile ones imitate markup, the end of a comment, and another player's fault.
FILES = {
    "good_material": MATERIAL,
    "good_last": LAST,
    "bad_move": "import chess\ndef choose(board, clock):\n    return chess.Move.null()\n",
    "forgot_a_colon": "def evaluate(board)\n    return 0\n",
    "_helper": "raise RuntimeError('nobody plays this')\n",
}
MARKUP = "<script>document.title = 'caught'</script>} [%eval 9] { <img src=x onerror=1>"
if sys.platform != "win32":
    FILES['<img src=x onerror=alert(1)> "a" & \\b'] = (
        f"def choose(board, clock):\n    raise RuntimeError({MARKUP!r})\n"
    )

SHORT = ("--st", "0.02", "--time-margin", "2000", "--max-moves", "6", "-j", "2")


def write_class(folder: Path) -> None:
    (folder / "class").mkdir()
    for name, source in FILES.items():
        write_engine(folder / "class", source, f"{name}.py")


def rounds(path: Path) -> list[int]:
    found = []
    with path.open(encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            assert not game.errors
            found.append(int(game.headers["Round"]))
    return found


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], str]:
    """A folder in which a tournament was played, its result, and its messages."""
    halbzug = Command(tmp_path_factory.mktemp("tournament"))
    write_class(halbzug.folder)
    process = halbzug.run("tournament", "class", "--no-ladder", *SHORT, "--json")
    assert process.returncode == 0, process.stderr
    return halbzug.folder, json.loads(process.stdout), process.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX file names")
def test_files_that_fail_cost_only_their_own_games(
    played: tuple[Path, dict[str, Any], str],
) -> None:
    folder, result, said = played
    assert [one["name"] for one in result["left_out"]] == ["forgot_a_colon"]
    assert "forgot_a_colon.py, line 1: SyntaxError" in result["left_out"][0]["reason"]
    assert "forgot_a_colon is left out" in said and "Traceback" not in said
    engines = {one["name"]: one for one in result["engines"]}
    assert len(engines) == 4 and result["games"] == result["planned"] == 12
    assert rounds(folder / "tournament.pgn") and len(set(rounds(folder / "tournament.pgn"))) == 12
    hostile = next(one for name, one in engines.items() if name.startswith("<img"))
    assert hostile["faults"]["exception"] > 0 and engines["bad_move"]["faults"]["illegal move"] > 0
    for name in ("good_material", "good_last"):
        assert not any(engines[name]["faults"].values())
        # It does not even lose to those that fail.
        assert engines[name]["points"] >= 4
    assert engines["good_material"]["elo"] > engines["bad_move"]["elo"]


@pytest.mark.slow
def test_a_finished_tournament_only_writes_its_page_again(
    halbzug: Command, played: tuple[Path, dict[str, Any], str]
) -> None:
    halbzug.folder = played[0]
    (halbzug.folder / "tournament.html").unlink()
    text = halbzug.output("tournament", "class", "--no-ladder", *SHORT)
    assert "12 games of this match found in tournament.pgn" in text
    assert "good_material" in text and "Elo" in text
    assert (halbzug.folder / "tournament.html").exists()
    assert len(rounds(halbzug.folder / "tournament.pgn")) == 12


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_a_killed_tournament_plays_every_game_exactly_once(halbzug: Command) -> None:
    write_class(halbzug.folder)
    path = halbzug.folder / "tournament.pgn"
    command = ["tournament", "class", "--no-ladder", *SHORT]
    seed = random.randrange(1_000_000)  # at any moment
    print("seed", seed)
    generator = random.Random(seed)
    wanted = 0
    for _ in range(2):
        wanted += generator.randint(2, 4)
        process = halbzug.start(*command)

        def has_games(wanted: int = wanted) -> bool:
            return path.exists() and path.read_bytes().count(b"[Event ") >= wanted

        wait_for(has_games, process)
        children = processes_of(process.pid)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        kill_all(children)
        with path.open("ab") as file:  # as if it had been killed while writing
            file.write(b'[Event "halbzug match"]\n[Site "?"]\n'[: generator.randint(0, 36)])
    text = halbzug.output(*command)
    assert "games of this match found in tournament.pgn" in text
    assert sorted(set(rounds(path))) == sorted(rounds(path)) and len(rounds(path)) == 12


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_an_interrupt_leaves_the_page_so_far(halbzug: Command) -> None:
    write_class(halbzug.folder)
    process = halbzug.start("tournament", "class", *SHORT)
    path = halbzug.folder / "tournament.pgn"
    wait_for(lambda: path.exists() and path.read_bytes().count(b"[Event ") >= 2, process)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")
    assert "Interrupted; the same command continues from tournament.pgn" in output
    assert "good_last" in (halbzug.folder / "tournament.html").read_text(encoding="utf-8")


# -- on a cluster ---------------------------------------------------------------------------------


@pytest.fixture
def cluster(halbzug: Command) -> Iterator[Cluster]:
    pytest.importorskip("distributed", reason="distributed (halbzug[cluster]) is not installed")
    cluster = Cluster(halbzug)
    yield cluster
    cluster.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_a_killed_worker_costs_no_game(halbzug: Command, cluster: Cluster) -> None:
    write_class(halbzug.folder)
    doomed, survivor = cluster.add_worker(), cluster.add_worker()
    path = halbzug.folder / "tournament.pgn"
    command = ["tournament", "class", "--no-ladder", *SHORT, "--json", "--dask", cluster.address]
    process = halbzug.start(*command)
    wait_for(lambda: path.exists() and path.read_bytes().count(b"[Event ") >= 3, process)
    os.kill(doomed.pid, signal.SIGKILL)
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0 and "Traceback" not in errors, errors
    assert json.loads(output)["games"] == 12
    assert sorted(rounds(path)) == sorted(set(rounds(path))) and len(rounds(path)) == 12
    assert survivor.poll() is None, "the cluster stays"


@pytest.mark.slow
def test_a_rating_can_be_played_on_a_cluster(halbzug: Command, cluster: Cluster) -> None:
    cluster.add_worker()
    write_engine(halbzug.folder, MATERIAL)
    process = halbzug.run(
        *("rate", "mine.py", "--st", "0.02", "--time-margin", "2000", "--max-moves", "20"),
        *("--games", "4", "--json", "--pgn", "g.pgn", "--dask", cluster.address),
    )
    assert process.returncode == 0, process.stderr
    (engine,) = json.loads(process.stdout)["engines"]
    assert 4 <= engine["games"] == len(rounds(halbzug.folder / "g.pgn"))


@pytest.mark.slow
def test_without_a_scheduler_the_error_is_one_line(halbzug: Command) -> None:
    pytest.importorskip("distributed", reason="distributed (halbzug[cluster]) is not installed")
    (halbzug.folder / "class").mkdir()
    for name in ("one", "two"):
        write_engine(halbzug.folder / "class", LAST, f"{name}.py")
    process = halbzug.run("tournament", "class", "--dask", "tcp://127.0.0.1:9")
    assert process.returncode == 1
    assert process.stderr.startswith("halbzug: no Dask scheduler at tcp://127.0.0.1:9")
    assert process.stderr.count("\n") == 1


# -- arguments ------------------------------------------------------------------------------------


def test_wrong_usage_is_reported_in_one_line(halbzug: Command) -> None:
    (halbzug.folder / "empty").mkdir()
    (halbzug.folder / "bad").mkdir()
    write_engine(halbzug.folder / "bad", "x = = 3", "broken.py")
    for arguments, message in (
        (["nowhere"], "nowhere"),
        (["empty"], "no Python files in empty"),
        (["bad"], "not enough files can play in bad (broken: exception: broken.py, line 1"),
        (["empty", "--st", "1", "--tc", "1+1"], "not both"),
    ):
        process = halbzug.run("tournament", *arguments)
        assert process.returncode and message in process.stderr, process.stderr
        assert process.stderr.count("\n") == 1 and process.stdout == ""


def test_only_python_files_of_engines_count(tmp_path: Path) -> None:
    for name in ("b.py", "a.PY", "_helper.py", ".hidden.py", "text.txt"):
        (tmp_path / name).write_text("")
    (tmp_path / "folder.py").mkdir()
    assert [path.name for path in find_files(tmp_path)] == ["a.PY", "b.py"]
    with pytest.raises(MatchError, match="cannot read"):
        find_files(tmp_path / "b.py")


def test_faults_are_what_the_engine_reported_about_itself() -> None:
    said = "White (a (b) c) ended with exit code 1: illegal move: a.py, line 2: too late: x"
    fault = fault_in("abandoned", said)
    assert fault is not None and (fault.kind, fault.text) == (
        "illegal move",
        "a.py, line 2: too late: x",
    )
    late = fault_in("time forfeit", "Black (x) oversteps its time by 30 ms")
    assert late is not None and late.text == "oversteps its time by 30 ms"
    assert fault_in("normal", "White mates") is None


@pytest.mark.slow
def test_the_page_does_not_overwrite_an_input_file(halbzug: Command) -> None:
    (halbzug.folder / "class").mkdir()
    for name in ("one", "two"):
        write_engine(halbzug.folder / "class", LAST, f"{name}.py")
    for page in ("class/one.py", "tournament.pgn"):
        process = halbzug.run("tournament", "class", "--html", page)
        assert process.returncode == 1 and process.stdout == ""
        assert process.stderr == f"halbzug: {page} is in use; choose another file for the page\n"
    assert (halbzug.folder / "class" / "one.py").read_text(encoding="utf-8") == LAST


def test_commands_are_those_of_the_machine_that_runs_them() -> None:
    for level in levels():
        portable = portable_command(level.spec.command)
        assert not any(str(ROOT) in word for word in portable)
        assert local_command(portable) == level.spec.command
    other = ("/usr/games/stockfish", "-x", "")
    assert local_command(portable_command(other)) == other


def test_a_worker_with_a_different_file_refuses(tmp_path: Path) -> None:
    path = write_engine(tmp_path, LAST)
    conditions = Conditions(Rules())
    GamePlayer(GameSetup((), {str(path): source_digest(path)}, conditions)).start()
    player = GamePlayer(GameSetup((), {str(path): source_digest(path)}, conditions))
    write_engine(tmp_path, MATERIAL)
    with pytest.raises(StartError, match=r"has another version of .*mine\.py"):
        player.start()
    path.unlink()
    with pytest.raises(StartError, match=r"has no file .*mine\.py"):
        player.start()

"""Interrupted matches continue from their PGN file: no game is lost or counted twice."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import chess.pgn
import pytest
from match_runs import HALBZUG, PATIENCE_SECONDS, Match, fake, kill_all, processes_of
from uci_client import has_proc, wait_until_gone

from halbzug.match.match_record import GameFile, RecordError

pytestmark = [pytest.mark.slow, pytest.mark.any_build]

ENGINES = {"a": fake("greedy"), "b": fake("plain")}
LIMITS = ("--nodes", "10", "--max-moves", "12", "--resign", "2", "700", "--pgn", "games.pgn")


@pytest.fixture
def matches(tmp_path: Path) -> Match:
    return Match(tmp_path)


def facts(games: list[chess.pgn.Game]) -> list[tuple[str, ...]]:
    """The facts that two runs of the same match have in common."""
    tags = ("Round", "White", "Black", "Result", "FEN", "Termination", "PlyCount")
    return [tuple(game.headers[tag] for tag in tags) for game in games]


def wait_for_games(process: subprocess.Popen[str], path: Path, games: int) -> None:
    """Wait until a match has written this many games, or has ended."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        if path.exists() and path.read_bytes().count(b"[Event ") >= games:
            break
        time.sleep(0.002)


def kill_in_the_middle(process: subprocess.Popen[str], path: Path, games: int) -> None:
    """Kill a match and everything it has started when this many games are written."""
    wait_for_games(process, path, games)
    children = processes_of(process.pid)
    process.kill()
    process.communicate()
    kill_all(children)


def test_a_match_killed_again_and_again_has_every_game_once(matches: Match) -> None:
    path = matches.folder / "games.pgn"
    seed = random.randrange(1_000_000)  # at any moment
    print("seed", seed)
    rng = random.Random(seed)
    games, kills = 0, 0
    while games < 30:
        games += rng.randint(3, 9)
        process = matches.start(ENGINES, *LIMITS, "--games", "40", "--concurrency", "2")
        kill_in_the_middle(process, path, games)
        kills += process.returncode == -signal.SIGKILL
        with path.open("ab") as file:  # as if it had been killed while writing
            file.write(b'[Event "halbzug match"]\n[Site "?"]\n[Da'[: rng.randint(0, 40)])
    assert kills >= 3
    report = matches.json(ENGINES, *LIMITS, "--games", "40", "--concurrency", "2")
    assert report["games"] == report["planned"] == 40
    resumed = matches.games()
    assert [game.headers["Round"] for game in resumed] == [str(n) for n in range(1, 41)]

    path.rename(matches.folder / "resumed.pgn")
    assert matches.json(ENGINES, *LIMITS, "--games", "40")["pairings"] == report["pairings"]
    assert facts(matches.games()) == facts(resumed)


@pytest.mark.skipif(not has_proc(), reason="needs /proc")
def test_engines_do_not_outlive_a_killed_match(matches: Match) -> None:
    engines = {"a": f"{HALBZUG}; OwnBook=false", "b": f"{HALBZUG}; OwnBook=false; Hash=8"}
    limits = ("--nodes", "40", "--games", "6", "--pgn", "games.pgn")
    process = matches.start(engines, *limits)
    wait_for_games(process, matches.folder / "games.pgn", 2)
    children = processes_of(process.pid)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL and len(children) == 2
    wait_until_gone(children)
    assert "of 6, Elo +0.0" in matches.output(engines, *limits)
    assert len(matches.games()) == 6


def test_a_finished_match_only_reports_its_result(matches: Match) -> None:
    first = matches.output(ENGINES, *LIMITS, "--games", "4")
    again = matches.output(ENGINES, *LIMITS, "--games", "4")
    assert "4 games of this match found in games.pgn" in again
    result = first[first.index("a - b: +4") :]
    assert result in again
    assert "of 6, Elo" in matches.output(ENGINES, *LIMITS, "--games", "6")
    assert len(matches.games()) == 6


def test_another_match_may_share_the_file(matches: Match) -> None:
    matches.output(ENGINES, *LIMITS, "--games", "2")
    other = matches.output(ENGINES, *LIMITS, "--games", "2", "--seed", "2")
    assert "games of other matches" in other
    assert "of 2, Elo" in other
    assert len(matches.games()) == 4


def test_games_of_engines_that_do_not_play_are_one_line(matches: Match) -> None:
    matches.output(ENGINES, *LIMITS, "--games", "2")
    path = matches.folder / "games.pgn"
    path.write_text(re.sub(r'White "\w+"', 'White "other"', path.read_text()))
    process = matches.run(ENGINES, *LIMITS, "--games", "4")
    assert (process.returncode, process.stdout) == (1, "")
    assert re.fullmatch(
        r"halbzug: \S*games.pgn: game \d was played by other engines\n", process.stderr
    )


def test_forfeits_survive_an_interruption(matches: Match) -> None:
    engines = {"a": fake("plain"), "b": fake("illegal")}
    matches.output(engines, *LIMITS, "--games", "2")
    assert "forfeits 0:4" in matches.output(engines, *LIMITS, "--games", "4")


@pytest.mark.skipif(not has_proc(), reason="needs /proc")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_ends_it_cleanly(matches: Match, name: str) -> None:
    number = signal.Signals[name]
    process = matches.start(ENGINES, *LIMITS, "--games", "1000")
    path = matches.folder / "games.pgn"
    wait_for_games(process, path, 1)
    children = processes_of(process.pid)
    process.send_signal(number)
    output, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, errors) == (128 + number, "")
    assert "the same command continues" in output
    played = int(re.search(r"of (\d+), (?:Elo|pairs)", output)[1])
    assert played == len(matches.games()) > 0
    wait_until_gone(children)


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits on files")
def test_a_game_that_cannot_be_saved_ends_the_match(matches: Match) -> None:
    import resource

    matches.output(ENGINES, *LIMITS, "--games", "2")
    path = matches.folder / "games.pgn"
    size = path.stat().st_size

    def leave_little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, size + 100))

    process = subprocess.run(
        matches.command(ENGINES, *LIMITS, "--games", "4"),
        cwd=matches.folder,
        env=matches.environment,
        preexec_fn=leave_little_room,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert process.returncode == 1
    assert process.stderr.startswith("halbzug: cannot write games.pgn: ")
    assert path.stat().st_size == size
    assert "of 4, Elo" in matches.output(ENGINES, *LIMITS, "--games", "4")


def test_two_matches_do_not_write_to_one_file(matches: Match) -> None:
    with GameFile(matches.folder / "games.pgn", "another"):
        process = matches.run(ENGINES, *LIMITS)
    assert process.returncode == 1
    assert "another match is writing to games.pgn" in process.stderr


# -- the file -------------------------------------------------------------------------------------


@pytest.mark.parametrize("foreign", ["[1, 2]", "[]\n", "a text", '{"a": 1}'])
def test_a_file_that_is_not_pgn_stays_unchanged(tmp_path: Path, foreign: str) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(foreign)
    with pytest.raises(RecordError, match="is not PGN"):
        GameFile(path, "id")
    assert path.read_text() == foreign


def a_game(number: int) -> chess.pgn.Game:
    game = chess.pgn.Game()
    tags = {"White": "a", "Black": "b", "Result": "1-0", "Termination": "normal"}
    game.headers.update({"Event": "halbzug match", "Round": str(number), **tags})
    for move in ("e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"):
        game.end().add_variation(chess.Move.from_uci(move), comment="[%eval 0.30,4] one two three")
    return game


def test_a_game_cut_off_anywhere_is_the_only_one_missing(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    with GameFile(path, "id") as file:
        file.append(a_game(1))
        size = path.stat().st_size
        file.append(a_game(2))
    data = path.read_bytes()
    for cut in range(size, len(data) + 1):
        path.write_bytes(data[:cut])
        with GameFile(path, "id") as file:
            # A game that lacks at most the empty line after its result is complete.
            expected = {1, 2} if cut >= len(data) - 1 else {1}
            assert file.games.keys() == expected, data[size:cut]
            if expected == {1}:
                assert path.stat().st_size == size
                file.append(a_game(2))
        with GameFile(path, "id") as file:
            assert file.games.keys() == {1, 2}


def test_games_of_other_programs_are_kept_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    theirs = b'[Event "Casual game"]\n[Result "*"]\n\n1. e4 e5'
    path.write_bytes(theirs)
    with GameFile(path, "id") as file:
        assert file.games == {} and file.has_other_games
        file.append(a_game(1))
    assert path.read_bytes().startswith(theirs + b"\n\n[Event ")
    with GameFile(path, "id") as file:
        assert file.games.keys() == {1}


def test_a_damaged_or_repeated_game_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    with GameFile(path, "id") as file:
        file.append(a_game(1))
        file.append(a_game(1))
    with pytest.raises(RecordError, match="twice"):
        GameFile(path, "id")
    data = path.read_bytes()
    path.write_bytes(data.replace(b"1-0\n", b"\n", 1))
    with pytest.raises(RecordError, match="game 1 is damaged"):
        GameFile(path, "id")

"""`explain game`: what a search says about each move in the lectures' games."""

from __future__ import annotations

import pytest
from command_line import Command

import halbzug
from halbzug.teaching.solved_games import GAMES, SolvedGame

pytestmark = pytest.mark.any_build

#: A state of each game that is searched quickly, and the move that each of its searches finds.
SOLVED = {
    "noughts-and-crosses": ("a1 a2 b1 b2", "c1"),
    "connect-four 4 4": ("1 2 2 3 1 2 1 3 2 3", ""),
    "nim 1 2": ("", "b1"),
    "take-away 6": ("", "2"),
    "three-players": ("", "1"),
    "backgammon-slide": ("", "20/14*"),
    "kuhn-poker": ("", "-1/18"),
    "one-more-roll": ("5", "keep is worth 3/4"),
    "battleships": ("a1-a3b1-c1 c3-e3d5-e5 c3", "956 fleets"),
    "queens 5": ("", "the best is 17"),
    "knapsack": ("", "the best is 220"),
    "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1": ("", "Rd8#"),
}


@pytest.mark.parametrize("name", SOLVED)
def test_every_search_of_a_game_finds_the_move(name: str) -> None:
    moves, wanted = SOLVED[name]
    named = GAMES.get(name.split()[0], GAMES["chess"])
    for search in named.searches:
        depth = 2 if "/" in name else None
        found = SolvedGame(name, moves, search, depth)
        if search not in ("uct", "puct", "paranoid") or name.startswith(("nim", "take")):
            assert wanted in found.found, search
        assert found.lines and found.turn != "over"


def test_a_search_counts_its_states_and_a_finished_game_is_reported() -> None:
    found = halbzug.explain.game("take-away 5")
    assert (found.found, found.nodes) == ("1 is worth 1", 17)
    assert halbzug.explain.game("take-away 5", search="minimax").nodes == 20
    assert halbzug.explain.game("take-away 2", "2").found == "the game is over: \N{MINUS SIGN}1 1"
    assert "take-away" in repr(found) and "1 is worth 1" in str(found)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ludo"], "'ludo' is none of noughts-and-crosses"),
        (["nim x"], "numbers follow the name of a game, not 'x'"),
        (["take-away 1 9"], "2 or 3 players"),
        (["connect-four 4 4 4"], "a game is named as in 'connect-four columns rows'"),
        (["nim 2 2", "c1"], "'c1' is not a move here; possible moves: a1 a2 b1 b2"),
        (["kuhn-poker", "--search", "minimax"], "a search of kuhn-poker is regret, not 'minimax'"),
        (["8/8/8/8/8/8/8/9 w - - 0 1"], "invalid"),
    ],
)
def test_an_unknown_game_is_refused_in_one_line(
    halbzug: Command, words: list[str], message: str
) -> None:
    process = halbzug.run("explain", "game", *words)
    assert process.returncode == 1 and process.stderr.count("\n") == 1
    assert message in process.stderr


def test_the_command_lists_the_games_and_shows_one(halbzug: Command) -> None:
    text = halbzug.output("explain", "game")
    assert all(name in text for name in GAMES)
    text = halbzug.output("explain", "game", "noughts-and-crosses", "b2 b3")
    assert ".o.\n.x.\n..." in text and "MAX to move; a3 is worth 1" in text
    (data,) = halbzug.json("explain", "game", "take-away 2", "--json")
    assert data["found"] == "1 is worth 1" and [one["move"] for one in data["moves"]] == ["1", "2"]

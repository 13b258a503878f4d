"""The small games of `examples/`, solved."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction

import pytest
from alpha_beta import alpha_beta
from backgammon_ending import ROLLS, BearingOff, Ending, plays
from checkout import ROOT
from expectimax import expectimax
from game import Player
from hypothesis import given
from hypothesis import strategies as st
from minimax import minimax
from noughts_and_crosses import NoughtsAndCrosses
from one_more_roll import KEEP, ROLL, Dice, OneMoreRoll
from queens import Cheapest, backtrack, cost
from take_away import TakeAway
from three_players import max_n

pytestmark = pytest.mark.any_build

FILES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_file_is_under_a_hundred_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < 100


# -- any tree -----------------------------------------------------------------------------------

#: A tree: its value, or the trees one move further.
Tree = int | tuple["Tree", ...]


class TreeGame:
    """A tree as a game; a state is a tree and the depth it stands at. MAX begins."""

    def player(self, state):
        return (Player.MAX, Player.MIN)[state[1] % 2]

    def moves(self, state):
        return () if isinstance(state[0], int) else range(len(state[0]))

    def after(self, state, move):
        return state[0][move], state[1] + 1

    def value(self, state):
        return state[0]

    def rolls(self, state):
        raise AssertionError("no dice here")


trees = st.recursive(
    st.integers(-9, 9),
    lambda below: st.lists(below, min_size=1, max_size=4).map(tuple),
    max_leaves=40,
)


def by_definition(tree, maximise: bool = True):
    if isinstance(tree, int):
        return tree
    values = [by_definition(below, not maximise) for below in tree]
    return max(values) if maximise else min(values)


@given(trees)
def test_all_three_searches_have_the_value_and_alpha_beta_the_fewest_nodes(tree):
    full, quick, mean = (
        solve(TreeGame(), (tree, 0)) for solve in (minimax, alpha_beta, expectimax)
    )
    assert full.value == quick.value == mean.value == by_definition(tree)
    assert full.move == quick.move == mean.move
    assert quick.nodes <= full.nodes == mean.nodes


def test_a_textbook_tree():
    # https://www.chessprogramming.org/Alpha-Beta: the second leaf of the right branch is enough.
    tree = ((3, 12, 8), (2, 4, 6), (14, 5, 2))
    assert minimax(TreeGame(), (tree, 0)).value == 3
    assert minimax(TreeGame(), (tree, 0)).nodes == 13
    assert alpha_beta(TreeGame(), (tree, 0)).nodes == 11


# -- the games ----------------------------------------------------------------------------------


def test_the_take_away_game_is_won_by_taking_one():
    game = TakeAway()
    for solve in (minimax, alpha_beta):
        solution = solve(game, game.start())
        assert (solution.value, solution.move) == (1, 1)
    assert alpha_beta(game, game.start()).nodes < minimax(game, game.start()).nodes


def test_of_the_take_away_game_every_third_number_is_lost():
    game = TakeAway()
    for matches in range(1, 13):
        solution = alpha_beta(game, game.start(matches))
        assert solution.value == (-1 if matches % 3 == 1 else 1)
        if solution.value == 1:
            assert (matches - solution.move) % 3 == 1


@pytest.mark.slow
def test_noughts_and_crosses_is_a_draw():
    game = NoughtsAndCrosses()
    full, quick = minimax(game, game.start()), alpha_beta(game, game.start())
    assert full.value == quick.value == 0
    assert quick.nodes < full.nodes == 549_946


def test_noughts_and_crosses_is_lost_after_a_blunder():
    game = NoughtsAndCrosses()
    state = game.start()
    for square in (0, 1):  # a corner, and the square beside it
        state = game.after(state, square)
    assert alpha_beta(game, state).value == 1


def test_the_dice_game_is_worth_what_the_hand_calculation_says():
    game = OneMoreRoll()
    assert expectimax(game, game.start()).value == Fraction(14, 3) - Fraction(17, 4)


@pytest.mark.parametrize("number", range(1, 7))
def test_what_to_keep_with_one_and_with_two_rolls_to_go(number):
    game = OneMoreRoll()
    for rolls_left, mean in ((1, Fraction(7, 2)), (2, Fraction(17, 4))):
        move = expectimax(game, Dice(rolls_left, shown=number)).move
        assert move == (KEEP if number > mean else ROLL)
    assert game.moves(Dice(0, shown=number)) == [KEEP]


@pytest.mark.parametrize(
    ("points", "wins"), [((2, 5), 19), ((3, 4), 17), ((1, 6), 15), ((1, 1), 36)]
)
def test_two_checkers_are_off_in_one_roll_with_the_known_probability(points, wins):
    # As tables of bearing off have them.
    solution = expectimax(BearingOff(), Ending(points, (1, 1)))
    assert solution.value == Fraction(wins, 36)


def test_the_rolls_of_two_dice():
    assert len(ROLLS) == 21 and sum(probability for probability, _ in ROLLS) == 1


def test_a_large_number_takes_a_checker_from_the_highest_point_only():
    assert plays((2, 4), (6, 6)) == [()]
    assert plays((2, 4), (3, 6)) == [(), (1,)]  # 6 from the 4, or 3 from it and 6 from the 2
    assert plays((1, 5), (1, 2)) == [(1, 2), (3,)]


def test_three_players_of_a_textbook_tree():
    # After Russell and Norvig, Artificial Intelligence: the first player may take either move.
    tree = (
        (((1, 2, 6), (4, 2, 3)), ((6, 1, 2), (7, 4, 1))),
        (((5, 1, 1), (1, 5, 2)), ((7, 7, 1), (5, 4, 5))),
    )
    assert max_n(ThreePlayers(), (tree, 0)).values == (1, 2, 6)
    assert max_n(ThreePlayers(), (tree, 0), {0: 1}).values == (1, 5, 2)
    assert max_n(ThreePlayers(), (tree, 0), {0: 2}).values == (1, 2, 6)


class ThreePlayers:
    """A tree of three levels as a game of three; a state is a tree and its depth."""

    def player(self, state):
        return state[1]

    def moves(self, state):
        return () if isinstance(state[0][0], int) else range(len(state[0]))

    def after(self, state, move):
        return state[0][move], (state[1] + 1) % 3

    def values(self, state):
        return state[0]


@pytest.mark.parametrize(("size", "number"), [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4)])
def test_the_known_numbers_of_queens(size: int, number: int):
    whole = [placement for placement in backtrack(size) if len(placement) == size]
    assert len(whole) == number


def square_boards(size: int) -> st.SearchStrategy[list[list[int]]]:
    row = st.lists(st.integers(0, 9), min_size=size, max_size=size)
    return st.lists(row, min_size=size, max_size=size)


@given(st.integers(1, 5).flatmap(square_boards))
def test_branch_and_bound_finds_the_cheapest_of_all_placements(costs):
    search = Cheapest(costs)
    search.search()
    whole = [one for one in backtrack(len(costs)) if len(one) == len(costs)]
    assert (search.placement is None) == (not whole)
    if search.placement is not None:
        assert cost(search.placement, costs) == min(cost(one, costs) for one in whole)
    assert search.nodes <= len(list(backtrack(len(costs))))


def test_chance_is_the_mean_and_nobody_chooses():
    @dataclass
    class Coin:
        def player(self, state):
            return Player.MAX if state else Player.CHANCE

        def rolls(self, state):
            return [(Fraction(1, 3), 10), (Fraction(2, 3), -5)]

        def moves(self, state):
            return ()

        def value(self, state):
            return state

    solution = expectimax(Coin(), 0)
    assert (solution.value, solution.move, solution.nodes) == (0, None, 3)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("take_away", "5 matches: win by taking 1"),
        ("one_more_roll", "worth 5/12 for MAX"),
        ("backgammon_ending", "(2, 5): he wins with probability 19/36"),
        ("three_players", "Allied: 0 and 1  take 2, and the values are (1, 1, -2)"),
        ("queens", "8 queens: 92 placements, 2057 nodes"),
        ("database_lookup", "looked up  : cxd4 is worth 1"),
    ],
)
def test_they_run_by_themselves(name: str, words: str, tmp_path):
    result = subprocess.run(
        [sys.executable, ROOT / "examples" / f"{name}.py"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    assert words in result.stdout

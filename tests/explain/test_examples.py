"""The small games of `examples/`, solved."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction

import pytest
from alpha_beta import alpha_beta
from checkout import ROOT
from expectimax import expectimax
from game import Player
from hypothesis import given
from hypothesis import strategies as st
from minimax import minimax
from noughts_and_crosses import NoughtsAndCrosses
from one_more_roll import KEEP, ROLL, Dice, OneMoreRoll
from take_away import TakeAway

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

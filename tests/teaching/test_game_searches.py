"""The standard searches on the lecture games: known solutions, and the promises of each search."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halbzug.teaching.game_protocol import Game, play_out, read_moves
from halbzug.teaching.games.backgammon import Backgammon, BackgammonState, rolled, side_of
from halbzug.teaching.games.connect_four import ConnectFour
from halbzug.teaching.games.knapsack import Knapsack
from halbzug.teaching.games.kuhn_poker import KuhnPoker
from halbzug.teaching.games.nim import Nim, take_away
from halbzug.teaching.games.noughts_and_crosses import NoughtsAndCrosses
from halbzug.teaching.games.one_more_roll import DiceState, OneMoreRoll
from halbzug.teaching.games.queens import COSTS, Queens
from halbzug.teaching.searches.alpha_beta import alpha_beta
from halbzug.teaching.searches.branch_and_bound import backtracking, branch_and_bound
from halbzug.teaching.searches.counterfactual_regret import CounterfactualRegret
from halbzug.teaching.searches.expectiminimax import expectiminimax
from halbzug.teaching.searches.max_n import max_n, paranoid
from halbzug.teaching.searches.minimax import minimax
from halbzug.teaching.searches.negamax import Table, negamax
from halbzug.teaching.searches.puct import puct
from halbzug.teaching.searches.star1 import star1
from halbzug.teaching.searches.uct import uct

pytestmark = pytest.mark.any_build

#: Enough for small trees, in which every case is common.
few = settings(max_examples=min(settings.default.max_examples, 25))

#: A tree: its value, the trees after each move, or the trees after each chance event.
Branches = Any


class BranchGame(Game[Any, int]):
    """A tree as a game of MAX, MIN and chance; a state is a tree and its depth.

    A player chooses from a list; chance chooses from a tuple.
    """

    def __init__(self, tree: Branches, players: int = 2) -> None:
        self.tree, self.players = tree, players

    def start(self) -> Any:
        return self.tree, 0

    def player(self, state: Any) -> int | None:
        if isinstance(state[0], list):
            return int(state[1] % self.players)
        return -1 if isinstance(state[0], tuple) and isinstance(state[0][0], list | tuple) else None

    def moves(self, state: Any) -> range:
        return range(len(state[0]))

    def apply(self, state: Any, move: int) -> Any:
        step = isinstance(state[0], list)
        return state[0][move], state[1] + step

    def result(self, state: Any) -> tuple[Any, ...]:
        value = state[0]
        if self.players == 3:
            return tuple(value)
        number = value[0] if isinstance(value, tuple) else value
        return number, -number

    def key(self, state: Any) -> str:
        return repr(state)


leaves = st.integers(-9, 9).map(lambda number: (number,))
trees = st.recursive(leaves, lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=30)
chance_trees = st.recursive(
    leaves,
    lambda below: st.one_of(
        st.lists(below, min_size=1, max_size=3),
        st.lists(st.lists(below, min_size=1, max_size=3), min_size=2, max_size=3).map(tuple),
    ),
    max_leaves=20,
)
max_n_trees = st.recursive(
    st.tuples(*[st.integers(0, 4)] * 3),
    lambda below: st.lists(below, min_size=1, max_size=3),
    max_leaves=20,
)


def by_definition(tree: Branches, is_max: bool = True) -> Fraction:
    if isinstance(tree, tuple) and isinstance(tree[0], int):
        return Fraction(tree[0])
    if isinstance(tree, tuple):
        return sum((by_definition(one, is_max) for one in tree), Fraction(0)) / len(tree)
    return (max if is_max else min)(by_definition(below, not is_max) for below in tree)


@few
@given(trees)
def test_every_two_player_search_has_the_value_and_alpha_beta_fewer_nodes(
    tree: Branches,
) -> None:
    game = BranchGame(tree)
    state, value = game.start(), by_definition(tree)
    full, soft = minimax(game, state), alpha_beta(game, state)
    hard = alpha_beta(game, state, is_hard=True)
    assert full.value == soft.value == hard.value == value
    assert full.move == soft.move == hard.move
    assert soft.nodes == hard.nodes <= full.nodes
    assert negamax(game, state).value == value
    assert expectiminimax(game, state).value == value == star1(game, state, -9, 9).value


@few
@given(trees, st.integers(-9, 8))
def test_fail_soft_bounds_are_at_least_as_tight_as_fail_hard_ones(
    tree: Branches, alpha: int
) -> None:
    game, value = BranchGame(tree), by_definition(tree)
    soft, hard = (
        alpha_beta(game, game.start(), alpha=alpha, beta=alpha + 1, is_hard=is_hard).value
        for is_hard in (False, True)
    )
    if isinstance(tree, list):
        assert hard == (alpha if value <= alpha else alpha + 1)
    assert value <= soft <= alpha if value <= alpha else alpha + 1 <= soft <= value


@few
@given(chance_trees)
def test_star1_finds_the_mean_with_no_more_nodes(tree: Branches) -> None:
    game = BranchGame(tree)
    full, star = expectiminimax(game, game.start()), star1(game, game.start(), -9, 9)
    assert full.value == star.value == by_definition(tree)
    assert star.nodes <= full.nodes
    assert expectiminimax(game, game.start(), table={}).value == full.value


def test_star1_cuts_off_what_chance_cannot_make_up_for() -> None:
    # After 8 for the first move: the mean of -9 and at most 9 cannot exceed 0.
    game = BranchGame([(8,), ([(-9,)], [(9,)])])
    assert star1(game, game.start(), -9, 9).nodes == 5 < expectiminimax(game, game.start()).nodes


@few
@given(max_n_trees)
def test_max_n_takes_the_best_for_each_player(tree: Branches) -> None:
    game = BranchGame(tree, 3)
    assert max_n(game, game.start()).value == _max_n(tree, 0)
    assert paranoid(game, game.start(), 1).value == _against(tree, 0, 1)


def _max_n(tree: Branches, turn: int) -> tuple[int, ...]:
    if isinstance(tree, tuple):
        return tree
    return max((_max_n(below, (turn + 1) % 3) for below in tree), key=lambda one: one[turn])


def _against(tree: Branches, turn: int, me: int) -> int:
    if isinstance(tree, tuple):
        return int(tree[me])
    values = [_against(below, (turn + 1) % 3, me) for below in tree]
    return max(values) if turn == me else min(values)


def test_three_players_of_a_textbook_tree_and_their_alliances() -> None:
    # From Russell and Norvig, Artificial Intelligence: the first player may choose either move.
    tree = [
        [[(1, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]],
        [[(5, 1, 1), (1, 5, 2)], [(7, 7, 1), (5, 4, 5)]],
    ]
    game = BranchGame(tree, 3)
    for alliance, values in ((None, (1, 2, 6)), ({0: 1}, (1, 5, 2)), ({0: 2}, (1, 2, 6))):
        assert max_n(game, game.start(), alliance=alliance).value == values


def test_two_of_three_players_win_the_game_of_matches_together() -> None:
    game = take_away(5, players=3)
    assert max_n(game, game.start()).value == (-2, 1, 1)
    together = max_n(game, game.start(), alliance={0: 1, 1: 0})
    assert (together.value, together.move) == ((1, 1, -2), (0, 2))


# -- solved games -------------------------------------------------------------------------------


def test_noughts_and_crosses_is_a_draw_with_a_table_and_symmetries() -> None:
    game, table = NoughtsAndCrosses(), dict[Any, Any]()
    solution = negamax(game, game.start(), table=table)
    assert solution.value == 0 and len(table) < 765 and solution.nodes < 2000


@pytest.mark.slow
def test_noughts_and_crosses_is_a_draw_after_half_a_million_states() -> None:
    game = NoughtsAndCrosses()
    full, quick = minimax(game, game.start()), alpha_beta(game, game.start())
    assert full.value == quick.value == 0
    assert quick.nodes == 18_297 < full.nodes == 549_946


@pytest.mark.parametrize("width", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_connect_four_on_small_boards_is_a_draw(width: int) -> None:
    # Tromp: boards with four rows and four or five columns are drawn.
    game, table = ConnectFour(width, 4), Table()
    assert negamax(game, game.start(), alpha=-1, beta=1, table=table).value == 0


def test_the_table_changes_no_value_from_either_side() -> None:
    chooser = random.Random(3)
    game, table = NoughtsAndCrosses(), Table()
    for _ in range(30):
        state = game.start()
        for _ in range(chooser.randrange(3, 8)):
            if game.player(state) is not None:
                state = game.apply(state, chooser.choice(game.moves(state)))
        sign = -1 if game.player(state) == 1 else 1
        assert negamax(game, state, table=table).value == sign * minimax(game, state).value


def test_nim_with_three_heaps_is_solved_by_symmetries() -> None:
    game, table = Nim((3, 4, 5)), Table()
    solution = negamax(game, game.start(), table=table)
    assert (solution.value, solution.move) == (1, (0, 2))  # Bouton: 1 4 5 is lost


# -- backgammon ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "wins"), [((2, 5), 19), ((3, 4), 17), ((1, 6), 15), ((1, 1), 36)]
)
def test_two_checkers_are_off_in_one_roll_with_the_known_probability(
    points: tuple[int, int], wins: int
) -> None:
    # As in bear-off tables: MIN bears off with his next roll.
    game = Backgammon()
    home = {one: points.count(one) for one in points}
    state = BackgammonState((side_of(home), side_of({1: 2})), 0, None)
    value = expectiminimax(game, state, table={}).value
    assert (value + 1) / 2 == Fraction(wins, 36)
    assert star1(game, state, -1, 1).value == value


def test_an_opening_play_is_chosen_by_the_mean_over_all_replies() -> None:
    game = Backgammon()
    state = rolled(game.start(), 1, 3)
    solution = expectiminimax(game, state, depth=1)
    assert solution.move in game.moves(state) and solution.nodes == 17


def test_the_dice_game_has_the_value_calculated_by_hand() -> None:
    game, table = OneMoreRoll(), dict[Any, Any]()
    value = expectiminimax(game, game.start(), table=table).value
    assert value == Fraction(14, 3) - Fraction(17, 4)
    later = DiceState(2, kept=4)
    assert star1(game, later, -5, 5).value == expectiminimax(game, later).value
    for number in range(1, 7):
        for rolls_left, mean in ((1, Fraction(7, 2)), (2, Fraction(17, 4))):
            move = expectiminimax(game, DiceState(rolls_left, number)).move
            assert move == ("keep" if number > mean else "roll")
        assert game.moves(DiceState(0, number)) == ["keep"]


# -- puzzles ------------------------------------------------------------------------------------


@few
@given(st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 9), min_size=n, max_size=n), min_size=n, max_size=n)
))  # fmt: skip
def test_branch_and_bound_finds_the_cheapest_of_all_placements(costs: list[list[int]]) -> None:
    size = len(costs)
    game = Queens(size, costs)
    full, quick = backtracking(game, game.start()), branch_and_bound(game, game.start())
    whole = [
        sum(costs[row][column] for column, row in enumerate(rows))
        for rows in permutations(range(size))
        if all(abs(rows[a] - rows[b]) != b - a for a in range(size) for b in range(a + 1, size))
    ]
    assert (full.value, full.move) == (quick.value, quick.move)
    assert -full.value == min(whole, default=float("inf")) and quick.nodes <= full.nodes


def test_the_cheapest_five_queens_cost_seventeen() -> None:
    game = Queens(5, COSTS[5])
    solution = branch_and_bound(game, game.start())
    assert (solution.value, solution.move, solution.nodes) == (-17, (2, 0, 3, 1, 4), 42)
    assert backtracking(game, game.start()).nodes == 54


def test_eight_queens_are_tried_in_the_known_number_of_states() -> None:
    game = Queens(6)
    assert backtracking(game, game.start()).nodes == 153


THINGS = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 12)), min_size=1, max_size=7)


@few
@given(THINGS, st.integers(0, 40))
def test_a_knapsack_is_packed_optimally(things: list[tuple[int, int]], capacity: int) -> None:
    game = Knapsack(things, capacity)
    full, quick = backtracking(game, game.start()), branch_and_bound(game, game.start())
    best = max(
        sum(value for (value, _), one in zip(things, taken, strict=True) if one)
        for taken in product((0, 1), repeat=len(things))
        if sum(weight for (_, weight), one in zip(things, taken, strict=True) if one) <= capacity
    )
    assert full.value == quick.value == best and quick.nodes <= full.nodes


def test_a_knapsack_from_the_literature() -> None:
    # The first of Burkardt's collection of data sets.
    weights = (23, 31, 29, 44, 53, 38, 63, 85, 89, 82)
    values = (92, 57, 49, 68, 60, 43, 67, 84, 87, 72)
    game = Knapsack(list(zip(values, weights, strict=True)), 165)
    assert branch_and_bound(game, game.start()).value == 309


# -- Monte Carlo --------------------------------------------------------------------------------

#: Crosses, or the first player, can win at once or must stop the other player.
AT_ONCE = (("a1 a2 b1 b2", "c1"), ("a1 b2 c3 c1", "a3"))


@pytest.mark.parametrize(("moves", "wanted"), AT_ONCE)
def test_monte_carlo_finds_the_move(moves: str, wanted: str) -> None:
    game = NoughtsAndCrosses()
    state = read_moves(game, moves)
    by_visits = [uct(game, state, 300, random.Random(1))[0], puct(game, state, 300)[0]]
    for solution in by_visits:
        assert game.move_text(state, solution.move or 0) == wanted


def test_uct_plays_nim_as_the_theory_says_and_dice_too() -> None:
    game = take_away(6)
    assert uct(game, game.start(), 600, random.Random(5))[0].move == (0, 2)
    dice = Backgammon()
    state = BackgammonState((side_of({4: 1, 6: 1}), side_of({1: 3})), 0, (1, 2))
    assert uct(dice, state, 100, random.Random(5))[0].move in dice.moves(state)


def test_uct_wins_against_a_random_mover() -> None:
    game, chooser = ConnectFour(5, 4), random.Random(2)
    points = 0
    for number in range(4):
        state, turn = game.start(), 0
        while game.player(state) is not None:
            if turn % 2 == number % 2:
                move = uct(game, state, 60, chooser)[0].move
            else:
                move = chooser.choice(game.moves(state))
            state, turn = game.apply(state, move if move is not None else 0), turn + 1
        points += game.result(state)[number % 2]
    assert points >= 2


def test_puct_first_tries_what_its_policy_prefers() -> None:
    game = take_away(6)

    def judge(game: Game[Any, Any], state: Any) -> tuple[list[float], tuple[float, float]]:
        moves = game.moves(state)
        return [0.9, 0.1][: len(moves)] if len(moves) > 1 else [1.0], (0.0, 0.0)

    solution, root = puct(game, game.start(), 12, judge)
    assert root.visits == 12 and root.children[0, 1].visits > root.children[0, 2].visits
    assert solution.nodes <= 12


def test_a_playout_with_chance_events_ends() -> None:
    assert sum(play_out(Backgammon(), Backgammon().start(), random.Random(1))) == 0


# -- hidden cards -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def poker() -> CounterfactualRegret:
    learner = CounterfactualRegret(KuhnPoker())
    learner.play(600)
    return learner


def test_the_first_player_of_kuhn_poker_loses_an_eighteenth(poker: CounterfactualRegret) -> None:
    assert poker.value() == pytest.approx(-1 / 18, abs=0.001)


def test_the_strategy_is_the_one_of_kuhns_proof(poker: CounterfactualRegret) -> None:
    def bets(player: int, card: str, history: str) -> float:
        return poker.sets[player, (card, history)].mean()[1]

    bluff = bets(0, "J", "")
    assert 0 <= bluff <= 1 / 3 + 0.05, "one strategy for each chance to bluff up to a third"
    assert bets(0, "K", "") == pytest.approx(3 * bluff, abs=0.1)
    assert bets(0, "Q", "pb") == pytest.approx(bluff + 1 / 3, abs=0.1)
    for player, card, history, chance in (
        *((1, "J", "p", 1 / 3), (1, "Q", "b", 1 / 3), (1, "K", "b", 1), (1, "K", "p", 1)),
        *((1, "J", "b", 0), (0, "J", "pb", 0), (0, "K", "pb", 1), (0, "Q", "", 0)),
    ):
        assert bets(player, card, history) == pytest.approx(chance, abs=0.06)


@pytest.mark.parametrize("player", [0, 1])
def test_nobody_can_win_much_against_the_learned_strategy(
    poker: CounterfactualRegret, player: int
) -> None:
    """The best of all 64 deterministic strategies of a player is tried."""
    game = KuhnPoker()
    own = sorted(place for place in poker.sets if place[0] == player)
    value = max(
        _against_the_mean(game, poker, player, dict(zip(own, choices, strict=True)), game.start())
        for choices in product((0, 1), repeat=len(own))
    )
    assert value <= (-1 / 18, 1 / 18)[player] + 0.02


def _against_the_mean(
    game: KuhnPoker, poker: CounterfactualRegret, me: int, plan: dict[Any, int], state: Any
) -> float:
    player = game.player(state)
    if player is None:
        return game.result(state)[me]
    moves = game.moves(state)
    if player == -1:
        shares = [1 / 6] * 6
    elif player == me:
        at = plan[player, game.sees(state, player)]
        shares = [float(number == at) for number in range(2)]
    else:
        shares = poker.sets[player, game.sees(state, player)].mean()
    return sum(
        share * _against_the_mean(game, poker, me, plan, game.apply(state, move))
        for move, share in zip(moves, shares, strict=True)
        if share
    )

"""The lecture games on their common protocol, compared with known numbers and values."""

from __future__ import annotations

import base64
import random
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halbzug.teaching.game_protocol import CHANCE, Game, canonical, play_out, read_moves
from halbzug.teaching.games.backgammon import (
    BAR,
    CHECKERS,
    FIRST_ROLLS,
    OFF,
    ROLLS,
    SLIDE,
    Backgammon,
    BackgammonState,
    rolled,
    side_of,
)
from halbzug.teaching.games.battleships import Battleships
from halbzug.teaching.games.chess_game import ChessGame
from halbzug.teaching.games.connect_four import ConnectFour
from halbzug.teaching.games.knapsack import Knapsack
from halbzug.teaching.games.kuhn_poker import KuhnPoker, KuhnState
from halbzug.teaching.games.nim import Nim, take_away
from halbzug.teaching.games.noughts_and_crosses import NoughtsAndCrosses, open_lines
from halbzug.teaching.games.one_more_roll import OneMoreRoll
from halbzug.teaching.games.queens import COSTS, Queens
from halbzug.teaching.searches.alpha_beta import alpha_beta
from halbzug.teaching.searches.minimax import minimax

pytestmark = pytest.mark.any_build

GAMES: dict[str, Game[Any, Any]] = {
    "nim": Nim((3, 4, 5)),
    "take-away": take_away(),
    "take-away for three": take_away(players=3),
    "noughts and crosses": NoughtsAndCrosses(),
    "connect four": ConnectFour(),
    "backgammon": Backgammon(),
    "kuhn poker": KuhnPoker(),
    "one more roll": OneMoreRoll(),
    "battleships": Battleships(),
    "queens": Queens(5, COSTS[5]),
    "knapsack": Knapsack(),
    "chess": ChessGame("8/8/8/8/8/2k5/8/K1q5 w - - 0 1"),
}


def positions(game: Game[Any, Any], plies: int = 99) -> list[set[Any]]:
    """The reachable states of a game after each number of plies."""
    levels = [{game.start()}]
    while len(levels) <= plies and levels[-1]:
        levels.append(
            {
                game.apply(state, move)
                for state in levels[-1]
                if game.player(state) is not None
                for move in game.moves(state)
            }
        )
    return levels


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_a_game_follows_the_protocol_to_its_end(name: str, seed: int) -> None:
    game, chooser = GAMES[name], random.Random(seed)
    state, words = game.start(), []
    while (player := game.player(state)) is not None:
        moves = list(game.moves(state))
        assert moves and -1 <= player < game.players
        names = [game.move_text(state, move) for move in moves]
        assert len(set(names)) == len(names), "a move has a name of its own"
        if player == CHANCE:
            chances = game.chances(state)
            assert [move for move, _ in chances] == moves
            assert sum(chance for _, chance in chances) == 1
        assert state in list(game.symmetries(state)) and game.text(state) is not None
        assert len(list(game.evaluate(state))) == game.players
        for one in range(game.players):
            hash(game.sees(state, one))
        at = chooser.randrange(len(moves))
        words.append(names[at].replace(" ", ""))
        state = game.apply(state, moves[at])
    result = list(game.result(state))
    assert len(result) == game.players
    assert game.players == 1 or sum(result) == 0
    assert read_moves(game, " ".join(words)) == state


def test_an_impossible_move_is_refused_with_a_list_of_the_possible_ones() -> None:
    with pytest.raises(ValueError, match=r"'3' is not a move here; possible moves: 1 2"):
        read_moves(take_away(), "2 3")
    with pytest.raises(ValueError, match="none, because the game is over"):
        read_moves(take_away(2), "2 1")


# -- nim ----------------------------------------------------------------------------------------


@given(st.lists(st.integers(1, 3), min_size=1, max_size=3), st.integers(1, 4), st.booleans())
def test_nim_is_won_according_to_boutons_sum(
    heaps: list[int], maximum: int, is_misere: bool
) -> None:
    game = Nim(tuple(heaps), maximum, is_misere=is_misere)
    is_lost = not _sum_without_carry([heap % (maximum + 1) for heap in heaps])
    if is_misere and all(heap % (maximum + 1) <= 1 for heap in heaps):
        is_lost = not is_lost
    assert alpha_beta(game, game.start()).value == (-1 if is_lost else 1)


def _sum_without_carry(numbers: list[int]) -> int:
    found = 0
    for number in numbers:
        found ^= number
    return found


@pytest.mark.parametrize("matches", range(1, 13))
def test_in_the_take_away_game_every_third_number_is_lost(matches: int) -> None:
    game = take_away(matches)
    solution = minimax(game, game.start())
    assert solution.value == (-1 if matches % 3 == 1 else 1)
    if solution.value == 1:
        assert solution.move is not None and (matches - solution.move[1]) % 3 == 1


def test_impossible_heaps_are_refused() -> None:
    for heaps, maximum, players in (((), 1, 2), ((0,), 1, 2), ((101,), 1, 2), ((3,), 0, 2)):
        with pytest.raises(ValueError, match="at least one match"):
            Nim(heaps, maximum, players)


# -- noughts and crosses ------------------------------------------------------------------------


def test_the_positions_of_noughts_and_crosses_are_counted() -> None:
    game = NoughtsAndCrosses()
    found = set().union(*positions(game))
    assert len(found) == 5478
    assert len({canonical(game, state) for state in found}) == 765
    over = Counter(game.result(one)[0] for one in found if game.player(one) is None)
    assert over == {1: 626, -1: 316, 0: 16}


def test_noughts_and_crosses_is_a_draw_and_lost_after_a_blunder() -> None:
    game = NoughtsAndCrosses()
    assert alpha_beta(game, read_moves(game, "a3 b2")).value == 0
    assert alpha_beta(game, read_moves(game, "a3 b3")).value == 1


def test_the_lectures_evaluation_is_six_minus_four() -> None:
    game = NoughtsAndCrosses()
    state = read_moves(game, "b2 b3")  # 6 lines are open for crosses, 4 for noughts
    assert open_lines(state) == 2 and game.evaluate(state)[0] == Fraction(2, 9)


# -- connect four -------------------------------------------------------------------------------

#: The number of positions after each number of plies, on the usual board (OEIS A212693, after
#: Tromp).
PUBLISHED = (1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275)

#: Late positions of Pons's test set Test_L3_R1, as columns, and the result: 1 if the side to move
#: wins.
LATE = {
    "2252576253462244111563365343671351441": -1,
    "7422341735647741166133573473242566": 1,
    "23163416124767223154467471272416755633": 0,
    "71255763773133525731261364622167124446454": 0,
    "65214673556155731566316327373221417": -1,
    "3135151421347443544172316522225776773566": 0,
    "562154564361751726662253737734213275114": 0,
    "233377345754465174223731671122611552": 1,
    "6763525635134453444361412671365712": -1,
    "211376455663355325112113664364524722": 0,
}


def test_the_positions_of_connect_four_are_counted_to_ply_five() -> None:
    assert tuple(map(len, positions(ConnectFour(), 5))) == PUBLISHED[:6]


@pytest.mark.slow
def test_the_positions_of_connect_four_are_counted_to_ply_eight() -> None:
    assert tuple(map(len, positions(ConnectFour(), 8))) == PUBLISHED


@pytest.mark.parametrize("columns", LATE)
def test_late_positions_of_connect_four_have_their_known_values(columns: str) -> None:
    game = ConnectFour()
    state = game.read(columns)
    sign = 1 if game.player(state) == 0 else -1
    assert sign * alpha_beta(game, state).value == LATE[columns]


@given(st.lists(st.integers(0, 8), max_size=40), st.sampled_from([(7, 6), (4, 4), (5, 4), (9, 5)]))
def test_a_line_is_what_a_reader_of_the_board_sees(
    columns: list[int], size: tuple[int, int]
) -> None:
    game = ConnectFour(*size)
    state = game.start()
    for column in columns:
        if game.player(state) is None:
            break
        if column in game.moves(state):
            state = game.apply(state, column)
    rows = game.text(state).split("/")
    assert [len(row) for row in rows] == [size[0]] * size[1]
    for side, stone in enumerate("xo"):
        assert game.has_line(state[side]) == _has_four(rows, stone)
    assert game.text(game.symmetries(state)[1]) == "/".join(row[::-1] for row in rows)


def _has_four(rows: list[str], stone: str) -> bool:
    cells = {(x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == stone}
    return any(
        all((x + n * across, y + n * down) in cells for n in range(4))
        for x, y in cells
        for across, down in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def test_a_full_column_is_refused() -> None:
    with pytest.raises(ValueError, match="move 7, '1', is not possible"):
        ConnectFour().read("1111111")
    with pytest.raises(ValueError, match="4 to 9 columns"):
        ConnectFour(3, 9)


# -- backgammon ---------------------------------------------------------------------------------

COUNTS = Path(__file__).with_name("backgammon_counts.txt").read_text(encoding="ascii").splitlines()


def _from_position_id(name: str) -> BackgammonState:
    """Read a position ID of GNU Backgammon: a 1 for each checker, a 0 after each point."""
    number = int.from_bytes(base64.b64decode(name + "=="), "little")
    sides = []
    for _ in range(2):
        counts = {}
        for point in range(1, 26):
            counts[point] = 0
            while number & 1:
                counts[point] += 1
                number >>= 1
            number >>= 1
        sides.append(side_of(counts))
    return BackgammonState((sides[1], sides[0]), 0, None)


def test_as_many_plays_are_legal_as_gnu_backgammon_finds() -> None:
    """Half of the 1,000 positions are from random games, half were made at random.

    The last 21 are the start position with each roll. `hint` of GNU Backgammon 1.07.001 gave the
    numbers; where nothing can be played it lists no move, and we list one that moves nothing.
    """
    game = Backgammon()
    wrong = []
    for line in COUNTS:
        name, dice, count = line.split()
        state = rolled(_from_position_id(name), int(dice[0]), int(dice[1]))
        if len(game.moves(state)) != max(int(count), 1):
            wrong.append(line)
    assert len(COUNTS) == 1021 and not wrong
    assert [line.split()[0] for line in COUNTS[-21:]] == ["4HPwATDgc/ABMA"] * 21


def test_the_roll_on_the_slides_has_four_plays() -> None:
    game = Backgammon()
    assert {game.move_text(SLIDE, play) for play in game.moves(SLIDE)} == {
        *("20/14* 20/15", "20/14* 6/1", "20/14* 14/9", "20/15 15/9"),
    }


def test_the_rolls_of_two_dice_and_of_the_first_turn() -> None:
    assert len(ROLLS) == 21 and sum(chance for _, chance in ROLLS) == 1
    assert {chance for _, chance in ROLLS} == {Fraction(1, 36), Fraction(1, 18)}
    assert len(FIRST_ROLLS) == 30 and sum(chance for _, chance in FIRST_ROLLS) == 1
    game = Backgammon()
    for roll in ((2, 5), (5, 2)):
        state = game.apply(game.start(), roll)
        assert (state.turn, state.roll) == (int(roll == (2, 5)), (2, 5))


@pytest.mark.parametrize(
    ("own", "other", "roll", "plays"),
    [
        pytest.param({25: 1, 6: 1}, {6: 2}, (6, 6), {"-"}, id="from the bar, into a made point"),
        pytest.param({25: 1, 6: 1}, {6: 2}, (6, 5), {"bar/20 20/14"}, id="from the bar first"),
        pytest.param({10: 1}, {21: 2}, (6, 5), {"10/5 5/off"}, id="only one order"),
        pytest.param({13: 1}, {18: 2, 23: 2}, (6, 5), {"13/8"}, id="only the smaller"),
        pytest.param({13: 1}, {23: 2}, (6, 5), {"13/7"}, id="the larger"),
        pytest.param(
            {6: 1, 3: 1}, {25: 1}, (6, 5), {"6/off 3/off", "6/1 3/off"}, id="a large number"
        ),
        pytest.param({4: 1, 2: 1}, {25: 1}, (6, 6), {"4/off 2/off"}, id="from the highest"),
        pytest.param(
            {2: 3},
            {24: 1},
            (1, 1),
            {"2/1* 2/1(2) 1/off", "2/1* 2/1 1/off(2)"},
            id="a hit in the home",
        ),
    ],
)
def test_the_rules_of_backgammon(
    own: dict[int, int], other: dict[int, int], roll: tuple[int, int], plays: set[str]
) -> None:
    game = Backgammon()
    state = BackgammonState((side_of(own), side_of(other)), 0, (min(roll), max(roll)))
    found = {game.move_text(state, play) for play in game.moves(state)}
    assert found == plays


def test_a_hit_checker_goes_to_the_bar() -> None:
    game = Backgammon()
    state = BackgammonState((side_of({8: 1}), side_of({21: 1})), 0, (1, 3))
    (play,) = game.moves(state)
    assert game.move_text(state, play) == "8/5 5/4*"
    after = game.apply(state, play)
    assert after.sides[1][BAR] == 1 and sum(after.sides[1]) == sum(after.sides[0]) == CHECKERS


@pytest.mark.parametrize(
    ("loser", "points"), [({1: 14}, 1), ({1: 15}, 2), ({19: 1, 1: 14}, 3), ({25: 1, 1: 14}, 3)]
)
def test_a_gammon_counts_twice_and_a_backgammon_three_times(
    loser: dict[int, int], points: int
) -> None:
    state = BackgammonState((side_of({}), side_of(loser)), 1, None)
    game = Backgammon()
    assert state.sides[0][OFF] == CHECKERS and game.player(state) is None
    assert game.result(state) == (points, -points)
    assert game.result(state._replace(sides=state.sides[::-1])) == (-points, points)


def test_too_many_checkers_are_refused() -> None:
    for points in ({6: 16}, {26: 1}, {0: 1}):
        with pytest.raises(ValueError, match="at most 15 checkers"):
            side_of(points)


# -- chess --------------------------------------------------------------------------------------


def test_chess_has_its_known_numbers_of_moves_and_ends_with_mate() -> None:
    game = ChessGame()
    replies = [game.apply(game.start(), move) for move in game.moves(game.start())]
    assert (len(replies), sum(len(game.moves(state)) for state in replies)) == (20, 400)
    mated = read_moves(game, "f3 e5 g4 Qh4#")
    assert game.player(mated) is None and game.result(mated) == (-1, 1)
    one, other = read_moves(game, "Nf3 Nf6 Ng1 Ng8"), read_moves(game, "Nf3 Nf6 Ng1")
    assert game.key(one) == game.key(game.start()) != game.key(other)


# -- hidden cards and ships ---------------------------------------------------------------------


def test_kuhn_poker_has_as_many_states_as_in_the_textbook() -> None:
    game = KuhnPoker()
    found = [state for level in positions(game) for state in level]
    assert sum(game.player(state) is None for state in found) == 30
    choices = [one for one in found if game.player(one) in (0, 1)]
    assert len(choices) == 24
    assert len({game.sees(one, game.player(one) or 0) for one in choices}) == 12


@pytest.mark.parametrize(
    ("history", "value"), [("pp", 1), ("bp", 1), ("bb", 2), ("pbp", -1), ("pbb", 2)]
)
def test_the_amount_that_a_king_wins_from_a_jack(history: str, value: int) -> None:
    assert KuhnPoker().result(KuhnState((2, 0), history)) == (value, -value)


def test_a_player_sees_only_his_own_card() -> None:
    game = KuhnPoker()
    one, other = KuhnState((1, 0), "p"), KuhnState((1, 2), "p")
    assert game.sees(one, 0) == game.sees(other, 0) and game.sees(one, 1) != game.sees(other, 1)


def test_fleets_are_counted_and_what_a_player_sees_determines_what_is_possible() -> None:
    game = Battleships()
    assert len(game.fleets) == 956
    assert len(Battleships((2,)).fleets) == 40 and len(Battleships((1,)).fleets) == 25
    state = read_moves(game, "a1-a3b1-c1 c3-e3d5-e5 c3")
    assert len(game.possible(state, 0)) == _fleets_with("c3")
    chances = game.hit_chances(state, 0)
    assert sum(chances.values()) == 4, "the fleet's five squares without the one that was hit"
    assert len(game.possible(state, 1)) == 956
    other = read_moves(game, "a1-a3b1-c1 c3-e3a5-b5 c3")
    assert game.sees(state, 0) == game.sees(other, 0) and game.sees(state, 1) != game.sees(other, 1)


def _fleets_with(square: str) -> int:
    """Counted in a different way: by sets of coordinates."""
    x, y = "abcde".index(square[0]), int(square[1]) - 1
    three, two = (
        [
            frozenset((a + n * across, b + n * (1 - across)) for n in range(length))
            for a, b, across in product(range(5), range(5), (0, 1))
            if a + (length - 1) * across < 5 and b + (length - 1) * (1 - across) < 5
        ]
        for length in (3, 2)
    )
    return sum((x, y) in one | other for one in three for other in two if not one & other)


def test_sinking_the_fleet_wins() -> None:
    game = Battleships((2,))
    state = read_moves(game, "a1-a2 e4-e5 e5 b1 e4")
    assert game.player(state) is None and game.result(state) == (1, -1)


# -- one-player puzzles -------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "number"), [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4)])
def test_the_known_numbers_of_queens(size: int, number: int) -> None:
    found = [state for level in positions(Queens(size)) for state in level]
    assert sum(len(state) == size for state in found) == number


def test_costs_for_a_board_of_another_size_are_refused() -> None:
    for size, costs in ((0, None), (13, None), (5, COSTS[4])):
        with pytest.raises(ValueError, match=r"board has|for each of"):
            Queens(size, costs)
    with pytest.raises(ValueError, match="a weight above 0"):
        Knapsack([(1, 0)])


def test_a_random_game_is_played_to_its_end_and_repeated_by_its_seed() -> None:
    for game in GAMES.values():
        results = [play_out(game, game.start(), random.Random(7)) for _ in range(2)]
        assert results[0] == results[1]

"""Expectiminimax: minimax for games with chance, whose states are worth the mean of their outcomes.

Because of the mean, an evaluation may only be changed by positive linear transformations, not by
every one that keeps the order. The time is O(b^m n^m), with n outcomes of chance.

Sources: Michie, Game-Playing and Game-Learning Automata (1966);
https://www.chessprogramming.org/Expectiminimax
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from ..game_protocol import CHANCE, Game, Move, Number, State
from ..told import Listener, Solution, nobody
from .minimax import is_better, leaf_value


def expectiminimax(
    game: Game[State, Move],
    state: State,
    depth: int = -1,
    tell: Listener = nobody,
    table: dict[tuple[Hashable, int], Number] | None = None,
) -> Solution[Move]:
    """Search a two-player game with chance.

    :param depth: in plies, including rolls of dice; negative values search to the end of the game.
    :param tell: called with each step.
    :param table: known values of states, by key and depth; new ones are added.
    """
    place = (game.key(state), max(depth, -1))
    if table is not None and place in table:
        return Solution(table[place], None, 1)
    tell("search_enter", state)
    player = game.player(state)
    nodes = 1
    best: Number | None = None
    choice = None
    if player is None or depth == 0:
        best = leaf_value(game, state)
        tell("search_leaf", state, value=best)
        return Solution(best, None, 1)
    if player == CHANCE:
        best = Fraction(0)
        for outcome, chance in game.chances(state):
            after = game.apply(state, outcome)
            tell("chance_try", state, after, chance=chance)
            reply = expectiminimax(game, after, depth - 1, tell, table)
            nodes += reply.nodes
            best += chance * reply.value
            told = {"value": reply.value, "product": chance * reply.value, "sum": best}
            tell("chance_sum", state, after, chance=chance, **told)
    else:
        for move in game.moves(state):
            after = game.apply(state, move)
            tell("search_try", state, after)
            reply = expectiminimax(game, after, depth - 1, tell, table)
            nodes += reply.nodes
            tell("search_back", state, after, value=reply.value)
            if best is None or is_better(reply.value, best, player):
                best, choice = reply.value, move
                tell("search_best", state, after, value=best)
    tell("search_return", state, value=best)
    if table is not None:
        assert best is not None
        table[place] = best
    return Solution(best, choice, nodes)

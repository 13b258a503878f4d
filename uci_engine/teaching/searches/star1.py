"""Star1: alpha-beta for games with chance, where all values lie between two known bounds.

After some outcomes of chance, the others can change the mean only so much, because none is worth
less than the lowest value or more than the highest. If even that does not reach the window, the
other outcomes are skipped. Source: Ballard, The *-Minimax Search Procedure for Trees Containing
Chance Nodes (1983).
"""

from __future__ import annotations

import math

from ..game_protocol import CHANCE, MAX, Game, Move, Number, State
from ..told import Listener, Solution, nobody
from .minimax import is_better, leaf_value


def star1(
    game: Game[State, Move],
    state: State,
    lowest: Number,
    highest: Number,
    depth: int = -1,
    alpha: Number = -math.inf,
    beta: Number = math.inf,
    tell: Listener = nobody,
) -> Solution[Move]:
    """Search a two-player game with chance; fail-soft at players' nodes, bounds at chance nodes.

    :param lowest: no state is worth less for MAX.
    :param highest: no state is worth more for MAX.
    :param depth: in plies, including rolls of dice; negative values search to the end of the game.
    """
    tell("search_enter", state)
    player = game.player(state)
    if player is None or depth == 0:
        best = leaf_value(game, state)
        tell("search_leaf", state, value=best)
        return Solution(best, None, 1)
    if player == CHANCE:
        return _mean(game, state, lowest, highest, depth, alpha, beta, tell)
    value: Number | None = None
    moves = game.moves(state)
    choice, nodes = None, 1
    for number, move in enumerate(moves, 1):
        after = game.apply(state, move)
        tell("search_try", state, after)
        reply = star1(game, after, lowest, highest, depth - 1, alpha, beta, tell)
        nodes += reply.nodes
        tell("search_back", state, after, value=reply.value)
        if value is None or is_better(reply.value, value, player):
            value, choice = reply.value, move
            tell("search_best", state, after, value=value)
        if player == MAX:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta and number < len(moves):
            tell("star_cut", state, value=value)
            break
    tell("search_return", state, value=value)
    return Solution(value, choice, nodes)


def _mean(
    game: Game[State, Move],
    state: State,
    lowest: Number,
    highest: Number,
    depth: int,
    alpha: Number,
    beta: Number,
    tell: Listener,
) -> Solution[Move]:
    """A chance node: each outcome is searched with the window in which it still matters."""
    known: Number = 0  # the sum of probability times value, so far
    left: Number = 1  # the probability of the outcomes not searched yet
    nodes = 1
    outcomes = game.chances(state)
    for number, (outcome, chance) in enumerate(outcomes, 1):
        after = game.apply(state, outcome)
        tell("chance_try", state, after, chance=chance)
        left -= chance
        low = max(lowest, (alpha - known - left * highest) / chance)
        high = min(highest, (beta - known - left * lowest) / chance)
        reply = star1(game, after, lowest, highest, depth - 1, low, high, tell)
        nodes += reply.nodes
        known += chance * reply.value
        told = {"value": reply.value, "product": chance * reply.value, "sum": known}
        tell("chance_sum", state, after, chance=chance, **told)
        least, greatest = known + left * lowest, known + left * highest
        if number < len(outcomes) and least >= beta:
            tell("star_cut", state, value=least)
            return Solution(least, None, nodes)
        if number < len(outcomes) and greatest <= alpha:
            tell("star_cut", state, value=greatest)
            return Solution(greatest, None, nodes)
    tell("search_return", state, value=known)
    return Solution(known, None, nodes)

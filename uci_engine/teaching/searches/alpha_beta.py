"""Alpha-beta: minimax without the moves that cannot change the result.

MAX is already sure of alpha, and MIN of beta. Once a state is worth no more than alpha, or no less
than beta, one of them avoids it, and its remaining moves need not be searched. Fail-soft returns
the best value seen, fail-hard one of the bounds; at the root, both equal the minimax value. With
the best moves first, the time is O(b^(m/2)).

Sources: Knuth and Moore, An Analysis of Alpha-Beta Pruning (1975); Fishburn, Another Optimization
of Alpha-Beta Search (1983), for fail-soft; https://www.chessprogramming.org/Alpha-Beta
"""

from __future__ import annotations

import math

from ..game_protocol import MAX, Game, Move, Number, State
from ..told import Listener, Solution, nobody
from .minimax import is_better, leaf_value


def alpha_beta(
    game: Game[State, Move],
    state: State,
    depth: int = -1,
    alpha: Number = -math.inf,
    beta: Number = math.inf,
    is_hard: bool = False,
    tell: Listener = nobody,
) -> Solution[Move]:
    """Search a two-player game.

    :param depth: in plies; negative values search to the end of the game.
    :param alpha: MAX is sure of this.
    :param beta: MIN is sure of this.
    :param is_hard: return a bound in place of a value outside both.
    :param tell: called with each step.
    """
    window = {"alpha": alpha, "beta": beta}
    tell("search_enter", state, **window)
    player = game.player(state)
    if player is None or depth == 0:
        value = leaf_value(game, state)
        tell("search_leaf", state, value=value, **window)
        return Solution(value, None, 1)
    best: Number | None = None
    if is_hard:
        best = alpha if player == MAX else beta
    moves = game.moves(state)
    choice, nodes = None, 1
    for number, move in enumerate(moves, 1):
        after = game.apply(state, move)
        tell("search_try", state, after, value=best, **window)
        reply = alpha_beta(game, after, depth - 1, alpha, beta, is_hard, tell)
        nodes += reply.nodes
        tell("search_back", state, after, value=reply.value, **window)
        if best is None or is_better(reply.value, best, player):
            best, choice = reply.value, move
            tell("search_best", state, after, value=best, **window)
        if is_better(best, alpha if player == MAX else beta, player):
            alpha, beta = (best, beta) if player == MAX else (alpha, best)
            window = {"alpha": alpha, "beta": beta}
            tell("window_raise", state, bound=best, **window)
        if alpha >= beta:
            if is_hard:
                best = beta if player == MAX else alpha
            if number < len(moves):
                tell("window_cut", state, value=best, **window)
            break
    tell("search_return", state, value=best, **window)
    return Solution(best, choice, nodes)

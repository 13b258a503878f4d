"""Negamax with a table: what is good for one side is equally bad for the other.

A value is the mover's, so MAX and MIN need the same code. The table has each state under a key
shared by all symmetrical states, with its value or, where alpha-beta stopped early, a bound.
Sources: Knuth and Moore, An Analysis of Alpha-Beta Pruning (1975); Greenblatt, Eastlake and
Crocker, The Greenblatt Chess Program (1967), for the transposition table;
https://www.chessprogramming.org/Negamax
"""

from __future__ import annotations

import math
from collections.abc import Hashable

from ..game_protocol import MAX, Game, Move, Number, State, canonical
from ..told import Listener, Solution, nobody
from .minimax import leaf_value

#: By key and depth, the lowest and highest possible value of a state for its mover.
Table = dict[tuple[Hashable, int], tuple[Number, Number]]


def negamax(
    game: Game[State, Move],
    state: State,
    depth: int = -1,
    alpha: Number = -math.inf,
    beta: Number = math.inf,
    table: Table | None = None,
    tell: Listener = nobody,
) -> Solution[Move]:
    """Search a game of two players who move in turn; the value is for the player to move.

    :param depth: in plies; negative values search to the end of the game.
    :param table: known bounds from other searches; new entries are added.
    :param tell: called with each step.
    """
    color = 1 if game.player(state) in (MAX, None) else -1
    return _search(
        game, state, max(depth, -1), alpha, beta, color, {} if table is None else table, tell
    )


def _search(
    game: Game[State, Move],
    state: State,
    depth: int,
    alpha: Number,
    beta: Number,
    color: int,
    table: Table,
    tell: Listener,
) -> Solution[Move]:
    tell("search_enter", state)
    if game.player(state) is None or depth == 0:
        value = color * leaf_value(game, state)
        tell("search_leaf", state, value=value)
        return Solution(value, None, 1)
    place = canonical(game, state), depth
    low, high = table.get(place, (-math.inf, math.inf))
    if low == high or low >= beta or high <= alpha:
        known = low if low == high or low >= beta else high
        tell("table_hit", state, value=known)
        return Solution(known, None, 1)
    best: Number = -math.inf
    moves = game.moves(state)
    choice, nodes, window = None, 1, (alpha, beta)
    for number, move in enumerate(moves, 1):
        after = game.apply(state, move)
        tell("search_try", state, after)
        reply = _search(game, after, depth - 1, -beta, -alpha, -color, table, tell)
        nodes += reply.nodes
        tell("negamax_back", state, after, value=reply.value, negative=-reply.value)
        if -reply.value > best:
            best, choice = -reply.value, move
            tell("search_best", state, after, value=best)
        alpha = max(alpha, best)
        if alpha >= beta and number < len(moves):
            tell("negamax_cut", state, value=best)
            break
    table[place] = _bounds(best, *window)
    tell("search_return", state, value=best)
    return Solution(best, choice, nodes)


def _bounds(value: Number, alpha: Number, beta: Number) -> tuple[Number, Number]:
    """The bounds that a search with this window has proved."""
    return (-math.inf if value <= alpha else value), (math.inf if value >= beta else value)

"""Minimax: MAX takes the move with the highest value, MIN the one with the lowest.

Every line is searched to the end of the game, or to a depth where the game evaluates. The time is
O(b^m), for b moves in each state and m plies, but only the states of one line are kept: O(m).

Sources: Shannon, Programming a Computer for Playing Chess (1950);
https://www.chessprogramming.org/Minimax
"""

from __future__ import annotations

from ..game_protocol import MAX, Game, Move, Number, State
from ..told import Listener, Solution, nobody


def minimax(
    game: Game[State, Move], state: State, depth: int = -1, tell: Listener = nobody
) -> Solution[Move]:
    """Search a two-player game.

    :param depth: in plies; negative values search to the end of the game.
    :param tell: called with each step.
    """
    tell("search_enter", state)
    player = game.player(state)
    if player is None or depth == 0:
        value = leaf_value(game, state)
        tell("search_leaf", state, value=value)
        return Solution(value, None, 1)
    best: Number | None = None
    choice, nodes = None, 1
    for move in game.moves(state):
        after = game.apply(state, move)
        tell("search_try", state, after)
        reply = minimax(game, after, depth - 1, tell)
        nodes += reply.nodes
        tell("search_back", state, after, value=reply.value)
        if best is None or is_better(reply.value, best, player):
            best, choice = reply.value, move
            tell("search_best", state, after, value=best)
    tell("search_return", state, value=best)
    return Solution(best, choice, nodes)


def leaf_value(game: Game[State, Move], state: State) -> Number:
    """The value of a state for MAX without a search: its result, or the game's estimate."""
    is_over = game.player(state) is None
    return (game.result(state) if is_over else game.evaluate(state))[MAX]


def is_better(value: Number, best: Number, player: int) -> bool:
    """Whether a player prefers a value to the best so far."""
    return value > best if player == MAX else value < best

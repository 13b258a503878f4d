"""Max^n and paranoid: minimax for several players.

In max^n, each player takes the move that is best for themselves. Two players of a zero-sum game
have nothing to offer each other, but with three, moves may be equal for one player and not for the
others: the choice among them may decide the game, and that is how alliances arise. Paranoid assumes
that all others are allied against the searching player, so that alpha-beta works again.

Sources: Luckhardt and Irani, An Algorithmic Solution of N-Person Games (1986); Sturtevant and Korf,
On Pruning Techniques for Multi-Player Games (2000).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ..game_protocol import Game, Move, Number, State
from ..told import Listener, Solution, nobody

#: Whom a player helps among moves that are equal for that player; by default nobody.
Alliance = Mapping[int, int]


def max_n(
    game: Game[State, Move],
    state: State,
    depth: int = -1,
    alliance: Alliance | None = None,
    tell: Listener = nobody,
) -> Solution[Move]:
    """Search a game of several players; of completely equal moves, the first one counts.

    :param depth: in plies; negative values search to the end of the game.
    :param tell: called with each step.
    """
    tell("search_enter", state)
    player = game.player(state)
    if player is None or depth == 0:
        values = leaf_values(game, state)
        tell("search_leaf", state, value=values)
        return Solution(values, None, 1)
    friend = (alliance or {}).get(player, player)
    best: tuple[Number, ...] | None = None
    choice, nodes = None, 1
    for move in game.moves(state):
        after = game.apply(state, move)
        tell("max_n_try", state, after)
        reply = max_n(game, after, depth - 1, alliance, tell)
        nodes += reply.nodes
        values = reply.value
        tell("search_back", state, after, value=values)
        told = {"value": values, "own": values[player], "friend": friend + 1}
        told["other"] = values[friend]
        if best is None or values[player] > best[player]:
            tell("max_n_best", state, after, **told)
        elif values[player] == best[player] and values[friend] > best[friend]:
            tell("max_n_ally", state, after, **told)
        else:
            if values[player] == best[player]:
                tell("max_n_equal", state, after, **told)
            continue
        best, choice = values, move
    tell("search_return", state, value=best)
    return Solution(best, choice, nodes)


def paranoid(
    game: Game[State, Move],
    state: State,
    me: int,
    depth: int = -1,
    alpha: Number = -math.inf,
    beta: Number = math.inf,
    tell: Listener = nobody,
) -> Solution[Move]:
    """Search a game of several players as if all others were allied against one of them.

    :param me: that player, whose value is returned.
    """
    tell("search_enter", state)
    player = game.player(state)
    if player is None or depth == 0:
        value = leaf_values(game, state)[me]
        tell("search_leaf", state, value=value)
        return Solution(value, None, 1)
    best: Number | None = None
    moves = game.moves(state)
    choice, nodes = None, 1
    for number, move in enumerate(moves, 1):
        after = game.apply(state, move)
        tell("max_n_try", state, after)
        reply = paranoid(game, after, me, depth - 1, alpha, beta, tell)
        nodes += reply.nodes
        tell("search_back", state, after, value=reply.value)
        if best is None or (reply.value > best if player == me else reply.value < best):
            best, choice = reply.value, move
            tell("paranoid_best" if player == me else "paranoid_worst", state, after, value=best)
        if player == me:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta and number < len(moves):
            tell("paranoid_cut", state, value=best)
            break
    tell("search_return", state, value=best)
    return Solution(best, choice, nodes)


def leaf_values(game: Game[State, Move], state: State) -> tuple[Number, ...]:
    """The value of a state for each player without a search."""
    is_over = game.player(state) is None
    found: Sequence[Number] = game.result(state) if is_over else game.evaluate(state)
    return tuple(found)

"""Alpha-beta: minimax without the continuations that cannot change the result.

`alpha` is what MAX can already be sure of elsewhere, `beta` what MIN can. Once a state is worth no
more than alpha or no less than beta, one of them will not let it come about, and its other moves
need no look. Source: https://www.chessprogramming.org/Alpha-Beta
"""

from __future__ import annotations

from game import Game, Move, Player, Solution, State, Value, is_better


def alpha_beta(
    game: Game[State, Move],
    state: State,
    alpha: Value | None = None,
    beta: Value | None = None,
) -> Solution[Move]:
    """Solve a game from this state on.

    :param alpha: MAX has this elsewhere; None is "nothing yet".
    :param beta: MIN has this elsewhere; None is "nothing yet".
    """
    moves = game.moves(state)
    if not moves:
        return Solution(game.value(state), None, 1)
    player = game.player(state)
    nodes = 1
    best = None
    for move in moves:
        reply = alpha_beta(game, game.after(state, move), alpha, beta)
        nodes += reply.nodes
        if best is None or is_better(reply.value, best.value, player):
            best = Solution(reply.value, move, nodes)
        if player is Player.MAX and (alpha is None or best.value > alpha):
            alpha = best.value
        if player is Player.MIN and (beta is None or best.value < beta):
            beta = best.value
        if alpha is not None and beta is not None and alpha >= beta:
            break
    assert best is not None
    return Solution(best.value, best.move, nodes)

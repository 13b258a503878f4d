"""Minimax: look at every continuation to the end of the game.

Source: https://www.chessprogramming.org/Minimax
"""

from __future__ import annotations

from game import Game, Move, Solution, State, is_better


def minimax(game: Game[State, Move], state: State) -> Solution[Move]:
    """Solve a game from this state on."""
    moves = game.moves(state)
    if not moves:
        return Solution(game.value(state), None, 1)
    player = game.player(state)
    nodes = 1
    best = None
    for move in moves:
        reply = minimax(game, game.after(state, move))
        nodes += reply.nodes
        if best is None or is_better(reply.value, best.value, player):
            best = Solution(reply.value, move, nodes)
    assert best is not None
    return Solution(best.value, best.move, nodes)

"""Expectimax: minimax for games with dice. A roll is worth the mean of what may come out.

With both players and dice it is called expectiminimax, too.
Source: https://www.chessprogramming.org/Expectiminimax
"""

from __future__ import annotations

from game import DiceGame, Move, Player, Solution, State, Value, is_better


def expectimax(game: DiceGame[State, Move], state: State) -> Solution[Move]:
    """Solve a game with dice from this state on."""
    player = game.player(state)
    nodes = 1
    if player is Player.CHANCE:
        mean: Value = 0
        for probability, outcome in game.rolls(state):
            reply = expectimax(game, outcome)
            nodes += reply.nodes
            mean += probability * reply.value
        return Solution(mean, None, nodes)
    moves = game.moves(state)
    if not moves:
        return Solution(game.value(state), None, 1)
    best = None
    for move in moves:
        reply = expectimax(game, game.after(state, move))
        nodes += reply.nodes
        if best is None or is_better(reply.value, best.value, player):
            best = Solution(reply.value, move, nodes)
    assert best is not None
    return Solution(best.value, best.move, nodes)

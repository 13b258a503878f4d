"""The network of `policy_value`: the value of a position, and how promising each of its moves is.

The inputs are the pieces on their squares as the side to move sees them: 768 numbers, of which at
most 32 are 1. A hidden layer, of a size set in `halbzug.teaching.training`, gives three outputs:
the value, a score for each square that a move may leave, and one for each square that a type of
piece may reach. A move's score is the sum of its two. Needs numpy: `pip install "halbzug[lab]"`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chess
import numpy as np

if TYPE_CHECKING:
    from typing import TypeAlias

    Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

#: Where `halbzug.teaching.training` writes the weights.
WEIGHTS_FILE = Path(__file__).with_name("policy_value.npz")

#: Inputs, and policy outputs: squares left, and squares reached by each type of piece.
INPUTS, LEFT, REACHED = 768, 64, 6 * 64


def inputs(board: chess.Board) -> list[int]:
    """The indices of the inputs that are 1: own pieces by type and square, then the enemy's."""
    own, enemy = board.occupied_co[board.turn], board.occupied_co[not board.turn]
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    flip = 0 if board.turn else 56
    return [
        64 * number + (square ^ flip)
        for number, mask in enumerate([kind & color for color in (own, enemy) for kind in kinds])
        if mask
        for square in chess.scan_forward(mask)
    ]


class Network:
    """Arrays of weights by name: `hidden`, `value_hidden`, `value` and `policy`, with biases."""

    def __init__(self, weights: dict[str, Array]) -> None:
        self.weights = weights

    def judge(self, board: chess.Board) -> tuple[float, dict[chess.Move, float]]:
        """The value, from -1 to 1 for the side to move, and the probability of each legal move."""
        w = self.weights
        hidden = np.maximum(w["hidden"][inputs(board)].sum(axis=0) + w["hidden_bias"], 0)
        second = np.maximum(hidden @ w["value_hidden"] + w["value_hidden_bias"], 0)
        value = np.tanh(second @ w["value"] + w["value_bias"][0])
        scores = hidden @ w["policy"] + w["policy_bias"]
        flip = 0 if board.turn else 56
        moves = list(board.legal_moves)
        left = [move.from_square ^ flip for move in moves]
        reached = [
            LEFT + 64 * ((board.piece_type_at(move.from_square) or 1) - 1) + (move.to_square ^ flip)
            for move in moves
        ]
        logits = scores[left] + scores[reached]
        odds = np.exp(logits - logits.max(initial=0))
        return float(value), dict(zip(moves, (odds / odds.sum()).tolist(), strict=True))


@cache
def trained() -> Network:
    """The network with weights trained on games of Halbzug."""
    with np.load(WEIGHTS_FILE) as file:
        return Network({name: file[name].astype(np.float32) for name in file.files})

"""Trains the network of `halbzug.teaching.engines.policy_value` on games of the engine.

    python -m halbzug.teaching.training_games games.txt --seconds 600 --seed 1
    python -m halbzug.teaching.training games.txt [--epochs 6]

The value learns the expected result implied by the teacher's score, the policy learns the teacher's
move: the square it leaves, and the one it reaches. Adam minimises the sum of the three cross
entropies. The last part of the positions is held out, and only used for measuring. Needs numpy.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import chess
import numpy as np

from ..board.public_board import Board
from ..tuning.command import command_parser
from ..tuning.descent import Adam
from .engines.network import INPUTS, LEFT, REACHED, WEIGHTS_FILE, inputs

if TYPE_CHECKING:
    from .engines.network import Array

#: Neurons of the hidden layer, and of the layer before the value.
HIDDEN, VALUE_HIDDEN = 128, 32

#: Centipawns for odds of e to 1, positions per batch, Adam's first step, and the held-out share.
SCALE, BATCH, STEP, HELD_OUT = 250, 1024, 2e-3, 0.02

#: The weight of the value relative to each part of the policy: its cross entropy varies less.
VALUE_SHARE = 4.0


class Samples(NamedTuple):
    """Positions, one per row."""

    rows: Array  # N x 32 indices of inputs that are 1; `INPUTS` for none
    chances: Array  # the teacher's expected result for the side to move, 0 to 1
    left: Array  # the square that its move leaves
    reached: Array  # the output for the square that it reaches


def read(files: Sequence[Path]) -> Samples:
    """Read the output of `halbzug.teaching.training_games`."""
    rows, chances, left, reached = [], [], [], []
    for file in files:
        for line in file.read_text(encoding="ascii").splitlines():
            fen, move_text, score = line.split(";")
            board, move = Board(fen), chess.Move.from_uci(move_text)
            numbers = inputs(board)
            rows.append(numbers + [INPUTS] * (32 - len(numbers)))
            chances.append(1 / (1 + np.exp(-max(-3000, min(3000, int(score))) / SCALE)))
            flip = 0 if board.turn else 56
            left.append(move.from_square ^ flip)
            piece_type = board.piece_type_at(move.from_square) or 1
            reached.append(64 * (piece_type - 1) + (move.to_square ^ flip))
    return Samples(
        np.array(rows, np.int16),
        np.array(chances, np.float32),
        np.array(left),
        np.array(reached),
    )


class NetworkFit:
    """A network in training.

    :ivar weights: by name, as in `Network`; the hidden layer has an additional row, for no piece.
    """

    def __init__(self, seed: int) -> None:
        generator = np.random.default_rng(seed)

        def layer(rows: int, columns: int, active: int) -> Array:
            spread = np.sqrt(2 / active)
            return generator.normal(0, spread, (rows, columns)).astype(np.float32)

        self.weights = {
            "hidden": layer(INPUTS + 1, HIDDEN, 32),
            "hidden_bias": np.zeros(HIDDEN, np.float32),
            "value_hidden": layer(HIDDEN, VALUE_HIDDEN, HIDDEN),
            "value_hidden_bias": np.zeros(VALUE_HIDDEN, np.float32),
            "value": layer(VALUE_HIDDEN, 1, VALUE_HIDDEN)[:, 0],
            "value_bias": np.zeros(1, np.float32),
            "policy": layer(HIDDEN, LEFT + REACHED, HIDDEN) / 4,
            "policy_bias": np.zeros(LEFT + REACHED, np.float32),
        }
        self.optimisers = {name: Adam(array) for name, array in self.weights.items()}

    def losses(self, samples: Samples, step: float = 0.0) -> Array:
        """The mean cross entropies of value, square left and square reached.

        :param step: the size of a step against their gradient; 0 only measures.
        """
        w = self.weights
        rows, chances, left, reached = samples
        count = np.arange(len(rows))
        board = np.zeros((len(rows), INPUTS + 1), np.float32)
        board[count[:, None], rows] = 1
        board[:, INPUTS] = 0
        hidden = np.maximum(board @ w["hidden"] + w["hidden_bias"], 0)
        second = np.maximum(hidden @ w["value_hidden"] + w["value_hidden_bias"], 0)
        # The value is a tanh, which corresponds to a logistic function of the doubled score.
        chance = 1 / (1 + np.exp(-2 * (second @ w["value"] + w["value_bias"][0])))
        scores = hidden @ w["policy"] + w["policy_bias"]
        parts = [_softmax(scores[:, :LEFT]), _softmax(scores[:, LEFT:])]
        sure = np.clip(chance, 1e-7, 1 - 1e-7)
        losses = np.array(
            [
                -np.mean(chances * np.log(sure) + (1 - chances) * np.log(1 - sure)),
                -np.mean(np.log(parts[0][count, left] + 1e-9)),
                -np.mean(np.log(parts[1][count, reached] + 1e-9)),
            ]
        )
        if not step:
            return losses
        value_slope = VALUE_SHARE * 2 * (chance - chances) / len(rows)
        parts[0][count, left] -= 1
        parts[1][count, reached] -= 1
        policy_slope = np.concatenate(parts, axis=1) / len(rows)
        second_slope = np.outer(value_slope, w["value"]) * (second > 0)
        hidden_slope = policy_slope @ w["policy"].T + second_slope @ w["value_hidden"].T
        hidden_slope *= hidden > 0
        gradients = {
            "hidden": board.T @ hidden_slope,
            "hidden_bias": hidden_slope.sum(axis=0),
            "value_hidden": hidden.T @ second_slope,
            "value_hidden_bias": second_slope.sum(axis=0),
            "value": second.T @ value_slope,
            "value_bias": value_slope.sum(keepdims=True),
            "policy": hidden.T @ policy_slope,
            "policy_bias": policy_slope.sum(axis=0),
        }
        for name, gradient in gradients.items():
            w[name] += self.optimisers[name].change(gradient, step).astype(np.float32)
        return losses

    def save(self, path: Path) -> None:
        """Write the weights in half precision."""
        arrays: dict[str, Any] = {
            name: array.astype(np.float16) for name, array in self.weights.items()
        }
        arrays["hidden"] = arrays["hidden"][:INPUTS]
        with path.open("wb") as file:
            np.savez_compressed(file, **arrays)


def _softmax(scores: Array) -> Array:
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Array = odds / odds.sum(axis=1, keepdims=True)
    return shares


def main(arguments: Sequence[str] | None = None) -> int:
    """Train the network, and write its weights after each epoch."""
    parser = command_parser("halbzug.teaching.training", __doc__)
    parser.add_argument(
        "files", type=Path, nargs="+", help="written by halbzug.teaching.training_games"
    )
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=WEIGHTS_FILE)
    options = parser.parse_args(arguments)
    began_at = time.monotonic()
    data = read(options.files)
    count = len(data[0])
    first_held_out = count - max(1, int(HELD_OUT * count))
    print(f"{count} positions read in {time.monotonic() - began_at:.0f} s", flush=True)
    fit, generator = NetworkFit(options.seed), np.random.default_rng(options.seed)
    batches = max(1, first_held_out // BATCH)
    for epoch in range(options.epochs):
        order = generator.permutation(first_held_out)
        for number in range(batches):
            part = order[number * BATCH : (number + 1) * BATCH]
            done = (epoch + number / batches) / options.epochs
            step = STEP * (1 + np.cos(np.pi * done)) / 2 + 1e-5
            fit.losses(Samples(*(array[part] for array in data)), step)
        losses = fit.losses(Samples(*(array[first_held_out:] for array in data)))
        fit.save(options.output)
        text = ", ".join(f"{loss:.4f}" for loss in losses)
        print(
            f"epoch {epoch + 1}: held out {text}, {time.monotonic() - began_at:.0f} s", flush=True
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""A network with two outputs, in numpy: how good a board is, and how likely each move is best.

Two hidden layers of rectified linear units serve both. The policy is a softmax over the moves, the
value a tanh: -1 is a loss for the side to move, 1 a win.
"""

from __future__ import annotations

import numpy as np

from ...tuning.descent import Adam
from .line_game import Array


class PolicyValueNet:
    """The weights of the network, and their training.

    :param inputs: the number of inputs.
    :param moves: the number of outputs of the policy.
    :param hidden: the number of units in each hidden layer.
    :ivar weights: arrays by name; each layer has a bias.
    """

    def __init__(
        self, inputs: int, moves: int, hidden: int, generator: np.random.Generator
    ) -> None:
        def layer(rows: int, columns: int, scale: float) -> Array:
            return generator.normal(0, scale, (rows, columns)).astype(np.float32)

        self.weights = {
            "first": layer(inputs, hidden, (4 / inputs) ** 0.5),
            "second": layer(hidden, hidden, (2 / hidden) ** 0.5),
            "policy": layer(hidden, moves, 0.1 / hidden**0.5),
            "value": layer(hidden, 1, 0.1 / hidden**0.5),
        }
        for name in list(self.weights):
            self.weights[f"{name}_bias"] = np.zeros(self.weights[name].shape[1], np.float32)
        self.optimisers = {name: Adam(array) for name, array in self.weights.items()}

    def judge(self, inputs: Array) -> tuple[Array, Array]:
        """The scores of the moves before the softmax, of shape N x moves, and the N values."""
        return self._forward(inputs)[2:]

    def _forward(self, inputs: Array) -> tuple[Array, Array, Array, Array]:
        w = self.weights
        first = np.maximum(inputs @ w["first"] + w["first_bias"], 0)
        second = np.maximum(first @ w["second"] + w["second_bias"], 0)
        scores = second @ w["policy"] + w["policy_bias"]
        values = np.tanh(second @ w["value"] + w["value_bias"])[:, 0]
        return first, second, scores, values

    def gradients(
        self, inputs: Array, shares: Array, results: Array
    ) -> tuple[dict[str, Array], float, float]:
        """Backpropagation: the gradients of the loss, and its two parts.

        The loss is the mean of the policy's cross entropy and of the value's squared error.

        :param shares: what the policy should be, of shape N x moves.
        :param results: what the N values should be.
        """
        w = self.weights
        first, second, scores, values = self._forward(inputs)
        policy = softmax(scores)
        error = values - results
        policy_loss = -float(np.mean(np.sum(shares * np.log(policy + 1e-9), axis=1)))
        score_slope = (policy - shares) / len(inputs)
        value_slope = (2 * error * (1 - values**2) / len(inputs))[:, None]
        second_slope = (score_slope @ w["policy"].T + value_slope @ w["value"].T) * (second > 0)
        first_slope = (second_slope @ w["second"].T) * (first > 0)
        gradients = {}
        for name, below, slope in (
            ("first", inputs, first_slope),
            ("second", first, second_slope),
            ("policy", second, score_slope),
            ("value", second, value_slope),
        ):
            gradients[name] = below.T @ slope
            gradients[f"{name}_bias"] = slope.sum(axis=0)
        return gradients, policy_loss, float(np.mean(error**2))

    def train(
        self, inputs: Array, shares: Array, results: Array, step: float
    ) -> tuple[float, float]:
        """Make a step of Adam against the gradient; return the losses before it."""
        gradients, *losses = self.gradients(inputs, shares, results)
        for name, gradient in gradients.items():
            self.weights[name] += self.optimisers[name].change(gradient, step)
        return losses[0], losses[1]

    def arrays(self) -> dict[str, Array]:
        """Everything that must be saved to continue later, by name."""
        kept = {f"weights.{name}": array for name, array in self.weights.items()}
        for name, adam in self.optimisers.items():
            kept[f"slope.{name}"], kept[f"square.{name}"] = adam.slope, adam.square
            kept[f"steps.{name}"] = np.array(adam.rounds)
        return kept

    def restore(self, kept: dict[str, Array]) -> None:
        """Continue from what `arrays` returned."""
        for name, adam in self.optimisers.items():
            self.weights[name] = kept[f"weights.{name}"]
            adam.slope, adam.square = kept[f"slope.{name}"], kept[f"square.{name}"]
            adam.rounds = int(kept[f"steps.{name}"])


def softmax(scores: Array) -> Array:
    """The probabilities of each row; minus infinity becomes 0."""
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Array = odds / odds.sum(axis=1, keepdims=True)
    return shares

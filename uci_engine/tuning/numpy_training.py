"""Trains a small network that evaluates on its own, with numpy, on the processor.

    python -m halbzug.tuning.numpy_training POSITIONS NETWORK [--seconds 1800] [--neurons 64]

`POSITIONS` is a folder of `halbzug.tuning.own_scores` or `visits`; its first file is held out. The
network has a single place of the own king, and otherwise the parts that
`halbzug.tuning.torch_training` describes. The same command continues from `NETWORK.state.npz` after
an interruption. `halbzug train` records, trains and rates with one command.
"""

from __future__ import annotations

import json
import math
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.whole_file import write_whole
from ..eval.network_file import INPUTS, KING_SQUARES, ROWS, WHOLE_SCALE, Weights
from .command import command_parser, exit_code
from .descent import Adam
from .positions_file import read_columns, squares_of
from .searcher import LabError

if TYPE_CHECKING:
    from .descent import Vector

#: The unit of the trainers, in centipawns.
UNIT = 400.0

#: An input and an output weight of 1 in the units of the engine, and the largest that fits.
INPUT_PARTS, OUTPUT_PARTS, MAX_WEIGHT = 256, UNIT / 2, 127

#: A centipawn of material and position in the units of the engine.
POSITION_PARTS = 2

#: The value of a piece on any square before training, in centipawns: pawn to king.
MATERIAL = (100, 320, 335, 500, 960, 0)

#: The codes of the records for the pieces of the side to move and of the other side.
KINDS = (1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14)

#: Centipawns for which the sigmoid's argument is 1.
SCALE = 110.0

BATCH, STEP = 8192, 0.003

#: Seconds between two looks at the held-out positions, and the maximum number of these used.
LOOK_SECONDS, HELD_OUT = 30.0, 20_000


class NumpyNetwork:
    """A network during training.

    :param neurons: the number of neurons of a view.
    """

    def __init__(self, neurons: int, seed: int = 1) -> None:
        import numpy as np

        chooser = np.random.default_rng(seed)
        self.neurons = neurons
        material = [*MATERIAL, *(-value for value in MATERIAL)]
        inputs = chooser.uniform(-0.087, 0.087, (INPUTS, neurons + ROWS))
        inputs[:, neurons:] = np.repeat(material, 64)[:, None] / UNIT
        outputs = chooser.uniform(-0.035, 0.035, (ROWS, 2, neurons))
        numbers = {"inputs": inputs, "biases": np.full(neurons, 0.25), "outputs": outputs}
        self.numbers = {name: value.astype(np.float32) for name, value in numbers.items()}
        self.optimisers = {name: Adam(value) for name, value in self.numbers.items()}

    @property
    def steps(self) -> int:
        """The number of steps made."""
        return self.optimisers["inputs"].rounds

    def rounded(self) -> dict[str, Vector]:
        """The weights as the engine has them."""
        import numpy as np

        inputs, neurons = self.numbers["inputs"].copy(), self.neurons
        inputs[:, :neurons] = np.round(inputs[:, :neurons] * INPUT_PARTS) / INPUT_PARTS
        parts = UNIT * POSITION_PARTS
        inputs[:, neurons:] = np.round(inputs[:, neurons:] * parts) / parts
        biases = np.round(self.numbers["biases"] * INPUT_PARTS) / INPUT_PARTS
        outputs = np.round(self.numbers["outputs"] * OUTPUT_PARTS) / OUTPUT_PARTS
        return {"inputs": inputs, "biases": biases, "outputs": outputs}

    def evaluate(
        self, batch: TrainingBatch, slopes: Callable[[Vector], Vector] | None = None
    ) -> Any:
        """Evaluations in units, for the side to move.

        :param slopes: the derivatives of the loss with respect to the evaluations; if given, the
            gradient of the loss is returned instead.
        """
        import numpy as np

        weights, neurons, rows = self.rounded(), self.neurons, batch.rows
        numbers = np.arange(len(rows))
        total = np.zeros(len(rows), np.float32)
        seen = []
        for side, view in enumerate((batch.own, batch.other)):
            on = view[:, None, :] == np.array(KINDS, np.uint8)[:, None]
            inputs = on.reshape(-1, INPUTS).astype(np.float32)
            sums = inputs @ weights["inputs"]
            position = sums[numbers, neurons + rows] / 2
            values = np.clip(sums[:, :neurons] + weights["biases"], 0, 1)
            outputs = weights["outputs"][rows, side]
            total += (values * values * outputs).sum(1) + (-position if side else position)
            seen.append((inputs, values, outputs))
        if slopes is None:
            return total
        slope = slopes(total)
        gradient = {name: np.zeros_like(value) for name, value in weights.items()}
        for side, (inputs, values, outputs) in enumerate(seen):
            of_sums = np.zeros((len(rows), neurons + ROWS), np.float32)
            is_between = (values > 0) & (values < 1)
            of_sums[:, :neurons] = slope[:, None] * outputs * 2 * values * is_between
            of_sums[numbers, neurons + rows] = (-slope if side else slope) / 2
            gradient["inputs"] += inputs.T @ of_sums
            gradient["biases"] += of_sums[:, :neurons].sum(0)
            for row in range(ROWS):
                of_row = rows == row
                gradient["outputs"][row, side] = slope[of_row] @ values[of_row] ** 2
        return gradient

    def learn(self, batch: TrainingBatch, step: float) -> float:
        """Make one step of Adam; return the mean squared error before it."""
        import numpy as np

        error = 0.0

        def slopes(found: Vector) -> Vector:
            nonlocal error
            expected = 1 / (1 + np.exp(-found * (UNIT / SCALE)))
            missed = expected - batch.expected
            error = float(np.mean(missed * missed))
            slope: Vector = (missed * expected * (1 - expected)).astype(np.float32)
            return slope

        gradient = self.evaluate(batch, slopes)
        for name, slope in gradient.items():
            self.numbers[name] += self.optimisers[name].change(slope, step)
        largest = MAX_WEIGHT / INPUT_PARTS
        neurons = self.numbers["inputs"][:, : self.neurons]
        np.clip(neurons, -largest, largest, out=neurons)
        largest = MAX_WEIGHT / OUTPUT_PARTS
        np.clip(self.numbers["outputs"], -largest, largest, out=self.numbers["outputs"])
        return error

    def weights(self) -> Weights:
        """The file that the engine plays with."""

        def whole(kind: str, numbers: Vector, parts: float) -> array[int]:
            return array(kind, (numbers * parts).round().astype(int).ravel().tolist())

        found, neurons = self.rounded(), self.neurons
        return Weights(
            neurons,
            WHOLE_SCALE,
            array("B", bytes(KING_SQUARES)),
            whole("h", found["biases"], INPUT_PARTS),
            whole("b", found["outputs"], OUTPUT_PARTS),
            whole("h", found["inputs"][:, neurons:], UNIT * POSITION_PARTS),
            whole("b", found["inputs"][:, :neurons], INPUT_PARTS),
        )


class TrainingBatch:
    """Positions as both sides see them, with their rows and expected results.

    :param columns: see `halbzug.tuning.positions_file.read_columns`.
    :param result_share: see `train`.
    """

    def __init__(self, columns: Vector, result_share: float) -> None:
        import numpy as np

        codes = squares_of(columns)
        is_white = columns["flags"] & 1 == 1
        turned = codes.reshape(-1, 8, 8)[:, ::-1].reshape(-1, 64)
        turned = np.where(turned > 0, turned ^ 8, 0).astype(np.uint8)
        self.own = _mirrored(np.where(is_white[:, None], codes, turned))
        self.other = _mirrored(np.where(is_white[:, None], turned, codes))
        self.rows = ((codes > 0).sum(1) - 1) // 4
        scores = np.where(is_white, columns["score"], -columns["score"].astype(int))
        results = np.where(is_white, columns["result"], 2 - columns["result"].astype(int)) / 2
        expected = 1 / (1 + np.exp(-scores / SCALE))
        self.expected = (1 - result_share) * expected + result_share * results


def _mirrored(codes: Vector) -> Vector:
    """Views mirrored so that the own king is on the files e to h."""
    import numpy as np

    is_left = (codes == 6).argmax(1) % 8 < 4
    return np.where(is_left[:, None], codes.reshape(-1, 8, 8)[:, :, ::-1].reshape(-1, 64), codes)


@dataclass(frozen=True)
class Look:
    """A look at a network during training.

    :ivar seconds: the training time so far.
    :ivar positions: the number of positions learnt so far, including repetitions.
    :ivar learnt: the mean squared error of expected results since the last look.
    :ivar held_out: the same for positions that are never learnt.
    """

    seconds: float
    positions: int
    learnt: float
    held_out: float


def train(
    folder: Path,
    state: Path,
    seconds: float,
    neurons: int,
    *,
    result_share: float = 0.0,
    seed: int = 1,
    tell: Callable[[str], None] = print,
) -> tuple[Weights, list[Look]]:
    """Train until the time, counted over all runs, is up.

    :param folder: the folder of positions.
    :param state: the file that keeps everything for the next run.
    :param neurons: the number of neurons of a view, a multiple of 32.
    :param result_share: the share of the game's result in what is learnt, 0 to 1; the rest is the
        score.
    :raises LabError: if there are too few positions, or the state belongs to another network.
    """
    import numpy as np

    paths = [path for path in sorted(folder.glob("games-*.bin")) if path.stat().st_size]
    if len(paths) < 2:
        raise LabError(f"{folder} has fewer than two files of positions")
    learnt = np.concatenate([read_columns(path) for path in paths[1:]])
    held_out = TrainingBatch(read_columns(paths[0])[:HELD_OUT], result_share)
    network = NumpyNetwork(neurons, seed)
    spent, looks = _take_up(network, state)
    chooser = np.random.default_rng([seed, network.steps])
    size = min(BATCH, len(learnt))
    last, looked, found = time.monotonic(), spent, []
    while spent < seconds:
        batch = TrainingBatch(learnt[chooser.integers(0, len(learnt), size)], result_share)
        step = STEP * (1 + math.cos(math.pi * spent / seconds)) / 2
        found.append(network.learn(batch, step))
        now = time.monotonic()
        spent, last = spent + now - last, now
        if spent - looked >= LOOK_SECONDS or spent >= seconds:
            looked = spent
            expected = 1 / (1 + np.exp(-network.evaluate(held_out) * (UNIT / SCALE)))
            error = float(np.mean((expected - held_out.expected) ** 2))
            look = Look(round(spent, 1), network.steps * size, sum(found) / len(found), error)
            looks, found = [*looks, look], []
            _keep(network, state, spent, looks)
            tell(
                f"{spent:,.0f} of {seconds:,.0f} s: {look.positions:,} positions, error"
                f" {look.learnt:.6f}, of held-out positions {error:.6f}"
            )
    return network.weights(), looks


def _take_up(network: NumpyNetwork, state: Path) -> tuple[float, list[Look]]:
    """Continue where the last run was stopped; return the seconds spent, and the looks."""
    import numpy as np

    if not state.exists():
        return 0.0, []
    with np.load(state) as kept:
        if len(kept["biases"]) != network.neurons:
            raise LabError(f"{state} belongs to a network of {len(kept['biases'])} neurons")
        for name, adam in network.optimisers.items():
            network.numbers[name] = kept[name]
            adam.slope, adam.square = kept[f"mean_{name}"], kept[f"square_{name}"]
            adam.rounds = int(kept["steps"])
        return float(kept["spent"]), [Look(**one) for one in json.loads(str(kept["looks"]))]


def _keep(network: NumpyNetwork, state: Path, spent: float, looks: Sequence[Look]) -> None:
    import numpy as np

    part = state.with_suffix(".part.npz")
    kept: dict[str, Any] = {
        "steps": network.steps,
        "spent": spent,
        "looks": json.dumps([asdict(look) for look in looks]),
    }
    for name, adam in network.optimisers.items():
        kept |= {name: network.numbers[name]}
        kept |= {f"mean_{name}": adam.slope, f"square_{name}": adam.square}
    np.savez(part, **kept)
    part.replace(state)


def main(arguments: Sequence[str] | None = None) -> int:
    """Train."""
    parser = command_parser("halbzug.tuning.numpy_training", __doc__)
    parser.add_argument("positions", metavar="POSITIONS", type=Path)
    parser.add_argument("network", metavar="NETWORK", type=Path)
    parser.add_argument("--seconds", type=float, default=1800, help="%(default)s")
    parser.add_argument("--neurons", type=int, default=64, help="a multiple of 32: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="%(default)s")
    options = parser.parse_args(arguments)
    if options.neurons < 32 or options.neurons % 32 or options.seconds <= 0:
        parser.error("--neurons must be a multiple of 32, and --seconds more than 0")

    def work() -> None:
        state = options.network.with_name(options.network.name + ".state.npz")
        weights, _ = train(
            options.positions, state, options.seconds, options.neurons, seed=options.seed
        )
        write_whole(options.network, weights.pack())

    return exit_code(parser.prog, work, "folder")


if __name__ == "__main__":
    raise SystemExit(main())

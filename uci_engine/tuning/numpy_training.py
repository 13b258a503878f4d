"""Trains a small network that evaluates on its own, with numpy, on the processor.

    python -m halbzug.tuning.numpy_training POSITIONS NETWORK [--first FOLDER] [--neurons 256]

`POSITIONS` is a folder of `halbzug.tuning.own_scores` or `visits`; its first file is held out, or
a tenth of the only one. With a folder `--first`, its positions are learnt before them, in most of
the time; they may be more than fit into memory. The network has a single place of the own king, and
otherwise the parts that `halbzug.tuning.torch_training` describes. The same command continues from
`NETWORK.state.npz` after an interruption. `halbzug train` records, trains and rates with one
command.
"""

from __future__ import annotations

import json
import math
import os
import time
from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.whole_file import write_whole
from ..eval.network_file import INPUTS, KING_SQUARES, ROWS, WHOLE_SCALE, Weights
from .command import command_parser, exit_code
from .descent import Adam
from .positions_file import pieces_of, read_columns
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

#: The largest step after the positions that are learnt first. A network soon knows the others by
#: heart, and loses what it has learnt.
FINE_STEP = 0.0005

#: Parts of a batch, each calculated by a thread; fixed, so that any number adds in the same order.
PARTS = 4

#: The share of the time for the positions that are learnt first.
FIRST_SHARE = 0.9

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

    def evaluate(self, batch: TrainingBatch) -> Vector:
        """Evaluations in units, for the side to move."""
        return self._forward(batch, self.rounded())[0]

    def error(self, batch: TrainingBatch) -> float:
        """The mean squared error of expected results."""
        import numpy as np

        return float(np.mean((_expected(self.evaluate(batch)) - batch.expected) ** 2))

    def gradient(
        self,
        batch: TrainingBatch,
        weights: dict[str, Vector],
        slopes: Callable[[Vector], Vector],
    ) -> dict[str, Vector]:
        """The gradient of a loss at the rounded weights.

        :param slopes: the derivatives of the loss with respect to the evaluations.
        """
        import numpy as np
        from scipy.sparse import csr_array

        total, views = self._forward(batch, weights)
        slope, neurons, rows = slopes(total), self.neurons, batch.rows
        # Sparse, so that BLAS does not start threads of its own.
        by_row = csr_array((slope, rows, np.arange(len(rows) + 1)), shape=(len(rows), ROWS))
        gradient = {name: np.zeros_like(value) for name, value in weights.items()}
        for side, (view, values, weighted) in enumerate(views):
            # In place, because new arrays would take as long as the arithmetic.
            weighted *= (2 * slope)[:, None]
            weighted *= values < 1
            inputs = gradient["inputs"]
            inputs[:, :neurons] += view.T @ weighted
            inputs[:, neurons:] += (view.T @ by_row).toarray() * (-0.5 if side else 0.5)
            gradient["biases"] += weighted.sum(0)
            gradient["outputs"][:, side] = by_row.T @ np.square(values, out=values)
        return gradient

    def _forward(self, batch: TrainingBatch, weights: dict[str, Vector]) -> tuple[Vector, Any]:
        """Evaluations, and for each view its inputs, and its neurons' values, also weighted."""
        import numpy as np

        neurons, rows = self.neurons, batch.rows
        total = np.zeros(len(rows), np.float32)
        views = []
        for side, view in enumerate((batch.own, batch.other)):
            sums = view @ weights["inputs"]
            position = sums[np.arange(len(rows)), neurons + rows] / 2
            values = sums[:, :neurons]
            values += weights["biases"]
            np.clip(values, 0, 1, out=values)
            weighted = weights["outputs"][rows, side]
            weighted *= values
            total += np.einsum("ij,ij->i", weighted, values) + (-position if side else position)
            views.append((view, values, weighted))
        return total, views

    def learn(
        self, batches: Sequence[TrainingBatch], step: float, each: Callable[..., Any] = map
    ) -> float:
        """Make one step of Adam; return the mean squared error before it.

        :param batches: the parts of a batch.
        :param each: `map`, or that of a pool of threads, for a part each.
        """
        import numpy as np

        weights = self.rounded()

        def of_part(batch: TrainingBatch) -> tuple[dict[str, Vector], float]:
            error = 0.0

            def slopes(found: Vector) -> Vector:
                nonlocal error
                expected = _expected(found)
                missed = expected - batch.expected
                error = float(np.mean(missed * missed))
                slope: Vector = (missed * expected * (1 - expected)).astype(np.float32)
                return slope

            return self.gradient(batch, weights, slopes), error

        found = list(each(of_part, batches))
        for name in weights:
            slope = sum(gradient[name] for gradient, _ in found)
            self.numbers[name] += self.optimisers[name].change(slope, step)
        largest = MAX_WEIGHT / INPUT_PARTS
        neurons = self.numbers["inputs"][:, : self.neurons]
        np.clip(neurons, -largest, largest, out=neurons)
        largest = MAX_WEIGHT / OUTPUT_PARTS
        np.clip(self.numbers["outputs"], -largest, largest, out=self.numbers["outputs"])
        return float(np.mean([error for _, error in found]))

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


def _expected(evaluations: Vector) -> Vector:
    """The expected results, 0 to 1, for evaluations in units."""
    import numpy as np

    return 1 / (1 + np.exp(-evaluations * (UNIT / SCALE)))


class TrainingBatch:
    """Positions as both sides see them, with their rows and expected results.

    :param columns: see `halbzug.tuning.positions_file.read_columns`.
    :param result_share: see `train`.
    """

    def __init__(self, columns: Vector, result_share: float) -> None:
        import numpy as np

        is_white = columns["flags"] & 1 == 1
        places, pieces, counts = pieces_of(columns)
        self.own, self.other = (
            _inputs(places, pieces, counts, is_white == of_mover) for of_mover in (True, False)
        )
        self.rows = (counts - 1) // 4
        scores = np.where(is_white, columns["score"], -columns["score"].astype(int))
        results = np.where(is_white, columns["result"], 2 - columns["result"].astype(int)) / 2
        expected = 1 / (1 + np.exp(-scores / SCALE))
        self.expected = (1 - result_share) * expected + result_share * results


def _inputs(places: Vector, pieces: Vector, counts: Vector, is_white: Vector) -> Any:
    """The inputs of views, which are mirrored so that the own king is on the files e to h.

    :param places: and `pieces` and `counts`: see `halbzug.tuning.positions_file.pieces_of`.
    :param is_white: whose view it is of each position.
    :returns: a sparse matrix with a row for each view: of 768 inputs, at most 32 are 1.
    """
    import numpy as np
    from scipy.sparse import csr_array

    kinds = np.zeros(16, np.int32)
    kinds[list(KINDS)] = np.arange(len(KINDS))
    kings = np.where(is_white, places[pieces == KINDS[5]], places[pieces == KINDS[-1]])
    turned = np.where(is_white, 0, 56) ^ np.where(kings % 8 < 4, 7, 0)
    own_kinds = kinds[pieces ^ np.where(is_white, 0, 8).repeat(counts)]
    columns = own_kinds * 64 + (places % 64 ^ turned.repeat(counts))
    ends = np.concatenate([[0], counts.cumsum()])
    ones = np.ones(len(places), np.float32)
    return csr_array((ones, columns, ends), shape=(len(counts), INPUTS))


@dataclass(frozen=True)
class Look:
    """A look at a network during training.

    :ivar seconds: the training time so far.
    :ivar positions: the number of positions learnt so far, including repetitions.
    :ivar learnt: the mean squared error of expected results since the last look.
    :ivar held_out: the same for positions that are never learnt.
    :ivar is_first: whether the errors are about the positions that are learnt first.
    """

    seconds: float
    positions: int
    learnt: float
    held_out: float
    is_first: bool = False


def train(
    folder: Path,
    state: Path,
    seconds: float,
    neurons: int,
    *,
    first: Path | None = None,
    result_share: float = 0.0,
    seed: int = 1,
    cores: int = 1,
    tell: Callable[[str], None] = print,
) -> tuple[Weights, list[Look]]:
    """Train until the time, counted over all runs, is up.

    :param folder: the folder of positions.
    :param state: the file that keeps everything for the next run.
    :param neurons: the number of neurons of a view, a multiple of 32.
    :param first: a folder of positions to learn before the others; its first file is held out.
    :param result_share: the share of the game's result in what is learnt, 0 to 1; the rest is the
        score.
    :param cores: the number of threads.
    :raises LabError: if there are too few positions, or the state belongs to another network.
    """
    import numpy as np

    # Copied, because a memory-mapped file stays open.
    files = [np.array(read_columns(path)) for path in _files(folder)]
    recorded = np.concatenate(files) if files else np.empty(0)
    apart = len(files[0]) if len(files) > 1 else len(recorded) // 10
    if not apart:
        raise LabError(f"{folder} has {len(recorded)} positions, which are too few")
    learnt = recorded[apart:]
    held_out = {False: TrainingBatch(recorded[:apart][:HELD_OUT], result_share)}
    earlier = _files(first) if first else []
    if first:
        if len(earlier) < 2:
            raise LabError(f"{first} has fewer than two files of positions")
        held_out[True] = TrainingBatch(read_columns(earlier.pop(0))[:HELD_OUT], 0.0)
    network = NumpyNetwork(neurons, seed)
    spent, looks = _take_up(network, state)
    chooser = np.random.default_rng([seed, network.steps])
    turn = FIRST_SHARE * seconds if first else 0.0
    last, looked, found = time.monotonic(), spent, []
    with ThreadPoolExecutor(cores) as pool:
        while spent < seconds:
            is_first = spent < turn
            if is_first:
                numbers = chooser.integers(len(earlier), size=PARTS)
                chosen = [read_columns(earlier[number]) for number in numbers]
            else:
                chosen = [learnt] * PARTS
            columns = [one[chooser.integers(len(one), size=BATCH // PARTS)] for one in chosen]
            to_batch = partial(TrainingBatch, result_share=0.0 if is_first else result_share)
            batches = list(pool.map(to_batch, columns))
            done = spent / turn if is_first else (spent - turn) / (seconds - turn)
            step = FINE_STEP if first and not is_first else STEP
            step *= (1 + math.cos(math.pi * done)) / 2
            found.append(network.learn(batches, step, pool.map))
            now = time.monotonic()
            spent, last = spent + now - last, now
            is_turn = spent >= seconds or (is_first and spent >= turn)
            if spent - looked >= LOOK_SECONDS or is_turn:
                looked = spent
                error = network.error(held_out[is_first])
                positions, mean = network.steps * BATCH, sum(found) / len(found)
                look = Look(round(spent, 1), positions, mean, error, is_first)
                looks, found = [*looks, look], []
                _keep(network, state, spent, looks)
                tell(
                    f"{spent:,.0f} of {seconds:,.0f} s: {positions:,} positions, error"
                    f"{' of those learnt first' if is_first else ''} {mean:.6f}"
                    f" (held out: {error:.6f})"
                )
    return network.weights(), looks


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.glob("games-*.bin")) if path.stat().st_size]


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
    parser.add_argument("--neurons", type=int, default=256, help="a multiple of 32: %(default)s")
    parser.add_argument("--first", type=Path, help="a folder of positions to learn first")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1, help="%(default)s")
    options = parser.parse_args(arguments)
    if options.neurons < 32 or options.neurons % 32 or options.seconds <= 0:
        parser.error("--neurons must be a multiple of 32, and --seconds more than 0")

    def work() -> None:
        state = options.network.with_name(options.network.name + ".state.npz")
        weights, _ = train(
            options.positions,
            state,
            options.seconds,
            options.neurons,
            first=options.first,
            seed=options.seed,
            cores=max(options.cores, 1),
        )
        write_whole(options.network, weights.pack())

    return exit_code(parser.prog, work, "folder")


if __name__ == "__main__":
    raise SystemExit(main())

"""Trains the network that corrects the terms from scratch: records positions, trains, and rounds.

    python -m halbzug.tuning.train RECIPE.toml FOLDER [--positions FOLDER] [--cores 2]
                                   [--output uci_engine/eval/network_weights.py]

`halbzug.tuning.recipe` describes recipes. Positions
that are missing in `FOLDER/positions`, or in the folder of `--positions`, are recorded there.

The training minimises the squared difference between the sigmoids of the recorded score and of
terms plus network, both as expected results for the side to move. AdamW makes one step for each
batch, and its step size falls to 0 along a cosine. The weights are kept within the range of a byte.
The advantage of having the move, beyond the terms, is fitted as well but not written: most
positions that a search visits were reached by a bad move, and the tempo that wins games is smaller.

A run can be stopped at any moment. The same command continues it, and makes the same bytes on any
number of cores. At the end it writes `network_weights.py`, in the form in which the engine reads
it, and `report.json`, with the errors on held-out games. `--output` also writes the weights to
another file; if this is the engine's own, `uci_engine/eval/network_weights.py`, the engine plays
with them from its next start.

Needs the compiled build, and `pip install ".[tuning]"` in the checkout.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import json
import math
import os
import random
import textwrap
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.whole_file import Claim, write_whole
from ..board.movegen import BUILD
from ..eval.network import HIDDEN, MAX_CORRECTION
from .backpropagation import BLOCK, Backpropagation
from .descent import FADE, SQUARE_FADE, TINY, expectation
from .network_data import Positions, load
from .positions_file import SIZE
from .quantisation import (
    INPUTS,
    MAX_INPUT,
    MAX_OUTPUT,
    ROWS,
    UNIT,
    IntegerNetwork,
    joined,
    render,
    split,
)
from .recipe import Recipe, Training, read_recipe
from .recording import exit_code
from .searcher import LabError

if TYPE_CHECKING:
    from .descent import Vector

#: Seconds of training between two checkpoints.
_SAVE_SECONDS = 30

#: The file from which a training continues.
_CHECKPOINT = "checkpoint.npz"

#: The initial weights: biases, and the standard deviation of the others, which are uniform.
_FIRST_BIAS, _FIRST_INPUT, _FIRST_OUTPUT = 0.25, 0.05, 0.02


class Trainer:
    """Trains a network.

    :ivar weights: in the order of `halbzug.tuning.backpropagation`.
    :ivar history: for each epoch, its mean squared error, and that on the held-out positions.
    """

    def __init__(
        self, plan: Training, learnt: Positions, held_out: Positions, threads: int
    ) -> None:
        import numpy as np

        self.plan, self.learnt, self.held_out = plan, learnt, held_out
        self.weights = first_weights(plan)
        self.moments = np.zeros(2 * len(self.weights), np.float32)
        self.advantage = [0.0, 0.0, 0.0]  # and its averages, as the moments
        self.batches = -(-len(learnt) // plan.batch)  # of an epoch
        self.done = 0  # batches
        self.squared_error = 0.0  # of the epoch so far
        self.history: list[list[float]] = []
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads)
        self._loops = self._make_loops(learnt)
        self._held_out_loops = self._make_loops(held_out)
        # Otherwise the first steps of the weights would compensate for it.
        self.advantage[0] = squared_error(held_out, self.corrections(), plan)[1] / UNIT

    def _make_loops(self, positions: Positions) -> Backpropagation:
        plan = self.plan
        return Backpropagation(
            positions.records, positions.terms, self.weights, self.moments,
            self._batch_size(positions), plan.scale, plan.score_scale,
            MAX_CORRECTION, UNIT,
        )  # fmt: skip

    @property
    def is_finished(self) -> bool:
        """Whether all epochs are over."""
        return len(self.history) >= self.plan.epochs

    def run(self, save: Callable[[], None], tell: Callable[[str], None] = print) -> None:
        """Train all epochs that are missing.

        :param save: called now and then, and after each epoch.
        """
        saved = time.monotonic()
        while not self.is_finished:
            began, first = time.monotonic(), self.done
            epoch = len(self.history)
            key = random.Random(f"{self.plan.seed} epoch {epoch}").getrandbits(64) | 1
            while self.done < (epoch + 1) * self.batches:
                self._learn(key, self.done - epoch * self.batches)
                if time.monotonic() - saved > _SAVE_SECONDS:
                    save()
                    saved = time.monotonic()
            share = (self.done - first) / self.batches
            speed = share * len(self.learnt) / max(time.monotonic() - began, 0.001)
            error = self.squared_error / len(self.learnt)
            self.history.append([error, self.error()])
            self.squared_error = 0.0
            tell(
                f"epoch {epoch + 1}: error {error:.6f}, held out {self.history[-1][1]:.6f}, "
                f"{speed:,.0f} positions a second"
            )
            save()

    def _learn(self, key: int, batch: int) -> None:
        """Learn from a batch."""
        loops, plan = self._loops, self.plan
        first, end = (len(self.learnt) * index // self.batches for index in (batch, batch + 1))
        self._compute(loops, first, end - first, key)
        self.squared_error += loops.squared_error
        self._side_by_side(loops.backward)
        step = plan.step * (1 + math.cos(math.pi * self.done / (plan.epochs * self.batches))) / 2
        self.done += 1
        self._side_by_side(
            lambda block: loops.update(block, self.done, step, plan.decay, MAX_INPUT, MAX_OUTPUT)
        )
        value, moment, square = self.advantage
        moment = FADE * moment + (1 - FADE) * loops.slope
        square = SQUARE_FADE * square + (1 - SQUARE_FADE) * loops.slope**2
        size = math.sqrt(square / (1 - SQUARE_FADE**self.done)) + TINY
        self.advantage = [value - step * moment / (1 - FADE**self.done) / size, moment, square]

    def error(self) -> float:
        """The mean squared error on the held-out positions."""
        errors = self._held_out_batches(lambda loops: loops.squared_error)
        return float(sum(errors)) / len(self.held_out)

    def corrections(self) -> Vector:
        """The network's corrections of the held-out positions, in centipawns."""
        import numpy as np

        size = self._batch_size(self.held_out)
        parts = list(self._held_out_batches(lambda loops: np.array(loops.corrections)))
        rest = len(self.held_out) - size * (len(parts) - 1)
        return np.concatenate([*parts[:-1], parts[-1][:rest]])

    def _batch_size(self, positions: Positions) -> int:
        return min(self.plan.batch, len(positions))

    def _held_out_batches(self, ask: Callable[[Backpropagation], Any]) -> Iterator[Any]:
        loops, size = self._held_out_loops, self._batch_size(self.held_out)
        for first in range(0, len(self.held_out), size):
            self._compute(loops, first, min(size, len(self.held_out) - first), 0)
            yield ask(loops)

    def _compute(self, loops: Backpropagation, first: int, count: int, key: int) -> None:
        """The forward pass of a batch."""
        loops.choose(first, count, key)
        cuts = [count * index // self._threads for index in range(self._threads + 1)]
        list(self._pool.map(loops.gather, cuts[:-1], cuts[1:]))
        self._side_by_side(loops.forward)
        loops.judge(self.advantage[0])

    def _side_by_side(self, do: Callable[[int], None]) -> None:
        list(self._pool.map(do, range(self.plan.neurons // BLOCK)))

    def identity(self) -> dict[str, Any]:
        """Everything that determines the network."""
        return {
            "training": asdict(self.plan),
            "start": zlib.crc32(first_weights(self.plan).data),
            "positions": [len(self.learnt), self.learnt.checksum()],
            "held_out": [len(self.held_out), self.held_out.checksum()],
        }

    def state(self, identity: str) -> bytes:
        """A checkpoint."""
        import numpy as np

        numbers = [*self.advantage, self.squared_error]
        file = io.BytesIO()
        np.savez(
            file,
            identity=np.array(identity),
            weights=self.weights,
            moments=self.moments,
            numbers=np.array(numbers),
            done=np.array(self.done),
            history=np.array(self.history).reshape(-1, 2),
        )
        return file.getvalue()

    def restore(self, path: Path, identity: str) -> None:
        """Continue from a checkpoint.

        :raises LabError: if it is not a checkpoint, or belongs to another recipe or positions.
        """
        with _checkpoint(path) as found:
            if str(found["identity"]) != identity:
                raise _foreign(path)
            self.weights[:], self.moments[:] = found["weights"], found["moments"]
            *self.advantage, self.squared_error = found["numbers"].tolist()
            self.done, self.history = int(found["done"]), found["history"].tolist()


@contextmanager
def _checkpoint(path: Path) -> Iterator[Any]:
    """The arrays of a checkpoint, by name.

    :raises LabError: if it is none.
    """
    import numpy as np

    try:
        with np.load(path) as found:
            yield found
    except (ValueError, LookupError, EOFError) as error:
        raise LabError(f"{path} is not a checkpoint: {error}") from None


def _foreign(path: Path) -> LabError:
    return LabError(f"{path} is of another recipe or other positions")


def first_weights(plan: Training) -> Vector:
    """The weights with which the training begins: at random, and with a warm start the engine's."""
    import numpy as np

    chooser = random.Random(f"{plan.seed} weights")

    def uniform(rows: int, deviation: float) -> Vector:
        values = [chooser.random() for _ in range(rows * plan.neurons)]
        spread = np.array(values).reshape(rows, plan.neurons) * 2 - 1
        return spread * math.sqrt(3) * deviation

    inputs = uniform(INPUTS, _FIRST_INPUT)
    biases = np.full(plan.neurons, _FIRST_BIAS)
    outputs = uniform(ROWS, _FIRST_OUTPUT)
    if plan.warm_start:
        known = split(IntegerNetwork.of_engine().exact())
        for weights, start in zip((inputs, biases, outputs), known, strict=True):
            weights[..., :HIDDEN] = start
    return joined(inputs, biases, outputs)


def squared_error(positions: Positions, corrections: Vector, plan: Training) -> tuple[float, int]:
    """The mean squared error of terms plus corrections, with the best advantage of the move.

    Advantages are tried in steps of a centipawn, and the scores are whole centipawns.

    :returns: the error, and that advantage in centipawns.
    """
    import numpy as np

    targets = expected_results(positions, plan)
    scores = positions.terms + np.asarray(corrections, np.float64)
    return min(
        (
            float(np.square(expectation(scores + advantage, 1 / plan.scale) - targets).mean()),
            advantage,
        )
        for advantage in range(-100, 201)
    )


def expected_results(positions: Positions, plan: Training) -> Vector:
    """The targets of positions, for the side to move."""
    import numpy as np

    facts = positions.records.reshape(-1, SIZE // 8)[:, 3]
    is_white = (facts >> np.uint64(24) & np.uint64(1)).astype(bool)
    score = (facts & np.uint64(0xFFFF)).astype(np.uint16).view(np.int16).astype(np.float64)
    return expectation(np.where(is_white, score, -score), 1 / plan.score_scale)


def report(trainer: Trainer) -> dict[str, Any]:
    """The result of a finished training: errors on held-out positions, and weights at the limit."""
    import numpy as np

    plan, held_out = trainer.plan, trainer.held_out
    network = IntegerNetwork.rounded(trainer.weights)
    rounded, exact = network.corrections(held_out.records), trainer.corrections()
    lost = np.abs(rounded - exact.astype(np.float64))
    engine = IntegerNetwork.of_engine().corrections(held_out.records)
    return {
        "positions": len(trainer.learnt),
        "held_out": len(held_out),
        "errors": {
            "terms": squared_error(held_out, np.zeros(len(held_out)), plan)[0],
            "engine": squared_error(held_out, engine, plan)[0],
            "trained": squared_error(held_out, exact, plan)[0],
            "rounded": squared_error(held_out, rounded, plan)[0],
        },
        "rounding": {"mean_centipawns": float(lost.mean()), "max_centipawns": float(lost.max())},
        "at_limit": network.at_limit(),
        "advantage_centipawns": trainer.advantage[0] * UNIT,
        "history": trainer.history,
    }


def provenance(recipe: Recipe, found: dict[str, Any]) -> str:
    """Lines about the origin of the weights."""
    plan, errors = recipe.training, found["errors"]
    sources = " and of ".join(map(str, recipe.sources))
    text = (
        f"{plan.neurons} neurons, {plan.epochs} epochs of {found['positions']} quiet positions"
        f"{', half of them mirrored,' if plan.mirrored else ''} of {sources}; the training's"
        f" seed {plan.seed}"
        f"{', from the weights before' if plan.warm_start else ''}. Mean squared error on"
        f" {found['held_out']} other positions: {errors['terms']:.6f} with terms alone,"
        f" {errors['trained']:.6f} with the network, {errors['rounded']:.6f} with rounded weights."
    )
    return textwrap.fill(text, 96)


def train(recipe: Recipe, files: Sequence[Path], folder: Path, cores: int) -> Path:
    """Train a network on recorded positions; return the file with its weights.

    :param files: of positions.
    :raises LabError: if the folder has another network, or there are too few positions.
    """
    plan = recipe.training
    learnt, held_out = load(
        files, plan.held_out, cores, _say, is_mirrored=plan.mirrored, max_swing=plan.max_swing
    )
    print(f"{len(learnt):,} positions, {len(held_out):,} held out", flush=True)
    trainer = Trainer(plan, learnt, held_out, cores)
    identity = json.dumps(trainer.identity())
    checkpoint = folder / _CHECKPOINT
    if checkpoint.exists():
        trainer.restore(checkpoint, identity)
    trainer.run(lambda: write_whole(checkpoint, trainer.state(identity)), _say)
    found = report(trainer)
    write_whole(folder / "report.json", json.dumps(found, indent=1) + "\n")
    weights = folder / "network_weights.py"
    network = IntegerNetwork.rounded(trainer.weights)
    write_whole(weights, render(network, provenance(recipe, found)))
    for line in _lines(found, plan):
        print(line)
    return weights


def _check_plan(checkpoint: Path, plan: Training) -> None:
    """Refuse a folder of another training before any positions are made for it.

    :raises LabError: if it is one.
    """
    if not checkpoint.exists():
        return
    with _checkpoint(checkpoint) as found:
        if json.loads(str(found["identity"]))["training"] != asdict(plan):
            raise _foreign(checkpoint)


def _say(line: str) -> None:
    print(line, flush=True)


def _lines(found: dict[str, Any], plan: Training) -> Iterable[str]:
    """A report for people."""
    errors, rounding, limit = found["errors"], found["rounding"], found["at_limit"]
    yield (
        f"held-out error: terms {errors['terms']:.6f}, with the engine's network"
        f" {errors['engine']:.6f}, with this one {errors['trained']:.6f}, rounded"
        f" {errors['rounded']:.6f}"
    )
    yield (
        f"rounding changes {rounding['mean_centipawns']:.2f} centipawns in the mean, at most"
        f" {rounding['max_centipawns']:.1f}"
    )
    yield (
        f"at the limit of a byte: {limit['inputs']} of {INPUTS * plan.neurons} weights of inputs,"
        f" {limit['outputs']} of {ROWS * plan.neurons} of outputs"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Record, train and write."""
    parser = argparse.ArgumentParser(prog="python -m halbzug.tuning.train", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("recipe", metavar="RECIPE.toml", type=Path)
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="outside the checkout")
    parser.add_argument("--positions", metavar="FOLDER", type=Path, help="FOLDER/positions")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--output", type=Path, help="another file for the weights")
    options = parser.parse_args(arguments)
    if options.cores < 1:
        parser.error("--cores is at least 1")
    positions = options.positions or options.folder / "positions"

    def work() -> None:
        if BUILD == "pure":
            raise LabError("the trainer needs the compiled build")
        recipe = read_recipe(options.recipe)
        if not importlib.util.find_spec("numpy"):
            raise LabError('the trainer needs numpy: `pip install -e ".[tuning]"` in the checkout')
        neurons = recipe.training.neurons
        options.folder.mkdir(parents=True, exist_ok=True)
        with Claim(options.folder):
            _check_plan(options.folder / _CHECKPOINT, recipe.training)
            files = recipe.provide(positions, options.cores)
            weights = train(recipe, files, options.folder, options.cores)
            if options.output:
                write_whole(options.output, weights.read_bytes())
        print(f"wrote {options.output or weights}")
        if options.output and neurons != HIDDEN:
            print(f"The engine is compiled for {HIDDEN} neurons: install it again to play with it")

    return exit_code(parser.prog, work)


if __name__ == "__main__":
    raise SystemExit(main())

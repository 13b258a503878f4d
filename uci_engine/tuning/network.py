"""Fits the network to the error of the terms.

    python -m halbzug.tuning.network FILE... [--epochs 40] [--warm-start]
                                          [--output eval/network_weights.py]

Files are those of `halbzug.tuning.selfplay --visited`, labelled by `halbzug.tuning.label`:
positions with the evaluation by the terms alone and a strong engine's expectation. The fit
minimises the squared difference between the expectation and the sigmoid of terms plus network, in
batches, by Adam with a step that rises and then falls
(https://www.chessprogramming.org/NNUE#Training). The last file, with games that no other file has,
is held out: only its error is measured. With `--warm-start` the fit begins with the engine's
weights, and so keeps the effect of earlier positions.

Positions must come from many games: those of one game are similar, and the network would overfit.
In such positions the side to move stands better than the terms say, because the other side has
often just erred. The fit has a separate number for that, which is not written, so that the network
need not learn it.

Needs numpy: `pip install ".[tuning]"` in the checkout.
"""

from __future__ import annotations

import argparse
import base64
import datetime
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halbzug.eval import network_weights
from halbzug.eval.network import (
    FULL,
    HIDDEN,
    INPUT_WEIGHTS,
    MAX_CORRECTION,
    OUTPUT_WEIGHTS,
    PARTS,
    row_of,
)
from halbzug.eval.network_weights import BIASES
from halbzug.tuning.descent import Adam, expectation
from halbzug.tuning.selfplay import Sample
from halbzug.whole_file import write_whole

if TYPE_CHECKING:
    from halbzug.tuning.descent import Vector

#: Inputs of a view, and rows of output weights.
INPUTS, ROWS = 768, row_of(32) + 1

#: Positions in a batch, and Adam's largest step.
BATCH, STEP = 16384, 4e-3

#: Centipawns in which the output weights are counted while they are fitted.
UNIT = 400.0

#: The largest weights that one byte can hold.
MAX_INPUT, MAX_OUTPUT = 127 / FULL, 127 * FULL**2 / PARTS / UNIT

#: Positions whose evaluation by the terms is beyond this, in centipawns, are left out as decided.
DECIDED = 1500


@dataclass
class Positions:
    """Positions as arrays, each seen from the side to move and from the other side.

    A view has twelve bitboards: the own pieces from pawn to king, then the other side's.
    """

    own: Vector
    other: Vector
    terms: Vector  # the evaluation without the network, in centipawns, for the side to move
    expected: Vector  # 0 to 1, for the side to move
    rows: Vector  # of output weights

    def __len__(self) -> int:
        return len(self.terms)


def views(fen: str) -> tuple[list[int], list[int]]:
    """The bitboards of a position, from the side to move and from the other side."""
    placement, turn = fen.split()[:2]
    boards = [0] * 12
    square = 56
    for letter in placement:
        if letter == "/":
            square -= 16
        elif letter.isdigit():
            square += int(letter)
        else:
            kind = "PNBRQKpnbrqk".index(letter)
            boards[kind] |= 1 << square
            square += 1
    flipped = [int.from_bytes(board.to_bytes(8, "little"), "big") for board in boards]
    white, black = boards, flipped[6:] + flipped[:6]
    return (white, black) if turn == "w" else (black, white)


def read(path: Path) -> Positions:
    """Read the positions of a file that are not decided."""
    import numpy as np

    found: tuple[list[Any], ...] = ([], [], [], [], [])
    with path.open(encoding="utf-8") as file:
        for sample in map(Sample.parse, file):
            if abs(sample.score) >= DECIDED:
                continue
            own, other = views(sample.fen)
            white = sample.fen.split()[1] == "w"
            piece_count = sum(board.bit_count() for board in own)
            values = (
                own,
                other,
                sample.score if white else -sample.score,
                sample.result if white else 1 - sample.result,
                row_of(piece_count),
            )
            for column, value in zip(found, values, strict=True):
                column.append(value)
    return Positions(
        np.array(found[0], dtype=np.uint64),
        np.array(found[1], dtype=np.uint64),
        np.array(found[2], dtype=np.float32),
        np.array(found[3], dtype=np.float32),
        np.array(found[4], dtype=np.int64),
    )


class Fit:
    """A fit of the network.

    :param centipawn: the scale of the sigmoid.
    :param warm: whether to begin with the engine's weights; otherwise with random ones.
    """

    def __init__(self, centipawn: float = 1 / 130, seed: int = 1, warm: bool = False) -> None:
        import numpy as np

        self.random = np.random.default_rng(seed)
        self.centipawn = centipawn

        def normal(size: float, *shape: int) -> Vector:
            return self.random.normal(0, size, shape).astype(np.float32)

        self.weights: dict[str, Vector] = {
            "inputs": normal(0.05, INPUTS, HIDDEN),
            "biases": np.full(HIDDEN, 0.25, dtype=np.float32),
            "outputs": normal(0.02, ROWS, HIDDEN),
            "advantage": np.zeros(1, dtype=np.float32),  # of the side to move, in units
        }
        if warm:
            self.weights.update(engine_weights())

    def run(
        self,
        positions: Positions,
        epochs: int,
        report: Callable[[int, float], None] = lambda epoch, error: None,
    ) -> None:
        """Run the fit.


        :param report: called after each epoch, with its mean squared error.
        """
        import numpy as np

        adams = {name: Adam(table) for name, table in self.weights.items()}
        limits = {"inputs": MAX_INPUT, "outputs": MAX_OUTPUT}
        batches = max(len(positions) // BATCH, 1)
        number = 0
        for epoch in range(1, epochs + 1):
            order = self.random.permutation(len(positions))
            errors = []
            for batch in np.array_split(order, batches):
                number += 1
                gradients, error = self._gradients(positions, batch)
                errors.append(error)
                done = number / (epochs * batches)
                step = STEP * min(done / 0.1, (1 - done) / 0.9)
                for name, gradient in gradients.items():
                    self.weights[name] += adams[name].change(gradient, step)
                for name, limit in limits.items():
                    np.clip(self.weights[name], -limit, limit, out=self.weights[name])
            report(epoch, float(np.mean(errors)))

    def error(self, positions: Positions) -> float:
        """The mean squared difference between expectation and target."""
        import numpy as np

        total = 0.0
        for first in range(0, len(positions), BATCH):
            batch = np.arange(first, min(first + BATCH, len(positions)))
            expected = self._expect(positions, batch, self._forward(positions, batch)[0])
            total += float(((expected - positions.expected[batch]) ** 2).sum())
        return total / len(positions)

    def error_of_terms(self, positions: Positions) -> float:
        """The same without the network, with the best advantage of the side to move."""

        def error(tempo: int) -> float:
            expected = expectation(positions.terms + tempo, self.centipawn)
            return float(((expected - positions.expected) ** 2).mean())

        return min(error(tempo) for tempo in range(-20, 100, 5))

    def correction(self, positions: Positions) -> Vector:
        """The network's correction of the terms, in centipawns, for the side to move."""
        import numpy as np

        return self._forward(positions, np.arange(len(positions)))[0]

    def _forward(self, positions: Positions, batch: Vector) -> tuple[Vector, ...]:
        """The corrections, and intermediate values for the gradients."""
        import numpy as np

        seen = [_inputs(view[batch]) for view in (positions.own, positions.other)]
        sums = [view @ self.weights["inputs"] + self.weights["biases"] for view in seen]
        active = [np.clip(values, 0, 1) ** 2 for values in sums]
        outputs = self.weights["outputs"][positions.rows[batch]]
        worth = [UNIT * (values * outputs).sum(1) for values in active]
        own, other = (np.clip(value, -MAX_CORRECTION, MAX_CORRECTION) for value in worth)
        return own - other, *worth, *active, *seen, *sums

    def _expect(self, positions: Positions, batch: Vector, correction: Vector) -> Vector:
        """The expected results."""
        scores = positions.terms[batch] + correction + UNIT * self.weights["advantage"]
        return expectation(scores, self.centipawn)

    def _gradients(self, positions: Positions, batch: Vector) -> tuple[dict[str, Vector], float]:
        import numpy as np

        correction, *rest = self._forward(positions, batch)
        worth, active, seen, sums = (rest[first : first + 2] for first in range(0, 8, 2))
        expected = self._expect(positions, batch, correction)
        miss = expected - positions.expected[batch]
        slope = 2 * miss * expected * (1 - expected) * self.centipawn * UNIT / len(batch)
        rows = positions.rows[batch]
        weights = self.weights["outputs"][rows]
        outputs = np.zeros_like(self.weights["outputs"])
        inputs = np.zeros_like(self.weights["inputs"])
        biases = np.zeros_like(self.weights["biases"])
        for index, sign in enumerate((1, -1)):
            is_free = np.abs(worth[index]) < MAX_CORRECTION
            back = sign * slope * is_free
            for row in range(ROWS):
                of_row = rows == row
                outputs[row] += back[of_row] @ active[index][of_row]
            is_between = (sums[index] > 0) & (sums[index] < 1)
            through = back[:, None] * weights * np.where(is_between, 2 * sums[index], 0)
            inputs += seen[index].T @ through
            biases += through.sum(0)
        gradients = {"inputs": inputs, "biases": biases, "outputs": outputs}
        gradients["advantage"] = slope.sum(keepdims=True)
        return gradients, float((miss**2).mean())

    def round(self) -> tuple[Vector, Vector, Vector]:
        """Inputs, biases and outputs as integers, as in the engine."""
        import numpy as np

        inputs = np.rint(self.weights["inputs"] * FULL).astype(np.int8)
        biases = np.rint(self.weights["biases"] * FULL).astype(np.int16)
        outputs = np.rint(self.weights["outputs"] * UNIT * PARTS / FULL**2).astype(np.int8)
        return inputs, biases, outputs


def engine_weights() -> dict[str, Vector]:
    """The engine's weights, in the units of the fit."""
    import numpy as np

    def table(numbers: Iterable[int], unit: float) -> Vector:
        return (np.array(numbers) * unit).astype(np.float32)

    return {
        "inputs": table(INPUT_WEIGHTS, 1 / FULL).reshape(INPUTS, HIDDEN),
        "biases": table(BIASES, 1 / FULL),
        "outputs": table(OUTPUT_WEIGHTS, FULL**2 / PARTS / UNIT).reshape(ROWS, HIDDEN),
    }


def _inputs(boards: Vector) -> Vector:
    """Bitboards as inputs that are on (1) or off (0)."""
    import numpy as np

    little = np.ascontiguousarray(boards.astype("<u8")).view(np.uint8)
    return np.unpackbits(little, axis=1, bitorder="little").astype(np.float32)


def render(fit: Fit, provenance: str) -> str:
    """The text of `eval/network_weights.py`."""
    inputs, biases, outputs = fit.round()

    def numbers(values: Iterable[int], indent: str) -> Iterator[str]:
        text = ", ".join(str(value) for value in values) + ","
        return (indent + line for line in textwrap.wrap(text, 96 - len(indent)))

    lines = [
        '"""The weights of the network: data only, written by `python -m halbzug.tuning.network`.',
        "",
        *provenance.strip().splitlines(),
        "",
        "Inputs are signed bytes in base64, in the order of `halbzug.eval.network`; outputs are",
        "rows, the first for the fewest pieces.",
        '"""',
        "",
        "# fmt: off",
        "BIASES = (",
        *numbers(biases, "    "),
        ")",
        "",
        "OUTPUTS = (",
    ]
    for row in outputs:
        lines += ["    (", *numbers(row, "        "), "    ),"]
    text = base64.b64encode(inputs.tobytes()).decode()
    lines += [")", "", "INPUTS = ("]
    lines += [f'    "{text[first : first + 92]}"' for first in range(0, len(text), 92)]
    return "\n".join([*lines, ")", "# fmt: on", ""])


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit and write."""
    parser = argparse.ArgumentParser(prog="python -m halbzug.tuning.network", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("files", type=Path, nargs="+", help="the last one is held out")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--warm-start", action="store_true", help="with the engine's weights")
    parser.add_argument("--note", default="", help="a sentence for the provenance")
    default = Path(network_weights.__file__)
    parser.add_argument("--output", type=Path, default=default, help="default: %(default)s")
    options = parser.parse_args(arguments)
    if len(options.files) < 2:
        parser.error("one file to learn from and one to hold out are the least")
    *learnt, held_out = map(read, options.files)
    fit = Fit(seed=options.seed, warm=options.warm_start)
    write(fit, join(learnt), held_out, options.epochs, options.note, options.output)
    return 0


def join(parts: Sequence[Positions]) -> Positions:
    """All positions in one."""
    import numpy as np

    columns = ("own", "other", "terms", "expected", "rows")
    return Positions(*(np.concatenate([getattr(part, name) for part in parts]) for name in columns))


def write(
    fit: Fit, learnt: Positions, held_out: Positions, epochs: int, note: str, output: Path
) -> None:
    """Fit, and write the weights with their provenance."""
    before = fit.error_of_terms(held_out)
    print(f"{len(learnt)} positions; held-out error of the terms {before:.6f}")

    def report(epoch: int, error: float) -> None:
        print(f"{epoch}: {error:.6f} {fit.error(held_out):.6f}", flush=True)

    fit.run(learnt, epochs, report)
    provenance = (
        f"Fitted on {datetime.date.today()} to {len(learnt)} quiet positions.\n"
        f"{note or 'Targets as the files have them.'}\n"
        f"{epochs} epochs. Mean squared error on {len(held_out)} positions of other games:\n"
        f"{before:.5f} with the terms alone, {fit.error(held_out):.5f} with the network."
    )
    write_whole(output, render(fit, provenance))
    print(f"wrote {output}")


if __name__ == "__main__":
    raise SystemExit(main())

"""The network in integers, as the engine computes it, and the file that the engine reads.

The unit of an input weight is a part of `FULL`; that of an output weight makes a fully active
neuron worth two centipawns per unit. Both fit into a byte and are computed with 16 bits, as are the
biases. The trainer keeps its weights within these limits, so that only rounding loses precision.
"""

from __future__ import annotations

import base64
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..eval.network import (
    FULL,
    HIDDEN,
    INPUT_WEIGHTS,
    MAX_CORRECTION,
    MAX_ROW,
    OUTPUT_WEIGHTS,
    PARTS,
    PIECES_PER_ROW,
    ROWS_OF_SIDE,
)
from ..eval.network_weights import BIASES
from . import backpropagation
from .backpropagation import BLOCK
from .positions_file import COLUMNS, squares_of
from .searcher import LabError

if TYPE_CHECKING:
    from .descent import Vector

#: Inputs of a view, and rows of output weights.
INPUTS, ROWS = 768, 2 * ROWS_OF_SIDE

#: The trainer's unit of output weights, in centipawns.
UNIT = 400.0

#: The largest number in a byte, and the largest weights of the trainer that fit into it.
MAX_WEIGHT = 127
MAX_INPUT, MAX_OUTPUT = MAX_WEIGHT / FULL, MAX_WEIGHT * FULL**2 / PARTS / UNIT

#: Number of positions computed at once.
_CHUNK = 4096


@dataclass(frozen=True)
class IntegerNetwork:
    """The weights in the engine's form.

    :ivar inputs: one row per input.
    :ivar outputs: one row per piece count, fewest first: for the side to move, then for the other
        side.
    """

    inputs: Vector
    biases: Vector
    outputs: Vector

    @classmethod
    def of_engine(cls) -> IntegerNetwork:
        """The engine's current network."""
        import numpy as np

        return cls(
            np.array(INPUT_WEIGHTS, np.int32).reshape(INPUTS, HIDDEN),
            np.array(BIASES, np.int32),
            np.array(OUTPUT_WEIGHTS, np.int64).reshape(ROWS, HIDDEN),
        )

    @classmethod
    def rounded(cls, weights: Vector) -> IntegerNetwork:
        """The trainer's network, rounded."""
        import numpy as np

        inputs, biases, outputs = split(weights)
        return cls(
            np.rint(inputs * FULL).astype(np.int32),
            np.rint(biases * FULL).astype(np.int32),
            np.rint(outputs * (UNIT * PARTS / FULL**2)).astype(np.int64),
        )

    def exact(self) -> Vector:
        """The trainer's weights that correspond to these; `rounded` returns these again."""
        outputs = self.outputs * (FULL**2 / PARTS / UNIT)
        return joined(self.inputs / FULL, self.biases / FULL, outputs)

    def corrections(self, records: Vector) -> Vector:
        """What the engine adds to the terms of some positions, in centipawns.

        :param records: 64-bit words, as in `halbzug.tuning.network_data.Positions`.
        """
        import numpy as np

        columns = records.astype("<u8").view(np.dtype(list(COLUMNS)))
        chunks = [columns[first : first + _CHUNK] for first in range(0, len(columns), _CHUNK)]
        return np.concatenate([self._correct(chunk) for chunk in chunks])

    def _correct(self, columns: Vector) -> Vector:
        import numpy as np

        own, other, counts = views(columns)
        starts = np.cumsum(counts) - counts
        rows = (counts - 1) // PIECES_PER_ROW
        worth = []
        for view, first in ((own, 0), (other, ROWS_OF_SIDE)):
            outputs = self.outputs[first + rows]
            sums = np.add.reduceat(self.inputs[view], starts, axis=0) + self.biases
            total = (np.clip(sums, 0, FULL) ** 2 * outputs).sum(1) // PARTS
            worth.append(np.clip(total, -MAX_CORRECTION, MAX_CORRECTION))
        difference: Vector = worth[0] - worth[1]
        return difference

    def at_limit(self) -> dict[str, int]:
        """The number of weights with the largest absolute value that fits into a byte."""
        return {
            name: int((abs(table) >= MAX_WEIGHT).sum())
            for name, table in (("inputs", self.inputs), ("outputs", self.outputs))
        }


def views(columns: Vector) -> tuple[Vector, Vector, Vector]:
    """The active inputs of all positions, concatenated.

    :param columns: records with the fields of `halbzug.tuning.positions_file.COLUMNS`.
    :returns: those of the side to move, those of the other side, and the number for each position.
    """
    import numpy as np

    board = squares_of(columns)
    position, square = np.nonzero(board)
    counts = np.count_nonzero(board, axis=1)
    codes = board[position, square].astype(np.int64)
    kind, black = (codes & 7) - 1, codes >> 3
    of_white = (kind + 6 * black) * 64 + square
    of_black = (kind + 6 * (1 - black)) * 64 + (square ^ 56)
    white = (columns["flags"][position] & 1).astype(bool)
    return np.where(white, of_white, of_black), np.where(white, of_black, of_white), counts


def split(weights: Vector) -> tuple[Vector, Vector, Vector]:
    """Inputs, biases and outputs of the trainer's weights, which are stored in blocks."""
    blocks = weights.reshape(-1, backpropagation.ROWS, BLOCK)
    rows = blocks.transpose(1, 0, 2).reshape(backpropagation.ROWS, -1)
    bias = backpropagation.BIASES
    return rows[:INPUTS], rows[bias], rows[backpropagation.OUTPUTS :]


def joined(inputs: Vector, biases: Vector, outputs: Vector) -> Vector:
    """The trainer's weights from inputs, biases and outputs: the inverse of `split`."""
    import numpy as np

    rows = np.zeros((backpropagation.ROWS, len(biases)), np.float32)
    rows[:INPUTS] = inputs
    rows[backpropagation.BIASES] = biases
    rows[backpropagation.OUTPUTS :] = outputs
    blocks = rows.reshape(backpropagation.ROWS, -1, BLOCK).transpose(1, 0, 2)
    return np.ascontiguousarray(blocks).ravel()


def render(network: IntegerNetwork, provenance: str) -> str:
    """The text of `uci_engine/eval/network_weights.py`.

    :raises LabError: if the output weights of a row add up to more than `MAX_ROW`.
    """
    import numpy as np

    for sign in (1, -1):
        if (np.maximum(sign * network.outputs, 0).sum(1) > MAX_ROW).any():
            raise LabError(f"the output weights of a row come to more than {MAX_ROW}")

    def numbers(values: Iterable[int], indent: str) -> Iterator[str]:
        text = ", ".join(str(value) for value in values) + ","
        return (indent + line for line in textwrap.wrap(text, 96 - len(indent)))

    lines = [
        '"""The weights of the network: data only, written by `python -m halbzug.tuning.train`.',
        "",
        *provenance.strip().splitlines(),
        "",
        "Inputs are signed bytes in base64, in the order of `halbzug.eval.network`; outputs are",
        "rows, the first for the fewest pieces: of the side to move, then of the other side.",
        '"""',
        "",
        "# fmt: off",
        "BIASES = (",
        *numbers(network.biases, "    "),
        ")",
        "",
        "OUTPUTS = (",
    ]
    for row in network.outputs:
        lines += ["    (", *numbers(row, "        "), "    ),"]
    text = base64.b64encode(network.inputs.astype(np.int8).tobytes()).decode()
    lines += [")", "", "INPUTS = ("]
    lines += [f'    "{text[first : first + 92]}"' for first in range(0, len(text), 92)]
    return "\n".join([*lines, ")", "# fmt: on", ""])

"""The network in whole numbers, as the engine computes it, and the file that the engine reads.

A weight of an input is counted in parts of `FULL`, a weight of an output so that a neuron that is
fully on is worth two centipawns for each one. Both fit a byte and are computed with 16 bits, the
biases too. The trainer keeps its weights within these limits, so that rounding is all that is lost.
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

#: Centipawns in which the trainer counts output weights.
UNIT = 400.0

#: The largest number in a byte, and the largest weights of the trainer that it holds.
MAX_WEIGHT = 127
MAX_INPUT, MAX_OUTPUT = MAX_WEIGHT / FULL, MAX_WEIGHT * FULL**2 / PARTS / UNIT

#: Positions that are computed at once.
_CHUNK = 4096


@dataclass(frozen=True)
class IntegerNetwork:
    """The weights as the engine has them.

    :ivar inputs: a row for each input.
    :ivar outputs: a row for each count of pieces, from the fewest on: of the side to move, then of
        the other side.
    """

    inputs: Vector
    biases: Vector
    outputs: Vector

    @classmethod
    def of_engine(cls) -> IntegerNetwork:
        """The network that the engine plays with."""
        import numpy as np

        return cls(
            np.array(INPUT_WEIGHTS, np.int32).reshape(INPUTS, HIDDEN),
            np.array(BIASES, np.int32),
            np.array(OUTPUT_WEIGHTS, np.int64).reshape(ROWS, HIDDEN),
        )

    @classmethod
    def rounded(cls, weights: Vector) -> IntegerNetwork:
        """That of the trainer, rounded."""
        import numpy as np

        inputs, biases, outputs = split(weights)
        return cls(
            np.rint(inputs * FULL).astype(np.int32),
            np.rint(biases * FULL).astype(np.int32),
            np.rint(outputs * (UNIT * PARTS / FULL**2)).astype(np.int64),
        )

    def exact(self) -> Vector:
        """The weights of the trainer that these are; `rounded` gives these again."""
        outputs = self.outputs * (FULL**2 / PARTS / UNIT)
        return joined(self.inputs / FULL, self.biases / FULL, outputs)

    def corrections(self, records: Vector) -> Vector:
        """What the engine adds to the terms of some positions, in centipawns.

        :param records: words of 64 bits, as `halbzug.tuning.network_data.Positions` has them.
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
        """How many weights have the largest absolute value that a byte holds."""
        return {
            name: int((abs(table) >= MAX_WEIGHT).sum())
            for name, table in (("inputs", self.inputs), ("outputs", self.outputs))
        }


def views(columns: Vector) -> tuple[Vector, Vector, Vector]:
    """The inputs that are on, of all positions in a row.

    :param columns: records with the fields of `halbzug.tuning.positions_file.COLUMNS`.
    :returns: those of the side to move, those of the other side, and how many each position has.
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
    """Inputs, biases and outputs of the trainer's weights, which lie in blocks."""
    blocks = weights.reshape(-1, backpropagation.ROWS, BLOCK)
    rows = blocks.transpose(1, 0, 2).reshape(backpropagation.ROWS, -1)
    bias = backpropagation.BIASES
    return rows[:INPUTS], rows[bias], rows[backpropagation.OUTPUTS :]


def joined(inputs: Vector, biases: Vector, outputs: Vector) -> Vector:
    """The trainer's weights of inputs, biases and outputs: `split` gives these again."""
    import numpy as np

    rows = np.zeros((backpropagation.ROWS, len(biases)), np.float32)
    rows[:INPUTS] = inputs
    rows[backpropagation.BIASES] = biases
    rows[backpropagation.OUTPUTS :] = outputs
    blocks = rows.reshape(backpropagation.ROWS, -1, BLOCK).transpose(1, 0, 2)
    return np.ascontiguousarray(blocks).ravel()


def render(network: IntegerNetwork, provenance: str) -> str:
    """The text of `uci_engine/eval/network_weights.py`.

    :raises LabError: if the output weights of a row come to more than `MAX_ROW`.
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

"""The inner loops of a network with 8-bit weights; compare `halbzug.eval.neurons`.

The compiled build also has them in C (`uci_engine/native/neurons.h`, `rows.pxd`).
"""

from __future__ import annotations

from array import array
from sys import byteorder
from typing import TYPE_CHECKING, Protocol

from .neurons import NeuronArrays, difference_of, packed, sum_of, unpacked, worth

if TYPE_CHECKING:
    from ..board.movegen import Index, Number, Score


class RowArrays(NeuronArrays, Protocol):
    """The arrays of a network with 8-bit weights.

    :ivar nothing: the number of the input without weights.
    """

    nothing: Index


def change(
    network: RowArrays,
    to: Index,
    source: Index,
    added: Index,
    second_added: Index,
    removed: Index,
    second_removed: Index,
    count: Index,
) -> None:
    """Write sums at `to`: those at `source` with up to two inputs added and two removed.

    :param added: the number of an input, or `network.nothing`.
    """
    sums = packed(network.sums, source, count)
    for number in (added, second_added):
        if number != network.nothing:
            sums = sum_of(sums, _packed_row(network, number, count), count)
    for number in (removed, second_removed):
        if number != network.nothing:
            sums = difference_of(sums, _packed_row(network, number, count), count)
    network.sums[to : to + count] = unpacked(sums, count)


def worth_of_view(
    network: RowArrays, first: Index, row: Index, full: Number, count: Index
) -> Score:
    """The neurons' total output; see `worth`."""
    return worth(network, first, row, full, count)


def _packed_row(network: RowArrays, number: Index, count: Index) -> int:
    """The weights of an input, widened to 16 bits."""
    row = network.inputs[number * count : (number + 1) * count]
    return int.from_bytes(array("h", row.tolist()).tobytes(), byteorder)

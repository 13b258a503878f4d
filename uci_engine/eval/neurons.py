"""The inner loops of the network, over all neurons of a view.

Python handles one number at a time, but a number may be of any length. So a view's 16-bit numbers
are packed into one integer, as in a register:
https://www.chessprogramming.org/SIMD_and_SWAR_Techniques.

The compiled build has the loops in C (`uci_engine/native/neurons.h`): `eval/neurons.pxd` replaces
these functions with C functions of the same names.
"""

from __future__ import annotations

from array import array
from functools import cache
from operator import mul
from sys import byteorder
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ..board.movegen import Index, Number, Score

#: The highest bit of a lane.
_SIGN = 1 << 15


class NeuronArrays(Protocol):
    """The arrays that the loops read, and the sums, which they write."""

    sums: memoryview[int]

    @property
    def inputs(self) -> memoryview[int] | array[int]:
        """The input weights."""

    @property
    def outputs(self) -> memoryview[int] | array[int]:
        """The output weights."""


def update(
    network: NeuronArrays, to: Index, source: Index, added: Index, removed: Index, count: Number
) -> None:
    """Write sums at `to`: those at `source` with one input added and one removed.

    :param added: the offset of an input's weights.
    :param count: the number of neurons per view.
    """
    network.sums[to : to + count] = unpacked(
        _updated(network, source, added, removed, count), count
    )


def capture(
    network: NeuronArrays,
    to: Index,
    source: Index,
    added: Index,
    removed: Index,
    captured: Index,
    count: Number,
) -> None:
    """The same with a second input removed."""
    sums = _updated(network, source, added, removed, count)
    sums = difference_of(sums, packed(network.inputs, captured, count), count)
    network.sums[to : to + count] = unpacked(sums, count)


def worth(network: NeuronArrays, first: Index, row: Index, full: Number, count: Number) -> Score:
    """The neurons' total output: their sums clipped to 0 .. `full`, squared and weighted.

    :param first: the offset of the sums; `row` is that of the output weights.
    :param full: at most 2 ** 14.
    """
    signs = _each(_SIGN, count)
    sums = packed(network.sums, first, count)
    sums &= ~_filled(sums & signs)
    above = _filled(sums + _each(_SIGN - full, count) & signs)
    values = unpacked(sums & ~above | above & _each(full, count), count)
    return sum(map(mul, map(mul, values, values), network.outputs[row : row + count]))


def _updated(
    network: NeuronArrays, source: Index, added: Index, removed: Index, count: Number
) -> int:
    sums, inputs = packed(network.sums, source, count), network.inputs
    sums = sum_of(sums, packed(inputs, added, count), count)
    return difference_of(sums, packed(inputs, removed, count), count)


def packed(numbers: memoryview[int] | array[int], first: Index, count: Number) -> int:
    """Pack 16-bit numbers into one integer."""
    return int.from_bytes(numbers[first : first + count], byteorder)


def unpacked(packed: int, count: Number) -> array[int]:
    """Unpack an integer made by `packed`."""
    return array("h", packed.to_bytes(2 * count, byteorder))


@cache
def _each(number: int, count: Number) -> int:
    """The same unsigned 16-bit number in each lane."""
    return packed(array("H", [number]) * count, 0, count)


def _filled(signs: int) -> int:
    """All bits of the lanes whose highest bit is set."""
    return (signs << 1) - (signs >> 15)


# Sums and differences are computed without the highest bit of each lane, so that nothing is carried
# into the next lane; that bit is then computed separately.


def sum_of(first: int, second: int, count: Number) -> int:
    """The lane-wise sum of packed numbers."""
    signs, rest = _each(_SIGN, count), _each(_SIGN - 1, count)
    return (first & rest) + (second & rest) ^ (first ^ second) & signs


def difference_of(first: int, second: int, count: Number) -> int:
    """The lane-wise difference of packed numbers."""
    signs, rest = _each(_SIGN, count), _each(_SIGN - 1, count)
    return (first | signs) - (second & rest) ^ (first ^ second ^ signs) & signs

"""The inner loops of the network, over all neurons of a view.

Python works on one number after the other, but on whole numbers of any length at once. So the
numbers of a view, 16 bits each, are packed into one, as in a register:
https://www.chessprogramming.org/SIMD_and_SWAR_Techniques.

The compiled build has the loops in C (`uci_engine/native/neurons.h`): `eval/neurons.pxd` puts
functions of the same names in their place.
"""

from __future__ import annotations

from array import array
from functools import cache
from operator import mul
from sys import byteorder
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ..board.movegen import Index, Number, Score

#: The highest bit of a place.
_SIGN = 1 << 15


class NeuronArrays(Protocol):
    """What the loops need of a network: arrays that they read, and the sums, which they write."""

    sums: memoryview[int]

    @property
    def inputs(self) -> memoryview[int] | array[int]:
        """The weights of the inputs."""

    @property
    def outputs(self) -> memoryview[int] | array[int]:
        """The weights of the neurons."""


def update(
    network: NeuronArrays, to: Index, source: Index, added: Index, removed: Index, count: Number
) -> None:
    """Write sums to place `to`: those of `source` with one input added and one removed.

    :param added: where the weights of an input begin.
    :param count: neurons of a view.
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
    """What neurons are worth in all: their sums cut off below 0 and above `full`, and squared.

    :param first: where the sums begin, and `row`: where the output weights do.
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
    """Numbers of 16 bits in one."""
    return int.from_bytes(numbers[first : first + count], byteorder)


def unpacked(packed: int, count: Number) -> array[int]:
    """What `packed` has put together."""
    return array("h", packed.to_bytes(2 * count, byteorder))


@cache
def _each(number: int, count: Number) -> int:
    """The same number, of 16 bits without a sign, in each place."""
    return packed(array("H", [number]) * count, 0, count)


def _filled(signs: int) -> int:
    """All bits of the places whose highest one is set."""
    return (signs << 1) - (signs >> 15)


# Sums and differences of all places leave the highest bit out, so that none is carried from place
# to place, and get it from the bits themselves.


def sum_of(first: int, second: int, count: Number) -> int:
    """The sum of packed numbers, each in its place."""
    signs, rest = _each(_SIGN, count), _each(_SIGN - 1, count)
    return (first & rest) + (second & rest) ^ (first ^ second) & signs


def difference_of(first: int, second: int, count: Number) -> int:
    """The difference of packed numbers, each in its place."""
    signs, rest = _each(_SIGN, count), _each(_SIGN - 1, count)
    return (first | signs) - (second & rest) ^ (first ^ second ^ signs) & signs

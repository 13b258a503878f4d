"""The inner loops of a network, over all neurons of a view.

Python handles one number at a time, but a number may be of any length. So a view's 16-bit numbers
are packed into one integer, as in a register:
https://www.chessprogramming.org/SIMD_and_SWAR_Techniques.

The compiled build has the loops in C (`uci_engine/native/neurons.h`): `rows.pxd` replaces these
functions with C functions of the same names.
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


class RowArrays(Protocol):
    """The arrays that the loops read, and the sums, which they write.

    :ivar nothing: the number of the input without weights.
    """

    sums: memoryview[int]
    nothing: Index

    @property
    def inputs(self) -> memoryview[int] | array[int]:
        """The input weights."""

    @property
    def outputs(self) -> memoryview[int] | array[int]:
        """The output weights."""


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
    :param count: the number of neurons per view.
    """
    sums = _packed(network.sums, source, count)
    for number in (added, second_added):
        if number != network.nothing:
            sums = _sum_of(sums, _packed_row(network, number, count), count)
    for number in (removed, second_removed):
        if number != network.nothing:
            sums = _difference_of(sums, _packed_row(network, number, count), count)
    network.sums[to : to + count] = _unpacked(sums, count)


def worth_of_view(
    network: RowArrays, first: Index, row: Index, full: Number, count: Index
) -> Score:
    """The neurons' total output: their sums clipped to 0 .. `full`, squared and weighted.

    :param first: the offset of the sums; `row` is that of the output weights.
    :param full: at most 2 ** 14.
    """
    signs = _each(_SIGN, count)
    sums = _packed(network.sums, first, count)
    sums &= ~_filled(sums & signs)
    above = _filled(sums + _each(_SIGN - full, count) & signs)
    values = _unpacked(sums & ~above | above & _each(full, count), count)
    return sum(map(mul, map(mul, values, values), network.outputs[row : row + count]))


def _packed_row(network: RowArrays, number: Index, count: Index) -> int:
    """The weights of an input, widened to 16 bits."""
    row = network.inputs[number * count : (number + 1) * count]
    return int.from_bytes(array("h", row.tolist()).tobytes(), byteorder)


def _packed(numbers: memoryview[int] | array[int], first: Index, count: Index) -> int:
    """Pack 16-bit numbers into one integer."""
    return int.from_bytes(numbers[first : first + count], byteorder)


def _unpacked(packed: int, count: Index) -> array[int]:
    """Unpack an integer made by `_packed`."""
    return array("h", packed.to_bytes(2 * count, byteorder))


@cache
def _each(number: int, count: Index) -> int:
    """The same unsigned 16-bit number in each lane."""
    return _packed(array("H", [number]) * count, 0, count)


def _filled(signs: int) -> int:
    """All bits of the lanes whose highest bit is set."""
    return (signs << 1) - (signs >> 15)


# Sums and differences are computed without the highest bit of each lane, so that nothing is carried
# into the next lane; that bit is then computed separately.


def _sum_of(first: int, second: int, count: Index) -> int:
    """The lane-wise sum of packed numbers."""
    signs, rest = _each(_SIGN, count), _each(_SIGN - 1, count)
    return (first & rest) + (second & rest) ^ (first ^ second) & signs


def _difference_of(first: int, second: int, count: Index) -> int:
    """The lane-wise difference of packed numbers."""
    signs, rest = _each(_SIGN, count), _each(_SIGN - 1, count)
    return (first | signs) - (second & rest) ^ (first ^ second ^ signs) & signs

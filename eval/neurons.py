"""The inner loops of the network, over all neurons of a view.

The compiled build has them in C (`uci_engine/native/neurons.h`): `eval/neurons.pxd` puts functions
of the same names in their place.
"""

from __future__ import annotations

from array import array
from operator import add, mul, sub
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from halbzug.board.movegen import Index, Number, Score
    from halbzug.eval.network import Network


def update(
    network: Network, to: Index, source: Index, added: Index, removed: Index, count: Number
) -> None:
    """Write sums to place `to`: those of `source` with one input added and one removed.

    :param added: where the weights of an input begin.
    :param count: neurons of a view.
    """
    sums, inputs = network.sums, network.inputs
    with_added = map(add, sums[source : source + count], inputs[added : added + count])
    sums[to : to + count] = array("h", map(sub, with_added, inputs[removed : removed + count]))


def capture(
    network: Network,
    to: Index,
    source: Index,
    added: Index,
    removed: Index,
    captured: Index,
    count: Number,
) -> None:
    """The same with a second input removed."""
    update(network, to, source, added, removed, count)
    sums, inputs = network.sums, network.inputs
    kept = map(sub, sums[to : to + count], inputs[captured : captured + count])
    sums[to : to + count] = array("h", kept)


def worth(network: Network, first: Index, row: Index, full: Number, count: Number) -> Score:
    """What neurons are worth in all: their sums cut off below 0 and above `full`, and squared.

    :param first: where the sums begin, and `row`: where the output weights do.
    """
    values = [
        0 if value < 0 else value if value < full else full
        for value in network.sums[first : first + count]
    ]
    squares = map(mul, values, values)
    return sum(map(mul, squares, network.outputs[row : row + count]))

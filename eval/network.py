"""What the terms do not say: a small neural network that corrects their sum.

Each side looks at the board from its own end. Its view has an input for every kind of piece, own
or the other's, on every square (768, nearly all of them off), and `HIDDEN` neurons that add up the
weights of the pieces they see, each cut off below 0 and above `FULL`. What the neurons are worth
depends on how many men are left; the correction is the side's worth less that of the other side,
so it is the same for both colours, like any term.

A move changes two or three inputs, and so the sums are kept up to date move by move: an
efficiently updatable neural network (https://www.chessprogramming.org/NNUE), only small, and as a
correction. The weights are `eval/network_weights.py`, written by `eval.tuning.network`.
"""

from __future__ import annotations

from array import array
from base64 import b64decode

from eval.network_weights import BIASES, INPUTS, OUTPUTS
from uci_engine.rules import Color, Index, PieceType, Score, Small, Square

#: Neurons of a view.
HIDDEN = 32

#: A neuron is fully on at this sum.
FULL = 255

#: Men on the board are told apart by so many.
MEN_A_ROW = 4

# The same under private names, which the compiled build holds as C integers.
_HIDDEN, _VIEWS, _FULL, _MEN_A_ROW = HIDDEN, 2 * HIDDEN, FULL, MEN_A_ROW
_LAST_ROW = 32 // MEN_A_ROW - 1

#: How many `save`s may be open: the plies of the deepest line, and the game before it.
_STACK = 512


#: The weights of an input for all neurons, beginning at `HIDDEN` * (kind << 6 | square). Kinds are
#: own pawn to king, 0 to 5, and then the other side's.
INPUT_WEIGHTS = array("h", array("b", b64decode(INPUTS)))

#: What the neurons are worth in 128ths of a centipawn, beginning at `HIDDEN` * row of men.
OUTPUT_WEIGHTS = array("h", [weight for row in OUTPUTS for weight in row])

_BIASES = array("h", BIASES)


class Network:
    """The sums of all neurons, of White's view and of Black's."""

    def __init__(self) -> None:
        self.inputs = INPUT_WEIGHTS
        self.outputs = OUTPUT_WEIGHTS
        self.biases = _BIASES
        self.sums = array("h", bytes(2 * _VIEWS * (_STACK + 1)))
        self.top = 0
        self.clear()

    def clear(self) -> None:
        """Empty the board; what was saved stays saved."""
        neuron: Index
        for neuron in range(_HIDDEN):
            self.sums[self.top + neuron] = self.biases[neuron]
            self.sums[self.top + _HIDDEN + neuron] = self.biases[neuron]

    def add(self, color: Color, piece: PieceType, square: Square) -> None:
        """Put a piece on a square."""
        white: Index = self._input(color, piece, square)
        black: Index = self._input(not color, piece, square ^ 56)
        neuron: Index
        for neuron in range(_HIDDEN):
            self.sums[self.top + neuron] += self.inputs[white + neuron]
        for neuron in range(_HIDDEN):
            self.sums[self.top + _HIDDEN + neuron] += self.inputs[black + neuron]

    def remove(self, color: Color, piece: PieceType, square: Square) -> None:
        """Take a piece off a square."""
        white: Index = self._input(color, piece, square)
        black: Index = self._input(not color, piece, square ^ 56)
        neuron: Index
        for neuron in range(_HIDDEN):
            self.sums[self.top + neuron] -= self.inputs[white + neuron]
        for neuron in range(_HIDDEN):
            self.sums[self.top + _HIDDEN + neuron] -= self.inputs[black + neuron]

    def save(self) -> None:
        """Remember the sums before a move."""
        neuron: Index
        for neuron in range(_VIEWS):
            self.sums[self.top + _VIEWS + neuron] = self.sums[self.top + neuron]
        self.top += _VIEWS

    def restore(self) -> None:
        """Return to the sums at the last `save`."""
        self.top -= _VIEWS

    def side(self, color: Color, men: Index) -> Score:
        """What a side's view is worth, in centipawns.

        :param men: how many there are on the board, of both sides.
        """
        first: Index = self.top if color else self.top + _HIDDEN
        row: Index = (men - 1) // _MEN_A_ROW
        if row > _LAST_ROW:
            row = _LAST_ROW  # more men than a game has
        total: Score = 0
        neuron: Index
        value: Small
        for neuron in range(_HIDDEN):
            value = self.sums[first + neuron]
            value = value if value > 0 else 0
            value = value if value < _FULL else _FULL
            total += value * self.outputs[row * _HIDDEN + neuron]
        return total >> 7

    def _input(self, own: Color, piece: PieceType, square: Square) -> Index:
        return ((piece - 1 if own else piece + 5) << 6 | square) * _HIDDEN

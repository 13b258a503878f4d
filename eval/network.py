"""What the terms do not say: a small neural network that corrects their sum.

Each side looks at the board from its own end. Its view has an input for every kind of piece, own
or the other's, on every square (768, nearly all of them off), and `HIDDEN` neurons that add up the
weights of the pieces they see, each cut off below 0 and above `FULL` and then squared: two pieces
that switch a neuron on together count for more than twice one of them. What the neurons are worth
depends on how many men are left; the correction is the side's worth less that of the other side,
so it is the same for both colours, like any term. It corrects, and does not overrule: what a side's
view is worth stays within `LARGEST`, less than half a queen, because far from level positions,
where nothing was to be learnt, it would say anything.

A move changes two or three inputs, and so the sums are kept up to date move by move: an
efficiently updatable neural network (https://www.chessprogramming.org/NNUE), only small, and as a
correction. The weights are `eval/network_weights.py`, written by `halbzug.tuning.network`.
"""

from __future__ import annotations

from array import array
from base64 import b64decode

from halbzug.board.rules import Color, Index, PieceType, Score, Small, Square
from halbzug.eval.network_weights import BIASES, INPUTS, OUTPUTS

#: Neurons of a view.
HIDDEN = 64

#: A neuron is fully on at this sum. Times the largest output weight, 127, it fits 16 bits, and what
#: all neurons are worth fits 32.
FULL = 256

#: A view is worth so many centipawns at most, for its side or against it.
LARGEST = 250

#: Men on the board are told apart by so many.
MEN_A_ROW = 4

# The same under private names, which are C constants in the compiled build.
_HIDDEN, _VIEWS, _FULL, _MEN_A_ROW = HIDDEN, 2 * HIDDEN, FULL, MEN_A_ROW
_SHIFT, _LARGEST = 15, LARGEST

#: A squared sum times its output weight is counted in so many parts of a centipawn.
PARTS = 1 << _SHIFT

#: How many `save`s may be open: the plies of the deepest line, and the game before it.
STACK = 512

#: The weights of an input for all neurons, beginning at `HIDDEN` * (kind << 6 | square). Kinds are
#: own pawn to king, 0 to 5, and then the other side's.
INPUT_WEIGHTS = array("h", array("b", b64decode(INPUTS)))

#: What the neurons are worth, beginning at `HIDDEN` * row of men.
OUTPUT_WEIGHTS = array("h", [weight for row in OUTPUTS for weight in row])

_BIASES = array("h", BIASES)

# What is noted of a level: two pieces that come and two that go, each as White's view and as
# Black's has it, by where its weights begin. A move needs no more.
_COME, _GONE, _NOTES = 0, 4, 8
_NOTHING = 768 * HIDDEN


def row_of(men: Index) -> Index:
    """The row of output weights for so many men on the board, of both sides."""
    if men > 32:
        men = 32  # more than a game has
    return (men - 1) // _MEN_A_ROW


class Network:
    """The sums of all neurons, of White's view and of Black's.

    Many positions of a search are left without being evaluated. So what comes and goes is only
    noted, and the sums follow when `side` asks for them.
    """

    def __init__(self) -> None:
        self.inputs = INPUT_WEIGHTS + array("h", bytes(2 * HIDDEN))  # and those of `_NOTHING`
        self.outputs = OUTPUT_WEIGHTS
        self.biases = _BIASES
        self.sums = array("h", bytes(2 * _VIEWS * (STACK + 1)))
        self.notes = array("i", [_NOTHING] * (_NOTES * (STACK + 1)))
        self.top = 0  # the level of the position
        self.known = 0  # the highest level with sums, but for what was noted there since
        self.clear()

    def clear(self) -> None:
        """Empty the board; what was saved stays saved."""
        self._settle()
        first: Index = self.top * _VIEWS
        neuron: Index
        for neuron in range(_HIDDEN):
            self.sums[first + neuron] = self.biases[neuron]
            self.sums[first + _HIDDEN + neuron] = self.biases[neuron]

    def add(self, color: Color, piece: PieceType, square: Square) -> None:
        """Put a piece on a square."""
        self._note(_COME, color, piece, square)

    def remove(self, color: Color, piece: PieceType, square: Square) -> None:
        """Take a piece off a square."""
        self._note(_GONE, color, piece, square)

    def save(self) -> None:
        """Remember the sums before a move."""
        self.top += 1
        self._forget(self.top)

    def restore(self) -> None:
        """Return to the sums at the last `save`."""
        self.top -= 1
        if self.known > self.top:
            self.known = self.top

    def side(self, color: Color, men: Index) -> Score:
        """What a side's view is worth, in centipawns, from -`LARGEST` to `LARGEST`.

        :param men: how many there are on the board, of both sides.
        """
        self._settle()
        first: Index = self.top * _VIEWS + (0 if color else _HIDDEN)
        row: Index = row_of(men) * _HIDDEN
        total: Score = 0
        neuron: Index
        value: Small
        weighted: Small
        for neuron in range(_HIDDEN):
            value = self.sums[first + neuron]
            value = value if value > 0 else 0
            value = value if value < _FULL else _FULL
            weighted = value * self.outputs[row + neuron]
            total += weighted * value  # both of 16 bits, which processors multiply eight at a time
        total >>= _SHIFT
        total = total if total > -_LARGEST else -_LARGEST
        return total if total < _LARGEST else _LARGEST

    def _note(self, slot: Index, color: Color, piece: PieceType, square: Square) -> None:
        """Note an input that is switched on or off, in the first of its two slots that is free."""
        slot += self.top * _NOTES
        if self.notes[slot] != _NOTHING:
            if self.notes[slot + 2] != _NOTHING:
                self._settle()
            else:
                slot += 2
        self.notes[slot] = ((piece - 1 if color else piece + 5) << 6 | square) * _HIDDEN
        self.notes[slot + 1] = ((piece + 5 if color else piece - 1) << 6 | square ^ 56) * _HIDDEN

    def _forget(self, level: Index) -> None:
        slot: Index
        for slot in range(level * _NOTES, (level + 1) * _NOTES):
            self.notes[slot] = _NOTHING

    def _settle(self) -> None:
        """Work out the sums of all levels up to the top."""
        first: Index = self.known * _NOTES
        if self.notes[first + _COME] != _NOTHING or self.notes[first + _GONE] != _NOTHING:
            self._apply(self.known, self.known)
        while self.known < self.top:
            self.known += 1
            self._apply(self.known - 1, self.known)

    def _apply(self, source: Index, level: Index) -> None:
        """The sums of a level from those of another and what was noted."""
        view: Index
        neuron: Index
        for view in range(2):
            slot: Index = level * _NOTES + view
            come: Index = self.notes[slot + _COME]
            gone: Index = self.notes[slot + _GONE]
            too: Index = self.notes[slot + _COME + 2]
            taken: Index = self.notes[slot + _GONE + 2]
            old: Index = source * _VIEWS + view * _HIDDEN
            new: Index = level * _VIEWS + view * _HIDDEN
            for neuron in range(_HIDDEN):
                self.sums[new + neuron] = (
                    self.sums[old + neuron]
                    + self.inputs[come + neuron]
                    - self.inputs[gone + neuron]
                )
            if too != _NOTHING or taken != _NOTHING:
                for neuron in range(_HIDDEN):
                    self.sums[new + neuron] += (
                        self.inputs[too + neuron] - self.inputs[taken + neuron]
                    )
        self._forget(level)

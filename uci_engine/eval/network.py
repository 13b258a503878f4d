"""What the terms do not say: a small neural network that corrects their sum.

Each side looks at the board from its own end. Its view has an input for every kind of piece, own
or the other's, on every square (768, nearly all of them off), and `HIDDEN` neurons that add up the
weights of the pieces they see. Each sum is cut off below 0 and above `FULL` and then squared: two
pieces that switch a neuron on together count for more than twice one of them. What the neurons are
worth depends on the piece count and on which side is to move: who attacks a piece can take it, and
whose piece is attacked can only move it. The correction is the side's worth less that of the other
side, so it is the same for both colours, like any term. A side's view is worth at most
`MAX_CORRECTION`, less than half a queen, because the network was trained on positions that are
nearly level, and its output means nothing far from them.

A move changes two or three inputs, so the sums are updated move by move: an efficiently updatable
neural network (https://www.chessprogramming.org/NNUE), only small, and as a correction. The weights
are `eval/network_weights.py`, in the form of `halbzug.tuning.train`.
"""

from __future__ import annotations

import sys
from array import array
from base64 import b64decode

from ..board.movegen import Color, Flag, Index, PieceType, Score, Square
from .network_weights import BIASES, INPUTS, OUTPUTS
from .neurons import capture, update, worth

#: Neurons of a view.
HIDDEN = len(BIASES)

#: A neuron is fully on at this sum. Times the largest output weight, 127, it fits 16 bits.
FULL = 256

#: The most that the positive output weights of a row come to, and the negative ones: what all
#: neurons are worth fits 32 bits then.
MAX_ROW = 32767

#: What a view is worth at most, for its side or against it, in centipawns.
MAX_CORRECTION = 250

#: Piece counts that share a row of output weights, and rows of a side: first come those of the side
#: to move.
PIECES_PER_ROW, ROWS_OF_SIDE = 4, 8

# The same under private names, which are C constants in the compiled build.
_HIDDEN, _VIEWS, _FULL, _PIECES_PER_ROW = HIDDEN, 2 * HIDDEN, FULL, PIECES_PER_ROW
_SHIFT, _MAX_CORRECTION, _ROWS_OF_SIDE = 15, MAX_CORRECTION, ROWS_OF_SIDE

if _HIDDEN != HIDDEN:
    raise ImportError(
        f"compiled for {_HIDDEN} neurons, not for the {HIDDEN} of the weights: install it again"
    )

#: Parts of a centipawn in which a squared sum times its output weight is counted.
PARTS = 1 << _SHIFT

#: How many `save`s may be open: the plies of the deepest line, and the game before it.
STACK = 512


def _shorts(numbers: bytes) -> array[int]:
    """Signed bytes as an array of 16 bits; a loop would take milliseconds at each start."""
    signs = numbers.translate(bytes(128) + b"\xff" * 128)
    numbers_first = sys.byteorder == "little"
    both = array("B", bytes(2 * len(numbers)))
    both[not numbers_first :: 2] = array("B", numbers)
    both[numbers_first::2] = array("B", signs)
    return array("h", both.tobytes())


#: The weights of an input for all neurons, beginning at `HIDDEN` * (kind << 6 | square). Kinds are
#: own pawn to king, 0 to 5, and then the other side's.
INPUT_WEIGHTS = _shorts(b64decode(INPUTS))

#: What the neurons are worth, beginning at `HIDDEN` * row.
OUTPUT_WEIGHTS = array("h", [weight for row in OUTPUTS for weight in row])

_INPUTS = INPUT_WEIGHTS + array("h", bytes(2 * HIDDEN))  # and those of `_NOTHING`
_BIASES = array("h", BIASES)

# The dirty pieces of a ply: up to two that were added and two that were removed, each in White's
# view and in Black's, by where its weights begin. A move needs no more.
_ADDED, _REMOVED, _DIRTY = 0, 4, 8
_NOTHING = 768 * HIDDEN


def row_of(piece_count: Index, is_to_move: Flag) -> Index:
    """The row of output weights of a side, for a number of pieces on the board, of both sides."""
    if piece_count > 32:
        piece_count = 32  # more than a game has
    row: Index = (piece_count - 1) // _PIECES_PER_ROW
    return row if is_to_move else row + _ROWS_OF_SIDE


class Network:
    """The sums of all neurons, of White's view and of Black's.

    Many positions of a search are left without being evaluated. So `add` and `remove` only keep
    the dirty pieces, and `output` updates the sums.
    """

    def __init__(self) -> None:
        self.inputs = _INPUTS
        self.outputs = OUTPUT_WEIGHTS
        self.biases = _BIASES
        # Of most plies no search needs the sums; the system gives memory when it is written to.
        self.sums = memoryview(bytearray(2 * _VIEWS * (STACK + 1))).cast("h")
        self.dirty_pieces = array("i", [_NOTHING]) * (_DIRTY * (STACK + 1))
        self.ply = 0  # of the position, counted in `save`s
        self.computed = 0  # the last ply with sums, which may lack its dirty pieces
        self.clear()

    def clear(self) -> None:
        """Empty the board; what was saved stays saved."""
        self._update()
        first: Index = self.ply * _VIEWS
        neuron: Index
        for neuron in range(_HIDDEN):
            self.sums[first + neuron] = self.biases[neuron]
            self.sums[first + _HIDDEN + neuron] = self.biases[neuron]

    def add(self, color: Color, piece: PieceType, square: Square) -> None:
        """Put a piece on a square."""
        self._mark_dirty(_ADDED, color, piece, square)

    def remove(self, color: Color, piece: PieceType, square: Square) -> None:
        """Take a piece off a square."""
        self._mark_dirty(_REMOVED, color, piece, square)

    def save(self) -> None:
        """Remember the sums before a move."""
        self.ply += 1
        self._clear_dirty(self.ply)

    def restore(self) -> None:
        """Return to the sums at the last `save`."""
        self.ply -= 1
        if self.computed > self.ply:
            self.computed = self.ply

    def output(self, color: Color, piece_count: Index, is_to_move: Flag) -> Score:
        """What a side's view is worth in centipawns, within `MAX_CORRECTION` of 0.

        :param piece_count: pieces on the board, of both sides.
        :param is_to_move: whether that side is.
        """
        self._update()
        first: Index = self.ply * _VIEWS + (0 if color else _HIDDEN)
        row: Index = row_of(piece_count, is_to_move) * _HIDDEN
        total: Score = worth(self, first, row, _FULL, _HIDDEN) >> _SHIFT
        total = total if total > -_MAX_CORRECTION else -_MAX_CORRECTION
        return total if total < _MAX_CORRECTION else _MAX_CORRECTION

    def _mark_dirty(self, slot: Index, color: Color, piece: PieceType, square: Square) -> None:
        """Keep an input that is switched on or off in the first of its two slots that is free."""
        slot += self.ply * _DIRTY
        if self.dirty_pieces[slot] != _NOTHING:
            if self.dirty_pieces[slot + 2] != _NOTHING:
                self._update()
            else:
                slot += 2
        white: Index = (piece - 1 if color else piece + 5) << 6 | square
        black: Index = (piece + 5 if color else piece - 1) << 6 | square ^ 56
        self.dirty_pieces[slot] = white * _HIDDEN
        self.dirty_pieces[slot + 1] = black * _HIDDEN

    def _clear_dirty(self, ply: Index) -> None:
        slot: Index
        for slot in range(ply * _DIRTY, (ply + 1) * _DIRTY):
            self.dirty_pieces[slot] = _NOTHING

    def _update(self) -> None:
        """Compute the sums of all plies up to the position."""
        first: Index = self.computed * _DIRTY
        if (
            self.dirty_pieces[first + _ADDED] != _NOTHING
            or self.dirty_pieces[first + _REMOVED] != _NOTHING
        ):
            self._apply(self.computed, self.computed)
        while self.computed < self.ply:
            self.computed += 1
            self._apply(self.computed - 1, self.computed)

    def _apply(self, source: Index, ply: Index) -> None:
        """The sums of a ply from those of another and its dirty pieces."""
        view: Index
        for view in range(2):
            slot: Index = ply * _DIRTY + view
            added: Index = self.dirty_pieces[slot + _ADDED]
            removed: Index = self.dirty_pieces[slot + _REMOVED]
            second_added: Index = self.dirty_pieces[slot + _ADDED + 2]
            second_removed: Index = self.dirty_pieces[slot + _REMOVED + 2]
            old: Index = source * _VIEWS + view * _HIDDEN
            new: Index = ply * _VIEWS + view * _HIDDEN
            if second_removed != _NOTHING:
                capture(self, new, old, added, removed, second_removed, _HIDDEN)
            else:
                update(self, new, old, added, removed, _HIDDEN)
            if second_added != _NOTHING:
                update(self, new, new, second_added, _NOTHING, _HIDDEN)
        self._clear_dirty(ply)

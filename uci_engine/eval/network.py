"""A small neural network that corrects the sum of the terms.

Each side views the board from its own end. Its view has an input for every kind of piece, own or
enemy, on every square (768, nearly all of them off), and `HIDDEN` neurons that add up the weights
of the active inputs. Each sum is clipped to 0 .. `FULL` and squared (SCReLU): two pieces that
activate a neuron together count for more than twice one of them. The output weights depend on the
piece count and on the side to move: the side that attacks a piece can capture it if it is to move,
while the other side can only move it away. The correction is one side's output minus the other's,
so it is symmetric, like any term. A side's output is limited to `MAX_CORRECTION`, less than half a
queen, because the network was trained on nearly level positions and is meaningless far from them.

A move changes two or three inputs, so the sums are updated move by move: a small efficiently
updatable neural network (https://www.chessprogramming.org/NNUE), used as a correction. The weights
are in `eval/network_weights.py`.
"""

from __future__ import annotations

import sys
from array import array
from base64 import b64decode

from ..board.movegen import Color, Flag, Index, PieceType, Score, Square
from .network_weights import BIASES, INPUTS, OUTPUTS
from .neurons import capture, update, worth

#: Number of neurons per view.
HIDDEN = len(BIASES)

#: A neuron's maximum. Times the largest output weight, 127, it fits in 16 bits.
FULL = 256

#: Limit of the sum of a row's positive output weights, and of the negative ones, so that the
#: neurons' total output fits in 32 bits.
MAX_ROW = 32767

#: Limit of a view's output, in centipawns, in either direction.
MAX_CORRECTION = 250

#: Piece counts that share a row of output weights, and rows per side; those of the side to move
#: come first.
PIECES_PER_ROW, ROWS_OF_SIDE = 4, 8

# Private copies, which are C constants in the compiled build.
_HIDDEN, _VIEWS, _FULL, _PIECES_PER_ROW = HIDDEN, 2 * HIDDEN, FULL, PIECES_PER_ROW
_SHIFT, _MAX_CORRECTION, _ROWS_OF_SIDE = 15, MAX_CORRECTION, ROWS_OF_SIDE

if _HIDDEN != HIDDEN:
    raise ImportError(
        f"compiled for {_HIDDEN} neurons, not for the {HIDDEN} of the weights: install it again"
    )

#: The unit of a squared sum times its output weight, as parts of a centipawn.
PARTS = 1 << _SHIFT

#: Maximum number of open `save`s: the plies of the deepest line, and the game before it.
STACK = 512


def _shorts(numbers: bytes) -> array[int]:
    """Signed bytes as an array of 16-bit integers; a loop would cost milliseconds at each start."""
    signs = numbers.translate(bytes(128) + b"\xff" * 128)
    numbers_first = sys.byteorder == "little"
    both = array("B", bytes(2 * len(numbers)))
    both[not numbers_first :: 2] = array("B", numbers)
    both[numbers_first::2] = array("B", signs)
    return array("h", both.tobytes())


#: Each input's weights for all neurons, starting at `HIDDEN` * (kind << 6 | square). Kinds are the
#: side's own pawn to king, 0 to 5, then the enemy's.
INPUT_WEIGHTS = _shorts(b64decode(INPUTS))

#: The neurons' output weights, starting at `HIDDEN` * row.
OUTPUT_WEIGHTS = array("h", [weight for row in OUTPUTS for weight in row])

_INPUTS = INPUT_WEIGHTS + array("h", bytes(2 * HIDDEN))  # followed by those of `_NOTHING`
_BIASES = array("h", BIASES)

# A ply's dirty pieces: up to two added and two removed, each in White's and Black's view, by the
# offset of its weights. No move needs more.
_ADDED, _REMOVED, _DIRTY = 0, 4, 8
_NOTHING = 768 * HIDDEN


def row_of(piece_count: Index, is_to_move: Flag) -> Index:
    """The row of a side's output weights for the total number of pieces on the board."""
    if piece_count > 32:
        piece_count = 32  # more than a game can have
    row: Index = (piece_count - 1) // _PIECES_PER_ROW
    return row if is_to_move else row + _ROWS_OF_SIDE


class Network:
    """The sums of all neurons, in White's and Black's view.

    Many positions of a search are never evaluated. So `add` and `remove` only record the dirty
    pieces, and `output` updates the sums.
    """

    def __init__(self) -> None:
        self.inputs = _INPUTS
        self.outputs = OUTPUT_WEIGHTS
        self.biases = _BIASES
        # The search needs no sums for most plies; memory is only allocated when it is written to.
        self.sums = memoryview(bytearray(2 * _VIEWS * (STACK + 1))).cast("h")
        self.dirty_pieces = array("i", [_NOTHING]) * (_DIRTY * (STACK + 1))
        self.ply = 0  # the position's, counted in `save`s
        self.computed = 0  # the last ply with sums, which may not include its dirty pieces
        self.clear()

    def clear(self) -> None:
        """Clear the board, but keep the saved sums."""
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
        """Save the sums before a move."""
        self.ply += 1
        self._clear_dirty(self.ply)

    def restore(self) -> None:
        """Restore the sums of the last `save`."""
        self.ply -= 1
        if self.computed > self.ply:
            self.computed = self.ply

    def output(self, color: Color, piece_count: Index, is_to_move: Flag) -> Score:
        """The output of a side's view in centipawns, within `MAX_CORRECTION` of 0.

        :param piece_count: pieces on the board, of both sides.
        :param is_to_move: whether this side is to move.
        """
        self._update()
        first: Index = self.ply * _VIEWS + (0 if color else _HIDDEN)
        row: Index = row_of(piece_count, is_to_move) * _HIDDEN
        total: Score = worth(self, first, row, _FULL, _HIDDEN) >> _SHIFT
        total = total if total > -_MAX_CORRECTION else -_MAX_CORRECTION
        return total if total < _MAX_CORRECTION else _MAX_CORRECTION

    def _mark_dirty(self, slot: Index, color: Color, piece: PieceType, square: Square) -> None:
        """Record a change of an input in the first free slot of two."""
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
        """Compute the sums of all plies up to the current one."""
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
        """Compute a ply's sums from another's and its dirty pieces."""
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

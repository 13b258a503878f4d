"""A network that is an evaluation by itself, without hand-made terms.

It has two heads, for either of which the number of pieces chooses one of eight rows:

- material and position: a worth of each piece on each square;
- neurons, which add up weights of the same inputs. Their sums are cut off below 0 and above `FULL`
  and squared, and what they are worth depends on whose view they belong to, the side to move's or
  the other one's.

Each side looks at the board from its own end, and with its files from h to a where its king is on
the files a to d. Where that king stands chooses one of several sets of weights. A move that brings
a king to another place changes all sums of its view. Then they come from a cache, which has for
each place what was last summed up there, and only the pieces that differ are added and removed
(https://www.chessprogramming.org/NNUE#Accumulator_Cache).

As with the smaller network, sums are updated move by move, but only where a position is evaluated.
The weights are a file (`halbzug.eval.network_file`), of any size.
"""

from __future__ import annotations

from array import array

from ..board.movegen import (
    Bitboard,
    Board,
    Color,
    Index,
    Number,
    PieceType,
    Rating,
    Score,
    Square,
    lsb,
    pieces_of,
    popcount,
)
from .network import FULL, STACK
from .network_file import INPUTS, ROWS, WHOLE_SCALE, Weights
from .rows import change, worth_of_view

_FULL, _ROWS, _INPUTS, _SHIFT = FULL, ROWS, INPUTS, 15
_WHOLE_SCALE = WHOLE_SCALE
_QUARTER = 13  # bits of a quarter of a centipawn, of both sides

#: No evaluation is larger, in centipawns: above are those of mates and tablebases.
MAX_EVALUATION = 15_000
_MAX_EVALUATION = MAX_EVALUATION

_KING, _NONE, _DIRTY, _KINDS = 6, -1, 4, 12


class WholeNetwork:
    """The sums of all neurons, of White's view and of Black's, and the evaluation by them.

    A piece is kept as `kind << 6 | square`, kinds from 0 (White's pawn) to 11 (Black's king).
    """

    def __init__(self, weights: Weights) -> None:
        self.count = weights.neurons
        self.scale = weights.scale
        self.places = weights.places
        self.biases = weights.biases
        self.outputs = weights.outputs
        self.inputs, self.position = weights.padded
        self.nothing = weights.kings * INPUTS
        self.kings = 2 * weights.kings  # places, as they are and mirrored
        # Of most plies no search needs the sums; the system gives memory when it is written to.
        self.sums = memoryview(bytearray(2 * 2 * self.count * (STACK + 1))).cast("h")
        self.values = memoryview(bytearray(4 * 2 * ROWS * (STACK + 1))).cast("i")
        # The cache, by view and place: sums, values, and the pieces that they are of.
        entries = 2 * self.kings
        self.cached_sums = memoryview(bytearray(2 * self.count * entries)).cast("h")
        self.cached_values = array("i", bytes(4 * ROWS * entries))
        self.cached_pieces = array("Q", bytes(8 * _KINDS * entries))
        for entry in range(entries):
            self.cached_sums[entry * self.count : (entry + 1) * self.count] = self.biases
        # Of each ply: two pieces that were added and two that were removed, and of each view the
        # place of its king, whether that is a new one, and whether the sums are there.
        self.dirty = array("i", [_NONE]) * (_DIRTY * (STACK + 1))
        self.where = array("i", [_NONE]) * (2 * (STACK + 1))
        self.is_new = array("i", [1]) * (2 * (STACK + 1))
        self.is_computed = array("i", [0]) * (2 * (STACK + 1))
        self.ply = 0

    def clear(self) -> None:
        """Empty the board; what was saved stays saved."""
        self._forget(self.ply)
        self._renew()
        self.where[2 * self.ply] = self.where[2 * self.ply + 1] = _NONE

    def add(self, color: Color, piece: PieceType, square: Square) -> None:
        """Put a piece on a square."""
        if piece == _KING:
            view: Index = 0 if color else 1
            place: Number = self._place(view, square)
            if self.where[2 * self.ply + view] != place:
                self.where[2 * self.ply + view] = place
                self.is_new[2 * self.ply + view] = 1
        self._note(0, color, piece, square)

    def remove(self, color: Color, piece: PieceType, square: Square) -> None:
        """Take a piece off a square."""
        self._note(2, color, piece, square)

    def save(self) -> None:
        """Remember the sums before a move."""
        old: Index = 2 * self.ply
        self.ply += 1
        self._forget(self.ply)
        self.where[old + 2] = self.where[old]
        self.where[old + 3] = self.where[old + 1]

    def restore(self) -> None:
        """Return to the sums at the last `save`."""
        self.ply -= 1

    def evaluate(self, board: Board) -> Score:
        """What a position is worth in centipawns, for the side to move.

        :param board: what `add` and `remove` have put on it, with one king a side.
        """
        self._update(board, 0)
        self._update(board, 1)
        pieces: Number = popcount(board.occupied)
        row: Index = (pieces - 1) // 4 if pieces < 32 else _ROWS - 1
        own: Index = 2 * self.ply + (0 if board.turn else 1)
        other: Index = 2 * self.ply + (1 if board.turn else 0)
        outputs: Index = 2 * row * self.count
        total: Rating = self.values[own * _ROWS + row]
        total -= self.values[other * _ROWS + row]
        total <<= _QUARTER
        total += worth_of_view(self, own * self.count, outputs, _FULL, self.count)
        total += worth_of_view(self, other * self.count, outputs + self.count, _FULL, self.count)
        total = total * self.scale // _WHOLE_SCALE >> _SHIFT
        total = total if total < _MAX_EVALUATION else _MAX_EVALUATION
        return total if total > -_MAX_EVALUATION else -_MAX_EVALUATION

    def _place(self, view: Index, square: Square) -> Number:
        """A king's place, twice its number, and 1 more where the board is mirrored."""
        seen: Square = square ^ 56 if view else square
        mirrored: Number = 0 if seen & 4 else 1
        if mirrored:
            seen ^= 7
        return 2 * self.places[seen >> 3 << 2 | seen & 3] + mirrored

    def _forget(self, ply: Index) -> None:
        """Begin a ply without changes and sums."""
        slot: Index
        for slot in range(ply * _DIRTY, (ply + 1) * _DIRTY):
            self.dirty[slot] = _NONE
        self.is_new[2 * ply] = self.is_new[2 * ply + 1] = 0
        self.is_computed[2 * ply] = self.is_computed[2 * ply + 1] = 0

    def _renew(self) -> None:
        """Have the sums of this ply computed from the board."""
        self.is_new[2 * self.ply] = self.is_new[2 * self.ply + 1] = 1
        self.is_computed[2 * self.ply] = self.is_computed[2 * self.ply + 1] = 0

    def _note(self, slot: Index, color: Color, piece: PieceType, square: Square) -> None:
        """Keep a change in the first of its two slots that is free."""
        slot += self.ply * _DIRTY
        if self.is_computed[2 * self.ply] or self.is_computed[2 * self.ply + 1]:
            self._renew()
        if self.dirty[slot] != _NONE:
            slot += 1
            if self.dirty[slot] != _NONE:
                self._renew()  # more than a move changes
                return
        kind: Number = piece - 1 if color else piece + 5
        self.dirty[slot] = kind << 6 | square

    def _update(self, board: Board, view: Index) -> None:
        """Compute the sums of a view."""
        ply: Index = self.ply
        while not self.is_computed[2 * ply + view]:
            if self.is_new[2 * ply + view]:
                self._refresh(board, view)
                return
            ply -= 1
        while ply < self.ply:
            ply += 1
            self._apply(ply, view)

    def _input(self, view: Index, piece: Number, place: Number) -> Index:
        """The number of the input of a piece."""
        if piece == _NONE:
            return self.nothing
        if view:
            piece = piece - 384 if piece >= 384 else piece + 384
            piece ^= 56
        if place & 1:
            piece ^= 7
        return (place >> 1) * _INPUTS + piece

    def _apply(self, ply: Index, view: Index) -> None:
        """The sums of a ply from those of the one before and its changes."""
        slot: Index = ply * _DIRTY
        new: Index = 2 * ply + view
        place: Number = self.where[new]
        added: Index = self._input(view, self.dirty[slot], place)
        second_added: Index = self._input(view, self.dirty[slot + 1], place)
        removed: Index = self._input(view, self.dirty[slot + 2], place)
        second_removed: Index = self._input(view, self.dirty[slot + 3], place)
        change(
            self, new * self.count, (new - 2) * self.count,
            added, second_added, removed, second_removed, self.count,
        )  # fmt: skip
        row: Index
        for row in range(_ROWS):
            self.values[new * _ROWS + row] = (
                self.values[(new - 2) * _ROWS + row]
                + self.position[added * _ROWS + row]
                + self.position[second_added * _ROWS + row]
                - self.position[removed * _ROWS + row]
                - self.position[second_removed * _ROWS + row]
            )
        self.is_computed[new] = 1

    def _refresh(self, board: Board, view: Index) -> None:
        """The sums of the position from those of the cache."""
        new: Index = 2 * self.ply + view
        place: Number = self.where[new]
        entry: Index = view * self.kings + place
        kind: Index
        row: Index
        neuron: Index
        piece: Number
        for kind in range(_KINDS):
            now: Bitboard = self._pieces(board, kind)
            before: Bitboard = self.cached_pieces[entry * _KINDS + kind]
            rest: Bitboard = now ^ before
            while rest:
                piece = kind << 6 | lsb(rest)
                rest &= rest - 1
                number: Index = self._input(view, piece, place)
                sign: Number = 1 if now >> (piece & 63) & 1 else -1
                self._change_cached(entry, number, sign)
            self.cached_pieces[entry * _KINDS + kind] = now
        for neuron in range(self.count):
            self.sums[new * self.count + neuron] = self.cached_sums[entry * self.count + neuron]
        for row in range(_ROWS):
            self.values[new * _ROWS + row] = self.cached_values[entry * _ROWS + row]
        self.is_computed[new] = 1

    def _change_cached(self, entry: Index, number: Index, sign: Number) -> None:
        """Add (1) or remove (-1) an input in the cache."""
        first: Index = entry * self.count
        weights: Index = number * self.count
        neuron: Index
        row: Index
        for neuron in range(self.count):
            self.cached_sums[first + neuron] += sign * self.inputs[weights + neuron]
        for row in range(_ROWS):
            self.cached_values[entry * _ROWS + row] += sign * self.position[number * _ROWS + row]

    def _pieces(self, board: Board, kind: Index) -> Bitboard:
        """Where the pieces of a kind are, from 0 for White's pawns."""
        own: Bitboard = pieces_of(board, kind < 6)
        piece: Index = kind if kind < 6 else kind - 6
        if piece == 0:
            return own & board.pawns
        if piece == 1:
            return own & board.knights
        if piece == 2:
            return own & board.bishops
        if piece == 3:
            return own & board.rooks
        if piece == 4:
            return own & board.queens
        return own & board.kings

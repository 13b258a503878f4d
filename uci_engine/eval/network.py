"""A network that evaluates on its own, without terms.

It has two heads, each with eight rows, of which the piece count chooses one:

- material and position: a value for each piece on each square;
- neurons, which add up weights of the same inputs. Their sums are clipped to 0 .. `FULL` and
  squared, and their output weights depend on whether the view is that of the side to move.

Each side views the board from its own end, mirrored if its king is on the files a to d. The king's
square selects one of several sets of weights (king buckets). A king move to another bucket changes
all sums of its view. They then come from a cache, which keeps the last sums of each bucket, so that
only the pieces that differ are added and removed
(https://www.chessprogramming.org/NNUE#Accumulator_Cache).

A move changes few inputs, so the sums are updated move by move: an efficiently updatable neural
network (https://www.chessprogramming.org/NNUE). Many positions of a search are never evaluated, so
moves are only recorded, and sums are updated where a position is evaluated. The weights are a file
of any size (`halbzug.eval.network_file`).
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
from .network_file import INPUTS, ROWS, WHOLE_SCALE, Weights
from .rows import change, worth_of_view

#: A neuron's maximum. Times the largest output weight, 127, it fits in 16 bits.
FULL = 256

#: Maximum number of open `save`s: the plies of the deepest line, and the game before it.
STACK = 512

_FULL, _ROWS, _INPUTS, _SHIFT = FULL, ROWS, INPUTS, 15
_WHOLE_SCALE = WHOLE_SCALE
_QUARTER = 13  # shift of material and position, in quarters of a centipawn of both sides

#: Limit of evaluations, in centipawns: higher scores are mates and tablebase wins.
MAX_EVALUATION = 15_000
_MAX_EVALUATION = MAX_EVALUATION

_KING, _NONE, _DIRTY, _KINDS = 6, -1, 4, 12

# The number of the cache's first sums.
_CACHE = 2 * (STACK + 1)


class Network:
    """The sums of all neurons, in White's and Black's view, and the resulting evaluation.

    A piece is stored as `kind << 6 | square`, with kinds from 0 (White's pawn) to 11 (Black's
    king).
    """

    def __init__(self, weights: Weights) -> None:
        self.count = weights.neurons
        self.scale = weights.scale
        self.places = weights.places
        self.biases = weights.biases
        self.outputs = weights.outputs
        self.inputs, self.position = weights.padded
        self.nothing = weights.kings * INPUTS
        self.kings = 2 * weights.kings  # buckets, plain and mirrored
        # The sums of each ply and view, and then the cache: those of each view and bucket, and the
        # pieces they belong to. The search needs no sums for most plies; memory is only allocated
        # when it is written to.
        entries = 2 * self.kings
        self.sums = memoryview(bytearray(2 * self.count * (_CACHE + entries))).cast("h")
        self.values = memoryview(bytearray(4 * ROWS * (_CACHE + entries))).cast("i")
        self.cached_pieces = array("Q", bytes(8 * _KINDS * entries))
        for entry in range(_CACHE, _CACHE + entries):
            self.sums[entry * self.count : (entry + 1) * self.count] = self.biases
        # The inputs that a cached view lacks, and those that it has in excess.
        self.added, self.removed = array("q", bytes(8 * 64)), array("q", bytes(8 * 64))
        # For each ply: two added and two removed pieces, and for each view the king's bucket,
        # whether it is a new one, and whether the sums are valid.
        self.dirty = array("i", [_NONE]) * (_DIRTY * (STACK + 1))
        self.where = array("i", [_NONE]) * (2 * (STACK + 1))
        self.is_new = array("i", [1]) * (2 * (STACK + 1))
        self.is_computed = array("i", [0]) * (2 * (STACK + 1))
        self.ply = 0

    def clear(self) -> None:
        """Clear the board, but keep the saved sums."""
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
        """Save the sums before a move."""
        old: Index = 2 * self.ply
        self.ply += 1
        self._forget(self.ply)
        self.where[old + 2] = self.where[old]
        self.where[old + 3] = self.where[old + 1]

    def restore(self) -> None:
        """Restore the sums of the last `save`."""
        self.ply -= 1

    def evaluate(self, board: Board) -> Score:
        """The evaluation of a position in centipawns, for the side to move.

        :param board: the board that `add` and `remove` built, with one king per side.
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
        """The king's bucket, doubled, plus 1 if the board is mirrored."""
        seen: Square = square ^ 56 if view else square
        mirrored: Number = 0 if seen & 4 else 1
        if mirrored:
            seen ^= 7
        return 2 * self.places[seen >> 3 << 2 | seen & 3] + mirrored

    def _forget(self, ply: Index) -> None:
        """Start a ply without changes or sums."""
        slot: Index
        for slot in range(ply * _DIRTY, (ply + 1) * _DIRTY):
            self.dirty[slot] = _NONE
        self.is_new[2 * ply] = self.is_new[2 * ply + 1] = 0
        self.is_computed[2 * ply] = self.is_computed[2 * ply + 1] = 0

    def _renew(self) -> None:
        """Mark the sums of this ply for recomputation from the board."""
        self.is_new[2 * self.ply] = self.is_new[2 * self.ply + 1] = 1
        self.is_computed[2 * self.ply] = self.is_computed[2 * self.ply + 1] = 0

    def _note(self, slot: Index, color: Color, piece: PieceType, square: Square) -> None:
        """Record a change in the first free slot of two."""
        slot += self.ply * _DIRTY
        if self.is_computed[2 * self.ply] or self.is_computed[2 * self.ply + 1]:
            self._renew()
        if self.dirty[slot] != _NONE:
            slot += 1
            if self.dirty[slot] != _NONE:
                self._renew()  # more changes than a move makes
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
        """The number of a piece's input."""
        if piece == _NONE:
            return self.nothing
        if view:
            piece = piece - 384 if piece >= 384 else piece + 384
            piece ^= 56
        if place & 1:
            piece ^= 7
        return (place >> 1) * _INPUTS + piece

    def _apply(self, ply: Index, view: Index) -> None:
        """Compute a ply's sums from the previous ply's and its changes."""
        slot: Index = ply * _DIRTY
        new: Index = 2 * ply + view
        place: Number = self.where[new]
        self._change(
            new,
            new - 2,
            self._input(view, self.dirty[slot], place),
            self._input(view, self.dirty[slot + 1], place),
            self._input(view, self.dirty[slot + 2], place),
            self._input(view, self.dirty[slot + 3], place),
        )
        self.is_computed[new] = 1

    def _refresh(self, board: Board, view: Index) -> None:
        """Compute the position's sums from the cache."""
        new: Index = 2 * self.ply + view
        place: Number = self.where[new]
        entry: Index = view * self.kings + place
        cached: Index = _CACHE + entry
        added: Number = 0
        removed: Number = 0
        kind: Index
        for kind in range(_KINDS):
            now: Bitboard = self._pieces(board, kind)
            before: Bitboard = self.cached_pieces[entry * _KINDS + kind]
            self.cached_pieces[entry * _KINDS + kind] = now
            rest: Bitboard = now & ~before
            while rest:
                self.added[added] = self._input(view, kind << 6 | lsb(rest), place)
                added += 1
                rest &= rest - 1
            rest = before & ~now
            while rest:
                self.removed[removed] = self._input(view, kind << 6 | lsb(rest), place)
                removed += 1
                rest &= rest - 1
        while added > 0 or removed > 0:
            self._change(
                cached,
                cached,
                self.added[added - 1] if added > 0 else self.nothing,
                self.added[added - 2] if added > 1 else self.nothing,
                self.removed[removed - 1] if removed > 0 else self.nothing,
                self.removed[removed - 2] if removed > 1 else self.nothing,
            )
            added -= 2
            removed -= 2
        self._change(new, cached, self.nothing, self.nothing, self.nothing, self.nothing)
        self.is_computed[new] = 1

    def _change(
        self,
        to: Index,
        source: Index,
        added: Index,
        second_added: Index,
        removed: Index,
        second_removed: Index,
    ) -> None:
        """Compute sums and values from others, with these inputs added and removed."""
        change(
            self, to * self.count, source * self.count,
            added, second_added, removed, second_removed, self.count,
        )  # fmt: skip
        row: Index
        for row in range(_ROWS):
            self.values[to * _ROWS + row] = (
                self.values[source * _ROWS + row]
                + self.position[added * _ROWS + row]
                + self.position[second_added * _ROWS + row]
                - self.position[removed * _ROWS + row]
                - self.position[second_removed * _ROWS + row]
            )

    def _pieces(self, board: Board, kind: Index) -> Bitboard:
        """The squares of a kind's pieces; kind 0 is White's pawns."""
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

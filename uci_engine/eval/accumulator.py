"""The part of the evaluation that is updated move by move.

Material and piece-square values are sums over pieces, and so are a network's neurons; a move
changes them by a few table look-ups. A position only needs to call `Accumulator.set_up`, `add` and
`remove`.
"""

from __future__ import annotations

from array import array

from ..board.movegen import (
    Bitboard,
    Board,
    Color,
    PieceType,
    Square,
    lsb,
    piece_on,
    pieces_of,
)
from .network import STACK, Network
from .network_file import chosen
from .tables import PHASE, piece_square

# Shared by all accumulators: each search creates one, and building the tables takes time.
_VALUES = array("i", piece_square())
_PHASES = array("i", PHASE)


class Accumulator:
    """Running sums over the pieces on the board.

    `score` is a packed middlegame/endgame score (material and piece-square values, White minus
    Black); `phase` counts the pieces left, from 24 at the start to 0 with none (more after
    promotions). `network` has the sums of the network, if one evaluates.
    """

    def __init__(self) -> None:
        self.values = _VALUES
        self.phases = _PHASES
        self.saved = array("i", bytes(4 * 2 * STACK))
        self.saves = 0
        self.score = 0
        self.phase = 0
        weights = chosen()
        self.network = None if weights is None else Network(weights)

    def clear(self) -> None:
        """Clear the board, but keep the saved sums."""
        self.score = 0
        self.phase = 0
        if self.network is not None:
            self.network.clear()

    def set_up(self, board: Board) -> None:
        """Take over the pieces of a board, but keep the saved sums."""
        self.clear()
        white: Bitboard = pieces_of(board, True)
        pieces: Bitboard = board.occupied
        while pieces:
            square: Square = lsb(pieces)
            self.add(white >> square & 1 != 0, piece_on(board, square), square)
            pieces &= pieces - 1

    def add(self, color: Color, piece: PieceType, square: Square) -> None:
        """Put a piece on a square."""
        self.phase += self.phases[piece]
        if self.network is not None:
            self.network.add(color, piece, square)
        if color:
            self.score += self.values[piece << 6 | square]
        else:
            self.score -= self.values[piece << 6 | square ^ 56]

    def remove(self, color: Color, piece: PieceType, square: Square) -> None:
        """Take a piece off a square."""
        self.phase -= self.phases[piece]
        if self.network is not None:
            self.network.remove(color, piece, square)
        if color:
            self.score -= self.values[piece << 6 | square]
        else:
            self.score += self.values[piece << 6 | square ^ 56]

    def save(self) -> None:
        """Save the sums before a move."""
        self.saved[2 * self.saves] = self.score
        self.saved[2 * self.saves + 1] = self.phase
        self.saves += 1
        if self.network is not None:
            self.network.save()

    def restore(self) -> None:
        """Restore the sums of the last `save`."""
        self.saves -= 1
        self.score = self.saved[2 * self.saves]
        self.phase = self.saved[2 * self.saves + 1]
        if self.network is not None:
            self.network.restore()

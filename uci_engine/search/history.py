"""History heuristics: how well moves did elsewhere in the tree.

A move that causes a cutoff gets a bonus, the moves searched before it a malus, and later nodes try
them earlier or later accordingly.

Sources: https://www.chessprogramming.org/History_Heuristic, Killer Heuristic, and on gravity
https://www.chessprogramming.org/History_Heuristic#History_Bonuses
"""

from __future__ import annotations

from array import array

from ..base.scores import MAX_PLY
from ..board.movegen import (
    Board,
    Depth,
    Flag,
    MoveCode,
    Number,
    PieceType,
    Ply,
    Rating,
    Score,
    Square,
    from_square,
    piece_on,
    to_square,
)
from .parameters import (
    HISTORY_BONUS_LINEAR,
    HISTORY_BONUS_MAX,
    HISTORY_BONUS_MAX_DEPTH,
    HISTORY_BONUS_QUADRATIC,
)
from .settings import Settings

#: All history values stay within plus and minus this.
HISTORY_LIMIT = 16384

_LIMIT_BITS = 14  # HISTORY_LIMIT is 1 << this

# The first index of Black's moves: after seven piece types (0 for none) of 64 squares.
_BLACK = 7 * 64
_PIECE_TARGETS = 2 * _BLACK


class History:
    """Killers by ply; quiet history by side and squares; capture history by piece, target and
    victim; continuation history by piece and target of a move and of the moves one, two and four
    plies before it.
    """

    def __init__(self) -> None:
        self.killers = array("i", bytes(4 * 2 * (MAX_PLY + 2)))
        # Piece and target of the move made at each ply, after four entries meaning "none".
        self.moved = array("i", bytes(4 * (MAX_PLY + 6)))
        self.settings = Settings()  # those of the current search
        self.quiet = array("i", bytes(4 * 2 * 4096))
        self.capture = array("i", bytes(4 * 8 * _PIECE_TARGETS))
        self.continuation = array("h", [0]) * (_PIECE_TARGETS * _PIECE_TARGETS)
        # The pieces and targets of earlier moves with non-zero values: few after a short search,
        # and clearing all would take longer than such a search.
        self.filled_rows = bytearray(_PIECE_TARGETS)

    def clear(self) -> None:
        """Forget everything, for a new game."""
        index: Number
        for index in range(len(self.quiet)):
            self.quiet[index] = 0
        for index in range(len(self.capture)):
            self.capture[index] = 0
        row: Number
        for row in range(_PIECE_TARGETS):
            if self.filled_rows[row]:
                self.filled_rows[row] = 0
                for index in range(row * _PIECE_TARGETS, (row + 1) * _PIECE_TARGETS):
                    self.continuation[index] = 0
        self.clear_killers()

    def clear_killers(self) -> None:
        """Forget the killers for a new search, in which plies mean other positions."""
        for index in range(len(self.killers)):
            self.killers[index] = 0

    def note_move(self, board: Board, move: MoveCode, ply: Ply) -> None:
        """Record which piece moves where at this ply; call it before making the move."""
        self.moved[ply + 4] = self._piece_target(board, move)

    def note_null_move(self, ply: Ply) -> None:
        """Record that no piece moves at this ply."""
        self.moved[ply + 4] = 0

    # -- reading --------------------------------------------------------------------------------

    def rate_quiet(self, board: Board, move: MoveCode, ply: Ply) -> Score:
        """The rating of a quiet move, from -3.5 to +3.5 times HISTORY_LIMIT."""
        this: MoveCode = self._piece_target(board, move)
        value: Score = self.quiet[(move & 4095) + (4096 if board.turn else 0)]
        value += self.continuation[self.moved[ply + 3] * _PIECE_TARGETS + this]
        value += self.continuation[self.moved[ply + 2] * _PIECE_TARGETS + this]
        if self.settings.four_ply_continuation:
            value += self.continuation[self.moved[ply] * _PIECE_TARGETS + this] >> 1
        return value

    def rate_quiets(self, board: Board, ratings: array[int], end: Ply, ply: Ply) -> None:
        """Add the rating << 16 to each of the first `end` quiet moves.

        The ratings are those of `rate_quiet`, but the shared parts are looked up only once.
        """
        side: MoveCode = 4096 if board.turn else 0
        color: MoveCode = 0 if board.turn else _BLACK
        one: MoveCode = self.moved[ply + 3] * _PIECE_TARGETS + color
        two: MoveCode = self.moved[ply + 2] * _PIECE_TARGETS + color
        four: MoveCode = self.moved[ply] * _PIECE_TARGETS + color
        use_four_plies: Flag = self.settings.four_ply_continuation
        index: Ply
        for index in range(end):
            move: MoveCode = ratings[index]
            this: MoveCode = piece_on(board, from_square(move)) << 6 | to_square(move)
            rating: Rating = self.quiet[side + (move & 4095)]
            rating += self.continuation[one + this] + self.continuation[two + this]
            if use_four_plies:
                rating += self.continuation[four + this] >> 1
            ratings[index] = rating << 16 | move

    def rate_capture(self, board: Board, move: MoveCode) -> Score:
        """The rating of a capture or promotion, within +-HISTORY_LIMIT."""
        return self.capture[self._capture_index(board, move)]

    def last_target(self, ply: Ply) -> Square:
        """The target square of the move before this ply."""
        return self.moved[ply + 3] & 63

    def is_killer(self, move: MoveCode, ply: Ply) -> Flag:
        """Whether a quiet move caused one of the last two cutoffs at this ply."""
        return self.killers[2 * ply] == move or self.killers[2 * ply + 1] == move

    # -- learning -------------------------------------------------------------------------------

    def add_bonus(self, board: Board, ply: Ply, depth: Depth, move: MoveCode) -> None:
        """Reward a quiet move that caused a cutoff in a search of `depth` plies."""
        if self.killers[2 * ply] != move:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = move
        self._update_quiet(board, ply, move, self._bonus(depth))

    def add_malus(self, board: Board, ply: Ply, depth: Depth, move: MoveCode) -> None:
        """Penalise a quiet move that was searched before the one that caused a cutoff."""
        self._update_quiet(board, ply, move, -self._bonus(depth))

    def add_capture_bonus(self, board: Board, depth: Depth, move: MoveCode) -> None:
        """Reward a capture or promotion that caused a cutoff in a search of `depth` plies."""
        self._update_capture(board, move, self._bonus(depth))

    def add_capture_malus(self, board: Board, depth: Depth, move: MoveCode) -> None:
        """Penalise a capture or promotion searched before the move that caused a cutoff."""
        self._update_capture(board, move, -self._bonus(depth))

    def _bonus(self, depth: Depth) -> Depth:
        if depth >= HISTORY_BONUS_MAX_DEPTH:
            return HISTORY_BONUS_MAX
        return HISTORY_BONUS_QUADRATIC * depth * depth + HISTORY_BONUS_LINEAR * depth

    def _update_quiet(self, board: Board, ply: Ply, move: MoveCode, bonus: Depth) -> None:
        this: MoveCode = self._piece_target(board, move)
        index: MoveCode = (move & 4095) + (4096 if board.turn else 0)
        self.quiet[index] = self._gravity_update(self.quiet[index], bonus)
        self._update_continuation(self.moved[ply + 3], this, bonus)
        self._update_continuation(self.moved[ply + 2], this, bonus)
        if self.settings.four_ply_continuation:
            self._update_continuation(self.moved[ply], this, bonus)

    def _update_continuation(self, row: MoveCode, this: MoveCode, bonus: Depth) -> None:
        index: MoveCode = row * _PIECE_TARGETS + this
        self.continuation[index] = self._gravity_update(self.continuation[index], bonus)
        self.filled_rows[row] = 1

    def _update_capture(self, board: Board, move: MoveCode, bonus: Depth) -> None:
        index: MoveCode = self._capture_index(board, move)
        self.capture[index] = self._gravity_update(self.capture[index], bonus)

    def _gravity_update(self, value: Score, bonus: Depth) -> Score:
        """The value with a bonus or malus added: the nearer to the limit, the smaller the step."""
        size: Depth = bonus if bonus >= 0 else -bonus
        return value + bonus - (value * size >> _LIMIT_BITS)

    def _capture_index(self, board: Board, move: MoveCode) -> MoveCode:
        victim: PieceType = piece_on(board, to_square(move))
        return self._piece_target(board, move) << 3 | victim

    def _piece_target(self, board: Board, move: MoveCode) -> MoveCode:
        piece: PieceType = piece_on(board, from_square(move))
        return (piece << 6 | to_square(move)) + (0 if board.turn else _BLACK)

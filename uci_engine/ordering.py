"""Move ordering: the best move first, so that alpha-beta cuts off early.

`MovePicker` hands out the legal moves of a position one at a time, in stages, so that a node that
cuts off on its first move generates nothing: the table's move, then captures and promotions by
most valuable victim and least valuable attacker, then quiet moves by killers and history.
Sources: https://www.chessprogramming.org/Move_Ordering, MVV-LVA, Killer Heuristic, History
Heuristic.
"""

from __future__ import annotations

from array import array

from uci_engine.events import MAX_PLY
from uci_engine.position import Position
from uci_engine.rules import (
    MAX_MOVES,
    Color,
    Depth,
    Flag,
    MoveCode,
    PieceType,
    Ply,
    Rating,
    Square,
    generate_evasions,
    generate_noisy,
    generate_quiets,
    is_pseudo_legal,
    is_safe,
    king_square,
    piece_on,
    pieces_of,
    slider_blockers,
    sort_descending,
)

#: History values stay within this, however long a search runs.
HISTORY_LIMIT = 16384

_PAWN = 1

# The stages of a picker.
_TABLE_MOVE, _NOISY, _NEXT_NOISY, _NEXT_QUIET, _EVASIONS, _NEXT_EVASION, _DONE = range(7)

# Killers stand above any history, noisy evasions above killers. A rating shares its word with
# the move's code, so it is shifted by 16.
_NOISY_EVASION = 1 << 24
_FIRST_KILLER = HISTORY_LIMIT + 2
_SECOND_KILLER = HISTORY_LIMIT + 1


class History:
    """What moves did elsewhere in the tree: killers by ply, and history by side and squares."""

    def __init__(self) -> None:
        self.quiet = array("i", bytes(4 * 2 * 4096))
        self.killers = array("i", bytes(4 * 2 * (MAX_PLY + 2)))

    def clear(self) -> None:
        """Forget everything, for a new game."""
        for index in range(len(self.quiet)):
            self.quiet[index] = 0
        self.clear_killers()

    def clear_killers(self) -> None:
        """Forget the killers, for a new search: plies mean other positions now."""
        for index in range(len(self.killers)):
            self.killers[index] = 0

    def reward(self, color: Color, ply: Ply, depth: Depth, move: MoveCode) -> None:
        """A quiet move caused a cutoff."""
        if self.killers[2 * ply] != move:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = move
        self._update(color, move, self._bonus(depth))

    def punish(self, color: Color, depth: Depth, move: MoveCode) -> None:
        """A quiet move was tried before another one cut off."""
        self._update(color, move, -self._bonus(depth))

    def _bonus(self, depth: Depth) -> Depth:
        return depth * depth if depth < 20 else 400

    def _update(self, color: Color, move: MoveCode, bonus: Depth) -> None:
        """Add a bonus with gravity: the nearer the limit, the smaller the step."""
        index: MoveCode = (move & 4095) + (4096 if color else 0)
        value: Depth = self.quiet[index]
        size: Depth = bonus if bonus >= 0 else -bonus
        self.quiet[index] = value + 16 * bonus - (value * size >> 10)


class MovePicker:
    """Hands out the legal moves of one position, best guess first.

    One picker a ply is enough: `begin` makes it ready for the next position of that ply.
    """

    def __init__(self, position: Position, history: History) -> None:
        self.position = position
        self.history = history
        self.ratings = array("q", bytes(8 * MAX_MOVES))
        self.value = array("i", (0, 1, 3, 3, 5, 9, 0))  # pawns
        self.stage = _DONE
        self.next_index = 0
        self.end = 0
        self.table_move = 0
        self.ply = 0
        self.noisy_only = False
        self.is_noisy = False
        self.king = 0
        self.blockers = 0

    def begin(self, table_move: MoveCode, ply: Ply, noisy_only: Flag) -> None:
        """Start on the position as it stands.

        :param table_move: tried first if it is legal here; 0 for none.
        :param noisy_only: leave out quiet moves, unless the side is in check.
        """
        board = self.position.board
        self.ply = ply
        self.noisy_only = noisy_only
        self.king = king_square(board, board.turn)
        self.blockers = slider_blockers(board, self.king)
        self.table_move = table_move
        self.next_index = 0
        self.end = 0
        if self.position.checkers:
            self.stage = _EVASIONS
        elif self._can_begin_with(table_move):
            self.stage = _TABLE_MOVE
        else:
            self.table_move = 0
            self.stage = _NOISY

    def next(self) -> MoveCode:
        """The next legal move, 0 when there is none left; `is_noisy` tells its kind."""
        move: MoveCode
        while self.stage != _DONE:
            if self.stage == _TABLE_MOVE:
                self.stage = _NOISY
                self.is_noisy = self._is_noisy(self.table_move)
                return self.table_move
            if self.stage == _NOISY:
                self._rate_noisy()
                self.stage = _NEXT_NOISY
            elif self.stage == _EVASIONS:
                self._rate_evasions()
                self.stage = _NEXT_EVASION
            elif self.next_index < self.end:
                move = self.ratings[self.next_index] & 0xFFFF
                self.next_index += 1
                if move == self.table_move and self.stage != _NEXT_EVASION:
                    continue
                if is_safe(self.position.board, self.king, self.blockers, move):
                    self.is_noisy = self._is_noisy(move)
                    return move
            elif self.stage == _NEXT_NOISY and not self.noisy_only:
                self._rate_quiets()
                self.stage = _NEXT_QUIET
            else:
                self.stage = _DONE
        return 0

    def _can_begin_with(self, move: MoveCode) -> Flag:
        board = self.position.board
        return (
            move != 0
            and is_pseudo_legal(board, move)
            and (not self.noisy_only or self._is_noisy(move))
            and is_safe(board, self.king, self.blockers, move)
        )

    def _is_noisy(self, move: MoveCode) -> Flag:
        """Whether a move captures or promotes."""
        board = self.position.board
        target: Square = move >> 6 & 63
        if move >> 12 or pieces_of(board, not board.turn) >> target & 1:
            return True
        return (move ^ move >> 6) & 7 != 0 and piece_on(board, move & 63) == _PAWN

    def _rate_noisy(self) -> None:
        board = self.position.board
        ratings = self.ratings
        self.next_index = 0
        self.end = generate_noisy(board, ratings, 0)
        index: Ply
        for index in range(self.end):
            rating: Rating = self._exchange_rating(ratings[index])
            ratings[index] |= rating << 16
        sort_descending(ratings, 0, self.end)

    def _rate_quiets(self) -> None:
        board = self.position.board
        ratings = self.ratings
        side: MoveCode = 4096 if board.turn else 0
        first_killer: MoveCode = self.history.killers[2 * self.ply]
        second_killer: MoveCode = self.history.killers[2 * self.ply + 1]
        self.next_index = 0
        self.end = generate_quiets(board, ratings, 0)
        index: Ply
        for index in range(self.end):
            move: MoveCode = ratings[index]
            rating: Rating = self.history.quiet[side + (move & 4095)]
            if move == first_killer:
                rating = _FIRST_KILLER
            elif move == second_killer:
                rating = _SECOND_KILLER
            ratings[index] = rating << 16 | move
        sort_descending(ratings, 0, self.end)

    def _rate_evasions(self) -> None:
        board = self.position.board
        ratings = self.ratings
        side: MoveCode = 4096 if board.turn else 0
        self.next_index = 0
        self.end = generate_evasions(board, self.king, self.position.checkers, ratings)
        index: Ply
        for index in range(self.end):
            move: MoveCode = ratings[index]
            rating: Rating = self.history.quiet[side + (move & 4095)]
            if move == self.table_move:
                rating = 2 * _NOISY_EVASION
            elif self._is_noisy(move):
                rating = _NOISY_EVASION + self._exchange_rating(move)
            ratings[index] = rating << 16 | move
        sort_descending(ratings, 0, self.end)

    def _exchange_rating(self, move: MoveCode) -> Rating:
        """Most valuable victim first, then least valuable attacker; promotions by their gain."""
        board = self.position.board
        victim: PieceType = piece_on(board, move >> 6 & 63)
        attacker: PieceType = piece_on(board, move & 63)
        promotion: PieceType = move >> 12
        gain: Rating = self.value[victim]
        if promotion:
            gain += self.value[promotion] - 1
        elif victim == 0:
            gain = 1  # en passant
        return gain * 16 - attacker

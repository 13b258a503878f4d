"""Move ordering: the best move first, so that alpha-beta cuts off early.

`MovePicker` returns the legal moves of a position one at a time, in stages, so that a node that
cuts off on its first move generates no others: the transposition table's move, captures and
promotions by most valuable victim and capture history, quiet moves by killers, history, threats and
checks, and finally the captures that lose material.

Sources: https://www.chessprogramming.org/Move_Ordering, MVV-LVA, Killer Heuristic, History
Heuristic.
"""

from __future__ import annotations

from array import array

from ..board.checks import CheckSquares
from ..board.movegen import (
    MAX_MOVES,
    Bitboard,
    Board,
    Flag,
    MoveCode,
    Number,
    Ply,
    Rating,
    bring_best,
    generate_evasions,
    generate_noisy,
    generate_quiets,
    is_noisy,
    is_pseudo_legal,
    is_safe,
    king_square,
    slider_blockers,
    to_square,
)
from .custom import CustomOrder
from .history import HISTORY_LIMIT, History
from .parameters import CHECK_BONUS, VICTIM_WEIGHT
from .position import Position
from .see import capture_value, see_ge
from .settings import ENGINE_ORDER
from .textbook_orders import rate_all_moves
from .threats import Threats
from .transposition import TranspositionTable

_ALL: Bitboard = 0xFFFFFFFFFFFFFFFF

# The stages of a picker.
_TT_MOVE, _GENERATE_NOISY, _NOISY, _QUIETS, _CHECKS, _LOSING_CAPTURES = range(6)
_GENERATE_EVASIONS, _ALL_MOVES, _DONE = range(6, 9)

# Killers are rated above any other quiet move, and noisy evasions above quiet ones, which have no
# killers. A rating shares its word with the move's code, so it is shifted by 16 bits.
_NOISY_EVASION = 1 << 24
_FIRST_KILLER = 6 * HISTORY_LIMIT + 2
_SECOND_KILLER = 6 * HISTORY_LIMIT + 1


class MovePicker:
    """Returns the legal moves of one position, most promising first.

    One picker per ply is enough: `begin` prepares it for the next position at that ply. Set
    `skip_quiets` to leave out the remaining quiet moves, and also `keep_checks` to return those of
    them that give direct check.

    :param tt: told in advance which positions will be looked up, to prefetch memory.
    :param drop_losing: when only noisy moves are wanted, with or without checks, also leave out
        those that lose material.
    :param order: another order than the engine's; it has no stages and never drops a move.
    """

    def __init__(
        self,
        position: Position,
        history: History,
        tt: TranspositionTable,
        drop_losing: Flag = False,
        order: int = ENGINE_ORDER,
    ) -> None:
        self.position = position
        self.drop_losing = drop_losing
        self.order = order
        self.history = history
        self.tt = tt
        # Not copied to local names in the methods: C would count references, with locked
        # instructions.
        self.ratings = array("q", bytes(8 * MAX_MOVES))
        self.losing = array("i", bytes(4 * MAX_MOVES))
        self.losing_end = 0
        self.skip_quiets = False
        self.keep_checks = False
        self.check_squares = CheckSquares()
        self.threats = Threats()
        self.knows_checks = False
        self.stage = _DONE
        self.next_index = 0
        self.end = 0
        self.tt_move = 0
        self.ply = 0
        self.noisy_only = False
        self.is_noisy = False
        self.is_losing = False
        self.king = 0
        self.blockers = 0
        #: Rates the moves if the order is `CUSTOM_ORDER`.
        self.custom: CustomOrder | None = None

    def use(self, position: Position, drop_losing: Flag, order: Number) -> None:
        """Reset the picker for another search."""
        self.position = position
        self.drop_losing = drop_losing
        self.order = order

    def begin(self, tt_move: MoveCode, ply: Ply, noisy_only: Flag) -> None:
        """Start on the current position.

        :param tt_move: returned first if it is legal here; 0 for none.
        :param noisy_only: leave out quiet moves, unless the side to move is in check.
        """
        board = self.position.board
        self.ply = ply
        self.noisy_only = noisy_only
        self.king = king_square(board, board.turn)
        self.blockers = slider_blockers(board, self.king)
        self.tt_move = tt_move
        self.next_index = 0
        self.end = 0
        self.losing_end = 0
        self.skip_quiets = noisy_only
        self.keep_checks = False
        self.knows_checks = False
        self.is_losing = False
        if self.order:
            self._rate_all()
            self.stage = _ALL_MOVES
        elif self.position.checkers:
            self.stage = _GENERATE_EVASIONS
        elif self._can_begin_with(tt_move):
            self.stage = _TT_MOVE
            self.tt.prefetch(self.position.key_after(tt_move))
        else:
            self.tt_move = 0
            self.stage = _GENERATE_NOISY

    def next(self) -> MoveCode:
        """The next legal move, or 0 when there is none left; `is_noisy` tells its kind."""
        while self.stage != _DONE:
            if self.stage == _TT_MOVE:
                self.stage = _GENERATE_NOISY
                self.is_noisy = is_noisy(self.position.board, self.tt_move)
                return self.tt_move
            if self.stage == _GENERATE_NOISY:
                self._rate_noisy()
                self.stage = _NOISY
            elif self.stage == _GENERATE_EVASIONS:
                self._rate_evasions()
                self.stage = _ALL_MOVES
            elif self.stage == _LOSING_CAPTURES:
                if self.next_index == self.losing_end:
                    self.stage = _DONE
                else:
                    self.next_index += 1
                    self.is_noisy = True
                    self.is_losing = True
                    return self.losing[self.next_index - 1]
            elif self.stage == _QUIETS and self.skip_quiets and self.next_index < self.end:
                self._leave_out_quiets()
            elif self.next_index < self.end:
                # One of the first moves usually ends the node, so sorting all would waste time.
                bring_best(self.ratings, self.next_index, self.end)
                move: MoveCode = self.ratings[self.next_index] & 0xFFFF
                self.next_index += 1
                if self._is_wanted_now(move):
                    return move
            else:
                self._end_stage()
        return 0

    def _is_wanted_now(self, move: MoveCode) -> Flag:
        """Whether to return a move of the list now, in this stage."""
        if move == self.tt_move and self.stage != _ALL_MOVES:
            return False
        self.tt.prefetch(self.position.key_after(move))
        if (
            self.stage == _CHECKS
            and self.noisy_only
            and self.drop_losing
            and not see_ge(self.position.board, move, 0)
        ):
            return False
        if not is_safe(self.position.board, self.king, self.blockers, move):
            return False
        if self.stage == _NOISY and not see_ge(self.position.board, move, 0):
            self.losing[self.losing_end] = move
            self.losing_end += 1
            return False
        self.is_noisy = self.stage == _NOISY or (
            self.stage == _ALL_MOVES and is_noisy(self.position.board, move)
        )
        return True

    def _end_stage(self) -> None:
        """The list is used up: generate the next one, or finish."""
        if self.stage == _NOISY and (self.keep_checks or not self.skip_quiets):
            self._rate_quiets()
            self.stage = _QUIETS
        elif self.stage == _ALL_MOVES or (self.noisy_only and self.drop_losing):
            self.stage = _DONE
        else:
            self.next_index = 0
            self.stage = _LOSING_CAPTURES

    def gives_check(self, move: MoveCode) -> Flag:
        """Whether a quiet move gives direct check."""
        self._find_checks()
        if not self.check_squares.any >> to_square(move) & 1:
            return False
        return self.check_squares.has(self.position.board, move)

    def _leave_out_quiets(self) -> None:
        """Of the remaining quiet moves, keep the checks or none."""
        end: Ply = self.next_index
        if self.keep_checks:
            index: Ply
            for index in range(self.next_index, self.end):
                rating: Rating = self.ratings[index]
                if self.gives_check(rating & 0xFFFF):
                    self.ratings[end] = rating
                    end += 1
        self.end = end
        self.stage = _CHECKS

    def _find_checks(self) -> None:
        if not self.knows_checks:
            self.check_squares.find(self.position.board)
            self.knows_checks = True

    def _can_begin_with(self, move: MoveCode) -> Flag:
        board = self.position.board
        return (
            move != 0
            and is_pseudo_legal(board, move)
            and (not self.noisy_only or is_noisy(board, move))
            and is_safe(board, self.king, self.blockers, move)
        )

    def _rate_noisy(self) -> None:
        board = self.position.board
        self.next_index = 0
        self.end = generate_noisy(board, self.ratings, 0)
        index: Ply
        for index in range(self.end):
            rating: Rating = self._noisy_rating(board, self.ratings[index])
            self.ratings[index] |= rating << 16

    def _rate_quiets(self) -> None:
        board = self.position.board
        first_killer: MoveCode = self.history.killers[2 * self.ply]
        second_killer: MoveCode = self.history.killers[2 * self.ply + 1]
        self.next_index = 0
        one: Bitboard = 1
        origins: Bitboard = _ALL
        targets: Bitboard = _ALL
        if self.skip_quiets:  # only checks are wanted, and the king gives none
            self._find_checks()
            origins = _ALL ^ one << self.king
            targets = self.check_squares.any
        self.end = generate_quiets(board, self.ratings, 0, origins, targets)
        self.history.rate_quiets(board, self.ratings, self.end, self.ply)
        self.threats.find(board)
        index: Ply
        for index in range(self.end):
            move: MoveCode = self.ratings[index] & 0xFFFF
            rating: Rating = 0
            if move == first_killer:
                rating = _FIRST_KILLER
            elif move == second_killer:
                rating = _SECOND_KILLER
            if rating:
                self.ratings[index] = rating << 16 | move
            else:
                rating = self.threats.rate(board, move)
                if self.gives_check(move):
                    rating += CHECK_BONUS
                self.ratings[index] += rating << 16

    def _rate_evasions(self) -> None:
        board = self.position.board
        self.next_index = 0
        self.end = generate_evasions(board, self.king, self.position.checkers, self.ratings)
        index: Ply
        for index in range(self.end):
            move: MoveCode = self.ratings[index]
            rating: Rating = self.history.rate_quiet(board, move, self.ply)
            if move == self.tt_move:
                rating = 2 * _NOISY_EVASION
            elif is_noisy(board, move):
                rating = _NOISY_EVASION + self._noisy_rating(board, move)
            self.ratings[index] = rating << 16 | move

    def _noisy_rating(self, board: Board, move: MoveCode) -> Rating:
        """Most valuable victim first, corrected by capture history."""
        rating: Rating = VICTIM_WEIGHT * capture_value(board, move)
        rating += self.history.rate_capture(board, move)
        return rating

    def _rate_all(self) -> None:
        """Rate all moves at once, in a textbook order or a user's."""
        wants_quiets: Flag = not self.noisy_only or self.position.checkers != 0
        if self.custom is not None:
            self.end = self.custom.rate_all_moves(
                self.position.board, self.ratings, wants_quiets, self.tt_move
            )
            return
        self.end = rate_all_moves(
            self.position.board,
            self.ratings,
            self.order,
            wants_quiets,
            self.tt_move,
            self.history,
            self.ply,
        )

"""Move ordering: the best move first, so that alpha-beta cuts off early.

`MovePicker` hands out the legal moves of a position one at a time, in stages, so that a node that
cuts off on its first move generates nothing: the table's move, then captures and promotions by
most valuable victim and what such captures brought elsewhere, then quiet moves by killers and
history, and last the captures that lose material.
Sources: https://www.chessprogramming.org/Move_Ordering, MVV-LVA, Killer Heuristic, History
Heuristic.
"""

from __future__ import annotations

from array import array

from halbzug.board.checks import CheckSquares
from halbzug.board.constants import (
    BISHOP_VALUE,
    KNIGHT_VALUE,
    PAWN_VALUE,
    QUEEN_VALUE,
    ROOK_VALUE,
)
from halbzug.board.rules import (
    MAX_MOVES,
    Bitboard,
    Board,
    Color,
    Depth,
    Flag,
    MoveCode,
    Number,
    PieceType,
    Ply,
    Rating,
    Score,
    Square,
    attackers_to,
    bishop_attacks,
    bring_best,
    from_square,
    generate_all,
    generate_evasions,
    generate_noisy,
    generate_quiets,
    is_pseudo_legal,
    is_safe,
    king_attacks,
    king_square,
    knight_attacks,
    lsb,
    pawn_attacks,
    piece_on,
    pieces_of,
    promotion,
    rook_attacks,
    slider_blockers,
    to_square,
)
from halbzug.scores import MAX_PLY
from halbzug.search.position import Position
from halbzug.search.transposition import TranspositionTable

#: History values stay within this, however long a search runs.
HISTORY_LIMIT = 16384

#: The orders of a picker: the engine's, in stages; as python-chess generates the moves; the one of
#: the textbooks; and that with the table's move and the killers.
ENGINE_ORDER, NO_ORDER, TEXTBOOK_ORDER, KILLER_ORDER = range(4)

_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN, _KING = 1, 2, 3, 4, 5, 6
_PIECE_TARGETS = 2 * 7 * 64  # sides, piece types (0 for none), squares
_ALL: Bitboard = 0xFFFFFFFFFFFFFFFF

# The stages of a picker.
_TABLE_MOVE, _NOISY, _NEXT_NOISY, _NEXT_QUIET, _NEXT_CHECK, _NEXT_BAD = range(6)
_EVASIONS, _NEXT_EVASION, _DONE = range(6, 9)

# Killers stand above any history, and noisy evasions above quiet ones, which know no killers. A
# rating shares its word with the move's code, so it is shifted by 16.
_NOISY_EVASION = 1 << 24
_FIRST_KILLER = 4 * HISTORY_LIMIT + 2
_SECOND_KILLER = 4 * HISTORY_LIMIT + 1

# Kinds of moves in the orders for teaching; above captures there is room for what they take.
_TABLE, _CAPTURE, _KILLER, _THREAT, _FORWARD, _OTHER = 8192, 4096, 3, 2, 1, 0
_TEXTBOOK_ORDER, _KILLER_ORDER = TEXTBOOK_ORDER, KILLER_ORDER


def wins_exchange(board: Board, move: MoveCode, threshold: Score) -> Flag:
    """Whether the exchange that `move` begins on its target square gains at least `threshold`.

    Both sides take with their least valuable piece as long as it pays; pins and promotions on
    the way are not seen. Source: https://www.chessprogramming.org/Static_Exchange_Evaluation
    """
    origin: Square = from_square(move)
    target: Square = to_square(move)
    one: Bitboard = 1
    color: Color = board.turn
    own: Bitboard = pieces_of(board, color)
    if own >> target & 1:
        return threshold <= 0  # castling, king takes rook
    piece: PieceType = piece_on(board, origin)
    victim: PieceType = piece_on(board, target)
    occupied: Bitboard = (board.occupied | one << target) ^ one << origin
    if piece == _PAWN and victim == 0 and (origin ^ target) & 7:
        victim = _PAWN  # en passant
        occupied ^= one << (target - 8 if color else target + 8)

    # `balance` is what the side that just took keeps if nothing more happens, less the threshold.
    balance: Score = _exchange_value(victim) - threshold
    if promotion(move):
        balance += _exchange_value(promotion(move)) - _exchange_value(_PAWN)
        piece = promotion(move)
    if balance < 0:
        return False
    balance -= _exchange_value(piece)
    if balance >= 0:
        return True  # even losing the piece is good enough

    diagonal: Bitboard = board.bishops | board.queens
    straight: Bitboard = board.rooks | board.queens
    attackers: Bitboard = attackers_to(board, target, occupied) & occupied
    won: Flag = True
    while True:
        color = not color
        attackers &= occupied
        mine: Bitboard = attackers & pieces_of(board, color)
        if mine == 0:
            return won
        won = not won
        least: Bitboard = mine & board.pawns
        piece = _PAWN
        if least == 0:
            least = mine & board.knights
            piece = _KNIGHT
        if least == 0:
            least = mine & board.bishops
            piece = _BISHOP
        if least == 0:
            least = mine & board.rooks
            piece = _ROOK
        if least == 0:
            least = mine & board.queens
            piece = _QUEEN
        if least == 0:
            # The king may take last only.
            if attackers & pieces_of(board, not color):
                won = not won
            return won
        balance = -balance - 1 - _exchange_value(piece)
        if balance >= 0:
            return won
        occupied ^= one << lsb(least)
        # Whoever stood behind attacks now, too.
        if piece in (_PAWN, _BISHOP, _QUEEN):
            attackers |= bishop_attacks(target, occupied) & diagonal
        if piece in (_ROOK, _QUEEN):
            attackers |= rook_attacks(target, occupied) & straight


def _exchange_value(piece: PieceType) -> Score:
    """What a piece is worth in an exchange, in centipawns."""
    if piece == _PAWN:
        return PAWN_VALUE
    if piece == _KNIGHT:
        return KNIGHT_VALUE
    if piece == _BISHOP:
        return BISHOP_VALUE
    if piece == _ROOK:
        return ROOK_VALUE
    if piece == _QUEEN:
        return QUEEN_VALUE
    return 0


def capture_value(board: Board, move: MoveCode) -> Score:
    """What a capture or promotion takes and makes at once, in centipawns."""
    victim: PieceType = piece_on(board, to_square(move))
    if promotion(move):
        return _exchange_value(victim) + _exchange_value(promotion(move)) - _exchange_value(_PAWN)
    return _exchange_value(victim) if victim else _exchange_value(_PAWN)


def is_noisy(board: Board, move: MoveCode) -> Flag:
    """Whether a move captures or promotes."""
    target: Square = to_square(move)
    if promotion(move) or pieces_of(board, not board.turn) >> target & 1:
        return True
    origin: Square = from_square(move)
    return (origin ^ target) & 7 != 0 and piece_on(board, origin) == _PAWN


class History:
    """What moves did elsewhere in the tree.

    Killers by ply; history by side and squares; continuation history by piece and target of a
    move and of the move one, two or four plies before it. Values stay within +-HISTORY_LIMIT.
    """

    def __init__(self) -> None:
        self.killers = array("i", bytes(4 * 2 * (MAX_PLY + 2)))
        # The piece and target of the move made at each ply, after four that stand for "none".
        self.moved = array("i", bytes(4 * (MAX_PLY + 6)))
        self.use_long = True
        self.clear()

    def clear(self) -> None:
        """Forget everything, for a new game."""
        self.quiet = array("i", bytes(4 * 2 * 4096))
        self.capture = array("i", bytes(4 * 8 * _PIECE_TARGETS))
        self.continuation = array("h", [0]) * (_PIECE_TARGETS * _PIECE_TARGETS)
        self.clear_killers()

    def clear_killers(self) -> None:
        """Forget the killers, for a new search: plies mean other positions now."""
        for index in range(len(self.killers)):
            self.killers[index] = 0

    def note_move(self, board: Board, move: MoveCode, ply: Ply) -> None:
        """Remember which piece goes where at this ply; call before the move is made."""
        self.moved[ply + 4] = self._piece_target(board, move)

    def note_null_move(self, ply: Ply) -> None:
        """Remember that no piece moved at this ply."""
        self.moved[ply + 4] = 0

    def rate(self, board: Board, move: MoveCode, ply: Ply) -> Score:
        """How good a quiet move has been, from -3.5 to +3.5 times HISTORY_LIMIT."""
        this: MoveCode = self._piece_target(board, move)
        value: Score = self.quiet[(move & 4095) + (4096 if board.turn else 0)]
        value += self.continuation[self.moved[ply + 3] * _PIECE_TARGETS + this]
        value += self.continuation[self.moved[ply + 2] * _PIECE_TARGETS + this]
        if self.use_long:
            value += self.continuation[self.moved[ply] * _PIECE_TARGETS + this] >> 1
        return value

    def rate_all(self, board: Board, ratings: array[int], end: Ply, ply: Ply) -> None:
        """Put before each of the first `end` quiet moves its rating, shifted by 16.

        The same as `rate` for each, but what they share is looked up once.
        """
        side: MoveCode = 4096 if board.turn else 0
        color: MoveCode = 0 if board.turn else 448
        one: MoveCode = self.moved[ply + 3] * _PIECE_TARGETS + color
        two: MoveCode = self.moved[ply + 2] * _PIECE_TARGETS + color
        four: MoveCode = self.moved[ply] * _PIECE_TARGETS + color
        use_long: Flag = self.use_long
        index: Ply
        for index in range(end):
            move: MoveCode = ratings[index]
            this: MoveCode = piece_on(board, from_square(move)) << 6 | to_square(move)
            rating: Rating = self.quiet[side + (move & 4095)]
            rating += self.continuation[one + this] + self.continuation[two + this]
            if use_long:
                rating += self.continuation[four + this] >> 1
            ratings[index] = rating << 16 | move

    def is_killer(self, move: MoveCode, ply: Ply) -> Flag:
        """Whether a quiet move cut off at this ply lately."""
        return self.killers[2 * ply] == move or self.killers[2 * ply + 1] == move

    def reward(self, board: Board, ply: Ply, depth: Depth, move: MoveCode) -> None:
        """A quiet move caused a cutoff."""
        if self.killers[2 * ply] != move:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = move
        self._update(board, ply, move, self._bonus(depth))

    def punish(self, board: Board, ply: Ply, depth: Depth, move: MoveCode) -> None:
        """A quiet move was tried before another one cut off."""
        self._update(board, ply, move, -self._bonus(depth))

    def rate_noisy(self, board: Board, move: MoveCode) -> Score:
        """How good a capture or promotion has been, within +-HISTORY_LIMIT."""
        return self.capture[self._capture_index(board, move)]

    def reward_noisy(self, board: Board, depth: Depth, move: MoveCode) -> None:
        """A capture or promotion caused a cutoff."""
        self._update_noisy(board, move, self._bonus(depth))

    def punish_noisy(self, board: Board, depth: Depth, move: MoveCode) -> None:
        """A capture or promotion was tried before another move cut off."""
        self._update_noisy(board, move, -self._bonus(depth))

    def _capture_index(self, board: Board, move: MoveCode) -> MoveCode:
        victim: PieceType = piece_on(board, to_square(move))
        return self._piece_target(board, move) << 3 | victim

    def _bonus(self, depth: Depth) -> Depth:
        return 16 * depth * depth + 160 * depth if depth < 7 else 1800

    def _update(self, board: Board, ply: Ply, move: MoveCode, bonus: Depth) -> None:
        this: MoveCode = self._piece_target(board, move)
        index: MoveCode = (move & 4095) + (4096 if board.turn else 0)
        self.quiet[index] = self._pull(self.quiet[index], bonus)
        index = self.moved[ply + 3] * _PIECE_TARGETS + this
        self.continuation[index] = self._pull(self.continuation[index], bonus)
        index = self.moved[ply + 2] * _PIECE_TARGETS + this
        self.continuation[index] = self._pull(self.continuation[index], bonus)
        if self.use_long:
            index = self.moved[ply] * _PIECE_TARGETS + this
            self.continuation[index] = self._pull(self.continuation[index], bonus)

    def _update_noisy(self, board: Board, move: MoveCode, bonus: Depth) -> None:
        index: MoveCode = self._capture_index(board, move)
        self.capture[index] = self._pull(self.capture[index], bonus)

    def _pull(self, value: Score, bonus: Depth) -> Score:
        """Add a bonus with gravity: the nearer the limit, the smaller the step."""
        size: Depth = bonus if bonus >= 0 else -bonus
        return value + bonus - (value * size >> 14)

    def _piece_target(self, board: Board, move: MoveCode) -> MoveCode:
        piece: PieceType = piece_on(board, from_square(move))
        return (piece << 6 | to_square(move)) + (0 if board.turn else 448)


class MovePicker:
    """Hands out the legal moves of one position, best guess first.

    One picker a ply is enough: `begin` makes it ready for the next position of that ply. Set
    `skip_quiets` to leave out the quiet moves that are still to come, and `keep_checks` to hand out
    those of them that give check directly all the same.

    :param table: told early which positions will be looked up, so that memory has time to answer.
    :param drop_losing: with only noisy moves wanted, and checks kept or not, leave out those that
        lose material, too.
    :param order: another order than the engine's; it has no stages and never drops a move.
    """

    def __init__(
        self,
        position: Position,
        history: History,
        table: TranspositionTable,
        drop_losing: Flag = False,
        order: int = ENGINE_ORDER,
    ) -> None:
        self.position = position
        self.drop_losing = drop_losing
        self.order = order
        self.history = history
        self.table = table
        # Without local names in the methods: C would count its users, with locked instructions.
        self.ratings = array("q", bytes(8 * MAX_MOVES))
        self.bad = array("i", bytes(4 * MAX_MOVES))
        self.bad_end = 0
        self.skip_quiets = False
        self.keep_checks = False
        self.check_squares = CheckSquares()
        self.knows_checks = False
        self.stage = _DONE
        self.next_index = 0
        self.end = 0
        self.table_move = 0
        self.ply = 0
        self.noisy_only = False
        self.is_noisy = False
        self.is_losing = False
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
        self.bad_end = 0
        self.skip_quiets = noisy_only
        self.keep_checks = False
        self.knows_checks = False
        self.is_losing = False
        if self.order:
            self._rate_all()
            self.stage = _NEXT_EVASION
        elif self.position.checkers:
            self.stage = _EVASIONS
        elif self._can_begin_with(table_move):
            self.stage = _TABLE_MOVE
            self.table.prefetch(self.position.key_after(table_move))
        else:
            self.table_move = 0
            self.stage = _NOISY

    def next(self) -> MoveCode:
        """The next legal move, 0 when there is none left; `is_noisy` tells its kind."""
        move: MoveCode
        while self.stage != _DONE:
            if self.stage == _TABLE_MOVE:
                self.stage = _NOISY
                self.is_noisy = is_noisy(self.position.board, self.table_move)
                return self.table_move
            if self.stage == _NOISY:
                self._rate_noisy()
                self.stage = _NEXT_NOISY
            elif self.stage == _EVASIONS:
                self._rate_evasions()
                self.stage = _NEXT_EVASION
            elif self.stage == _NEXT_BAD:
                if self.next_index == self.bad_end:
                    self.stage = _DONE
                else:
                    self.next_index += 1
                    self.is_noisy = True
                    self.is_losing = True
                    return self.bad[self.next_index - 1]
            elif self.next_index < self.end:
                if self.stage == _NEXT_QUIET and self.skip_quiets:
                    self._leave_out_quiets()
                    continue
                # Mostly one of the first moves ends the node: to sort them all would be in vain.
                bring_best(self.ratings, self.next_index, self.end)
                move = self.ratings[self.next_index] & 0xFFFF
                self.next_index += 1
                if move == self.table_move and self.stage != _NEXT_EVASION:
                    continue
                self.table.prefetch(self.position.key_after(move))
                if (
                    self.stage == _NEXT_CHECK
                    and self.noisy_only
                    and self.drop_losing
                    and not wins_exchange(self.position.board, move, 0)
                ):
                    continue
                if not is_safe(self.position.board, self.king, self.blockers, move):
                    continue
                if self.stage == _NEXT_NOISY and not wins_exchange(self.position.board, move, 0):
                    self.bad[self.bad_end] = move
                    self.bad_end += 1
                    continue
                self.is_noisy = self.stage == _NEXT_NOISY or (
                    self.stage == _NEXT_EVASION and is_noisy(self.position.board, move)
                )
                return move
            elif self.stage == _NEXT_NOISY and (self.keep_checks or not self.skip_quiets):
                self._rate_quiets()
                self.stage = _NEXT_QUIET
            elif self.stage == _NEXT_EVASION or (self.noisy_only and self.drop_losing):
                self.stage = _DONE
            else:
                self.next_index = 0
                self.stage = _NEXT_BAD
        return 0

    def gives_check(self, move: MoveCode) -> Flag:
        """Whether a quiet move gives check directly."""
        self._find_checks()
        if not self.check_squares.any >> to_square(move) & 1:
            return False
        return self.check_squares.has(self.position.board, move)

    def _leave_out_quiets(self) -> None:
        """Of the quiet moves still to come, keep the checks, or nothing."""
        end: Ply = self.next_index
        if self.keep_checks:
            index: Ply
            for index in range(self.next_index, self.end):
                rating: Rating = self.ratings[index]
                if self.gives_check(rating & 0xFFFF):
                    self.ratings[end] = rating
                    end += 1
        self.end = end
        self.stage = _NEXT_CHECK

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
        if self.skip_quiets:  # only checks are wanted: the king gives none
            self._find_checks()
            origins = _ALL ^ one << self.king
            targets = self.check_squares.any
        self.end = generate_quiets(board, self.ratings, 0, origins, targets)
        self.history.rate_all(board, self.ratings, self.end, self.ply)
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

    def _rate_evasions(self) -> None:
        board = self.position.board
        self.next_index = 0
        self.end = generate_evasions(board, self.king, self.position.checkers, self.ratings)
        index: Ply
        for index in range(self.end):
            move: MoveCode = self.ratings[index]
            rating: Rating = self.history.rate(board, move, self.ply)
            if move == self.table_move:
                rating = 2 * _NOISY_EVASION
            elif is_noisy(board, move):
                rating = _NOISY_EVASION + self._noisy_rating(board, move)
            self.ratings[index] = rating << 16 | move

    def _noisy_rating(self, board: Board, move: MoveCode) -> Rating:
        """Most valuable victim first, corrected by what such captures brought elsewhere."""
        rating: Rating = 16 * capture_value(board, move) + self.history.rate_noisy(board, move)
        return rating

    # -- orders for teaching --------------------------------------------------------------------

    def _rate_all(self) -> None:
        """All moves by their kind; of one kind they stay as python-chess generates them."""
        board = self.position.board
        self.end = 0
        place: Rating = MAX_MOVES
        move: MoveCode
        for move in generate_all(board):
            if self.noisy_only and not self.position.checkers and not is_noisy(board, move):
                continue
            place -= 1
            rating: Rating = self._kind(board, move) * MAX_MOVES + place
            self.ratings[self.end] = rating << 16 | move
            self.end += 1

    def _kind(self, board: Board, move: MoveCode) -> Rating:
        """Captures and promotions, threats, forward moves, all others; the higher the earlier.

        Of captures the most valuable victim comes first. A threat is a move after which the piece
        gives check or attacks a more valuable one.
        Source: Russell and Norvig, Artificial Intelligence, on move ordering in alpha-beta.
        """
        if self.order < _TEXTBOOK_ORDER:
            return _OTHER
        if self.order == _KILLER_ORDER and move == self.table_move:
            return _TABLE
        if is_noisy(board, move):
            return _CAPTURE + capture_value(board, move)
        if self.order == _KILLER_ORDER and self.history.is_killer(move, self.ply):
            return _KILLER
        if _threatens(board, move):
            return _THREAT
        step: Number = (to_square(move) >> 3) - (from_square(move) >> 3)
        return _FORWARD if (step > 0 if board.turn else step < 0) else _OTHER


def _threatens(board: Board, move: MoveCode) -> Flag:
    """Whether the moved piece gives check or attacks an enemy piece worth more than itself."""
    origin: Square = from_square(move)
    target: Square = to_square(move)
    one: Bitboard = 1
    piece: PieceType = piece_on(board, origin)
    victims: Bitboard = board.kings
    if piece < _QUEEN:
        victims |= board.queens
    if piece < _ROOK:
        victims |= board.rooks
    if piece == _PAWN:
        victims |= board.knights | board.bishops
    attacks: Bitboard = 0
    if piece == _PAWN:
        attacks = pawn_attacks(board.turn, target)
    elif piece == _KNIGHT:
        attacks = knight_attacks(target)
    elif piece == _KING:
        attacks = king_attacks(target)
    else:
        occupied: Bitboard = board.occupied & ~(one << origin) | one << target
        if piece != _ROOK:
            attacks |= bishop_attacks(target, occupied)
        if piece != _BISHOP:
            attacks |= rook_attacks(target, occupied)
    return attacks & victims & pieces_of(board, not board.turn) != 0

"""Moves as numbers of a policy, and positions as planes, for programs that learn chess.

Everything is as the side to move sees it: with Black to move the board is turned upside down, and
the colours change places.

The numbering with 1858 moves is that of Leela Chess Zero: the moves of a queen or a knight on an
empty board, by origin and then by target (a1 = 0, b1 = 1 ... h8 = 63), and then promotions to a
queen, a rook and a bishop, in this order for each origin and target. A promotion to a knight has
the number of the move without a promotion, and castling that of the king who takes his rook.

The numbering with 4672 moves is that of AlphaZero as PettingZoo has it: 73 kinds of moves for each
origin, whose number is `73 * (8 * file + rank) + kind`. Kinds 0 to 55 are moves of a queen: the
distance less one times 8, and the direction (to the left and down, left, left and up, down, up,
right and down, right, right and up). Kinds 56 to 63 are moves of a knight, from the left to the
right, and from below. Kinds 64 to 72 are promotions to knight, bishop and rook, straight or by a
capture (to the left, ahead, to the right). A promotion to a queen has the number of the move
without a promotion, and castling that of the king who moves two squares. With Chess960 castling is
the king who takes his rook in both.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

from .constants import BB_ALL, BISHOP, FIFTY_MOVES, KING, KNIGHT, PAWN, QUEEN, ROOK
from .movegen import (
    MAX_MOVES,
    Bitboard,
    Board,
    Flag,
    Index,
    MoveCode,
    Number,
    PieceType,
    Square,
    checkers_of,
    en_passant_square,
    from_square,
    generate_legal,
    has_legal_en_passant,
    is_insufficient_material,
    is_legal,
    king_square,
    piece_on,
    pieces_of,
    promotion,
    push,
    to_square,
)

SIZES = (1858, 4672)

#: What a position is, see `Planes.write`.
GOES_ON, CHECKMATE, DRAWN = 0, 1, 2

#: Room for the legal moves of a position: no game has more than 218.
_MAX_MARKED = 256

#: Room for a key of each position since the last capture or move of a pawn.
_MAX_KEYS = 128
#: An odd number without a pattern, which mixes bitboards.
_MIXER = 0x9E3779B97F4A7C15

#: Turns the squares of a move code upside down.
_UPSIDE_DOWN = 56 | 56 << 6

#: The planes of one position, and those beside them.
PLANES_OF_POSITION = 13
OTHER_PLANES = 6

_DIRECTIONS = [(file, rank) for file in (-1, 0, 1) for rank in (-1, 0, 1) if file or rank]
_JUMPS = [(f, r) for f in (-2, -1, 1, 2) for r in (-2, -1, 1, 2) if abs(f) + abs(r) == 3]


class Policy:
    """A numbering of moves.

    :param size: 1858 or 4672.
    :raises ValueError: if there is no such numbering.
    """

    def __init__(self, size: int) -> None:
        if size not in SIZES:
            raise ValueError(f"a policy has 1858 or 4672 moves, not {size!r}")
        self.size = size
        #: The piece that a move to the last rank promotes to if its number does not say.
        self.usual_promotion = KNIGHT if size == 1858 else QUEEN
        self.numbers = array("h", [-1]) * (1 << 15)
        self.codes = array("h", [-1]) * size
        for number, code in _leela_moves() if size == 1858 else _alpha_zero_moves():
            self.numbers[code], self.codes[number] = number, code
            if to_square(code) >= 56 and not promotion(code):
                self.numbers[code | self.usual_promotion << 12] = number

    def number_of(self, board: Board, code: MoveCode) -> Number:
        """The number of a legal move, by its code; -1 if it has none."""
        origin: Square = from_square(code)
        target: Square = to_square(code)
        is_doubtful: Flag = self.size == 1858 and not board.chess960
        if is_doubtful and origin - target in (2, -2) and piece_on(board, origin) == KING:
            code = origin | (target + 1 if target > origin else target - 2) << 6
        return self.numbers[code if board.turn else code ^ _UPSIDE_DOWN]

    def code_of(self, board: Board, number: Number) -> MoveCode:
        """The code of the legal move with a number; 0 if it is not legal."""
        if number < 0 or number >= self.size:
            return 0
        code: MoveCode = self.codes[number]
        if code < 0:
            return 0
        if not board.turn:
            code ^= _UPSIDE_DOWN
        origin: Square = from_square(code)
        target: Square = to_square(code)
        piece: PieceType = piece_on(board, origin)
        if piece == PAWN and (target < 8 or target >= 56) and not promotion(code):
            code |= self.usual_promotion << 12
        elif piece == KING and not board.chess960:
            # python-chess takes castling in either form; here one of them has the number.
            if pieces_of(board, board.turn) >> target & 1 and (origin == 4 or origin == 60):
                if self.size != 1858 or target - origin not in (3, -4):
                    return 0
                code = origin | (origin + 2 if target > origin else origin - 2) << 6
            elif self.size == 1858 and origin - target in (2, -2):
                return 0
        return code if is_legal(board, code) else 0


def _leela_moves() -> Iterator[tuple[int, int]]:
    """Numbers and codes of the 1858 moves."""
    number = 0
    for origin in range(64):
        for target in range(64):
            file, rank = (target & 7) - (origin & 7), (target >> 3) - (origin >> 3)
            if origin != target and (
                not file or not rank or abs(file) == abs(rank) or (file, rank) in _JUMPS
            ):
                yield number, origin | target << 6
                number += 1
    for file in range(8):
        for target in range(max(file - 1, 0), min(file + 1, 7) + 1):
            for piece in (QUEEN, ROOK, BISHOP):
                yield number, 48 + file | 56 + target << 6 | piece << 12
                number += 1


def _alpha_zero_moves() -> Iterator[tuple[int, int]]:
    """Numbers and codes of those of the 4672 moves that stay on the board."""
    steps = [(distance * f, distance * r) for distance in range(1, 8) for f, r in _DIRECTIONS]
    for file in range(8):
        for rank in range(8):
            first, origin = 73 * (8 * file + rank), file + 8 * rank
            for kind, (right, up) in enumerate([*steps, *_JUMPS]):
                if 0 <= file + right < 8 and 0 <= rank + up < 8:
                    yield first + kind, origin | (file + right + 8 * (rank + up)) << 6
            for right in (-1, 0, 1):
                if rank == 6 and 0 <= file + right < 8:
                    for place, piece in enumerate((KNIGHT, BISHOP, ROOK)):
                        kind = 64 + 3 * (right + 1) + place
                        yield first + kind, origin | 56 + file + right << 6 | piece << 12


class Planes:
    """Writes boards into rows of arrays: their bitboards, and which moves of a policy are legal.

    :param planes: for each board `PLANES_OF_POSITION * history + OTHER_PLANES` bitboards.
    :param mask: for each board as many bytes as the policy has moves.
    :param boards: how many boards there are.
    :param history: how many positions of a game its planes have.
    """

    def __init__(self, policy: Policy, planes: Any, mask: Any, boards: int, history: int) -> None:
        self.policy = policy
        self.planes = planes
        self.mask = mask
        self.history = history
        #: The positions of each game, the last one first, as White sees them.
        self.past = array("Q", bytes(8 * boards * PLANES_OF_POSITION * history))
        self.moves = array("q", bytes(8 * MAX_MOVES))
        self.keys = array("Q", bytes(8 * boards * _MAX_KEYS))
        #: What is marked in each row of the mask; -1 is behind the last one.
        self.marked = array("h", [-1]) * (boards * _MAX_MARKED)

    def forget(self, row: Index) -> None:
        """Begin a new game in a row."""
        length: Index = PLANES_OF_POSITION * self.history
        place: Index
        for place in range(row * length, (row + 1) * length):
            self.past[place] = 0
        for place in range(row * _MAX_KEYS, (row + 1) * _MAX_KEYS):
            self.keys[place] = 0

    def step(self, row: Index, board: Board, number: Number) -> Number:
        """Make the move with a number and write the row; -1 if it is illegal, else as `write`."""
        code: MoveCode = self.policy.code_of(board, number)
        if code == 0:
            return -1
        push(board, code)
        return self.write(row, board)

    def write(self, row: Index, board: Board) -> Number:
        """Write the position that comes next in a game, and say whether it goes on.

        The planes of a position are the pawns, knights, bishops, rooks, queens and king of the
        side to move, those of the other side, and whether the position was on the board before
        (all squares). After those of all positions, of which the present one comes first, there
        are: whether the side to move may castle on the king's side and on the queen's side, the
        same for the other side (all squares), the square on which a pawn may be captured en
        passant, and as many squares as are the same part of 64 as the half moves without a capture
        or a pawn's move are of 100.

        A game is drawn by stalemate, by material with which nobody can mate, by fifty moves, and
        when a position is on the board for the third time.
        """
        planes: Index = PLANES_OF_POSITION * self.history
        first: Index = row * planes
        place: Index
        for place in range(first + planes - 1, first + PLANES_OF_POSITION - 1, -1):
            self.past[place] = self.past[place - PLANES_OF_POSITION]
        repeated: Flag = False
        if self._may_be_repeated(row, board):
            repeated = board.is_repetition(2)
        self._save(board, first, repeated)
        self._turn(board, first, row * (planes + OTHER_PLANES))
        count: Number = self._mark(row, board)
        if count == 0:
            return CHECKMATE if checkers_of(board) else DRAWN
        if board.halfmove_clock >= FIFTY_MOVES or is_insufficient_material(board):
            return DRAWN
        if repeated and board.is_repetition(3):
            return DRAWN
        return GOES_ON

    def _may_be_repeated(self, row: Index, board: Board) -> Flag:
        """Whether an earlier position has the same key; python-chess takes longer to find out."""
        key: Bitboard = board.castling_rights
        key = (key ^ board.pawns) * _MIXER & BB_ALL
        key = (key ^ board.knights) * _MIXER & BB_ALL
        key = (key ^ board.bishops) * _MIXER & BB_ALL
        key = (key ^ board.rooks) * _MIXER & BB_ALL
        key = (key ^ board.queens) * _MIXER & BB_ALL
        key = (key ^ board.kings) * _MIXER & BB_ALL
        key = (key ^ pieces_of(board, True)) * _MIXER & BB_ALL
        clock: Number = min(board.halfmove_clock, _MAX_KEYS - 1)
        first: Index = row * _MAX_KEYS
        self.keys[first + clock] = key
        earlier: Number = clock - 4
        while earlier >= 0 and self.keys[first + earlier] != key:
            earlier -= 2
        return earlier >= 0

    def _save(self, board: Board, first: Index, repeated: Flag) -> None:
        white: Bitboard = pieces_of(board, True)
        black: Bitboard = pieces_of(board, False)
        self.past[first] = board.pawns & white
        self.past[first + 1] = board.knights & white
        self.past[first + 2] = board.bishops & white
        self.past[first + 3] = board.rooks & white
        self.past[first + 4] = board.queens & white
        self.past[first + 5] = board.kings & white
        self.past[first + 6] = board.pawns & black
        self.past[first + 7] = board.knights & black
        self.past[first + 8] = board.bishops & black
        self.past[first + 9] = board.rooks & black
        self.past[first + 10] = board.queens & black
        self.past[first + 11] = board.kings & black
        self.past[first + 12] = BB_ALL if repeated else 0

    def _turn(self, board: Board, source: Index, to: Index) -> None:
        """Write all planes as the side to move sees them."""
        place: Index
        for _ in range(self.history):
            for place in range(6):
                if board.turn:
                    self.planes[to + place] = self.past[source + place]
                    self.planes[to + place + 6] = self.past[source + place + 6]
                else:
                    self.planes[to + place] = upside_down(self.past[source + place + 6])
                    self.planes[to + place + 6] = upside_down(self.past[source + place])
            self.planes[to + 12] = self.past[source + 12]
            source += PLANES_OF_POSITION
            to += PLANES_OF_POSITION
        self._write_rights(board, to, board.turn)
        self._write_rights(board, to + 2, not board.turn)
        square: Square = en_passant_square(board)
        one: Bitboard = 1
        self.planes[to + 4] = 0
        if square >= 0 and has_legal_en_passant(board):
            self.planes[to + 4] = one << (square if board.turn else square ^ 56)
        clock: Number = min(board.halfmove_clock, FIFTY_MOVES)
        clock = clock * 64 // FIFTY_MOVES
        self.planes[to + 5] = BB_ALL if clock == 64 else (one << clock) - 1

    def _write_rights(self, board: Board, to: Index, color: Flag) -> None:
        king: Square = king_square(board, color)
        first: Square = 0 if color else 56
        self.planes[to] = 0
        self.planes[to + 1] = 0
        square: Square
        for square in range(first, first + 8):
            if board.castling_rights >> square & 1:
                self.planes[to if square > king else to + 1] = BB_ALL

    def _mark(self, row: Index, board: Board) -> Number:
        """Mark the legal moves; their number is returned."""
        first: Index = row * self.policy.size
        place: Index = row * _MAX_MARKED
        while self.marked[place] >= 0:
            self.mask[first + self.marked[place]] = 0
            place += 1
        place = row * _MAX_MARKED
        count: Number = generate_legal(board, self.moves, 0)
        index: Number
        number: Number
        for index in range(count):
            number = self.policy.number_of(board, self.moves[index])
            if number >= 0:
                self.mask[first + number] = 1
                self.marked[place] = number
                place += 1
        self.marked[place] = -1
        return count


def upside_down(squares: Bitboard) -> Bitboard:
    """A bitboard whose first rank is the last one."""
    squares = squares >> 8 & 0x00FF00FF00FF00FF | (squares & 0x00FF00FF00FF00FF) << 8
    squares = squares >> 16 & 0x0000FFFF0000FFFF | (squares & 0x0000FFFF0000FFFF) << 16
    return squares >> 32 | (squares & 0x00000000FFFFFFFF) << 32

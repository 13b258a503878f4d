"""Numbers moves for policy networks, and writes positions as input planes.

Everything is seen from the side to move: with Black to move, the board is turned upside down and
the colours are swapped.

The numbering with 1858 moves is Leela Chess Zero's: queen and knight moves on an empty board,
ordered by origin and then target (a1 = 0, b1 = 1 ... h8 = 63), followed by promotions to queen,
rook and bishop, in this order, for each origin and target. A promotion to knight has the number of
the plain move, and castling that of the king capturing its rook.

The numbering with 4672 moves is AlphaZero's as in PettingZoo: 73 kinds of moves for each origin,
with the number `73 * (8 * file + rank) + kind`. Kinds 0 to 55 are queen moves: the distance less
one, times 8, plus the direction (left down, left, left up, down, up, right down, right, right up).
Kinds 56 to 63 are knight moves, from left to right, and from below. Kinds 64 to 72 are promotions
to knight, bishop and rook, by a capture to the left, straight ahead, or a capture to the right. A
promotion to queen has the number of the plain move, and castling that of the king moving two
squares.

In Chess960, castling is the king capturing its rook in both numberings.
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

#: The states of a game; see `Planes.write`.
GOES_ON, CHECKMATE, DRAWN = 0, 1, 2

#: Room for the legal moves of a position: no game position has more than 218.
_MAX_MARKED = 256

#: Room for a key for each position since the last capture or pawn move.
_MAX_KEYS = 128
#: A pattern-free odd number for hashing bitboards.
_MIXER = 0x9E3779B97F4A7C15

#: Every other rank, every other pair of ranks, and White's half of the board.
_ODD_RANKS = 0x00FF00FF00FF00FF
_ODD_PAIRS = 0x0000FFFF0000FFFF
_LOWER_HALF = 0x00000000FFFFFFFF

#: Flips the squares of a move code vertically.
_UPSIDE_DOWN = 56 | 56 << 6

#: The planes per position, and the additional ones.
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
        #: The promotion piece if the move's number does not specify one.
        self.usual_promotion = KNIGHT if size == 1858 else QUEEN
        self.numbers = array("h", [-1]) * (1 << 15)
        self.codes = array("h", [-1]) * size
        for number, code in _leela_moves() if size == 1858 else _alpha_zero_moves():
            self.numbers[code], self.codes[number] = number, code
            if to_square(code) >= 56 and not promotion(code):
                self.numbers[code | self.usual_promotion << 12] = number

    def number_of(self, board: Board, code: MoveCode) -> Number:
        """The number of a legal move, given its code; -1 if it has none."""
        origin: Square = from_square(code)
        target: Square = to_square(code)
        is_doubtful: Flag = self.size == 1858 and not board.chess960
        if is_doubtful and origin - target in (2, -2) and piece_on(board, origin) == KING:
            code = origin | (target + 1 if target > origin else target - 2) << 6
        return self.numbers[code if board.turn else code ^ _UPSIDE_DOWN]

    def code_of(self, board: Board, number: Number) -> MoveCode:
        """The code of the legal move with this number; 0 if it is not legal."""
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
            # python-chess accepts castling in either form; only one of them has a number.
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
    """Writes boards into rows of arrays: bitboard planes, and the legal moves of a policy.

    :param planes: for each board, `PLANES_OF_POSITION * history + OTHER_PLANES` bitboards.
    :param mask: for each board, a byte for each move of the policy.
    :param boards: the number of boards.
    :param history: the number of positions of a game in its planes.
    """

    def __init__(self, policy: Policy, planes: Any, mask: Any, boards: int, history: int) -> None:
        self.policy = policy
        self.planes = planes
        self.mask = mask
        self.history = history
        #: The positions of each game, last one first, as White sees them.
        self.past = array("Q", bytes(8 * boards * PLANES_OF_POSITION * history))
        self.moves = array("q", bytes(8 * MAX_MOVES))
        self.keys = array("Q", bytes(8 * boards * _MAX_KEYS))
        #: The entries set in each row of the mask; -1 after the last one.
        self.marked = array("h", [-1]) * (boards * _MAX_MARKED)

    def forget(self, row: Index) -> None:
        """Start a new game in a row."""
        length: Index = PLANES_OF_POSITION * self.history
        place: Index
        for place in range(row * length, (row + 1) * length):
            self.past[place] = 0
        for place in range(row * _MAX_KEYS, (row + 1) * _MAX_KEYS):
            self.keys[place] = 0

    def step(self, row: Index, board: Board, number: Number) -> Number:
        """Make the move with a number and write the row; -1 if illegal, otherwise as `write`."""
        code: MoveCode = self.policy.code_of(board, number)
        if code == 0:
            return -1
        push(board, code)
        return self.write(row, board)

    def write(self, row: Index, board: Board) -> Number:
        """Write the next position of a game, and return the state of the game.

        The planes of a position are the pawns, knights, bishops, rooks, queens and king of the side
        to move, those of the other side, and whether the position has occurred before (all
        squares). After all positions, the current one first, come the additional planes: whether
        the side to move may castle kingside and queenside, the same for the other side (all
        squares), the square on which a pawn may be captured en passant, and the halfmove clock: of
        the 64 squares, as large a share as the plies without a capture or pawn move are of 100.

        A game is drawn by stalemate, insufficient material, fifty moves, or the third occurrence of
        a position.
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
        """Mark the legal moves; return their number."""
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
    """A bitboard flipped vertically."""
    squares = squares >> 8 & _ODD_RANKS | (squares & _ODD_RANKS) << 8
    squares = squares >> 16 & _ODD_PAIRS | (squares & _ODD_PAIRS) << 16
    return squares >> 32 | (squares & _LOWER_HALF) << 32

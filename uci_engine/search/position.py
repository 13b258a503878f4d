"""A position in the search: a python-chess board with incrementally updated data.

`Position.make` and `unmake` maintain the Zobrist key, the evaluation accumulator, the checkers and
the history of keys, which reveals repetitions. The keys are Polyglot's
(https://www.chessprogramming.org/Zobrist_Hashing), so that they work for book look-ups; the en
passant file counts only if the capture is legal, as the repetition rule requires.
"""

from __future__ import annotations

from array import array

from chess.polyglot import POLYGLOT_RANDOM_ARRAY

from ..base.scores import MAX_PLY
from ..board.constants import FIFTY_MOVES
from ..board.movegen import (
    Bitboard,
    Board,
    Color,
    Flag,
    Key,
    MoveCode,
    PieceType,
    Ply,
    Square,
    checkers_of,
    en_passant_square,
    from_square,
    has_legal_en_passant,
    is_insufficient_material,
    king_square,
    lsb,
    pawn_attacks,
    piece_on,
    pieces_of,
    pop,
    promotion,
    push,
    to_square,
)
from ..eval.accumulator import Accumulator

_PAWN, _ROOK, _KING = 1, 4, 6
_CASTLING, _EN_PASSANT, _TURN = 768, 772, 780  # offsets in Polyglot's array

#: The plies of history that matter: after that many, the fifty-move rule ends the game.
_REMEMBERED = FIFTY_MOVES

_RANDOM = array("Q", POLYGLOT_RANDOM_ARRAY)  # shared by all positions


class Position:
    """A board with an incremental key, evaluation accumulator and repetition history.

    :param board: taken over, with its move stack as the game's history; it must have one king per
        side, and must not be changed from outside afterwards.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.accumulator = Accumulator()
        self.random = _RANDOM
        self.keys = array("Q", bytes(8 * (_REMEMBERED + 2 * MAX_PLY + 8)))
        self.old_checkers = array("Q", bytes(8 * (_REMEMBERED + 2 * MAX_PLY + 8)))
        self.old_en_passant = array("Q", bytes(8 * (_REMEMBERED + 2 * MAX_PLY + 8)))
        self.castling_keys = array("Q", bytes(8 * 64))
        self.reset()

    def reset(self) -> None:
        """Recompute everything from the board; `make` and `unmake` must agree with this."""
        board = self.board
        history = [board.pop() for _ in range(min(len(board.move_stack), _REMEMBERED))]
        self.height = 0
        self._set_up()
        for move in reversed(history):
            board.push(move)
            self.height += 1
            self._set_up()

    def _set_up(self) -> None:
        board = self.board
        board.castling_rights = board.clean_castling_rights()
        self.accumulator.set_up(board)
        key: Key = 0
        color: Color
        piece: PieceType
        for square in range(64):
            piece = piece_on(board, square)
            if piece:
                color = bool(pieces_of(board, True) >> square & 1)
                key ^= self._piece_key(color, piece, square)
        for square in range(64):
            self.castling_keys[square] = 0
            if board.castling_rights >> square & 1:
                # Polyglot's order of rights: White's short and long castling, then Black's.
                color = square < 8
                short = square > king_square(board, color)
                self.castling_keys[square] = self.random[_CASTLING + 2 * (not color) + (not short)]
                key ^= self.castling_keys[square]
        if board.turn:
            key ^= self.random[_TURN]
        self.en_passant_key = self._find_en_passant_key()
        self.key = key ^ self.en_passant_key
        self.keys[self.height] = self.key
        self.checkers = checkers_of(board)

    # -- making moves ---------------------------------------------------------------------------

    def make(self, move: MoveCode) -> None:
        """Make a legal move."""
        board = self.board
        accumulator = self.accumulator
        color: Color = board.turn
        origin: Square = from_square(move)
        target: Square = to_square(move)
        promoted: PieceType = promotion(move)
        piece: PieceType = piece_on(board, origin)
        captured: PieceType = piece_on(board, target)
        rights: Bitboard = board.castling_rights
        key: Key = self.key ^ self.random[_TURN] ^ self.en_passant_key
        ours: Bitboard = pieces_of(board, color)
        self._save()

        if piece == _KING and (ours >> target & 1 or target - origin in (2, -2)):
            # Castling, in any notation: the new squares of king and rook tell everything.
            rooks: Bitboard = board.rooks & ours
            kings: Bitboard = board.kings & ours
            push(board, move)
            ours = pieces_of(board, color)
            key ^= self._shift(color, _ROOK, rooks, board.rooks & ours)
            key ^= self._shift(color, _KING, kings, board.kings & ours)
        else:
            key ^= self._piece_key(color, piece, origin)
            accumulator.remove(color, piece, origin)
            if captured:
                key ^= self._piece_key(not color, captured, target)
                accumulator.remove(not color, captured, target)
            elif piece == _PAWN and (origin ^ target) & 7:
                behind: Square = target - 8 if color else target + 8
                key ^= self._piece_key(not color, _PAWN, behind)
                accumulator.remove(not color, _PAWN, behind)
            if promoted:
                piece = promoted
            key ^= self._piece_key(color, piece, target)
            accumulator.add(color, piece, target)
            push(board, move)

        lost: Bitboard = rights ^ board.castling_rights
        while lost:
            key ^= self.castling_keys[lsb(lost)]
            lost &= lost - 1
        self.en_passant_key = 0
        if piece == _PAWN and target - origin in (16, -16):
            self.en_passant_key = self._find_en_passant_key()
            key ^= self.en_passant_key
        self.key = key
        self.keys[self.height] = key
        self.checkers = checkers_of(board)

    def key_after(self, move: MoveCode) -> Key:
        """The key after a move as far as known in advance: ignores castling and en passant."""
        board = self.board
        color: Color = board.turn
        origin: Square = from_square(move)
        target: Square = to_square(move)
        piece: PieceType = piece_on(board, origin)
        captured: PieceType = piece_on(board, target)
        key: Key = self.key ^ self.random[_TURN] ^ self.en_passant_key
        key ^= self._piece_key(color, piece, origin)
        if captured:
            key ^= self._piece_key(not color, captured, target)
        if promotion(move):
            piece = promotion(move)
        return key ^ self._piece_key(color, piece, target)

    def make_null(self) -> None:
        """Pass the move; not allowed in check."""
        key: Key = self.key ^ self.random[_TURN] ^ self.en_passant_key
        self._save()
        push(self.board, 0)
        self.en_passant_key = 0
        self.key = key
        self.keys[self.height] = key
        self.checkers = 0

    def unmake(self) -> None:
        """Undo the last `make` or `make_null`."""
        pop(self.board)
        self.accumulator.restore()
        self.height -= 1
        self.key = self.keys[self.height]
        self.checkers = self.old_checkers[self.height]
        self.en_passant_key = self.old_en_passant[self.height]

    def _save(self) -> None:
        self.accumulator.save()
        self.old_checkers[self.height] = self.checkers
        self.old_en_passant[self.height] = self.en_passant_key
        self.height += 1

    def _shift(self, color: Color, piece: PieceType, before: Bitboard, after: Bitboard) -> Key:
        """Move one kind of pieces in the accumulator; return the change of the key."""
        key: Key = 0
        square: Square
        removed: Bitboard = before & ~after
        while removed:
            square = lsb(removed)
            key ^= self._piece_key(color, piece, square)
            self.accumulator.remove(color, piece, square)
            removed &= removed - 1
        added: Bitboard = after & ~before
        while added:
            square = lsb(added)
            key ^= self._piece_key(color, piece, square)
            self.accumulator.add(color, piece, square)
            added &= added - 1
        return key

    def _piece_key(self, color: Color, piece: PieceType, square: Square) -> Key:
        return self.random[((piece - 1) * 2 + color) * 64 + square]

    def _find_en_passant_key(self) -> Key:
        """The key of the en passant file; 0 unless the capture is legal."""
        board = self.board
        square: Square = en_passant_square(board)
        if square < 0:
            return 0
        capturers: Bitboard = pawn_attacks(not board.turn, square) & board.pawns
        if capturers & pieces_of(board, board.turn) and has_legal_en_passant(board):
            return self.random[_EN_PASSANT + (square & 7)]
        return 0

    # -- draws ----------------------------------------------------------------------------------

    def is_repetition(self, ply: Ply) -> Flag:
        """Whether this position, `ply` plies after the root, counts as a draw by repetition.

        Within the search tree, a second occurrence is enough: whoever could repeat once can repeat
        again. If the earlier ones are in the game before the root, it takes a third.
        """
        reach: Ply = self.board.halfmove_clock
        if reach > self.height:
            reach = self.height
        distance: Ply = 4
        seen: Ply = 0
        while distance <= reach:
            if self.keys[self.height - distance] == self.key:
                seen += 1
                if distance <= ply or seen == 2:
                    return True
            distance += 2
        return False

    def has_insufficient_material(self) -> Flag:
        """Whether no sequence of moves can lead to mate."""
        return is_insufficient_material(self.board)

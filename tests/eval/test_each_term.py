"""The terms of pieces and kings, counted again with python-chess, square by square.

This counts from White's view what `eval/pieces.py` and `eval/king.py` count by sets of squares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import chess
import pytest
from chess import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, endgames, games

from halbzug.eval import features
from halbzug.eval.tables import ATTACKER_UNITS, CHECK_UNITS, PIECES, WEAK_SQUARE_UNITS

pytestmark = pytest.mark.any_build

PIECE_TERMS = (
    *("knight_outpost", "bishop_outpost", "knight_to_outpost", "minor_behind_pawn"),
    *("bad_bishop", "locked_bishop", "rook_open_file", "rook_half_open_file", "rook_on_queen_file"),
    *("rook_seventh_rank", *(f"{PIECES[piece]}_mobility" for piece in (2, 3, 4, 5))),
)
ATTACK_TERMS = (
    "king_mobility",
    "pawnless_flank",
    "pin",
    "king_danger",
    "safe_check",
    "other_check",
)
THREAT_TERMS = (
    *("pawn_attacks_minor", "pawn_attacks_major", "minor_threat", "rook_threat", "restricted"),
    *("hanging_piece", "hanging_pawn", "pawn_push_threat"),
)
SHELTER_TERMS = ("shelter", "storm", "blocked_storm")

#: The first and last file of a king's flank, by the file of the king.
FLANKS = ((0, 2), (0, 3), (0, 3), (2, 5), (2, 5), (4, 7), (4, 7), (5, 7))

file_of, rank_of = chess.square_file, chess.square_rank


class Side:
    """A position in which White is the side whose terms are counted."""

    def __init__(self, board: chess.Board) -> None:
        self.board = board
        self.counts: Counter[tuple[str, int]] = Counter()
        self.king, self.other_king = board.king(WHITE), board.king(BLACK)
        assert self.king is not None and self.other_king is not None
        self.ring = set(chess.SquareSet(chess.BB_KING_ATTACKS[self.other_king]))

    def add(self, name: str, index: int = 0, number: int = 1) -> None:
        if number:
            self.counts[name, index] += number

    def of(self, color: chess.Color, *kinds: chess.PieceType) -> set[int]:
        return {square for kind in kinds for square in self.board.pieces(kind, color)}

    def hit(self, color: chess.Color, *kinds: chess.PieceType) -> set[int]:
        """The squares that these pieces attack."""
        return {
            target for square in self.of(color, *kinds) for target in self.board.attacks(square)
        }

    def attackers(self, color: chess.Color, square: int) -> int:
        return len(self.board.attackers(color, square))

    def is_attacked(self, color: chess.Color, square: int) -> bool:
        return self.board.is_attacked_by(color, square)

    # -- the pieces -------------------------------------------------------------------------------

    def is_chased(self, square: int) -> bool:
        """Whether an enemy pawn can ever attack this square."""
        return any(
            abs(file_of(pawn) - file_of(square)) == 1 and rank_of(pawn) > rank_of(square)
            for pawn in self.of(BLACK, PAWN)
        )

    def outposts(self) -> set[int]:
        return {
            square
            for square in self.hit(WHITE, PAWN)
            if rank_of(square) in (3, 4, 5) and not self.is_chased(square)
        }

    def count_pieces(self) -> None:
        board, outposts = self.board, self.outposts()
        own = set(chess.SquareSet(board.occupied_co[WHITE]))
        closed = self.of(WHITE, PAWN, KING) | self.hit(BLACK, PAWN)
        pawns, other_pawns = self.of(WHITE, PAWN), self.of(BLACK, PAWN)
        blocked = sum(
            board.piece_at(pawn + 8) is not None for pawn in pawns if file_of(pawn) in (2, 3, 4, 5)
        )
        for kind in (KNIGHT, BISHOP, ROOK, QUEEN):
            for square in self.of(WHITE, kind):
                free = set(board.attacks(square)) - closed
                self.add(f"{PIECES[kind]}_mobility", len(free))
        for kind in (KNIGHT, BISHOP):
            for square in self.of(WHITE, kind):
                if square in outposts:
                    self.add(f"{PIECES[kind]}_outpost")
                front = board.piece_at(square + 8) if square < 56 else None
                self.add("minor_behind_pawn", number=front is not None and front.piece_type == PAWN)
        self.add("knight_to_outpost", number=len(self.hit(WHITE, KNIGHT) & outposts - own))
        for bishop in self.of(WHITE, BISHOP):
            shade = sum((file_of(bishop) + rank_of(bishop) - sum(place)) % 2 == 0 for place in
                        ((file_of(pawn), rank_of(pawn)) for pawn in pawns))  # fmt: skip
            self.add("bad_bishop", number=shade)
            self.add("locked_bishop", number=shade * blocked)
        for rook in self.of(WHITE, ROOK):
            file = file_of(rook)
            if not any(file_of(pawn) == file for pawn in pawns):
                is_open = not any(file_of(pawn) == file for pawn in other_pawns)
                self.add("rook_open_file" if is_open else "rook_half_open_file")
            if any(file_of(queen) == file for queen in self.of(BLACK, QUEEN)):
                self.add("rook_on_queen_file")
            if rank_of(rook) == 6 and (
                rank_of(self.other_king) == 7 or any(rank_of(pawn) == 6 for pawn in other_pawns)
            ):
                self.add("rook_seventh_rank")

    # -- the attack on the king -------------------------------------------------------------------

    def count_attack(self) -> None:
        board, king = self.board, self.other_king
        steps = set(chess.SquareSet(chess.BB_KING_ATTACKS[self.king]))
        own = set(chess.SquareSet(board.occupied_co[WHITE]))
        free = {one for one in steps - own if not self.is_attacked(BLACK, one)}
        self.add("king_mobility", len(free))
        first, last = FLANKS[file_of(king)]
        if not any(first <= file_of(pawn) <= last for pawn in board.pieces(PAWN, WHITE) | board.pieces(PAWN, BLACK)):  # fmt: skip  # noqa: E501
            self.add("pawnless_flank")
        for piece in self.of(WHITE, BISHOP, ROOK, QUEEN):
            kind = board.piece_type_at(piece)
            is_straight = file_of(piece) == file_of(king) or rank_of(piece) == rank_of(king)
            between = [one for one in chess.SquareSet.between(piece, king) if board.piece_at(one)]
            is_aimed = bool(chess.SquareSet.ray(piece, king)) and kind in (
                QUEEN,
                ROOK if is_straight else BISHOP,
            )
            if is_aimed and len(between) == 1 and board.color_at(between[0]) == BLACK:
                self.add("pin")
        self.add("king_danger", self.danger())

    def danger(self) -> int:
        board = self.board
        units = 0
        for piece in self.of(WHITE, KNIGHT, BISHOP, ROOK, QUEEN):
            aimed = len(self.ring & set(board.attacks(piece)))
            if aimed:
                kind = board.piece_type_at(piece)
                assert kind is not None
                units += ATTACKER_UNITS[kind] + aimed
        if not units:
            return 0
        guarded = self.hit(BLACK, PAWN, KNIGHT, BISHOP, ROOK)
        weak = [one for one in self.ring - guarded if self.is_attacked(WHITE, one)]
        units += WEAK_SQUARE_UNITS * len(weak)
        for kind in (KNIGHT, BISHOP, ROOK, QUEEN):
            units += self.count_checks(kind, guarded)
        if not self.of(WHITE, QUEEN):
            units //= 2
        return min(units, 47)

    def count_checks(self, kind: chess.PieceType, guarded: set[int]) -> int:
        """The weights of safe checks by one kind of piece."""
        with_piece = self.board.copy(stack=False)
        with_piece.set_piece_at(self.other_king, chess.Piece(kind, BLACK))
        checks = [
            square
            for square in set(with_piece.attacks(self.other_king)) & self.hit(WHITE, kind)
            if self.board.color_at(square) != WHITE
        ]
        if any(self.is_safe(square, guarded) for square in checks):
            self.add("safe_check", kind)
            return CHECK_UNITS[kind]
        if checks:
            self.add("other_check", kind)
        return 0

    def is_safe(self, square: int, guarded: set[int]) -> bool:
        """Whether nobody defends the square, or only king or queen while two attack it."""
        if not self.is_attacked(BLACK, square):
            return True
        is_weak = self.attackers(WHITE, square) > 1 and self.attackers(BLACK, square) == 1
        return is_weak and square not in guarded

    # -- threats ----------------------------------------------------------------------------------

    def count_threats(self) -> None:
        board = self.board
        by_pawn = self.hit(WHITE, PAWN)
        minors, majors = self.of(BLACK, KNIGHT, BISHOP), self.of(BLACK, ROOK, QUEEN)
        self.add("pawn_attacks_minor", number=len(by_pawn & minors))
        self.add("pawn_attacks_major", number=len(by_pawn & majors))
        held = self.hit(BLACK, PAWN)
        for target in self.hit(WHITE, KNIGHT, BISHOP) & (
            minors | majors | self.of(BLACK, PAWN) - held
        ):
            self.add("minor_threat", board.piece_type_at(target) or 0)
        pieces = minors | majors | self.of(BLACK, PAWN)
        for target in self.hit(WHITE, ROOK) & (pieces - held | self.of(BLACK, QUEEN)):
            self.add("rook_threat", board.piece_type_at(target) or 0)
        both = (one for one in chess.SQUARES if self.is_attacked(WHITE, one))
        self.add("restricted", number=sum(self.is_attacked(BLACK, one) for one in both if one not in held))  # fmt: skip  # noqa: E501
        loose = {
            one
            for one in pieces
            if self.is_attacked(WHITE, one) and not self.is_attacked(BLACK, one)
        }
        self.add("hanging_piece", number=len(loose & (minors | majors)))
        self.add("hanging_pawn", number=len(loose & self.of(BLACK, PAWN)))
        aims = {
            target
            for square in self.pushes()
            if square not in held
            and (self.is_attacked(WHITE, square) or not self.is_attacked(BLACK, square))
            for target in chess.SquareSet(chess.BB_PAWN_ATTACKS[WHITE][square])
        }
        self.add("pawn_push_threat", number=len((aims - by_pawn) & (minors | majors)))

    def pushes(self) -> Iterable[int]:
        """The squares pawns can reach without a capture."""
        for pawn in self.of(WHITE, PAWN):
            for square in (pawn + 8, pawn + 16)[: 2 if rank_of(pawn) == 1 else 1]:
                if square > chess.H8 or self.board.piece_at(square):
                    break
                yield square

    # -- the shelter of the own king --------------------------------------------------------------

    def count_shelter(self) -> None:
        center = min(max(file_of(self.king), 1), 6)
        for file in range(center - 1, center + 2):
            guard, stormer = (self.nearest(color, file) for color in (WHITE, BLACK))
            self.add("shelter", guard + (8 if file == file_of(self.king) else 0))
            is_blocked = guard > 0 and stormer == guard + 1
            self.add("blocked_storm" if is_blocked else "storm", stormer)

    def nearest(self, color: chess.Color, file: int) -> int:
        """The rank of the first pawn on a file that is not behind the king; 0 if there is none."""
        ranks = [rank_of(pawn) for pawn in self.of(color, PAWN) if file_of(pawn) == file]
        return min((rank for rank in ranks if rank >= rank_of(self.king)), default=0)


PARTS = {
    "pieces": (PIECE_TERMS, Side.count_pieces),
    "attack": (ATTACK_TERMS, Side.count_attack),
    "threats": (THREAT_TERMS, Side.count_threats),
    "shelter": (SHELTER_TERMS, Side.count_shelter),
}


def check(game: Game) -> None:
    """Compare all terms of both sides."""
    board = game.reference()
    for counts, seen in zip(features.count(game.board()), (board, board.mirror()), strict=True):
        for terms, count in PARTS.values():
            side = Side(seen)
            count(side)
            found = {feature: n for feature, n in counts.items() if feature[0] in terms}
            assert found == dict(side.counts), seen.fen()


@given(st.one_of(games(), endgames(12)))
def test_each_term_counts_what_its_description_says(game: Game) -> None:
    check(game)

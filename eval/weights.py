"""The weights of the evaluation, in centipawns: data only.

Source: set by hand for Kiebitz from general principles (knights want the centre, rooks the
seventh rank, the king a corner until the queens are gone), in steps of about five centipawns.
They are not tuned yet. Pairs are (middlegame, endgame); maps are seen by White, a8 first.
"""

from __future__ import annotations

from eval.tapered import pack

#: Material: none, pawn, knight, bishop, rook, queen, king.
MATERIAL = ((0, 0), (85, 110), (325, 305), (340, 325), (480, 540), (985, 995), (0, 0))

#: What a piece adds to the game phase; 24 is a full board.
PHASE = (0, 0, 1, 1, 2, 4, 0)
FULL_PHASE = 24

# fmt: off
_PAWN_MIDDLEGAME = (
      0,   0,   0,   0,   0,   0,   0,   0,
     60,  65,  60,  65,  65,  60,  50,  45,
     10,  15,  25,  30,  35,  40,  25,  10,
    -10,   5,   5,  20,  22,  10,   8, -12,
    -20,  -5,   2,  18,  20,   5,   0, -18,
    -18,  -5,   0,   2,   5,   0,  15,  -8,
    -22,  -4, -12, -16, -14,  12,  18, -14,
      0,   0,   0,   0,   0,   0,   0,   0,
)
_PAWN_ENDGAME = (
      0,   0,   0,   0,   0,   0,   0,   0,
     90,  85,  80,  75,  75,  80,  85,  90,
     50,  50,  45,  40,  40,  45,  50,  50,
     22,  18,  12,   8,   8,  12,  18,  22,
     10,   8,   0,  -4,  -4,   0,   8,  10,
      4,   4,  -2,   2,   2,  -2,   4,   4,
     10,   6,   6,   8,   8,   6,   6,  10,
      0,   0,   0,   0,   0,   0,   0,   0,
)
_KNIGHT_MIDDLEGAME = (
    -90, -60, -35, -25, -25, -35, -60, -90,
    -45, -25,  20,  15,  15,  20, -25, -45,
    -20,  20,  30,  40,  40,  45,  25, -15,
     -5,  12,  22,  35,  35,  28,  15,   0,
    -10,   5,  15,  18,  22,  18,  10,  -8,
    -20,  -5,  10,  12,  18,  15,   8, -18,
    -30, -25,  -8,   0,   0,   5, -20, -25,
    -75, -25, -35, -25, -20, -25, -25, -70,
)
_KNIGHT_ENDGAME = (
    -60, -40, -20, -20, -20, -20, -40, -60,
    -35, -12, -10,   0,   0, -10, -15, -35,
    -20,  -8,  10,  12,  12,  10, -10, -25,
    -12,   5,  20,  24,  24,  18,   8, -12,
    -14,   0,  16,  22,  22,  16,   2, -14,
    -22,  -4,   2,  14,  14,   0, -10, -22,
    -38, -18, -10,  -4,  -4, -14, -20, -38,
    -45, -45, -24, -18, -20, -22, -45, -55,
)
_BISHOP_MIDDLEGAME = (
    -25, -10, -35, -30, -28, -30,  -8, -15,
    -22,   8, -10, -12,  10,  20,   8, -35,
    -12,  20,  28,  25,  25,  35,  25,   0,
     -5,   5,  15,  35,  30,  22,   6,  -4,
     -4,  10,  10,  24,  28,  10,  10,   2,
      0,  14,  14,  12,  12,  20,  15,   8,
      5,  14,  12,   2,   6,  14,  28,   2,
    -28,  -4, -14, -18, -14, -14, -25, -20,
)
_BISHOP_ENDGAME = (
    -15, -18, -12,  -8,  -8, -12, -18, -22,
    -10,  -4,   4,  -8,  -4,  -8,  -4, -14,
      2,  -6,   0,   0,   0,   4,   0,   4,
     -2,   8,  10,  10,  12,  10,   4,   2,
     -6,   4,  12,  16,  10,  10,  -2,  -8,
    -10,  -2,   8,  10,  12,   4,  -6, -12,
    -12, -14,  -6,   0,   4,  -8, -12, -24,
    -22, -10, -20,  -6,  -8, -16,  -8, -18,
)
_ROOK_MIDDLEGAME = (
     25,  30,  25,  35,  40,  15,  20,  30,
     20,  24,  45,  48,  55,  50,  22,  32,
     -5,  15,  20,  25,  15,  35,  45,  12,
    -20, -10,   6,  18,  18,  28,  -8, -18,
    -30, -22, -12,  -4,   6,  -6,   4, -22,
    -36, -22, -16, -14,   0,   0,  -6, -28,
    -36, -16, -18,  -8,  -2,   8,  -6, -55,
    -14, -10,   2,  12,  14,   8, -25, -16,
)
_ROOK_ENDGAME = (
     14,  12,  18,  16,  14,  14,  10,   8,
     12,  14,  14,  12,   2,   6,  10,   6,
      8,   8,   8,   6,   5,   0,  -2,   0,
      6,   4,  12,   2,   2,   2,   0,   4,
      4,   6,   8,   4,  -4,  -5,  -8, -10,
     -4,   0,  -5,  -2,  -6, -10,  -8, -14,
     -6,  -6,   0,   2,  -8,  -8, -10,  -4,
     -8,   2,   4,   0,  -4, -10,   4, -18,
)
_QUEEN_MIDDLEGAME = (
    -25,   0,  25,  15,  50,  42,  40,  42,
    -22, -35,  -5,   4, -12,  45,  28,  50,
    -12, -14,   8,  10,  28,  50,  44,  52,
    -24, -24, -14, -14,   0,  15,   0,   4,
     -8, -22,  -8,  -8,  -2,  -4,   4,  -2,
    -12,   2, -10,  -2,  -4,   4,  12,   6,
    -30,  -8,  10,   4,   8,  14,  -4,   2,
      0, -15,  -8,  10, -12, -22, -28, -45,
)
_QUEEN_ENDGAME = (
    -10,  20,  22,  25,  25,  18,  10,  18,
    -16,  18,  30,  40,  55,  25,  28,   0,
    -18,   6,  10,  46,  46,  34,  18,   8,
      4,  20,  24,  44,  54,  40,  54,  34,
    -16,  26,  18,  44,  30,  34,  38,  22,
    -16, -24,  14,   6,   8,  16,  10,   6,
    -22, -22, -28, -16, -16, -22, -34, -30,
    -32, -28, -22, -40,  -5, -30, -20, -40,
)
_KING_MIDDLEGAME = (
    -60,  20,  15, -15, -50, -30,   5,  15,
     28,   0, -18,  -6,  -8,  -4, -34, -28,
    -10,  22,   4, -16, -20,   8,  22, -22,
    -18, -20, -12, -28, -30, -25, -15, -36,
    -48,  -2, -28, -40, -45, -42, -34, -50,
    -14, -14, -22, -45, -42, -30, -15, -28,
      2,   6,  -8, -60, -42, -16,  10,   8,
    -15,  36,  12, -52,   8, -28,  26,  14,
)
_KING_ENDGAME = (
    -72, -35, -18, -18, -12,  14,   4, -16,
    -12,  16,  14,  16,  16,  36,  22,  10,
     10,  16,  22,  15,  20,  42,  42,  12,
     -8,  22,  24,  28,  26,  32,  26,   2,
    -18,  -4,  20,  24,  26,  22,   8, -12,
    -20,  -4,  10,  20,  22,  16,   6,  -8,
    -28, -12,   4,  12,  14,   4,  -6, -18,
    -54, -35, -22, -12, -28, -14, -25, -44,
)
# fmt: on

_MAPS = (
    (_PAWN_MIDDLEGAME, _PAWN_ENDGAME),
    (_KNIGHT_MIDDLEGAME, _KNIGHT_ENDGAME),
    (_BISHOP_MIDDLEGAME, _BISHOP_ENDGAME),
    (_ROOK_MIDDLEGAME, _ROOK_ENDGAME),
    (_QUEEN_MIDDLEGAME, _QUEEN_ENDGAME),
    (_KING_MIDDLEGAME, _KING_ENDGAME),
)


def _piece_square() -> list[int]:
    """Material and maps as one table of packed scores, indexed by piece << 6 | square."""
    table = [0] * 64
    for (middlegame, endgame), (early, late) in zip(MATERIAL[1:], _MAPS, strict=True):
        for square in range(64):
            seen = square ^ 56
            table.append(pack(middlegame + early[seen], endgame + late[seen]))
    return table


PIECE_SQUARE = _piece_square()

#: The side to move.
TEMPO = 12

#: Two bishops.
BISHOP_PAIR = pack(24, 50)

#: A pawn behind another of its own on the file; a pawn without a neighbour on either side.
DOUBLED_PAWN = pack(-6, -20)
ISOLATED_PAWN = pack(-10, -12)

#: A pawn that no enemy pawn can stop or capture on its way, by its rank.
PASSED_PAWN = (
    0,
    pack(-5, 8),
    pack(-8, 12),
    pack(-6, 35),
    pack(14, 62),
    pack(38, 115),
    pack(75, 160),
    0,
)

#: Each square a piece can go to (not held by its own side, not attacked by an enemy pawn),
#: counted from a typical number, by piece type.
MOBILITY = (0, 0, pack(5, 4), pack(5, 5), pack(2, 5), pack(1, 5), 0)
TYPICAL_MOBILITY = (0, 0, 4, 6, 7, 13, 0)

#: A rook on a file without pawns, and on one without its own.
ROOK_OPEN_FILE = pack(28, 8)
ROOK_HALF_OPEN_FILE = pack(12, 6)

#: Own pawns close before the king: one and two ranks ahead of it; a file beside it without any.
SHELTER_NEAR = pack(16, -2)
SHELTER_FAR = pack(9, -1)
SHELTER_OPEN_FILE = pack(-18, 2)

#: Enemy pieces bearing on the squares around the king: the penalty grows with the square of
#: the summed weights below, divided by this.
ATTACK_WEIGHT = (0, 0, 2, 2, 3, 5, 0)
ATTACK_DIVISOR = 4
ATTACK_LIMIT = 300

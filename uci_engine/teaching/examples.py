"""Positions that show the horizon effect.

They come from random play or random placements. In each, the engine without quiescence search and
extensions chooses a bad move, and Stockfish 15.1 agrees about both moves. Two resemble the examples
of lectures: a queen lost to a discovered capture, and checks that delay a promotion.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Example:
    """A position, and a description of the effect in it."""

    name: str
    title: str
    fen: str
    depth: int  # plies at which the effect occurs
    wrong: str  # the move chosen without quiescence search and extensions, UCI
    right: str  # the engine's move
    story: str


EXAMPLES = (
    Example(
        "hidden",
        "A queen is lost to a hidden capture",
        "r2q1rk1/pppb1pbp/2np1np1/3Np1B1/4P3/3P1NP1/PPP2PBP/R2Q1RK1 b - - 3 9",
        1,
        "f6d5",
        "f8e8",
        "The black knight wins a knight, and the search stops there. But it was this knight that "
        "hid the queen from the bishop on g5, which takes her next.",
    ),
    Example(
        "promotion",
        "Checks delay a promotion",
        "8/P3k3/P3r3/p7/1p6/3P4/8/K7 b - - 0 1",
        4,
        "e6e1",
        "e6a6",
        "White threatens to promote. Two checks push the new queen behind the last ply, and Black "
        "seems to stay a rook ahead. But the checks come to an end, the pawn promotes all the "
        "same, and the rook has left the rank from where it could take both pawns.",
    ),
    Example(
        "exchange",
        "The search stops in the middle of an exchange",
        "r1bqk2r/pp2b1pp/2n1pp2/1P1pN3/P7/2P1P2P/4QPP1/RN3RK1 w kq - 0 14",
        3,
        "b5c6",
        "e2h5",
        "Knight for knight, and then a pawn takes a pawn: there a search of three plies stops, "
        "with White a pawn better off. But that pawn is taken at once, and the check that wins a "
        "rook has been missed.",
    ),
    Example(
        "guarded",
        "A guarded piece seems to be free",
        "r3kbr1/p2q1p1p/1pp1p3/5n2/2PPQ1p1/PP4P1/1B2NP1P/R4K1R w q - 1 17",
        1,
        "e4f5",
        "f1g2",
        "The shortest exchange there is: the queen takes a knight, and the pawn that guards it "
        "takes the queen one ply after the search has stopped.",
    ),
    Example(
        "mate",
        "A mate behind the horizon",
        "4r1k1/3PBpp1/p6p/1p3B2/2nP4/P3PN2/4K1PP/7r b - - 0 19",
        2,
        "e8e7",
        "e8b8",
        "The rook takes a bishop, and the answer is a new queen, with check. There a search of two "
        "plies stops and takes this for the whole damage. The check extension looks further, and "
        "finds mate.",
    ),
)

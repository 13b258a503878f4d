"""How a game ends by the rules of chess, as in GUIs and match programs.

python-chess's `outcome(claim_draw=True)` asks whether a draw could be claimed. It ends a game as
soon as any legal move would repeat the position, even if that move is not played.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import chess


@dataclass(frozen=True)
class GameEnd:
    """How a game ended."""

    result: str  # as in PGN
    termination: str  # as in PGN's tag Termination: normal, adjudication, a forfeit
    reason: str  # in words


def natural_end(board: chess.Board) -> GameEnd | None:
    """The end of a game by the rules of chess; None if it continues.

    Threefold repetition and the fifty-move rule end the game without a claim.
    """
    if board.is_checkmate():
        winner = "Black" if board.turn else "White"
        return GameEnd("0-1" if board.turn else "1-0", "normal", f"{winner} mates")
    if board.is_stalemate():
        return _draw("stalemate")
    if board.is_insufficient_material():
        return _draw("insufficient material")
    if board.is_repetition(3):
        return _draw("threefold repetition")
    if board.is_fifty_moves():
        return _draw("the fifty-move rule")
    return None


def lost(side: chess.Color, termination: str, how: str) -> GameEnd:
    """The end of a game that `side` has lost.

    :param how: the reason as a verb: "resigns".
    """
    return GameEnd("0-1" if side else "1-0", termination, f"{'White' if side else 'Black'} {how}")


def _draw(cause: str) -> GameEnd:
    return GameEnd("1/2-1/2", "normal", f"Draw by {cause}")

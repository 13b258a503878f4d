"""Minimax of a small chess ending, judged by material or looked up in tablebases.

Source: https://www.chessprogramming.org/Endgame_Tablebases
"""

from __future__ import annotations

from fractions import Fraction

import chess

from ..api.one_liners import own_board
from ..tablebase.probing import Tablebase
from .horizon_effect import material
from .recorded import RecordedNode, Recording, StepRecorder, exact

#: The pawn and the king can take on d4; only one of the captures wins.
ENDING = "8/2k5/8/2K5/3p4/2P5/8/8 w - - 0 1"

#: Positions with at most this many pieces are looked up, and not searched.
PIECES = 3


def ending_tree(fen: str = ENDING, plies: int = 2) -> RecordedNode:
    """The tree of a position. Its leaves have the worth that `by_material` says.

    White is MAX. A node has the FEN of its position as its name.
    """
    board = chess.Board(fen)

    def node(left: int) -> RecordedNode:
        moves = []
        for move in board.legal_moves if left else ():
            name = board.san(move)
            board.push(move)
            moves.append((name, node(left - 1)))
            board.pop()
        if not moves:
            return RecordedNode("leaf", board.fen(), worth=by_material(board))
        return RecordedNode("max" if board.turn else "min", board.fen(), tuple(moves))

    return node(plies)


def by_material(board: chess.Board) -> Fraction:
    """1 if White has more material, -1 if Black has, 0 otherwise; a mate counts as all of it."""
    if board.is_checkmate():
        return Fraction(-1 if board.turn else 1)
    balance = material(board, chess.WHITE)
    return Fraction((balance > 0) - (balance < 0))


def search_ending(root: RecordedNode, tablebase: Tablebase | None) -> Recording:
    """Search from left to right; what the tablebase knows is not searched.

    :param tablebase: without it the leaves are judged by material.
    """
    recorder = StepRecorder(root)
    return recorder.recording(exact(_value(root, recorder, tablebase)))


def _value(node: RecordedNode, recorder: StepRecorder, tablebase: Tablebase | None) -> Fraction:
    recorder.step("enter", node, "search_enter")
    known = _look_up(node, tablebase) if tablebase else None
    if known is not None:
        recorder.step("leaf", node, "lookup_known", exact(known), value=exact(known))
        if node.moves:
            recorder.step("cut", node, "lookup_cut", exact(known), value=exact(known))
        return known
    if node.figure == "leaf":
        assert isinstance(node.worth, Fraction)
        shown = exact(node.worth)
        recorder.step("leaf", node, "lookup_material", shown, value=shown)
        return node.worth
    best: Fraction | None = None
    for move, child in node.moves:
        recorder.step("try", node, "search_try", child=child, move=move)
        value = _value(child, recorder, tablebase)
        recorder.step("back", node, "search_back", child=child, move=move, value=exact(value))
        if best is None or (value > best if node.figure == "max" else value < best):
            best = value
            recorder.choose(node, child)
            recorder.step("best", node, "search_best", exact(best), child, value=exact(best))
    assert best is not None
    recorder.step("return", node, "search_return", exact(best), value=exact(best))
    return best


def _look_up(node: RecordedNode, tablebase: Tablebase) -> Fraction | None:
    """1 if White wins, -1 if Black does, 0 for a draw; None if it cannot be looked up."""
    board = chess.Board(node.name)
    if chess.popcount(board.occupied) > PIECES:
        return None
    wdl = tablebase.probe_wdl(own_board(board))
    if wdl is None:
        return None
    sign = (wdl > 0) - (wdl < 0)
    return Fraction(sign if board.turn else -sign)

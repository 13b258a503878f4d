"""Minimax of a small chess endgame, with leaves judged by material or looked up in tablebases.

Source: https://www.chessprogramming.org/Endgame_Tablebases
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import chess

from ..api.one_liners import own_board
from ..tablebase.probing import Tablebase
from .drawn_game import DrawnGame, game_tree, record
from .games.chess_game import ChessGame
from .horizon_effect import material
from .recorded import RecordedNode, Recording, StepRecorder
from .searches.minimax import minimax
from .told import Listener

#: The pawn and the king can both capture on d4; only one of the captures wins.
ENDING = "8/2k5/8/2K5/3p4/2P5/8/8 w - - 0 1"

#: Positions with at most this many pieces are looked up instead of searched.
PIECES = 3


def ending_tree() -> RecordedNode:
    """Two plies from `ENDING`. The leaves have the values of `by_material`.

    White is MAX. Each node's name is the FEN of its position.
    """
    game = ChessGame(ENDING)
    return game_tree(game, game.start(), 2, by_material)


def by_material(board: chess.Board) -> Fraction:
    """1 if White has more material, -1 if Black has, otherwise 0; a mate counts as all material."""
    if board.is_checkmate():
        return Fraction(-1 if board.turn else 1)
    balance = material(board, chess.WHITE)
    return Fraction((balance > 0) - (balance < 0))


def search_ending(root: RecordedNode, tablebase: Tablebase | None) -> Recording:
    """Search from left to right; positions in the tablebase are not searched.

    :param tablebase: without it, leaves are judged by material.
    """
    known = {id(node): _look_up(node, tablebase) for node in root.walk()}

    def tell(recorder: StepRecorder) -> Listener:
        def listen(sentence: str, node: RecordedNode, *rest: Any, **values: Any) -> None:
            is_known = known[id(node)] is not None
            if sentence == "search_leaf":
                sentence = "lookup_known" if is_known else "lookup_leaf"
            recorder(sentence, node, *rest, **values)
            if is_known and node.moves and sentence == "lookup_known":
                recorder("lookup_cut", node, **values)

        return listen

    def search(game: DrawnGame, listen: Listener) -> Any:
        return minimax(_Known(root, known), root, tell=listen).value

    return record(root, search, tell=tell)


class _Known(DrawnGame):
    """A drawn tree whose game ends where the tablebase knows the result."""

    def __init__(self, root: RecordedNode, known: dict[int, Fraction | None]) -> None:
        super().__init__(root)
        self._known = known

    def player(self, state: RecordedNode) -> int | None:
        return None if self._known[id(state)] is not None else super().player(state)

    def result(self, state: RecordedNode) -> list[Fraction]:
        value = self._known[id(state)]
        if value is None:
            assert isinstance(state.worth, Fraction)
            value = state.worth
        return [value, -value]


def _look_up(node: RecordedNode, tablebase: Tablebase | None) -> Fraction | None:
    """1 if White wins, -1 if Black wins, 0 for a draw; None if it cannot be looked up."""
    board: chess.Board = node.state
    if tablebase is None or chess.popcount(board.occupied) > PIECES:
        return None
    wdl = tablebase.probe_wdl(own_board(board))
    if wdl is None:
        return None
    sign = (wdl > 0) - (wdl < 0)
    return Fraction(sign if board.turn else -sign)

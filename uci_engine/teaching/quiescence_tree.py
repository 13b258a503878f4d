"""The tree of a quiescence search, to be drawn beyond the horizon.

The side to move may stand pat, which is worth the evaluation, or make a capture or queen promotion
that loses nothing in the exchange; in check, it may make any move. The engine's quiescence search
also tries quiet checks, and omits captures that cannot come near alpha.

Source: https://www.chessprogramming.org/Quiescence_Search
"""

from __future__ import annotations

from dataclasses import dataclass

import chess

from ..api.one_liners import own_board
from ..board.movegen import encode
from ..search.see import capture_value, see_ge
from .game_trees import TreeNode, value_for_white

#: Maximum number of nodes; with more, fewer plies are drawn.
MAX_NODES = 60

#: Maximum plies of captures, to be tried in this order.
_PLIES = (8, 6, 5, 4, 3, 2, 1)

#: The name of standing pat until it is drawn.
STAND_PAT = "="


@dataclass(frozen=True)
class QuiescenceTree:
    """The tree below a position.

    :ivar plies: the maximum plies of captures; below them, the evaluation counts.
    :ivar is_whole: whether no capture was omitted because of that.
    """

    root: TreeNode
    plies: int
    is_whole: bool


def quiescence_tree(board: chess.Board) -> QuiescenceTree:
    """The captures from a position, to as many plies as fit into `MAX_NODES`."""
    for plies in _PLIES:
        builder = _Builder(board, plies)
        if builder.nodes <= MAX_NODES:
            break
    return QuiescenceTree(builder.root, plies, builder.is_whole)


class _Builder:
    def __init__(self, board: chess.Board, plies: int) -> None:
        self._board = board.copy(stack=False)
        self.nodes = 0
        self.is_whole = True
        self.root = self._node(plies)

    def _node(self, plies: int) -> TreeNode:
        board = self._board
        self.nodes += 1
        moves = [] if self.nodes > MAX_NODES else self._moves()
        if moves and not plies:
            self.is_whole = False
            moves = []
        fen, value = board.fen(), value_for_white(board)
        if not moves:
            return TreeNode(value=value, fen=fen)
        children = []
        if not board.is_check():
            self.nodes += 1
            children.append((STAND_PAT, TreeNode(value=value, fen=fen)))
        for move in moves:
            name = board.san(move)
            board.push(move)
            children.append((name, self._node(plies - 1)))
            board.pop()
        return TreeNode(player="max" if board.turn else "min", moves=tuple(children), fen=fen)

    def _moves(self) -> list[chess.Move]:
        """The moves to try, most valuable captures first."""
        board = self._board
        if board.is_check():
            return list(board.legal_moves)
        own = own_board(board)
        worth = {
            move: int(capture_value(own, encode(move)))
            for move in board.legal_moves
            if board.is_capture(move) or move.promotion == chess.QUEEN
        }
        kept = [move for move in worth if see_ge(own, encode(move), 0)]
        return sorted(kept, key=lambda move: -worth[move])

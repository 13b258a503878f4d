"""Textbook minimax, whose value the search must return if nothing is selective.

It walks python-chess's public board, knows no windows, no table and no move ordering, and shares
nothing with the search but the evaluation of a leaf.
"""

from __future__ import annotations

import chess
from positions import Game

from halbzug.base.scores import MATE
from halbzug.board.movegen import new_board
from halbzug.eval.evaluation import Evaluator
from halbzug.search.position import Position


class TooLargeError(Exception):
    """The tree has more nodes than the test can wait for."""


class Oracle:
    """Minimax values of one root.

    :param quiescence: follow captures, promotions and answers to checks below the horizon.
    :param checks: also follow direct checks on the first ply below it.
    :param max_nodes: give up beyond this number of nodes.
    """

    def __init__(
        self, game: Game, quiescence: bool = True, max_nodes: int = 20_000, checks: bool = False
    ) -> None:
        self.board = game.reference()
        self.quiescence = quiescence
        self.checks = checks
        self.nodes_left = max_nodes
        self.evaluator = Evaluator()
        self.leaves: dict[tuple[tuple[int, ...], bool], int] = {}
        #: Whether some position is a draw only because of the path to it. A table, which knows
        #: positions but not paths, may then see a value other than minimax.
        self.depends_on_path = False
        replay = chess.Board(game.fen, chess960=game.chess960)
        self.line = [identity(replay)]
        for move in self.board.move_stack:
            replay.push(move)
            self.line.append(identity(replay))
        self.root = len(self.line) - 1

    def value(self, depth: int) -> int:
        """The value of the root, which must have a legal move.

        :raises TooLargeError: if the tree has too many nodes.
        """
        return max(value for _, value in self.root_values(depth))

    def values(self, deepest: int) -> list[int]:
        """The values at depths 1, 2, ... up to `deepest`, or until the nodes run out."""
        values: list[int] = []
        branching = self.board.legal_moves.count()
        try:
            while len(values) < deepest:
                before = self.nodes_left
                values.append(self.value(len(values) + 1))
                if (before - self.nodes_left) * branching > 2 * self.nodes_left:
                    break
        except TooLargeError:
            pass
        return values

    def root_values(self, depth: int) -> list[tuple[str, int]]:
        """Each root move with its value."""
        values = []
        for move in self.board.legal_moves:
            text = self.board.uci(move)
            values.append((text, self._after(move, lambda: self._minimax(depth - 1, 1))))
        return values

    def _minimax(self, depth: int, ply: int) -> int:
        if depth == 0:
            return self._quiesce(ply, self.checks) if self.quiescence else self._horizon()
        self._count()
        if self._is_draw():
            return 0
        values = [
            self._after(move, lambda: self._minimax(depth - 1, ply + 1))
            for move in self.board.legal_moves
        ]
        if not values:
            return ply - MATE if self.board.is_check() else 0
        return max(values)

    def _quiesce(self, ply: int, with_checks: bool = False) -> int:
        self._count()
        if self._is_draw():
            return 0
        in_check = self.board.is_check()
        values = [] if in_check else [self._evaluate()]
        for move in list(self.board.legal_moves):
            is_noisy = self.board.is_capture(move) or move.promotion
            if in_check or is_noisy or (with_checks and self._is_direct_check(move)):
                values.append(self._after(move, lambda: self._quiesce(ply + 1)))
        return max(values) if values else ply - MATE

    def _is_direct_check(self, move: chess.Move) -> bool:
        """Whether the moved piece itself gives check from its destination."""
        if self.board.is_castling(move):
            return False
        self.board.push(move)
        king = self.board.king(self.board.turn)
        try:
            return king in self.board.attacks(move.to_square)
        finally:
            self.board.pop()

    def _horizon(self) -> int:
        self._count()
        return 0 if self._is_draw() else self._evaluate()

    def _after(self, move: chess.Move, value) -> int:
        self.board.push(move)
        self.line.append(identity(self.board))
        try:
            return -value()
        finally:
            self.line.pop()
            self.board.pop()

    def _is_draw(self) -> bool:
        """Fifty moves without mate, repeated once in the tree or twice in all, or insufficient
        material.
        """
        if self.board.halfmove_clock >= 100:
            return not self.board.is_checkmate()
        *earlier, here = self.line
        within_tree = here in earlier[self.root :]
        if within_tree and here != earlier[self.root]:
            self.depends_on_path = True
        return within_tree or earlier.count(here) >= 2 or self.board.is_insufficient_material()

    def _evaluate(self) -> int:
        board = self.board
        key = (placement(board), board.turn)
        if key not in self.leaves:
            self.leaves[key] = evaluate(board.fen(), board.chess960, self.evaluator)
        return self.leaves[key]

    def _count(self) -> None:
        self.nodes_left -= 1
        if self.nodes_left < 0:
            raise TooLargeError


def placement(board: chess.Board) -> tuple[int, ...]:
    """The squares of the pieces."""
    return (
        board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings,
        board.occupied_co[chess.WHITE],
    )  # fmt: skip


def identity(board: chess.Board) -> tuple[object, ...]:
    """What makes two positions identical under the repetition rule."""
    return (
        placement(board),
        board.turn,
        board.clean_castling_rights(),
        board.ep_square if board.has_legal_en_passant() else None,
    )


def evaluate(fen: str, chess960: bool = False, evaluator: Evaluator | None = None) -> int:
    """The static evaluation for the side to move, calculated from scratch, in centipawns."""
    position = Position(new_board(fen, (), chess960))
    return (evaluator or Evaluator()).evaluate(position.board, position.accumulator)

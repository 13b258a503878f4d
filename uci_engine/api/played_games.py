"""Games played by the numbers of a policy: the basis of all environments."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
from numpy.typing import NDArray

from ..board.fen import read_position
from ..board.policy import CHECKMATE, GOES_ON, OTHER_PLANES, PLANES_OF_POSITION, Planes
from ..board.public_board import Board
from .arguments import check_count
from .policy_moves import policy_of_size

#: The number of the two colours in each position's planes, exchanged, see `Planes.write`.
_EXCHANGED = (6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 12)
_OTHERS_EXCHANGED = (2, 3, 0, 1, 4)


class PlayedGames:
    """Parallel games, each with a board, its planes, and a mask of its legal moves.

    :param games: the number of games.
    :param policy: 1858 or 4672, see `halbzug.moves_array`.
    :param history: the number of positions of a game in its planes.
    :param fen: the start position of the games.
    :param max_plies: the number of moves after which a game is truncated; None for no limit.
    :raises ValueError: for an impossible position, or a number that is out of range.
    """

    def __init__(
        self, games: int, policy: int, history: int, fen: str, max_plies: int | None
    ) -> None:
        check_count("num_envs", games, "boards")
        check_count("history", history, "positions")
        if max_plies is not None:
            check_count("max_plies", max_plies, "moves")
        self.fen = fen
        self.max_plies = max_plies
        numbers = policy_of_size(policy)
        self.mask = np.zeros((games, numbers.size), np.int8)
        planes = PLANES_OF_POSITION * history + OTHER_PLANES
        self._bitboards = np.zeros((games, planes), np.uint64)
        flat = self._bitboards.reshape(-1), self.mask.view(np.uint8).reshape(-1)
        self._planes = Planes(numbers, *flat, games, history)
        turned = [13 * place + one for place in range(history) for one in _EXCHANGED]
        self._turned = turned + [13 * history + one for one in _OTHERS_EXCHANGED]
        self.boards: list[Board] = []
        for row in range(games):
            self.boards.append(Board(None))
            self.begin(row)

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of the planes of a game."""
        return self._bitboards.shape[1], 8, 8

    def begin(self, row: int, fen: str | None = None) -> None:
        """Start another game.

        :raises ValueError: for an impossible position, or one in which the game is over.
        """
        board = Board.from_board(read_position(self.fen if fen is None else fen))
        self.boards[row] = board
        self._planes.forget(row)
        if self._planes.write(row, board) != GOES_ON:
            raise ValueError(f"the game is over in the position {board.fen()}")

    def play(self, row: int, number: int) -> tuple[str, bool]:
        """Make a move; return the result, or `*`, and whether the game is truncated.

        An illegal move loses the game.
        """
        board = self.boards[row]
        outcome = self._planes.step(row, board, number)
        return self._result(board, outcome)

    def push(self, row: int, move: chess.Move) -> tuple[str, bool]:
        """Make a legal move that has no number in a policy; otherwise like `play`.

        :raises ValueError: if it is not legal.
        """
        board = self.boards[row]
        if not board.is_legal(move):
            raise chess.IllegalMoveError(f"illegal move: {move} in {board.fen()}")
        board.push(move)
        return self._result(board, self._planes.write(row, board))

    def _result(self, board: Board, outcome: int) -> tuple[str, bool]:
        if outcome == GOES_ON:
            return "*", self.max_plies is not None and len(board.move_stack) >= self.max_plies
        if outcome < 0 or outcome == CHECKMATE:
            return "0-1" if board.turn else "1-0", False
        return "1/2-1/2", False

    def observations(self) -> dict[str, NDArray[np.int8]]:
        """The observations of all games for the side to move: planes and masks."""
        return {"observation": self._unpacked(self._bitboards), "action_mask": self.mask.copy()}

    def observation(self, row: int) -> dict[str, NDArray[np.int8]]:
        """The observation of a game for the side to move."""
        return {
            "observation": self._unpacked(self._bitboards[row : row + 1])[0],
            "action_mask": self.mask[row].copy(),
        }

    def waiting_observation(self, row: int) -> dict[str, NDArray[np.int8]]:
        """The observation for the other side, which has no move."""
        bitboards = self._bitboards[row : row + 1].copy()
        bitboards[:, :-1] = bitboards[:, self._turned].byteswap()
        return {
            "observation": self._unpacked(bitboards)[0],
            "action_mask": np.zeros_like(self.mask[row]),
        }

    def _unpacked(self, bitboards: NDArray[np.uint64]) -> NDArray[np.int8]:
        octets = bitboards.astype("<u8", copy=False).view(np.uint8)
        bits = np.unpackbits(octets, bitorder="little").view(np.int8)
        return bits.reshape(len(bitboards), *self.shape)


def points(result: str, color: chess.Color) -> float:
    """The reward of a result for a side: 1, 0 or -1."""
    won: dict[str, Any] = {"1-0": chess.WHITE, "0-1": chess.BLACK}
    return 0.0 if result not in won else 1.0 if won[result] == color else -1.0

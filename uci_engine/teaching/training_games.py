"""Self-play games from which the network of `policy_value` learns.

    python -m halbzug.teaching.training_games FILE [--seconds 300] [--nodes 300] [--seed 0]

A tree search asks its network about positions that no good player reaches, with pieces given away
and threats overlooked. So three moves in ten are random here, and the engine judges the results. A
line of the file has a position, the engine's move there in UCI notation, and the score of its
search in centipawns for the side to move: `FEN;e2e4;35`. `halbzug.teaching.training` learns from
them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess

from ..base.limits import Limits
from ..board.movegen import new_board
from ..search.position import Position
from ..search.search import Search
from ..search.transposition import TranspositionTable
from ..tuning.command import command_parser
from ..tuning.selfplay import searched

#: The share of random moves, and the ply at which a game is abandoned.
RANDOM_SHARE, MAX_GAME_PLIES = 0.3, 160


class SelfPlayTeacher:
    """Plays games and judges their positions.

    :param nodes: node limit for each position.
    :param seed: for the random moves.
    """

    def __init__(self, nodes: int, seed: int) -> None:
        self._limits = Limits(nodes=nodes)
        self._random = random.Random(seed)
        self._search = Search(TranspositionTable(1))

    def game(self) -> Iterator[str]:
        """Play one game; yield a line for each position judged."""
        self._search.tree.new_game()
        board = chess.Board()
        plies = self._random.randrange(12)
        while not board.is_game_over() and board.ply() < MAX_GAME_PLIES:
            move = self._random.choice(list(board.legal_moves))
            if board.ply() >= plies:
                position = Position(new_board(board.fen()))
                best, line = searched(self._search, position, self._limits)
                yield f"{board.fen()};{best};{line.score}"
                if self._random.random() >= RANDOM_SHARE:
                    move = chess.Move.from_uci(best)
            board.push(move)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play for a while, and write the positions."""
    parser = command_parser("halbzug.teaching.training_games", __doc__)
    parser.add_argument("file", type=Path, help="where to write the positions")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--nodes", type=int, default=300, help="a position")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    teacher = SelfPlayTeacher(options.nodes, options.seed)
    end = time.monotonic() + options.seconds
    positions = 0
    with options.file.open("w", encoding="utf-8") as file:
        while not positions or time.monotonic() < end:
            for line in teacher.game():
                file.write(f"{line}\n")
                positions += 1
            print(f"\r{positions} positions", end="", flush=True)
    print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

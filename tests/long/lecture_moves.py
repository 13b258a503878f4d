"""How much the moves of the lecture engines lose.

    python tests/long/lecture_moves.py [--positions 60] [--seconds 0.05] [--nodes 12000] [--seed 1]
        [--record]

The positions are from games of the network's policy, in which one move in seven is random. Each
engine has the same processor time for each position, so other work on the machine matters little.
The loss of a move is the difference in centipawns between it and the best one, according to
searches by Halbzug. `--record` writes the table of `docs/explanation/ladder-of-ideas.md`; see
`measured.py`.
"""

from __future__ import annotations

import argparse
import importlib
import random
import time
from collections.abc import Callable, Iterator
from statistics import mean
from typing import Any

import chess
import measured
from chess.engine import Limit

import halbzug
from halbzug.teaching.clock import Clock
from halbzug.teaching.engines.network import trained

ENGINES = (
    "random_mover",
    "monte_carlo",
    "capture_playouts",
    "policy_value",
    "quiet_value",
    "quiet_policy",
    "quiescence",
)

#: Games end here, in plies, and positions with a higher score are left out: in long endings and in
#: decided games, most moves are equally good.
MAX_PLIES, MAX_SCORE = 80, 300

#: Losses are limited to this, because a mate has no value in centipawns; a larger loss than
#: `BLUNDER` is a blunder.
MAX_LOSS, BLUNDER = 1000, 150


class ProcessorClock(Clock):
    """Counts processor time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self._began = time.process_time()

    def elapsed(self) -> float:
        """Seconds of processor time since its creation."""
        return time.process_time() - self._began


def positions(seed: int) -> Iterator[chess.Board]:
    """One of every ten positions of endless games."""
    chooser, policy = random.Random(seed), trained()
    while True:
        board: chess.Board = halbzug.Board()
        while not board.is_game_over() and board.ply() < MAX_PLIES:
            if board.ply() % 10 == 9:
                yield board.copy(stack=False)
            moves = dict.fromkeys(board.legal_moves, 1.0)
            if chooser.random() >= 1 / 7:
                moves = policy.judge(board)[1]
            board.push(chooser.choices([*moves], [*moves.values()])[0])


def chosen(name: str, board: chess.Board, seconds: float) -> chess.Move:
    """The move of an engine; some yield better and better ones."""
    engine = importlib.import_module(f"halbzug.teaching.engines.{name}")
    found: chess.Move | Iterator[chess.Move] = engine.choose(board.copy(), ProcessorClock(seconds))
    return found if isinstance(found, chess.Move) else list(found)[-1]


def measure(
    name: str, boards: list[chess.Board], seconds: float, loss: Callable[[str, chess.Move], int]
) -> dict[str, Any]:
    """A row of the table."""
    losses = [loss(board.fen(), chosen(name, board, seconds)) for board in boards]
    return {
        "name": f"`{name}`",
        "loss": round(mean(losses)),
        "best": round(100 * losses.count(0) / len(losses)),
        "blunders": sum(one > BLUNDER for one in losses),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=0.05, help="processor time for a move")
    parser.add_argument("--nodes", type=int, default=12_000, help="of a search by Halbzug")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", action="store_true", help="write the table into the documents")
    options = parser.parse_args()
    random.seed(options.seed)  # the engines' own choices
    with halbzug.Engine() as engine:

        def score(fen: str, moves: list[chess.Move] | None = None) -> tuple[chess.Move, int]:
            """The best of these moves, and its value for the side to move."""
            found = engine.analyse(
                chess.Board(fen), Limit(nodes=options.nodes), game=object(), root_moves=moves
            )
            value = found["score"].relative.score(mate_score=MAX_LOSS)
            return found["pv"][0], max(-MAX_LOSS, min(value, MAX_LOSS))

        best, boards = {}, list[chess.Board]()
        for board in positions(options.seed):
            found = score(board.fen())
            if abs(found[1]) <= MAX_SCORE:
                best[board.fen()] = found
                boards.append(board)
            if len(boards) == options.positions:
                break

        def loss(fen: str, move: chess.Move) -> int:
            best_move, value = best[fen]
            return 0 if move == best_move else max(0, value - score(fen, [move])[1])

        rows = []
        for name in ENGINES:
            rows.append(measure(name, boards, options.seconds, loss))
            print(rows[-1], flush=True)
    if options.record:
        measured.record("lecture_moves", {**measured.today(), "rows": rows})


if __name__ == "__main__":
    main()

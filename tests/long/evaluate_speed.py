"""How fast single positions are evaluated, compared with python-chess reading them.

    python tests/long/evaluate_speed.py

The positions come from random games of up to a hundred plies; boards have their game on the stack.
Each row is the best of several rounds, which take turns.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import chess

import halbzug
from halbzug.board.movegen import BUILD

POSITIONS, ROUNDS = 40, 200


def random_game(chooser: random.Random) -> chess.Board:
    """A board after a random game, which is on its stack."""
    board = chess.Board()
    for _ in range(chooser.randrange(100)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(chooser.choice(moves))
    return board


def main() -> None:
    """Measure all rows."""
    chooser = random.Random(1)
    boards = [random_game(chooser) for _ in range(POSITIONS)]
    own = [halbzug.Board.from_board(board) for board in boards]
    fens = [board.fen() for board in boards]
    rows: dict[str, Callable[[], object]] = {
        "python-chess: chess.Board(fen)": lambda: [chess.Board(fen) for fen in fens],
        "evaluate(chess.Board).white": lambda: [halbzug.evaluate(one).white for one in boards],
        "evaluate(halbzug.Board).white": lambda: [halbzug.evaluate(one).white for one in own],
        "evaluate_many, from FENs": lambda: halbzug.evaluate_many(fens),
        "evaluate_many, from chess.Board": lambda: halbzug.evaluate_many(boards),
        "evaluate_many, from halbzug.Board": lambda: halbzug.evaluate_many(own),
        "evaluate(chess.Board).breakdown": lambda: [
            halbzug.evaluate(one).breakdown for one in boards[: POSITIONS // 20]
        ],
    }
    best = dict.fromkeys(rows, float("inf"))
    for _ in range(ROUNDS):
        for name, run in rows.items():
            started = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - started)
    best["evaluate(chess.Board).breakdown"] *= 20
    print(f"{BUILD} build, {POSITIONS} positions, the best of {ROUNDS} rounds")
    first = next(iter(best.values()))
    for name, seconds in best.items():
        each = seconds / POSITIONS
        print(f"{name:36} {1e6 * each:8.1f} us {1 / each:10,.0f}/s {first / seconds:7.2f} times")


if __name__ == "__main__":
    main()

"""Whether Stockfish agrees that one move alone wins in each exercise of `halbzug puzzles -o`.

    python tests/long/judge_puzzles.py PUZZLES.pgn [--nodes 1000000] [--engine stockfish]

Stockfish searches the first move and the best of all others with this number of nodes each, and
with four times as many if it disagrees. Its scores must meet the definition of an exercise
(`UNIQUE`), for which Halbzug demands more of its own scores. Every exercise may be a final
combination, so each is judged as one, too.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import chess.engine
import chess.pgn

from halbzug.batch.analysts import info_of
from halbzug.puzzles.puzzles import UNIQUE, wins_alone

AGAIN = 4  # times as many nodes for a second look


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("puzzles", type=Path)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--engine", default="stockfish")
    words = parser.parse_args()
    agreed = total = 0
    with (
        words.puzzles.open(encoding="utf-8") as file,
        chess.engine.SimpleEngine.popen_uci(words.engine) as engine,
    ):
        while game := chess.pgn.read_game(file):
            board, move = game.board(), game.variations[0].move
            others = [each for each in board.legal_moves if each != move]
            for nodes in (words.nodes, AGAIN * words.nodes):
                best = score_of(engine, board, [move], nodes)
                other = score_of(engine, board, others, nodes)
                if wins_alone(UNIQUE, board, move, best, other, True):
                    agreed += 1
                    break
            else:
                own = game.headers["PuzzleScores"]
                print(f"{board.fen()} {move}: {best} and {other} centipawns, Halbzug {own}")
            total += 1
    print(f"Stockfish agrees with {agreed} of {total} exercises")


def score_of(
    engine: chess.engine.SimpleEngine, board: chess.Board, moves: list[chess.Move], nodes: int
) -> int:
    """Stockfish's score of the best of these moves."""
    limit = chess.engine.Limit(nodes=nodes)
    line = info_of(engine.analyse(board, limit, root_moves=moves, game=object()))
    assert line
    score: int = line.score
    return score


if __name__ == "__main__":
    main()

"""Whether Stockfish agrees that one move alone wins in each exercise of `halbzug puzzles -o`.

    python tests/long/judge_puzzles.py PUZZLES.pgn [--nodes 1000000] [--engine stockfish]

Stockfish searches the first move and the best of all others with this number of nodes each, and
with four times as many if it disagrees. Its scores must meet the limits that Halbzug's meet. Every
exercise may be a final combination, so each is judged by those limits, too.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import chess.engine
import chess.pgn

from halbzug.base.scores import MATE
from halbzug.puzzles.puzzles import SURE, mates_alone
from halbzug.reasons.merits import is_sacrifice

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
            for nodes in (words.nodes, AGAIN * words.nodes):
                best, other = scores(engine, board, move, nodes)
                if is_alone(board, move, best, other):
                    agreed += 1
                    break
            else:
                own = game.headers["PuzzleScores"]
                print(f"{board.fen()} {move}: {best} and {other} centipawns, Halbzug {own}")
            total += 1
    print(f"Stockfish agrees with {agreed} of {total} exercises")


def scores(
    engine: chess.engine.SimpleEngine, board: chess.Board, move: chess.Move, nodes: int
) -> tuple[int, int]:
    """Stockfish's scores of the move and of the best other move, in centipawns or as mates."""
    found = []
    for moves in ([move], [each for each in board.legal_moves if each != move]):
        limit = chess.engine.Limit(nodes=nodes)
        score = engine.analyse(board, limit, root_moves=moves, game=object())["score"]
        own = score.pov(board.turn)
        mate = own.mate() or 0
        sign = 1 if mate > 0 else -1
        plies = 2 * abs(mate) - (mate > 0)
        found.append(sign * (MATE - plies) if mate else own.score(mate_score=MATE))
    best, other = found
    return best, other


def is_alone(board: chess.Board, move: chess.Move, best: int, other: int) -> bool:
    """Whether the scores meet the limits of an exercise."""
    sacrifices = is_sacrifice(board, move)
    return bool(mates_alone(best, other, True, sacrifices) or SURE.are_met(best, other, sacrifices))


if __name__ == "__main__":
    main()

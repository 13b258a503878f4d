"""In how many of twenty famous finishes `halbzug puzzles` finds an exercise; takes some minutes.

    python tests/long/famous_finishes.py [--nodes 1000000]

In each game of `famous_finishes.pgn` the first move of the combination is marked by "!". The
command reads the games from four plies before this move. An exercise counts if it asks for this
move, or for one of the next two of the same side.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import chess.pgn

GAMES = Path(__file__).with_suffix(".pgn")
PLIES_BEFORE = 4
MOVES = 3  # of the combination


def combinations() -> Iterator[tuple[list[tuple[str, str]], chess.pgn.Game]]:
    """The positions, as FEN, and the moves of each combination, and the end of its game."""
    with GAMES.open() as file:
        while game := chess.pgn.read_game(file):
            (marked,) = (node for node in game.mainline() if node.nags)
            start: chess.pgn.GameNode = marked
            for _ in range(PLIES_BEFORE + 1):
                start = start.parent or start
            end = chess.pgn.Game(game.headers)
            end.setup(start.board())
            end.add_line(node.move for node in start.mainline())
            played = [marked, *marked.mainline()][: 2 * MOVES : 2]
            yield [(node.parent.board().fen(), node.uci()) for node in played], end


def asked_for(lines: str) -> set[tuple[str, str]]:
    """The positions, as FEN, and the moves that exercises ask for.

    :param lines: the exercises as JSON.
    """
    asked = set()
    for exercise in map(json.loads, lines.splitlines()):
        board = chess.Board(exercise["position"])
        for move in exercise["solution"]:
            asked.add((board.fen(), move))
            board.push_uci(move)
    return asked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    nodes = parser.parse_args().nodes
    every = list(combinations())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "finishes.pgn")
        path.write_text("\n\n".join(str(game) for _, game in every))
        command = (sys.executable, "-m", "halbzug", "puzzles", path, "--json", "-n", str(nodes))
        run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    asked = asked_for(run.stdout)
    found = [next((each[1] for each in moves if each in asked), None) for moves, _ in every]
    for move, (moves, game) in zip(found, every, strict=True):
        names = f"{game.headers['White']} - {game.headers['Black']}"
        print(f"{move or 'missing'}  {names}: {moves[0][1]} in {moves[0][0]}")
    print(len(found) - found.count(None), "of", len(found))


if __name__ == "__main__":
    main()

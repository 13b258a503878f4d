"""Compares the severity of mistakes with Stockfish's by lichess's rule.

    python tests/long/judge_severity.py STORE GAMES.pgn ... [--count 500] [--nodes 80000]
        [--stockfish 1000000]

Halbzug annotates games at a fixed number of nodes for each position: 80,000 are about a second.
Each move that it flags is judged by Stockfish's scores before and after it: a loss of 10, 20 and 30
percentage points of the winning chances. The output says how many are in the same class, and how
many of the flagged moves are better than Stockfish's own. All answers are kept in the folder STORE,
so an interrupted run can be resumed.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess
import chess.pgn
from judge_reasons import CLASSES, Stockfish, after_moves, chances, games_of

import halbzug

NONE = "none"


def flagged(games: Sequence[chess.pgn.Game], nodes: int, store: Path) -> Iterator[list[str]]:
    """The moves that Halbzug flags: position, move, class."""
    path = store / f"flagged-{nodes}.jsonl"
    path.touch()
    known = dict(map(json.loads, path.read_text(encoding="utf-8").splitlines()))
    for game in games:
        key = f"{game.board().fen()} {' '.join(move.uci() for move in game.mainline_moves())}"
        if key not in known:
            annotated = halbzug.annotate(game, nodes=nodes, progress=False)
            known[key] = [
                [each.before.board.fen(), each.move.uci(), each.judgement.name]
                for each in annotated.moves
                if each.judgement and each.judgement.name in dict(CLASSES).values()
            ]
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([key, known[key]]) + "\n")
        yield from known[key]


def main() -> None:
    """Annotate, ask and print; the table is repeated after every ten moves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument(
        "--nodes", type=int, default=80_000, help="Halbzug's nodes for each position"
    )
    parser.add_argument("--stockfish", type=int, default=1_000_000, help="Stockfish's nodes")
    parser.add_argument("--seed", type=int, default=60)
    parser.add_argument("--engine", default="/usr/games/stockfish")
    options = parser.parse_args()
    options.store.mkdir(exist_ok=True)
    engine = Stockfish(options.store, options.engine)
    games = [game for path in options.games for game in games_of(path)]
    random.Random(options.seed).shuffle(games)
    pairs: Counter[tuple[str, str]] = Counter()
    better = 0
    for fen, move, name in flagged(games, options.nodes, options.store):
        board = chess.Board(fen)
        before, _, best = engine.ask(board, options.stockfish)
        after = -engine.ask(after_moves(board, [move]), options.stockfish)[0]
        loss = chances(before) - chances(after)
        pairs[name, next((each for least, each in CLASSES if loss >= least), NONE)] += 1
        better += loss <= 0 or best[:1] == [move]
        if pairs.total() % 10 == 0 or pairs.total() == options.count:
            report(pairs, better)
        if pairs.total() == options.count:
            break
    engine.close()


def report(pairs: Counter[tuple[str, str]], better: int) -> None:
    """Print how far Halbzug's classes and Stockfish's agree."""
    names = [name for _, name in CLASSES]
    total = pairs.total()
    same = sum(pairs[name, name] for name in names)
    print(f"\n{total} moves flagged, {same / total:.1%} in the same class, {better} better ones")
    print(f"{'Halbzug, Stockfish':20}" + "".join(f"{name:>12}" for name in [*names, NONE]))
    for name in names:
        print(f"{name:20}" + "".join(f"{pairs[name, other]:12}" for other in [*names, NONE]))


if __name__ == "__main__":
    main()

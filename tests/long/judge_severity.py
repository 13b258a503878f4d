"""Compares the severity of mistakes with Stockfish's by lichess's rule, and judges their reasons.

    python tests/long/judge_severity.py STORE GAMES.pgn ... [--count 500] [--nodes 600000]
        [--stockfish 1000000]

Halbzug annotates games at a number of nodes for each position: 600,000 are about a second of the
compiled build. To save time, it first looks at the games at a fraction of that, and then annotates
only the moves that may be bad, each as a game of its own. Each move that it flags is judged by
Stockfish's scores before and after it: a loss of 10, 20 and 30 percentage points of the winning
chances. A game that lichess has analysed, with `[%eval]` after each move, is judged by these scores
instead. The output says how many are in the same class, and how many of the flagged moves are
better than Stockfish's own. Then the reasons that a report states are judged as in
`judge_reasons.py`: of all these moves, flagged or not, that lose as much by Stockfish's scores, and
belong to the half that is held out. All answers are kept in the folder STORE, so an interrupted run
can be resumed.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import chess
import chess.pgn
from judge_reasons import (
    CLASSES,
    MATE,
    Judge,
    Stockfish,
    after_moves,
    chances,
    games_of,
    half_of,
    print_reasons,
)

import halbzug

NONE = "none"
QUICK_PART = 40  # the first look at a game has this part of the nodes
MAYBE = 4.0  # percentage points that a move loses at the first look, at least


class Found(NamedTuple):
    """A move that may be bad: Halbzug's class, and its looks, each a refutation, a best line, and
    the scores before and after the move.
    """

    fen: str
    move: str
    name: str
    looks: list[Any]
    published: list[int] | None  # lichess's scores before and after it


def doubtful(games: Sequence[chess.pgn.Game], nodes: int, store: Path) -> Iterator[Found]:
    """The moves that may be bad, judged by Halbzug."""
    path = store / f"halbzug-{nodes}.jsonl"
    path.touch()
    known = dict(map(json.loads, path.read_text(encoding="utf-8").splitlines()))

    def keep(key: str, value: object) -> None:
        known[key] = value
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([key, value]) + "\n")

    for game in games:
        key = f"{game.board().fen()} {' '.join(move.uci() for move in game.mainline_moves())}"
        if key not in known:
            quick = halbzug.annotate(game, nodes=nodes // QUICK_PART, progress=False)
            maybe = [each for each in quick.moves if each.loss >= MAYBE and not each.is_book]
            keep(key, [[each.before.board.fen(), each.move.uci()] for each in maybe])
        published = _published(game)
        for fen, move in known[key]:
            if f"{fen} {move}" not in known:
                keep(f"{fen} {move}", _found(fen, move, nodes))
            yield Found(fen, move, *known[f"{fen} {move}"], published.get(f"{fen} {move}"))


def _published(game: chess.pgn.Game) -> dict[str, list[int]]:
    """Lichess's scores, from comments, before and after each move, from its player's side."""
    scores: dict[str, list[int]] = {}
    if "lichess.org" not in game.headers.get("Site", ""):  # those of the players, perhaps
        return scores
    for node in game.mainline():
        before, after = node.parent.eval(), node.eval()
        if before and after and node.parent.parent:
            scores[f"{node.parent.board().fen()} {node.move.uci()}"] = [
                each.pov(not node.turn()).score(mate_score=MATE) for each in (before, after)
            ]
    return scores


def _found(fen: str, text: str, nodes: int) -> tuple[str, list[Any]]:
    """Halbzug's class and looks for a move, which is annotated as a game of its own."""
    board = chess.Board(fen)
    game = chess.pgn.Game.from_board(board)
    game.add_main_variation(board.parse_uci(text))
    (move,) = halbzug.annotate(game, nodes=nodes, progress=False).moves
    sign = 1 if board.turn else -1
    sides = move.before, move.after
    refutation, best_line = ([each.uci() for each in side.full_line] for side in sides[::-1])
    looks: list[Any] = [[refutation, best_line, *(sign * side.white_score for side in sides)]]
    if move.before.again:
        looks.append(move.before.again)
    return move.judgement.name if move.judgement else NONE, looks


def main() -> None:
    """Annotate, ask and print; the table is repeated after every ten moves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--nodes", type=int, default=600_000, help="Halbzug's for each position")
    parser.add_argument("--stockfish", type=int, default=1_000_000, help="Stockfish's nodes")
    parser.add_argument("--seed", type=int, default=60)
    parser.add_argument("--engine", default="/usr/games/stockfish")
    parser.add_argument("--half", choices=("development", "held-out"), default="held-out")
    parser.add_argument("--show", action="store_true", help="print what is false or missing")
    options = parser.parse_args()
    options.store.mkdir(exist_ok=True)
    engine = Stockfish(options.store, options.engine)
    games = [game for path in options.games for game in games_of(path)]
    random.Random(options.seed).shuffle(games)
    pairs: Counter[tuple[str, str]] = Counter()
    better = 0
    mistakes: dict[str, dict[str, str]] = {}
    looks = {}
    for fen, move, name, looked, published in doubtful(games, options.nodes, options.store):
        board, best = chess.Board(fen), []
        if published:
            before, after = published
        else:
            before, _, best = engine.ask(board, options.stockfish)
            after = -engine.ask(after_moves(board, [move]), options.stockfish)[0]
        loss = chances(before) - chances(after)
        right = next((each for least, each in CLASSES if loss >= least), NONE)
        if right != NONE and half_of(board, board.parse_uci(move)) == options.half:
            mistakes[f"{fen} {move}"] = {"fen": fen, "move": move, "class": right}
            looks[f"{fen} {move}"] = looked if name != NONE else []
        if name == NONE:
            continue
        pairs[name, right] += 1
        better += loss <= 0 or best[:1] == [move]
        if pairs.total() % 10 == 0 or pairs.total() == options.count:
            report(pairs, better)
        if pairs.total() == options.count:
            break
    print()
    print_reasons(Judge(engine, options.stockfish), list(mistakes.values()), looks, options.show)
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

"""Mistakes of real games with the reasons that Halbzug states, for a judge to read.

    python tests/long/judge_reasons.py GAMES.pgn fifty.md --count 50

Stockfish finds the mistakes, at most two a game, and judges them at depth 18. They are kept beside
the list, so that a second run asks Halbzug alone.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.pgn

from halbzug.batch.analysts import info_of
from halbzug.board.notation import pawns_text, san_line
from halbzug.games.reason_search import reason_of
from halbzug.reasons.accuracy import BLUNDER, MISTAKE, judge

FIRST_LOOK = chess.engine.Limit(depth=11)
SECOND_LOOK = chess.engine.Limit(depth=18)
OPENING_PLIES = 8
FROM_EACH_GAME = 2


def games(path: Path, seed: int) -> Iterator[chess.pgn.Game]:
    """The games of a file in random order."""
    found = []
    with path.open(encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            found.append(game)
    random.Random(seed).shuffle(found)
    yield from found


def look(engine: chess.engine.SimpleEngine, board: chess.Board, limit: Any) -> tuple[int, list]:
    """The score of the side to move, and the best line."""
    if board.is_game_over():
        return (-32000 if board.is_checkmate() else 0), []
    line = info_of(engine.analyse(board, limit))
    assert line
    return line.score, list(line.pv)


def mistakes(engine: chess.engine.SimpleEngine, path: Path, seed: int) -> Iterator[dict[str, Any]]:
    """The mistakes and blunders of the games, as Stockfish sees them."""
    for game in games(path, seed):
        scores: list[int] = []
        board = game.board()
        moves = list(game.mainline_moves())
        for move in moves:
            scores.append(look(engine, board, FIRST_LOOK)[0])
            board.push(move)
        scores.append(look(engine, board, FIRST_LOOK)[0])
        plies = [
            ply
            for ply in range(OPENING_PLIES, len(moves))
            if judge(scores[ply], -scores[ply + 1]) in (MISTAKE, BLUNDER)
        ]
        random.Random(seed).shuffle(plies)
        kept = 0
        for ply in plies:
            board = game.board()
            for move in moves[:ply]:
                board.push(move)
            before, best = look(engine, board, SECOND_LOOK)
            fen = board.fen()
            board.push(moves[ply])
            after, reply = look(engine, board, SECOND_LOOK)
            if kept < FROM_EACH_GAME and judge(before, -after) in (MISTAKE, BLUNDER):
                kept += 1
                yield {
                    "game": f"{game.headers['White']} - {game.headers['Black']}, "
                    f"{game.headers['Date']}",
                    "fen": fen,
                    "move": moves[ply].uci(),
                    "before": before,
                    "after": -after,
                    "best": best,
                    "reply": reply,
                }


def collected(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """The mistakes, from the file beside the list if it has enough."""
    store = arguments.output.with_suffix(".jsonl")
    known = [json.loads(line) for line in store.read_text().splitlines()] if store.exists() else []
    if len(known) < arguments.count:
        known = []
        with (
            chess.engine.SimpleEngine.popen_uci(arguments.engine) as engine,
            store.open("w", encoding="utf-8") as file,
        ):
            for one in mistakes(engine, arguments.games, arguments.seed):
                file.write(json.dumps(one) + "\n")
                file.flush()
                known.append(one)
                if len(known) == arguments.count:
                    break
    return known[: arguments.count]


def entry(number: int, one: dict[str, Any], nodes: int) -> str:
    """A mistake with its reason, as Markdown."""
    board = chess.Board(one["fen"])
    move = board.parse_uci(one["move"])
    reason = reason_of(board, move, nodes=nodes)
    after = board.copy()
    after.push(move)
    lines = [
        f"## {number}. {san_line(board, [one['move']])}",
        "",
        f"`{one['fen']}` ({one['game']})",
        "",
        f"- Stockfish: {pawns_text(one['before'])} before, {pawns_text(one['after'])} after, "
        f"for the player",
        f"- Stockfish's best: {san_line(board, one['best'][:10])}",
        f"- Stockfish's refutation: {san_line(after, one['reply'][:10])}",
        f"- Halbzug: {pawns_text(reason.score_before)} before, "
        f"{pawns_text(reason.score_after)} after",
        f"- Halbzug's best: {san_line(board, [each.uci() for each in reason.best_line])}",
        f"- Halbzug's refutation: {san_line(after, [each.uci() for each in reason.refutation])}",
        f"- **{reason.text or '(silent)'}**",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Write the list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=300_000)
    parser.add_argument("--engine", default="/usr/games/stockfish")
    arguments = parser.parse_args()
    found = collected(arguments)
    entries = [entry(number, one, arguments.nodes) for number, one in enumerate(found, start=1)]
    silent = sum("(silent)" in each for each in entries)
    head = f"# {len(entries)} mistakes, {len(entries) - silent} with a reason\n\n"
    arguments.output.write_text(head + "\n".join(entries), encoding="utf-8")


if __name__ == "__main__":
    main()

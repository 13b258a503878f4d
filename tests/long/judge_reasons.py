"""Judges the reasons that Halbzug states: another engine says whether each one holds.

    python tests/long/judge_reasons.py STORE GAMES.pgn ... [--count 600] [--half development]
                                       [--nodes 100000] [--reasons 40000] [--show]

Stockfish finds the mistakes of the games, by lichess's model of winning chances and drops of 10, 20
and 30 points. Half of them, fixed by a seed, are held out. All answers of both engines are kept in
the folder STORE, so that a changed theory is judged anew without a search.

What a claim means, for Stockfish at a fixed number of nodes:

- material: at the end of its own lines after the move and after the better one, exchanges
  resolved, the material differs by what is claimed, and its scores by at least half of that. Its
  line may be the claimed one instead of its own, if its score at the end of that is as good.
- mate: it is mate in exactly as many moves; where no number is said, it is mate.
- draw: it sees a win before the move and a level game after it.
- what takes a piece is named as the board shows it: nothing defends what is called undefended, a
  fork attacks all that it is said to, and so on.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.pgn

QUICK_PART = 100  # the first look at a game has this part of the nodes
SKIPPED_PLIES, FROM_EACH_GAME = 6, 8
CLASSES = ((30, "blunder"), (20, "mistake"), (10, "inaccuracy"))
POINTS = {1: 1, 2: 3, 3: 3, 4: 5, 5: 9, 6: 0}
MATE, CEILING = 32_000, 1000
SHORTEST = 10  # plies of a line
RESTS = (8, 12, 16)  # plies of both lines after which material is compared
Answer = tuple[int, int | None, list[str]]  # score, mate in so many moves, line


class Stockfish:
    """The judge's engine, with a memory."""

    def __init__(self, store: Path, path: str) -> None:
        self._file = (store / "stockfish.jsonl").open("a+", encoding="utf-8")
        self._file.seek(0)
        self._known: dict[str, Any] = dict(map(json.loads, self._file))
        self._path, self._engine = path, None

    def ask(self, board: chess.Board, nodes: int) -> Answer:
        """The score of the side to move, in centipawns, and the best line."""
        if board.is_game_over():
            return (-MATE if board.is_checkmate() else 0), None, []
        key = f"{board.fen()} {nodes}"
        if key not in self._known:
            self._engine = self._engine or chess.engine.SimpleEngine.popen_uci(self._path)
            limit = chess.engine.Limit(nodes=nodes)
            info = self._engine.analyse(board, limit, game=object())
            score, line = info["score"].relative, [move.uci() for move in info.get("pv", [])]
            self._known[key] = score.score(mate_score=MATE), score.mate(), line
            self._file.write(json.dumps([key, self._known[key]]) + "\n")
            self._file.flush()
        return tuple(self._known[key])

    def line(self, board: chess.Board, nodes: int) -> list[str]:
        """The best line, searched on from its end where it is short: it may come from the hash."""
        moves: list[str] = []
        while len(moves) < SHORTEST:
            more = self.ask(_after(board, moves), nodes if not moves else nodes // 4)[2]
            if not more:
                break
            moves += more
        return moves

    def close(self) -> None:
        """End the engine."""
        if self._engine:
            self._engine.quit()


def chances(score: int) -> float:
    """Winning chances in per cent: https://lichess.org/page/accuracy."""
    return 100 / (1 + math.exp(-0.00368208 * max(-CEILING, min(score, CEILING))))


# -- the mistakes ---------------------------------------------------------------------------------


def mistakes(engine: Stockfish, path: Path, nodes: int, seed: int) -> Iterator[dict[str, Any]]:
    """The mistakes of a file's games."""
    games = []
    with path.open(encoding="utf-8", errors="replace") as file:
        while game := chess.pgn.read_game(file):
            games.append(game)
    random.Random(seed).shuffle(games)
    for game in games:
        boards = [game.board()]
        moves = list(game.mainline_moves())
        for move in moves:
            boards.append(boards[-1].copy(stack=False))
            boards[-1].push(move)
        quick = [engine.ask(board, nodes // QUICK_PART)[0] for board in boards]
        plies = [
            ply
            for ply in range(SKIPPED_PLIES, len(moves))
            if chances(quick[ply]) - chances(-quick[ply + 1]) >= CLASSES[-1][0]
        ]
        random.Random(seed).shuffle(plies)
        found = (_mistake(engine, boards[ply], moves[ply], nodes) for ply in plies)
        yield from list(filter(None, found))[:FROM_EACH_GAME]


def _mistake(
    engine: Stockfish, board: chess.Board, move: chess.Move, nodes: int
) -> dict[str, Any] | None:
    before, _, best = engine.ask(board, nodes)
    after = -engine.ask(_after(board, [move.uci()]), nodes)[0]
    loss = chances(before) - chances(after)
    name = next((name for least, name in CLASSES if loss >= least), None)
    if name is None or best[:1] == [move.uci()]:
        return None
    is_held_out = random.Random(f"59 {board.epd()} {move}").random() < 0.5
    half = "held-out" if is_held_out else "development"
    return {"fen": board.fen(), "move": move.uci(), "class": name, "half": half}


def _after(board: chess.Board, moves: Sequence[str]) -> chess.Board:
    after = board.copy(stack=False)
    for text in moves:
        after.push_uci(text)
    return after


# -- the judge ------------------------------------------------------------------------------------


class Judge:
    """Judges claims: dictionaries with `kind`, `moves`, `points`, `mate` and `motif`."""

    def __init__(self, engine: Stockfish, nodes: int) -> None:
        self._engine, self._nodes = engine, nodes

    def holds(self, fen: str, move: str, claim: dict[str, Any]) -> bool:
        """Whether a claim about a move holds."""
        board = chess.Board(fen)
        after = _after(board, [move])
        start = board if claim["kind"].startswith("missed") else after
        if not _is_shown(start, claim):
            return False
        before_score, before_mate, _ = self._engine.ask(board, self._nodes)
        reply_score, reply_mate, _ = self._engine.ask(after, self._nodes)
        match claim["kind"].removeprefix("missed "):
            case "mate":
                mate = before_mate if start is board else reply_mate
                other = reply_mate if start is board else before_mate
                if mate is None or mate < 0 or (other is not None and other < 0):
                    return False
                return claim["mate"] in (None, mate)
            case "pawn ending":
                end = _after(after, claim["moves"])
                if end.occupied & ~end.pawns & ~end.kings:
                    return False
                return (chances(before_score) - chances(-reply_score)) >= 20
            case "draw":
                return chances(before_score) >= 60 and abs(chances(reply_score) - 50) <= 8
            case "material":
                cost = min(before_score, CEILING) - max(-reply_score, -CEILING)
                if cost < min(50 * claim["points"], 300):
                    return False
                player = board.turn
                kept, left = (
                    _rests(each, self._engine.line(each, self._nodes), player)
                    for each in (board, after)
                )
                if _differ(kept, left, claim["points"]):
                    return True
                end = _after(start, claim["moves"])
                score = self._engine.ask(end, self._nodes)[0]
                score = score if end.turn == player else -score
                verdict = before_score if start is board else -reply_score
                if abs(chances(score) - chances(verdict)) > 6:
                    return False
                shown = _rests(end, self._engine.line(end, self._nodes), player)
                lines = (shown, left) if start is board else (kept, shown)
                return _differ(*lines, claim["points"])
        raise ValueError(f"no test for {claim['kind']!r}")


def _differ(kept: Sequence[int], left: Sequence[int], points: int) -> bool:
    """Whether two lines differ by so many points where both have come to rest."""
    return any(one - two >= points for one, two in zip(kept, left, strict=True))


def _rests(board: chess.Board, line: Sequence[str], player: chess.Color) -> list[int]:
    """A player's material, less the other side's, after so many plies of a line."""
    ends = [_after(board, line[:plies]) for plies in RESTS]
    values = [_resolved(end, -99, 99, 8) for end in ends]
    return [
        value if end.turn == player else -value for end, value in zip(ends, values, strict=True)
    ]


def _resolved(board: chess.Board, alpha: int, beta: int, depth: int) -> int:
    """The material of the side to move, exchanges resolved."""
    if board.is_checkmate():
        return -99
    value = sum(
        points * (len(board.pieces(kind, board.turn)) - len(board.pieces(kind, not board.turn)))
        for kind, points in POINTS.items()
    )
    if board.is_check() or not depth:
        moves = list(board.legal_moves) if depth else []
        best = -99 if moves else value
    else:
        moves = list(board.generate_legal_captures())
        best = value
    moves.sort(key=lambda move: -POINTS[board.piece_type_at(move.to_square) or 6])
    for move in moves:
        if best >= beta:
            break
        board.push(move)
        best = max(best, -_resolved(board, -beta, -max(alpha, best), depth - 1))
        board.pop()
    return best


def _is_shown(start: chess.Board, claim: dict[str, Any]) -> bool:
    """Whether the board shows what a claim says of how it comes about."""
    motif = claim.get("motif")
    if not motif:
        return True
    before = _after(start, claim["moves"][: motif["ply"]])
    after = _after(start, claim["moves"][: motif["ply"] + 1])
    by = chess.Move.from_uci(claim["moves"][motif["ply"]]).to_square
    targets = [chess.parse_square(name) for name in motif["targets"]]
    match motif["kind"]:
        case "loose":
            return not after.attackers(not start.turn, targets[0])
        case "cheap attacker":
            kind = before.piece_type_at(targets[0])
            return POINTS[after.piece_type_at(by) or 6] < POINTS[kind or 6]
        case "fork":
            return all(target in after.attacks(by) for target in targets)
        case "pin":
            return after.is_pinned(not start.turn, targets[0])
    return True


# -- what Halbzug says ----------------------------------------------------------------------------


def looks(store: Path, found: Sequence[dict[str, Any]], nodes: int) -> dict[str, list[Any]]:
    """Halbzug's searches of each mistake, from the store or anew."""
    from halbzug.api.one_liners import engine_for
    from halbzug.games.reason_search import look_again, scaled

    path, limit = store / f"halbzug-{nodes}.jsonl", chess.engine.Limit(nodes=nodes)
    path.touch()
    known = dict(map(json.loads, path.read_text(encoding="utf-8").splitlines()))
    todo = [one for one in found if f"{one['fen']} {one['move']}" not in known]
    with engine_for(None) as engine, path.open("a", encoding="utf-8") as file:
        for one in todo:
            board, key = chess.Board(one["fen"]), f"{one['fen']} {one['move']}"
            known[key] = [
                look_again(
                    engine, scaled(limit, factor), board, board.parse_uci(one["move"]), limit
                )
                for factor in (1, 2)
            ]
            file.write(json.dumps([key, known[key]]) + "\n")
            file.flush()
    return known


def said(one: dict[str, Any], searches: Sequence[Any]) -> tuple[str, dict[str, Any] | None]:
    """The sentence, and its claim as the judge takes it."""
    from halbzug.batch.findings import SecondLook
    from halbzug.games.reason_search import evidence_of
    from halbzug.reasons.claims import CERTAIN_MATE
    from halbzug.reasons.move_reason import explain_move

    board = chess.Board(one["fen"])
    move = board.parse_uci(one["move"])
    reason = explain_move([evidence_of(board, move, SecondLook(*each)) for each in searches])
    claim = reason.claim
    if claim is None:
        return "", None
    motif = claim.motif
    shown = motif and {
        "kind": motif.kind,
        "ply": motif.ply,
        "targets": [chess.square_name(target.square) for target in motif.targets],
    }
    return reason.text, {
        "kind": claim.kind,
        "moves": [each.uci() for each in claim.moves],
        "points": claim.points,
        "mate": claim.mate if claim.mate <= CERTAIN_MATE else None,
        "motif": shown,
    }


def report(
    judge: Judge, found: Sequence[dict[str, Any]], known: dict[str, Any], show: bool
) -> None:
    """Print precision by kind, and coverage by class."""
    by_kind: dict[str, Counter[bool]] = defaultdict(Counter)
    by_class: dict[str, Counter[str]] = defaultdict(Counter)
    for one in found:
        text, claim = said(one, known[f"{one['fen']} {one['move']}"])
        verdict = "silent"
        if claim:
            is_true = judge.holds(one["fen"], one["move"], claim)
            by_kind[claim["kind"]][is_true] += 1
            verdict = "true" if is_true else "false"
        by_class[one["class"]][verdict] += 1
        if show and verdict != "true":
            print(f"{verdict:7}{one['class']:11}{one['fen']} {one['move']}  {text}")
    print(f"\n{'kind':20}{'said':>6}{'true':>6}{'precision':>11}")
    rows = [*sorted(by_kind.items()), ("all", sum(by_kind.values(), Counter()))]
    for kind, counts in rows:
        total = counts.total() or 1
        print(f"{kind:20}{counts.total():6}{counts[True]:6}{counts[True] / total:11.1%}")
    print(f"\n{'class':20}{'found':>6}{'true':>6}{'coverage':>11}")
    for name, counts in by_class.items():
        share = counts["true"] / counts.total()
        print(f"{name:20}{counts.total():6}{counts['true']:6}{share:11.1%}")


def main() -> None:
    """Find the mistakes, ask, judge, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("games", type=Path, nargs="*")
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--half", choices=("development", "held-out"), default="development")
    parser.add_argument("--nodes", type=int, default=100_000, help="Stockfish's")
    parser.add_argument("--reasons", type=int, default=40_000, help="Halbzug's nodes, at first")
    parser.add_argument("--seed", type=int, default=59)
    parser.add_argument("--show", action="store_true", help="the false and the missed ones")
    parser.add_argument("--engine", default="/usr/games/stockfish")
    options = parser.parse_args()
    options.store.mkdir(exist_ok=True)
    engine = Stockfish(options.store, options.engine)
    path = options.store / "mistakes.jsonl"
    path.touch()
    found = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
    streams = [mistakes(engine, each, options.nodes, options.seed) for each in options.games]
    with path.open("a", encoding="utf-8") as file:
        while streams and len(found) < options.count:
            streams.append(streams.pop(0))  # in turn
            one = next(streams[-1], None)
            if one is None:
                streams.pop()
            elif one not in found:
                found.append(one)
                file.write(json.dumps(one) + "\n")
                file.flush()
    half = [one for one in found if one["half"] == options.half]
    known = looks(options.store, half, options.reasons)
    report(Judge(engine, options.nodes), half, known, options.show)
    engine.close()


if __name__ == "__main__":
    main()

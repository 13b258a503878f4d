"""Judges the reasons that Halbzug states: another engine says whether each one holds.

    python tests/long/judge_reasons.py STORE GAMES.pgn ... [--count 300] [--half development]
                                       [--nodes 1000000] [--reasons 400000] [--show]
    python tests/long/judge_reasons.py STORE --labels tests/long/labelled_mistakes.json

Stockfish finds the mistakes of the games, by lichess's model of winning chances and drops of 10, 20
and 30 points. Half of them, fixed by a seed, are held out; only those of one half are searched.
Halbzug explains them as `halbzug explain move` does, but by two searches only, of 400,000 and
800,000 nodes: somewhat less than it reaches in a second and in two. All answers of both engines are
kept in the folder STORE, so that an interrupted run can be resumed and changed rules can be judged
again without a search. Weak levels make more games:

    halbzug match -e "halbzug; UCI_LimitStrength=true; UCI_Elo=1400" --nodes 8000 --pgn GAMES.pgn
        -e "stockfish; UCI_LimitStrength=true; UCI_Elo=1400"

A claim holds if Stockfish, at a fixed number of nodes, agrees:

- material: at the end of its own lines after the move and after the better one, with exchanges
  resolved, the material differs by the claimed amount, and the scores by at least half of that.
  The claimed line may replace Stockfish's own if the score at its end is as good.
- mate: there is mate in exactly as many moves, or, if no number is given, any mate. A long mate
  may be beyond Stockfish's nodes, so it may also find it halfway through the claimed line.
- draw: it sees a win before the move and a level game after it.
- the means are as the board shows them: nothing defends what is called undefended, a fork attacks
  everything that it is said to attack, and so on.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import chess
import chess.engine
import chess.pgn

QUICK_PART = 100  # the first look at a game gets this fraction of the nodes
SKIPPED_PLIES, FROM_EACH_GAME = 6, 8
CLASSES = ((30, "blunder"), (20, "mistake"), (10, "inaccuracy"))
POINTS = {1: 1, 2: 3, 3: 3, 4: 5, 5: 9, 6: 0}
MATE, CEILING = 32_000, 1000
SHORTEST = 10  # length of a line, in plies
RESTS = (8, 12, 16)  # plies of both lines after which material is compared
Answer = tuple[int, int | None, list[str]]  # score, moves to mate, line


class Stockfish:
    """The judge's engine, with a cache."""

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
        """The best line, extended by a further search if it is short: it may come from the hash
        table.
        """
        moves: list[str] = []
        while len(moves) < SHORTEST:
            more = self.ask(after_moves(board, moves), nodes if not moves else nodes // 4)[2]
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


def mistakes(
    engine: Stockfish, path: Path, nodes: int, seed: int, half: str
) -> Iterator[dict[str, Any]]:
    """The mistakes of a file's games that belong to a half."""
    games = games_of(path)
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
            and half_of(boards[ply], moves[ply]) == half
        ]
        random.Random(seed).shuffle(plies)
        found = (_mistake(engine, boards[ply], moves[ply], nodes) for ply in plies)
        yield from islice(filter(None, found), FROM_EACH_GAME)


def half_of(board: chess.Board, move: chess.Move) -> str:
    """The half that a move belongs to."""
    is_held_out = random.Random(f"59 {board.epd()} {move}").random() < 0.5
    return "held-out" if is_held_out else "development"


def games_of(path: Path) -> list[chess.pgn.Game]:
    """The games of a file, without variants of chess."""
    with path.open(encoding="utf-8", errors="replace") as file:
        games = list(iter(lambda: chess.pgn.read_game(file), None))
    return [game for game in games if game.board().uci_variant == "chess"]


def _mistake(
    engine: Stockfish, board: chess.Board, move: chess.Move, nodes: int
) -> dict[str, Any] | None:
    before, _, best = engine.ask(board, nodes)
    after = -engine.ask(after_moves(board, [move.uci()]), nodes)[0]
    loss = chances(before) - chances(after)
    name = next((name for least, name in CLASSES if loss >= least), None)
    if name is None or best[:1] == [move.uci()]:
        return None
    half = half_of(board, move)
    return {"fen": board.fen(), "move": move.uci(), "class": name, "half": half}


def after_moves(board: chess.Board, moves: Sequence[str]) -> chess.Board:
    """The position after these moves."""
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
        after = after_moves(board, [move])
        start = board if claim["kind"].startswith("missed") else after
        if not _is_shown(start, claim):
            return False
        before_score, before_mate, _ = self._engine.ask(board, self._nodes)
        reply_score, reply_mate, _ = self._engine.ask(after, self._nodes)
        match claim["kind"].removeprefix("missed "):
            case "mate":
                mate = before_mate if start is board else reply_mate
                other = reply_mate if start is board else before_mate
                if claim["mate"] is None and mate is None:
                    half = len(claim["moves"]) // 4 * 2
                    _, mate, _ = self._engine.ask(
                        after_moves(start, claim["moves"][:half]), self._nodes
                    )
                if mate is None or mate < 0 or (other is not None and other < 0):
                    return False
                return claim["mate"] in (None, mate)
            case "pawn ending":
                end = after_moves(after, claim["moves"])
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
                end = after_moves(start, claim["moves"])
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
    """Whether two lines differ by this many points once both are quiet."""
    return any(one - two >= points for one, two in zip(kept, left, strict=True))


def _rests(board: chess.Board, line: Sequence[str], player: chess.Color) -> list[int]:
    """A player's material minus the other side's, after this many plies of a line."""
    ends = [after_moves(board, line[:plies]) for plies in RESTS]
    values = [_resolved(end, -99, 99, 8) for end in ends]
    return [
        value if end.turn == player else -value for end, value in zip(ends, values, strict=True)
    ]


def _resolved(board: chess.Board, alpha: int, beta: int, depth: int) -> int:
    """The material of the side to move, with exchanges resolved."""
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
    """Whether the board confirms the means that a claim names."""
    motif = claim.get("motif")
    if not motif:
        return True
    before, after, taken = (
        after_moves(start, claim["moves"][:plies])
        for plies in (motif["ply"], motif["ply"] + 1, motif["capture"])
    )
    by = chess.Move.from_uci(claim["moves"][motif["ply"]]).to_square
    targets = [chess.parse_square(name) for name in motif["targets"]]
    return SHOWN[motif["kind"]](Shown(before, after, taken, by, targets))


class Shown(NamedTuple):
    """The move that shows a motif; `taken` is the position before the prize is captured."""

    before: chess.Board
    after: chess.Board
    taken: chess.Board
    by: chess.Square
    targets: list[chess.Square]

    @property
    def player(self) -> chess.Color:
        """The side that carries it out."""
        return self.before.turn

    def attackers(self, board: chess.Board, target: int = 0) -> chess.SquareSet:
        """The player's pieces that attack a target."""
        return board.attackers(self.player, self.targets[target])

    def guards(self, board: chess.Board, target: int = 0) -> chess.SquareSet:
        """The other side's pieces that defend a target."""
        return board.attackers(not self.player, self.targets[target])


def _is_cheap(shown: Shown) -> bool:
    """The prize is worth more than the piece that captures it."""
    kind, by = shown.before.piece_type_at(shown.targets[0]), shown.after.piece_type_at(shown.by)
    return POINTS[by or 6] < POINTS[kind or 6]


def _is_forked(shown: Shown) -> bool:
    """One piece attacks all targets."""
    return all(target in shown.after.attacks(shown.by) for target in shown.targets)


def _is_skewered(shown: Shown) -> bool:
    """The second target stands behind the first one on a line of the piece."""
    first, second = shown.targets
    return first in shown.after.attacks(shown.by) and first in chess.SquareSet(
        chess.between(shown.by, second)
    )


def _is_opened(shown: Shown) -> bool:
    """A piece that has not moved attacks the target only after the move."""
    new = shown.attackers(shown.after) - shown.attackers(shown.before)
    return any(square != shown.by for square in new)


def _is_pinned(shown: Shown) -> bool:
    """The target is pinned to its king, or shields its queen from a line of the player."""
    after, targets = shown.after, shown.targets
    if len(targets) == 1:
        return after.is_pinned(not shown.player, targets[0])
    without = after.copy(stack=False)
    without.remove_piece_at(targets[0])
    return bool(shown.attackers(without, 1) - shown.attackers(after, 1))


def _is_trapped(shown: Shown) -> bool:
    """The target is attacked, and so is every square that it can go to."""
    moves = shown.after.generate_legal_moves(from_mask=chess.BB_SQUARES[shown.targets[0]])
    ends = (
        after_moves(shown.after, [move.uci()]).attackers(shown.player, move.to_square)
        for move in moves
    )
    return bool(shown.attackers(shown.after)) and all(ends)


def _is_drawn_away(shown: Shown) -> bool:
    """The first target defended the second one, which is undefended once the first is captured."""
    first, second = shown.targets
    return second in shown.after.attacks(first) and not shown.guards(shown.taken, 1)


def _is_on_back_rank(shown: Shown) -> bool:
    """The king is mated along its back rank, behind its own pieces."""
    king = shown.targets[0]
    near = [square for square in chess.SQUARES if chess.square_distance(square, king) == 1]
    before = [each for each in near if chess.square_rank(each) != chess.square_rank(king)]
    return (
        shown.after.is_checkmate()
        and chess.square_rank(king) == chess.square_rank(shown.by) in (0, 7)
        and all(shown.after.color_at(each) == (not shown.player) for each in before)
    )


#: How the board confirms each motif.
SHOWN: dict[str, Callable[[Shown], bool]] = {
    "loose": lambda shown: not shown.guards(shown.after),
    "cheap attacker": _is_cheap,
    "outnumbered": lambda shown: (
        1 + len(shown.attackers(shown.after)) > len(shown.guards(shown.after))
    ),
    "fork": _is_forked,
    "skewer": _is_skewered,
    "discovered attack": _is_opened,
    "pin": _is_pinned,
    "pinned": _is_pinned,
    "trapped": _is_trapped,
    "deflection": _is_drawn_away,
    "overloaded": lambda shown: (
        shown.targets[0] in shown.before.attackers(not shown.player, shown.by)
        and _is_drawn_away(shown)
    ),
    "back rank": _is_on_back_rank,
    "promotion": lambda shown: shown.after.piece_type_at(shown.by) != chess.PAWN,
}


# -- Halbzug's statements -------------------------------------------------------------------------


def looks(store: Path, found: Sequence[dict[str, Any]], nodes: int) -> dict[str, list[Any]]:
    """Halbzug's searches of each mistake, from the store or new."""
    from halbzug.api.one_liners import engine_for
    from halbzug.games.reason_search import look_again

    path, limit = store / f"halbzug-{nodes}.jsonl", chess.engine.Limit(nodes=nodes)
    path.touch()
    known = dict(map(json.loads, path.read_text(encoding="utf-8").splitlines()))
    todo = [one for one in found if f"{one['fen']} {one['move']}" not in known]
    if not todo:
        return known
    with engine_for(None) as engine, path.open("a", encoding="utf-8") as file:
        for one in todo:
            board, key = chess.Board(one["fen"]), f"{one['fen']} {one['move']}"
            move = board.parse_uci(one["move"])
            known[key] = [look_again(engine, limit, board, move, share) for share in (1, 2)]
            file.write(json.dumps([key, known[key]]) + "\n")
            file.flush()
    return known


def said(one: dict[str, Any], searches: Sequence[Any]) -> tuple[str, dict[str, Any] | None]:
    """The sentence, and its claim in the form that the judge takes; none without searches."""
    from halbzug.batch.findings import SecondLook
    from halbzug.games.reason_search import evidence_of
    from halbzug.reasons.claims import CERTAIN_MATE
    from halbzug.reasons.move_reason import explain_move

    if not searches:
        return "", None
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
        "capture": motif.capture,
        "targets": [chess.square_name(target.square) for target in motif.targets],
    }
    return reason.text, {
        "kind": claim.kind,
        "moves": [each.uci() for each in claim.moves],
        "points": claim.points,
        "mate": claim.mate if claim.mate <= CERTAIN_MATE else None,
        "motif": shown,
    }


def print_reasons(
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


def agreement(judge: Judge, labels: Path) -> None:
    """Print how far the judge agrees with mistakes that a person labelled without seeing a
    sentence.

    Each label has a kind, and the points that the move costs at least or the length of the mate. A
    move without a reason agrees if it neither loses nor misses a pawn.
    """
    agreed: dict[str, Counter[bool]] = defaultdict(Counter)
    for fen, move, kind, number, what in json.loads(labels.read_text(encoding="utf-8")):
        kinds = ["material", "missed material"] if kind == "none" else [kind]
        mate = number if "mate" in kind and number else None
        held = [
            judge.holds(fen, move, {"kind": each, "moves": [], "points": number or 1, "mate": mate})
            for each in kinds
        ]
        is_same = any(held) != (kind == "none")
        agreed[kind][is_same] += 1
        if not is_same:
            print(f"{kind:16}{number:3} {fen} {move}  {what}")
    print(f"\n{'labelled':20}{'number':>8}{'agreed':>8}")
    for kind, counts in [*sorted(agreed.items()), ("all", sum(agreed.values(), Counter()))]:
        print(f"{kind:20}{counts.total():8}{counts[True]:8}")


def main() -> None:
    """Find the mistakes, ask both engines, judge, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("games", type=Path, nargs="*")
    parser.add_argument("--count", type=int, default=300, help="number of mistakes")
    parser.add_argument("--half", choices=("development", "held-out"), default="development")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="Stockfish's")
    parser.add_argument(
        "--reasons", type=int, default=400_000, help="Halbzug's nodes for the first search"
    )
    parser.add_argument("--seed", type=int, default=59)
    parser.add_argument("--show", action="store_true", help="also print false and missed reasons")
    parser.add_argument("--engine", default="/usr/games/stockfish")
    parser.add_argument("--labels", type=Path, help="print how far the judge agrees with this file")
    options = parser.parse_args()
    options.store.mkdir(exist_ok=True)
    engine = Stockfish(options.store, options.engine)
    if options.labels:
        agreement(Judge(engine, options.nodes), options.labels)
        engine.close()
        return
    path = options.store / "mistakes.jsonl"
    path.touch()
    found = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
    found = [one for one in found if one["half"] == options.half]
    streams = [
        mistakes(engine, each, options.nodes, options.seed, options.half) for each in options.games
    ]
    with path.open("a", encoding="utf-8") as file:
        while streams and len(found) < options.count:
            streams.append(streams.pop(0))  # in turns
            one = next(streams[-1], None)
            if one is None:
                streams.pop()
            elif one not in found:
                found.append(one)
                file.write(json.dumps(one) + "\n")
                file.flush()
    known = looks(options.store, found, options.reasons)
    print_reasons(Judge(engine, options.nodes), found, known, options.show)
    engine.close()


if __name__ == "__main__":
    main()

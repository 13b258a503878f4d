"""An annotated game as data for the report's script: a tree for the board, and an index row.

The tree is that of `halbzug.display.board_tree` with additional keys:

- `state` of a node: see `halbzug.games.states`.
- `line` of a main-line node: the best moves from there as steps; its `states` give the `state`
  after a move, by the move's index.
- `mark`: book or tablebase. `exercise`: see `halbzug.games.exercises`.
- `graph` of the tree: the graph of the game as SVG. `phases`: the plies at which the middlegame and
  the endgame begin, null where there is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import chess
import chess.pgn

from ..base.text import on_one_line
from ..display.board_tree import line_steps, tree_data
from .annotation import AnnotatedGame, AnnotatedMove, AnnotatedPosition
from .exercises import exercise_of
from .game_opening import opening_of_game
from .graph import graph_svg
from .mistakes import KINDS, is_mistake, mistake_kinds
from .phases import PHASES, phases
from .play_numbers import play_numbers
from .states import last_state, line_states

#: White first, as in the index rows.
_SIDES = (chess.WHITE, chess.BLACK)


def game_tree(game: AnnotatedGame) -> dict[str, Any]:
    """A game with its variations, comments, clock times and the engine's annotations."""
    root = game.record.game
    moves = dict(zip(root.mainline(), game.moves, strict=True))

    def facts(node: chess.pgn.GameNode, board: chess.Board) -> Mapping[str, Any]:
        if node is root:
            return _position_facts(game.positions[0])
        found = {"state": last_state(board)}
        if isinstance(node, chess.pgn.ChildNode) and node in moves:
            found |= move_facts(moves[node], node)
        return {key: value for key, value in found.items() if value}

    tree = tree_data(root, facts)
    tree["chess960"] = game.record.chess960
    tree["graph"] = graph_svg(game)
    tree["phases"] = _phase_starts(game)
    if opening := opening_of_game(game.record.game, game.positions[-1].board):
        tree["opening"] = [opening.eco, opening.name]
    return tree


def move_facts(move: AnnotatedMove, node: chess.pgn.ChildNode) -> dict[str, Any]:
    """What is said of a move and of the position after it."""
    marks = ["book"] if move.is_book else []
    if known := move.after.tablebase:
        marks.append(f"tablebase: {known}")
    if not move.after.is_analysed:
        marks.append("not analysed")
    facts: dict[str, Any] = {"mark": ", ".join(marks)}
    if move.judgement:
        others = {nag for nag in node.nags if nag > chess.pgn.NAG_DUBIOUS_MOVE}
        facts["nags"] = sorted(others | {move.judgement.nag})
        facts["judgement"] = move.judgement.name
        facts["verdict"] = move.verdict
        facts["exercise"] = exercise_of(move)
    elif move.merit and not any(nag <= chess.pgn.NAG_DUBIOUS_MOVE for nag in node.nags):
        facts["nags"] = sorted({*node.nags, move.merit.nag})
    return facts | _position_facts(move.after)


def _position_facts(position: AnnotatedPosition) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "eval": position.evaluation,
        "chances": round(position.chances, 1),
        "depth": position.depth,
    }
    if position.line:
        facts["line"] = line_steps(position.board, position.line)
        facts["states"] = line_states(position.board, position.line)
    return facts


def _phase_starts(game: AnnotatedGame) -> list[int | None]:
    found = phases([position.board for position in game.positions])
    return [found.index(phase) if phase in found else None for phase in PHASES[1:]]


def index_row(game: AnnotatedGame) -> dict[str, Any]:
    """The index row of a game.

    `numbers` has a `PlayNumbers.row` for White and Black in each phase. Each entry of `mistakes`
    has the ply, 0 for White or 1 for Black, the winning chances lost in per cent, and the indices
    of its kinds in `KINDS`.
    """
    headers = game.record.game.headers
    numbers = play_numbers(game)
    opening = opening_of_game(game.record.game, game.positions[-1].board)
    mainline = list(game.record.game.mainline())
    return {
        "white": _player(headers, "White"),
        "black": _player(headers, "Black"),
        "elo": [_elo(headers, side) for side in ("White", "Black")],
        "result": on_one_line(headers.get("Result", "*")),
        "date": _known(headers, "Date").replace(".??", "").replace("????", ""),
        "event": _known(headers, "Event"),
        "opening": [opening.eco, opening.name] if opening else ["", ""],
        "plies": len(game.moves),
        "accuracy": [
            round(game.accuracy[color], 1) if color in game.accuracy else None for color in _SIDES
        ],
        "numbers": [[one.row for one in numbers[color].values()] for color in _SIDES],
        "mistakes": [
            [ply, int(not move.color), round(move.loss), *map(KINDS.index, kinds)]
            for ply, (move, node) in enumerate(zip(game.moves, mainline, strict=True), start=1)
            if is_mistake(move)
            for kinds in [mistake_kinds(move, node)]
        ],
    }


def _known(headers: chess.pgn.Headers, tag: str) -> str:
    value = on_one_line(headers.get(tag, "")).strip()
    return "" if value == "?" else value


def _player(headers: chess.pgn.Headers, side: str) -> str:
    return _known(headers, side) or side


def _elo(headers: chess.pgn.Headers, side: str) -> str:
    rating = headers.get(f"{side}Elo", "")
    return rating if rating.isdigit() else ""

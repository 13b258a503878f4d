"""The table that `eval` prints: the evaluation, term by term."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..board.movegen import new_board
from ..eval.endgame import FULL_SCALE, scale
from ..eval.evaluation import Evaluator
from ..eval.features import terms
from ..eval.tables import FULL_PHASE
from ..eval.tapered import endgame_of, middlegame_of
from ..search.position import Position

if TYPE_CHECKING:
    import chess


#: What is printed where there is no position.
NO_POSITION = "Final evaluation: none (no position)"


def table(board: chess.Board) -> str:
    """All terms in pawns, for middlegame and endgame, and their sum from White's side."""
    fen = board.fen(shredder=board.chess960)
    position = Position(new_board(fen, (), board.chess960))
    rows = [
        "                          White          Black          Total",
        "Term                    mg     eg      mg     eg      mg     eg",
        "-" * 66,
    ]
    total = 0
    for term in terms(position.board):
        difference = term.white - term.black
        total += difference
        rows.append(f"{term.name:21}{_pair(term.white)}  {_pair(term.black)}  {_pair(difference)}")
    rows.append("-" * 66)
    rows.append(f"{'Sum':51}{_pair(total)}")
    score = Evaluator().evaluate(position.board, position.accumulator)
    if not board.turn:
        score = -score
    late = endgame_of(total)
    part = scale(position.board, late > 0)
    rows.append(
        f"Phase {position.accumulator.phase} of {FULL_PHASE}; of the endgame's advantage"
        f" {part} in {FULL_SCALE} can be won"
    )
    # The last lines are Stockfish's, which programs read.
    if board.is_check():
        rows.append(f"Static value, which the search does not use in check: {score / 100:+.2f}")
        rows.append("Final evaluation: none (in check)")
    else:
        rows.append(f"Final evaluation       {score / 100:+.2f} (white side)\n")
    return "\n".join(rows)


def _pair(packed: int) -> str:
    return f"{middlegame_of(packed) / 100:+6.2f} {endgame_of(packed) / 100:+6.2f}"

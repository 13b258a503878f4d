"""What `eval` prints: the evaluation by terms as a table, and the value by each evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.text import visible
from ..board.movegen import new_board
from ..eval.endgame import FULL_SCALE, scale
from ..eval.evaluation import Evaluator
from ..eval.features import terms
from ..eval.network_file import DEFAULT_EVALUATION, NETWORK, TERMS, NetworkError, evaluating_by
from ..eval.tables import FULL_PHASE
from ..eval.tapered import endgame_of, middlegame_of
from ..search.position import Position

if TYPE_CHECKING:
    import chess


#: Printed if there is no position.
NO_POSITION = "Final evaluation: none (no position)"


def table(board: chess.Board, eval_file: str) -> str:
    """All terms in pawns, for middlegame and endgame, and the value by each evaluation.

    :param eval_file: the option `EvalFile`; the last line is what a search at full strength uses.
    """
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
    late = endgame_of(total)
    part = scale(position.board, late > 0)
    rows.append(
        f"Phase {position.accumulator.phase} of {FULL_PHASE}; of the endgame's advantage"
        f" {part} in {FULL_SCALE} can be won"
    )
    played = eval_file or DEFAULT_EVALUATION
    values = {}
    for name in dict.fromkeys((TERMS, NETWORK, played)):
        try:
            values[name] = f"{_value(board, name) / 100:+.2f} (white side)"
            rows.append(f"{f'By {visible(name)}':22} {values[name]}")
        except NetworkError as error:
            rows.append(visible(str(error)))
    # The last lines are in Stockfish's format, which programs parse.
    if board.is_check():
        rows.append("In check, the search uses none of them.")
        rows.append("Final evaluation: none (in check)")
    else:
        rows.append(f"Final evaluation       {values.get(played, values[DEFAULT_EVALUATION])}\n")
    return "\n".join(rows)


def _value(board: chess.Board, evaluation: str) -> int:
    """The value in centipawns, from White's side."""
    with evaluating_by(evaluation):
        position = Position(new_board(board.fen(shredder=board.chess960), (), board.chess960))
        value = Evaluator().evaluate(position.board, position.accumulator)
    return value if board.turn else -value


def _pair(packed: int) -> str:
    return f"{middlegame_of(packed) / 100:+6.2f} {endgame_of(packed) / 100:+6.2f}"

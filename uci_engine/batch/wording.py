"""Describes findings in words."""

from __future__ import annotations

import chess

from ..base.events import BestMove
from ..base.text import counted
from ..board.notation import last_move_text
from ..reasons.accuracy import JUDGEMENTS
from .findings import Finding
from .positions import Subject


def best_move_text(board: chess.Board, best: BestMove) -> str:
    """A move in both notations: `Nf3 (g1f3)`."""
    if best.move is None:
        return f"none ({ending_text(board)})" if board.is_game_over() else "none yet"
    return f"{board.san(board.parse_uci(best.move))} ({best.move})"


def ending_text(board: chess.Board) -> str:
    """Why there is no move in the position."""
    if board.is_checkmate():
        return "checkmate"
    return "stalemate" if board.is_stalemate() else ""


def verdict_text(subject: Subject, finding: Finding) -> str:
    """`solved` with depth and time, or the right answer."""
    if finding.is_solved:
        since = finding.solution
        return f"solved: depth {since.depth}, {since.time_ms / 1000:.2f} s" if since else "solved"
    wanted = [" or ".join(subject.board.san(move) for move in subject.best)] if subject.best else []
    if subject.avoid:
        wanted.append("not " + " or ".join(subject.board.san(move) for move in subject.avoid))
    if subject.mate:
        wanted.append(f"mate in {subject.mate}")
    return f"missed: {', '.join(wanted)}"


def position_facts(board: chess.Board) -> list[str]:
    """Facts that a diagram does not show, except the side to move; one per line."""
    facts = []
    if board.move_stack:
        facts.append(f"Last move: {last_move_text(board)}")
    castling = board.castling_shredder_fen() if board.chess960 else board.castling_xfen()
    facts.append(f"Castling: {'none' if castling == '-' else castling}")
    if board.has_legal_en_passant() and board.ep_square is not None:
        facts.append(f"En passant: {chess.square_name(board.ep_square)}")
    if board.halfmove_clock:
        facts.append(f"Plies without capture or pawn move: {board.halfmove_clock}")
    return facts


def colophon(engine: str, seconds: float | None, depth: float | None, nodes: float | None) -> str:
    """How an annotated game was made, and what its numbers mean.

    :param engine: its name.
    :param seconds: time for each position; or instead its depth in plies, or its nodes.
    """
    words = [
        f"{seconds:g} s" if seconds else "",
        f"depth {depth}" if depth else "",
        counted(int(nodes), "node") if nodes else "",
    ]
    losses = "{:g}, {:g} or {:g}".format(*(each.loss for each in reversed(JUDGEMENTS)))
    return (
        f"Analysed by {engine} with {', '.join(filter(None, words)) or 'a clock'} a position. "
        f"Scores are White's, in pawns. Winning chances and accuracy after "
        f"lichess.org/page/accuracy; a loss of {losses} percentage points is an "
        f"inaccuracy, a mistake or a blunder."
    )

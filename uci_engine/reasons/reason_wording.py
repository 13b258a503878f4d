"""Describes the reason why a move is bad in sentences, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import chess

from ..base.language import say, spelled
from ..board.notation import numbered_san, san_line, score_text
from .claims import CERTAIN_MATE, Cause, ReasonClaim, is_pawn_ending
from .motifs import Motif, PlacedPiece, PlayedLine
from .noun_phrases import APiece, Listed, ThePiece
from .won_material import Swap

#: Maximum number of plies shown of a long mate.
_SHOWN = 9

#: From this many centipawns on, a game is decided, with or without mate.
_DECIDED = 900


def why_text(
    board: chess.Board, move: chess.Move, claim: ReasonClaim, cause: Cause | None, score_after: int
) -> str:
    """Why a move is bad; parameters as in `MoveReason`."""
    start = board.copy(stack=False)
    if not claim.is_missed:
        start.push(move)
    line = PlayedLine(start, claim.moves)
    if claim.kind == "pawn ending":
        return f"{_ending_text(board, line, score_after)}."
    moved = board.piece_type_at(move.from_square)
    return f"{_claim_text(line, claim)}{_cause_text(claim, cause, moved)}."


def better_text(
    board: chess.Board,
    best: chess.Move,
    claim: ReasonClaim | None,
    score_before: int,
    score_after: int,
) -> str:
    """The better move, and what it wins or keeps; parameters as in `MoveReason`."""
    before, after = score_text(score_before), score_text(score_after)
    if claim and claim.is_missed:
        return say("The score is {after} instead of {before}.", after=after, before=before)
    if claim and claim.mate and score_before <= -_DECIDED:
        return ""  # every move loses
    still, won = (claim.still, claim.won) if claim else (Swap(), Swap())
    is_less = 0 < still.points < won.points
    what = say(", which loses only {what}", what=swap_text(still)) if is_less else ""
    return say(
        "Better is {move}{what}: {before} instead of {after}.",
        move=spelled(numbered_san(board, best)),
        what=what,
        before=before,
        after=after,
    )


def _ending_text(board: chess.Board, line: PlayedLine, score_after: int) -> str:
    if is_pawn_ending(board):
        text = (
            say("Turns a drawn pawn ending into a lost one")
            if score_after < 0
            else say("Turns a won pawn ending into a drawn one")
        )
    elif score_after < 0:
        text = say("Goes into a lost pawn ending")
    else:
        text = say("Goes into a drawn pawn ending")
    return f"{text}: {_shown(line)}" if line.moves else text


def _claim_text(line: PlayedLine, claim: ReasonClaim) -> str:
    least = say("at least ") if claim.is_least else ""
    match claim.kind:
        case "mate" | "missed mate":
            is_certain = claim.mate <= CERTAIN_MATE
            name = say("mate in {n}", n=claim.mate) if is_certain else say("a forced mate")
            name += say(" on the back rank") if claim.motif else ""
            if claim.is_missed:
                return say("Misses {what}: {line}", what=name, line=_shown(line))
            return say("Allows {what}: {line}", what=name, line=_shown(line))
        case "draw":
            if not line.moves:
                return say("It is stalemate")
            end = say("stalemate" if line.boards[-1].is_stalemate() else "a repetition")
            return say("Allows {what}: {line}", what=end, line=_shown(line))
        case "material":
            what = least + swap_text(claim.won)
            return say("Loses {what}: {how}", what=what, how=_how_text(line, claim.motif))
        case _:  # missed material
            still = claim.still
            is_less = 0 < still.points < claim.won.points
            only = say(" instead of {what}", what=swap_text(still)) if is_less else ""
            what = least + swap_text(claim.won) + only
            how = _how_text(line, claim.motif)
            return say("Misses the win of {what}: {how}", what=what, how=how)


def _shown(line: PlayedLine) -> str:
    text = spelled(san_line(line.boards[0], [move.uci() for move in line.moves[:_SHOWN]]))
    return text + say(" and so on") if len(line.moves) > _SHOWN else text


def _how_text(line: PlayedLine, motif: Motif | None) -> str:
    """The motif, or without one the line itself."""
    if motif is None:
        prize = line.captured(0) if len(line.moves) == 1 else None
        return _taking(_shown(line), prize)
    first = 0 if motif.kind == "trapped" else motif.ply  # its sentence has the whole line
    moves = [move.uci() for move in line.moves]
    shown = spelled(san_line(line.boards[first], moves[first : motif.ply + 1]))
    taken = spelled(numbered_san(line.boards[motif.capture], line.moves[motif.capture]))
    what = _motif_text(line, motif, shown, taken)
    lead = spelled(san_line(line.boards[0], moves[:first]))
    return say("after {line}, {what}", line=lead, what=what) if lead else what


def _taking(move: str, prize: PlacedPiece | None) -> str:
    return say("{move} takes {piece}", move=move, piece=ThePiece.of(prize)) if prize else move


def _motif_text(line: PlayedLine, motif: Motif, shown: str, taken: str) -> str:
    names = [ThePiece.of(each) for each in (*motif.targets, motif.behind) if each]
    piece, other = [*names, None, None][:2]
    prize = line.captured(motif.capture)
    took = _taking(taken, prize)
    words = {"move": shown, "took": took, "piece": piece, "other": other, "pieces": Listed(names)}
    match motif.kind:
        case "loose":
            return say("{took}, which nothing defends", **words)
        case "cheap attacker":
            return say("{took} with {piece}", took=took, piece=APiece(motif.by.kind))
        case "outnumbered":
            return say("{took}, which is attacked more often than it is defended", **words)
        case "fork":
            if prize and prize not in motif.targets:
                return say("{move} attacks {pieces}, and {took}", **words)
            return say("{move} forks {pieces}, and {took}", **words)
        case "skewer":
            return say("{move} attacks {piece} and behind it {other}, and {took}", **words)
        case "discovered attack":
            return say("{move} opens the line from {other} to {piece}, and {took}", **words)
        case "pin":
            return say("{move} pins {piece} to its king, and {took}", **words)
        case "pinned":
            if other:
                return say(
                    "{move} attacks {piece}, which is pinned to {other}, and {took}", **words
                )
            return say("{move} attacks {piece}, which is pinned to its king, and {took}", **words)
        case "trapped":
            return say("after {move} {piece} has no safe square, and {took}", **words)
        case "deflection":
            return say("{move} draws {piece} away, and {took}, which nothing defends then", **words)
        case "overloaded":
            return say("{move} overloads {piece}, which also defends {other}, and {took}", **words)
        case _:  # promotion; a mate has its line only
            return say("{move} promotes the pawn", move=taken)


def _cause_text(claim: ReasonClaim, cause: Cause | None, moved: chess.PieceType | None) -> str:
    motif = claim.motif
    if cause in (None, "moved") or motif is None:
        return ""
    target = ThePiece.of(motif.targets[0])
    if cause == "undefended":
        return say(
            "; {piece} defended it before", piece=ThePiece(moved or chess.PAWN), target=target
        )
    if cause == "opened":
        return say("; the move opens the line of {piece}", piece=ThePiece.of(motif.by))
    return say("; it was attacked before the move already", target=target)


# -- words ----------------------------------------------------------------------------------------


def swap_text(swap: Swap) -> str:
    """What is won, and for what: `the exchange`, `a knight for two pawns`."""
    won, given = list(swap.won), list(swap.given)
    minor = next((kind for kind in given if kind in (chess.KNIGHT, chess.BISHOP)), None)
    gained: list[APiece | str] = []
    if won.count(chess.ROOK) == 1 and minor and given.count(minor) == 1 and _is_small(won, given):
        won.remove(chess.ROOK)
        given.remove(minor)
        gained.append(say("the exchange"))
    if won:
        gained.append(_kinds(won))
    gained += [APiece(kind, is_new=True) for kind in swap.promoted]
    text = format(Listed(gained), "acc")
    return say("{won} for {given}", won=text, given=_kinds(given)) if given else text


def _is_small(won: Sequence[chess.PieceType], given: Sequence[chess.PieceType]) -> bool:
    """Whether there are only pawns besides a rook on one side and a minor piece on the other."""
    return won.count(chess.PAWN) == len(won) - 1 and given.count(chess.PAWN) == len(given) - 1


def _kinds(kinds: Sequence[chess.PieceType]) -> str:
    """Pieces with their number: `a rook and two pawns`.

    A knight may stand for a bishop, so two of them are simply minor pieces.
    """
    words: list[APiece | str] = []
    minors = [kind for kind in kinds if kind in (chess.KNIGHT, chess.BISHOP)]
    for kind, group in groupby(kinds):
        if len(minors) == 2 and kind in minors:
            words += [say("two minor pieces")] if kind == minors[0] else []
        else:
            words.append(APiece(kind, len(list(group))))
    return format(Listed(words), "acc")

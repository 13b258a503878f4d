"""Describes the reason why a move is bad in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import chess

from ..board.notation import numbered_san, pawns_text, san_line
from .claims import CERTAIN_MATE, Cause, ReasonClaim, is_pawn_ending
from .motifs import Motif, PlacedPiece, PlayedLine, passed_on
from .won_material import Swap

#: Maximum number of plies shown of a long mate.
_SHOWN = 9

#: From this many centipawns on, a game is decided, with or without mate.
_DECIDED = 900

_NUMBERS = ("no", "a", "two", "three", "four", "five", "six", "seven", "eight")


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
    better = numbered_san(board, best)
    before, after = pawns_text(score_before), pawns_text(score_after)
    if claim and claim.is_missed:
        return f"The score is {after} instead of {before}."
    if claim and claim.mate and score_before <= -_DECIDED:
        return ""  # every move loses
    still = claim.still if claim else Swap()
    what = f", which loses only {swap_text(still)}" if still.won else ""
    return f"Better is {better}{what}: {before} instead of {after}."


def _ending_text(board: chess.Board, line: PlayedLine, score_after: int) -> str:
    now = "lost" if score_after < 0 else "drawn"
    shown = f": {_shown(line)}" if line.moves else ""
    if not is_pawn_ending(board):
        return f"Goes into a {now} pawn ending{shown}"
    was = "drawn" if now == "lost" else "won"
    return f"Turns a {was} pawn ending into a {now} one{shown}"


def _claim_text(line: PlayedLine, claim: ReasonClaim) -> str:
    least = "at least " if claim.is_least else ""
    verb = "Misses" if claim.is_missed else "Allows"
    match claim.kind:
        case "mate" | "missed mate":
            name = f"mate in {claim.mate}" if claim.mate <= CERTAIN_MATE else "a forced mate"
            where = " on the back rank" if claim.motif else ""
            return f"{verb} {name}{where}: {_shown(line)}"
        case "draw":
            end = "stalemate" if line.boards[-1].is_stalemate() else "a repetition"
            return f"Allows {end}: {_shown(line)}" if line.moves else "It is stalemate"
        case "material":
            return f"Loses {least}{swap_text(claim.won)}: {_how_text(line, claim.motif)}"
        case _:  # missed material
            only = f" instead of {swap_text(claim.still)}" if claim.still.won else ""
            what = f"{swap_text(claim.won)}{only}"
            return f"Misses the win of {least}{what}: {_how_text(line, claim.motif)}"


def _shown(line: PlayedLine) -> str:
    text = san_line(line.boards[0], [move.uci() for move in line.moves[:_SHOWN]])
    return text + " and so on" if len(line.moves) > _SHOWN else text


def _how_text(line: PlayedLine, motif: Motif | None) -> str:
    """The motif, or without one the line itself."""
    if motif is None:
        prize = line.captured(0) if len(line.moves) == 1 else None
        return f"{_shown(line)} takes {_the(prize)}" if prize else _shown(line)
    shown, taken = (
        numbered_san(line.boards[ply], line.moves[ply]) for ply in (motif.ply, motif.capture)
    )
    text = _motif_text(line, motif, shown, taken)
    if not motif.ply:
        return text
    lead = san_line(line.boards[0], [move.uci() for move in line.moves[: motif.ply]])
    if text.startswith(f"after {shown} "):
        return f"after {lead} {text.removeprefix('after ')}"
    return f"after {lead}, {text}"


def _motif_text(line: PlayedLine, motif: Motif, shown: str, taken: str) -> str:
    names = [_the(target) for target in motif.targets]
    prize = line.captured(motif.capture)
    took = f"{taken} takes {_the(prize)}" if prize else taken
    match motif.kind:
        case "loose":
            return f"{took}, which nothing defends"
        case "pinned defender":
            are = "are" if len(names) > 2 else "is"
            return f"{took}, whose defender, {_and(names[1:])}, {are} pinned"
        case "cheap attacker":
            return f"{took} with a {chess.piece_name(motif.by.kind)}"
        case "outnumbered":
            return f"{took}, which is attacked more often than it is defended"
        case "fork":
            if prize and prize not in motif.targets:
                return f"{shown} attacks {_and(names)}, and {took}"
            return f"{shown} forks {_and(names)}, and {took}"
        case "skewer":
            return f"{shown} attacks {names[0]} and behind it {names[1]}, and {took}"
        case "discovered attack":
            assert motif.behind
            return f"{shown} opens the line from {_the(motif.behind)} to {names[0]}, and {took}"
        case "pin":
            return f"{shown} pins {names[0]} to its king, and {took}"
        case "pinned":
            behind = names[1] if len(names) > 1 else "its king"
            return f"{shown} attacks {names[0]}, which is pinned to {behind}, and {took}"
        case "trapped":
            return f"after {shown} {names[0]} has no safe square, and {took}"
        case "mate threat":
            assert motif.mate
            passed = passed_on(line.boards[motif.ply + 1])
            return f"{shown} threatens {passed.san(motif.mate)} and attacks {names[0]}, and {took}"
        case "removed defender":
            return f"{shown} takes {names[0]}, the only defender of {names[1]}, and {took}"
        case "deflection":
            return f"{shown} draws {names[0]} away, and {took}, which nothing defends then"
        case "overloaded":
            return f"{shown} overloads {names[0]}, which also defends {names[1]}, and {took}"
        case _:  # promotion; a mate has its line only
            return f"{taken} promotes the pawn"


def _cause_text(claim: ReasonClaim, cause: Cause | None, moved: chess.PieceType | None) -> str:
    match cause:
        case "undefended":
            return f"; the {chess.piece_name(moved or chess.PAWN)} defended it before"
        case "opened":
            assert claim.motif
            return f"; the move opens the line of {_the(claim.motif.by)}"
        case "left":
            return "; it was attacked before the move already"
        case _:
            return ""


# -- words ----------------------------------------------------------------------------------------


def swap_text(swap: Swap) -> str:
    """What is won, and for what: `the exchange`, `a knight for two pawns`."""
    won, given = list(swap.won), list(swap.given)
    minor = next((kind for kind in given if kind in (chess.KNIGHT, chess.BISHOP)), None)
    if won.count(chess.ROOK) == 1 and minor and given.count(minor) == 1 and _is_small(won, given):
        won.remove(chess.ROOK)
        given.remove(minor)
        gained = _and(["the exchange", *([_kinds(won)] if won else [])])
    else:
        gained = _kinds(won)
    if swap.promoted:
        gained = _and([gained, *(f"a new {chess.piece_name(kind)}" for kind in swap.promoted)])
    return f"{gained} for {_kinds(given)}" if given else gained


def _is_small(won: Sequence[chess.PieceType], given: Sequence[chess.PieceType]) -> bool:
    """Whether there are only pawns besides a rook on one side and a minor piece on the other."""
    return won.count(chess.PAWN) == len(won) - 1 and given.count(chess.PAWN) == len(given) - 1


def _kinds(kinds: Sequence[chess.PieceType]) -> str:
    """Pieces with their number: `a rook and two pawns`.

    A knight may stand for a bishop, so two of them are simply minor pieces.
    """
    words = []
    minors = [kind for kind in kinds if kind in (chess.KNIGHT, chess.BISHOP)]
    for kind, group in groupby(kinds):
        count = len(list(group))
        if len(minors) == 2 and kind in minors:
            words += ["two minor pieces"] if kind == minors[0] else []
            continue
        words.append(f"{_NUMBERS[count]} {chess.piece_name(kind)}{'s' if count > 1 else ''}")
    return _and(words)


def _the(stand: PlacedPiece) -> str:
    return f"the {chess.piece_name(stand.kind)} on {chess.square_name(stand.square)}"


def _and(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))

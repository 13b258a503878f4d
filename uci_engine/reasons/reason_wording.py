"""The reason of a bad move in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import chess

from ..board.notation import numbered_san, pawns_text, san_line
from .facts import Fact
from .motifs import Motif, PlacedPiece, PlayedLine, is_trapped, passed_on, stand
from .move_reason import Cause, MoveReason, Outcome, second_pawn, sells_another
from .won_material import POINTS, Swap, swap_between

#: Plies of a long mate that are shown.
_SHOWN = 9

#: What a move takes is kept for so many plies, or it is not said.
_KEPT = 4

#: The second rank of each side, as White counts.
_RANKS = {chess.WHITE: "second", chess.BLACK: "seventh"}

#: What the tablebases say.
_VERDICTS = {1: "won", 0: "drawn", -1: "lost"}

#: From so many centipawns on an ending is lost.
_LOST = 300

#: From so many centipawns on a game is decided, with a mate or without.
_DECIDED = 900

_TWO_PAWNS = Swap((chess.PAWN, chess.PAWN))

_NUMBERS = ("no", "a", "two", "three", "four", "five", "six", "seven", "eight")


def why_text(reason: MoveReason) -> str:
    """Why a move is bad; empty where nothing is certain."""
    after = reason.board.copy(stack=False)
    after.push(reason.move)
    if reason.lost:
        said = _lost_text(after, reason.lost)
        if reason.cause and reason.lost.motif:
            said += _cause_text(reason, reason.cause, _subject(after, reason.lost))
        if reason.lost.mate is None and reason.missed and reason.missed.mate:
            said += f". {_missed_text(reason.board, reason.missed)}"
        return f"{said}."
    if reason.missed:
        return f"{_missed_text(reason.board, reason.missed)}{_gone_text(reason)}."
    return f"{_fact_text(reason, reason.fact)}." if reason.fact else ""


def better_text(reason: MoveReason) -> str:
    """The better move, and what it wins or keeps; scores are the player's."""
    if not reason.is_bad or reason.best is None:
        return ""
    best, missed = numbered_san(reason.board, reason.best), reason.missed
    before, after = pawns_text(reason.score_before), pawns_text(reason.score_after)
    if missed and missed.mate and reason.score_after >= _DECIDED:
        return ""  # the game is won with any move
    is_said = reason.fact and reason.fact.is_missed
    if is_said or (missed and (missed.mate or not reason.lost)):
        return f"The score is {after} instead of {before}."
    if reason.lost and reason.lost.mate and reason.score_before <= -_DECIDED:
        return ""  # the game is lost with any move
    what = ""
    if reason.lost and missed:
        what = f", which wins {_swap_of(reason.board, missed)}"
    elif reason.lost and reason.still and reason.still.won:
        what = f", which loses only {swap_text(reason.still)}"
    return f"Better is {best}{what}: {before} instead of {after}."


# -- the sentences --------------------------------------------------------------------------------


def _lost_text(after: chess.Board, lost: Outcome) -> str:
    if lost.is_stalemate:
        line = san_line(after, [move.uci() for move in lost.moves])
        return f"Allows stalemate: {line}" if lost.moves else "It is stalemate"
    if lost.mate:
        return _mate_text("Allows", after, lost)
    head = "Lets a pawn promote"
    if lost.swap.won:
        head = f"Loses {_least_text(after, lost)}"
    return f"{head}: {_how_text(after, lost)}"


def _missed_text(board: chess.Board, missed: Outcome | None) -> str:
    assert missed
    if missed.mate:
        return _mate_text("Misses", board, missed)
    if not missed.swap.won:
        head = "Misses the promotion of a pawn"
    else:
        head = f"Misses the win of {_least_text(board, missed)}"
    return f"{head}: {_how_text(board, missed)}"


def _gone_text(reason: MoveReason) -> str:
    """What the piece does that the better move would have taken, with check or a capture."""
    motif = reason.missed.motif if reason.missed else None
    if motif is None or not motif.is_at_once or not reason.refutation:
        return ""
    after = reason.board.copy(stack=False)
    after.push(reason.move)
    line, move = PlayedLine(after, reason.refutation[:1]), reason.refutation[0]
    prize = PlayedLine(reason.board, reason.best_line[:1]).captured(0)
    if prize is None or prize.square != move.from_square:
        return ""
    taken, shown = line.captured(0), numbered_san(after, move)
    if taken and not _is_kept(PlayedLine(after, reason.refutation), POINTS[taken.kind]):
        return ""
    if after.gives_check(move):
        return f"; now {shown} comes with check"
    return f"; now {shown} takes {_the(taken)}" if taken else ""


def _is_kept(line: PlayedLine, points: int) -> bool:
    """Whether what the first move of a line takes is not made good by the next ones."""
    later = line.balances[1 : _KEPT + 2]
    return len(later) > 1 and min(later) - line.balances[0] >= points


def _fact_text(reason: MoveReason, fact: Fact) -> str:
    """What else the refutation brings about."""
    start = reason.board.copy(stack=False)
    if not fact.is_missed:
        start.push(reason.move)
    line = PlayedLine(start, fact.moves)
    moves = _shortened(start, fact.moves)
    other = chess.COLOR_NAMES[not reason.board.turn].capitalize()
    name = chess.square_name(fact.square) if fact.square is not None else ""
    origin = chess.square_name(fact.origin) if fact.origin is not None else ""
    match fact.kind:
        case "mate threat":
            assert fact.capture
            passed = passed_on(line.boards[1])
            return f"Allows {moves}, which threatens mate by {passed.san(fact.capture)}"
        case "fork" | "missed fork":
            assert fact.motif
            verb = "Misses a fork" if fact.is_missed else "Allows a fork"
            return f"{verb}: {_how_text(start, Outcome(fact.moves, Swap(), fact.motif))}"
        case "double attack" | "missed double attack":
            verb = "Misses" if fact.is_missed else "Allows"
            names = [_the(stand(line.boards[1], each)) for each in fact.targets]
            assert fact.square is not None
            prize = line.captured(0)
            taken = f"takes {_the(prize)} and " if prize else ""
            if fact.targets[1] not in line.boards[1].attacks(fact.square):
                what = f"{names[0]} and behind it {names[1]}"
            else:
                what = f"{_and(names)} at once"
            return f"{verb} {moves}, which {taken}attacks {what}"
        case "attack" | "missed attack":
            verb = "Misses" if fact.is_missed else "Allows"
            assert fact.square is not None
            piece = _the(stand(line.boards[1], fact.square))
            how = "which has no safe square"
            if fact.king is not None:
                how = f"which is pinned to {_the(stand(line.boards[1], fact.king))}"
            return f"{verb} {moves}, which attacks {piece}, {how}"
        case "fork threat":
            assert fact.square is not None and fact.capture
            passed = passed_on(line.boards[1])
            king = passed.king(not passed.turn)
            assert king is not None
            forked = [_the(stand(passed, each)) for each in (king, fact.square)]
            threat = passed.san(fact.capture)
            return f"Allows {moves}, which threatens {threat} with a fork of {_and(forked)}"
        case "sacrifice":
            prize, why = line.captured(0), _retake_text(line.boards[1], fact.moves[1:])
            first = numbered_san(start, fact.moves[0])
            return f"Allows {first}, which takes {_the(prize)}{why}" if prize else ""
        case "pin":
            assert fact.square is not None and fact.king is not None
            front, behind = (stand(line.boards[1], each) for each in (fact.square, fact.king))
            first, last = numbered_san(start, fact.moves[0]), len(fact.moves) - 1
            lead = san_line(line.boards[1], [move.uci() for move in fact.moves[1:-1]])
            taken, prize = numbered_san(line.boards[last], fact.moves[-1]), line.captured(last)
            won = f", and after {lead}, {taken} takes {_the(prize)}" if prize else ""
            return f"Allows {first}, which pins {_the(front)} to {_the(behind)}{won}"
        case "bishop for knight":
            return f"Gives up a bishop for a knight: {moves}"
        case "runner":
            assert fact.king is not None
            after = f"after {moves} " if moves else ""
            where = chess.square_name(fact.king)
            return f"Lets a pawn run: {after}the king on {where} cannot catch the pawn on {name}"
        case "promotion" | "missed promotion":
            pawn, price = f"the pawn on {origin}", ""
            if not fact.moves[-1].promotion:
                price = f", which costs a {chess.piece_name(line.mover(len(fact.moves) - 2).kind)}"
            if fact.is_missed:
                return f"Misses the promotion of {pawn}{price}: {moves}"
            return f"Lets {pawn} promote{price}: {moves}"
        case "escape":
            assert fact.square is not None and fact.capture
            piece = _the(stand(reason.board, fact.square))
            return f"Lets {piece} get away: {moves}"
        case "spared pawn":
            assert fact.square is not None and fact.capture
            take = numbered_san(reason.board, fact.capture)
            return f"Leaves the passed pawn on {name}, which {take} takes"
        case "lost passed pawn":
            return f"Lets {moves} take the passed pawn on {name}"
        case "queen for rooks":
            swap = swap_between(reason.board, line.boards[-1], not reason.board.turn)
            return f"Loses {swap_text(swap)}: {moves}"
        case "second rank":
            piece = chess.piece_name(line.mover(0).kind)
            return f"Lets a {piece} in on the {_RANKS[reason.board.turn]} rank: {moves}"
        case "pawn ending":
            after = f": {moves}" if moves else ""
            how = "a lost" if reason.score_after <= -_LOST else "a drawn"
            return f"Goes into {how} pawn ending{after}"
        case "pawn result":
            assert fact.verdict is not None and fact.kept is not None
            results = f"a {_VERDICTS[fact.kept]} pawn ending into a {_VERDICTS[fact.verdict]} one"
            return f"Turns {results}: {moves}"
        case "tablebase":
            assert fact.verdict is not None and fact.kept is not None
            after = f": {moves}" if moves else ""
            results = f"a {_VERDICTS[fact.kept]} ending into a {_VERDICTS[fact.verdict]} one"
            return f"Turns {results}, as the tablebases say{after}"
        case "perpetual" | "missed perpetual":
            verb = "Misses" if fact.is_missed else "Allows"
            return f"{verb} perpetual check: {moves}"
        case "passed pawn":
            after = f": {moves}" if moves else ""
            guard = fact.support
            held = (
                f", defended by the pawn on {chess.square_name(guard)}" if guard is not None else ""
            )
            return f"Gives {other} a passed pawn on {name}{held}{after}"
        case "castling":
            return f"Loses the right to castle{f': {moves}' if line.moves else ''}"


def _shortened(board: chess.Board, moves: Sequence[chess.Move]) -> str:
    """A line; of a long one the first moves and the last."""
    texts = [move.uci() for move in moves]
    if len(moves) <= _SHOWN + 2:
        return san_line(board, texts)
    line = PlayedLine(board, moves)
    last = numbered_san(line.boards[-2], moves[-1])
    return f"{san_line(board, texts[:_SHOWN])} and so on to {last}"


def _mate_text(verb: str, board: chess.Board, outcome: Outcome) -> str:
    line = san_line(board, [move.uci() for move in outcome.moves[:_SHOWN]])
    line += " and so on" if len(outcome.moves) > _SHOWN else ""
    if not outcome.is_short_mate:
        return f"{verb} a forced mate: {line}"  # its length is not certain
    name = "a back-rank mate" if outcome.is_back_rank else "mate"
    return f"{verb} {name} in {outcome.mate}: {line}"


def _how_text(board: chess.Board, outcome: Outcome) -> str:
    """The motif; without one, the line itself."""
    motif = outcome.motif
    line = PlayedLine(board, outcome.moves)
    if motif is None:
        prize = line.captured(0) if len(line.moves) == 1 else None
        text = san_line(board, [move.uci() for move in outcome.moves])
        why = _retake_text(line.boards[-1], outcome.retake)
        return f"{text} takes {_the(prize)}{why}" if prize else text
    shown, taken = (
        numbered_san(line.boards[ply], line.moves[ply]) for ply in (motif.ply, motif.capture)
    )
    lead = san_line(board, [move.uci() for move in line.moves[: motif.ply]])
    text = _motif_text(line, motif, shown, taken)
    if sells_another(line) or _is_retake(line, motif):
        return _taken_back_text(line)
    more = _second_pawn(line, motif, outcome.swap) + _paid_back(line, motif)
    if _is_taken_back(line, motif):
        return _desperate_text(line, motif) + more
    text += more
    if not lead:
        return text
    if text.startswith(f"after {shown} "):
        through = san_line(board, [move.uci() for move in line.moves[: motif.ply + 1]])
        return f"after {through} {text.removeprefix(f'after {shown} ')}"
    return f"after {lead}, {text}"


def _retake_text(board: chess.Board, moves: Sequence[chess.Move]) -> str:
    """Why a capture cannot be answered by taking back.

    :param moves: the retake, and what it loses to.
    """
    if not moves:
        return ""
    line = PlayedLine(board, moves)
    if line.boards[-1].is_checkmate():
        return f", for {san_line(board, [move.uci() for move in moves])} is mate"
    first, then = (numbered_san(line.boards[ply], moves[ply]) for ply in (0, 1))
    lost, prize = line.captured(0), line.captured(1)
    is_as_much = lost and prize and POINTS[prize.kind] >= POINTS[lost.kind]
    how = f"takes {_the(prize)}" if prize and is_as_much else "wins it back"
    return f", for after {first}, {then} {how}"


def _taken_back_text(line: PlayedLine) -> str:
    """A line that takes a piece, and takes back what the other side takes for it."""
    first, given, taken = (
        numbered_san(board, move)
        for board, move in zip(line.boards[:3], line.moves[:3], strict=True)
    )
    prize = line.captured(0)
    assert prize
    return f"{first} takes {_the(prize)}, and after {given}, {taken} takes back"


def _is_retake(line: PlayedLine, motif: Motif) -> bool:
    """Whether the line begins by taking a piece, and the motif only takes back after it."""
    if motif.capture != 2 or motif.ply != 2:
        return False
    first, given, taken = (line.captured(ply) for ply in range(3))
    if not first or not given or not taken or given.square != taken.square:
        return False
    is_even = POINTS[given.kind] == POINTS[taken.kind]
    return is_even and POINTS[first.kind] >= max(POINTS[taken.kind], POINTS[chess.KNIGHT])


def _is_taken_back(line: PlayedLine, motif: Motif) -> bool:
    """Whether the motif takes what has just taken something, and nothing else shows itself."""
    if motif.ply != motif.capture or motif.capture < 2:
        return False
    given, taken = line.captured(motif.capture - 1), line.captured(motif.capture)
    square = line.moves[motif.capture - 1].to_square
    is_piece = taken is not None and taken.square == square and taken.kind != chess.PAWN
    return given is not None and is_piece


def _desperate_text(line: PlayedLine, motif: Motif) -> str:
    """A line at whose end a piece sells itself, and what has no safe square, if that is why."""
    moves = [move.uci() for move in line.moves[: motif.capture + 1]]
    ply = motif.capture - 2
    after = line.boards[ply + 1]
    targets = after.attacks(line.mover(ply).square) & after.occupied_co[after.turn]
    for square in sorted(targets, key=lambda each: -POINTS[stand(after, each).kind]):
        trapped = stand(after, square)
        if POINTS[trapped.kind] > POINTS[chess.PAWN] and is_trapped(after, square):
            lead = san_line(line.boards[0], moves[: ply + 1])
            rest = san_line(after, moves[ply + 1 :])
            return f"after {lead} {_the(trapped)} has no safe square: {rest}"
    return san_line(line.boards[0], moves)


def _second_pawn(line: PlayedLine, motif: Motif, swap: Swap) -> str:
    """The other pawn of two that a line wins, if it takes just two."""
    ply = second_pawn(line, motif, swap)
    prize = line.captured(ply) if ply is not None else None
    if ply is None or prize is None:
        return ""
    return f", and {numbered_san(line.boards[ply], line.moves[ply])} {_the(prize)}"


def _paid_back(line: PlayedLine, motif: Motif) -> str:
    """The pawn that the other side takes after what the motif takes, if that changes the sum."""
    first = motif.capture + 1
    if first < len(line.moves) and line.moves[first].to_square == line.moves[first - 1].to_square:
        first += 1
    rest = swap_between(line.boards[first], line.boards[-1], line.attacker)
    takes = [ply for ply in range(first, len(line.moves)) if line.captured(ply)]
    if rest != Swap(given=(chess.PAWN,)) or len(takes) != 1:
        return ""
    return f"; {numbered_san(line.boards[takes[0]], line.moves[takes[0]])} takes a pawn back"


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
        case "promotion":
            return f"{taken} promotes the pawn"


def _subject(after: chess.Board, lost: Outcome) -> str:
    """What is taken at once: `it`, or its name where another one is named after it."""
    line, motif = PlayedLine(after, lost.moves), lost.motif
    assert motif
    is_alone = not _second_pawn(line, motif, lost.swap) and not _paid_back(line, motif)
    return "it" if is_alone else _the(motif.targets[0])


def _cause_text(reason: MoveReason, cause: Cause, subject: str) -> str:
    moved = reason.board.piece_type_at(reason.move.from_square)
    assert moved and reason.lost and reason.lost.motif
    match cause:
        case "undefended":
            return f"; the {chess.piece_name(moved)} defended {subject} before"
        case "opened":
            return f"; the move opens the line of {_the(reason.lost.motif.by)}"
        case "left":
            return f"; {subject} was attacked before the move already"
        case "moved":
            return ""


def _least_text(board: chess.Board, outcome: Outcome) -> str:
    """What an outcome wins; of two pawns one if only that is shown to be taken."""
    line, motif = PlayedLine(board, outcome.moves), outcome.motif
    if outcome.is_least:
        return f"at least {_swap_of(board, outcome)}"
    if motif and outcome.swap == _TWO_PAWNS and not _second_pawn(line, motif, outcome.swap):
        return "at least a pawn"
    return _swap_of(board, outcome)


def _swap_of(board: chess.Board, outcome: Outcome) -> str:
    """What an outcome wins; a minor piece is called after the one that the motif takes."""
    swap, motif = outcome.swap, outcome.motif
    line = PlayedLine(board, outcome.moves)
    is_retake = motif is not None and _is_retake(line, motif)
    prize = line.captured(0 if is_retake else motif.capture) if motif else None
    minor = (chess.KNIGHT, chess.BISHOP)
    found = [kind for kind in swap.won if kind in minor]
    if prize and prize.kind in minor and len(found) == 1:
        won = tuple(prize.kind if kind in minor else kind for kind in swap.won)
        swap = replace(swap, won=won)
    return swap_text(swap)


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
    """Whether there are but pawns beside a rook on one side and a minor piece on the other."""
    return won.count(chess.PAWN) == len(won) - 1 and given.count(chess.PAWN) == len(given) - 1


def _kinds(kinds: Sequence[chess.PieceType]) -> str:
    """Pieces, counted: `a rook and two pawns`.

    A knight may stand for a bishop, so two of them are just minor pieces.
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

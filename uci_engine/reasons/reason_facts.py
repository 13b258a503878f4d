"""Why a move is bad that loses no material: what stands on the board at the end of its refutation.

A fact is named if it holds on the board and the better line does not have it. The evaluation is
asked at the last position at rest of both lines, where the pieces must be about even.
"""

from __future__ import annotations

from collections.abc import Sequence

import chess

from .draw_facts import perpetual_fact, tablebase_fact
from .facts import Fact, Kind
from .motifs import PlayedLine, can_win, fork_of, gains, mate_in_one, passed_on
from .pawn_facts import (
    ADVANCED,
    is_passed,
    lost_passed_pawn_fact,
    origin_of,
    pawn_ending_fact,
    pawn_result_fact,
    promotion_fact,
    rank_of,
    runner_fact,
    spared_pawn_fact,
)
from .retakes import sacrifice_fact
from .term_groups import TermChange, term_changes
from .threat_facts import attack_fact, double_attack_fact, fork_threat_fact
from .won_material import POINTS, balance, is_settled, swap_between

#: Positions at rest are looked for in so many plies; what comes later is a guess.
_HORIZON = 10

#: A pawn that promotes decides the game: the score is at least this, in centipawns.
_DECIDED = 300

#: Up to this score, in centipawns, a game is a draw by repetition.
_LEVEL = 25

#: A piece that gets away costs so many centipawns.
_ESCAPE_COST = 100

#: A double attack costs so many centipawns, or its threat is met.
_THREAT_COST = 125

#: A pin explains no greater loss than this, in centipawns.
_PIN_COST = 200

#: A queen for two rooks explains no greater loss, in centipawns, and goes by this ply.
_QUEEN_COST, _QUEEN_TAKEN = 400, 4

#: A rook on the second rank stays there for so many plies.
_STAY = 5

#: The material at both ends may differ by so much, in centipawns, and by less than what is named.
_SAME_MATERIAL = 100

#: From these changes on, in centipawns and as a share of the loss, a right to castle and a passed
#: pawn matter.
_KING_CHANGE, _PASSED_CHANGE, _SIDE_SHARE = 20, 30, 0.15

#: A side that is ahead by so much may miss something, and one that is behind by so much has allowed
#: something, in centipawns.
_AHEAD, _BEHIND = 150, 100

#: Above this score, in centipawns, a game is won all the same.
_WON = 900

#: A fork begins at the latest with this ply, and wins at least so many points.
_FORK_LEAD, _FORK_PRIZE = 2, POINTS[chess.ROOK]


def fact_of(
    board: chess.Board,
    move: chess.Move,
    refutation: Sequence[chess.Move],
    best_line: Sequence[chess.Move],
    score_before: int,
    score_after: int,
) -> Fact | None:
    """The most certain fact; parameters as in `halbzug.reasons.move_reason.explain_move`."""
    after = board.copy(stack=False)
    after.push(move)
    reply, better = PlayedLine(after, refutation), PlayedLine(board, best_line)
    cost = score_before - score_after
    found = _decisive(board, reply, better, score_before, score_after)
    if not found and cost >= _ESCAPE_COST:
        found = _escape(move, reply, better) or spared_pawn_fact(move, reply, better)
        found = found or lost_passed_pawn_fact(reply, better)
    if found:
        return found
    if score_before < _AHEAD or score_after <= -_BEHIND:
        found = (
            _mate_threat(reply, better)
            or (_forks("fork", reply) if score_after <= -_AHEAD else None)
            or (_threats(reply, better) if cost >= _THREAT_COST else None)
            or _positional(board, move, reply, better, cost)
            or (_pin(reply, better) if cost <= _PIN_COST else None)
            or (_queen(reply, better) if _THREAT_COST <= cost <= _QUEEN_COST else None)
            or _bishop(board, move, reply, better)
            or (_second_rank(reply, better) if cost >= _ESCAPE_COST else None)
        )
    if not found and cost >= _THREAT_COST and score_after <= _WON:
        found = _threats(reply, better) or sacrifice_fact(reply, better)
    if not found and score_before >= _AHEAD:
        found = _forks("missed fork", better)
    if not found and score_before > 0 and cost >= _THREAT_COST:
        found = double_attack_fact("missed double attack", better, reply)
        found = found or attack_fact("missed attack", better, reply)
    return found


def _threats(reply: PlayedLine, better: PlayedLine) -> Fact | None:
    """The first move of the refutation threatens more than one move can meet."""
    return (
        double_attack_fact("double attack", reply, better)
        or fork_threat_fact(reply, better)
        or attack_fact("attack", reply, better)
    )


def _decisive(
    board: chess.Board, reply: PlayedLine, better: PlayedLine, score_before: int, score_after: int
) -> Fact | None:
    """What turns a game: an ending that the tablebases know, a draw, or a pawn that decides."""
    found = tablebase_fact(reply, better)
    if found:
        return found
    if abs(score_after) <= _LEVEL and score_before >= _AHEAD:
        found = perpetual_fact("perpetual", reply)
    elif abs(score_before) <= _LEVEL and score_after <= -_AHEAD:
        found = perpetual_fact("missed perpetual", better)
    if not found and score_after <= -_DECIDED < score_before:
        found = promotion_fact("promotion", reply, better) or runner_fact(reply, better)
    if not found and score_after < _DECIDED <= score_before:
        found = promotion_fact("missed promotion", better, reply)
    is_turned = (
        score_after <= -_DECIDED < score_before or score_after <= _LEVEL < _DECIDED <= score_before
    )
    if not found and is_turned:
        found = pawn_ending_fact(board, reply, better)
    return found or pawn_result_fact(board, reply, score_before, score_after)


def _escape(move: chess.Move, reply: PlayedLine, better: PlayedLine) -> Fact | None:
    """The first move of the refutation saves a piece that the better move would have taken."""
    if not reply.moves or not better.moves:
        return None
    take, flight = better.moves[0], reply.moves[0]
    square, prize = take.to_square, better.captured(0)
    if prize is None or prize.square != square or POINTS[prize.kind] < POINTS[chess.KNIGHT]:
        return None
    if (
        flight.from_square != square
        or move.to_square == square
        or not gains(better.boards[0], take)
    ):
        return None
    if reply.boards[0].is_check():
        return None
    if min(better.balances[1:3]) <= better.balances[0]:
        return None  # it would have been a trade
    after = reply.boards[1]
    if can_win(after, flight.to_square):
        return None  # it is taken elsewhere
    return Fact("escape", reply.moves[:1], square, capture=take)


# -- what the first move of the refutation threatens ----------------------------------------------


def _mate_threat(reply: PlayedLine, better: PlayedLine) -> Fact | None:
    """The first move threatens mate in one, which it would not after the better move."""
    if not reply.moves or len(better.boards) < 2 or mate_in_one(reply.boards[0]):
        return None
    move = reply.moves[0]
    mate, other = (_mate_after(board, move) for board in (reply.boards[0], better.boards[1]))
    return Fact("mate threat", (move,), capture=mate) if mate and not other else None


def _mate_after(board: chess.Board, move: chess.Move) -> chess.Move | None:
    """The mate in one that a move threatens, if it is legal."""
    if not board.is_legal(move):
        return None
    board = board.copy(stack=False)
    board.push(move)
    return None if board.is_check() else mate_in_one(passed_on(board))


def _forks(kind: Kind, line: PlayedLine) -> Fact | None:
    """The line forks a rook or queen and something else, and takes it."""
    for capture in range(2, min(len(line.moves), _FORK_LEAD + 3), 2):
        motif, prize = fork_of(line, capture), line.captured(capture)
        if not motif or not prize or motif.ply != capture - 2:
            continue
        if POINTS[prize.kind] >= max(_FORK_PRIZE, POINTS[motif.by.kind] + 1):
            return Fact(kind, line.moves[: capture + 1], prize.square, motif=motif)
    return None


def _pin(reply: PlayedLine, better: PlayedLine) -> Fact | None:
    """The first move pins a piece to a dearer one, and the line wins something by it.

    It takes the piece, or what that defends. After the better move there would be no pin.
    """
    if not reply.moves or not better.moves:
        return None
    move = reply.moves[0]
    pinned = _pinned(reply.boards[0], move)
    if not pinned or _pinned(better.boards[1], move) == pinned:
        return None
    if pinned[0] in reply.boards[0].attacks(move.from_square):
        return None  # it was attacked before
    ply = _won_by_pin(reply, pinned[0])
    if ply is None:
        return None
    moves = reply.moves[: ply + 1]
    return Fact("pin", moves, pinned[0], king=pinned[1], capture=moves[-1])


def _won_by_pin(reply: PlayedLine, square: chess.Square) -> int | None:
    """The ply that takes the pinned piece, or what it defends, and leaves something won."""
    pinned, start = reply.boards[1], reply.balances[0]
    for ply in range(2, min(len(reply.moves), _HORIZON + 1), 2):
        prize, later = reply.captured(ply), reply.balances[ply + 1 : ply + _STAY + 1]
        if prize is None or len(later) < _STAY - 1 or min(later) <= start:
            continue
        is_its = prize.square == square or prize.square in pinned.attacks(square)
        was_there = pinned.piece_at(prize.square) == reply.boards[ply].piece_at(prize.square)
        return ply if is_its and was_there else None
    return None


def _pinned(board: chess.Board, move: chess.Move) -> tuple[chess.Square, chess.Square] | None:
    """What a move of a bishop or rook pins, and to which piece; only pieces that it endangers."""
    kind = board.piece_type_at(move.from_square)
    if kind not in (chess.BISHOP, chess.ROOK) or not board.is_legal(move):
        return None
    after = board.copy(stack=False)
    after.push(move)
    if after.is_check() or after.is_attacked_by(after.turn, move.to_square):
        return None
    for square in after.attacks(move.to_square) & after.occupied_co[after.turn]:
        if after.piece_type_at(square) not in (chess.KNIGHT, chess.BISHOP):
            continue
        ray = chess.SquareSet(chess.ray(move.to_square, square)) & after.occupied
        behind = [
            each
            for each in ray
            if square in chess.SquareSet(chess.between(move.to_square, each))
            and chess.SquareSet(chess.between(square, each)) & after.occupied == chess.SquareSet()
        ]
        for each in behind:
            piece = after.piece_type_at(each)
            if piece in (chess.QUEEN, chess.KING) and after.color_at(each) == after.turn:
                return square, each
    return None


def _queen(reply: PlayedLine, better: PlayedLine) -> Fact | None:
    """The queen goes for two rooks, which is even by points, and the better line keeps it."""
    own = not reply.attacker
    if any(
        len(each.pieces(chess.QUEEN, own)) < len(each.pieces(chess.QUEEN, not own))
        for each in better.boards
    ):
        return None
    for ply in range(0, min(len(reply.moves) - 1, _QUEEN_TAKEN + 1), 2):
        take, prize = reply.moves[ply], reply.captured(ply)
        if prize is None or prize.kind != chess.QUEEN:
            continue
        if reply.moves[ply + 1].to_square != take.to_square:
            return None
        swap = swap_between(better.boards[0], reply.boards[ply + 2], not own)
        is_for_rooks = swap.given == (chess.ROOK, chess.ROOK) and swap.won[:1] == (chess.QUEEN,)
        if not is_for_rooks or swap.points > 0 or swap.promoted or swap.conceded:
            return None
        return Fact("queen for rooks", reply.moves[: ply + 2], take.to_square, capture=take)
    return None


def _bishop(
    board: chess.Board, move: chess.Move, reply: PlayedLine, better: PlayedLine
) -> Fact | None:
    """A bishop is given up for a knight, and the better line keeps it."""
    own = board.turn
    left, kept = _calm(reply), _calm(better)
    if left is None or kept is None or not reply.moves:
        return None
    end, other = reply.boards[left], better.boards[kept]
    counts = [len(each.pieces(chess.BISHOP, own)) for each in (board, end, other)]
    if counts[0] != 2 or counts[1] >= counts[2] or counts[2] != 2:
        return None
    if balance(end, own) != balance(other, own) or balance(end, own) != balance(board, own):
        return None
    square = move.to_square
    if board.piece_type_at(move.from_square) != chess.BISHOP or reply.moves[0].to_square != square:
        return None
    taken = board.piece_type_at(square)
    by = reply.boards[0].piece_type_at(reply.moves[0].from_square)
    if taken == chess.KNIGHT:
        return Fact("bishop for knight", reply.moves[:1], square)
    is_back = len(reply.moves) > 1 and reply.moves[1].to_square == square
    if taken is None and by == chess.KNIGHT and is_back:
        return Fact("bishop for knight", reply.moves[:2], square)
    return None


def _second_rank(reply: PlayedLine, better: PlayedLine) -> Fact | None:
    """A rook or queen gets to the player's second rank and stays, and none in the better line."""
    if len(reply.moves) < _STAY or len(better.moves) < _STAY or not reply.moves:
        return None
    color, move = reply.attacker, reply.moves[0]
    row = chess.BB_RANKS[6 if color else 1]
    heavy = (chess.ROOK, chess.QUEEN)
    if reply.boards[0].piece_type_at(move.from_square) not in heavy or reply.boards[1].is_check():
        return None
    if not row & chess.BB_SQUARES[move.to_square] or row & chess.BB_SQUARES[move.from_square]:
        return None
    stays = all(move.to_square not in (m.from_square, m.to_square) for m in reply.moves[1:_STAY])
    others = (
        board.occupied_co[color] & (board.rooks | board.queens) & row for board in better.boards
    )
    if not stays or any(others):
        return None
    king = reply.boards[0].king(not color)
    if king is None or rank_of(king, not color) > 1:
        return None
    return Fact("second rank", reply.moves[:1], move.to_square)


# -- what the evaluation sees ---------------------------------------------------------------------


def _positional(
    board: chess.Board, move: chess.Move, reply: PlayedLine, better: PlayedLine, cost: int
) -> Fact | None:
    """A right to castle or a passed pawn, if the evaluation sees it where the lines are at rest."""
    left, kept = _calm(reply), _calm(better)
    if left is None or kept is None:
        return None
    if balance(reply.boards[left], board.turn) < balance(better.boards[kept], board.turn):
        return None  # what the move loses in pieces is more
    by_group = _changes(board, reply.boards[left], better.boards[kept])
    if by_group["Material"].loss > _SAME_MATERIAL:
        return None
    king, passed = by_group.get("King"), by_group.get("Passed pawns")
    found = None
    has_queen = bool(reply.boards[left].pieces(chess.QUEEN, not board.turn))
    if has_queen and king and king.loss >= max(_KING_CHANGE, _SIDE_SHARE * cost):
        found = _castling(board, move, reply, better, left, kept)
    if not found and passed and passed.loss >= max(_PASSED_CHANGE, _SIDE_SHARE * cost):
        found = _passed(reply, better, left, kept)
    return found


def _changes(board: chess.Board, left: chess.Board, kept: chess.Board) -> dict[str, TermChange]:
    return {change.group: change for change in term_changes(kept, left, board.turn)}


def _calm(line: PlayedLine) -> int | None:
    """The last ply at which a line is at rest."""
    plies = range(min(len(line.moves), _HORIZON), 0, -1)
    return next((ply for ply in plies if is_settled(line.boards[ply])), None)


def _passed(reply: PlayedLine, better: PlayedLine, left: int, kept: int) -> Fact | None:
    """The other side's furthest passed pawn, which the better line does not let pass."""
    color, end, other = reply.attacker, reply.boards[left], better.boards[kept]
    pawns = [
        square
        for square in end.pieces(chess.PAWN, color)
        if rank_of(square, color) >= ADVANCED and is_passed(end, square, color)
    ]
    for square in sorted(pawns, key=lambda each: -rank_of(each, color)):
        file = chess.BB_FILES[chess.square_file(square)]
        if any(
            is_passed(other, each, color) and rank_of(each, color) >= rank_of(square, color)
            for each in other.pieces(chess.PAWN, color) & file
        ):
            continue
        pawn = chess.Piece(chess.PAWN, color)
        here = [
            board.piece_at(square) == pawn and is_passed(board, square, color)
            for board in reply.boards[: left + 1]
        ]
        ply = next(ply for ply in range(left + 1) if all(here[ply:]))
        if is_passed(better.boards[0], origin_of(reply, square, ply), color):
            continue  # it was one before
        guards = end.attackers(color, square) & end.pieces(chess.PAWN, color)
        return Fact("passed pawn", reply.moves[:ply], square, support=next(iter(guards), None))
    return None


def _castling(
    board: chess.Board,
    move: chess.Move,
    reply: PlayedLine,
    better: PlayedLine,
    left: int,
    kept: int,
) -> Fact | None:
    """The right to castle that the move gives up, or a check takes, and the better line keeps."""
    color = board.turn
    if not board.has_castling_rights(color) or board.is_castling(move):
        return None
    castles = any(better.boards[ply].is_castling(better.moves[ply]) for ply in range(0, kept, 2))
    if not castles and not better.boards[kept].has_castling_rights(color):
        return None
    for ply, after in enumerate(reply.boards[: left + 1]):
        if not after.has_castling_rights(color):
            last = reply.moves[ply - 1] if ply else move
            is_forced = ply == 0 or reply.boards[ply - 1].is_check()
            was_castling = ply > 0 and reply.boards[ply - 1].is_castling(last)
            return Fact("castling", reply.moves[:ply]) if is_forced and not was_castling else None
    return None

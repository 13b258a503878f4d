"""Pawns that decide a game: those that promote, run or stay behind in a pawn ending.

Sources: https://www.chessprogramming.org/Rule_of_the_Square,
https://www.chessprogramming.org/Passed_Pawn
"""

from __future__ import annotations

import chess

from .facts import Fact, Kind
from .motifs import PlayedLine, gains

#: A pawn that runs shows itself in so many plies, and promotes in so many.
_RUN, _PROMOTION = 12, 11

#: A pawn that could have been taken stays for so many plies.
_STAY = 5

#: A passed pawn that is not lost stays for so many plies.
_LONG_STAY = 8

#: The last piece goes within so many plies, and in a better line at least so many plies later.
_EXCHANGE, _LATER = 6, 4

#: Up to this score, in centipawns, a pawn ending is drawn, and from the second on it is won.
_DRAWN, _WON = 25, 500

#: So many plies show how a pawn ending is lost.
_RESULT = 6

#: The fifth rank, counted from nought.
ADVANCED = 4


def promotion_fact(kind: Kind, line: PlayedLine, other: PlayedLine) -> Fact | None:
    """A pawn of the side that begins a line promotes in it, and stays what it has become.

    Or a rook or queen must take it, and is taken in its turn; the last two moves show that.
    """
    if _new_queens(line, not line.attacker) or _new_queens(other, line.attacker):
        return None
    if _paid_queens(other, line.attacker):
        return None
    found = [(ply, ply + 1) for ply in _new_queens(line, line.attacker)]
    found += [(ply, ply + 3) for ply in _paid_queens(line, line.attacker)]
    if not found or found[0][0] >= _PROMOTION:
        return None
    ply, end = found[0]
    origin = origin_of(line, line.moves[ply].from_square, ply)
    return Fact(kind, line.moves[:end], origin=origin)


def origin_of(line: PlayedLine, square: chess.Square, ply: int) -> chess.Square:
    """Where the piece that stands on a square before a ply stood when the line began."""
    for move in reversed(line.moves[:ply]):
        if move.to_square == square:
            square = move.from_square
    return square


def _new_queens(line: PlayedLine, color: chess.Color) -> list[int]:
    """The plies at which pawns of a side promote that are on the board at the end."""
    last = len(line.moves)
    return [
        ply
        for ply, move in enumerate(line.moves)
        if move.promotion
        and line.boards[ply].turn == color
        and _is_kept(line, move.to_square, ply + 1, last)
    ]


def _paid_queens(line: PlayedLine, color: chess.Color) -> list[int]:
    """The plies at which pawns of a side promote that a rook or queen takes and is lost for.

    Before that no more than pawns are taken.
    """
    found = []
    for ply, move in enumerate(line.moves[:-2]):
        takes = {each.to_square for each in line.moves[ply + 1 : ply + 3]}
        prize = line.captured(ply)
        if prize and prize.kind != chess.PAWN:
            break
        if not move.promotion or line.boards[ply].turn != color or takes != {move.to_square}:
            continue
        if line.mover(ply + 1).kind in (chess.ROOK, chess.QUEEN):
            found.append(ply)
    return found


def _is_kept(line: PlayedLine, square: chess.Square, first: int, last: int) -> bool:
    """Whether the piece on a square is not taken, wherever it goes."""
    for move in line.moves[first:last]:
        if move.from_square == square:
            square = move.to_square
        elif move.to_square == square:
            return False
    return True


def runner_fact(reply: PlayedLine, better: PlayedLine) -> Fact | None:
    """A pawn of the other side whose square the king has left."""
    color = reply.attacker
    if any(runners(board, color) for board in better.boards[: _RUN + 1]):
        return None
    for ply, board in enumerate(reply.boards[: _RUN + 1]):
        found = runners(board, color)
        king = board.king(not color)
        if found and king is not None:
            origin = origin_of(reply, found[0], ply)
            return Fact("runner", reply.moves[:ply], found[0], origin, king)
    return None


def runners(board: chess.Board, color: chess.Color) -> list[chess.Square]:
    """A side's pawns that the other one, which has pawns at most, cannot stop any more."""
    enemy, king = not color, board.king(not color)
    if king is None or board.is_check():
        return []
    others = board.occupied_co[enemy] & ~board.pawns & ~board.kings
    if others or (board.pawns & board.occupied_co[enemy] and _is_racing(board, enemy)):
        return []
    found = []
    for square in board.pieces(chess.PAWN, color):
        target = chess.square(chess.square_file(square), 7 if color else 0)
        path = chess.SquareSet(chess.between(square, target)) | chess.SquareSet([target])
        steps = len(path) - (rank_of(square, color) == 1)
        moves = steps - (board.turn == color)  # of the king, before the pawn is there
        hindered = [each for each in [square, *path] if board.attackers(enemy, each) & board.pawns]
        if hindered or square in chess.SquareSet(chess.BB_KING_ATTACKS[king]):
            continue
        if path & board.occupied or chess.square_distance(king, target) <= moves + 1:
            continue
        found.append(square)
    return found


def _is_racing(board: chess.Board, color: chess.Color) -> bool:
    """Whether a side has a passed pawn beyond the middle, which may be faster."""
    return any(
        rank_of(square, color) >= ADVANCED and is_passed(board, square, color)
        for square in board.pieces(chess.PAWN, color)
    )


def rank_of(square: chess.Square, color: chess.Color) -> int:
    """The rank of a square from a side, from 0 to 7."""
    rank = chess.square_rank(square)
    return rank if color else 7 - rank


def is_passed(board: chess.Board, square: chess.Square, color: chess.Color) -> bool:
    """Whether no pawn of the other side can stop or take a pawn on its way."""
    return not any(
        abs(chess.square_file(other) - chess.square_file(square)) <= 1
        and rank_of(other, color) > rank_of(square, color)
        for other in board.pieces(chess.PAWN, not color)
    )


def spared_pawn_fact(move: chess.Move, reply: PlayedLine, better: PlayedLine) -> Fact | None:
    """The better move takes a passed pawn, which in the refutation stays to the end."""
    if len(reply.moves) < _STAY or not better.moves:
        return None
    take, board = better.moves[0], better.boards[0]
    square = take.to_square
    if better.captured(0) is None or board.piece_type_at(square) != chess.PAWN:
        return None
    is_held = gains(board, take) and move.to_square != square
    if not is_held or not is_passed(board, square, not board.turn):
        return None
    if rank_of(square, not board.turn) < ADVANCED - 1:
        return None
    is_kept = _is_kept(reply, square, 0, len(reply.moves))
    return Fact("spared pawn", (), square, capture=take) if is_kept else None


def lost_passed_pawn_fact(reply: PlayedLine, better: PlayedLine) -> Fact | None:
    """The refutation takes a passed pawn for good, which in the better line stays to the end."""
    if min(len(reply.moves), len(better.moves)) < _LONG_STAY:
        return None
    take, board = reply.moves[0], better.boards[0]
    prize = reply.captured(0)
    if prize is None or prize.kind != chess.PAWN or not gains(reply.boards[0], take):
        return None
    square, color = prize.square, not reply.attacker
    if board.piece_at(square) != chess.Piece(chess.PAWN, color):
        return None
    if rank_of(square, color) < ADVANCED or not is_passed(board, square, color):
        return None
    if min(reply.balances[1::2]) <= reply.balances[0]:  # with what it takes back
        return None
    other = better.boards[1]
    if other.is_legal(take) and gains(other, take):
        return None
    is_kept = _is_kept(better, square, 0, len(better.moves))
    return Fact("lost passed pawn", reply.moves[:1], square) if is_kept else None


def pawn_ending_fact(board: chess.Board, reply: PlayedLine, better: PlayedLine) -> Fact | None:
    """The last piece goes, and in the better line one stays for longer."""
    plies = range(min(len(reply.moves), _EXCHANGE) + 1)
    ply = next((ply for ply in plies if not _has_pieces(reply.boards[ply])), None)
    if ply is None or not _has_pieces(board):
        return None
    others = better.boards[: ply + _LATER + 1]
    if len(others) <= ply + 1 or not all(_has_pieces(other) for other in others):
        return None
    return Fact("pawn ending", reply.moves[:ply])


def pawn_result_fact(
    board: chess.Board, reply: PlayedLine, score_before: int, score_after: int
) -> Fact | None:
    """A pawn ending that was won or drawn is no longer, by scores that leave no doubt."""
    kept, left = _result(score_before), _result(score_after)
    if _has_pieces(board) or kept is None or left is None or left >= kept or not reply.moves:
        return None
    return Fact("pawn result", reply.moves[:_RESULT], verdict=left, kept=kept)


def _result(score: int) -> int | None:
    """What a score makes of a pawn ending: won, 1, drawn, 0, or lost, -1; None in between."""
    if abs(score) <= _DRAWN:
        return 0
    return (1 if score > 0 else -1) if abs(score) >= _WON else None


def _has_pieces(board: chess.Board) -> bool:
    return bool(board.occupied & ~board.pawns & ~board.kings)

"""Positions for comparing the compiled python-chess with the ordinary one."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess

PIECES = "PNBRQKpnbrqk"


def game(rng: random.Random) -> Iterator[chess.Board]:
    """The positions of a random game, a third of them in Chess960."""
    if rng.random() < 0.35:
        board = chess.Board.from_chess960_pos(rng.randrange(960))
    else:
        board = chess.Board()
    for _ in range(rng.randrange(10, 200)):
        yield board
        moves = list(board.legal_moves)
        if not moves:
            return
        board.push(chess.Move.null() if rng.random() < 0.01 else rng.choice(moves))


def garbage(rng: random.Random) -> chess.Board:
    """A board that no game can reach: any number of kings, pawns anywhere, meaningless rights."""
    board = chess.Board(None, chess960=rng.random() < 0.5)
    density = rng.choice((0.05, 0.2, 0.5, 0.95))
    for square in chess.SQUARES:
        if rng.random() < density:
            piece = chess.Piece.from_symbol(rng.choice(PIECES))
            board.set_piece_at(square, piece, promoted=rng.random() < 0.1)
    if rng.random() < 0.7:
        for king in (chess.Piece.from_symbol("K"), chess.Piece.from_symbol("k")):
            rank = rng.choice((0, 7, rng.randrange(8)))
            board.set_piece_at(chess.square(rng.randrange(8), rank), king)
    board.turn = rng.random() < 0.5
    if rng.random() < 0.3:  # with a move on its stack, a board no longer filters its rights
        board.push(chess.Move.null())
    board.castling_rights = rng.getrandbits(64) & rng.choice((0, chess.BB_BACKRANKS, chess.BB_ALL))
    board.ep_square = rng.choice((None, rng.randrange(64), rng.randrange(16, 48)))
    board.halfmove_clock = rng.randrange(160)
    board.fullmove_number = rng.randrange(1, 300)
    return board


def positions(count: int, seed: int) -> Iterator[chess.Board]:
    """*count* positions, three quarters from random games; the caller must leave yielded boards
    unchanged.
    """
    rng = random.Random(seed)
    while count > 0:
        if rng.random() < 0.03:
            for board in game(rng):
                yield board
                count -= 1
                if count <= 0:
                    return
        else:
            yield garbage(rng)
            count -= 1


def any_move(rng: random.Random) -> chess.Move:
    """A move between any two squares, perhaps promoting to anything, rarely a drop."""
    promotion = rng.choice((None, None, None, *range(1, 7)))
    drop = rng.choice(chess.PIECE_TYPES) if rng.random() < 0.02 else None
    return chess.Move(rng.randrange(64), rng.randrange(64), promotion, drop)

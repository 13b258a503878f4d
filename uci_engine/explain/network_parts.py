"""Takes the evaluation of a position by a stand-alone network apart."""

from __future__ import annotations

from dataclasses import dataclass

import chess

from ..base.language import local, say
from ..board.movegen import Board, new_board
from ..display.sheet import Column, Sheet
from ..eval.evaluation import Evaluator
from ..eval.network import Network
from ..eval.network_file import (
    INPUTS,
    NETWORK,
    ROWS,
    NetworkError,
    Weights,
    chosen,
    evaluating_by,
)
from ..search.position import Position


@dataclass(frozen=True)
class PieceWorth:
    """A piece and its worth, in centipawns from White's side.

    :ivar own: its share of material and position.
    :ivar whole: how much the network's value drops without it; None for a king.
    """

    square: chess.Square
    piece: chess.Piece
    own: float
    whole: int | None


@dataclass(frozen=True)
class NetworkParts:
    """A network's evaluation in centipawns from White's side; its three parts add up to `value`.

    :ivar position: material and position, the sum of all `PieceWorth.own`.
    :ivar neurons: the neurons' contribution.
    :ivar endgame: the correction for known endgames.
    """

    pieces: tuple[PieceWorth, ...]
    position: float
    neurons: float
    endgame: int
    value: int

    def in_order(self) -> list[PieceWorth]:
        """The pieces, White's first, the king before the queen and so on."""
        return sorted(self.pieces, key=lambda one: (not one.piece.color, -one.piece.piece_type))


def network_parts(board: chess.Board, name: str = NETWORK) -> NetworkParts:
    """Take a network's evaluation of a position apart.

    :param name: see `halbzug.eval.network_file.named`; a network, not the terms.
    :raises NetworkError: if there is no such network.

    >>> parts = network_parts(chess.Board("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"))
    >>> parts.position + parts.neurons + parts.endgame == parts.value > 500
    True
    """
    sign = 1 if board.turn else -1
    with evaluating_by(name):
        weights = chosen()
        if weights is None:
            raise NetworkError("the terms are not a network")
        position = Position(new_board(board.fen()))
        value = Evaluator().evaluate(position.board, position.accumulator)
        whole = _evaluate(position.board, weights)
        pieces = []
        for square, piece in sorted(board.piece_map().items()):
            change = None
            if piece.piece_type != chess.KING:
                change = sign * (whole - _without(board, square, weights))
            own = _own_part(weights, board, square, piece)
            pieces.append(PieceWorth(square, piece, own, change))
    parts = sum(one.own for one in pieces)
    return NetworkParts(
        tuple(pieces), parts, sign * whole - parts, sign * (value - whole), sign * value
    )


def parts_table(parts: NetworkParts) -> Sheet:
    """Each piece, White's first, and the totals."""
    numbers = (say("own part"), say("without it"))
    sheet = Sheet((Column(say("Network")), *(Column(name, True) for name in numbers)))
    for one in parts.in_order():
        name = say(
            "{color} {piece} {square}",
            color=say("White" if one.piece.color else "Black"),
            piece=say(chess.piece_name(one.piece.piece_type)),
            square=chess.square_name(one.square),
        )
        sheet.add(name, local(f"{one.own:+.1f}"), "" if one.whole is None else f"{-one.whole:+}")
    for title, part in (
        (say("Material and position"), parts.position),
        (say("Neurons"), parts.neurons),
        (say("Known endgames"), parts.endgame),
        (say("Evaluation by the network, for White"), parts.value),
    ):
        sheet.add(title, local(f"{part:+.1f}"), "", tone="strong")
    return sheet


def _own_part(
    weights: Weights, board: chess.Board, square: chess.Square, piece: chess.Piece
) -> float:
    """A piece's share of material and position, in centipawns from White's side."""
    row = min((chess.popcount(board.occupied) - 1) // 4, ROWS - 1)
    worth = 0
    for color in chess.COLORS:
        king = board.king(color)
        assert king is not None
        turn = 0 if color else 56
        turn ^= 0 if king & 4 else 7
        seen = king ^ turn
        place = weights.places[(seen >> 3) * 4 + (seen & 3)]
        kind = piece.piece_type - 1 + 6 * (piece.color != color)
        number = weights.position[(place * INPUTS + kind * 64 + (square ^ turn)) * ROWS + row]
        worth += number if color else -number
    return worth * weights.scale / 1024 / 4


def _without(board: chess.Board, square: chess.Square, weights: Weights) -> int:
    """The network's value without a piece, from the side to move."""
    rest = new_board(board.fen())
    rest.remove_piece_at(square)
    return _evaluate(rest, weights)


def _evaluate(board: Board, weights: Weights) -> int:
    network = Network(weights)
    for square, piece in board.piece_map().items():
        network.add(piece.color, piece.piece_type, square)
    return network.evaluate(board)

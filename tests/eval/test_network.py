"""The network corrects the terms, and is the same for both colours."""

from __future__ import annotations

from array import array
from operator import mul
from types import SimpleNamespace
from typing import Any

import chess
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, endgames, games

from halbzug.base.limits import Limits
from halbzug.eval import network_weights, neurons
from halbzug.eval.endgame import FULL_SCALE, scale
from halbzug.eval.evaluation import Evaluator
from halbzug.eval.network import (
    FULL,
    HIDDEN,
    INPUT_WEIGHTS,
    MAX_CORRECTION,
    MAX_ROW,
    OUTPUT_WEIGHTS,
    PARTS,
    PIECES_PER_ROW,
    ROWS_OF_SIDE,
    row_of,
)
from halbzug.search.position import Position
from halbzug.search.search import Search
from halbzug.search.settings import Settings
from halbzug.search.strength import Handicap
from halbzug.search.transposition import TranspositionTable

KNIGHTS = "r1bq1rk1/pp2bppp/2n2n2/3p4/3N4/2N1B3/PPP1BPPP/R2Q1RK1 w - - 0 10"

any_game = st.one_of(games(), endgames(8))


def correction(position: Position) -> int:
    """The network's correction, in centipawns for White."""
    piece_count, turn = position.board.occupied.bit_count(), position.board.turn
    sums = position.accumulator.network
    white = sums.output(True, piece_count, turn)
    return white - sums.output(False, piece_count, not turn)


def nodes(settings: Settings, handicap: Handicap | None = None) -> int:
    """The number of nodes of a depth-6 search: another evaluation searches another tree."""
    search = Search(TranspositionTable(1), settings)
    search.tree.set_handicap(handicap)
    search.run(Game(KNIGHTS).position(), Limits(depth=6))
    return search.nodes


def test_the_tables_fit_the_network():
    assert len(network_weights.BIASES) == HIDDEN
    assert len(INPUT_WEIGHTS) == 768 * HIDDEN
    assert ROWS_OF_SIDE == 32 // PIECES_PER_ROW
    assert len(OUTPUT_WEIGHTS) == 2 * ROWS_OF_SIDE * HIDDEN
    for row in network_weights.OUTPUTS:
        assert sum(weight for weight in row if weight > 0) <= MAX_ROW
        assert -sum(weight for weight in row if weight < 0) <= MAX_ROW


@given(any_game)
def test_the_sums_of_a_game_are_those_of_its_last_position(game: Game):
    """The compiled loops and their updates, compared with plain Python that adds up all pieces."""
    position = game.position()
    pieces = position.board.piece_map()
    for color in chess.COLORS:
        is_to_move = color == position.board.turn
        row = row_of(len(pieces), is_to_move) * HIDDEN
        sums = list(network_weights.BIASES)
        for square, piece in pieces.items():
            kind = piece.piece_type - 1 + 6 * (piece.color != color)
            first = (kind << 6 | (square if color else square ^ 56)) * HIDDEN
            sums = [value + INPUT_WEIGHTS[first + at] for at, value in enumerate(sums)]
        outputs = OUTPUT_WEIGHTS[row : row + HIDDEN]
        total = sum(map(mul, (min(max(value, 0), FULL) ** 2 for value in sums), outputs)) // PARTS
        total = min(max(total, -MAX_CORRECTION), MAX_CORRECTION)
        assert position.accumulator.network.output(color, len(pieces), is_to_move) == total


@given(st.data())
def test_packed_numbers_do_not_overlap(data: st.DataObject):
    """The loops of plain Python, with numbers up to their limits."""
    short = st.one_of(st.integers(-(2**15), 2**15 - 1), st.sampled_from((0, -1, FULL, FULL - 1)))
    byte = st.integers(-127, 127)
    old, (added, removed, captured, outputs) = (
        data.draw(st.lists(short, min_size=32, max_size=32)),
        data.draw(st.tuples(*[st.lists(byte, min_size=32, max_size=32)] * 4)),
    )
    network: Any = SimpleNamespace(
        sums=memoryview(array("h", old + [0] * 64)),
        inputs=array("h", added + removed + captured),
        outputs=array("h", outputs),
    )
    neurons.update(network, 32, 0, 0, 32, 32)
    neurons.capture(network, 64, 0, 0, 32, 64, 32)
    new = [first + second - third for first, second, third in zip(old, added, removed, strict=True)]
    assert network.sums[:32].tolist() == old
    assert network.sums[32:64].tolist() == [wrapped(value) for value in new]
    new = [value - other for value, other in zip(new, captured, strict=True)]
    assert network.sums[64:].tolist() == [wrapped(value) for value in new]
    cut = [min(max(value, 0), FULL) for value in old]
    assert neurons.worth(network, 0, 0, FULL, 32) == sum(
        value**2 * weight for value, weight in zip(cut, outputs, strict=True)
    )


def wrapped(value: int) -> int:
    """The value after an overflow of 16 bits."""
    return (value + 2**15) % 2**16 - 2**15


@given(any_game)
def test_swapped_colours_swap_the_sides(game: Game):
    board = game.reference()
    mirrored = Game(board.mirror().fen()).position()
    assert correction(Game(board.fen()).position()) == -correction(mirrored)


@given(any_game)
def test_the_correction_is_what_the_network_adds_to_the_terms(game: Game):
    """Except for rounding, and in endgames whose advantage is scaled down."""
    position = game.position()
    evaluator = Evaluator()
    whole = evaluator.evaluate(position.board, position.accumulator)
    evaluator.use_network = False
    terms = evaluator.evaluate(position.board, position.accumulator)
    added = correction(position) if position.board.turn else -correction(position)
    if all(scale(position.board, side) == FULL_SCALE for side in (True, False)):
        assert abs(whole - terms - added) <= 1
    elif added == 0:
        assert whole == terms


def test_more_pieces_than_a_game_can_have_do_no_harm():
    board = chess.Board("qqqqkqqq/qqqqqqqq/qqqqqqqq/8/8/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1")
    position = Game(board.fen()).position()
    assert correction(position) == 0 or abs(correction(position)) < 20_000


def test_the_network_is_a_switch_of_the_search():
    assert nodes(Settings()) != nodes(Settings(network=False))


def test_a_handicapped_engine_uses_the_network():
    """Handicaps are calibrated with it."""
    handicap = Handicap(nodes=10**9, perturbation=0, book_moves=0)
    assert nodes(Settings(), handicap) == nodes(Settings())

"""A network that evaluates on its own: its sums, its files, and the search with it."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, endgames, games, wandering

from halbzug.base.limits import Limits
from halbzug.board import movegen
from halbzug.eval import network_file, rows
from halbzug.eval.evaluation import Evaluator
from halbzug.eval.network import FULL, Network
from halbzug.eval.network_file import INPUTS, ROWS, NetworkError, Weights
from halbzug.search.position import Position
from halbzug.search.search import Search
from halbzug.search.transposition import TranspositionTable

any_game = st.one_of(games(), endgames(8))


def made_up(neurons: int = 32, kings: int = 3) -> Weights:
    """Random weights, close to those of a trained network."""
    chooser = random.Random(1)

    def numbers(kind: str, count: int, largest: int) -> array[int]:
        return array(kind, chooser.choices(range(-largest, largest + 1), k=count))

    places = array("B", [chooser.randrange(kings) for _ in range(32)])
    return Weights(
        neurons,
        1100,
        places,
        numbers("h", neurons, 200),
        numbers("b", ROWS * 2 * neurons, 127),
        numbers("h", kings * INPUTS * ROWS, 2000),
        numbers("b", kings * INPUTS * neurons, 127),
    )


WEIGHTS = made_up()


@pytest.fixture(scope="module", autouse=True)
def _chosen() -> Iterator[None]:
    network_file.choose(WEIGHTS)
    yield
    network_file.choose(None)


def expected(board: chess.Board, weights: Weights = WEIGHTS) -> int:
    """The evaluation by plain sums over all pieces."""
    pieces = board.piece_map()
    row = min((len(pieces) - 1) // 4, ROWS - 1)
    parts = 0
    for side, color in enumerate((board.turn, not board.turn)):
        king = board.king(color)
        assert king is not None
        turn = 0 if color else 56
        turn ^= 0 if king & 4 else 7
        king ^= turn
        place = weights.places[king >> 3 << 2 | king & 3] * INPUTS
        inputs = [
            place + (piece.piece_type - 1 + 6 * (piece.color != color) << 6 | square ^ turn)
            for square, piece in pieces.items()
        ]
        worth = sum(weights.position[number * ROWS + row] for number in inputs)
        parts += (-worth if side else worth) << 13
        for neuron in range(weights.neurons):
            total = weights.biases[neuron]
            total += sum(weights.inputs[number * weights.neurons + neuron] for number in inputs)
            output = weights.outputs[(2 * row + side) * weights.neurons + neuron]
            parts += min(max(total, 0), FULL) ** 2 * output
    return min(max(parts * weights.scale // 1024 >> 15, -15_000), 15_000)


def found(position: Position) -> int:
    return position.accumulator.network.evaluate(position.board)


@given(any_game)
def test_the_evaluation_of_a_game_is_that_of_its_last_position(game: Game):
    """The loops, their updates and their cache, compared with plain sums over all pieces."""
    assert found(game.position()) == expected(game.reference())


@given(games(30), st.integers(0, 2**32))
def test_evaluations_are_right_however_rarely_they_are_asked_for(game: Game, seed: int):
    for position in wandering(game, seed):
        fresh = movegen.new_board(position.board.fen(), (), game.chess960)
        assert found(position) == found(Position(fresh))


@given(any_game)
def test_swapped_colours_and_mirrored_wings_give_the_same_evaluation(game: Game):
    board = game.reference()
    for other in (board.mirror(), board.transform(chess.flip_horizontal)):
        assert found(Game(other.fen()).position()) == found(game.position())


@given(st.data())
def test_packed_numbers_do_not_overlap(data: st.DataObject):
    """The loops of plain Python, with numbers up to their limits."""
    short = st.one_of(st.integers(-(2**15), 2**15 - 1), st.sampled_from((0, -1, FULL, FULL - 1)))
    byte = st.integers(-127, 127)
    old, inputs, outputs = (
        data.draw(st.lists(kind, min_size=size, max_size=size))
        for kind, size in ((short, 32), (byte, 128), (byte, 32))
    )
    network: Any = SimpleNamespace(
        sums=memoryview(array("h", old + [0] * 32)),
        inputs=array("b", inputs + [0] * 32),
        outputs=array("b", outputs),
        nothing=4,
    )
    added, second_added, removed, second_removed = (inputs[at : at + 32] for at in (0, 32, 64, 96))
    for numbers in ((0, 4, 2, 4), (0, 4, 2, 3), (0, 1, 2, 3)):
        rows.change(network, 32, 0, *numbers, 32)
        new = list(old)
        for at in range(32):
            new[at] += added[at] - removed[at]
            new[at] += second_added[at] if 1 in numbers else 0
            new[at] -= second_removed[at] if 3 in numbers else 0
        assert network.sums[:32].tolist() == old
        assert network.sums[32:].tolist() == [(one + 2**15) % 2**16 - 2**15 for one in new]
    clipped = [min(max(value, 0), FULL) for value in old]
    assert rows.worth_of_view(network, 0, 0, FULL, 32) == sum(
        value**2 * weight for value, weight in zip(clipped, outputs, strict=True)
    )


def test_pieces_may_be_placed_and_removed_between_two_evaluations():
    board = movegen.new_board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    network = Network(WEIGHTS)
    for color, piece, square in ((True, 6, 4), (False, 6, 60), (True, 1, 12)):
        network.add(color, piece, square)
    assert network.evaluate(board) == expected(board)
    network.remove(True, 1, 12)
    network.add(True, 1, 20)
    moved = movegen.new_board("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1")
    assert network.evaluate(moved) == expected(moved)


def test_a_full_board_has_an_evaluation():
    board = chess.Board(f"{'/'.join(['QQQQQQQQ'] * 7)}/QQkQQQKQ w - - 0 1")
    assert found(Position(movegen.new_board(board.fen()))) == expected(board)


def test_the_search_plays_with_it():
    search = Search(TranspositionTable(1))
    position = Game(chess.STARTING_FEN).position()
    assert Evaluator().evaluate(position.board, position.accumulator) == found(position)
    with_it = search.run(position, Limits(depth=4)), search.nodes
    network_file.choose(None)
    try:
        without = Search(TranspositionTable(1))
        assert (
            without.run(Game(chess.STARTING_FEN).position(), Limits(depth=4)),
            without.nodes,
        ) != with_it
    finally:
        network_file.choose(WEIGHTS)


def test_a_file_holds_the_network(tmp_path: Path):
    path = tmp_path / "some.nnue"
    path.write_bytes(WEIGHTS.pack())
    read = network_file.read(path)
    assert read.pack() == WEIGHTS.pack()
    assert (read.neurons, read.kings, read.scale) == (32, 3, 1100)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: b"", "it is not a Halbzug network"),
        (lambda data: b"\x20\x2f\xf3\x7a" + data[4:], "it is not a Halbzug network"),
        (lambda data: data[:20], "it ends too early"),
        (lambda data: data[:-1], "bytes instead of"),
        (lambda data: data + b"\x00", "bytes instead of"),
        (lambda data: data[:1000] + bytes([data[1000] ^ 1]) + data[1001:], "it is damaged"),
        (lambda data: data[:8] + b"\x21" + data[9:], "it has 33 neurons"),
    ],
    ids=["empty", "Stockfish's", "head", "cut", "longer", "damaged", "neurons"],
)
def test_a_file_of_another_kind_is_refused(change, reason: str, tmp_path: Path):
    path = tmp_path / "other.nnue"
    path.write_bytes(change(WEIGHTS.pack()))
    with pytest.raises(NetworkError, match=reason):
        network_file.read(path)
    with pytest.raises(NetworkError):
        network_file.read(tmp_path / "missing.nnue")


def test_a_network_that_has_evaluated_is_written_as_it_was_read() -> None:
    data = made_up().pack()
    weights = network_file.unpack(data)
    for one in (weights, replace(weights, scale=512)):
        Network(one)
    assert weights.kings == 3
    assert weights.pack() == data

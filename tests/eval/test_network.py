"""The network corrects the terms, is the same for both colours, and can be fitted again."""

from __future__ import annotations

import base64
import random
import runpy
from pathlib import Path

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, endgames, games

from halbzug.eval import network_weights
from halbzug.eval.endgame import FULL_SCALE, scale
from halbzug.eval.evaluation import Evaluator
from halbzug.eval.network import HIDDEN, INPUT_WEIGHTS, OUTPUT_WEIGHTS, PIECES_PER_ROW
from halbzug.limits import Limits
from halbzug.search.position import Position
from halbzug.search.search import Search
from halbzug.search.settings import Settings
from halbzug.search.strength import Handicap
from halbzug.search.transposition import TranspositionTable
from halbzug.tuning import network
from halbzug.tuning.selfplay import Sample

KNIGHTS = "r1bq1rk1/pp2bppp/2n2n2/3p4/3N4/2N1B3/PPP1BPPP/R2Q1RK1 w - - 0 10"

any_game = st.one_of(games(), endgames(8))


def correction(position: Position) -> int:
    """What the network says, in centipawns for White."""
    piece_count = position.board.occupied.bit_count()
    sums = position.accumulator.network
    return sums.output(True, piece_count) - sums.output(False, piece_count)


def nodes(settings: Settings, handicap: Handicap | None = None) -> int:
    """How many nodes six plies take: another evaluation, another tree."""
    search = Search(TranspositionTable(1), settings)
    search.tree.set_handicap(handicap)
    search.run(Game(KNIGHTS).position(), Limits(depth=6))
    return search.nodes


def test_the_tables_fit_the_network():
    assert len(network_weights.BIASES) == HIDDEN
    assert len(INPUT_WEIGHTS) == 768 * HIDDEN
    assert len(OUTPUT_WEIGHTS) == 32 // PIECES_PER_ROW * HIDDEN


@given(any_game)
def test_swapped_colours_swap_the_sides(game: Game):
    board = game.reference()
    mirrored = Game(board.mirror().fen()).position()
    assert correction(Game(board.fen()).position()) == -correction(mirrored)


@given(any_game)
def test_what_it_says_is_what_it_adds_to_the_terms(game: Game):
    """But for rounding, and where not all of an endgame's advantage can be won."""
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


def test_more_pieces_than_a_game_has_are_no_harm():
    board = chess.Board("qqqqkqqq/qqqqqqqq/qqqqqqqq/8/8/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1")
    position = Game(board.fen()).position()
    assert correction(position) == 0 or abs(correction(position)) < 20_000


def test_it_is_a_switch_of_the_search():
    assert nodes(Settings()) != nodes(Settings(network=False))


def test_a_handicapped_engine_has_it_too():
    """Handicaps are calibrated with it."""
    handicap = Handicap(nodes=10**9, perturbation=0, book_moves=0)
    assert nodes(Settings(), handicap) == nodes(Settings())


class TestFit:
    """What `halbzug.tuning.network` finds is what the engine uses."""

    @pytest.fixture(autouse=True)
    def _numpy(self):
        pytest.importorskip("numpy")

    @pytest.mark.slow
    def test_what_the_terms_do_not_know_is_learnt(self, tmp_path: Path):
        """Queens on d4 and d5 are worth something here, and the network finds out."""
        chooser = random.Random(1)
        path = tmp_path / "positions.txt"
        with path.open("w", encoding="utf-8") as file:
            for number in range(2000):
                board = chess.Board("6k1/8/8/8/8/8/8/6K1 w - - 0 1")
                board.turn = bool(number % 2)
                squares = chooser.sample([chess.D4, chess.D5, chess.A1, chess.A8, chess.H4], 2)
                for square, symbol in zip(squares, "Qq", strict=True):
                    board.set_piece_at(square, chess.Piece.from_symbol(symbol))
                good = (squares[0] == chess.D4) - (squares[1] == chess.D5)
                file.write(f"{Sample(board.fen(), number, 0.5 + 0.3 * good, 0)}\n")
        positions = network.read(path)
        assert len(positions) == 2000
        fit = network.Fit()
        before = fit.error_of_terms(positions)
        fit.run(positions, epochs=150)
        assert fit.error(positions) < before / 5

    def test_it_sees_what_the_engine_sees(self, tmp_path: Path):
        """The shipped weights, as floating-point numbers, say the same up to rounding."""
        fit = network.Fit(warm=True)
        path = tmp_path / "positions.txt"
        chooser = random.Random(4)
        board = chess.Board()
        expected = []
        with path.open("w", encoding="utf-8") as file:
            while not board.is_game_over() and len(expected) < 80:
                file.write(f"{Sample(board.fen(), 1, 0.5, 0)}\n")
                white = correction(Game(board.fen()).position())
                expected.append(white if board.turn else -white)
                board.push(chooser.choice(list(board.legal_moves)))
        found = fit.correction(network.read(path))
        assert all(abs(one - other) <= 1.01 for one, other in zip(found, expected, strict=True))

    def test_a_warm_start_loses_nothing(self):
        """Without learning anything the engine's weights come out as they went in."""
        inputs, biases, outputs = network.Fit(warm=True).round()
        assert inputs.ravel().tolist() == INPUT_WEIGHTS.tolist()
        assert biases.tolist() == list(network_weights.BIASES)
        assert outputs.ravel().tolist() == OUTPUT_WEIGHTS.tolist()

    def test_the_written_table_reads_back(self, tmp_path: Path):
        fit = network.Fit(seed=2)
        path = tmp_path / "network_weights.py"
        path.write_text(network.render(fit, "By nobody."), encoding="utf-8")
        written = runpy.run_path(str(path))
        inputs, biases, outputs = fit.round()
        assert base64.b64decode(written["INPUTS"]) == inputs.tobytes()
        assert written["BIASES"] == tuple(biases)
        assert written["OUTPUTS"] == tuple(map(tuple, outputs))
        assert "By nobody." in path.read_text(encoding="utf-8")

    def test_two_files_are_the_least(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
        with pytest.raises(SystemExit) as end:
            network.main([str(tmp_path / "one.txt")])
        assert end.value.code != 0
        assert "hold out" in capsys.readouterr().err

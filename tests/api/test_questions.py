"""One call for one question: `halbzug.play`, `analyse`, `evaluate`, `annotate`, `perft`."""

from __future__ import annotations

import importlib
import inspect
import io
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import chess
import chess.engine
import chess.pgn
import chess.variant
import pytest
from chess.engine import Cp, Limit, Mate
from command_line import OPERA_GAME
from hypothesis import given
from positions import Game, games

import halbzug
from halbzug.eval.weights import GROUPS

MATE_IN_ONE = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"
MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
HOSTILE = '<script>alert("1")</script>'


def test_a_move() -> None:
    board = chess.Board(MATE_IN_ONE)
    played = halbzug.play(board, depth=3)
    assert isinstance(played, chess.engine.PlayResult)
    assert (played.san, played.move) == ("Qg7#", chess.Move.from_uci("g5g7"))
    assert played.score == chess.engine.PovScore(Mate(1), chess.WHITE)
    assert repr(played) == "<Played Qg7# (#1)>"


def test_a_move_in_a_finished_game() -> None:
    played = halbzug.play(chess.Board(MATED), depth=3)
    assert (played.move, played.san) == (None, "")
    assert repr(played).startswith("<Played no move")


def test_lines() -> None:
    board = chess.Board()
    analysis = halbzug.analyse(board, depth=6, multipv=3)
    assert len(analysis) == 3 == len(analysis.moves)
    best = analysis[0]
    assert (analysis.score, analysis.move, analysis.pv) == (best.score, best.move, best.pv)
    assert best.san.startswith(f"1.{board.san(best.pv[0])}")
    assert analysis.depth == best.depth == 6
    scores = [line.score.relative for line in analysis]
    assert scores == sorted(scores, reverse=True)
    chances = analysis.wdl.white()
    assert chances.wins + chances.draws + chances.losses == 1000
    assert str(analysis).count("\n") == 2


def test_the_same_question_has_the_same_answer() -> None:
    board = chess.Board(KIWIPETE)
    first = halbzug.analyse(board, nodes=3000)
    halbzug.analyse(chess.Board(), nodes=5000)
    again = halbzug.analyse(board, nodes=3000)
    assert (first.score, first.pv) == (again.score, again.pv)


def test_the_moves_before_the_position_count() -> None:
    board = chess.Board()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
        board.push_uci(move)
    repeating = halbzug.analyse(board, depth=1, multipv=20).moves
    assert repeating[chess.Move.from_uci("g1f3")].relative == Cp(0)


def test_a_finished_game_has_a_score() -> None:
    analysis = halbzug.analyse(chess.Board(MATED), depth=2)
    assert (analysis.score.relative, analysis.move, analysis.san) == (Mate(0), None, "")


def test_another_engine_can_be_used() -> None:
    fake = str(Path(__file__).parents[1] / "fake_engine.py")
    with chess.engine.SimpleEngine.popen_uci([sys.executable, fake, "plain"]) as engine:
        board = chess.Board()
        assert halbzug.play(board, time=1, engine=engine).move in board.legal_moves
        assert halbzug.analyse(board, time=1, engine=engine).score


@given(games())
def test_the_terms_add_up(game: Game) -> None:
    board = game.reference()
    evaluation = halbzug.evaluate(board)
    assert sum(evaluation.values()) + evaluation.rounding == pytest.approx(evaluation.white)
    assert evaluation.relative == (evaluation.white if board.turn else -evaluation.white)
    assert evaluation.score.white() == Cp(evaluation.white)
    assert {term.group for term in evaluation.breakdown.terms} <= set(GROUPS)


def test_terms_by_name() -> None:
    evaluation = halbzug.evaluate(chess.Board("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1"))
    assert evaluation["queen"] > 1000
    assert "queen" in str(evaluation).splitlines()[0]
    assert "rook" not in evaluation


@pytest.mark.parametrize(
    ("fen", "chess960", "depth", "leaves"),
    [
        (chess.STARTING_FEN, False, 0, 1),
        (chess.STARTING_FEN, False, 3, 8902),
        (KIWIPETE, False, 2, 2039),
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", True, 2, 528),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", False, 5, 674624),
    ],
)
def test_perft(fen: str, chess960: bool, depth: int, leaves: int) -> None:
    assert halbzug.perft(chess.Board(fen, chess960=chess960), depth) == leaves


# -- games --------------------------------------------------------------------------------------


def read(pgn: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(pgn))
    assert game
    return game


@pytest.mark.any_build
def test_an_annotated_game() -> None:
    game = read(OPERA_GAME)
    before = str(game)
    annotation = halbzug.annotate(game, depth=4)
    assert str(game) == before
    assert len(annotation.moves) == 30
    assert annotation.accuracy[chess.WHITE] > annotation.accuracy[chess.BLACK]
    judged = [move for move in annotation.moves if move.judgement]
    assert sum(sum(counts.values()) for counts in annotation.judgements.values()) == len(judged)
    text = annotation.pgn()
    assert annotation.pgn() == text
    again = read(text)
    assert [node.eval() is not None for node in again.mainline()] == [True] * 30
    assert again.headers["Annotator"].startswith("Halbzug ")
    page = annotation.html()
    assert page.startswith("<!DOCTYPE html>") and "Morphy, Paul" in page
    assert "Morphy - Allies: white" in repr(annotation)


def test_progress_over_a_game_is_reported() -> None:
    steps: list[tuple[int, int]] = []
    halbzug.annotate(read("1. e4 e5"), depth=1, progress=lambda *step: steps.append(step))
    assert steps == [(1, 3), (2, 3), (3, 3)]


def test_progress_over_one_position_is_reported() -> None:
    steps: list[tuple[int, int]] = []
    kings = chess.Board("k7/8/8/8/8/8/8/K7 w - - 0 1")
    assert halbzug.perft(kings, 6, progress=lambda *step: steps.append(step)) == 10898
    assert [steps[0], steps[-1]] == [(0, 9), (9, 9)] and steps == sorted(steps)
    board = chess.Board("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")
    for limit, unit in (({"depth": 5}, 5), ({"nodes": 5000}, 5000), ({"time": 0.5}, 1)):
        steps.clear()
        halbzug.analyse(board, **limit, progress=lambda *step: steps.append(step))  # type: ignore[arg-type]
        assert steps and steps == sorted(steps)
        assert {total for _, total in steps} == {unit}
    steps.clear()
    halbzug.analyse(board, Limit(mate=1), progress=lambda *step: steps.append(step))
    assert steps == []  # the number of steps is unknown
    with pytest.raises(TypeError, match="progress must be"):
        halbzug.analyse(board, depth=1, progress=1)  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_long_game() -> None:
    """Its nodes are linked, so walking through them must not recurse."""
    board = chess.Board()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8") * 150:
        board.push_uci(move)
    annotation = halbzug.annotate(chess.pgn.Game.from_board(board), nodes=1)
    assert len(annotation.moves) == 600


@pytest.mark.parametrize(
    ("game", "error", "words"),
    [
        (OPERA_GAME, TypeError, "the game must be a chess.pgn.Game, not str"),
        (chess.Board(), TypeError, "chess.pgn.Game.from_board(board) makes one"),
        (read("1. e4 e5 2. Ke3"), ValueError, "contains an illegal move"),
        (read("1. e4 -- 2. d4"), ValueError, "a null move"),
        (read('[Variant "Atomic"]\n\n1. e4'), ValueError, "a game of atomic"),
        (read('[FEN "8/8/8/8/8/8/8/K7 w - - 0 1"]\n\n*'), ValueError, "Black has no king"),
    ],
)
def test_games_that_cannot_be_annotated(game: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        halbzug.annotate(game, depth=1)
    assert words in str(caught.value)


# -- invalid questions ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: halbzug.play(chess.STARTING_FEN, depth=1), TypeError, "must be a chess.Board"),
        (lambda: halbzug.play(chess.Board(), Limit()), ValueError, "the limit is empty"),
        (lambda: halbzug.play(chess.Board(), Limit(depth=1), time=1), TypeError, "but not both"),
        (lambda: halbzug.play(chess.Board(), depth="3"), TypeError, "whole number, not '3'"),
        (lambda: halbzug.analyse(chess.Board(), depth=1, multipv=0), ValueError, "at least 1"),
        (lambda: halbzug.analyse(chess.Board(), nodes=0), ValueError, "nodes must be at least 1"),
        (lambda: halbzug.evaluate(None), TypeError, "must be a chess.Board, not NoneType"),
        (lambda: halbzug.evaluate(chess.Board(None)), ValueError, "the board is empty"),
        (lambda: halbzug.evaluate(chess.variant.AtomicBoard()), ValueError, "not atomic"),
        (lambda: halbzug.perft(chess.Board(), -1), ValueError, "depth must be at least 0"),
        (lambda: halbzug.perft(chess.Board(), 1.0), TypeError, "depth must be a whole number"),
        (lambda: halbzug.perft("startpos", 1), TypeError, "must be a chess.Board, not str"),
    ],
)
def test_invalid_questions(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert words in str(caught.value)


# -- notebooks ----------------------------------------------------------------------------------


def test_results_have_a_notebook_display() -> None:
    board = chess.Board(MATE_IN_ONE)
    analysis = halbzug.analyse(board, depth=2, multipv=2)
    evaluation = halbzug.evaluate(chess.Board(KIWIPETE))
    annotation = halbzug.annotate(read(OPERA_GAME), depth=1)
    for picture in (analysis, analysis[0], halbzug.play(board, depth=2), annotation):
        assert ElementTree.fromstring(picture._repr_svg_()).tag.endswith("svg")
    for shown in (analysis, analysis[0], evaluation, annotation):
        markup = ElementTree.fromstring(f"<div>{shown._repr_html_().replace('&ndash;', '-')}</div>")
        assert list(markup.iter("table")) or list(markup.iter("tr"))


def test_names_are_not_treated_as_markup() -> None:
    game = read("1. e4 e5")
    game.headers["White"] = HOSTILE
    annotation = halbzug.annotate(game, depth=1)
    assert "<script>alert" not in annotation._repr_html_() + annotation.html()


# -- the package --------------------------------------------------------------------------------


def test_no_module_replaces_a_function() -> None:
    """Importing a module `halbzug.play` would replace the function `halbzug.play`."""
    board = chess.Board()
    for module in pkgutil.iter_modules(halbzug.__path__, "halbzug."):
        if module.name not in ("halbzug.__main__", "halbzug.native"):
            importlib.import_module(module.name)
    assert halbzug.play(board, depth=1).move
    assert halbzug.analyse(board, depth=1).move
    assert halbzug.evaluate(board).white
    assert halbzug.perft(board, 1) == 20
    assert halbzug.annotate(read("1. e4"), depth=1).moves
    with halbzug.Engine() as engine:
        assert engine.play(board, Limit(depth=1)).move


def test_importing_the_package_imports_few_modules() -> None:
    program = "import sys, halbzug; print(*sorted(sys.modules))"
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"chess", "asyncio", "click", "rich", "subprocess"}.intersection(output)


def test_root_moves_restrict_the_choice() -> None:
    board = chess.Board()
    wanted = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    assert halbzug.play(board, nodes=50, root_moves=iter(wanted)).move in wanted
    assert set(halbzug.analyse(board, nodes=50, multipv=5, root_moves=wanted).moves) == set(wanted)
    with pytest.raises(ValueError, match="e7e5 is not legal"):
        halbzug.analyse(board, root_moves=[chess.Move.from_uci("e7e5")])


def test_the_signature_of_board_is_that_of_its_constructor() -> None:
    class Own(halbzug.Board):
        def __init__(self, name: str) -> None:
            super().__init__()

    class Plain(halbzug.Board):
        pass

    assert inspect.signature(halbzug.Board) == inspect.signature(chess.Board)
    assert inspect.signature(Plain) == inspect.signature(chess.Board)
    assert list(inspect.signature(Own).parameters) == ["name"]

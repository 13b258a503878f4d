"""How Monte Carlo trees grow: the records agree with the lecture engines; traps."""

from __future__ import annotations

import importlib
import random
from typing import Any
from xml.etree import ElementTree

import chess
import pytest
from command_line import Command
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from positions import Game, endgames, games

import halbzug as package
from halbzug.explain.monte_carlo_searches import POSITIONS, ask_alpha_beta
from halbzug.lab import Clock
from halbzug.teaching import tree_growth
from halbzug.teaching.engines.basics import points_of_end
from halbzug.teaching.tree_growth import MODULES, Growth, Method, grow

pytestmark = pytest.mark.any_build

#: The number of simulations after which the traps work.
SIMULATIONS = 1000

METHODS = st.sampled_from(list(MODULES))


def boards() -> st.SearchStrategy[chess.Board]:
    """Positions without the preceding moves."""
    return st.one_of(games(40), endgames()).map(_board)


def _board(game: Game) -> chess.Board:
    return game.reference().copy(stack=False)


def children(growth: Growth, number: int) -> list[int]:
    return [place for place, node in enumerate(growth.nodes) if node.parent == number]


@settings(max_examples=15)
@given(boards(), METHODS, st.integers(2, 40), st.data())
def test_the_visits_of_children_are_those_of_their_parent_after_its_first(
    board: chess.Board, method: Method, simulations: int, data: st.DataObject
) -> None:
    assume(points_of_end(board) is None)
    growth = grow(method, board, simulations, seed=1)
    number = data.draw(st.integers(1, simulations))
    visits, totals = growth.at(number)
    assert visits[0] == number
    assert sum(count > 0 for count in visits) <= number  # each simulation adds at most one node
    for place, count in enumerate(visits):
        below = [visits[child] for child in children(growth, place) if visits[child]]
        assert sum(below) == count - 1 or not below
        if count:
            assert 0 <= growth.expectation(count, totals[place]) <= 1


@settings(max_examples=15)
@given(boards(), METHODS, st.integers(2, 40))
def test_the_record_adds_up_to_the_tree_of_the_engine(
    board: chess.Board, method: Method, simulations: int
) -> None:
    assume(points_of_end(board) is None)
    growth = grow(method, board, simulations, seed=2)
    visits, totals = growth.at(simulations)

    def compare(node: Any, number: int) -> int:
        total = node.total if growth.has_policy else node.points
        assert (node.visits, total) == (visits[number], pytest.approx(totals[number]))
        by_move = {growth.nodes[child].move: child for child in children(growth, number)}
        below = {move.uci(): child for move, child in node.children.items() if child.visits}
        assert by_move.keys() == below.keys()
        return 1 + sum(compare(child, by_move[move]) for move, child in below.items())

    assert compare(growth.root, 0) == len(growth.nodes)


_CASTLING_IN_CHESS960 = chess.Board(
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1", chess960=True
)


@settings(max_examples=15)
@given(boards(), METHODS, st.integers(2, 40), st.integers(0, 9))
@example(_CASTLING_IN_CHESS960, "playouts", 25, 0)
def test_recording_does_not_change_the_engines_moves(
    board: chess.Board, method: Method, simulations: int, seed: int
) -> None:
    assume(points_of_end(board) is None)
    random.seed(99)
    state = random.getstate()
    growth = grow(method, board, simulations, seed)
    assert random.getstate() == state
    random.seed(seed)
    engine = importlib.import_module(f"halbzug.teaching.engines.{MODULES[method]}")
    own = package.Board(board.fen(), chess960=board.chess960)
    played = list(engine.choose(own, Clock(nodes=simulations)))
    assert growth.move == (played[-1].uci() if played else "")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_playouts_fall_into_a_trap_that_alpha_beta_sees(seed: int) -> None:
    board = chess.Board(POSITIONS["trap"])
    growth = grow("playouts", board, SIMULATIONS, seed)
    verdict = ask_alpha_beta(board, 2, {growth.move})
    assert growth.move in {"f6g6", "f5g6"}  # captures a rook
    assert verdict.is_mistake(growth.move) and not verdict.is_mistake(verdict.move)
    for word in (growth.move, "c5a5"):
        board.push_uci(word)
    assert all(_is_mated_next(board, reply) for reply in list(board.legal_moves))


def _is_mated_next(board: chess.Board, reply: chess.Move) -> bool:
    board.push(reply)
    mates = False
    for move in list(board.legal_moves):
        board.push(move)
        mates = mates or board.is_checkmate()
        board.pop()
    board.pop()
    return mates


def test_the_policy_promotes_where_the_others_capture_a_rook() -> None:
    found = package.explain.monte_carlo("promotion", simulations=SIMULATIONS)
    moves = {method: growth.move for method, growth in found.growths.items()}
    assert moves == {"playouts": "a3b4", "value-network": "a3b4", "policy-value": "g6g7"}
    assert found.verdict.move == "g6g7" and found.verdict.is_mistake("a3b4")


def test_the_networks_capture_the_queen_of_legals_mate() -> None:
    board = chess.Board(POSITIONS["legal"])
    for method in ("value-network", "policy-value"):
        assert grow(method, board, SIMULATIONS, 1).move == "g4d1"  # type: ignore[arg-type]
    verdict = ask_alpha_beta(board, 4, {"g4d1"})
    assert verdict.move != "g4d1" and verdict.is_mistake("g4d1")
    for word in ("g4d1", "c4f7", "e8e7", "c3d5"):
        board.push_uci(word)
    assert board.is_checkmate()


def test_mate_and_stalemate_on_the_board_are_judged() -> None:
    board = chess.Board("7k/5K2/6Q1/8/8/8/8/8 w - - 0 1")
    judged = ask_alpha_beta(board, 2, {"g6h6", "f7f8", "g6g7"}).judged
    assert judged["g6g7"] > 31_000 and judged["f7f8"] == 0


def test_a_question_is_always_answered_in_the_same_order() -> None:
    """So a page is always the same, whatever the order of sets in this process."""
    board = chess.Board()
    moves = {move.uci() for move in board.legal_moves}
    _, *others = ask_alpha_beta(board, 2, moves).judged
    assert others == sorted(others) and len(others) == 19


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"simulations": 1}, "at least 2"),
        ({"simulations": 10_001}, "at most 10,000"),
        ({"depth": 9}, "8 plies"),
        ({"position": "nonsense"}, "trap, promotion, legal"),
        ({"position": chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")}, "over"),
        ({"position": chess.Board("7k/8/6K1/8/8/8/8/8 b - - 0 1")}, "over"),
    ],
)
def test_a_position_that_cannot_be_searched_is_reported(
    options: dict[str, Any], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        package.explain.monte_carlo(**options)


# -- the command --------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_tables_show_the_move_of_each_engine(halbzug: Command) -> None:
    text = halbzug.output("explain", "monte-carlo", "promotion")
    words = " ".join(text.split())
    assert "1,000 axb4 17% axb4" in words
    assert "sees that this is a mistake: axb4. Played by: plain playouts, value network." in words
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.slow
def test_json_page_and_plot_can_be_made_together(halbzug: Command) -> None:
    pytest.importorskip("matplotlib")
    files = ("--html", "a.html", "--plot", "a.svg", "--svg", "trees.svg")
    (report,) = halbzug.json("explain", "monte-carlo", "-n", "60", "--json", *files)
    for search in report["searches"].values():
        assert sum(one["visits"] for one in search["moves"]) == 59
        assert search["leaders"][-1][1] == search["move"]
        assert search["mistake"] or search["move"] not in {"f6g6", "f5g6"}
    assert set(report["searches"]) == set(MODULES)
    assert report["alpha_beta"]["move"] == "f6f8"
    assert (halbzug.folder / "a.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert (halbzug.folder / "a.svg").read_bytes().startswith(b"<?xml")
    assert (halbzug.folder / "trees.svg").read_text(encoding="utf-8").count('class="title"') == 3


def test_a_page_in_a_stream_is_all_that_is_written_and_a_plot(halbzug: Command) -> None:
    pytest.importorskip("matplotlib")
    files = ("--html", "-", "--plot", "a.svg")
    text = halbzug.output("explain", "monte-carlo", "-n", "10", *files, "--language", "de")
    assert text.startswith("<!DOCTYPE html>") and '<html lang="de">' in text
    assert (halbzug.folder / "a.svg").read_bytes().startswith(b"<?xml")


def test_without_numpy_the_error_says_what_to_install(halbzug: Command) -> None:
    folder = halbzug.folder / "numpy"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise ImportError('not here')", encoding="utf-8")
    process = halbzug.run("explain", "monte-carlo", PYTHONPATH=str(halbzug.folder))
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr == f"halbzug: {tree_growth.NEEDS_NUMPY}\n"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nonsense"], 1, "neither a position nor one of trap"),
        (["-d", "1"], 1, "depth"),
        (["-n", "5", "--html", "missing/a.html"], 1, "cannot write"),
    ],
)
def test_invalid_arguments_are_one_line(
    halbzug: Command, arguments: list[str], code: int, words: str
) -> None:
    process = halbzug.run("explain", "monte-carlo", *arguments)
    assert process.returncode == code
    assert process.stderr.startswith("halbzug: ") and process.stderr.count("\n") == 1
    assert words in process.stderr


def test_a_drawing_has_the_most_visited_nodes_and_their_visits() -> None:
    found = package.explain.monte_carlo(chess.Board(), simulations=60, progress=False)
    drawing = ElementTree.fromstring(found.svg("policy-value", "de", simulations=50, nodes=10))
    assert drawing.get("aria-label") == "Policy und Value: 50 Simulationen"
    english = ElementTree.fromstring(found.svg("policy-value", simulations=50, nodes=10))
    moves, german = (
        [part.text or "" for part in one.iter() if part.get("class") == "name"]
        for one in (english, drawing)
    )
    assert moves != german == [move.translate(str.maketrans("QRBN", "DTLS")) for move in moves]
    drawn = [int(part.text or "") for part in drawing.iter() if part.get("class") == "visits"]
    visits, _ = found.growths["policy-value"].at(50)
    assert sorted(drawn) == sorted(visits)[-10:]
    paths = sum(part.get("class") == "edge" for part in drawing.iter())
    assert paths == len(drawn) - 1
    with pytest.raises(ValueError, match="from 1 to 60 simulations, not 61"):
        found.svg(simulations=61)


def test_a_notebook_shows_tables() -> None:
    found = package.explain.monte_carlo(chess.Board(), simulations=30, progress=False)
    assert found._repr_html_().count("<table") == 2
    assert "alpha-beta, depth 4" in str(found)

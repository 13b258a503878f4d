"""The steps from minimax to the engine: exact searches agree, and the number of nodes falls."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import asdict, replace
from itertools import pairwise

import chess
import hypothesis
import pytest
from checkout import ROOT
from command_line import Command
from hypothesis import assume, given
from hypothesis import strategies as st
from oracle import Oracle, TooLargeError
from positions import COMPILED, Game, endgames, games, search

from halbzug.base.limits import Limits
from halbzug.board.movegen import new_board, perft
from halbzug.explain import ablation
from halbzug.explain.ablation import MINIMAX, ORDERED, TECHNIQUES, Measurement
from halbzug.teaching.branching import effective_branching, exponent, fit, least_leaves

pytestmark = [pytest.mark.slow, pytest.mark.any_build]

#: Openings, middlegames, endgames, rare rules.
VARIED = (
    chess.STARTING_FEN,
    "r1b2rk1/2q1bppp/p2p1n2/npp1p3/3PP3/2P2N1P/PPB2PP1/RNBQR1K1 w - - 1 12",
    "r1bqk1nr/pppp1ppp/2n5/b7/2BpP3/2P2N2/P4PPP/RNBQ1RK1 b kq - 1 7",
    "r1bq1b1r/ppp2kpp/2n5/3np3/2B5/5Q2/PPPP1PPP/RNB1K2R b KQ - 1 7",
    "rn1q1rk1/1p2bppp/p2pbn2/4p3/4P3/1NN1BP2/PPPQ2PP/2KR1B1R b - - 4 10",
    "rnb1k1r1/ppq1np1Q/4p3/3pP3/3p4/P1P5/2P2PPP/R1B1KBNR w KQq - 0 10",
    "r1b2rk1/ppq2ppp/2n1pn2/2p5/2BP4/P1P1PN2/5PPP/R1BQ1RK1 w - - 1 11",
    "rnbqk2r/pp1n1pbp/3p2p1/1BpP4/4PP2/2N5/PP4PP/R1BQK1NR w KQkq - 3 9",
    "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16",
    "5rk1/1p4pp/p2p4/3Pp1q1/1P2Pr2/P2Q1P2/6PP/R4RK1 b - - 3 24",
    "8/3nk1b1/2Rp1rp1/3Pp2p/1B2Pp2/5P2/1P2BNPP/6K1 w - h6 0 33",
    "6k1/1p3p2/4p1pp/2n1N3/p1P2P2/1b2P3/3rB1PP/4R1K1 w - - 0 31",
    "8/1p3pk1/p5p1/3P3p/P2B3P/1P4P1/5PK1/2n5 b - - 0 1",
    "8/5k2/8/8/1B6/8/3K2P1/6b1 w - - 0 1",
    "4k3/R7/8/3KP3/8/7r/8/8 b - - 0 1",
    "8/8/8/3k4/8/8/8/2BNK3 w - - 0 1",
    "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "3k4/8/8/8/8/8/3q4/R3K2R w KQ - 0 1",
)

#: The pure build searches to depth 4 only where the tree is small.
SMALL = (VARIED[15], VARIED[16], VARIED[19])
MIDDLEGAME, ENDGAME = VARIED[4], VARIED[16]

#: The techniques that may need more nodes than the previous one, with a reason given by the
#: command.
MAY_RISE = {"+ hash move, killers", "+ iterative deepening", "+ quiescence", "full engine"}

EXAMPLES = 20 if COMPILED else 5


def one(fen: str, depth: int, limit: int = 100_000_000) -> list[Measurement]:
    return list(ablation.run_all(chess.Board(fen), depth, limit))


@pytest.mark.parametrize("fen", VARIED)
def test_the_first_six_agree_and_their_node_counts_fall(fen: str):
    depth = 4 if COMPILED or fen in SMALL else 2
    measurements = one(fen, depth)
    assert [one.technique for one in measurements] == list(TECHNIQUES)
    assert all(one.is_finished for one in measurements)
    assert len({one.value for one in measurements[:6]}) == 1
    assert ablation.agree(measurements)
    if depth == 4:
        rising = {one.technique.name for one, _ in ablation.rises(measurements)}
        assert rising <= MAY_RISE
        assert all(one.technique.why_more for one, _ in ablation.rises(measurements))
        least = least_leaves(measurements[0].leaves, depth)
        assert measurements[3].leaves < measurements[0].leaves
        assert 0.4 < exponent(round(least), measurements[0].leaves) < 0.62
        assert exponent(measurements[3].leaves, measurements[0].leaves) < 0.85


@hypothesis.settings(max_examples=EXAMPLES)
@given(st.one_of(endgames(4), games(80)))
def test_the_first_technique_is_minimax_node_by_node(game: Game):
    assume(any(game.reference().legal_moves))
    oracle = Oracle(game, quiescence=False, max_nodes=1500)
    for depth in (1, 2, 3):
        before = oracle.nodes_left
        try:
            value = oracle.value(depth)
        except TooLargeError:
            return
        found = search(game, Limits(depth=depth), MINIMAX.settings)
        assert found.score == value
        assert found.nodes == before - oracle.nodes_left


@hypothesis.settings(max_examples=EXAMPLES)
@given(st.one_of(endgames(4), games(80)))
def test_exact_techniques_have_the_value_of_minimax_and_never_more_nodes_without_deepening(
    game: Game,
):
    assume(any(game.reference().legal_moves))
    oracle = Oracle(game, quiescence=False, max_nodes=1500)
    values = oracle.values(deepest=3)
    assume(values)
    depth = len(values)
    nodes = {}
    for technique in TECHNIQUES:
        if technique.is_exact and not (oracle.depends_on_path and technique.settings.tt_cutoffs):
            found = search(game, Limits(depth=depth), technique.settings)
            assert found.score == values[-1], technique.name
            nodes[technique.name] = found.nodes
    for name in ("alpha-beta", "+ textbook order", "+ hash move, killers"):
        assert nodes[name] <= nodes["minimax"]


def test_minimax_sees_every_move_of_the_first_position():
    (minimax, *_) = one(chess.STARTING_FEN, 3)
    board = new_board()
    counts = [perft(board, depth) for depth in (1, 2, 3)]
    assert minimax.leaves == counts[-1]
    assert minimax.nodes == sum(counts)
    assert minimax.first_share is None


def test_each_technique_adds_one_idea():
    for before, after in pairwise(TECHNIQUES[:-1]):
        changed = {
            name
            for name, value in asdict(before.settings).items()
            if value != getattr(after.settings, name)
        }
        assert 1 <= len(changed) <= 2, after.name
    assert TECHNIQUES[-1].settings == type(TECHNIQUES[-1].settings)()


def test_without_iterative_deepening_only_the_last_depth_is_reported():
    settings = replace(MINIMAX.settings, iterative_deepening=False)
    assert [info.depth for info in search(ENDGAME, Limits(depth=3), settings).infos] == [3]


# -- branching factors --------------------------------------------------------------------------


@given(st.integers(1, 60), st.integers(1, 6))
def test_a_uniform_tree_has_its_own_branching_factor(branching: int, depth: int):
    nodes = sum(branching**ply for ply in range(1, depth + 1))
    assert math.isclose(effective_branching(nodes, depth), branching, rel_tol=1e-6)
    powers = [(ply, branching**ply) for ply in range(1, depth + 1)]
    assert math.isclose(fit(powers), branching, rel_tol=1e-6)


@given(st.integers(2, 60), st.integers(1, 6))
def test_alpha_beta_needs_at_least_the_square_root(branching: int, depth: int):
    leaves = branching**depth
    least = least_leaves(leaves, depth)
    assert math.isclose(least, branching ** -(-depth // 2) + branching ** (depth // 2) - 1)
    assert math.isclose(exponent(leaves, leaves), 1)
    assert least**2 >= leaves * (1 - 1e-9)


# -- the command --------------------------------------------------------------------------------


def test_the_table_has_a_row_for_each_technique_and_explains_itself(halbzug: Command):
    text = halbzug.output("explain", "tree", ENDGAME, "--depth", "3")
    assert max(map(len, text.splitlines())) <= 80
    for technique in TECHNIQUES:
        assert f"\n {technique.name} " in text
    words = " ".join(text.split())
    assert "The first six agree on" in words
    assert "square root" in words
    assert "The nodes fall from row to row" in words


def test_the_json_has_the_same_data(halbzug: Command):
    (report,) = halbzug.json("explain", "tree", ENDGAME, "--depth", "3", "--json")
    rows = report["rows"]
    assert [row["name"] for row in rows] == [technique.name for technique in TECHNIQUES]
    assert report["agree"] and len({row["value"] for row in rows if row["exact"]}) == 1
    assert rows[0]["nodes"] > rows[1]["nodes"]
    assert report["leaf_ratio"] > 1
    assert 0.3 < report["exponent"] < 1
    for row in rows:
        assert 0 < row["leaves"] <= row["nodes"]
        assert row["move"] in {move.uci() for move in chess.Board(ENDGAME).legal_moves}


def test_a_search_that_is_too_large_is_abandoned_and_the_others_are_shown(halbzug: Command):
    arguments = ("explain", "tree", MIDDLEGAME, "--depth", "2", "--nodes", "1300")
    text = halbzug.output(*arguments)
    assert ">1,300" in text
    assert "not finished: minimax" in " ".join(text.split())
    (report,) = halbzug.json(*arguments, "--json")
    assert not report["rows"][0]["finished"]
    assert "leaf_ratio" not in report


def test_the_default_depth_takes_less_than_ten_seconds(halbzug: Command):
    (report,) = halbzug.json("explain", "tree", "--json")
    assert report["depth"] == (4 if COMPILED else 3)
    assert sum(row["seconds"] for row in report["rows"]) < 10 * (1 if COMPILED else 10)


@pytest.mark.parametrize(("name", "start"), [("a.svg", b"<?xml"), ("b.PNG", b"\x89PNG")])
def test_a_plot_is_drawn_in_the_format_of_its_name(halbzug: Command, name: str, start: bytes):
    pytest.importorskip("matplotlib")
    text = halbzug.output("explain", "tree", ENDGAME, "--depth", "3", "--plot", name)
    assert f"The plot is in {name}" in text
    assert (halbzug.folder / name).read_bytes().startswith(start)


def test_a_plot_and_json_do_not_disturb_each_other(halbzug: Command):
    pytest.importorskip("matplotlib")
    arguments = ("explain", "tree", ENDGAME, "--depth", "2", "--plot", "a.svg", "--json")
    (report,) = halbzug.json(*arguments)
    assert [step["depth"] for step in report["by_depth"]] == [1, 2]
    first = (halbzug.folder / "a.svg").read_bytes()
    halbzug.output(*arguments)
    assert (halbzug.folder / "a.svg").read_bytes() == first


def test_without_matplotlib_the_error_says_what_to_install(halbzug: Command):
    folder = halbzug.folder / "matplotlib"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise ImportError('not here')", encoding="utf-8")
    process = halbzug.run(
        "explain", "tree", ENDGAME, "--plot", "a.svg", PYTHONPATH=str(halbzug.folder)
    )
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr == (
        "halbzug: --plot needs the package matplotlib: pip install matplotlib\n"
    )


@pytest.mark.parametrize("backend", ["nonsense", "module://no.such.backend", "gtk4cairo"])
def test_a_plot_needs_no_backend(halbzug: Command, backend: str):
    pytest.importorskip("matplotlib")
    arguments = ("explain", "tree", ENDGAME, "--depth", "2", "--plot", "a.png")
    assert "The plot is in" in halbzug.output(*arguments, MPLBACKEND=backend)


def test_a_plot_replaces_an_older_one_only_when_complete(halbzug: Command):
    pytest.importorskip("matplotlib")
    halbzug.write("a.svg", "old")
    arguments = ("explain", "tree", ENDGAME, "--depth", "2", "--plot", "a.svg")
    process = halbzug.run_with_full_disk(100, *arguments)
    assert process.returncode == 1
    assert process.stderr == "halbzug: cannot write a.svg: File too large\n"
    assert [path.name for path in halbzug.folder.iterdir()] == ["a.svg"]
    assert (halbzug.folder / "a.svg").read_text() == "old"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["8/8/8/8/8/8/8/8 w - - 0 1"], 1, "empty"),
        (["nonsense"], 1, "not a FEN"),
        (["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], 1, "the game is over"),
        (["startpos", "--depth", "0"], 2, "--depth"),
        (["startpos", "--nodes", "0"], 2, "--nodes"),
        (["startpos", "--plot", "a.gif"], 2, "a.gif"),
        (["startpos", "--depth", "1", "--plot", "missing/a.svg"], 1, "cannot write"),
        (["startpos", "--json", "more"], 2, "more"),
    ],
)
def test_invalid_arguments_are_one_line(
    halbzug: Command, arguments: list[str], code: int, words: str
):
    if "missing/a.svg" in arguments:
        pytest.importorskip("matplotlib")
    process = halbzug.run("explain", "tree", *arguments)
    assert process.returncode == code
    assert process.stderr.startswith("halbzug: ") and process.stderr.count("\n") == 1
    assert words in process.stderr


@pytest.mark.parametrize("command", ["tree", "horizon", "eval", "monte-carlo"])
def test_help_has_examples_and_fits_a_terminal(halbzug: Command, command: str):
    text = halbzug.output("explain", command, "--help")
    assert f"Examples:\n    halbzug explain {command}" in text
    assert max(map(len, text.splitlines())) <= 80


def test_the_uci_engine_starts_without_these_modules():
    code = (
        "import sys; import halbzug.uci.session\n"
        "print([name for name in sys.modules if 'explain' in name or 'matplotlib' in name])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert json.loads(result.stdout) == []


def test_narrow_terminals_and_plain_encodings_cause_no_error(halbzug: Command):
    process = halbzug.run(
        "explain", "tree", ENDGAME, "-d", "1", COLUMNS="40", PYTHONIOENCODING="ascii", NO_COLOR="1"
    )
    assert (process.returncode, process.stderr) == (0, "")
    assert "minimax" in process.stdout and "\x1b" not in process.stdout


def test_a_disagreement_is_excused_only_for_the_table_from_depth_five_on():
    measurements = one(ENDGAME, 1)
    assert ablation.of(ORDERED, measurements) is measurements[3]
    tt_row = next(one for one in measurements if one.technique.settings.tt_cutoffs)
    wrong = [replace(one, value=one.value + 7 * (one is tt_row)) for one in measurements]
    assert not ablation.agree(wrong) and not ablation.is_excused(wrong)
    deep = [replace(one, depth=5) for one in wrong]
    assert ablation.is_excused(deep)
    other = [
        replace(one, depth=5, value=one.value + 7 * (one is measurements[2]))
        for one in measurements
    ]
    assert not ablation.is_excused(other)


@pytest.mark.skipif(not COMPILED, reason="depth 7 takes too long")
def test_a_difference_caused_by_repetitions_is_explained(halbzug: Command):
    """Blocked pawns: the kings move back and forth, and the table takes a repetition for the value
    of the position.
    """
    fen = "8/5k2/1p1p4/1P1P1p2/5P2/4K3/8/8 w - - 0 1"
    measurements = one(fen, 6)
    assert len({one.value for one in measurements[:5]}) == 1
    assert not ablation.agree(measurements) and ablation.is_excused(measurements)
    words = " ".join(halbzug.output("explain", "tree", fen, "--depth", "6").split())
    assert "The first five agree, and the transposition table has another value." in words

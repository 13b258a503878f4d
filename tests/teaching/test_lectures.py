"""The lecture engines: the promises of each, on random positions and small trees."""

from __future__ import annotations

import importlib
import random
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import Game, endgames, games
from uci_client import UciClient

import halbzug
from halbzug.board.movegen import decode
from halbzug.lab import Clock
from halbzug.teaching import engines
from halbzug.teaching.engines.alpha_beta import AlphaBeta
from halbzug.teaching.engines.basics import INFINITE, TimeUpError
from halbzug.teaching.engines.greedy import material
from halbzug.teaching.engines.linear_evaluation import features, learn
from halbzug.teaching.engines.minimax import Minimax
from halbzug.teaching.engines.move_ordering import Ordered
from halbzug.teaching.engines.network import WEIGHTS_FILE, Network, trained
from halbzug.teaching.engines.piece_square import piece_squares
from halbzug.teaching.engines.quiescence import Quiescence
from halbzug.teaching.engines.transposition_table import Remembering
from halbzug.teaching.engines.zobrist import Zobrist
from halbzug.teaching.puct_tree import PuctTree

pytestmark = [pytest.mark.any_build, pytest.mark.compiled_module]

#: Trees are slow to search in Python, so there are only a few.
few = settings(max_examples=min(settings.default.max_examples, 25))


def boards() -> st.SearchStrategy[chess.Board]:
    """Positions without the preceding moves."""
    return st.one_of(games(30), endgames()).map(_board)


def _board(game: Game) -> chess.Board:
    board = game.reference()
    return halbzug.Board(board.fen(), chess960=board.chess960)


#: Short enough for a test, long enough for a search to find its move.
SECONDS = 0.05

#: Positions with a mate in one, and engines that need not find it: Random does not look.
MATES = {
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4": "h5f7",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1": "d1d8",
    "8/8/8/8/8/6k1/3q4/7K b - - 0 1": None,
}
BLIND = {"random_mover"}

#: Engines whose node counts are visits.
GROWING = (
    "monte_carlo",
    "capture_playouts",
    "value_network",
    "policy_value",
    "quiet_value",
    "quiet_policy",
    "compiled_puct",
)


def engine(name: str) -> ModuleType:
    return importlib.import_module(f"halbzug.teaching.engines.{name}")


def chosen(name: str, board: chess.Board, clock: Clock) -> chess.Move:
    """The last move that an engine gives."""
    found = engine(name).choose(board.copy(), clock)
    return found if isinstance(found, chess.Move) else list(found)[-1]


@pytest.mark.parametrize("name", engines.LECTURES)
def test_there_is_a_move_however_short_the_time(name: str) -> None:
    board = halbzug.Board()
    assert chosen(name, board, Clock(seconds=0)) in board.legal_moves


@pytest.mark.parametrize("name", engines.LECTURES)
def test_a_lecture_fits_on_a_page(name: str) -> None:
    path = Path(engines.__file__).with_name(f"{name}.py")
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 80
    assert engine(name).name and engine(name).__doc__


@pytest.mark.parametrize("name", engines.LECTURES)
def test_an_engine_plays_a_legal_move_and_restores_the_board(name: str) -> None:
    board = halbzug.Board()
    for _ in range(3):
        before = board.fen()
        move = chosen(name, board, Clock(SECONDS))
        assert board.is_legal(move) and board.fen() == before
        board.push(move)


@pytest.mark.parametrize("name", [name for name in engines.LECTURES if name not in BLIND])
@pytest.mark.parametrize("fen", list(MATES))
def test_an_engine_mates_in_one(name: str, fen: str) -> None:
    board = halbzug.Board(fen)
    if MATES[fen] is None:
        mates = [move for move in board.legal_moves if _mates(board, move)]
    else:
        mates = [chess.Move.from_uci(str(MATES[fen]))]
    visits = 500 if name in GROWING else 30_000
    assert chosen(name, board, Clock(nodes=visits)) in mates


@pytest.mark.parametrize("name", GROWING)
def test_in_a_drawn_position_any_move_will_do(name: str) -> None:
    board = halbzug.Board("7k/8/6K1/8/8/8/8/8 b - - 0 1")
    (move,) = engine(name).choose(board, Clock(nodes=5))
    assert move in board.legal_moves


@pytest.mark.parametrize("name", GROWING[:-1])
def test_a_tree_continues_to_grow(name: str) -> None:
    module, board = engine(name), halbzug.Board()
    root = module.root_node() if "policy" in name else module.Node()
    for visits in (30, 50):
        moves = list(module.choose(board, Clock(nodes=visits), root))
        assert root.visits == visits
        maximum = max(child.visits for child in root.children.values())
        assert root.children[moves[-1]].visits == maximum


def test_the_compiled_tree_equals_that_of_the_pure_build() -> None:
    board = halbzug.Board("r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 0")
    tree = engine("compiled_puct").tree()
    for _ in range(2):  # earlier searches change nothing
        tree.begin(board)
        tree.grow(199)
        tree.grow(101)
        # The network's evaluation and policy: they change the figures.
        assert (tree.visits, tree.nodes, decode(tree.best_move()).uci()) == (300, 3709, "b5c4")


def test_a_full_tree_gets_visits_without_growing() -> None:
    words = engine("compiled_puct").tree().policy
    small, large = PuctTree(words, most_nodes=3000), PuctTree(words)
    board = halbzug.Board()
    for tree in (small, large):
        tree.begin(board)
        tree.grow(400)
        assert tree.visits == 400 and decode(tree.best_move()) in board.legal_moves
    assert 2900 < small.nodes <= 3000 < large.nodes  # more than the initial size of the arrays


def _mates(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    is_mate = board.is_checkmate()
    board.pop()
    return is_mate


@few
@given(boards(), st.integers(1, 2))
def test_bounds_order_and_table_do_not_change_the_minimax_value(
    board: chess.Board, depth: int
) -> None:
    value = Minimax(Clock()).value(board, depth, 0)
    assert AlphaBeta(Clock()).value(board, depth, 0) == value
    assert Ordered(Clock()).value(board, depth, 0) == value


@few
@given(boards(), st.integers(1, 3))
def test_the_table_does_not_change_the_value_of_the_search(board: chess.Board, depth: int) -> None:
    plain, remembering = Quiescence(Clock()), Remembering(Clock())
    value = plain.value(board, depth, 0)
    assert remembering.value(board, depth, 0) == value
    assert remembering.value(board, depth, 0) == value  # this time from the table


@few
@given(boards())
def test_each_idea_saves_nodes_or_costs_none(board: chess.Board) -> None:
    searches = [Minimax(Clock()), AlphaBeta(Clock())]
    for search in searches:
        search.value(board, 2, 1)  # the order at the root is random
    assert searches[1].nodes <= searches[0].nodes


def test_an_order_saves_most_of_the_nodes() -> None:
    board = halbzug.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    searches = [Minimax(Clock()), AlphaBeta(Clock()), Ordered(Clock())]
    for search in searches:
        search.value(board, 2, 1)  # the order at the root is random
    assert all(1.5 * later.nodes < earlier.nodes for earlier, later in pairwise(searches))


@few
@given(boards(), st.integers(0, 6))
def test_a_key_does_not_depend_on_the_order_of_moves(board: chess.Board, plies: int) -> None:
    followed, key = Zobrist(), 0
    for _ in range(plies):
        key = followed.key(board)
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(random.choice(moves))
    key = followed.key(board)
    assert key == Zobrist().key(board)
    null = board.copy(stack=False)
    null.turn = not null.turn
    assert Zobrist().key(null) != key


@few
@given(boards())
def test_evaluations_are_from_the_side_to_move(board: chess.Board) -> None:
    mirrored = board.mirror()
    assert material(board) == material(mirrored)
    assert piece_squares(board) == piece_squares(mirrored)
    assert features(board) == features(mirrored)


@pytest.mark.parametrize("name", engines.LECTURES[2:])
def test_a_limit_of_nodes_is_kept(name: str) -> None:
    module = engine(name)
    board = halbzug.Board()
    assert board.is_legal(list(module.choose(board.copy(), Clock(nodes=40)))[-1])


@few
@given(boards(), st.integers(1, 300))
def test_a_search_ends_with_its_nodes(board: chess.Board, nodes: int) -> None:
    search = Minimax(Clock(nodes=nodes))
    with pytest.raises(TimeUpError):
        for _ in range(INFINITE):
            search.value(board.copy(stack=False), 2, 0)
            if not any(board.legal_moves):
                raise TimeUpError
    assert search.nodes <= nodes + 1


def test_piece_values_are_learnt() -> None:
    """From positions in which only material counts, in random order."""
    generator = random.Random(1)
    values = {"P": 1, "N": 3, "R": 5, "Q": 9}
    lines = []
    for _ in range(600):
        board, score = halbzug.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), 0
        for symbol in generator.choices("PNRQpnrq", k=4):
            square = generator.choice([s for s in range(8, 56) if board.piece_at(s) is None])
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
            score += 60 * values[symbol.upper()] * (1 if symbol.isupper() else -1)
        lines.append(f"{board.fen()};e1e2;{score}")
    pawn, knight, _, rook, queen = learn(lines)[:5]
    assert 0 < pawn < knight < rook < queen


def test_the_network_is_small_and_its_policy_is_a_distribution() -> None:
    assert WEIGHTS_FILE.stat().st_size < 2_000_000
    board = halbzug.Board()
    value, priors = trained().judge(board)
    assert -1 < value < 1 and set(priors) == set(board.legal_moves)
    assert sum(priors.values()) == pytest.approx(1)
    assert min(priors.values()) > 0


def test_the_network_knows_the_value_of_a_queen() -> None:
    network: Network = trained()
    ahead, _ = network.judge(
        halbzug.Board("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    )
    behind, _ = network.judge(
        halbzug.Board("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")
    )
    assert behind < -0.5 < 0.5 < ahead


@few
@given(boards())
def test_the_network_treats_both_sides_alike(board: chess.Board) -> None:
    if not any(board.legal_moves):
        return
    (value, priors), (other, mirrored) = (trained().judge(b) for b in (board, board.mirror()))
    assert value == pytest.approx(other, abs=1e-5)
    assert sorted(priors.values()) == pytest.approx(sorted(mirrored.values()), abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("name", engines.LECTURES)
def test_halbzug_runs_it_with_a_clock(tmp_path: Path, name: str) -> None:
    path = Path(engines.__file__).with_name(f"{name}.py")
    with UciClient(tmp_path, "-m", "halbzug", "run", str(path), own_book=True) as client:
        client.send("uci")
        assert f"id name {engine(name).name}" in client.read_until("uciok")
        client.synchronise()
        board = chess.Board()
        for _ in range(4):
            moves = " ".join(move.uci() for move in board.move_stack)
            client.send(f"position startpos{' moves ' if moves else ''}{moves}")
            answer = client.go("go wtime 3000 btime 3000 winc 100 binc 100")
            board.push_uci(answer.move)  # raises an error unless it is legal
            assert not [text for text in answer.strings if "Error" in text]

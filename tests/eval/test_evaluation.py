"""The evaluation is the same for both colours, adds up, and contains what every player knows."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import evaluate
from positions import Game, endgames, games

from halbzug.eval import endgame, features, tables
from halbzug.eval.evaluation import Evaluator
from halbzug.eval.tapered import endgame_of, middlegame_of, pack

any_game = st.one_of(games(), endgames(8))


def for_white(fen: str) -> int:
    """The evaluation from White's view, averaged over both sides to move."""
    board = chess.Board(fen)
    scores = []
    for board.turn in (True, False):
        score = evaluate(board.fen())
        scores.append(score if board.turn else -score)
    return sum(scores) // 2


@given(any_game)
def test_swapped_colours_give_the_same_evaluation(game: Game):
    """After swapping the colours, the side to move stands exactly as well."""
    board = game.reference()
    assert evaluate(board.fen()) == evaluate(board.mirror().fen())


@given(any_game)
def test_the_terms_add_up(game: Game):
    position = game.position()
    evaluator = Evaluator()
    terms = features.terms(position.board)
    total = sum(term.white - term.black for term in terms)
    if not position.board.turn:
        total = -total
    phase = min(position.accumulator.phase, tables.FULL_PHASE)
    board = position.board
    late = endgame_of(total)
    late = late * endgame.scale(board, board.turn if late > 0 else not board.turn)
    late //= endgame.FULL_SCALE
    early = middlegame_of(total)
    blended = (early * phase + late * (tables.FULL_PHASE - phase)) // tables.FULL_PHASE
    assert blended == evaluator.evaluate(board, position.accumulator)
    assert len({term.name for term in terms}) == len(terms) > 1


@given(any_game)
def test_each_term_is_the_same_for_both_colours(game: Game):
    board = game.reference()
    rows = []
    for fen in (board.fen(), board.mirror().fen()):
        rows.append(features.terms(Game(fen).board()))
    for term, mirrored in zip(*rows, strict=True):
        assert (term.white, term.black) == (mirrored.black, mirrored.white), term.name


@given(games(30), st.lists(any_game, max_size=5))
def test_earlier_evaluations_do_not_matter(game: Game, others: list[Game]):
    """Pawn structures are cached; the cache must not show."""
    evaluator = Evaluator()
    for other in [*others, game]:
        position = other.position()
        seen = evaluator.evaluate(position.board, position.accumulator)
        assert seen == Evaluator().evaluate(position.board, position.accumulator)


@given(st.integers(-20000, 20000), st.integers(-20000, 20000))
def test_tapered_scores_unpack_to_what_was_packed(middlegame: int, endgame: int):
    assert middlegame_of(pack(middlegame, endgame)) == middlegame
    assert endgame_of(pack(middlegame, endgame)) == endgame


@given(
    st.lists(
        st.tuples(st.integers(-1000, 1000), st.integers(-1000, 1000), st.integers(-4, 4)),
        max_size=4,
    )
)
def test_tapered_scores_add_like_pairs(parts: list[tuple[int, int, int]]):
    total = sum(count * pack(middlegame, endgame) for middlegame, endgame, count in parts)
    assert middlegame_of(total) == sum(count * middlegame for middlegame, _, count in parts)
    assert endgame_of(total) == sum(count * endgame for _, endgame, count in parts)


def test_the_starting_position_is_balanced():
    assert for_white(chess.STARTING_FEN) == 0
    assert evaluate(chess.STARTING_FEN) == middlegame_of(tables.single("tempo")) > 0


@given(games(40))
def test_losing_the_queen_for_nothing_is_a_disaster(game: Game):
    board = game.reference()
    queens = list(board.pieces(chess.QUEEN, chess.BLACK))
    if not queens:
        return
    before = for_white(board.fen())
    board.remove_piece_at(queens[0])
    assert for_white(board.fen()) > before + 300


@pytest.mark.parametrize("turn", "wb")
@pytest.mark.parametrize(
    ("missing", "minimum", "maximum"),
    [("q", 700, 1300), ("r", 350, 700), ("b", 220, 600), ("n", 220, 600), ("p", 0, 200)],
)
def test_a_piece_up_is_worth_about_the_piece(missing: str, minimum: int, maximum: int, turn: str):
    placement = chess.STARTING_FEN.split()[0].replace(missing, "1", 1)
    assert minimum < for_white(f"{placement} {turn} - - 0 1") < maximum


# Pairs of positions; White is better in the first.
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param(
            "8/P3k3/8/8/8/8/4K3/8", "8/4k3/8/8/8/8/P3K3/8", id="passed pawn on the seventh rank"
        ),
        pytest.param("4k3/5ppp/8/P7/8/8/5PPP/4K3", "4k3/p4pp1/8/P7/8/8/5PPP/4K3", id="passed pawn"),
        pytest.param(
            "4k3/ppp5/8/8/4P3/3P4/8/4K3", "4k3/ppp5/8/8/4P3/4P3/8/4K3", id="doubled pawns"
        ),
        pytest.param(
            "3r2k1/p1p2ppp/8/8/8/8/PP3PPP/3R2K1",
            "3r2k1/p1p2ppp/8/8/8/8/P1P2PPP/3R2K1",
            id="isolated pawns",
        ),
        pytest.param(
            "4r1k1/pppp1ppp/8/8/4P3/8/PPP2PPP/3R2K1",
            "4r1k1/pppp1ppp/8/8/3P4/8/PPP2PPP/3R2K1",
            id="rook on half-open file",
        ),
        pytest.param(
            "4k3/pp3ppp/4p3/8/4P3/8/PP3PPP/3R2K1",
            "4k3/pp3ppp/4p3/8/4P3/8/PP3PPP/4R1K1",
            id="rook on open file",
        ),
        pytest.param(
            "r2q1rk1/ppp2ppp/2n5/8/8/2N5/PPP2PPP/R2Q1RK1",
            "r2q1rk1/ppp2ppp/2n5/8/5PPP/2N5/PPP5/R2Q1RK1",
            id="king behind its pawns",
        ),
        pytest.param(
            "r2q1rk1/ppp2ppp/2n5/8/8/2N5/PPP2PPP/R2Q1RK1",
            "r2q1rk1/ppp2ppp/2n5/8/8/2NK4/PPP2PPP/R2Q1R2",
            id="king at home in the middlegame",
        ),
        pytest.param(
            "8/5ppp/4k3/8/4K3/8/5PPP/8", "8/5ppp/4k3/8/8/8/5PPP/6K1", id="king in endgame"
        ),
        pytest.param(
            "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R",
            "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/N4N2/PPPP1PPP/R1BQKB1R",
            id="knight near the centre",
        ),
        pytest.param(
            "4k3/2n1npp1/8/8/8/8/1PP1BB2/4K3", "4k3/2n1npp1/8/8/8/8/1PP1BN2/4K3", id="bishop pair"
        ),
        pytest.param(
            "4k3/ppp5/8/8/8/4B3/P1P5/4K3", "4k3/ppp5/8/8/3P4/4B3/5P2/4K3", id="mobile bishop"
        ),
    ],
)
@pytest.mark.parametrize("turn", "wb")
def test_white_stands_better(better: str, worse: str, turn: str):
    assert for_white(f"{better} {turn} - - 0 1") > for_white(f"{worse} {turn} - - 0 1")


def test_scores_of_the_heaviest_boards_stay_below_mate_scores():
    many = "QQQQQQQQ/QQQQQQQ1/8/8/8/8/8/K1k5 b - - 0 1"
    few = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    assert 8000 < for_white(many) < 25_000
    assert abs(for_white(few)) < 50


@pytest.mark.parametrize(
    ("fen", "bound"),
    [
        pytest.param("8/8/8/3k4/8/3KB3/8/8 w - - 0 1", 25, id="bishop alone"),
        pytest.param("8/8/8/3k4/8/3KNN2/8/8 w - - 0 1", 120, id="two knights"),
        pytest.param("8/8/8/3k4/3b4/3KR3/8/8 w - - 0 1", 60, id="rook against bishop"),
        pytest.param("k7/8/8/P7/8/3KB3/8/8 w - - 0 1", 60, id="wrong rook pawn"),
        pytest.param("1k6/8/P7/8/8/3K4/8/8 w - - 0 1", 60, id="rook pawn, king in the corner"),
    ],
)
def test_an_advantage_that_cannot_be_won_counts_little(fen: str, bound: int):
    assert abs(for_white(fen)) <= bound


def test_opposite_bishops_are_drawish():
    opposite = "8/8/2b1k3/8/2P5/3KB1P1/8/8 w - - 0 1"
    same = "8/8/3bk3/8/2P5/3KB1P1/8/8 w - - 0 1"
    assert 0 < for_white(opposite) < for_white(same)


# Pairs of positions; White is closer to the mate in the first.
@pytest.mark.parametrize(
    ("closer", "further"),
    [
        pytest.param("3k4/8/3K4/8/8/8/8/R7", "8/8/3k4/8/3K4/8/8/R7", id="rook: king on the edge"),
        pytest.param("3k4/8/3K4/8/8/8/8/R7", "3k4/8/8/8/3K4/8/8/R7", id="rook: king close"),
        pytest.param("k7/8/1K6/8/8/8/8/5BN1", "7k/8/6K1/8/8/8/8/5BN1", id="the bishop's corner"),
        pytest.param("k7/8/1K6/8/8/8/8/6QR", "8/8/1K1k4/8/8/8/8/6QR", id="queen and rook"),
    ],
)
def test_mates_are_approached(closer: str, further: str):
    assert for_white(f"{closer} b - - 0 1") > for_white(f"{further} b - - 0 1")

"""Why a move is bad: the reason is true on the board, and two searches agree on it."""

from __future__ import annotations

import random

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import Game, games

import halbzug
from halbzug.base.language import speaking
from halbzug.base.scores import MATE
from halbzug.reasons.claims import Evidence, claims_of
from halbzug.reasons.motifs import PlayedLine
from halbzug.reasons.move_reason import MoveReason, explain_move
from halbzug.reasons.won_material import POINTS, balance

pytestmark = pytest.mark.any_build


def searched(
    fen: str, move: str, refutation: str, better: str, before: int, after: int
) -> Evidence:
    """The result of a search; moves in algebraic notation, scores from the player's view."""
    start = chess.Board(fen)
    best, reply = start.copy(), start.copy()
    bad = reply.push_san(move)
    replies = tuple(reply.push_san(each) for each in refutation.split())
    return Evidence(
        start, bad, replies, tuple(best.push_san(each) for each in better.split()), before, after
    )


def check_reason(reason: MoveReason) -> None:
    """Check a statement against the board."""
    claim = reason.claim
    if claim is None:
        assert not reason.text
        return
    board = reason.board.copy(stack=False)
    if not claim.is_missed:
        board.push(reason.move)
    line = PlayedLine(board, claim.moves)
    color = line.attacker
    if claim.mate:
        assert line.boards[-1].is_checkmate() and claim.mate == (len(claim.moves) + 1) // 2
    if claim.kind.endswith("material"):
        gains = [line.balances[-1] - balance(each, color) for each in (reason.board, board)]
        # Two minor pieces for a rook count one point more than their own values.
        assert any(abs(gain - claim.won.points) <= 1 for gain in gains)
        assert 1 <= claim.points <= claim.won.points
    if claim.motif and claim.motif.kind not in ("promotion", "back rank"):
        prize = line.captured(claim.motif.capture)
        assert prize and prize.kind in claim.won.won
        if claim.motif.kind == "loose":
            assert not line.boards[claim.motif.capture + 1].attackers(not color, prize.square)
        if claim.motif.kind == "cheap attacker":
            assert POINTS[claim.motif.by.kind] < POINTS[prize.kind]
    assert reason.why.endswith(".")
    assert "loses only" not in reason.better or claim.still.points < claim.won.points
    with speaking("de"):
        assert reason.why.endswith(".") and "{" not in reason.why


@pytest.mark.parametrize(
    ("fen", "move", "words"),
    [
        (
            "r4rk1/pp2qppp/3p1n2/2b1n3/2B2B2/2N1PP1P/PPPQ1P2/R4RK1 w - - 1 13",
            "Bb3",
            "13...Nxf3+ forks the king on g1 and the queen on d2, and 14...Nxd2 takes the queen",
        ),
        (
            "rnbqkb1r/pppp1ppp/8/4P3/3Qn3/5N2/PPP2PPP/RNB1KB1R b KQkq - 0 5",
            "Nxf2",
            "Loses a knight for a pawn: 6.Qxf2",
        ),
        (
            "2kr1bnr/1pp2ppp/p1p2q2/4p3/4P1b1/3P1N1P/PPPN1PP1/R1BQ1RK1 b - - 0 8",
            "h5",
            "takes the bishop on g4 with a pawn; it was attacked before the move already",
        ),
        (
            "r4rk1/pp3ppp/5q2/2bNp3/P3P1b1/5nP1/BP1B1K1P/R2Q3R w - - 4 19",
            "Kg2",
            "Allows mate in 2: 19...Nh4+ 20.gxh4 Qf2#",
        ),
        (
            "3r4/6pp/2k1N3/4Kp2/5P2/1P4P1/7P/8 b - - 3 54",
            "Rd2",
            "Misses mate in 1: 54...Rd5#",
        ),
        ("4k3/8/8/8/1b6/8/3N4/4K2R w K - 0 1", "Kf1", "Loses a knight: 1...Bxd2"),
        ("6k1/5ppp/8/8/8/8/2q2PPP/1R4K1 w - - 0 1", "Ra1", ""),
    ],
)
def test_a_reason_is_found_or_none_is_given(fen: str, move: str, words: str) -> None:
    reason = halbzug.explain.move(chess.Board(fen), move, nodes=20_000).reason
    assert words in reason.text
    check_reason(reason)


@pytest.mark.parametrize(
    ("fen", "move", "refutation", "better", "scores", "words"),
    [
        # The score drops by more than the visible pawn.
        (
            "rnbqr1k1/ppp3bp/6p1/4pp2/8/2NPBB1P/PPPQ2P1/2KR3R b - - 1 14",
            "Be6",
            "Bxb7 Nd7 Bh6 Rb8 Bf3",
            "Nc6 Bh6 Bxh6 Qxh6 Nd4",
            (150, -141),
            "Loses at least a pawn: 15.Bxb7 takes the pawn on b7",
        ),
        # The better move loses something, too.
        (
            "3rk3/8/2p5/4p3/3Q1N2/8/5PPP/6K1 w - - 0 1",
            "h3",
            "exd4",
            "Qa4 exf4 Qxf4",
            (0, -500),
            "Better is 1.Qa4, which loses only a knight for a pawn: 0.00 instead of -5.00.",
        ),
        # The line up to the move that traps the piece is written as one.
        (
            "2k5/ppp2ppp/8/8/8/4B3/5PPP/6K1 w - - 0 1",
            "Bxa7",
            "b6 Kf1 Kb7 Ke2 Kxa7",
            "Kf1 b6 Ke2",
            (0, -200),
            "after 1...b6 2.Kf1 Kb7 the bishop on a7 has no safe square, and 3...Kxa7 takes",
        ),
        # Both lines lose a pawn: only the difference counts.
        (
            "rnbqkb1r/pppp1ppp/8/4p3/2B1n3/3P1N2/PPP2PPP/RNBQK2R b KQkq - 0 4",
            "Ng5",
            "Nxg5 d5 Qf3 Be6 Nxe6 fxe6 Qh5+ Kd7 Bb3 Nc6 Ba4 Bd6 Bxc6+ bxc6",
            "Nf6 Nxe5 d5 Bb3 Bd6 d4 O-O O-O c5 c3 h6 Bc2 cxd4 cxd4",
            (35, -356),
            "which loses only a pawn: +0.35 instead of -3.56.",
        ),
        # The move captures a knight, and so does its refutation.
        (
            "r5k1/pp1q1ppp/3Nr3/n2Qp3/8/8/PPPP1PPP/R1B1R1K1 b - - 2 15",
            "Qxd6",
            "Qxa5 Rc8 d3 h5 Qd2 Rg6 Qe2 h4 c4 b5",
            "Nc6 c3 Rxd6 Qc4 Rd8 b4 Ne7 d4 exd4 Bg5",
            (16, -419),
            "Loses a knight: 16.Qxa5 takes the knight on a5",
        ),
        (
            "n2r2k1/8/8/3n4/8/5B2/8/Q5K1 b - - 0 1",
            "Kh7",
            "Bxd5 Rxd5 Qxa8",
            "Nac7 Kf1",
            (0, -400),
            "2.Bxd5 overloads the rook on d8, which also defends the knight on a8, and 3.Qxa8",
        ),
        (
            "4r1k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
            "Ra7",
            "Re1#",
            "h3 g6",
            (0, 1 - MATE),
            "Allows mate in 1 on the back rank: 1...Re1#",
        ),
        # The missed gain is larger than the loss.
        (
            "6k1/5ppp/8/4q3/8/8/P4PPP/4R1K1 w - - 0 1",
            "f3",
            "Qd4+ Kh1 Qa4 h3 Qxa2",
            "Rxe5 Kf8 a4",
            (600, -300),
            "Misses the win of a queen: 1.Rxe5 takes the queen on e5, which nothing defends",
        ),
        # The move wins a pawn, too, but gives more for it.
        (
            "2k3r1/ppp2r2/1bb4p/3nP2N/3P2pN/8/PP1B1PPP/R4RK1 b - - 1 26",
            "Nf4",
            "Bxf4 Bxd4 e6 Rh7 Rab1 Bh8 Rfe1 a5 Be5 Bxe5 Rxe5 Rg5 Rbe1",
            "Bxd4 e6 Rff8 Rae1 Bxb2 Bxh6 Re8 Nf5 Rg6 Bg7 Ba3 Nd4 Bc5 Nxc6",
            (-41, -632),
            "Misses the win of at least a pawn: 26...Bxd4 takes the pawn on d4",
        ),
        (
            "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
            "Kd5",
            "Kd7 e6+ Ke7",
            "Kf6 Kf8 e6 Ke8 e7",
            (900, 0),
            "Turns a won pawn ending into a drawn one",
        ),
        (
            "8/8/8/4k3/3r4/8/2KP4/8 b - - 0 1",
            "Rd3",
            "Kxd3",
            "Rb4 Kc3",
            (400, 0),
            "Goes into a drawn pawn ending: 2.Kxd3. Better is",
        ),
        (
            "7k/5K2/6Q1/8/8/8/8/8 w - - 0 1",
            "Qf6+",
            "Kh7",
            "Qg7#",
            (MATE - 1, 800),
            "Misses mate in 1: 1.Qg7#. The score is",
        ),
        (
            "8/8/8/8/8/5k2/4q3/7K b - - 0 1",
            "Kg3",
            "",
            "Qf1+ Kh2 Qg2#",
            (MATE - 3, 0),
            "Misses mate in 2: 1...Qf1+ 2.Kh2 Qg2#",
        ),
        (
            "8/8/8/8/8/4k3/5q2/7K b - - 0 1",
            "Kf3",
            "",
            "Ke4",
            (900, 0),
            "It is stalemate. Better is",
        ),
    ],
)
def test_reasons_found_in_the_lines(
    fen: str, move: str, refutation: str, better: str, scores: tuple[int, int], words: str
) -> None:
    reason = explain_move([searched(fen, move, refutation, better, *scores)])
    assert words in reason.text
    check_reason(reason)


KNIGHT = "4k3/2p5/8/8/1b6/8/3N4/4K2R w - - 0 1"


def test_a_reason_that_only_one_search_supports_is_not_given() -> None:
    loses = searched(KNIGHT, "Kf1", "Bxd2", "Ke2 c5", 0, -300)
    is_fine = searched(KNIGHT, "Kf1", "c5 Nc4 Ke7", "Ke2 c5 Nc4", 0, -90)
    assert explain_move([loses, loses]).text and explain_move([loses, is_fine, loses]).text
    assert not explain_move([loses, is_fine]).text
    assert not explain_move([is_fine, is_fine, loses]).text


def test_of_two_different_gains_the_smaller_is_given() -> None:
    fen = "r3k3/2p5/8/8/1b6/8/3N3P/R3K3 w - - 0 1"
    more = searched(fen, "Kf1", "Bxd2 Rxa8+ Ke7 Ra7 Kd6 Kg2 Bf4 Kg1 Bxh2+ Kxh2", "Ke2", 0, -300)
    less = searched(fen, "Kf1", "Bxd2 Rxa8+ Ke7", "Ke2 Bxd2 Rxa8+ Ke7", 0, -300)
    assert not explain_move([less, more]).text.startswith("Loses a knight and")


def test_a_long_mate_is_called_forced_without_its_length() -> None:
    fen = "5rk1/5ppp/4p3/8/2P3n1/N2P4/PQ1NKPqP/RR6 w - - 0 24"
    mate = (
        "Qxf2+ Kd1 Ne3+ Kc1 Qe1+ Kb2 Qxd2+ Kb3 Rxb8+ Nb5 Qxd3+ Kb4 Qxc4+ Ka5 Nd5 h4 Ra8+ Na7 Rxa7#"
    )
    better = "Qd4 f5 Nf3 Nxh2 Nxh2 Qxh2"
    reason = explain_move([searched(fen, "Qb8", mate, better, 705, 19 - MATE)])
    assert reason.why.startswith("Allows a forced mate: 24...Qxf2+") and "mate in" not in reason.why
    assert reason.better
    assert not explain_move([searched(fen, "Qb8", mate, better, -1500, 19 - MATE)]).better


def test_recaptured_material_is_not_lost() -> None:
    fen = "4k3/3p4/2n5/8/3N4/2P5/8/4K3 w - - 0 1"
    assert not explain_move([searched(fen, "Kf1", "Nxd4 cxd4 d5", "Nxc6 dxc6", 100, 0)]).text


def test_a_score_that_hardly_drops_is_not_explained_by_a_piece() -> None:
    assert not explain_move([searched(KNIGHT, "Kf1", "Bxd2", "Ke2 c5", 0, -60)]).text


def test_a_good_move_has_no_reason() -> None:
    reason = halbzug.explain.move(
        chess.Board("6k1/5ppp/8/8/8/8/q4PPP/3R2K1 w - - 0 1"), "Rd8", nodes=1000
    ).reason
    assert not reason.is_bad and reason.text == "" and reason.better == ""


def test_castling_is_a_king_move_in_chess960() -> None:
    board = chess.Board("3k4/8/8/8/8/8/8/1RKR4 w BD - 0 1", chess960=True)
    line = PlayedLine(board, [chess.Move.from_uci("c1b1")])
    assert line.mover(0) == (chess.KING, chess.C1)


@pytest.mark.parametrize(
    ("move", "error"), [("Ke3", ValueError), ("nonsense", ValueError), ("", ValueError)]
)
def test_an_illegal_move_is_refused(move: str, error: type[Exception]) -> None:
    with pytest.raises(error, match="not a legal move"):
        halbzug.explain.move(chess.Board(), move)


def greedy_line(board: chess.Board, plies: int, source: random.Random) -> list[chess.Move]:
    """A line of captures wherever possible, so that much is won and lost."""
    after, moves = board.copy(stack=False), []
    for _ in range(plies):
        legal = list(after.legal_moves)
        if not legal:
            break
        captures = [move for move in legal if after.is_capture(move)]
        checks = [move for move in legal if after.gives_check(move)]
        moves.append(source.choice(source.choice([captures, checks, legal]) or legal))
        after.push(moves[-1])
    return moves


@settings(max_examples=2 * settings.default.max_examples)
@given(games(), st.integers(0, 2**32), st.integers(-1500, 1500), st.integers(50, 1500))
def test_every_statement_holds_on_the_board(game: Game, seed: int, before: int, loss: int) -> None:
    source, board = random.Random(seed), game.reference()
    legal = list(board.legal_moves)
    if len(legal) < 2:
        return
    move, best = source.sample(legal, 2)
    after, kept = board.copy(), board.copy()
    after.push(move)
    kept.push(best)
    refutation = tuple(greedy_line(after, source.randrange(8), source))
    best_line = (best, *greedy_line(kept, source.randrange(8), source))
    scores = [before, before - loss]
    ends = PlayedLine(after, refutation).boards[-1], PlayedLine(board, best_line).boards[-1]
    if ends[0].is_checkmate() and len(refutation) % 2:
        scores[1] = len(refutation) - MATE
    if ends[1].is_checkmate() and len(best_line) % 2:
        scores[0] = MATE - len(best_line)
    evidence = Evidence(board, move, refutation, best_line, *scores)
    check_reason(explain_move([evidence]))
    assert explain_move([evidence, evidence]).claim == next(iter(claims_of(evidence)), None) or (
        not explain_move([evidence]).is_bad
    )

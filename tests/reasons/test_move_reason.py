"""Why a move is bad: what is said holds on the board."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise

import chess
import chess.syzygy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import Game, games

import halbzug
from halbzug.base.scores import MATE
from halbzug.batch.findings import OtherReply
from halbzug.batch.other_replies import other_replies
from halbzug.games.agreement import Found, agreed
from halbzug.reasons.facts import Fact
from halbzug.reasons.motifs import Motif, PlayedLine
from halbzug.reasons.move_reason import (
    CONFIRMED,
    MoveReason,
    Outcome,
    explain_move,
    most_won,
)
from halbzug.reasons.reason_facts import fact_of
from halbzug.tablebase.files import default_folders

pytestmark = pytest.mark.any_build

#: The tables that come with Halbzug.
SYZYGY = chess.syzygy.open_tablebase(str(default_folders()[0]))

VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}


def reason_of(fen: str, move: str, nodes: int = 10_000) -> MoveReason:
    return halbzug.explain.move(chess.Board(fen), move, nodes=nodes).reason


# -- what is found ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "move", "words"),
    [
        # From games of amateurs.
        (
            "r4rk1/pp2qppp/3p1n2/2b1n3/2B2B2/2N1PP1P/PPPQ1P2/R4RK1 w - - 1 13",
            "Bb3",
            "13...Nxf3+ forks the king on g1 and the queen on d2",
        ),
        (
            "R7/p4k2/1p4pp/8/6PK/3P3P/8/r7 b - - 9 40",
            "Rg1",
            "takes the pawn on a7, which nothing defends; the rook defended it before",
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
        (
            "r1b1k2r/pp6/3p1p1p/5N2/4q1p1/N1P2PPn/PP4KP/R2Q1R2 b kq - 0 19",
            "gxf3+",
            "",
        ),
        (
            "8/3k1p2/2ppn1pp/4p3/2N1P3/2PPPK2/6PP/8 w - - 1 44",
            "d4",
            "",
        ),
        (
            "r1b2rk1/1p2ppbp/pqn2np1/3p4/N2P4/P3BNP1/1P2PPBP/2RQ1RK1 b - - 7 13",
            "Qb5",
            "after 14.Rc5 the queen on b5 has no safe square, and 16.Rxb5 takes the queen on b5",
        ),
        (
            "2r3k1/5pbp/4p1p1/1pP1P3/1BbPq3/Q7/5R1P/R5K1 w - - 2 29",
            "Bc3",
            "Allows 29...Bd5, which threatens mate by Qh1#",
        ),
        (
            "rnbq1rk1/ppp1p1b1/3p3p/5pp1/2PPP1n1/2N2NB1/PP3PPP/R2QKB1R w KQ - 0 10",
            "h3",
            "",
        ),
        (
            "8/8/1pk5/5pp1/1KP1p3/4P3/5PP1/8 w - - 0 43",
            "f3",
            "Lets ",
        ),
        # Made for their motif.
        ("6k1/5ppp/8/8/8/8/2q2PPP/1R4K1 w - - 0 1", "Ra1", ""),
        ("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", "Rd1", ""),
        ("k7/8/8/8/8/1q6/8/KR6 w - - 0 1", "Rb2", "Misses a forced mate: 1.Rxb3"),
        ("4k3/8/8/8/1b6/8/3N4/4K2R w K - 0 1", "Kf1", "Loses a knight: 1...Bxd2"),
        ("r5k1/5ppp/8/8/8/8/5PPP/1R4K1 b - - 0 1", "Ra7", "a back-rank mate in 1: 2.Rb8#"),
        ("6k1/8/8/8/1q6/8/3K4/7R w - - 0 1", "Kd1", ""),
    ],
)
def test_a_reason_is_found_or_nothing_is_said(fen: str, move: str, words: str) -> None:
    # A forced mate is proved with more of them.
    reason = reason_of(fen, move, 40_000 if "forced mate" in words else 10_000)
    if words:
        assert words in reason.text
    check_reason(reason)


@pytest.mark.parametrize(
    ("fen", "move", "refutation", "better", "scores", "words"),
    [
        (
            "r1b2rk1/ppqn1ppp/2p5/2PPp3/P2P4/4PN1P/2Q1BPP1/R4RK1 b - - 0 16",
            "exd4",
            "d6 Qa5 exd4 b6 Bc4 bxc5",
            "cxd5 dxe5 Nxe5 Rfd1 Nxf3+ Bxf3 Be6 a5 Rfd8 a6",
            (-128, -300),
            "Gives White a passed pawn on d6: 17.d6.",
        ),
        (
            "8/8/1pk5/5pp1/1KP1p3/4P3/5PP1/8 w - - 0 43",
            "f3",
            "exf3 gxf3 g4 fxg4 fxg4",
            "g3 g4 Kb3 Kd6",
            (0, -950),
            "Lets a pawn run: after 43...exf3 44.gxf3 g4 45.fxg4 fxg4 the king on b4 cannot catch "
            "the pawn on g4.",
        ),
        (
            "8/8/1pk5/5pp1/1KP1p3/4P3/5PP1/8 w - - 0 43",
            "f3",
            "exf3 gxf3 g4 fxg4 fxg4 Kc3 g3 Kd3 g2 Kd2 g1=Q",
            "g3 g4 Kb3 Kd6",
            (0, -950),
            "Lets the pawn on f5 promote: 43...exf3 44.gxf3 g4 45.fxg4 fxg4 46.Kc3 g3 47.Kd3 g2 "
            "48.Kd2 g1=Q.",
        ),
        (
            "rnbqr1k1/pp2bppp/5n2/3pp3/8/1BNP2N1/PPP2PPP/R1BQ1RK1 b - - 3 9",
            "Bf8",
            "Bg5 h6 Bxf6 Qxf6 Nxd5 Qd8 c3 Be6 Ne3 Qc7",
            "Nc6 h3 Nd4 Re1 Nxb3 axb3",
            (41, -111),
            "Allows 10.Bg5, which pins the knight on f6 to the queen on d8, and after 10...h6 "
            "11.Bxf6 Qxf6, 12.Nxd5 takes the pawn on d5.",
        ),
        (
            "3n4/p2Br1k1/1p2P2p/3PR1pP/3r2P1/8/PP2R1K1/8 w - - 3 42",
            "R5e4",
            "Rxd5 a3 Kf6 a4 Rd6 Kf3 Nb7 b4 Rd3+ R2e3",
            "Bc8 Rxg4+ Kf2 Rf4+ Kg3 Rd4 Rf5 a5 Kf2 b5",
            (481, 66),
            "Lets 42...Rxd5 take the passed pawn on d5.",
        ),
        (
            "r7/1pp1qrk1/p2p2p1/3P4/2R1PPpP/8/PP1Q4/4K2R w K - 2 23",
            "Kf2",
            "Rxf4+ Qxf4 Rf8 Kg3 Rxf4 Kxf4 c5 Rg1 Qe5+ Kxg4 Qxb2",
            "Qc3+ Kg8 h5 Rh7 h6 b5 Rd4 Rf8 Qe3 Rhf7",
            (-62, -323),
            "Loses a queen and a pawn for two rooks: 23...Rxf4+ 24.Qxf4 Rf8 25.Kg3 Rxf4 26.Kxf4.",
        ),
        (
            "8/1p6/1Pp5/P2p3k/3Pp2P/5r2/5PK1/R7 b - - 1 31",
            "Rd3",
            "a6 bxa6 Rb1 Rf3 b7 Rf8 b8=R Rxb8 Rxb8 Kxh4 Kf1",
            "Rb3 Kf1 Kxh4 Ke2 Rb2+ Ke3 Kh3 Rh1+ Kg2 Rh7 Ra2",
            (-108, -825),
            "Lets the pawn on b6 promote, which costs a rook: 32.a6 bxa6 33.Rb1 Rf3 34.b7 Rf8 "
            "35.b8=R Rxb8 36.Rxb8.",
        ),
        (
            "rn1q1rk1/pp2ppbp/2pp1np1/3P2B1/2P1P1b1/2N2N2/PP3PPP/R2QKB1R w KQ - 1 8",
            "Bxf6",
            "Bxf6 Be2 Nd7 O-O",
            "Be2 Nbd7 O-O Rc8",
            (20, -60),
            "Gives up a bishop for a knight: 8...Bxf6.",
        ),
        (
            "r1bk1bnr/pp3ppp/2n5/2p1p1N1/4P3/2N5/PPP2PPP/R1B1KB1R b KQ - 3 7",
            "Nd4",
            "Nxf7+ Ke8 Nxh8 Nxc2+ Kd1 Nxa1",
            "Nh6 Nf3 Be6",
            (-130, -360),
            "Allows a fork: 8.Nxf7+ forks the king on d8 and the rook on h8, and 9.Nxh8 takes the "
            "rook on h8.",
        ),
        (
            "2rr2k1/pp2ppbp/2n3p1/3q2N1/3P4/P3Q3/1P2BPPP/2RR2K1 w - - 1 18",
            "Nf3",
            "e6 Bc4 Qf5 h3 Ne7",
            "Bc4 Bxd4 Nxf7 Bxe3 Nxd8 Rxd8",
            (407, -41),
            "Misses 18.Bc4, which attacks the queen on d5 and behind it the pawn on f7.",
        ),
        (
            "rn1qkb1r/1b3ppp/p3p3/1ppn4/8/1BPP1N2/PP1NQPPP/R1B1K2R b KQkq - 3 9",
            "Be7",
            "Ne4 Qc7 O-O Nd7",
            "Nf4 Qd1 Nxd3+ Kf1 Be7",
            (293, 25),
            "Misses 9...Nf4, which attacks the queen on e2, the pawn on g2 and the pawn on d3 at "
            "once.",
        ),
        (
            "r1b2r1k/ppp2p2/2n2qpp/2p1PN2/2B1P2N/3P2PK/PPP4P/R2Q1R2 b - - 0 17",
            "Qxe5",
            "Bxf7 Ne7 Bxg6 Qxb2",
            "Nxe5 Qd2 gxf5 Nxf5",
            (-143, -673),
            "Allows 18.Bxf7, which threatens Nxg6+ with a fork of the king on h8 and the queen on "
            "e5.",
        ),
        (
            "r3kb1r/ppp1qppp/8/4n3/8/8/PP3PPP/RNBQR1K1 b kq - 1 12",
            "f6",
            "f4 Rd8 Qe2 Nd3 Qh5+ g6 Qb5+ c6 Rxe7+ Bxe7",
            "Rd8 Nd2 g5 Qa4+ c6 Ne4 h6 Be3",
            (-101, -264),
            "Allows 13.f4, which attacks the knight on e5, which is pinned to the queen on e7.",
        ),
        (
            "6k1/8/4b1p1/PK1p2P1/1P1Pp3/4n3/2R5/8 w - - 0 63",
            "Rc6",
            "Bd7 a6 Nc2 Kc5 Bxc6 b5 Nb4 bxc6 Nxa6+",
            "Rc7 Nf5 a6 Nxd4+ Kb6 Bf7 a7 Ne6",
            (1216, 233),
            "Allows 63...Bd7, which attacks the rook on c6, which is pinned to the king on b5.",
        ),
        (
            "r3kb1r/ppp1q1pp/5p2/4n3/8/8/PP3PPP/RNBQR1K1 w kq - 0 13",
            "h3",
            "Nc6 Nc3 Qxe1+ Qxe1+",
            "f4 Rd8 Qe2 Nd3 Qh5+ g6",
            (264, -101),
            "Misses 13.f4, which attacks the knight on e5, which is pinned to the queen on e7.",
        ),
        (
            "8/7p/4k2P/4p3/3p4/3K1P2/8/8 w - - 4 46",
            "f4",
            "exf4 Ke4 d3 Kxd3 Kf5 Ke2 Kg6 Kf3 Kg5 Ke4",
            "Ke4 Ke7 f4 exf4 Kxf4 Kd6 Ke4 Kc5 Kd3 Kd5",
            (0, -1033),
            "Turns a drawn pawn ending into a lost one: 46...exf4 47.Ke4 d3 48.Kxd3 Kf5 49.Ke2.",
        ),
        # Made for their fact.
        (
            "4k3/8/3p4/4N3/8/8/8/4K2R b - - 0 1",
            "Ke7",
            "Nc4 d5 Na5",
            "dxe5 Rh8+ Kd7",
            (0, -300),
            "Lets the knight on e5 get away: 2.Nc4.",
        ),
        (
            "6k1/5ppp/8/8/8/p7/5PPP/R5K1 w - - 0 1",
            "h3",
            "a2 Kh2 Kf8 g4 Ke7",
            "Rxa3 h6 Ra8+",
            (100, -50),
            "Leaves the passed pawn on a3, which 1.Rxa3 takes.",
        ),
        (
            "2r3k1/5ppp/8/8/8/1P6/P3BPPP/R5K1 w - - 0 1",
            "h3",
            "Rc2 a4 h6 a5 Kf8",
            "Bd3 Kf8 Rc1 Rxc1+ Bf1",
            (0, -120),
            "Lets a rook in on the second rank: 1...Rc2.",
        ),
        (
            "8/5kpp/8/3r4/3R4/4P3/PP4PP/6K1 b - - 0 1",
            "Rxd4",
            "exd4 Ke6 Kf2",
            "Ra5 a3 Ke6 h3 Ke5 g3",
            (-100, -500),
            "Goes into a lost pawn ending: 2.exd4.",
        ),
        (
            "4k3/8/3K4/4P3/8/8/8/8 w - - 0 1",
            "Kd5",
            "Kd7 e6+ Ke7",
            "Ke6 Kf8 Kd7",
            (500, 0),
            "Turns a won ending into a drawn one, as the tablebases say.",
        ),
        (
            "4Q3/6pk/7p/8/8/2q5/6PP/7K w - - 0 1",
            "h3",
            "Qc1+ Kh2 Qf4+",
            "Qe4+ Kg8 Qe8+ Kh7 Qe4+",
            (0, -300),
            "Misses perpetual check: 1.Qe4+ Kg8 2.Qe8+ Kh7 3.Qe4+.",
        ),
        (
            "4Q3/6pk/7p/8/8/2q5/6PP/6K1 b - - 0 1",
            "h5",
            "Qe4+ Kg8 Qe8+ Kh7 Qe4+",
            "Qe1+ Qxe1",
            (200, 0),
            "Allows perpetual check: 2.Qe4+ Kg8 3.Qe8+ Kh7 4.Qe4+.",
        ),
    ],
)
def test_a_fact_is_read_off_the_lines(
    fen: str, move: str, refutation: str, better: str, scores: tuple[int, int], words: str
) -> None:
    board = chess.Board(fen)
    bad = board.parse_san(move)
    after = board.copy()
    after.push(bad)
    lines = [
        [line.push_san(each) for each in moves.split()]
        for line, moves in ((after, refutation), (board.copy(), better))
    ]
    fact = fact_of(board, bad, *lines, *scores)
    assert fact
    reply, best = (tuple(line) for line in lines)
    reason = MoveReason(board, bad, best[0], *scores, reply, best, fact=fact)
    assert reason.why == words
    check_reason(reason)


def test_a_pawn_that_promotes_in_one_line_shows_that_the_pawn_ending_is_lost() -> None:
    promotion = Fact("promotion", (), origin=chess.F5)
    lost, drawn = (Fact("pawn result", (), verdict=left, kept=left + 1) for left in (-1, 0))
    assert lost.agrees(promotion) and not drawn.agrees(promotion)
    assert not promotion.agrees(lost)  # only one search has seen it


def test_a_pin_that_wins_nothing_is_no_reason() -> None:
    board = chess.Board("r3kb1r/1p1q1ppp/p3p3/2Ppn1B1/1P6/2P5/P3QPPP/RN3RK1 b kq - 1 14")
    bad = board.parse_san("Qc7")
    after, kept = board.copy(), board.copy()
    after.push(bad)
    refutation = [after.push_san(move) for move in ["Bf4", "f6", "c4", "Be7", "Nc3", "O-O"]]
    best_line = [kept.push_san(move) for move in ["Ng6", "Nd2", "Be7", "Bxe7"]]
    assert fact_of(board, bad, refutation, best_line, 0, -140) is None


def test_a_promotion_after_a_sacrifice_is_not_said_to_cost_what_takes_the_queen() -> None:
    board = chess.Board("2r2r2/1p1b2k1/p2p1qp1/P1pP2n1/4P1P1/2N2PKp/1P1QB3/R4R2 b - - 0 25")
    better = "Nxf3 Bxf3 Qe5+ Kf2 Bxg4 Ke2 Rxf3 Rxf3 Rf8 Kd1 Bxf3+ Kc2 h2 Kb3 h1=Q Rxh1 Bxh1"
    after, kept = board.copy(), board.copy()
    bad = after.push_san("h2")
    refutation = [after.push_san(move) for move in ["f4", "Qd4", "Qxd4+", "cxd4", "fxg5", "dxc3"]]
    best_line = [kept.push_san(move) for move in better.split()]
    fact = fact_of(board, bad, refutation, best_line, 653, 107)
    assert fact is None or fact.kind != "missed promotion"


def test_what_the_played_move_attacks_too_was_not_missed() -> None:
    board = chess.Board("2k3rr/1pq2ppp/p2bpn2/2np4/1P1P4/P1P2Q1P/2B2PP1/R1B2RK1 w - - 0 16")
    bad, better = board.parse_san("dxc5"), board.parse_san("bxc5")
    after, kept = board.copy(), board.copy()
    after.push(bad)
    refutation = [after.push_san(move) for move in ["Bh2+", "Kh1", "Be5", "Re1", "g5", "Qe3"]]
    best_line = [kept.push_san(move) for move in ["bxc5", "Be7", "Bf4", "Qd7"]]
    assert best_line[0] == better
    fact = fact_of(board, bad, refutation, best_line, 384, 73)
    assert not fact or not fact.is_missed


def found(text: str, move: str, refutation: str, better: str, before: int, after: int) -> Found:
    """What a search would have found that had these lines."""
    board = chess.Board(text)
    bad = board.parse_san(move)
    later = board.copy()
    later.push(bad)
    reply = [later.push_san(each) for each in refutation.split()]
    best = board.copy()
    return Found(board, bad, reply, [best.push_san(each) for each in better.split()], before, after)


@pytest.mark.parametrize(
    ("fen", "move", "refutation", "better", "scores", "words"),
    [
        # What is shown is not all that the move costs.
        (
            "rn1q1rk1/pb1p2pp/1p3n2/2pP1p2/8/2BBPN1P/PP3PP1/R2QR1K1 b - - 0 13",
            "Nxd5",
            "Bc4 Kh8 Bxd5 Nc6 Qa4 Qe7 Qf4 d6 Rad1 Rae8 Nh4 Ne5 Bxb7 Qxb7",
            "Ne4 Bc2 Qe7 a4 d6 Nd2 Nd7 f3 Nxc3 bxc3 Qf6",
            (-39, -612),
            "Loses at least a knight for a pawn: 14.Bc4 pins the knight on d5 to its king, and",
        ),
        # An exchange is worth more than two pawns, but its loss may cost less.
        (
            "2rqk1nr/pp2bppp/2n1p3/1B1pNb2/3P1B2/2N4P/PPP2PP1/R2Q1RK1 b k - 7 10",
            "Nf6",
            "Nxc6 bxc6 Ba6 Rb8 Bxb8 Qxb8 Bd3 Bg6 Rb1 Bh5 Ne2 O-O Qd2 c5 c3",
            "Bd6 Bxc6+ bxc6 Qh5 Bxe5 Bxe5 Nf6 Qg5 O-O Rac1 Bg6",
            (0, -106),
            "Loses the exchange: after 11.Nxc6 bxc6 12.Ba6 Rb8, 13.Bxb8 takes the rook",
        ),
        # What is shown of a line is less than it wins.
        (
            "rnbqr1k1/ppp3bp/6p1/4pp2/8/2NPBB1P/PPPQ2P1/2KR3R b - - 1 14",
            "Be6",
            "Bxb7 Nd7 Bxa8 Qxa8 Bh6 Bf6 h4 Bf7 h5 gxh5 Qf2 Bg6",
            "Nc6 Bh6 Bxh6 Qxh6 Nd4 h4 c6 Rdf1 Qe7 h5 g5 Bd5+",
            (50, -141),
            "Loses at least a pawn: 15.Bxb7 takes the pawn on b7",
        ),
        # The queen sells itself, because it is lost.
        (
            "r2q1rk1/p5b1/1p4p1/2pp3p/4NP2/2P3n1/PP2Q3/3RK1NR w K - 0 25",
            "Rxd5",
            "Qxd5 Nxg3 Rae8 Qxe8 Rxe8+ Kf2",
            "Nxg3 Re8 Ne4 Rxe4 Qxe4 dxe4 Rxd8+ Rxd8 f5 gxf5 Rxh5 Rf8 Nh3",
            (-304, -1184),
            "after 25...Qxd5 26.Nxg3 Rae8 the queen on e2 has no safe square: 27.Qxe8 Rxe8+.",
        ),
        # Nothing but captures and checks shows itself.
        (
            "q5k1/4p1bp/p2p2p1/2p5/2P1Pr2/2n2P1N/2PQ2P1/1R2K2R b K - 3 21",
            "Nxb1",
            "Qxf4 Qb8 O-O Nc3 Qg4 Qf8 f4 Bd4+ Kh2 Qf6",
            "Rxe4+ fxe4 Qxe4+ Kf1 Nxb1 Qd5+ Qxd5 cxd5 Nc3 Nf4 a5 Ne2 Nxd5",
            (282, -79),
            "Misses the win of two pawns: 21...Rxe4+ 22.fxe4 Qxe4+ 23.Kf1 Nxb1.",
        ),
    ],
)
def test_a_reason_is_read_off_the_lines(
    fen: str, move: str, refutation: str, better: str, scores: tuple[int, int], words: str
) -> None:
    reason = found(fen, move, refutation, better, *scores).wide
    assert words in reason.text
    check_reason(reason)


def test_what_falls_at_the_far_end_of_another_reply_is_no_part_of_the_loss() -> None:
    """After 24.f5 the bishop is taken for a knight; the rest of the game is lost all the same."""
    board = chess.Board("2br1rk1/pp2pp1p/6p1/2q3B1/4PPn1/PBP5/4Q1P1/R4R1K w - - 1 23")
    after = board.copy()
    after.push_san("c4")
    reply = (
        "f4f5 h6g5 e2g4 g8g7 f1f3 f8h8 f3h3 h8h3 g2h3 d8d3 b3a4 c5f2 a1g1 f7f6 a4e8 g6f5 g4h5 f2f3"
    )
    reply += " h5f3 d3f3 e4f5 c8f5 h1g2 f3a3 g1d1 a3h3"
    moves = [chess.Move.from_uci(move) for move in ("h7h6", *reply.split())]
    assert most_won(board, PlayedLine(after, moves), 1) < 2
    assert most_won(board, PlayedLine(after, moves), 1, to_end=True) > 2


def test_a_promotion_at_the_end_of_a_long_line_is_not_certain() -> None:
    """White's king could have gone to the pawn; the other one decides."""
    refutation = "Kd3 a4 Kc4 Ke2 Kb4 Kd3 Kxa4 Kc4 f4 Kc3 f3 Kc4 f2 Kd5 f1=Q Kd6 Qf6+ Kc7"
    better = "b4 Kd3 a4 Kc4 b5 Kc5 bxa6 Kb6 Kf1 Kxa6"
    fact = found("8/8/p7/5p2/8/4k3/PP6/4K3 w - - 6 52", "Kf1", refutation, better, 0, -1886).fact
    assert not fact or fact.kind != "promotion"


def test_a_pawn_that_falls_after_the_exchange_is_not_counted() -> None:
    fen = "r3q1k1/pQ3rb1/3Bb2p/2p5/6p1/P1N1P3/1PP2PP1/R4RK1 w - - 1 21"
    refutation = "Qxb5 Nxb5 Bc4 a4 Bxf1 Rxf1 Bxb2 e4 Rc8 Bg3 Rc6 Rb1"
    better = "Qe4 Bf5 Qxe8+ Rxe8 Bxc5 Rb8 Bb4 a5 Bxa5 Rxb2 Rfc1 h5"
    reason = found(fen, "Qb5", refutation, better, 129, -85).wide.shortest()
    assert reason.text.startswith("Loses at least the exchange: after 21...Qxb5 22.Nxb5, 22...Bc4")
    check_reason(reason)


def test_what_is_won_for_as_much_was_not_missed_if_the_score_is_level() -> None:
    fen = "r3r1k1/pp1nqppp/2pb1p2/8/2BPb3/1QP2N2/PP1B1PPP/4RK1R w - - 9 13"
    refutation = "b5 Be2 Nb6 Qd1 a5 h4 a4 h5 h6 Nf3 Qe6 a3"
    better = "g3 Bxf3 Rxe7 Rxe7 Rg1 b5 Bd3 g6 a4 Rae8 Qc2 bxa4"
    assert not found(fen, "Ng1", refutation, better, 0, -170).wide.text


def test_a_queen_that_the_score_does_not_know_of_was_not_missed() -> None:
    fen = "r1bqk2r/ppp2pb1/2np1np1/4p1B1/2B1P3/2NP1Q2/PPP2PPP/R3K2R w KQkq - 1 9"
    refutation = "Nd4 Qd1 c6 a4 Rh5 Qd2 Be6 f4 Qb6 Kh1 Nh7 h3 Qc7"
    better = "Nd5 Nxd5 Bxd8 Nf4 Bg5 Nd4 Qd1 Nxg2+ Kd2"
    assert not found(fen, "O-O", refutation, better, 20, -389).wide.text
    assert found(fen, "O-O", refutation, better, 520, 111).wide.missed


#: What two searches found in games of amateurs: the refutation, the better line, both scores.
TWICE = [
    pytest.param(
        "r3r1k1/p4pp1/1bp2n1p/8/8/2PP1PB1/6PP/3Q1K1R w - - 0 26",
        "Be5",
        ("Rxe5 d4 Rd8 Qc1 Ra5 g4 c5 g5 hxg5", "c4 a5 Qa4 Re6 Bf2 Rae8 Qd1 Rb8", 70, -445),
        ("Rxe5 d4 Rd8 Qc1 Re6 Kf2 Nd5 Re1", "c4 a5 Qa4 Ba7 h3 Be3 Bf2 Nh5", 37, -451),
        "Loses a bishop: 26...Rxe5 takes the bishop on e5, which nothing defends.",
        id="the first gain and not a later one",
    ),
    pytest.param(
        "8/1p6/p2K4/PbP5/1P6/4k3/8/8 b - - 7 56",
        "Kd3",
        ("Kc7 Bc6 b5 Bxb5 Kxb7 Kc4 c6 Bxc6+", "Kd4 Kc7 Bc6 b5 Bxb5 Kd6 Bc6 Ke6", 751, 0),
        ("Kc7 Bc6 b5 Bxb5 Kxb7 Kc4 c6 Bxc6+", "Kd4 Kc7 Bc6 b5 Bxb5 Kd6 Bc6 Ke6", 858, 0),
        "",
        id="the same capture after the bad move",
    ),
    pytest.param(
        "r1bqkb1r/pppp1ppp/2n2n2/4P3/2Bp4/5N2/PPP2PPP/RNBQK2R b KQkq - 0 5",
        "Nh5",
        ("O-O h6 Nxd4 g6 Re1 Nxd4 Qxd4 Bg7", "d5 Bb5 Ne4 Nxd4 Bc5 Be3 Bd7 Bxc6", 11, -166),
        ("O-O h6 Nxd4 g6 Nxc6 bxc6 Qf3 Qe7", "d5 Bb5 Ne4 Nxd4 Bd7 Bxc6 bxc6 O-O", -6, -179),
        "",
        id="the same loss after the better move",
    ),
    pytest.param(
        "r1bqr1k1/ppp1ppbp/2n2np1/3p4/4P3/2BP1N1P/PPPN1PP1/R2QKB1R w KQ - 0 8",
        "Nb1",
        (
            "e5 exd5 Nxd5 g3 b5 a3 Bb7 Be2 Nd4 O-O Qd7 Nbd2 Qxh3",
            "exd5 Qxd5 Be2 e5 O-O Qd7 Ne4 Nd5",
            -87,
            -274,
        ),
        (
            "e5 exd5 Nxd5 g3 b5 a3 Bb7 Be2 Nd4 O-O Qd7 Nbd2 Qxh3",
            "exd5 Qxd5 Be2 e5 O-O Qd7 Ne4 Nd5",
            -82,
            -273,
        ),
        "",
        id="a pawn far away",
    ),
    pytest.param(
        "r3k2r/p6p/2p5/q3p1p1/3p2bP/N2P2B1/PPP2QP1/R3K3 w Qkq - 1 19",
        "c3",
        ("dxc3 b4 Qd5 Qf6 Rf8 Qxe5+ Kf7", "Qd2 Qxd2+ Kxd2 e4 dxe4 gxh4 Bxh4", -133, -318),
        ("dxc3 b4 Qd5 Qf6 Rf8 Qxe5+ Kf7", "Qd2 Qxd2+ Kxd2 e4 dxe4 gxh4 Bxh4", -127, -360),
        "",
        id="a pawn that is given away later",
    ),
    pytest.param(
        "6k1/pq3pp1/8/3pPp1P/1PbB1P1P/P1R3K1/8/8 b - - 1 31",
        "Qb6",
        ("Bxb6 axb6 a4 f6 Kf2", "Qd7 e6 fxe6 Kf2 Qe7 Rh3 Qc7 Be5", 446, -654),
        ("Bxb6 axb6 a4 f6 Kf2", "Qa6 e6 Qxe6 Re3 Qa6 a4 Kh7 a5", 547, -694),
        "Loses a queen for a bishop: 32.Bxb6 takes the queen on b6 with a bishop.",
        id="the loss is sure, and what was missed is not",
    ),
    pytest.param(
        "rn1qk2r/ppp2ppp/5n2/2b1p3/2B1P1b1/2N2N2/PPPP2PP/R1BQK2R w KQkq - 2 7",
        "d3",
        ("Nc6 Bb5 Qd6 Qe2 Nd7 Bxc6 Qxc6 Be3", "Bxf7+ Kf8 Bd5 Nxd5 exd5 h6 d3 Qe7", 142, -12),
        ("Nc6 Bb5 Qd6 Qe2 Nd7 Bxc6 Qxc6 Be3", "Bxf7+ Ke7 Bd5 Nxd5 exd5 Qd6 d3 Nd7", 123, -15),
        "Misses the win of a pawn: 7.Bxf7+ takes the pawn on f7, for after 7...Kxf7, 8.Nxe5+ wins "
        "it back.",
        id="what takes back what was taken",
    ),
    pytest.param(
        "rnbq1rk1/p2pn1bp/1pp1ppp1/4P3/2PP3N/4B1P1/PP3PBP/RN1QK2R b KQ - 1 9",
        "f5",
        ("O-O Ba6 b3 d5 exd6 Nc8 Nc3 Nxd6", "fxe5 dxe5 Bxe5 Qd2 Bg7 Bh6 Bxh6 Qxh6", 38, -150),
        ("O-O Ba6 Nd2 d5 exd6 Nc8 Qe2 Nxd6", "fxe5 dxe5 Bxe5 Qe2 Bg7 O-O d5 Bg5", 67, -153),
        "Misses the win of a pawn: 9...fxe5 takes the pawn on e5, which is attacked more often "
        "than it is defended.",
        id="the plainest words",
    ),
    pytest.param(
        "r1b3rk/pp3p1p/2n1pp2/q6N/1b1p3N/3B4/PPP2PPP/R2Q1RK1 b - - 3 16",
        "Qd5",
        ("Bxh7 Rg5 Nf4 Qe5 Nd3 Qd5 Nf4 Qa5", "Qg5 Nxf6 Qxf6 Qh5 Qg7 f4 f5 g3", 431, 23),
        ("Bxh7 Rg5 Nf4 Qe5 Nd3 Qd5 Nf4 Qe5", "Qg5 f4 Qxh4 Be2 Be7 Kh1 Bd7 Bf3", 444, 0),
        "Misses the win of a knight for a pawn: 16...Qg5 attacks the knight on h4 and the knight "
        "on h5, and 17...Qxf6 takes the knight on f6.",
        id="the other piece takes a pawn first",
    ),
    pytest.param(
        "r2qk2r/1pp2ppn/p2b3p/4P3/2B2N2/1P1p1P1P/PBnP1PK1/3Q3R w kq - 1 18",
        "Re1",
        (
            "Nxe1+ Qxe1 Qg5+ Kf1 Ba3 Nxd3 Bxb2 Qe4 Qxd2 e6 O-O-O Bxa6",
            "Kf1 Ba3 Bc3 O-O e6 Nd4 exf7+ Rxf7 Bxf7+ Kxf7 Qe1 Ne2",
            -225,
            -499,
        ),
        (
            "Nxe1+ Qxe1 Qg5+ Kf1 O-O-O Nxd3 Rhe8 Qe4 Nf6 Qe3 Bxe5 Nxe5",
            "Nxd3 Ba3 Qxc2 Bxb2 h4 b5 e6 bxc4 exf7+ Kf8 Nxb2 cxb3",
            -205,
            -587,
        ),
        "Loses the exchange: 18...Nxe1+ takes the rook on e1 with a knight.",
        id="an exchange in lines without rest",
    ),
    pytest.param(
        "5qk1/R3n2p/p3prp1/1pQn2N1/1P1p4/P2P2p1/4PPBP/6K1 w - - 0 27",
        "Bxd5",
        ("gxf2+ Kf1 Nxd5 Qxd4 Qc8 Nf3 Qc1+ Kxf2 Qxa3", "fxg3 Rf5 Nxe6", 359, 22),
        ("gxf2+ Kf1 Nxd5 Qxd4 Qc8 Nf3 Qc1+ Kxf2 Qxa3", "fxg3 Rf5 Nxe6", 369, 24),
        "Misses the win of two pawns: 27.fxg3 takes the pawn on g3, which nothing defends, and "
        "28.Nxe6 the pawn on e6; now 27...gxf2+ comes with check.",
        id="two pawns by name, one of which goes on with check",
    ),
    pytest.param(
        "r2qk2r/1p3pp1/pbn1pnp1/3p2B1/1P1P2P1/P1N4P/2P2P2/R2QKB1R w KQkq - 4 15",
        "b5",
        ("Nxd4 h4 Qc8 Rh3 axb5 Ra2 Kf8 Qd3 Qc5 Qg3", "Be3 e5 dxe5 Bxe3 fxe3 Nxe5", -71, -353),
        ("Nxd4 h4 Qc8 Rh3 axb5 Ra2 Kf8 Qd3 Qc5 Qg3", "Be3 e5 dxe5 Bxe3 fxe3 Nxe5", -71, -353),
        "Loses a pawn: 15...Nxd4 takes the pawn on d4, which is attacked more often than it is "
        "defended; it was attacked before the move already.",
        id="a second pawn that could take one, and that is taken back",
    ),
    pytest.param(
        "3r2k1/5pp1/7p/8/3P4/8/1P3PPP/R5K1 w - - 0 1",
        "h3",
        *(("Rxd4 Kh2 Rd2 Kg3 Rxb2 Kf3 g6 Ra6 h5", "Rd1 Rd5 Kf1 g6 Ke2 h5", 0, -320),) * 2,
        "Loses two pawns: 1...Rxd4 takes the pawn on d4, which nothing defends, and 3...Rxb2 the "
        "pawn on b2; the pawn on d4 was attacked before the move already.",
        id="two pawns, of which one was attacked before",
    ),
    pytest.param(
        "r2q1rk1/1Q3pp1/3p3p/p1p1bP2/8/3P2P1/PPP2PBP/R4RK1 b - - 0 18",
        "Qg5",
        ("c3 Qxf5 Qd5 Qd7 h4 Rab8 Rfe1 Qb5 Re2 g6", "Rb8 Qd5 Rxb2", -20, -130),
        ("d4 Bxd4 c3 Bf6 Qd5 Rab8 f4 Qg4 Rf2 Rfe8 Bf3 Qh3", "Rb8 Qd5 Rxb2", -31, -147),
        "",
        id="the bad move wins a pawn as well",
    ),
    pytest.param(
        "1r3r1k/2Rn4/1p1P2p1/p2B1bNp/7P/6P1/PPP1R3/2K5 b - - 3 32",
        "Rf6",
        *(
            (
                "Re7 Be6 Bxe6 Rxe6 Rxe6 Nf8 d7 Nxe6 Rc8+ Kg7 Nxe6+ Kf6 d8=Q+ Kf5 Qg5+ Kxe6 Rc6+ "
                "Kf7 Qxg6+ Ke7 Rc7+ Kd8 Qd6+ Ke8 Qe7#",
                "Rg8 Bxg8 Kxg8 Re7 Nf6 Rg7+ Kh8",
                -937,
                25 - MATE,
            ),
        )
        * 2,
        "",
        id="a long mate in a lost game",
    ),
    pytest.param(
        "2r5/3b3Q/p1p2qp1/1pBk4/1P1P4/P3R1P1/7P/6K1 b - - 0 32",
        "Re8",
        *(
            (
                "Qxd7+ Kc4 Qxe8 Qf5 Qg8+ Qd5 Qxg6 Qxd4 Bxd4 Kd5 Qe6+ Kxd4 Qe4#",
                "Bg4 Re5+ Kc4 Qh6 Qf3 Re1 Qd3 Qf4 Bf5 d5+ Kb3 Re3 cxd5 Rxd3+",
                -501,
                13 - MATE,
            ),
        )
        * 2,
        "Loses a rook and a bishop: 33.Qxd7+ forks the king on d5 and the rook on e8, and 34.Qxe8 "
        "takes the rook on e8.",
        id="a long mate that begins with a fork",
    ),
    pytest.param(
        "8/3k1p2/2ppn1pp/4p3/2N1P3/2PPPK2/6PP/8 w - - 1 44",
        "d4",
        (
            "Ng5+ Ke2 exd4 exd4 Nxe4 Kd3 f5 Ne3 h5 c4 h4 Nc2 g5 Nb4 Nf6 h3",
            "h4 Nc7 d4 Ke6 Ke2 h5 Kd3 f6 Na5 Kd7 Kc4 exd4 exd4 d5+ Kd3 Nb5",
            -12,
            -175,
        ),
        (
            "Ng5+ Ke2 exd4 exd4 Nxe4 Kd3 f5 Ne3 h5 c4 Nf6 Nd1 Kc7 g3 Ng4 h3",
            "g4 f6 Nb6+ Kc7 Na4 Ng5+ Ke2 h5 gxh5 gxh5 h4 Nf7 Kf3 Nh6 c4 Ng4",
            -9,
            -172,
        ),
        "Loses a pawn: 44...Ng5+ forks the king on f3 and the pawn on e4, and 46...Nxe4 takes the "
        "pawn on e4.",
        id="a fork of the king and a pawn",
    ),
    pytest.param(
        "4k3/3R1pp1/8/3P3p/8/2K5/1P1r4/8 b - - 6 37",
        "Rd1",
        *(
            (
                "Ra7 Rxd5 b4 h4 Kc4 Rd1 b5 Rb1 Ra8+ Kd7 Rg8 g6",
                "Kxd7 Kxd2 g5 Ke2 Kd6 Kf3 Kxd5 Kg3 h4+ Kf3 f5 Kg2",
                964,
                296,
            ),
        )
        * 2,
        "",
        id="a rook that would have been traded",
    ),
    pytest.param(
        "2b5/1p6/5k2/p7/P7/2P2NP1/1P1r3P/1R4K1 b - - 8 30",
        "Bf5",
        (
            "Nxd2 Bxb1 Nxb1 Kf5 Nd2 Ke5 Kf2 Kd6 h4 Kd5 g4 Kd6 Nc4+ Kd5",
            "Rd3 Nd4 Bd7 Rf1+ Ke5 Rf4 Rd1+ Kg2 Rb1 Rf2 Bxa4 g4 Ke4 h4",
            -334,
            -1208,
        ),
        (
            "Nxd2 Bxb1 Nxb1 Kf5 Nd2 Ke5 Kf2 Kd6 h4 Kd5 g4 b6 Kf3 Kd6",
            "Rd3 Nd4 Rd2 Nb3 Re2 Rf1+ Kg5 Rf2 Re1+ Kg2 b6 Rd2 Bb7+ Kf2",
            -337,
            -1233,
        ),
        "Loses at least a bishop: 31.Nxd2 takes the rook on d2, and after 31...Bxb1, 32.Nxb1 takes "
        "back.",
        id="another piece sold for the one that is lost",
    ),
    pytest.param(
        "1k5r/6pp/8/7K/4q1p1/8/8/1qq5 b - - 1 46",
        "g3",
        *(("", "Qh6#", MATE - 1, 0),) * 2,
        "It is stalemate. Misses mate in 1: 46...Qh6#.",
        id="stalemate instead of mate",
    ),
    pytest.param(
        "1r4k1/1q3pp1/4b2p/pN1p4/PrpP4/2n2Q1P/2P2PP1/R1R3K1 w - - 0 30",
        "Qxc3",
        *(
            (
                "Bd7 Re1 Bxb5 axb5 Qxb5 Kh2 a4 Re7 Rb1 Ra7 Rxa1 Qxa1 Re8 Rxa4 Re2 c3 Rxf2",
                "Nxc3 Rb2 Nb5 Qb6 Qa3 Rb4 Qf3 Rb2",
                0,
                -123,
            ),
        )
        * 2,
        "",
        id="a passed pawn where a pawn is lost",
    ),
    pytest.param(
        "k1b3qr/Pp2bp2/1Qn5/4p3/P2pP3/3P2N1/5PK1/1RR5 b - - 6 30",
        "Bh4",
        (
            "Rxc6 Bxg3 fxg3 Qg4 Rxc8+ Qxc8 Qb5 Rh6 Kg1",
            "Bd8 Qb5 Rh6 a5 Kxa7 a6 bxa6 Qd5",
            182,
            26,
        ),
        (
            "Rxc6 Bxg3 fxg3 Qg4 Rxc8+ Qxc8 Qb5 Rh6 Kg1",
            "Bd8 Qb5 Rh6 a5 Kxa7 a6 bxa6 Qc5+",
            149,
            30,
        ),
        "Loses two minor pieces for a rook: 31.Rxc6 takes the knight on c6, and after 31...Bxg3, "
        "32.fxg3 takes back.",
        id="the capture that gains and not the one that takes back",
    ),
    pytest.param(
        "r1b1r1k1/pp1n1ppp/3B4/2p5/3p4/1P6/P1PN1PPP/R2R2K1 w - - 1 17",
        "Kf1",
        (
            "Re6 Bg3 b6 Re1 Ba6+ Nc4 Rxe1+ Rxe1 Nf6 Re5 Kf8 f3",
            "Re1 Re6 Rxe6 fxe6 Re1 b6 Rxe6 Nf6 Re5 Bb7 Re7 Bc6",
            -5,
            -202,
        ),
        (
            "Re6 Bg3 b6 Re1 Ba6+ Nc4 Rae8 Rxe6 Rxe6 a4 h5 a5",
            "Re1 Re6 Rxe6 fxe6 Re1 b6 Rxe6 Nf6 Re5 Bd7 f3 Be8",
            -33,
            -207,
        ),
        "Misses the win of a pawn: after 17.Re1 Re6 18.Rxe6 fxe6 19.Re1 b6, 20.Rxe6 takes the pawn "
        "on e6, which nothing defends.",
        id="a line that both searches agree on to the capture",
    ),
    pytest.param(
        "2r2rk1/1p1nbp1p/pq2p1p1/3pP1P1/3P4/2PB1R2/PP5P/RQB3K1 w - - 1 18",
        "h4",
        (
            "Nxe5 Rf2 Nxd3 Qxd3 e5 Bd2 exd4 cxd4 Bd6 Re1 Qxb2 Bf4 Qb6 Rb1",
            "Bf4 Qd8 h4 b5 a3 Nb6 Qc2 Nc4 Qf2 a5 Kg2 b4 axb4 axb4",
            159,
            -162,
        ),
        (
            "Nxe5 Rf1 Nxd3 Qxd3 e5 h5 Qe6 Qg3 exd4 Re1 Qd7 cxd4 Bd6 Bf4",
            "Bf4 Qc6 h4 b5 Qf1 b4 cxb4 Bxb4 Bxa6 Rb8 Bd3 Qb6 Be3 Bd2",
            169,
            -174,
        ),
        "Loses a pawn: 18...Nxe5 takes the pawn on e5, whose defender, the pawn on d4, is pinned.",
        id="a second pawn that falls much later",
    ),
    pytest.param(
        "2r2rk1/1p3pp1/p1pp3p/4b3/4P1Qn/P1NP3P/1PPB1KPq/1R3R2 b - - 6 22",
        "Bg3+",
        (
            "Qxg3 Qxg3+ Kxg3 Ng6 Rbe1 d5 a4 Rfe8 exd5 Rxe1 Bxe1 cxd5 Bf2 Ne7",
            "f5 Qxh4 Bg3+ Qxg3 fxe4+ Bf4 Rxf4+ Qxf4 Qxf4+ Kg1 Qe3+ Kh1 exd3 Rfe1",
            373,
            -597,
        ),
        (
            "Qxg3 Qxg3+ Kxg3 Ng6 Rbe1 d5 Rf5 dxe4 Rxe4 Rce8 Kf2 f6 Rxe8 Rxe8",
            "f5 Qxh4 Bg3+ Qxg3 fxe4+ Bf4 Rxf4+ Qxf4 Qxf4+ Kg1 Qe3+ Kh1 exd3 Rfe1",
            382,
            -610,
        ),
        "Loses a bishop: 23.Qxg3 takes the bishop on g3, which is attacked more often than it is "
        "defended.",
        id="a piece taken at once, where the better line gives one up",
    ),
    pytest.param(
        "rnb1k1nr/2pp1p1p/1b6/6p1/1Q2Pp2/3P3N/PPP3PP/RN2K2R w KQkq - 0 12",
        "Nxg5",
        (
            "Ba5 Qc3 Bxc3+ Nxc3 h6 Nd5 Na6 Nf3 Ne7 Nf6+ Kf8 O-O Nc5 d4",
            "Qc3 f6 Na3 Nc6 O-O-O g4 Ng1 Nd4 Rf1 Ne7 Rxf4 O-O Rxg4+ Kh8",
            363,
            -86,
        ),
        (
            "Ba5 Qc3 Bxc3+ Nxc3 h6 Nd5 Na6 Nf3 Ne7 Nxf4 d5 exd5 Nb4 Kd2",
            "Qc3 f6 Nd2 Nc6 Nb3 Ne5 Nf2 Nh6 h3 Ba6 a4 O-O a5 Be3",
            385,
            -68,
        ),
        "Loses a queen for a bishop and a pawn: 12...Ba5 pins the queen on b4 to its king, and "
        "13...Bxc3+ takes the queen on c3.",
        id="a queen that goes on along its pin",
    ),
    pytest.param(
        "2rqr1k1/pp3ppp/8/1N6/3p4/1P1P2Pb/P3PP1P/R2QR1K1 w - - 0 18",
        "Nxa7",
        (
            "Qd5 f3 Ra8 Qd2 Rxa7 Rec1 b6 Rc4 b5 Rc2 h6 a4 Rae7 a5",
            "a4 a6 Na3 Qd5 f3 Qg5 Kh1 b5 axb5 axb5 b4 h5 Nc2 Qf6",
            -174,
            -355,
        ),
        (
            "Ra8 Qd2 Rxa7 Rac1 h6 f3 Ra8 a4 Rc8 Rxc8 Qxc8 Rc1 Qe6 Rc4",
            "a4 Qd5 f3 a6 Na3 Qg5 Ra2 Qe3+ Kh1 Qf2 Rg1 Rxe2 Rxe2 Qxf3+",
            -178,
            -344,
        ),
        "Loses a knight for a pawn: after 18...Ra8 19.Qd2, 19...Rxa7 takes the knight on a7, which "
        "nothing defends.",
        id="two ways to one piece",
    ),
    pytest.param(
        "3Q1bk1/p4p1p/6p1/3p4/3n4/3q1N1P/PP1N1PP1/6K1 w - - 0 23",
        "Nxd4",
        (
            "Qxd2 Qxd5 Qe1+ Kh2 Qxf2 Nf3 Qxb2 Ng5 Qg7 h4 h6 Nf3 Qf6 g4",
            "Kh2 Qf5 Qc7 Nxf3+ Nxf3 d4 Qc1 d3 Qd2 Qe4 Kg1 Qd5 b3 Bc5",
            -45,
            -162,
        ),
        (
            "Qxd2 Qxd5 Qe1+ Kh2 Qxf2 Nf3 Qxb2 Ng5 Qb8+ g3 Qe8 g4 h6 Ne4",
            "Qf6 Ne2+ Kh1 Nc1 a3 Qc2 Qd4 Qc5 b4 Qxd4 Nxd4 Bg7 Nc6 Bb2",
            -17,
            -153,
        ),
        "Loses a pawn: 23...Qxd2 24.Qxd5 Qe1+ 25.Kh2 Qxf2 26.Nf3 Qxb2.",
        id="a pawn at the end of one line",
    ),
    pytest.param(
        "r2qk2r/ppp2ppp/8/4n2Q/4p3/4P3/PPP3PP/RN3RK1 b kq - 1 12",
        "Ng6",
        (
            "Qb5+ c6 Qxb7 O-O Qxc6 Rc8 Qxe4 Qb6 b3 Rfe8 Qf3 Ne5 Qf4 Rxc2",
            "Qe7 Qf5 O-O Nc3 c6 Nxe4 Rae8 Rae1 Ng6 Nc3 h6 a4 a6 b3",
            74,
            -23,
        ),
        (
            "Qb5+ c6 Qxb7 O-O Qxc6 Rb8 Qxe4 Rxb2 Na3 Re8 Qd4 Qb6 Qxb6 Rxb6",
            "Qe7 Qf5 g6 Qxe4 O-O-O Nc3 Rhe8 Qf4 Qc5 Kh1 Qb6 Rab1 Rd2 e4",
            122,
            6,
        ),
        "",
        id="the better line loses a pawn as well",
    ),
    pytest.param(
        "r2qkbnr/pp2pppp/8/1B1p4/3n4/2N2Q1P/PPP2PP1/R1B1K2R b KQkq - 1 8",
        "Nc6",
        (
            "Nxd5 e6 Bxc6+ bxc6 Ne3 Qa5+ Bd2 Qa6 c4 Be7 O-O Nf6",
            "Nxb5 Nxb5 e6 Nc3 Be7 g4 Nf6 Bd2 Rc8 O-O-O Nd7 Qd3",
            130,
            -97,
        ),
        (
            "Nxd5 e6 Bxc6+ bxc6 Ne3 Qa5+ Bd2 Qa6 c4 Nf6 Bc3 Be7",
            "Nxb5 Nxb5 Qa5+ Nc3 e6 Bd2 Nf6 O-O-O Rc8 Qd3 Be7 Kb1",
            157,
            -127,
        ),
        "Loses a pawn: 9.Nxd5 takes the pawn on d5, which is attacked more often than it is "
        "defended.",
        id="a pawn and what comes with it",
    ),
    pytest.param(
        "r6k/1b3Rpp/pp2r3/2n5/2P5/P1B5/2B3PP/R5K1 b - - 0 24",
        "Rg6",
        (
            "Bxg6 hxg6 Rxg7 Be4 Re1 Rf8 Re7+ Kg8 R7xe4 Nxe4 Rxe4 g5 Bd4 Rd8",
            "Re2 Bf5 Rxg2+ Kf1 Kg8 Rxb7 Rg5 Rxg7+ Rxg7 Bxg7 Kxg7 Ke2 Re8+ Kf3",
            9,
            -758,
        ),
        (
            "Bxg6 Rg8 Bh5 Bc8 Re7 Be6 Be2 b5 cxb5 axb5 Re1 Bd5 Bxb5 h6",
            "Re2 Rf2 Rxf2 Kxf2 Be4 Rc1 Rf8+ Ke2 Bxc2 Rxc2 Kg8 Bd4 Na4 Kd3",
            0,
            -824,
        ),
        "Loses the exchange: 25.Bxg6 takes the rook on g6 with a bishop.",
        id="a piece taken at once, whatever else falls",
    ),
    pytest.param(
        "6k1/p4ppp/3Bp3/3n4/q7/P3PN2/3Q1PPP/3r1BK1 w - - 9 27",
        "Qe2",
        (
            "Nc3 Qxd1 Qxd1 Nd4 Ne2+ Nxe2 Qxd6 a4 Qb4 Nd4 Qxa4 f4 a5 Kf2",
            "Qb2 Rxf1+ Kxf1 Qa6+ Kg1 Qxd6 Qb7 Qxa3 Qb8+ Qf8 Qxa7 h6 g3 Qc8",
            0,
            -482,
        ),
        (
            "Nc3 Qxd1 Qxd1 Nd4 Ne2+ Nxe2 Qxd6 a4 Qb4 Nd4 Qxa4 f4 a5 Kf2",
            "Qb2 Rxf1+ Kxf1 Qa6+ Kg1 Qxd6 Qc1 Nb6 Nd4 a6 h3 h5 Nf3 Nd7",
            0,
            -759,
        ),
        "Loses a queen for a rook: 27...Nc3 28.Qxd1 Qxd1.",
        id="a pawn that falls after the queen is not counted",
    ),
    pytest.param(
        "2rr2k1/R2N2pp/8/3p4/Pb2p3/8/5PPP/3R2K1 w - - 0 28",
        "g3",
        (
            "d4 Rxd4 Bc5 Nxc5 Rxd4 Ne6 Rd1+ Kg2 Rd2 Rxg7+ Kh8 Re7 e3 Nf4 exf2 Re2 Rxe2 Nxe2 Rc4 "
            "Kxf2 Rxa4 Kf3 Ra2 h3 Kg8 Nf4 Ra3+ Kg4 Kf8",
            "Rb7 Bd2 a5 Bxa5 g3 Rc7 Rxc7 Bxc7 Rxd5 Kf7 Ne5+ Ke6 Rxd8 Bxd8 Nc4 g6 Kf1 Kd5 Ne3+ Ke5 "
            "Ke2 Ke6 h4 Be7 Nc2 Kd5 Ne3+",
            -19,
            -132,
        ),
        (
            "d4 Rxd4 Bc5 Nxc5 Rxd4 Ne6 Rd1+ Kg2 Rd2 Rxg7+ Kh8 Re7 e3 Nf4 exf2 Re2 Rxe2 Nxe2 Rc4 "
            "Kxf2 Rxa4 Kf3 Ra2 h3 Kg8 Nf4 Ra3+ Kg4 Kf8",
            "Rb7 Bd2 a5 Bxa5 g3 Rc7 Rxc7 Bxc7 Rxd5 Kf7 Ne5+ Ke6 Rxd8 Bxd8 Nc4 Bg5 Kf1 Kd5 Na3 h5 "
            "Ke2 h4 Nc2 Be7 Ne3+ Ke5 Ng2 hxg3 hxg3 Kf5",
            -21,
            -149,
        ),
        "",
        id="lines are not compared further than their other replies are searched",
    ),
    pytest.param(
        "8/8/4p3/8/1P2R2P/1r4k1/8/4K3 b - - 3 41",
        "e5",
        (
            "Kd2 Kf3 Kc2 Ra3 Rxe5 Kf4 Rc5 Ke4 Rc3 Ra7 h5 Rh7 Rc5 Kd4",
            "Kf3 Rxe6 Rxb4 Rh6 Rb1+ Kd2 Kg4 Rh8 Rh1 Rd8 Rh2+ Kc3 Rxh4",
            0,
            -290,
        ),
        (
            "Kd2 Kf3 Kc2 Ra3 Rxe5 Kf4 Rc5 Ke4 Rc3 Ra7 h5 Rh7 Rc5 Kd4",
            "Kf3 Rxe6 Rxb4 h5 Rh4 h6 Rh2 Ra6 Kg4 Kf1 Kg5 Kg1 Rxh6 Rxh6",
            0,
            -348,
        ),
        "",
        id="a pawn that the better line loses as well",
    ),
    pytest.param(
        "8/5b2/3k4/4NP2/1ppK4/8/1P6/8 b - - 1 39",
        "c3",
        (
            "Nxf7+ Ke7 bxc3 bxc3 Ne5 Kf6 Ke4 Ke7 Nd3 Kf6 Kf4 Kf7 Ke5 c2",
            "Bg8 Nxc4+ Ke7 Ne3 b3 Ke5 Kf7 Nd5 Kg7 Nf6 Bf7 Ne4 Kf8 Nd2",
            -157,
            -1251,
        ),
        (
            "Nxf7+ Ke7 bxc3 bxc3 Ne5 Kf6 Ke4 Ke7 Nd3 Kf6 Kf4 Kf7 Ke5 c2",
            "Bg8 Nxc4+ Ke7 Ne3 Kd6 Nc2 b3 Ne3 Bf7 Nc4+ Ke7 Nd2 Kf6 Ne4+",
            -169,
            -2091,
        ),
        "Loses a bishop: 40.Nxf7+ takes the bishop on f7, which nothing defends; it was attacked "
        "before the move already.",
        id="a piece that decides the game",
    ),
    pytest.param(
        "r1bq1rk1/ppp2ppp/2n5/1B1pP3/1b1Pn3/5N1P/PP1N1PP1/R1BQK2R b KQ - 0 10",
        "a6",
        (
            "Bxc6 bxc6 O-O c5 dxc5 Bxc5 Qc2 Bf5 Nxe4 dxe4 Nh4 Qxh4 Qxc5 Rad8",
            "Nxd4 Nxd4 Qh4 O-O Nxd2 Bxd2 Qxd4 Bxb4 Qxb4 Ba4 Qf4 Re1 Be6 Rc1",
            110,
            0,
        ),
        (
            "Bxc6 bxc6 O-O c5 a3 Bxd2 Bxd2 c4 Bc3 f6 exf6 Qxf6 Ne5 Qh4",
            "Nxd4 Nxd4 Qh4 O-O Nxd2 Bxd2 Qxd4 Bxb4 Qxb4 Qe2 c5 Bd3 c4 Bc2",
            96,
            9,
        ),
        "Misses the win of a pawn: 10...Nxd4 11.Nxd4 Qh4 12.O-O Nxd2 13.Bxd2 Qxd4.",
        id="a pawn that both better lines win with the same moves",
    ),
    pytest.param(
        "1r4k1/p5pp/b1Nqpp2/Q7/P2Pp3/4P3/5PPP/2R3K1 b - - 1 21",
        "Rb6",
        (
            "Qc3 Qd7 a5 Rb7 h4 h6 Nb4 Bb5 Qc8+ Qxc8 Rxc8+ Kh7 Nc6 Bc4",
            "Qxc6 Rd1 Qb6 Qh5 Rc8 h4 Bb7 Ra1 Bd5 Qe2 Qb3 h5 h6 Qa6",
            457,
            -86,
        ),
        (
            "Qc3 Qd7 a5 Rb7 h4 h6 Nb4 Be2 Qc6 Kf7 Qxd7+ Rxd7 Rc2 Bd3",
            "Qxc6 Rd1 Qb6 Qh5 Rc8 h4 Bb7 Ra1 Bd5 Qe2 Qb3 h5 h6 Qa6",
            462,
            -87,
        ),
        "Misses the win of a knight: 21...Qxc6 takes the knight on c6, for 22.Rxc6 Rb1+ 23.Rc1 "
        "Rxc1+ 24.Qe1 Rxe1# is mate.",
        id="a capture without the quiet moves after it",
    ),
    pytest.param(
        "r3r1k1/ppp2ppp/2nq1n2/2b1p1N1/2P1B1b1/P3P1P1/1B1N1P1P/R2QR1K1 w - - 10 16",
        "Bxh7+",
        (
            "Nxh7 Qxg4 Nxg5 Red1 f6 h4 Qe6 Qe2 Nf7 Ne4 Bf8 Nc3 Rad8 Nb5 Re7",
            "Qc2 Nxe4 Qxe4 f5 Qd5+ Qxd5 cxd5 Rad8 e4 fxe4 dxc6 Bxf2+ Kxf2 Rxd2+ Kg1 Rxb2",
            -179,
            -430,
        ),
        (
            "Nxh7 Qxg4 Nxg5 Nb3 Nh7 Red1 Qf8 h4 Rad8 h5 Be7 Qf5 Bf6 Kg2 Qe7",
            "f3 Bh5 Qc2 Nxe4 Ngxe4 Qe7 Nc3 Bg6 Nde4 f6 Qe2 Bxe4 Nxe4 b6 a4 Rad8",
            -157,
            -419,
        ),
        "Loses a knight for a pawn: 16...Nxh7 17.Qxg4 Nxg5.",
        id="the piece that stays lost, and not one that is made good",
    ),
    pytest.param(
        "r4rk1/1p1qbpp1/p1np3B/7Q/2P1B3/6P1/PP3P1P/R4RK1 b - - 0 17",
        "g6",
        (
            "Bxg6 Ne5 Bf5 Qc6 f4 Ng6 Bxg6 Bd8 Rf3 Bf6",
            "Ne5 Rad1 Rad8 Bf4 g6 Qe2 Bf6 h4 Rfe8 Rfe1",
            -218,
            -573,
        ),
        (
            "Bxg6 Qe6 Bf5 Qf6 Qg4+ Kh8 Bd2 Qg7 Bc3 f6",
            "Ne5 Rad1 Qe6 Bc1 g6 Qe2 Qxc4 Qxc4 Nxc4 Rfe1",
            -235,
            -681,
        ),
        "Allows 18.Bxg6, which takes the pawn on g6, for 18...fxg6 19.Qxg6+ Kh8 20.Qg7# is mate.",
        id="a sacrifice that allows no taking back",
    ),
    pytest.param(
        "r1bq1rk1/pp3pp1/2nb1n1p/2pp4/3P4/2P1B2P/PP1NNPP1/R1Q1KB1R b KQ - 1 10",
        "Bf5",
        (
            "dxc5 Bc7 Nd4 Nxd4 cxd4 Qd7 Be2 Rfe8 Nf3 Ne4 Bf4 Rac8",
            "b6 Qc2 Re8 O-O-O c4 g4 b5 Bg2 Rb8 Rhe1 Ne7 Kb1",
            170,
            25,
        ),
        (
            "dxc5 Bc7 Nd4 Nxd4 cxd4 b6 b4 bxc5 bxc5 Ne4 Be2 Nxd2",
            "b6 Qc2 Re8 O-O-O c4 g4 b5 Bg2 Rb8 Rhe1 Ne7 Kb1",
            194,
            38,
        ),
        "Loses a pawn: 11.dxc5 takes the pawn on c5, which is attacked more often than it is "
        "defended; it was attacked before the move already.",
        id="a pawn that a piece behind the taker protects",
    ),
    pytest.param(
        "r2qrbk1/pp3ppp/2n1bB2/3pp3/8/1BNP1QN1/PPP2PPP/R4RK1 b - - 0 12",
        "Nd4",
        (
            "Bxd8 Nxf3+ gxf3 Rexd8 Rfe1 d4 Nce4 Bxb3 axb3 g6",
            "Qxf6 Qxf6 gxf6 Nh5 Be7 Nxd5 Bxd5 Bxd5 Nd4 c4",
            -125,
            -444,
        ),
        (
            "Bxd8 Nxf3+ gxf3 Rexd8 Rfe1 d4 Nce4 Bxb3 axb3 g6",
            "Qxf6 Qxf6 gxf6 Nh5 Be7 Nxd5 Bxd5 Bxd5 Nd4 c4",
            -125,
            -444,
        ),
        "Misses the win of a bishop for a pawn: 12...Qxf6 takes the bishop on f6, which is "
        "attacked more often than it is defended.",
        id="a queen that comes back at once",
    ),
    pytest.param(
        "r3q3/1pp2rk1/p2p2p1/3P3p/4PPbP/5B2/PP1Q4/2R1K2R w K - 1 21",
        "Bxg4",
        (
            "Qxe4+ Kf2 Rxf4+ Qxf4 Qxf4+ Bf3 Rf8 Rxc7+ Kh6 Rc3 b5 a3 Qg4 Rh2 a5 Re3",
            "Qd4+ Kh6 Bxg4 hxg4 Qe3 Qe7 Kd2 Qf6 f5+ Kh5 fxg6 Kxg6 Kd3 Raf8 Rcf1 Qe5",
            -14,
            -550,
        ),
        (
            "Qxe4+ Kf2 Rxf4+ Qxf4 Qxf4+ Bf3 Rf8 Rc3 Qg4 Rxc7+ Kh6 Rc3 b5 Rd3 a5 b4",
            "Qd4+ Kh6 Bxg4 hxg4 O-O Qe7 Rc2 Re8 Re2 c5 Qe3 Kh7 Qg3 Qf6 Kg2 Qd4",
            0,
            -574,
        ),
        "Loses a queen and a pawn for a rook and a bishop: 21...Qxe4+ 22.Kf2 Rxf4+ 23.Qxf4 Qxf4+; "
        "26.Rxc7+ takes a pawn back.",
        id="a pawn that is taken back later",
    ),
    pytest.param(
        "r3r1k1/p1pq1pp1/2ppb2p/4p2n/N3P3/1PQP1N1P/P1P2PP1/R4RK1 w - - 3 14",
        "d4",
        (
            "Bxh3 Nh4 Bg4 dxe5 Qd8 Nf3 Bxf3 Qxf3 Rxe5 Nb2 Qg5 Nd3 Re6 Qf5",
            "Kh2 c5 Ng1 Rf8 Qd2 f5 exf5 Bxf5 Ne2 Qe7 f3 Bd7 Nac3 c6",
            -50,
            -153,
        ),
        (
            "Bxh3 Nh4 Bg4 dxe5 Rxe5 f3 Ng3 Rfe1 g5 Nb2 gxh4 Nd3 Rg5 fxg4",
            "Kh2 Nf4 Ng1 f5 Rae1 Rf8 Ne2 Nxe2 Rxe2 f4 f3 c5 Ref2 Qe7",
            -40,
            -178,
        ),
        "",
        id="a protected pawn without a word of why it cannot be taken back",
    ),
]


@pytest.mark.parametrize(("text", "move", "first", "second", "words"), TWICE)
def test_what_two_searches_are_sure_of_is_said(
    text: str,
    move: str,
    first: tuple[str, str, int, int],
    second: tuple[str, str, int, int],
    words: str,
) -> None:
    reason = agreed([found(text, move, *first), found(text, move, *second)])
    assert reason.why == words
    check_reason(reason)


def test_what_another_reply_avoids_is_not_lost() -> None:
    start = "1k1r3r/pp3pp1/2n1p1p1/1n2P3/1P1p1P2/P2R3N/2P3PP/RN5K w - - 0 20"
    lines = "g5 a4 Nc7 b5 Nb4 Rd2 gxf4 Na3 f6 Re1", "Ng5 Rh5 Nf3 Kc8 g3 f6 a4 Nc7", 16, -115
    first, second = (found(start, "Nf2", *lines) for _ in range(2))
    assert agreed([first, second]).why.startswith("Loses a pawn")
    # Black's pawn is taken, and White's stays.
    reply = OtherReply(False, ("g6g5",), ("f4g5", "c6e5", "d3d1", "e5c4"), -120)
    worse = reply._replace(score=-300)
    line = tuple(move.uci() for move in second.refutation)
    later = [worse._replace(lead=line[:ply]) for ply in (3, 5)]
    for other, is_said in ((reply, False), (worse, True)):
        second.replies = (other, *later)
        assert bool(agreed([first, second]).why) == is_said


def test_a_worse_reply_that_loses_the_same_later_avoids_nothing() -> None:
    start = "8/3k1p2/2ppn1pp/4p3/2N1P3/2PPPK2/6PP/8 w - - 1 44"
    lines = (
        "Ng5+ Ke2 exd4 exd4 Nxe4 Kd3 f5 Ne3 h5 c4 Nf6 Nd1 Kc7 g3 Ng4 h3",
        "h4 Nc7 Nd2 Nb5 Nb1 Ke7 d4 Nc7 Nd2 Ke6 g4 exd4 cxd4 Nb5 Nb3 Nc3",
        -20,
        -161,
    )
    after = chess.Board(start)
    after.push_san("d4")
    text = "Ng5+ Kg4 Nxe4 dxe5 d5 Nb6+ Ke6 c4 h5+ Kh4 dxc4 Nxc4 Kd5 Nb6+ Kxe5 g4 hxg4 Kxg4 Nd2 Nd7+"
    line = tuple(after.push_san(each).uci() for each in text.split())
    first, second = (found(start, "d4", *lines) for _ in range(2))
    refutation = tuple(move.uci() for move in second.refutation)
    as_bad = OtherReply(False, refutation[:3], refutation[3:], -161)
    for score, is_said in ((-165, False), (-247, True)):
        second.replies = (OtherReply(False, line[:1], line[1:], score), as_bad)
        assert bool(agreed([first, second]).why) == is_said


def test_a_pawn_that_falls_on_one_line_and_stays_lost_is_said_of_a_side_that_is_ahead() -> None:
    start = "r2q1rk1/p3npbp/bpn1p1pB/3pP3/3P3P/5NP1/PP1Q1PB1/RN2R1K1 w - - 1 16"
    text = "Bxh6 Qxh6 Nf5 Qd2 gxh5 Bh3 Nce7 Na3 h6 Nc2 Kh7 Bxf5+ Nxf5 Ne3"
    better = "Bg5 Qd7 Na3 Rac8 Nc2 Rc7 Ne3 h6 Bf4 h5 Rac1 Rfc8"
    after = chess.Board(start)
    after.push_san("h5")
    line = tuple(after.push_san(each).uci() for each in text.split())
    replies = [OtherReply(False, line[:ply], line[ply:], 60) for ply in (1, 3)]
    for later, is_said in ((text, True), (f"{text} Nxd4 Qxd4", True), ("Bxh6 Qxh6 Nf5 Qd2", False)):
        first, second = (found(start, "h5", each, better, 154, 66) for each in (text, later))
        second.replies = replies
        reason = agreed([first, second])
        assert bool(reason.why) == is_said
        if is_said:
            assert reason.why == (
                "Loses a pawn: after 16...Bxh6 17.Qxh6 Nf5 18.Qd2, 18...gxh5 takes the pawn on h5, "
                "which nothing defends."
            )


def test_a_pawn_that_is_won_back_is_not_lost_by_a_side_that_is_ahead() -> None:
    start = "rr2n1k1/pp3ppp/1q6/1Np1P3/8/8/PPP2PPP/R2QR1K1 w - - 2 16"
    text = "Rd8 Qf3 Nxd6 exd6 Qxd6 Qxb7 Rab8 Qf3 Rxb2 Rad1 Qb8 Rxd8+ Qxd8 Qa3"
    better = "Qe2 a6 Nc3 Nc7 b3 Rd8 Ne4 Ne6 Nd6 Rd7 c3 Rad8 Qe4 g6"
    first, second = (
        found(start, "Nd6", f"{text} {end}", better, 176, 86)
        for end in ("Rb8 Qxa7 Qd2 h3", "Rb7 Qxc5 Rb8 h3")
    )
    line = tuple(move.uci() for move in second.refutation)
    second.replies = [OtherReply(False, line[:ply], line[ply:], 60) for ply in (1, 3, 5)]
    assert not agreed([first, second]).why


def test_other_replies_are_searched_where_something_is_won() -> None:
    start = chess.Board("1k1r3r/pp3pp1/2n1p1p1/1n2P3/1P1p1P2/P2R3N/2P3PP/RN5K w - - 0 20")
    lines = "g5 a4 Nc7 b5 Nb4 Rd2 gxf4 Na3 f6 Re1", "Ng5 Rh5 Nf3 Kc8 g3 f6 a4 Nc7", 16, -115
    reason = found(start.fen(), "Nf2", *lines).plain
    asked = []

    def beside(board: chess.Board, move: chess.Move) -> tuple[list[chess.Move], int]:
        asked.append(board.san(move))
        return [next(each for each in board.legal_moves if each != move)], -200

    replies = list(other_replies(reason, beside))
    assert asked == ["a4", "b5", "Rd2"]
    assert [(reply.is_missed, reply.score) for reply in replies] == [(False, -200)] * 3


def test_the_length_of_a_long_mate_is_not_said() -> None:
    start = "5rk1/5ppp/4p3/8/2P3n1/N2P4/PQ1NKPqP/RR6 w - - 0 24"
    mate = (
        "Qxf2+ Kd1 Ne3+ Kc1 Qe1+ Kb2 Qxd2+ Kb3 Rxb8+ Nb5 Qxd3+ Kb4 Qxc4+ Ka5 Nd5 h4 Ra8+ Na7 Rxa7#"
    )
    better = "Qd4 f5 Nf3 Nxh2 Nxh2 Qxh2"
    reason = found(start, "Qb8", mate, better, 705, 19 - MATE).strict
    assert reason.why.startswith("Allows a forced mate: 24...Qxf2+") and "mate in" not in reason.why
    assert reason.better
    lost_anyway = found(start, "Qb8", mate, better, -1500, 19 - MATE).strict
    assert not lost_anyway.text


def test_castling_is_a_move_of_the_king_in_chess960() -> None:
    board = chess.Board("3k4/8/8/8/8/8/8/1RKR4 w BD - 0 1", chess960=True)
    line = PlayedLine(board, [chess.Move.from_uci("c1b1")])
    assert line.mover(0) == (chess.KING, chess.C1)


def test_what_one_search_alone_says_needs_a_third() -> None:
    start = "4k3/2p5/8/8/1b6/8/3N4/4K2R w - - 0 1"
    loses = found(start, "Kf1", "Bxd2", "Ke2 c5", 0, -300)
    is_fine = found(start, "Kf1", "c5 Nc4 Ke7", "Ke2 c5 Nc4", 0, -90)
    assert agreed([loses, loses]).text and agreed([loses, is_fine, loses]).text
    assert not agreed([loses, is_fine]).text and not agreed([loses, is_fine, is_fine]).text


def test_the_better_move_may_lose_less() -> None:
    start = "3rk3/8/2p5/4p3/3Q1N2/8/5PPP/6K1 w - - 0 1"
    reason = found(start, "h3", "exd4", "Qa4 exf4 Qxf4", 0, -500).strict
    assert "Loses a queen" in reason.why
    assert (
        reason.better
        == "Better is 1.Qa4, which loses only a knight for a pawn: 0.00 instead of -5.00."
    )
    check_reason(reason)


def test_what_decides_is_said_before_a_pawn() -> None:
    start = "6k1/5ppp/8/4q3/8/8/P4PPP/4R1K1 w - - 0 1"
    reason = found(start, "f3", "Qd4+ Kh1 Qa4 h3 Qxa2", "Rxe5 Kf8 a4", 600, -300).wide
    assert reason.lost is None and reason.why.startswith("Misses the win of a queen")
    check_reason(reason)


def test_a_pawn_does_not_explain_what_a_won_game_loses() -> None:
    start = "6k1/5ppp/8/8/8/p7/5PPP/R5K1 w - - 0 1"
    lines = "h6 Kh2 a2 g4 Kh7", "Rxa3 h6 Ra8+ Kh7 g3"
    assert "Misses the win of a pawn" in found(start, "h3", *lines, 200, 80).strict.why
    assert not found(start, "h3", *lines, 1200, 800).strict.why


def test_who_takes_the_same_piece_has_not_missed_it() -> None:
    start = "4k3/8/8/3p4/8/2N2B2/8/4K3 w - - 0 1"
    reason = found(start, "Nxd5", "Kd7 Nf4", "Bxd5 Kd7 Bb3", 200, 100).wide
    assert reason.missed is None


def test_a_good_move_has_no_reason() -> None:
    reason = reason_of("6k1/5ppp/8/8/8/8/q4PPP/3R2K1 w - - 0 1", "Rd8")
    assert not reason.is_bad and reason.text == "" and reason.why == ""


def test_a_hanging_piece_that_hangs_anyway_is_no_reason() -> None:
    board = chess.Board("6k1/5ppp/8/8/8/8/1r3PPP/P4NK1 w - - 0 1".replace("P4NK1", "5NK1"))
    board.set_piece_at(chess.B3, chess.Piece(chess.PAWN, chess.WHITE))
    move, best = chess.Move.from_uci("f1g3"), chess.Move.from_uci("f1e3")
    take = chess.Move.from_uci("b2b3")
    reason = explain_move(board, move, [take], [best], 0, -100)
    assert reason.is_bad and reason.lost is None and reason.text == ""


@pytest.mark.parametrize(
    ("move", "error"), [("Ke3", ValueError), ("nonsense", ValueError), ("", ValueError)]
)
def test_a_move_that_is_not_legal_is_refused(move: str, error: type[Exception]) -> None:
    with pytest.raises(error, match="not a legal move"):
        halbzug.explain.move(chess.Board(), move)


def test_a_piece_that_the_line_gives_up_is_not_what_the_move_loses() -> None:
    board = chess.Board("2r3k1/5pp1/p2Q3p/1p2p3/4b1P1/1P5P/2q2P2/B2R2K1 w - - 0 27")
    refutation = [chess.Move.from_uci(text) for text in ["c2b3", "e5c3", "b3c3", "d6f4", "c3f3"]]
    better = [
        chess.Move.from_uci(text) for text in ["d1e1", "c8e8", "b3b4", "e4c6", "d6d1", "c2c4"]
    ]
    reason = explain_move(board, board.parse_san("Bxe5"), refutation, better, -278, -894)
    assert reason.lost is None


@pytest.mark.parametrize(("leads", "is_said"), [((1, 3), True), ((1,), False), ((), False)])
def test_what_is_said_is_a_line_whose_other_replies_were_searched(
    leads: tuple[int, ...], is_said: bool
) -> None:
    fen = "rn2kb1r/pp2qppp/5nb1/3pN3/6P1/1B1P3P/PPP2P2/RNBQK2R w KQkq - 1 10"
    reply = "Nc6 Be3 Nxe5 dxe5 Qxe5"
    better = "O-O Qxe5 Re1 Ne4 dxe4 d4 f4 Qc7 Qf3 h5 g5 Nc6 f5 Bb4 Rf1 Bh7 Bf4 Bd6 Nd2 O-O-O Bxd6"
    first, second = (found(fen, "d4", reply, better, 95, -37) for _ in range(2))
    line = tuple(move.uci() for move in second.refutation)
    elsewhere = OtherReply(False, ("e7c7",), ("c1f4",), -900)
    worse = (OtherReply(False, line[:ply], ("a2a3",), -900) for ply in leads)
    second.replies = (elsewhere, *worse)
    assert bool(agreed([first, second]).text) == is_said


@pytest.mark.parametrize(("replies", "is_said"), [(None, True), ((), False)])
def test_a_loss_is_not_said_where_its_other_replies_were_left_out(
    replies: tuple[OtherReply, ...] | None, is_said: bool
) -> None:
    fen = "rn2kb1r/pp2qppp/5nb1/3pN3/6P1/1B1P3P/PPP2P2/RNBQK2R w KQkq - 1 10"
    better = "O-O Qxe5 Re1 Ne4 dxe4 d4 f4 Qc7 Qf3 h5 g5 Nc6 f5 Bb4 Rf1 Bh7 Bf4 Bd6 Nd2 O-O-O Bxd6"
    first, second = (found(fen, "d4", "Nc6 Be3 Nxe5 dxe5 Qxe5", better, 95, -37) for _ in range(2))
    second.replies = replies
    assert bool(agreed([first, second]).text) == is_said


def test_a_pawn_that_falls_later_is_no_loss_for_a_side_that_is_ahead() -> None:
    # After 11.O-O the pawn may be taken as well, but to take it is a mistake then.
    fen = "rn2kb1r/pp2qppp/5nb1/3pN3/6P1/1B1P3P/PPP2P2/RNBQK2R w KQkq - 1 10"
    reply = "Nc6 Be3 Nxe5 dxe5 Qxe5"
    better = "O-O Qxe5 Re1 Ne4 dxe4 d4 f4 Qc7 Qf3 h5 g5 Nc6 f5 Bb4 Rf1 Bh7 Bf4 Bd6 Nd2 O-O-O Bxd6"
    ahead, behind = (found(fen, "d4", reply, better, each + 132, each) for each in (63, -37))
    assert not agreed([ahead, ahead]).text
    assert "takes the pawn on e5" in agreed([behind, behind]).text


def test_lines_and_scores_that_disagree_say_nothing() -> None:
    board = chess.Board("4k3/8/8/8/1b6/8/3N4/4K2R w K - 0 1")
    move, take = chess.Move.from_uci("e1f1"), chess.Move.from_uci("b4d2")
    king = chess.Move.from_uci("e1e2")
    assert explain_move(board, move, [take], [king], 0, -300).text
    assert not explain_move(board, move, [take], [king], 0, -60).text
    assert explain_move(board, move, [take], [king], 0, -3000).text
    assert not explain_move(board, move, [take], [king], 600, -3000).text
    assert not explain_move(board, move, [], [king], 0, -300).text


# -- the law: whatever is said holds on the board -------------------------------------------------


def walk(board: chess.Board, moves: tuple[chess.Move, ...]) -> list[chess.Board]:
    boards = [board.copy(stack=False)]
    for move in moves:
        assert boards[-1].is_legal(move)
        boards.append(boards[-1].copy(stack=False))
        boards[-1].push(move)
    return boards


def points(board: chess.Board, color: chess.Color) -> int:
    signs = (
        VALUES[piece.symbol().lower()] * (1 if piece.color == color else -1)
        for piece in board.piece_map().values()
    )
    return sum(signs)


def check_reason(reason: MoveReason) -> None:
    """Every fact that a reason states, by other means than those that found it."""
    start = reason.board
    assert start.is_legal(reason.move)
    after = reason.board.copy(stack=False)
    after.push(reason.move)
    replies, better = walk(after, reason.refutation), walk(reason.board, reason.best_line)
    if reason.lost:
        assert reason.lost.moves == reason.refutation
        check_outcome(reason.lost, reason.board, replies, not reason.board.turn)
    if reason.missed:
        assert reason.missed.moves == reason.best_line
        check_outcome(reason.missed, reason.board, better, reason.board.turn)
    check_moves_in_text(reason, replies, better)
    if reason.still:
        gains = [points(each, not start.turn) - points(start, not start.turn) for each in better]
        assert reason.lost and any(abs(gain - reason.still.points) <= 1 for gain in gains)
    if reason.fact:
        check_fact(reason.fact, reason.board, reason.move, replies, better)
    assert bool(reason.text) == bool(reason.lost or reason.missed or reason.fact)


def check_fact(
    fact: Fact,
    board: chess.Board,
    move: chess.Move,
    replies: list[chess.Board],
    better: list[chess.Board],
) -> None:
    """What a fact states, by other means than those that found it."""
    own, other = board.turn, not board.turn
    boards = walk(better[0] if fact.is_missed else replies[0], fact.moves)
    end = boards[-1]
    if fact.kind in ("promotion", "missed promotion"):
        last = fact.moves[-1] if fact.moves[-1].promotion else fact.moves[-3]
        assert last.promotion
        assert last is fact.moves[-1] or last.to_square == fact.moves[-1].to_square
        assert end.turn == (own if fact.kind == "promotion" else other)
        assert fact.origin is not None
        pawn = chess.Piece(chess.PAWN, not end.turn)
        assert boards[0].piece_at(fact.origin) == pawn
    elif fact.kind == "runner":
        assert fact.square is not None and fact.king == end.king(own)
        assert end.piece_at(fact.square) == chess.Piece(chess.PAWN, other)
        assert not end.occupied_co[own] & ~end.pawns & ~end.kings
        check_king_is_late(end, fact.square, other)
    elif fact.kind == "mate threat":
        assert fact.capture and len(fact.moves) == 1 and not end.is_check()
        end.push(chess.Move.null())
        assert end.is_legal(fact.capture)
        end.push(fact.capture)
        assert end.is_checkmate()
    elif fact.kind in ("fork", "missed fork"):
        assert fact.motif
        check_motif(fact.motif, fact.moves, boards, boards[0].turn)
    elif fact.kind == "pin":
        assert fact.square is not None and fact.king is not None
        assert points(end, other) > points(boards[0], other)
        end = boards[1]
        assert fact.square in end.attacks(fact.moves[0].to_square)
        assert fact.square in chess.SquareSet(chess.between(fact.moves[0].to_square, fact.king))
        without = end.copy(stack=False)
        without.remove_piece_at(fact.square)
        assert fact.king in without.attacks(fact.moves[0].to_square)
        assert end.color_at(fact.square) == end.color_at(fact.king) == own
    elif fact.kind == "bishop for knight":
        assert board.piece_at(move.from_square) == chess.Piece(chess.BISHOP, own)
        assert len(end.pieces(chess.BISHOP, own)) < len(board.pieces(chess.BISHOP, own))
        assert len(end.pieces(chess.KNIGHT, other)) < len(board.pieces(chess.KNIGHT, other))
    elif fact.kind == "escape":
        assert fact.square is not None and fact.capture and board.is_capture(fact.capture)
        assert fact.square == fact.capture.to_square == fact.moves[0].from_square
        assert boards[0].piece_at(fact.square) == board.piece_at(fact.square)
        assert not end.attackers(own, fact.moves[0].to_square) or end.attackers(
            other, fact.moves[0].to_square
        )
    elif fact.kind == "spared pawn":
        assert fact.square is not None and fact.capture and board.is_capture(fact.capture)
        assert fact.square == fact.capture.to_square and fact.square in passed_pawns(board, other)
        square = fact.square
        for before, later in pairwise(replies):
            moved = later.move_stack[-1] if later.move_stack else None
            assert moved is not None and before.color_at(square) == other
            square = moved.to_square if moved.from_square == square else square
        assert replies[-1].color_at(square) == other
    elif fact.kind == "second rank":
        assert fact.square is not None and end.color_at(fact.square) == other
        rank = chess.BB_RANK_2 if own else chess.BB_RANK_7
        assert chess.BB_SQUARES[fact.square] & rank
        assert chess.BB_SQUARES[fact.square] & (end.rooks | end.queens)
        assert not any(
            position.occupied_co[other] & (position.rooks | position.queens) & rank
            for position in better
        )
    elif fact.kind == "pawn ending":
        assert board.occupied & ~board.pawns & ~board.kings
        assert not end.occupied & ~end.pawns & ~end.kings
    elif fact.kind == "pawn result":
        assert not board.occupied & ~board.pawns & ~board.kings
        assert fact.verdict is not None and fact.kept is not None and fact.verdict < fact.kept
    elif fact.kind == "tablebase":
        assert fact.verdict is not None and fact.kept is not None and fact.verdict < fact.kept
        assert verdict(end, own) == fact.verdict
        known = (verdict(position, own) for position in better[1:])
        assert next(one for one in known if one is not None) == fact.kept
    elif fact.kind in ("perpetual", "missed perpetual"):
        assert end.is_check() and end.epd() in {position.epd() for position in boards[:-1]}
        first = [position.epd() for position in boards].index(end.epd())
        assert all(position.is_check() for position in boards[first::2])
    elif fact.kind == "castling":
        assert board.has_castling_rights(own) and not end.has_castling_rights(own)
    elif fact.kind == "passed pawn":
        assert fact.square is not None
        assert end.piece_at(fact.square) == chess.Piece(chess.PAWN, other)
        assert fact.square not in passed_pawns(board, other)
        assert fact.square in passed_pawns(end, other)
    elif fact.kind in ("double attack", "missed double attack"):
        assert len(fact.targets) > 1 and fact.square == fact.moves[0].to_square
        assert fact.targets[0] in end.attacks(fact.square)
        without = end.copy(stack=False)
        without.remove_piece_at(fact.targets[0])
        for square in fact.targets[1:]:
            assert square in without.attacks(fact.square) and end.color_at(square) == end.turn
        assert all(
            position.is_check() or any(position.generate_legal_captures())
            for position in after_each(end)
        )
    elif fact.kind in ("attack", "missed attack"):
        assert fact.square is not None and fact.square in end.attacks(fact.moves[0].to_square)
        assert end.color_at(fact.square) == end.turn
        if fact.king is not None:
            assert end.color_at(fact.king) == end.turn
            assert end.piece_type_at(fact.king) in (chess.QUEEN, chess.KING)
            line = chess.SquareSet(chess.ray(fact.king, fact.square))
            assert any(each in line for each in end.attackers(not end.turn, fact.square))
    elif fact.kind == "lost passed pawn":
        assert fact.square in passed_pawns(board, own) and len(fact.moves) == 1
        assert points(end, other) > points(boards[0], other)
        assert better[-1].pieces(chess.PAWN, own) or better[-1].pieces(chess.QUEEN, own)
    elif fact.kind == "queen for rooks":
        assert len(end.pieces(chess.QUEEN, own)) < len(board.pieces(chess.QUEEN, own))
        assert len(end.pieces(chess.ROOK, other)) == len(board.pieces(chess.ROOK, other)) - 2
        assert all(
            len(each.pieces(chess.QUEEN, own)) >= len(each.pieces(chess.QUEEN, other))
            for each in better
        )
    elif fact.kind == "sacrifice":
        assert boards[0].is_capture(fact.moves[0]) and end.is_checkmate() and end.turn == own
        assert fact.moves[1].to_square == fact.moves[0].to_square == fact.square
        assert all(each.is_check() for each in boards[3::2])
    elif fact.kind == "fork threat":
        assert fact.capture is not None and fact.square is not None
        end.push(chess.Move.null())
        assert end.is_legal(fact.capture)
        end.push(fact.capture)
        assert end.is_check() and fact.square in end.attacks(fact.capture.to_square)
        assert all(
            position.is_check() or any(position.generate_legal_captures())
            for position in after_each(end)
        )
    else:
        raise AssertionError(fact.kind)


def after_each(board: chess.Board) -> Iterator[chess.Board]:
    """The positions after all legal moves."""
    for move in board.legal_moves:
        after = board.copy(stack=False)
        after.push(move)
        yield after


def verdict(board: chess.Board, color: chess.Color) -> int | None:
    """What the tables say by python-chess; its cursed wins are draws."""
    if board.castling_rights or chess.popcount(board.occupied) > 4:
        return None
    wdl = SYZYGY.get_wdl(board)
    if wdl is None:
        return None
    result = (wdl == 2) - (wdl == -2)
    return result if board.turn == color else -result


def passed_pawns(board: chess.Board, color: chess.Color) -> set[int]:
    """Found file by file."""
    found = set()
    for square in board.pieces(chess.PAWN, color):
        file, rank = chess.square_file(square), chess.square_rank(square)
        ahead = range(rank + 1, 8) if color else range(rank)
        stops = [
            board.piece_at(chess.square(each, row))
            for each in range(max(file - 1, 0), min(file + 1, 7) + 1)
            for row in ahead
        ]
        if chess.Piece(chess.PAWN, not color) not in stops:
            found.add(square)
    return found


def check_king_is_late(board: chess.Board, square: int, color: chess.Color) -> None:
    """The pawn just walks, the king goes straight to where it promotes, and comes too late."""
    file, rank, king = chess.square_file(square), chess.square_rank(square), board.king(not color)
    assert king is not None
    goal, turn = 7 if color else 0, board.turn
    steps = abs(goal - rank) - (rank == (1 if color else 6))
    away = chess.square_distance(king, chess.square(file, goal))
    while steps > 0:
        steps, away = (steps - 1, away) if turn == color else (steps, away - 1)
        assert away > 0
        turn = not turn
    assert away - (turn != color) > 0


def check_outcome(
    outcome: Outcome, start: chess.Board, boards: list[chess.Board], color: chess.Color
) -> None:
    end = boards[-1]
    if outcome.mate:
        assert end.is_checkmate() and end.turn != color
        assert len(outcome.moves) == 2 * outcome.mate - 1
    elif outcome.is_stalemate:
        assert end.is_stalemate()
    else:
        gain = points(end, color) - points(start, color)
        swap = outcome.swap
        both = [*swap.won, *swap.given]
        is_minor_pair = sorted(both)[:2] and any(kind == chess.ROOK for kind in both)
        assert gain == swap.points or (is_minor_pair and abs(gain - swap.points) == 1)
        assert swap.points > 0
    if outcome.motif:
        check_motif(outcome.motif, outcome.moves, boards, color)


def check_motif(
    motif: Motif,
    moves: tuple[chess.Move, ...],
    boards: list[chess.Board],
    color: chess.Color,
) -> None:
    shown, taken = boards[motif.ply + 1], boards[motif.capture]
    capture = moves[motif.capture]
    squares = [target.square for target in motif.targets]
    if motif.kind == "promotion":
        assert capture.promotion
        return
    assert taken.is_capture(capture) and taken.turn == color
    if motif.kind == "loose":
        assert not boards[motif.capture + 1].attackers(not color, capture.to_square)
    if motif.kind == "fork":
        assert len(squares) >= 2 and capture.from_square == motif.by.square
        for target in motif.targets:
            assert motif.by.square in shown.attackers(color, target.square)
            assert shown.piece_at(target.square) == chess.Piece(target.kind, not color)
    if motif.kind == "skewer":
        assert squares[0] in shown.attacks(motif.by.square)
        assert squares[0] in chess.SquareSet(chess.between(motif.by.square, squares[1]))
    if motif.kind in ("pin", "pinned") and len(squares) == 1:
        assert shown.is_pinned(not color, squares[0])
    if motif.kind == "pinned" and len(squares) == 2:
        assert shown.piece_at(squares[1]) == chess.Piece(chess.QUEEN, not color)
        without = shown.copy(stack=False)
        without.remove_piece_at(squares[0])
        new = without.attackers(color, squares[1]) - shown.attackers(color, squares[1])
        assert any(without.piece_type_at(each) != chess.QUEEN for each in new)
    if motif.kind == "pinned defender":
        after = boards[motif.capture + 1]
        assert all(after.is_pinned(not color, square) for square in squares[1:])
    if motif.kind == "cheap attacker":
        prize = taken.piece_at(capture.to_square)
        assert prize
        by = chess.piece_symbol(motif.by.kind)
        assert VALUES[by] < VALUES[prize.symbol().lower()]
    if motif.kind == "trapped":
        assert shown.attackers(color, squares[0])
        for move in list(shown.legal_moves):
            if move.from_square == squares[0]:
                then = shown.copy(stack=False)
                then.push(move)
                assert then.attackers(color, move.to_square)
    if motif.kind == "mate threat":
        assert motif.mate
        passed = shown.copy(stack=False)
        passed.push(chess.Move.null())
        passed.push(motif.mate)
        assert passed.is_checkmate()
    if motif.kind == "discovered attack":
        assert motif.behind
        assert squares[0] in shown.attacks(motif.behind.square)
        assert squares[0] not in boards[motif.ply].attacks(motif.behind.square)
    if motif.kind == "removed defender":
        assert boards[motif.ply].attackers(not color, squares[1]) == chess.SquareSet([squares[0]])
    if motif.kind == "deflection":
        assert squares[1] in boards[motif.ply + 1].attacks(squares[0])
        assert not taken.attackers(not color, squares[1])


def pushed(board: chess.Board, move: chess.Move) -> str:
    """What a move is called that is made."""
    text = board.san(move)
    board.push(move)
    return text


def check_moves_in_text(
    reason: MoveReason, replies: list[chess.Board], better: list[chess.Board]
) -> None:
    """Every move in a sentence is one of the lines, or the mate that is threatened."""
    known = set()
    for boards, moves in ((replies, reason.refutation), (better, reason.best_line)):
        known |= {board.san(move) for board, move in zip(boards, moves, strict=False)}
    for outcome in (reason.lost, reason.missed):
        boards = replies if outcome is reason.lost else better
        if outcome and outcome.motif and outcome.motif.mate:
            passed = boards[outcome.motif.ply + 1].copy(stack=False)
            passed.push(chess.Move.null())
            known.add(passed.san(outcome.motif.mate))
        if outcome and outcome.retake:
            end = boards[len(outcome.moves)].copy(stack=False)
            for each in outcome.retake:
                known.add(pushed(end, each))
    if reason.fact and reason.fact.kind == "sacrifice":
        end = replies[0].copy(stack=False)
        known |= {pushed(end, each) for each in reason.fact.moves}
    for found in re.findall(r"\d+\.+([A-Za-z][\w=+#-]*)", reason.text):
        assert found in known, (found, reason.text)


def greedy_line(board: chess.Board, plies: int, source: random.Random) -> list[chess.Move]:
    """A line in which whatever can be taken is taken, so that much is won and lost."""
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


@settings(max_examples=100)
@given(games(), st.integers(0, 2**32), st.integers(-1500, 1500), st.integers(50, 1500))
def test_whatever_is_said_holds_on_the_board(game: Game, seed: int, before: int, loss: int) -> None:
    source, board = random.Random(seed), game.reference()
    legal = list(board.legal_moves)
    if len(legal) < 2:
        return
    move, best = source.sample(legal, 2)
    after, kept = board.copy(), board.copy()
    after.push(move)
    kept.push(best)
    refutation = greedy_line(after, source.randrange(8), source)
    best_line = [best, *greedy_line(kept, source.randrange(8), source)]
    scores = [before, before - loss]
    ends = [walk(after, tuple(refutation))[-1], walk(board, tuple(best_line))[-1]]
    if ends[0].is_checkmate() and len(refutation) % 2:
        scores[1] = len(refutation) - MATE
    if ends[1].is_checkmate() and len(best_line) % 2:
        scores[0] = MATE - len(best_line)
    said = board, move, refutation, best_line, *scores
    check_reason(explain_move(*said))
    check_reason(explain_move(*said, CONFIRMED))
    check_reason(explain_move(*said, CONFIRMED.widened(12)))
    fact = fact_of(*said)
    if fact:
        replies, better = walk(after, tuple(refutation)), walk(board, tuple(best_line))
        check_fact(fact, board, move, replies, better)

"""Mates in one to three: announced with the right length, and played out to the mate."""

from __future__ import annotations

import chess
import pytest
from positions import COMPILED, Game, search, shared_lines
from uci_client import MIDDLEGAME, QUEENS

from halbzug.base.events import Event, Info, Notice
from halbzug.base.limits import Limits
from halbzug.base.scores import is_mate, mate_in_moves
from halbzug.search.search import Search
from halbzug.search.time_management import Clock, MoveTime
from halbzug.search.transposition import TranspositionTable

pytestmark = pytest.mark.slow

#: The number of positions of each suite that fit into the time.
SAMPLES = {1: 64, 2: 300, 3: 80} if COMPILED else {1: 64, 2: 12, 3: 3}


def assert_finds_mate(fen: str, moves: int) -> None:
    found = search(fen, Limits(mate=moves))
    assert mate_in_moves(found.score) == moves, fen
    assert len(found.last.pv) == 2 * moves - 1
    board = Game(fen, found.last.pv).reference()  # raises if the line is illegal
    assert board.is_checkmate()
    assert found.best.move == found.last.pv[0]


def test_a_mate_is_not_taken_for_a_longer_one():
    """With late moves reduced, the search stopped at a mate in five."""
    assert_finds_mate("8/R6p/2r3p1/6Bk/p3p2P/2P5/5PPK/8 w - - 0 1", 3)


@pytest.mark.parametrize("moves", [1, 2, 3])
@pytest.mark.parametrize("part", range(4))
def test_suite(moves: int, part: int):
    lines = shared_lines(f"suites/mate_in_{moves}.epd")
    lines = lines[:: max(len(lines) // SAMPLES[moves], 1)][: SAMPLES[moves]]
    for line in lines[part::4]:
        board, operations = chess.Board.from_epd(line)
        assert operations["dm"] == moves
        assert_finds_mate(board.fen(), moves)


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),  # Morphy's problem
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ],
)
def test_mates(fen: str, moves: int):
    assert_finds_mate(fen, moves)


@pytest.mark.any_build
@pytest.mark.parametrize(
    "fen",
    [
        "3k1b1q/1ppbR3/2p2N2/6P1/1Q6/7p/8/2K5 w - - 0 1",
        "8/6b1/1pp5/k1pqN3/N6Q/PP2P3/3P4/4KB2 w - - 0 1",
        "b2q2Rr/BNkPN2R/P1P5/K2p4/n3p2p/3r4/2Q5/8 w - - 0 1",
    ],
)
def test_a_mate_is_found_where_many_other_moves_win(fen: str):
    """A quiet move mates in two where other moves keep a winning advantage."""
    found = search(fen, Limits(nodes=60_000))
    assert mate_in_moves(found.score) == 2


def test_a_mate_by_zugzwang_is_found_beside_a_draw():
    """Black could hold by passing, which the null move tries, and has pieces other than pawns."""
    zugzwang = "n1N3br/2p1Bpkr/1pP2R1b/pP3Pp1/P5P1/1P1p4/p2P4/K7 w - - 0 1"
    found = search(zugzwang, Limits(nodes=40_000))
    assert mate_in_moves(found.score) == 2
    assert found.best.move == "e7a3"


def test_being_mated_is_a_negative_mate_score():
    found = search("7k/8/6K1/8/8/8/8/R7 b - - 0 1", Limits(depth=3))
    assert mate_in_moves(found.score) == -1
    assert found.last.pv[1:] == ("a1a8",)


@pytest.mark.any_build
@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 1),  # there is one in two
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", 2),
        (MIDDLEGAME, 1),
        (QUEENS, 1),
    ],
)
def test_without_a_mate_the_search_ends_when_everything_has_been_searched(fen: str, moves: int):
    found = search(fen, Limits(mate=moves))
    assert len(found.notices) == 1 and f"no mate in {moves} move" in found.notices[0]
    assert not is_mate(found.score)
    assert chess.Board(fen).parse_uci(found.best.move)
    assert found.nodes < 200_000


def test_a_mate_is_found_whatever_other_searches_have_left_in_the_table():
    """A game's own search prunes: if it found no mate, that proves nothing."""
    game = Game("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1")
    events: list[Event] = []
    one = Search(TranspositionTable(1))
    for limits in (Limits(depth=3), Limits(mate=2), Limits(mate=3)):
        one.run(game.position(), limits, report=events.append)
    assert len([event for event in events if isinstance(event, Notice)]) == 1
    assert isinstance(events[-1], Info) and mate_in_moves(events[-1].score) == 3


@pytest.mark.any_build
def test_the_first_iteration_searches_all_moves_whatever_the_clock_says():
    class Standing(Clock):
        """A clock that always shows 100 ms, however slow this machine is."""

        def elapsed_ms(self) -> float:
            return 100.0

    # Many queens: the first iteration takes longer than its share of the time.
    for fen, kind in ((QUEENS, Clock), (MIDDLEGAME, Standing)):
        over = kind(MoveTime(1, 1), elapsed_ms=100)
        found: list[Event] = []
        best = Search(TranspositionTable(1)).run(Game(fen).position(), Limits(), over, found.append)
        last = found[-1]
        assert isinstance(last, Info) and last.depth == 1 and last.pv[0] == best.move
    assert last.nodes >= 48  # all legal moves

"""The leaf counts of the tree of legal moves, compared with published numbers."""

from __future__ import annotations

import pytest
from positions import COMPILED, shared_lines

from halbzug.board.movegen import generate_all, new_board, perft
from halbzug.board.perft import divide

MAX_NODES = 500_000 if COMPILED else 50_000

#: From https://www.chessprogramming.org/Perft_Results; a faster build goes deeper.
KNOWN = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", (20, 400, 8902, 197281)),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", (48, 2039, 97862)),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2812, 43238, 674624)),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        (6, 264, 9467, 422333),
    ),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (44, 1486, 62379)),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        (46, 2079, 89890),
    ),
]


@pytest.mark.parametrize(("fen", "counts"), KNOWN)
def test_well_known_positions(fen: str, counts: tuple[int, ...]):
    board = new_board(fen)
    for depth, expected in enumerate(counts, 1):
        if expected <= 2 * MAX_NODES:
            assert perft(board, depth) == expected
    assert board.fen() == fen


@pytest.mark.skipif(COMPILED, reason="the compiled build counts millions of leaves at once")
def test_a_deep_count_in_plain_python_stops_soon():
    fen = KNOWN[1][0]
    for move in generate_all(new_board(fen)):
        assert next(divide(new_board(fen), move, 20)) < 10_000


def check(line: str, chess960: bool) -> None:
    """Check the deepest count of an EPD line that is not too large."""
    fen, *fields = line.split(";")
    counts = [(int(depth[1:]), int(nodes)) for depth, nodes in map(str.split, fields)]
    depth, expected = max(count for count in counts if count[1] <= max(MAX_NODES, counts[0][1]))
    assert perft(new_board(fen.strip(), (), chess960), depth) == expected, (fen, depth)


@pytest.mark.parametrize("part", range(8))
def test_standard_suite(part: int):
    for line in shared_lines("perft/standard.epd")[part :: 8 if COMPILED else 64]:
        check(line, chess960=False)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_chess960_suite(part: int):
    for line in shared_lines("perft/chess960.epd")[part :: 8 if COMPILED else 320]:
        check(line, chess960=True)

"""The benchmark: counts the nodes of fixed positions at a fixed depth, and measures the time.

The total number of nodes is the *signature* of the search: it changes exactly when the tree
changes, and is the same in the pure and the compiled build. Run as a module, it prints the
measurement of its build as JSON, which is how two builds are compared.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from ..base.limits import Limits
from ..board.movegen import BUILD, Board, new_board, perft
from .position import Position
from .search import Search
from .time_management import Clock
from .transposition import TranspositionTable

#: The default depth, in plies; the pure build needs about half a minute for it.
DEPTH = 7

#: Opening lines to where theory ends, famous games at their turning points, positions from games
#: that continue from there, and textbook endgames.
POSITIONS = (
    # Open games
    "r1b2rk1/2q1bppp/p2p1n2/npp1p3/3PP3/2P2N1P/PPB2PP1/RNBQR1K1 w - - 1 12",  # Chigorin
    "r1b2rk1/5ppp/p1pb4/1p1n4/3P3q/1BP5/PP3PPP/RNBQR1K1 w - - 3 14",  # Marshall Attack
    "r1bqk1nr/pppp1ppp/2n5/b7/2BpP3/2P2N2/P4PPP/RNBQ1RK1 b kq - 1 7",  # Evans Gambit
    "r1bq1b1r/ppp2kpp/2n5/3np3/2B5/5Q2/PPPP1PPP/RNB1K2R b KQ - 1 7",  # Fried Liver, in check
    "rnbqkb1r/pppp1p1p/5n2/4N3/4PppP/8/PPPP2P1/RNBQKB1R w KQkq - 2 6",  # King's Gambit
    "r1bqk2r/ppp1bppp/8/3p4/1nPPn3/3B1N2/PP3PPP/RNBQ1RK1 w kq - 1 9",  # Petroff
    # Semi-open games
    "rn1q1rk1/1p2bppp/p2pbn2/4p3/4P3/1NN1BP2/PPPQ2PP/2KR1B1R b - - 4 10",  # Najdorf
    "2rq1rk1/pp1bppbp/3p1np1/4n3/3NP3/1BN1BP2/PPPQ2PP/2KR3R w - - 9 12",  # Dragon
    "rnb1kb1r/1p3ppp/p2ppn2/6B1/3NPP2/2N5/PqPQ2PP/R3KB1R w KQkq - 0 9",  # Poisoned Pawn
    "rnb1k1r1/ppq1np1Q/4p3/3pP3/3p4/P1P5/2P2PPP/R1B1KBNR w KQq - 0 10",  # French, Winawer
    "r1b1kb1r/pp3ppp/1qn1p2n/3pP3/1P1p4/P1P2N2/5PPP/RNBQKB1R w KQkq - 0 8",  # French, Advance
    "r2qkbnr/pp1n1pp1/2p1p2p/7P/3P4/3Q1NN1/PPP2PP1/R1B1K2R w KQkq - 0 11",  # Caro-Kann
    "r2qkb1r/ppp2ppp/1nn1p3/4Pb2/2PP4/2N1B3/PP4PP/R2QKBNR w KQkq - 0 9",  # Alekhine
    "rn1qk2r/pp1bppbp/3p2p1/1Bp1P3/3P1Pn1/2N2N2/PPP3PP/R1BQK2R w KQkq - 1 8",  # Pirc
    "rn2kb1r/pp3ppp/2p1pn2/q4b2/2BP4/2N2N2/PPPB1PPP/R2QK2R w KQkq - 0 8",  # Scandinavian
    # Closed games
    "rnb2rk1/p1p1qpp1/1p2p2p/3n4/3P4/2N1PN2/PP3PPP/R2QKB1R w KQ - 0 10",  # Tartakower
    "r1bqkb1r/p2n1p2/2p1pn2/1p2P1B1/2pP4/2N5/PP3PPP/R2QKB1R w KQkq - 1 11",  # Botvinnik
    "rnbqkb1r/5ppp/p3pn2/1pp5/2BP4/4PN2/PP2QPPP/RNB2RK1 w kq b6 0 8",  # Queen's Gambit Accepted
    "r1b2rk1/ppq2ppp/2n1pn2/2p5/2BP4/P1P1PN2/5PPP/R1BQ1RK1 w - - 1 11",  # Nimzo-Indian
    "r1bq1rk1/ppp1n1bp/3p1np1/3Pp3/2P1Pp2/2NN1P2/PP1BB1PP/R2Q1RK1 w - - 0 13",  # Mar del Plata
    "r2q1rk1/pp2ppbp/6p1/n1p5/2BPP1b1/2P1BP2/P3N1PP/R2Q1RK1 w - - 1 12",  # Gruenfeld
    "rnbqk2r/pp1n1pbp/3p2p1/1BpP4/4PP2/2N5/PP4PP/R1BQK1NR w KQkq - 3 9",  # Modern Benoni
    "rn1qkb1r/4pp1p/3p1np1/2pP4/4P3/2N5/PP3PPP/R1BQ1KNR w kq - 0 9",  # Benko Gambit
    "r1b1qrk1/ppp1p1bp/n2p1np1/3P1p2/2P5/2N2NP1/PP2PPBP/R1BQ1RK1 w - - 1 9",  # Dutch
    "rn1q1rk1/1bp1bppp/p3pn2/1p6/3P4/5NP1/PPQ1PPBP/RNB2RK1 w - - 2 10",  # Catalan
    "r1bq1rk1/p4ppp/1pnbpn2/2pp4/3P4/2PBPNB1/PP1N1PPP/R2QK2R w KQ - 0 9",  # London System
    # Famous games
    "rnb1k1nr/p2p1ppp/8/1pbN1N1P/4PBP1/3P1Q2/PqP5/R4KR1 w kq - 0 18",  # the Immortal, 18.Bd6
    "1r2k1r1/pbppnp1p/1bn2P2/7q/Q7/B1PB1N2/P4PPP/R3R1K1 w - - 1 19",  # the Evergreen, 19.Rad1
    "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16",  # the Opera Game, 16.Qb8+
    # Middlegames
    "b2q1rk1/4n1bp/p2p1np1/1p1Pp3/4Pp2/1Q1N1P2/PP1BB1PP/2R2RK1 w - - 0 20",
    "r4rk1/3bnpbp/pq2p2p/3pP3/3P4/P1NB1N2/5PPP/R2Q1RK1 w - - 0 15",
    "3r1rk1/ppq2p1p/2b1p1p1/2n1n1N1/P7/2P1P3/1BQ1BPPP/R2R2K1 w - - 3 18",
    "Nnb4r/1p2kpbp/p2p1p2/8/3pPP2/8/q1PQB1PP/1R3RK1 w - - 0 16",  # a loose king
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",  # every kind of move
    "5rk1/1p4pp/p2p4/3Pp1q1/1P2Pr2/P2Q1P2/6PP/R4RK1 b - - 3 24",
    "1n6/1p4Q1/p2kB3/2qp4/5P2/8/2p3PP/1R5K w - - 0 29",  # queens and a far passed pawn
    "8/3nk1b1/2Rp1rp1/3Pp2p/1B2Pp2/5P2/1P2BNPP/6K1 w - h6 0 33",
    "6k1/1p3p2/4p1pp/2n1N3/p1P2P2/1b2P3/3rB1PP/4R1K1 w - - 0 31",
    # Endgames
    "8/1p3pk1/p5p1/3P3p/P2B3P/1P4P1/5PK1/2n5 b - - 0 1",  # bishop against knight
    "8/5k2/8/8/1B6/8/3K2P1/6b1 w - - 0 1",  # bishops of opposite colours
    "6k1/8/p1P5/5p2/3NpK2/2r1P3/8/8 w - - 0 47",  # knight and pawns against rook
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",  # the Lucena position
    "4k3/R7/8/3KP3/8/7r/8/8 b - - 0 1",  # the Philidor position
    "8/6pk/7p/4Q3/3P4/7P/1q4PK/8 w - - 5 40",  # queens and a passed pawn
    "8/8/8/2k5/8/1r6/8/3QK3 w - - 0 1",  # queen against rook
    "8/8/8/3k4/8/8/8/2BNK3 w - - 0 1",  # bishop and knight
    "8/8/8/5N2/8/p7/8/2NK3k w - - 0 1",  # two knights against a pawn
    "7K/8/k1P5/7p/8/8/8/8 w - - 0 1",  # Reti 1921
    "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1",  # Saavedra 1895
    "8/ppp5/8/PPP5/8/8/8/k6K w - - 0 1",  # the breakthrough
    "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",  # the king in front of its pawn
    # Rare rules
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",  # promotions, captures, under-promotions
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",  # pawns pinned to their en passant captures
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",  # en passant as the answer to a check
    "3k4/8/8/8/8/8/3q4/R3K2R w KQ - 0 1",  # in check, castling rights or not
    "8/8/8/8/8/6k1/4K1p1/6B1 w - - 98 120",  # the fifty-move rule is near
    "k7/2K5/8/8/8/8/1R6/8 w - - 0 1",  # mate in one
)

#: Chess960 positions, with castling rights given by the rook's file.
CHESS960_POSITIONS = (
    "rk2r3/pppbnppp/3p2n1/P2Pp3/4P2q/R5NP/1PP2PP1/1KNQRB2 b Eea - 5 12",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
)

#: Position and depth of each walk in the make/unmake measurement.
PERFT_POSITIONS = (
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
    ("r1b2rk1/2q1bppp/p2p1n2/npp1p3/3PP3/2P2N1P/PPB2PP1/RNBQR1K1 w - - 1 12", 3),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
)

#: Minimum duration of a perft measurement, in seconds.
MIN_PERFT_SECONDS = 1.0


@dataclass(frozen=True)
class BenchResult:
    """The result of a benchmark."""

    positions: int
    nodes: int
    seconds: float  # processor time, which a busy machine affects little
    build: str  # "pure" or "compiled"

    @property
    def nodes_per_second(self) -> int:
        """Nodes per second of processor time."""
        return round(self.nodes / max(self.seconds, 0.001))

    @property
    def summary(self) -> str:
        """The last line of a bench, in the format that OpenBench and other programs read."""
        return f"{self.nodes} nodes {self.nodes_per_second} nps"


def boards() -> list[Board]:
    """All positions of the benchmark."""
    return [new_board(fen) for fen in POSITIONS] + [
        new_board(fen, chess960=True) for fen in CHESS960_POSITIONS
    ]


def run(
    depth: int = DEPTH,
    hash_mb: int = 16,
    on_position: Callable[[int, int], None] | None = None,
    clock: Clock | None = None,
) -> BenchResult:
    """Search every position to `depth` plies, each with an empty hash table.

    :param on_position: called after each position with the number of positions done and the nodes
        so far.
    :param clock: may be stopped by another thread; the result is then useless.
    :raises MemoryError: if there is no memory for a table of `hash_mb` MiB.

    >>> run(depth=1).nodes == run(depth=1).nodes
    True
    """
    nodes = 0
    positions = boards()
    started = time.process_time()
    with contextlib.closing(TranspositionTable(hash_mb)) as tt:
        for number, board in enumerate(positions, start=1):
            nodes += _search_nodes(board, depth, tt, clock)
            if clock and clock.stopped:
                break
            if on_position:
                on_position(number, nodes)
    return BenchResult(len(positions), nodes, time.process_time() - started, BUILD)


def run_for(seconds: float, depth: int = DEPTH, hash_mb: int = 16) -> BenchResult:
    """Measure the speed: search positions to `depth` plies until the time is over.

    :param seconds: processor time; at least one position is searched.
    :raises MemoryError: if there is no memory for a table of `hash_mb` MiB.
    """
    nodes, positions = 0, 0
    started = time.process_time()
    with contextlib.closing(TranspositionTable(hash_mb)) as tt:
        for board in itertools.cycle(boards()):
            nodes += _search_nodes(board, depth, tt)
            positions += 1
            spent = time.process_time() - started
            if spent >= seconds:
                break
    return BenchResult(positions, nodes, spent, BUILD)


def _search_nodes(
    board: Board, depth: int, tt: TranspositionTable, clock: Clock | None = None
) -> int:
    """Count the nodes of one search that starts with empty tables."""
    tt.clear()
    search = Search(tt)
    search.run(Position(board), Limits(depth=depth), clock)
    return search.nodes


def run_perft(least_seconds: float = MIN_PERFT_SECONDS) -> BenchResult:
    """Make and unmake every legal move of a few trees, repeated for at least `least_seconds`."""
    nodes = 0
    started = time.process_time()
    while True:
        for fen, depth in PERFT_POSITIONS:
            nodes += perft(new_board(fen), depth)
        seconds = time.process_time() - started
        if seconds >= least_seconds:
            return BenchResult(len(PERFT_POSITIONS), nodes, seconds, BUILD)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both measurements of this build as one line of JSON."""
    parser = argparse.ArgumentParser(prog="python -m halbzug.search.bench", description=__doc__)
    parser.add_argument("--depth", type=int, default=DEPTH, help="plies to search")
    depth = parser.parse_args(arguments).depth
    report = {
        "build": BUILD,
        "python": platform.python_version(),
        "depth": depth,
        "perft": asdict(run_perft()),
        "search": asdict(run(depth)),
    }
    print(json.dumps(report))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

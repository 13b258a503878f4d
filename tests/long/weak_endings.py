"""How often a weak level wins a won ending against a bare king; takes minutes to an hour.

    python tests/long/weak_endings.py --elo 1100 1350 --ending KQvK KRvK --games 100

Random won positions, with either side to move and random colours. Stockfish at full strength
defends with a number of nodes per move; the engine has a move time, and one process plays all games
of a level, each as a new game. Threefold repetition and the fifty-move rule end a game as a draw.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import chess
import chess.engine
import chess.syzygy

sys.path.insert(0, str(Path(__file__).parents[1]))  # helpers of the tests

from second_engine import STOCKFISH, ending_positions

from halbzug.board.game_end import natural_end
from halbzug.search.strength import MAX_ELO, MIN_ELO
from halbzug.tablebase.files import SHIPPED


def won_positions(ending: str, seed: int) -> Iterator[tuple[chess.Board, chess.Color]]:
    """Positions won by the stronger side, and that side; the same for the same seed.

    :param ending: named like a tablebase, the stronger side first; up to four pieces.
    """
    with chess.syzygy.open_tablebase(str(SHIPPED)) as tablebase:
        while True:
            board = next(ending_positions(ending, seed))
            seed += 1_000_003
            wdl = tablebase.probe_wdl(board)
            if abs(wdl) == 2:
                yield board, board.turn if wdl > 0 else not board.turn


def play(
    board: chess.Board,
    strong: chess.Color,
    level: chess.engine.SimpleEngine,
    defender: chess.engine.SimpleEngine,
    seconds: float,
    nodes: int,
) -> str:
    """Play a won position until it ends; return "won" or how the win was missed.

    :param board: the position; the moves are made on it.
    :param seconds: per move of the weak level.
    :param nodes: per move of the defender.
    """
    game = object()
    ours, theirs = chess.engine.Limit(time=seconds), chess.engine.Limit(nodes=nodes)
    while not (end := natural_end(board)):
        engine, limit = (level, ours) if board.turn == strong else (defender, theirs)
        move = engine.play(board, limit, game=game).move
        assert move is not None
        board.push(move)
    return "won" if end.result == ("1-0" if strong else "0-1") else end.reason


def limit_strength(engine: chess.engine.SimpleEngine, elo: int) -> None:
    """Make the engine play at this level; full strength at the end of the range."""
    engine.configure({"UCI_LimitStrength": elo < MAX_ELO, "UCI_Elo": elo, "OwnBook": False})


def measure(
    ending: str,
    elo: int,
    options: argparse.Namespace,
    level: chess.engine.SimpleEngine,
    defender: chess.engine.SimpleEngine,
) -> str:
    """Play the games of a level in an ending; return the line that reports the outcome."""
    limit_strength(level, elo)
    ends: Counter[str] = Counter()
    plies = 0
    chosen = islice(won_positions(ending, options.seed), options.games)
    for board, strong in chosen:
        start = board.fen()
        end = play(board, strong, level, defender, options.seconds, options.nodes)
        ends[end] += 1
        plies += len(board.move_stack)
        if options.drawn and end != "won":
            line = " ".join(move.uci() for move in board.move_stack)
            print(f"{end}: {start} moves {line}", flush=True)
    won = ends.pop("won", 0)
    rest = ", ".join(f"{reason} {count}" for reason, count in ends.most_common()) or "all won"
    moves = plies / 2 / max(options.games, 1)
    return f"{ending:6} {elo:4}  won {won:3} of {options.games}, {moves:.0f} moves a game; {rest}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as a script; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    levels = [1100, 1350, 1500, 1800, 2400]
    parser.add_argument("--elo", type=int, nargs="+", default=levels, help=f"from {MIN_ELO}")
    parser.add_argument("--ending", nargs="+", default=["KQvK", "KRvK", "KPvK"])
    parser.add_argument("--games", type=int, default=100, help="games for each level and ending")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the positions")
    parser.add_argument("--seconds", type=float, default=0.05, help="seconds per move of the level")
    parser.add_argument("--nodes", type=int, default=20_000, help="nodes per move of Stockfish")
    parser.add_argument("--drawn", action="store_true", help="print the games that were not won")
    options = parser.parse_args(arguments)
    if STOCKFISH is None:
        print("stockfish is not installed", file=sys.stderr)
        return 2
    ours = [sys.executable, "-m", "halbzug"]
    with (
        tempfile.TemporaryDirectory() as folder,
        chess.engine.SimpleEngine.popen_uci(ours, cwd=folder) as level,
        chess.engine.SimpleEngine.popen_uci(STOCKFISH) as defender,
    ):
        for ending in options.ending:
            for elo in options.elo:
                print(measure(ending, elo, options, level, defender), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

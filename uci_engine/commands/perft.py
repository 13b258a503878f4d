"""`halbzug perft`: counts the leaves of the tree of legal moves, to test a move generator."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import click

from ..display.errors import one_line_errors

if TYPE_CHECKING:
    from ..board.movegen import Board

EXAMPLES = """\b
Examples:
  halbzug perft startpos 4
  halbzug perft "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1" 5
"""


@click.command(epilog=EXAMPLES)
@click.argument("fen")
@click.argument("depth", type=click.IntRange(1, 30))
@click.option("--chess960", is_flag=True, help="Chess960 rules.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
def perft(fen: str, depth: int, chess960: bool, as_json: bool) -> int:
    """Count the positions DEPTH plies after FEN.

    The positions are counted for each first move and in total. FEN is a position in quotes, or
    `startpos`. The moves are in alphabetical order, so that you can compare the output with that of
    another program.
    """
    from ..board.fen import fen_of, read_position

    with one_line_errors(ValueError):
        board = read_position(fen_of(fen), chess960)
    started = time.perf_counter()
    counts = _divide(board, depth, is_silent=as_json)
    seconds = time.perf_counter() - started
    total = sum(counts.values())
    speed = round(total / max(seconds, 1e-6))
    if as_json:
        line = {"depth": depth, "moves": counts, "nodes": total, "seconds": round(seconds, 3)}
        click.echo(json.dumps(line))
    else:
        click.echo(f"\nNodes searched: {total}\nTime: {seconds:.2f} s, {speed:,} nodes/s")
    return 0


def _divide(board: Board, depth: int, is_silent: bool) -> dict[str, int]:
    """The leaves below each root move, printed as they are counted."""
    from ..board.movegen import uci
    from ..board.perft import divide_all, lines_of_two
    from ..display.progress import progress_shown

    counts = {}
    lines = lines_of_two(board, depth)
    with progress_shown(None, f"Depth {depth}", lines, may_be_short=True) as tell:
        for move, leaves in divide_all(board, depth, lambda done: tell(done, lines)):
            counts[uci(move)] = leaves
            if not is_silent:
                print(f"{uci(move)}: {leaves}", flush=True)  # click's would break the bar
    return counts

"""Stockfish as a second engine: where it is, and games of an ending against it."""

from __future__ import annotations

import contextlib
import logging
import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine

#: Debian installs games where an ordinary PATH does not look.
STOCKFISH = shutil.which("stockfish") or shutil.which(
    "stockfish", path="/usr/games:/usr/local/bin:/usr/bin:/opt/homebrew/bin"
)


@contextlib.contextmanager
def halbzug_and_stockfish(
    folder: Path,
) -> Iterator[tuple[chess.engine.SimpleEngine, chess.engine.SimpleEngine]]:
    """Halbzug, started in *folder*, and Stockfish, each with python-chess's client."""
    logging.getLogger("chess.engine").setLevel(logging.ERROR)
    ours = [sys.executable, "-m", "halbzug"]
    with (
        chess.engine.SimpleEngine.popen_uci(ours, cwd=folder) as halbzug,
        chess.engine.SimpleEngine.popen_uci(str(STOCKFISH)) as stockfish,
    ):
        yield halbzug, stockfish


def ending_positions(ending: str, seed: int) -> Iterator[chess.Board]:
    """Random positions with random colours and a random side to move.

    :param ending: named like a tablebase, the stronger side first: `KQvK`.
    """
    source = random.Random(f"{ending} {seed}")
    strong, weak = ending.split("v")
    color = source.choice(chess.COLORS)
    pieces = [(letter, color) for letter in strong] + [(letter, not color) for letter in weak]
    while True:
        board = chess.Board.empty()
        for (letter, side), square in zip(
            pieces, source.sample(range(64), len(pieces)), strict=True
        ):
            board.set_piece_at(
                square, chess.Piece(chess.Piece.from_symbol(letter).piece_type, side)
            )
        board.turn = source.choice(chess.COLORS)
        if board.is_valid() and not board.is_game_over():
            yield board

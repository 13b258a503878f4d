"""The engine as installed plays four-piece endings perfectly against a strong defence.

Two positions per ending by default. This plays 200 and prints the table:

    HALBZUG_ENDINGS=25 pytest -s tests/tablebase/test_endings.py
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import chess.syzygy
import pytest
from second_engine import STOCKFISH, ending_positions, halbzug_and_stockfish

from halbzug.board.game_end import natural_end
from halbzug.books.opening_book import OpeningBook, default_book_path
from halbzug.tablebase.files import SHIPPED

GAMES = int(os.environ.get("HALBZUG_ENDINGS", "2"))
ENDINGS = ("KQvK", "KRvK", "KBBvK", "KBNvK", "KPvK", "KQvKR", "KRvKB", "KRvKP")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.any_build,
    pytest.mark.skipif(STOCKFISH is None, reason="stockfish is not installed"),
]


@pytest.fixture(scope="module")
def engines(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[chess.engine.SimpleEngine, chess.engine.SimpleEngine]]:
    with halbzug_and_stockfish(tmp_path_factory.mktemp("endings")) as engines:
        yield engines


def play(
    board: chess.Board,
    ours: chess.Color,
    engines: tuple[chess.engine.SimpleEngine, chess.engine.SimpleEngine],
) -> str:
    """The result of a game; draws by threefold repetition and the fifty-move rule are claimed."""
    halbzug, stockfish = engines
    while not (end := natural_end(board)):
        ours_to_move = board.turn == ours
        engine = halbzug if ours_to_move else stockfish
        limit = chess.engine.Limit(time=2.0 if ours_to_move else 0.02)  # our engine answers at once
        board.push(engine.play(board, limit, game=id(board)).move or chess.Move.null())
    return end.result


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_theoretical_result_is_reached(
    ending: str, engines: tuple[chess.engine.SimpleEngine, chess.engine.SimpleEngine]
) -> None:
    kept = {"win": 0, "draw": 0}
    with chess.syzygy.open_tablebase(str(SHIPPED)) as tablebase:
        for number in range(GAMES):
            board = next(ending_positions(ending, number))
            start = board.fen()
            ours = chess.WHITE if number % 2 else chess.BLACK
            # Halbzug plays the side that can win, or holds a draw; both sides of a draw are played.
            wdl = tablebase.probe_wdl(board) * (1 if board.turn == ours else -1)
            if wdl < 0:
                ours, wdl = not ours, -wdl
            result = play(board, ours, engines)
            points = {"1-0": 1, "0-1": -1}.get(result, 0) * (1 if ours else -1)
            assert points == (1 if wdl == 2 else 0), (start, result, wdl)
            kept["win" if wdl == 2 else "draw"] += 1
    print(f"{ending:6} won {kept['win']:3}  held {kept['draw']:3}  of {GAMES}")


def test_an_opening_move_comes_from_the_book(tmp_path: Path) -> None:
    with chess.engine.SimpleEngine.popen_uci(
        [sys.executable, "-m", "halbzug"], cwd=tmp_path
    ) as halbzug:
        board = chess.Board()
        with OpeningBook(default_book_path()) as book:
            while board.ply() < 6 and any(book.entries(board)):  # rare lines end earlier
                played = halbzug.play(board, chess.engine.Limit(time=5), info=chess.engine.INFO_ALL)
                assert played.info.get("nodes") == 0
                assert played.info["pv"][0] == played.move
                board.push(played.move or chess.Move.null())
        assert board.ply() >= 3

"""Whole games and analysis through python-chess's `chess.engine`, a rather strict client."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import pytest
from second_engine import STOCKFISH
from uci_client import ENDGAME, MATE_IN_TWO, MATED, MIDDLEGAME

pytestmark = pytest.mark.any_build

OURS = [sys.executable, "-m", "halbzug"]


@pytest.fixture
def halbzug(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> Iterator[chess.engine.SimpleEngine]:
    """The engine; python-chess must find no protocol error."""
    caplog.set_level(logging.WARNING, "chess.engine")
    with chess.engine.SimpleEngine.popen_uci(OURS, cwd=tmp_path, timeout=60) as engine:
        yield engine
    assert not caplog.records


def play_game(
    white: chess.engine.SimpleEngine,
    black: chess.engine.SimpleEngine,
    board: chess.Board,
    seconds: float = 2.0,
    increment: float = 0.02,
) -> None:
    """Play `board` until the game ends; an illegal move or an invalid line raises EngineError."""
    clocks = {chess.WHITE: seconds, chess.BLACK: seconds}
    game = object()
    while not board.is_game_over(claim_draw=True) and len(board.move_stack) < 300:
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE],
            black_clock=clocks[chess.BLACK],
            white_inc=increment,
            black_inc=increment,
        )
        engine = white if board.turn else black
        result = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL)
        assert result.move in board.legal_moves
        # The engines' own times; the machine may be busy with other work.
        used = result.info.get("time", 0.0)
        clocks[board.turn] = max(clocks[board.turn] - used, 0.01) + increment
        board.push(result.move)


@pytest.mark.slow
@pytest.mark.skipif(STOCKFISH is None, reason="stockfish is not installed")
@pytest.mark.parametrize("our_side", [chess.WHITE, chess.BLACK], ids=["white", "black"])
def test_a_game_against_stockfish_at_its_weakest(
    halbzug: chess.engine.SimpleEngine, our_side: chess.Color
) -> None:
    assert STOCKFISH
    with chess.engine.SimpleEngine.popen_uci([STOCKFISH]) as stockfish:
        elo = stockfish.options["UCI_Elo"]
        stockfish.configure({"UCI_LimitStrength": True, "UCI_Elo": max(elo.min or 0, 1350)})
        board = chess.Board()
        pair = (halbzug, stockfish) if our_side else (stockfish, halbzug)
        play_game(*pair, board)
        assert board.is_game_over(claim_draw=True) or len(board.move_stack) == 300


def test_a_chess960_game_against_itself(halbzug: chess.engine.SimpleEngine) -> None:
    board = chess.Board.from_chess960_pos(201)
    play_game(halbzug, halbzug, board, seconds=0.15, increment=0.001)
    assert board.is_game_over(claim_draw=True) or len(board.move_stack) == 300


def test_both_sides_castle_in_chess960(halbzug: chess.engine.SimpleEngine) -> None:
    for start in (0, 342, 518, 692, 959):
        board = chess.Board.from_chess960_pos(start)
        squares = board.piece_map()
        for square, piece in squares.items():  # only kings, rooks and pawns are left
            if piece.piece_type not in (chess.KING, chess.ROOK, chess.PAWN):
                board.remove_piece_at(square)
        for _ in range(2):
            castling = next(board.generate_castling_moves(), None)
            assert castling
            limit = chess.engine.Limit(depth=1)
            result = halbzug.play(board, limit, root_moves=[castling])
            assert result.move == castling
            board.push(castling)


def test_moves_with_almost_no_time_left(halbzug: chess.engine.SimpleEngine) -> None:
    for seconds in (0.001, 0.01, 0.05, 0.1):
        limit = chess.engine.Limit(white_clock=seconds, black_clock=seconds)
        result = halbzug.play(chess.Board(), limit, info=chess.engine.INFO_ALL)
        assert result.move
        assert "score" in result.info


def test_mate_in_two_is_found(halbzug: chess.engine.SimpleEngine) -> None:
    board = chess.Board(MATE_IN_TWO)
    info = halbzug.analyse(board, chess.engine.Limit(mate=2))
    assert info["score"].relative == chess.engine.Mate(2)
    assert info["pv"][0] == chess.Move.from_uci("a1a6")


def test_analysis_of_several_lines(halbzug: chess.engine.SimpleEngine) -> None:
    infos = halbzug.analyse(chess.Board(), chess.engine.Limit(depth=3), multipv=4)
    assert [info["multipv"] for info in infos] == [1, 2, 3, 4]
    assert len({info["pv"][0] for info in infos}) == 4
    assert halbzug.analyse(chess.Board(ENDGAME), chess.engine.Limit(depth=3))["depth"] == 3


def test_analysis_with_wdl(halbzug: chess.engine.SimpleEngine) -> None:
    halbzug.configure({"UCI_ShowWDL": True})
    info = halbzug.analyse(chess.Board(), chess.engine.Limit(depth=2))
    assert info["wdl"].relative.total() == 1000


def test_a_cancelled_analysis_makes_way_for_the_next(halbzug: chess.engine.SimpleEngine) -> None:
    for fen in (chess.STARTING_FEN, ENDGAME, MIDDLEGAME, MATED):
        board = chess.Board(fen)
        with halbzug.analysis(board) as analysis:
            for info in analysis:
                if "score" in info:
                    break
        best = analysis.wait()
        assert best.move in board.legal_moves if fen != MATED else best.move is None
    assert halbzug.play(chess.Board(), chess.engine.Limit(depth=1)).move


def test_the_stock_configuration_of_lichess_bot(tmp_path: Path) -> None:
    # config.yml.default except for Threads and Hash: lichess-bot refuses an engine without these.
    options = {
        "Move Overhead": 100,
        "Threads": 2,
        "Hash": 32,
        "SyzygyPath": "./syzygy/",
        "UCI_ShowWDL": True,
    }
    with chess.engine.SimpleEngine.popen_uci(OURS, cwd=tmp_path, timeout=60) as engine:
        assert set(options) <= set(engine.options)
        engine.configure(options)
        opponent = chess.engine.Opponent("somebody", "GM", 2000, False)
        engine.send_opponent_information(opponent=opponent)
        board = chess.Board("r1bqkbnr/1ppp1ppp/p1n5/4p3/4P3/5N1P/PPPP1PP1/RNBQKB1R w KQkq - 0 4")
        game = object()
        for _ in range(2):
            limit = chess.engine.Limit(
                white_clock=1, black_clock=1, white_inc=0.02, black_inc=0.02, clock_id="real time"
            )
            result = engine.play(
                board, limit, game=game, info=chess.engine.INFO_ALL, ponder=True, draw_offered=False
            )
            assert result.move in board.legal_moves
            assert result.info["wdl"].relative.total() == 1000
            board.push(result.move)
        engine.quit()


def test_options_as_a_client_sees_and_sets_them(halbzug: chess.engine.SimpleEngine) -> None:
    assert halbzug.options["Hash"].type == "spin"
    assert halbzug.options["UCI_Elo"].min == 800
    assert halbzug.options["Clear Hash"].type == "button"
    assert halbzug.options["Ponder"].is_managed()
    halbzug.configure({"Hash": 8, "Skill Level": 3, "OwnBook": False, "Clear Hash": None})
    assert halbzug.play(chess.Board(), chess.engine.Limit(time=0.05)).move
    with pytest.raises(chess.engine.EngineError):
        halbzug.configure({"No Such Option": 1})
    with pytest.raises(chess.engine.EngineError):
        halbzug.configure({"Hash": 0})


@pytest.mark.slow
def test_pondering_through_hits_and_misses(halbzug: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    hits = 0
    for number in range(12):
        limit = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.1, black_inc=0.1)
        result = halbzug.play(board, limit, ponder=True)
        assert result.move in board.legal_moves
        board.push(result.move)
        reply = next(iter(board.legal_moves))
        if result.ponder and number % 2 == 0:
            assert result.ponder in board.legal_moves
            reply = result.ponder
            hits += 1
        board.push(reply)
    assert hits


@pytest.mark.slow
def test_fifty_short_games_in_one_process(halbzug: chess.engine.SimpleEngine) -> None:
    halbzug.configure({"OwnBook": False})
    for number in range(50):
        game = object()
        board = chess.Board()
        for _ in range(6):
            limit = chess.engine.Limit(time=0.02) if number % 2 else chess.engine.Limit(nodes=20)
            result = halbzug.play(board, limit, game=game)
            assert result.move
            board.push(result.move)
    halbzug.ping()

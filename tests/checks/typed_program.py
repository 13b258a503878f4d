"""A program that uses every public name; `test_types` runs type checkers on it."""

from __future__ import annotations

import asyncio
import io

import chess
import chess.engine
import chess.pgn
from chess.engine import Limit
from typing_extensions import assert_type

import halbzug


def use_an_engine(board: chess.Board) -> None:
    engine: chess.engine.SimpleEngine = halbzug.Engine(threads=1, hash=16)
    result: chess.engine.PlayResult = engine.play(board, Limit(time=1))
    move: chess.Move | None = result.move
    info: chess.engine.InfoDict = engine.analyse(board, Limit(depth=3))
    infos: list[chess.engine.InfoDict] = engine.analyse(board, Limit(depth=3), multipv=2)
    with halbzug.Engine(timeout=None) as other, other.analysis(board) as analysis:
        for said in analysis:
            score: chess.engine.PovScore | None = said.get("score")
            print(score)
    print(move, info, infos)


async def use_an_engine_with_an_event_loop(board: chess.Board) -> None:
    transport, engine = await halbzug.popen(threads=1)
    result: chess.engine.PlayResult = await engine.play(board, Limit(time=1))
    await engine.quit()
    transport.close()
    print(result)


def use_options_that_do_not_exist() -> None:
    """If a type checker accepts these, the comments are unused, which is an error, too."""
    halbzug.Engine(foo=3)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    halbzug.Engine(hash="x")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    halbzug.popen(thread=1)  # type: ignore[call-arg, unused-coroutine]  # pyright: ignore


def ask(board: chess.Board) -> None:
    played = halbzug.play(board, time=1.0)
    san: str = played.san
    analysis = halbzug.analyse(board, depth=3, multipv=2)
    best: chess.Move | None = analysis.move
    centipawns: int | None = analysis.score.white().score()
    wins: int = analysis.wdl.white().wins
    for line in analysis:
        san = line.san
    best = halbzug.analyse(board, root_moves=[chess.Move.from_uci("e2e4")]).move
    for many in halbzug.analyse_many([board], nodes=100, processes=1):
        best = many.move
    for either in halbzug.analyse_many([board], nodes=100, errors="return"):
        index = either.index if isinstance(either, halbzug.BoardError) else either.depth
        print(index)
    evaluation = halbzug.evaluate(board)
    pawns: float = evaluation["pawn"]
    total: int = int(halbzug.evaluate_many([board, board.fen()]).sum())
    table = halbzug.evaluate_many([board], terms=True)
    pawns += float(table["pawn"][0]) + total
    relative: int = evaluation.relative
    numbers = halbzug.moves_array(board, policy=1858)
    move: chess.Move = halbzug.policy_move(board, int(numbers[0]), policy=1858)
    pawns += board.is_capture(move)
    leaves: int = halbzug.perft(board, 3)
    for game in halbzug.read_games("games.pgn", filter=lambda tags: tags.get("White") == "Ann"):
        read: halbzug.PgnGame = game
        leaves += len(read.moves) + read.codes[0]
    print(san, best, centipawns, wins, pawns, relative, leaves)


def annotate(pgn: str) -> str:
    game = chess.pgn.read_game(io.StringIO(pgn), Visitor=halbzug.GameBuilder)
    assert_type(game, halbzug.Game | None)
    assert game is not None
    annotation = halbzug.annotate(game, nodes=100)
    score: chess.engine.PovScore = annotation.moves[0].after.score
    print(score)
    accuracy: float = annotation.accuracy[chess.WHITE]
    return f"{accuracy} {annotation.pgn()} {annotation.html()} {halbzug.__version__}"


def use_the_board() -> chess.Board:
    board = halbzug.Board()
    board.push_san("e4")
    plain: chess.Board = board.to_chess_board()
    fast: halbzug.Board = halbzug.Board.from_board(plain)
    return fast


if __name__ == "__main__":
    use_an_engine(chess.Board())
    ask(use_the_board())
    asyncio.run(use_an_engine_with_an_event_loop(chess.Board()))
    print(annotate("1. e4"))

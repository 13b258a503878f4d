"""Compares what a python-chess program gets from Stockfish, `halbzug` and `halbzug.Engine`.

    python tests/long/compare_engines.py

Calls every public method of `chess.engine.SimpleEngine` with every flag of `info` on six positions.
Differences in type or shape are listed with their reason; the script ends with code 1 if a
difference has no reason.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import chess.engine
from chess.engine import INFO_ALL, Limit, SimpleEngine

import halbzug

sys.path.insert(0, str(Path(__file__).parents[1]))  # helpers of the tests

from second_engine import STOCKFISH

POSITIONS = {
    "start": chess.Board(),
    "book": chess.Board("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
    "mate": chess.Board("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"),
    "tablebase win": chess.Board("8/8/8/8/4k3/8/1R6/K7 w - - 0 1"),
    "stalemate": chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
    "Chess960": chess.Board(
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", chess960=True
    ),
}

FLAGS = [flag for flag in chess.engine.Info if flag] + [chess.engine.INFO_NONE, INFO_ALL]

LIMITS = {"depth": Limit(depth=4), "time": Limit(time=0.05), "clock": Limit(0, white_clock=5)}

#: Reasons for intended differences, by what differs.
REASONS = {
    "wdl": "halbzug.Engine asks for the chances at the start; the others have to be configured",
    "tbhits": "Stockfish counts the tablebases that it was given; Halbzug comes with some",
    "string": "Stockfish tells its network, Halbzug what it has to tell, in info strings",
    "hashfull": "Stockfish leaves it out of short searches",
    "currmove": "a search of a few plies tells no current move, or tells it",
    "currmovenumber": "a search of a few plies tells no current move, or tells it",
    "book": "the command plays from its book where there is a clock or a move time",
    "score": "a position that the tablebases know is told as a mate or as a decided game",
    "finished": "of a finished game Stockfish tells the depth and the score alone",
    "lowerbound": "a search that is ended by the clock may end on a bound, or not",
    "upperbound": "a search that is ended by the clock may end on a bound, or not",
    "ponder": "there is a ponder move where the line is longer than one",
}


def engines() -> Iterator[tuple[str, Callable[[], SimpleEngine]]]:
    """The three engines, by name."""
    assert STOCKFISH, "stockfish is not installed"
    stockfish = str(STOCKFISH)
    yield "stockfish", lambda: SimpleEngine.popen_uci(stockfish)
    yield "command", lambda: SimpleEngine.popen_uci([sys.executable, "-m", "halbzug"])
    yield "Engine", halbzug.Engine


def shape(value: Any) -> Any:
    """Types and keys, without numbers."""
    if isinstance(value, chess.engine.PlayResult):
        names = ("move", "ponder", "info", "draw_offered", "resigned")
        return {name: shape(getattr(value, name)) for name in names}
    if isinstance(value, chess.engine.BestMove):
        return {name: shape(getattr(value, name)) for name in ("move", "ponder")}
    if isinstance(value, chess.engine.PovScore):
        return f"PovScore({type(value.relative).__name__})"
    if isinstance(value, dict):
        return {key: shape(item) for key, item in sorted(value.items())}
    if isinstance(value, list):
        return [shape(item) for item in value[:1]]
    return type(value).__name__


def ask(call: Callable[[], Any]) -> Any:
    """The shape of the answer, or the error."""
    try:
        return shape(call())
    except Exception as error:
        return f"raises {type(error).__name__}"


def _stopped(engine: SimpleEngine, board: chess.Board, **options: Any) -> list[Any]:
    with engine.analysis(board, **options) as analysis:
        time.sleep(0.05)
    best = analysis.wait()
    return [shape(best), shape(analysis.info)]


def calls(engine: SimpleEngine) -> Iterator[tuple[str, Callable[[], Any]]]:
    """All questions, by name."""
    for (name, board), flag in itertools.product(POSITIONS.items(), FLAGS):
        label = str(flag).removeprefix("Info.")
        moves = list(board.legal_moves)[:2] or None
        for kind, limit in LIMITS.items():
            yield (
                f"play {kind} {label} @ {name}",
                lambda b=board, f=flag, li=limit: engine.play(b, li, info=f, game=object()),
            )
        yield (
            f"analyse {label} @ {name}",
            lambda b=board, f=flag: engine.analyse(b, Limit(depth=4), info=f),
        )
        yield (
            f"analyse multipv {label} @ {name}",
            lambda b=board, f=flag: engine.analyse(b, Limit(depth=4), multipv=2, info=f),
        )
        yield (
            f"analyse root_moves {label} @ {name}",
            lambda b=board, f=flag, m=moves: engine.analyse(
                b, Limit(depth=4), root_moves=m, info=f
            ),
        )
        yield f"analysis {label} @ {name}", lambda b=board, f=flag: _stopped(engine, b, info=f)
    board = chess.Board()
    yield "ping", engine.ping
    yield "configure", lambda: engine.configure({"Hash": 32})
    yield "configure unknown", lambda: engine.configure({"No such option": 1})
    yield "options", lambda: {type(option).__name__ for option in engine.options.values()}
    yield "id", lambda: engine.id
    yield "play ponder", lambda: engine.play(board, Limit(time=0.05), ponder=True)
    yield "play options", lambda: engine.play(board, Limit(depth=2), options={"Hash": 16})
    yield "send_game_result", lambda: engine.send_game_result(board)
    yield "quit", engine.quit
    yield "ping after quit", engine.ping
    yield "close", engine.close
    yield "play after close", lambda: engine.play(board, Limit(depth=1))


def differences(one: Any, other: Any, place: str = "") -> Iterator[str]:
    """Where two shapes differ: the last key on the path to the difference, or the whole."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}):
            if (key in one) != (key in other):
                yield f"{place}{key} {'only here' if key in one else 'missing'}"
            else:
                yield from differences(one[key], other[key], f"{place}{key}.")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for mine, theirs in zip(one, other, strict=True):
            yield from differences(mine, theirs, place)
    elif one != other:
        yield f"{place.rstrip('.')} {one} instead of {other}".strip()


def _reason(question: str, difference: str) -> str | None:
    key = difference.split(" ")[0].rsplit(".", 1)[-1]
    if "stalemate" in question and difference.endswith("only here"):
        return REASONS["finished"]
    if " book" in question and ("time" in question or "clock" in question):
        return REASONS["book"]
    if "start" in question and ("time" in question or "clock" in question):
        return REASONS["book"]
    return REASONS.get(key)


def main() -> int:
    """Ask all three engines, print the differences, and return the exit code."""
    answers: dict[str, dict[str, Any]] = {}
    for name, start in engines():
        engine = start()
        answers[name] = {question: ask(call) for question, call in calls(engine)}
    unexplained = 0
    found: dict[tuple[str, str, str | None], list[str]] = {}
    for name in ("command", "Engine"):
        for question, answer in answers[name].items():
            for difference in differences(answer, answers["stockfish"][question]):
                reason = _reason(question, difference)
                found.setdefault((name, difference, reason), []).append(question)
    for (name, difference, reason), questions in sorted(found.items(), key=str):
        unexplained += reason is None
        print(f"{name}: {difference} ({len(questions)} questions, such as {questions[0]})")
        print(f"    {reason or 'NO REASON KNOWN'}")
    print(f"{sum(map(len, answers.values()))} questions, {unexplained} differences unexplained")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())

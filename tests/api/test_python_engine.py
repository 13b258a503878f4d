"""`halbzug.Engine` is a `chess.engine.SimpleEngine`, and reports what is wrong with a request."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import chess
import chess.engine
import chess.variant
import pytest
from chess.engine import INFO_ALL, Limit

import halbzug
from halbzug.api.arguments import KEYWORDS
from halbzug.api.engine_options import EngineOptions
from halbzug.engine.options import Check, Spin, Text
from halbzug.uci.session_options import OPTIONS

pytestmark = pytest.mark.any_build

STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"


@pytest.fixture(scope="module")
def engine() -> Iterator[halbzug.Engine]:
    with halbzug.Engine() as engine:
        yield engine


def test_it_is_a_simple_engine_of_python_chess(engine: halbzug.Engine) -> None:
    assert isinstance(engine, chess.engine.SimpleEngine)
    assert engine.id["name"].startswith("Halbzug ")
    assert {option.name for option in OPTIONS} == set(engine.options)
    engine.ping()
    assert repr(engine).startswith(f"<Engine Halbzug {halbzug.__version__} (pid=")


def test_a_move(engine: halbzug.Engine) -> None:
    board = chess.Board()
    result = engine.play(board, Limit(depth=5), info=INFO_ALL)
    assert isinstance(result, chess.engine.PlayResult)
    assert result.move in board.legal_moves
    assert result.info["depth"] == 5
    assert isinstance(result.info["score"], chess.engine.PovScore)
    assert isinstance(result.info["wdl"], chess.engine.PovWdl)
    assert result.info["pv"][0] == result.move
    assert board == chess.Board()


def test_the_book_is_off_unless_asked_for(engine: halbzug.Engine) -> None:
    assert "score" in engine.play(chess.Board(), Limit(time=0.1), info=INFO_ALL).info
    with halbzug.Engine(own_book=True) as reader:
        info = reader.play(chess.Board(), Limit(time=0.1), info=INFO_ALL).info
    assert info.get("nodes") == 0


def test_lines(engine: halbzug.Engine) -> None:
    board = chess.Board()
    lines = engine.analyse(board, Limit(depth=4), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    only = engine.analyse(board, Limit(depth=3), root_moves=[chess.Move.from_uci("a2a3")])
    assert only["pv"][0].uci() == "a2a3"


def test_an_infinite_analysis_can_be_left(engine: halbzug.Engine) -> None:
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3:
                break
    assert analysis.info["depth"] >= 3
    assert engine.play(chess.Board(), Limit(depth=1)).move


@pytest.mark.parametrize("limit", [None, Limit()])
def test_an_analysis_without_a_limit_is_infinite(
    engine: halbzug.Engine, limit: Limit | None
) -> None:
    with engine.analysis(chess.Board(), limit) as analysis:
        assert analysis.get()
    assert analysis.wait().move


@pytest.mark.parametrize("fen", [STALEMATE, MATED])
def test_a_finished_game(engine: halbzug.Engine, fen: str) -> None:
    board = chess.Board(fen)
    assert engine.play(board, Limit(depth=3)).move is None
    info = engine.analyse(board, Limit(depth=3))
    assert info["score"].relative == (
        chess.engine.Mate(0) if board.is_checkmate() else chess.engine.Cp(0)
    )
    assert not info.get("pv")


def test_chess960(engine: halbzug.Engine) -> None:
    board = chess.Board(CHESS960, chess960=True)
    assert engine.play(board, Limit(depth=3)).move in board.legal_moves


@pytest.mark.parametrize(
    "limit",
    [
        Limit(white_clock=0, black_clock=0),
        Limit(white_clock=-5, black_clock=-5, white_inc=0, black_inc=0),
        Limit(time=0),
        Limit(white_clock=1, black_clock=1, remaining_moves=0),
    ],
)
def test_a_move_without_any_time_comes_at_once(engine: halbzug.Engine, limit: Limit) -> None:
    assert engine.play(chess.Board(), limit).move in chess.Board().legal_moves


def test_the_asynchronous_engine() -> None:
    async def think() -> chess.engine.PlayResult:
        transport, engine = await halbzug.popen(hash=8)
        try:
            assert engine.options["Hash"]
            return await engine.play(chess.Board(), Limit(depth=3), info=INFO_ALL)
        finally:
            await engine.quit()
            transport.close()

    result = asyncio.run(think())
    assert result.move in chess.Board().legal_moves
    assert result.info["depth"] == 3


@pytest.mark.parametrize("game", [None, object], ids=["one game", "a game each"])
def test_analyses_cancelled_before_they_begin(game: type | None) -> None:
    """They leave the engine ready for the next question, and no error behind."""
    faults: list[str] = []

    async def think() -> chess.engine.InfoDict:
        asyncio.get_running_loop().set_exception_handler(
            lambda loop, context: faults.append(str(context))
        )
        transport, engine = await halbzug.popen(hash=1)
        try:
            for number in range(8):
                asking = asyncio.ensure_future(
                    engine.analyse(chess.Board(), Limit(time=60), game=game and game())
                )
                for _ in range(number % 4):  # not yet asked, asked, and while it begins
                    await asyncio.sleep(0)
                asking.cancel()
            return await asyncio.wait_for(engine.analyse(chess.Board(), Limit(depth=2)), 60)
        finally:
            await engine.quit()
            transport.close()

    assert asyncio.run(think())["depth"] == 2
    assert faults == []


# -- options ------------------------------------------------------------------------------------


def test_options_by_keyword() -> None:
    with halbzug.Engine(threads=2, hash=8, skill_level=5, move_overhead=10) as engine:
        config = engine.protocol.config  # type: ignore[attr-defined]
        assert (config["Threads"], config["Hash"], config["Skill Level"]) == (2, 8, 5)
        assert engine.play(chess.Board(), Limit(depth=2)).move


def test_type_checkers_know_the_options() -> None:
    kinds = {Check: "bool", Spin: "int", Text: "str | os.PathLike[str]"}
    options = {keyword: kinds[type(option)] for keyword, option in KEYWORDS.items()}
    hints = EngineOptions.__annotations__
    assert {keyword: hint.__forward_arg__ for keyword, hint in hints.items()} == options


def test_uci_elo_switches_limited_strength_on() -> None:
    with halbzug.Engine(uci_elo=1400) as engine:
        assert engine.protocol.config["UCI_LimitStrength"] is True  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"thread": 2}, TypeError, "did you mean threads?"),
        ({"xyzzy": 2}, TypeError, "there are hash, threads"),
        ({"threads": "2"}, TypeError, "threads must be a whole number, not '2'"),
        ({"threads": True}, TypeError, "threads must be a whole number"),
        ({"threads": 0}, ValueError, "threads must be from 1 to 256, not 0"),
        ({"own_book": "yes"}, TypeError, "own_book must be True or False"),
        ({"syzygy_path": 7}, TypeError, "syzygy_path must be a string or a path, not int"),
        ({"syzygy_path": "a\nquit"}, ValueError, "syzygy_path must be one line of text"),
        ({"multipv": 3}, TypeError, "unknown option 'multipv'"),
    ],
)
def test_invalid_options(options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        halbzug.Engine(**options)
    assert words in str(caught.value)


def test_setting_an_unknown_attribute_raises_an_error(engine: halbzug.Engine) -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'threads'.*Engine\(threads=2\)"):
        engine.threads = 3  # type: ignore[attr-defined]
    engine.timeout = 10.0


def test_options_that_the_engine_does_not_have(engine: halbzug.Engine) -> None:
    with pytest.raises(chess.engine.EngineError, match="Threadz"):
        engine.configure({"Threadz": 2})
    with pytest.raises(chess.engine.EngineError):
        engine.configure({"Threads": 0})
    assert engine.play(chess.Board(), Limit(depth=1)).move


# -- wrong questions ------------------------------------------------------------------------------

QUESTIONS: dict[str, Callable[[halbzug.Engine, Any, Any], object]] = {
    "play": lambda engine, board, limit: engine.play(board, limit),
    "analyse": lambda engine, board, limit: engine.analyse(board, limit),
    "analysis": lambda engine, board, limit: engine.analysis(board, limit),
}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    ("limit", "error", "words"),
    [
        (Limit(depth="3"), TypeError, "depth must be a whole number, not '3'"),  # type: ignore[arg-type]
        (Limit(depth=2.5), TypeError, "depth must be a whole number, not 2.5"),  # type: ignore[arg-type]
        (Limit(depth=0), ValueError, "depth must be at least 1 (plies), not 0"),
        (Limit(depth=-1), ValueError, "depth must be at least 1 (plies), not -1"),
        (Limit(nodes=-1), ValueError, "nodes must be at least 1 (nodes), not -1"),
        (Limit(mate=0), ValueError, "mate must be at least 1 (moves), not 0"),
        (Limit(time=-0.1), ValueError, "time must be at least 0 seconds, not -0.1"),
        (Limit(time="1"), TypeError, "time must be a number of seconds, not '1'"),  # type: ignore[arg-type]
        (Limit(time=math.nan), ValueError, "time must be a finite number of seconds"),
        (Limit(white_clock=math.inf), ValueError, "white_clock must be a finite number"),
        (1, TypeError, "the limit must be a chess.engine.Limit, not int"),
        ({"time": 1}, TypeError, "the limit must be a chess.engine.Limit, not dict"),
    ],
)
def test_invalid_limits(
    engine: halbzug.Engine, question: str, limit: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error) as caught:
        QUESTIONS[question](engine, chess.Board(), limit)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("root_moves", "error", "words"),
    [
        ([chess.Move.from_uci("e2e5")], ValueError, "e2e5 is not legal in rnbq"),
        ([], ValueError, "root_moves is empty"),
        (["e2e4"], TypeError, "of chess.Move, not str; board.parse_san"),
        ("e2e4", TypeError, "an iterable of chess.Move, not str"),
    ],
)
@pytest.mark.parametrize("question", ["play", "analyse", "analysis"])
def test_invalid_root_moves(
    engine: halbzug.Engine, question: str, root_moves: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        getattr(engine, question)(chess.Board(), Limit(depth=1), root_moves=root_moves)


@pytest.mark.parametrize("question", ["play", "analyse"])
@pytest.mark.parametrize("limit", [Limit(), Limit(remaining_moves=3), Limit(white_inc=1)])
def test_an_empty_limit(engine: halbzug.Engine, question: str, limit: Limit) -> None:
    with pytest.raises(ValueError, match="the limit is empty"):
        QUESTIONS[question](engine, chess.Board(), limit)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    ("board", "error", "words"),
    [
        (chess.STARTING_FEN, TypeError, "must be a chess.Board, not str; chess.Board(fen) makes"),
        (None, TypeError, "the board must be a chess.Board, not NoneType"),
        (chess.Board(None), ValueError, "impossible position: the board is empty"),
        (chess.Board("8/8/8/8/8/8/8/K7 w - - 0 1"), ValueError, "Black has no king"),
        (chess.variant.AtomicBoard(), chess.engine.EngineError, "Variant"),
    ],
)
def test_invalid_boards(
    engine: halbzug.Engine, question: str, board: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error) as caught:
        QUESTIONS[question](engine, board, Limit(depth=1))
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("multipv", "error"), [(0, ValueError), (-1, ValueError), ("2", TypeError)]
)
def test_invalid_numbers_of_lines(
    engine: halbzug.Engine, multipv: Any, error: type[Exception]
) -> None:
    with pytest.raises(error, match="multipv must be"):
        engine.analyse(chess.Board(), Limit(depth=1), multipv=multipv)
    with pytest.raises(error, match="multipv must be"):
        engine.analysis(chess.Board(), multipv=multipv)


def test_other_numeric_types_are_accepted(engine: halbzug.Engine) -> None:
    class Three:
        def __index__(self) -> int:
            return 3

        def __lt__(self, other: int) -> bool:
            return other > 3

        def __str__(self) -> str:
            return "3"

    limit = Limit(time=Fraction(1, 10))  # type: ignore[arg-type]
    assert engine.play(chess.Board(), limit).move
    assert engine.play(chess.Board(), Limit(depth=Three())).move  # type: ignore[arg-type]


def test_the_package_lists_its_names() -> None:
    assert {"Engine", "play", "analyse", "evaluate", "annotate", "perft"} <= set(dir(halbzug))
    for name in halbzug.__all__:
        assert getattr(halbzug, name) is not None

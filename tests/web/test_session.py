"""The messages to the pages of a board, without a server, a page or an engine."""

from __future__ import annotations

import asyncio
import base64
import io
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from typing import Any

import chess
import chess.pgn
import pytest

from halbzug.base.limits import Limits
from halbzug.base.time_control import parse_minutes
from halbzug.client.client import Client
from halbzug.web.board_match import BoardMatch
from halbzug.web.game_tree import PageTree
from halbzug.web.page_data import Knowledge
from halbzug.web.page_engines import EngineSetup
from halbzug.web.page_session import BoardSession
from halbzug.web.reading import ReadGames, game_from
from halbzug.web.review import Review

pytestmark = pytest.mark.any_build

#: An engine that fails as soon as it is asked anything.
BROKEN = EngineSetup("Broken", ("/no/such/engine",))


class Board:
    """A session, the messages to all pages, and those to the page that asked."""

    def __init__(self, knowledge: Knowledge, games: ReadGames | None = None) -> None:
        self.told: list[dict[str, Any]] = []
        self.errors: list[str] = []
        opened = games.open(0) if games else game_from("startpos")
        self.session = BoardSession(opened, games, [BROKEN], knowledge, self.told.append)

    async def do(self, name: str, **message: Any) -> None:
        await self.session.handle(
            {"do": name, **message}, lambda answer: self.errors.append(answer["text"])
        )
        await asyncio.sleep(0.01)  # the tasks it starts

    def last(self, kind: str) -> dict[str, Any]:
        return next(message for message in reversed(self.told) if message["type"] == kind)

    def match(self) -> dict[str, Any]:
        found: dict[str, Any] = self.last("state")["match"]
        return found


@pytest.fixture(scope="module")
def knowledge() -> Iterator[Knowledge]:
    with closing(Knowledge()) as opened:
        yield opened


def with_board(knowledge: Knowledge, use: Callable[[Board], Awaitable[None]]) -> None:
    async def whole() -> None:
        board = Board(knowledge)
        await use(board)
        await board.session.close()

    asyncio.run(whole())


def test_engines_are_idle_while_no_page_is_open(knowledge: Knowledge) -> None:
    async def use(board: Board) -> None:
        async def error() -> str:
            await board.do("engine", engine=0, on=True)
            await asyncio.sleep(0.1)
            return str(board.last("state")["engines"][0]["error"])

        assert await error() == ""
        board.session.watch(True)
        assert "does not start" in await error()
        board.session.watch(False)
        assert await error() == ""

    with_board(knowledge, use)


def test_an_unreadable_text_changes_nothing(knowledge: Knowledge) -> None:
    async def use(board: Board) -> None:
        await board.do("move", at=0, move="e2e4")
        for text in ("", "nonsense", "8/8/8/8/8/8/8/K7 w - - 0 1", '[Variant "Atomic"]\n\n1. e4 *'):
            told = len(board.told)
            await board.do("paste", text=text, tag="me1")
            assert len(board.told) == told
        assert len(board.errors) == 4

    with_board(knowledge, use)


def test_the_answer_names_who_asked_and_where_a_game_cannot_be_read(knowledge: Knowledge) -> None:
    async def use(board: Board) -> None:
        await board.do("paste", text="1. e4 e5 2. Nf3 *", tag="me1")
        assert (board.last("tree")["tag"], board.last("tree")["warning"]) == ("me1", "")
        await board.do("paste", text="1. e4 e5 2. Qh9 Nc6 *", tag="me2")
        tree = board.last("tree")
        assert tree["tag"] == "me2"
        assert len(tree["tree"]["nodes"]) == 3
        assert tree["warning"] == "The game breaks off: 2.Qh9 is not a move"
        assert board.errors == []

    with_board(knowledge, use)


def test_a_request_about_a_replaced_game_applies_if_it_needs_none_of_its_moves(
    knowledge: Knowledge,
) -> None:
    async def use(board: Board) -> None:
        await board.do("paste", text="1. d4 *")
        version = board.last("tree")["version"]
        await board.do("new", version=version - 1)
        assert board.last("tree")["version"] == version + 1
        await board.do("move", at=0, move="e2e4", version=version)  # of the replaced game
        assert len(board.last("tree")["tree"]["nodes"]) == 1

    with_board(knowledge, use)


def test_arrows_and_circles_are_sent_to_all_pages_and_kept_in_the_pgn(
    knowledge: Knowledge,
) -> None:
    async def use(board: Board) -> None:
        await board.do("paste", text="1. e4 {[%clk 0:05:00] [%eval 0.3] Best by test.} *")
        arrows = [["e2", "e4", "green"], ["d8", "h4", "red"], ["f7", "f7", "yellow"]]
        await board.do("arrows", at=1, arrows=arrows, tag="me1")
        told = board.last("arrows")
        assert (told["at"], told["tag"]) == (1, "me1")
        assert {"from": "d8", "to": "h4", "kind": "red"} in told["arrows"]
        await board.do("comment", at=1, text="It is {a} move.")
        pgn = board.last("pgn")["text"]
        marks = ("[%csl Yf7]", "[%cal Ge2e4,Rd8h4]", "[%clk 0:05:00]", "[%eval 0.3]")
        assert all(mark in pgn for mark in marks)
        assert "It is {a) move." in pgn and "Best" not in pgn
        await board.do("arrows", at=1, arrows=[])
        assert "%c" not in board.last("pgn")["text"].replace("%clk", "")
        for wrong in (None, [["e2", "e4"]], [["e2", "e9", "red"]], [["e2", "e4", "<b>"]], [7]):
            await board.do("arrows", at=1, arrows=wrong)
        assert len(board.errors) == 5

    with_board(knowledge, use)


def test_a_whole_game_is_analysed_as_on_the_command_line() -> None:
    moves = "1. e4 e5 2. Qh5 Nc6 3. Bc4 (3. d4) Nf6 {weak} 4. Qxf7# 1-0"
    game = chess.pgn.read_game(io.StringIO(moves))
    assert game is not None
    before = str(game)
    told: list[int] = []
    marks: dict[int, dict[str, Any]] = {}

    def tell() -> None:
        told.append(review.done)
        while review.is_running and not review.fresh.empty():
            node, facts = review.fresh.get()
            marks[node.ply()] = facts

    review = Review(game, Limits(depth=6), tell)
    review.start()
    deadline = time.monotonic() + 60
    while review.is_running and time.monotonic() < deadline:
        time.sleep(0.01)
    assert review.failure == ""
    assert told == [*range(1, 9), 8]
    assert [node.ply() for node in review.nodes] == list(range(8))
    # The marks appear while the rest is analysed, and agree with the report.
    assert list(marks) == [7, 6, 5, 4, 3, 2, 1]
    for ply, facts in marks.items():
        assert facts == {
            key: review.facts[ply][key] for key in review.facts[ply] if key != "exercise"
        }
    assert (review.facts[6]["judgement"], review.facts[6]["nags"]) == ("blunder", [4])
    assert "Allows mate in 1: 4.Qxf7#." in review.facts[6]["verdict"]
    exercise = review.facts[6]["exercise"]
    assert exercise["best"].split()[0] in exercise["good"]
    assert "g8f6" not in exercise["good"]
    white, black = review.summary
    assert white["accuracy"] > black["accuracy"]
    assert black["judgements"]["blunder"] == 1
    assert set(review.files) == {"graph.svg", "report.html", "annotated.pgn"}
    assert b"Content-Security-Policy" in review.files["report.html"]
    assert b"3... Nf6 $4" in review.files["annotated.pgn"]
    assert str(game) == before, "the game itself is unchanged"


def test_the_analysis_of_the_whole_game_is_sent_to_all_pages(
    knowledge: Knowledge,
) -> None:
    async def use(board: Board) -> None:
        await board.do("review")
        await board.do("paste", text="1. e4 e5 2. Qh5?! Nc6 (2... Nf6) *")
        await board.do("review", seconds=0.01, tag="me1")
        assert board.last("review")["tag"] == "me1"
        while board.last("review")["running"]:
            await asyncio.sleep(0.02)
        review = board.last("review")
        assert (review["done"], review["size"], review["failure"]) == (5, 5, "")
        assert review["nodes"] == [0, 1, 2, 3, 4]
        assert len(review["summary"]) == 2
        marked = [one["record"] for one in board.told if one["type"] == "node"]
        assert [record["id"] for record in marked] == [4, 3, 2, 1]
        assert all("eval" in record for record in marked)
        assert marked[1]["nags"] == [6], "the user's own sign is kept"
        records = board.last("tree")["tree"]["nodes"]
        assert ["eval" in record for record in records] == [True] * 5 + [False]
        assert records[3]["nags"] == [6], "the user's own sign is kept"
        assert (board.session.review_file("graph.svg") or b"").startswith(b"<svg")
        await board.do("new")
        assert board.last("review")["size"] == 0
        assert board.session.review_file("graph.svg") is None
        await board.do("before")  # a finished analysis is kept
        await asyncio.sleep(0)
        again, tree = board.last("review"), board.last("tree")
        assert (again["summary"], again["version"]) == (review["summary"], tree["version"])
        assert again["nodes"] == [0, 1, 2, 3, 4]
        assert ["eval" in record for record in tree["tree"]["nodes"]] == [True] * 5 + [False]
        assert board.session.review_file("graph.svg")
        assert board.errors == ["the game has no moves"]

    with_board(knowledge, use)


@pytest.mark.parametrize(("number", "begins"), [(1, True), (2, False)])
def test_the_only_game_of_a_file_is_analysed_when_a_page_opens(
    knowledge: Knowledge, number: int, begins: bool
) -> None:
    async def begun() -> bool:
        board = Board(knowledge, ReadGames(["1. e4 e5 *\n", "\n"] * number))
        await board.do("go", at=1)
        assert all(message["type"] != "review" for message in board.told)
        board.session.watch(True)
        found = any(message["type"] == "review" for message in board.told)
        await board.session.close()
        return found

    assert asyncio.run(begun()) == begins


def test_an_analysis_of_the_whole_game_can_be_stopped_and_refused(knowledge: Knowledge) -> None:
    async def use(board: Board) -> None:
        await board.do("paste", text="1. e4 e5 *")
        await board.do("review", seconds=1000)
        await board.do("review", seconds="soon")
        await board.do("review", seconds=0.01)
        await board.do("stop_review")
        assert board.last("review")["size"] == 0
        await board.do("match", color="white")
        await board.do("review")
        await board.do("paste", text="1. e4 -- 2. d4 *")
        await board.do("review")
        assert [error[:20] for error in board.errors] == [
            *["the time for a posit"] * 2,
            "the game against the",
            "a null move after 0 ",
        ]

    with_board(knowledge, use)


def test_the_previous_game_is_not_lost(knowledge: Knowledge) -> None:
    async def use(board: Board) -> None:
        await board.do("before")
        assert board.errors == ["there is no previous game"]
        await board.do("move", at=0, move="e2e4")
        await board.do("match", fresh=True)
        assert board.last("state")["before"]
        await board.do("new")  # nothing was played
        await board.do("before")
        assert "1. e4" in board.last("pgn")["text"]
        await board.do("paste", text="1. d4 *")
        for move in ("1. e4", "1. d4"):
            await board.do("before")
            assert move in board.last("pgn")["text"]

    with_board(knowledge, use)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_a_file_is_read_in_its_encoding(knowledge: Knowledge, encoding: str) -> None:
    async def use(board: Board) -> None:
        data = '[White "Müller"]\n\n1. e4 *\n'.encode(encoding)
        await board.do("file", data=base64.b64encode(data).decode())
        assert board.last("tree")["tree"]["tags"]["White"] == "Müller"
        await board.do("file", data="no base 64")
        await board.do("file", data="")
        assert len(board.errors) == 2

    with_board(knowledge, use)


def test_a_finished_game_can_be_replayed_with_colours_swapped(
    knowledge: Knowledge,
) -> None:
    async def use(board: Board) -> None:
        fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
        await board.do("setup", fen=fen)
        await board.do("rematch")
        await board.do("match", color="white", elo=1500, clock="3+2")
        await board.do("rematch")  # it is not over
        assert board.errors == ["no game has ended"] * 2
        await board.do("resign")
        assert board.match()["over"] == "0-1 White resigns"
        await board.do("back")
        assert board.errors[2:] == ["there is no game"]
        await board.do("rematch")
        match = board.match()
        assert (match["color"], match["elo"], match["clocks"]) == ("black", 1500, [180, 180])
        assert board.last("tree")["tree"]["fen"] == fen
        headers = board.last("tree")["tree"]["tags"]
        assert (headers["White"], headers["Black"]) == ("Broken (Elo 1500)", "You")
        assert "does not start" in match["over"]

    with_board(knowledge, use)


def test_a_rematch_of_chess960_has_the_same_position(knowledge: Knowledge) -> None:
    async def use(board: Board) -> None:
        await board.do("match", fresh=True, chess960=7)
        await board.do("resign")
        await board.do("rematch")
        shown = chess.Board(board.last("tree")["tree"]["fen"], chess960=True)
        assert shown == chess.Board.from_chess960_pos(7)

    with_board(knowledge, use)


def test_taking_back_a_move_gives_its_time_back() -> None:
    async def clocks() -> list[list[float]]:
        tree = PageTree(chess.pgn.Game())
        player = Client("Broken", BROKEN.command)
        match = BoardMatch(chess.WHITE, player, 0, None, parse_minutes("3+2"), tree.game)
        match.start_clock(lambda: None)
        match.advance(tree.play(tree.game, "e2e4")[0])
        after = match.message(tree)["clocks"]
        match.rewind(tree.game)
        return [after, match.message(tree)["clocks"]]

    (after, before) = asyncio.run(clocks())
    assert 181 < after[0] <= 182
    assert before == [180, 180]

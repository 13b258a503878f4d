"""Time goes where a game's moves are in doubt, and a game takes as long as its positions."""

from __future__ import annotations

import io
from typing import Any

import chess
import chess.pgn
import pytest

from halbzug.base.events import BestMove, Info
from halbzug.base.limits import Limits
from halbzug.base.scores import EXACT_BOUND
from halbzug.batch.analysts import Setup
from halbzug.batch.findings import Finding
from halbzug.batch.positions import Subject
from halbzug.batch.questions import Question, question_of
from halbzug.batch.search_analyst import SearchAnalyst
from halbzug.batch.second_look import answer_of

#: After 1.e4 e5 2.Bc4, Black may blunder by 2...Nf6 as well as by 2...Nc6, says the script.
GAME = chess.Board("rnbqkbnr/pppp1ppp/8/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2")


class Scripted:
    """An analyst whose answers are written down; it records the limits of its searches."""

    def __init__(self, setup: Setup, before: list[tuple[str, int]], reply: str) -> None:
        self.setup = setup
        self.asked: list[int | None] = []
        self._before = iter(before)
        self._reply = reply

    def answer(self, question: Question, limits: Limits | None = None) -> Finding:
        """The next answer to the position before the move, or the reply to it."""
        limits = limits or self.setup.limits
        board = question.subject().board
        if board.epd() == GAME.epd():
            self.asked.append(limits.nodes or limits.move_time_ms or limits.depth)
            move, score = next(self._before)
        else:
            move, score = self._reply, 0
        if not board.is_legal(chess.Move.from_uci(move)):
            move = next(iter(board.legal_moves)).uci()
        line = Info(9, 9, 1, score, EXACT_BOUND, 0, 0, 0, (move,))
        return Finding(BestMove(move), (line,))


def finding(setup: Setup, played: str, before: list[tuple[str, int]]) -> tuple[Finding, list[Any]]:
    """The finding of the position before a move, and the limits of its searches there."""
    analyst: Any = Scripted(setup, before, "d2d3")
    after = GAME.copy()
    after.push_uci(played)
    later = question_of(Subject("", after), True)
    question = question_of(Subject("", GAME, played=chess.Move.from_uci(played)), True)
    answer = answer_of(analyst, question, (later, analyst.answer(later)))
    return answer, analyst.asked


def test_a_search_that_prefers_the_game_s_move_ends_early() -> None:
    answer, asked = finding(Setup(Limits(nodes=3000)), "g8f6", [("g8f6", 0)])
    assert asked == [1000] and answer.again is None
    answer, asked = finding(Setup(Limits(move_time_ms=900)), "g8f6", [("g8f6", 0)])
    assert asked == [300]


def test_another_move_gets_the_whole_limit() -> None:
    answer, asked = finding(Setup(Limits(nodes=3000)), "g8f6", [("d7d5", 10), ("b8c6", 20)])
    assert asked == [1000, 2000]
    assert answer.best.move == "b8c6" and answer.again is None


@pytest.mark.parametrize("setup", [Setup(Limits(depth=9)), Setup(Limits(nodes=9), multi_pv=2)])
def test_depth_and_several_lines_are_searched_in_full(setup: Setup) -> None:
    assert finding(setup, "g8f6", [("g8f6", 0)])[1] == [9]


def test_a_doubtful_move_gets_a_second_look() -> None:
    """Twice as long, unless it soon finds the same best move."""
    setup = Setup(Limits(nodes=3000))
    whole = [("b8c6", 300), ("b8c6", 300)]
    answer, asked = finding(setup, "g8f6", [*whole, ("b8c6", 250)])
    assert asked == [1000, 2000, 2000]
    assert answer.again and answer.again.score_before == 250
    answer, asked = finding(setup, "g8f6", [*whole, ("d7d5", 200), ("d7d5", 150)])
    assert asked == [1000, 2000, 2000, 4000]
    assert answer.again and answer.again.score_before == 150


def test_a_game_takes_no_longer_than_its_positions() -> None:
    limit, nodes = 1500, 0

    class Counting(SearchAnalyst):
        def answer(self, question: Question, limits: Limits | None = None) -> Finding:
            nonlocal nodes
            found = super().answer(question, limits)
            nodes += self._search.nodes
            return found

    analyst = Counting(Setup(Limits(nodes=limit), hash_mb=1))
    game = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O h6 6. Re1 b5 7. Bb3 d6"
    read = chess.pgn.read_game(io.StringIO(game))
    assert read
    later, positions = None, 0
    for node in reversed(list(read.mainline())):
        question = question_of(Subject("", node.parent.board(), played=node.move), True)
        later = question, answer_of(analyst, question, later)
        positions += 1
    assert nodes <= 1.1 * limit * positions

"""Why a move is not an exercise, tested without the command."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import chess
import chess.engine
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halbzug.base.scores import MATE
from halbzug.puzzles import puzzles
from halbzug.puzzles.puzzle_files import PuzzleFileError
from halbzug.puzzles.puzzle_page import hint_text, render
from halbzug.puzzles.puzzle_run import PuzzleOutputs
from halbzug.puzzles.puzzles import (
    MAYBE,
    SURE,
    UNIQUE,
    OnlyMove,
    Puzzle,
    PuzzleFinder,
    wins_alone,
)
from halbzug.reasons.merits import retakes


@pytest.mark.parametrize(
    ("moves", "answer", "expected"),
    [
        pytest.param("e2e4 d7d5 e4d5", "d8d5", True, id="takes back"),
        pytest.param("e2e4 d7d5 e4d5", "c7c6", False, id="another square"),
        pytest.param("e2e4 d7d5 d2d3", "d5e4", False, id="nothing was taken"),
        pytest.param("e2e4 a7a6 e4e5 d7d5 e5d6", "c7d6", True, id="en passant"),
        pytest.param("", "e2e4", False, id="no move before"),
    ],
)
def test_a_recapture_takes_the_piece_that_has_just_captured(
    moves: str, answer: str, expected: bool
) -> None:
    board = chess.Board()
    for move in moves.split():
        board.push_uci(move)
    fen = board.fen()
    assert retakes(board, board.parse_uci(answer)) is expected
    assert board.fen() == fen and len(board.move_stack) == len(moves.split())


@pytest.mark.parametrize(
    ("best", "other", "combines", "expected"),
    [
        pytest.param(300, 60, False, True, id="a piece or a level game"),
        pytest.param(199, 0, False, False, id="too little is won"),
        pytest.param(300, 200, False, False, id="the other one wins as well"),
        pytest.param(MATE - 3, 200, False, True, id="a mate or two pawns"),
        pytest.param(MATE - 3, 600, False, False, id="a mate or a rook"),
        pytest.param(790, 310, False, False, id="a queen or a piece"),
        pytest.param(790, 280, True, True, id="a queen or a piece, by a final sacrifice"),
        pytest.param(500, 265, True, False, id="a final sacrifice that wins two pawns more"),
        pytest.param(190, -80, True, False, id="a final sacrifice that wins too little"),
    ],
)
def test_an_only_move_keeps_what_all_others_throw_away(
    best: int, other: int, combines: bool, expected: bool
) -> None:
    assert UNIQUE.are_met(best, other, combines) is expected


@pytest.mark.parametrize(
    ("best", "other", "is_sacrifice", "expected"),
    [
        pytest.param(MATE - 3, 900, False, True, id="mates at the end of the game"),
        pytest.param(MATE - 3, MATE - 7, True, True, id="a sacrifice mates faster"),
        pytest.param(MATE - 3, MATE - 7, False, False, id="a quiet move mates faster"),
        pytest.param(MATE - 3, MATE - 3, True, False, id="two ways to mate"),
        pytest.param(MATE - 3, 1800, False, False, id="any other move wins easily"),
        pytest.param(MATE - 3, 1800, True, True, id="a sacrifice instead of an easy win"),
        pytest.param(MATE - 3, 4 - MATE, False, True, id="all other moves are mated"),
        pytest.param(900, 500, True, False, id="no mate"),
        pytest.param(MATE - 21, 900, True, False, id="too long a mate"),
    ],
)
def test_a_final_combination_counts_if_no_other_mate_is_as_fast(
    best: int, other: int, is_sacrifice: bool, expected: bool
) -> None:
    assert UNIQUE.has_final_mate(best, other, is_sacrifice) is expected


def test_a_mate_is_the_final_combination_only_at_the_end_of_the_game() -> None:
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1")
    alone = [
        wins_alone(UNIQUE, board, board.parse_san("Re8#"), MATE - 1, 900, is_final)
        for is_final in (False, True)
    ]
    assert alone == [False, True]


@given(
    score=st.integers(-2_000, 2_000) | st.sampled_from([MATE - 3, MATE - 7]),
    other=st.integers(-2_000, 2_000) | st.sampled_from([MATE - 3, 4 - MATE]),
    gives=st.booleans(),
)
def test_what_the_search_is_sure_of_is_an_exercise(score: int, other: int, gives: bool) -> None:
    for stricter, looser in ((SURE, UNIQUE), (UNIQUE, MAYBE)):
        if stricter.are_met(score, other, gives):
            assert looser.are_met(score, other, gives)
        if stricter.has_final_mate(score, other, gives):
            assert looser.has_final_mate(score, other, gives)


class AlwaysOne:
    """An engine for which the first legal move is the only one that wins.

    :ivar asked: the number of positions in which it was asked for the best of the other moves.
    """

    asked = 0

    def analyse(
        self,
        board: chess.Board,
        limit: object,
        root_moves: list[chess.Move] | None = None,
        **_: object,
    ) -> Any:
        self.asked += bool(root_moves)
        line, after = [], board.copy()
        for _move in range(4):
            line.append(root_moves[0] if root_moves and not line else next(iter(after.legal_moves)))
            after.push(line[-1])
        score = chess.engine.Cp(0 if root_moves else -900)
        return {"score": chess.engine.PovScore(score, board.turn), "pv": line}


def test_a_solution_is_no_longer_than_a_solver_can_see(monkeypatch: pytest.MonkeyPatch) -> None:
    engine: Any = AlwaysOne()
    monkeypatch.setattr(PuzzleFinder, "_start", lambda finder: None)
    monkeypatch.setattr(puzzles, "wins_alone", lambda *_: True)
    finder = PuzzleFinder(100)
    finder._engine = engine
    line = tuple(map(chess.Move.from_uci, ("g1h3", "g8h6", "h3f4")))
    solution, continuation = finder._solution(chess.Board(), OnlyMove(line, 900, 0), is_final=False)
    assert len(solution) == 2 * puzzles._LONGEST - 1 and engine.asked == puzzles._LONGEST - 1
    assert len(continuation) == 4


@pytest.mark.parametrize(
    ("played", "expected"),
    [
        pytest.param("g6h7", True, id="gives up the queen"),
        pytest.param("g6d3", False, id="gives up nothing"),
        pytest.param(None, False, id="played by the loser"),
    ],
)
def test_a_winners_sacrifice_is_searched_whatever_a_quick_search_says(
    monkeypatch: pytest.MonkeyPatch, played: str | None, expected: bool
) -> None:
    looked_at = []

    def only_move(_: PuzzleFinder, __: chess.Board, move: chess.Move, *___: object) -> None:
        looked_at.append(move)

    monkeypatch.setattr(PuzzleFinder, "_start", lambda finder: None)
    monkeypatch.setattr(PuzzleFinder, "_candidate", lambda *_: None)
    monkeypatch.setattr(PuzzleFinder, "_only_move", only_move)
    board = chess.Board("6k1/5ppp/6Q1/8/8/8/8/6K1 w - - 0 30")
    move = chess.Move.from_uci(played) if played else None
    game: Any = None
    PuzzleFinder(100)._puzzle(board, game, object(), False, move)
    assert bool(looked_at) is expected


def test_an_output_may_be_beside_the_input_but_must_not_replace_it(tmp_path: Path) -> None:
    source = tmp_path / "games.pgn"
    source.write_text("1. e4 *\n", "utf-8")
    PuzzleOutputs(pgn=tmp_path / "exercises.pgn", epd=tmp_path / "new.epd").check(str(source))
    with pytest.raises(PuzzleFileError, match=r"games\.pgn is the input"):
        PuzzleOutputs(epd=source).check(str(source))


@pytest.mark.parametrize(
    ("exercises", "expected"),
    [
        pytest.param([(20, 1), (24, 1)], [20], id="the first of equals"),
        pytest.param([(26, 1), (30, 2)], [30], id="the combination, not the move before it"),
        pytest.param([(20, 2), (24, 1), (40, 1)], [20, 40], id="those far away"),
    ],
)
def test_of_neighbouring_exercises_the_longest_is_kept(
    exercises: list[tuple[int, int]], expected: list[int]
) -> None:
    found = []
    for number, (ply, moves) in enumerate(exercises):
        board = chess.Board(f"4k3/8/8/8/8/8/8/{number or ''}R{6 - number}K w - - 0 {ply // 2 + 1}")
        line = [chess.Move.from_uci(word) for word in ("h1h2", "e8d8", "h2h3", "d8c8")]
        found.append(Puzzle(board, tuple(line[: 2 * moves - 1]), (), 500, 0, 1500, "", 1, ()))
    assert [puzzle.board.ply() for puzzle in puzzles.without_parts(found)] == expected


def test_the_page_knows_the_legal_moves_where_the_solver_is_to_move() -> None:
    board = chess.Board("r5k1/5ppp/8/8/8/3R4/5PPP/3R2K1 w - - 0 1")
    solution = tuple(map(chess.Move.from_uci, ("d3d8", "a8d8", "d1d8")))
    found = Puzzle(board, solution, (), 900, 0, 800, "back rank", 1, (("White", "<b>"),))
    (data,) = re.findall('<script type="application/json"[^>]*>(.*?)</script>', render([found]))
    (exercise,) = json.loads(data)
    first, second = ({step.split()[0] for step in steps} for steps in exercise["legal"])
    assert {"d3d8", "g1f1"} <= first and {"d1d8", "g1f1"} <= second
    assert "a8d8" not in first | second
    assert len(exercise["steps"]) == 3 and exercise["white"] and not exercise["check"]
    assert exercise["hint"] == "a king behind its own pieces"


@pytest.mark.parametrize(
    ("theme", "rooks", "hint"),
    [
        ("mate in 2", "R3", "mate in 2"),
        ("fork", "R3", "a fork"),
        ("", "R3", "the rook moves"),
        ("", "RR2", "a rook moves"),
    ],
)
def test_a_hint_is_the_theme_or_the_piece_that_moves(theme: str, rooks: str, hint: str) -> None:
    board = chess.Board(f"4k3/8/8/8/8/8/8/{rooks}K3 w - - 0 1")
    assert (
        hint_text(Puzzle(board, (chess.Move.from_uci("a1a8"),), (), 0, 0, 0, theme, 1, ())) == hint
    )

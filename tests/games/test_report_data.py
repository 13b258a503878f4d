"""The data of a report: phases, losses, kinds of mistakes, exercises, states of positions."""

from __future__ import annotations

import io
from contextlib import closing

import chess
import chess.pgn
import pytest
from command_line import FISCHER_GAME
from hypothesis import given
from hypothesis import strategies as st
from made_games import made_game

import halbzug
from halbzug.games.annotation import Annotator
from halbzug.games.mistakes import is_mistake
from halbzug.games.phases import PHASES, _mixedness, phases
from halbzug.games.play_numbers import play_numbers
from halbzug.games.report_game import game_tree, index_row
from halbzug.games.states import line_states

pytestmark = pytest.mark.any_build


def boards_of(pgn: str) -> list[chess.Board]:
    game = chess.pgn.read_game(io.StringIO(pgn))
    assert game is not None
    return [game.board(), *(node.board() for node in game.mainline())]


@st.composite
def lines(draw: st.DrawFn) -> list[chess.Move]:
    """The moves of a legal line from the start position."""
    board = chess.Board()
    for _ in range(draw(st.integers(0, 40))):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[draw(st.integers(0, len(moves) - 1))])
    return board.move_stack


def test_the_phases_of_a_game_are_in_order() -> None:
    found = phases(boards_of(FISCHER_GAME))
    assert found == sorted(found, key=PHASES.index)
    assert set(found) == set(PHASES)
    # 11.Bg5 leaves three white pieces on the first rank; 28...Rxe1 is a rook trade.
    assert 10 < found.index("middlegame") < 40 < found.index("endgame") < 80


@given(st.integers(0, chess.BB_ALL))
def test_the_measure_of_mixed_pieces_is_symmetrical(squares: int) -> None:
    board = chess.Board(None)
    for square in chess.scan_forward(squares):
        board.set_piece_at(square, chess.Piece(chess.KNIGHT, chess.WHITE))
    assert _mixedness(board) == _mixedness(board.mirror())


@given(lines())
def test_no_phase_returns(line: list[chess.Move]) -> None:
    board = chess.Board()
    boards = [board.copy()]
    for move in line:
        board.push(move)
        boards.append(board.copy())
    found = phases(boards)
    assert found == sorted(found, key=PHASES.index) and found[0] == "opening"


@given(lines())
def test_a_position_is_described_by_its_squares_and_the_states_before_it(
    line: list[chess.Move],
) -> None:
    """As the script of the page reads it: the last stated value, and the plies since then."""
    board = chess.Board()
    states = line_states(board, line)
    castling, clock = "KQkq", 0
    for number, move in enumerate(line):
        board.push(move)
        en_passant, clock = "-", clock + 1
        if told := states.get(str(number)):
            castling, en_passant, text = told.split(" ")
            clock = int(text)
        assert board.fen().split(" ")[2:5] == [castling, en_passant, str(clock)]


def test_the_figures_of_the_phases_add_up_to_the_game() -> None:
    with closing(Annotator()) as annotator:
        game = made_game(annotator, 7, 60, 3)
    numbers = play_numbers(game)
    for color in chess.COLORS:
        parts = numbers[color].values()
        own = [move for move in game.moves if move.color == color]
        assert sum(part.moves for part in parts) == len(own)
        assert sum(part.loss for part in parts) == sum(move.centipawn_loss for move in own)
        assert sum(part.mistakes for part in parts) == game.count(color)["mistake"]
    row = index_row(game)
    assert len(row["mistakes"]) == sum(map(is_mistake, game.moves))


def test_missed_and_allowed_mates_are_kinds_of_mistakes() -> None:
    pgn = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qd1 *"
    game = chess.pgn.read_game(io.StringIO(pgn))
    assert game is not None
    annotation = halbzug.annotate(game, depth=4)
    row = index_row(annotation._annotated)
    kinds = {mistake[0]: mistake[3:] for mistake in row["mistakes"]}
    assert 0 in kinds[6], "3...Nf6 allows a mate"
    assert 1 in kinds[7], "4.Qd1 misses it"
    exercise = game_tree(annotation._annotated)["nodes"][7]["exercise"]
    assert list(exercise["good"]) == ["h5f7"]
    assert len(exercise["legal"]) == game.end().parent.board().legal_moves.count()  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({}, ("C50", "Italian Game")),
        ({"ECO": "?"}, ("C50", "Italian Game")),
        ({"ECO": "C99", "Opening": "Mine"}, ("C99", "Mine")),
    ],
)
def test_the_opening_is_named_unless_the_game_names_it(
    tags: dict[str, str], expected: tuple[str, str]
) -> None:
    game = chess.pgn.read_game(io.StringIO("1. e4 e5 2. Bc4 Nc6 3. Nf3 h5 *"))
    assert game is not None
    game.headers.update(tags)
    annotation = halbzug.annotate(game, depth=1)
    written = chess.pgn.read_game(io.StringIO(annotation.pgn()))
    assert written is not None
    assert (written.headers["ECO"], written.headers["Opening"]) == expected
    assert index_row(annotation._annotated)["opening"] == list(expected)
    assert "ECO" not in game.headers or tags, "the caller's game is unchanged"

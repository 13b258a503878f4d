"""Games as data for the board of a page: the steps lead to the positions of the game."""

from __future__ import annotations

import io
from typing import Any

import chess
import chess.pgn
import pytest
from command_line import FISCHER_GAME
from hypothesis import given, settings
from hypothesis import strategies as st

from halbzug.display.assets import embedded_json, pieces
from halbzug.display.board_tree import legal_steps, line_steps, step_text, tree_data

pytestmark = pytest.mark.any_build


def read(pgn: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(pgn))
    assert game is not None
    return game


def after(placement: str, step: str) -> str:
    """The same as `after()` of board.js."""
    board = chess.BaseBoard(placement)
    uci, _, *more = step.split(" ")
    if more:
        for place in range(0, len(more[0]), 3):
            square = chess.parse_square(more[0][place : place + 2])
            letter = more[0][place + 2]
            board.set_piece_at(square, None if letter == "." else chess.Piece.from_symbol(letter))
    elif uci != "0000":
        piece = board.remove_piece_at(chess.parse_square(uci[:2]))
        board.set_piece_at(chess.parse_square(uci[2:4]), piece)
    return board.board_fen()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 959), st.lists(st.integers(0, 200), max_size=60), st.booleans())
def test_every_step_leads_to_the_position_after_the_move(
    number: int, choices: list[int], is_standard: bool
) -> None:
    board = chess.Board() if is_standard else chess.Board.from_chess960_pos(number)
    for choice in choices:
        moves = list(board.legal_moves)
        if not moves:
            break
        steps = legal_steps(board)
        assert [step.split(" ")[:2] for step in steps] == [
            [board.uci(move), board.san(move)] for move in moves
        ]
        before = board.board_fen()
        for move, step in zip(moves, steps, strict=True):
            board.push(move)
            assert after(before, step) == board.board_fen()
            board.pop()
        board.push(moves[choice % len(moves)])


@pytest.mark.parametrize(
    ("fen", "move", "step"),
    [
        (chess.STARTING_FEN, "e2e4", "e2e4 e4"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "e5d6 exd6 d5.e5.d6P"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a7a8n a8=N a7.a8N"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "e1g1 O-O e1.f1Rg1Kh1. h1"),
        (chess.STARTING_FEN, "0000", "0000 --"),
    ],
)
def test_only_special_moves_list_their_changes(fen: str, move: str, step: str) -> None:
    assert step_text(chess.Board(fen), chess.Move.from_uci(move)) == step


def test_a_king_castles_in_chess960_onto_the_rook_or_its_destination() -> None:
    board = chess.Board("1rk4r/8/8/8/8/8/8/1RK4R w HBhb - 0 1", chess960=True)
    steps = [step for step in legal_steps(board) if "O-O" in step]
    assert steps == ["c1h1 O-O c1.f1Rg1Kh1. g1", "c1b1 O-O-O b1.d1R"]


def test_a_line_ends_at_an_illegal_move() -> None:
    moves = [chess.Move.from_uci(move) for move in ("e2e4", "e7e5", "e4e5", "g1f3")]
    assert line_steps(chess.Board(), moves) == ["e2e4 e4", "e7e5 e5"]


def test_a_tree_has_variations_comments_clocks_and_arrows() -> None:
    data = tree_data(
        read(
            "{before} 1. e4 $1 {[%clk 1:05:09.4] [%cal Gd2d4] [%csl Re4] a [%emt 3] b} e5 "
            "( {lead} 1... c5 2. Nf3 ( 2. c3 ) 2... d6 ) ( 1... e6 ) 2. Nf3 *"
        )
    )
    nodes = data["nodes"]
    assert nodes[0] == {"comment": "before"}
    assert nodes[1] == {
        "step": "e2e4 e4",
        "nags": [1],
        "comment": "a b",
        "clock": "1:05:09",
        "arrows": [
            {"from": "d2", "to": "d4", "kind": "green"},
            {"from": "e4", "to": "e4", "kind": "red"},
        ],
    }
    assert shape(nodes) == {0: [1], 1: [2, 4, 8], 2: [3], 4: [5, 7], 5: [6]}
    assert nodes[4]["lead"] == "lead"


def shape(nodes: list[dict[str, Any]]) -> dict[int, list[int]]:
    children: dict[int, list[int]] = {}
    for number, record in enumerate(nodes[1:], start=1):
        children.setdefault(record.get("parent", number - 1), []).append(number)
    return children


def test_a_game_with_thousands_of_nested_variations() -> None:
    game = chess.pgn.Game()
    node: chess.pgn.GameNode = game
    for ply in range(6000):
        move = ("g1f3", "g8f6", "f3g1", "f6g8")[ply % 4]
        node.add_variation(chess.Move.from_uci(("a2a4", "a7a5", "h2h4", "h7h5")[ply % 4]))
        node = node.add_variation(chess.Move.from_uci(move)) if ply < 3 else node
    assert len(tree_data(game)["nodes"]) > 6000


def test_facts_about_a_node_are_in_its_record() -> None:
    data = tree_data(read("1. e4 e5 *"), lambda node, board: {"fen": board.fen()})
    assert [record["fen"].split(" ")[1] for record in data["nodes"]] == ["w", "b", "w"]


def test_the_data_of_a_game_is_small() -> None:
    assert len(embedded_json(tree_data(read(FISCHER_GAME))["nodes"])) < 82 * 30


def test_texts_stay_on_one_line_and_close_no_element() -> None:
    game = read("1. e4 *")
    game.headers["White"] = "</script>\x1b[31m\u202e\n"
    game.variations[0].comment = "a\nb\x07"
    text = embedded_json(tree_data(game))
    assert "<" not in text
    data = tree_data(game)
    assert data["tags"]["White"].isprintable()
    assert data["nodes"][1]["comment"] == "a b"


def test_all_pieces_are_defined() -> None:
    for color in chess.COLOR_NAMES:
        assert all(f'id="{color}-{name}"' in pieces() for name in chess.PIECE_NAMES if name)

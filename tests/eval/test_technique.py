"""Weak levels win easy endings against a bare king: queen, rook and pawn.

A few games each against Stockfish; `weak_endings.py` plays hundreds.
"""

from __future__ import annotations

from collections.abc import Iterator

import chess
import chess.engine
import chess.syzygy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import COMPILED, Game, endgames, games
from second_engine import STOCKFISH, ending_positions, halbzug_and_stockfish
from uci_client import UciClient
from weak_endings import limit_strength, play, won_positions

from halbzug.board.movegen import new_board
from halbzug.eval.technique import is_won_at_sight, technique
from halbzug.search.strength import MAX_ELO, MIN_ELO, handicap_of
from halbzug.tablebase.files import SHIPPED

any_game = st.one_of(games(), endgames(8))


@pytest.fixture(scope="module")
def players(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[chess.engine.SimpleEngine, chess.engine.SimpleEngine]]:
    with halbzug_and_stockfish(tmp_path_factory.mktemp("technique")) as engines:
        yield engines


@pytest.mark.slow
@pytest.mark.skipif(STOCKFISH is None, reason="stockfish is not installed")
@pytest.mark.parametrize(
    ("ending", "elo"), [("KQvK", 1100), ("KRvK", 1350), ("KPvK", 1500), ("KQvK", 1800)]
)
def test_a_weak_level_wins_an_easy_ending(
    ending: str, elo: int, players: tuple[chess.engine.SimpleEngine, chess.engine.SimpleEngine]
) -> None:
    """Without technique they won at most a third of these; one game in eight may go wrong."""
    level, defender = players
    limit_strength(level, elo)
    number = 8 if COMPILED else 3
    ends = [
        # Limited by nodes: the time is so long that a busy machine does not matter.
        play(board, strong, level, defender, seconds=10, nodes=2000)
        for (board, strong), _ in zip(won_positions(ending, 7), range(number), strict=False)
    ]
    assert ends.count("won") >= number - 1, ends


@pytest.mark.slow
def test_no_position_is_repeated_against_a_bare_king(uci: UciClient) -> None:
    """Although the queen could shuttle once more, a different move is found each time."""
    uci.send("setoption name UCI_LimitStrength value true")
    uci.send(f"setoption name UCI_Elo value {MIN_ELO}")
    board = chess.Board("8/8/8/4k3/8/8/8/KQ6 w - - 0 1")
    seen = set()
    for _ in range(12):
        seen.add(board.epd())
        moves = " ".join(move.uci() for move in board.move_stack)
        uci.send(f"position fen {board.root().fen()}" + (f" moves {moves}" if moves else ""))
        board.push_uci(uci.go("go movetime 2000").move)
        assert board.epd() not in seen
        if board.is_game_over():
            break
        seen.add(board.epd())
        center = chess.E5 if board.king(chess.BLACK) != chess.E5 else chess.E4
        board.push(
            min(board.legal_moves, key=lambda move: chess.square_distance(move.to_square, center))
        )


@given(any_game, st.integers(MIN_ELO, MAX_ELO - 1))
def test_only_a_bare_king_changes_how_a_level_plays(game: Game, elo: int) -> None:
    """Against more than that, its limits stay as calibrated."""
    board = game.reference()
    handicap = handicap_of(elo, seed=1)
    assert handicap is not None
    changed = handicap.facing(game.board())
    if chess.popcount(board.occupied_co[not board.turn]) > 1:
        assert changed is handicap
    else:
        assert changed.perturbation == 0
        assert changed.nodes >= handicap.nodes


@pytest.mark.slow
def test_pawn_endings_called_won_are_won() -> None:
    """Where the bare king does not threaten the pawn; rook pawns are excluded."""
    proved = 0
    with chess.syzygy.open_tablebase(str(SHIPPED)) as tablebase:
        for seed in range(600):
            board = next(ending_positions("KPvK", seed))
            pawn = chess.lsb(board.pawns)
            strong = board.color_at(pawn)
            assert strong is not None
            enemy = board.king(not strong)
            is_safe = enemy is not None and chess.square_distance(enemy, pawn) > 2
            if chess.square_file(pawn) in (0, 7) or not is_safe:
                continue
            if is_won_at_sight(new_board(board.fen()), pawn, strong):
                proved += 1
                assert tablebase.probe_wdl(board) == (2 if board.turn == strong else -2), (
                    board.fen()
                )
    assert proved > 100


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("8/8/8/8/3K4/3R4/8/k7 w - - 0 1", "7R/8/8/8/3K4/8/8/k7 w - - 0 1"),  # less room
        ("8/8/8/8/4K3/8/7R/k7 w - - 0 1", "7K/8/8/8/8/8/7R/k7 w - - 0 1"),  # a closer king
        ("7k/8/3K4/8/3P4/8/8/8 w - - 0 1", "7k/8/8/8/3P4/8/3K4/8 w - - 0 1"),  # a key square
    ],
)
def test_progress_towards_a_win_is_worth_more(better: str, worse: str) -> None:
    assert technique(new_board(better), True, 0) > technique(new_board(worse), True, 0)


def test_stalemate_is_a_draw() -> None:
    assert technique(new_board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), True, 900) == 0
    assert technique(new_board("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"), True, 900) > 900


@given(any_game)
def test_swapped_colours_make_no_difference(game: Game) -> None:
    board = game.reference()
    mirrored = new_board(board.mirror().fen())
    for strong in chess.COLORS:
        assert technique(game.board(), strong, 50) == technique(mirrored, not strong, 50)

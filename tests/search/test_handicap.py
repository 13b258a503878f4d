"""Weaker levels: legal and varied moves, and the lower the level, the weaker the play."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import COMPILED
from uci_client import UciClient

from halbzug.base.limits import Limits
from halbzug.board.game_end import natural_end
from halbzug.board.movegen import new_board
from halbzug.engine.engine import Engine
from halbzug.search.position import Position
from halbzug.search.search import Search
from halbzug.search.strength import (
    MAX_ELO,
    MAX_SKILL_LEVEL,
    MIN_ELO,
    elo_of_skill,
    handicap_of,
)
from halbzug.search.transposition import TranspositionTable

elos = st.floats(MIN_ELO - 500, MAX_ELO + 500)


@given(elos, elos)
def test_more_elo_never_means_a_larger_handicap(one: float, other: float) -> None:
    weaker, stronger = handicap_of(min(one, other)), handicap_of(max(one, other))
    if stronger is None:
        return
    assert weaker is not None
    assert 1 <= weaker.nodes <= stronger.nodes
    assert weaker.perturbation >= stronger.perturbation >= 0
    assert 0 <= weaker.book_moves <= stronger.book_moves


def test_full_strength_has_no_handicap() -> None:
    assert handicap_of(MAX_ELO) is None
    assert handicap_of(elo_of_skill(MAX_SKILL_LEVEL)) is None
    assert elo_of_skill(0) == MIN_ELO


def test_below_the_range_the_engine_is_at_its_weakest() -> None:
    assert handicap_of(0) == handicap_of(MIN_ELO)


@pytest.mark.parametrize(
    "options",
    [
        {"UCI_LimitStrength": "true", "UCI_Elo": str(MIN_ELO)},
        {"UCI_LimitStrength": "true", "UCI_Elo": "1500"},
        {"Skill Level": "0"},
        {"Skill Level": "10"},
    ],
    ids=lambda options: " ".join(options.values()),
)
def test_a_weak_engine_answers_every_position_of_a_game(
    uci: UciClient, options: dict[str, str]
) -> None:
    for name, value in options.items():
        uci.send(f"setoption name {name} value {value}")
    board = chess.Board()
    while not board.is_game_over(claim_draw=True) and board.ply() < (60 if COMPILED else 10):
        moves = " ".join(move.uci() for move in board.move_stack)
        uci.send(f"position startpos moves {moves}" if moves else "position startpos")
        uci.send("go wtime 60000 btime 60000")
        answer = uci.read_until("bestmove")[-1]
        board.push(board.parse_uci(answer.split()[1]))


def test_the_elo_counts_only_if_strength_is_limited(uci: UciClient) -> None:
    uci.send("setoption name UCI_Elo value 800", "position startpos", "go nodes 4000")
    assert nodes_of(uci.read_until("bestmove")) > 1000
    uci.send("setoption name UCI_LimitStrength value true", "go nodes 4000")
    assert nodes_of(uci.read_until("bestmove")) < 1000


def test_analysis_has_no_handicap(uci: UciClient) -> None:
    uci.send("setoption name Skill Level value 0", "setoption name UCI_AnalyseMode value true")
    uci.send("position startpos", "go nodes 4000")
    assert nodes_of(uci.read_until("bestmove")) > 1000


def nodes_of(lines: list[str]) -> int:
    """The nodes of the last line that states them."""
    reported = [line.split() for line in lines if " nodes " in line]
    return int(reported[-1][reported[-1].index("nodes") + 1])


ITALIAN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"


def perturbed_score(fen: str, seed: int) -> int:
    """The weakest engine's score of a position in the game of this seed."""
    scores: list[int] = []
    search = Search(TranspositionTable(1))
    search.tree.set_handicap(handicap_of(MIN_ELO, seed))
    search.run(
        Position(new_board(fen)),
        Limits(depth=1),
        report=lambda event: scores.append(getattr(event, "score", 0)),
    )
    return scores[-1]


def test_a_perturbation_lasts_for_a_game_and_differs_between_games() -> None:
    assert perturbed_score(ITALIAN, 1) == perturbed_score(ITALIAN, 1)
    assert len({perturbed_score(ITALIAN, seed) for seed in range(8)}) > 4


@pytest.mark.parametrize("seed", range(8))
def test_a_perturbation_is_the_same_for_both_colours(seed: int) -> None:
    assert perturbed_score(ITALIAN, seed) == perturbed_score(
        chess.Board(ITALIAN).mirror().fen(), seed
    )


@pytest.mark.any_build
@given(elos, st.integers(0, 2**32))
def test_no_perturbation_exceeds_its_bound(elo: float, seed: int) -> None:
    handicap = handicap_of(elo, seed)
    if handicap is not None:
        assert max(map(abs, handicap.perturbations())) <= handicap.perturbation


@pytest.mark.slow
@pytest.mark.any_build
def test_full_strength_beats_a_beginner() -> None:
    """Both colours, with a thousand nodes per move: one blunder would be bad luck, two are not."""
    with Engine() as strong, Engine() as weak:
        weak.configure(limits_strength=True, elo=MIN_ELO)
        for colour in chess.COLORS:
            board = chess.Board()
            while not natural_end(board) and board.ply() < 300:
                player = strong if board.turn == colour else weak
                player.set_position(moves=[move.uci() for move in board.move_stack])
                move = player.play(Limits(nodes=1000)).move
                assert move is not None
                board.push_uci(move)
            end = natural_end(board)
            assert end is not None and end.result == ("1-0" if colour else "0-1")

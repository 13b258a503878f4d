"""The terms of records equal those of the engine's own evaluation."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, endgames, games

from halbzug.eval.evaluation import Evaluator
from halbzug.tuning.positions_file import Recorded, pack
from halbzug.tuning.terms import Terms

pytestmark = pytest.mark.any_build

any_game = st.one_of(games(), endgames(8))


@given(st.lists(any_game, min_size=1, max_size=4))
def test_terms_of_records_equal_those_of_the_evaluation(some: list[Game]) -> None:
    evaluator = Evaluator()
    evaluator.use_network = False
    boards = [game.reference() for game in some]
    records = b"".join(Recorded(board, 0, 0.5, 1).pack() for board in boards)
    for is_mirrored in (False, True):
        found = Terms().of(records, is_mirrored)
        for board, terms in zip(boards, found, strict=True):
            seen = board.transform(chess.flip_horizontal) if is_mirrored else board
            position = Game(seen.fen()).position()
            assert terms == evaluator.evaluate(position.board, position.accumulator)


def test_the_evaluation_has_a_digest() -> None:
    assert Terms().digest() == Terms().digest()
    assert len(Terms().digest()) == 8


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (bytes(31), "a record has 32 bytes"),
        (bytes(32), "not a record of a position"),
        (pack([6, 7, 14] + [0] * 61, 1, 0, 0.5, 1), "not a record of a position"),
        (pack([6, 6] + [0] * 62, 1, 0, 0.5, 1), "not a record of a position"),
        (b"\xff" * 32, "not a record of a position"),
    ],
    ids=["cut", "empty", "no piece", "no black king", "too many pieces"],
)
def test_invalid_records_are_refused(record: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Terms().of(record)

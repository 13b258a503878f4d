"""XBoard, a real chess program, plays a game with Halbzug through the adapter Polyglot."""

from __future__ import annotations

import pytest
from gui import screen, xboard_game

pytestmark = pytest.mark.slow

REASON = screen.missing(*xboard_game.NEEDED)


@pytest.mark.any_build
@pytest.mark.skipif(bool(REASON), reason=REASON)
def test_a_whole_game_through_the_adapter() -> None:
    game, talk = xboard_game.play("0:05")
    last = game.end()
    assert not game.errors
    assert last.ply() > 20
    assert game.headers["White"].startswith("Halbzug")
    assert game.headers["Result"] in ("1-0", "0-1", "1/2-1/2"), game
    board = last.board()
    assert board.is_game_over(claim_draw=True) or "adjudication" in last.comment, game
    for trouble in ("forfeit", "illegal move", "exited unexpectedly", "cannot"):
        assert trouble not in talk.lower(), talk[-2000:]

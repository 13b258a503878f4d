"""The process that searches in matches of builds, tested inside this process."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable

import chess
import pytest

from halbzug.eval import network_file
from halbzug.search import parameters
from halbzug.tuning import player

pytestmark = pytest.mark.any_build

#: The request and the answer, or the exit code and the error.
Answers = Callable[..., list[str]]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Answers:
    monkeypatch.setattr(network_file, "_chosen", None)  # and undo the player's choice at the end

    def ask(*lines: str, settings: tuple[str, ...] = (), code: int = 0) -> list[str]:
        monkeypatch.setattr(sys, "argv", [player.__file__, "", "1", *settings])
        monkeypatch.setattr(sys, "path", ["of this file", *sys.path])
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert player.main() == code
        output, errors = capsys.readouterr()
        assert sys.path[0] != "of this file"
        return (errors if code else output).splitlines()

    return ask


def test_it_names_its_build_and_answers_with_move_score_and_nodes(ask: Answers) -> None:
    mate = "7k/8/6K1/8/8/8/8/R7 w - - 0 1"
    told, first, second, new, again = ask(
        f"go 400 {chess.STARTING_FEN};", f"go 400 {mate};", "new", f"go 400 {chess.STARTING_FEN};"
    )
    assert json.loads(told)["build"] in ("pure", "compiled")
    assert new == "ok" and again == first  # nothing remains from before
    assert second.split()[0] == "a1a8" and int(second.split()[1]) > 30_000
    assert 0 < int(first.split()[2]) <= 400


def test_moves_lead_to_the_position_that_is_searched(ask: Answers) -> None:
    _, answer = ask(f"go 50 {chess.STARTING_FEN};f2f3 e7e5 g2g4")
    assert answer.split()[0] == "d8h4"


def test_equal_builds_have_one_digest_and_a_setting_changes_it(ask: Answers) -> None:
    (one,), (same,) = ask(), ask()
    (default,) = ask(settings=(f"EvalFile={network_file.DEFAULT_EVALUATION}",))
    (other,) = ask(settings=(f"ASPIRATION_WINDOW={parameters.ASPIRATION_WINDOW}",))
    assert one == same == default != other
    assert len(json.loads(one)["digest"]) == 16


@pytest.mark.parametrize(
    ("setting", "error"),
    [
        ("NO_SUCH=1", "search/parameters.py has no number NO_SUCH"),
        ("__name__=1", "search/parameters.py has no number __name__"),
        ("ASPIRATION_WINDOW=1.5", "ASPIRATION_WINDOW is a whole number"),
    ],
)
def test_an_invalid_setting_is_reported(ask: Answers, setting: str, error: str) -> None:
    assert ask(settings=(setting,), code=1) == [error]

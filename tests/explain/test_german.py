"""`halbzug explain` and other commands in German: by option, variable or locale, in all output."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

import chess
import pytest
from command_line import Command

import halbzug
from halbzug.base import language
from halbzug.base.language import VARIABLE, say, speaking

pytestmark = pytest.mark.any_build

PAWNS = "8/p5k1/8/8/3p4/3P4/2P5/6K1 w - - 0 1"
FORK = "r4rk1/pp2qppp/3p1n2/2b1n3/2B2B2/2N1PP1P/PPPQ1P2/R4RK1 w - - 1 13"


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """The sentences that are used and have no German translation."""
    texts: set[str] = set()

    class Watched(dict[str, str]):
        def get(self, text: str, default: str | None = None) -> str:  # type: ignore[override]
            if text not in self:
                texts.add(text)
            return super().get(text, default or text)

    found: Mapping[str, str] = Watched(language.catalogue())
    monkeypatch.setattr(language, "catalogue", lambda: found)
    yield texts


@pytest.mark.parametrize(
    "words",
    [
        f"tree '{PAWNS}' --depth 2",
        f"tree '{PAWNS}' --depth 2 --nodes 40",
        "horizon",
        "horizon --list",
        f"eval '{PAWNS}' --all",
        "alpha-beta",
        "draw coin",
        "transpositions --depth 2",
        "game",
        "game nim",
        "game 'take-away 3' --search uct",
        "game 'knapsack 5 3 2 4 3'",
        "game 'queens 4'",
        "game one-more-roll",
        "game kuhn-poker",
        "game battleships",
        "questions",
        f"move '{PAWNS}' Kf1 --depth 4",
        f"move '{FORK}' Bb3 --depth 4",
        "monte-carlo trap --simulations 5 --depth 2",
    ],
)
def test_no_text_stays_english(words: str, halbzug: Command, missing: set[str]) -> None:
    halbzug.output("explain", *shlex.split(words), "--language", "de")
    # A score, MAX and MIN are the same in both languages.
    assert not {text for text in missing if any(character.islower() for character in text)}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("book show", "Sf3         40  12,5 %  d5"),
        ("book show '8/8/8/8/4k3/8/3PK3/8 w - - 0 1'", "kein Zug im Buch"),
        ("tablebases list", "Figuren"),
        ("tablebases probe '8/8/8/8/4k3/8/3PK3/8 w - - 0 1'", "Remis für die Seite am Zug"),
        ("tablebases probe '2k5/8/8/8/8/8/3RK3/8 w - - 0 1'", "Td7"),
    ],
)
def test_other_commands_of_the_lectures_are_german(
    words: str, said: str, halbzug: Command, missing: set[str]
) -> None:
    assert said in halbzug.output(*shlex.split(words), "--language", "de")
    assert not missing


def test_a_table_is_german_by_option_variable_or_locale(halbzug: Command) -> None:
    command = ("explain", "tree", PAWNS, "--depth", "1")
    by_option = halbzug.output(*command, "--language", "de")
    assert "Weiß am Zug, Tiefe 1" in by_option and "jeder Zug in jeder Stellung" in by_option
    assert "Weiß am Zug" in halbzug.output(*command, HALBZUG_LANGUAGE="de")
    by_locale = {VARIABLE: "", "LC_ALL": "de_DE.UTF-8"}
    assert "Weiß am Zug" in halbzug.output(*command, **by_locale)
    assert "White to move" in halbzug.output(*command, "--language", "en", **by_locale)
    wrong = halbzug.run(*command, HALBZUG_LANGUAGE="fr")
    assert wrong.returncode == 2 and "HALBZUG_LANGUAGE must be en or de" in wrong.stderr


def test_the_table_of_a_game_is_german_and_its_files_are_not(
    halbzug: Command, missing: set[str]
) -> None:
    halbzug.write("game.pgn", f'[FEN "{FORK}"]\n[SetUp "1"]\n\n13. Bb3 Nxf3+ *\n')
    limit = ("analyse", "game.pgn", "--nodes", "2000")
    table = halbzug.output(*limit, "--pgn", "out.pgn", "--html", "out.html", "--language", "de")
    words = " ".join(table.split())
    assert "Zug Bewertung" in words and "13.Lb3??" in words and "Patzer" in words
    assert "13...Sxf3+ gabelt den König auf g1 und die Dame auf d2" in words
    assert not {text for text in missing if any(character.islower() for character in text)}
    files = [(halbzug.folder / name).read_text("utf-8") for name in ("out.pgn", "out.html")]
    assert all("forks the king on g1" in " ".join(text.split()) for text in files)
    assert "Verliert" not in "".join(files)


def test_commands_without_the_option_stay_english(halbzug: Command) -> None:
    halbzug.write("game.pgn", '[White "A"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n')
    words = ("puzzles", "game.pgn", "--nodes", "1000")
    assert halbzug.output(*words, HALBZUG_LANGUAGE="de") == halbzug.output(*words)


def test_json_stays_english(halbzug: Command) -> None:
    command = ("explain", "game", "nim", "--json")
    assert "is worth" in halbzug.output(*command, HALBZUG_LANGUAGE="de")
    assert "ist 1 wert" in halbzug.output(*command, "--language", "de", HALBZUG_LANGUAGE="en")


def test_moves_and_numbers_are_written_the_german_way(halbzug: Command) -> None:
    text = halbzug.output("explain", "horizon", "--language", "de")
    assert "9...Sxd5" in text and "10.Lxd8" in text and "+2,84" in text
    assert "Nxd5" not in text


def test_reasons_use_german_pieces_in_the_right_case() -> None:
    reason = halbzug.explain.move(chess.Board(FORK), "Bb3", nodes=20_000).reason
    assert "forks the king on g1 and the queen on d2" in reason.why
    with speaking("de"):
        assert "gabelt den König auf g1 und die Dame auf d2" in reason.why
        assert "14...Sxd2 schlägt die Dame auf d2" in reason.why


def test_python_objects_use_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "de")
    drawn = halbzug.explain.alpha_beta("((3 5) (2 9))")
    assert "Kürzungen" in str(drawn)
    assert '<html lang="de">' in drawn.html() and '<html lang="en">' in drawn.html("en")
    assert say("White") == "Weiß"


def test_plots_have_german_labels() -> None:
    pytest.importorskip("matplotlib")
    with speaking("de"):
        (tree,) = halbzug.explain.tree(chess.Board(PAWNS), 2).plot().figure.axes
        (horizon,) = halbzug.explain.horizon("promotion").plot().figure.axes
        (terms,) = halbzug.explain.terms(chess.Board(FORK)).plot().figure.axes
    assert (tree.get_xlabel(), tree.get_ylabel()) == ("Tiefe in Halbzügen", "Knoten")
    assert "Horizont" in {line.get_label() for line in horizon.lines}
    assert "Te1+" in {text.get_text() for text in horizon.texts}
    assert horizon.get_ylabel().startswith("Material von ")
    assert terms.get_yticklabels()[-1].get_text() == "Bewertung"

"""The engine's figures in the documents are up to date.

A number beside one of `UNITS` is compared with the program on every page but those of `MEASURED`; a
new one needs a row in `FIGURES`. `test_code_blocks.py` compares the outputs of commands,
`tests/engine/test_options.py` the options, and `test_documents.py` the signatures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

import click
import lecture_ratings
import measured
import pytest
from checkout import ROOT
from test_documents import DOCUMENTS, _text, _without_blocks

from halbzug import batch
from halbzug.batch import sharing
from halbzug.commands.app import halbzug
from halbzug.display import game_options
from halbzug.engine.options import ENGINE_OPTIONS, MAX_HASH_MB
from halbzug.eval import network_file
from halbzug.explain import experiment_results
from halbzug.lab import front
from halbzug.match.elo import elo_of
from halbzug.match.match_record import GameRecord
from halbzug.match.match_summary import result_json
from halbzug.match.standings import Standings
from halbzug.puzzles import puzzles
from halbzug.search.smp_counters import MAX_THREADS
from halbzug.search.strength import MAX_ELO, MIN_ELO
from halbzug.teaching import engines, game_trees, quiz_file
from halbzug.teaching.engines import linear_evaluation
from halbzug.teaching.engines import network as lecture_network
from halbzug.teaching.games import backgammon
from halbzug.tuning import own_network, own_scores, sprt
from halbzug.uci import reader

#: Pages with results measured on a given date with a build they name, or for one file of weights.
MEASURED = {
    "docs/explanation/strength.md",
    "docs/explanation/ladder-of-ideas.md",
    "docs/explanation/large-clusters.md",
    "docs/explanation/origins.md",
    "docs/packaging/README.md",
}

UNITS = (
    r"bits|characters|Elo|entries|features|GiB|hidden|inputs|lines|MiB|ms|neurons|nodes|options"
    r"|processes|questions|results|rolls|threads"
    r"|Eingaben|Fragen|Knoten|Merkmale|Neuronen|verdeckte|Zeilen"
)

#: Numbers with such a unit that are not about the engine.
OTHERS = (
    "192 random bits",
    "With 64 bits",
    "32 bits",
    "16 bits",
    "searches 20 nodes",
    "at 1500 Elo",
    "0 against 10 Elo",
    "about 50 to 60 Elo",
)


@cache
def _page(document: str) -> str:
    """The text in one line, without blocks, link targets and thousands separators."""
    text = re.sub(r"\]\([^)]*\)", "]", _without_blocks(_text(document)))
    text = " ".join(text.replace("*", "").split())
    return re.sub(r"(?<=\d)[,.](?=\d{3}(?:\D|$))", "", text)


def _default(command: str, name: str) -> object:
    found = halbzug.get_command(click.Context(halbzug), command)
    assert found
    return next(one.default for one in found.params if one.name == name)


def _found(pattern: str, path: Path) -> tuple[str, ...]:
    match = re.search(pattern, path.read_text(encoding="utf-8"))
    assert match, f"{path} has no {pattern}"
    return match.groups()


def _matches() -> tuple[int, int]:
    nodes = list(game_trees.matches().root.walk())
    return len(nodes), sum(not node.moves for node in nodes)


def _lecture_network() -> tuple[int, int, str]:
    np = pytest.importorskip("numpy")
    with np.load(lecture_network.WEIGHTS_FILE) as weights:
        inputs, hidden = weights["hidden"].shape
    return inputs, hidden, f"{lecture_network.WEIGHTS_FILE.stat().st_size / 1e6:.1f}"


def _memory() -> tuple[str, ...]:
    found = re.search(r"(\d+) MiB more, and (\d+) MiB", ENGINE_OPTIONS["hash_mb"].help)
    assert found
    return found.groups()


def _puzzle() -> tuple[object, ...]:
    unique, sure = puzzles.UNIQUE, puzzles.SURE
    return f"{100 * unique.kept:.0f}", f"{sure.winning / 100:.1f}", f"{100 * sure.kept:.0f}"


#: A pattern, and the values of its groups. It applies to every page.
FIGURES: tuple[tuple[str, Callable[[], Sequence[object]]], ...] = (
    (
        r"network was trained on (\d+) million",
        lambda: _found(r"(\d+) million positions that", ROOT / "docs/explanation/origins.md"),
    ),
    (r"network\] of (\d+) neurons", lambda: (network_file.read(network_file.SHIPPED).neurons,)),
    (r"at (\d+) nodes a move, until", lambda: _found(r"--nodes (\d+)", Path(sprt.__file__))),
    (r"(\d+) (?:nodes|Knoten), (\d+) (?:of them leaves|davon sind Blätter)", _matches),
    (r"all(?:e)? (\d+) (?:nodes|Knoten)", lambda: _matches()[:1]),
    (r"(\d{6,}) (?:nodes|Knoten), (?:when|wenn)", lambda: (549946,)),  # a mathematical fact
    (
        r"(?:searched again with|each again with|noch einmal, mit) (\d+) (?:nodes|Knoten)",
        lambda: (own_scores.OwnRecipe().nodes,),
    ),
    (
        r"(?:A view has|Eine Sicht hat) (\d+) (?:neurons|Neuronen)",
        lambda: (own_network.NetworkPlan.neurons,),
    ),
    (r"more than (\d+) nodes", lambda: (experiment_results.MAX_SHOWN,)),
    (r"(\d+) questions (?:like|of the kind)", lambda: (len(quiz_file.own_questions()),)),
    (
        r"at most (\d+) questions of up to (\d+) characters, .* at most (\d+) nodes",
        lambda: (quiz_file.MAX_QUESTIONS, quiz_file.MAX_TEXT, quiz_file.MAX_NODES),
    ),
    (r"(\d+) rolls", lambda: (len(backgammon.ROLLS),)),
    (r"(?:has|hat) (\d+) (?:features|Merkmale)", lambda: (len(linear_evaluation.LEARNT),)),
    (
        r"(\d+) (?:inputs|Eingaben).*? (\d+) (?:hidden|verdeckte).*? (\d[.,]\d) MB",
        _lecture_network,
    ),
    (
        r"at most (\d+) lines|höchstens (\d+) Zeilen",
        lambda: (80,),
    ),  # tests/teaching/test_lectures.py
    (
        r"longer than (\d+) MiB is ignored, and at most (\d+) MiB",
        lambda: (reader.MAX_LINE_BYTES >> 20, reader.MAX_WAITING_BYTES >> 20),
    ),
    (r"(\d+) MiB(?: more)?, (?:and|plus) (\d+) MiB for each thread", _memory),
    (r"\((\d+) MiB\)", lambda: (front.MEMORY_MB,)),
    (r"up to (\d+) processes and (\d+) GiB", lambda: (MAX_THREADS, MAX_HASH_MB >> 10)),
    (r"from (\d+) to (2\d{3})", lambda: (MIN_ELO, MAX_ELO)),
    (r"`UCI_Elo`, (\d+) to (\d+), at which", lambda: (puzzles.LEVELS[0], puzzles.LEVELS[-1])),
    (r"up to (\d+) results", lambda: (sharing.MAX_HELD,)),
    (r"more than (\d+) ms", lambda: (_default("match", "time_margin"),)),
    (r"move (?:has|is) (\d\.\d) s", lambda: (game_options.DEFAULT_SECONDS,)),
    (r"error bar is (\d+) Elo", lambda: (f"{_default('rate', 'error'):.0f}",)),
    (r"keeps at most (\d+) % .*? at least (\d\.\d) pawns, and the others at most (\d+) %", _puzzle),
    (
        r"searches for (\w+) seconds",
        lambda: (["", "one", "two", "three"][int(batch.DEFAULT_SECONDS)],),
    ),
    (
        r"Ethereal 12 by (\d+) \+/- (\d+) Elo",
        lambda: _found(r"\(\+(\d+) \+/- (\d+) Elo\)", ROOT / "docs/explanation/strength.md"),
    ),
    (r"form `(\d+) nodes", lambda: _found(r'"7": (\d+)', ROOT / "tests/signatures.json")),
    (
        r"Python (3\.\d+) or newer",
        lambda: _found(r'requires-python = ">=(3\.\d+)"', ROOT / "pyproject.toml"),
    ),
)


def _is(shown: str, today: object) -> bool:
    return shown.replace(",", ".") == str(today).replace(",", "")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_figures_are_up_to_date(document: str) -> None:
    stale = []
    for pattern, today in FIGURES:
        for match in re.finditer(pattern, _page(document)):
            values = today()
            shown = [group for group in match.groups() if group is not None]
            if not all(_is(*pair) for pair in zip(shown, values, strict=True)):
                stale.append(f"{match[0]}: {values}")
    assert not stale


@pytest.mark.parametrize("document", sorted(set(DOCUMENTS) - MEASURED))
def test_every_figure_is_checked(document: str) -> None:
    """Except those in `OTHERS`, which are not about the engine."""
    page = _page(document)
    checked = [match.span() for row in FIGURES for match in re.finditer(row[0], page)]
    checked += [match.span() for one in OTHERS for match in re.finditer(re.escape(one), page)]
    if "course" in document:
        checked += [match.span() for match in re.finditer(r"\d+ Elo", page)]  # the ladder has them
    unchecked = [
        match[0]
        for match in re.finditer(rf"(?<![\w.])\d+ (?:{UNITS})\b", page)
        if not any(begin <= match.start() and match.end() <= end for begin, end in checked)
    ]
    assert not unchecked, "FIGURES has no row for it"


def test_every_row_is_needed() -> None:
    pages = [_page(document) for document in DOCUMENTS]
    for pattern in (*(row[0] for row in FIGURES), *map(re.escape, OTHERS)):
        assert any(re.search(pattern, page) for page in pages), pattern


def test_the_course_states_the_measured_gains() -> None:
    """Of each engine against the one before it, and of the techniques."""
    ratings = _text("docs/explanation/ladder-of-ideas.md")
    gains = set(re.findall(r"\| [+-](\d+)(?: \(not certain\))? \|", ratings))
    technique = re.compile(r"^\| [^|]+ (\| \d+ \| \S+ \+/- \d+ \|)", re.M)
    techniques = technique.findall(measured.markdown("techniques", measured.read()))
    for document in DOCUMENTS:
        if document.startswith("docs/course/"):
            assert set(re.findall(r"(\d+) Elo", _page(document))) <= gains, document
            assert set(technique.findall(_text(document))) <= set(techniques), document


@pytest.mark.parametrize("page", measured.pages(), ids=lambda page: page.name)
def test_measured_tables_are_those_of_the_file(page: Path) -> None:
    """Each is written by the program that it names, with `tests/long/measured.py`."""
    text = page.read_text(encoding="utf-8")
    assert measured.with_measurements(text, measured.read()) == text
    for _, _, program, *_ in measured.BLOCK.findall(text):
        assert "measured" in Path(ROOT, program).read_text(encoding="utf-8")
    rows = re.findall(r"^\|.*\|$", measured.BLOCK.sub("", text), re.M)
    number = re.compile(r"\W*[\d.,]+( %| s| \+/- \d+)?\W*")
    by_hand = [row for row in rows if sum(map(bool, map(number.fullmatch, row.split("|")))) > 1]
    assert not by_hand, "let a program measure and record it"


def test_measured_matches_fit_their_results_and_builds() -> None:
    data = measured.read()
    rows = [*data["matches"], *data["levels"], *data["techniques"]]
    for row in rows:
        if row.get("elo") is not None:
            score = (row["wins"] + row["draws"] / 2) / (row["wins"] + row["draws"] + row["losses"])
            assert row["elo"] == round(elo_of(score)), row
    builds = {row["number"] for row in data["builds"]}
    assert {row["build"] for row in rows} <= builds


def test_a_match_becomes_a_row_of_the_table() -> None:
    standings = Standings(["halbzug", "other"], [(0, 1)])
    for number, result in enumerate(("1-0", "0-1", "1-0", "1/2-1/2", "1-0", "1-0"), start=1):
        white, black = standings.names[:: 1 if number % 2 else -1]
        standings.add(GameRecord(number, white, black, result, "normal"))
    row = {"against": "Other 1.0", "how": "at 10+0.1", "build": 9}
    row |= measured.match_row(result_json(standings, 6, None, None))
    shown = measured.markdown("matches", {"matches": [row]}).splitlines()[-1]
    assert shown == "| Other 1.0 | 6 games at 10+0.1 | +4 =1 -1 (+191 Elo), no forfeit | 9 |"


def test_ratings_become_a_table() -> None:
    """In the order of the lectures, with the gains that `halbzug rate --json` calls certain."""
    names = list(reversed(engines.LECTURES))
    result = {
        "engines": [
            {"name": name, "elo": 100.0 * place, "error": 50.4, "games": 10, "forfeits": 1}
            for place, name in enumerate(names)
        ],
        "differences": [
            {"engines": [one, other], "elo": 100.0 * (names.index(one) - names.index(other))}
            | {"certain": one == names[0]}
            for one, other in combinations(names, 2)
        ],
    }
    found = lecture_ratings.measurement(result, "1 s a move") | {
        "date": "2026-11-01",
        "commit": "abc",
    }
    lines = measured.markdown("lecture_ratings", {"lecture_ratings": found}).splitlines()
    last, before = names[:2]
    assert f"| `{before}` | 100 +/- 50 | 10 | -100 (not certain) |" in lines
    assert f"| `{last}` | 0 +/- 50 | 10 | -100 |" in lines
    assert "Measured on 1 November 2026 at commit abc, at 1 s a move: 170 games, of which" in lines

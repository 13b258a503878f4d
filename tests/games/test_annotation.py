"""Annotated games: the numbers, the PGN, the JSON lines, and the data of the report."""

from __future__ import annotations

import base64
import hashlib
import io
import re
from contextlib import closing
from dataclasses import replace
from html.parser import HTMLParser

import chess
import chess.engine
import chess.pgn
import pytest
from command_line import OPERA_GAME, Command
from hypothesis import given
from hypothesis import strategies as st

from halbzug import annotate, explain
from halbzug.base.events import BestMove, Info
from halbzug.base.scores import EXACT_BOUND, MATE, mate_in_moves
from halbzug.batch.findings import Finding, SecondLook
from halbzug.batch.positions import source_game
from halbzug.batch.wording import colophon
from halbzug.games.annotation import (
    AnnotatedGame,
    AnnotatedMove,
    AnnotatedPosition,
    Annotator,
    move_json,
    to_pgn,
)
from halbzug.games.report import render
from halbzug.reasons.accuracy import (
    game_accuracy,
    judge,
    move_accuracy,
    winning_chances,
)

pytestmark = pytest.mark.any_build

#: White lets a won pawn ending slip.
PAWN_ENDING = """[FEN "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"]
[SetUp "1"]

1. Kd5 Kd7 1/2-1/2
"""

SCHOLARS_MATE = """[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Qh5 {an idea} (2. Nf3 Nc6 {solid}) 2... Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
"""

#: An amateur game in which White allows a fork.
FORK = """[FEN "r4rk1/pp2qppp/3p1n2/2b1n3/2B2B2/2N1PP1P/PPPQ1P2/R4RK1 w - - 1 13"]
[SetUp "1"]

13. Bb3 Nxf3+ *
"""

#: Giving mate in two, and being mated in one.
MATE_SOON, MATED_SOON = MATE - 3, -MATE + 2

CHESS960_GAME = """[Variant "Chess960"]
[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"]
[SetUp "1"]

1. g3 g6 2. Nf3 Nf6 *
"""


class Tags(HTMLParser):
    """The elements of a page, and the addresses it refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.addresses += [
            value or "" for name, value in attrs if name in ("href", "xlink:href", "src", "srcset")
        ]


def annotated(halbzug: Command, text: str, depth: int, *arguments: str) -> chess.pgn.Game:
    """The game as the command annotates it on standard output."""
    path = halbzug.write("game.pgn", text)
    output = halbzug.output("analyse", path, "--pgn", "-", "--depth", str(depth), *arguments)
    game = chess.pgn.read_game(io.StringIO(output))
    assert game is not None and not game.errors
    return game


@pytest.fixture(scope="module")
def opera(tmp_path_factory: pytest.TempPathFactory) -> chess.pgn.Game:
    """Morphy's game, analysed deeply enough to show who won it."""
    return annotated(Command(tmp_path_factory.mktemp("opera")), OPERA_GAME, 6)


@pytest.fixture(scope="module")
def scholar(tmp_path_factory: pytest.TempPathFactory) -> chess.pgn.Game:
    """A short annotated game with a blunder, comments and a mate."""
    return annotated(Command(tmp_path_factory.mktemp("scholar")), SCHOLARS_MATE, 4)


# -- the numbers --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "chances"),
    [(0, 50.0), (100, 59.1), (-100, 40.9), (300, 75.1), (1000, 97.5), (5000, 97.5), (MATE, 97.5)],
)
def test_winning_chances_are_those_published_by_lichess(score: int, chances: float) -> None:
    assert winning_chances(score) == pytest.approx(chances, abs=0.05)


@pytest.mark.parametrize(
    ("own", "stockfishs"), [(0, 0), (80, 80), (-400, -440), (800, 610), (3000, 1000), (MATE, MATE)]
)
def test_own_scores_have_the_chances_of_stockfishs_for_such_positions(
    own: int, stockfishs: int
) -> None:
    assert winning_chances(own, is_own=True) == winning_chances(stockfishs)


@given(st.integers(-3000, 3000), st.integers(0, 500))
def test_a_better_own_score_has_no_smaller_chances(score: int, gain: int) -> None:
    better, worse = (winning_chances(each, is_own=True) for each in (score + gain, score))
    assert better >= worse
    assert worse == pytest.approx(100 - winning_chances(-score, is_own=True))


@pytest.mark.parametrize(("loss", "accuracy"), [(0, 100), (5, 80.8), (10, 64.6), (20, 41.0)])
def test_accuracy_of_a_move_follows_the_published_curve(loss: float, accuracy: float) -> None:
    assert move_accuracy(60, 60 - loss) == pytest.approx(accuracy, abs=0.1)


@pytest.mark.parametrize("turn", [chess.WHITE, chess.BLACK])
def test_the_loss_of_a_move_is_from_its_players_view(turn: chess.Color) -> None:
    board = chess.Board()
    board.turn = turn
    sign = 1 if turn else -1
    before, after = (
        AnnotatedPosition(board, sign * score, 1, 50 + sign * chances, None, (), None)
        for score, chances in ((40, 4.0), (-200, -18.0))
    )
    move = AnnotatedMove(chess.Move.null(), "1.a3", before, after, False, None, 50.0)
    assert (move.loss, move.centipawn_loss) == (22, 240)
    other = replace(move, before=after, after=before)
    assert (other.loss, other.centipawn_loss) == (-22, 0)


def test_a_move_that_improves_the_position_has_full_accuracy() -> None:
    assert move_accuracy(40, 70) == 100


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        (0, -110, None),
        (0, -111, "inaccuracy"),
        (0, -230, "inaccuracy"),
        (0, -231, "mistake"),
        (0, -376, "mistake"),
        (0, -377, "blunder"),
        (0, 300, None),
        (-500, -3000, "inaccuracy"),
        (-1000, -3000, None),
        # A mate counts as ten pawns.
        (500, MATED_SOON, "blunder"),
        (-700, MATED_SOON, None),
        (MATE_SOON, 700, None),
        (MATE_SOON, 400, "inaccuracy"),
        (MATE_SOON, 0, "blunder"),
        (MATE_SOON, MATE - 9, None),
        (100, MATE_SOON, None),
    ],
)
def test_judgements_depend_on_the_lost_chances(before: int, after: int, name: str | None) -> None:
    judgement = judge(before, after)
    assert (judgement.name if judgement else None) == name


@given(st.lists(st.floats(0, 100), min_size=2, max_size=80), st.booleans())
def test_everyone_who_moved_has_an_accuracy_from_0_to_100(
    chances: list[float], is_white_first: bool
) -> None:
    accuracy = game_accuracy(chances, is_white_first)
    assert all(0 <= value <= 100.0001 for value in accuracy.values())
    assert set(accuracy) == ({True, False} if len(chances) > 2 else {is_white_first})


def test_a_player_without_losses_is_perfect_and_one_who_blunders_is_not() -> None:
    accuracy = game_accuracy([50, 50, 50, 50, 90, 90, 90], True)
    assert accuracy[chess.WHITE] == pytest.approx(100)
    assert accuracy[chess.BLACK] < 60


def test_black_may_move_first() -> None:
    accuracy = game_accuracy([50, 90, 90], False)
    assert accuracy[chess.BLACK] < accuracy[chess.WHITE] == pytest.approx(100)


def test_a_mate_has_the_same_length_from_both_sides() -> None:
    for moves in range(1, 10):
        mating, mated = MATE - (2 * moves - 1), -MATE + 2 * moves
        assert mate_in_moves(mating) == -mate_in_moves(-mating) == moves
        assert mate_in_moves(mated) == -mate_in_moves(-mated) == -moves


# -- annotated PGN ------------------------------------------------------------------------------


def test_every_move_has_an_evaluation_and_the_game_is_unchanged(opera: chess.pgn.Game) -> None:
    original = chess.pgn.read_game(io.StringIO(OPERA_GAME))
    assert original is not None
    assert list(opera.mainline_moves()) == list(original.mainline_moves())
    assert all(node.eval() is not None for node in opera.mainline())
    assert opera.headers["Annotator"].startswith("Halbzug")
    assert 0 < float(opera.headers["BlackAccuracy"]) < float(opera.headers["WhiteAccuracy"]) <= 100
    last = opera.end().eval()
    assert last is not None and last.white() > chess.engine.Cp(500)


def test_evaluations_are_from_whites_view(opera: chess.pgn.Game) -> None:
    scores = [node.eval().white().score(mate_score=1000) for node in opera.mainline()]  # type: ignore[union-attr]
    assert all(score > 0 for score in scores[24:]), "White is winning, whoever is to move"


def test_a_blunder_has_its_symbol_and_a_better_line(scholar: chess.pgn.Game) -> None:
    blunder = scholar.end().parent
    assert isinstance(blunder, chess.pgn.ChildNode)
    assert blunder.san() == "Nf6"
    assert blunder.nags == {chess.pgn.NAG_BLUNDER}
    assert re.search(r"Blunder\. 3\.\.\.\S+ was best\.", blunder.comment)
    better = blunder.parent.variations[1]
    assert better.move != blunder.move
    assert better.next() is not None, "a line, not just a move"


def test_the_book_ends_for_both_when_one_side_leaves_it(halbzug: Command) -> None:
    path = halbzug.write("book.pgn", "1. e4 e5 2. Nf3 Nc6 *\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *\n")
    lines = halbzug.json("analyse", path, "--depth", "1", "--json")
    assert [line["book"] for line in lines if "move" in line] == [True] * 6 + [False] * 3


def test_a_named_gambit_is_book(halbzug: Command) -> None:
    path = halbzug.write("latvian.pgn", "1. e4 e5 2. Nf3 f5 3. Bc4 b5 *\n")
    lines = halbzug.json("analyse", path, "--depth", "1", "--json")
    assert [line["book"] for line in lines if "move" in line] == [True] * 6


def judged(moves: str, scores: dict[int, int], again: SecondLook | None = None) -> AnnotatedMove:
    """The last move of a game whose last positions have these scores for the player."""
    game = chess.pgn.read_game(io.StringIO(moves))
    assert game
    record = source_game(game)
    subjects, findings = record.subjects(), []
    for subject in subjects:
        left = len(subjects) - len(findings)
        own = scores.get(left, 0)
        move = subject.played or next(iter(subject.board.legal_moves))
        first = chess.Move.from_uci("a2a3") if left == 2 and again else move
        line = Info(5, 5, 1, own, EXACT_BOUND, 1, 1, 0, (first.uci(),))
        findings.append(Finding(BestMove(first.uci()), (line,), again=again if left == 2 else None))
    with closing(Annotator()) as annotator:
        return annotator.annotate(record, subjects, findings).moves[-1]


def test_a_move_cleared_by_the_second_look_is_no_mistake() -> None:
    """The first search lost 25 points; the second lost fewer, or preferred another move."""
    first = {2: 0, 1: 300}
    confirmed = SecondLook(("a7a6",), ("b1c3",), 0, -300)
    less, other = (
        confirmed._replace(score_after=-150),
        confirmed._replace(best_line=("g2g4",), score_before=-290),
    )
    game = "1. e4 e5 2. Nf3 Nc6 3. g4 *"
    marks = [judged(game, first, each).symbol for each in (confirmed, less, other)]
    assert marks == ["?", "?!", ""]


def test_a_sound_sacrifice_is_marked_and_a_losing_one_is_not() -> None:
    game = "1. e4 e5 2. Bc4 d6 3. h3 h6 4. Bxf7+ *"
    assert judged(game, {2: 100, 1: -100}).symbol == "!!"
    assert judged(game, {2: -100, 1: 100}).symbol == ""


def test_comments_and_variations_of_the_game_are_kept(scholar: chess.pgn.Game) -> None:
    queen_move = scholar.next().next().next()  # type: ignore[union-attr]
    assert queen_move is not None and "an idea" in queen_move.comment
    variations = [node.san() for node in queen_move.parent.variations]  # type: ignore[union-attr]
    assert variations[:2] == ["Qh5", "Nf3"]
    assert len(variations) == len(set(variations)), "no line occurs twice"
    assert "solid" in str(scholar)


def test_mate_on_the_board_ends_the_evaluations(scholar: chess.pgn.Game) -> None:
    assert scholar.end().eval() is None
    assert scholar.headers["Result"] == "1-0"


def test_book_moves_and_tablebase_results_are_marked(
    halbzug: Command, opera: chess.pgn.Game
) -> None:
    assert "Book." in opera.next().comment  # type: ignore[union-attr]
    mistake = annotated(halbzug, PAWN_ENDING, 4).next()
    assert mistake is not None and "Tablebase: draw." in mistake.comment


def test_a_mistake_is_searched_twice(halbzug: Command) -> None:
    game = chess.pgn.read_game(io.StringIO(FORK))
    assert game is not None
    path = halbzug.write("fork.pgn", FORK)
    said, *_ = halbzug.json("analyse", path, "--nodes", "100000", "--json")
    asked = explain.move(game.board(), "Bb3", nodes=100_000)
    annotated = annotate(game, nodes=100_000).moves[0]
    again = annotated.before.again
    assert again is not None and again.score_before - again.score_after > 500
    assert "forks the king on g1 and the queen on d2" in said["reason"]
    assert said["reason"] == annotated.why == asked.reason.why


def test_a_game_of_chess960(halbzug: Command) -> None:
    game = annotated(halbzug, CHESS960_GAME, 2)
    assert game.board().chess960
    assert all(node.eval() is not None for node in game.mainline())


def test_two_processes_can_annotate(halbzug: Command) -> None:
    game = annotated(halbzug, SCHOLARS_MATE, 2, "--processes", "2")
    assert [node.eval() is None for node in game.mainline()] == [False] * 6 + [True]  # the mate


def test_the_json_has_a_line_for_each_move_and_one_for_the_game(halbzug: Command) -> None:
    path = halbzug.write("game.pgn", SCHOLARS_MATE)
    *moves, total = halbzug.json("analyse", path, "--depth", "4", "--json")
    assert [move["uci"] for move in moves][-1] == "h5f7"
    assert moves[0]["position"] == chess.STARTING_FEN
    assert moves[5]["judgement"] == "blunder" and moves[5]["best"] != moves[5]["uci"]
    assert moves[5]["white_score"] == {"mate": 1}
    assert total["black"]["blunder"] == 1
    assert total["white"]["accuracy"] > total["black"]["accuracy"]


def test_people_see_a_table(halbzug: Command) -> None:
    text = halbzug.output("analyse", halbzug.write("g.pgn", SCHOLARS_MATE), "--depth", "3")
    row = next(line for line in text.splitlines() if "3...Nf6??" in line)
    assert "#1" in row
    known = next(line for line in text.splitlines() if "2.Qh5" in line)
    assert known.split()[-1] == "book", "no better move is asked for"
    assert "Accuracy" in text and "Blunders" in text
    assert max(map(len, text.splitlines())) <= 80


def test_the_table_gives_the_reason_in_the_annotated_pgn(halbzug: Command) -> None:
    path = halbzug.write("g.pgn", FORK)
    shown = halbzug.output("analyse", path, "--nodes", "2000", "--pgn", "out.pgn")
    game = chess.pgn.read_game(io.StringIO((halbzug.folder / "out.pgn").read_text()))
    reason = re.sub(r".* was best\. ", "", game.next().comment)
    assert reason.startswith("Loses a queen")
    assert reason in " ".join(shown.split())  # which is wrapped
    assert max(map(len, shown.splitlines())) <= 80


# -- files --------------------------------------------------------------------------------------


def test_all_games_of_a_file_go_into_both_files(halbzug: Command) -> None:
    path = halbzug.write("two.pgn", SCHOLARS_MATE + "\n" + PAWN_ENDING)
    halbzug.output("analyse", path, "-d", "3", "--pgn", "out.pgn", "--html", "out.html")
    written = (halbzug.folder / "out.pgn").read_text(encoding="utf-8")
    assert written.count("[Annotator ") == 2
    page = (halbzug.folder / "out.html").read_text(encoding="utf-8")
    assert page.count('id="data-') == 2


def test_the_input_game_is_never_overwritten(halbzug: Command) -> None:
    path = halbzug.write("game.pgn", SCHOLARS_MATE)
    for option in ("--pgn", "--html"):
        process = halbzug.run("analyse", path, "-d", "1", option, path)
        assert process.returncode == 2
        assert "choose another name" in process.stderr
    assert (halbzug.folder / path).read_text(encoding="utf-8") == SCHOLARS_MATE


def test_an_old_report_survives_a_run_that_fails(halbzug: Command) -> None:
    halbzug.write("report.html", "precious")
    path = halbzug.write("game.pgn", SCHOLARS_MATE)
    process = halbzug.run("analyse", path, "--engine", "no-such-engine", "--html", "report.html")
    assert process.returncode == 1
    assert process.stderr == ("halbzug: no-such-engine does not start: No such file or directory\n")
    assert (halbzug.folder / "report.html").read_text(encoding="utf-8") == "precious"
    halbzug.run("analyse", path, "--engine", "no-such-engine", "--html", "new.html")
    assert not (halbzug.folder / "new.html").exists()


@pytest.mark.parametrize("option", ["--pgn", "--html"])
def test_an_unwritable_place_is_reported_before_the_work(halbzug: Command, option: str) -> None:
    path = halbzug.write("game.pgn", SCHOLARS_MATE)
    process = halbzug.run("analyse", path, option, "missing/out")
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr == "halbzug: cannot write missing/out: No such file or directory\n"


def test_a_position_has_no_report(halbzug: Command) -> None:
    process = halbzug.run("analyse", "startpos", "--html", "x.html")
    assert process.returncode == 2
    assert "for games" in process.stderr and process.stderr.count("\n") == 1


def test_the_report_states_what_makes_a_mistake() -> None:
    said = re.search(
        r"a loss of (\d+), (\d+) or (\d+) percentage points", colophon("", 1, None, None)
    )
    assert said
    for loss, name in zip(
        map(int, said.groups()), ("inaccuracy", "mistake", "blunder"), strict=True
    ):
        worse = next(score for score in range(0, -1000, -1) if winning_chances(score) <= 50 - loss)
        assert judge(0, worse).name == name and judge(0, worse + 1) != judge(0, worse)


def test_the_page_refers_to_nothing_outside(halbzug: Command) -> None:
    evil = SCHOLARS_MATE.replace(
        '[White "A"]', '[White "</script><script>alert(1)</script><img src=http://x.test/>"]'
    )
    path = halbzug.write("game.pgn", evil)
    halbzug.output("analyse", path, "-d", "2", "--html", "out.html")
    page = (halbzug.folder / "out.html").read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(page)
    assert not tags.names & {"link", "img", "iframe", "object", "base", "form"}
    assert all(address.startswith("#") for address in tags.addresses)
    assert not re.search(r"@import|url\(", page)
    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page, "no other script can run"
    assert "default-src 'none'" in page
    assert len(page) < 250_000


def test_tablebase_results_are_described_in_words(halbzug: Command) -> None:
    """A queen against a rook; a number appears only where PGN requires one."""
    halbzug.write(
        "game.pgn", '[SetUp "1"]\n[FEN "8/8/2R5/8/1K6/8/1k6/q7 b - - 0 1"]\n\n1... Qe1+ *\n'
    )
    shown = halbzug.output("analyse", "game.pgn", "--depth", "3")
    assert "TB loss" in shown and "-199" not in shown and "-200" not in shown  # from White's view
    halbzug.output("analyse", "game.pgn", "--depth", "3", "--pgn", "out.pgn", "--html", "out.html")
    (node,) = chess.pgn.read_game(io.StringIO(read_text(halbzug, "out.pgn"))).mainline()
    assert node.eval().white() < chess.engine.Cp(-19_000)
    assert "TB loss" in read_text(halbzug, "out.html")


def read_text(command: Command, name: str) -> str:
    return (command.folder / name).read_text("utf-8")


# -- failures of the engine ---------------------------------------------------------------------


def annotated_with_gaps(scores: dict[int, int | None]) -> AnnotatedGame:
    """A game of four plies whose positions have these scores for White, None where the engine
    failed.
    """
    game = chess.pgn.read_game(io.StringIO("1. a3 h6 2. a4 h5 *"))
    assert game
    record = source_game(game)
    findings: list[Finding | None] = []
    for subject, score in zip(record.subjects(), scores.values(), strict=True):
        move = next(iter(subject.board.legal_moves)).uci()
        line = None
        if score is not None:
            own = score if subject.board.turn else -score
            line = Info(5, 5, 1, own, EXACT_BOUND, 1, 1, 0, (move,))
        findings.append(Finding(BestMove(move), (line,)) if line else None)
    with closing(Annotator()) as annotator:
        return annotator.annotate(record, record.subjects(), findings)


def test_a_move_without_analysis_is_marked_and_nobody_is_blamed() -> None:
    game = annotated_with_gaps({0: 20, 1: 20, 2: None, 3: -400, 4: -400})
    assert [position.evaluation for position in game.positions] == [
        *("+0.20", "+0.20", "?", "-4.00", "-4.00")
    ]
    assert not any(move.judgement for move in game.moves)
    first, unknown, last = (game.positions[ply].chances for ply in (1, 2, 3))
    assert unknown == pytest.approx((first + last) / 2)
    text = " ".join(to_pgn(game).split())
    assert text.count("[%eval") == 5  # three of the game and two of the variations: 1.a3 is book
    assert "h6 { Not analysed: the engine failed here. }" in text
    assert [move_json(game, move)["white_score"] for move in game.moves] == [
        *({"cp": 20}, None, {"cp": -400}, {"cp": -400})
    ]
    page = render([game], "")
    assert "not analysed" in page and '"eval":"?"' in page.replace(" ", "")


def test_gaps_at_the_ends_take_the_neighbouring_score() -> None:
    game = annotated_with_gaps({0: None, 1: None, 2: 300, 3: None, 4: None})
    assert len({position.chances for position in game.positions}) == 1
    assert [position.is_analysed for position in game.positions] == [0, 0, 1, 0, 0]
    assert not any(move.judgement for move in game.moves)

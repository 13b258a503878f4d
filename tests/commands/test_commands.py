"""The command line as its users see it."""

from __future__ import annotations

import io
import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import chess
import chess.pgn
import pytest
from checkout import ROOT
from command_line import OPERA_GAME, Command, leaves
from uci_client import PATIENCE_SECONDS, wait_for_cpu

from halbzug.commands import app
from halbzug.eval.network_file import SHIPPED

pytestmark = pytest.mark.any_build

MATE_IN_ONE = "k7/2K5/8/8/8/8/1R6/8 w - - 0 1"
MATE_IN_TWO = "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16"
BACK_RANK = "7k/5ppp/8/8/8/8/8/R3K3 w - -"


# -- the command line as a whole ----------------------------------------------------------------


NAMES = [name for name, _ in leaves(app.halbzug)]


def test_help_names_the_commands_and_the_uci_engine(halbzug: Command) -> None:
    text = halbzug.output("--help")
    assert "UCI" in text
    for name in app.COMMANDS:
        assert f"\n  {name}  " in text


@pytest.mark.parametrize("name", NAMES)
def test_help_of_a_command_shows_how_to_use_it(halbzug: Command, name: str) -> None:
    text = halbzug.output(*name.split(), "--help")
    example = f"Examples:\n    halbzug {name}"
    assert example in text or name == "completion", "give the command an epilog with EXAMPLES"
    assert max(map(len, text.partition("Examples:")[0].splitlines())) <= 80


@pytest.mark.parametrize("name", NAMES)
def test_a_command_is_in_a_guide_and_in_the_manual_page(name: str) -> None:
    use = re.compile(rf"halbzug {name}\b")
    pages = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md")]
    assert any(map(use.search, pages)), "describe its use in a guide in docs/how-to"
    manual = (ROOT / "uci_engine/installation/share/halbzug.6").read_text(encoding="utf-8")
    assert use.search(manual.replace("\\-", "-")), MAKE_MANUAL


#: Generates the manual page, as CONTRIBUTING.md describes.
MAKE_MANUAL = (
    "make the manual page again: sphinx-build -E -b man -d docs/_build/.doctrees"
    ' -D today="MONTH YEAR" docs uci_engine/installation/share'
)


def test_version_names_the_build(halbzug: Command) -> None:
    text = halbzug.output("--version")
    assert text.startswith("Halbzug 0.")
    assert "pure" in text or "compiled" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["analise"], "analise"),
        (["analyse"], "POSITION"),
        (["analyse", ""], "POSITION is empty"),
        (["analyse", " "], "POSITION is empty"),
        (["completion"], "{bash|zsh|fish}"),
        (["completion", "tcsh"], "'tcsh'"),
        (["analyse", "startpos", "--dept", "3"], "--dept"),
        (["analyse", "startpos", "--depth", "0"], "--depth"),
        (["analyse", "startpos", "--depth", "x"], "'x'"),
        (["analyse", "startpos", "--time", "-1"], "--time"),
        (["analyse", "startpos", "--time", "nan"], "nan"),
        (["analyse", "startpos", "--time", "inf"], "inf"),
        (["analyse", "startpos", "--nodes", "-5"], "--nodes"),
        (["analyse", "startpos", "--multipv", "0"], "--multipv"),
        (["analyse", "startpos", "--hash", "0"], "--hash"),
        (["analyse", "a.pgn", "b.pgn"], "one position or file"),
        (["analyse", "a.pgn", "--all-moves", "--html", "x"], "for whole games"),
        (["bench", "--depth", "0"], "--depth"),
        (["tournament"], "FOLDER"),
        (["course", "export"], "FOLDER"),
        (["course", "export", ""], "it is empty"),
        (["tournament", "", "--st", "1"], "it is empty"),
        (["perft", "startpos"], "DEPTH"),
        # An unset variable becomes an empty string, which must not mean the current folder.
        (["analyse", "startpos", "--pgn", ""], "'--pgn': it is empty"),
        (["book", "build", "", "-o", "book.bin"], "it is empty"),
        (["book", "build", "games.pgn", "-o", ""], "it is empty"),
        (["book", "show", "--book", ""], "it is empty"),
        (["register", "cutechess", "--config", ""], "it is empty"),
        (["tablebases", "fetch", "3", "--to", ""], "it is empty"),
        (["doctor", "--book", ""], "it is empty"),
        (["perft", "startpos", "-1"], "-1"),
        (["explain", "move", "startpos"], "MOVE"),
        (["puzzles", "games.pgn", "--resume"], "--resume needs the --output"),
        (["puzzles", "games.pgn", "-o", "-"], "standard output"),
    ],
)
def test_wrong_usage_is_one_line_with_exit_code_2(
    halbzug: Command, arguments: list[str], words: str
) -> None:
    process = halbzug.run(*arguments)
    assert process.returncode == 2
    assert process.stdout == ""
    assert process.stderr.startswith("halbzug: ")
    assert process.stderr.count("\n") == 1
    assert words in process.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("missing.pgn", "missing.pgn"),
        ("nonsense", "neither a position, a game nor a file"),
        ("no\tfile", r"a file: 'no\tfile'"),
        ("no\nfile", r"a file: 'no\nfile'"),
        (".", "cannot read"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "empty"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "no king"),
        ("k6R/8/K7/8/8/8/8/8 w - - 0 1", "not to move"),
        ("k7/8/K7/8/8/8/8/8 x - - 0 1", "the side to move is w or b"),
        ("k7/8/K7/8/8/8/8/8 w X - 0 1", "castling"),
        ("k7/9/K7/8/8/8/8/8 w - - 0 1", "not a FEN"),
        ("k7/8/K7/8/8/8/8/8 w - - bm Qa8;", "bm: Qa8 is not legal"),
    ],
)
def test_an_invalid_position_is_one_line_with_exit_code_1(
    halbzug: Command, position: str, words: str
) -> None:
    process = halbzug.run("analyse", position)
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr.startswith("halbzug: ")
    assert process.stderr.count("\n") == 1
    assert words in process.stderr


def test_a_tab_in_a_name_keeps_the_columns(halbzug: Command) -> None:
    lines = ('4k3/8/8/8/8/8/8/4K2R w - - id "a\tname";', '4k3/8/8/8/8/8/8/4K1R1 w - - id "b";')
    path = halbzug.write("suite.epd", "\n".join(lines))
    rows = halbzug.output("analyse", path, "--depth", "1").splitlines()
    assert rows[1].startswith("a name  ")
    column = rows[0].index("Best")
    assert all(row[column - 1 : column + 1].strip() in ("B", "R", "K") for row in rows[:3])


@pytest.mark.slow
@pytest.mark.parametrize("columns", ["0", "1", "99999999", "-5", "x"])
def test_an_odd_terminal_width_hides_nothing(halbzug: Command, columns: str) -> None:
    path = halbzug.write("game.pgn", "1. e4 e5 *")
    text = halbzug.output("analyse", path, "--depth", "1", COLUMNS=columns)
    assert "Accuracy" in text or columns == "1"
    assert text.strip() and len(text) < 100_000


# -- analyse ------------------------------------------------------------------------------------


def test_analyse_draws_the_board_and_ends_with_the_best_move(halbzug: Command) -> None:
    text = halbzug.output("analyse", MATE_IN_TWO, "--depth", "6")
    lines = text.splitlines()
    assert lines[0].split()[:9] == ["8", ".", ".", ".", ".", "♚", "♝", ".", "♜"]
    assert "White to move" in text
    assert "#2" in text and "16.Qb8+ Nxb8 17.Rd8#" in text
    assert lines[-1] == "Best move: Qb8+ (b3b8)"
    assert "\x1b" not in text, "no colour or cursor movement outside a terminal"
    assert max(map(len, lines)) <= 80


def test_analyse_understands_a_fen_without_quotes(halbzug: Command) -> None:
    text = halbzug.output("analyse", *MATE_IN_ONE.split(), "--depth", "2")
    assert text.endswith("Best move: Ra2# (b2a2)\n")


def test_scores_are_from_the_side_to_move(halbzug: Command) -> None:
    queen_down = "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1"
    score = halbzug.json("analyse", queen_down, "--depth", "2", "--json")[0]["score"]
    assert score["cp"] < -300
    assert "scores as Black sees them" in halbzug.output("analyse", queen_down, "-d", "2")


@pytest.mark.slow
def test_multipv_gives_that_many_lines(halbzug: Command) -> None:
    lines = halbzug.json("analyse", "startpos", "-d", "2", "--multipv", "3", "--json")
    last = [line for line in lines if line.get("depth") == 2]
    assert [line["multipv"] for line in last] == [1, 2, 3]
    assert len({line["pv"][0] for line in last}) == 3
    text = halbzug.output("analyse", "startpos", "-d", "2", "--multipv", "3")
    assert sum(line.split()[:1] in (["1"], ["2"], ["3"]) for line in text.splitlines()) >= 3


def test_json_lines_have_all_fields(halbzug: Command) -> None:
    *analysis, answer = halbzug.json("analyse", MATE_IN_TWO, "--depth", "6", "--json")
    assert [line["depth"] for line in analysis] == [1, 2, 3, 4, 5, 6]
    for line in analysis:
        assert line["position"] == MATE_IN_TWO
        assert set(line) >= {"seldepth", "multipv", "score", "nodes", "nps", "time_ms", "pv"}
        assert set(line["score"]) < {"cp", "mate"}
    assert analysis[-1]["score"] == {"mate": 2}
    assert analysis[-1]["pv"] == ["b3b8", "d7b8", "d1d8"]
    assert (answer["bestmove"], answer["ponder"]) == ("b3b8", "d7b8")


def test_nodes_limit_the_search(halbzug: Command) -> None:
    lines = halbzug.json("analyse", "startpos", "--nodes", "2000", "--json")
    assert max(line.get("nodes", 0) for line in lines) <= 2000


def test_time_limits_the_search(halbzug: Command) -> None:
    lines = halbzug.json("analyse", "startpos", "--time", "0.3", "--json")
    assert 0 < max(line.get("time_ms", 0) for line in lines) < 10_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fen", "ending"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Best move: none (stalemate)"),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "Best move: none (checkmate)"),
    ],
)
def test_a_finished_game_has_no_best_move(halbzug: Command, fen: str, ending: str) -> None:
    assert halbzug.output("analyse", fen).splitlines()[-1] == ending
    assert halbzug.json("analyse", fen, "--json")[-1]["bestmove"] is None


def test_chess960_is_recognized_from_the_position(halbzug: Command) -> None:
    fen = "6kr/8/8/8/8/8/8/RK3R2 w FA - 0 1"
    line = halbzug.json("analyse", fen, "-d", "1", "--multipv", "50", "--json")
    board = chess.Board(fen, chess960=True)
    assert {entry["pv"][0] for entry in line if "pv" in entry} == {
        board.uci(move) for move in board.legal_moves
    }
    assert any(entry["pv"][0] == "b1f1" for entry in line if "pv" in entry), "castling"


def test_epd_move_counters_count_towards_a_draw(halbzug: Command) -> None:
    """A rook and two pieces up, but the next move completes the fifty moves without a capture."""
    record = "4k3/8/8/p7/P7/8/8/R3KB1N w - - hmvc {}; fmvn 140;"
    for halfmoves, is_drawn in ((0, False), (99, True)):
        *_, line, answer = halbzug.json("analyse", record.format(halfmoves), "-d", "2", "--json")
        assert (line["score"] == {"cp": 0}) == is_drawn
        assert answer["position"].endswith(f" - - {halfmoves} 140")


def test_epd_answers_are_compared_and_counted(halbzug: Command) -> None:
    suite = halbzug.write(
        "suite.epd",
        f'{BACK_RANK} bm Ra8#; id "right";\n'
        "# a comment, and an empty line\n\n"
        f'{BACK_RANK} bm Ra7; id "wrong";\n'
        f'{BACK_RANK} am Ra8#; id "avoid";\n'
        f'{BACK_RANK} id "free";\n',
    )
    text = halbzug.output("analyse", suite, "--depth", "2")
    rows = {line.split()[0]: line for line in text.splitlines()}
    assert "solved: depth 1" in rows["right"]
    assert rows["wrong"].endswith("missed: Ra7")
    assert rows["avoid"].endswith("missed: not Ra8#")
    assert rows["free"].endswith("1.Ra8#")
    assert "Solved 1 of 3 (33.3 %); 4 positions" in text.splitlines()[-2]
    assert text.splitlines()[-1].startswith("Time to solution: ")

    lines = halbzug.json("analyse", suite, "--depth", "2", "--json")
    assert (lines[-1]["problems"], lines[-1]["solved"]) == (3, 1)
    answers = {line["name"]: line for line in lines if "bestmove" in line}
    assert answers["right"]["solved"] and answers["right"]["bm"] == ["a1a8"]
    assert not answers["wrong"]["solved"]
    assert "solved" not in answers["free"]


def test_an_invalid_line_is_named_and_the_others_are_analysed(halbzug: Command) -> None:
    suite = halbzug.write("list.txt", f"{MATE_IN_ONE}\nrubbish\n{MATE_IN_TWO}\n\nk7/8 w - -\n")
    process = halbzug.run("analyse", suite, "--depth", "6")
    assert process.returncode == 1
    assert [line.split(": ")[1] for line in process.stderr.splitlines()] == ["line 2", "line 5"]
    assert "Ra2#" in process.stdout and "Qb8+" in process.stdout
    assert "2 positions" in process.stdout.splitlines()[-1]


def test_the_last_position_of_a_game(halbzug: Command) -> None:
    game = halbzug.write("game.pgn", OPERA_GAME)
    text = halbzug.output("analyse", game, "--last-move", "--depth", "6")
    assert "Morphy - Allies" in text
    assert "Last move: 15...Nxd7" in text
    assert "(♞)" in text, "the last move is marked"
    assert text.endswith("Best move: Qb8+ (b3b8)\n")


def test_all_positions_of_a_game(halbzug: Command) -> None:
    game = halbzug.write("game.pgn", OPERA_GAME)
    lines = halbzug.json("analyse", game, "--all-moves", "--depth", "1", "--json")
    assert [line["number"] for line in lines] == list(range(1, 32))
    assert {line["game"] for line in lines} == {1}
    assert lines[-1]["name"] == "15...Nxd7"
    assert lines[0]["position"] == chess.STARTING_FEN


def test_several_games_of_which_one_is_broken(halbzug: Command) -> None:
    broken = OPERA_GAME.replace("5. Qxf3", "5. Qxa8")
    games = halbzug.write("games.pgn", f"{OPERA_GAME}\n{broken}\n{OPERA_GAME}")
    for arguments in (["--last-move"], []):
        process = halbzug.run("analyse", games, "--depth", "2", *arguments)
        assert process.returncode == 1
        assert process.stderr == "halbzug: game 2: breaks off: 5.Qxa8 is not legal\n"
        assert process.stdout.count("Morphy - Allies") == 3


ANNA = '[Event "first"]\n[White "Anna"]\n[Black "Bert"]\n'
CARL = '[Event "second"]\n[White "Carl"]\n[Black "Dora"]\n'


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{ANNA}\n1. e4 e5 *\n{CARL}\n1. d4 d5 *\n", id="no blank line between"),
        pytest.param(f"{ANNA}1. e4 e5 *\n{CARL}1. d4 d5 *\n", id="no blank line at all"),
        pytest.param(f"{ANNA}\n1. e4 e5\n{CARL}\n1. d4 d5\n", id="no result either"),
        pytest.param(f"{ANNA}\n\n\n1. e4 e5 *\n\n\n{CARL}\n\n\n1. d4 d5 *", id="many blank lines"),
        pytest.param(
            f'\ufeff{ANNA}\n1. e4 {{[Event "x"]\n[White "y"]\n\nz}} e5 *\n\ufeff{CARL}\n1. d4 d5 *',
            id="tags in a comment, two byte order marks",
        ),
        pytest.param(f"{ANNA}\n1. e4 e5 {{oh *\n\n{CARL}\n1. d4 d5 *", id="an open comment"),
        pytest.param(f"{ANNA}\n1. e4 e5 *\n % x\n  {CARL}\n1. d4 d5 *", id="an indented tag"),
        pytest.param(f"{ANNA}\n{CARL}\n1. d4 d5 *", id="no moves"),
        pytest.param(
            f"{ANNA}\n1. e4 ; {{1-0\n[%eval] e5 $1 1-0\n{{[}}\n{CARL}\n1. d4 d5 *",
            id="odd but right",
        ),
    ],
)
def test_each_game_of_a_file_keeps_its_tags(halbzug: Command, text: str) -> None:
    path = halbzug.write("two.pgn", text)
    process = halbzug.run("analyse", path, "--pgn", "-", "--depth", "1")
    said = "halbzug: game 1: breaks off: 2.{ has no end\n" if "{oh" in text else ""
    assert (process.returncode, process.stderr) == (1 if said else 0, said)
    handle = io.StringIO(process.stdout)
    games = [chess.pgn.read_game(handle), chess.pgn.read_game(handle)]
    assert chess.pgn.read_game(handle) is None
    tags = [(game.headers["Event"], game.headers["White"]) for game in games if game]
    assert tags == [("first", "Anna"), ("second", "Carl")]
    assert games[1] and [move.uci() for move in games[1].mainline_moves()] == ["d2d4", "d7d5"]
    from_stdin = halbzug.run("analyse", "-", "--pgn", "-", "--depth", "1", stdin=text)
    assert from_stdin.stdout == process.stdout


def test_games_without_tags_one_per_line(halbzug: Command) -> None:
    path = halbzug.write("lines.pgn", "1. e4 e5 1-0\n1. d4 d5 (1... f5)\n2. c4 *\n1. c4 0-1\n")
    lines = halbzug.json("analyse", path, "--last-move", "--depth", "1", "--json")
    assert [line["game"] for line in lines] == [1, 2, 3]
    assert lines[1]["position"].startswith("rnbqkbnr/ppp1pppp/8/3p4/2PP4/")


def test_a_blank_line_between_moves_does_not_end_a_game(halbzug: Command) -> None:
    text = "1. e4 e5\n\n2. Nf3 Nc6\n\n \n3. Bb5 a6\n\n1. d4 d5\n\nc4 *\n\n2. c4\n"
    path = halbzug.write("lines.pgn", text)
    lines = halbzug.run("analyse", path, "--last-move", "--depth", "1", "--json").stdout
    positions = [json.loads(line)["position"] for line in lines.splitlines()]
    assert positions[0].startswith("r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w")
    assert positions[1].startswith("rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w")
    assert len(positions) == 4


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_names_keep_their_umlauts_in_every_encoding(halbzug: Command, encoding: str) -> None:
    game = '[White "Müller"]\n[Black "Sørensen"]\n\n1. e4 {Ä} e5 *\n'
    (halbzug.folder / "games.pgn").write_bytes(game.encode(encoding))
    output = halbzug.output("analyse", "games.pgn", "--pgn", "-", "--depth", "1")
    assert '[White "Müller"]' in output and '[Black "Sørensen"]' in output and "{ Ä" in output
    suite = f'{MATE_IN_ONE} bm Ra2; id "Übung 1";\n'
    (halbzug.folder / "suite.epd").write_bytes(suite.encode(encoding))
    (line,) = halbzug.json("analyse", "suite.epd", "--depth", "1", "--json")
    assert line["name"] == "Übung 1"


def test_one_file_in_two_encodings(halbzug: Command) -> None:
    games = [f'[White "Jürgen"]\n\n1. {move} *\n\n' for move in ("e4", "d4")]
    data = games[0].encode("utf-8") + games[1].encode("latin-1")
    (halbzug.folder / "mixed.pgn").write_bytes(data)
    output = halbzug.output("analyse", "mixed.pgn", "--pgn", "-", "--depth", "1")
    assert output.count('[White "Jürgen"]') == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["1. e4 e5 2. Qh5"],
        ["1.e4 e5 2.Qh5! {early} (2.Nf3 Nc6) *"],
        ["1.", "e4", "e5", "2.", "Qh5"],
        ["e4 e5 Qh5"],
        ["e2e4", "e7e5", "d1h5"],
        ['[White "A"]\n\n1. e4 e5 2. Qh5'],
    ],
)
def test_moves_on_the_command_line_are_a_game(halbzug: Command, words: list[str]) -> None:
    *moves, total = halbzug.json("analyse", *words, "--depth", "1", "--json")
    assert [move["uci"] for move in moves] == ["e2e4", "e7e5", "d1h5"]
    assert total["game"] == 1
    last = halbzug.output("analyse", *words, "--depth", "1", "--last-move")
    assert "Last move: 2.Qh5" in last


def test_a_long_game_on_the_command_line(halbzug: Command) -> None:
    moves = "Nf3 Nf6 Ng1 Ng8 " * 80
    lines = halbzug.json("analyse", moves, "--depth", "1", "--json", "--last-move")
    assert len(moves) > 1000 and lines[0]["game"] == 1
    halbzug.output("analyse", "1. e4", "--depth", "1", "--pgn", "out.pgn")
    assert "1. e4" in (halbzug.folder / "out.pgn").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ("1. Ke3 e5", "1.Ke3 is not legal"),
        ("1. e4 e5 2. Xf3", "2.Xf3: unknown piece letters X"),
        ("e1e3", "e1e3"),
        ("1. Nf33", "1.Nf33 is not a move"),
        ("1.", "neither tags nor moves"),
    ],
)
@pytest.mark.parametrize("option", [[], ["--html", "x.html"]])
def test_invalid_moves_on_the_command_line_are_one_line(
    halbzug: Command, moves: str, words: str, option: list[str]
) -> None:
    process = halbzug.run("analyse", moves, "--depth", "1", *option)
    assert (process.returncode, process.stdout) == (1, "")
    assert words in process.stderr and process.stderr.count("\n") == 1
    assert not (halbzug.folder / "x.html").exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1. Ke3 *", "halbzug: game 1: 1.Ke3 is not legal"),
        ('[Variant "Foo"]\n\n1. e4 *', "halbzug: game 1: unsupported variant: Foo"),
        ('[Variant "Atomic"]\n\n1. e4 *', "halbzug: game 1: a game of atomic"),
        ("", "halbzug: no position in game.pgn"),
    ],
)
@pytest.mark.parametrize("option", ["--html", "--pgn"])
def test_a_game_that_cannot_be_annotated_says_why(
    halbzug: Command, text: str, words: str, option: str
) -> None:
    path = halbzug.write("game.pgn", text)
    process = halbzug.run("analyse", path, option, "out")
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr.startswith(words) and process.stderr.count("\n") == 1
    assert not (halbzug.folder / "out").exists()


@pytest.mark.parametrize(
    "content", ["", "hello\n", "\n\n", "1. Ke3 *", '[Variant "Atomic"]\n\n1. e4 *']
)
def test_text_that_is_not_a_game_is_one_line(halbzug: Command, content: str) -> None:
    process = halbzug.run("analyse", halbzug.write("broken.pgn", content))
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr.startswith("halbzug: ")
    assert process.stderr.count("\n") == 1


def test_binary_data_causes_no_traceback(halbzug: Command) -> None:
    (halbzug.folder / "noise.pgn").write_bytes(bytes(range(256)) * 8)
    process = halbzug.run("analyse", "noise.pgn", "--depth", "1")
    assert process.returncode == 1
    assert "Traceback" not in process.stderr


@pytest.mark.slow
def test_standard_input_takes_positions_and_games(halbzug: Command) -> None:
    for text in (MATE_IN_TWO, OPERA_GAME):
        output = halbzug.output("analyse", "-", "--last-move", "--depth", "6", stdin=text)
        assert output.endswith("Best move: Qb8+ (b3b8)\n")
    process = halbzug.run("analyse", "-")
    assert process.returncode == 1
    assert process.stderr == "halbzug: no position in standard input\n"


def test_letters_replace_chess_symbols_where_the_terminal_lacks_them(halbzug: Command) -> None:
    text = halbzug.output("analyse", MATE_IN_ONE, "-d", "2", PYTHONIOENCODING="ascii")
    assert text.isascii()
    assert text.splitlines()[0].split()[:2] == ["8", "k"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("module", ["chess.polyglot", "click"])
def test_an_interrupt_during_start_up_is_quiet(halbzug: Command, module: str) -> None:
    start = (
        "import os, signal, sys\n"
        "class Impatient:\n"
        "    def find_spec(self, name, *rest):\n"
        f"        if name == {module!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Impatient())\n"
        "from halbzug.__main__ import main\n"
        "sys.exit(main())"
    )
    halbzug.program = [sys.executable, "-c", start]
    process = halbzug.run("perft", "startpos", "1")
    assert (process.returncode, process.stdout, process.stderr) == (130, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_an_interrupt_ends_a_count_that_would_take_years(halbzug: Command) -> None:
    process = halbzug.start("perft", "k7/8/8/8/8/8/8/K7 w - - 0 1", "25")
    wait_for_cpu(process.pid, 0.8)  # it prints nothing until it has begun
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=PATIENCE_SECONDS) == ("", "")
    assert process.returncode == 130


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_an_interrupt_shows_the_results_so_far(halbzug: Command, options: list[str]) -> None:
    process = halbzug.start("analyse", "startpos", "--time", "30", *options)
    assert process.stdout is not None
    process.stdout.readline()  # wait for the board or the first line of analysis
    if not options:
        wait_for_cpu(process.pid, 1.0)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, errors) == (130, "")
    last = output.splitlines()[-1]
    if options:
        assert json.loads(last)["interrupted"] and json.loads(last)["bestmove"]
    else:
        assert last.startswith("Best move: ") and not last.endswith("none yet")


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX pipes")
@pytest.mark.parametrize(
    "arguments",
    [
        ["analyse", "list.epd", "-d", "1"],
        pytest.param(["analyse", "list.epd", "-d", "1", "--json"], marks=pytest.mark.slow),
    ],
)
def test_a_closed_pipe_ends_quietly(halbzug: Command, arguments: list[str]) -> None:
    halbzug.write("list.epd", f"{MATE_IN_ONE}\n" * 200)
    process = halbzug.start(*arguments)
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=PATIENCE_SECONDS) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a Linux device")
@pytest.mark.parametrize(
    "arguments",
    [
        ["perft", "startpos", "1"],
        pytest.param(["explain", "eval", "startpos"], marks=pytest.mark.slow),
        pytest.param(["--version"], marks=pytest.mark.slow),
    ],
)
def test_a_full_disk_is_one_line(halbzug: Command, arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        process = subprocess.run(
            [*halbzug.program, *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            cwd=halbzug.folder,
            env=halbzug.environment,
            timeout=60,
            check=False,
        )
    assert process.stderr == "halbzug: No space left on device\n"
    assert process.returncode == 1


# -- bench and perft ----------------------------------------------------------------------------


def test_bench_gives_the_same_signature_twice(halbzug: Command) -> None:
    text = halbzug.output("bench", "--depth", "1")
    report = halbzug.json("bench", "--depth", "1", "--json")[0]
    assert f"{report['signature']} nodes" in text
    assert report["build"] in text
    assert report["positions"] >= 50
    assert report["nps"] > 0


def read_as_openbench(output: str) -> tuple[int, int]:
    """Nodes and nodes per second, found as OpenBench finds them."""
    found: dict[str, int] = {}
    for line in reversed(output.strip().split("\n")):
        plain = re.sub(r"[^a-zA-Z0-9 ]+", " ", line).upper()
        for name in ("NODES", "NPS"):
            match = re.search(rf"([0-9]+) {name}|{name} +([0-9]+)", plain)
            if match and name not in found:
                found[name] = int(match[1] or match[2])
    return found["NODES"], found["NPS"]


@pytest.mark.slow
def test_bench_ends_with_a_line_that_openbench_reads(halbzug: Command) -> None:
    signature = halbzug.json("bench", "--depth", "1", "--json")[0]["signature"]
    for output in (halbzug.output("bench", "--depth", "1"), halbzug.output(stdin="bench 1\n")):
        last = output.splitlines()[-1]
        nodes, speed = read_as_openbench(output)
        assert last == f"{nodes} nodes {speed} nps"
        assert nodes == signature
        assert speed > 1000


def test_a_pure_build_cannot_be_compared_with_itself(halbzug: Command) -> None:
    process = halbzug.run("bench", "--against-pure", "--json", HALBZUG_PURE="1")
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr.count("\n") == 1
    assert "pure" in process.stderr


@pytest.mark.slow
def test_against_pure_shows_ratios_and_one_signature(halbzug: Command) -> None:
    if "compiled" not in halbzug.output("--version"):
        pytest.skip("needs the compiled build")
    process = halbzug.run("bench", "--against-pure", "--depth", "1", "--json")
    report = json.loads(process.stdout)
    assert process.returncode == 0
    assert report["same_signature"]
    assert report["perft_ratio"] > 1 and report["search_ratio"] > 1


def test_perft_divides_and_totals(halbzug: Command) -> None:
    lines = halbzug.output("perft", "startpos", "3").splitlines()
    counts = lines[: lines.index("")]
    assert len(counts) == 20
    assert counts == sorted(counts)
    assert sum(int(line.split()[1]) for line in counts) == 8902
    assert "Nodes searched: 8902" in lines


@pytest.mark.parametrize(
    ("arguments", "nodes"),
    [
        (["8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "3"], 2812),
        (["n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", "3"], 9483),
        (["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", "2"], 2039),
        (
            [
                "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
                "3",
                "--chess960",
            ],
            12189,
        ),
    ],
)
def test_perft_gives_the_published_numbers(
    halbzug: Command, arguments: list[str], nodes: int
) -> None:
    report = halbzug.json("perft", *arguments, "--json")[0]
    assert report["nodes"] == nodes == sum(report["moves"].values())


def test_perft_marks_promotions_with_their_letter(halbzug: Command) -> None:
    moves = halbzug.json("perft", "7k/P7/8/8/8/8/8/K7 w - - 0 1", "1", "--json")[0]["moves"]
    assert {"a7a8q", "a7a8r", "a7a8b", "a7a8n"} < set(moves)


def test_perft_of_an_invalid_position_is_one_line(halbzug: Command) -> None:
    process = halbzug.run("perft", "8/8/8/8/8/8/8/8 w - - 0 1", "2")
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr == "halbzug: impossible position: the board is empty\n"


# -- export -------------------------------------------------------------------------------------


def test_export_writes_the_network_that_the_engine_plays_with(halbzug: Command) -> None:
    said = halbzug.output("export", "mine.nnue")
    assert "mine.nnue: 1,024 neurons, 8 king buckets" in said
    assert (halbzug.folder / "mine.nnue").read_bytes() == SHIPPED.read_bytes()
    half = halbzug.output("export", "half.nnue", "--eval-file", "mine.nnue", "--scale", "512")
    assert "scale 512" in half


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("x.nnue", "--eval-file", "missing.nnue"), "missing.nnue: file is missing"),
        (("x.nnue", "--eval-file", "terms"), "the terms are not a network"),
        (("no/folder/x.nnue",), "cannot write "),
    ],
)
def test_export_says_in_one_line_why_it_cannot_write_a_file(
    halbzug: Command, arguments: tuple[str, ...], message: str
) -> None:
    process = halbzug.run("export", *arguments)
    assert process.returncode == 1
    assert message in process.stderr and process.stderr.count("\n") == 1
    assert not (halbzug.folder / "x.nnue").exists()


def test_bench_with_a_network_names_it_and_the_terms_remain_unchanged(halbzug: Command) -> None:
    by_terms = halbzug.json("bench", "--depth", "1", "--json")[0]
    by_network = halbzug.json("bench", "--depth", "1", "--json", "--eval-file", "network")[0]
    assert (by_terms["evaluation"], by_network["evaluation"]) == ("terms", "network")
    assert by_terms["signature"] != by_network["signature"]
    assert halbzug.json("bench", "--depth", "1", "--json")[0]["signature"] == by_terms["signature"]
    process = halbzug.run("bench", "--eval-file", "missing.nnue")
    assert process.returncode == 1
    assert process.stderr == "halbzug: missing.nnue is not used: file is missing\n"

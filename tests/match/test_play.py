"""A game in the terminal: input, output, and saved files."""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import chess
import chess.pgn
import pytest
from command_line import Command, read_to_end

from halbzug.match.terminal_game import read_move

pytestmark = pytest.mark.any_build

QUICK = ("--time", "0.05")

#: White mates with Ra8.
MATE_IN_ONE = "7k/5ppp/8/8/8/8/8/R3K3 w - - 0 1"

#: White mates with Qb8+ and Rd8.
MATE_IN_TWO = "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16"

#: The book has no reply here.
UNKNOWN = "rnbqkbnr/pppppppp/8/8/8/N6N/PPPPPPPP/R1BQKB1R w KQkq - 0 1"


def sit_down(halbzug: Command, *words: str, options: tuple[str, ...] = ()) -> str:
    """Play a game with these input lines; return the output."""
    return halbzug.output("play", *QUICK, *options, stdin="\n".join(words) + "\n")


def saved(halbzug: Command, name: str = "halbzug-games.pgn") -> list[chess.pgn.Game]:
    text = io.StringIO((halbzug.folder / name).read_text(encoding="utf-8"))
    games = []
    while game := chess.pgn.read_game(text):
        assert not game.errors
        games.append(game)
    return games


def test_the_engine_answers_and_the_game_is_saved(halbzug: Command) -> None:
    text = sit_down(halbzug, "e4", "d2d4", "quit")
    assert "Last move: 2..." in text
    (game,) = saved(halbzug)
    moves = [node.san() for node in game.mainline()]
    assert len(moves) == 4 and moves[::2] == ["e4", "d4"]
    assert game.headers["White"] == "You" and game.headers["Black"] == "Halbzug"
    assert game.headers["Result"] == "*"


def test_a_game_in_german(halbzug: Command) -> None:
    options = ("--language", "de", "--fen", MATE_IN_TWO)
    text = sit_down(halbzug, "help", "Nf3", "hint", "db8", "Td8", options=options)
    assert "Ein Zug wie Sf3" in text and "Sie (Weiß)" in text
    assert "Nf3 ist hier kein möglicher Zug" in text
    assert "Db8+ (#2 für Sie)" in text and "Letzter Zug: 16...Sxb8" in text
    assert "1-0: Weiß setzt matt." in text
    (game,) = saved(halbzug)
    assert [node.san() for node in game.mainline()] == ["Qb8+", "Nxb8", "Rd8#"]
    assert game.headers["White"] == "Sie" and game.end().comment == "White mates"


def test_a_move_from_the_book_is_told_in_german(halbzug: Command) -> None:
    text = sit_down(halbzug, "e4", "quit", options=("--language", "de"))
    assert re.search(r"Buchzug, gespielt in \d+ % der Partien des Buchs", text)


def test_black_sees_the_board_from_his_side(halbzug: Command) -> None:
    text = sit_down(halbzug, "quit", options=("--black", "--name", "Ada"))
    ranks = [line.split()[0] for line in text.splitlines() if line[:1] in "12345678" and line]
    assert ranks[:8] == list("12345678")
    (game,) = saved(halbzug)
    assert game.headers["Black"] == "Ada" and len(list(game.mainline())) == 1


def test_mate_ends_the_game(halbzug: Command) -> None:
    text = sit_down(halbzug, "Ra8", options=("--fen", MATE_IN_ONE))
    assert "1-0: White mates." in text
    (game,) = saved(halbzug)
    assert game.headers["Result"] == "1-0" and game.headers["Termination"] == "normal"
    assert game.headers["FEN"] == MATE_IN_ONE


def test_invalid_input_costs_nothing(halbzug: Command) -> None:
    text = sit_down(halbzug, "e5", "rubbish", "", "e4", "quit")
    assert "e5 is not a legal move here" in text and "rubbish is not" in text
    assert len(list(saved(halbzug)[0].mainline())) == 2


def test_moves_can_be_taken_back(halbzug: Command) -> None:
    text = sit_down(halbzug, "back", "e4", "back", "d4", "quit")
    assert "There is nothing to take back." in text
    assert next(iter(saved(halbzug)[0].mainline())).san() == "d4"


def test_a_hint_is_a_good_move(halbzug: Command) -> None:
    text = sit_down(halbzug, "hint", "quit", options=("--fen", MATE_IN_ONE))
    assert "1.Ra8# (#1 for you)" in text


def test_the_other_commands(halbzug: Command) -> None:
    text = sit_down(halbzug, "help", "moves", "score", "fen", "flip", "e4", "score", "quit")
    assert "take back your last move" in text
    assert "Nc3 Nf3 Nh3 a3" in text
    assert "No move yet." in text and "1.e4 " in text
    assert chess.STARTING_FEN in text


@pytest.mark.slow
def test_a_third_repetition_draws_the_game_and_its_mere_possibility_does_not(
    halbzug: Command,
) -> None:
    """Black's moves are forced. Another check before our last move would repeat the position."""
    fen = "8/6pk/8/8/8/8/4Q3/K7 w - - 0 1"
    checks = ("Qh5", "Qe8", "Qh5", "Qe8")
    assert "repetition" not in sit_down(halbzug, *checks, "Qe4", "quit", options=("--fen", fen))
    text = sit_down(halbzug, *checks, "Qh5", options=("--fen", fen))
    assert "1/2-1/2: Draw by threefold repetition." in text
    going_on, drawn = saved(halbzug)
    assert len(list(going_on.mainline())) == 10 and going_on.headers["Result"] == "*"
    assert drawn.headers["Result"] == "1/2-1/2" and "repetition" in drawn.end().comment


def test_resigning_loses_the_game(halbzug: Command) -> None:
    assert "0-1: White resigns." in sit_down(halbzug, "e4", "resign")
    assert saved(halbzug)[0].headers["Result"] == "0-1"


@pytest.mark.slow
def test_draws_are_refused_early_and_accepted_when_the_engine_is_worse(halbzug: Command) -> None:
    assert "rather play on" in sit_down(halbzug, "e4", "draw", "quit")
    worse = "4k3/8/8/8/8/8/PPP5/4K2Q w - - 0 40"
    assert "1/2-1/2: Draw by agreement." in sit_down(
        halbzug, "a3", "draw", options=("--fen", worse)
    )


def test_the_clock_is_shown_and_saved(halbzug: Command) -> None:
    text = sit_down(halbzug, "e4", "quit", options=("--clock", "5+3"))
    assert "5:00" in text
    (game,) = saved(halbzug)
    assert game.headers["TimeControl"] == "300+3"
    assert all(290 < (node.clock() or 0) < 304 for node in game.mainline())


def test_a_level_is_kept_and_recorded_but_hints_are_honest(halbzug: Command) -> None:
    """The weakest level sees only a few nodes; the hint is at full strength."""
    text = sit_down(halbzug, "hint", "a4", "quit", options=("--elo", "800", "--fen", MATE_IN_TWO))
    assert "(#2 for you)" in text
    assert saved(halbzug)[0].headers["BlackElo"] == "800"


@pytest.mark.slow
def test_running_out_of_time_loses(halbzug: Command) -> None:
    text = sit_down(halbzug, "hint", "e4", options=("--clock", "0.01"))
    assert "0-1: White loses on time." in text


def test_chess960_castles_by_taking_the_rook(halbzug: Command) -> None:
    fen = "1k6/8/8/8/8/8/8/RK3R2 w FA - 0 1"
    sit_down(halbzug, "b1f1", "quit", options=("--fen", fen))
    (game,) = saved(halbzug)
    assert game.headers["Variant"] == "Chess960"
    assert next(iter(game.mainline())).san() == "O-O"


@pytest.mark.slow
@pytest.mark.parametrize("options", [("--chess960", "518"), ("--chess960",)])
def test_chess960_start_positions(halbzug: Command, options: tuple[str, ...]) -> None:
    text = sit_down(halbzug, "a3", "fen", "quit", options=options)
    assert "w " in text
    assert saved(halbzug)[0].headers["Variant"] == "Chess960"


def test_games_are_appended(halbzug: Command) -> None:
    for _ in range(2):
        sit_down(halbzug, "e4", "quit", options=("--pgn", "mine.pgn"))
    assert len(saved(halbzug, "mine.pgn")) == 2


@pytest.mark.slow
@pytest.mark.parametrize("typed", ["", "quit\n", "e4\nback\nquit\n"])
def test_a_game_without_a_move_leaves_nothing(halbzug: Command, typed: str) -> None:
    halbzug.output("play", "--time", "0.05", stdin=typed)
    assert list(halbzug.folder.iterdir()) == []


def test_the_end_of_the_input_saves_the_game(halbzug: Command) -> None:
    sit_down(halbzug, "e4")
    assert len(list(saved(halbzug)[0].mainline())) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--fen", "rubbish"], 1, "not a FEN"),
        (["--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], 1, "the game is over"),
        (["--elo", "100"], 2, "--elo"),
        (["--clock", "0"], 2, "MINUTES+SECONDS"),
        (["--chess960", "960"], 2, "0 to 959"),
        (["--chess960", "1", "--fen", MATE_IN_ONE], 2, "cannot be combined"),
        (["--fen", ""], 1, "not a FEN"),
        (["--pgn", "missing/games.pgn"], 1, "cannot write missing/games.pgn"),
    ],
)
def test_wrong_usage_is_one_line(
    halbzug: Command, options: list[str], code: int, words: str
) -> None:
    process = halbzug.run("play", *options, stdin="quit\n")
    assert (process.returncode, process.stdout) == (code, "")
    assert words in process.stderr and process.stderr.count("\n") == 1


def start(halbzug: Command, *options: str, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*halbzug.program, "play", *QUICK, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=halbzug.folder,
        env={**halbzug.environment, **environment},
    )


def await_text(process: subprocess.Popen[bytes], text: bytes) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if text in line:
            return
    raise AssertionError(f"no {text!r}")


STRICT_LOCALES = [
    {"PYTHONIOENCODING": "ascii:strict"},
    {"PYTHONIOENCODING": "utf-8:strict"},
    {"PYTHONIOENCODING": "", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
]


@pytest.mark.slow
@pytest.mark.parametrize("environment", STRICT_LOCALES)
def test_an_invalid_byte_costs_nothing(halbzug: Command, environment: dict[str, str]) -> None:
    with start(halbzug, **environment) as process:
        output, errors = process.communicate(b"e4\n\xff\xc3\xa9\xe9\nd4\nquit\n", timeout=60)
    assert (process.returncode, errors) == (0, b"")
    assert b"not a legal move here" in output
    assert len(list(saved(halbzug)[0].mainline())) == 4


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
@pytest.mark.parametrize("is_thinking", [False, True])
def test_a_signal_saves_the_game(halbzug: Command, name: str, is_thinking: bool) -> None:
    number = signal.Signals[name]
    with start(halbzug, *(("--time", "300", "--fen", UNKNOWN) if is_thinking else ())) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(b"e4\n")
        process.stdin.flush()
        if is_thinking:
            await_text(process, b"Good luck")
            time.sleep(2)
        else:
            await_text(process, b"Last move: 1...")
        process.send_signal(number)
        process.send_signal(number)
        assert process.wait(timeout=60) == 128 + number
        assert process.stderr.read() == b""
    (game,) = saved(halbzug)
    assert len(list(game.mainline())) == (1 if is_thinking else 2)
    assert game.headers["Termination"] == "unterminated"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_closing_the_terminal_saves_the_game(halbzug: Command) -> None:
    """The kernel sends SIGHUP to the processes at the terminal, and nothing can be printed any
    more.
    """
    import pty

    child, front = pty.fork()
    if child == 0:  # the process is in the terminal's session, with its standard streams
        os.chdir(halbzug.folder)
        environment = {**halbzug.environment, "TERM": "xterm-256color"}
        os.execve(halbzug.program[0], [*halbzug.program, "play", *QUICK], environment)
    os.write(front, b"e4\n")
    seen = b""
    while b"Last move: 1..." not in seen:
        seen += os.read(front, 65536)
    os.close(front)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 128 + signal.SIGHUP
    assert len(list(saved(halbzug)[0].mainline())) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX pipes")
def test_a_reader_that_leaves_does_not_lose_the_game(halbzug: Command) -> None:
    with start(halbzug) as process:
        assert process.stdin and process.stdout
        process.stdin.write(b"e4\n")
        process.stdin.flush()
        await_text(process, b"Last move: 1...")
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(b"d4\nfen\nfen\n")
            process.stdin.close()
        process.wait(timeout=60)
    assert len(list(saved(halbzug)[0].mainline())) >= 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_file_that_cannot_be_written_loses_no_game(halbzug: Command) -> None:
    process = halbzug.run("play", *QUICK, "--pgn", "/dev/full", stdin="e4\nd4\nquit\n")
    assert process.returncode == 1
    assert process.stderr == (
        "halbzug: cannot write /dev/full: No space left on device; "
        "the game is in halbzug-games.pgn instead\n"
    )
    assert len(list(saved(halbzug)[0].mainline())) == 4


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_game_that_cannot_be_saved_anywhere_is_shown(halbzug: Command) -> None:
    (halbzug.folder / "halbzug-games.pgn").symlink_to("/dev/full")
    process = halbzug.run("play", *QUICK, stdin="e4\nd4\nquit\n")
    assert process.returncode == 1 and process.stderr.count("\n") == 1
    assert "the game is shown instead" in process.stderr
    game = chess.pgn.read_game(io.StringIO(process.stdout[process.stdout.index("[Event") :]))
    assert game and len(list(game.mainline())) == 4


@pytest.mark.slow
def test_a_full_disk_leaves_the_existing_games(halbzug: Command) -> None:
    """A limit on the size of files stands in for a full disk."""
    pytest.importorskip("resource")
    mine = halbzug.folder / "mine.pgn"
    sit_down(halbzug, "e4", "quit", options=("--pgn", "mine.pgn"))
    before = mine.read_bytes()
    arguments = ("play", "--pgn", "mine.pgn")
    process = halbzug.run_with_full_disk(len(before) + 50, *arguments, stdin="e4\nquit\n")
    assert "cannot write mine.pgn" in process.stderr and process.stderr.count("\n") == 1
    assert mine.read_bytes() == before
    assert len(list(saved(halbzug)[0].mainline())) == 2


def test_a_file_without_a_final_empty_line_gets_one(halbzug: Command) -> None:
    halbzug.write("mine.pgn", '[White "Ada"]\n\n1. e4 e5 *')
    sit_down(halbzug, "d4", "quit", options=("--pgn", "mine.pgn"))
    assert [game.headers["White"] for game in saved(halbzug, "mine.pgn")] == ["Ada", "You"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ('x"]\n[Result "1-0', 'x\\"] [Result \\"1-0'),
        ("back\\slash", "back\\\\slash"),
        ("bell\a esc\x1b[31m c1\x9b31m override\u202e", "bell  esc [31m c1 31m override "),
        ("Łukasz [/b] [red]", "Łukasz [/b] [red]"),
    ],
)
def test_a_name_is_only_a_name(halbzug: Command, name: str, tag: str) -> None:
    text = sit_down(halbzug, "e4", "resign", options=("--name", name))
    assert "\x1b" not in text and "\x9b" not in text and "\u202e" not in text
    (game,) = saved(halbzug)
    assert game.headers["White"] == tag and game.headers["Result"] == "0-1"


@pytest.mark.skipif(sys.platform == "win32", reason="needs arguments in bytes")
def test_a_name_that_is_not_utf8_loses_no_game(halbzug: Command) -> None:
    sit_down(halbzug, "e4", "quit", options=("--name", os.fsdecode(b"M\xfcller")))
    assert saved(halbzug)[0].headers["White"] == "M ller"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_a_real_terminal_shows_a_board_in_colour(halbzug: Command) -> None:
    import pty

    front, back = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "halbzug", "play", *QUICK],
        stdin=back,
        stdout=back,
        stderr=back,
        cwd=halbzug.folder,
        env={**halbzug.environment, "TERM": "xterm-256color"},
    ) as process:
        os.close(back)
        os.write(front, b"e4\nquit\n")
        seen = read_to_end(front)
        assert process.wait(timeout=60) == 0
    os.close(front)
    assert b"\x1b[" in seen and "♞".encode() in seen
    assert b"Last move: 1..." in seen


@pytest.mark.parametrize(
    ("text", "uci"),
    [
        ("Nf3", "g1f3"),
        ("nf3", "g1f3"),
        ("1. Nf3", "g1f3"),
        ("Nf3!?", "g1f3"),
        ("G1F3", "g1f3"),
        ("e4", "e2e4"),
    ],
)
def test_moves_in_common_notations(text: str, uci: str) -> None:
    assert read_move(chess.Board(), text) == chess.Move.from_uci(uci)


@pytest.mark.parametrize("text", ["O-O", "0-0", "o-o", "e1g1", "O-O+"])
def test_castling_in_common_notations(text: str) -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert read_move(board, text) == chess.Move.from_uci("e1g1")


def test_promotions_and_ambiguous_moves() -> None:
    board = chess.Board("8/4P3/8/8/k7/8/K7/N3N3 w - - 0 1")
    assert read_move(board, "e8=Q") == read_move(board, "e7e8q")
    assert isinstance(read_move(board, "Nc2"), str)
    assert "is ambiguous" in str(read_move(board, "Nc2"))

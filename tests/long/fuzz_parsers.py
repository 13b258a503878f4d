"""Coverage-guided fuzzing of everything that reads external input, with atheris (libFuzzer).

    pip install -e ".[fuzz]"
    python tests/long/fuzz_parsers.py fen --seconds 7200

Each target takes any bytes, and raises an error only if its reader breaks its promises: it may
raise only its documented error, in one short line, and what it accepts must be sound. `corpus/NAME`
holds the seeds and every finding: `test_fuzz_parsers` gives them to the targets in each run.

Only Python is instrumented, not C: the engine runs here in pure Python.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

CORPUS = Path(__file__).parents[1] / "corpus"

#: The seconds that a single input may take while instrumented.
MAX_SECONDS = 20

#: The memory that a target may need, in MiB.
MAX_MEMORY_MB = 1024

#: Words that libFuzzer would need long to find by itself.
WORDS = {
    "line": (
        *("uci", "isready", "go ", "position ", "setoption name ", " value ", "startpos", "fen "),
        *(" moves ", "e2e4", "wtime ", "btime ", "winc ", "movestogo ", "movetime ", "depth "),
        *("nodes ", "mate ", "infinite", "ponder", "searchmoves ", "perft ", "bench ", "debug on"),
    ),
    "fen": (" w ", " b ", " KQkq ", " - ", "/8/8/", " HAha ", "rnbqkbnr", "pppppppp", " e3 ", "~"),
    "epd": (" w - - ", " bm ", " am ", " dm ", " id ", '"', ";", "hmvc 1;", "fmvn 1;", "Nf3"),
    "options": ("Hash\n", "Threads\n", "UCI_Elo\n", "BookFile\n", "true", "false", "<empty>"),
    "engine": ("; ", "=", '"', "'", "\\", "halbzug", "Threads=4"),
    "record": (
        '[Event "halbzug match"]\n',
        "[Round ",
        "[MatchId ",
        '"]\n',
        "1-0",
        "1/2-1/2",
        "\n\n",
    ),
    "pgn": (
        '[Event "',
        '[FEN "',
        '[SetUp "1"]',
        '[Variant "',
        "1. e4 e5",
        "{",
        "}",
        "(",
        ")",
        "$1",
    ),
}


def check_message(text: str, max_length: int = 500) -> None:
    """A message must fit into one line."""
    from halbzug.base.text import visible

    # A letter that this Python's Unicode does not know yet is not printable, but misleads nobody.
    assert text.isprintable() or (visible(text) == text and len(text.splitlines()) == 1), text
    assert len(text) <= max_length, text


def line(data: bytes) -> None:
    """A line of UCI."""
    from halbzug.uci.parser import Bad, Go, parse

    command = parse(data.decode("utf-8", "replace"))
    complaints = command.complaints if isinstance(command, Go) else ()
    if isinstance(command, Bad):
        complaints = (command.complaint,)
    for complaint in complaints:
        check_message(complaint)


def fen(data: bytes) -> None:
    """A position."""
    from halbzug.board.fen import read_position

    text = data.decode("utf-8", "replace")
    for chess960 in (False, True):
        try:
            board = read_position(text, chess960)
        except ValueError as error:
            check_message(str(error))
            continue
        assert board.king(True) is not None and board.king(False) is not None
        again = read_position(board.fen(shredder=chess960, en_passant="fen"), chess960)
        assert again.fen(en_passant="fen") == board.fen(en_passant="fen")
        for move in list(board.legal_moves):
            assert board.parse_uci(move.uci()) == move
            board.push(move)
            board.pop()


def epd(data: bytes) -> None:
    """A record of a test suite or of a file of openings."""
    from halbzug.batch.positions import Failure, read_record
    from halbzug.match.openings import Openings

    text = data.decode("utf-8", "replace")
    item = read_record(text, "line 1", "line 1")
    if isinstance(item, Failure):
        assert len(item.message.splitlines()) == 1 and len(item.message) < 1000, item.message
    else:
        assert all(item.board.is_legal(move) for move in (*item.best, *item.avoid))
        assert item.board.is_valid() or item.board.status()
    try:
        board = Openings([("line 1", text)]).read(0)
    except ValueError as error:
        assert str(error)
    else:
        assert any(board.legal_moves)


@cache
def _scratch(name: str) -> Path:
    folder = Path("/dev/shm") if Path("/dev/shm").is_dir() else Path(tempfile.gettempdir())
    return folder / f"fuzz-{os.getpid()}-{name}"


def book(data: bytes) -> None:
    """A Polyglot book."""
    import chess

    from halbzug.books.opening_book import BookError, OpeningBook

    path = _scratch("book.bin")
    path.write_bytes(data)
    try:
        with OpeningBook(path) as opened:
            for moves in ("", "e2e4", "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6"):
                start = chess.Board()
                for move in moves.split():
                    start.push_uci(move)
                for variety in (0, 50, 100):
                    offer = opened.choose(start, variety, Random(1))
                    if offer:
                        assert start.is_legal(offer.move) and 0 <= offer.share <= 1
                        after = start.copy()
                        after.push(offer.move)
                        assert offer.ponder is None or after.is_legal(offer.ponder)
    except BookError as error:
        check_message(str(error))
    finally:
        path.unlink()


def options(data: bytes) -> None:
    """An option: its name, a line feed, and the value."""
    from halbzug.engine.options import Button, Check, Spin
    from halbzug.uci.session_options import find_option, read_value

    name, separator, text = data.decode("utf-8", "replace").partition("\n")
    try:
        option = find_option(name)
        value = read_value(option, text if separator else None)
    except ValueError as error:
        check_message(str(error))
        return
    if isinstance(option, Spin):
        assert isinstance(value, int) and option.minimum <= value <= option.maximum
    elif isinstance(option, Button):
        assert value is None
    else:
        assert isinstance(value, bool if isinstance(option, Check) else str)


def engine(data: bytes) -> None:
    """An engine and a clock on the command line."""
    from halbzug.base.time_control import parse_clock
    from halbzug.client.engine_command import parse_engine

    text = data.decode("utf-8", "replace")
    with contextlib.suppress(ValueError):
        command = parse_engine(text)
        assert command.words
        assert command.program
    with contextlib.suppress(ValueError):
        clock = parse_clock(text)
        assert clock.base_seconds > 0
        assert str(clock)


def record(data: bytes) -> None:
    """The file from which a match is resumed."""
    from halbzug.match.match_record import GameFile, RecordError

    path = _scratch("games.pgn")
    path.write_bytes(data)
    try:
        with GameFile(path, "0123456789abcdef") as file:
            assert all(game.result in ("1-0", "0-1", "1/2-1/2") for game in file.games.values())
            first = file.games
        with GameFile(path, "0123456789abcdef") as file:  # opened again, it must be the same
            assert file.games == first
    except RecordError as error:
        assert len(str(error).splitlines()) == 1
    finally:
        path.unlink()


def pgn(data: bytes) -> None:
    """Games to analyse."""
    from halbzug.batch.filters import Selection
    from halbzug.batch.positions import Failure, How, SourceGame, Subject, read_games

    text = data.decode("utf-8", "replace")
    mainlines: dict[int | None, list[str]] = {}
    how = How(False, "all", Selection(), lambda note: check_message(note.message))
    for item in read_games(io.StringIO(text), "file", how):
        if isinstance(item, Subject):
            mainlines.setdefault(item.game, []).append(item.board.fen())
    for item in read_games(io.StringIO(text), "file", replace(how, part="game")):
        if isinstance(item, SourceGame):  # with comments and variations, which may have errors
            assert [each.board.fen() for each in item.subjects()] == mainlines[item.number]
        elif isinstance(item, Failure):
            check_message(item.message)


TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: target for target in (line, fen, epd, book, options, engine, record, pgn)
}


def corpus(name: str) -> list[Path]:
    """The seeds of a target, and the findings so far."""
    return sorted((CORPUS / name).iterdir())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run as a script until time is up or, with another exit code than 0, something is found."""
    parser = argparse.ArgumentParser(description="Fuzz a reader of external data.")
    parser.add_argument("name", choices=TARGETS)
    parser.add_argument("--seconds", type=int, default=7200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--found", type=Path, default=Path(), help="where findings are written")
    chosen = parser.parse_args(arguments)
    chosen.found.mkdir(parents=True, exist_ok=True)
    os.environ["HALBZUG_PURE"] = "1"
    sys.path.insert(0, str(Path(__file__).parents[2]))
    import atheris

    target = TARGETS[chosen.name]
    with atheris.instrument_imports(include=["halbzug", "chess"]):
        for path in corpus(chosen.name):
            target(path.read_bytes())  # so that everything it imports is instrumented
    folder = Path(tempfile.mkdtemp(prefix=f"fuzz-{chosen.name}-"))  # libFuzzer ends the process
    words = folder / "words"
    words.write_text(
        "".join(f'"{_escaped(word)}"\n' for word in WORDS.get(chosen.name, ())), encoding="ascii"
    )
    (folder / "corpus").mkdir()
    atheris.Setup(
        [
            sys.argv[0],
            f"-max_total_time={chosen.seconds}",
            f"-seed={chosen.seed}",
            f"-timeout={MAX_SECONDS}",
            f"-rss_limit_mb={MAX_MEMORY_MB}",
            f"-artifact_prefix={chosen.found.resolve()}/{chosen.name}-",
            *([f"-dict={words}"] if words.stat().st_size else []),
            "-print_final_stats=1",
            "-max_len=4096",
            str(folder / "corpus"),
            str(CORPUS / chosen.name),
        ],
        target,
    )
    atheris.Fuzz()


def _escaped(word: str) -> str:
    return "".join(letter if letter.isalnum() else f"\\x{ord(letter):02x}" for letter in word)


if __name__ == "__main__":
    main()

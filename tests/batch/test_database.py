"""Databases of games: compressed files, games chosen by their tags, and positions of them."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import chess.pgn
import lichess_games
import pytest
from checkout import ROOT
from command_line import Command

from halbzug import Board
from halbzug.batch import filters, positions
from halbzug.batch.filters import Selection
from halbzug.batch.positions import Failure, SourceGame, Subject
from halbzug.board.games import GameLines
from halbzug.board.pgn import read_mainline
from halbzug.search.quiet import is_quiet

pytestmark = pytest.mark.any_build

GAMES = list(lichess_games.games(12))
PGN = "".join(GAMES)

SCHEMA = ROOT / "docs/reference/positions.schema.json"


def zstd_compress(data: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        zstd = pytest.importorskip("backports.zstd")
    # A long window and a skippable frame, as parallel compressors write them.
    options = {zstd.CompressionParameter.window_log: 27, zstd.CompressionParameter.checksum_flag: 1}
    return b"\x5a\x2a\x4d\x18\x03\0\0\0abc" + bytes(zstd.compress(data, options=options))


COMPRESSIONS: list[Any] = [
    pytest.param(gzip.compress, id="gz"),
    pytest.param(bz2.compress, id="bz2"),
    pytest.param(lzma.compress, id="xz"),
    pytest.param(zstd_compress, id="zst"),
]


def read(path: Path, **how: Any) -> list[positions.Item]:
    return list(positions.read(str(path), **how))


@pytest.mark.parametrize("blank", ["\n", "\n\n", "\n\n\n"])
def test_games_are_counted_whatever_lies_between_them(blank: str, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(blank.join(GAMES))
    found = [item.number for item in read(path) if isinstance(item, SourceGame)]
    assert found == list(range(1, len(GAMES) + 1))


# -- compressed files ---------------------------------------------------------------------------


@pytest.mark.parametrize("compress", COMPRESSIONS)
def test_a_compressed_file_is_read_like_its_contents(
    compress: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    data = PGN.encode()
    plain, packed = tmp_path / "plain.pgn", tmp_path / "month"  # recognized by its content
    plain.write_bytes(data)
    packed.write_bytes(b"".join(compress(data[at : at + 5000]) for at in range(0, len(data), 5000)))
    assert read(packed, part="all") == read(plain, part="all")


@pytest.mark.parametrize("compress", COMPRESSIONS)
@pytest.mark.parametrize("damage", ["cut off", "damaged"])
def test_everything_before_the_damage_is_read(
    compress: Callable[[bytes], bytes], damage: str, tmp_path: Path
) -> None:
    half = len("".join(GAMES[:6]))
    whole, rest = compress(PGN[:half].encode()), compress(PGN[half:].encode())
    packed = tmp_path / "games.pgn.packed"
    packed.write_bytes(whole + (rest[:40] if damage == "cut off" else b"no frame" * 9))
    *games, failure = read(packed)
    assert [game.number for game in games if isinstance(game, SourceGame)] == list(range(1, 7))
    assert isinstance(failure, Failure)
    assert failure.message.startswith("cannot read ")
    assert f": the compressed data is {damage}" in failure.message


def test_standard_input_and_lists_of_positions_may_be_compressed(halbzug: Command) -> None:
    fen = "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1"
    (halbzug.folder / "many.fen.gz").write_bytes(gzip.compress(f"{fen}\n{fen}\n".encode()))
    process = subprocess.run(
        [*halbzug.program, "analyse", "-", "--depth", "1", "--json"],
        input=(halbzug.folder / "many.fen.gz").read_bytes(),
        stdout=subprocess.PIPE,
        env=halbzug.environment,
        check=True,
    )
    lines = halbzug.json("analyse", "many.fen.gz", "--depth", "1", "--json")
    assert [line["position"] for line in lines] == [fen, fen]
    assert process.stdout.count(b"\n") == 2


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python has the module")
def test_without_the_extra_the_error_says_how_to_install_it(halbzug: Command) -> None:
    halbzug.write("backports.py", "raise ImportError('not here')\n")
    (halbzug.folder / "a.pgn.zst").write_bytes(b"\x28\xb5\x2f\xfd" + bytes(9))
    process = halbzug.run("analyse", "a.pgn.zst", PYTHONPATH=str(halbzug.folder))
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr.endswith("pip install backports.zstd\n")
    assert process.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("compress", "line", "message"),
    [
        pytest.param(zstd_compress, "a" * 999, "a line of more", id="line-zst"),
        pytest.param(gzip.compress, "e4 e5 " * 20 + "\n", "a game of more", id="game-gz"),
    ],
)
def test_a_decompression_bomb_is_not_held_in_memory(
    compress: Callable[[bytes], bytes], line: str, message: str, tmp_path: Path
) -> None:
    resource = pytest.importorskip("resource")
    bomb = tmp_path / "bomb"
    bomb.write_bytes(compress(('[Event "?"]\n\n' + line * (40_000_000 // len(line))).encode()))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    (failure,) = read(bomb, part="all")
    assert isinstance(failure, Failure)
    assert message in failure.message
    if sys.platform == "linux":  # in KiB; holding the 40 MB would take more
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


# -- selecting games and positions ----------------------------------------------------------------


def test_a_game_read_completely_keeps_its_comments(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("1. e4 {best by test} e5 *\n", "utf-8")
    (found,) = read(path)
    assert isinstance(found, SourceGame)
    assert [node.comment for node in found.game.mainline()] == ["best by test", ""]


def test_mainlines_equal_those_of_python_chess() -> None:
    odd = """[White "A"]\n\n1. e4 (1. d4 {x} d5) e5 $1 2. Nf3!? {a
    b} Nc6 ; c } {
    3. Bb5 1-0\n\n[White "B"]\n[FEN "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1"]\n\n1. c7 Rd6+ *\n"""
    text = odd + PGN
    expected = io.StringIO(text)
    games = GameLines(io.StringIO(text), has_comments=False)
    while mainline := read_mainline(games):
        game = chess.pgn.read_game(expected)
        assert game is not None
        assert mainline.end.move_stack == list(game.mainline_moves())
        assert mainline.start.fen() == game.board().fen()
    assert games.number == 14


@pytest.mark.parametrize(
    ("test", "tags"),
    [
        (filters.rating_test("1800..2000"), {"WhiteElo": "1800", "BlackElo": "2000"}),
        (filters.rating_test("2500.."), {"WhiteElo": "2500", "BlackElo": "2830"}),
        (filters.time_control_test("blitz"), {"TimeControl": "180+2"}),
        (filters.time_control_test("bullet, 180+2"), {"TimeControl": "180+2"}),
        (filters.time_control_test("rapid"), {"TimeControl": "300+10"}),
        (filters.time_control_test("5400.."), {"TimeControl": "40/7200:3600"}),
        (filters.time_control_test("correspondence"), {"TimeControl": "-"}),
        (filters.result_test("draw"), {"Result": "1/2-1/2"}),
        (filters.date_test("2026-01"), {"Date": "2026.01.31"}),
        (filters.date_test("2025.."), {"Date": "2026.??.??"}),
        (filters.date_test("2026-01-15..2026-02"), {"UTCDate": "2026.02.28"}),
        (filters.opening_test("b9"), {"ECO": "B92"}),
        (filters.opening_test("grunfeld"), {"Opening": "Grünfeld Defense: Exchange Variation"}),
        (filters.opening_test("najdorf"), {"Opening": "Sicilian", "Variation": "Najdorf"}),
    ],
)
def test_filters_select_games(test: filters.GameTest, tags: dict[str, str]) -> None:
    assert test(tags)
    assert not test({})
    assert not test(dict.fromkeys(tags, "?"))


@pytest.mark.parametrize(
    ("test", "tags"),
    [
        (filters.rating_test("1800..2000"), {"WhiteElo": "1800", "BlackElo": "2001"}),
        (filters.time_control_test("blitz,correspondence"), {"TimeControl": "120+1"}),
        (filters.time_control_test("180+2"), {"TimeControl": "180+0"}),
        (filters.result_test("1-0,0-1"), {"Result": "*"}),
        (filters.date_test("2026-01"), {"Date": "2026.??.??"}),
        (filters.date_test("..2025"), {"Date": "2026.01.01"}),
        (filters.opening_test("B9"), {"ECO": "B8", "Opening": "B9"}),
    ],
)
def test_filters_that_match_no_game(test: filters.GameTest, tags: dict[str, str]) -> None:
    assert not test(tags)


def test_the_moves_of_rejected_games_are_not_parsed(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(PGN.replace(GAMES[0], '[Result "0-1"]\n\n1. Ke5 0-1\n\n'), encoding="utf-8")
    drawn = Selection((filters.result_test("draw,1-0"),))
    items = read(path, part="last", selection=drawn)
    numbers = [number for number, game in enumerate(GAMES, 1) if not game.endswith(" 0-1\n\n")]
    assert [item.game for item in items if isinstance(item, Subject)] == [
        number for number in numbers if number > 1
    ]


def test_filters_select_positions(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(PGN, encoding="utf-8")
    every = [item for item in read(path, part="all") if isinstance(item, Subject)]
    chosen = read(path, part="all", selection=Selection((), (5, 30), 7, True))
    assert 10 < len(chosen) < len(GAMES) * 4
    assert chosen == [
        subject
        for subject in every
        if len(subject.board.move_stack) in (5, 12, 19, 26) and is_quiet(subject.board)
    ]


@pytest.mark.parametrize(
    ("fen", "quiet"),
    [
        pytest.param(chess.STARTING_FEN, True, id="start"),
        pytest.param("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", False, id="check"),
        pytest.param("4k3/8/3p4/4p3/8/5N2/8/4K3 w - - 0 1", True, id="defended pawn"),
        pytest.param("4k3/8/8/4p3/8/5N2/8/4K3 w - - 0 1", False, id="free pawn"),
        pytest.param("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", False, id="promotion"),
        pytest.param("1r2k3/P7/8/8/8/8/8/4K3 b - - 0 1", True, id="the other side's promotion"),
        pytest.param("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1", False, id="stalemate"),
    ],
)
def test_only_quiet_positions_can_be_selected(fen: str, quiet: bool) -> None:
    assert is_quiet(Board(fen)) == quiet


@pytest.mark.parametrize(
    "arguments",
    [
        ("--rating", "2000"),
        ("--rating", "2400..2000"),
        ("--time-control", "fast"),
        ("--result", "2-0"),
        ("--date", "2026-13"),
        ("--opening", " "),
        ("--plies", "20-40"),
        ("--every", "9", "--html", "report.html"),
    ],
)
def test_invalid_filters_are_one_error_line(halbzug: Command, arguments: tuple[str, ...]) -> None:
    process = halbzug.run("analyse", halbzug.write("games.pgn", PGN), *arguments)
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.count("\n") == 1
    assert arguments[0].strip("-") in process.stderr or "whole games" in process.stderr


def test_an_empty_selection_is_reported(halbzug: Command) -> None:
    process = halbzug.run("analyse", halbzug.write("games.pgn", PGN), "--rating", "3900..")
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr == "halbzug: no such game among 12 games in games.pgn\n"
    fens = halbzug.write("many.fen", f"{chess.STARTING_FEN}\n")
    assert "no games" in halbzug.run("analyse", fens, "--quiet").stderr


# -- results ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results for positions of a database, of a list and of a test suite."""
    halbzug = Command(tmp_path_factory.mktemp("results"))
    mates = '7k/8/5K2/6Q1/8/8/8/8 w - - bm Qg7; id "a";\n' * 2
    for source, name, how in (
        (PGN, "games.pgn", ("--every", "31", "-k", "2")),
        (f"{chess.STARTING_FEN}\n7k/8/5K2/6Q1/8/8/8/8 w - - 0 1\n", "many.fen", ()),
        (mates, "suite.epd", ()),
    ):
        process = halbzug.run(
            *("analyse", halbzug.write(name, source), "-d", "2", "-o", f"{name}.jsonl", *how)
        )
        assert process.returncode == 0
    return halbzug.folder


def test_results_match_the_schema(results: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    validator.check_schema(validator.schema)
    for name in ("games.pgn", "many.fen", "suite.epd"):
        lines = (results / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        assert len(lines) > 1
        for line in lines:
            validator.validate(json.loads(line))


def test_results_name_their_games(results: Path) -> None:
    lines = (results / "games.pgn.jsonl").read_text(encoding="utf-8").splitlines()
    handle = io.StringIO(PGN)
    games = [chess.pgn.read_game(handle) for _ in GAMES]
    for result in map(json.loads, lines):
        game = games[result["game"] - 1]
        assert game is not None
        assert result["site"] == game.headers["Site"]
        assert result["white_elo"] == int(game.headers["WhiteElo"])
        node = next(islice(game.mainline(), result["ply"] - 1, None)) if result["ply"] else game
        assert result["position"] == node.board().fen()
        following = node.next()
        assert result["played"] == (following.move.uci() if following else None)

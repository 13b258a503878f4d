"""The opening book: its moves, damaged files, and how it is made."""

from __future__ import annotations

import os
import random
import struct
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn
import pytest
from checkout import ROOT
from chess.polyglot import zobrist_hash

from halbzug.books import builder, checker
from halbzug.books.builder import BuildOptions, build
from halbzug.books.opening_book import (
    BookError,
    OpeningBook,
    default_book_path,
    polyglot_code,
)

pytestmark = pytest.mark.any_build

ROOM = ROOT / "uci_engine" / "books"
SOURCE = ROOM / "source"
SCORES = SOURCE / "scores.epd"
ENTRY = struct.Struct(">QHHI")
CASTLING = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R {} KQkq - 0 8"


def entry(board: chess.Board, uci: str, weight: int) -> bytes:
    code = polyglot_code(board, chess.Move.from_uci(uci))
    return ENTRY.pack(zobrist_hash(board), code, weight, 0)


def book_of(path: Path, *entries: bytes) -> OpeningBook:
    path.write_bytes(b"".join(entries))
    return OpeningBook(path)


@pytest.fixture(scope="module")
def default_book() -> Iterator[OpeningBook]:
    with OpeningBook(default_book_path()) as book:
        yield book


# -- the book that ships ------------------------------------------------------------------------


def test_default_book_is_rebuilt_byte_for_byte(tmp_path: Path) -> None:
    build([SOURCE], tmp_path / "one.bin")
    assert (tmp_path / "one.bin").read_bytes() == default_book_path().read_bytes()


@pytest.mark.slow
def test_order_of_the_sources_does_not_matter(tmp_path: Path) -> None:
    build(sorted(SOURCE.glob("*.pgn"), reverse=True), tmp_path / "two.bin")
    assert (tmp_path / "two.bin").read_bytes() == default_book_path().read_bytes()


def test_default_book_is_large_legal_and_deep(default_book: OpeningBook) -> None:
    positions: dict[str, chess.Board] = {}
    for board in checker.source_boards([SOURCE]):
        if default_book.entries(board):
            positions.setdefault(board.epd(), board)
    assert len(positions) >= 2000
    by_color = [sum(board.turn is color for board in positions.values()) for color in (True, False)]
    assert min(by_color) >= 800
    assert sum(board.ply() >= 15 for board in positions.values()) >= 300
    entries = sum(len(default_book.entries(board)) for board in positions.values())
    assert entries == len(default_book), "an entry is illegal or cannot be reached"
    assert default_book.is_sorted


@pytest.mark.parametrize(
    ("opening", "reply"),
    [
        ("e4", {"e5", "c5", "e6", "c6"}),
        ("d4", {"d5", "Nf6"}),
        ("c4", {"e5", "Nf6", "c5"}),
        ("Nf3", {"d5", "Nf6"}),
    ],
)
def test_both_colours_know_the_common_openings(
    default_book: OpeningBook, opening: str, reply: set[str]
) -> None:
    board = chess.Board()
    assert opening in {board.san(offer.move) for offer in default_book.entries(board)}
    board.push_san(opening)
    assert reply <= {board.san(offer.move) for offer in default_book.entries(board)}


def test_every_eco_volume_has_a_chapter() -> None:
    codes = {game.headers["ECO"] for game in checker.source_games([SOURCE])}
    assert {code[0] for code in codes} == set("ABCDE")
    assert len(codes) >= 50


def test_no_book_move_is_worse_than_the_limit(tmp_path: Path) -> None:
    report = checker.check_source([SOURCE], checker.read_scores(SCORES), tmp_path / "book.bin")
    assert report.failed == []
    assert report.moves > 2000


def test_walks_through_the_book_are_legal_and_varied(default_book: OpeningBook) -> None:
    generator = random.Random(1)
    ends, lengths = set(), []
    for _ in range(200):
        board = chess.Board()
        while offer := default_book.choose(board, True, generator):
            assert offer.move in board.legal_moves
            board.push(offer.move)
            assert offer.ponder is None or offer.ponder in board.legal_moves
        ends.add(board.epd())
        lengths.append(board.ply())
    assert len(ends) > 80
    assert sum(length >= 16 for length in lengths) > 50


# -- choosing -----------------------------------------------------------------------------------


def test_best_move_and_ponder(tmp_path: Path) -> None:
    board = chess.Board()
    after = chess.Board()
    after.push_uci("d2d4")
    entries = [entry(board, "e2e4", 3), entry(board, "d2d4", 7), entry(after, "g8f6", 1)]
    with book_of(tmp_path / "book.bin", *sorted(entries)) as book:
        for variety in (False, 0, -5):
            offer = book.choose(board, variety, random.Random(1))
            assert offer
            assert (offer.move.uci(), offer.weight, offer.share) == ("d2d4", 7, 0.7)
            assert offer.ponder == chess.Move.from_uci("g8f6")


@pytest.mark.parametrize(
    ("variety", "minimum", "maximum"),
    [(True, 0.6, 0.8), (100, 0.6, 0.8), (500, 0.6, 0.8), (40, 0.85, 0.95)],
)
def test_variety(tmp_path: Path, variety: int, minimum: float, maximum: float) -> None:
    board, generator = chess.Board(), random.Random(7)
    entries = sorted([entry(board, "e2e4", 300), entry(board, "d2d4", 700)])
    with book_of(tmp_path / "book.bin", *entries) as book:
        chosen = [book.choose(board, variety, generator) for _ in range(2000)]
    share = sum(offer is not None and offer.move.uci() == "d2d4" for offer in chosen) / 2000
    assert minimum < share < maximum


def test_same_seed_same_choice(default_book: OpeningBook) -> None:
    def walk() -> list[chess.Move]:
        generator, board = random.Random(5), chess.Board()
        while offer := default_book.choose(board, True, generator):
            board.push(offer.move)
        return board.move_stack

    assert walk() == walk()


def test_duplicates_are_merged(tmp_path: Path) -> None:
    board = chess.Board()
    entries = [entry(board, "e2e4", 3), entry(board, "d2d4", 5), entry(board, "e2e4", 4)]
    with book_of(tmp_path / "book.bin", *entries) as book:
        offers = book.entries(board)
    assert [(offer.move.uci(), offer.weight) for offer in offers] == [("e2e4", 7), ("d2d4", 5)]


def test_moves_of_weight_zero_are_the_last_resort(tmp_path: Path) -> None:
    board = chess.Board()
    entries = [entry(board, "e2e4", 0), entry(board, "d2d4", 1), entry(board, "c2c4", 0)]
    with book_of(tmp_path / "some.bin", *entries) as book:
        chosen = {book.choose(board, True, random.Random(seed)) for seed in range(100)}
        assert {offer.move.uci() for offer in chosen if offer} == {"d2d4"}
    with book_of(tmp_path / "all.bin", entries[0], entries[2]) as book:
        chosen = {book.choose(board, True, random.Random(seed)) for seed in range(100)}
        assert {offer.move.uci() for offer in chosen if offer} == {"e2e4", "c2c4"}
        assert book.choose(board, False, random.Random(1))


def test_all_entries_of_an_unsorted_book_are_found(tmp_path: Path) -> None:
    data = default_book_path().read_bytes()
    entries = [data[place : place + 16] for place in range(0, len(data), 16)]
    random.Random(3).shuffle(entries)
    board = chess.Board()
    with OpeningBook(default_book_path()) as tidy, book_of(tmp_path / "b.bin", *entries) as untidy:
        assert tidy.is_sorted and not untidy.is_sorted
        while offer := tidy.choose(board, False, random.Random(1)):
            found = {(other.move, other.weight) for other in untidy.entries(board)}
            assert found == {(other.move, other.weight) for other in tidy.entries(board)}
            board.push(offer.move)


# -- castling and Chess960 ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "uci", "written"),
    [("w", "e1g1", "e1h1"), ("w", "e1c1", "e1a1"), ("b", "e8g8", "e8h8"), ("b", "e8c8", "e8a8")],
)
def test_castling_in_both_forms(tmp_path: Path, turn: str, uci: str, written: str) -> None:
    board = chess.Board(CASTLING.format(turn))
    for number, text in enumerate((uci, written)):
        raw = chess.Move.from_uci(text)
        code = raw.to_square | raw.from_square << 6
        one = ENTRY.pack(zobrist_hash(board), code, 1, 0)
        with book_of(tmp_path / f"{number}.bin", one) as book:
            offer = book.choose(board, False, random.Random(1))
        assert offer and offer.move.uci() == uci
    assert entry(board, uci, 1) == ENTRY.pack(
        zobrist_hash(board),
        chess.Move.from_uci(written).to_square | chess.Move.from_uci(written).from_square << 6,
        1,
        0,
    )


def test_king_takes_distant_rook_is_not_castling(tmp_path: Path) -> None:
    board = chess.Board("4k3/8/8/8/8/8/4R3/R3K2R w KQ - 0 1")
    codes = [chess.E1 << 6 | chess.E2, chess.E1 << 6 | chess.E8, chess.E1 << 6 | chess.E1]
    entries = [ENTRY.pack(zobrist_hash(board), code, 1, 0) for code in codes]
    with book_of(tmp_path / "book.bin", *entries) as book:
        assert book.entries(board) == []


def test_chess960_games_never_use_the_book(default_book: OpeningBook) -> None:
    board = chess.Board(chess960=True)
    assert default_book.choose(board, True, random.Random(1)) is None
    assert default_book.entries(board) == []


def test_promotion_and_en_passant(tmp_path: Path) -> None:
    promoting = chess.Board("8/P6k/8/8/8/8/7K/8 w - - 0 1")
    passing = chess.Board("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3")
    entries = sorted([entry(promoting, "a7a8n", 1), entry(passing, "e5f6", 1)])
    with book_of(tmp_path / "book.bin", *entries) as book:
        assert [offer.move.uci() for offer in book.entries(promoting)] == ["a7a8n"]
        assert [offer.move.uci() for offer in book.entries(passing)] == ["e5f6"]


# -- damage -------------------------------------------------------------------------------------


def probe(path: Path) -> bool:
    """Open a book and ask it everything; return whether it opened."""
    try:
        book = OpeningBook(path)
    except BookError as error:
        assert "\n" not in str(error) and str(error)
        return False
    generator = random.Random(2)
    with book:
        for first in ["", "e4", "d4", "c4", "e4 c5", "d4 Nf6 c4", "e4 e5 Nf3 Nc6 Bb5 a6"]:
            board = chess.Board()
            for san in first.split():
                board.push_san(san)
            for variety in (False, True, 30):
                offer = book.choose(board, variety, generator)
                assert offer is None or offer.move in board.legal_moves
                if offer and offer.ponder:
                    board.push(offer.move)
                    assert offer.ponder in board.legal_moves
                    board.pop()
    return True


def damaged_books() -> Iterator[bytes]:
    generator, whole = random.Random(11), default_book_path().read_bytes()
    for _ in range(20):
        yield whole[: generator.randrange(len(whole))]
    for _ in range(10):
        start, size = generator.randrange(len(whole)), generator.randrange(1, len(whole))
        yield whole[:start] + bytes(size) + whole[start + size :]
    for number in range(20):
        flipped = bytearray(whole)
        for _ in range(10 ** (number % 4)):
            flipped[generator.randrange(len(whole))] ^= 1 << generator.randrange(8)
        yield bytes(flipped)
    for _ in range(20):
        yield generator.randbytes(16 * generator.randrange(1, 500))
    yield b"This is not a book.\n" * 4


def test_damaged_books(tmp_path: Path) -> None:
    for number, data in enumerate(damaged_books()):
        path = tmp_path / f"{number}.bin"
        path.write_bytes(data)
        assert probe(path) is bool(data and len(data) % 16 == 0), number


def test_every_code_for_a_known_position(tmp_path: Path) -> None:
    for board in (
        chess.Board(),
        chess.Board(CASTLING.format("w")),
        chess.Board("8/P6k/8/8/8/8/7K/8 w - - 0 1"),
    ):
        key = zobrist_hash(board)
        entries = [ENTRY.pack(key, code, 1, 0) for code in range(1 << 16)]
        with book_of(tmp_path / "book.bin", *entries) as book:
            found = {offer.move for offer in book.entries(board)}
        assert found == set(board.legal_moves)


def test_paths_that_are_not_files(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path, tmp_path / "bad\0name", Path("/dev/null")):
        with pytest.raises(BookError):
            OpeningBook(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")
def test_a_fifo_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(BookError, match="not a regular file"):
        OpeningBook(tmp_path / "fifo")


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="permissions have no effect here"
)
def test_a_file_without_read_permission(tmp_path: Path) -> None:
    path = tmp_path / "book.bin"
    path.write_bytes(default_book_path().read_bytes())
    path.chmod(0)
    with pytest.raises(BookError, match="access is not allowed"):
        OpeningBook(path)


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "book.bin"
    path.write_bytes(default_book_path().read_bytes())
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(BookError, match="access is not allowed"):
        OpeningBook(path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows locks a mapped file")
def test_book_that_shrinks_while_in_use(tmp_path: Path) -> None:
    path = tmp_path / "book.bin"
    path.write_bytes(default_book_path().read_bytes())
    with OpeningBook(path) as book:
        assert book.entries(chess.Board())
        os.truncate(path, 16)
        assert book.choose(chess.Board(), True, random.Random(1)) is None
        path.unlink()
    assert book.entries(chess.Board()) == []


def test_closed_book_answers_nothing() -> None:
    book = OpeningBook(default_book_path())
    book.close()
    assert book.choose(chess.Board(), True, random.Random(1)) is None


@pytest.mark.parametrize("is_sorted", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_many_entries_need_little_memory(tmp_path: Path, is_sorted: bool) -> None:
    path, board, count = tmp_path / "many.bin", chess.Board(), 200_000
    known = zobrist_hash(board)
    step = 2**64 // count
    code = polyglot_code(board, chess.Move.from_uci("g1f3"))
    with path.open("wb") as file:
        for number in range(count):
            low = number * step
            key = known if low <= known < low + step else low
            # Unsorted: the two halves are swapped.
            key = key if is_sorted else key ^ 1 << 63 if key != known else key
            file.write(ENTRY.pack(key, code, 1, 0))
    tracemalloc.start()
    try:
        with OpeningBook(path) as book:
            assert len(book) == count
            assert book.is_sorted is is_sorted
            for _ in range(20):
                offer = book.choose(board, True, random.Random(1))
                assert offer and offer.move.uci() == "g1f3"
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1 << 20 < path.stat().st_size // 2


# -- building -----------------------------------------------------------------------------------

GAMES = """
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 (3... Nf6) 1-0

[Result "0-1"]

1. e4 c5 0-1

[Result "1/2-1/2"]

1. d4 d5 1/2-1/2

[Result "1-0"]

1. e4 e5 2. Ke3 Nf6 1-0

[Variant "Atomic"]
[Result "1-0"]

1. c4 1-0
"""


def made_from(tmp_path: Path, text: str, options: BuildOptions | None = None) -> OpeningBook:
    (tmp_path / "games.pgn").write_text(text, encoding="utf-8")
    build([tmp_path / "games.pgn"], tmp_path / "made.bin", options)
    return OpeningBook(tmp_path / "made.bin")


def weights(book: OpeningBook, line: str = "") -> dict[str, int]:
    board = chess.Board()
    for san in line.split():
        board.push_san(san)
    return {board.san(offer.move): offer.weight for offer in book.entries(board)}


def test_results_of_games_give_the_weights(tmp_path: Path) -> None:
    with made_from(tmp_path, GAMES) as book:
        assert weights(book) == {"e4": 4, "d4": 1}
        assert weights(book, "e4") == {"c5": 2}  # 1... e5 always lost
        assert weights(book, "e4 e5") == {"Nf3": 2}
    with made_from(tmp_path, GAMES, BuildOptions(loss=1)) as book:
        assert weights(book, "e4") == {"c5": 2, "e5": 2}
        assert weights(book, "e4 e5 Nf3 Nc6 Bb5") == {"a6": 1}


def test_depth_and_number_of_games_are_limited(tmp_path: Path) -> None:
    with made_from(tmp_path, GAMES, BuildOptions(max_plies=1)) as book:
        assert weights(book) == {"e4": 4, "d4": 1}
        assert len(book) == 2
    with made_from(tmp_path, GAMES, BuildOptions(min_games=2)) as book:
        assert weights(book) == {"e4": 4}


def test_games_without_a_blank_line_between_them_are_counted(tmp_path: Path) -> None:
    text = '[Result "1-0"]\n1. e4 e5 1-0\n[Result "0-1"]\n\n\n1. e4 c5 0-1\n'
    text += '[Result "0-1"]\n1. d4 d5 0-1'
    with made_from(tmp_path, text) as book:
        assert weights(book) == {"e4": 2}
        assert weights(book, "e4") == {"c5": 2}
        assert weights(book, "d4") == {"d5": 2}


def test_report(tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(GAMES, encoding="utf-8")
    report = build([tmp_path], tmp_path / "made.bin")
    assert (report.games, report.broken, report.skipped, report.repertoires) == (4, 1, 1, 0)
    assert not list(tmp_path.glob("*.part"))


def test_many_broken_games_are_counted_after_the_first_messages(tmp_path: Path) -> None:
    source = tmp_path / "games.pgn"
    source.write_text("1. e4 e5 2. Ke3 *\n\n" * (builder.MAX_REMARKS + 2), encoding="utf-8")
    *remarks, last = build([source], tmp_path / "made.bin", BuildOptions(min_games=1)).notes()
    assert [f"game {number}:" in text for number, text in enumerate(remarks, 1)] == [True] * 20
    assert last == "and 2 more such remarks"


def test_marks_give_the_weights(tmp_path: Path) -> None:
    text = '[Repertoire "marks"]\n\n1. e4! (1. d4 d5) (1. b3!?) (1. g4?! d5! 2. h3 e5) 1... e5 *\n'
    again = '\n[Repertoire "marks"]\n\n1. b3 e5 (1... d5!?) *\n'
    with made_from(tmp_path, text + again) as book:
        assert weights(book) == {"e4": 100, "d4": 40, "b3": 10}
        assert weights(book, "b3") == {"e5": 40, "d5": 10}
        assert weights(book, "g4") == {"d5": 100}
        assert weights(book, "g4 d5") == {}, "a side that has left the repertoire has no more moves"
        assert weights(book, "g4 d5 h3") == {"e5": 40}


def test_a_dubious_mark_excludes_its_variation(tmp_path: Path) -> None:
    text = '[Repertoire "marks"]\n\n1. f4?! (1. d4 d5 2. c4) 1... d5 2. Nf3 (2. e3) *\n'
    with made_from(tmp_path, text) as book:
        assert weights(book) == {"d4": 40}
        assert weights(book, "d4 d5") == {"c4": 40}
        assert weights(book, "f4 d5") == {}


def test_large_counts_are_scaled(tmp_path: Path) -> None:
    games = (("1-0", "e4"), ("1-0", "d4"), ("0-1", "c4"))
    text = "".join(f'[Result "{end}"]\n\n1. {move} {end}\n\n' for end, move in games)
    with made_from(tmp_path, text * 3, BuildOptions(win=100_000, loss=1)) as book:
        assert weights(book) == {"e4": 65535, "d4": 65535, "c4": 1}


@pytest.mark.slow
def test_counts_spilled_to_disk_make_the_same_book(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builder, "RUN_LENGTH", 500)
    build([SOURCE], tmp_path / "spilled.bin")
    assert (tmp_path / "spilled.bin").read_bytes() == default_book_path().read_bytes()


def test_without_moves_the_old_book_is_kept(tmp_path: Path) -> None:
    (tmp_path / "empty.pgn").write_text("", encoding="utf-8")
    (tmp_path / "old.bin").write_bytes(b"old")
    with pytest.raises(BookError):
        build([tmp_path / "empty.pgn"], tmp_path / "old.bin")
    assert (tmp_path / "old.bin").read_bytes() == b"old"
    assert {path.name for path in tmp_path.iterdir()} == {"empty.pgn", "old.bin"}


# -- the suite for matches ----------------------------------------------------------------------


def test_match_openings_in_epd_and_pgn_agree_and_are_distinct() -> None:
    lines = (ROOM / "openings.epd").read_text(encoding="utf-8").splitlines()
    boards = []
    for line in lines:
        board = chess.Board(None)
        operations = board.set_epd(line)
        assert board.is_valid() and not board.is_check() and any(board.legal_moves)
        assert abs(int(str(operations["ce"]))) <= 40
        boards.append(board)
    assert len(boards) >= 500
    assert len({board.epd() for board in boards}) == len(boards)
    with (ROOM / "openings.pgn").open(encoding="utf-8") as games:
        for board in boards:
            game = chess.pgn.read_game(games)
            assert game and not game.errors
            end = game.end().board()
            assert 6 <= end.ply() <= 10
            assert end.fen() == board.fen()
        assert chess.pgn.read_game(games) is None


def test_match_openings_are_varied() -> None:
    with (ROOM / "openings.pgn").open(encoding="utf-8") as games:
        codes = set()
        while game := chess.pgn.read_game(games):
            codes.add(game.headers["ECO"])
    assert len(codes) >= 30

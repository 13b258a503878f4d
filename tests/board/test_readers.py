"""Whatever people give the readers is read correctly, or refused with a line that names the place.

One reader stands behind `analyse`, `puzzles`, `book build`, the openings of `match` and the board.
"""

# ruff: noqa: RUF001 (letters and signs that look alike)

from __future__ import annotations

import gzip
import io
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import chess
import chess.pgn
import pytest

from halbzug.batch import positions
from halbzug.batch.positions import Failure, SourceGame, Subject
from halbzug.board.fen import read_fen
from halbzug.board.games import GameLines, read_readable
from halbzug.books import builder
from halbzug.books.opening_book import OpeningBook
from halbzug.display.progress import ProgressBar
from halbzug.display.terminal import PlainConsole
from halbzug.match.openings import read_openings
from halbzug.puzzles.puzzle_run import PuzzleOutputs, PuzzleRun
from halbzug.web.reading import Opened, ReadGames, read_text

pytestmark = pytest.mark.any_build

KINGS = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


@dataclass
class Kind:
    """A text, the moves read from it, and the message about it.

    :ivar moves: in UCI notation; None if the game is refused.
    :ivar says: a part of the message; empty if there is none.
    :ivar is_whole: whether nothing is left out.
    """

    text: str
    moves: str | None
    says: str = ""
    is_whole: bool = True


INDIAN = "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 d1c2"
OPEN = "e2e4 e7e5 g1f3 b8c6 f1b5"
EP = "e2e4 a7a6 e4e5 d7d5 e5d6"
FIRST = "e2e4 e7e5"

#: Only readers of variations report this one.
VARIATION = "a bad move in a variation"

KINDS = {
    # Piece letters.
    "German": Kind("1. d4 Sf6 2. c4 e6 3. Sc3 Lb4 4. Dc2", INDIAN, "read as German"),
    "French": Kind("1. d4 Cf6 2. c4 e6 3. Cc3 Fb4 4. Dc2", INDIAN, "read as French"),
    "Spanish": Kind("1. d4 Cf6 2. c4 e6 3. Cc3 Ab4 4. Dc2", INDIAN, "read as Spanish"),
    "Dutch": Kind("1. d4 Pf6 2. c4 e6 3. Pc3 Lb4 4. Dc2", INDIAN, "read as Dutch"),
    "Hungarian": Kind("1. d4 Hf6 2. c4 e6 3. Hc3 Fb4 4. Vc2", INDIAN, "read as Hungarian"),
    "Polish": Kind("1. d4 Sf6 2. c4 e6 3. Sc3 Gb4 4. Hc2", INDIAN, "read as Polish"),
    "Czech": Kind("1. d4 Jf6 2. c4 e6 3. Jc3 Sb4 4. Dc2", INDIAN, "read as Czech"),
    "Russian": Kind("1. d4 Кf6 2. c4 e6 3. Кc3 Сb4 4. Фc2", INDIAN, "Russian"),
    "Russian, with its letters for files": Kind("1. е4 е5 2. Кf3 Кс6", OPEN[:19], "Russian"),
    "Russian king": Kind("1. e4 e5 2. Крe2", f"{FIRST} e1e2", "Russian"),
    "Greek": Kind("1. d4 Ιf6 2. c4 e6 3. Ιc3 Αb4 4. Βc2", INDIAN, "Greek"),
    "figurines": Kind("1. d4 ♘f6 2. c4 e6 3. ♘c3 ♗b4 4. ♕c2", INDIAN),
    "black figurines": Kind("1. d4 ♞f6 2. c4 e6 3. ♘c3 ♝b4 4. ♕c2", INDIAN),
    "Black in lower case": Kind("1. d4 nf6 2. c4 e6 3. Nc3 bb4 4. Qc2", INDIAN, "lower case"),
    "a pawn's letter": Kind("1. Pe4 Pe5 2. Nf3 Nc6 3. Bb5", OPEN),
    "letters of two languages": Kind(
        "1. d4 Sf6 2. c4 e6 3. Cc3", None, "1...Sf6: unknown piece letters C, S", False
    ),
    "letters of no language": Kind("1. Xf3 d5", None, "1.Xf3: unknown piece letters X", False),
    "a foreign game with an illegal move": Kind(
        "1. d4 Sf6 2. Lh6 Lh3", None, "1...Sf6: unknown piece letters L, S: with", False
    ),
    "two readings": Kind("1. Pf3 Pf6", None, "English or Dutch", False),
    # Moves.
    "long notation": Kind("1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5", OPEN),
    "UCI": Kind("e2e4 e7e5 g1f3 b8c6 f1b5", OPEN),
    "glyphs": Kind("1.e4! e5?! 2.Nf3!!$14 Nc6+/= 3.Bb5±", OPEN),
    "evaluations apart": Kind("1. e4 = e5 ∞ 2. Nf3 +- Nc6 N 3. Bb5 □ *", OPEN),
    "numbers in all forms": Kind("1) e4 e5 2 Nf3 2... Nc6 3.  . Bb5", OPEN),
    "numbers without dots": Kind("1\te4\te5\n2\tNf3\tNc6\n3\tBb5", OPEN),
    "marks of direction": Kind(
        "1. \u200ee4\u200f e5 2. \u2066Nf3\u2069 Nc6\u202c 3. Bb5\u061c", OPEN
    ),
    "moves as numbers": Kind("1. e4 e5 2. 7163 2836", FIRST, "2.7163 is not a move", False),
    "a gap that Black's move would fill": Kind(
        "1. a4 a5 2. Ra3 Ra6 3. Rg3 Rg6 4. ??? Rg4",
        "a2a4 a7a5 a1a3 a8a6 a3g3 a6g6",
        "4.??? is not a move",
        False,
    ),
    "a gap behind its number": Kind("1. e4 e5 2.? Nf3", FIRST, "2.? is not a move", False),
    "a mark apart": Kind("1. e4 ? e5 ?? 2. Nf3 Nc6 3. Bb5 ?!", OPEN),
    "commas": Kind("1. e4, e5, 2. Nf3, Nc6, 3. Bb5", OPEN),
    "signs that look alike": Kind("1.\u00a0e2–e4 e7–e5 2.Ng1—f3 Nb8‑c6 3.Bf1−b5 ½–½", OPEN),
    "en passant": Kind("1. e4 a6 2. e5 d5 3. exd6 e.p.", EP),
    "en passant without a blank": Kind("1. e4 a6 2. e5 d5 3. e:d6e.p.!", EP),
    "castling with zeros and marks": Kind(
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. 0-0+!?", f"{OPEN} a7a6 e1g1"
    ),
    "castling in small letters": Kind("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. o-o", f"{OPEN} a7a6 e1g1"),
    "NAG 256": Kind("1. e4 $256 e5 $1 2. Nf3 Nc6 3. Bb5 *", OPEN),
    "a comment to the end of the line": Kind(
        "1. e4 e5 ; 2. Ke2\n% 2. Ke2\n2. Nf3 Nc6 3. Bb5", OPEN
    ),
    "commands outside of comments": Kind("1. e4 [%clk 0:01] e5 2. Nf3 Nc6 3. Bb5", OPEN),
    "a result in a variation": Kind("1. e4 e5 (1... c5 *) 2. Nf3 Nc6 3. Bb5", OPEN),
    "no result, and text behind it": Kind("1. e4 e5 1-0 White resigns", FIRST),
    "a blank line in the second comment": Kind("1. e4 {a} e5 {b\n\nc} 2. Nf3 Nc6 3. Bb5 *", OPEN),
    "an illegal move": Kind("1. e4 e5 2. Bb5 a6 3. Bxe5", f"{FIRST} f1b5 a7a6", "3.Bxe5", False),
    "an ambiguous move": Kind("1. Nf3 d5 2. d3 d4 3. Nd2", "g1f3 d7d5 d2d3 d5d4", "3.Nd2", False),
    "what is no move": Kind("1. e4 e5 2. Qh9 Nc6", FIRST, "2.Qh9 is not a move", False),
    "glued text": Kind("1. e4 e5 2. Nf3abc Nc6", FIRST, "2.Nf3abc", False),
    "a square in brackets": Kind("1. e4 e5 2. N(g1)f3", FIRST, "2.N( is not a move", False),
    "a word": Kind("1. e4 e5 2. the knight Nf3", FIRST, "2.the", False),
    "a null move": Kind("1. e4 e5 2. -- Nc6", FIRST, "2.-- is a null move", False),
    "another null move": Kind("1. e4 e5 2. Z0 Nc6", FIRST, "2.Z0 is a null move", False),
    "a comment without an end": Kind("1. e4 e5 {2. Nf3 Nc6", FIRST, "2.{ has no end", False),
    "a variation without an end": Kind("1. e4 e5 (1... c5 2. Nf3", FIRST, "2.( has no end", False),
    "a bracket too many": Kind("1. e4 e5) 2. Nf3", FIRST, "2.) does not belong", False),
    VARIATION: Kind(
        "1. e4 e5 (1... c5 2. Qh9) 2. Nf3 Nc6 3. Bb5", OPEN, "2.Qh9 is not a move", False
    ),
    # Tags.
    "small letters": Kind(f'[fen "{KINGS}"]\n\n1. e4', "e2e4"),
    "first letter large": Kind(f'[Fen "{KINGS}"]\n\n1. e4', "e2e4"),
    "curly quotes": Kind(f"[FEN “{KINGS}”]\n\n1. e4", "e2e4"),
    "German quotes": Kind(f"[FEN „{KINGS}“]\n\n1. e4", "e2e4"),
    "single quotes": Kind(f"[FEN '{KINGS}']\n\n1. e4", "e2e4"),
    "no quotes": Kind(f"[FEN {KINGS}]\n\n1. e4", "e2e4"),
    "a colon": Kind(f'[FEN: "{KINGS}"]\n\n1. e4', "e2e4"),
    "no blank": Kind(f'[FEN"{KINGS}"]\n1. e4', "e2e4"),
    "all on one line": Kind(f'[Event "a"] [FEN "{KINGS}"] 1. e4 *', "e2e4"),
    "no bracket at the end": Kind(f'[FEN "{KINGS}"\n\n1. e4', "e2e4"),
    "two lines": Kind(f'[FEN "{KINGS[:-10]}\n{KINGS[-10:]}"]\n\n1. e4', "e2e4"),
    "underscores": Kind(f'[FEN "{KINGS.replace(" ", "_")}"]\n\n1. e4', "e2e4"),
    "a tag that is none": Kind("[this is odd]\n\n1. e4 e5", FIRST, "[this is odd]"),
    "a FEN that is none": Kind('[FEN "rubbish"]\n\n1. e4', None, "FEN", False),
    "a FEN under another name": Kind(f'[Start "{KINGS}"]\n\n1. e4', None, "Start", False),
    "two FENs": Kind(f'[FEN "{KINGS}"]\n[fen "{KINGS} x"]\n\n1. e4', None, "two", False),
    "SetUp without a FEN": Kind('[SetUp "1"]\n\n1. e4', None, "SetUp", False),
    "impossible castling rights": Kind(
        f'[FEN "{KINGS.replace("-", "KQ", 1)}"]\n\n1. e4', "e2e4", "rights KQ dropped"
    ),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A file for each kind."""
    folder = tmp_path_factory.mktemp("kinds")
    paths = {}
    for number, (name, kind) in enumerate(KINDS.items()):
        paths[name] = folder / f"{number}.pgn"
        paths[name].write_text(kind.text + "\n", encoding="utf-8")
    return paths


def moves_of(game: chess.pgn.Game) -> str:
    return " ".join(move.uci() for move in game.mainline_moves())


@pytest.mark.parametrize("name", KINDS)
def test_analyse(name: str, files: dict[str, Path]) -> None:
    kind, said = KINDS[name], []
    for part in ("game", "all", "last"):
        said = []
        items = list(positions.read(str(files[name]), part=part, tell=said.append))
        failures = [item for item in items if isinstance(item, Failure)]
        is_read = part == "game" or name != VARIATION
        assert bool(failures) == (is_read and not kind.is_whole)
        read = [item for item in items if not isinstance(item, Failure)]
        if kind.moves is None:
            assert not read
        elif part == "game":
            (game,) = read
            assert isinstance(game, SourceGame)
            assert moves_of(game.game) == kind.moves
            assert (": " in str(game.game.end().comment)) == (bool(failures) and name != VARIATION)
        else:
            assert isinstance(read[-1], Subject)
            assert " ".join(read[-1].moves) == kind.moves
            assert len(read) == (1 if part == "last" else kind.moves.count(" ") + 2)
        if is_read:
            assert_said(kind, [f"{item.place}: {item.message}" for item in (*failures, *said)])


def assert_said(kind: Kind, lines: list[str], place: str = "game 1: ") -> None:
    """Check that one line gives the message, with its place."""
    assert len(lines) == bool(kind.says), lines
    assert all(line.isprintable() for line in lines)
    if kind.says:
        assert kind.says in lines[0]
        assert place in lines[0]


def test_puzzles(files: dict[str, Path], tmp_path: Path) -> None:
    every, kinds = tmp_path / "every.pgn", [kind for kind in KINDS.values() if kind.says]
    texts = (f'[Event "{number}"]\n{kind.text}' for number, kind in enumerate(kinds))
    every.write_text("\n\n".join(texts) + "\n", encoding="utf-8")
    said: list[Failure] = []
    run = PuzzleRun(str(every), PuzzleOutputs(), 1, said.append)
    run.run(ProgressBar(PlainConsole(file=io.StringIO()), None))
    lines = [f"{failure.place}: {failure.message}" for failure in said]
    for number, kind in enumerate(kinds, 1):
        assert_said(kind, [line for line in lines if line.startswith(f"game {number}: ")], "")
    assert run.faults == sum(not kind.is_whole for kind in kinds)


@pytest.mark.parametrize("name", KINDS)
def test_book_build(name: str, files: dict[str, Path], tmp_path: Path) -> None:
    kind, target = KINDS[name], tmp_path / "book.bin"
    options = builder.BuildOptions(min_games=1)
    report = builder.BuildReport()
    counted: list[int] = []
    visitor = partial(
        builder._Visitor, lambda key, move, count: counted.append(move), options, report
    )
    builder._read_games(files[name], visitor, report)
    if name != VARIATION:
        assert_said(kind, report.notes())
        assert bool(report.broken) == (not kind.is_whole)
    assert report.games == (kind.moves is not None)
    assert len(counted) == (len(kind.moves.split()) if kind.moves else 0)
    if kind.moves:
        builder.build([files[name]], target, options)
        first = chess.Move.from_uci(kind.moves.split()[0])
        start = chess.Board(KINGS if kind.moves == "e2e4" else chess.STARTING_FEN)
        with OpeningBook(target) as book:
            assert [entry.move for entry in book.entries(start)] == [first]


@pytest.mark.parametrize("name", KINDS)
def test_openings_of_a_match(name: str, files: dict[str, Path]) -> None:
    kind, openings = KINDS[name], read_openings(files[name])
    if kind.is_whole:
        board = openings.read(0)
        assert " ".join(move.uci() for move in board.move_stack) == kind.moves
        assert_said(kind, openings.notes)
    else:
        with pytest.raises(ValueError, match=r"game 1: ") as caught:
            openings.read(0)
        assert_said(kind, [str(caught.value)])


@pytest.mark.parametrize("name", KINDS)
def test_the_board(name: str) -> None:
    kind = KINDS[name]
    games = read_text(kind.text)
    assert isinstance(games, ReadGames)
    try:
        opened = games.open(0)
    except ValueError as error:
        assert kind.moves is None
        assert_said(kind, [str(error)], "")
        return
    assert isinstance(opened, Opened)
    if "null" in name:
        assert moves_of(opened.game) == f"{kind.moves} 0000 b8c6"  # the board accepts them
    else:
        assert moves_of(opened.game) == kind.moves
        assert_said(kind, [opened.warning] if opened.warning else [], "")


# -- files --------------------------------------------------------------------------------------

GAME = """[White “Müller”]
[Event "Brühl – Köln"]

1. e4 e5 {“good”} 2. Nf3 Nc6 3. Bb5 *
""".replace("\n", "\r\n")


@pytest.mark.parametrize(
    "data",
    [
        GAME.encode("cp1252"),
        GAME.encode(),
        GAME.encode("utf-8-sig"),
        GAME.encode("utf-16"),
        GAME.encode("utf-16-le"),
        b"\xfe\xff" + GAME.encode("utf-16-be"),
        GAME.replace("\r\n", "\r").encode(),
        gzip.compress(GAME.encode("utf-16")),
        GAME.replace("1. e4", "1. \0e4\0 ").encode(),
    ],
    ids=["cp1252", "utf-8", "bom", "utf-16", "le", "be", "cr", "gz", "nul"],
)
def test_encodings(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_bytes(data)
    (game,) = positions.read(str(path))
    assert isinstance(game, SourceGame)
    assert moves_of(game.game) == OPEN
    assert dict(game.game.headers) | {"White": "Müller", "Event": "Brühl – Köln"} == dict(
        game.game.headers
    )
    assert game.game[0][0].comment == "“good”"


def test_lines_without_results_are_games(tmp_path: Path) -> None:
    path = tmp_path / "openings.pgn"
    path.write_text("1. e4 e5 2. Nf3\n{Queen's pawn}\n1. d4 (\n1. c4 e5) 1... d5 2. c4\n1. c4\n")
    games = list(positions.read(str(path)))
    assert [moves_of(game.game) for game in games if isinstance(game, SourceGame)] == [
        "e2e4 e7e5 g1f3",
        "d2d4 d7d5 c2c4",
        "c2c4",
    ]
    assert len(games) == len(read_openings(path)) == 3


@pytest.mark.parametrize(("start", "kind"), [(b"PK\x03\x04", "ZIP"), (b"Rar!\x1a", "RAR")])
def test_archives_are_refused(start: bytes, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "games.zip"
    path.write_bytes(start + bytes(1000))
    (failure,) = positions.read(str(path))
    assert isinstance(failure, Failure)
    assert f"a {kind} archive; please unpack it first" in failure.message


def test_a_long_game_on_one_line_is_read_quickly(tmp_path: Path) -> None:
    words = " ".join(f"{n}. Nf3 {{a}} Nf6 {{b}} {n + 1}. Ng1 Ng8 " for n in range(9_001, 12_000, 2))
    path = tmp_path / "long.pgn"
    path.write_text(words + "*", encoding="utf-8")
    begin = time.process_time()
    (game,) = positions.read(str(path))
    assert isinstance(game, SourceGame) and game.size == 6_001
    assert time.process_time() - begin < 20


# -- EPD and FEN --------------------------------------------------------------------------------

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
MATE = "6k1/5ppp/8/8/8/8/P7/4R2K w - -"


@pytest.mark.parametrize(
    ("record", "best", "mate"),
    [
        (f"{MATE} bm #1;", "", 1),
        (f"{MATE} bm Re8# #1;", "e1e8", 1),
        (f"{START} bm e4 d4, Nf3;", "e2e4 d2d4 g1f3", None),
        (f'{START} bm e4!, 1.d4 or Ng1-f3+!?; id "a;b";', "e2e4 d2d4 g1f3", None),
        (f"{START} 0 1 bm ♘f3", "g1f3", None),
        (f"{START.replace(' ', '_')} ", "", None),
        ("4k3/P7/8/8/8/8/8/4K2R w K - bm a8Q a7-a8(N) O-O; dm 7;", "a7a8q a7a8n e1g1", 7),
    ],
)
def test_epd(record: str, best: str, mate: int | None) -> None:
    subject = positions.read_record(record, "", "line 1")
    assert isinstance(subject, Subject)
    assert [move.uci() for move in subject.best] == best.split()
    assert subject.mate == mate


@pytest.mark.parametrize(
    ("operations", "words"),
    [
        ("bm Sf3;", "bm: Sf3: unknown piece letter S"),
        ("bm Nf3x;", "bm: Nf3x is not a move"),
        ("bm Ke2;", "bm: Ke2 is not legal"),
        ("bm e4; dm x;", "dm: x is not a number of moves"),
        ('bm e4; id "abc;', 'bad EPD operation: id "abc;'),
        ("am;", "am: no move"),
    ],
)
def test_refused_epd(operations: str, words: str) -> None:
    failure = positions.read_record(f"{START} {operations}", "", "line 1")
    assert isinstance(failure, Failure)
    assert (failure.place, words in failure.message) == ("line 1", True), failure.message


STANDARD, CHESS960 = False, True


@pytest.mark.parametrize(
    ("fen", "known", "castling", "chess960", "dropped"),
    [
        ("5rk1/5rpp/2qp1P2/pp1b2Q1/2p3R1/P7/BPP3PP/5R1K w KQkq -", None, "-", False, "KQkq"),
        (START, None, "KQkq", False, ""),
        (START.replace("KQkq", "HAha"), None, "KQkq", False, ""),
        (START, CHESS960, "KQkq", True, ""),
        ("4k3/8/8/8/8/8/8/R3K3 w KQ -", None, "Q", False, "K"),
        ("4k3/8/8/8/8/8/8/1R3KR1 w KQ -", None, "KQ", True, ""),
        ("4k3/8/8/8/8/8/8/1R3KR1 w GB -", None, "KQ", True, ""),
        ("4k3/8/8/8/8/8/8/1R3KR1 w GB -", STANDARD, "-", False, "GB"),
        ("r4k1r/8/8/8/8/8/8/R3K2R w KQkq -", None, "KQ", False, "kq"),
        ("1r3kr1/8/8/8/8/8/8/1R3KR1 w KQkq -", None, "KQkq", True, ""),
        ("rk5r/8/8/8/8/8/8/RK5R w KQkq -", None, "KQkq", True, ""),
        ("kr5r/p7/8/8/8/8/8/R3K2R w KQkq -", None, "KQ", False, "kq"),
        ("4k3/8/8/8/8/8/8/1R2K1R1 w Q -", CHESS960, "Q", True, ""),
    ],
)
def test_castling_rights(
    fen: str, known: bool | None, castling: str, chess960: bool, dropped: str
) -> None:
    board, note = read_fen(fen, known)
    assert (board.castling_xfen(), board.chess960) == (castling, chess960)
    words = f"castling rights {dropped} dropped, which this position cannot have"
    assert note == (words if dropped else "")
    tag = {None: "", STANDARD: '[Variant "Standard"]', CHESS960: '[Variant "Chess960"]'}[known]
    lines = GameLines(io.StringIO(f'[FEN "{fen} 0 1"]\n{tag}\n*\n'))
    game = read_readable(lines)
    assert game is not None
    read = game.board()
    assert (read.castling_xfen(), read.chess960) == (castling, chess960)
    assert lines.remarks.notes == ([note] if note else [])

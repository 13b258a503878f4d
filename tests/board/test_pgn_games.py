"""`halbzug.read_games`: reads well-formed games like python-chess, others like our own readers."""

from __future__ import annotations

import gzip
import io
import random
from functools import cache
from pathlib import Path

import chess
import chess.pgn
import pytest
from checkout import ROOT
from hypothesis import given
from hypothesis import strategies as st
from made_pgn import made_games, made_pgn

import halbzug
from halbzug.board import games
from halbzug.board.game_scanner import FOUND, GameScanner
from halbzug.board.games import GameLines
from halbzug.board.movegen import new_board

#: Everything that the reader of all commands says about a game.
Read = tuple[dict[str, str], list[chess.Move], str, tuple[str, ...], tuple[str, ...]]

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")

CORPUS = sorted((ROOT / "tests/corpus/pgn").iterdir())


def read(text: str) -> list[Read]:
    return [
        (game.tags, game.moves, str(game.tree()), game.notes, game.faults)
        for game in halbzug.read_games(io.StringIO(text))
    ]


def scanned(text: str) -> int:
    """The number of moves the scanner reads in a game; -1 if it leaves the game to the reader."""
    scanner = GameScanner()
    scanner.use(text.encode(), True)
    if scanner.find_game(0) != FOUND:
        return -1
    return scanner.read_moves(new_board(), scanner.moves, scanner.end)


def test_the_scanner_knows_each_result_and_nothing_similar() -> None:
    for result in RESULTS:
        assert scanned(f'[White "A"]\n\n1. e4 e5 {result}\n') == 2
        for place in range(len(result)):
            for other in "-/012*x":
                like = result[:place] + other + result[place + 1 :]
                if like not in RESULTS:
                    assert scanned(f'[White "A"]\n\n1. e4 e5 {like}\n') == -1


def read_by_reader(text: str) -> list[Read]:
    """The same from the line-by-line reader, without the scanner."""
    found: list[Read] = []
    for lines in games.split_games(io.StringIO(text)):
        reader = GameLines(lines, split=lambda _, lines=lines: [lines])
        tags = dict(games.tags_of(lines))
        try:
            game = games.read_readable(reader)
        except ValueError as error:
            empty = chess.pgn.Game()
            for name in tags.keys() - {"FEN", "SetUp", "Variant"}:
                empty.headers[name] = tags[name]
            found.append((tags, [], str(empty), tuple(reader.remarks.notes), (str(error),)))
            continue
        if game is None:  # there is nothing but blanks
            continue
        remarks = reader.remarks
        moves = list(game.mainline_moves())
        found.append((tags, moves, str(game), tuple(remarks.notes), tuple(remarks.faults)))
    return found


def assert_same_as_python_chess(game: halbzug.PgnGame, text: str) -> None:
    expected = chess.pgn.read_game(io.StringIO(text.replace("\r\n", "\n")))
    assert expected is not None and not expected.errors
    assert not game.faults and not game.notes
    assert dict(game.headers) == dict(expected.headers)
    assert game.result == expected.headers["Result"]
    nodes = list(expected.mainline())
    assert game.moves == [node.move for node in nodes]
    assert game.comments() == [expected.comment, *(node.comment for node in nodes)]
    assert game.clocks() == [node.clock() for node in nodes]
    assert game.evaluations() == [node.eval() for node in nodes]
    assert_same_nodes(game.tree(), expected)
    board = expected.board()
    assert (game.start.fen(), game.start.chess960) == (board.fen(), board.chess960)
    fens = [board.fen()]
    for move in expected.mainline_moves():
        board.push(move)
        fens.append(board.fen())
    assert game.fens() == fens
    assert game.board().move_stack == board.move_stack


def assert_same_nodes(ours: chess.pgn.GameNode, theirs: chess.pgn.GameNode) -> None:
    pairs = [(ours, theirs)]
    while pairs:
        one, other = pairs.pop()
        for name in ("move", "comment", "starting_comment", "nags"):
            assert getattr(one, name) == getattr(other, name)
        assert len(one.variations) == len(other.variations)
        pairs += zip(one.variations, other.variations, strict=True)


def test_generated_games_are_read_as_by_python_chess() -> None:
    texts = list(made_games(120))
    found = list(halbzug.read_games(io.StringIO("".join(texts))))
    assert [game.number for game in found] == list(range(1, len(texts) + 1))
    for game, text in zip(found, texts, strict=True):
        assert_same_as_python_chess(game, text)


def test_the_corpus_is_read_as_by_the_line_reader() -> None:
    texts = [path.read_text("utf-8") for path in CORPUS]
    texts += [f"{before}\n{text}\n{before}" for text in texts for before in (made_pgn(1, True),)]
    for text in texts:
        assert read(text) == read_by_reader(text)


PARTS = [
    *(
        "(",
        ")",
        "{",
        "}",
        ";",
        "%",
        "\n",
        "\n\n",
        "[",
        "]",
        '"',
        "1.",
        "1...",
        "e4",
        "Sf3",
        "1-0",
        "*",
    ),
    *(
        '[Event "x"]',
        "?",
        "4. ??? ",
        "$",
        "--",
        "O-O",
        "\\",
        "/",
        "\0",
        "\x01",
        "ü",
        "\u00a0",
        "Qh9",
    ),
    *('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n', "[fen ", '[SetUp "1"]\n', "1-0\n\n", "\n1. d4 ", "\t"),
]


@cache
def some_games(seed: int) -> str:
    text = made_pgn(seed) + made_pgn(seed + 1) + made_pgn(seed + 2, is_plain=True)
    return text.replace("\r\n", "\n")


@given(
    st.integers(0, 20),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9), st.sampled_from(PARTS)), max_size=4),
)
def test_damaged_games_are_read_as_by_the_line_reader(
    seed: int, changes: list[tuple[float, int, str]]
) -> None:
    text = some_games(seed)
    for place, length, part in changes:
        at = int(place * len(text))
        text = text[:at] + part + text[at + length :]
    assert read(text) == read_by_reader(text)


class Trickle(io.RawIOBase):
    """A file that returns a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data, self._size = data, size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        size = min(self._size, len(buffer), len(self._data))
        buffer[:size], self._data = self._data[:size], self._data[size:]
        return size


@pytest.mark.parametrize("size", [1, 7, 100, 5000])
def test_reads_of_any_size(size: int) -> None:
    damaged = made_pgn(3).replace(" ", " Qh9 ", 5)
    text = "".join([*made_games(4), damaged, *made_games(3, 50), "1. e4 e5"])
    found = halbzug.read_games(Trickle(text.encode(), size))
    expected = read(text)
    assert [(game.tags, game.moves) for game in found] == [one[:2] for one in expected]
    assert len(expected) == 9


def test_files(tmp_path: Path) -> None:
    texts = list(made_games(3, is_plain=True))
    text = "".join(texts)
    data = {
        "plain": text.encode(),
        "bom": text.encode("utf-8-sig"),
        "utf-16": text.encode("utf-16"),
        "gz": gzip.compress(text.encode()),
        "cr": text.replace("\n", "\r").encode(),
        "crlf": text.replace("\n", "\r\n").encode(),
    }
    expected = [game.moves for game in halbzug.read_games(io.StringIO(text))]
    assert list(map(len, expected)) != [0, 0, 0]
    for name, content in data.items():
        path = tmp_path / name
        path.write_bytes(content)
        for source in (path, str(path), io.BytesIO(content)):
            assert [game.moves for game in halbzug.read_games(source)] == expected, name
    with (tmp_path / "plain").open(encoding="utf-8") as file:
        assert [game.moves for game in halbzug.read_games(file)] == expected


def test_cp1252_and_lone_surrogates() -> None:
    data = '[White "Müller"]\n\n1. e4 {größer} *\n'.encode("cp1252")
    (game,) = halbzug.read_games(io.BytesIO(data))
    assert (game.tags, game.comments()) == ({"White": "Müller"}, ["", "größer"])
    (game,) = halbzug.read_games(io.StringIO('[White "a\ud83d"]\n\n1. e4 *\n'))
    assert game.tags["White"].startswith("a")


def test_a_damaged_file_is_reported_after_everything_readable(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn.gz"
    chance = random.Random(1)
    texts = [made_pgn(chance.randrange(10**6)) for _ in range(300)]
    path.write_bytes(gzip.compress("".join(texts).encode())[:-20_000])
    found = halbzug.read_games(path)
    for text in texts[:50]:
        assert_same_as_python_chess(next(found), text)
    with pytest.raises(OSError, match="cut off"):
        for _ in found:
            pass
    with pytest.raises(FileNotFoundError):
        halbzug.read_games(tmp_path / "none.pgn")


def test_filter() -> None:
    text = "".join(made_games(50)) + '[White "Anna3"]\n\n1. e4 Sf6\n'
    found = list(
        halbzug.read_games(io.StringIO(text), filter=lambda tags: tags["White"] == "Anna3")
    )
    assert [game.number for game in found] == [4, 51]
    assert found[0].codes == next(iter(halbzug.read_games(io.StringIO(made_pgn(3))))).codes


def test_codes_of_castling_promotion_and_null_moves() -> None:
    text = '[FEN "4k3/P7/8/8/8/8/8/4K2R w K - 0 1"]\n\n1. O-O -- 2. a8=Q+ *\n'
    (game,) = halbzug.read_games(io.StringIO(text))
    assert [*game.codes] == [4 | 6 << 6, 0, 48 | 56 << 6 | 5 << 12]
    assert len(game) == 3
    assert isinstance(game.start, halbzug.Board)
    boards = game.boards(stack=True)
    assert [board.fen() for board in boards] == game.fens()
    assert boards[-1].move_stack == game.moves
    assert [len(board.move_stack) for board in game.boards()] == [0, 0, 0, 0]


def test_a_game_that_is_refused() -> None:
    (game,) = halbzug.read_games(io.StringIO('[SetUp "1"]\n[White "Ann"]\n\n1. e4 *\n'))
    assert game.faults == ("the start is not certain: SetUp is 1, without a FEN",)
    assert (game.moves, game.tags["White"], len(game.tree().errors)) == ([], "Ann", 1)


def test_a_variant() -> None:
    (game,) = halbzug.read_games(
        io.StringIO('[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Nf6 3. P@e6 *\n')
    )
    assert game.moves[-1].uci() == "P@e6"
    assert game.fens()[-1].startswith("rnbqkb1r/ppp1pppp/4Pn2/3P4")
    with pytest.raises(ValueError, match="drops"):
        _ = game.codes


def test_a_game_that_is_too_long_raises_an_error() -> None:
    text = made_pgn(0) + "1. e4 {" + "x" * (games.MAX_GAME_LENGTH + 10)
    found = halbzug.read_games(io.StringIO(text))
    next(found)
    with pytest.raises(OSError, match="more than 4 million"):
        next(found)


def test_several_processes_read_the_same_games_in_the_same_order(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    texts = [some_games(seed % 20) for seed in range(1500)]
    texts[500] = texts[500].replace(" ", " Qh9 ", 9)
    path.write_text("".join(texts), encoding="utf-8")
    assert path.stat().st_size > 1 << 21
    every = list(halbzug.read_games(path))
    assert every[-1].number == 4500
    expected = [game for game in every if game.tags["Event"] != "Made 1"]
    found = halbzug.read_games(path, processes=2, filter=lambda tags: tags["Event"] != "Made 1")
    for one, other in zip(found, expected, strict=True):
        assert (one.number, one.tags, one.codes) == (other.number, other.tags, other.codes)
        assert (one.notes, one.faults, one.result) == (other.notes, other.faults, other.result)
    with pytest.raises(ValueError, match="at least 1"):
        halbzug.read_games(path, processes=0)


def test_a_file_that_cannot_be_divided_is_still_read() -> None:
    text = "".join(made_games(30)).replace("[Event", "[Evént") + "1. e4"
    found = [game.codes for game in halbzug.read_games(io.StringIO(text), processes=2)]
    assert found == [game.codes for game in halbzug.read_games(io.StringIO(text))]
    assert len(found) == 31


class Recorder(games.Reader[list[tuple[object, ...]]]):
    """Everything that a visitor is shown of a game."""

    def __init__(self, skips: bool) -> None:
        super().__init__()
        self.shown: list[tuple[object, ...]] = []
        self.skips = skips

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.shown.append((tagname, tagvalue))

    def visit_board(self, board: chess.Board) -> None:
        super().visit_board(board)
        self.shown.append((board.fen(), len(board.move_stack)))

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        self.shown.append((board.fen(), move))

    def visit_nag(self, nag: int) -> None:
        self.shown.append((nag,))

    def visit_comment(self, comment: str) -> None:
        super().visit_comment(comment)
        self.shown.append((comment,))

    def begin_variation(self) -> chess.pgn.SkipType | None:
        super().begin_variation()
        return chess.pgn.SKIP if self.skips else None

    def end_variation(self) -> None:
        super().end_variation()
        self.shown.append((")",))

    def visit_result(self, result: str) -> None:
        self.shown.append(("result", result))

    def result(self) -> list[tuple[object, ...]]:
        return self.shown


@pytest.mark.parametrize("skips", [False, True])
def test_a_visitor_sees_a_scanned_game_as_any_other(
    skips: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seen() -> list[object]:
        text = io.StringIO("".join(map(some_games, range(10))))
        lines = GameLines(text)
        return [games.visit_game(lines, lambda: Recorder(skips)) for _ in range(30)]

    scanned = seen()
    monkeypatch.setattr(games, "_scan", lambda lines, null_moves: None)
    assert scanned == seen()

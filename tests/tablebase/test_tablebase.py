"""Tablebases: known facts, perfect play at the root, and damaged files."""

from __future__ import annotations

import itertools
import os
import random
import shutil
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import chess
import pytest
from chess import syzygy
from positions import SHARED_DATA, Game

from halbzug.base.scores import MATE_BOUND, MAX_PLY, TB_BOUND, TB_WIN, is_mate
from halbzug.board import movegen
from halbzug.eval.evaluation import Evaluator
from halbzug.tablebase import cache, files
from halbzug.tablebase.files import SHIPPED, TableFile
from halbzug.tablebase.probing import Tablebase
from halbzug.tablebase.root_ranking import RootRank
from halbzug.tablebase.wdl import CURSED_WIN, wdl_score

ENDGAMES = SHARED_DATA / "suites" / "endgame200.epd"

#: Endings to play out, most of which White wins from most positions.
ENDINGS = (
    *("KQvK", "KRvK", "KPvK", "KBBvK", "KBNvK", "KNNvK", "KBPvK", "KNPvK", "KPPvK", "KRPvK"),
    *("KQRvK", "KQvKQ", "KQvKR", "KQvKB", "KQvKN", "KQvKP", "KRvKR", "KRvKB", "KRvKN", "KRvKP"),
    *("KBvKN", "KBvKP", "KNvKP", "KPvKP"),
)


@pytest.fixture(autouse=True)
def _no_user_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "user_folder", lambda: tmp_path / "nowhere")


@pytest.fixture(scope="module")
def tablebase() -> Iterator[Tablebase]:
    opened = Tablebase(os.fspath(SHIPPED), use_default=False)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def oracle() -> Iterator[syzygy.Tablebase]:
    """python-chess's own prober, with which ours must agree."""
    with syzygy.open_tablebase(os.fspath(SHIPPED)) as opened:
        yield opened


def engine_board(board: chess.Board) -> movegen.Board:
    """The engine's own board, with the game on its stack."""
    moves = [move.uci() for move in board.move_stack]
    return movegen.new_board(board.root().fen(en_passant="fen"), moves)


def random_board(material: str, rng: random.Random, clock: int = 0) -> chess.Board:
    """A legal position with this material; either side may be to move, with random colours."""
    white, black = material.split("v")
    swap = rng.random() < 0.5
    while True:
        board = chess.Board(None)
        squares = rng.sample(range(64), len(white) + len(black))
        for index, symbol in enumerate(white + black):
            piece = chess.Piece.from_symbol(symbol)
            piece.color = (index < len(white)) != swap
            board.set_piece_at(squares[index], piece)
        board.turn = rng.random() < 0.5
        board.halfmove_clock = clock
        if board.is_valid() and not board.is_game_over():
            return board


def best(tablebase: Tablebase, board: movegen.Board) -> RootRank:
    """The first move of the fastest choice."""
    ranking = tablebase.rank_root(board, 0.0)
    assert ranking
    return ranking[0]


def play(board: movegen.Board, move: RootRank) -> None:
    movegen.push(board, move.code)


def value(oracle: syzygy.Tablebase, board: movegen.Board) -> int:
    """The value that python-chess gives a position, ignoring the fifty-move counter."""
    return oracle.probe_wdl(chess.Board(board.fen()))


@lru_cache(maxsize=1)
def sample() -> list[chess.Board]:
    rng = random.Random(4)
    return [random_board(rng.choice(ENDINGS), rng) for _ in range(210)]


# -- the shipped tables -------------------------------------------------------------------------


def test_shipped_tables_are_complete_and_match_their_list():
    listed = files.read_checksums(files.CHECKSUMS.read_text())
    names = set(syzygy.tablenames(piece_count=4))
    assert len(names) == 35
    assert set(listed) == {f"{name}{suffix}" for name in names for suffix in (".rtbw", ".rtbz")}
    assert {path.name for path in SHIPPED.glob("*.rtb*")} == set(listed)
    for name in listed:
        files.check_contents(SHIPPED / name)


def test_every_shipped_table_opens(tablebase):
    for name in syzygy.tablenames(piece_count=4):
        assert tablebase._wdl[name].check is not None
        assert tablebase._dtz[name].check is not None
    assert tablebase.take_messages() == []


def test_the_shipped_tables_are_used_by_default_without_a_message():
    opened = Tablebase()
    assert opened.largest == 4
    assert opened.take_messages() == []
    opened.close()


def test_a_changed_shipped_table_is_refused(tmp_path, monkeypatch):
    folder = tmp_path / "tables"
    shutil.copytree(SHIPPED, folder)
    for module in (files, cache):
        monkeypatch.setattr(module, "SHIPPED", folder)
    data = bytearray((folder / "KQvKR.rtbw").read_bytes())
    data[len(data) // 2] ^= 4
    (folder / "KQvKR.rtbw").write_bytes(data)
    opened = Tablebase()
    assert opened.probe_wdl(movegen.new_board("8/8/8/8/3k4/7r/8/KQ6 w - - 0 1")) is None
    assert opened.probe_wdl(movegen.new_board("8/8/8/8/3k4/8/8/KQ6 w - - 0 1")) == 2
    messages = opened.take_messages()
    assert len(messages) == 1 and "KQvKR.rtbw ignored: damaged (wrong checksum)" in messages[0]


# -- scores and folders -------------------------------------------------------------------------


def test_scores_lie_between_evaluation_and_mate():
    assert not is_mate(TB_WIN) and TB_WIN < MATE_BOUND
    assert wdl_score(2, MAX_PLY) >= TB_BOUND > 10_000
    crowded = Game("k7/8/8/QQ6/QQQ5/QQQQQ3/QQQQ4/QK6 b - - 0 1").position()
    assert -TB_BOUND < Evaluator().evaluate(crowded.board, crowded.accumulator) < -10_000
    assert [wdl_score(wdl, 3) for wdl in range(-2, 3)] == [
        3 - TB_WIN,
        -2,
        0,
        2,
        TB_WIN - 3,
    ]


def test_paths_are_split_like_a_path_variable(tmp_path):
    text = os.pathsep.join((str(tmp_path), "", " a b "))
    assert files.split_paths(text) == [tmp_path, Path("a b")]
    assert files.split_paths("<empty>") == files.split_paths("") == []


def test_several_folders_make_one_set(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, pattern in ((first, "K?vK.*"), (second, "K??vK.*")):
        folder.mkdir()
        for path in SHIPPED.glob(pattern):
            shutil.copy(path, folder)
    opened = Tablebase(os.pathsep.join(map(str, (first, second))), use_default=False)
    assert opened.largest == 4
    assert opened.probe_wdl(movegen.new_board("8/8/8/8/3k4/8/8/KBN5 w - - 0 1")) == 2
    assert opened.probe_wdl(movegen.new_board("8/8/8/8/3k4/7r/8/KQ6 w - - 0 1")) is None
    assert opened.take_messages() == []


def test_user_folder_is_absolute_and_ours(monkeypatch, tmp_path):
    monkeypatch.undo()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    folder = files.user_folder()
    assert folder.is_absolute() and folder.parts[-2:] == ("halbzug", "tablebases")


# -- known results ------------------------------------------------------------------------------

FACTS = (
    ("8/8/8/8/3k4/8/8/KQ6 w - - 0 1", 2),
    ("8/8/8/8/3k4/8/8/KR6 b - - 0 1", -2),
    ("8/8/8/8/8/8/2kR4/K7 b - - 0 1", 0),  # captures the rook
    ("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", 2),
    ("8/8/8/3k4/8/8/8/KNN5 w - - 0 1", 0),
    ("8/8/8/3k4/8/8/8/KBB5 b - - 0 1", -2),
    ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", 0),  # opposition: Black holds
    ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", -2),
    ("8/8/8/8/k7/8/P7/K7 w - - 0 1", 0),  # rook pawn
    ("8/8/8/8/3k4/7r/8/KQ6 w - - 0 1", 2),
    ("6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1", None),  # too many pieces
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None),  # castling
    ("8/8/8/8/3k4/8/8/KQ6 w - - 1 1", None),  # the fifty-move counter matters
    ("8/8/8/8/3k4/8/8/K7 w - - 0 1", 0),
)


@pytest.mark.parametrize(("fen", "wdl"), FACTS)
def test_known_results(tablebase, fen, wdl):
    board = movegen.new_board(fen)
    assert tablebase.probe_wdl(board) == wdl
    assert board.fen() == fen


@pytest.mark.parametrize(
    ("fen", "dtz"),
    [
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", 1),  # mate at once
        ("8/2K5/4B3/3N4/8/8/4k3/8 b - - 0 1", -53),
        ("8/8/8/8/8/8/2kR4/K7 b - - 0 1", 0),
        ("8/P7/8/8/8/k7/8/7K w - - 0 1", 1),  # promotes
    ],
)
def test_known_distances(tablebase, fen, dtz):
    assert tablebase.probe_dtz(movegen.new_board(fen)) == dtz


def test_en_passant_and_mated_positions(tablebase, oracle):
    for fen in (
        "8/8/8/8/3Pp3/8/8/K6k b - d3 0 1",
        "8/8/8/2k5/3Pp3/8/8/K7 b - d3 0 1",
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1",
    ):
        assert tablebase.probe_wdl(movegen.new_board(fen)) == oracle.probe_wdl(chess.Board(fen))
    assert tablebase.rank_root(movegen.new_board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")) is None


def test_without_the_fifty_move_rule_the_counter_does_not_matter():
    opened = Tablebase(fifty_move_rule=False)
    board = movegen.new_board("8/8/8/3k4/8/8/8/KBN5 w - - 99 80")
    assert opened.probe_wdl(board) == 2
    ranking = opened.rank_root(board)
    assert ranking and ranking[0].score == TB_WIN and ranking[0].wdl == 2


def test_probing_agrees_with_python_chess(tablebase, oracle):
    for board in sample():
        twin = engine_board(board)
        assert tablebase.probe_wdl(twin) == oracle.probe_wdl(board)
        assert tablebase.probe_dtz(twin) == oracle.probe_dtz(board)
        assert twin.fen() == board.fen()


def test_hits_are_counted():
    opened = Tablebase()
    for board in sample()[:20]:
        opened.probe_wdl(engine_board(board))
    assert opened.hits == 20
    assert opened.probe_wdl(movegen.new_board()) is None
    assert opened.hits == 20


def test_probe_limit_and_missing_tables(tmp_path):
    board = movegen.new_board("8/8/8/8/3k4/7r/8/KQ6 w - - 0 1")
    assert Tablebase(probe_limit=3).probe_wdl(board) is None
    assert Tablebase(probe_limit=0).rank_root(board) is None
    shutil.copy(SHIPPED / "KQvKR.rtbw", tmp_path)
    opened = Tablebase(str(tmp_path), use_default=False)
    assert opened.largest == 4
    assert opened.rank_root(board) is None  # the tables that captures lead to are missing
    assert opened.take_messages() == []


# -- the root -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_best_rank_keeps_the_result(tablebase, oracle):
    for board in sample():
        wdl = oracle.probe_wdl(board)
        ranking = tablebase.rank_root(engine_board(board))
        assert ranking and {movegen.uci(m.code) for m in ranking} == {
            move.uci() for move in board.legal_moves
        }
        for move in ranking:
            board.push_uci(movegen.uci(move.code))
            after = -oracle.probe_wdl(board)
            board.pop()
            assert move.wdl == after
            assert (move.rank == ranking[0].rank) <= (after == wdl)
        assert [m.rank for m in ranking] == sorted((m.rank for m in ranking), reverse=True)
        assert (ranking[0].score >= TB_BOUND) == (wdl == 2)
        assert (ranking[0].score <= -TB_BOUND) == (wdl == -2)


def test_wdl_alone_keeps_the_result(tmp_path, oracle):
    for path in SHIPPED.glob("*.rtbw"):
        shutil.copy(path, tmp_path)
    opened = Tablebase(str(tmp_path), use_default=False)
    for board in sample()[:60]:
        wdl = oracle.probe_wdl(board)
        move = best(opened, engine_board(board))
        assert (move.dtz, move.wdl, move.rank) == (None if wdl else 0, wdl, wdl)
        board.push_uci(movegen.uci(move.code))
        assert -oracle.probe_wdl(board) == wdl
        board.pop()
    opened.close()


@pytest.mark.slow
@pytest.mark.parametrize("material", ENDINGS)
def test_games_played_out_end_as_the_tables_say(tablebase, oracle, material):
    """Both sides play the first move, so the loser resists as long as possible."""
    rng = random.Random(material)
    for _ in range(2):
        board = engine_board(random_board(material, rng))
        wdl = value(oracle, board)
        if wdl == 0:
            play(board, best(tablebase, board))
            assert value(oracle, board) == 0
            continue
        winner = board.turn == (wdl > 0)
        while not board.is_game_over():
            assert not board.is_repetition(3) and board.halfmove_clock < 100
            ranking = tablebase.rank_root(board, 0.0 if board.turn == winner else None)
            assert ranking
            play(board, ranking[0])
        assert board.is_checkmate() and board.turn != winner


def test_drawn_positions_are_held_against_random_moves(tablebase, oracle):
    rng = random.Random(11)
    held = 0
    while held < 10:
        material = rng.choice(("KRvKR", "KPvK", "KQvKQ", "KRvKN", "KPvKP", "KBvKP"))
        board = engine_board(random_board(material, rng))
        if value(oracle, board) != 0:
            continue
        us = board.turn
        for _ in range(24):
            if board.is_game_over():
                break
            if board.turn == us:
                play(board, best(tablebase, board))
                assert board.is_game_over() or value(oracle, board) <= 0
            else:
                movegen.push(board, rng.choice(movegen.generate_all(board)))
        assert not board.is_checkmate() or board.turn != us
        held += 1


@pytest.mark.parametrize(
    "material",
    ["KQvK", *(pytest.param(name, marks=pytest.mark.slow) for name in ("KBNvK", "KRvK"))],
)
def test_a_win_survives_any_move_of_the_best_rank(tablebase, material):
    """A search may choose freely among the best-ranked moves, and never loses the win."""
    rng = random.Random(5)
    board = engine_board(random_board(material, rng))
    while best(tablebase, board).wdl != 2:
        board = engine_board(random_board(material, rng))
    us = board.turn
    while not board.is_game_over():
        assert not board.is_repetition(3) and board.halfmove_clock < 100
        if board.turn == us:
            ranking = tablebase.rank_root(board)
            assert ranking and ranking[0].score == TB_WIN
            choice = [move for move in ranking if move.rank == ranking[0].rank]
            play(board, rng.choice(choice))
        else:
            movegen.push(board, rng.choice(movegen.generate_all(board)))
    assert board.is_checkmate() and board.turn != us


def test_a_short_time_still_finds_progress(tablebase, oracle):
    for board in sample()[:25]:
        twin = engine_board(board)
        ranking, whole = tablebase.rank_root(twin, 0.0), tablebase.rank_root(twin)
        assert ranking and whole and len(ranking) == len(whole)
        if whole[0].wdl > 0:
            assert ranking[0].rank == whole[0].rank
            assert (ranking[0].dtz or 99) <= oracle.probe_dtz(board) + 1
        else:
            assert ranking[0].wdl == whole[0].wdl


def test_stop_is_heard_while_moves_are_ranked(tablebase):
    board = engine_board(chess.Board("8/8/8/3k4/8/8/8/KR6 w - - 0 1"))
    number = len(list(chess.Board(board.fen()).legal_moves))
    assert tablebase.rank_root(board, must_stop=lambda: True) is None
    asked = itertools.count(1)
    ranking = tablebase.rank_root(board, must_stop=lambda: next(asked) > number)
    whole = tablebase.rank_root(board)
    assert ranking and whole
    assert ranking[0].rank == whole[0].rank  # progress is enough
    assert ranking != whole


def test_after_a_repetition_only_moves_that_make_progress_are_left(tablebase):
    board = chess.Board("8/8/8/8/3k4/8/8/KR6 w - - 0 1")
    free = tablebase.rank_root(engine_board(board))
    for move in ("b1b8", "d4d5", "b8b1", "d5d4"):
        board.push_uci(move)
    strict = tablebase.rank_root(engine_board(board))
    assert free and strict

    def best_ranked(ranking: list[RootRank]) -> set[int | None]:
        return {move.dtz for move in ranking if move.rank == ranking[0].rank}

    assert len(best_ranked(free)) > 1
    assert best_ranked(strict) == {min(move.dtz or 999 for move in strict)}
    assert strict[0].score == TB_WIN


def test_a_move_into_the_third_occurrence_is_a_draw(tablebase):
    board = chess.Board("8/8/8/8/3k4/8/8/KR6 w - - 0 1")
    for move in ("b1b8", "d4d5", "b8b1", "d5d4", "b1b8", "d4d5", "b8b1", "d5d4")[:7]:
        board.push_uci(move)
    ranking = tablebase.rank_root(engine_board(board))
    assert ranking  # Black, to move, can reach the third occurrence and so save the game
    saving = {movegen.uci(m.code) for m in ranking if m.rank == ranking[0].rank}
    assert saving == {"d5d4"} and ranking[0].score == 0
    board.pop()
    ranking = tablebase.rank_root(engine_board(board))
    assert ranking and ranking[0].score == TB_WIN


@pytest.mark.parametrize("clock", [60, 70, *range(72, 80), 90, 99])
def test_near_the_end_of_the_fifty_moves(tablebase, clock):
    """A win is scored and played as far as the counter still allows it."""
    board = movegen.new_board(f"8/8/8/3k4/8/8/8/KR6 w - - {clock} 90")
    dtz = tablebase.probe_dtz(board)
    assert dtz is not None and dtz > 0
    ranking = tablebase.rank_root(board)
    assert ranking
    if dtz + clock < 100:
        assert ranking[0].score == TB_WIN
        while not board.is_game_over():
            play(board, best(tablebase, board))
        assert board.is_checkmate()
    elif dtz + clock > 101:
        is_drawn_at_once = clock == 99
        assert ranking[0].score == (0 if is_drawn_at_once else CURSED_WIN)
        play(board, ranking[0])
        replies = tablebase.rank_root(board)
        assert replies and replies[0].score in (0, -CURSED_WIN)


def test_mate_on_the_last_move_counts(tablebase):
    board = chess.Board("7k/8/6K1/8/8/8/8/R7 w - - 99 90")
    ranking = tablebase.rank_root(engine_board(board))
    assert ranking and movegen.uci(ranking[0].code) == "a1a8" and ranking[0].score == TB_WIN
    assert all(move.score == 0 for move in ranking[1:])


def test_cursed_rank_and_score(monkeypatch):
    """No four-piece ending is cursed when the counter starts, so the test makes one up."""
    opened = Tablebase()
    board = movegen.new_board("8/8/8/3k4/8/8/8/KR6 w - - 0 1")
    plain = opened.rank_root(board)
    assert plain
    monkeypatch.setattr(opened, "_probe_wdl", lambda board: -1)
    monkeypatch.setattr(opened, "_probe_dtz", lambda board: -110)
    ranking = opened.rank_root(board)
    assert ranking and {(move.score, move.dtz) for move in ranking} == {(2, 111)}
    monkeypatch.setattr(opened, "_probe_wdl", lambda board: 1)
    monkeypatch.setattr(opened, "_probe_dtz", lambda board: 110)
    ranking = opened.rank_root(board)
    assert ranking and {(move.score, move.dtz) for move in ranking} == {(-2, -111)}
    opened.fifty_move_rule = False
    ranking = opened.rank_root(board)
    assert ranking and {move.score for move in ranking} == {-TB_WIN}


def test_contradicting_tables_fall_back_to_wdl(monkeypatch):
    opened = Tablebase()
    monkeypatch.setattr(opened, "_probe_dtz", lambda board: 5)
    ranking = opened.rank_root(movegen.new_board("8/8/8/3k4/8/8/8/KR6 w - - 0 1"))
    assert ranking and ranking[0].dtz is None and ranking[0].score == TB_WIN


@pytest.mark.slow
@pytest.mark.skipif(not ENDGAMES.exists(), reason="the shared test data is missing")
def test_every_small_position_of_the_endgame_suite_keeps_its_result(tablebase, oracle):
    count = 0
    for line in ENDGAMES.read_text().splitlines():
        board, _ = chess.Board.from_epd(line)
        if chess.popcount(board.occupied) > 4 or board.is_game_over():
            continue
        wdl = oracle.probe_wdl(board)
        ranking = tablebase.rank_root(engine_board(board))
        assert ranking
        for move in ranking:
            if move.rank == ranking[0].rank:
                board.push_uci(movegen.uci(move.code))
                assert -oracle.probe_wdl(board) == wdl
                board.pop()
        count += 1
    assert count > 0


# -- damaged files ------------------------------------------------------------------------------

#: Positions that lead to a table, by its name.
PROBES = {
    "KQvKR": (
        "8/8/8/8/3k4/7r/8/KQ6 w - - 0 1",
        "8/8/8/8/3k4/7r/8/KQ6 b - - 0 1",
        "8/8/8/8/1Q1k4/8/1R6/K6r b - - 0 1",
    ),
    "KRvKP": (
        "8/8/5k2/8/8/2P5/8/K3r3 w - - 0 1",
        "8/8/5k2/8/8/2P5/8/K3r3 b - - 0 1",
        "8/8/5K2/8/8/2p5/8/k3R3 w - - 0 1",
    ),
}
TARGETS = ("KQvKR.rtbw", "KQvKR.rtbz", "KRvKP.rtbw", "KRvKP.rtbz")


def damage(data: bytes, kind: str, rng: random.Random) -> bytes:
    size = len(data)
    if kind == "empty":
        return b""
    if kind == "truncated":
        return data[: rng.randrange(1, size)]
    if kind == "truncated to a possible size":
        return data[: rng.randrange(1, size // 64) * 64 + 16]
    if kind == "zeroed":
        return bytes(size)
    if kind == "random":
        return rng.randbytes(size)
    if kind == "random after the magic number":
        return data[:4] + rng.randbytes(size - 4)
    if kind == "bits flipped in the header":
        changed = bytearray(data)
        for _ in range(rng.randrange(1, 5)):
            changed[rng.randrange(4, 64)] ^= 1 << rng.randrange(8)
        return bytes(changed)
    changed = bytearray(data)
    for _ in range(size // 200):
        changed[rng.randrange(4, size)] ^= 1 << rng.randrange(8)
    return bytes(changed)


KINDS = (
    "empty",
    "truncated",
    "truncated to a possible size",
    "zeroed",
    "random",
    "random after the magic number",
    "bits flipped in the header",
    "bits flipped",
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    for path in SHIPPED.glob("*.rtb*"):
        shutil.copy(path, folder)
    return folder


def use(folder: Path, name: str) -> tuple[list[str], Tablebase]:
    """Probe everything that leads to a table, in every way; return all messages."""
    opened = Tablebase(str(folder), use_default=False)
    for fen in PROBES[name.partition(".")[0]]:
        board = movegen.new_board(fen)
        assert opened.probe_wdl(board) in (None, -2, -1, 0, 1, 2)
        opened.probe_dtz(board)
        ranking = opened.rank_root(board)
        assert ranking is None or len(ranking) == board.legal_moves.count()
        assert board.fen() == fen
    return opened.take_messages(), opened


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", TARGETS)
def test_damaged_tables_cost_one_message_each(whole, tmp_path, name, kind):
    data = (SHIPPED / name).read_bytes()
    try:
        for seed in range(2 if os.environ.get("CI") else 1):
            damaged = damage(data, kind, random.Random(seed))
            (whole / name).write_bytes(damaged)
            messages, opened = use(whole, name)
            opened.close()
            assert len(messages) <= 1, messages
            if "flipped" not in kind:
                assert messages
            assert all(name in message and "\n" not in message for message in messages)
    finally:
        (whole / name).write_bytes(data)


@pytest.mark.parametrize("kind", ["directory", "FIFO", "no permission", "dangling link"])
@pytest.mark.parametrize("name", TARGETS)
def test_paths_that_are_not_files_are_ignored(whole, name, kind):
    path = whole / name
    data = path.read_bytes()
    path.unlink()
    try:
        if kind == "directory":
            path.mkdir()
        elif kind == "FIFO":
            if not hasattr(os, "mkfifo"):
                pytest.skip("there are no FIFOs here")
            os.mkfifo(path)
        elif kind == "dangling link":
            path.symlink_to(whole / "nothing")
        else:
            path.write_bytes(data)
            path.chmod(0)
            if os.access(path, os.R_OK):
                pytest.skip("this user can read every file")
        messages, opened = use(whole, name)
        opened.close()
        assert len(messages) == 1 and name in messages[0]
    finally:
        path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
        path.write_bytes(data)


def test_a_file_without_read_permission(whole, monkeypatch):
    check_file = files.check_file

    def refuse(path: Path, name: str, suffix: str) -> TableFile:
        if path.name == "KQvKR.rtbw":
            raise PermissionError(13, "Permission denied", str(path))
        return check_file(path, name, suffix)

    monkeypatch.setattr(files, "check_file", refuse)
    messages, opened = use(whole, "KQvKR")
    opened.close()
    assert len(messages) == 1 and messages[0].endswith("KQvKR.rtbw ignored: access is not allowed")


def test_an_intact_file_in_another_folder_replaces_a_damaged_one(tmp_path):
    (tmp_path / "KQvKR.rtbw").write_bytes(bytes(64 * 20 + 16))
    paths = os.pathsep.join((str(tmp_path), str(SHIPPED)))
    opened = Tablebase(paths, use_default=False)
    assert opened.probe_wdl(movegen.new_board(PROBES["KQvKR"][0])) == 2
    assert len(opened.take_messages()) == 1


def test_a_table_that_disappears_is_no_longer_used(tmp_path):
    for path in SHIPPED.glob("*.rtb*"):
        shutil.copy(path, tmp_path)
    opened = Tablebase(str(tmp_path), use_default=False)
    for path in tmp_path.iterdir():
        path.unlink()
    assert opened.probe_wdl(movegen.new_board(PROBES["KQvKR"][0])) is None
    assert all("ignored" in message for message in opened.take_messages())


@pytest.mark.parametrize("path", ["missing", "file", "empty", "x" * 5000, "nul\0"])
def test_an_unusable_folder_gives_one_message_and_the_default_tables(tmp_path, path):
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "empty").mkdir()
    opened = Tablebase(str(tmp_path / path))
    messages = opened.take_messages()
    assert len(messages) == 1 and len(messages[0]) < 200 and "\n" not in messages[0]
    assert opened.take_messages() == []
    assert opened.largest == 4


def test_many_damaged_files_give_one_message(tmp_path):
    for path in SHIPPED.glob("*.rtb*"):
        (tmp_path / path.name).write_bytes(b"")
    opened = Tablebase(str(tmp_path))
    messages = opened.take_messages()
    assert len(messages) == 1 and messages[0].endswith("(and 69 more)")
    assert opened.probe_wdl(movegen.new_board(PROBES["KQvKR"][0])) == 2


def test_a_closed_tablebase_knows_nothing():
    opened = Tablebase()
    opened.close()
    assert opened.probe_wdl(movegen.new_board(PROBES["KQvKR"][0])) is None
    assert opened.rank_root(movegen.new_board(PROBES["KQvKR"][0])) is None

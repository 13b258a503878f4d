"""The move picker: every legal move exactly once, whatever the table claims."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, endgames, games

from halbzug.board import movegen
from halbzug.search.history import History
from halbzug.search.move_picker import MovePicker
from halbzug.search.parameters import (
    CHECK_BONUS,
    THREATENED_MINOR,
    THREATENED_QUEEN,
    THREATENED_ROOK,
)
from halbzug.search.position import Position
from halbzug.search.see import see_ge
from halbzug.search.transposition import TranspositionTable

any_game = st.one_of(games(), endgames())

#: Which pieces threaten which others.
WEIGHTS = {chess.PAWN: 1, chess.KNIGHT: 2, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 4}
BONUSES = {
    chess.KNIGHT: THREATENED_MINOR,
    chess.BISHOP: THREATENED_MINOR,
    chess.ROOK: THREATENED_ROOK,
    chess.QUEEN: THREATENED_QUEEN,
}


def pick(
    position: Position,
    tt_move: int = 0,
    noisy_only: bool = False,
    history: History | None = None,
) -> tuple[list[int], list[bool]]:
    """The moves handed out, and whether each was called noisy."""
    picker = MovePicker(position, history or History(), TranspositionTable(1))
    picker.begin(tt_move, 0, noisy_only)
    moves, kinds = [], []
    while move := picker.next():
        moves.append(move)
        kinds.append(bool(picker.is_noisy))
        assert len(moves) <= movegen.MAX_MOVES
    assert picker.next() == 0
    return moves, kinds


def legal_codes(game: Game) -> list[int]:
    return sorted(map(movegen.encode, game.reference().legal_moves))


def is_noisy(board: chess.Board, move: chess.Move) -> bool:
    return board.is_capture(move) or bool(move.promotion)


@given(any_game)
def test_each_legal_move_comes_once_and_in_its_class(game: Game):
    moves, kinds = pick(game.position())
    assert sorted(moves) == legal_codes(game)
    board = game.reference()
    assert kinds == [is_noisy(board, movegen.decode(move)) for move in moves]


@given(any_game)
def test_captures_come_first_except_losing_ones_which_come_last(game: Game):
    position = game.position()
    moves, kinds = pick(position)
    wins = [see_ge(position.board, move, 0) for move in moves]
    place = [(0 if win else 2) if noisy else 1 for noisy, win in zip(kinds, wins, strict=True)]
    if position.checkers:
        place = [0 if noisy else 1 for noisy in kinds]
    assert place == sorted(place)


def checks_directly(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    checks = board.checkers() >> move.to_square & 1
    board.pop()
    return bool(checks)


@given(any_game)
def test_a_quiet_check_is_recognized_before_it_is_made(game: Game):
    board = game.reference()
    picker = MovePicker(game.position(), History(), TranspositionTable(1))
    picker.begin(0, 0, False)
    while code := picker.next():
        move = movegen.decode(code)
        if not picker.is_noisy and not board.is_castling(move):
            assert bool(picker.gives_check(code)) == checks_directly(board, move)


@given(any_game, st.integers(0, 40), st.booleans())
def test_once_quiet_moves_are_skipped_only_checks_follow(game: Game, first: int, keep_checks: bool):
    board = game.reference()
    if board.is_check():
        return  # a reply to a check is never skipped
    everything, _ = pick(game.position())
    picker = MovePicker(game.position(), History(), TranspositionTable(1))
    picker.begin(0, 0, False)
    picker.keep_checks = keep_checks
    moves = [picker.next() for _ in range(min(first, len(everything)))]
    picker.skip_quiets = True
    while move := picker.next():
        moves.append(move)

    def is_wanted(code: int) -> bool:
        move = movegen.decode(code)
        checks = not board.is_castling(move) and checks_directly(board, move)
        return is_noisy(board, move) or (keep_checks and checks)

    rest = everything[len(everything[:first]) :]
    assert moves == everything[:first] + [code for code in rest if is_wanted(code)]


def best_capture_value(board: chess.Board, square: int) -> int:
    """The most that the side to move can win on a square, with any piece, by brute force."""
    values = [0, 100, 330, 330, 520, 980, 0]
    best = 0
    for move in board.generate_legal_moves(to_mask=chess.BB_SQUARES[square]):
        victim = board.piece_type_at(square)
        if victim is None or move.promotion:
            continue
        board.push(move)
        best = max(best, values[victim] - best_capture_value(board, square))
        board.pop()
    return best


@pytest.mark.parametrize(
    ("fen", "move", "gain"),
    [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
        ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
        ("4k3/8/2p5/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", -230),
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -420),
        ("3rk3/8/8/3p4/8/8/3R4/3QK3 w - - 0 1", "d2d5", 100),
        ("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "e1e2", 980),
    ],
)
def test_exchanges_are_calculated_completely(fen: str, move: str, gain: int):
    board = movegen.new_board(fen)
    code = movegen.code_from_uci(board, move)
    assert see_ge(board, code, gain)
    assert not see_ge(board, code, gain + 1)
    public = chess.Board(fen)
    taken = [0, 100, 330, 330, 520, 980, 0][public.piece_type_at(chess.parse_square(move[2:]))]
    public.push_uci(move)
    assert taken - best_capture_value(public, chess.parse_square(move[2:])) == gain


@given(any_game, st.integers(-1500, 1500))
def test_an_exchange_that_gains_much_also_gains_less(game: Game, threshold: int):
    board = game.position().board
    for code in movegen.generate_all(board):
        if see_ge(board, code, threshold):
            assert see_ge(board, code, threshold - 50)


@given(any_game, st.data())
def test_a_legal_hash_move_comes_first_and_only_once(game: Game, data: st.DataObject):
    legal = legal_codes(game)
    if not legal:
        return
    tt_move = data.draw(st.sampled_from(legal))
    moves, _ = pick(game.position(), tt_move)
    assert moves[0] == tt_move
    assert sorted(moves) == legal


@pytest.mark.slow
@given(any_game, st.lists(st.integers(0, 2**15 - 1), min_size=5, max_size=20))
def test_garbage_from_the_table_is_harmless(game: Game, codes: list[int]):
    position = game.position()
    legal = legal_codes(game)
    for code in codes:
        assert sorted(pick(position, code)[0]) == legal
        noisy = pick(position, 0, noisy_only=True)[0]
        assert sorted(pick(position, code, noisy_only=True)[0]) == sorted(noisy)


@pytest.mark.parametrize(
    ("fen", "chess960"),
    [
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", False),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", False),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", True),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1", False),
        ("8/8/3k4/8/1pPp4/8/P3P3/3RK3 b - c3 0 1", False),
        ("4k3/8/8/8/4r3/8/3P1P2/R3K2R w KQ - 0 1", False),
    ],
)
def test_no_code_at_all_leads_to_an_illegal_or_repeated_move(fen: str, chess960: bool):
    """All 32768 codes: the first move shows whether the code was accepted."""
    game = Game(fen, (), chess960)
    legal = legal_codes(game)
    position = game.position()
    picker = MovePicker(position, History(), TranspositionTable(1))
    for code in range(2**15):
        picker.begin(code, 0, False)
        if picker.next() == code:
            assert sorted(pick(position, code)[0]) == legal, movegen.uci(code)


@given(any_game, st.data())
def test_noisy_only_omits_quiet_moves_except_in_check(game: Game, data: st.DataObject):
    board = game.reference()
    expected = legal_codes(game)
    tt_move = data.draw(st.sampled_from([0, *expected]))
    if not board.is_check():
        expected = [code for code in expected if is_noisy(board, movegen.decode(code))]
    assert sorted(pick(game.position(), tt_move, noisy_only=True)[0]) == expected


@pytest.mark.slow
@given(any_game, st.data())
def test_history_and_killers_change_only_the_order(game: Game, data: st.DataObject):
    legal = legal_codes(game)
    history = History()
    codes = st.one_of(st.sampled_from(legal or [0]), st.integers(0, 2**15 - 1))
    for code in data.draw(st.lists(codes, max_size=20)):
        board = game.position().board
        history.add_bonus(board, 0, data.draw(st.integers(1, 60)), code)
        history.add_malus(board, 0, data.draw(st.integers(1, 60)), code)
    assert sorted(pick(game.position(), history=history)[0]) == legal


def test_a_killer_is_the_first_quiet_move():
    position = Game(chess.STARTING_FEN).position()
    killer = movegen.encode(chess.Move.from_uci("a2a3"))
    history = History()
    history.add_bonus(position.board, 0, 4, killer)
    assert pick(position, history=history)[0][0] == killer
    history.clear()
    assert pick(position, history=history)[0] == pick(position)[0]


def test_good_moves_come_early_and_bad_ones_late():
    position = Game(chess.STARTING_FEN).position()
    good, bad = (movegen.encode(chess.Move.from_uci(text)) for text in ("h2h3", "g1f3"))
    history = History()
    for _ in range(10_000):  # far beyond any real search: the values stay within bounds
        history.add_bonus(position.board, 0, 30, good)
        history.add_malus(position.board, 0, 30, bad)
    history.clear_killers()
    moves, _ = pick(position, history=history)
    assert moves[0] == good
    assert moves[-1] == bad


@given(any_game)
def test_quiet_moves_out_of_threats_come_first_and_moves_into_them_last(game: Game):
    board, position = game.reference(), game.position()
    picker = MovePicker(position, History(), TranspositionTable(1))
    picker.begin(0, 0, False)

    def is_threatened(piece: chess.PieceType, square: chess.Square) -> bool:
        weight = WEIGHTS.get(piece, 0)
        attackers = board.attackers(not board.turn, square)
        return any(WEIGHTS.get(board.piece_type_at(one), 9) < weight for one in attackers)

    ratings = []
    while code := picker.next():
        move = movegen.decode(code)
        piece = board.piece_type_at(move.from_square)
        if board.is_check() or is_noisy(board, move) or board.is_castling(move):
            continue
        change = is_threatened(piece, move.from_square) - is_threatened(piece, move.to_square)
        ratings.append(BONUSES.get(piece, 0) * change + CHECK_BONUS * picker.gives_check(code))
    assert ratings == sorted(ratings, reverse=True)


def test_the_best_victim_comes_first_with_its_cheapest_attacker():
    game = Game("4k3/8/8/3q1r2/4P3/8/8/3RK3 w - - 0 1")
    assert [movegen.uci(move) for move in pick(game.position())[0][:3]] == ["e4d5", "d1d5", "e4f5"]


def test_one_picker_can_serve_many_positions():
    game = Game(chess.STARTING_FEN)
    position = game.position()
    picker = MovePicker(position, History(), TranspositionTable(1))
    for move in ("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5"):
        picker.begin(0, 0, False)
        picker.next()  # left halfway
        position.make(movegen.code_from_uci(position.board, move))
    picker.begin(0, 0, False)
    moves = []
    while code := picker.next():
        moves.append(movegen.uci(code))
    assert sorted(moves) == ["c3e2", "c3e4", "d1e2", "f1e2", "g1e2"]

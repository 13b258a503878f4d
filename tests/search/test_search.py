"""The search: the minimax value if nothing is selective, and its promises with everything on."""

from __future__ import annotations

from dataclasses import replace

import chess
import hypothesis
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracle import Oracle
from positions import (
    COMPILED,
    STARTS,
    Game,
    Outcome,
    endgames,
    games,
    search,
    search_position,
    shuffled,
)

from halbzug.base.events import CurrentMove, Event, Info
from halbzug.base.limits import Limits
from halbzug.base.scores import EXACT_BOUND, LOWER_BOUND, MATE, is_mate, mate_in_moves
from halbzug.board.movegen import new_board
from halbzug.search.position import Position
from halbzug.search.root import Root
from halbzug.search.search import Search
from halbzug.search.settings import PLAIN, Settings
from halbzug.search.smp_counters import SharedCounters
from halbzug.search.time_management import Clock, MoveTime
from halbzug.search.transposition import TranspositionTable

WITHOUT_TT = replace(PLAIN, transposition_table=False)
WITHOUT_QUIESCENCE = replace(PLAIN, quiescence=False)

MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9"
TACTICAL = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
POSITIONS = (MIDDLEGAME, TACTICAL, ENDGAME, chess.STARTING_FEN, STARTS[5])


# -- the oracle ---------------------------------------------------------------------------------

#: As much as a test can wait for: the oracle is pure Python in every build.
ORACLE_NODES = 1500
EXAMPLES = 25 if COMPILED else 10

near_draws = st.builds(
    shuffled,
    endgames(3, clocks=st.sampled_from((0, 85, 92))),
    st.integers(0, 3),
    st.integers(0, 2**32),
)
roots = st.one_of(endgames(4), endgames(4), near_draws, games(80))


def searched(game: Game, depth: int, settings: Settings) -> list[int]:
    """The search's values at depth 1, 2, ... depth."""
    found = search(game, Limits(depth=depth), settings)
    assert [info.depth for info in found.infos] == list(range(1, depth + 1))
    return [info.score for info in found.infos]


def assert_is_minimax(game: Game, settings: Settings, others: dict[str, object]) -> None:
    """The search has minimax's value at each depth: without table, with it, with `others` on."""
    assume(any(game.reference().legal_moves))
    oracle = Oracle(game, settings.quiescence, ORACLE_NODES, settings.quiescence_checks)
    values = oracle.values(deepest=4)
    assume(values)
    depth = len(values)
    assert searched(game, depth, replace(settings, transposition_table=False)) == values
    if not oracle.depends_on_path:
        assert searched(game, depth, settings) == values
        assert searched(game, depth, replace(settings, **others)) == values
    best = search(game, Limits(depth=depth), replace(settings, transposition_table=False)).best.move
    oracle.nodes_left = 10 * ORACLE_NODES
    assert dict(oracle.root_values(depth))[best] == values[-1]


@pytest.mark.slow
@hypothesis.settings(max_examples=EXAMPLES)
@given(roots)
def test_plain_search_is_minimax(game: Game):
    assert_is_minimax(game, WITHOUT_QUIESCENCE, {"mate_distance_pruning": True})


@pytest.mark.slow
@hypothesis.settings(max_examples=EXAMPLES)
@given(roots)
def test_plain_search_with_quiescence_is_minimax(game: Game):
    """Exact techniques change nothing."""
    assert_is_minimax(game, PLAIN, {"aspiration": True, "mate_distance_pruning": True})


@pytest.mark.slow
@hypothesis.settings(max_examples=EXAMPLES // 2)
@given(roots)
def test_plain_search_with_checks_in_quiescence_is_minimax(game: Game):
    assert_is_minimax(game, replace(PLAIN, quiescence_checks=True), {"aspiration": True})


def test_a_one_ply_search_sees_a_quiet_check_that_mates():
    back_rank = "4r1k1/5ppp/8/8/p7/8/5PPP/R5K1 w - - 0 1"
    greedy = replace(Settings(), quiescence_checks=False)
    assert search(back_rank, Limits(depth=1), greedy).best.move == "a1a4"
    assert search(back_rank, Limits(depth=1)).best.move != "a1a4"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fen", "depth"),
    [
        (chess.STARTING_FEN, 2),
        (ENDGAME, 2),
        ("8/5k2/1p1p4/1P1P1p2/5P2/8/5K2/8 w - - 0 1", 4),
        ("8/8/8/1p1k4/8/1P1K4/8/8 b - - 96 80", 4),
        ("k7/8/2K5/1Q6/8/8/8/8 w - - 0 1", 3),  # stalemates
        ("5k2/5P2/8/4K3/8/8/8/8 w - - 0 1", 4),
        ("8/5k2/8/r4p2/5P2/8/R4K2/8 w - - 0 1", 3),
        ("4k3/P7/8/8/8/8/7p/4K3 w - - 0 1", 2),
        ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", 3),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", 2),
    ],
)
def test_known_examples_are_minimax(fen: str, depth: int):
    game = Game(fen, chess960="1r2k" in fen)
    oracle = Oracle(game, quiescence=True, max_nodes=200_000)
    values = [oracle.value(number) for number in range(1, depth + 1)]
    for settings in (PLAIN, WITHOUT_TT):
        assert searched(game, depth, settings) == values


# -- mates in won positions -----------------------------------------------------------------------

#: White wins in any case, and has a mate in two that begins with a quiet move.
WON = "1Qq5/8/2N5/7b/3Nr2p/4kp1R/8/1B2K3 w - - 0 1"


@pytest.mark.any_build
def test_in_a_won_position_the_shortest_mate_is_proved():
    found = search(WON, Limits(nodes=42_000))
    assert found.best.move == "b8d6"
    assert (found.last.bound, mate_in_moves(found.last.score)) == (EXACT_BOUND, 2)
    assert found.nodes < 42_000  # a proof ends the search
    board = chess.Board(WON)
    for move in found.last.pv:
        board.push_uci(move)
    assert board.is_checkmate()
    assert len(found.last.pv) == 3
    without = search(WON, Limits(nodes=42_000), replace(Settings(), mate_search=False))
    assert without.best.move != "b8d6"


@pytest.mark.any_build
@pytest.mark.parametrize("missing", [3000, 1000, 100, 10])
def test_an_interrupted_proof_changes_nothing(missing: int):
    nodes = search(WON, Limits(nodes=42_000)).nodes - missing
    found = search(WON, Limits(nodes=nodes))
    assert found.nodes == nodes
    assert 600 < found.last.score < MATE // 2
    assert chess.Move.from_uci(found.best.move) in chess.Board(WON).legal_moves


@pytest.mark.any_build
@pytest.mark.parametrize(
    ("fen", "nodes"), [(WON, 42_000), ("k7/8/2K5/1Q6/8/8/8/8 w - - 0 1", 10_000)]
)
def test_several_lines_are_not_cut_short_by_a_proof(fen: str, nodes: int):
    found = search(fen, Limits(nodes=nodes), multi_pv=3)
    assert found.nodes == nodes


# -- determinism and limits ---------------------------------------------------------------------


def essence(found: Outcome) -> list[object]:
    """The part that must be the same each time: everything but the time and what depends on it.

    A failed aspiration window is reported only after a while.
    """
    exact = [info for info in found.infos if info.bound == EXACT_BOUND]
    return [found.best, found.nodes, *(info._replace(time_ms=0) for info in exact)]


@pytest.mark.parametrize("fen", POSITIONS)
@pytest.mark.parametrize("limits", [Limits(depth=3), Limits(nodes=2000)])
def test_the_same_search_twice_is_the_same(fen: str, limits: Limits):
    assert essence(search(fen, limits)) == essence(search(fen, limits))


def test_after_a_new_game_and_with_a_cleared_table_the_first_search_is_repeated():
    tt = TranspositionTable(1)
    searcher = Search(tt)

    def run(fen: str) -> list[object]:
        events: list[object] = []
        best = searcher.run(Game(fen).position(), Limits(depth=3), report=events.append)
        infos = [event for event in events if isinstance(event, Info)]
        return essence(Outcome(best, infos, searcher.nodes, notices=[]))

    first = run(MIDDLEGAME)
    for fen in POSITIONS:
        run(fen)
    searcher.tree.new_game()
    tt.clear()
    assert run(MIDDLEGAME) == first


@pytest.mark.parametrize("fen", POSITIONS)
@pytest.mark.parametrize("nodes", [1, 2, 17, 100, 1234, 5000])
def test_the_node_limit_is_exact(fen: str, nodes: int):
    found = search(fen, Limits(nodes=nodes))
    assert found.nodes == nodes
    assert all(info.nodes <= nodes for info in found.infos)


@pytest.mark.parametrize("depth", [0, 1, 2, 4])
def test_the_depth_limit_is_reached_and_not_exceeded(depth: int):
    found = search(MIDDLEGAME, Limits(depth=depth))
    depths = {info.depth for info in found.infos}  # a slow search shows its last line again
    assert sorted(depths) == list(range(1, max(depth, 1) + 1))
    assert all(info.selective_depth >= info.depth for info in found.infos)
    assert all(info.bound == EXACT_BOUND for info in found.infos)
    nodes = [info.nodes for info in found.infos]
    assert nodes == sorted(nodes)


def test_the_first_limit_that_is_hit_ends_the_search():
    assert search(MIDDLEGAME, Limits(nodes=500, depth=60)).nodes == 500
    assert search(MIDDLEGAME, Limits(nodes=10**9, depth=2)).last.depth == 2
    assert search(MIDDLEGAME, Limits(nodes=500, mate=20)).nodes == 500


def test_a_search_beyond_the_longest_line_ends():
    """Two kings and blocked pawns: the tree is small, so every depth is reached quickly."""
    found = search("8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1", Limits(nodes=3000))
    assert found.best.move is not None
    found = search("k7/8/K7/P7/8/8/8/8 b - - 0 1", Limits(nodes=4000))
    assert found.best.move == "a8b8"


@pytest.mark.parametrize("fen", POSITIONS)
def test_interrupted_at_any_node_it_answers_and_leaves_the_position_unchanged(fen: str):
    game = Game(fen)
    legal = {move.uci() for move in chess.Board(fen).legal_moves}
    position = game.position()
    before = (
        position.board.fen(), position.key, position.height, position.checkers,
        position.accumulator.score, position.accumulator.phase,
    )  # fmt: skip
    for nodes in (*range(1, 50), *range(50, 1500, 150)):
        found = search_position(position, Limits(nodes=nodes))
        after = (
            position.board.fen(), position.key, position.height, position.checkers,
            position.accumulator.score, position.accumulator.phase,
        )  # fmt: skip
        assert after == before
        assert found.best.move in legal
        assert found.last.pv[0] == found.best.move
        assert abs(found.score) <= MATE
        assert_is_playable(game, found.last)


@pytest.mark.parametrize("nodes", [3, 50, 400, 2500])
@pytest.mark.parametrize("fen", POSITIONS)
def test_interrupted_with_several_lines_the_best_move_is_that_of_the_first_line(
    fen: str, nodes: int
):
    found = search(fen, Limits(nodes=nodes), multi_pv=3)
    assert found.last.pv[0] == found.best.move
    for info in found.infos:
        assert_is_playable(Game(fen), info)


@pytest.mark.parametrize("nodes", range(500, 4000, 250))
def test_interrupted_the_valid_lines_have_different_moves(nodes: int):
    """A line stays valid until another of its number comes: that is what a GUI shows."""
    found = search(MIDDLEGAME, Limits(nodes=nodes), multi_pv=4)
    standing = {info.multipv: info for info in found.infos}
    assert sorted(standing) == [1, 2, 3, 4]
    assert len({info.pv[0] for info in standing.values()}) == 4
    assert standing[1].pv[0] == found.best.move


def test_a_stopped_clock_ends_the_search_with_a_move():
    clock = Clock()
    clock.stop()
    searcher = Search(TranspositionTable(1))
    best = searcher.run(Game(MIDDLEGAME).position(), Limits(infinite=True), clock)
    assert chess.Move.from_uci(best.move) in chess.Board(MIDDLEGAME).legal_moves


def test_an_event_handler_can_stop_the_search():
    clock = Clock()
    infos = []

    def report(info: Info) -> None:
        infos.append(info)
        if info.depth == 3:
            clock.stop()

    searcher = Search(TranspositionTable(1))
    best = searcher.run(Game(MIDDLEGAME).position(), Limits(infinite=True), clock, report)
    assert infos[-1].depth in (3, 4)
    assert infos[-1].pv[0] == best.move


def test_a_forced_move_is_played_at_once_in_a_timed_game_but_analysed_otherwise():
    fen = "7k/8/8/8/8/8/1r6/K6q w - - 0 1"
    assert [move.uci() for move in chess.Board(fen).legal_moves] == ["a1b2"]
    searcher = Search(TranspositionTable(1))
    clock = Clock(MoveTime(1e6, 1e6))
    infos: list[Info] = []
    best = searcher.run(Game(fen).position(), Limits(), clock, infos.append)
    assert best.move == "a1b2"
    assert len(infos) == 1
    assert search(fen, Limits(depth=3)).last.depth == 3


def test_the_hard_deadline_ends_a_search():
    searcher = Search(TranspositionTable(1))
    clock = Clock(MoveTime(50, 100))
    best = searcher.run(Game(MIDDLEGAME).position(), Limits(), clock)
    assert best.move is not None
    assert clock.elapsed_ms() < 10_000  # but not forever


# -- root moves ---------------------------------------------------------------------------------


@given(games(40), st.data())
def test_searchmoves_restrict_the_root(game: Game, data: st.DataObject):
    board = game.reference()
    legal = [board.uci(move) for move in board.legal_moves]
    assume(legal)
    wanted = data.draw(st.lists(st.sampled_from(legal), min_size=1, max_size=3, unique=True))
    found = search(game, Limits(nodes=200, search_moves=tuple(wanted)), multi_pv=5)
    assert found.best.move in wanted
    assert all(info.pv[0] in wanted for info in found.infos)


def test_searchmoves_give_the_value_of_these_moves():
    whole = search(ENDGAME, Limits(depth=2), PLAIN)
    oracle = dict(Oracle(Game(ENDGAME), max_nodes=200_000).root_values(2))
    worst = min(oracle, key=oracle.__getitem__)
    found = search(ENDGAME, Limits(depth=2, search_moves=(worst,)), PLAIN)
    assert found.score == oracle[worst] < whole.score


def assert_lines_are_well_formed(found: Outcome, lines: int) -> None:
    """The lines of every finished iteration are in order and have different first moves."""
    depths = {info.depth for info in found.infos}
    for depth in depths:
        iteration = [info for info in found.infos if info.depth == depth]
        assert [info.multipv for info in iteration] == list(range(1, lines + 1))
        scores = [info.score for info in iteration]
        assert scores == sorted(scores, reverse=True)
        assert len({info.pv[0] for info in iteration}) == lines


@pytest.mark.parametrize("lines", [1, 2, 4])
@pytest.mark.parametrize("fen", POSITIONS)
def test_lines_are_sorted_and_distinct(fen: str, lines: int):
    found = search(fen, Limits(depth=3 if lines < 4 else 2), multi_pv=lines)
    assert_lines_are_well_formed(found, lines)
    assert found.best.move == found.last.pv[0]


def test_the_last_exact_line_is_of_the_move_that_is_played():
    """Only a bound was shown for a new best move, although the other lines had its exact score."""
    events: list[Event] = []
    tree = Search(TranspositionTable(1)).tree
    position = Position(new_board(MIDDLEGAME, (), False))
    tree.begin(position, Settings(), Limits(depth=3), Clock(), SharedCounters())
    root = Root(tree, (), events.append)
    root.iterate(3, 3)
    best, second, third = (event.pv for event in events if isinstance(event, Info))
    root.moves[:2] = root.moves[1::-1]  # the second is proved to be better in the next iteration
    root.moves[0].pv = root.moves[0].pv[:1]
    root.bound = LOWER_BOUND
    root.report_final_line(4, 3)
    shown = [event for event in events if isinstance(event, Info)]
    assert root.best_move().move == second[0]
    assert [info.pv for info in shown[3:]] == [second, best, third]
    assert {info.bound for info in shown} == {EXACT_BOUND}
    assert [info.multipv for info in shown[3:]] == [1, 2, 3]


def test_there_are_no_more_lines_than_moves():
    fen = "7k/8/8/8/8/8/2r5/K7 w - - 0 1"
    assert_lines_are_well_formed(search(fen, Limits(depth=3), multi_pv=500), lines=1)


def test_a_search_with_a_node_limit_reports_the_same_at_any_speed() -> None:
    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

    def reported(elapsed_ms: float) -> list[tuple[object, ...]]:
        infos: list[Event] = []
        position = Position(new_board(fen))
        clock = Clock(elapsed_ms=elapsed_ms)
        Search(TranspositionTable(1)).run(position, Limits(nodes=3000), clock, infos.append)
        lines = [info for info in infos if isinstance(info, Info)]
        return [(line.depth, line.score, line.bound, line.pv, line.nodes) for line in lines]

    assert reported(0) == reported(60_000)


@hypothesis.settings(max_examples=EXAMPLES // 2)
@given(st.one_of(endgames(4), games(80)), st.integers(2, 4))
def test_each_line_has_the_value_of_its_move_alone(game: Game, lines: int):
    moves = game.reference().legal_moves.count()
    assume(moves)
    depth = 3 if moves < 10 else 2 if moves < 25 else 1
    found = search(game, Limits(depth=depth), WITHOUT_TT, multi_pv=lines)
    assert_lines_are_well_formed(found, min(lines, moves))
    final = [info for info in found.infos if info.depth == depth]
    for info in final:
        alone = search(game, Limits(depth=depth, search_moves=info.pv[:1]), WITHOUT_TT)
        assert alone.score == info.score
    assert final[0].score == search(game, Limits(depth=depth), WITHOUT_TT).score


# -- lines --------------------------------------------------------------------------------------


def assert_is_playable(game: Game, info: Info) -> None:
    """A line is legal, ends where the game ends, and mates when it claims to."""
    board = game.reference()
    assert info.pv
    for number, text in enumerate(info.pv):
        if number:
            assert not board.is_game_over(), info
            assert not board.is_repetition(3), info
            assert board.halfmove_clock < 100, info
        move = chess.Move.from_uci(text)
        assert board.is_legal(move), info
        assert board.uci(move) == text
        board.push(move)
    if is_mate(info.score) and info.bound == EXACT_BOUND:
        plies = MATE - abs(info.score)
        assert len(info.pv) == plies, info
        assert board.is_checkmate(), info
        assert (plies % 2 == 1) == (info.score > 0)
        moves = mate_in_moves(info.score)
        assert len(info.pv) == (2 * moves - 1 if moves > 0 else -2 * moves)


@given(st.one_of(games(80), endgames(), near_draws), st.sampled_from([50, 300, 1000]))
def test_lines_can_be_played_out(game: Game, nodes: int):
    assume(any(game.reference().legal_moves))
    found = search(game, Limits(nodes=nodes, depth=12), multi_pv=1 + nodes % 3)
    for info in found.infos:
        assert_is_playable(game, info)
        assert info.hashfull in range(1001)
        assert info.time_ms >= 0
        assert info.selective_depth >= info.depth >= 1
    assert found.last.pv[0] == found.best.move


@given(st.one_of(games(60), endgames()))
def test_the_ponder_move_is_legal_after_the_best_move(game: Game):
    board = game.reference()
    assume(any(board.legal_moves))
    found = search(game, Limits(nodes=300))
    board.push_uci(found.best.move)
    if found.best.ponder is not None:
        assert board.is_legal(chess.Move.from_uci(found.best.ponder))
    elif len(found.last.pv) > 1:
        raise AssertionError("the line has a reply to ponder on")


@pytest.mark.parametrize(
    ("fen", "castling"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1"),
        ("4k3/8/8/8/8/8/8/1R1K4 w B - 0 1", "d1b1"),
    ],
)
def test_chess960_castling_is_king_takes_rook(fen: str, castling: str):
    game = Game(fen, chess960=True)
    found = search(game, Limits(depth=2, search_moves=(castling,)))
    assert found.best.move == castling
    standard = search("4k3/8/8/8/8/8/8/4K2R w K - 0 1", Limits(depth=2, search_moves=("e1g1",)))
    assert standard.best.move == "e1g1"


# -- the table between searches -----------------------------------------------------------------


def test_a_known_position_is_searched_in_fewer_nodes():
    searcher = Search(TranspositionTable(4))
    position = Game(MIDDLEGAME).position()
    searcher.run(position, Limits(depth=3))
    first = searcher.nodes
    searcher.run(position, Limits(depth=3))
    assert searcher.nodes < first


@hypothesis.settings(max_examples=EXAMPLES // 2)
@given(st.lists(st.one_of(endgames(3), games(40), near_draws), min_size=2, max_size=5))
def test_table_entries_of_other_searches_never_make_a_line_illegal(many: list[Game]):
    searcher = Search(TranspositionTable(1))
    for game in many:
        if not any(game.reference().legal_moves):
            continue
        infos: list[Info] = []
        best = searcher.run(game.position(), Limits(nodes=300), report=infos.append)
        assert best.move == infos[-1].pv[0]
        for info in infos:
            assert_is_playable(game, info)


def test_two_rooks_win_against_a_king():
    """A whole game in which one searcher moves for both sides, with a few nodes per move."""
    start = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    searcher = Search(TranspositionTable(1))
    board = chess.Board(start)
    moves: list[str] = []
    while any(board.legal_moves) and len(moves) < 90:
        assert not board.is_repetition(3)
        best = searcher.run(Game(start, tuple(moves)).position(), Limits(nodes=400))
        board.push_uci(best.move)  # raises if it is illegal
        moves.append(best.move)
    assert board.is_checkmate()


def test_a_long_search_reports_its_current_move():
    """Only after some seconds, so that fast games are not flooded."""
    events: list[object] = []
    clock = Clock(elapsed_ms=5000)
    Search(TranspositionTable(1)).run(
        Game(MIDDLEGAME).position(), Limits(depth=2), clock, events.append
    )
    named = [event for event in events if isinstance(event, CurrentMove)]
    assert {event.depth for event in named} == {1, 2}
    legal = {move.uci() for move in chess.Board(MIDDLEGAME).legal_moves}
    assert {event.move for event in named} == legal
    events.clear()
    Search(TranspositionTable(1)).run(
        Game(MIDDLEGAME).position(), Limits(depth=2), Clock(), events.append
    )
    assert not [event for event in events if isinstance(event, CurrentMove)]

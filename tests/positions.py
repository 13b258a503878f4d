"""Games and positions for the tests: hypothesis strategies and a few helpers.

A `Game` is plain data (FEN, moves, variant). From it a test takes python-chess's public board, as
the reference, or the engine's own board and position, which a compiled build replaces.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import chess
import pytest
from checkout import ROOT
from hypothesis import strategies as st

from halbzug.base.events import BestMove, Event, Info, Notice
from halbzug.base.limits import Limits
from halbzug.board import movegen
from halbzug.search.position import Position
from halbzug.search.search import Search
from halbzug.search.settings import Settings
from halbzug.search.transposition import TranspositionTable

COMPILED = movegen.BUILD == "compiled"

#: Test data that several checkouts share; not part of the repository.
SHARED_DATA = ROOT.parent / "shared" / "data"

#: Start positions of random games, close to castling, en passant and promotions.
STARTS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/8/3k4/8/1pPp4/8/P3P3/3RK3 b - c3 0 1",
)

#: Chess960 middlegames: castling is possible, the rooks stand on unusual squares.
STARTS_960 = (
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1",
    "rk1r4/pppppppp/8/8/8/8/PPPPPPPP/RK1R4 w KQkq - 0 1",
    "5rkr/pppp1ppp/8/8/8/8/PPPP1PPP/5RKR w KQkq - 0 1",
    "1rkr4/8/8/8/8/8/8/1RKR4 b KQkq - 0 1",
)


def any_text(max_size: int | None = None) -> st.SearchStrategy[str]:
    """Any text that can be encoded; faster than `st.text()`, which first tries a codec on each
    character.
    """
    return st.text(st.characters(exclude_categories=("Cs",)), max_size=max_size)


@dataclass(frozen=True)
class Game:
    """A start and the moves from it."""

    fen: str
    moves: tuple[str, ...] = ()
    chess960: bool = False

    def reference(self) -> chess.Board:
        """The last position on python-chess's public board, with the game on its stack."""
        board = chess.Board(self.fen, chess960=self.chess960)
        for move in self.moves:
            board.push_uci(move)
        return board

    def board(self) -> movegen.Board:
        """The same on the engine's board."""
        return movegen.new_board(self.fen, self.moves, self.chess960)

    def position(self) -> Position:
        """The same as a position of the search."""
        return Position(self.board())


def is_special(board: chess.Board, move: chess.Move) -> bool:
    """Whether a move is of a kind that move generators often get wrong."""
    return bool(move.promotion) or board.is_castling(move) or board.is_en_passant(move)


def play_at_random(fen: str, chess960: bool, plies: int, seed: int) -> Game:
    """A random game of at most `plies` plies with many special moves; more plies extend the same
    game.
    """
    chooser = random.Random(seed)
    board = chess.Board(fen, chess960=chess960)
    moves = []
    for _ in range(plies):
        legal = list(board.legal_moves)
        if not legal:
            break
        special = [move for move in legal if is_special(board, move)]
        chosen = chooser.choice(special if special and chooser.random() < 0.5 else legal)
        moves.append(board.uci(chosen))
        board.push(chosen)
    return Game(fen, tuple(moves), chess960)


def games(max_plies: int = 60) -> st.SearchStrategy[Game]:
    """Random games, standard and Chess960."""
    starts = st.one_of(
        st.sampled_from([(fen, False) for fen in STARTS]),
        st.sampled_from([(fen, True) for fen in STARTS_960]),
        st.integers(0, 959).map(lambda number: (chess.Board.from_chess960_pos(number).fen(), True)),
    )
    return st.builds(
        lambda start, plies, seed: play_at_random(*start, plies, seed),
        starts,
        st.integers(0, max_plies),
        st.integers(0, 2**32),
    )


def place_at_random(pieces: str, turn: bool, clock: int, seed: int) -> Game | None:
    """A position with these pieces and both kings on random squares; None if impossible."""
    chooser = random.Random(seed)
    board = chess.Board(None)
    for symbol in "Kk" + pieces:
        ranks = range(8, 56) if symbol in "Pp" else range(64)
        free = [square for square in ranks if not board.piece_at(square)]
        board.set_piece_at(chooser.choice(free), chess.Piece.from_symbol(symbol))
    board.turn = turn
    board.halfmove_clock = clock
    board.fullmove_number = 100
    return Game(board.fen()) if board.is_valid() else None


def endgames(max_pieces: int = 5, clocks: st.SearchStrategy[int] | None = None):
    """Sparse positions, close to mates, stalemates and draws and with small trees."""
    return st.builds(
        place_at_random,
        st.text("PPNBRQppnbrq", max_size=max_pieces),
        st.booleans(),
        clocks if clocks is not None else st.sampled_from((0, 0, 0, 60, 95, 97, 98, 99)),
        st.integers(0, 2**32),
    ).filter(lambda game: game is not None)


def shuffled(game: Game, rounds: int, seed: int) -> Game:
    """The game, continued with moves back and forth, so that repetitions are close."""
    board = game.reference()
    chooser = random.Random(seed)
    moves = list(game.moves)
    for _ in range(rounds):
        there = []
        for _ in range(2):
            quiet = [move for move in board.legal_moves if not board.is_zeroing(move)]
            if not quiet:
                break
            there.append(chooser.choice(quiet))
            board.push(there[-1])
        back = [chess.Move(move.to_square, move.from_square) for move in there]
        played = [board.uci(move) for move in there]
        for move in back:
            if len(there) == 2 and board.is_legal(move) and not board.is_castling(move):
                played.append(board.uci(move))
                board.push(move)
            else:
                break
        moves += played
        if len(played) < 4:
            break
    return Game(game.fen, tuple(moves), game.chess960)


def wandering(game: Game, seed: int) -> Iterator[Position]:
    """The position of a game that moves, null moves and moves taken back change, now and then."""
    chooser = random.Random(seed)
    position = game.position()
    height = 0
    for _ in range(60):
        legal = movegen.generate_all(position.board)
        step = chooser.random()
        if step < 0.1 and not position.checkers:
            position.make_null()
            height += 1
        elif step < 0.6 and legal:
            position.make(chooser.choice(legal))
            height += 1
        elif height:
            position.unmake()
            height -= 1
        if chooser.random() < 0.2:
            yield position


@dataclass
class Outcome:
    """The output of a search."""

    best: BestMove
    infos: list[Info]
    nodes: int
    notices: list[str]

    @property
    def last(self) -> Info:
        """The last line about the best move."""
        return [info for info in self.infos if info.multipv == 1][-1]

    @property
    def score(self) -> int:
        return self.last.score


def search(
    game: Game | str,
    limits: Limits,
    settings: Settings | None = None,
    multi_pv: int = 1,
) -> Outcome:
    """Search a position afresh, with an empty table."""
    if isinstance(game, str):
        game = Game(game)
    assert game.reference().is_valid()
    return search_position(game.position(), limits, settings, multi_pv)


def search_position(
    position: Position,
    limits: Limits,
    settings: Settings | None = None,
    multi_pv: int = 1,
) -> Outcome:
    """Search a given position object."""
    events: list[Event] = []
    searcher = Search(TranspositionTable(1), settings)
    best = searcher.run(position, limits, report=events.append, multi_pv=multi_pv)
    infos = [event for event in events if isinstance(event, Info)]
    notices = [event.text for event in events if isinstance(event, Notice)]
    return Outcome(best, infos, searcher.nodes, notices)


def shared_lines(name: str) -> list[str]:
    """The lines of a file of the shared test data; the test is skipped if it is missing."""
    path = SHARED_DATA / name
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return _lines(path)


@lru_cache
def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if line.strip()]

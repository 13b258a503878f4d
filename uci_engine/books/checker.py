"""Has a UCI engine judge every position of a source, to find bad book moves.

Scores are kept in an EPD file (`ce`: centipawns from the side to move; `acn`: the node limit).
After a change to the source, only new positions are searched, and a test can check the book without
an engine. One thread, an empty hash table for each position and a fixed number of nodes make the
scores reproducible.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

import chess
import chess.engine
import chess.pgn

from ..base.text import open_text
from ..base.whole_file import WriteError, write_whole
from ..board.games import GameLines, read_game
from .builder import build, pgn_files
from .opening_book import BookError, OpeningBook

#: Node limit for each position.
NODES = 10_000

#: Options that are set if the engine has them: one thread makes scores reproducible, and a small
#: hash table is quick to clear.
OPTIONS = {"Threads": "1", "Hash": "16"}

#: How long to wait for an answer, in seconds; no search takes this long.
MAX_SEARCH_SECONDS = 60.0

#: The value of a mate, in centipawns.
MATE_CENTIPAWNS = 10_000

#: The minimum score for the side that plays a book move, in centipawns.
WORST_FOR_WHITE = -50
WORST_FOR_BLACK = -80

#: The maximum loss compared with the score before a book move, in centipawns.
MAX_LOSS = 80


_SCORED = re.compile(r"(?P<epd>\S+ [wb] \S+ \S+) ce (?P<ce>-?\d+); acn (?P<acn>\d+);")


class BookScore(NamedTuple):
    """A score with its node limit."""

    centipawns: int  # from the side to move
    nodes: int  # node limit of its search


Scores = dict[str, BookScore]  # by EPD without operations


class BookAnswer(Protocol):
    """The result of an engine's search."""

    @property
    def info(self) -> chess.engine.InfoDict:
        """The last value of each field of its `info` lines."""


class BookEngine(Protocol):
    """The part of a UCI client that a judge needs."""

    def analyse(self, board: chess.Board, limit: chess.engine.Limit, *, game: object) -> BookAnswer:
        """Search a position; a new `game` object starts a new game."""


class BookJudge:
    """A UCI engine that scores positions.

    :param client: of an engine that runs with `OPTIONS`.
    :param name: the engine's name.
    """

    def __init__(self, client: BookEngine, name: str, nodes: int = NODES) -> None:
        self.name = name
        self.nodes = nodes
        self._client = client

    def score(self, epd: str) -> BookScore:
        """Search a position. The client's exceptions are passed on.

        :raises BookError: if the engine gives no score.
        """
        board = chess.Board(f"{epd} 0 1")
        limit = chess.engine.Limit(nodes=self.nodes, time=MAX_SEARCH_SECONDS)
        info = self._client.analyse(board, limit, game=object()).info
        if "score" not in info:
            raise BookError(f"{self.name} gives no score for {epd}")
        score = info["score"].relative.score(mate_score=MATE_CENTIPAWNS)
        return BookScore(score, self.nodes)


@dataclass(frozen=True)
class BookVerdict:
    """A book move with the score after it."""

    epd: str  # before the move
    san: str
    color: chess.Color
    score: int  # centipawns from the side that moved
    loss: int  # compared with the score before it

    @property
    def is_bad(self) -> bool:
        """Whether the score or the loss exceeds its limit."""
        worst = WORST_FOR_WHITE if self.color else WORST_FOR_BLACK
        return self.score < worst or self.loss > MAX_LOSS

    def __str__(self) -> str:
        return f"{self.score / 100:+.2f} after {self.san} in {self.epd}"


@dataclass
class CheckReport:
    """The result of checking a source."""

    positions: int = 0  # with a score
    positions_with_move: int = 0
    moves: int = 0  # in the book
    deepest: int = 0  # plies to the last position with a book move
    worst: dict[chess.Color, BookVerdict] = field(default_factory=dict)
    verdicts: list[BookVerdict] = field(default_factory=list)
    failed: list[BookVerdict] = field(default_factory=list)


def source_boards(sources: Iterable[Path]) -> Iterator[chess.Board]:
    """The positions in all variations of some PGN files, with their moves, in order.

    A position that is reached twice is yielded twice.

    :raises BookError: if a file cannot be read or a move is illegal.
    """
    for game in source_games(sources):
        yield from boards_of(game)


def source_games(sources: Iterable[Path]) -> Iterator[chess.pgn.Game]:
    """The games of some PGN files.

    :raises BookError: if a file cannot be read or a move is illegal.
    """
    for path in pgn_files(sources):
        try:
            with open_text(path) as lines:
                games = GameLines(lines)
                while game := read_game(games):
                    yield game
        except OSError as error:
            raise BookError(f"cannot read {path}: {error.strerror or error}") from None
        except ValueError as error:
            raise BookError(f"{path}: {error}") from None


def boards_of(game: chess.pgn.Game) -> Iterator[chess.Board]:
    """The positions of all variations of a game, with their moves."""
    nodes: list[chess.pgn.GameNode] = [game]
    while nodes:
        node = nodes.pop()
        yield node.board()
        nodes.extend(reversed(node.variations))


def read_scores(path: Path) -> Scores:
    """Read an EPD file of scores; empty if it does not exist.

    :raises BookError: if a line cannot be read.
    """
    scores: Scores = {}
    if not path.exists():
        return scores
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BookError(f"cannot read {path}: {error}") from None
    for number, line in enumerate(lines, 1):
        record = _SCORED.fullmatch(line)
        if not record:
            raise BookError(f"{path}, line {number}: no score")
        scores[record["epd"]] = BookScore(int(record["ce"]), int(record["acn"]))
    return scores


def write_scores(path: Path, scores: Scores) -> None:
    """Write an EPD file of scores, sorted by position; all of it or nothing.

    :raises BookError: if that is impossible.
    """
    lines = [
        f"{epd} ce {score.centipawns}; acn {score.nodes};\n"
        for epd, score in sorted(scores.items())
    ]
    try:
        write_whole(path, "".join(lines))
    except WriteError as error:
        raise BookError(str(error)) from None


def score_source(
    sources: Iterable[Path], judge: BookJudge, scores: Scores, advance: Callable[[int, int], None]
) -> Scores:
    """Score each position of a source.

    :param scores: known scores; those with at least as many nodes as the judge uses are kept, and
        missing ones are added one by one.
    :param advance: called with the number of finished searches and the total.
    """
    wanted = dict.fromkeys(board.epd() for board in source_boards(sources))
    missing = [epd for epd in wanted if epd not in scores or scores[epd].nodes < judge.nodes]
    for number, epd in enumerate(missing, 1):
        scores[epd] = judge.score(epd)
        advance(number, len(missing))
    return {epd: scores[epd] for epd in wanted}


def check_source(sources: Iterable[Path], scores: Scores, book_path: Path) -> CheckReport:
    """Build the book of a source, and check each of its moves against the scores.

    :param book_path: where the book is built.
    :raises BookError: if a position has no score.
    """
    sources = list(sources)
    build(sources, book_path)
    report = CheckReport(positions=len(scores))
    seen = set()
    with OpeningBook(book_path) as book:
        for board in source_boards(sources):
            if board.epd() in seen:
                continue
            seen.add(board.epd())
            verdicts = list(_judge_moves(board, book, scores))
            if verdicts:
                report.positions_with_move += 1
                report.deepest = max(report.deepest, board.ply())
            for verdict in verdicts:
                _note(report, verdict)
    report.failed.sort(key=lambda verdict: verdict.score)
    return report


def _judge_moves(board: chess.Board, book: OpeningBook, scores: Scores) -> Iterator[BookVerdict]:
    before = look_up(scores, board.epd())
    for offer in book.entries(board):
        san = board.san(offer.move)
        after = board.copy(stack=False)
        after.push(offer.move)
        score = -look_up(scores, after.epd())
        yield BookVerdict(board.epd(), san, board.turn, score, before - score)


def _note(report: CheckReport, verdict: BookVerdict) -> None:
    report.moves += 1
    report.verdicts.append(verdict)
    worst = report.worst.get(verdict.color)
    if worst is None or verdict.score < worst.score:
        report.worst[verdict.color] = verdict
    if verdict.is_bad:
        report.failed.append(verdict)


def look_up(scores: Scores, epd: str) -> int:
    """The score of a position, in centipawns from the side to move.

    :raises BookError: if there is none.
    """
    if epd not in scores:
        raise BookError(f"position without a score: {epd}")
    return scores[epd].centipawns

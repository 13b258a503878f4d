"""Has a UCI engine judge every position of a source, so that no book line loses its way.

Scores are kept in an EPD file (`ce`, centipawns from the side to move; `acn`, the nodes asked
for), so that a changed source costs only its new positions, and a test can hold the book against
them without an engine. One thread, a fresh table for each position and a fixed number of nodes
make the scores reproducible.
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

from halbzug.board.games import GameLines, read_game
from halbzug.books.builder import build, pgn_files
from halbzug.books.opening_book import BookError, OpeningBook
from halbzug.text import open_text
from halbzug.whole_file import WriteError, write_whole

#: Nodes for each position.
NODES = 10_000

#: What the engine is set to, if it has the option: one thread, whose scores are reproducible, and
#: a small table, because it is cleared each time.
OPTIONS = {"Threads": "1", "Hash": "16"}

#: No search takes so long; it frees us from an engine that stops answering.
MAX_SEARCH_SECONDS = 60.0

#: What a mate counts in centipawns.
MATE_CENTIPAWNS = 10_000

#: No book move may leave the side that plays it worse off than this, in centipawns.
WORST_FOR_WHITE = -50
WORST_FOR_BLACK = -80

#: Nor may it lose more than this against the score before it.
MAX_LOSS = 80


_SCORED = re.compile(r"(?P<epd>\S+ [wb] \S+ \S+) ce (?P<ce>-?\d+); acn (?P<acn>\d+);")


class Score(NamedTuple):
    """A judgement."""

    centipawns: int  # from the side to move
    nodes: int  # searched for it


Scores = dict[str, Score]  # by EPD without operations


class Answer(Protocol):
    """What an engine found."""

    @property
    def info(self) -> chess.engine.InfoDict:
        """The last of each that its lines of analysis told."""


class Client(Protocol):
    """The part of a UCI client that a judge needs."""

    def analyse(self, board: chess.Board, limit: chess.engine.Limit, *, game: object) -> Answer:
        """Search a position; another object as the game makes it a new one."""


class Judge:
    """A UCI engine that scores positions.

    :param client: of an engine that runs with `OPTIONS`.
    :param name: of the engine.
    """

    def __init__(self, client: Client, name: str, nodes: int = NODES) -> None:
        self.name = name
        self.nodes = nodes
        self._client = client

    def score(self, epd: str) -> Score:
        """Search a position. What the client raises goes on.

        :raises BookError: if the engine gives no score.
        """
        board = chess.Board(f"{epd} 0 1")
        limit = chess.engine.Limit(nodes=self.nodes, time=MAX_SEARCH_SECONDS)
        info = self._client.analyse(board, limit, game=object()).info
        if "score" not in info:
            raise BookError(f"{self.name} gives no score for {epd}")
        score = info["score"].relative.score(mate_score=MATE_CENTIPAWNS)
        return Score(score, self.nodes)


@dataclass(frozen=True)
class Verdict:
    """A book move and what it leaves its side with."""

    epd: str  # before the move
    san: str
    color: chess.Color
    score: int  # centipawns from the side that moved
    loss: int  # against the score before it

    @property
    def is_bad(self) -> bool:
        """Whether it is outside the bounds."""
        worst = WORST_FOR_WHITE if self.color else WORST_FOR_BLACK
        return self.score < worst or self.loss > MAX_LOSS

    def __str__(self) -> str:
        return f"{self.score / 100:+.2f} after {self.san} in {self.epd}"


@dataclass
class CheckReport:
    """The judgement of a source."""

    positions: int = 0  # with a score
    positions_with_move: int = 0
    moves: int = 0  # in the book
    deepest: int = 0  # plies to the last position with a move
    worst: dict[chess.Color, Verdict] = field(default_factory=dict)
    verdicts: list[Verdict] = field(default_factory=list)
    failed: list[Verdict] = field(default_factory=list)


def source_boards(sources: Iterable[Path]) -> Iterator[chess.Board]:
    """The positions of all variations in some PGN files, with their moves, in order.

    A position that is reached twice comes twice.

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
    """Read an EPD file of scores; none if it does not exist.

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
        scores[record["epd"]] = Score(int(record["ce"]), int(record["acn"]))
    return scores


def write_scores(path: Path, scores: Scores) -> None:
    """Write an EPD file of scores, in order of their positions; all of it or nothing.

    :raises BookError: if that is not possible.
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
    sources: Iterable[Path], judge: Judge, scores: Scores, advance: Callable[[int, int], None]
) -> Scores:
    """The score of each position of a source.

    :param scores: known ones; those of as many nodes as the judge searches, or more, are kept,
        and what is missing is added, one by one.
    :param advance: told how many of how many searches are done.
    """
    wanted = dict.fromkeys(board.epd() for board in source_boards(sources))
    missing = [epd for epd in wanted if epd not in scores or scores[epd].nodes < judge.nodes]
    for number, epd in enumerate(missing, 1):
        scores[epd] = judge.score(epd)
        advance(number, len(missing))
    return {epd: scores[epd] for epd in wanted}


def check_source(sources: Iterable[Path], scores: Scores, book_path: Path) -> CheckReport:
    """Build the book of a source and hold each of its moves against the scores.

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


def _judge_moves(board: chess.Board, book: OpeningBook, scores: Scores) -> Iterator[Verdict]:
    before = _look_up(scores, board.epd())
    for offer in book.entries(board):
        san = board.san(offer.move)
        after = board.copy(stack=False)
        after.push(offer.move)
        score = -_look_up(scores, after.epd())
        yield Verdict(board.epd(), san, board.turn, score, before - score)


def _note(report: CheckReport, verdict: Verdict) -> None:
    report.moves += 1
    report.verdicts.append(verdict)
    worst = report.worst.get(verdict.color)
    if worst is None or verdict.score < worst.score:
        report.worst[verdict.color] = verdict
    if verdict.is_bad:
        report.failed.append(verdict)


def _look_up(scores: Scores, epd: str) -> int:
    if epd not in scores:
        raise BookError(f"position without a score: {epd}")
    return scores[epd].centipawns

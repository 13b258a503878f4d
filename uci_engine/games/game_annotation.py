"""`halbzug.annotate`: annotates a python-chess game, with output as PGN and HTML."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import replace
from typing import Any

import chess
import chess.pgn
from chess.engine import InfoDict, Limit, SimpleEngine

from ..api.engine import Engine
from ..api.one_liners import engine_for, limit_of
from ..base.events import BestMove
from ..base.language import say
from ..batch.analysts import info_of
from ..batch.findings import Finding
from ..batch.positions import SourceGame, source_game
from ..batch.second_look import SECOND_PART, in_parts, is_doubtful, scaled
from ..batch.wording import colophon
from ..board.pgn import check_game
from ..display.progress import Report, progress_shown
from .annotation import AnnotatedGame, AnnotatedMove, Annotator, to_pgn
from .game_summary import summary_html, summary_text
from .graph import graph_svg
from .reason_search import look_again
from .report import render

#: Default time for each position, in seconds.
DEFAULT_SECONDS = 0.1


class GameAnnotation:
    """An annotated game.

    :param annotated: the engine's view of each position and move.
    :param colophon: a sentence on how it was made.
    """

    def __init__(self, annotated: AnnotatedGame, colophon: str) -> None:
        self._annotated = annotated
        self._colophon = colophon

    @property
    def moves(self) -> list[AnnotatedMove]:
        """The moves of the game: `move`, `name`, `judgement`, `accuracy`, `before`, `after`."""
        return self._annotated.moves

    @property
    def accuracy(self) -> dict[chess.Color, float]:
        """Each side's accuracy in per cent; a side without moves has none.

        Source: https://lichess.org/page/accuracy
        """
        return self._annotated.accuracy

    @property
    def judgements(self) -> dict[chess.Color, Counter[str]]:
        """How many of each side's moves are an `inaccuracy`, `mistake` or `blunder`."""
        return {color: self._annotated.count(color) for color in chess.COLORS}

    def pgn(self) -> str:
        """The game as PGN, with `[%eval]` comments, marks such as `?!` and the best lines."""
        annotated = self._annotated
        record = replace(annotated.record, game=_copy(annotated.record.game))
        return to_pgn(replace(annotated, record=record))

    def html(self) -> str:
        """The annotated game as a self-contained page with a board to step through it."""
        return render([self._annotated], self._colophon)

    def __str__(self) -> str:
        return self.pgn()

    def __repr__(self) -> str:
        accuracy = ", ".join(
            f"{chess.COLOR_NAMES[color]} {value:.0f} %" for color, value in self.accuracy.items()
        )
        return f"<GameAnnotation {self._annotated.record.name}: {accuracy or 'no moves'}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self) if cycle else summary_text(self._annotated))

    def _repr_svg_(self) -> str:
        return graph_svg(self._annotated)

    def _repr_html_(self) -> str:
        return summary_html(self._annotated)


def annotate(
    game: chess.pgn.Game,
    limit: Limit | None = None,
    *,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    engine: SimpleEngine | None = None,
    progress: bool | Report | None = None,
) -> GameAnnotation:
    """Annotate a game: evaluate each position and judge each move.

    At doubtful moves, both positions are searched again, so that two searches must agree on the
    judgement and the reason.

    :param game: not changed.
    :param limit: the limit for each position, instead of the following ones.
    :param time: search time for each position, in seconds; 0.1 by default.
    :param depth: search depth for each position, in plies.
    :param nodes: node limit for each position.
    :param engine: the engine to use, which may be another program, instead of the shared one.
    :param progress: None shows progress in notebooks and terminals, True also elsewhere, as lines,
        False never; a callable receives the number of positions done and the total.
    :raises TypeError: if something has the wrong type.
    :raises ValueError: if the game is of another variant or begins with an impossible position, or
        a number is out of range.

    >>> import io, chess.pgn
    >>> annotate(chess.pgn.read_game(io.StringIO("1. f3 e5 2. g4 Qh4#")), depth=4).moves[-1].name
    '2...Qh4#'
    """
    limit = limit_of(limit, time, depth, nodes, DEFAULT_SECONDS)
    record = _record(game)
    # Backwards, so that the engine already knows the consequences of each move.
    subjects = record.subjects()[::-1]
    findings: list[Finding] = []
    token = object()
    with (
        engine_for(engine) as asked,
        progress_shown(progress, say("Annotating"), len(subjects)) as tell,
    ):
        name, is_own = asked.id.get("name", "an engine"), isinstance(asked, Engine)
        for subject in subjects:
            board, move = subject.board, subject.played
            played = board.uci(move) if move and findings else None

            def search(part: float, board: chess.Board = board) -> Finding:
                return _finding(asked.analyse(board, scaled(limit, part), game=token))

            finding = in_parts(limit, search, lambda found: found.best.move, played)
            if move and played and is_doubtful(played, finding, findings[-1], is_own=is_own):
                expected = finding.best.move, findings[-1].best.move
                again = look_again(asked, limit, board, move, SECOND_PART, expected)
                finding = replace(finding, again=again)
            findings.append(finding)
            tell(len(findings), len(subjects))
    with closing(Annotator(is_own=is_own)) as annotator:
        annotated = annotator.annotate(record, subjects[::-1], findings[::-1])
    return GameAnnotation(annotated, colophon(name, limit.time, limit.depth, limit.nodes))


def _finding(said: InfoDict) -> Finding:
    line = info_of(said)
    pv = line.pv if line else ()
    best = BestMove(pv[0] if pv else None, pv[1] if len(pv) > 1 else None)
    return Finding(best, (line,) if line else ())


def _record(game: chess.pgn.Game) -> SourceGame:
    """A copy of the game in the form that the annotator takes.

    :raises TypeError: if it is not a game.
    :raises ValueError: if it cannot be annotated.
    """
    if not isinstance(game, chess.pgn.Game):
        hint = "; chess.pgn.Game.from_board(board) makes one"
        hint = hint if isinstance(game, chess.Board) else ""
        raise TypeError(f"the game must be a chess.pgn.Game, not {type(game).__name__}{hint}")
    if game.errors:
        raise ValueError(f"the game contains an illegal move: {game.errors[0]}")
    check_game(game)
    return source_game(_copy(game))


def _copy(game: chess.pgn.Game) -> chess.pgn.Game:
    return game.accept(chess.pgn.GameBuilder())

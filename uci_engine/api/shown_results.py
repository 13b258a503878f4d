"""The results of the functions: moves, lines and terms that display themselves in a notebook.

Scores are python-chess's `PovScore`; choose the point of view with `.white()` or `.relative`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, overload

import chess
from chess.engine import Cp, EngineError, InfoDict, Mate, PlayResult, PovScore, PovWdl

from ..base.scores import is_mate, mate_in_moves
from ..base.text import counted
from ..board.fen import engine_board
from ..board.notation import san_line
from ..display.sheet import Column, Sheet, beside, show_text
from .breakdown import Breakdown, break_down
from .result_display import board_svg, score_text

#: No table of terms in a terminal is longer; the smallest are left out.
_MAX_TERMS = 30


class Line:
    """A line of analysis: a score and the moves that lead to it.

    :param board: the position that was analysed.
    :param info: python-chess's dictionary with everything the engine reported.
    """

    def __init__(self, board: chess.Board, info: InfoDict) -> None:
        self._board = board
        self.info = info

    @property
    def score(self) -> PovScore:
        """The score: `score.relative` for the side to move, `score.white()` for White."""
        return self.info["score"]

    @property
    def wdl(self) -> PovWdl:
        """The chances of a win, draw and loss, in thousandths.

        If the engine reports none, they come from python-chess's model.
        """
        return self.info.get("wdl") or self.score.wdl()

    @property
    def pv(self) -> tuple[chess.Move, ...]:
        """The moves, starting with the best move; empty in a finished game."""
        return tuple(self.info.get("pv", ()))

    @property
    def move(self) -> chess.Move | None:
        """The first move; None in a finished game."""
        return self.pv[0] if self.pv else None

    @property
    def san(self) -> str:
        """The moves in SAN with numbers: `1.e4 e5 2.Nf3`."""
        return san_line(self._board, [move.uci() for move in self.pv])

    @property
    def depth(self) -> int:
        """The depth of the search, in plies."""
        return self.info.get("depth", 0)

    @property
    def score_text(self) -> str:
        """The score in pawns from White's point of view: `+0.34`, `#3`, `#-2`."""
        return score_text(self.score)

    def __str__(self) -> str:
        return f"{self.score_text} {self.san}".rstrip()

    def __repr__(self) -> str:
        return f"<Line {self}>"

    _repr_pretty_ = show_text

    def _repr_svg_(self) -> str:
        return board_svg(self._board, self.pv[:1])

    def _repr_html_(self) -> str:
        return _analysis_html(self._board, [self])


class Analysis(Sequence[Line]):
    """The lines of an analysis, best first.

    The attributes `score`, `move`, `pv`, `san`, `wdl` and `depth` are those of the best line.

    :param board: the position that was analysed.
    :param lines: at least one.
    """

    def __init__(self, board: chess.Board, lines: Sequence[Line]) -> None:
        self.board = board
        self.lines = tuple(lines)

    @property
    def best(self) -> Line:
        """The best line."""
        return self.lines[0]

    @property
    def score(self) -> PovScore:
        """See `Line.score`."""
        return self.best.score

    @property
    def wdl(self) -> PovWdl:
        """See `Line.wdl`."""
        return self.best.wdl

    @property
    def move(self) -> chess.Move | None:
        """See `Line.move`."""
        return self.best.move

    @property
    def pv(self) -> tuple[chess.Move, ...]:
        """See `Line.pv`."""
        return self.best.pv

    @property
    def san(self) -> str:
        """See `Line.san`."""
        return self.best.san

    @property
    def depth(self) -> int:
        """See `Line.depth`."""
        return self.best.depth

    @property
    def moves(self) -> dict[chess.Move, PovScore]:
        """The first moves of the lines with their scores, best first."""
        return {line.move: line.score for line in self.lines if line.move}

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Line]: ...
    def __getitem__(self, index: int | slice) -> Line | Sequence[Line]:
        return self.lines[index]

    def __len__(self) -> int:
        return len(self.lines)

    def __str__(self) -> str:
        return "\n".join(str(line) for line in self.lines)

    def __repr__(self) -> str:
        return f"<Analysis depth={self.depth}: {' | '.join(str(line) for line in self.lines)}>"

    _repr_pretty_ = show_text

    def _repr_svg_(self) -> str:
        return board_svg(self.board, [line.move for line in self.lines if line.move])

    def _repr_html_(self) -> str:
        return _analysis_html(self.board, self.lines)


class BoardError(EngineError, ValueError, TypeError):
    """Why one of many boards could not be analysed or evaluated.

    It is a subclass of what `analyse` or `evaluate` raises for such a board.

    :ivar index: the number of the board, from 0.
    :ivar fen: its position, or the string given instead; None if it is neither.
    """

    def __init__(self, index: int, board: object, reason: str) -> None:
        self.index = index
        self.fen = board.fen() if isinstance(board, chess.Board) else None
        if isinstance(board, str):
            self.fen = ascii(board[:80])[1:-1]
        where = f"board {index}" + (f" ({self.fen})" if self.fen else "")
        super().__init__(f"{where}: {reason}")


class Played(PlayResult):
    """A move to play: python-chess's `PlayResult`, with the move in SAN.

    :param board: the position before the move.
    """

    def __init__(self, board: chess.Board, result: PlayResult) -> None:
        super().__init__(
            result.move,
            result.ponder,
            result.info,
            draw_offered=result.draw_offered,
            resigned=result.resigned,
        )
        self.board = board

    @property
    def san(self) -> str:
        """The move in SAN, such as `Nf3`; empty in a finished game."""
        return self.board.san(self.move) if self.move else ""

    @property
    def score(self) -> PovScore | None:
        """The score; None for a book move, and if the engine reported none."""
        return self.info.get("score")

    def __repr__(self) -> str:
        score = f" ({score_text(self.score)})" if self.score else ""
        return f"<Played {self.san or 'no move'}{score}>"

    def _repr_svg_(self) -> str:
        return board_svg(self.board, [self.move] if self.move else [])

    def _repr_html_(self) -> str:
        sheet = Sheet((Column("Move"), Column("Score", True), Column("Depth", True)))
        depth = self.info.get("depth")
        sheet.add(
            self.san or "no move",
            score_text(self.score) if self.score else "",
            str(depth) if depth else "",
        )
        return beside(self._repr_svg_(), sheet.html())


class Evaluation(Mapping[str, float]):
    """The static evaluation as a sum: terms by name, in centipawns from White's point of view.

    The terms are calculated from the board when they are first requested.

    :ivar board: the position, without the game before it.
    :ivar relative: the engine's evaluation, in centipawns for the side to move.
    """

    def __init__(self, board: chess.Board, relative: int) -> None:
        self.board = board
        self.relative = relative

    @property
    def white(self) -> int:
        """The engine's evaluation, in centipawns from White's point of view."""
        return self.relative if self.board.turn else -self.relative

    @cached_property
    def breakdown(self) -> Breakdown:
        """The terms with their counts and weights."""
        return break_down(engine_board(self.board))

    @cached_property
    def _terms(self) -> dict[str, float]:
        return {term.name: float(term.contribution) for term in self.breakdown.terms}

    @property
    def score(self) -> PovScore:
        """The engine's evaluation as a python-chess score."""
        return PovScore(Cp(self.relative), self.board.turn)

    @property
    def rounding(self) -> float:
        """The contribution of rounding, in centipawns from White's point of view."""
        return float(self.breakdown.rounding)

    def __getitem__(self, name: str) -> float:
        return self._terms[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._terms)

    def __len__(self) -> int:
        return len(self._terms)

    def __str__(self) -> str:
        terms = [(name, value) for name, value in self._largest_first() if value]
        rows = [(name, f"{value:+8.1f}") for name, value in terms[:_MAX_TERMS]]
        if rest := terms[_MAX_TERMS:]:
            total = sum(value for _, value in rest)
            rows.append((counted(len(rest), "smaller term"), f"{total:+8.1f}"))
        rows.append(("rounding", f"{self.rounding:+8.1f}"))
        rows.append(("evaluation, for White", f"{self.white:+6d}  "))
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:{width}}  {value}" for name, value in rows)

    def __repr__(self) -> str:
        return f"<Evaluation {self.white:+d} centipawns for White, {counted(len(self), 'term')}>"

    _repr_pretty_ = show_text

    def _repr_svg_(self) -> str:
        return board_svg(self.board, ())

    def _repr_html_(self) -> str:
        order = {name: place for place, (name, _) in enumerate(self._largest_first())}
        terms = sorted(
            (term for term in self.breakdown.terms if not term.cancels),
            key=lambda term: order[term.name],
        )
        numbers = ("White", "Black", "Middlegame", "Endgame", "Centipawns")
        sheet = Sheet((Column("Term"), *(Column(title, True) for title in numbers)))
        for term in terms:
            weights = f"{term.middlegame:+}", f"{term.endgame:+}"
            worth = f"{float(term.contribution):+.1f}"
            sheet.add(term.name, str(term.white), str(term.black), *weights, worth)
        sheet.add("rounding", "", "", "", "", f"{self.rounding:+.1f}")
        total = f"{self.white:+d}"
        sheet.add("evaluation, for White", "", "", "", "", total, tone="strong")
        return beside(board_svg(self.board, ()), sheet.html())

    def _largest_first(self) -> list[tuple[str, float]]:
        return sorted(self.items(), key=lambda term: -abs(term[1]))


def pov_score(score: int, mover: chess.Color) -> PovScore:
    """One of our scores as python-chess's `PovScore`.

    :param score: in centipawns from the side to move, mates as in `halbzug.base.scores`.
    """
    return PovScore(Mate(mate_in_moves(score)) if is_mate(score) else Cp(score), mover)


def analysis_of(board: chess.Board, infos: Sequence[Any]) -> Analysis:
    """The result of `chess.engine.SimpleEngine.analyse` with `multipv`.

    :raises chess.engine.EngineError: if the engine reported no score.
    """
    lines = [Line(board, info) for info in infos if "score" in info]
    if not lines:
        raise EngineError("the engine reported no score")
    return Analysis(board, lines)


# -- how they show themselves -------------------------------------------------------------------


def _analysis_html(board: chess.Board, lines: Sequence[Line]) -> str:
    """The board with arrows, and a table of the lines."""
    sheet = Sheet((Column("Score", True), Column("Depth", True), Column("Line")))
    for line in lines:
        sheet.add(line.score_text, str(line.depth), line.san)
    picture = board_svg(board, [line.move for line in lines if line.move])
    return beside(picture, sheet.html())

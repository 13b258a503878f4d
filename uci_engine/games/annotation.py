"""Annotates games: evaluation, best line and judgement for each move, accuracy for each player.

Scores and chances are from White's side, as usual in annotated games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import chess
import chess.engine
import chess.pgn

from ..api.shown_results import pov_score
from ..base.language import speaking
from ..base.scores import MATE, TB_BOUND
from ..batch.findings import Finding, SecondLook, score_json
from ..batch.positions import SourceGame, Subject
from ..board.fen import engine_board
from ..board.notation import numbered_san, pawns_text
from ..board.pgn import pgn_text
from ..books.opening_book import OpeningBook, default_book_path
from ..books.opening_names import opening_at
from ..reasons.accuracy import (
    BLUNDER,
    BRILLIANT,
    CEILING,
    JUDGEMENTS,
    MISTAKE,
    ONLY_MOVE,
    Judgement,
    game_accuracy,
    judge,
    move_accuracy,
    winning_chances,
)
from ..reasons.claims import Evidence
from ..reasons.merits import is_sacrifice, retakes
from ..reasons.move_reason import MoveReason, explain_move
from ..tablebase.probing import Tablebase
from ..version import __version__
from .game_opening import tag_opening
from .reason_search import evidence_of

#: Maximum length of a written variation, in plies.
MAX_LINE_PLIES = 10

#: The highest NAG that marks a move.
_LAST_MARK = chess.pgn.NAG_DUBIOUS_MOVE


@dataclass(frozen=True)
class AnnotatedPosition:
    """A position of the game with the engine's evaluation."""

    board: chess.Board  # with its move stack
    white_score: int  # in centipawns, mates as in `halbzug.base.scores`
    depth: int
    chances: float  # White's, in per cent
    best: chess.Move | None
    full_line: tuple[chess.Move, ...]  # the best line from here, legal
    tablebase: str | None  # tablebase result: "draw", "White wins" or "Black wins"
    good: tuple[chess.Move, ...] = ()  # of the requested lines, those not much worse
    is_only: bool = False  # whether all other requested lines are at least mistakes
    again: SecondLook | None = None  # the second look at the move played here
    is_analysed: bool = True  # otherwise the numbers are those of neighbours

    @property
    def line(self) -> tuple[chess.Move, ...]:
        """The part of the best line that is shown."""
        return self.full_line[:MAX_LINE_PLIES]

    @property
    def score(self) -> chess.engine.PovScore:
        """The score, seen from either side through `.white()` and `.relative`.

        If `is_analysed` is false, it is the score of the previous position.
        """
        score = self.white_score if self.board.turn else -self.white_score
        return pov_score(score, self.board.turn)

    @property
    def evaluation(self) -> str:
        """The score in pawns from White's side, `+0.34`, `#3`, `#-2`, or the result after mate.

        `?` if the position was not analysed.
        """
        if not self.is_analysed:
            return "?"
        if abs(self.white_score) == MATE:
            return "1-0" if self.white_score > 0 else "0-1"
        return pawns_text(self.white_score)


@dataclass(frozen=True)
class AnnotatedMove:
    """A move of the game."""

    move: chess.Move
    name: str  # numbered: "12...Nf6"
    before: AnnotatedPosition
    after: AnnotatedPosition
    is_book: bool
    judgement: Judgement | None
    accuracy: float  # in per cent
    reason: MoveReason | None = None  # only for a judged move
    merit: Judgement | None = None  # only for a good one

    @property
    def color(self) -> chess.Color:
        """The side that made the move."""
        return self.before.board.turn

    @property
    def symbol(self) -> str:
        """`??`, `?`, `?!`, `!`, `!!`, or nothing."""
        mark = self.judgement or self.merit
        return mark.symbol if mark else ""

    @property
    def loss(self) -> float:
        """The winning chances that the player lost, in percentage points."""
        change = self.before.chances - self.after.chances
        return change if self.color else -change

    @property
    def centipawn_loss(self) -> int:
        """The centipawns that the player lost; scores and mates are limited to 1,000."""
        before, after = (
            max(-CEILING, min(position.white_score, CEILING))
            for position in (self.before, self.after)
        )
        return max(before - after if self.color else after - before, 0)

    @property
    def is_best(self) -> bool:
        """Whether it is the engine's first choice."""
        return self.move == self.before.best

    @property
    def verdict(self) -> str:
        """The judgement as a sentence, with the better line; empty without a judgement."""
        if self.judgement is None or self.before.best is None:
            return ""
        best = numbered_san(self.before.board, self.before.best)
        return f"{self.judgement.name.capitalize()}. {best} was best. {self.why}".rstrip()

    @property
    def why(self) -> str:
        """Why the move is bad, in sentences; empty if no reason is certain."""
        with speaking("en"):  # as comments in PGN and the report
            return self.reason.why if self.reason else ""


@dataclass(frozen=True)
class AnnotatedGame:
    """A game with annotations for all its moves."""

    record: SourceGame
    positions: list[AnnotatedPosition]  # before the first move and after each
    moves: list[AnnotatedMove]
    accuracy: dict[chess.Color, float]  # in per cent; None for a player without moves

    def count(self, color: chess.Color) -> Counter[str]:
        """The number of a player's moves with each judgement, by its name."""
        return Counter(
            move.judgement.name for move in self.moves if move.color == color and move.judgement
        )

    def critical(self, count: int) -> list[AnnotatedMove]:
        """The costliest moves, in game order."""
        judged = [move for move in self.moves if move.judgement]
        worst = sorted(judged, key=lambda move: (_rank(move), -move.loss))[:count]
        return [move for move in judged if move in worst]


def _rank(move: AnnotatedMove) -> int:
    return JUDGEMENTS.index(move.judgement) if move.judgement else len(JUDGEMENTS)


class Annotator:
    """Annotates games from engine findings, the opening book and the tablebases.

    :param is_own: whether the findings are of Halbzug's own search.
    """

    def __init__(self, *, is_own: bool = False) -> None:
        self._is_own = is_own
        self._book = OpeningBook(default_book_path())
        self._tablebase = Tablebase()

    def close(self) -> None:
        """Close the files."""
        self._book.close()
        self._tablebase.close()

    def annotate(
        self, record: SourceGame, subjects: Sequence[Subject], findings: Sequence[Finding | None]
    ) -> AnnotatedGame:
        """Annotate a game.

        :param subjects: its positions; see `SourceGame.subjects`.
        :param findings: the engine's finding for each; None where the engine failed, but not
            everywhere.
        """
        last = subjects[-1]
        positions = [
            self._position(subject, finding, is_last=subject is last)
            if finding
            else self._unknown_position(subject)
            for subject, finding in zip(subjects, findings, strict=True)
        ]
        _fill_gaps(positions)
        book_moves = self._book_moves(subjects)
        moves = [
            self._move(before, after, ply < book_moves)
            for ply, (before, after) in enumerate(pairwise(positions))
        ]
        chances = [position.chances for position in positions]
        accuracy = game_accuracy(chances, positions[0].board.turn) if moves else {}
        return AnnotatedGame(record, positions, moves, accuracy)

    def annotate_move(
        self,
        subjects: Sequence[Subject],
        ply: int,
        before: Finding | None,
        after: Finding | None,
    ) -> AnnotatedMove | None:
        """A move as `annotate` will have it; None if that depends on positions around it.

        :param subjects: all positions of the game.
        :param ply: of the position before it, from 0.
        """
        if before is None or after is None:
            return None
        one, other = (
            self._position(subjects[number], finding, is_last=number + 1 == len(subjects))
            for number, finding in ((ply, before), (ply + 1, after))
        )
        return self._move(one, other, ply < self._book_moves(subjects))

    def _book_moves(self, subjects: Sequence[Subject]) -> int:
        """How many moves are known, until one side leaves what is; later ones do not count."""
        for number, (before, after) in enumerate(pairwise(subjects)):
            if not self._is_in_book(before.board, after.board.peek()):
                return number
        return len(subjects) - 1

    def _position(self, subject: Subject, finding: Finding, is_last: bool) -> AnnotatedPosition:
        board, first = subject.board, finding.first
        score = first.score if first else 0
        if is_last and not board.is_checkmate() and board.is_game_over(claim_draw=True):
            score = 0
        score = score if board.turn else -score
        return AnnotatedPosition(
            board,
            score,
            first.depth if first else 0,
            winning_chances(score, is_own=self._is_own),
            board.parse_uci(finding.best.move) if finding.best.move else None,
            _legal(board, first.pv if first else ()),
            self._tablebase_result(board),
            self._good_moves(board, finding),
            self._is_only(finding),
            finding.again,
        )

    def _unknown_position(self, subject: Subject) -> AnnotatedPosition:
        """A position on which the engine failed."""
        board = subject.board
        known = self._tablebase_result(board)
        return AnnotatedPosition(board, 0, 0, 50.0, None, (), known, is_analysed=False)

    def _is_in_book(self, board: chess.Board, move: chess.Move) -> bool:
        """Whether a move is known: it is in the book, or leads to a named opening."""
        if any(entry.move == move for entry in self._book.entries(board)):
            return True
        after = board.copy(stack=False)
        after.push(move)
        return opening_at(after) is not None

    def _move(
        self, before: AnnotatedPosition, after: AnnotatedPosition, is_book: bool
    ) -> AnnotatedMove:
        move = after.board.peek()
        color = before.board.turn
        sign = 1 if color else -1
        then, now = (
            position.chances if color else 100 - position.chances for position in (before, after)
        )
        is_known = before.is_analysed and after.is_analysed
        is_fine = is_book or move == before.best or not is_known
        scores = sign * before.white_score, sign * after.white_score
        judgement = None if is_fine else self._judgement(before, move, *scores)
        reason = _reason(before, move, after.full_line, *scores) if judgement else None
        merit = None if is_book or not is_known or judgement else _merit(before, move, scores[1])
        return AnnotatedMove(
            move,
            numbered_san(before.board, move),
            before,
            after,
            is_book,
            judgement,
            move_accuracy(then, now),
            reason,
            merit,
        )

    def _judge(self, before: int, after: int) -> Judgement | None:
        return judge(before, after, is_own=self._is_own)

    def _judgement(
        self, before: AnnotatedPosition, move: chess.Move, score_before: int, score_after: int
    ) -> Judgement | None:
        """The judgement of a move by the second look, if any, which may prefer the move."""
        if before.again is None:
            return self._judge(score_before, score_after)
        if before.again.best_line[:1] == (before.board.uci(move),):
            return None
        return self._judge(before.again.score_before, before.again.score_after)

    def _is_only(self, finding: Finding) -> bool:
        """Whether all lines but the first are at least mistakes."""
        if len(finding.lines) < 2:
            return False
        first, second = finding.lines[:2]
        return self._judge(first.score, second.score) in (MISTAKE, BLUNDER)

    def _good_moves(self, board: chess.Board, finding: Finding) -> tuple[chess.Move, ...]:
        """The first moves of all lines that are not judged inferior to the best one."""
        return tuple(
            board.parse_uci(line.pv[0])
            for line in finding.lines
            if line.pv and self._judge(finding.lines[0].score, line.score) is None
        )

    def _tablebase_result(self, board: chess.Board) -> str | None:
        ranking = self._tablebase.rank_root(engine_board(board))
        if not ranking:
            return None
        if abs(ranking[0].score) < TB_BOUND:
            return "draw"
        return "White wins" if (ranking[0].score > 0) == board.turn else "Black wins"


def _fill_gaps(positions: list[AnnotatedPosition]) -> None:
    """Give each position that was not analysed the previous score and interpolated chances.

    This spreads the cost of the surrounding moves among them.
    """
    known = [ply for ply, position in enumerate(positions) if position.is_analysed]
    for ply, position in enumerate(positions):
        if position.is_analysed:
            continue
        begin = max((each for each in known if each < ply), default=known[0])
        end = min((each for each in known if each > ply), default=known[-1])
        first, last = positions[begin], positions[end]
        part = (ply - begin) / (end - begin) if end > begin else 0.0
        chances = first.chances + part * (last.chances - first.chances)
        positions[ply] = replace(position, white_score=first.white_score, chances=chances)


def _reason(
    before: AnnotatedPosition,
    move: chess.Move,
    refutation: tuple[chess.Move, ...],
    score_before: int,
    score_after: int,
) -> MoveReason:
    """Why a move is bad: what two searches agree on, or what a single search is sure of."""
    board = before.board
    first = Evidence(board, move, refutation, before.full_line, score_before, score_after)
    if before.again is None:
        return explain_move([first])
    return explain_move([first, evidence_of(board, move, before.again)])


def _merit(before: AnnotatedPosition, move: chess.Move, score_after: int) -> Judgement | None:
    """Whether the engine's own choice is a sound sacrifice or the only good move."""
    if move != before.best or score_after < 0:
        return None
    if is_sacrifice(before.board, move):
        return BRILLIANT
    is_forced = before.board.legal_moves.count() == 1 or retakes(before.board, move)
    return ONLY_MOVE if before.is_only and not is_forced else None


def _legal(board: chess.Board, line: Sequence[str]) -> tuple[chess.Move, ...]:
    """The moves of a variation before the first illegal one."""
    after = board.copy(stack=False)
    moves: list[chess.Move] = []
    for text in line:
        try:
            moves.append(after.push_uci(text))
        except ValueError:
            break
    return tuple(moves)


# -- as PGN -------------------------------------------------------------------------------------


def to_pgn(annotated: AnnotatedGame) -> str:
    """The game as PGN with `[%eval]` comments, NAGs and the best lines as variations.

    Adds opening tags; keeps the game's own comments and variations.
    """
    game = annotated.record.game
    game.headers["Annotator"] = f"Halbzug {__version__}"
    for color, name in ((chess.WHITE, "White"), (chess.BLACK, "Black")):
        if color in annotated.accuracy:
            game.headers[f"{name}Accuracy"] = f"{annotated.accuracy[color]:.1f}"
    tag_opening(game, annotated.positions[-1].board)
    for node, move in zip(list(game.mainline()), annotated.moves, strict=True):
        _annotate_node(node, move)
    return pgn_text(game)


def _annotate_node(node: chess.pgn.ChildNode, move: AnnotatedMove) -> None:
    if move.after.is_analysed and abs(move.after.white_score) < MATE:
        node.set_eval(move.after.score, move.after.depth or None)
    remarks = [move.verdict]
    remarks.append("Book." if move.is_book else "")
    remarks.append("" if move.after.is_analysed else "Not analysed: the engine failed here.")
    known = move.after.tablebase
    if known and (known != move.before.tablebase or move.judgement):
        remarks.append(f"Tablebase: {known}.")
    node.comment = " ".join(filter(None, [node.comment, *remarks]))
    mark = move.judgement or move.merit
    if mark and (move.judgement or not any(nag <= _LAST_MARK for nag in node.nags)):
        node.nags = {nag for nag in node.nags if nag > _LAST_MARK}
        node.nags.add(mark.nag)
    line = move.before.line
    if line and not (move.is_best or move.is_book or node.parent.has_variation(line[0])):
        variation = node.parent.add_variation(line[0])
        variation.set_eval(move.before.score, move.before.depth or None)
        variation.add_line(line[1:])


# -- as JSON ------------------------------------------------------------------------------------


def move_json(annotated: AnnotatedGame, move: AnnotatedMove) -> dict[str, object]:
    """A move as a JSON line; scores are from White's side."""
    before = move.before
    return {
        "game": annotated.record.number,
        "move": move.name,
        "uci": before.board.uci(move.move),
        "position": before.board.fen(shredder=before.board.chess960),
        "white_score": score_json(move.after.white_score) if move.after.is_analysed else None,
        "depth": move.after.depth,
        "accuracy": round(move.accuracy, 1),
        "judgement": move.judgement.name if move.judgement else None,
        "reason": move.why,
        "best": before.board.uci(before.best) if before.best else None,
        "pv": [reply.uci() for reply in before.line],
        "book": move.is_book,
        "tablebase": move.after.tablebase,
    }


def game_json(annotated: AnnotatedGame) -> dict[str, object]:
    """The totals of a game as a JSON line."""
    headers = annotated.record.game.headers
    players = {
        name.lower(): {
            "name": headers.get(name, "?"),
            "accuracy": round(annotated.accuracy[color], 1)
            if color in annotated.accuracy
            else None,
            **dict(sorted(annotated.count(color).items())),
        }
        for color, name in ((chess.WHITE, "White"), (chess.BLACK, "Black"))
    }
    return {"game": annotated.record.number, **players, "result": headers.get("Result", "*")}

"""Finds exercises in games: positions in which exactly one move keeps the win.

A quick search with two lines examines each position of a game. If the first line wins and the
second throws away most of the winning chances, longer searches must confirm it; so they must where
the winner of the game sacrificed a piece, which a quick search may not understand. The move is
searched from the position after it, against the best of all others. These are also searched from
the position after them: a search from the position itself would call a move a draw if the opponent
can then repeat the position, though the winning move would still be available. In the final
combination of a game, it is enough that a sacrifice mates faster or wins far more than all other
moves, or that a move mates and no other one wins easily. The solution continues as long as each of
its moves is the only one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import chess
import chess.pgn
from chess.engine import EngineError, Limit, SimpleEngine

from ..api.engine import Engine
from ..base.os_errors import words_of
from ..base.scores import MATE, is_mate, mate_in_moves
from ..batch.analysts import ATTEMPTS, AnalystError, StartError, info_of
from ..batch.positions import Failure, SourceGame
from ..board.movegen import encode
from ..board.public_board import Board
from ..reasons.accuracy import INACCURACY, MISTAKE, winning_chances
from ..reasons.merits import is_sacrifice, retakes
from ..reasons.motifs import PlayedLine, gains, motif_of
from ..reasons.won_material import balance
from ..search.see import see_ge
from ..search.strength import CALIBRATION, MAX_ELO


class Bounds(NamedTuple):
    """What the only move and the alternatives must score."""

    winning: int  # minimum for the only move, in centipawns
    kept: float  # maximum for the others, as a share of its winning chances above 50 per cent
    lost: float  # by the others, in percentage points; enough if a final sacrifice wins
    easily_won: int  # in centipawns; instead of that, only a sacrifice that mates is an exercise

    def are_met(self, best: int, other: int, combines: bool = False) -> bool:
        """Whether one move wins and the other throws most of that away.

        :param best: the score of the first one, in centipawns.
        :param other: that of the other one.
        :param combines: whether the first one is a sacrifice in the final combination.
        """
        chances, left = winning_chances(best) - 50, winning_chances(other) - 50
        is_far_behind = combines and chances - left >= self.lost
        return best >= self.winning and (left <= self.kept * chances or is_far_behind)

    def has_final_mate(self, best: int, other: int, is_sacrifice: bool) -> bool:
        """Whether one move mates, and the other neither wins easily nor mates as fast."""
        is_short = is_mate(best) and 0 < mate_in_moves(best) <= _LONGEST_MATE
        return is_short and other < (best if is_sacrifice else self.easily_won)


#: An exercise, by exact scores.
UNIQUE = Bounds(200, 0.4, MISTAKE.loss, 1000)

#: The same for the long searches, with room for their errors, and for the quick one.
SURE, MAYBE = Bounds(250, 0.25, MISTAKE.loss, 700), Bounds(100, 0.7, INACCURACY.loss, 1000)

#: The quick search gets the node limit divided by this.
_QUICK_PART = 25

#: Maximum length of a solution, in moves of the solver.
_LONGEST = 6

#: A final combination begins at most this many plies before the end of the game.
_FINAL_PLIES = 24

#: Plies shown after the solution, to show what it achieves.
_SHOWN_AFTER = 6

#: Longer mates are not named as the theme, in moves.
_LONGEST_MATE = 5

#: A lead in material, in points; merely keeping it is no exercise.
_LEAD = 2

#: With this few legal moves, the right one is found by elimination.
_FORCED = 3

#: Minimum distance between exercises of one game, in plies.
_APART = 8

#: Attempts of each level, which must find the move every time.
_ATTEMPTS = 2

#: Time limit for a level's move, in seconds; normally its node limit comes first.
_SECONDS = 5.0

#: How much longer an engine may stay silent, in seconds: a busy machine is not a failure.
_PATIENCE_SECONDS = 60.0

#: The levels that measure the difficulty, in Elo.
LEVELS = tuple(elo for elo, _, _ in CALIBRATION if elo < MAX_ELO)


@dataclass(frozen=True)
class Puzzle:
    """An exercise: the side to move wins, and only with these moves."""

    board: chess.Board  # without its move stack
    solution: tuple[chess.Move, ...]  # of both sides, from the first only move to the last
    continuation: tuple[chess.Move, ...]  # the best line afterwards, as far as it is shown
    score: int  # of the first move, in centipawns from the solver's side
    second: int  # of the second-best move
    level: int  # the lowest Elo that finds the first move; MAX_ELO if only full strength does
    theme: str  # of the solution: "mate in 3", a motif from `motifs`, or empty
    game: int  # the number of the game in its file, from 1
    headers: tuple[tuple[str, str], ...]  # tags of that game

    @property
    def moves(self) -> int:
        """The number of moves that the solver must find."""
        return (len(self.solution) + 1) // 2


class OnlyMove(NamedTuple):
    """A move that alone wins, with its best line, and its score and that of the second-best."""

    line: tuple[chess.Move, ...]
    score: int
    second: int


class PuzzleFinder:
    """Finds exercises in games.

    :param nodes: node limit of the long search of a position.
    :raises StartError: if an engine does not start.
    """

    _engine: SimpleEngine
    _player: Engine

    def __init__(self, nodes: int) -> None:
        self._quick, self._long = Limit(nodes=max(nodes // _QUICK_PART, 1)), Limit(nodes=nodes)
        self._known: set[str] = set()
        self._start()

    def close(self) -> None:
        """Stop the engines."""
        self._engine.close()
        self._player.close()

    def know(self, puzzles: Iterable[Puzzle]) -> None:
        """Remember these, so that they are not found again."""
        self._known.update(puzzle.board.epd() for puzzle in puzzles)

    def find(self, record: SourceGame) -> Iterator[Puzzle | Failure | None]:
        """Yield for each position of a game a new exercise or None.

        Positions come last one first, so that the engine knows what follows. Where the engines fail
        repeatedly, yields a `Failure` and continues with the next position.

        :raises StartError: if no engine starts any more.
        """
        game = object()
        subjects = record.subjects()
        winner = _winner(record, subjects[-1].board)
        for number, subject in enumerate(reversed(subjects)):
            is_winner = subject.board.turn == winner
            played = subject.played if is_winner else None
            is_final = is_winner and number <= _FINAL_PLIES
            try:
                yield self._attempt(subject.board, record, game, is_final, played)
            except StartError:
                raise
            except AnalystError as error:
                yield Failure(f"game {record.number}, {subject.name}", str(error))

    def _start(self) -> None:
        try:
            self._engine = Engine(timeout=_PATIENCE_SECONDS)
            try:
                self._player = Engine(timeout=_PATIENCE_SECONDS, uci_elo=LEVELS[0])
            except BaseException:
                self._engine.close()
                raise
        except (OSError, EngineError, asyncio.TimeoutError) as error:
            raise StartError(f"Halbzug cannot start its engine: {words_of(error)}") from None

    def _attempt(
        self,
        board: chess.Board,
        record: SourceGame,
        game: object,
        is_final: bool,
        played: chess.Move | None,
    ) -> Puzzle | None:
        """The exercise in a position, if any; engines that die or stay silent are replaced."""
        reason = ""
        for _ in range(ATTEMPTS):
            try:
                return self._puzzle(board, record, game, is_final, played)
            except (EngineError, asyncio.TimeoutError) as error:
                reason = words_of(error)
                self.close()
                self._start()
        raise AnalystError(f"the engine failed {ATTEMPTS} times here: {reason}")

    def _puzzle(
        self,
        board: chess.Board,
        record: SourceGame,
        game: object,
        is_final: bool,
        played: chess.Move | None,
    ) -> Puzzle | None:
        if _is_forced(board) or board.epd() in self._known:
            return None
        move = self._candidate(board, game, is_final)
        if move is None and played and is_sacrifice(board, played):
            move = played
        if move is None or retakes(board, move):
            return None
        found = self._only_move(board, move, is_final)
        if found is None:
            return None
        self._known.add(board.epd())
        solution, continuation = self._solution(board, found, is_final)
        if not is_mate(found.score) and (
            _is_obvious(board, solution) or _only_keeps_lead(board, (*solution, *continuation))
        ):
            return None
        return Puzzle(
            board.copy(stack=False),
            solution,
            continuation,
            found.score,
            found.second,
            self._level(board, solution[0]),
            _theme(board, found, (*solution, *continuation), len(solution)),
            record.number,
            tuple(record.game.headers.items()),
        )

    def _candidate(self, board: chess.Board, game: object, is_final: bool) -> chess.Move | None:
        """A move that a quick search takes for the only one that wins."""
        said = self._engine.analyse(board, self._quick, multipv=2, game=game)
        lines = [line for line in map(info_of, said) if line and line.pv]
        if len(lines) == 2:
            move = board.parse_uci(lines[0].pv[0])
            if wins_alone(MAYBE, board, move, lines[0].score, lines[1].score, is_final):
                return move
        return None

    def _only_move(self, board: chess.Board, move: chess.Move, is_final: bool) -> OnlyMove | None:
        """The move with its line and score, if long searches confirm that it alone wins.

        If the second-best move is no worse than a draw, other moves may also hide wins behind a
        repetition: each gets a quick search, and a long one unless that refutes it.
        """
        score, line = self._value_of(move, board, self._long)
        if score < SURE.winning:
            return None
        others = [each for each in board.legal_moves if each != move]
        said = info_of(self._engine.analyse(board, self._long, root_moves=others, game=object()))
        if said is None or not said.pv:
            return None

        def is_alone(bounds: Bounds, other: int) -> bool:
            return wins_alone(bounds, board, move, score, other, is_final)

        if not is_alone(MAYBE, said.score):
            return None
        found = OnlyMove((move, *line), score, said.score)
        if is_final and SURE.has_final_mate(score, said.score, is_sacrifice(board, move)):
            return found
        next_best = board.parse_uci(said.pv[0])
        second = self._value_of(next_best, board, self._long)[0]
        if not is_alone(SURE, second):
            return None
        if said.score >= 0 and not all(
            is_alone(MAYBE, self._value_of(each, board, self._quick)[0])
            or is_alone(SURE, self._value_of(each, board, self._long)[0])
            for each in others
            if each != next_best
        ):
            return None
        return found._replace(second=second)

    def _value_of(
        self, move: chess.Move, board: chess.Board, limit: Limit
    ) -> tuple[int, tuple[chess.Move, ...]]:
        """The score of a move in centipawns, and its line, searched from the position after it."""
        after = board.copy(stack=False)
        after.push(move)
        after.clear_stack()
        if after.is_game_over():
            return (MATE - 1 if after.is_checkmate() else 0), ()
        said = info_of(self._engine.analyse(after, limit, game=object()))
        if said is None:
            return 0, ()
        score = -said.score
        if is_mate(score):
            score -= 1 if score > 0 else -1  # it is a ply longer
        return score, tuple(map(chess.Move.from_uci, said.pv))

    def _solution(
        self, board: chess.Board, first: OnlyMove, is_final: bool
    ) -> tuple[tuple[chess.Move, ...], tuple[chess.Move, ...]]:
        """The solution, ending where a second good move appears, and the continuation."""
        after = board.copy(stack=False)
        moves = [first.line[0]]
        after.push(moves[0])
        line = first.line[1:]
        while len(moves) < 2 * _LONGEST - 1 and len(line) > 1:
            after.push(line[0])
            if after.legal_moves.count() < 2:
                break
            found = self._only_move(after, line[1], is_final)
            if found is None:
                break
            moves += [line[0], found.line[0]]
            after.push(moves[-1])
            line = found.line[1:]
        return tuple(moves), self._continuation(board, moves)

    def _continuation(
        self, board: chess.Board, moves: Iterable[chess.Move]
    ) -> tuple[chess.Move, ...]:
        """The best line after these moves, as far as it is shown."""
        after = board.copy(stack=False)
        for move in moves:
            after.push(move)
        if after.is_game_over():
            return ()
        best = info_of(self._engine.analyse(after, self._quick, game=object()))
        return tuple(map(chess.Move.from_uci, best.pv[:_SHOWN_AFTER])) if best else ()

    def _level(self, board: chess.Board, move: chess.Move) -> int:
        """The lowest level from which all levels find the move."""
        least = MAX_ELO
        for elo in reversed(LEVELS):
            self._player.configure({"UCI_LimitStrength": True, "UCI_Elo": elo})
            for _ in range(_ATTEMPTS):
                played = self._player.play(board, Limit(time=_SECONDS), game=object()).move
                if played != move:
                    return least
            least = elo
        return least


def wins_alone(
    bounds: Bounds, board: chess.Board, move: chess.Move, best: int, other: int, is_final: bool
) -> bool:
    """Whether a move with the score `best` is the only one, if another has the score `other`."""
    gives = is_sacrifice(board, move)
    if is_final and bounds.has_final_mate(best, other, gives):
        return True
    return bounds.are_met(best, other, is_final and gives)


def _winner(record: SourceGame, end: chess.Board) -> chess.Color | None:
    """The winner of a game, by mate or by its result."""
    if end.is_checkmate():
        return not end.turn
    results = {"1-0": chess.WHITE, "0-1": chess.BLACK}
    return results.get(record.game.headers.get("Result", ""))


def _is_forced(board: chess.Board) -> bool:
    """Whether the choice is forced: by a check, or for lack of alternatives."""
    return board.is_check() or board.legal_moves.count() <= _FORCED


def _is_obvious(board: chess.Board, solution: tuple[chess.Move, ...]) -> bool:
    """Whether the first move can be found without seeing why it wins.

    It simply captures a piece; or nothing follows and it captures without sacrificing, promotes,
    captures what has just moved, or moves a piece out of that piece's attack without a threat.
    """
    move, is_alone = solution[0], len(solution) == 1
    is_capture = board.is_capture(move)
    own = Board.from_board(board, stack=False)
    takes_piece = board.piece_type_at(move.to_square) not in (None, chess.PAWN)
    if takes_piece and gains(own, move):
        return True
    if not is_alone:
        return False
    if move.promotion or (is_capture and see_ge(own, encode(move), 0)):
        return True
    if not board.move_stack:
        return False
    moved = board.peek().to_square
    if is_capture:
        return move.to_square == moved
    if move.from_square not in board.attacks(moved):
        return False
    if board.piece_type_at(move.from_square) == chess.PAWN:
        return False
    after = board.copy(stack=False)
    after.push(move)
    pieces = after.occupied_co[after.turn] & ~after.pawns
    return not after.attacks(move.to_square) & pieces


def _only_keeps_lead(board: chess.Board, line: Sequence[chess.Move]) -> bool:
    """Whether the side to move was already ahead, and wins no more than a pawn."""
    after = board.copy(stack=False)
    for move in line:
        after.push(move)
    before = balance(board, board.turn)
    return before >= _LEAD and balance(after, board.turn) < before + _LEAD


def _theme(board: chess.Board, first: OnlyMove, line: Sequence[chess.Move], solved: int) -> str:
    """The theme of a line: a mate, or the motif by which it wins material.

    :param line: the solution, which has `solved` plies, and what follows.
    """
    if is_mate(first.score) and mate_in_moves(first.score) <= _LONGEST_MATE:
        return f"mate in {mate_in_moves(first.score)}"
    later = ""
    for each in (first.line, line):
        for plies in range(min(len(each), 9), 0, -1):
            motif = motif_of(PlayedLine(board, each[:plies]))
            if motif and motif.ply == 0:
                return motif.kind
            if motif and motif.ply < solved:
                later = later or motif.kind
    return later


def without_parts(puzzles: Iterable[Puzzle]) -> list[Puzzle]:
    """Remove exercises that are later parts of another one's solution, or from the same stretch.

    Of exercises a few moves apart, the one with the most moves to find stays, or the first of
    these: a position would give the others away, and a final combination is worth more than the
    move that prepared it.
    """
    every, later = list(puzzles), set()
    for puzzle in every:
        board = puzzle.board.copy(stack=False)
        for move in puzzle.solution:
            board.push(move)
            later.add(board.epd())
    kept: list[tuple[int, int]] = []  # the game and the ply of each
    for puzzle in sorted(every, key=lambda each: (-each.moves, each.board.ply())):
        game, ply = puzzle.game, puzzle.board.ply()
        if any(game == other and abs(ply - at) < _APART for other, at in kept):
            later.add(puzzle.board.epd())
        elif puzzle.board.epd() not in later:
            kept.append((game, ply))
    return [puzzle for puzzle in every if puzzle.board.epd() not in later]


def by_difficulty(puzzles: Iterable[Puzzle]) -> list[Puzzle]:
    """Sort by level, then by number of moves, then by game; easiest first."""
    return sorted(puzzles, key=lambda each: (each.level, each.moves, each.game, each.board.ply()))

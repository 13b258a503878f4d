"""Exercises out of games: positions in which exactly one move keeps the win.

A quick search with two lines looks at each position of a game. Where the first line wins and the
second throws most of the winning chances away, a longer one must confirm it. In the final
combination of a game it is enough that no other move mates as fast. Other moves are then searched
from the position after them: a search from the position itself takes a move for drawn after which
the opponent can repeat the position, though the winning move is still there. The solution goes on
as long as each of its moves is the only one.
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
from ..base.events import Info
from ..base.os_errors import words_of
from ..base.scores import is_mate, mate_in_moves
from ..batch.analysts import ATTEMPTS, AnalystError, StartError, info_of
from ..batch.positions import Failure, SourceGame
from ..board.movegen import encode
from ..board.public_board import Board
from ..reasons.accuracy import winning_chances
from ..reasons.merits import retakes
from ..reasons.motifs import PlayedLine, gains, motif_of
from ..reasons.won_material import balance
from ..search.see import see_ge
from ..search.strength import CALIBRATION, MAX_ELO


class Bounds(NamedTuple):
    """What the only move and the others must score."""

    winning: int  # the only move at least, in centipawns
    kept: float  # the others at most, of its winning chances beyond even ones

    def are_met(self, best: int, other: int) -> bool:
        """Whether one move wins and another throws most of it away; scores are in centipawns."""
        chances, left = winning_chances(best) - 50, winning_chances(other) - 50
        return best >= self.winning and left <= self.kept * chances


#: Of the long search, and of the quick one, whose scores are less certain.
SURE, MAYBE = Bounds(300, 0.4), Bounds(150, 0.7)

#: The quick search has this part of the nodes.
_QUICK_PART = 25

#: The longest solution, in moves of the side that solves it.
_LONGEST = 6

#: Plies shown after the solution: what it is good for.
_SHOWN_AFTER = 6

#: A mate that takes more moves is no theme.
_LONGEST_MATE = 5

#: A lead in material, in points; who has it and only keeps it learns nothing.
_LEAD = 2

#: With so few legal moves the right one is found by leaving out the others.
_FORCED = 3

#: Exercises of one game are so many plies apart.
_APART = 8

#: How often each level tries; it must find the move every time.
_ATTEMPTS = 2

#: What a level may take for a move, in seconds; its nodes are fewer.
_SECONDS = 5.0

#: How long an engine may be silent beyond that, in seconds: a busy machine is no failure.
_PATIENCE_SECONDS = 60.0

#: The levels whose strength tells the difficulty, in Elo.
LEVELS = tuple(elo for elo, _, _ in CALIBRATION if elo < MAX_ELO)


@dataclass(frozen=True)
class Puzzle:
    """An exercise: the side to move wins, by these moves only."""

    board: chess.Board  # without the game before it
    solution: tuple[chess.Move, ...]  # of both sides, from the first to the last only move
    continuation: tuple[chess.Move, ...]  # the best line after it, as far as it is shown
    score: int  # of the first move, in centipawns from the side that solves
    second: int  # of the next best move
    level: int  # the least Elo that finds the first move; MAX_ELO if only full strength does
    theme: str  # what the solution is: "mate in 3", a motif as in `motifs`, or nothing
    game: int  # the number of the game in its file
    headers: tuple[tuple[str, str], ...]  # of that game

    @property
    def moves(self) -> int:
        """How many moves the solver has to find."""
        return (len(self.solution) + 1) // 2


class PuzzleFinder:
    """Finds exercises in games.

    :param nodes: what the long search of a position is given.
    :raises StartError: if an engine does not start.
    """

    _engine: SimpleEngine
    _player: Engine

    def __init__(self, nodes: int) -> None:
        self._quick, self._long = Limit(nodes=max(nodes // _QUICK_PART, 1)), Limit(nodes=nodes)
        self._known: set[str] = set()
        self._start()

    def close(self) -> None:
        """End the engines' processes."""
        self._engine.close()
        self._player.close()

    def know(self, puzzles: Iterable[Puzzle]) -> None:
        """Do not find these again."""
        self._known.update(puzzle.board.epd() for puzzle in puzzles)

    def find(self, record: SourceGame) -> Iterator[Puzzle | Failure | None]:
        """The exercises of a game: after each position what is new, or None.

        The positions come from the last one backwards, so that the engine knows what follows. Where
        the engines fail again and again it is a `Failure`, and the next position follows.

        :raises StartError: if no engine starts any more.
        """
        game = object()
        subjects = record.subjects()
        winner = _winner(record, subjects[-1].board)
        for number, subject in enumerate(reversed(subjects)):
            is_final = number <= 2 * _LONGEST and subject.board.turn == winner
            try:
                yield self._attempt(subject.board, record, game, is_final)
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
        self, board: chess.Board, record: SourceGame, game: object, is_final: bool
    ) -> Puzzle | None:
        """What a position is; new engines go on where one dies or is silent."""
        reason = ""
        for _ in range(ATTEMPTS):
            try:
                return self._puzzle(board, record, game, is_final)
            except (EngineError, asyncio.TimeoutError) as error:
                reason = words_of(error)
                self.close()
                self._start()
        raise AnalystError(f"the engine failed {ATTEMPTS} times here: {reason}")

    def _puzzle(
        self, board: chess.Board, record: SourceGame, game: object, is_final: bool
    ) -> Puzzle | None:
        if _is_forced(board) or board.epd() in self._known:
            return None
        quick = self._only_move(board, self._quick, game, is_final, MAYBE)
        if quick is None or retakes(board, board.parse_uci(quick[0].pv[0])):
            return None
        found = self._only_move(board, self._long, object(), is_final)
        if found is None or retakes(board, board.parse_uci(found[0].pv[0])):
            return None
        if not (mates_alone(*found, is_final) or self._others_fail(board, *found)):
            return None
        self._known.add(board.epd())
        first, second = found
        solution, continuation = self._solution(board, first, is_final)
        if not is_mate(first.score) and (
            _is_obvious(board, solution) or _only_keeps_lead(board, (*solution, *continuation))
        ):
            return None
        return Puzzle(
            board.copy(stack=False),
            solution,
            continuation,
            first.score,
            second.score,
            self._level(board, solution[0]),
            _theme(board, first, (*solution, *continuation), len(solution)),
            record.number,
            tuple(record.game.headers.items()),
        )

    def _only_move(
        self,
        board: chess.Board,
        limit: Limit,
        game: object,
        is_final: bool,
        bounds: Bounds = SURE,
    ) -> tuple[Info, Info] | None:
        """The two best lines, if only the first one wins, or in a final combination mates."""
        said = self._engine.analyse(board, limit, multipv=2, game=game)
        lines = [line for line in map(info_of, said) if line and line.pv]
        if len(lines) < 2:
            return None
        is_only = bounds.are_met(lines[0].score, lines[1].score)
        return (
            (lines[0], lines[1]) if is_only or mates_alone(lines[0], lines[1], is_final) else None
        )

    def _others_fail(self, board: chess.Board, first: Info, second: Info) -> bool:
        """Whether no other move wins when it is searched from the position after it.

        The second best has a long search. If it is no worse than a draw, another one may hide a win
        behind a repetition, and has a quick search, and a long one if that does not dismiss it.
        """
        game = object()
        best, next_best = (board.parse_uci(line.pv[0]) for line in (first, second))
        if not SURE.are_met(first.score, self._value_of(next_best, board, self._long, game)):
            return False
        if second.score < 0:
            return True
        return not any(
            not MAYBE.are_met(first.score, self._value_of(move, board, self._quick, game))
            and not SURE.are_met(first.score, self._value_of(move, board, self._long, game))
            for move in board.legal_moves
            if move not in (best, next_best)
        )

    def _value_of(self, move: chess.Move, board: chess.Board, limit: Limit, game: object) -> int:
        """What a move is worth, in centipawns; the search knows only the position after it."""
        after = board.copy(stack=False)
        after.push(move)
        after.clear_stack()
        if after.is_game_over():
            return 0  # a mate would have been the best move
        said = info_of(self._engine.analyse(after, limit, game=game))
        return -said.score if said else 0

    def _solution(
        self, board: chess.Board, first: Info, is_final: bool
    ) -> tuple[tuple[chess.Move, ...], tuple[chess.Move, ...]]:
        """The only moves and the best answers, as long as there is but one move; what follows."""
        after = board.copy(stack=False)
        moves = [after.parse_uci(first.pv[0])]
        after.push(moves[0])
        while len(moves) < 2 * _LONGEST - 1 and not after.is_game_over():
            answer = info_of(self._engine.analyse(after, self._long, game=self))
            if answer is None or not answer.pv:
                break
            reply = after.parse_uci(answer.pv[0])
            after.push(reply)
            if after.legal_moves.count() < 2:
                break
            found = self._only_move(after, self._long, object(), is_final)
            if found is None:
                break
            if not (mates_alone(*found, is_final) or self._others_fail(after, *found)):
                break
            moves += [reply, after.parse_uci(found[0].pv[0])]
            after.push(moves[-1])
        return tuple(moves), self._continuation(board, moves)

    def _continuation(
        self, board: chess.Board, moves: Iterable[chess.Move]
    ) -> tuple[chess.Move, ...]:
        """The best line after some moves, as far as it is shown."""
        after = board.copy(stack=False)
        for move in moves:
            after.push(move)
        if after.is_game_over():
            return ()
        best = info_of(self._engine.analyse(after, self._quick, game=object()))
        return tuple(map(chess.Move.from_uci, best.pv[:_SHOWN_AFTER])) if best else ()

    def _level(self, board: chess.Board, move: chess.Move) -> int:
        """The least level from which on all find the move."""
        least = MAX_ELO
        for elo in reversed(LEVELS):
            self._player.configure({"UCI_LimitStrength": True, "UCI_Elo": elo})
            for _ in range(_ATTEMPTS):
                played = self._player.play(board, Limit(time=_SECONDS), game=object()).move
                if played != move:
                    return least
            least = elo
        return least


def mates_alone(first: Info, second: Info, is_final: bool) -> bool:
    """Whether a final combination mates, and no other move mates as fast."""
    is_short = is_mate(first.score) and 0 < mate_in_moves(first.score) <= _LONGEST_MATE
    return is_final and is_short and second.score < first.score


def _winner(record: SourceGame, end: chess.Board) -> chess.Color | None:
    """Who has won a game, by mate or by its result."""
    if end.is_checkmate():
        return not end.turn
    results = {"1-0": chess.WHITE, "0-1": chess.BLACK}
    return results.get(record.game.headers.get("Result", ""))


def _is_forced(board: chess.Board) -> bool:
    """Whether the position says what to move: by a check, or because there is little else."""
    return board.is_check() or board.legal_moves.count() <= _FORCED


def _is_obvious(board: chess.Board, solution: tuple[chess.Move, ...]) -> bool:
    """Whether one finds the first move without seeing why it wins.

    It just takes a piece; or nothing follows, and it takes without giving more, promotes, takes
    what has just moved, or is a piece's flight from what has just moved, which attacks nothing.
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
    """Whether the side to move was ahead before, and wins no more than a pawn."""
    after = board.copy(stack=False)
    for move in line:
        after.push(move)
    before = balance(board, board.turn)
    return before >= _LEAD and balance(after, board.turn) < before + _LEAD


def _theme(board: chess.Board, first: Info, line: Sequence[chess.Move], solved: int) -> str:
    """What the line is: a mate, or the motif by which it wins material.

    :param line: the solution, which has `solved` plies, and what follows.
    """
    moves: list[chess.Move] = []
    after = board.copy(stack=False)
    for text in first.pv:
        moves.append(after.parse_uci(text))
        after.push(moves[-1])
    if is_mate(first.score) and after.is_checkmate() and len(moves) < 2 * _LONGEST_MATE:
        return f"mate in {(len(moves) + 1) // 2}"
    later = ""
    for each in (moves, line):
        for plies in range(min(len(each), 9), 0, -1):
            motif = motif_of(PlayedLine(board, each[:plies]))
            if motif and motif.ply == 0:
                return motif.kind
            if motif and motif.ply < solved:
                later = later or motif.kind
    return later


def without_parts(puzzles: Iterable[Puzzle]) -> list[Puzzle]:
    """All but those that are a later part of another one's solution or of the same stretch.

    Of what the sides of a game could solve within a few moves, the first one stays: the next
    position would give it away.
    """
    every, later = list(puzzles), set()
    for puzzle in every:
        board = puzzle.board.copy(stack=False)
        for move in puzzle.solution:
            board.push(move)
            later.add(board.epd())
    kept: dict[int, int] = {}  # the ply of a game's last one
    for puzzle in sorted(every, key=lambda each: (each.game, each.board.ply())):
        game, ply = puzzle.game, puzzle.board.ply()
        if ply - kept.get(game, -_APART) < _APART:
            later.add(puzzle.board.epd())
        elif puzzle.board.epd() not in later:
            kept[game] = ply
    return [puzzle for puzzle in every if puzzle.board.epd() not in later]


def by_difficulty(puzzles: Iterable[Puzzle]) -> list[Puzzle]:
    """The easiest first; of one level, those with fewer moves, then by their game."""
    return sorted(puzzles, key=lambda each: (each.level, each.moves, each.game, each.board.ply()))

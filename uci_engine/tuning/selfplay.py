"""Play games of the engine against itself and write down their quiet positions.

    python -m halbzug.tuning.selfplay FILE [--games 1000] [--nodes 1000] [--seed 0] [--visited 0]

The recipe: a random opening of eight or nine plies (from the starting position, or from the
positions of `--openings`), accepted if the engine calls it balanced; then every move after a
search of a fixed number of nodes, until the game is over or its result is plain. Of each game the
positions are kept in which a static evaluation can be right: the side to move is not in check, the
move played is neither capture nor promotion, and the score is no mate. The same arguments give
the same games.

With `--visited N` the positions are not those of the game but N of each search, taken from the
transposition table: that is where an evaluation is asked for. Their score is the evaluation by
the terms alone, which is what the network corrects.

A line of the file is a position, the number of its game, what the game brought White and the
score of the search in centipawns for White: `FEN;7;1.0;35`. The fit is `halbzug.tuning.tune`'s
business; it keeps games together, because the positions of a game resemble each other.

This is the one module of `eval/` that knows the search: it must play.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import chess

from halbzug.board.rules import generate_all, new_board
from halbzug.eval.evaluation import Evaluator
from halbzug.events import Event, Info
from halbzug.limits import Limits
from halbzug.scores import is_mate
from halbzug.search.position import Position
from halbzug.search.search import Search
from halbzug.search.transposition import TranspositionTable
from halbzug.whole_file import is_same_file

#: Random plies at the start, or one more, so that both sides begin.
OPENING_PLIES = 8

#: An opening is played if the engine sees neither side ahead by more, in centipawns.
BALANCED = 250

#: So deep in a search positions are looked for, at most, in plies.
DEEPEST_VISIT = 12

#: A game is decided when the score has been beyond this for so many plies in a row.
DECIDED, DECIDED_PLIES = 1000, 4

#: A game is drawn when it is this long, or the score has been 0 for so many plies in a row.
MAX_GAME_PLIES, DRAWN_PLIES = 300, 12


@dataclass(frozen=True)
class Sample:
    """A position with what the game and the search said about it, both from White's side."""

    fen: str
    game: int
    result: float  # 1.0, 0.5 or 0.0, or what a stronger player expects
    score: int  # centipawns

    def __str__(self) -> str:
        return f"{self.fen};{self.game};{self.result:g};{self.score}"

    @classmethod
    def parse(cls, line: str) -> Sample:
        """Read a line back.

        :raises ValueError: if it is not one.
        """
        fen, game, result, score = line.rstrip("\n").split(";")
        return cls(fen, int(game), float(result), int(score))


class SelfPlay:
    """Plays one game after the other.

    :param nodes: how long to think, for each move.
    :param starts: FENs to begin from.
    :param visited: keep so many positions of each search instead of the game's own.
    """

    def __init__(self, nodes: int, seed: int, starts: Sequence[str] = (), visited: int = 0) -> None:
        self.limits = Limits(nodes=nodes)
        self.random = random.Random(seed)
        self.starts = starts or (chess.STARTING_FEN,)
        self.table = TranspositionTable(1)
        self.search = Search(self.table)
        self.score = 0
        self.visited = visited
        self.terms = Evaluator()
        self.terms.use_network = False

    def game(self, number: int) -> list[Sample]:
        """Play a game; return its quiet positions."""
        board = self._opening()
        self.table.clear()
        self.search.new_game()
        kept: list[tuple[str, int]] = []
        decided = drawn = 0
        while True:
            outcome = board.outcome()
            if outcome and outcome.winner is not None:
                result = float(outcome.winner)
                break
            too_long = board.ply() >= MAX_GAME_PLIES or board.is_fifty_moves()
            if outcome or too_long or board.is_repetition():
                result = 0.5
                break
            move, score = self._think(board)
            white_score = score if board.turn else -score
            quiet = not (board.is_check() or board.is_capture(move) or move.promotion)
            if self.visited:
                kept += self._visits(board)
            elif quiet and not is_mate(score):
                kept.append((board.fen(), white_score))
            decided = decided + 1 if abs(score) >= DECIDED else 0
            drawn = drawn + 1 if score == 0 else 0
            if decided >= DECIDED_PLIES:
                result = float(white_score > 0)
                break
            if drawn >= DRAWN_PLIES:
                result = 0.5
                break
            board.push(move)
        return [Sample(fen, number, result, score) for fen, score in kept]

    def _visits(self, board: chess.Board) -> list[tuple[str, int]]:
        """Positions of the last search in which nobody is in check, with their evaluation."""
        position = Position(new_board(board.fen()))
        found = []
        for _ in range(self.visited):
            depth = 0
            wanted = self.random.randint(1, DEEPEST_VISIT)
            while depth < wanted and self._make_remembered(position, depth + 1):
                depth += 1
            if depth and not position.checkers:
                score = self.terms.evaluate(position.board, position.accumulator)
                found.append((position.board.fen(), score if position.board.turn else -score))
            for _ in range(depth):
                position.unmake()
        return found

    def _make_remembered(self, position: Position, ply: int) -> bool:
        """Make a random move to a position that the table has; False if there is none."""
        moves = generate_all(position.board)
        self.random.shuffle(moves)
        for move in moves:
            position.make(move)
            if self.table.probe(position.key, ply):
                return True
            position.unmake()
        return False

    def _opening(self) -> chess.Board:
        """A random opening that is balanced."""
        while True:
            board = chess.Board(self.random.choice(self.starts))
            for _ in range(OPENING_PLIES + self.random.randrange(2)):
                moves = list(board.legal_moves)
                if not moves:
                    break
                board.push(self.random.choice(moves))
            if not board.is_game_over() and abs(self._think(board)[1]) <= BALANCED:
                return board

    def _think(self, board: chess.Board) -> tuple[chess.Move, int]:
        """The engine's move, and its score for the side to move."""
        recent = board.copy(stack=board.halfmove_clock)  # further back nothing repeats
        moves = [move.uci() for move in recent.move_stack]
        position = Position(new_board(recent.root().fen(), moves))
        best = self.search.run(position, self.limits, report=self._note)
        assert best.move is not None
        return chess.Move.from_uci(best.move), self.score

    def _note(self, event: Event) -> None:
        if isinstance(event, Info):
            self.score = event.score


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, and add to a file as the games end."""
    parser = argparse.ArgumentParser(prog="python -m halbzug.tuning.selfplay", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("file", type=Path, help="where to write the positions")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=1000, help="a move")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--visited", type=int, default=0, help="positions of each search")
    parser.add_argument("--openings", type=Path, help="FENs or EPDs, one a line")
    options = parser.parse_args(arguments)
    starts = []
    if options.openings:
        if is_same_file(options.openings, options.file):
            parser.error(f"{options.file} is what is read; choose another name for the output")
        for line in options.openings.read_text(encoding="utf-8").splitlines():
            starts.append(" ".join([*line.split(";")[0].split()[:4], "0", "1"]))
    player = SelfPlay(options.nodes, options.seed, starts, options.visited)
    positions = 0
    with options.file.open("w", encoding="utf-8") as file:
        for number in range(1, options.games + 1):
            found = player.game(number)
            positions += len(found)
            file.writelines(f"{sample}\n" for sample in found)
            file.flush()
            print(f"\r{number} games, {positions} positions", end="", flush=True)
    print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

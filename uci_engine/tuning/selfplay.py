"""Plays games of the engine against itself, and writes their quiet positions.

    python -m halbzug.tuning.selfplay FILE [--games 1000] [--nodes 1000] [--seed 0]

A game begins with a random opening of eight or nine plies (from the starting position, or from the
positions of `--openings`) that the engine evaluates as balanced. Then each move is searched with a
fixed number of nodes, until the game is over or decided. Positions in which a static evaluation can
be right are kept: the side to move is not in check, the move played is neither a capture nor a
promotion, and the score is not a mate. The same arguments give the same games.

A line of the file has a position, the number of its game, White's result and the score of the
search in centipawns for White: `FEN;7;1.0;35`. `halbzug.tuning.tune` fits weights to them; it holds
out whole games, because the positions of a game are similar.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import chess

from ..base.events import Event, Info
from ..base.limits import Limits
from ..base.scores import is_mate
from ..base.text import counted
from ..base.whole_file import is_read
from ..board.movegen import new_board
from ..search.position import Position
from ..search.search import Search
from ..search.transposition import TranspositionTable
from .command import command_parser
from .pairs import random_opening

#: Maximum absolute score of a balanced opening, in centipawns.
BALANCED = 250

#: A game is decided if the score has been beyond this for this many consecutive plies.
DECIDED, DECIDED_PLIES = 1000, 4

#: A game is a draw at this length, or if the score has been 0 for this many consecutive plies.
MAX_GAME_PLIES, DRAWN_PLIES = 300, 12


@dataclass(frozen=True)
class Sample:
    """A position with its game's result and its search's score, from White's side."""

    fen: str
    game: int
    result: float  # 1.0, 0.5 or 0.0, or a stronger player's expectation
    score: int  # centipawns

    def __str__(self) -> str:
        return f"{self.fen};{self.game};{self.result:g};{self.score}"

    @classmethod
    def parse(cls, line: str) -> Sample:
        """Read a line of the file.

        :raises ValueError: if it is not a sample.
        """
        fen, game, result, score = line.rstrip("\n").split(";")
        return cls(fen, int(game), float(result), int(score))


def searched(search: Search, position: Position, limits: Limits) -> tuple[str, Info]:
    """The move that a search chooses in an unfinished game, and the last line that it reports."""
    lines: list[Info] = []

    def hear(event: Event) -> None:
        if isinstance(event, Info):
            lines.append(event)

    best = search.run(position, limits, report=hear)
    assert best.move is not None
    return best.move, lines[-1]


class SelfPlay:
    """Plays one game after another.

    :param nodes: node limit for each move.
    :param starts: FENs to start from.
    """

    def __init__(self, nodes: int, seed: int, starts: Sequence[str] = ()) -> None:
        self.limits = Limits(nodes=nodes)
        self.random = random.Random(seed)
        self.starts = starts or (chess.STARTING_FEN,)
        self.tt = TranspositionTable(1)
        self.search = Search(self.tt)

    def game(self, number: int) -> list[Sample]:
        """Play a game; return its quiet positions."""
        board = self._opening()
        self.tt.clear()
        self.search.tree.new_game()
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
            if quiet and not is_mate(score):
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

    def _opening(self) -> chess.Board:
        """A random opening that is balanced."""
        while True:
            board = random_opening(self.random, self.random.choice(self.starts))
            if not board.is_game_over() and abs(self._think(board)[1]) <= BALANCED:
                return board

    def _think(self, board: chess.Board) -> tuple[chess.Move, int]:
        """The engine's move, and its score for the side to move."""
        recent = board.copy(stack=board.halfmove_clock)  # earlier positions cannot be repeated
        moves = [move.uci() for move in recent.move_stack]
        position = Position(new_board(recent.root().fen(), moves))
        move, line = searched(self.search, position, self.limits)
        return chess.Move.from_uci(move), line.score


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, and append each finished game to a file."""
    parser = command_parser("halbzug.tuning.selfplay", __doc__)
    parser.add_argument("file", type=Path, help="where to write the positions")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=1000, help="a move")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--openings", type=Path, help="FENs or EPDs, one a line")
    options = parser.parse_args(arguments)
    starts = []
    if options.openings:
        if is_read(options.file, options.openings):
            parser.error(f"{options.file} is the input; choose another name for the output")
        for line in options.openings.read_text(encoding="utf-8").splitlines():
            starts.append(" ".join([*line.split(";")[0].split()[:4], "0", "1"]))
    player = SelfPlay(options.nodes, options.seed, starts)
    positions = 0
    with options.file.open("w", encoding="utf-8") as file:
        for number in range(1, options.games + 1):
            found = player.game(number)
            positions += len(found)
            file.writelines(f"{sample}\n" for sample in found)
            file.flush()
            print(
                f"\r{counted(number, 'game')}, {counted(positions, 'position')}", end="", flush=True
            )
    print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

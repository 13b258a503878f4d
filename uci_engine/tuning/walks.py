"""Walks through positions that another UCI engine judges, as training data.

    python -m halbzug.tuning.walks FOLDER [--positions 1000000] [--engine stockfish] [--depth 2]
                                   [--lines 4]

A walk begins with 8 or 9 random plies. Then, at each step, the teacher judges the best moves of the
position at once, by a search with several lines to a small depth. The walk makes one of these moves
and some of the plies that the teacher expects after it, because neighbouring positions teach less.
How good the moves must be is drawn for the whole walk, and now and then any move may be made. So
walks lead through games played well and games played badly.

The positions after good moves are kept, but only those in which a static evaluation can be right:
the side to move is not in check, the expected reply is not a capture, and the score is not a mate.
A network that also learns positions after bad moves fits them better but loses games (`LEDGER.md`).
A walk ends with its game, when a position is repeated, when one side has been winning for long, or
when nothing has been captured for long.

Learning from a stronger network in this way is called distillation:
https://arxiv.org/abs/1503.02531.

`FOLDER`, outside the checkout, gets `recipe.json` and a file for every 100,000 positions, in the
format of `halbzug.tuning.positions_file`, without castling rights, which the evaluation does not
use. The number of a walk is stored as that of a game, and the result is always a draw, because a
walk has none. The same arguments and the same engine give the same files on any number of cores.
The same command continues a run that was stopped, repeating only unfinished files; with more
`--positions` it adds files.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..board.public_board import Board
from .judged import JudgedRecipe, PositionSource
from .pairs import random_opening
from .positions_file import codes_of, pack
from .teacher import Judged, Teacher, is_noisy

#: The position after a move is kept if the move is worse than the best by at most this, in
#: centipawns of the teacher.
KEPT_WINDOW = 80

#: The number of moves of a position that are judged, by default.
LINES = 4

#: One of these is drawn for each walk. Its moves are worse than the best by less than this, in
#: centipawns of the teacher, ...
WINDOWS = (20, 60, 150)

#: ... but with this probability it makes any legal move.
RANDOM_SHARE = 0.02

#: The most plies from one judged position to the next.
STEP = 4

#: A walk ends after this many positions beyond this score, in centipawns of the teacher.
DECIDED, DECIDED_POSITIONS = 700, 3

#: A walk ends after this many plies without a capture or a pawn move.
IDLE_PLIES = 24

#: Simultaneous walks, in two groups: the teacher works for one while the other takes its steps. The
#: questions of a group fit into the buffer of the pipe; the answers are read while it works.
_GROUP = 8


@dataclass(frozen=True)
class WalksRecipe(JudgedRecipe):
    """What determines the walks, beside the engine.

    :ivar lines: moves of a position that the teacher judges.
    """

    lines: int = LINES


class Walk:
    """One walk.

    :param number: identifies it.
    """

    def __init__(self, number: int, chooser: random.Random) -> None:
        self.number = number
        self._chooser = chooser
        self._window = chooser.choice(WINDOWS)
        self._seen: set[str] = set()
        self._decided = 0
        opening = random_opening(chooser)
        while opening.is_game_over():
            opening = random_opening(chooser)
        self._board = Board(opening.fen())
        self.fen = ""
        self._look()

    def step(self, judged: Sequence[Judged]) -> tuple[list[bytes], bool]:
        """Take a step from a position whose moves were judged.

        :returns: the records to keep, and whether the walk continues.
        """
        if not judged or judged[0].score is None:
            return [], False
        best = judged[0].score
        chooser = self._chooser
        records = self._records(judged, best)
        self._decided = self._decided + 1 if abs(best) >= DECIDED else 0
        if chooser.random() < RANDOM_SHARE:
            self._board.push(chooser.choice(list(self._board.legal_moves)))
        else:
            near = [
                one for one in judged if one.score is not None and best - one.score < self._window
            ]
            for move in chooser.choice(near).line[: chooser.randint(1, STEP)]:
                self._board.push_uci(move)
        goes_on = self._decided < DECIDED_POSITIONS and self._look()
        return records, goes_on

    def _records(self, judged: Sequence[Judged], best: int) -> list[bytes]:
        """Records of the quiet positions after the good moves."""
        board = self._board
        codes = codes_of(self.fen.partition(" ")[0])
        flags = int(not board.turn)
        records = []
        for move, score, line in judged:
            origin, target = move.from_square, move.to_square
            if (
                score is None
                or best - score > KEPT_WINDOW
                or move.promotion
                or board.is_castling(move)
                or board.is_en_passant(move)
                or (len(line) > 1 and is_noisy(line[1], codes, target))
                or board.gives_check(move)
            ):
                continue
            after = codes.copy()
            after[origin], after[target] = 0, codes[origin]
            for_white = score if board.turn else -score
            records.append(pack(after, flags, for_white, 0.5, self.number))
        return records

    def _look(self) -> bool:
        """Note where the walk is; return whether it continues."""
        board = self._board
        self.fen = board.fen()
        place = self.fen.rsplit(" ", 2)[0]
        if place in self._seen:
            return False
        self._seen.add(place)
        return board.halfmove_clock < IDLE_PLIES and not board.is_insufficient_material()


def positions(recipe: WalksRecipe, index: int) -> Iterator[bytes]:
    """The records of the file with that number.

    :raises LabError: if the engine does not start, or ends.
    """
    chooser = random.Random(f"{recipe.seed} walks {index}")
    # No file has as many walks as positions.
    numbers = iter(range(index * recipe.file_positions, (index + 1) * recipe.file_positions))
    groups = [[Walk(next(numbers), chooser) for _ in range(_GROUP)] for _ in range(2)]
    found = 0
    with Teacher(recipe.engine, recipe.depth, recipe.lines) as teacher:
        teacher.ask([walk.fen for walk in groups[0]])
        while True:
            groups.reverse()
            teacher.ask([walk.fen for walk in groups[0]])
            group = groups[1]
            for place, walk in enumerate(group):
                records, goes_on = walk.step(teacher.answer())
                if not goes_on:
                    group[place] = Walk(next(numbers), chooser)
                for record in records:
                    yield record
                    found += 1
                    if found == recipe.file_positions:
                        return


SOURCE = PositionSource("halbzug.tuning.walks", WalksRecipe, positions)


def main(arguments: Sequence[str] | None = None) -> int:
    """Record walks."""
    return SOURCE.main(__doc__, arguments)


if __name__ == "__main__":
    raise SystemExit(main())

"""Labels positions: replaces the result of the game with a strong engine's expectation.

    python -m halbzug.tuning.label FILE OUTPUT [--engine stockfish] [--nodes 500] [--random-walks 0]
                                            [--depth 0] [--centipawn 0]

A game gives all its positions the same result, which may depend on a blunder twenty moves later; a
strong engine gives each position its own. Any UCI engine with the option `UCI_ShowWDL` can be used.
With `--centipawn 0.009`, any other engine can be used: the sigmoid is applied to its score times
that factor. Only positions in which a static evaluation can be right are kept: the side to move is
not in check, and the judge's move is neither a capture nor a promotion. Positions are not selected
by their expectation, because the fit would learn that selection.

A search mostly evaluates positions after bad moves, which no game would reach. `--random-walks`
adds such positions: each is a few random moves away from a position of the file.
"""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import chess
import chess.engine

from ..base.whole_file import Claim, WholeFile, WriteError, is_read
from ..client.blocking import BlockingClient
from ..client.engine_command import parse_engine
from ..client.engine_errors import UciError
from .command import command_parser
from .descent import expected_result
from .selfplay import Sample

#: The value of a mate in centipawns.
MATE = 2000

#: The longest random walk from a position of a game, in plies.
MAX_WALK_PLIES = 3


class LabelJudge:
    """A UCI engine that gives expected results.

    :param command: `COMMAND ARGUMENTS; OPTION=VALUE; ...`.
    :param limit: of each search.
    :param centipawn: a centipawn in the sigmoid; 0: the engine's own WDL is used.
    :raises ValueError: if the command cannot be read.
    :raises UciError: if the engine does not start.
    """

    def __init__(self, command: str, limit: chess.engine.Limit, centipawn: float = 0.0) -> None:
        self.limit = limit
        self.centipawn = centipawn
        engine = parse_engine(command)
        self._client = BlockingClient(
            engine.words[0], engine.program, engine.settings, preferred={"UCI_ShowWDL": "true"}
        )

    def ask(self, board: chess.Board) -> tuple[float, chess.Move] | None:
        """White's expected result, 0 to 1, and the best move; None if the engine gives none.

        :raises UciError: if the engine fails.
        """
        answer = self._client.play(board, self.limit, game=self)
        expected = None
        if self.centipawn and "score" in answer.info:
            relative = answer.info["score"].relative
            mate = relative.mate()
            if mate is not None:
                relative = chess.engine.Cp(MATE if mate > 0 else -MATE)
            score = relative.score() or 0
            expected = expected_result(score, self.centipawn)
        elif "wdl" in answer.info:
            wdl = answer.info["wdl"].relative
            expected = (wdl.wins + wdl.draws / 2) / 1000
        if expected is None or answer.move is None:
            return None
        return expected if board.turn else 1 - expected, answer.move

    def close(self) -> None:
        """End the engine."""
        self._client.close()


def random_walk(sample: Sample, chooser: random.Random) -> Sample | None:
    """The position after 1 to `MAX_WALK_PLIES` random moves; None if the game ends earlier."""
    board = chess.Board(sample.fen)
    for _ in range(chooser.randint(1, MAX_WALK_PLIES)):
        moves = list(board.legal_moves)
        if not moves:
            return None
        board.push(chooser.choice(moves))
    return replace(sample, fen=board.fen())


def label(samples: Iterable[Sample], judge: LabelJudge) -> Iterator[Sample]:
    """The quiet samples, with the judge's expectation, to four digits, as their result."""
    for sample in samples:
        board = chess.Board(sample.fen)
        if board.is_game_over() or board.is_check():
            continue
        answer = judge.ask(board)
        if answer is None:
            continue
        expected, move = answer
        if not (board.is_capture(move) or move.promotion):
            yield replace(sample, result=round(expected, 4))


def main(arguments: Sequence[str] | None = None) -> int:
    """Label a file."""
    parser = command_parser("halbzug.tuning.label", __doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--nodes", type=int, default=500, help="a position")
    parser.add_argument("--depth", type=int, default=0, help="instead of nodes")
    parser.add_argument("--centipawn", type=float, default=0.0, help="instead of the engine's WDL")
    parser.add_argument("--share", type=float, default=1.0, help="of the positions to label")
    parser.add_argument("--random-walks", type=int, default=0, help="from each position")
    parser.add_argument("--seed", type=int, default=0, help="of the choice of positions")
    options = parser.parse_args(arguments)
    chooser = random.Random(options.seed)
    lines = options.file.read_text(encoding="utf-8").splitlines()
    samples = [Sample.parse(line) for line in lines if chooser.random() < options.share]
    for sample in list(samples):
        neighbours = (random_walk(sample, chooser) for _ in range(options.random_walks))
        samples.extend(neighbour for neighbour in neighbours if neighbour)
    if is_read(options.output, options.file):
        parser.error(f"{options.output} is the input; choose another name for the output")
    if options.depth:
        limit = chess.engine.Limit(depth=options.depth)
    else:
        limit = chess.engine.Limit(nodes=options.nodes)
    try:
        judge = LabelJudge(options.engine, limit, options.centipawn)
        with (
            contextlib.closing(judge),
            Claim(options.output),
            WholeFile(options.output) as file,
        ):
            for number, sample in enumerate(label(samples, judge), 1):
                file.write(f"{sample}\n")
                if number % 100 == 0:
                    print(f"\r{number} of at most {len(samples)}", end="", flush=True)
    except (ValueError, UciError, WriteError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

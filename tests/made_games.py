"""Random annotated games, for reports on many games."""

from __future__ import annotations

import random
from contextlib import closing

import chess
import chess.pgn

from halbzug.base.events import BestMove, Info
from halbzug.base.scores import EXACT_BOUND
from halbzug.batch.findings import Finding
from halbzug.batch.positions import SourceGame, source_game
from halbzug.games.annotation import AnnotatedGame, Annotator
from halbzug.games.report import AnnotatedReport

#: The opening moves of the games, with the ECO code and the opening name for their tags.
OPENINGS = (
    ("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6", "C77", "Ruy Lopez: Morphy Defense"),
    ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "B90", "Sicilian Defense: Najdorf Variation"),
    ("d4 d5 c4 e6 Nc3 Nf6", "D35", "Queen's Gambit Declined"),
)
PLAYERS = ("Anna Ahorn", "Boris Birke", "Clara Clematis", "David Dattel")


def made_report(games: int, plies: int = 80, line_plies: int = 10) -> str:
    """A report on this many games, each of about this many plies; always the same.

    :param line_plies: the length of the lines of analysis, in plies.
    """
    report = AnnotatedReport()
    with closing(Annotator()) as annotator:
        for number in range(1, games + 1):
            report.add(made_game(annotator, number, plies, line_plies))
    return report.html("Made up by a program.")


def made_game(annotator: Annotator, number: int, plies: int, line_plies: int) -> AnnotatedGame:
    """One game with random moves and scores."""
    chance = random.Random(number)
    record = _record(chance, number, plies)
    subjects = record.subjects()
    score = 0
    findings = []
    for subject in subjects:
        score = max(
            -900,
            min(
                score + chance.choice((0, 5, -5, 10, -10, 15, -15, 30, -30, 30, -30, 150, -150)),
                900,
            ),
        )
        line = _line(chance, subject.board, line_plies)
        own_score = score if subject.board.turn else -score
        info = Info(
            12, 20, 1, own_score, EXACT_BOUND, 1000, 100, 0, tuple(map(chess.Move.uci, line))
        )
        found = BestMove(info.pv[0] if line else None, None)
        findings.append(Finding(found, (info,) if line else ()))
    return annotator.annotate(record, subjects, findings)


def _record(chance: random.Random, number: int, plies: int) -> SourceGame:
    moves, eco, opening = OPENINGS[number % len(OPENINGS)]
    white, black = chance.sample(PLAYERS, 2)
    game = chess.pgn.Game()
    game.headers.update(
        {
            **{"Event": f"Match {number % 7}", "White": white, "Black": black},
            "Date": f"20{10 + number % 16}.{1 + number % 12:02}.{1 + number % 28:02}",
            **{"ECO": eco, "Opening": opening, "Result": chance.choice(("1-0", "0-1", "1/2-1/2"))},
            **{"WhiteElo": str(chance.randint(1500, 2500))},
        }
    )
    node: chess.pgn.GameNode = game
    board = game.board()
    for san in moves.split():
        node = node.add_variation(board.push_san(san))
    while board.ply() < plies and not board.is_game_over():
        move = chance.choice(list(board.legal_moves))
        board.push(move)
        node = node.add_variation(move)
    return source_game(game, number)


def _line(chance: random.Random, board: chess.Board, plies: int) -> list[chess.Move]:
    after = board.copy(stack=False)
    line: list[chess.Move] = []
    while len(line) < plies and not after.is_game_over():
        line.append(chance.choice(list(after.legal_moves)))
        after.push(line[-1])
    return line

"""Writes exercises as PGN, EPD, JSON lines and a table, and reads the PGN back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import chess
import chess.pgn

from ..base.text import on_one_line, open_text
from ..board.fen import exact_fen
from ..board.games import GameLines
from ..board.notation import pawns_text, san_line
from ..board.pgn import pgn_text, read_game, tag_text
from ..display.sheet import Column, Sheet
from ..search.strength import MAX_ELO
from .puzzles import Puzzle

#: Tags kept from the source.
_KEPT = ("Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "BlackElo", "ECO")


class PuzzleFileError(Exception):
    """Why a file of exercises cannot be continued, in one line."""


def level_text(puzzle: Puzzle) -> str:
    """The difficulty in words: the Elo that finds the move, or that no level does."""
    return f"{puzzle.level}" if puzzle.level < MAX_ELO else f"{MAX_ELO}+"


def source_text(puzzle: Puzzle) -> str:
    """The game: `Morphy - Allies, 1858`."""
    headers = dict(puzzle.headers)
    names = [tag_text(headers.get(name, "?")).split(",")[0] for name in ("White", "Black")]
    year = headers.get("Date", "?")[:4]
    players = " - ".join(names) if {*names} != {"?"} else f"game {puzzle.game}"
    return players if "?" in year else f"{players}, {year}"


def line_text(puzzle: Puzzle) -> str:
    """The solution with move numbers."""
    return san_line(puzzle.board, [move.uci() for move in puzzle.solution])


def continuation_text(puzzle: Puzzle) -> str:
    """The moves after the solution, with move numbers."""
    return san_line(_after(puzzle), [move.uci() for move in puzzle.continuation])


def _after(puzzle: Puzzle) -> chess.Board:
    """The position after the solution."""
    board = puzzle.board.copy(stack=False)
    for move in puzzle.solution:
        board.push(move)
    return board


def puzzles_sheet(puzzles: Sequence[Puzzle]) -> Sheet:
    """The exercises as a table, each position below its line."""
    columns = (Column("#", True), Column("Elo", True), Column("Moves", True))
    sheet = Sheet((*columns, Column("Solution"), Column("Theme"), Column("Game")))
    for number, puzzle in enumerate(puzzles, start=1):
        sheet.add(
            str(number),
            level_text(puzzle),
            str(puzzle.moves),
            line_text(puzzle),
            puzzle.theme,
            source_text(puzzle),
        )
    return sheet


def puzzle_json(puzzle: Puzzle) -> dict[str, Any]:
    """An exercise as JSON; scores are from the solver's side."""
    return {
        "position": exact_fen(puzzle.board),
        "solution": [move.uci() for move in puzzle.solution],
        "continuation": [move.uci() for move in puzzle.continuation],
        "score": puzzle.score,
        "second": puzzle.second,
        "elo": puzzle.level,
        "theme": puzzle.theme,
        "game": puzzle.game,
        "source": source_text(puzzle),
    }


def to_epd(puzzles: Sequence[Puzzle]) -> str:
    """The exercises as EPD: `bm` the only move, `pv` the solution, `c0` the game, `c1` the Elo."""
    lines = []
    for number, puzzle in enumerate(puzzles, start=1):
        operations: dict[str, Any] = {
            "bm": [puzzle.solution[0]],
            "pv": list(puzzle.solution),
            "id": f"{number}",
            "c0": _epd_text(source_text(puzzle)),
            "c1": f"Elo {level_text(puzzle)}",
        }
        if puzzle.theme:
            operations["c2"] = puzzle.theme
        lines.append(puzzle.board.epd(en_passant="fen", **operations) + "\n")
    return "".join(lines)


def _epd_text(text: str) -> str:
    """The text without characters that would end an operand."""
    return "".join(" " if sign in '";\\' else sign for sign in on_one_line(text))


def to_pgn(puzzles: Sequence[Puzzle]) -> str:
    """The exercises as PGN, each a game with its position as FEN and the solution as its moves."""
    return "".join(f"{pgn_text(_game(puzzle))}\n\n" for puzzle in puzzles)


def _game(puzzle: Puzzle) -> chess.pgn.Game:
    game = chess.pgn.Game()
    known = dict(puzzle.headers)
    for name in _KEPT:
        if name in known:
            game.headers[name] = known[name]
    if puzzle.board.chess960:
        game.headers["Variant"] = "Chess960"
    game.headers["SetUp"], game.headers["FEN"] = "1", exact_fen(puzzle.board)
    game.headers["PuzzleElo"] = str(puzzle.level)
    game.headers["PuzzleTheme"] = puzzle.theme or "?"
    game.headers["PuzzleGame"] = str(puzzle.game)
    game.headers["PuzzleScores"] = f"{puzzle.score} {puzzle.second}"
    game.headers["PuzzleContinuation"] = " ".join(move.uci() for move in puzzle.continuation) or "?"
    node: chess.pgn.GameNode = game
    for move in puzzle.solution:
        node = node.add_variation(move)
    scores = f"{pawns_text(puzzle.score)}; the second best move {pawns_text(puzzle.second)}."
    game.variation(0).comment = f"The only move: {scores}"
    if puzzle.continuation:
        node.comment = f"{node.comment} Then {continuation_text(puzzle)}.".lstrip()
    return game


def read_puzzles(path: Path) -> list[Puzzle]:
    """Read the exercises in a file written by `to_pgn`.

    :raises PuzzleFileError: if it cannot be read, or is another kind of file.
    """
    found: list[Puzzle] = []
    try:
        with open_text(path) as text:
            lines = GameLines(text, has_comments=False)
            while (game := read_game(lines)) is not None:
                found.append(_puzzle(game))
        if not found and path.read_bytes().strip():
            raise ValueError  # its content would be lost
    except (KeyError, ValueError):
        raise PuzzleFileError(
            f"{path}, game {len(found) + 1}: not an exercise of halbzug puzzles"
        ) from None
    except OSError as error:
        raise PuzzleFileError(f"cannot read {path}: {error.strerror}") from None
    return found


def _puzzle(game: chess.pgn.Game) -> Puzzle:
    """Read an exercise from its game.

    :raises KeyError: if a tag is missing.
    :raises ValueError: if a tag is malformed, or there are no moves.
    """
    headers = game.headers
    board = game.board()
    solution = tuple(game.mainline_moves())
    score, second = map(int, headers["PuzzleScores"].split())
    theme, rest = headers["PuzzleTheme"], headers.get("PuzzleContinuation", "?")
    if not solution:
        raise ValueError
    after = game.end().board()
    continuation = [after.push_uci(text) for text in ([] if rest == "?" else rest.split())]
    return Puzzle(
        board,
        solution,
        tuple(continuation),
        score,
        second,
        int(headers["PuzzleElo"]),
        "" if theme == "?" else theme,
        int(headers["PuzzleGame"]),
        tuple((name, headers[name]) for name in _KEPT if name in headers),
    )


def last_game(puzzles: Iterable[Puzzle]) -> int:
    """The number of the last source game with an exercise; 0 if there is none."""
    return max((puzzle.game for puzzle in puzzles), default=0)

"""The names of openings with their ECO codes, by position.

`opening_names.tsv` has a line for each named position: its Polyglot key as 16 hexadecimal digits,
the ECO code and the name. So a transposition has the name of the position that it leads to. The
names are those of https://github.com/lichess-org/chess-openings, which are in the public domain
(CC0 1.0). `python -m halbzug.books.opening_names SOURCE.tsv` writes the file from their table of
ECO code, name and moves.
"""

from __future__ import annotations

import functools
import io
import sys
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import chess
import chess.pgn
from chess.polyglot import zobrist_hash

from ..base.whole_file import WholeFile

#: More plies than the longest named line.
_MAX_PLIES = 60

_FILE = "opening_names.tsv"
_HEADER = (
    "# Names of openings by https://github.com/lichess-org/chess-openings, CC0 1.0 (public domain);"
    " Polyglot key, ECO code, name; written by opening_names.py.\n"
)


@dataclass(frozen=True)
class Opening:
    """A named opening."""

    eco: str  # A00 to E99
    name: str


def opening_at(board: chess.Board) -> Opening | None:
    """The opening whose moves, in any order, lead to this exact position.

    >>> opening_at(chess.Board()) is None
    True
    """
    if board.chess960 or type(board).uci_variant != "chess":
        return None
    return _names().get(zobrist_hash(board))


def opening_of(board: chess.Board) -> Opening | None:
    """The opening of a game: the name of the last position on its stack that has one.

    >>> board = chess.Board()
    >>> for move in ("e4", "e5", "Nf3", "Nc6", "Bb5", "h5"):
    ...     _ = board.push_san(move)
    >>> opening_of(board)
    Opening(eco='C60', name='Ruy Lopez')
    """
    board = board.copy()
    while len(board.move_stack) > _MAX_PLIES:
        board.pop()
    while True:
        found = opening_at(board)
        if found or not board.move_stack:
            return found
        board.pop()


@functools.cache
def _names() -> dict[int, Opening]:
    text = (files("halbzug.books") / _FILE).read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {int(key, 16): Opening(eco, name) for key, eco, name in rows}


def build(source: Path, target: Path) -> int:
    """Write the file of names from a table with the columns `eco`, `name` and `pgn`.

    Of two rows for the same position, the first one counts.

    :returns: the number of names.
    :raises ValueError: if a row cannot be read.
    """
    rows: dict[int, str] = {}
    for number, line in enumerate(source.read_text(encoding="utf-8").splitlines()[1:], start=2):
        eco, name, pgn = line.split("\t")
        game = chess.pgn.read_game(io.StringIO(pgn))
        if game is None or game.errors:
            raise ValueError(f"{source}, line {number}: cannot read the moves")
        key = zobrist_hash(game.end().board())
        rows.setdefault(key, f"{key:016x}\t{eco}\t{name}\n")
    with WholeFile(target) as file:
        file.write(_HEADER + "".join(rows.values()))
    return len(rows)


def main() -> None:
    """Build the package's file from the table named on the command line."""
    target = Path(str(files("halbzug.books") / _FILE))
    print(f"{build(Path(sys.argv[1]), target)} names")


if __name__ == "__main__":
    main()

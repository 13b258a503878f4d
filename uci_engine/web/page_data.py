"""What is known about a position without a search: opening, book, tablebases, evaluation terms.

Everything is plain data for a page; moves are steps of `halbzug.display.board_tree`.
"""

from __future__ import annotations

from typing import Any

import chess

from ..api.breakdown import break_down
from ..board.fen import defect_of, engine_board
from ..books.opening_book import OpeningBook, default_book_path
from ..books.opening_names import opening_of
from ..display.board_tree import step_text
from ..tablebase.lookup import look_up
from ..tablebase.probing import Tablebase


class Knowledge:
    """The machine's opening book and tablebases.

    :param tablebase_paths: folders in addition to the usual ones, separated as in PATH.
    :param book_path: a Polyglot book that replaces our own.
    :raises ValueError: if the book cannot be used; the message is one line.
    """

    def __init__(self, tablebase_paths: str = "", book_path: str = "") -> None:
        self._book = OpeningBook(book_path or default_book_path())
        self._tablebase = Tablebase(tablebase_paths)

    def close(self) -> None:
        """Close the files."""
        self._book.close()
        self._tablebase.close()

    def opening(self, board: chess.Board) -> dict[str, str] | None:
        """The ECO code and name of the opening reached in this game."""
        found = opening_of(board)
        return {"eco": found.eco, "name": found.name} if found else None

    def book(self, board: chess.Board) -> list[dict[str, Any]]:
        """The book moves, most frequent first; `share` is between 0 and 1."""
        return [
            {"step": step_text(board, entry.move), "share": round(entry.share, 3)}
            for entry in self._book.entries(board)
        ]

    def tablebase(self, board: chess.Board) -> dict[str, Any] | None:
        """The tablebase result for the side to move and for each move; None if unknown.

        `dtz` counts plies to the next capture or pawn move.
        """
        if not self._tablebase.largest or board.occupied.bit_count() > self._tablebase.largest:
            return None
        try:
            found = look_up(self._tablebase, board)
        except LookupError:
            return None
        moves = [
            {
                "step": step_text(board, board.parse_uci(move["move"])),
                "result": move["result"],
                "dtz": move["dtz"],
            }
            for move in found["moves"]
        ]
        return {"result": found["result"], "dtz": found["dtz"], "moves": moves}


def terms(board: chess.Board) -> dict[str, Any] | None:
    """The static evaluation as a sum, in centipawns from White's side; None if there is none.

    Groups, and the terms in each, are sorted by size.
    """
    if defect_of(board):
        return None
    found = break_down(engine_board(board))
    groups: dict[str, list[dict[str, Any]]] = {}
    for term in found.terms:
        row = {
            "name": term.name,
            "white": term.white,
            "black": term.black,
            "value": round(float(term.contribution), 1),
        }
        groups.setdefault(term.group, []).append(row)
    rows = [
        {
            "name": name,
            "value": round(sum(member["value"] for member in members), 1),
            "terms": sorted(members, key=lambda member: -abs(member["value"])),
        }
        for name, members in groups.items()
    ]
    return {
        "value": found.white_value,
        "phase": found.phase,
        "groups": sorted(rows, key=lambda row: -abs(row["value"])),
    }

"""Chooses moves from the opening book."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

import chess

from ..base.events import Notice
from ..base.limits import Limits
from ..board.movegen import Board
from ..search.strength import Handicap
from .options import Options

if TYPE_CHECKING:
    from ..books.opening_book import BookMove, OpeningBook


class BookChooser:
    """The book set by the options; opened when first needed.

    :param complain: called if it cannot be opened, once per `renew`.
    """

    def __init__(self, complain: Callable[[Notice], None]) -> None:
        self._complain = complain
        self._book: OpeningBook | None = None
        self._is_bad = False
        self._random = Random()

    def choose(
        self, board: Board, limits: Limits, options: Options, handicap: Handicap | None
    ) -> BookMove | None:
        """The book's move, if a game is being played and the book knows the position."""
        if self._is_bad or not _is_wanted(board, limits, options, handicap):
            return None
        from ..books.opening_book import BookError, OpeningBook, default_book_path

        if self._book is None:
            try:
                self._book = OpeningBook(options.book_path or default_book_path())
            except BookError as error:
                self._is_bad = True
                self._complain(Notice(f"{error}; playing without a book", "BookFile"))
                return None
        public = chess.Board(board.fen(en_passant="fen"), chess960=board.chess960)
        return self._book.choose(public, options.book_variety, self._random)

    def renew(self) -> None:
        """Reopen the book when it is next needed."""
        self.close()
        self._is_bad = False

    def close(self) -> None:
        """Close the file."""
        if self._book:
            self._book.close()
            self._book = None


def _is_wanted(board: Board, limits: Limits, options: Options, handicap: Handicap | None) -> bool:
    clock, _ = limits.clock_of(board.turn)
    is_timed = clock is not None or limits.move_time_ms is not None
    bounds = (limits.depth, limits.nodes, limits.mate)
    wants_search = (
        limits.infinite or bool(limits.search_moves) or any(bound is not None for bound in bounds)
    )
    is_analysis = options.is_analysing or options.multi_pv > 1
    depth = min(options.book_depth, handicap.book_moves) if handicap else options.book_depth
    is_early = board.fullmove_number <= depth
    return options.uses_book and is_early and is_timed and not wants_search and not is_analysis

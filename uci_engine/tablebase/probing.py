"""Endgame tablebases: perfect play with few pieces, at the root and in the tree.

Syzygy tables come in two kinds: WDL says whether a position is won, drawn or lost, DTZ how many
plies it takes to the next capture, pawn move or mate (a *zeroing* of the fifty-move clock). They
are read by `chess.syzygy`; here is what an engine needs around it: several folders, distrust of
damaged files, and the ranking of root moves.
Source of the technique: https://www.chessprogramming.org/Syzygy_Bases
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from chess import syzygy

from halbzug.board.rules import Board, popcount
from halbzug.tablebase.cache import DamagedError, DtzTable, TableCache, WdlTable
from halbzug.tablebase.files import default_folders, find_tables, short_path, split_paths
from halbzug.tablebase.root_ranking import RootRank, RootRanking
from halbzug.tablebase.wdl import DRAW, LOSS, WIN

#: The most pieces that there are tables for, kings included.
MAX_PIECES = 7


class Tablebase:
    """Syzygy tables in some folders. Probing never raises, and leaves the board as it was.

    :param paths: folders, separated as in PATH.
    :param use_default: also use the tables of the package and of the user's data folder; the
        package's come first, because their contents are checked.
    :param fifty_move_rule: whether cursed wins and blessed losses are draws.
    :param probe_limit: do not probe with more pieces than this; 0 switches the tables off.
    """

    def __init__(
        self,
        paths: str = "",
        use_default: bool = True,
        fifty_move_rule: bool = True,
        probe_limit: int = MAX_PIECES,
    ) -> None:
        self.fifty_move_rule = fifty_move_rule
        self.hits = 0
        self._tables = syzygy.Tablebase()
        self._wdl = TableCache(WdlTable)
        self._dtz = TableCache(DtzTable)
        self._messages = self._dtz.messages = self._wdl.messages
        self._tables.wdl, self._tables.dtz = self._wdl, self._dtz
        for folder in (default_folders() if use_default else []) + split_paths(paths):
            self._add_folder(folder)
        found = max((len(name) - 1 for name in self._wdl.files), default=0)
        #: The most pieces, kings included, that probing makes sense with; 0 for none.
        self.largest = min(found, probe_limit)

    def close(self) -> None:
        """Give the files back."""
        self._tables.close()
        self.largest = 0

    def take_messages(self) -> list[str]:
        """What the user should know, a line each; every message is given once."""
        messages = self._messages[:]
        self._messages.clear()
        return messages

    def _add_folder(self, folder: Path) -> None:
        """Offer a folder's tables; of many bad ones only the first is told in full."""
        complaints = []
        is_empty = True
        for file in find_tables(folder):
            is_empty = False
            if isinstance(file, str):
                complaints.append(file)
            else:
                (self._wdl if file.suffix == ".rtbw" else self._dtz).add(file)
        if is_empty:
            complaints.append(f"no tablebases in {short_path(folder)}")
        if complaints:
            more = f" (and {len(complaints) - 1} more)" if len(complaints) > 1 else ""
            self._messages.append(complaints[0] + more)

    def can_probe(self, board: Board) -> bool:
        """Whether the tables may know a position: few pieces, and no castling."""
        return popcount(board.occupied) <= self.largest and not board.castling_rights

    def probe_wdl(self, board: Board) -> int | None:
        """Win (2), cursed win (1), draw (0), blessed loss (-1) or loss (-2) for the side to move.

        The tables assume a fifty-move clock of zero, that is, a capture or pawn move just made.
        With the rule in force the answer is therefore None on any other clock; a search meets
        every position of the tables first with a clock of zero. Without the rule the clock does
        not matter, and the answer is -2, 0 or 2.

        Nothing is remembered here: the transposition table does that. With a cache of their own
        only 4 % of the probes in a set of endings were repetitions.

        :returns: None if the tables cannot tell.
        """
        if popcount(board.occupied) > self.largest or board.castling_rights:
            return None
        if self.fifty_move_rule and board.halfmove_clock:
            return None
        wdl = self._probe_wdl(board)
        if wdl is not None:
            self.hits += 1
        return wdl

    def probe_dtz(self, board: Board) -> int | None:
        """Plies to the next zeroing move with best play, positive for a win, 0 for a draw.

        It may be one too small where that cannot change the result; beyond 100 a cursed win.

        :returns: None if the tables cannot tell.
        """
        if not self.can_probe(board):
            return None
        dtz = self._probe_dtz(board)
        self.hits += dtz is not None
        return dtz

    def _probe_wdl(self, board: Board) -> int | None:
        wdl = self._guard(self._tables.probe_wdl, board)
        if wdl is not None and not self.fifty_move_rule:
            return WIN if wdl > 0 else LOSS if wdl < 0 else DRAW
        return wdl

    def _probe_dtz(self, board: Board) -> int | None:
        return self._guard(self._tables.probe_dtz, board)

    def _guard(self, probe: Callable[[Board], int], board: Board) -> int | None:
        """Probe; None if a table is missing or proves to be damaged, which is told once."""
        try:
            return probe(board)
        except KeyError:
            return None
        except DamagedError as error:
            for cache in (self._wdl, self._dtz):
                cache.drop(error.table)
            return None

    def rank_root(
        self,
        board: Board,
        budget_seconds: float | None = None,
        must_stop: Callable[[], bool] = lambda: False,
    ) -> list[RootRank] | None:
        """All legal moves, the best first; None if the tables do not know the position.

        Moves of the first one's rank keep the result, within the fifty-move rule if that is in
        force: of them a search may choose. While there is time, winning moves share a rank, and
        so do losing ones; when the clock runs out, or a position was repeated since the last
        zeroing move, only the moves that make most progress have it. Within a rank the quickest
        win and the longest resistance come first: always the first move wins what is won.

        Without DTZ tables the ranks tell wins, draws and losses apart, but know no progress.

        :param board: with the game's moves on its stack, as far as they matter for repetition.
        :param budget_seconds: time to rank all moves; None for as long as it takes. Afterwards
            only a move that makes progress is still looked for, and what is left ranks below the
            moves that were looked at.
        :param must_stop: whether there is no time any more; without all results it means None.
        """
        deadline = None if budget_seconds is None else time.perf_counter() + budget_seconds

        def is_late() -> bool:
            return must_stop() or (deadline is not None and time.perf_counter() >= deadline)

        if not self.can_probe(board):
            return None
        ranking = RootRanking(board, self._probe_wdl, self._probe_dtz, self.fifty_move_rule)
        if not ranking.find_values(must_stop):
            return None
        self.hits += len(ranking.moves)
        return ranking.by_dtz(is_late) or ranking.by_wdl()

"""Endgame tablebases: perfect play with few pieces, at the root and in the tree.

Syzygy tables come in two kinds: WDL says whether a position is won, drawn or lost, DTZ how many
plies it takes to the next capture, pawn move or mate (a *zeroing* of the fifty-move clock). They
are read by `chess.syzygy`; here is what an engine needs around it: several folders, distrust of
damaged files, the ranking of root moves, and the scores.

All tables of three and four pieces are part of the package, in `files/`.
Source of the technique: https://www.chessprogramming.org/Syzygy_Bases; the root ranking follows
Stockfish's `Tablebases::root_probe`.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from chess import syzygy

from halbzug.board.constants import FIFTY_MOVES
from halbzug.board.rules import Board, MoveCode, Ply, Score, generate_all, pop, popcount, push
from halbzug.reasons import reason_of
from halbzug.scores import TB_WIN

#: A win that the fifty-move rule makes a draw: as good as a draw, and a little better.
CURSED_WIN = 2

#: WDL as the tables know it, from the side to move.
LOSS, BLESSED_LOSS, DRAW, CURSED, WIN = -2, -1, 0, 1, 2

#: The most pieces that there are tables for, kings included.
MOST_PIECES = 7

#: The tables that come with the package, and what their contents must be.
SHIPPED = Path(__file__).parent / "files"
CHECKSUMS = SHIPPED / "SHA256SUMS"

_MAGIC = {".rtbw": bytes.fromhex("71e8235d"), ".rtbz": bytes.fromhex("d7660ca5")}
_TRAILER = 16  # bytes of checksum at the end of a table, which is otherwise blocks of 64
_LARGEST_INDEX_BITS = 26  # tables have about 20; more would make a damaged one slow
_MAGIC_CHECKED = 5  # pieces; there are too many larger tables to look into each at the start
_BEST_RANK = 1 << 18  # Stockfish's MAX_DTZ
_UNKNOWN_WIN = _BEST_RANK // 2 - 3 * FIFTY_MOVES  # below any win that is known


class RootRank(NamedTuple):
    """A root move as the tables see it, from the side that makes it."""

    code: MoveCode
    rank: int  # moves of the best rank keep the result; greater is better
    score: Score
    wdl: int
    dtz: int | None  # plies, counted from the root; None if the tables cannot tell


def wdl_score(wdl: int, ply: Ply) -> Score:
    """The score of a WDL value found `ply` plies from the root."""
    if wdl == WIN:
        return TB_WIN - ply
    if wdl == LOSS:
        return ply - TB_WIN
    return CURSED_WIN * wdl


def user_folder() -> Path:
    """Where `halbzug tablebases fetch` puts tables, and where they are found without an option.

    `%LOCALAPPDATA%` on Windows, `~/Library/Application Support` on macOS, `$XDG_DATA_HOME` or
    `~/.local/share` elsewhere; `halbzug/tablebases` in it.
    """
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Application Support"
    else:
        base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(os.path.expanduser(base)) / "halbzug" / "tablebases"  # noqa: PTH111 (no home: as is)


def default_folders() -> list[Path]:
    """The shipped tables, and the user's if there are any."""
    folder = user_folder()
    # An unfinished download has left a folder, perhaps; nobody has asked for that.
    is_used = os.path.isdir(folder) and any(find_tables(folder))  # noqa: PTH112 (never raises)
    return [SHIPPED, folder] if is_used else [SHIPPED]


def split_paths(paths: str) -> list[Path]:
    """The folders of a SyzygyPath: separated as in PATH, `<empty>` or nothing for none."""
    if paths.strip() == "<empty>":
        return []
    return [Path(text.strip()) for text in paths.split(os.pathsep) if text.strip()]


# -- files --------------------------------------------------------------------------------------


class TableFile(NamedTuple):
    """A file that looks like a table."""

    path: Path
    name: str  # material, for example KRPvKR
    suffix: str  # .rtbw for WDL, .rtbz for DTZ
    size: int  # bytes

    @property
    def pieces(self) -> int:
        """How many, kings included."""
        return len(self.name) - 1


def find_tables(folder: Path) -> Iterator[TableFile | str]:
    """The tables in a folder, with a one-line message in the place of each that cannot be one."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except (OSError, ValueError) as error:
        yield f"cannot read tablebases in {_shorten(folder)}: {reason_of(error, 'folder')}"
        return
    for entry in entries:
        name, suffix = os.path.splitext(entry.name)  # noqa: PTH122 (fast)
        if suffix in _MAGIC and syzygy.is_tablename(name):
            try:
                yield _look_at(Path(entry.path), name, suffix)
            except (OSError, ValueError) as error:
                yield f"tablebase {_shorten(entry.path)} ignored: {_reason(error)}"


def _look_at(path: Path, name: str, suffix: str) -> TableFile:
    """Check what is cheap to check without reading a table.

    :raises OSError: if it cannot be read.
    :raises ValueError: if it is not a table.
    """
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):  # opening a FIFO would wait for ever
        raise ValueError("not a regular file")
    if status.st_size % 64 != _TRAILER or status.st_size <= 64:
        raise ValueError("damaged (wrong size)")
    table = TableFile(path, name, suffix, status.st_size)
    if table.pieces <= _MAGIC_CHECKED:
        with path.open("rb", buffering=0) as file:
            if file.read(4) != _MAGIC[suffix]:
                raise ValueError("damaged (wrong magic number)")
    return table


def read_checksums(text: str) -> dict[str, str]:
    """A list as of `sha256sum`: hexadecimal digests by path, without `./` and `*`."""
    digests = {}
    for line in text.splitlines():
        digest, _, path = line.strip().partition(" ")
        if path and not digest.startswith("#"):
            digests[path.strip().removeprefix("*").removeprefix("./")] = digest.lower()
    return digests


class _DamagedError(Exception):
    """A table failed, or said what no table can say."""

    def __init__(self, table: syzygy.Table) -> None:
        super().__init__(table.path)
        self.table = table


class _WdlTable(syzygy.WdlTable):
    """A WDL table that is checked, and fails in one way only."""

    def check(self) -> None:
        """Read and check the header.

        :raises Exception: of nearly any kind, if the table is damaged.
        """
        self.init_table_wdl()
        sizes = self.size[2::3]
        if self.has_pawns:
            orders = [order for file in self.files for order in file.pieces.values()]
            parts = [file.precomp.get(side) for file in self.files for side in (0, 1)]
        else:
            orders = list(self.pieces.values())
            parts = [self.precomp.get(side) for side in (0, 1)]
        _check_layout(self, orders, parts, sizes)

    def probe_wdl_table(self, board: Board) -> int:
        """The value of a position in which no capture is better.

        :raises _DamagedError: if the table is.
        """
        try:
            wdl = self._probe_wdl_table(board)
        except Exception:
            raise _DamagedError(self) from None
        if not LOSS <= wdl <= WIN:
            raise _DamagedError(self)
        return wdl


class _DtzTable(syzygy.DtzTable):
    """A DTZ table that is checked, and fails in one way only."""

    def check(self) -> None:
        """Read and check the header.

        :raises Exception: of nearly any kind, if the table is damaged.
        """
        self.init_table_dtz()
        if self.has_pawns:
            _check_layout(
                self,
                [file.pieces for file in self.files],
                [file.precomp for file in self.files],
                self.size[2::3],
            )
        else:
            _check_layout(self, [self.pieces], [self.precomp], self.size[2::3])

    def probe_dtz_table(self, board: Board, wdl: int) -> tuple[int, int]:
        """Plies to the zeroing move, and 1, or -1 if only the other side to move is stored.

        :raises _DamagedError: if the table is damaged.
        """
        try:
            return self._probe_dtz_table(board, wdl)
        except Exception:
            raise _DamagedError(self) from None


def _check_layout(
    table: syzygy.Table,
    orders: list[list[int]],
    parts: Sequence[syzygy.PairsData | None],
    sizes: list[int],
) -> None:
    """Refuse a header with which probing could hang or leave the file.

    :param orders: the pieces in the order of each index.
    :param parts: the compressed parts; `sizes` has the bytes of each.
    :raises ValueError: if a table does not list its own pieces, or its data ends too late.
    """
    name = Path(table.path).stem
    own = (syzygy.normalize_tablename(name), syzygy.normalize_tablename(name, mirror=True))
    if any(syzygy.recalc_key(order) not in own for order in orders):
        raise ValueError("damaged (wrong pieces)")
    assert table.data is not None
    end = len(table.data) - _TRAILER
    for part, size in zip(parts, sizes, strict=False):
        if part and (part.idxbits > _LARGEST_INDEX_BITS or part.data + size > end):
            raise ValueError("damaged (wrong length)")


class _Shelf(dict[str, syzygy.Table]):
    """Tables of one kind by material, each opened and checked when it is first asked for.

    `chess.syzygy` looks tables up here as in the dictionary that it would fill itself. Of several
    files for the same material the first that is sound is used.
    """

    def __init__(self, table_class: type[_WdlTable] | type[_DtzTable]) -> None:
        super().__init__()
        self.files: dict[str, list[TableFile]] = {}
        self.messages: list[str] = []
        self._class = table_class

    def add(self, file: TableFile) -> None:
        """Offer another file."""
        self.files.setdefault(file.name, []).append(file)

    def __missing__(self, key: str) -> syzygy.Table:
        files = self.files.get(syzygy.normalize_tablename(key), [])
        while files:
            file = files.pop(0)
            try:
                table = self._open(file)
            except Exception as error:  # damaged tables raise nearly everything
                self.messages.append(f"tablebase {_shorten(file.path)} ignored: {_reason(error)}")
                continue
            self[table.key] = self[table.mirrored_key] = table
            return table
        raise KeyError(key)

    def drop(self, table: syzygy.Table) -> None:
        """Use a table no more."""
        if self.pop(table.key, None) is table:
            self.pop(table.mirrored_key, None)
            self.messages.append(f"tablebase {_shorten(table.path)} ignored: damaged inside")

    def _open(self, file: TableFile) -> syzygy.Table:
        _look_at(file.path, file.name, file.suffix)  # it may have changed since
        if file.path.parent == SHIPPED:
            _check_contents(file.path)
        table = self._class(str(file.path))
        table.check()
        return table


def _check_contents(path: Path) -> None:
    """Compare a shipped table with its checksum.

    :raises ValueError: if it does not match.
    """
    import hashlib

    wanted = read_checksums(CHECKSUMS.read_text("ascii")).get(path.name)
    if hashlib.sha256(path.read_bytes()).hexdigest() != wanted:
        raise ValueError("damaged (wrong checksum)")


# -- probing ------------------------------------------------------------------------------------


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
        probe_limit: int = MOST_PIECES,
    ) -> None:
        self.fifty_move_rule = fifty_move_rule
        self.hits = 0
        self._tables = syzygy.Tablebase()
        self._wdl = _Shelf(_WdlTable)
        self._dtz = _Shelf(_DtzTable)
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
            complaints.append(f"no tablebases in {_shorten(folder)}")
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
        except _DamagedError as error:
            for shelf in (self._wdl, self._dtz):
                shelf.drop(error.table)
            return None

    # -- the root -------------------------------------------------------------------------------

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
        board = board.copy()
        moves = [_Successor(board, code, self.fifty_move_rule) for code in generate_all(board)]
        if not moves or not all(self._value(board, move) and not must_stop() for move in moves):
            return None
        self.hits += len(moves)
        return self._rank_by_dtz(board, moves, is_late) or self._rank_by_wdl(moves)

    def _value(self, board: Board, move: _Successor) -> bool:
        """Find a move's WDL value, the clock left aside; whether it is known."""
        if move.is_mate or move.is_draw:
            move.wdl = WIN if move.is_mate else DRAW
            return True
        push(board, move.code)
        wdl = self._probe_wdl(board)
        pop(board)
        move.wdl = -(wdl or DRAW)
        return wdl is not None

    def _rank_by_dtz(
        self, board: Board, moves: list[_Successor], is_late: Callable[[], bool]
    ) -> list[RootRank] | None:
        """Rank by DTZ, which only the moves with the best WDL value need."""
        best = max(move.wdl for move in moves)
        clock = board.halfmove_clock
        is_repeated = _has_repeated(board)
        goal = 0 if best == DRAW else self._probe_dtz(board)
        if goal is None:
            return None
        has_progress = best < 0  # who loses cannot make any
        moves.sort(key=lambda move: (not move.is_mate, not move.is_zeroing))
        for move in moves:
            if move.wdl != best:
                move.rank = _low_rank(move.wdl)
            elif best == DRAW:
                move.dtz = 0
            elif has_progress and is_late():
                move.rank = _UNKNOWN_WIN if best > 0 else -_BEST_RANK
            else:
                dtz = self._dtz_after(board, move)
                if dtz is None or (dtz > 0) != (best > 0):  # the tables contradict each other
                    return None
                move.set_dtz(dtz)
                move.rank = _rank(move.dtz or 0, clock, is_repeated)
                has_progress = has_progress or (move.dtz or 0) <= goal
        moves.sort(key=lambda move: (-move.rank, move.order))
        return [
            RootRank(move.code, move.rank, self._root_score(move.rank), move.wdl, move.dtz)
            for move in moves
        ]

    def _dtz_after(self, board: Board, move: _Successor) -> int | None:
        """The DTZ of the position after a move, for the side that makes it."""
        if move.is_mate:
            return 1
        push(board, move.code)
        dtz = self._probe_dtz(board)
        pop(board)
        return None if dtz is None else -dtz

    def _rank_by_wdl(self, moves: list[_Successor]) -> list[RootRank]:
        """Rank by WDL alone; winners had better move on, others had better not."""
        moves.sort(key=lambda move: (-move.wdl, move.is_zeroing != (move.wdl > 0)))
        return [
            RootRank(move.code, move.wdl, wdl_score(move.wdl, 0), move.wdl, None) for move in moves
        ]

    def _root_score(self, rank: int) -> Score:
        win = _BEST_RANK // 2 - FIFTY_MOVES if self.fifty_move_rule else 1
        if abs(rank) >= win:
            return TB_WIN if rank > 0 else -TB_WIN
        return CURSED_WIN * ((rank > 0) - (rank < 0))


class _Successor:
    """A legal move at the root, and what is learnt about it."""

    def __init__(self, board: Board, code: MoveCode, fifty_move_rule: bool) -> None:
        self.code = code
        self.wdl = DRAW
        self.dtz: int | None = None
        self.rank = 0
        self.order = (False, 0, 0)  # within a rank
        push(board, code)
        self.is_mate = board.is_checkmate()
        self.is_zeroing = board.halfmove_clock == 0
        is_late = fifty_move_rule and board.halfmove_clock >= FIFTY_MOVES
        self.is_draw = not self.is_mate and (is_late or board.is_repetition(3))
        pop(board)

    def set_dtz(self, distance: int) -> None:
        """Take the DTZ after the move, with its sign turned, and count it from the root.

        After a zeroing move it belongs to the next phase, and decides only among such moves.
        """
        sign = 1 if distance > 0 else -1
        if self.is_mate:
            self.dtz = 1
        elif self.is_zeroing:
            self.dtz = sign if abs(self.wdl) == WIN else sign * (FIFTY_MOVES + 1)
        else:
            self.dtz = distance + sign
        progress = self.dtz if sign > 0 else distance
        self.order = (not self.is_mate, progress, distance)


def _rank(dtz: int, clock: int, is_repeated: bool) -> int:
    """Stockfish's rank of a root move; `dtz` is 0 for a draw."""
    plies = abs(dtz) + clock
    if dtz > 0:
        is_safe = plies < FIFTY_MOVES and not is_repeated
        return _BEST_RANK if is_safe else _BEST_RANK // 2 - plies
    if dtz < 0:
        is_hopeless = plies - dtz < FIFTY_MOVES
        return -_BEST_RANK if is_hopeless else -_BEST_RANK // 2 + plies
    return 0


def _low_rank(wdl: int) -> int:
    """The rank of a move that is worse than the best by WDL: below all of those, in order."""
    if wdl == LOSS:
        return -_BEST_RANK
    if wdl == BLESSED_LOSS:
        return -_BEST_RANK // 2 + 2 * FIFTY_MOVES
    return wdl  # a cursed win stands above a draw by repetition


def _has_repeated(board: Board) -> bool:
    """Whether some position occurred twice since the last zeroing move."""
    board = board.copy()
    seen = set()
    while True:
        state = (
            board.turn,
            board.occupied_co[True],
            board.occupied_co[False],
            board.pawns,
            board.knights,
            board.bishops,
            board.rooks,
            board.queens,
            board.kings,
            board.ep_square if board.has_legal_en_passant() else None,
        )
        if state in seen:
            return True
        seen.add(state)
        if not board.move_stack or board.halfmove_clock == 0:
            return False
        pop(board)


def _reason(error: BaseException) -> str:
    """An error in a few words."""
    if isinstance(error, OSError) or (isinstance(error, ValueError) and str(error)):
        return reason_of(error)
    return f"damaged ({type(error).__name__})"


def _shorten(path: object) -> str:
    """A path that fits into a line."""
    text = " ".join(str(path).split())
    return text if len(text) <= 80 else "..." + text[-77:]

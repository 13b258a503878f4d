"""Opens and checks tables when they are first needed.

`chess.syzygy` reads them; this module adds the checks that it lacks.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from chess import syzygy

from ..board.movegen import Board
from .files import (
    SHIPPED,
    TRAILER_BYTES,
    TableFile,
    check_contents,
    check_file,
    damage_text,
    short_path,
)
from .wdl import LOSS, WIN

_MAX_INDEX_BITS = 26  # tables have about 20; more would make a damaged one slow


class DamagedError(Exception):
    """A table could not be read, or returned an impossible value."""

    def __init__(self, table: syzygy.Table) -> None:
        super().__init__(table.path)
        self.table = table


class WdlTable(syzygy.WdlTable):
    """A WDL table that is checked, and raises only `DamagedError` when probed."""

    def check(self) -> None:
        """Read and check the header.

        :raises Exception: almost any, if the table is damaged.
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

        :raises DamagedError: if the table is damaged.
        """
        try:
            wdl = self._probe_wdl_table(board)
        except Exception:
            raise DamagedError(self) from None
        if not LOSS <= wdl <= WIN:
            raise DamagedError(self)
        return wdl


class DtzTable(syzygy.DtzTable):
    """A DTZ table that is checked, and raises only `DamagedError` when probed."""

    def check(self) -> None:
        """Read and check the header.

        :raises Exception: almost any, if the table is damaged.
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
        """Plies to the zeroing move, and 1, or -1 if the table has only the other side to move.

        :raises DamagedError: if the table is damaged.
        """
        try:
            return self._probe_dtz_table(board, wdl)
        except Exception:
            raise DamagedError(self) from None


def _check_layout(
    table: syzygy.Table,
    orders: list[list[int]],
    parts: Sequence[syzygy.PairsData | None],
    sizes: list[int],
) -> None:
    """Reject a header that could make probing hang or read outside the file.

    :param orders: the pieces in the order of each index.
    :param parts: the compressed parts; `sizes` has their sizes in bytes.
    :raises ValueError: if a table does not list its own pieces, or its data exceeds the file.
    """
    name = Path(table.path).stem
    own = (syzygy.normalize_tablename(name), syzygy.normalize_tablename(name, mirror=True))
    if any(syzygy.recalc_key(order) not in own for order in orders):
        raise ValueError("damaged (wrong pieces)")
    assert table.data is not None
    end = len(table.data) - TRAILER_BYTES
    for part, size in zip(parts, sizes, strict=False):
        if part and (part.idxbits > _MAX_INDEX_BITS or part.data + size > end):
            raise ValueError("damaged (wrong length)")


class TableCache(dict[str, syzygy.Table]):
    """Tables of one kind by material, each opened and checked when first needed.

    `chess.syzygy` uses this in place of its own dictionary of tables. Of several files for the same
    material, the first undamaged one is used.
    """

    def __init__(self, table_class: type[WdlTable] | type[DtzTable]) -> None:
        super().__init__()
        self.files: dict[str, list[TableFile]] = {}
        self.messages: list[str] = []
        self._class = table_class

    def add(self, file: TableFile) -> None:
        """Add a file."""
        self.files.setdefault(file.name, []).append(file)

    def __missing__(self, key: str) -> syzygy.Table:
        files = self.files.get(syzygy.normalize_tablename(key), [])
        while files:
            file = files.pop(0)
            try:
                table = self._open(file)
            except Exception as error:  # a damaged table may raise almost any exception
                self.messages.append(
                    f"tablebase {short_path(file.path)} ignored: {damage_text(error)}"
                )
                continue
            self[table.key] = self[table.mirrored_key] = table
            return table
        raise KeyError(key)

    def drop(self, table: syzygy.Table) -> None:
        """Stop using a table."""
        if self.pop(table.key, None) is table:
            self.pop(table.mirrored_key, None)
            self.messages.append(f"tablebase {short_path(table.path)} ignored: damaged inside")

    def _open(self, file: TableFile) -> syzygy.Table:
        check_file(file.path, file.name, file.suffix)  # it may have changed in the meantime
        if file.path.parent == SHIPPED:
            check_contents(file.path)
        table = self._class(str(file.path))
        table.check()
        return table

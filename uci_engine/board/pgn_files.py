"""`halbzug.read_games`: reads the games of a PGN file, in one or several processes."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import nullcontext
from typing import IO, Any, BinaryIO, cast

from ..base.compression import decompressed
from ..base.text import not_utf16
from .pgn_games import Filter, GameReader, PgnGame
from .pgn_pool import games_by_processes

#: A PGN file: its path, or a file open for reading text or bytes.
Source = str | os.PathLike[str] | IO[str] | IO[bytes]

#: Characters of text read at once.
_PIECE_SIZE = 1 << 20


def read_games(
    source: Source, *, filter: Filter | None = None, processes: int = 1
) -> Iterator[PgnGame]:
    r"""Read the games of a PGN file one by one; memory use does not depend on its size.

    A compressed file (gzip, Zstandard, bzip2, xz) is decompressed. Text may be UTF-8, Windows-1252
    or UTF-16. Damaged games are read as far as possible, and `PgnGame.faults` says what is missing;
    a game rejected as a whole, because its start is uncertain, has no moves.

    >>> import io
    >>> [game] = read_games(io.StringIO('[White "Ann"]\n\n1. e4 e5 {[%clk 0:01:30]} 1/2-1/2'))
    >>> game.tags, game.result, game.moves, game.clocks()
    ({'White': 'Ann'}, '1/2-1/2', [Move.from_uci('e2e4'), Move.from_uci('e7e5')], [None, 90.0])

    :param source: a path, or an open file, which stays open.
    :param filter: whether to read the game with these tags; moves of other games are not read.
    :param processes: the number of processes that read parts of the file, at least 1; games come in
        file order.
    :raises ValueError: for fewer than 1 process.
    :raises OSError: if the file cannot be opened; or, after all readable games, if it is damaged or
        a game has more than four million characters.
    """
    if processes < 1:
        raise ValueError(f"processes must be at least 1, not {processes}")
    if isinstance(source, (str, os.PathLike)):
        raw = io.FileIO(source)
        try:
            stream = decompressed(raw)
        except BaseException:
            raw.close()
            raise
        return _games_of(not_utf16(stream), filter, processes, stream)
    if isinstance(source.read(0), str):
        return _games_of(_encoded(source), filter, processes)
    return _games_of(not_utf16(decompressed(cast(Any, source))), filter, processes)


def _games_of(
    pieces: Iterator[bytes], admits: Filter | None, processes: int, closes: BinaryIO | None = None
) -> Iterator[PgnGame]:
    with closes or nullcontext():
        if processes == 1:
            yield from GameReader(pieces, admits).games()
            return
        for game in games_by_processes(pieces, processes):
            if admits is None or admits(game.tags):
                yield game


def _encoded(text: Any) -> Iterator[bytes]:
    while piece := text.read(_PIECE_SIZE):
        try:
            yield piece.encode("utf-8", "surrogateescape")  # bytes escaped by the caller
        except UnicodeEncodeError:
            yield piece.encode("utf-8", "replace")

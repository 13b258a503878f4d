"""Reads the games of one PGN file in several processes, in file order.

The file is cut where a game certainly begins. Child processes (`pgn_child.py`) read the parts.
"""

from __future__ import annotations

import pickle
import queue
import re
import subprocess
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import chain

from ..base.launch import own_command
from .pgn_games import GameReader, PackedGames, PgnGame, unpack

#: A part's games, their number, and the reason why there are no more.
Part = tuple[PackedGames, int, OSError | None]

_PART_SIZE = 1 << 20
#: If this many bytes cannot be cut, one process reads the file.
_MAX_PART_SIZE = 1 << 24

#: After a result at the end of a line of moves, a blank line, and the tag Event.
_CUT = re.compile(
    rb"\n[^\[%;\r\n][^\r\n;]*?(?<![^\s}])(?:1-0|0-1|1/2-1/2|\*)[ ]*\r?\n\r?\n(?=\[Event )"
)


def games_by_processes(pieces: Iterator[bytes], processes: int) -> Iterator[PgnGame]:
    """Yield the games of a file, numbered from 1.

    :raises OSError: after all that can be read, if the rest cannot be.
    """
    parts = _Parts(pieces)
    children: queue.SimpleQueue[_Child] = queue.SimpleQueue()
    started = [_Child() for _ in range(processes)]
    for child in started:
        children.put(child)

    def read(part: bytes) -> Part:
        child = children.get()
        try:
            return child.read(part)
        finally:
            children.put(child)

    pool = ThreadPoolExecutor(processes)
    waiting: deque[Future[Part]] = deque()
    number = 0
    try:
        while True:
            while len(waiting) < 2 * processes and (part := parts.next()):
                waiting.append(pool.submit(read, part))
            if not waiting:
                break
            games, count, error = waiting.popleft().result()
            for game in unpack(games):
                game.number += number
                yield game
            number += count
            if error:
                raise error
        for game in GameReader(parts.rest(), None).games():
            game.number += number
            yield game
    finally:
        for child in started:
            child.end()
        pool.shutdown(cancel_futures=True)
        for child in started:
            child.close()


class _Parts:
    """A file in parts that begin with games, as far as it can be cut."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._data = b""
        self._error: OSError | None = None

    def next(self) -> bytes:
        """The next part; empty if the rest cannot be cut."""
        while len(self._data) < _MAX_PART_SIZE:
            if len(self._data) >= _PART_SIZE:
                cut = _CUT.search(self._data, _PART_SIZE // 2)
                if cut:
                    part, self._data = self._data[: cut.end()], self._data[cut.end() :]
                    return part
            try:
                piece = next(self._pieces, b"")
            except OSError as error:
                self._error = error
                break
            if not piece:
                break
            self._data += piece
        return b""

    def rest(self) -> Iterator[bytes]:
        """The rest of the file."""
        yield from filter(None, chain([self._data], self._pieces))
        if self._error:
            raise self._error


class _Child:
    """A process that reads parts."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            own_command("halbzug.board.pgn_child"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def read(self, part: bytes) -> Part:
        """Have it read a part.

        :raises OSError: if the process dies.
        """
        assert self._process.stdin and self._process.stdout
        try:
            pickle.dump(part, self._process.stdin)
            self._process.stdin.flush()
            found: Part = pickle.load(self._process.stdout)
        except (EOFError, pickle.UnpicklingError, OSError):
            code = self._process.wait()
            raise ChildProcessError(f"a process that reads games ended with code {code}") from None
        return found

    def end(self) -> None:
        """End the process at once, whatever it reads."""
        self._process.terminate()

    def close(self) -> None:
        """Release the process after it has ended."""
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream
            with suppress(OSError):  # a part that nobody will read
                stream.close()

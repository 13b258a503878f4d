"""Makes Polyglot books from PGN: from games by their results, from a repertoire by its marks.

A *game* adds its moves, up to a depth, weighted by the score of the side that played them. A
*repertoire*, recognised by its tag `[Repertoire "marks"]`, adds the moves of all its variations,
weighted by the marks on them (`MARKS`).

The same input gives the same bytes. Memory use is bounded: counts are sorted and written to disk in
runs, and the runs are merged (an external sort).
"""

from __future__ import annotations

import heapq
import struct
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import BinaryIO

import chess
import chess.pgn
from chess.polyglot import ENTRY_STRUCT, zobrist_hash

from ..base.compression import plain_suffix
from ..base.text import counted, open_text
from ..base.whole_file import Claim, WholeFile, WriteError, is_read, output_name
from ..board.games import GameLines, Reader, visit_game
from .opening_book import BookError, polyglot_code

#: The tag of a PGN game that is a repertoire, and its value.
REPERTOIRE_TAG, REPERTOIRE_KIND = "Repertoire", "marks"

#: The weights of marks in a repertoire: `!` is a main move, `!?` a rare one. A move marked `?!` or
#: `?` is only there to be answered; the book never plays it.
MARKS = {
    chess.pgn.NAG_GOOD_MOVE: 100,
    chess.pgn.NAG_BRILLIANT_MOVE: 100,
    chess.pgn.NAG_SPECULATIVE_MOVE: 10,
    chess.pgn.NAG_DUBIOUS_MOVE: 0,
    chess.pgn.NAG_MISTAKE: 0,
    chess.pgn.NAG_BLUNDER: 0,
}

#: The weight of an unmarked move. A mark on the same move elsewhere overrides it.
UNMARKED = 40

#: Maximum weight of an entry.
MAX_WEIGHT = 0xFFFF

#: Maximum number of remarks about games.
MAX_REMARKS = 20

#: How many different moves are counted in memory before they are written to disk.
RUN_LENGTH = 200_000

#: key, move, games, points, weight by marks + 1 (0: not in a repertoire), is it marked
_RECORD = struct.Struct(">QHQQHB")


@dataclass(frozen=True)
class BuildOptions:
    """How games are counted; repertoires are counted by their marks."""

    max_plies: int = 40  # from the start of the game
    min_games: int = 1  # required for a move
    win: int = 2  # points for the side that moved
    draw: int = 1  # also for unknown results
    loss: int = 0


@dataclass
class BuildReport:
    """What went into a book."""

    games: int = 0
    repertoires: int = 0
    skipped: int = 0  # games of variants
    broken: int = 0  # games that were left out, or used only up to where they break off
    remarks: list[str] = field(default_factory=list)  # about the first games that need one
    more_remarks: int = 0
    positions: int = 0
    entries: int = 0

    @property
    def summary(self) -> str:
        """The content of the book, and its sources."""
        games = counted(self.games, "game")
        chapters = counted(self.repertoires, "repertoire chapter")
        moves, positions = counted(self.entries, "move"), counted(self.positions, "position")
        return f"{moves} in {positions} from {games}, {chapters}"

    def notes(self) -> list[str]:
        """What could not be used, or was written irregularly."""
        notes = list(self.remarks)
        if self.more_remarks:
            notes.append(f"and {self.more_remarks:,} more such remarks")
        if self.skipped:
            games = counted(self.skipped, "game")
            verb = "was" if self.skipped == 1 else "were"
            notes.append(f"{games} of other variants {verb} left out")
        return notes


@dataclass(slots=True)
class _Count:
    """The counts for one move in one position."""

    games: int = 0
    points: int = 0
    weight: int | None = None
    is_marked: bool = False

    def add(self, other: _Count) -> None:
        self.games += other.games
        self.points += other.points
        if other.weight is None:
            return
        if self.weight is None or other.is_marked > self.is_marked:
            self.weight, self.is_marked = other.weight, other.is_marked
        elif other.is_marked == self.is_marked:
            self.weight = max(self.weight, other.weight)

    def pack(self, key: int, code: int) -> bytes:
        weight = 0 if self.weight is None else self.weight + 1
        return _RECORD.pack(key, code, self.games, self.points, weight, self.is_marked)


Counted = tuple[int, int, _Count]  # key, move, count


def build(
    sources: Iterable[Path], target: Path, options: BuildOptions | None = None
) -> BuildReport:
    """Build a book.

    :param sources: PGN files, and folders of them.
    :param target: the book; it is replaced at the end, so that a failure leaves the old one.
    :raises BookError: if a source cannot be read or is the target, no entries are left, or the book
        cannot be written.
    """
    options = options or BuildOptions()
    report = BuildReport()
    files = pgn_files(sources)
    refuse_to_replace(target, files)
    with ExitStack() as stack:
        try:
            stack.enter_context(Claim(target))
        except WriteError as error:
            raise BookError(str(error)) from None
        counts = _Counts(stack)
        for path in files:
            _read_games(path, lambda: _Visitor(counts.add, options, report), report)
        try:
            _write(target, _entries(counts.merged(), options), report)
        except BrokenPipeError:
            raise
        except OSError as error:
            reason = error.strerror or error
            raise BookError(f"cannot write {output_name(target)}: {reason}") from None
    return report


def refuse_to_replace(target: Path, sources: Iterable[Path]) -> None:
    """Make sure that no source is overwritten.

    :raises BookError: if the target is one of the sources, under any name.
    """
    for source in sources:
        if is_read(target, source):
            raise BookError(
                f"{output_name(target)} is the input; choose another name for the output"
            )


def pgn_files(sources: Iterable[Path]) -> list[Path]:
    """The files that sources name; those of a folder sorted by name.

    :raises BookError: if one is missing, or a folder has none.
    """
    files: list[Path] = []
    for source in sources:
        if source.is_dir():
            inside = sorted(file for file in source.iterdir() if plain_suffix(file) == ".pgn")
            if not inside:
                raise BookError(f"no .pgn file in {source}")
            files += inside
        elif source.is_file():
            files.append(source)
        elif source.exists():
            raise BookError(f"not a file: {source}")
        else:
            raise BookError(f"no such file: {source}")
    return files


def _read_games(path: Path, visitor: Callable[[], _Visitor], report: BuildReport) -> None:
    """Show each game of a PGN file to a new visitor.

    :raises BookError: if it cannot be read.
    """
    try:
        with open_text(path) as text:
            lines = GameLines(text)
            while _read_game(lines, visitor, report, path):
                pass
    except OSError as error:
        raise BookError(f"cannot read {path}: {error.strerror or error}") from None


def _read_game(
    lines: GameLines, visitor: Callable[[], _Visitor], report: BuildReport, path: Path
) -> bool:
    """Show the next game to a visitor; return False at the end."""
    found: bool | None = True
    try:
        found = visit_game(lines, visitor)
        faults = lines.remarks.faults if found else []
    except ValueError as error:
        faults = [f"left out: {error}"]
    notes = lines.remarks.notes if found else []
    report.broken += bool(faults)
    for text in (*notes, *faults):
        if len(report.remarks) < MAX_REMARKS:
            report.remarks.append(f"{path}, game {lines.number}: {text}")
        else:
            report.more_remarks += 1
    return bool(found)


class _Visitor(Reader[bool]):
    """Counts the moves of one game during parsing."""

    def __init__(
        self,
        add: Callable[[int, int, _Count], None],
        options: BuildOptions,
        report: BuildReport,
    ) -> None:
        super().__init__()
        self._add, self._options, self._report = add, options, report
        self._headers = chess.pgn.Headers({})
        self._is_repertoire = self._is_skipped = False
        self._points = {chess.WHITE: options.draw, chess.BLACK: options.draw}
        self._last: tuple[chess.Color, int, int, _Count] | None = None
        # For the current variation and those around it: the sides that left their repertoire.
        self._off: list[frozenset[chess.Color]] = [frozenset()]
        self._off_before: list[frozenset[chess.Color]] = [frozenset()]

    def begin_headers(self) -> chess.pgn.Headers:
        return self._headers

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self._headers[tagname] = tagvalue

    def end_headers(self) -> chess.pgn.SkipType | None:
        self._is_repertoire = self._headers.get(REPERTOIRE_TAG) == REPERTOIRE_KIND
        variant = self._headers.get("Variant", "Standard").lower()
        if variant not in ("standard", "chess", "normal", "from position"):
            self._is_skipped = True
            return chess.pgn.SKIP
        result = self._headers.get("Result", "*")
        if result in ("1-0", "0-1"):
            winner = result == "1-0"
            self._points = {winner: self._options.win, not winner: self._options.loss}
        return None

    def begin_variation(self) -> chess.pgn.SkipType | None:
        self._flush()
        self._off.append(self._off_before[-1])
        self._off_before.append(self._off_before[-1])
        skip = super().begin_variation()
        return skip if self._is_repertoire else chess.pgn.SKIP

    def end_variation(self) -> None:
        self._flush()
        super().end_variation()
        self._off.pop()
        self._off_before.pop()

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        self._flush()
        self._off_before[-1] = self._off[-1]
        if not move:
            return
        if not self._is_repertoire and board.ply() >= self._options.max_plies:
            return
        if self._is_repertoire:
            count = _Count(weight=0 if board.turn in self._off[-1] else UNMARKED)
        else:
            count = _Count(games=1, points=self._points[board.turn])
        self._last = board.turn, zobrist_hash(board), polyglot_code(board, move), count

    def visit_nag(self, nag: int) -> None:
        if not self._last or not self._is_repertoire or nag not in MARKS or self.is_broken:
            return
        turn, _, _, count = self._last
        if turn in self._off[-1]:
            return
        count.weight, count.is_marked = MARKS[nag], True
        if not count.weight:
            self._off[-1] |= {turn}

    def end_game(self) -> None:
        self._flush()
        if self._is_skipped:
            self._report.skipped += 1
        elif self._is_repertoire:
            self._report.repertoires += not self.refusal
        else:
            self._report.games += not self.refusal

    def result(self) -> bool:
        return True

    def _flush(self) -> None:
        """Count the last move, once all its marks have been read."""
        if self._last:
            _, key, code, count = self._last
            self._last = None
            # Once a side has left its repertoire, its moves in the rest of the variation do not
            # count.
            if count.weight != 0 or count.is_marked:
                self._add(key, code, count)


class _Counts:
    """Counts by position and move, in any number, partly on disk."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._counts: dict[tuple[int, int], _Count] = {}
        self._runs: list[BinaryIO] = []

    def add(self, key: int, code: int, count: _Count) -> None:
        known = self._counts.get((key, code))
        if known:
            known.add(count)
            return
        if len(self._counts) >= RUN_LENGTH:
            self._spill()
        self._counts[key, code] = count

    def _spill(self) -> None:
        run = self._stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
        for (key, code), count in sorted(self._counts.items(), key=lambda item: item[0]):
            run.write(count.pack(key, code))
        self._runs.append(run)
        self._counts.clear()

    def merged(self) -> Iterator[Counted]:
        """All counts sorted by key and move, each pair once."""
        in_memory = (
            (*place, count)
            for place, count in sorted(self._counts.items(), key=lambda item: item[0])
        )
        streams = [_read_run(run) for run in self._runs] + [in_memory]
        everything = heapq.merge(*streams, key=lambda counted: counted[:2])
        for (key, code), same in groupby(everything, key=lambda counted: counted[:2]):
            total = _Count()
            for _, _, count in same:
                total.add(count)
            yield key, code, total


def _read_run(run: BinaryIO) -> Iterator[Counted]:
    run.seek(0)
    while record := run.read(_RECORD.size):
        key, code, games, points, weight, is_marked = _RECORD.unpack(record)
        yield key, code, _Count(games, points, weight - 1 if weight else None, bool(is_marked))


def _entries(counts: Iterable[Counted], options: BuildOptions) -> Iterator[list[bytes]]:
    """The entries of each position that has any, highest weight first."""
    for key, same in groupby(counts, key=lambda counted: counted[0]):
        weights = {code: _weigh(count, options) for _, code, count in same}
        heaviest = max(weights.values())
        if heaviest > MAX_WEIGHT:
            weights = {
                code: max(weight * MAX_WEIGHT // heaviest, 1) if weight else 0
                for code, weight in weights.items()
            }
        ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
        entries = [ENTRY_STRUCT.pack(key, code, weight, 0) for code, weight in ranked if weight]
        if entries:
            yield entries


def _weigh(count: _Count, options: BuildOptions) -> int:
    by_games = count.points if count.games >= options.min_games else 0
    return by_games + (count.weight or 0)


def _write(target: Path, positions: Iterable[list[bytes]], report: BuildReport) -> None:
    with WholeFile(target) as book:
        for entries in positions:
            book.write(b"".join(entries))
            report.positions += 1
            report.entries += len(entries)
        if not report.entries:
            raise BookError("no moves to write: there are no games, or no move occurs often enough")

"""What `halbzug analyse` shows of positions: one in detail, or many as rows; or JSON lines."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import chess
from rich import box
from rich.cells import set_cell_size
from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from halbzug.analysis.findings import (
    Finding,
    answer_json,
    finding_json,
    line_json,
    position_json,
)
from halbzug.analysis.positions import Subject
from halbzug.analysis.tally import Tally
from halbzug.board.notation import last_move_text, san_line
from halbzug.console.streams import visible
from halbzug.console.terminal import (
    PlainConsole,
    count_text,
    draw_board,
    score_style,
    score_text,
    seconds_text,
)
from halbzug.events import BestMove, CurrentMove, Event, Info, Notice
from halbzug.whole_file import WriteError

#: How often the live lines are drawn, times a second.
REFRESH_RATE = 8

_NAME, _BEST, _SCORE, _DEPTH, _TIME = 20, 8, 8, 7, 9  # widths of the columns


# -- one position -------------------------------------------------------------------------------


class Report:
    """What has been heard about the current position, and how it is shown.

    The analysis calls `begin`, then `hear` for every event, then `end` once for each position.
    """

    def begin(self, subject: Subject) -> None:
        """A new position is being looked at."""
        self.subject = subject
        self.begun = time.perf_counter()
        self.lines: dict[int, Info] = {}
        self.current: CurrentMove | None = None

    def hear(self, event: Event) -> None:
        """Take in one event of the engine."""
        if isinstance(event, Info):
            self.lines[event.multipv] = event
        elif isinstance(event, CurrentMove):
            self.current = event
        elif isinstance(event, Notice):
            # Here already, because a live table would take an escape sequence for a wish of ours.
            print(visible(f"halbzug: {event.text}"), file=sys.stderr)

    def end(self, finding: Finding | None) -> None:
        """The position is done; without a finding it was interrupted."""

    @contextmanager
    def watching(self) -> Iterator[None]:
        """While this lasts, a terminal shows what is being heard."""
        yield

    def conclusion(self) -> Finding:
        """The finding if the search ended now."""
        pv = self.lines[1].pv if 1 in self.lines else ()
        best = BestMove(pv[0] if pv else None, pv[1] if len(pv) > 1 else None)
        if not self.subject.is_problem:
            return Finding(best, ())
        score = self.lines[1].score if pv else None
        return Finding(best, (), self.subject.is_solved_by(best.move, score))


class JsonReport(Report):
    """One JSON object a line: each line of analysis as it comes, then the best move."""

    def hear(self, event: Event) -> None:
        """Print a line of analysis at once."""
        super().hear(event)
        if isinstance(event, Info):
            self._print(line_json(event))

    def end(self, finding: Finding | None) -> None:
        """Print the best move."""
        line = answer_json(self.subject, finding or self.conclusion())
        self._print(line if finding else {**line, "interrupted": True})

    def _print(self, line: dict[str, Any]) -> None:
        print(json.dumps({**position_json(self.subject), **line}), flush=True)


class DetailedReport(Report):
    """The board, a live table of the lines, and the best move as the last word."""

    def __init__(self, console: PlainConsole) -> None:
        self.console = console

    def begin(self, subject: Subject) -> None:
        """Draw the board, with what one needs to know beside it."""
        super().begin(subject)
        sheet = Table.grid(padding=(0, 3))
        sheet.add_column(no_wrap=True, min_width=26)
        sheet.add_column(ratio=1)
        sheet.add_row(draw_board(subject.board, self.console), self._facts())
        self.console.print(sheet)
        self.console.print(subject.board.fen(shredder=subject.board.chess960), style="dim")

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Show the lines as they change, if there is a terminal."""
        if not self.console.is_terminal:
            yield
            return
        with Live(
            console=self.console,
            get_renderable=self._draw,
            refresh_per_second=REFRESH_RATE,
            transient=True,
        ):
            yield

    def end(self, finding: Finding | None) -> None:
        """Print the final table and the best move."""
        self.console.print(self._draw(is_final=True))
        if finding is None:
            self.console.print("Interrupted; this is the best so far.", style="yellow")
        final = finding or self.conclusion()
        if final.is_solved is not None:
            self.console.print(_verdict(self.subject, final))
        ending = Text("Best move: ", "bold")
        ending.append(_best_move_text(self.subject.board, final.best), "bold green")
        self.console.print(ending)

    def _facts(self) -> Text:
        board = self.subject.board
        turn = "White" if board.turn else "Black"
        facts = Text(f"{self.subject.name}\n\n" if self.subject.name else "", "bold")
        facts.append(f"{turn} to move", "bold")
        facts.append(f", move {board.fullmove_number}\n")
        if board.move_stack:
            facts.append(f"Last move: {last_move_text(board)}\n")
        castling = board.castling_shredder_fen() if board.chess960 else board.castling_xfen()
        facts.append(f"Castling: {'none' if castling == '-' else castling}\n")
        if board.has_legal_en_passant() and board.ep_square is not None:
            facts.append(f"En passant: {chess.square_name(board.ep_square)}\n")
        if board.halfmove_clock:
            facts.append(f"Plies without capture or pawn move: {board.halfmove_clock}\n")
        return facts

    def _draw(self, is_final: bool = False) -> Group:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=True)
        table.add_column("Line", justify="right")
        table.add_column("Score", justify="right", no_wrap=True)
        table.add_column("Depth", justify="right", no_wrap=True)
        table.add_column("Variation", ratio=1)
        for number, info in sorted(self.lines.items()):
            table.add_row(
                str(number),
                Text(score_text(info), score_style(info)),
                f"{info.depth}/{info.selective_depth}",
                san_line(self.subject.board, info.pv) or _ending_text(self.subject.board),
            )
        return Group(table, self._status(is_final))

    def _status(self, is_final: bool) -> Text:
        first = self.lines.get(1)
        seconds = time.perf_counter() - self.begun
        words = [seconds_text(seconds)]
        if first:
            words.append(f"{count_text(first.nodes)} nodes")
            words.append(f"{count_text(first.nodes_per_second)} nodes/s")
        if is_final:
            turn = "White" if self.subject.board.turn else "Black"
            words.append(f"scores as {turn} sees them")
        elif self.current:
            words.append(f"trying {san_line(self.subject.board, [self.current.move])}")
        return Text(" · ".join(words) if self.console.can_show("·") else ", ".join(words), "dim")


# -- many positions -----------------------------------------------------------------------------


class RowsReport:
    """One row a position, and the totals."""

    def __init__(self, console: PlainConsole) -> None:
        self.console = console
        self.tally = Tally()

    def add(self, number: int, subject: Subject, finding: Finding) -> None:
        """Print the row."""
        if not self.tally.positions:
            heading = ("Position", "Best", "Score", "Depth", "Time", "Result or line")
            self.console.print(self._row(*heading, style="bold"))
        self.tally.count(finding_json(number, subject, finding))
        self.console.print(self._finished_row(subject, finding))

    def close(self) -> None:
        """Print the totals."""
        if self.tally.positions:
            for line in self.tally.lines():
                self.console.print(Text(line, "bold"))

    def _finished_row(self, subject: Subject, finding: Finding) -> Text:
        board, info, best = subject.board, finding.first, finding.best
        row = self._row(
            subject.name,
            board.san(board.parse_uci(best.move)) if best.move else "none",
            score_text(info) if info else "",
            f"{info.depth}/{info.selective_depth}" if info else "",
            seconds_text(finding.seconds),
            "",
        )
        if finding.is_solved is not None:
            row.append_text(_verdict(subject, finding))
        elif best.move is None:
            row.append(_ending_text(board))
        elif info:
            row.append(san_line(board, info.pv))
        row.truncate(self.console.width, overflow="ellipsis")
        return row

    def _row(
        self, name: str, best: str, score: str, depth: str, time: str, rest: str, style: str = ""
    ) -> Text:
        cells = (
            set_cell_size(name, _NAME)
            + " "
            + set_cell_size(best, _BEST)
            + score.rjust(_SCORE)
            + depth.rjust(_DEPTH)
            + time.rjust(_TIME)
            + "  "
            + rest
        )
        return Text(cells, style, no_wrap=True)


class LinesReport:
    """One JSON object a line for each position, and one with the totals of a test suite.

    :param file: where they go; every line is complete before the next position is waited for.
    :param path: what the file is called, if it is one.
    """

    def __init__(self, file: TextIO, tally: Tally, path: Path | None = None) -> None:
        self.file = file
        self.tally = tally
        self.path = path

    def add(self, number: int, subject: Subject, finding: Finding) -> None:
        """Write the line."""
        line = finding_json(number, subject, finding)
        self.tally.count(line)
        self._write(line)

    def close(self) -> None:
        """Write the totals."""
        if self.tally.problems > 1:
            self._write(self.tally.json())

    def _write(self, line: dict[str, Any]) -> None:
        try:
            self.file.write(json.dumps(line) + "\n")
            self.file.flush()
        except OSError as error:
            if self.path is None or isinstance(error, BrokenPipeError):
                raise
            raise WriteError(self.path, error) from None


# -- words --------------------------------------------------------------------------------------


def _best_move_text(board: chess.Board, best: BestMove) -> str:
    """A move in both notations: `Nf3 (g1f3)`."""
    if best.move is None:
        return f"none ({_ending_text(board)})" if board.is_game_over() else "none yet"
    return f"{board.san(board.parse_uci(best.move))} ({best.move})"


def _ending_text(board: chess.Board) -> str:
    """Why there is no move."""
    if board.is_checkmate():
        return "checkmate"
    return "stalemate" if board.is_stalemate() else ""


def _verdict(subject: Subject, finding: Finding) -> Text:
    """`solved`, and since when; or what was wanted."""
    if finding.is_solved:
        since = finding.solution
        text = f"solved: depth {since.depth}, {since.time_ms / 1000:.2f} s" if since else "solved"
        return Text(text, "green")
    wanted = [" or ".join(subject.board.san(move) for move in subject.best)] if subject.best else []
    if subject.avoid:
        wanted.append("not " + " or ".join(subject.board.san(move) for move in subject.avoid))
    if subject.mate:
        wanted.append(f"mate in {subject.mate}")
    return Text(f"missed: {', '.join(wanted)}", "red")

"""Shows the results of `halbzug analyse` at a terminal."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich import box
from rich.cells import set_cell_size
from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ..base.text import visible
from ..batch.findings import Finding, finding_json
from ..batch.live import LiveReport
from ..batch.positions import Failure, Subject
from ..batch.tally import Tally
from ..batch.wording import best_move_text, ending_text, position_facts, verdict_text
from ..board.notation import san_line
from ..display.document import Remark
from ..display.printing import show
from ..display.progress import ProgressBar
from ..display.quantities import count_text, seconds_text
from ..display.terminal import PlainConsole, draw_board, score_style, score_text
from ..games.analysis_request import Beside
from ..games.annotation import AnnotatedGame
from ..games.game_summary import moves_table, players_table

#: How many times a second the live lines are drawn.
REFRESH_RATE = 8

_NAME, _BEST, _SCORE, _DEPTH, _TIME = 20, 8, 8, 7, 8  # widths of the columns


class TerminalDisplay:
    """Standard output and standard error of `halbzug analyse`; see `request.Display`."""

    def __init__(self) -> None:
        self._console = PlainConsole()
        self._errors = PlainConsole(stderr=True)

    def note(self, text: str) -> None:
        """Show a message of an engine."""
        # Made visible here, because rich's live displays would pass on an escape sequence.
        print(visible(f"halbzug: {text}"), file=sys.stderr)

    def complain(self, failure: Failure) -> None:
        """Show what could not be read or analysed."""
        self.note(f"{failure.place}: {failure.message}" if failure.place else failure.message)

    def detailed_report(self) -> LiveReport:
        """For one position."""
        return DetailedReport(self.note, self._console)

    def rows_report(self) -> RowsReport:
        """For many positions."""
        return RowsReport(self._console)

    def show_game(self, game: AnnotatedGame) -> None:
        """A table of the moves, and one of the players."""
        name = Remark(game.record.name, "strong")
        show([name, moves_table(game), players_table(game)], self._console)

    def show_totals(self, tally: Tally) -> None:
        """The totals of a run whose results go to a file."""
        for line in tally.lines():
            self._errors.print(line)

    def progress(self, count: Callable[[], int] | None, beside: Beside) -> ProgressBar:
        """The progress of a run."""
        if beside == "rows":
            return ProgressBar(self._console, count)
        if beside == "lines" and sys.stdout.isatty():
            # On the same terminal the bar would mix with the lines.
            return ProgressBar(PlainConsole(file=io.StringIO()), count)
        return ProgressBar(self._errors, count)


class DetailedReport(LiveReport):
    """The board, a live table of the lines, and at the end the best move."""

    def __init__(self, note: Callable[[str], None], console: PlainConsole) -> None:
        super().__init__(note)
        self.console = console

    def begin(self, subject: Subject) -> None:
        """Draw the board, with facts about the position beside it."""
        super().begin(subject)
        sheet = Table.grid(padding=(0, 3))
        sheet.add_column(no_wrap=True, min_width=26)
        sheet.add_column(ratio=1)
        sheet.add_row(draw_board(subject.board, self.console), self._facts())
        self.console.print(sheet)
        self.console.print(subject.board.fen(shredder=subject.board.chess960), style="dim")

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Show the lines while they change, at a terminal."""
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
            self.console.print("Interrupted; this is the best move so far.", style="yellow")
        final = finding or self.conclusion()
        if final.is_solved is not None:
            self.console.print(_verdict(self.subject, final))
        ending = Text("Best move: ", "bold")
        ending.append(best_move_text(self.subject.board, final.best), "bold green")
        self.console.print(ending)

    def _facts(self) -> Text:
        board = self.subject.board
        turn = "White" if board.turn else "Black"
        facts = Text(f"{self.subject.name}\n\n" if self.subject.name else "", "bold")
        facts.append(f"{turn} to move", "bold")
        facts.append(f", move {board.fullmove_number}\n")
        facts.append("".join(f"{fact}\n" for fact in position_facts(board)))
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
                san_line(self.subject.board, info.pv) or ending_text(self.subject.board),
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


class RowsReport:
    """One row for each position, and the totals."""

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
            row.append(ending_text(board))
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
            + f"{score:>{_SCORE}} {depth:>{_DEPTH}} {time:>{_TIME}}  "
            + rest
        )
        return Text(cells, style, no_wrap=True)


def _verdict(subject: Subject, finding: Finding) -> Text:
    return Text(verdict_text(subject, finding), "green" if finding.is_solved else "red")

"""What `kiebitz analyse` shows: JSON lines, one position in detail, or many as rows."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import chess
from rich import box
from rich.cells import set_cell_size
from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from uci_engine.commands.positions import Subject
from uci_engine.commands.terminal import (
    PlainConsole,
    count_text,
    draw_board,
    san_line,
    score_style,
    score_text,
    seconds_text,
)
from uci_engine.events import (
    EXACT,
    BestMove,
    CurrentMove,
    Event,
    Info,
    Notice,
    is_mate,
    mate_in_moves,
)

#: How often the live lines are drawn, times a second.
REFRESH_RATE = 8

_NAME, _BEST, _SCORE, _DEPTH, _TIME = 20, 8, 8, 7, 9  # widths of the columns


class Report:
    """What has been heard about the current position, and how it is shown.

    The analysis calls `begin`, then `hear` for every event, then `end` once for each position,
    and `close` at the very end.
    """

    def __init__(self) -> None:
        self.positions = 0
        self.problems = 0
        self.solved = 0
        self.started = self.begun = time.perf_counter()
        self.lines: dict[int, Info] = {}
        self.current: CurrentMove | None = None

    def begin(self, subject: Subject) -> None:
        """A new position is being looked at."""
        self.subject = subject
        self.begun = time.perf_counter()
        self.lines = {}
        self.current = None

    def hear(self, event: Event) -> None:
        """Take in one event of the engine."""
        if isinstance(event, Info):
            self.lines[event.multipv] = event
        elif isinstance(event, CurrentMove):
            self.current = event
        elif isinstance(event, Notice):
            print(f"kiebitz: {event.text}", file=sys.stderr)

    def end(self, best: BestMove | None) -> None:
        """The position is done; without a best move it was interrupted."""
        if best is None:
            return
        self.positions += 1
        if self.subject.is_problem:
            self.problems += 1
            self.solved += self.is_solved(best)

    def close(self) -> None:
        """Nothing more will come."""

    @contextmanager
    def watching(self) -> Iterator[None]:
        """While this lasts, a terminal shows what is being heard."""
        yield

    def is_solved(self, best: BestMove) -> bool:
        """Whether a best move is the answer that the record asks for."""
        if best.move is None:
            return False
        return self.subject.is_solved_by(self.subject.board.parse_uci(best.move))

    def best_so_far(self) -> BestMove:
        """The answer if the search ended now."""
        pv = self.lines[1].pv if 1 in self.lines else ()
        return BestMove(pv[0] if pv else None, pv[1] if len(pv) > 1 else None)


class JsonReport(Report):
    """One JSON object a line: each line of analysis, then the best move."""

    def hear(self, event: Event) -> None:
        """Print a line of analysis at once."""
        super().hear(event)
        if isinstance(event, Info):
            self._print(self._analysis(event))

    def end(self, best: BestMove | None) -> None:
        """Print the best move."""
        super().end(best)
        answer = best or self.best_so_far()
        line: dict[str, Any] = {"bestmove": answer.move, "ponder": answer.ponder}
        if best is None:
            line["interrupted"] = True
        if self.subject.is_problem:
            board = self.subject.board
            line["bm"] = [board.uci(move) for move in self.subject.best]
            line["am"] = [board.uci(move) for move in self.subject.avoid]
            line["solved"] = self.is_solved(answer)
        self._print(line)

    def close(self) -> None:
        """Print the total of a test suite."""
        if self.problems > 1:
            print(json.dumps({"problems": self.problems, "solved": self.solved}), flush=True)

    def _print(self, line: dict[str, Any]) -> None:
        board = self.subject.board
        fen = board.fen(shredder=board.chess960)
        name = {"name": self.subject.name} if self.subject.name else {}
        print(json.dumps({**name, "position": fen, **line}), flush=True)

    def _analysis(self, info: Info) -> dict[str, Any]:
        score = {"mate": mate_in_moves(info.score)} if is_mate(info.score) else {"cp": info.score}
        line = {
            "depth": info.depth,
            "seldepth": info.selective_depth,
            "multipv": info.multipv,
            "score": score,
            "nodes": info.nodes,
            "nps": info.nodes_per_second,
            "time_ms": info.time_ms,
            "pv": list(info.pv),
        }
        return line if info.bound == EXACT else {**line, "bound": info.bound}


class DetailedReport(Report):
    """The board, a live table of the lines, and the best move as the last word."""

    def __init__(self, console: PlainConsole) -> None:
        super().__init__()
        self.console = console

    def begin(self, subject: Subject) -> None:
        """Draw the board, with what one needs to know beside it."""
        if self.positions:
            self.console.print()
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

    def end(self, best: BestMove | None) -> None:
        """Print the final table and the best move."""
        super().end(best)
        self.console.print(self._draw(is_final=True))
        answer = best or self.best_so_far()
        if best is None:
            self.console.print("Interrupted; this is the best so far.", style="yellow")
        if self.subject.is_problem:
            self.console.print(_verdict(self.subject, self.is_solved(answer)))
        ending = Text("Best move: ", "bold")
        ending.append(_best_move_text(self.subject.board, answer), "bold green")
        self.console.print(ending)

    def _facts(self) -> Text:
        board = self.subject.board
        turn = "White" if board.turn else "Black"
        facts = Text(f"{self.subject.name}\n\n" if self.subject.name else "", "bold")
        facts.append(f"{turn} to move", "bold")
        facts.append(f", move {board.fullmove_number}\n")
        if board.move_stack:
            facts.append(f"Last move: {_last_move_text(board)}\n")
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


class RowsReport(Report):
    """One row a position, and a total."""

    def __init__(self, console: PlainConsole) -> None:
        super().__init__()
        self.console = console
        self.live: Live | None = None

    def begin(self, subject: Subject) -> None:
        """Print the heading before the first row, and open the live line."""
        super().begin(subject)
        if self.live:
            return
        heading = ("Position", "Best", "Score", "Depth", "Time", "Result or line")
        self.console.print(self._row(*heading, style="bold"))
        self.live = Live(
            console=self.console,
            get_renderable=self._draw,
            refresh_per_second=REFRESH_RATE,
            transient=True,
        )
        if self.console.is_terminal:
            self.live.start()

    def end(self, best: BestMove | None) -> None:
        """Print the row."""
        super().end(best)
        if best is not None:
            self.console.print(self._finished_row(best))

    def close(self) -> None:
        """Print the total."""
        if self.live is None:
            return
        if self.console.is_terminal:
            self.live.stop()
        seconds = seconds_text(time.perf_counter() - self.started)
        total = f"{self.positions} positions in {seconds}"
        if self.problems:
            share = 100 * self.solved / self.problems
            total = f"Solved {self.solved} of {self.problems} ({share:.1f} %); {total}"
        self.console.print(Text(total, "bold"))

    def _finished_row(self, best: BestMove) -> Text:
        board = self.subject.board
        info = self.lines.get(1)
        row = self._row(
            self.subject.name,
            board.san(board.parse_uci(best.move)) if best.move else "none",
            score_text(info) if info else "",
            f"{info.depth}/{info.selective_depth}" if info else "",
            seconds_text(time.perf_counter() - self.begun),
            "",
        )
        if self.subject.is_problem:
            row.append_text(_verdict(self.subject, self.is_solved(best)))
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

    def _draw(self) -> Text:
        info = self.lines.get(1)
        words = [self.subject.name, seconds_text(time.perf_counter() - self.begun)]
        if info:
            words.append(f"depth {info.depth}")
            words.append(f"{score_text(info)} {san_line(self.subject.board, info.pv)}")
        words.insert(0, f"{self.positions + 1}.")
        if self.problems:
            words.insert(1, f"[{self.solved} of {self.problems} solved]")
        return Text("  ".join(words), "dim", no_wrap=True, overflow="ellipsis")


# -- words --------------------------------------------------------------------------------------


def _best_move_text(board: chess.Board, best: BestMove) -> str:
    """A move in both notations: `Nf3 (g1f3)`."""
    if best.move is None:
        return f"none ({_ending_text(board)})" if board.is_game_over() else "none yet"
    return f"{board.san(board.parse_uci(best.move))} ({best.move})"


def _last_move_text(board: chess.Board) -> str:
    before = board.copy()
    return san_line(before, [before.pop().uci()])


def _ending_text(board: chess.Board) -> str:
    """Why there is no move."""
    if board.is_checkmate():
        return "checkmate"
    return "stalemate" if board.is_stalemate() else ""


def _verdict(subject: Subject, is_solved: bool) -> Text:
    """`solved`, or what was wanted."""
    if is_solved:
        return Text("solved", "green")
    wanted = [" or ".join(subject.board.san(move) for move in subject.best)] if subject.best else []
    if subject.avoid:
        wanted.append("not " + " or ".join(subject.board.san(move) for move in subject.avoid))
    return Text(f"missed: {', '.join(wanted)}", "red")

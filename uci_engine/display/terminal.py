"""The console, and scores and boards on a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Any, Literal

import chess
from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ..base.events import Info
from ..base.scores import LOWER_BOUND, UPPER_BOUND
from ..base.text import visible
from ..board.notation import pawns_text
from .sheet import Sheet
from .streams import VisibleStream

#: Line width if the terminal reports none, and the largest plausible one.
USUAL_WIDTH, MAX_WIDTH = 80, 10_000

# Squares dark enough for white pieces, and light enough for black ones.
_LIGHT, _DARK = "#b08a68", "#7d5b44"
_LIGHT_MOVED, _DARK_MOVED = "#a8983a", "#7f7228"
_CHECKED = "#b04a3f"
_TONES = {
    **{"plain": "", "strong": "bold", "faint": "dim"},
    **{"inaccuracy": "cyan", "mistake": "yellow", "blunder": "red"},
}
_PIECES = "♔♕♖♗♘♙♚♛♜♝♞♟"


class PlainConsole(Console):
    """A console for foreign text: no markup, no highlighting, no control characters.

    All output goes through `render`, which makes control characters visible. The console's own
    control characters are written to the bare stream. The error of a closed pipe is passed on to
    the caller.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **settings)
        if not 0 < self.width <= MAX_WIDTH:  # COLUMNS may have any value
            self.width = USUAL_WIDTH

    @property
    def file(self) -> IO[str]:
        """The stream to write to."""
        file = super().file
        return file.bare if isinstance(file, VisibleStream) else file

    @file.setter
    def file(self, new_file: IO[str]) -> None:
        self._file = new_file

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Render an object, making its control characters visible."""
        if isinstance(renderable, str):
            renderable = visible(renderable)
        elif isinstance(renderable, Text) and renderable.plain != visible(renderable.plain):
            # One character for each, so that styles keep their place.
            renderable = renderable.copy()
            renderable.plain = visible(renderable.plain)
        for segment in super().render(renderable, options):
            text = segment.text if segment.control else visible(segment.text)
            yield segment if text == segment.text else segment._replace(text=text)

    def on_broken_pipe(self) -> None:
        """Pass the error on; rich would end the program."""
        raise BrokenPipeError

    def can_show(self, characters: str) -> bool:
        """Whether the output can encode these characters."""
        try:
            characters.encode(self.encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return True


def score_text(info: Info) -> str:
    """A score in pawns from the side to move, mates in full moves: `+0.34`, `#3`, `#-2`."""
    return {LOWER_BOUND: ">", UPPER_BOUND: "<"}.get(info.bound, "") + pawns_text(info.score)


def score_style(info: Info) -> str:
    """Green for an advantage of the side to move, red for one of the opponent."""
    if abs(info.score) < 50:
        return ""
    return "green" if info.score > 0 else "red"


def draw_board(board: chess.Board, console: PlainConsole, is_flipped: bool = False) -> Text:
    """Draw the board from White's side, or flipped; the last move is marked, a check is red.

    In colour, both sides have solid pieces on coloured squares. Without colour, the last move is
    in brackets. If the output cannot encode chess characters, pieces are letters.
    """
    in_colour = console.color_system in ("256", "truecolor") and not console.no_color
    last = board.peek() if board.move_stack else None
    marked = {last.from_square, last.to_square} if last else set()
    checked = board.king(board.turn) if board.is_check() else None
    drawing = Text()
    upwards = range(8)
    ranks, files = (upwards, upwards[::-1]) if is_flipped else (upwards[::-1], upwards)
    for rank in ranks:
        drawing.append(f"{rank + 1} ", "dim")
        for file in files:
            square = chess.square(file, rank)
            if in_colour:
                drawing.append(*_coloured(board, square, square in marked, square == checked))
            else:
                drawing.append(_uncoloured(board, square, square in marked, console))
        drawing.append("\n")
    drawing.append("   " + "  ".join(chess.FILE_NAMES[file] for file in files), "dim")
    return drawing


def side_by_side(drawing: Text, facts: str) -> Table:
    """A board beside one line of facts for each rank."""
    sheet = Table.grid(padding=(0, 3))
    sheet.add_column(no_wrap=True, min_width=26)
    sheet.add_column()
    sheet.add_row(drawing, facts)
    return sheet


def table_of(console: PlainConsole, sheet: Sheet) -> Table:
    """A plain table; in a narrow terminal, a wide column shrinks, or the first one."""
    ruled = box.SIMPLE_HEAD if console.can_show("─") else box.ASCII_DOUBLE_HEAD
    is_wide = any(column.is_wide for column in sheet.columns)
    table = Table(
        box=ruled, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold", expand=is_wide
    )
    for number, column in enumerate(sheet.columns):
        justify: Literal["right", "left"] = "right" if column.is_number else "left"
        gives_way = column.is_wide if is_wide else number == 0
        ratio = 1 if column.is_wide else None
        table.add_column(column.title, justify=justify, no_wrap=not gives_way, ratio=ratio)
    for row in sheet.rows:
        # Made visible here, because rich's Text would not remove all control characters.
        table.add_row(*(Text(visible(cell)) for cell in row.cells), style=_TONES[row.tone])
    return table


def _coloured(
    board: chess.Board, square: int, is_marked: bool, is_checked: bool
) -> tuple[str, Style]:
    is_light = bool(chess.BB_LIGHT_SQUARES >> square & 1)
    piece = board.piece_at(square)
    glyph = chess.Piece(piece.piece_type, chess.BLACK).unicode_symbol() if piece else " "
    colour = "#ffffff" if piece and piece.color else "#000000"
    if is_checked:
        ground = _CHECKED
    elif is_marked:
        ground = _LIGHT_MOVED if is_light else _DARK_MOVED
    else:
        ground = _LIGHT if is_light else _DARK
    return f" {glyph} ", Style(color=colour, bgcolor=ground, bold=True)


def _uncoloured(board: chess.Board, square: int, is_marked: bool, console: PlainConsole) -> str:
    piece = board.piece_at(square)
    symbol = "."
    if piece:
        has_glyphs = console.can_show(_PIECES)
        symbol = piece.unicode_symbol() if has_glyphs else piece.symbol()
    return f"({symbol})" if is_marked else f" {symbol} "

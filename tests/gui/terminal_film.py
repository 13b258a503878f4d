"""A film of a terminal: the output of commands with its timing, as an animated SVG.

The commands run in a real pseudo-terminal, and pyte interprets their output. Each distinct row of
text is in the picture once; a frame is a list of such rows, the frames are stacked vertically, and
one CSS animation moves them past a window. The picture contains no script, and readers who prefer
reduced motion see a still frame.
"""

from __future__ import annotations

import contextlib
import fcntl
import html
import itertools
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pyte

COLUMNS, ROWS = 80, 27

#: The size in pixels of a character cell, of its letters, and of the margin.
WIDTH, HEIGHT, FONT_SIZE, MARGIN, TITLE_HEIGHT = 9.6, 20, 16, 16, 34

#: Seconds between two keystrokes, and the number of keys that appear together (each group is a
#: frame).
KEY_SECONDS, KEYS_A_FRAME = 0.045, 3

#: Longer pauses between two changes of the screen are cut to this many seconds.
LONGEST_WAIT_SECONDS = 0.5

#: Output within this many seconds appears together.
SHORTEST_FRAME_SECONDS = 0.12

#: A command that is silent for this many seconds is taken to hang.
PATIENCE_SECONDS = 180.0

PROMPT = "\x1b[32m$\x1b[0m "

#: The usual fonts of terminals; the chess pieces of the first are as wide as its letters.
FONTS = "'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace"

BACKGROUND, FRAME, LETTERS, PALE = "#1d2530", "#5b6675", "#dfe3e8", "#a9b3c0"

#: The names of colours in pyte, with values that are all readable on the background.
COLOURS = {
    "black": "#1d2530",
    "red": "#ff8080",
    "green": "#86d98c",
    "brown": "#eac36b",
    "blue": "#8ab8ff",
    "magenta": "#dba3f0",
    "cyan": "#76d3dc",
    "white": "#dfe3e8",
    "brightblack": PALE,
    "brightred": "#ffa0a0",
    "brightgreen": "#a5ecaa",
    "brightbrown": "#ffdd8f",
    "brightyellow": "#ffdd8f",
    "brightblue": "#aaccff",
    "brightmagenta": "#ecc0ff",
    "brightcyan": "#9be8ef",
    "brightwhite": "#ffffff",
}


class Piece(NamedTuple):
    """Letters with the same style in a row: the first column, the colours (or "default"), and so
    on.
    """

    column: int
    text: str
    colour: str
    behind: str
    bold: bool
    italic: bool
    underlined: bool


Row = tuple[Piece, ...]


class Frame(NamedTuple):
    """The screen from a given time on: the rows that are not empty, by number, and the cursor."""

    seconds: float
    rows: tuple[tuple[int, Row], ...]
    cursor: tuple[int, int] | None

    def text(self) -> str:
        """The text, row by row."""
        lines = [""] * ROWS
        for number, row in self.rows:
            for piece in row:
                lines[number] = f"{lines[number]:<{piece.column}}{piece.text}"
        return "\n".join(lines).rstrip()


class _Screen(pyte.Screen):
    """pyte's screen, with faint letters in a pale colour, which pyte itself does not support."""

    def select_graphic_rendition(self, *attributes: int, **more: bool) -> None:
        is_faint = 2 in attributes and not {38, 48} & set(attributes)
        super().select_graphic_rendition(*[each for each in attributes if each != 2], **more)
        if is_faint:
            if attributes == (2,):  # pyte takes an empty list for a reset
                super().select_graphic_rendition(39)
            self.cursor.attrs = self.cursor.attrs._replace(fg="brightblack")


class Film:
    """The frames of a session at a terminal; its clock is that of the film and runs as directed."""

    def __init__(self, environment: Mapping[str, str], folder: Path) -> None:
        self.frames: list[Frame] = []
        self.seconds = 0.0
        self._environment = {**environment, "TERM": "xterm-256color", "PS1": ""}
        self._folder = folder
        self._screen = _Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)

    @property
    def text(self) -> str:
        """The text on the screen."""
        return self.frames[-1].text() if self.frames else ""

    def clear(self) -> None:
        """Clear the screen."""
        self._screen.reset()

    def show(self, text: str) -> None:
        """Write to the screen, as a program would, and add a frame."""
        self._stream.feed(text.replace("\n", "\r\n").encode())
        self._add_frame()

    def wait(self, seconds: float) -> None:
        """Let this many seconds pass in the film."""
        self.seconds += seconds

    def enter(self, command: str) -> None:
        """Type a command after the prompt, and run it until it ends."""
        self._type(command)
        with self._running(command) as terminal:
            while self._read(terminal):
                pass

    def converse(self, command: str, lines: list[tuple[str, str]], answer: str = "") -> None:
        """Type a command, and lines into the program that it starts, each followed by the awaited
        output.

        :param lines: the text to type, and the regular expression of the output that follows.
        :param answer: the output that the program shows first.
        """
        self._type(command)
        with self._running(command) as terminal:
            self._await(terminal, answer)
            for line, expected in lines:
                self.wait(0.6)
                for keys in _chunks(line):
                    os.write(terminal, keys.encode())
                    self._read(terminal)
                    self.wait(KEY_SECONDS * len(keys))
                self.wait(0.3)
                os.write(terminal, b"\n")
                self._await(terminal, expected)
            while self._read(terminal):
                pass

    def _type(self, command: str) -> None:
        self.show(PROMPT)
        self.wait(0.5)
        for keys in _chunks(command):
            self.show(keys)
            self.wait(KEY_SECONDS * len(keys))
        self.wait(0.3)
        self.show("\n")

    @contextlib.contextmanager
    def _running(self, command: str) -> Iterator[int]:
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self._folder)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
            os.execvpe("bash", ["bash", "-c", command], self._environment)
        try:
            yield terminal
            _, status = os.waitpid(process, 0)
            process = 0
            if status:
                raise RuntimeError(f"{command}: status {status}\n{self.text}")
        finally:
            if process:
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
            os.close(terminal)

    def _read(self, terminal: int) -> bool:
        """Wait for output, and show what arrives within one frame; return whether there was any."""
        started = time.monotonic()
        if not select.select([terminal], [], [], PATIENCE_SECONDS)[0]:
            raise TimeoutError(f"nothing more came after\n{self.text}")
        waited = time.monotonic() - started
        written = b""
        ends = time.monotonic() + SHORTEST_FRAME_SECONDS
        with contextlib.suppress(OSError):  # the end of the output, on Linux
            while select.select([terminal], [], [], max(0.0, ends - time.monotonic()))[0]:
                read = os.read(terminal, 65536)
                if not read:
                    break
                written += read
        self.wait(min(waited, LONGEST_WAIT_SECONDS) + (SHORTEST_FRAME_SECONDS if written else 0))
        self._stream.feed(written)
        self._add_frame()
        return bool(written)

    def _await(self, terminal: int, expected: str) -> None:
        """Read until the last lines of the screen match."""
        while not re.search(expected + r"\s*\Z", self.text):
            if not self._read(terminal):
                raise EOFError(f"{expected!r} did not come:\n{self.text}")

    def _add_frame(self) -> None:
        screen = self._screen
        rows = tuple(
            (number, row) for number in range(ROWS) if (row := _row(screen.buffer[number]))
        )
        cursor = None if screen.cursor.hidden else (screen.cursor.x, screen.cursor.y)
        frame = Frame(self.seconds, rows, cursor)
        if self.frames and self.frames[-1][1:] == frame[1:]:
            return
        if self.frames and self.frames[-1].seconds == self.seconds:
            self.frames.pop()  # too short to be seen
        self.frames.append(frame)


def _chunks(text: str) -> list[str]:
    return [text[begin : begin + KEYS_A_FRAME] for begin in range(0, len(text), KEYS_A_FRAME)]


def _row(cells: Mapping[int, pyte.screens.Char]) -> Row:
    """A row's letters: one piece for each style and group of words, and for each unusual letter."""
    pieces: list[Piece] = []
    for column in range(COLUMNS):
        cell = cells[column]
        colour, behind = (cell.bg, cell.fg) if cell.reverse else (cell.fg, cell.bg)
        look = (colour, behind, cell.bold, cell.italics, cell.underscore)
        if cell.data == " " and behind == "default" and not cell.underscore:
            continue
        last = pieces[-1] if pieces else None
        if last and tuple(last[2:]) == look and _is_plain(cell.data) and _is_plain(last.text[-1]):
            between = column - last.column - len(last.text)
            if between <= 1:
                pieces[-1] = last._replace(text=last.text + " " * between + cell.data)
                continue
        pieces.append(Piece(column, cell.data, *look))
    return tuple(pieces)


def _is_plain(letter: str) -> bool:
    """Whether every font has this letter in the width of the others."""
    return letter.isascii() or letter == "─"


def svg(film: Film, *, title: str, description: str, still: int) -> str:
    """The film as an animated picture.

    :param still: the number of the frame shown to readers who prefer reduced motion.
    """
    rows: dict[Row, str] = {}
    looks: dict[str, str] = {}
    strip = []
    for number, frame in enumerate(film.frames):
        top = number * ROWS * HEIGHT
        uses = []
        for line, row in frame.rows:
            name = rows.setdefault(row, f"r{len(rows)}")
            uses.append(f'<use href="#{name}" y="{top + line * HEIGHT}"/>')
        if frame.cursor:
            x, y = frame.cursor
            uses.append(f'<use href="#c" x="{_short(x * WIDTH)}" y="{top + y * HEIGHT}"/>')
        strip.append("".join(uses))
    defined = "\n".join(
        f'<g id="{name}">{"".join(map(_letters, row, itertools.repeat(looks)))}</g>'
        for row, name in rows.items()
    )
    moments = "".join(
        f"{_short(100 * frame.seconds / film.seconds, 3)}%"
        f"{{transform:translateY({-number * ROWS * HEIGHT}px)}}"
        for number, frame in enumerate(film.frames)
    )
    styles = "".join(f".{name}{{{style}}}" for style, name in looks.items())
    width = round(COLUMNS * WIDTH) + 2 * MARGIN
    height = ROWS * HEIGHT + TITLE_HEIGHT + MARGIN
    dots = "".join(f'<circle cx="{20 + 18 * each}" cy="17" r="5"/>' for each in range(3))
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" \
height="{height}" role="img" aria-labelledby="title about">
<title id="title">{html.escape(title)}</title>
<desc id="about">{html.escape(description)}</desc>
<style>
text{{font:{FONT_SIZE}px {FONTS};white-space:pre;fill:{LETTERS}}}
.strip{{transform:translateY({-still * ROWS * HEIGHT}px)}}
@media (prefers-reduced-motion:no-preference){{\
.strip{{animation:film {_short(film.seconds)}s step-end infinite}}}}
@keyframes film{{{moments}}}
{styles}
</style>
<defs>
<rect id="c" width="{WIDTH}" height="{HEIGHT - 2}" y="1" fill="{LETTERS}" opacity=".6"/>
{defined}
</defs>
<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="9" fill="{BACKGROUND}" \
stroke="{FRAME}"/>
<g fill="{FRAME}">{dots}</g>
<text x="{width / 2:g}" y="22" text-anchor="middle" style="font-size:13px;fill:{PALE}">\
{html.escape(title)}</text>
<svg x="{MARGIN}" y="{TITLE_HEIGHT}" width="{width - 2 * MARGIN}" height="{ROWS * HEIGHT}" \
overflow="hidden"><g class="strip">
{chr(10).join(strip)}
</g></svg>
</svg>
"""


def _letters(piece: Piece, looks: dict[str, str]) -> str:
    """Letters at their place, stretched to the width of their columns in any font."""
    style = ""
    if piece.colour != "default" or piece.behind != "default":
        default = LETTERS if piece.behind == "default" else BACKGROUND
        style += f"fill:{_colour(piece.colour, default)};"
    if piece.bold:
        style += "font-weight:bold;"
    if piece.italic:
        style += "font-style:italic;"
    if piece.underlined:
        style += "text-decoration:underline;"
    attributes = f' x="{_short(piece.column * WIDTH)}" y="{HEIGHT - 5}"'
    if style:
        attributes += f' class="{looks.setdefault(style, f"l{len(looks)}")}"'
    behind, length = "", _short(len(piece.text) * WIDTH)
    if len(piece.text) > 1:
        attributes += f' textLength="{length}" lengthAdjust="spacingAndGlyphs"'
    if piece.behind != "default":
        place = f'x="{_short(piece.column * WIDTH)}" width="{length}" height="{HEIGHT}"'
        behind = f'<rect {place} fill="{_colour(piece.behind, LETTERS)}"/>'
    return f"{behind}<text{attributes}>{html.escape(piece.text, quote=False)}</text>"


def _colour(name: str, default: str) -> str:
    if name == "default":
        return default
    return COLOURS.get(name) or f"#{name}"


def _short(number: float, digits: int = 1) -> str:
    return f"{number:.{digits}f}".rstrip("0").rstrip(".")

"""Parts of pages for the browser: one file each, without a server, a network or a framework.

A page contains all its data. Its Content-Security-Policy allows one script, by its digest, and
forbids to load or send anything, whatever the data contain.
"""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.resources import files
from string import Template
from typing import Any

import chess
import chess.svg

from halbzug.display import assets
from halbzug.version import __version__

_SQUARE = chess.svg.SQUARE_SIZE
_DEFINITIONS = re.compile(r"<defs>.*?</defs>", re.DOTALL)
_DESCRIPTION = re.compile(r"<desc>.*?</desc>", re.DOTALL)

#: The room with the frame of all pages, and the script that draws boards.
_HOME = "halbzug.analysis"


def read_part(room: str, name: str) -> str:
    """A file of the folder `html` of a room."""
    return (files(room) / "html" / name).read_text(encoding="utf-8").rstrip("\n")


def fill(room: str, name: str, **values: str) -> str:
    """A template of a room, with values, which are HTML."""
    return Template(read_part(room, name)).substitute(values)


def page(title: str, style: str, script: str, content: str, colophon: str) -> str:
    """A whole page.

    :param title: of the window, as HTML.
    :param style: the style sheet.
    :param script: after that which draws boards.
    :param content: of its body, as HTML.
    :param colophon: how it was made, as HTML.
    """
    script = f"{read_part(_HOME, 'board.js')}\n{script}"
    digest = base64.b64encode(hashlib.sha256(f"\n{script}\n".encode()).digest()).decode()
    return fill(
        _HOME,
        "page.html",
        script_hash=f"sha256-{digest}",
        generator=f"Halbzug {__version__}",
        title=title,
        style=style,
        pieces=assets.pieces(),
        content=content,
        colophon=colophon,
        script=script,
    )


def board_svg(board: chess.Board, **settings: Any) -> str:
    """A board of python-chess that refers to the page's pieces.

    :param settings: of `chess.svg.board`.
    """
    drawing = chess.svg.board(board, coordinates=False, **settings)
    return _DESCRIPTION.sub("", _DEFINITIONS.sub("", drawing))


def stepping_board(board: chess.Board) -> str:
    """A board that the script draws anew."""
    edge = 8 * _SQUARE
    labels = [
        f'<text class="coordinate" x="{_SQUARE * index + _SQUARE - 7}" y="{edge - 3}">{name}</text>'
        for index, name in enumerate("abcdefgh")
    ]
    labels += [
        f'<text class="coordinate" x="2" y="{_SQUARE * index + 10}">{8 - index}</text>'
        for index in range(8)
    ]
    drawing = board_svg(board).replace("<svg ", '<svg class="board" role="img" ', 1)
    return drawing.replace("<use ", "".join(labels) + "<use ", 1)

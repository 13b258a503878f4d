"""The parts of a page with a board: the script, the style, and python-chess's pieces.

The top of `board.js` describes the script's interface.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files

import chess
import chess.svg

_DEFINITIONS = re.compile(r"<defs>.*?</defs>", re.DOTALL)
_STYLE = re.compile(r'style="([^"]*)"')
_ALL_PIECES = "kqrbnp2/KQRBNP2/8/8/8/8/8/8"


def script() -> str:
    """The component `HalbzugBoard`, for a page that contains the pieces and the style."""
    return _read("board.js")


def style() -> str:
    """The style of the component."""
    return _read("board.css")


def pieces() -> str:
    """An SVG without size that defines the twelve pieces, as `#white-king` and so on."""
    board = chess.BaseBoard(_ALL_PIECES)
    found = _DEFINITIONS.search(chess.svg.board(board, coordinates=False))
    # As attributes, because a strict Content-Security-Policy forbids inline styles.
    definitions = _STYLE.sub(_as_attributes, found.group() if found else "")
    return f'<svg class="hz-pieces" width="0" height="0" aria-hidden="true">{definitions}</svg>'


def _as_attributes(style: re.Match[str]) -> str:
    pairs = (part.split(":") for part in style[1].split(";") if part.strip())
    return " ".join(f'{name.strip()}="{value.strip()}"' for name, value in pairs)


def embedded_json(value: object) -> str:
    """JSON that cannot close the HTML element around it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")


def _read(name: str) -> str:
    return (files("halbzug.display") / name).read_text(encoding="utf-8").rstrip("\n")

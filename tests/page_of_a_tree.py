"""A page with the board of `halbzug.display` and a game, made without a server as reports are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import chess

from halbzug.display import assets

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Board</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>{style}
body {{ margin: 1rem auto; max-width: 70rem; background: Canvas; font: 16px/1.5 serif; }}
main {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); }}
.hz-moves {{ max-height: 30rem; }}</style></head>
<body>{pieces}<h1>A board</h1><main><div id="board"></div><div><div id="lines"></div>
<div id="moves"></div></div></main>
<script type="application/json" id="data">{data}</script>
<script>{script}
const player = new HalbzugBoard.Player(
  {{ board: document.querySelector("#board"), moves: document.querySelector("#moves"),
    lines: document.querySelector("#lines") }},
  {{ tree: JSON.parse(document.querySelector("#data").textContent) }});
</script></body></html>
"""


def write_page(path: Path, tree: dict[str, Any]) -> str:
    """Write the page of a tree and return its address."""
    path.write_text(
        _PAGE.format(
            style=assets.style(),
            pieces=assets.pieces(),
            script=assets.script(),
            data=assets.embedded_json(tree),
        ),
        encoding="utf-8",
    )
    return path.as_uri()


def square(page: Chrome, name: str) -> WebElement:
    """A square of the board on a page."""
    return page.find_element("css selector", f".hz-square[data-square={name}]")


def placement(page: Chrome) -> str:
    """The placement drawn on the board of a page, as the first field of a FEN."""
    drawn: dict[str, str] = page.execute_script(
        "return Object.fromEntries(Array.from(document.querySelectorAll('.hz-square use')).map("
        "use => [use.closest('.hz-square').dataset.square, use.getAttribute('href')]))"
    )
    board = chess.BaseBoard.empty()
    for name, piece in drawn.items():
        color, kind = piece.lstrip("#").split("-")
        symbol = chess.Piece(chess.PIECE_NAMES.index(kind), color == "white")
        board.set_piece_at(chess.parse_square(name), symbol)
    return board.board_fen()

"""The evaluation as a page: a heat map of the board beside a table, by terms or by the network.

It shows one position, or two and their difference. Its script adds up the results of `eval_map`,
without a server or network.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import chess
import chess.svg

from ..api.term_titles import title_of
from ..api.term_titles_de import german_title
from ..board.notation import pawns_text
from ..display import assets
from ..display.page import Page, fill, page, read_part
from ..eval.weights import GROUPS
from ..teaching.tree_texts import decimal, signed, texts
from .eval_map import EvalMap, Share
from .network_parts import network_parts

_ROOM = "halbzug.teaching"

#: Colours for squares that are good for White, and for Black, as on the page.
_WHITE, _BLACK = "#1f6fc4", "#d9622b"

#: In pixels: a board, the gap between two, and the caption below them.
_SIZE, _GAP, _CAPTION = 400, 24, 32
_FIELDS = {"square light": "#f2efe9", "square dark": "#dcd6cb"}


def eval_page(maps: Sequence[EvalMap], language: str = "en") -> Page:
    """Render the page as HTML.

    :param maps: one, or two to compare.
    :param language: `en` or `de`, shown first.
    """
    words = texts("eval")
    features = {term.feature: None for one in maps for term in one.breakdown.terms}
    data = {
        "language": language,
        "texts": signed("eval"),
        "groups": list(GROUPS),
        "titles": {
            "en": {_key(name, index): title_of(name, index) for name, index in features},
            "de": {_key(name, index): german_title(name, index) for name, index in features},
        },
        "positions": [_position_data(one) for one in maps],
    }
    styles = (assets.style(), read_part(_ROOM, "theory.css"), read_part(_ROOM, "eval.css"))
    scripts = (assets.script(), read_part(_ROOM, "theory.js"), read_part(_ROOM, "eval.js"))
    return page(
        escape(words[language]["title_two" if len(maps) > 1 else "title"]),
        style="\n".join(styles),
        script="\n".join(scripts),
        content=fill(_ROOM, "eval.html", pieces=assets.pieces(), data=assets.embedded_json(data)),
        language=language,
    )


def _position_data(found: EvalMap) -> dict[str, Any]:
    """A position as data; `eval.js` describes the format at its top."""
    breakdown, board = found.breakdown, found.board
    numbers = {term.feature: number for number, term in enumerate(breakdown.terms)}
    return {
        "fen": board.fen(shredder=board.chess960),
        "turn": "w" if board.turn else "b",
        "check": board.is_check(),
        "phase": breakdown.phase,
        "scale": breakdown.scale,
        "rounding": round(float(breakdown.rounding), 6),
        "value": breakdown.white_value,
        "terms": [
            [
                _key(*term.feature),
                term.group,
                *(term.white, term.black, term.middlegame, term.endgame),
                round(float(term.contribution), 6),
            ]
            for term in breakdown.terms
        ],
        "shares": [_share_data(share, numbers[share.term.feature]) for share in found.shares],
        "network": _network_data(board),
    }


def _network_data(board: chess.Board) -> dict[str, Any]:
    parts = network_parts(board)
    return {
        "pieces": [
            [one.square, one.piece.unicode_symbol(), one.own, one.whole] for one in parts.in_order()
        ],
        **{name: getattr(parts, name) for name in ("position", "neurons", "endgame", "value")},
    }


def _share_data(share: Share, term: int) -> list[Any]:
    square = -1 if share.square is None else share.square
    return [term, square, share.white, share.black, round(float(share.worth), 6)]


def _key(name: str, index: int) -> str:
    return f"{name} {index}"


def maps_svg(maps: Sequence[EvalMap], language: str = "en") -> str:
    """One board, or two side by side, as heat maps of all terms except material: SVG for slides.

    :param language: of the text, `en` or `de`.
    """
    boards = [_map_svg(one, language) for one in maps]
    if len(boards) == 1:
        return boards[0]
    words = signed("eval")[language]
    width, height = len(boards) * (_SIZE + _GAP) - _GAP, _SIZE + _CAPTION
    parts = []
    for number, (board, found) in enumerate(zip(boards, maps, strict=True)):
        left = number * (_SIZE + _GAP)
        caption = f"{words[('first', 'second')[number]]}: {_value(found, words)}"
        parts.append(board.replace("<svg ", f'<svg x="{left}" ', 1))
        parts.append(
            f'<text x="{left + _SIZE / 2:.0f}" y="{_SIZE + 20}" font-family="sans-serif" '
            f'font-size="15" text-anchor="middle" fill="#1b1b1b">{escape(caption)}</text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f"aria-label={_quoted(words['title_two'])}>" + "\n".join([*parts, "</svg>\n"])
    )


def _value(found: EvalMap, words: Mapping[str, str]) -> str:
    """The evaluation from White's side, in pawns."""
    return str(decimal(pawns_text(found.breakdown.white_value), words))


def _map_svg(found: EvalMap, language: str) -> str:
    squares = found.squares(set(GROUPS) - {"Material"})
    largest = max((abs(float(worth)) for square, worth in squares.items() if square is not None))
    fill_colors = {
        square: _color(float(worth), max(largest, 1.0))
        for square, worth in squares.items()
        if square is not None and worth
    }
    words = signed("eval")[language]
    board = chess.svg.board(found.board, fill=fill_colors, size=_SIZE, colors=_FIELDS)
    title = f"{words['positional']}; {words['evaluation']}: {_value(found, words)}"
    return board.replace(">", f" aria-label={_quoted(title)}><title>{escape(title)}</title>", 1)


def _color(worth: float, largest: float) -> str:
    """A colour whose opacity, in the last two digits, grows with the worth."""
    opacity = round(255 * (0.12 + 0.78 * abs(worth) / largest))
    return f"{_WHITE if worth > 0 else _BLACK}{opacity:02x}"


def _quoted(text: str) -> str:
    return f'"{escape(text)}"'

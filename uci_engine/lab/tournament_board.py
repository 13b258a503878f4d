"""The board on the page of a tournament: an SVG that its script draws anew."""

from __future__ import annotations

import re
from typing import Any

import chess
import chess.svg

_SQUARE = chess.svg.SQUARE_SIZE
_DEFINITIONS = re.compile(r"<defs>.*?</defs>", re.DOTALL)
_DESCRIPTION = re.compile(r"<desc>.*?</desc>", re.DOTALL)


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

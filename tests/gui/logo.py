"""The logo: a pawn, half white and half black, because a Halbzug is the move of one side.

`PYTHONPATH=tests python -m gui.logo docs/_static/logo.svg` draws it. It has its own background, so
it is the same in the light and in the dark theme.
"""

from __future__ import annotations

import sys
from pathlib import Path

#: Sides of the square, in units of the drawing.
SIZE = 64

LIGHT, DARK = "#f3efe6", "#2f4858"

#: The right half of the pawn, from the top of its head to the middle of its foot.
PAWN = (
    "M32 9 A10 10 0 0 1 38.5 26.6 L42 26.6 A2.2 2.2 0 0 1 42 31 L37.5 31 "
    "C38 38 40.5 42.5 46 47 L49 49.5 L49 55 L32 55 Z"
)


def draw() -> str:
    """The logo as an SVG."""
    half = SIZE // 2
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" height="{SIZE}">
<title>Halbzug</title>
<clipPath id="c"><rect width="{SIZE}" height="{SIZE}" rx="12"/></clipPath>
<g clip-path="url(#c)">
<rect width="{half}" height="{SIZE}" fill="{LIGHT}"/>
<rect x="{half}" width="{half}" height="{SIZE}" fill="{DARK}"/>
<path d="{PAWN}" fill="{LIGHT}"/>
<path d="{PAWN}" fill="{DARK}" transform="matrix(-1 0 0 1 {SIZE} 0)"/>
</g>
</svg>
"""


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(draw(), encoding="utf-8")

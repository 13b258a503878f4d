"""SVG for all programs: no style sheets, only attributes.

Word processors and converters (CairoSVG, ImageMagick, MuPDF, svglib) support style sheets only
partly or not at all, and no `paint-order`. So each element has its style as attributes, and a text
that must be readable above lines has a white copy behind it.
"""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from xml.sax.saxutils import quoteattr

#: Attributes by element class. `fade` is the share of its colours that is left on white: some
#: programs do not support opacity.
Looks = Mapping[str, Mapping[str, str]]

_SVG = "{http://www.w3.org/2000/svg}"

_TEXT = {
    "font-family": "sans-serif",
    "font-size": "13",
    "text-anchor": "middle",
    "fill": "#1b1b1b",
    "stroke": "none",
}
_HALO = {"fill": "#ffffff", "stroke": "#ffffff", "stroke-width": "3", "stroke-linejoin": "round"}

#: Texts of these classes stand on a figure, and need nothing behind them.
_WITHOUT_HALO = {"inside", "title"}

#: Texts of these classes stand on an edge.
_WIDE_HALO = {"bounds", "value"}


def drawing(
    description: str, width: float, height: float, parts: Iterable[str], looks: Looks
) -> str:
    """A drawing whose elements have the styles of their classes as attributes.

    :param description: for people who do not see it.
    :param parts: its elements.
    :param looks: of each class; for an element with several classes, later ones take precedence.
    """
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" aria-label={quoteattr(description)}>'
    )
    ET.register_namespace("", _SVG[1:-1])
    root = ET.fromstring("\n".join([head, *parts, "</svg>"]))
    for parent in list(root.iter()):
        for place, element in reversed(list(enumerate(parent))):
            classes = set(element.get("class", "").split())
            if element.tag == f"{_SVG}text" and not classes & _WITHOUT_HALO:
                parent.insert(place, _halo(element, looks))
    for element in root.iter():
        _dress(element, looks)
    return ET.tostring(root, encoding="unicode") + "\n"


def _dress(element: ET.Element, looks: Looks) -> None:
    classes = element.get("class", "").split()
    if "halo" in classes:
        return
    found = dict(_TEXT) if element.tag == f"{_SVG}text" else {}
    for name, look in looks.items():
        if name in classes:
            found |= look
    share = float(found.pop("fade", 1))
    for name, value in found.items():
        if value.startswith("#"):
            value = faded(value, share)
        if name not in element.attrib:
            element.set(name, value)


def faded(color: str, share: float) -> str:
    """The colour on white, of which a share from 0 to 1 is left."""
    parts = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 - share * (255 - part)):02x}" for part in parts)


def _halo(element: ET.Element, looks: Looks) -> ET.Element:
    """The white copy behind a text."""
    behind = copy.deepcopy(element)
    behind.tail = "\n"
    look = dict(_HALO)
    if _WIDE_HALO & set(element.get("class", "").split()):
        look["stroke-width"] = "6"
    for one in behind.iter():
        _dress(one, looks)
        one.set("class", "halo")
        for name, value in look.items():
            one.set(name, value)
    behind.set("aria-hidden", "true")
    return behind

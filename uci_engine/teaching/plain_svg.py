"""SVG that every program shows: without style sheets, with attributes alone.

Word processors and converters (CairoSVG, ImageMagick, MuPDF, svglib) know no style sheet, or only a
part of it, and no `paint-order`. So each element has its look as attributes, and a text that must
be read above lines has a white one behind it.
"""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ET
from collections.abc import Mapping

#: Attributes, by the class of an element. `fade` is how much of its colours is left on white: some
#: programs do not know opacity.
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

#: A text of these classes stands on a figure, and needs nothing behind it.
_WITHOUT_HALO = {"inside", "title"}

#: A text of these classes stands on an edge.
_WIDE_HALO = {"bounds", "value"}


def plain(svg: str, looks: Looks) -> str:
    """A drawing whose elements have the looks of their classes.

    :param looks: of each class; where an element has several, a later one counts more.
    """
    ET.register_namespace("", _SVG[1:-1])
    root = ET.fromstring(svg)
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
    """A colour on white, of which a share from 0 to 1 is left."""
    parts = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 - share * (255 - part)):02x}" for part in parts)


def _halo(element: ET.Element, looks: Looks) -> ET.Element:
    """What stands behind a text."""
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

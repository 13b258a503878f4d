"""Drawings for slides use only attributes, so that every program shows them."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET

import pytest

import halbzug

pytestmark = pytest.mark.any_build

SVG = "{http://www.w3.org/2000/svg}"

DRAWINGS = {
    "alpha-beta": lambda: halbzug.explain.alpha_beta("((4 6) (4 1) (4 5))").svg(),
    "noughts-and-crosses": lambda: halbzug.explain.alpha_beta("noughts-and-crosses").svg(),
    "chance": lambda: halbzug.explain.draw("coin").svg(),
    "three": lambda: halbzug.explain.draw("three-players").svg(),
    "queens": lambda: halbzug.explain.draw("queens").svg(),
    "transpositions": lambda: halbzug.explain.transpositions("pawn", depth=3).svg(),
    "monte-carlo": lambda: halbzug.explain.monte_carlo(
        "trap", simulations=20, progress=False
    ).svg(),
    "horizon": lambda: halbzug.explain.horizon("hidden").svg(),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_needs_no_style_sheet(name: str) -> None:
    svg = DRAWINGS[name]()
    assert "<style" not in svg and "paint-order" not in svg and "opacity" not in svg
    assert "system-ui" not in svg
    for element in ET.fromstring(svg).iter():
        if element.tag == f"{SVG}text":
            assert element.get("font-size") and element.get("fill") and element.get("font-family")
        elif element.tag in (f"{SVG}line", f"{SVG}path"):
            assert element.get("stroke"), element.attrib
        elif element.tag in (f"{SVG}polygon", f"{SVG}rect", f"{SVG}circle"):
            assert element.get("fill"), element.attrib


def test_a_text_above_lines_has_a_white_outline_behind_it() -> None:
    parts = list(ET.fromstring(halbzug.explain.alpha_beta("((3 5) (2 9))").svg()))
    for behind, text in itertools.pairwise(parts):
        if text.get("class") == "move":
            assert (behind.get("class"), behind.get("stroke")) == ("halo", "#ffffff")
            assert (behind.text, behind.get("x")) == (text.text, text.get("x"))


def test_cut_off_parts_are_paler() -> None:
    svg = halbzug.explain.alpha_beta("((3 5) (2 9))").svg()
    (cut,) = re.findall(r'class="leaf off" points="[^"]*" fill="(#\w+)"', svg)
    assert cut == "#fbfbfb"

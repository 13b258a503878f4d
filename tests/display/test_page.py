"""The contents of a page, whatever names it contains."""

from __future__ import annotations

import re

import pytest

from halbzug.display.page import page

pytestmark = pytest.mark.any_build


@pytest.mark.parametrize("letter", ["\u202e", "\u2066", "\u200f", "\x1b", "\x9b", "\u2028"])
def test_names_contain_no_control_characters_and_keep_their_direction(letter: str) -> None:
    text = str(page(f"Ann{letter} - Bob", "", "", f"<p>Ann{letter}\tM\u00fcller</p>\n"))
    assert letter not in text
    title = re.search("<title>(.*)</title>", text)
    assert title and re.fullmatch("Ann. - Bob", title[1])
    assert "\tM\u00fcller</p>\n" in text

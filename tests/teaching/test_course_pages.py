"""The course as pages that link to each other, here without the program's drawings."""

from __future__ import annotations

import re

import pytest

from halbzug.base.language import speaking
from halbzug.teaching.course_pages import CourseDrawing, Words, course_pages

pytestmark = pytest.mark.any_build


def _draw(words: Words) -> CourseDrawing:
    page = "" if words[0] == "figure" else f"<p>{' '.join(words)}</p>"
    return CourseDrawing(f"<svg><title>{' '.join(words)}</title></svg>", page)


def _links(text: str) -> list[str]:
    return re.findall('(?:href|src)="([^"#][^"]*)"', text)


@pytest.mark.parametrize("has_answers", [False, True])
@pytest.mark.parametrize("language", ["en", "de"])
def test_all_pages_can_be_reached_and_no_link_is_broken(language: str, has_answers: bool) -> None:
    with speaking(language):
        pages = course_pages(_draw, has_answers=has_answers)
    reached, waiting = set[str](), ["index.html"]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += _links(pages[name])  # a missing page raises KeyError
    assert reached == {*pages} and len(pages) > 40
    assert ("answers.html" in pages) == ("lecturers.html" in pages) == has_answers
    words = {"en": "model answers", "de": "Musterlösungen"}[language]
    assert (words in pages["index.html"]) == has_answers


def test_a_chapter_becomes_html_with_the_output_of_its_commands() -> None:
    pages = course_pages(_draw)
    chapter = pages["12-chance.html"]
    assert "<h1>12. Chance and expectiminimax</h1>" in chapter and "O(b<sup>m</sup>" in chapter
    assert "<title>12. Chance and expectiminimax - The course</title>" in chapter
    # The drawing, its command and its page, under the name that the chapter uses.
    figure = chapter.partition("<figure>")[2].partition("</figure>")[0]
    assert "<title>draw coin</title>" in figure
    assert "<code>halbzug explain draw coin</code>" in figure
    assert (
        "Step through it" in figure
        and _links(figure) == ["coin.html"]
        and pages["coin.html"].startswith("<p>draw coin</p>")
        and _links(pages["coin.html"]) == ["12-chance.html"]
    )
    assert "$ halbzug explain game one-more-roll\n...\nchance to move" in chapter
    # Comments for the tests and directives of the documentation are removed.
    everything = "".join(pages.values())
    assert "skip: next" not in everything and "{drawing}" not in everything
    assert "toctree" not in everything and ".md" not in "".join(_links(everything))


def test_a_figure_has_no_page_and_its_picture_is_in_the_chapter() -> None:
    with speaking("de"):
        pages = course_pages(_draw)
    figure = pages["17-storing-the-board.html"].partition("<figure>")[2].partition("</figure>")[0]
    assert "<title>figure mailbox</title>" in figure and _links(figure) == []
    assert '<svg role="img" aria-label="Wie oft ein' in pages["22-learning-from-self-play.html"]


def test_chapters_link_to_their_neighbours() -> None:
    pages = course_pages(_draw)
    bar = pages["02-minimax.html"].partition("</header>")[0].partition("<header>")[2]
    assert _links(bar) == ["index.html", "01-games-and-trees.html", "03-alpha-beta.html"]
    last = pages["tournament.html"].partition("</header>")[0].partition("<header>")[2]
    assert _links(last) == ["index.html", "23-your-first-network.html"]

"""The course has the same chapters in both languages, with the same commands and code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from site_pages import DOCS

ENGLISH, GERMAN = DOCS / "course/en", DOCS / "course/de"
CHAPTERS = sorted(path.name for path in ENGLISH.glob("*.md"))
NUMBERED = [name for name in CHAPTERS if name[:2].isdigit()]

#: Pages for lecturers, without tasks.
FOR_LECTURERS = {"answers.md", "lecturers.md"}

_BLOCK = re.compile(r"^```(.*?)\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)


#: What the commands of the German course add.
_IN_GERMAN = " --language de"


def _commands(text: str) -> list[tuple[str, list[str]]]:
    """The code of a chapter: of a session its commands, of pseudocode that there is some."""
    found = []
    for kind, content in _BLOCK.findall(text):
        lines = content.replace(_IN_GERMAN, "").splitlines()
        if kind == "console":  # the answers are in the language of the chapter
            lines = [line for line in lines if line.startswith("$ ")]
        is_pseudocode = kind == "text" and "─" not in content
        found.append((kind.replace(_IN_GERMAN, ""), [] if is_pseudocode else lines))
    return found


def _answers(text: str) -> list[list[str]]:
    """The numbers that commands of a chapter answer with."""
    return [
        re.findall(r"\d+", re.sub(r"^\$ .*", "", content, flags=re.MULTILINE))
        for kind, content in _BLOCK.findall(text)
        if kind == "console"
    ]


def _read(folder: Path, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")


def test_the_chapters_are_numbered_and_in_the_contents_of_both_languages() -> None:
    assert [path.name for path in sorted(GERMAN.glob("*.md"))] == CHAPTERS
    numbers = [int(name[:2]) for name in NUMBERED]
    assert numbers == list(range(1, len(numbers) + 1))
    for folder in (ENGLISH, GERMAN):
        index = _read(folder, "index.md")
        for name in CHAPTERS:
            assert name == "index.md" or f"({name})" in index
            assert name == "index.md" or f"\n{name.removesuffix('.md')}\n" in index


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_is_the_same_in_both_languages(name: str) -> None:
    texts = [_read(folder, name) for folder in (ENGLISH, GERMAN)]
    bare = [_BLOCK.sub("", text) for text in texts]
    assert _commands(texts[0]) == _commands(texts[1])
    assert _answers(texts[0]) == _answers(texts[1])
    for pattern in (
        r"^#+ ",  # headings, with their level
        r"^(?:\d+\.|-) ",  # lists, with the numbers of tasks
        r"\]\(([^)]+\.md)\)",  # links
    ):
        found = [re.findall(pattern, text, flags=re.MULTILINE) for text in bare]
        if name == "index.md":  # each leads to the other
            found = [[link for link in links if "/index.md" not in link] for links in found]
        assert found[0] == found[1], pattern
    bare = [text.replace(_IN_GERMAN, "") for text in bare]
    spans = [set(re.findall(r"`(?:halbzug |examples/|halbzug\.)[^`]*`", text)) for text in bare]
    assert {" ".join(span.split()) for span in spans[0]} == {
        " ".join(span.split()) for span in spans[1]
    }


def test_what_the_german_course_draws_is_german() -> None:
    for path in GERMAN.glob("*.md"):
        text = path.read_text(encoding="utf-8")
        drawn = re.findall(
            r"halbzug explain [^`\n]*--html\s[^`\n]*|^```{drawing} .*", text, re.MULTILINE
        )
        for command in drawn:
            assert _IN_GERMAN in command, (path.name, command)


@pytest.mark.parametrize("name", sorted({*CHAPTERS} - {"index.md"} - FOR_LECTURERS))
def test_a_chapter_ends_with_tasks_and_is_short(name: str) -> None:
    for folder, title in ((ENGLISH, "## Tasks"), (GERMAN, "## Aufgaben")):
        text = _read(folder, name)
        end = text.rpartition("\n## ")
        assert f"## {end[2]}".startswith(title)
        assert 2 <= len(re.findall(r"^\d\. ", end[2], flags=re.MULTILINE)) <= 3
        assert len(text.split()) < 650

"""The course has the same chapters in both languages, with the same commands and code."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from site_pages import DOCS

from halbzug import teaching
from halbzug.commands.explain import explain
from halbzug.teaching.course_figures import FIGURES
from halbzug.teaching.examples import EXAMPLES
from halbzug.teaching.searched_trees import SEARCHED
from halbzug.teaching.solved_games import GAMES

ENGLISH, GERMAN = DOCS / "course/en", DOCS / "course/de"
CHAPTERS = sorted(path.name for path in ENGLISH.glob("*.md"))
NUMBERED = [name for name in CHAPTERS if name[:2].isdigit()]

#: Pages for lecturers, without tasks.
FOR_LECTURERS = {"answers.md", "lecturers.md"}

_BLOCK = re.compile(r"^```(.*?)\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)


#: The texts of the pages, in both languages.
TEXTS = Path(teaching.__file__).parent / "html"

#: A move with an English piece letter.
_ENGLISH_MOVE = re.compile(r"\b[NBRQ][a-h1-8]?x?[a-h][1-8]")

#: The option that the commands of the German course have in addition.
_IN_GERMAN = " --language de"


def _commands(text: str) -> list[tuple[str, list[str]]]:
    """The code of a chapter: of sessions only the commands, of pseudocode only that it exists."""
    found = []
    for kind, content in _BLOCK.findall(text):
        lines = content.replace(_IN_GERMAN, "").splitlines()
        if kind == "console":  # the output is in the language of the chapter
            lines = [line for line in lines if line.startswith("$ ")]
        is_pseudocode = kind == "text" and "─" not in content
        found.append((kind.replace(_IN_GERMAN, ""), [] if is_pseudocode else lines))
    return found


def _answers(text: str) -> list[list[str]]:
    """The numbers in the output of a chapter's commands."""
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
def test_a_german_chapter_links_to_german_pages_and_names_pieces_in_german(name: str) -> None:
    text = _read(GERMAN, name)
    links = re.findall(r"\]\(([^)#]+\.md)", text)
    english = [link for link in links if (GERMAN / link).resolve().parent == ENGLISH]
    assert english == (["../en/index.md"] if name == "index.md" else [])
    sessions = [content for kind, content in _BLOCK.findall(text) if kind == "console"]
    for part in (_BLOCK.sub("", text), *(one for one in sessions if "--language de" in one)):
        assert not _ENGLISH_MOVE.search(part)


@pytest.mark.parametrize("path", sorted(TEXTS.glob("*.json")), ids=lambda path: path.stem)
def test_the_german_of_a_page_names_pieces_in_german(path: Path) -> None:
    for language, words in json.loads(path.read_text(encoding="utf-8")).items():
        if language.endswith("de"):
            assert not [text for text in words.values() if _ENGLISH_MOVE.search(text)]


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
        if name == "index.md":  # they link to each other
            found = [[link for link in links if "/index.md" not in link] for links in found]
        assert found[0] == found[1], pattern
    bare = [text.replace(_IN_GERMAN, "") for text in bare]
    spans = [set(re.findall(r"`(?:halbzug |examples/|halbzug\.)[^`]*`", text)) for text in bare]
    assert {" ".join(span.split()) for span in spans[0]} == {
        " ".join(span.split()) for span in spans[1]
    }


def test_drawings_in_the_german_course_are_german() -> None:
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
        seen = re.sub("<!--.*?-->", "", re.split("\n## (?:Sources|Quellen)", text)[0])
        assert len(seen.split()) < 650


@pytest.mark.parametrize("folder", [ENGLISH, GERMAN], ids=["en", "de"])
def test_each_task_has_a_model_answer(folder: Path) -> None:
    answers = re.split(r"^## ", _read(folder, "answers.md"), flags=re.MULTILINE)[1:]
    tasks = [_read(folder, name).rpartition("\n## ")[2] for name in [*NUMBERED, "tournament.md"]]
    counts = [[len(re.findall(r"\n\d\. ", text)) for text in texts] for texts in (tasks, answers)]
    assert counts[0] == counts[1]
    numbers = [re.findall(r"^(\d+)\. ", text)[:1] for text in answers]
    assert numbers == [[str(int(name[:2]))] for name in NUMBERED] + [[]]


@pytest.mark.parametrize("folder", [ENGLISH, GERMAN], ids=["en", "de"])
def test_each_section_of_the_lectures_has_a_chapter_and_a_command(folder: Path) -> None:
    rows = re.findall(r"^\| [A-E].*", _read(folder, "lecturers.md"), flags=re.MULTILINE)
    texts, chapters = set[str](), set[str]()
    for row in rows:
        letters, _, links, command = (cell.strip() for cell in row.strip("|").rsplit("|", 3))
        texts.update(letters.split(", "))
        found = re.findall(r"\]\((.*?)\)", links)
        assert found and all((folder / one).is_file() for one in found), row
        chapters.update(found)
        assert _exists(shlex.split(command.strip("`"))), row
    assert texts == set("ABCDE") and chapters == {*NUMBERED, "answers.md"}


def _exists(words: list[str]) -> bool:
    """Whether there is a command, and what it is asked to show."""
    name = words[3] if len(words) > 3 else ""
    examples = {one.name for one in EXAMPLES}
    known = {"draw": SEARCHED, "figure": FIGURES, "game": GAMES, "horizon": examples}
    is_known = not name or name in known.get(words[2], [name])
    return words[:2] == ["halbzug", "explain"] and words[2] in explain.commands and is_known


def test_the_gains_of_techniques_are_the_measured_ones() -> None:
    measured = set(
        re.findall(r"\| (\d+ \| [+-]?\d+ \+/- \d+) \|", _read(DOCS, "explanation/strength.md"))
    )
    for folder in (ENGLISH, GERMAN):
        shown = re.findall(
            r"\| (\d+ \| [+-]?\d+ \+/- \d+) \|", _read(folder, "18-selective-search.md")
        )
        assert len(shown) == 9 and set(shown) <= measured


@pytest.mark.parametrize("folder", [ENGLISH, GERMAN], ids=["en", "de"])
def test_each_milestone_has_a_year_and_a_listed_source(folder: Path) -> None:
    before, _, rest = re.split("## (Sources|Quellen)\n", _read(folder, "20-milestones.md"))
    lines = re.findall("^- .*", rest.partition("\n## ")[0], flags=re.MULTILINE)
    listed = {(re.findall(r"\w+", line)[0], re.findall(r"\((\d{4})\)", line)[-1]) for line in lines}
    assert len(listed) == len(lines) >= 18
    rows = re.findall(r"^\| (\d{4}) \|.*\| ([^|]+) \|$", before, flags=re.MULTILINE)
    assert len(rows) >= 15 and [year for year, _ in rows] == sorted(year for year, _ in rows)
    for year, sources in rows:
        for source in sources.split(", "):
            assert tuple(source.split()) in listed
            assert year <= source.split()[1]


def test_the_milestones_have_the_same_years_and_sources_in_both_languages() -> None:
    texts = [_read(folder, "20-milestones.md") for folder in (ENGLISH, GERMAN)]
    for pattern in (r"^\| (\d{4}) \|.*\| ([^|]+) \|$", "^- .*"):
        found = [re.findall(pattern, text, flags=re.MULTILINE) for text in texts]
        assert found[0] == found[1] != []

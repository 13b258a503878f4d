"""The course as web pages, which link to each other and need nothing else.

The chapters are the Markdown files of `docs/course`, which are also part of the documentation. They
are installed with this room.
"""

from __future__ import annotations

import functools
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.language import reader_language, say
from ..display.page import page, read_part
from ..version import __version__

if TYPE_CHECKING:
    from markdown_it.token import Token

#: The chapters that are exported only on request.
FOR_LECTURERS = ("answers", "lecturers")

#: A command without `halbzug explain`, and without its options for the page and the language.
Words = tuple[str, ...]

_ROOM = "halbzug.teaching"
_COMMAND = "halbzug explain "
_NOT_PRINTED = "<style>@media print { nav { display: none; } }</style>\n"
_OPTION = re.compile(r"(?<!\S)--?[\w-]+")


@dataclass(frozen=True)
class CourseDrawing:
    """What a command of the course draws; a text is empty if the command does not make it.

    :ivar svg: the drawing.
    :ivar page: the page, such as a search to step through.
    """

    svg: str
    page: str


def course_pages(
    draw: Callable[[Words], CourseDrawing], *, has_answers: bool = False
) -> dict[str, str]:
    """The pages of the course, in the reader's language, by their file names.

    The first is `index.html`.

    :param draw: carries out a command, given as the words after `halbzug explain` without options
        for files and language.
    :param has_answers: whether to include the model answers and the table for lecturers.
    """
    return _Course(draw, has_answers).pages()


def _folder() -> Path:
    """The chapters: in this package, once it is installed, or in the documents of a checkout."""
    room = Path(__file__).resolve().parent
    installed = room / "course"
    return installed if installed.is_dir() else room.parents[1] / "docs/course"


class _Course:
    def __init__(self, draw: Callable[[Words], CourseDrawing], has_answers: bool) -> None:
        from markdown_it import MarkdownIt

        self._draw = functools.cache(draw)
        self._markdown = MarkdownIt().enable("table")
        self._chapters = {
            path.stem: self._markdown.parse(path.read_text(encoding="utf-8"))
            for path in sorted((_folder() / reader_language()).glob("*.md"))
            if has_answers or path.stem not in FOR_LECTURERS
        }
        self._titles = {name: tokens[1].content for name, tokens in self._chapters.items()}
        parts = [token for tokens in self._chapters.values() for token in tokens]
        #: The names that the chapters give to the pages of commands.
        self._named = {words: name for part in parts for words, name in _commands(part) if name}
        self._pages: dict[str, str] = {}
        self._back = ""  # the link from a page to the chapter that is being written

    def pages(self) -> dict[str, str]:
        (contents,) = (one.content for one in self._chapters["index"] if _directive(one, "toctree"))
        names = ["index", *(name for name in contents.split() if name in self._chapters)]
        for before, name, after in zip(["", *names], names, [*names[1:], ""], strict=False):
            title = f"←\N{NO-BREAK SPACE}{escape(self._titles[name])}"
            self._back = f'<nav><a href="{name}.html">{title}</a></nav>'
            self._pages[f"{name}.html"] = self._chapter(name, before, after)
        return self._pages

    def _chapter(self, name: str, before: str, after: str) -> str:
        links = [
            f'<a href="{one}.html">{arrows[0]}{escape(self._titles[one])}{arrows[1]}</a>'
            for one, arrows in (
                ("" if "index" in (name, before) else "index", ("", "")),
                (before, ("←\N{NO-BREAK SPACE}", "")),
                (after, ("", "\N{NO-BREAK SPACE}→")),
            )
            if one
        ]
        bar = f'<p class="chapters">{" ".join(links)}</p>'
        shown = self._shown(self._chapters[name])
        text = self._markdown.renderer.render(shown, self._markdown.options, {})
        course, title = self._titles["index"], self._titles[name]
        return page(
            escape(title if name == "index" else f"{title} - {course}"),
            style=f"{read_part(_ROOM, 'theory.css')}\n{read_part(_ROOM, 'course.css')}",
            script="",
            content=f"<header>{bar}</header>\n<main>\n{text}</main>\n"
            f"<footer>{bar}<p>Halbzug {__version__}, GPL-3.0-or-later</p></footer>",
            language=reader_language(),
        )

    # -- the parts of a chapter ------------------------------------------------------------------

    def _shown(self, tokens: list[Token]) -> list[Token]:
        """The parts of a chapter as they are shown, with links to the pages of commands."""
        shown: list[Token] = []
        for token in tokens:
            if _directive(token, "drawing"):
                shown.append(_html(self._figure(token)))
            elif token.type == "fence" and not _directive(token, "toctree"):
                code = escape(token.content.rstrip("\n"))
                block = f'<pre tabindex="0"><code>{code}</code></pre>\n'
                shown.append(_html(block + self._page_links(token)))
            elif token.type == "inline":
                shown.append(token)
            elif token.type == "paragraph_close" and self._is_left_out(shown[-1]):
                del shown[-2:]
            elif token.type == "paragraph_close":
                shown += [token, _html(self._page_links(shown[-1]))]
            elif token.type == "table_open":
                shown += [_html('<div class="wide" tabindex="0">'), token]
            elif token.type == "table_close":
                shown += [token, _html("</div>\n")]
            elif token.type not in ("fence", "html_block"):  # comments are for the tests
                shown.append(token)
        for token in shown:
            token.children = list(self._inside(token.children or []))
        return shown

    def _is_left_out(self, paragraph: Token) -> bool:
        """Whether a paragraph leads to a page for lecturers that is not exported."""
        links = {_chapter_of(part) for part in paragraph.children or []}
        return bool(links.intersection(FOR_LECTURERS).difference(self._chapters))

    def _inside(self, parts: list[Token]) -> Iterator[Token]:
        """The parts of a text with its pictures, and without links that lead out of the course."""
        is_link = True
        for part in parts:
            if part.type == "link_open":
                name = _chapter_of(part)
                is_link = name in self._chapters
                part.attrs["href"] = f"{name}.html"
            if part.type == "image":
                svg = (_folder() / Path(str(part.attrs["src"])).name).read_text(encoding="utf-8")
                title = f'<svg role="img" aria-label="{escape(part.content)}"'
                yield _html(svg[svg.index("<svg") :].replace("<svg", title, 1))
            elif part.type == "code_inline":
                yield _html(_code(part.content))
            elif is_link or part.type not in ("link_open", "link_close"):
                yield part

    # -- what commands draw ----------------------------------------------------------------------

    def _figure(self, fence: Token) -> str:
        """What a command draws, the command, and a link to the page that it makes."""
        command = fence.info.partition("} ")[2]
        ((words, _),) = _commands_in([command])
        drawing = self._draw(words)
        link = self._link(words, say("Step through it")) if drawing.page else ""
        return f"<figure>{drawing.svg}<figcaption>{_code(command)}</figcaption>{link}</figure>\n"

    def _page_links(self, part: Token) -> str:
        """Links to the pages that the commands in a part of a chapter make."""
        return "".join(
            self._link(words, say("Open {page}", page=name))
            for words, name in _commands(part)
            if name
        )

    def _link(self, words: Words, text: str) -> str:
        """A link to the page of a command, which becomes one of the course."""
        plain = re.sub("[^a-z0-9]+", "-", " ".join(words)).strip("-")
        name = self._named.get(words, f"{plain}.html")
        if name not in self._pages:  # the first chapter is the one that explains it
            start, body, rest = self._draw(words).page.partition("</head>\n<body>\n")
            self._pages[name] = start + _NOT_PRINTED + body + self._back + rest
        return f'<p class="page"><a href="{name}">{escape(text)}</a></p>\n'


def _html(text: str) -> Token:
    from markdown_it.token import Token

    return Token("html_block", "", 0, content=text)


def _code(text: str) -> str:
    """Code in a line, whose options are not broken behind their hyphens."""
    return "<code>" + _OPTION.sub(r"<span>\g<0></span>", escape(text)) + "</code>"


def _directive(token: Token, name: str) -> bool:
    return token.type == "fence" and token.info.startswith(f"{{{name}}}")


def _chapter_of(part: Token) -> str:
    """The chapter to which a link leads, without the end of its name."""
    return str(part.attrs.get("href", "")).removesuffix(".md")


def _commands(part: Token) -> Iterator[tuple[Words, str]]:
    """The commands in a part of a chapter, and the name of the page that each writes."""
    if part.type == "fence":
        return _commands_in(line.removeprefix("$ ") for line in part.content.splitlines())
    return _commands_in(one.content for one in part.children or [] if one.type == "code_inline")


def _commands_in(lines: Iterable[str]) -> Iterator[tuple[Words, str]]:
    for line in lines:
        if line.startswith(_COMMAND):
            words = shlex.split(line.removeprefix(_COMMAND))
            name = _taken(words, "--html")
            _taken(words, "--language")
            yield tuple(words), name


def _taken(words: list[str], option: str) -> str:
    """Take an option out of a command; its value."""
    if option not in words[:-1]:
        return ""
    place = words.index(option)
    value = words[place + 1]
    del words[place : place + 2]
    return value

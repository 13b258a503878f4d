"""Options of the commands that draw trees and boards, as pages or drawings."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ..base.language import LANGUAGES, VARIABLE, language_setting, speaking
from .paths import output_option

Command = Callable[..., Any]

HTML = output_option("--html", help="Write a page, for any browser.", takes_stream=True)
SVG = output_option("--svg", help="Write a drawing, for slides.", takes_stream=True)


def _speak(context: click.Context, _: click.Parameter, chosen: str | None) -> None:
    """Use a language until the command ends, also in the processes it starts.

    JSON is for programs: it is in the usual language unless another one is asked for.
    """
    try:
        language = chosen or ("en" if context.params.get("as_json") else language_setting())
    except ValueError as error:
        raise click.UsageError(str(error), context) from None
    context.with_resource(speaking(language))
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = language

    @context.call_on_close
    def restore() -> None:
        os.environ.pop(VARIABLE)
        if before is not None:
            os.environ[VARIABLE] = before


def language_option(help_text: str) -> Callable[[Any], Any]:
    """The language that the reader wants."""
    return click.option(
        "--language",
        type=click.Choice(LANGUAGES),
        expose_value=False,
        callback=_speak,
        help=f"{help_text}  [default: {VARIABLE}, or the locale]",
    )


LANGUAGE = language_option("Language of the output.")
JSON = click.option(
    "--json",
    "as_json",
    is_flag=True,
    is_eager=True,  # before the language
    help="Print one JSON object, for programs.",
)
ORDER = click.option(
    "--order",
    type=click.Choice(["given", "best", "worst"]),
    default="given",
    show_default=True,
    help="Which moves to search first.",
)


TITLE = click.option("--title", metavar="TEXT", help="Title of the page and the drawing.")
_UNSOLVED = click.option("--unsolved", is_flag=True, help="Draw the tree without its search.")
_NO_RESULTS = click.option(
    "--no-results", is_flag=True, help="Do not list the results of the searches on the page."
)
_STEP = click.option(
    "--step",
    type=click.IntRange(0),
    metavar="N",
    help="Draw the state after N steps.",
)

_WORKSHEET = output_option(
    "--worksheet", help="Write a page to print, with room for answers.", takes_stream=True
)
_KEY = output_option("--key", help="Write the solutions to print.", takes_stream=True)

#: Requested files, and a function that makes the text of each.
Files = list[tuple[Path | None, Callable[[], str]]]


@dataclass(frozen=True)
class Drawn:
    """How a result is written as a page and as a drawing.

    :ivar page: additional arguments for the page.
    :ivar drawing: additional arguments for the drawing.
    """

    html: Path | None
    svg: Path | None
    page: Mapping[str, Any]
    drawing: Mapping[str, Any]

    def files(self, found: Any) -> Files:
        """The pages and drawings of a result that has `html` and `svg`.

        :raises ValueError: if it cannot be drawn like that.
        """
        made: Files = []
        if self.html:
            page = found.html(**self.page)
            made.append((self.html, lambda: page))
        if self.svg:
            drawing = found.svg(**self.drawing)
            made.append((self.svg, lambda: drawing))
        return made


def drawn(command: Command) -> Command:
    """Add the options for pages and drawings; the command receives `Drawn`."""

    @functools.wraps(command)
    def call(
        *,
        html: Path | None,
        svg: Path | None,
        title: str | None = None,
        unsolved: bool = False,
        step: int | None = None,
        no_results: bool = False,
        **others: Any,
    ) -> Any:
        page: dict[str, Any] = {"title": title} if title else {}
        drawing = dict(page)
        if no_results:
            page["has_results"] = False
        if unsolved:
            drawing["is_solved"] = False
        if step is not None:
            drawing["step"] = step
        return command(drawn=Drawn(html, svg, page, drawing), **others)

    options: Command = HTML(SVG(LANGUAGE(call)))
    return options


def drawn_tree(command: Command) -> Command:
    """Add the options of `drawn`, and those of a tree with a search."""
    return TITLE(_NO_RESULTS(_UNSOLVED(drawn(command))))


def drawn_search(command: Command) -> Command:
    """Add the options of `drawn_tree`, and a step of the search."""
    return TITLE(_NO_RESULTS(_UNSOLVED(_STEP(drawn(command)))))


@dataclass(frozen=True)
class DrawnQuiz:
    """How quiz questions are written: as a page, and as printable pages.

    :ivar files_of: by the name of the method that makes each.
    """

    files_of: Mapping[str, Path | None]
    title: str | None

    def files(self, found: Any) -> Files:
        """The pages of questions that have methods with these names."""
        make = functools.partial
        return [
            (path, make(getattr(found, name), title=self.title))
            for name, path in self.files_of.items()
        ]


def drawn_quiz(command: Command) -> Command:
    """Add the options for quiz pages; the command receives `DrawnQuiz`."""

    @functools.wraps(command)
    def call(
        *,
        html: Path | None,
        worksheet: Path | None,
        key: Path | None,
        title: str | None,
        **others: Any,
    ) -> Any:
        files = {"html": html, "worksheet": worksheet, "key": key}
        return command(drawn=DrawnQuiz(files, title), **others)

    options: Command = HTML(_WORKSHEET(_KEY(TITLE(LANGUAGE(call)))))
    return options


def tree_size(depth: int, width: int) -> Callable[[Command], Command]:
    """The options for the tree of a position, with their defaults."""

    def size(*names: str, maximum: int, default: int, help: str) -> Callable[[Command], Command]:
        kind = click.IntRange(1, maximum)
        return click.option(
            *names, type=kind, default=default, show_default=True, metavar="N", help=help
        )

    wide = size(
        "--width", maximum=218, default=width, help="For a position: number of moves at each node."
    )
    deep = size(
        "-d",
        "--depth",
        maximum=8,
        default=depth,
        help="For a position: depth of the tree in plies.",
    )
    return lambda command: deep(wide(command))

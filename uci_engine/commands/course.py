"""`halbzug course`: the course on search in games, as pages for a class."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from ..base.language import reader_language, say
from ..display.drawing_options import LANGUAGE
from ..display.errors import one_line_errors
from ..display.paths import PathName
from .explain import explain

if TYPE_CHECKING:
    from ..teaching.course_pages import CourseDrawing, Words

EXAMPLES = """\b
Examples:
  halbzug course export course
  halbzug course export kurs.zip --language de
  halbzug course export for-me --answers
"""

#: Marks a folder as an export, which may be replaced.
CHECKSUMS = "halbzug-course.sha256"


@click.group()
def course() -> None:
    """The course on search in games, from noughts and crosses to AlphaZero."""


@course.command("export", epilog=EXAMPLES)
@click.argument("folder", metavar="FOLDER", type=PathName())
@LANGUAGE
@click.option(
    "--answers", is_flag=True, help="Include the model answers and the other pages for lecturers."
)
def export_course(folder: Path, answers: bool) -> None:
    """Write the course as web pages, for a class without Halbzug.

    The chapters, their drawings, searches to step through and a quiz work on any web server and
    from a disk; they load nothing from the network. FOLDER must be new, empty or an earlier export,
    which is replaced unless you have changed it. A name that ends in .zip makes a zip file for a
    learning platform. This command needs numpy.
    """
    from ..base.whole_file import WriteError
    from ..base.whole_folder import NotOursError, files_to_replace, write_folder, write_zip
    from ..teaching.course_pages import course_pages
    from ..teaching.tree_growth import load_engine

    is_zip = folder.suffix.lower() == ".zip"

    with one_line_errors(NotOursError, WriteError, ImportError):
        load_engine("policy-value")  # some drawings need numpy: say so before those that take time
        if not is_zip:
            files_to_replace(folder, CHECKSUMS)
        pages = course_pages(_draw, has_answers=answers)
        if is_zip:
            write_zip(folder, pages)
        else:
            write_folder(folder, pages, CHECKSUMS)
    first = folder if is_zip else folder / "index.html"
    click.echo(say("The course has {number} pages: {path}", number=len(pages), path=first))


def _draw(words: Words) -> CourseDrawing:
    """What `halbzug explain` draws for a chapter."""
    from ..teaching.course_pages import CourseDrawing

    command = explain.commands[words[0]]
    known = [one.name for one in command.params if one.name in ("svg", "html")]
    texts = dict.fromkeys(("svg", "html"), "")
    with TemporaryDirectory() as name, redirect_stdout(io.StringIO()):
        files = {kind: Path(name, kind) for kind in known if kind}
        options = [word for kind, path in files.items() for word in (f"--{kind}", str(path))]
        arguments = [*words, *options, "--language", reader_language()]
        with explain.make_context("halbzug explain", arguments) as context:
            explain.invoke(context)
        texts |= {kind: path.read_text(encoding="utf-8") for kind, path in files.items()}
    return CourseDrawing(texts["svg"], texts["html"])

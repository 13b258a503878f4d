"""`halbzug doctor`: what a bug report needs, in one screen, and what is wrong."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import click

from halbzug.console.options import book_option, tables_option

EXAMPLES = """\b
Examples:
  halbzug doctor
  halbzug doctor --book ~/books/mine.bin --tables /data/syzygy
  halbzug doctor --json
"""

_WIDTH = 79
_COLUMN = 15


@click.command(epilog=EXAMPLES)
@book_option("--book", help_text="Look at this book (your BookFile), not at that of Halbzug.")
@tables_option("--tables", "Look into your SyzygyPath, too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
def doctor(book: Path | None, tables: str, as_json: bool) -> int:
    """Examine this installation, for a bug report or because something is wrong.

    It takes a few seconds: it searches, and starts the engine as a chess program does. The exit
    code is 1 if anything is wrong; what it is and why stands at the end.
    """
    from halbzug.console.terminal import PlainConsole
    from halbzug.installation.diagnosis import Resources, examination_json, examine

    console = PlainConsole(soft_wrap=True)
    findings = []
    for finding in examine(Resources(book, tables)):
        findings.append(finding)
        if not as_json:
            style = "bold red" if finding.trouble else ""
            console.print(_wrap(finding.title, finding.text), style=style)
    troubles = [finding.trouble for finding in findings if finding.trouble]
    if as_json:
        click.echo(json.dumps(examination_json(findings)))
        return 1 if troubles else 0
    console.print()
    for trouble in troubles:
        console.print(_wrap("Wrong:", trouble), style="bold red")
    if not troubles:
        console.print("Nothing is wrong.", style="green")
    return 1 if troubles else 0


def _wrap(title: str, text: str) -> str:
    """A row of two columns; paths are not broken."""
    return textwrap.fill(
        text,
        _WIDTH,
        initial_indent=f"{title:<{_COLUMN}}",
        subsequent_indent=" " * _COLUMN,
        break_long_words=False,
        break_on_hyphens=False,
    )

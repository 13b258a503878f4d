"""`halbzug doctor`: examines the installation and prints one screen for a bug report."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import click

from ..display.common_options import book_option, tablebases_option

EXAMPLES = """\b
Examples:
  halbzug doctor
  halbzug doctor --book ~/books/mine.bin --tables /data/syzygy
  halbzug doctor --json
"""

_WIDTH = 79
_COLUMN = 15


@click.command(epilog=EXAMPLES)
@book_option("--book", help_text="Examine this book (your BookFile) instead of Halbzug's own.")
@tablebases_option("--tables", "Also examine the folders of your SyzygyPath.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
def doctor(book: Path | None, tablebase_paths: str, as_json: bool) -> int:
    """Examine this installation, for a bug report or because something is wrong.

    This takes a few seconds, because it searches and starts the engine like a chess program. If
    anything is wrong, the exit code is 1, and the last lines name the problem and its cause.
    """
    from ..display.terminal import PlainConsole
    from ..installation.diagnosis import Resources, examination_json, examine

    console = PlainConsole(soft_wrap=True)
    findings = []
    for finding in examine(Resources(book, tablebase_paths)):
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

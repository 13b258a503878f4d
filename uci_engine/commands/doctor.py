"""`halbzug doctor`: examines the installation, in one screen for a bug report."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click

from halbzug.console.paths import PathName

if TYPE_CHECKING:
    from halbzug.installation.diagnosis import CheckResult

EXAMPLES = """\b
Examples:
  halbzug doctor
  halbzug doctor --book ~/books/mine.bin --tables /data/syzygy
  halbzug doctor --json
"""

_WIDTH = 79
_COLUMN = 15


@click.command(epilog=EXAMPLES)
@click.option(
    "--book",
    type=PathName(),
    help="Examine this book (your BookFile) instead of Halbzug's own.",
)
@click.option(
    "--tables",
    "tablebase_paths",
    metavar="FOLDERS",
    default="",
    help="Also examine the folders of your SyzygyPath.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
def doctor(book: Path | None, tablebase_paths: str, as_json: bool) -> int:
    """Examine this installation, for a bug report or because something is wrong.

    This takes a few seconds: it searches, and starts the engine as a chess program does. If
    anything is wrong, the exit code is 1, and the last lines name it and its cause.
    """
    from halbzug.console.terminal import PlainConsole
    from halbzug.installation.diagnosis import Resources, examine

    console = PlainConsole(soft_wrap=True)
    findings = []
    for finding in examine(Resources(book, tablebase_paths)):
        findings.append(finding)
        if not as_json:
            style = "bold red" if finding.trouble else ""
            console.print(_wrap(finding.title, finding.text), style=style)
    troubles = [finding.trouble for finding in findings if finding.trouble]
    if as_json:
        click.echo(json.dumps(_as_json(findings)))
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


def _as_json(findings: list[CheckResult]) -> dict[str, object]:
    return {
        "ok": not any(finding.trouble for finding in findings),
        "troubles": [finding.trouble for finding in findings if finding.trouble],
        "checks": {
            finding.title: {"text": finding.text, "trouble": finding.trouble, **finding.facts}
            for finding in findings
        },
    }

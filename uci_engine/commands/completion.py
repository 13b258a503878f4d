"""`halbzug completion`: completion of the command line in a shell."""

from __future__ import annotations

import click

from ..display.completion import INSTALLATION, script

EXAMPLES = "\b\nTo install it, add this line:\n" + "".join(
    f"  {line:36} to {place}\n" for line, place in INSTALLATION.values()
)


@click.command(epilog=EXAMPLES)
@click.argument("shell", type=click.Choice(list(INSTALLATION)))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script that lets a shell complete commands, options and files."""
    click.echo(script(context.find_root().command, shell), nl=False)

"""`halbzug register`: adds the engine to chess programs."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ..base.text import on_one_line
from ..display.paths import PathName

EXAMPLES = """\b
Examples:
  halbzug register cutechess
  halbzug register pychess --name "Halbzug at home"
  halbzug register pychess my_engine.py
  halbzug register cutechess --remove
  halbzug register --print
"""


@click.command(epilog=EXAMPLES)
@click.argument("program", required=False, type=click.Choice(["cutechess", "pychess"]))
@click.argument("file", metavar="[FILE.py]", required=False, type=PathName(dir_okay=False))
@click.option("--remove", is_flag=True, help="Remove the engine from the list.")
@click.option(
    "--config",
    type=PathName(),
    help="The program's engines.json, if it is not in the usual place.",
)
@click.option("--name", metavar="NAME", help="The engine's name in the list.")
@click.option(
    "--print", "only_print", is_flag=True, help="Change nothing; show what to enter by hand."
)
def register(
    program: str | None,
    file: Path | None,
    remove: bool,
    config: Path | None,
    name: str | None,
    only_print: bool,
) -> None:
    """Add Halbzug, or the engine in a Python file (see halbzug run), to a chess program.

    The engine is added to the list of Cute Chess or PyChess, and the old list is kept beside it. A
    file is loaded to read its name, and is refused if that fails. For a Flatpak, the engine is
    added to the list of the Flatpak, with a script that starts it. --print shows instructions for
    Arena, BanksiaGUI, Scid, Nibbler, En Croissant and lichess-bot.
    """
    from ..installation.engine_list import ListError
    from ..installation.installed import NotInstalledError, command_path
    from ..installation.instructions import instructions
    from ..installation.programs import PROGRAMS, Command
    from ..installation.registration import find_lists, name_in

    if name is not None and (not name.strip() or name != on_one_line(name)):
        raise click.UsageError("--name needs a printable name")
    if program is None and not only_print:
        raise click.UsageError("name a program, cutechess or pychess, or use --print for others")
    if program is None and (remove or config or name):
        raise click.UsageError("--print without a program takes no other options")
    if only_print and remove:
        raise click.UsageError("--print and --remove cannot be combined")
    try:
        if program is None:
            click.echo(instructions(command_path()), nl=False)
            return
        if file is not None and not remove and not file.is_file():
            raise click.BadParameter(f"there is no file {file}", param_hint="FILE.py")
        own_name = name_in(file) if file and not remove else ""
        command = Command(command_path(), str(file.absolute()) if file else "", own_name)
        gui = PROGRAMS[program]
        found = find_lists(gui, config, command)
        for reason in found.left_alone:
            click.echo(reason, err=True)
        if only_print:
            for target in found.targets:
                entry = gui.new_entry(name or command.usual_name, target.command)
                click.echo(f"An element of the list in {target.path}:")
                click.echo(json.dumps(entry, indent=2))
            return
        for line in found.remove(name) if remove else found.add(name):
            click.echo(line)
    except (ListError, NotInstalledError) as error:
        raise click.ClickException(str(error)) from None

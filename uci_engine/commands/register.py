"""`halbzug register`: enters the engine into chess programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from halbzug.console.paths import PathName

if TYPE_CHECKING:
    from halbzug.installation.engine_list import EngineList
    from halbzug.installation.programs import Program

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
    help="The program's engines.json, if it is not in its usual place.",
)
@click.option("--name", metavar="NAME", help="The engine's name in the list.")
@click.option(
    "--print", "only_print", is_flag=True, help="Write nothing; show what to enter by hand."
)
def register(
    program: str | None,
    file: Path | None,
    remove: bool,
    config: Path | None,
    name: str | None,
    only_print: bool,
) -> None:
    """Enter Halbzug into a chess program, or the engine in a Python file (see halbzug run).

    The engine is added to the list of Cute Chess or PyChess, and the old list is kept beside it.
    With --print, instructions for Arena, BanksiaGUI, Scid, Nibbler, En Croissant and lichess-bot
    are shown.
    """
    from halbzug.installation.engine_list import EngineList, ListError
    from halbzug.installation.installed import NotInstalledError, command_path
    from halbzug.installation.instructions import instructions
    from halbzug.installation.programs import PROGRAMS, Command

    if name is not None and (not name.strip() or not name.isprintable()):
        raise click.UsageError("--name wants a printable name")
    if program is None and not only_print:
        raise click.UsageError("which program, cutechess or pychess? Or --print for others")
    if program is None and (remove or config or name):
        raise click.UsageError("--print without a program takes no other options")
    if only_print and remove:
        raise click.UsageError("--print writes nothing and removes nothing")
    try:
        if program is None:
            click.echo(instructions(command_path()), nl=False)
            return
        if file is not None and not remove and not file.is_file():
            raise click.BadParameter(f"there is no file {file}", param_hint="FILE.py")
        command = Command(command_path(), str(file.absolute()) if file else "")
        gui = PROGRAMS[program]
        path = config or gui.list_path()
        path = path / "engines.json" if path.is_dir() else path
        if only_print:
            entry = gui.new_entry(name or command.usual_name, command)
            click.echo(f"An element of the list in {path}:\n{json.dumps(entry, indent=2)}")
            return
        engines = EngineList(path, gui.indent)
        if remove:
            _report_removal(gui, engines, gui.remove(engines, name, command))
        else:
            _report(gui, engines, gui.add(engines, name, command))
    except (ListError, NotInstalledError) as error:
        raise click.ClickException(str(error)) from None


def _report(gui: Program, engines: EngineList, name: str) -> None:
    if not engines.has_changed:
        click.echo(f"{name} is in {engines.path} already, and up to date.")
        return
    backup = engines.save()
    click.echo(f"{name} is now in the engines of {gui.title}: {engines.path}")
    _say_what_else(gui, backup)
    click.echo(f"To play: {gui.next_step.format(name=name)}.")


def _report_removal(gui: Program, engines: EngineList, names: list[str]) -> None:
    if not names:
        click.echo(f"It is not in {engines.path}: nothing to remove.")
        return
    backup = engines.save()
    click.echo(f"{', '.join(names)} is no longer in the engines of {gui.title}: {engines.path}")
    _say_what_else(gui, backup)


def _say_what_else(gui: Program, backup: Path | None) -> None:
    if backup:
        click.echo(f"The old list: {backup}")
    click.echo(f"If {gui.title} is running, close it and repeat this: it has its own copy.")

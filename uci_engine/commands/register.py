"""`halbzug register`: enters the engine into chess programs."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from halbzug.console.paths import PathName
from halbzug.reasons import reason_of

if TYPE_CHECKING:
    from halbzug.installation.engine_list import EngineList
    from halbzug.installation.programs import Command, Program
    from halbzug.installation.sandboxes import Sandbox

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
    If the program is a Flatpak, its list there gets it, and a script that starts it.
    With --print, instructions for Arena, BanksiaGUI, Scid, Nibbler, En Croissant and lichess-bot
    are shown.
    """
    from halbzug.installation.engine_list import ListError
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
        for target in _targets(gui, config, command):
            if only_print:
                entry = gui.new_entry(name or command.usual_name, target.command)
                click.echo(f"An element of the list in {target.path}:")
                click.echo(json.dumps(entry, indent=2))
            elif remove:
                _remove(gui, target, name)
            else:
                _add(gui, target, name, command.program)
    except (ListError, NotInstalledError) as error:
        raise click.ClickException(str(error)) from None


@dataclass(frozen=True)
class _Target:
    """A list, and what starts Halbzug from there.

    :param flatpak: the sandbox in which the command is a script.
    """

    path: Path
    command: Command
    flatpak: Sandbox | None = None


def _targets(gui: Program, config: Path | None, command: Command) -> list[_Target]:
    """The list that was named, or those that are there; the usual one if there is none.

    :raises ListError: if the program runs in a Snap alone.
    """
    from halbzug.installation.engine_list import ListError
    from halbzug.installation.sandboxes import script_path

    if config is not None:
        return [_Target(config / "engines.json" if config.is_dir() else config, command)]
    usual = gui.list_path()
    found = gui.sandboxed_lists()
    targets = [_Target(usual, command)] if usual.parent.exists() or not found else []
    snaps = [sandbox for sandbox, _ in found if not sandbox.is_flatpak]
    targets += [
        _Target(path, replace(command, program=str(script_path(path.parent))), sandbox)
        for sandbox, path in found
        if sandbox.is_flatpak
    ]
    for snap in snaps:
        reason = f"{gui.title} in {snap.title} can start no engine that is outside of it"
        if not targets:
            raise ListError(
                f"{reason}: install {gui.title} in another way, or see the "
                'documentation, "In a sandbox"'
            )
        click.echo(f"{reason}; its list was left alone.", err=True)
    return targets


def _add(gui: Program, target: _Target, name: str | None, program: str) -> None:
    from halbzug.installation.engine_list import EngineList
    from halbzug.installation.sandboxes import write_script

    engines = EngineList(target.path, gui.indent)
    entered = gui.add(engines, name, target.command)
    if target.flatpak:
        script = Path(target.command.program)
        try:
            write_script(script, program)
        except OSError as error:
            raise click.ClickException(f"cannot write {script}: {reason_of(error)}") from None
    _report(gui, engines, entered)
    if target.flatpak:
        click.echo(f"To permit {target.flatpak.title} to start it, once:")
        click.echo(f"  {target.flatpak.permission}")


def _remove(gui: Program, target: _Target, name: str | None) -> None:
    from halbzug.installation.engine_list import EngineList

    engines = EngineList(target.path, gui.indent)
    _report_removal(gui, engines, gui.remove(engines, name, target.command))
    script = target.command.program
    if target.flatpak and not any(script in str(one.get("command")) for one in engines.entries):
        Path(script).unlink(missing_ok=True)


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

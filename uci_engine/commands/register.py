"""`halbzug register`: enters the engine into chess programs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from halbzug.console.paths import PathName

if TYPE_CHECKING:
    from halbzug.installation.engine_list import EngineList
    from halbzug.installation.programs import Program
    from halbzug.installation.sandboxes import Sandbox

EXAMPLES = """\b
Examples:
  halbzug register cutechess
  halbzug register pychess --name "Halbzug at home"
  halbzug register cutechess --remove
  halbzug register --print
"""


@click.command(epilog=EXAMPLES)
@click.argument("program", required=False, type=click.Choice(["cutechess", "pychess"]))
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
    program: str | None, remove: bool, config: Path | None, name: str | None, only_print: bool
) -> None:
    """Enter Halbzug into a chess program.

    The engine is added to the list of Cute Chess or PyChess, and the old list is kept beside it.
    If the program is a Flatpak, its list there gets it, and a script that starts it.
    With --print, instructions for Arena, BanksiaGUI, Scid, Nibbler, En Croissant and lichess-bot
    are shown.
    """
    from halbzug.installation.engine_list import ListError
    from halbzug.installation.installed import NotInstalledError, command_path
    from halbzug.installation.instructions import instructions
    from halbzug.installation.programs import DEFAULT_NAME, PROGRAMS

    if name is not None and (not name.strip() or not name.isprintable()):
        raise click.UsageError("--name wants a printable name")
    if program is None and not only_print:
        raise click.UsageError("which program, cutechess or pychess? Or --print for others")
    if program is None and (remove or config or name):
        raise click.UsageError("--print without a program takes no other options")
    if only_print and remove:
        raise click.UsageError("--print writes nothing and removes nothing")
    try:
        command = command_path()
        if program is None:
            click.echo(instructions(command), nl=False)
            return
        gui = PROGRAMS[program]
        for target in _targets(gui, config, command):
            if only_print:
                entry = gui.new_entry(name or DEFAULT_NAME, gui.command(target.command))
                click.echo(f"An element of the list in {target.path}:")
                click.echo(json.dumps(entry, indent=2))
            elif remove:
                _remove(gui, target, name)
            else:
                _add(gui, target, name, command)
    except (ListError, NotInstalledError) as error:
        raise click.ClickException(str(error)) from None


@dataclass(frozen=True)
class _Target:
    """A list, and what starts Halbzug from there.

    :param flatpak: the sandbox in which the command is a script.
    """

    path: Path
    command: str
    flatpak: Sandbox | None = None


def _targets(gui: Program, config: Path | None, command: str) -> list[_Target]:
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
        _Target(path, str(script_path(path.parent)), sandbox)
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


def _add(gui: Program, target: _Target, name: str | None, command: str) -> None:
    from halbzug.installation.engine_list import EngineList, ListError
    from halbzug.installation.sandboxes import write_script

    engines = EngineList(target.path, gui.indent)
    entered = gui.add(engines, name, target.command)
    if target.flatpak:
        try:
            write_script(Path(target.command), command)
        except OSError as error:
            raise ListError(f"cannot write {target.command}: {error.strerror}") from None
    _report(gui, engines, entered)
    if target.flatpak:
        click.echo(f"To permit {target.flatpak.title} to start it, once:")
        click.echo(f"  {target.flatpak.permission}")


def _remove(gui: Program, target: _Target, name: str | None) -> None:
    from halbzug.installation.engine_list import EngineList

    engines = EngineList(target.path, gui.indent)
    _report_removal(gui, engines, gui.remove(engines, name, target.command))
    commands = [entry.get("command") for entry in engines.entries]
    if target.flatpak and gui.command(target.command) not in commands:
        Path(target.command).unlink(missing_ok=True)


def _report(gui: Program, engines: EngineList, name: str) -> None:
    if not engines.has_changed:
        click.echo(f"{name} is in {engines.path} already, and up to date.")
        return
    backup = engines.save()
    click.echo(f"{name} is now in the engines of {gui.title}: {engines.path}")
    _say_what_else(gui, backup)
    click.echo(f"To play: {gui.next_step}.")


def _report_removal(gui: Program, engines: EngineList, names: list[str]) -> None:
    if not names:
        click.echo(f"Halbzug is not in {engines.path}: nothing to remove.")
        return
    backup = engines.save()
    click.echo(f"{', '.join(names)} is no longer in the engines of {gui.title}: {engines.path}")
    _say_what_else(gui, backup)


def _say_what_else(gui: Program, backup: Path | None) -> None:
    if backup:
        click.echo(f"The old list: {backup}")
    click.echo(f"If {gui.title} is running, close it and repeat this: it has its own copy.")

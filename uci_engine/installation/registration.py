"""Enters the engine into a chess program's lists, in its usual place and in sandboxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ..base.launch import run_command
from ..base.os_errors import reason_of
from ..client.engine_errors import UciError
from .engine_list import EngineList, ListError
from .programs import Command, Program
from .sandboxes import Sandbox, script_path, write_script


@dataclass(frozen=True)
class Target:
    """A list, and the command that starts Halbzug from there.

    :param flatpak: the sandbox in which the command is a script.
    """

    path: Path
    command: Command
    flatpak: Sandbox | None = None


@dataclass(frozen=True)
class Registration:
    """The lists of a chess program into which a command can be entered.

    :param left_alone: why sandboxes' lists are not among them, a sentence each.
    """

    program: Program
    command: Command
    targets: tuple[Target, ...]
    left_alone: tuple[str, ...] = ()

    def add(self, name: str | None) -> Iterator[str]:
        """Enter the command into each list.

        :param name: of the engine; None keeps the name of its entry, or uses the default.
        :returns: what was done, one line at a time.
        :raises ListError: if a list or a script cannot be read or written.
        """
        for target in self.targets:
            yield from self._add(target, name)

    def remove(self, name: str | None) -> Iterator[str]:
        """Remove the command from each list.

        :param name: remove only the entry with this name.
        :returns: what was done, one line at a time.
        :raises ListError: if a list cannot be read or written.
        """
        for target in self.targets:
            yield from self._remove(target, name)

    def _add(self, target: Target, name: str | None) -> Iterator[str]:
        engines = EngineList(target.path, self.program.indent)
        entered = self.program.add(engines, name, target.command)
        if target.flatpak:
            script = Path(target.command.program)
            try:
                write_script(script, self.command.program)
            except OSError as error:
                raise ListError(f"cannot write {script}: {reason_of(error)}") from None
        if engines.has_changed:
            backup = engines.save()
            yield f"{entered} is now in the engines of {self.program.title}: {engines.path}"
            yield from self._what_else(backup)
            yield f"To play: {self.program.next_step.format(name=entered)}."
        else:
            yield f"{entered} is already in {engines.path} and up to date."
        if target.flatpak:
            yield f"To permit {target.flatpak.title} to start it, once:"
            yield f"  {target.flatpak.permission}"

    def _remove(self, target: Target, name: str | None) -> Iterator[str]:
        engines = EngineList(target.path, self.program.indent)
        names = self.program.remove(engines, name, target.command)
        if names:
            backup = engines.save()
            title = self.program.title
            yield f"{', '.join(names)} is no longer in the engines of {title}: {engines.path}"
            yield from self._what_else(backup)
        else:
            yield f"It is not in {engines.path}: nothing to remove."
        script = target.command.program
        if target.flatpak and not any(script in str(one.get("command")) for one in engines.entries):
            Path(script).unlink(missing_ok=True)

    def _what_else(self, backup: Path | None) -> Iterator[str]:
        if backup:
            yield f"The old list: {backup}"
        title = self.program.title
        yield f"If {title} is running, close it and repeat this: it has its own copy."


def name_in(file: Path) -> str:
    """Start the engine in a Python file to find out its name.

    :raises ListError: with the engine's message, if the file cannot play.
    """
    from ..client.blocking import BlockingClient

    try:
        client = BlockingClient(file.name, run_command(str(file), "--patient"))
    except (UciError, ValueError) as error:
        raise ListError(str(error)) from None
    try:
        for mistake in client.take_mistakes():
            raise ListError(mistake.text)
        return client.id.get("name", "")
    finally:
        client.close()


def find_lists(program: Program, config: Path | None, command: Command) -> Registration:
    """The list that was named, or those that exist; the usual one if there are none.

    :param config: the list, or its folder.
    :raises ListError: if the program runs only in a Snap.
    """
    if config is not None:
        path = config / "engines.json" if config.is_dir() else config
        return Registration(program, command, (Target(path, command),))
    usual = program.list_path()
    found = program.sandboxed_lists()
    targets = [Target(usual, command)] if usual.parent.exists() or not found else []
    targets += [
        Target(path, replace(command, program=str(script_path(path.parent))), sandbox)
        for sandbox, path in found
        if sandbox.is_flatpak
    ]
    title = program.title
    reasons = [
        f"{title} in {sandbox.title} cannot start an engine outside of it"
        for sandbox, _ in found
        if not sandbox.is_flatpak
    ]
    if reasons and not targets:
        advice = f'install {title} in another way, or see the documentation, "In a sandbox"'
        raise ListError(f"{reasons[0]}: {advice}")
    left_alone = tuple(f"{reason}; its list was not changed." for reason in reasons)
    return Registration(program, command, tuple(targets), left_alone)

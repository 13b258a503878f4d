"""The engine of a session, Halbzug or a user's file, and its options."""

from __future__ import annotations

from typing import NamedTuple

from ..base.events import Introduction
from ..engine.options import ENGINE_OPTIONS, Option, Options
from ..version import __version__
from ..workers.worker import WorkerProgram
from .session_options import OPTIONS, Defaults, declarations, option_of_file

UNKNOWN_AUTHOR = "unknown"

#: `Options` fields by option name.
FIELDS = {option.name: field for field, option in ENGINE_OPTIONS.items()}


class Guest(NamedTuple):
    """An engine other than Halbzug itself: a user's file, run by our processes.

    :param name: used until it has introduced itself.
    :param options: those of our options that it also has.
    :param values: their defaults.
    :param is_strict: whether the session ends at the file's first mistake, except for being late:
        then, and always without it, another move is played in its place.
    :param is_patient: whether `uci` waits as long for the file as with a strict guest.
    """

    program: WorkerProgram
    name: str
    options: tuple[Option, ...]
    values: Options
    is_strict: bool = False
    is_patient: bool = False


class Identity:
    """Who plays: Halbzug, or a guest's file once it has introduced itself.

    :param defaults: option defaults from the environment.
    :ivar guest: None for Halbzug itself.
    :ivar introduction: the guest's.
    :ivar file_options: declared by its file.
    """

    def __init__(self, guest: Guest | None, defaults: Defaults) -> None:
        self.introduction: Introduction | None = None
        self.file_options: tuple[Option, ...] = ()
        self.guest = guest
        self._defaults = defaults

    @property
    def options(self) -> tuple[Option, ...]:
        """The declared options."""
        if self.guest is None:
            return OPTIONS
        return (*self.guest.options, *self.file_options)

    def lines(self) -> list[str]:
        """The answer to `uci`: the identity, and the options with their defaults."""
        name, author = f"Halbzug {__version__}", "the Halbzug developers"
        if self.guest:
            name, author = self.guest.name, UNKNOWN_AUTHOR
        if self.introduction:
            name = self.introduction.name or name
            author = self.introduction.author or author
        options = declarations(self._declared_defaults(), self.options)
        return [f"id name {name}", f"id author {author}", *options]

    def _declared_defaults(self) -> Defaults:
        """The defaults that differ from those of the records."""
        if self.guest is None:
            return self._defaults
        values = self.guest.values
        fields = {name: getattr(values, field) for name, field in FIELDS.items()}
        return {**fields, **self._defaults}

    def meet(self, introduction: Introduction) -> list[str]:
        """Record the guest's identity and options; return what is wrong with them."""
        self.introduction = introduction
        complaints = []
        taken = {option.name.lower() for option in OPTIONS}
        options: list[Option] = []
        for option in introduction.options:
            if option.name.lower() in taken:
                complaints.append(
                    f"the option {option.name} of the file is one of the engine's own"
                )
            else:
                options.append(option_of_file(option))
            taken.add(option.name.lower())
        self.file_options = tuple(options)
        return complaints

"""Turns errors from lower rooms into the one line with which a command ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from ..base.os_errors import words_of


@contextmanager
def one_line_errors(*kinds: type[Exception]) -> Iterator[None]:
    """A context that ends a command with the text of an error.

    :param kinds: exception classes whose text is one line for the user.
    :raises click.ClickException: in place of these errors.
    """
    try:
        yield
    except kinds as error:
        raise click.ClickException(words_of(error)) from None


def parsed_by(parse: Callable[[str], Any]) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """A callback for an option whose value, or each of its values, is parsed by a function.

    :param parse: its `ValueError` becomes a usage error.
    """

    def read(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        try:
            if isinstance(value, tuple):
                return tuple(map(parse, value))
            return None if value is None else parse(value)
        except ValueError as error:
            raise click.BadParameter(words_of(error), context, parameter) from None

    return read

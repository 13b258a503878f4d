"""Turns errors of the rooms below into the one line with which a command ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click


@contextmanager
def one_line_errors(*kinds: type[Exception]) -> Iterator[None]:
    """A context that ends a command with the text of an error.

    :param kinds: classes of errors whose text is one line for the user.
    :raises click.ClickException: in place of these errors.
    """
    try:
        yield
    except kinds as error:
        raise click.ClickException(" ".join(str(error).split())) from None

"""How an error of the user's becomes the one line with which a command ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click


@contextmanager
def one_line_errors(*kinds: type[Exception]) -> Iterator[None]:
    """Let a command end with what an error says.

    :param kinds: which errors; those that say in words for the user what is wrong.
    :raises click.ClickException: instead of them.
    """
    try:
        yield
    except kinds as error:
        raise click.ClickException(" ".join(str(error).split())) from None

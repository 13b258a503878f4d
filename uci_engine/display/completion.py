"""Shell completion of the command line: the shell asks the command itself, as click provides."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import CompletionItem, ShellComplete, get_completion_class

from . import COMPLETION

#: The line that installs it, and the file in which to put it.
INSTALLATION = {
    "bash": ('eval "$(halbzug completion bash)"', "~/.bashrc, for bash 4.4 or newer"),
    "zsh": ('eval "$(halbzug completion zsh)"', "~/.zshrc, after compinit"),
    "fish": ("halbzug completion fish | source", "~/.config/fish/config.fish"),
}


def script(command: click.Command, shell: str) -> str:
    """The script that a shell has to run, with installation instructions."""
    kind = get_completion_class(shell)
    assert kind is not None
    line, place = INSTALLATION[shell]
    # Not a subclass's source(): bash's would run bash to check its version.
    source = ShellComplete.source(kind(command, {}, "halbzug", COMPLETION))
    return f"# To install this, add to {place}:\n#   {line}\n{source}"


# The result is a list of CompletionItem, which is generic in newer versions of click only.
def files(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[Any]:
    """Complete a file name, in an argument that may be one."""
    return [CompletionItem(incomplete, type="file")]

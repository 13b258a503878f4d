"""How a shell completes the command line: by asking the command itself, as click has it."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import CompletionItem, ShellComplete, get_completion_class

from . import COMPLETION

#: The line that installs it, and the file that it belongs into.
INSTALLATION = {
    "bash": ('eval "$(halbzug completion bash)"', "~/.bashrc, for bash 4.4 or newer"),
    "zsh": ('eval "$(halbzug completion zsh)"', "~/.zshrc, after compinit"),
    "fish": ("halbzug completion fish | source", "~/.config/fish/config.fish"),
}


def script(command: click.Command, shell: str) -> str:
    """What a shell has to run, with how to install it."""
    kind = get_completion_class(shell)
    assert kind is not None
    line, place = INSTALLATION[shell]
    # Not the source() of a subclass: that for bash runs bash, to look at its version.
    source = ShellComplete.source(kind(command, {}, "halbzug", COMPLETION))
    return f"# To install this, add to {place}:\n#   {line}\n{source}"


# The result is a list of CompletionItem, which newer clicks have generic, and older ones not.
def files(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[Any]:
    """Complete the name of a file, in an argument that may be one."""
    return [CompletionItem(incomplete, type="file")]

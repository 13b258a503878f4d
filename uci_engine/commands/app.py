"""The command `halbzug` with arguments: runs a command, and reports its errors.

Every error that a user can cause produces one line on standard error and a non-zero exit code. A
closed pipe (`halbzug ... | head`) or a signal ends it without a message. An interrupt is handled in
`halbzug.__main__`.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from importlib import import_module

import click
from click.shell_completion import shell_complete

from ..base.language import speaking
from ..base.os_errors import words_of
from ..base.whole_file import WriteError
from ..display import COMPLETION, ending
from ..display.streams import make_visible
from ..version import __version__
from ..workers.messages import NO_THREADS

#: Each is defined in the module of its name.
COMMANDS = (
    "analyse",
    "bench",
    "board",
    "book",
    "completion",
    "course",
    "doctor",
    "explain",
    "export",
    "match",
    "new",
    "perft",
    "play",
    "puzzles",
    "rate",
    "register",
    "run",
    "tablebases",
    "tournament",
    "train",
)

#: The usual exit codes of shells: an error, wrong use, 128 + SIGPIPE.
FAILED, USAGE, CLOSED_PIPE = 1, 2, 141

#: This plus the number of a signal is its exit code.
_SIGNALLED = 128


def _print_version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if not wanted or context.resilient_parsing:
        return
    import platform

    from ..installation.build_report import describe_builds

    click.echo(f"Halbzug {__version__} ({describe_builds()}; Python {platform.python_version()})")
    context.exit()


class _Commands(click.Group):
    """Imports a command when it is needed."""

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted({*COMMANDS, *super().list_commands(context)})

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return super().get_command(context, name)
        command: click.Command = getattr(import_module(f"..{name}", __name__), name)
        return command


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 90},
    epilog="`halbzug COMMAND --help` describes a command.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and the build, and exit.",
)
def halbzug() -> None:
    """Halbzug, a chess engine based on python-chess.

    Without a command, halbzug is the UCI engine that chess programs load. The commands below are
    for people at a terminal.
    """


def main(arguments: list[str]) -> int:
    """Run one command.

    :param arguments: the arguments after the name of the program.
    :returns: the exit code.
    """
    # click's own `main` is not used, because it prints usage errors as a paragraph and exits with
    # 1 after an interrupt.
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            # Characters that a terminal cannot encode or decode are not errors.
            stream.reconfigure(errors="replace")
    make_visible()
    ending.listen()
    try:
        if question := os.environ.pop(COMPLETION, ""):
            return shell_complete(halbzug, {}, "halbzug", COMPLETION, question)
        # A command that has the option `--language` asks for the reader's.
        with speaking("en"), halbzug.make_context("halbzug", arguments) as context:
            code = halbzug.invoke(context)
        sys.stdout.flush()
        return int(code or 0)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return USAGE
    except click.ClickException as error:
        _complain(error)
        return error.exit_code
    except KeyboardInterrupt:
        number = ending.signal_that_came()
        if number is None:
            raise
        try:
            sys.stdout.flush()
        except OSError:
            _discard_output()
        return _SIGNALLED + number
    except WriteError as error:
        _complain(click.ClickException(str(error)))
        return FAILED
    except RuntimeError as error:
        if "start new thread" not in str(error):  # Python has no separate class for that
            raise
        _complain(click.ClickException(NO_THREADS))
        return FAILED
    except OSError as error:
        number = ending.signal_that_came()
        if number is not None:  # the terminal was closed with the signal
            _discard_output()
            return _SIGNALLED + number
        if not _is_closed_pipe(error):
            # Known errors were handled before; this is for errors such as a full disk.
            place = f"{error.filename}: " if error.filename else ""
            _complain(click.ClickException(f"{place}{error.strerror or words_of(error)}"))
        _discard_output()
        return CLOSED_PIPE if _is_closed_pipe(error) else FAILED


def _complain(error: click.ClickException) -> None:
    """Print one line that says what is wrong and where to find help."""
    message = " ".join(error.format_message().split()) or words_of(error)
    hint = ""
    if isinstance(error, click.UsageError) and error.ctx:
        hint = f" (see {error.ctx.command_path} --help)"
    click.echo(f"halbzug: {message}{hint}", err=True)


def _is_closed_pipe(error: OSError) -> bool:
    # On Windows a pipe without a reader fails with "invalid argument"; a file does not.
    return isinstance(error, BrokenPipeError) or (
        sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None
    )


def _discard_output() -> None:
    """Discard buffered output, which would fail again at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)

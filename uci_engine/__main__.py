"""The command `halbzug`: with no arguments the UCI engine, otherwise the command line."""

from __future__ import annotations

import sys

from .base.script_folder import put_last

if __name__ == "__main__" and not getattr(sys, "frozen", False):
    put_last()

import contextlib
import os
import runpy
import signal

from .base.loading import describe, load, use_own_python_chess
from .display import COMPLETION

INTERRUPTED = 130  # the exit code that shells give for SIGINT: 128 + 2


def main() -> int:
    """Run the engine or a command, and return the exit code."""
    use_own_python_chess()
    closed = _replace_closed_streams()
    if getattr(sys, "frozen", False):
        _be_a_good_parent()
    if getattr(sys, "frozen", False) and sys.argv[1:2] == ["-m"]:
        # The stand-alone executable has no Python beside it, so it also runs the modules of its
        # child processes.
        module = sys.argv[2]
        del sys.argv[1:3]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        return 0
    if len(sys.argv) > 1 or COMPLETION in os.environ:
        return _run_command()
    for name in ("input", "output"):
        if name in closed:  # no command could be read, or no answer written
            print(f"halbzug: standard {name} is closed", file=sys.stderr)
            return 1
    code = _serve()
    # The reader thread may still be in a blocking read, which cannot be interrupted.
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    os._exit(code)


def _replace_closed_streams() -> list[str]:
    """Put the null device where a standard stream is closed.

    Otherwise a file that is opened later gets its number, and output is written into that file.

    :returns: the names of those that were closed: input, output, errors.
    """
    closed = []
    places = (("input", "stdin", "r"), ("output", "stdout", "w"), ("errors", "stderr", "w"))
    for number, (name, attribute, mode) in enumerate(places):
        if getattr(sys, attribute) is not None:
            continue
        closed.append(name)
        null = os.open(os.devnull, os.O_RDWR)
        if null < number or (null > number and not _is_open(number)):
            os.dup2(null, number)
            os.close(null)
            null = number
        os.set_inheritable(null, True)
        setattr(sys, attribute, os.fdopen(null, mode, encoding="utf-8", errors="replace"))
    return closed


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _be_a_good_parent() -> None:
    """Give other programs, such as another engine, their own libraries and not ours.

    See "Launching external programs" in PyInstaller's "Common Issues and Pitfalls".
    """
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LIBPATH"):
        original = os.environ.pop(f"{name}_ORIG", None)
        if original is not None:
            os.environ[name] = original
        else:
            os.environ.pop(name, None)


def _run_command() -> int:
    try:
        reason = load("halbzug.search.search")[1]
        app, _ = load("halbzug.commands.app")
        if reason and COMPLETION not in os.environ:
            print(f"halbzug: {reason}; going on in pure Python, much slower", file=sys.stderr)
        return int(app.main(sys.argv[1:]))
    except ImportError as error:
        print(f"halbzug: cannot start: {describe(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:  # at any time, loading or working
        return INTERRUPTED


def _serve() -> int:
    """Run the UCI session. If the engine cannot start, tell the chess program why."""
    if not sys.stdin.isatty():
        # Ctrl-C in the terminal that started a chess program reaches the engine as well. The
        # program decides whether the game ends: it sends `quit`, or closes the pipe.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        module, _ = load("halbzug.uci.session")
        session = module.Session(sys.stdin.buffer, sys.stdout.buffer)
    except Exception as error:
        import traceback

        from .uci.startup_error import StartupErrorSession

        details = traceback.format_exc()
        StartupErrorSession(sys.stdin.buffer, sys.stdout.buffer, describe(error), details).run()
        return 1
    if sys.stdin.isatty() and sys.stdout.isatty():
        session.greet()
    session.run()
    if session.write_error:
        reason = session.write_error.strerror
        print(f"halbzug: cannot write to standard output: {reason}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

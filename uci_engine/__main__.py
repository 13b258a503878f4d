"""The command `kiebitz`: with no arguments the UCI engine, otherwise the command line."""

from __future__ import annotations

import contextlib
import os
import sys


def main() -> int:
    """Run; the exit code is returned."""
    if len(sys.argv) > 1:
        from uci_engine.commands.app import main as run_command

        return run_command(sys.argv[1:])

    if sys.stdin is None or sys.stdout is None:
        return 1  # started without pipes: nobody can ask, or nobody would hear the answer

    from uci_engine.uci.session import Session

    Session(sys.stdin.buffer, sys.stdout.buffer).run()
    # The reader thread may still sit in a blocking read that nothing can interrupt.
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())

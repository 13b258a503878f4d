"""The start of a process that runs an engine file."""

from __future__ import annotations

import sys
from typing import NoReturn

from ..base.loading import describe, load
from .guard import stand_guard


def main() -> NoReturn:
    """Play until the front closes the pipe.

    The arguments are the file, the memory in MiB that its code may use (0: unlimited), and the
    descriptor of the socket that transfers shared memory, if any.
    """
    stand_guard()
    try:
        module, reason = load("halbzug.lab.process")
    except Exception as error:
        sys.exit(describe(error))  # the front reads it from there
    path, megabytes, *channel = sys.argv[1:]
    channel_file = int(channel[0]) if channel else None
    module.main(path, int(megabytes), reason, channel_file)
    sys.exit(0)


if __name__ == "__main__":  # in the stand-alone executable
    main()

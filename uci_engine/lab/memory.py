"""Limits the memory of a process that runs a user's code, where the system can do that."""

from __future__ import annotations

import contextlib
import sys


def limit_memory(megabytes: int) -> None:
    """Let this process have no more than this many MiB of its own, 0 for any number."""
    if sys.platform == "win32" or not megabytes:
        return
    import resource

    # On Linux that is memory of its own; elsewhere addresses, where that is kept at all.
    kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    with contextlib.suppress(ValueError, OSError):
        hard = resource.getrlimit(kind)[1]
        wanted = megabytes << 20
        if hard != resource.RLIM_INFINITY:
            wanted = min(wanted, hard)
        resource.setrlimit(kind, (wanted, hard))

"""Limits the memory of a process that runs a user's code, if the system supports it."""

from __future__ import annotations

import contextlib
import sys


def limit_memory(megabytes: int) -> None:
    """Limit this process to this many MiB of its own memory; 0: unlimited."""
    if sys.platform == "win32" or not megabytes:
        return
    import resource

    # On Linux this limits private memory; elsewhere addresses, if the system enforces it at all.
    kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    with contextlib.suppress(ValueError, OSError):
        hard = resource.getrlimit(kind)[1]
        wanted = megabytes << 20
        if hard != resource.RLIM_INFINITY:
            wanted = min(wanted, hard)
        resource.setrlimit(kind, (wanted, hard))

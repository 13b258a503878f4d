"""The log for faults of our own in child processes, of which the user is told one line.

It is the file that the variable HALBZUG_DEBUG_LOG_FILE names, as for `Debug Log File`.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

#: See `halbzug.uci.session_options.variable`.
VARIABLE = "HALBZUG_DEBUG_LOG_FILE"


def log_line(mark: str, text: str) -> str:
    """A line of the log: when, by what mark, and what."""
    return f"{time.strftime('%H:%M:%S')} {mark} {text}\n"


def log_fault() -> None:
    """Append the traceback of the exception that is being handled, if there is a log."""
    name = os.environ.get(VARIABLE)
    path = Path(name) if name else None
    if path is None or (path.exists() and not path.is_file()):
        return
    import traceback  # a session that goes well needs none of it

    lines = [log_line("!", line) for line in traceback.format_exc().splitlines()]
    with contextlib.suppress(OSError), path.open("a", encoding="utf-8") as log:
        log.write("".join(lines))

"""The log for internal errors in child processes, of which users see only one line.

The environment variable HALBZUG_DEBUG_LOG_FILE names the file, as for `Debug Log File`.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

#: See `halbzug.uci.session_options.variable`.
VARIABLE = "HALBZUG_DEBUG_LOG_FILE"


def log_line(mark: str, text: str) -> str:
    """A log line with time, mark and text."""
    return f"{time.strftime('%H:%M:%S')} {mark} {text}\n"


def log_fault() -> None:
    """Append the traceback of the current exception, if there is a log."""
    name = os.environ.get(VARIABLE)
    path = Path(name) if name else None
    if path is None or (path.exists() and not path.is_file()):
        return
    import traceback  # not needed by sessions without errors

    lines = [log_line("!", line) for line in traceback.format_exc().splitlines()]
    with contextlib.suppress(OSError), path.open("a", encoding="utf-8") as log:
        log.write("".join(lines))

"""The process that runs an engine file: it loads the file, then the search, and serves.

The file comes first, because it may change the weights from which the evaluation is made.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, BinaryIO, TypeVar

from ..base.language import say
from ..base.loading import load
from .alarm import Alarm, TimeIsUp
from .file import describe_error, run_file
from .file_output import NoticeStream
from .homemade import missing_module, offer_lichess_bot_modules
from .ideas import FileError, Ideas, apply_weights, read_ideas
from .memory import limit_memory

_T = TypeVar("_T")

#: How long a file may take to load, with everything it imports, in seconds.
LOAD_SECONDS = 20.0

#: How often a process that loads a file checks whether its front still exists, in ms.
_LOOK_MS = 200


class UserCode:
    """Calls of the user's code, which the alarm may interrupt."""

    def __init__(self) -> None:
        self._is_running = False
        self.searchers: tuple[Any, ...] = ()  # of `halbzug.search.custom`
        self.alarm = Alarm(self.is_running)

    def is_running(self) -> bool:
        """Whether the user's code is running now."""
        return self._is_running or any(one.is_running for one in self.searchers)

    def call(self, function: Callable[..., _T], *arguments: object) -> _T:
        """Call a user's function.

        :raises BaseException: whatever it raises, including `TimeIsUp`.
        """
        try:
            try:
                self._is_running = True
                return function(*arguments)
            finally:
                self._is_running = False
        except BaseException:
            self._is_running = False  # also if the alarm came during `finally`
            raise


def main(path: str, megabytes: int, why_pure: str, channel_file: int | None) -> None:
    """Load a file and play until the front closes the pipe.

    :param megabytes: memory that its code may use, in MiB; 0: unlimited.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the front
    source, sink = _take_pipes()
    printed: list[str] = []
    output = NoticeStream(printed.append)
    sys.stdout = sys.stderr = output
    code = UserCode()
    limit_memory(megabytes)
    is_loaded = threading.Event()
    threading.Thread(target=_watch_front, args=(source, is_loaded), daemon=True).start()
    ideas, trouble = _load_file(path, code)
    module, reason = load("halbzug.lab.file_process")
    process = module.FileProcess(source, sink, channel_file, code, output, ideas, megabytes)
    is_loaded.set()
    process.begin(printed, trouble)
    module.serve(process, reason or why_pure)


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes from and to the front, moved to where the file's code does not look for them."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    return source, sink


def _load_file(path: str, code: UserCode) -> tuple[Ideas | None, list[str]]:
    """The file's messages, or what is wrong with it, in lines."""
    offer_lichess_bot_modules()
    until = time.perf_counter() + LOAD_SECONDS
    code.alarm.arm(lambda: time.perf_counter() >= until)
    try:
        ideas = code.call(lambda: read_ideas(run_file(path), path))
    except FileError as error:
        return None, [str(error)]
    except TimeIsUp as error:
        first, *rest = describe_error(error, path)
        limit = say("more than {n:.0f} s to load", n=LOAD_SECONDS)
        return None, [f"{first} ({limit})", *rest]
    except BaseException as error:
        line = missing_module(error, path)
        return None, [line] if line else describe_error(error, path)
    finally:
        code.alarm.disarm()
    apply_weights(ideas.weights)
    return ideas, []


def _watch_front(source: BinaryIO, is_loaded: threading.Event) -> None:
    """End the process together with its front, even if a file never finishes loading."""
    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(source, 0)  # only to notice that it hangs up
    while not is_loaded.is_set():
        if poll.poll(_LOOK_MS):
            os._exit(0)

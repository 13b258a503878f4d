"""Runs a user's Python file: the only place where Halbzug executes code that it reads.

It receives only files that are named on the command line or in a call of `halbzug.Engine`, and runs
only in a separate process, or in that of `halbzug explain match`, which does nothing else.
"""

from __future__ import annotations

import linecache
import sys
import traceback
from pathlib import Path
from types import ModuleType

from ..base.language import say
from ..base.os_errors import reason_of
from .alarm import TimeIsUp

#: The number of lines shown of a traceback, from the innermost.
MAX_TRACEBACK_LINES = 8

_OWN_FOLDER = Path(__file__).parent

#: The name of the module, which is `__name__` in the file.
MODULE = "engine_file"


def run_file(path: str) -> ModuleType:
    """Execute a file as a module, which can import modules beside it.

    :raises BaseException: whatever the file raises, or an error if it cannot be read or compiled.
    """
    source = Path(path).read_bytes()
    module = ModuleType(MODULE)
    module.__file__ = path
    sys.modules[MODULE] = module  # dataclasses and pickle look there
    folder = str(Path(path).parent)
    if folder not in sys.path:
        sys.path.append(folder)  # last, so that files beside it replace no module
    exec(compile(source, path, "exec"), vars(module))
    return module


def describe_error(error: BaseException, path: str, function: object = None) -> list[str]:
    """Describe an error in lines: what and where, then the calls that led there, innermost last.

    :param path: the file, whose lines come first.
    :param function: the function that was called, for an error that refers to no line of the file.
    """
    name = Path(path).name
    what = _what(error)
    if isinstance(error, SyntaxError) and error.filename == path:
        return [say("{file}, line {line}: {what}", file=name, line=error.lineno, what=what)]
    linecache.checkcache(path)
    frames = [*traceback.extract_tb(error.__traceback__)]
    is_in_file = any(frame.filename == path for frame in frames)
    if isinstance(error, OSError) and error.filename == path and not is_in_file:
        return [say("{file} cannot be read: {why}", file=name, why=reason_of(error))]
    while frames and Path(frames[-1].filename).parent == _OWN_FOLDER:  # of the alarm
        frames.pop()
    inner = [number for number, frame in enumerate(frames) if frame.filename == path]
    if not inner:
        code = getattr(function, "__code__", None)
        if not code or code.co_filename != path:
            return [f"{name}: {what}"]
        line = code.co_firstlineno
        return [say("{file}, line {line}: {what}", file=name, line=line, what=what)]
    last = frames[inner[-1]]
    lines = [_place(name, last) + f": {what}"]
    way = frames[inner[0] :]
    left_out = len(way) - MAX_TRACEBACK_LINES
    if left_out > 0:
        more = say("1 more call") if left_out == 1 else say("{n:,} more calls", n=left_out)
        lines.append(f"  ... {more}")
        way = way[-MAX_TRACEBACK_LINES:]
    if len(way) > 1:
        lines += [f"  {_place(Path(frame.filename).name, frame)}: {frame.line}" for frame in way]
    return lines


def _place(name: str, frame: traceback.FrameSummary) -> str:
    words = {"file": name, "line": frame.lineno, "function": frame.name}
    return say("{file}, line {line}, in {function}", **words)


def _what(error: BaseException) -> str:
    """The error itself, in one line."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # its own `__str__`
        text = ""
    if isinstance(error, SyntaxError):
        text = error.msg
    if isinstance(error, TimeIsUp):
        return text
    if isinstance(error, SystemExit):
        return say("the file calls exit") + (f" ({text})" if text else "")
    if isinstance(error, MemoryError) and not text:
        text = say("not enough memory")
    return f"{type(error).__name__}: {text}"[:300] if text else type(error).__name__

"""The progress of long work, shown where it runs: in a notebook, on a terminal, or nowhere.

rich draws on terminals. In a notebook it would need ipywidgets, so the bar there is HTML that is
updated in place: every page that shows notebooks can do that.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TYPE_CHECKING, TextIO

from ..base.language import local, say
from .quantities import seconds_text

if TYPE_CHECKING:
    from rich.progress import Progress

    from .terminal import PlainConsole

#: Called after each step with the number of steps done, and the total.
Report = Callable[[int, int], None]

#: Draws a bar: title, start of the work (`time.monotonic`), steps done, and total.
_Drawing = Callable[[str, float, int, int], AbstractContextManager[Report]]

#: Work that ends within this many seconds shows nothing.
_SHORT_SECONDS = 1.5

#: Minimum interval between updates in a notebook, in seconds.
_REFRESH_SECONDS = 0.1

#: Where a bar cannot be drawn, a line is written after each of this many parts.
_PARTS = 10


@contextmanager
def progress_shown(
    switch: bool | Report | None, title: str, total: int, *, may_be_short: bool = False
) -> Iterator[Report]:
    """Show the progress of the work within, until it ends.

    :param switch: None shows it in notebooks and terminals; True also elsewhere, as lines on
        standard error; False never. A callable is called instead.
    :param title: what is being done, in a word or two.
    :param total: the number of steps.
    :param may_be_short: draw nothing before the first report after 1.5 seconds.
    :raises TypeError: if the switch is something else.
    :returns: a function to call after each step.
    """
    check_switch(switch)
    if callable(switch):
        yield switch
    elif switch is False:
        yield _tell_nobody
    elif _is_notebook():
        with _drawn(_in_notebook, title, total, may_be_short) as report:
            yield report
    elif sys.stderr and sys.stderr.isatty():
        with _drawn(_at_terminal, title, total, may_be_short) as report:
            yield report
    elif switch and sys.stderr:
        yield _lines(title, sys.stderr)
    else:
        yield _tell_nobody


@contextmanager
def _drawn(draw: _Drawing, title: str, total: int, may_be_short: bool) -> Iterator[Report]:
    begun = time.monotonic()
    with ExitStack() as stack:
        shown = None if may_be_short else stack.enter_context(draw(title, begun, 0, total))

        def report(done: int, total: int) -> None:
            nonlocal shown
            if shown:
                shown(done, total)
            elif time.monotonic() - begun >= _SHORT_SECONDS:
                shown = stack.enter_context(draw(title, begun, done, total))

        yield report


def check_switch(switch: bool | Report | None) -> None:
    """Check a progress switch.

    :raises TypeError: if it is not valid.
    """
    if not (switch is None or isinstance(switch, bool) or callable(switch)):
        raise TypeError(f"progress must be True, False, None or a callable, not {switch!r}")


def bar_for(console: PlainConsole) -> Progress:
    """A one-line bar that vanishes, with `description` before it and the field `note` after it.

    Nothing is drawn without a terminal.
    """
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from .terminal import PlainConsole

    is_drawn = console.is_terminal
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}", markup=False),  # may contain names of players
        TimeElapsedColumn(),
        TextColumn(say("left:")),
        TimeRemainingColumn(),
        # rich 13 and 14 end an undrawn bar with an empty line.
        console=console if is_drawn else PlainConsole(quiet=True),
        transient=True,
        # Text printed meanwhile appears above the bar, or where it would go without one.
        redirect_stdout=sys.stdout.isatty(),
        disable=not is_drawn,
    )


class ProgressBar:
    """The progress of a run, drawn on a terminal.

    :param count: counts the positions; called in a separate thread, because reading a large
        database takes a while.
    """

    def __init__(self, console: PlainConsole, count: Callable[[], int] | None) -> None:
        self._progress = bar_for(console)
        self._count = count

    def __enter__(self) -> ProgressBar:
        self._task = self._progress.add_task("", total=None, note="")
        self._progress.start()
        if self._count and not self._progress.disable:
            threading.Thread(target=self._find_total, args=(self._count,), daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._progress.stop()

    def advance(self, number: int = 1, note: str = "") -> None:
        """Report that `number` more positions are done."""
        self._progress.update(self._task, advance=number, note=note)

    def _find_total(self, count: Callable[[], int]) -> None:
        self._progress.update(self._task, total=count())


def _tell_nobody(done: int, total: int) -> None:
    pass


def _lines(title: str, stream: TextIO) -> Report:
    written = 0

    def report(done: int, total: int) -> None:
        nonlocal written
        if done * _PARTS // total > written:
            written = done * _PARTS // total
            print(_words(title, done, total), file=stream, flush=True)

    return report


@contextmanager
def _at_terminal(title: str, begun: float, done: int, total: int) -> Iterator[Report]:
    from .terminal import PlainConsole

    console = PlainConsole(stderr=True)
    with bar_for(console) as bar:
        task = bar.add_task(title, total=total, completed=done, note="")
        bar.tasks[0].start_time = begun
        yield lambda done, total: bar.update(task, completed=done, total=total)


# -- notebooks ----------------------------------------------------------------------------------


def _is_notebook() -> bool:
    """Whether this runs in a kernel whose output is shown on a page."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return getattr(get_ipython(), "kernel", None) is not None


@contextmanager
def _in_notebook(title: str, begun: float, done: int, total: int) -> Iterator[Report]:
    from IPython.display import DisplayHandle

    drawn = time.monotonic()
    handle = DisplayHandle()
    handle.display(_picture(title, done, total, drawn - begun), raw=True)

    def report(done: int, total: int) -> None:
        nonlocal drawn
        now = time.monotonic()
        if now - drawn >= _REFRESH_SECONDS:
            drawn = now
            handle.update(_picture(title, done, total, now - begun), raw=True)

    try:
        yield report
    finally:
        handle.update({"text/html": "", "text/plain": ""}, raw=True)


def _words(title: str, done: int, total: int) -> str:
    return f"{title}: " + say("{done} of {total}", done=done, total=total)


def _picture(title: str, done: int, total: int, seconds: float) -> dict[str, str]:
    """The bar for a page, and text for front ends that show no HTML."""
    words = _words(title, done, total)
    if done:
        left = local(seconds_text(seconds / done * (total - done)))
        words += f", {local(seconds_text(seconds))}" + say(", about {time} left", time=left)
    bar = f'<progress value="{done}" max="{total}" style="width:16em"></progress>'
    return {"text/html": f"<div>{bar} {words}</div>", "text/plain": words}

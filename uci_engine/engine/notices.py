"""Notices of the engine: some wait for a search, and each complaint is made once."""

from __future__ import annotations

from collections.abc import Callable

from ..base.events import Event, Notice
from .options import ENGINE_OPTIONS, OptionPart

#: Maximum number of notices deferred to the next `go`; further ones are dropped.
MAX_DEFERRED_NOTICES = 20


class Notices:
    """Emits notices, defers them, and suppresses repetitions.

    :param emit: emits an event.
    """

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        self._deferred: list[Notice] = []
        self._complaints: set[Notice] = set()  # the next worker must not repeat these

    def defer(self, notice: Notice) -> None:
        """Defer a notice to the next `go`."""
        if notice not in self._deferred and len(self._deferred) < MAX_DEFERRED_NOTICES:
            self._deferred.append(notice)

    def emit_deferred(self) -> None:
        """Emit the notices deferred to the next `go`."""
        notices, self._deferred = self._deferred, []
        for notice in notices:
            self._emit(notice)

    def complain(self, notice: Notice) -> None:
        """Emit a notice about a wrong setting, once per value."""
        if notice not in self._complaints:
            self._complaints.add(notice)
            self._emit(notice)

    def forget_complaints(self, part: OptionPart | None) -> None:
        """Allow notices about one part's settings to be emitted again."""
        names = {option.name for option in ENGINE_OPTIONS.values() if option.renews is part}
        self._complaints = {notice for notice in self._complaints if notice.option not in names}

    def forget_all_complaints(self) -> None:
        """Allow all notices about settings to be emitted again."""
        self._complaints.clear()

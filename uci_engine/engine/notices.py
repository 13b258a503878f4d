"""Notices of the engine: some wait for a search, and the same complaint is made once."""

from __future__ import annotations

from collections.abc import Callable

from ..base.events import Event, Notice
from .options import ENGINE_OPTIONS, OptionPart

#: The number of notices that are kept for the next `go`; an endless series is cut.
MAX_DEFERRED_NOTICES = 20


class Notices:
    """The notices that are emitted, that wait, and that are not repeated.

    :param emit: emits an event.
    """

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        self._deferred: list[Notice] = []
        self._complaints: set[Notice] = set()  # not to be repeated by the next worker

    def defer(self, notice: Notice) -> None:
        """Emit a notice with the next `go`."""
        if notice not in self._deferred and len(self._deferred) < MAX_DEFERRED_NOTICES:
            self._deferred.append(notice)

    def emit_deferred(self) -> None:
        """Emit the notices that wait for the next `go`."""
        notices, self._deferred = self._deferred, []
        for notice in notices:
            self._emit(notice)

    def complain(self, notice: Notice) -> None:
        """Emit a notice about a wrong setting, once for each value."""
        if notice not in self._complaints:
            self._complaints.add(notice)
            self._emit(notice)

    def forget_complaints(self, part: OptionPart | None) -> None:
        """Forget which notices about the settings of a part were emitted."""
        names = {option.name for option in ENGINE_OPTIONS.values() if option.renews is part}
        self._complaints = {notice for notice in self._complaints if notice.option not in names}

    def forget_all_complaints(self) -> None:
        """Forget which notices about settings were emitted."""
        self._complaints.clear()

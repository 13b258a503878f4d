"""Writes a session's output: events as lines, and pending answers."""

from __future__ import annotations

import re

from ..base.events import TOO_LATE, BestMove, Event, Introduction, Notice
from .identity import Identity
from .line_writer import LineWriter
from .printer import to_uci

#: The part of a message about the substitute move, which is not played for a strict guest.
_IN_ITS_PLACE = re.compile("[:;] this move is a guess$| and is replaced$")


class SessionOutput:
    """Writes events; those before the first command are deferred until then.

    :ivar fault: the mistake of a strict guest's file, in one line; empty if there is none.
    :ivar pending_readyoks: the number of unanswered `isready`s.
    :ivar pending_best_moves: the number of unanswered searches.
    """

    def __init__(self, writer: LineWriter, identity: Identity) -> None:
        self.fault = ""
        self.pending_readyoks = 0
        self.pending_best_moves = 0
        self._writer = writer
        self._identity = identity
        self._deferred_events: list[Event] | None = []  # until the GUI reads, then None

    def write_event(self, event: Event) -> None:
        """Write an event; record an introduction."""
        if isinstance(event, Introduction):
            for complaint in self._identity.meet(event):
                self.write_notice(complaint)
            return
        if self._deferred_events is not None:
            self._deferred_events.append(event)
            return
        if self.fault:
            return  # no substitute move is played
        guest = self._identity.guest
        if isinstance(event, Notice) and event.fault and guest:
            if guest.is_strict and event.fault != TOO_LATE:
                self.fault = f"{event.fault}: {_IN_ITS_PLACE.sub('', event.text)}"
            event = event._replace(text=f"{event.fault}: {event.text}")  # match programs count it
        line = to_uci(event)
        self._writer.write(line)
        if isinstance(event, Notice):
            self._writer.keep_for_log(line)
        if isinstance(event, BestMove):
            self.pending_best_moves -= 1

    def write_deferred_events(self) -> None:
        """Write the events before the first command; the GUI reads from now on."""
        events, self._deferred_events = self._deferred_events or (), None
        for event in events:
            self.write_event(event)

    def write_notice(self, text: str) -> None:
        """Write a message."""
        self.write_event(Notice(text))

    def write_readyoks(self) -> None:
        """Answer each pending `isready`."""
        while self.pending_readyoks:
            self.pending_readyoks -= 1
            self._writer.write("readyok")

"""Talks to other UCI engines: python-chess's protocol, with deadlines and checks.

`protocol.py` reads an engine's lines and ends its process, `client.py` adds deadlines, and
`blocking.py` is for callers without an event loop. Every failure is a `UciError`.
"""

#: How long to wait for an engine whose search has no time limit, in seconds.
PATIENCE_SECONDS = 300.0

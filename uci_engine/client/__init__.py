"""The one dialogue with other UCI engines: python-chess's protocol, with deadlines and checks.

`protocol.py` hears what an engine says and ends its process, `client.py` knows how long to wait,
`blocking.py` is the same for callers without an event loop. Every failure is a `UciError`.
"""

#: How long to wait for an engine whose search has no time limit, in seconds.
PATIENCE_SECONDS = 300.0

"""Engines that are being stopped."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from match_runs import fake

from halbzug.client.client import Client

pytestmark = pytest.mark.any_build


def test_an_interrupt_waits_until_an_engine_has_ended() -> None:
    """Otherwise it ends after the event loop has been closed, which asyncio reports on standard
    error.
    """

    async def interrupted() -> bool:
        client = Client("stays", fake("ignores-stop").split())
        await client.start()
        protocol = client._running()
        stopping = asyncio.create_task(client.stop())
        await asyncio.sleep(0.05)
        stopping.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await stopping
        return protocol.returncode.done()

    assert asyncio.run(interrupted())

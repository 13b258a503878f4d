"""Engines that are told to leave."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from match_runs import fake

from halbzug.client.client import Client

pytestmark = pytest.mark.any_build


def test_an_interrupt_waits_for_the_end_of_an_engine() -> None:
    """Else it comes after the event loop is closed, which asyncio reports on standard error."""

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

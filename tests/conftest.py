"""How property tests run (no deadlines, more examples where the build is fast), and engines."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import Command
from hypothesis import HealthCheck, settings
from uci_client import SharedEngine, UciClient

from uci_engine import rules

settings.register_profile(
    "kiebitz",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    max_examples=300 if rules.BUILD == "compiled" else 60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("kiebitz")


@pytest.fixture
def kiebitz(tmp_path: Path) -> Command:
    """The command line, in an empty folder."""
    return Command(tmp_path)


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedEngine]:
    """One process for all the tests that leave it as they found it."""
    shared = SharedEngine(tmp_path_factory.mktemp("engine"))
    yield shared
    shared.close()


@pytest.fixture
def uci(engines: SharedEngine) -> Iterator[UciClient]:
    """An engine that has shaken hands, idle, at the start position, with default options."""
    yield engines.take()
    engines.give_back()

"""How property tests run (no deadlines, more examples in CI), engines, and a browser."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from chromium import start_chromium
from command_line import Command
from hypothesis import HealthCheck, settings
from uci_client import SharedEngine, UciClient

from halbzug.base.language import VARIABLE
from halbzug.board import movegen
from halbzug.uci.session_options import VARIABLES

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

# The user's own default options must not influence the tests.
for variable in VARIABLES:
    os.environ.pop(variable, None)
os.environ[VARIABLE] = "en"

# Without bytecode each of thousands of processes would compile what it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell starts background jobs with interrupts ignored, nohup ignores hang-ups, and children
# inherit both. Our processes must receive these signals wherever the tests run.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Every run has different examples, so a tenth of them is enough; in CI they are always the same,
# and more.
settings.register_profile(
    "halbzug",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    max_examples=120 if os.environ.get("CI") and movegen.BUILD == "compiled" else 12,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("halbzug")

# Elsewhere no constants from our sources are used as examples, because each process would have to
# read all sources and try each constant.
if not os.environ.get("CI"):
    with suppress(ImportError):  # in an old Hypothesis
        from hypothesis.internal.conjecture import providers

        vars(providers)["is_local_module_file"] = lambda path: False


@pytest.fixture
def halbzug(tmp_path: Path) -> Iterator[Command]:
    """The command line, in an empty folder; processes left by a failed test are ended."""
    command = Command(tmp_path)
    yield command
    command.close()


@pytest.fixture(scope="session")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedEngine]:
    """One process for all tests that do not change it."""
    shared = SharedEngine(tmp_path_factory.mktemp("engine"))
    yield shared
    shared.close()


@pytest.fixture
def uci(engines: SharedEngine) -> Iterator[UciClient]:
    """An idle engine after the handshake, at the start position, with default options."""
    yield engines.take()
    engines.give_back()


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """A headless Chromium; without one the tests that need it are skipped."""
    driver = start_chromium(tmp_path_factory.mktemp("chromium"))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def browser(chromium: Chrome) -> Chrome:
    """The browser, reset for the tests of a module."""
    chromium.get("about:blank")
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    chromium.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    return chromium


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Checks of sources and documents run only if their folder is named, as `.ci/check` does."""
    is_named = any("checks" in argument for argument in config.args)
    return True if collection_path.name == "checks" and not is_named else None


def pytest_collection(session: pytest.Session) -> None:
    """Let each process import a different part of the files first.

    Every process imports all of them. In a fresh checkout, whoever imports a file first also
    rewrites its assertions and caches the result, which takes longer than everything else.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker and [Path(argument).name for argument in session.config.args] == ["tests"]:
        count = int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        files = sorted(Path(__file__).parent.glob("*/test_*.py"))
        for path in files[int(worker[2:]) :: count]:
            if path.parent.name != "checks":
                with suppress(pytest.Collector.CollectError, pytest.skip.Exception):
                    assert pytest.Module.from_parent(session, path=path).obj


def pytest_collection_finish() -> None:
    """Spare the garbage collector what lives until the end: thousands of tests and all modules."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores, because many tests wait."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Run the tests of one file in one process, and also all that need a browser, which starts
    slowly.
    """
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return "browser" if _needs_browser(config.rootpath / file) else file

    return Scheduling(config, log)


@cache
def _needs_browser(path: Path) -> bool:
    return path.is_file() and "import Chrome" in path.read_text("utf-8")

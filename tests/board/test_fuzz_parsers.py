"""The readers cope with every input that fuzzing started from or found; see `fuzz_parsers`."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz_parsers import TARGETS, corpus
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.any_build

CASES = [
    pytest.param(name, path, id=f"{name} {path.name}") for name in TARGETS for path in corpus(name)
]


@pytest.mark.parametrize(("name", "path"), CASES)
def test_the_seeds_and_findings_of_fuzzing(name: str, path: Path) -> None:
    TARGETS[name](path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_any_bytes(name: str) -> None:
    @given(st.binary(max_size=200))
    def run(data: bytes) -> None:
        TARGETS[name](data)

    run()

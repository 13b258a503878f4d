"""Shared memory: visible to all processes, never corrupted, and freed with the last one."""

from __future__ import annotations

import gc
import os
import tempfile
from pathlib import Path

import pytest
from hammer import hammer

from halbzug.base.scores import EXACT_BOUND
from halbzug.search.transposition import TranspositionTable
from halbzug.workers import shared_memory
from halbzug.workers.shared_memory import SharedMemory, attach, hand_over, open_channel

needs_posix = pytest.mark.skipif(
    os.name != "posix", reason="needs file descriptors that can be handed over"
)

#: How long two processes write into the same entries, in seconds; 60 for the whole test.
HAMMER_SECONDS = float(os.environ.get("HALBZUG_HAMMER_SECONDS", "2"))


@pytest.fixture(params=["memory", "file"])
def _place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory as this system provides it, and as a system with nothing but files does."""
    if request.param == "file":
        monkeypatch.delattr(os, "memfd_create", raising=False)


@pytest.mark.usefixtures("_place")
@pytest.mark.parametrize("size", [64, 4096, 16448, 1 << 20, 3 << 20, 16 << 20])
def test_a_block_starts_zeroed_and_all_processes_see_the_same(size: int) -> None:
    block = SharedMemory(size)
    first, second = block.map().words, block.map().words
    assert len(first) == len(second) == size // 8
    assert not any(first[:: max(size // 800, 1)])
    first[0], first[-1] = 1, 2**64 - 1
    assert (second[0], second[-1]) == (1, 2**64 - 1)
    block.close()
    first[0] = 5  # a process that has mapped it keeps it
    assert second[0] == 5


@pytest.mark.usefixtures("_place")
def test_a_table_in_huge_pages_is_the_same_table() -> None:
    block = SharedMemory(4 << 20)
    first, second = (TranspositionTable(4, block.map().words) for _ in range(2))
    keys = [number * 0x9E3779B97F4A7C15 % 2**64 for number in range(1, 20000)]
    for key in keys:
        first.store(key, 0, key & 0x7FFF, 0, 0, 1, EXACT_BOUND)
    block.map().use_huge_pages()
    held = [key for key in keys if second.probe(key, 0) and second.move == key & 0x7FFF]
    assert len(held) > 19000
    first.clear()  # a private copy from now on
    assert second.probe(held[0], 0)
    assert not first.probe(held[0], 0)


@needs_posix
@pytest.mark.usefixtures("_place")
def test_blocks_are_passed_through_a_channel_together() -> None:
    ours, theirs = open_channel()
    assert ours and theirs
    blocks = [SharedMemory(1 << 20), SharedMemory(4096)]
    with ours, theirs:
        for round_ in range(3):
            hand_over(ours, [file for block in blocks for file in block.files])
            mapped = attach(theirs, [block.handle for block in blocks])
            for number, (block, mapping) in enumerate(zip(blocks, mapped, strict=True)):
                block.map().words[0] = round_ + number
                assert mapping.words[0] == round_ + number
        hand_over(ours, blocks[0].files)
        with pytest.raises(OSError, match="did not arrive"):
            attach(theirs, [block.handle for block in blocks])


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
@pytest.mark.parametrize("place", ["memory", "file"])
def test_nothing_is_left_behind(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if place == "file":
        monkeypatch.delattr(os, "memfd_create", raising=False)
        monkeypatch.setattr(shared_memory, "FOLDERS", (str(tmp_path),))

    def traces() -> tuple[int, int]:
        gc.collect()
        maps = Path("/proc/self/maps").read_text().splitlines()
        mapped = sum("memfd:halbzug" in text or str(tmp_path) in text for text in maps)
        return mapped, len(list(Path("/proc/self/fd").iterdir()))

    before = traces()
    block = SharedMemory(1 << 20)
    words = block.map().words
    words[0] = 1
    assert traces() > before
    assert list(tmp_path.iterdir()) == []  # no name, not even while it is in use
    tt = TranspositionTable(1, block.map().words)
    tt.close()
    block.close()
    del words
    assert traces() == before


@needs_posix
def test_too_large_a_request_is_refused_and_a_small_folder_is_skipped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(OSError):
        SharedMemory(2**60)
    monkeypatch.delattr(os, "memfd_create", raising=False)
    monkeypatch.setattr(shared_memory, "FOLDERS", ("/no/such/folder", str(tmp_path)))
    block = SharedMemory(4096)
    assert block.folder == str(tmp_path)
    assert list(tmp_path.iterdir()) == []
    block.close()
    monkeypatch.setattr(shared_memory, "FOLDERS", ("/no/such/folder",))
    with pytest.raises(OSError):
        SharedMemory(4096)


@needs_posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_detected_before_it_kills(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)

    def open_full(*_args: object, **_options: object) -> object:
        return Path("/dev/full").open("wb", buffering=0)

    monkeypatch.setattr(tempfile, "TemporaryFile", open_full)
    with pytest.raises(OSError, match="No space"):
        SharedMemory(4096)


@pytest.mark.slow
@needs_posix
def test_no_probe_returns_what_was_never_stored() -> None:
    counts = hammer(HAMMER_SECONDS)
    assert counts["stores"] > 1000
    assert counts["hits"] > 1000
    assert counts["lies"] == 0

"""Two processes write and read the same few entries of one table, as fast as they can.

Every result proves by itself whether it was ever stored: all its parts follow from the position's
key and a version, and the evaluation encodes the version. To show that there is something to find,
the words of the table are also read directly: a pair that fits no key was torn.
"""

from __future__ import annotations

import json
import random
import socket
import subprocess
import sys
import time

from halbzug.base.scores import EXACT_BOUND
from halbzug.search.transposition import BUCKET, ENTRY_BYTES, TranspositionTable
from halbzug.workers.shared_memory import Handle, SharedMemory, attach, hand_over

#: The size of the table, and how many of its buckets are used, with more keys than fit.
MEGABYTES = 1
BUCKETS = 4
KEYS_A_BUCKET = BUCKET + 2
VERSIONS = 4096


def keys() -> list[int]:
    """The positions: random, as Zobrist keys are, but in few buckets."""
    buckets = (MEGABYTES << 20) // (BUCKET * ENTRY_BYTES)
    chooser = random.Random(2026)
    found: dict[int, list[int]] = {bucket: [] for bucket in range(BUCKETS)}
    while any(len(held) < KEYS_A_BUCKET for held in found.values()):
        key = chooser.getrandbits(64) * BUCKETS // buckets
        bucket = key * buckets >> 64
        if key and len(found[bucket]) < KEYS_A_BUCKET:
            found[bucket].append(key)
    return [key for held in found.values() for key in held]


def result(key: int, version: int) -> tuple[int, int, int, int, int]:
    """The move, score, evaluation, depth and bound of a version."""
    mixed = random.Random(key * VERSIONS + version).getrandbits(64)
    return (
        mixed % 0x7FFF + 1,
        (mixed >> 16) % 20000 - 10000,
        version - VERSIONS // 2,
        (mixed >> 32) % 100,
        EXACT_BOUND,
    )


def work(words: memoryview, seconds: float, seed: int) -> dict[str, int]:
    """Hammer for a while; return the counts."""
    tt = TranspositionTable(MEGABYTES, words)
    stored = {key: [result(key, version) for version in range(VERSIONS)] for key in keys()}
    known = list(stored)
    chooser = random.Random(seed)
    counts = dict.fromkeys(("stores", "hits", "lies", "torn"), 0)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for _ in range(500):
            key = known[int(chooser.random() * len(known))]
            version = int(chooser.random() * VERSIONS)
            tt.store(key, 0, *stored[key][version])
            counts["stores"] += 1
            key = known[int(chooser.random() * len(known))]
            if tt.probe(key, 0):
                found = (tt.move, tt.score, tt.evaluation, tt.depth, tt.bound)
                counts["hits"] += 1
                counts["lies"] += found != stored[key][found[2] + VERSIONS // 2]
            place = 2 * int(chooser.random() * BUCKETS * BUCKET)
            check, data = words[place], words[place + 1]
            counts["torn"] += bool(data) and check ^ data not in stored
    return counts


def hammer(seconds: float) -> dict[str, int]:
    """Let two processes hammer; return the sum of their counts."""
    block = SharedMemory(MEGABYTES << 20)
    processes = []
    for seed in (1, 2):
        ours, theirs = socket.socketpair()
        with ours, theirs:
            command = [sys.executable, __file__, str(theirs.fileno()), str(seconds), str(seed)]
            processes.append(
                subprocess.Popen(command, pass_fds=[theirs.fileno()], stdout=subprocess.PIPE)
            )
            hand_over(ours, block.files)
    block.close()
    counts = [json.loads(process.communicate()[0]) for process in processes]
    return {name: sum(count[name] for count in counts) for name in counts[0]}


def main() -> None:
    """Run one of the two processes, or both if the only argument is a number of seconds."""
    if len(sys.argv) == 2:
        print(hammer(float(sys.argv[1])))
        return
    with socket.socket(fileno=int(sys.argv[1])) as channel:
        (block,) = attach(channel, [Handle(MEGABYTES << 20)])
    print(json.dumps(work(block.words, float(sys.argv[2]), int(sys.argv[3]))))


if __name__ == "__main__":
    main()

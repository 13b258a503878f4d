"""`EvalFile`: another network, and what is no network."""

from __future__ import annotations

import random
from array import array
from pathlib import Path

import pytest
from uci_client import UciClient

from halbzug.eval.network_file import INPUTS, ROWS, Weights

pytestmark = pytest.mark.any_build


def made_up() -> bytes:
    """A small network, at random."""
    chooser = random.Random(1)
    sizes = (("h", 32, 99), ("b", 64 * ROWS, 9), ("h", INPUTS * ROWS, 999), ("b", 32 * INPUTS, 9))
    parts = [array(kind, [chooser.randint(-m, m) for _ in range(n)]) for kind, n, m in sizes]
    return Weights(32, 1024, array("B", bytes(32)), *parts).pack()


def test_the_engine_evaluates_by_a_network_in_a_file_and_not_by_a_damaged_one(
    tmp_path: Path,
) -> None:
    data = made_up()
    (tmp_path / "mine.nnue").write_bytes(data)
    (tmp_path / "cut.nnue").write_bytes(data[:-1])
    with UciClient(tmp_path) as uci:
        uci.handshake()

        def lines() -> list[str]:
            uci.send("ucinewgame", "position startpos moves g1h3 d7d5")
            answer = uci.go("go depth 3")
            found = [line.partition(" nodes ")[0] for line in answer.lines if " depth 3 " in line]
            return [*found, *answer.strings]

        usual = lines()
        uci.send("setoption name EvalFile value mine.nnue")
        assert lines() not in (usual, [])
        uci.send("setoption name EvalFile value cut.nnue")
        *same, complaint = lines()
        assert same == usual
        assert "cut.nnue is not used: it has " in complaint
        uci.send("setoption name EvalFile value <empty>")
        assert lines() == usual

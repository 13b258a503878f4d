"""`EvalFile`: another network, and files that are not networks."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_networks import made_up
from uci_client import UciClient

from halbzug.board.movegen import BUILD
from halbzug.eval.network_file import DEFAULT_EVALUATION

pytestmark = pytest.mark.any_build


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
        uci.send(f"setoption name EvalFile value {DEFAULT_EVALUATION}")
        assert lines() == usual
        uci.send("setoption name EvalFile value terms")
        by_terms = lines()
        assert (by_terms == usual) == (BUILD == "pure")
        uci.send("setoption name EvalFile value", "setoption name UCI_Elo value 2800")
        uci.send("setoption name UCI_LimitStrength value true")
        assert lines() != usual or BUILD == "pure"

"""The tuner's command, with a short round that finds little."""

from __future__ import annotations

import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from halbzug.eval.weights import WEIGHTS
from halbzug.tuning import tune
from halbzug.tuning.selfplay import SelfPlay

pytest.importorskip("numpy")
pytestmark = pytest.mark.any_build


def test_files_of_positions_become_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    game = SelfPlay(nodes=20, seed=3).game(1)
    samples = [replace(sample, game=number) for number, sample in enumerate(game)]
    files = [tmp_path / "first.txt", tmp_path / "second.txt"]
    for number, path in enumerate(files):
        path.write_text("".join(f"{sample}\n" for sample in samples[number::2]), encoding="utf-8")
    output = tmp_path / "weights.py"
    assert tune.main([*map(str, files), "--rounds", "1", "--output", str(output)]) == 0
    assert "held-out error" in capsys.readouterr().out
    assert set(runpy.run_path(str(output))["WEIGHTS"]) == set(WEIGHTS)
    assert f"{len(samples)} quiet positions" in output.read_text(encoding="utf-8")

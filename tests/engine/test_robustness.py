"""An impatient GUI, and workers that die: answers come, and belong to their positions.

Any lines in any order are in `test_fuzz_uci`.
"""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import chess
import pytest
from fuzz_uci import FENS, GOES
from uci_client import UciClient, has_proc


@pytest.mark.parametrize("seed", range(3))
def test_answers_belong_to_their_positions(tmp_path: Path, seed: int) -> None:
    # As impatient GUIs do: the next position and go without waiting for the last answer.
    rng = random.Random(seed)
    positions = [rng.choice(FENS) for _ in range(60)]
    with UciClient(tmp_path) as client:
        for fen in positions:
            client.send(f"position fen {fen}", rng.choice(GOES[:11]))
            if rng.random() < 0.3:
                client.send(rng.choice(["stop", "ponderhit", "isready", "ucinewgame"]))
        client.send("stop")
        for fen in positions:
            board = chess.Board(fen)
            move = client.wait_for_best_move().move
            if board.is_game_over():
                assert move == "(none)"
            else:
                assert board.parse_uci(move)


@pytest.mark.slow
@pytest.mark.skipif(not has_proc(), reason="needs /proc")
def test_workers_may_die_at_any_moment(tmp_path: Path) -> None:
    rng = random.Random(1)
    with UciClient(tmp_path) as client:
        client.handshake()
        for _ in range(8):
            client.send(rng.choice(["go movetime 300", "go infinite", "go depth 3"]))
            time.sleep(rng.random() / 5)
            for pid in client.children():
                os.kill(pid, rng.choice([signal.SIGKILL, signal.SIGSTOP]))
            time.sleep(rng.random() / 5)
            client.send("stop")
            assert chess.Board().parse_uci(client.wait_for_best_move(10).move)
            client.synchronise()
        assert len(client.children()) == 1

"""An impatient GUI and dying workers: every search is answered, for the right position.

Arbitrary lines in any order are in `test_fuzz_uci`.
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


@pytest.mark.parametrize(
    "seed", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)]
)
def test_answers_belong_to_their_positions(tmp_path: Path, seed: int) -> None:
    # Impatient GUIs send the next position and go without waiting for the last answer.
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


def test_a_search_hears_stop_and_settings_at_any_moment(tmp_path: Path) -> None:
    # A search does not listen during its first two milliseconds, but does after them.
    rng = random.Random(2)
    with UciClient(tmp_path) as client:
        client.handshake()
        before = client.children() if has_proc() else []
        for number in range(30):
            client.send("go nodes 1", "go infinite" if number % 2 else "go depth 12")
            time.sleep(rng.choice([0.0, 0.001, 0.002, 0.003, 0.02]))
            if number % 5 == 0:
                client.send("setoption name Hash value 16", "setoption name SyzygyPath")
            client.send("stop", *rng.choice([["go nodes 1"], ["ucinewgame", "go nodes 1"]]))
            for _ in range(3):
                assert chess.Board().parse_uci(client.wait_for_best_move().move)
        lines = client.synchronise()
        assert not any("does not answer" in line for line in lines)
        assert not has_proc() or client.children() == before

"""Any lines, valid and damaged, in any order and at any moment: a few laws always hold.

One best move for each `go` and none otherwise, always legal; `isready` is always answered; nothing
on standard error; and the process leaves when told to.
"""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import chess
import pytest
from uci_client import ENDGAME, MATE_IN_TWO, MATED, MIDDLEGAME, STALEMATE, UciClient, has_proc

FENS = (chess.STARTING_FEN, ENDGAME, MATE_IN_TWO, MATED, STALEMATE, MIDDLEGAME)
GOES = (
    "go depth 2",
    "go nodes 30",
    "go movetime 5",
    "go wtime 20 btime 20 winc 1 binc 1",
    "go infinite",
    "go ponder movetime 5",
    "go ponder depth 1",
    "go mate 1 depth 3",
    "go depth 1 searchmoves e2e4 a1a2 0000",
    "go perft 1",
)
OTHERS = (
    "stop",
    "stop",
    "ponderhit",
    "ucinewgame",
    "uci",
    "d",
    "eval",
    "help",
    "debug on",
    "debug off",
    "register later",
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 1",
    "setoption name Hash value 1",
    "setoption name Hash value 3",
    "setoption name Clear Hash",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name UCI_ShowWDL value true",
    "setoption name UCI_AnalyseMode value true",
    "setoption name Threads value 2",
    "setoption name Threads value 3",
    "setoption name Threads value 1",
    "setoption name Threads value 999",
    "position startpos moves e2e4 e7e5 e1e2",
    "position startpos moves e2e4 e2e4",
    "position fen broken",
    *(f"position fen {fen}" for fen in FENS),
)


def damaged(rng: random.Random, line: str) -> bytes:
    """A line after an accident."""
    data = bytearray(line.encode())
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(len(data) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            data[place:place] = bytes(rng.choice(b" \t\x00\x7f\xff\xc3-9qZ") for _ in range(3))
        elif kind == 1:
            del data[place : place + 3]
        elif kind == 2:
            data[place:place] = data[: rng.randrange(40)]
        else:
            data[place:] = data[place:][::-1]
    return bytes(data).replace(b"\n", b"").replace(b"\r", b"")


def is_go(line: bytes) -> bool:
    """Whether a line asks for a best move."""
    words = line.decode("utf-8", "replace").split()
    return words[:1] == ["go"] and "perft" not in words


@pytest.mark.parametrize("seed", range(6))
def test_any_order_of_any_lines(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    asked = answered = 0
    with UciClient(tmp_path) as client:
        for _ in range(12):
            for _ in range(rng.randrange(1, 12)):
                line = rng.choice(GOES if rng.random() < 0.4 else OTHERS).encode()
                if rng.random() < 0.25:
                    line = damaged(rng, line.decode())
                words = line.split()
                if words[:1] in ([b"quit"], [b"bench"], [b"isready"]):
                    continue
                asked += is_go(line)
                client.send_bytes(line + rng.choice([b"\n", b"\r\n"]))
                if rng.random() < 0.1:
                    time.sleep(0.03)
            answered += sum(line.startswith("bestmove") for line in client.synchronise())
            assert answered <= asked
        client.send("stop", "setoption name MultiPV value 1", f"position fen {MATED}")
        while answered < asked:
            client.wait_for_best_move()
            answered += 1
        assert client.go("go depth 1").move == "(none)"
        client.expect_silence(but="")


@pytest.mark.parametrize("seed", range(3))
def test_answers_belong_to_their_positions(tmp_path: Path, seed: int) -> None:
    # As impatient GUIs do: the next position and go without waiting for the last answer.
    rng = random.Random(seed)
    positions = [rng.choice(FENS) for _ in range(60)]
    with UciClient(tmp_path) as client:
        for fen in positions:
            client.send(f"position fen {fen}", rng.choice(GOES[:8]))
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

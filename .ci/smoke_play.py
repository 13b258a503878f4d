"""Plays with an artefact as its users will: `python .ci/smoke_play.py COMMAND [ARGUMENTS]`.

Needs python-chess and nothing from the checkout. Prints what it does; fails if something is wrong.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from pathlib import Path

import chess
import chess.engine

#: The number of plies after which a game is stopped.
MAX_PLIES = 80


def play_game(engine: chess.engine.SimpleEngine, board: chess.Board) -> str:
    """A game against itself, with the clock running."""
    clocks = [2.0, 2.0]
    while not board.is_game_over(claim_draw=True) and board.ply() < MAX_PLIES:
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK], white_inc=0.02,
            black_inc=0.02,
        )  # fmt: skip
        started = time.perf_counter()
        result = engine.play(board, limit, ponder=board.ply() % 5 == 4)
        clocks[board.turn] = max(clocks[board.turn] - time.perf_counter() + started, 0.05) + 0.02
        assert result.move in board.legal_moves, (board.fen(), result.move)
        board.push(result.move)
    return f"{board.ply()} plies, {board.result(claim_draw=True)}"


def stop_analysis(engine: chess.engine.SimpleEngine) -> str:
    """An endless analysis, which is stopped."""
    started = time.perf_counter()
    with engine.analysis(chess.Board(), multipv=2) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5:
                break
    engine.ping()
    return f"stopped after {time.perf_counter() - started:.1f} s"


def leaves(pid: int) -> list[int]:
    """The descendants of this process that have no children: the search processes."""
    children: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        children += [int(word) for word in path.read_text().split()]
    return [leaf for child in children for leaf in leaves(child) or [child]]


def kill_workers(engine: chess.engine.SimpleEngine) -> str:
    """The search processes die during a search, and a move is played nevertheless."""
    pid = engine.transport.get_pid()
    if not Path(f"/proc/{pid}/task").exists():
        return "not tried: no /proc here"
    before = leaves(pid)
    with engine.analysis(chess.Board()) as analysis:
        next(info for info in analysis if "score" in info)
        for worker in before:
            with contextlib.suppress(ProcessLookupError):  # the engine ends the others itself
                os.kill(worker, signal.SIGKILL)
        next(info for info in analysis if info.get("depth", 0) >= 4)
    result = engine.play(chess.Board(), chess.engine.Limit(time=1.0))
    assert result.move in chess.Board().legal_moves
    assert not set(before) & set(leaves(pid)), "they live on"
    return f"{len(before)} killed and replaced"


def main() -> int:
    """Play; the exit code is 0 if all went well."""
    command = sys.argv[1:]
    started = time.perf_counter()
    with chess.engine.SimpleEngine.popen_uci(command) as engine:
        seconds = time.perf_counter() - started
        print(f"handshake    {engine.id['name']}, {len(engine.options)} options, {seconds:.2f} s")
        print(f"book move    {engine.play(chess.Board(), chess.engine.Limit(time=1.0)).move}")
        engine.configure({"OwnBook": False})
        print(f"game         {play_game(engine, chess.Board())}")
        print(f"Chess960     {play_game(engine, chess.Board.from_chess960_pos(201))}")
        print(f"analysis     {stop_analysis(engine)}")
        engine.configure({"Threads": 2, "Hash": 32})
        print(f"two threads  {play_game(engine, chess.Board())}")
        print(f"workers      {kill_workers(engine)}")
        pid = engine.transport.get_pid()
        workers = leaves(pid) if Path(f"/proc/{pid}/task").exists() else []
        engine.quit()
    for _ in range(50):
        if not any(Path(f"/proc/{worker}").exists() for worker in workers):
            break
        time.sleep(0.1)
    else:
        raise AssertionError(f"search processes stay behind: {workers}")
    print("all went well")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Uses boards in eight threads at once: `python tests/long/board_threads.py [SECONDS]`.

It is meant for a free-threaded Python, where the threads really run at the same time. Threads with
a board of their own must find what a single thread finds. All threads may read a shared board, as
long as reading plays no moves, and every move of a shared iterator appears once. If they change a
shared board without a lock, it becomes nonsense, but the program survives.
"""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import chess

import halbzug

THREADS = 8


class Named(halbzug.Board):
    """A class that overrides nothing."""

    name = ""


class NoCastling(halbzug.Board):
    """A class that overrides what the compiled code would call."""

    def generate_castling_moves(
        self, from_mask: int = chess.BB_ALL, to_mask: int = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """No castling moves."""
        return iter(())


def together(work: Callable[[int], Any]) -> list[Any]:
    """The results of the threads, in order; an error in one of them is raised."""
    results: list[Any] = [None] * THREADS
    errors: list[BaseException] = []
    barrier = threading.Barrier(THREADS)

    def run(number: int) -> None:
        barrier.wait()
        try:
            results[number] = work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


def play(seed: int) -> list[Any]:
    """Play a random game, and return everything the board says on the way."""
    chance = random.Random(seed)
    said: list[Any] = []
    board = halbzug.Board()
    while not board.is_game_over() and board.ply() < 60:
        moves = list(board.legal_moves)
        sans = [board.san(move) for move in moves]
        assert [board.parse_san(san) for san in sans] == moves
        said += [board.fen(), *sans, board.is_check(), board.copy() == board]
        said.append(halbzug.Board(board.fen()).legal_moves.count())
        board.push(chance.choice(moves))
    said += [halbzug.perft(board, 2), str(board.move_stack), board.outcome()]
    if not board.is_game_over():
        said.append(halbzug.evaluate(board).white)
    for _ in range(board.ply()):
        board.pop()
    return [*said, board.fen()]


def classes(number: int) -> None:
    """Boards of classes with and without methods of their own, alternating."""
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    for _ in range(200):
        assert Named(fen).legal_moves.count() == 26
        assert NoCastling(fen).legal_moves.count() == 24


def read_one() -> None:
    """One board with a game on its stack, read by all threads."""
    for seed in range(20):
        board = halbzug.Board()
        chance = random.Random(seed)
        for _ in range(40):
            if board.is_game_over():
                break
            board.push(chance.choice(list(board.legal_moves)))
        alone = board.copy()
        moves = list(alone.move_stack)

        def read(number: int, board: chess.Board = board) -> list[Any]:
            copy = board.copy()
            return [
                copy.move_stack,
                board.move_stack,
                board.fen(),
                list(board.legal_moves),
                [board.san(move) for move in board.legal_moves],
            ]

        answers = together(read)
        assert answers == [read(0, alone)] * THREADS
        assert answers[0][0] == moves


def share_an_iterator() -> None:
    """Every move of an iterator appears once, whichever thread asks."""
    board = halbzug.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    for _ in range(300):
        moves = iter(board.legal_moves)
        found = together(lambda number, moves=moves: list(moves))  # type: ignore[misc]
        taken = [move for part in found for move in part]
        assert sorted(map(str, taken)) == sorted(map(str, board.legal_moves)), taken


def fight(board: chess.Board, number: int) -> None:
    """Change one board without a lock."""
    chance = random.Random(number)
    for _ in range(500):
        try:
            for _ in range(chance.randrange(8)):
                board.push(chance.choice(list(board.legal_moves)))
            board.copy()
            if chance.random() < 0.5:
                board.move_stack  # noqa: B018 (it writes down the moves)
            for _ in range(chance.randrange(9)):
                board.pop()
            if chance.random() < 0.05:
                board.reset()
        except (ValueError, IndexError, AssertionError, KeyError, AttributeError):
            pass  # nonsense, reported as python-chess would


def main() -> None:
    """Repeat everything until time is up."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    is_free = not getattr(sys, "_is_gil_enabled", lambda: True)()
    if "free-threading" in sys.version:
        assert is_free, "a module has enabled the global lock"
    play(0)  # imports what is needed
    end = time.monotonic() + seconds
    rounds = 0
    shares: list[float] = []
    while time.monotonic() < end:
        seeds = range(rounds * THREADS, rounds * THREADS + THREADS)
        begun = time.perf_counter()
        alone = [play(seed) for seed in seeds]
        middle = time.perf_counter()
        assert together(lambda number, seeds=seeds: play(seeds[number])) == alone  # type: ignore[misc]
        shares.append((middle - begun) / (time.perf_counter() - middle))
        together(classes)
        read_one()
        share_an_iterator()
        board = halbzug.Board()
        together(lambda number, board=board: fight(board, number))  # type: ignore[misc]
        rounds += 1
    from halbzug.board.movegen import BUILD

    speedup = sorted(shares)[len(shares) // 2]
    lock = "off" if is_free else "on"
    print(f"{rounds} rounds in {THREADS} threads: all equal; {BUILD}, the lock is {lock}")
    print(f"{speedup:.1f} times as fast as one thread")


if __name__ == "__main__":
    main()

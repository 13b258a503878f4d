"""Many games at a short time control, recording memory and latency: takes an hour or a night.

    python tests/long/soak.py --games 1000 --tc 1+0.01 --against stockfish
    python tests/long/soak.py --games 1000 --tc 1+0.01 --against pure

The compiled build plays the pure one, Stockfish or itself, from the openings of the package in
pairs. The report lists for each engine: forfeits, illegal moves and crashes; replaced processes;
the resident memory of the front with its workers, in total and without the pages of mapped files
(book and tables, which the system may drop), and its growth over the last 80 % of the games (least
squares); and how long after its deadline each answer came, measured from outside. The deadline is
the engine's own (`halbzug.search.time_management.allot`), which already subtracts Move Overhead; so
an answer that is late by less than Move Overhead is in time. The exit code is 0 if nothing is
wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import chess
import chess.engine

sys.path.insert(0, str(Path(__file__).parents[1]))  # helpers of the tests

from checkout import ROOT
from uci_client import kilobytes_by_kind

from halbzug.base.limits import Limits
from halbzug.base.time_control import parse_clock
from halbzug.client.engine_errors import Fault
from halbzug.match.adjudication import Rules
from halbzug.match.game import Conditions, FinishedGame, play_game
from halbzug.match.openings import read_openings
from halbzug.match.players import EngineSpec, PlayedMove, Player
from halbzug.search.time_management import allot

#: The engine's default, in milliseconds.
MOVE_OVERHEAD_MS = 30

#: Memory that grows by more than this in 100 games does not count as flat, in kilobytes. Stockfish,
#: measured in the same way over 1,000 games, grew by 176: pages touched for the first time.
FLAT_KILOBYTES = 200.0


@dataclass
class Record:
    """The record of an engine."""

    late_ms: list[float] = field(default_factory=list)  # for each timed move; negative means early
    kilobytes: list[int] = field(default_factory=list)  # resident, after each game
    own_kilobytes: list[int] = field(default_factory=list)  # the same without mapped files
    faults: Counter[str] = field(default_factory=Counter)
    replaced: int = 0  # fronts and workers that changed during a game


class WatchedPlayer(Player):
    """A player whose moves are timed against its own deadline, if it is ours."""

    def __init__(self, spec: EngineSpec, record: Record) -> None:
        super().__init__(spec, patience_seconds=60.0)
        self.record = record
        self._pids: list[int] = []

    async def play(
        self,
        board: chess.Board,
        limit: chess.engine.Limit,
        allowance_seconds: float | None,
        game: object,
    ) -> PlayedMove:
        """Ask for a move, and note how late it comes."""
        played = await super().play(board, limit, allowance_seconds, game)
        limits = Limits(
            white_time_ms=_milliseconds(limit.white_clock),
            black_time_ms=_milliseconds(limit.black_clock),
            white_increment_ms=_milliseconds(limit.white_inc) or 0,
            black_increment_ms=_milliseconds(limit.black_inc) or 0,
            moves_to_go=limit.remaining_moves,
            move_time_ms=_milliseconds(limit.time),
        )
        move_time = allot(limits, board.turn, MOVE_OVERHEAD_MS)
        if move_time and self.spec.name != "stockfish":
            self.record.late_ms.append(1000 * played.seconds - move_time.maximum_ms)
        return played

    def measure(self) -> None:
        """Record memory, and processes that differ from those after the last game."""
        if self.client.pid is None:
            return
        pids = _tree(self.client.pid)
        resident, mapped = (sum(kind) for kind in zip(*map(_kilobytes, pids), strict=True))
        self.record.kilobytes.append(resident)
        self.record.own_kilobytes.append(resident - mapped)
        self.record.replaced += len(set(self._pids) - set(pids))
        self._pids = pids


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(1000 * seconds)


def _tree(pid: int) -> list[int]:
    """A process and all its descendants."""
    pids = [pid]
    for known in pids:
        for task in Path(f"/proc/{known}/task").glob("*/children"):
            pids += map(int, task.read_text().split())
    return pids


def _kilobytes(pid: int) -> tuple[int, int]:
    """The resident memory of a process, and how much of it the system could drop: file pages."""
    try:
        kinds = kilobytes_by_kind(pid)
    except OSError:
        return 0, 0
    return kinds.get("VmRSS", 0), kinds.get("RssFile", 0)


def slope(values: Sequence[float]) -> float:
    """The slope of the least-squares line, per step."""
    count = len(values)
    if count < 2:
        return 0.0
    middle, mean = (count - 1) / 2, sum(values) / count
    above = sum((step - middle) * (value - mean) for step, value in enumerate(values))
    return above / sum((step - middle) ** 2 for step in range(count))


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that this percentage does not exceed."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * percent / 100), len(ordered) - 1)]


async def soak(
    games: int, specs: Sequence[EngineSpec], records: Sequence[Record], output: TextIO | None
) -> Counter[str]:
    """Play the games; return how they ended, by reason."""
    openings = read_openings(ROOT / "uci_engine" / "books" / "openings.epd")
    players = [WatchedPlayer(spec, record) for spec, record in zip(specs, records, strict=True)]
    ends: Counter[str] = Counter()
    started = time.monotonic()
    try:
        for number in range(games):
            white, black = players[number % 2], players[1 - number % 2]
            opening = openings.read(number // 2 % len(openings))
            finished = await play_game(white, black, opening, Conditions(Rules()))
            _note(finished, white, black, ends)
            for player in players:
                player.measure()
            if output:
                _write(output, number, finished, players)
            if (number + 1) % 50 == 0:
                minutes = (time.monotonic() - started) / 60
                print(f"{number + 1} games, {minutes:.0f} min, {dict(ends)}", flush=True)
    finally:
        for player in players:
            await player.stop()
    return ends


def _note(
    finished: FinishedGame, white: WatchedPlayer, black: WatchedPlayer, ends: Counter[str]
) -> None:
    end = finished.end
    ends[end.termination] += 1
    if end.termination in {fault.value for fault in Fault}:
        loser = white if end.result == "0-1" else black
        loser.record.faults[end.termination] += 1
        print(f"{end.reason} after {finished.game.end().ply()} plies", flush=True)


def _write(
    output: TextIO, number: int, finished: FinishedGame, players: Sequence[WatchedPlayer]
) -> None:
    """Write one line of JSON per game."""
    line: dict[str, Any] = {"game": number + 1, "result": finished.end.result}
    line["end"] = finished.end.reason
    line["kilobytes"] = [player.record.kilobytes[-1:] for player in players]
    line["own_kilobytes"] = [player.record.own_kilobytes[-1:] for player in players]
    line["latest_ms"] = [round(max(player.record.late_ms, default=0), 1) for player in players]
    output.write(json.dumps(line) + "\n")
    output.flush()


def report(name: str, record: Record) -> tuple[str, bool]:
    """A paragraph about an engine, and whether all is well with it."""
    skipped = len(record.kilobytes) // 5
    last, own = record.kilobytes[skipped:] or [0], record.own_kilobytes[skipped:] or [0]
    growth = 100 * slope(own)
    faults = dict(record.faults) or "none"
    text = f"""{name}
  forfeits, illegal moves, crashes   {faults}
  processes replaced                 {record.replaced}
  resident memory                    {last[0] / 1024:.1f} MiB, then {last[-1] / 1024:.1f} MiB, \
at most {max(last) / 1024:.1f} MiB
  slope over the last 80 %           {100 * slope(last):+.1f} kB in 100 games
  the same without mapped files      {growth:+.1f} kB in 100 games"""
    is_well = not record.faults and (len(own) < 50 or growth < FLAT_KILOBYTES)
    if late := record.late_ms:
        worst, maximum = percentile(late, 99.9), max(late)
        is_well = is_well and maximum < MOVE_OVERHEAD_MS
        text += f"""
  moves                              {len(late)}
  after its deadline, 99.9 %         {worst:+.1f} ms
  after its deadline, maximum        {maximum:+.1f} ms (Move Overhead {MOVE_OVERHEAD_MS} ms)"""
    return text, is_well


def opponent(kind: str) -> tuple[str, tuple[str, ...]]:
    """The name and command of the compiled build's opponent."""
    halbzug = (sys.executable, "-m", "halbzug")
    if kind == "stockfish":
        command = shutil.which("stockfish") or "/usr/games/stockfish"
        return "stockfish", (command,)
    if kind == "pure":
        return "pure", ("env", "HALBZUG_PURE=1", *halbzug)
    return "itself", halbzug


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as a script; return the exit code."""
    parser = argparse.ArgumentParser(description="Let the engine play many games.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--tc", default="1+0.01", help="as in halbzug match")
    parser.add_argument("--against", choices=("stockfish", "pure", "self"), default="self")
    parser.add_argument("--output", type=Path, help="a line of JSON for each game")
    options = parser.parse_args(arguments)
    control = parse_clock(options.tc)
    own = (sys.executable, "-m", "halbzug")
    specs = [EngineSpec("compiled", own, {}, control)]
    specs.append(EngineSpec(*opponent(options.against), {}, control))
    records = [Record(), Record()]
    output = options.output.open("w", encoding="utf-8") if options.output else None
    started = time.monotonic()
    ends = asyncio.run(soak(options.games, specs, records, output))
    minutes = (time.monotonic() - started) / 60
    print(f"{options.games} games at {options.tc} in {minutes:.1f} min: {dict(ends)}")
    is_well = True
    for spec, record in zip(specs, records, strict=True):
        text, is_fine = report(spec.name, record)
        print(text)
        is_well = is_well and (is_fine or spec.name == "stockfish")
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())

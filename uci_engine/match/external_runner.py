"""Runs a match with cutechess-cli or fastchess, under the same conditions.

The options follow their manual pages, cutechess-cli(6) and fastchess's man.md.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ..display.ending import signal_that_came
from ..tablebase.files import default_folders

if TYPE_CHECKING:
    from .plan import MatchPlan
    from .players import EngineSpec

_CUTECHESS = "cutechess-cli"


class RunnerError(Exception):
    """Why a runner cannot play the match, in one line."""


def run_match(plan: MatchPlan, runner: str) -> int:
    """Let a runner play the match in this terminal, and return its exit code.

    :raises RunnerError: if it is not installed or does not start.
    """
    program = shutil.which(runner)
    if program is None:
        raise RunnerError(f"{runner} is not on the PATH")
    if plan.openings:
        return _run([program, *arguments(plan, runner, plan.openings)])
    from .openings import chess960_openings

    with tempfile.TemporaryDirectory() as folder:
        openings = Path(folder) / "chess960.epd"
        suite = chess960_openings()
        lines = [suite.read(index).fen() for index in range(len(suite))]
        openings.write_text("\n".join(lines) + "\n", encoding="ascii")
        return _run([program, *arguments(plan, runner, openings)])


def _run(command: list[str]) -> int:
    try:
        process = subprocess.Popen(command)
    except OSError as error:
        raise RunnerError(f"{command[0]} does not start: {error.strerror}") from None
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            # Ctrl-C also reaches the runner, which ends and saves its games.
            if signal_that_came() is not None:
                process.terminate()


def arguments(plan: MatchPlan, runner: str, openings: Path) -> list[str]:
    """The command line for a runner, after its name.

    :param openings: EPD or PGN file.
    """
    from .openings import is_pgn

    is_cutechess = runner == _CUTECHESS
    words = [word for engine in plan.engines for word in _engine(engine, plan, is_cutechess)]
    if plan.chess960:
        words += ["-variant", "fischerandom"]
    if plan.is_gauntlet:
        words += ["-tournament", "gauntlet"]
    kind = "pgn" if is_pgn(openings, "") else "epd"
    words += ["-openings", f"file={openings}", f"format={kind}", "order=random"]
    if is_cutechess and len(plan.engines) > 2:
        words += ["policy=round"]
    words += ["-srand", str(plan.seed), "-concurrency", str(plan.concurrency), "-recover"]
    words += ["-rounds", str(plan.games // 2), "-games", "2", "-repeat"]
    words += _adjudication(plan)
    if plan.sprt:
        elo0, elo1 = plan.sprt
        words += ["-sprt", f"elo0={elo0:g}", f"elo1={elo1:g}", "alpha=0.05", "beta=0.05"]
        if not is_cutechess:
            words += ["model=logistic"]
    if plan.pgn:
        words += ["-pgnout", *([str(plan.pgn), "fi"] if is_cutechess else [f"file={plan.pgn}"])]
    return words


def _engine(engine: EngineSpec, plan: MatchPlan, is_cutechess: bool) -> list[str]:
    program, *rest = engine.command
    words = ["-engine", f"name={engine.name}", f"cmd={program}", "proto=uci"]
    if is_cutechess:
        words += [f"arg={word}" for word in rest]
    elif rest:
        words.append(f"args={shlex.join(rest)}")
    words += [f"option.{name}={value}" for name, value in engine.options.items()]
    control = engine.control
    if control.base_seconds:
        period = f"{control.moves}/" if control.moves else ""
        words.append(f"tc={period}{control.base_seconds:g}+{control.increment_seconds:g}")
    elif control.move_seconds:
        words.append(f"st={control.move_seconds:g}")
    elif is_cutechess:
        words.append("tc=inf")  # cutechess-cli requires a clock besides nodes and depth
    if control.nodes:
        words.append(f"nodes={control.nodes}")
    if control.depth:
        words.append(f"{'depth' if is_cutechess else 'plies'}={control.depth}")
    if plan.margin_seconds:
        words.append(f"timemargin={1000 * plan.margin_seconds:.0f}")
    return words


def _adjudication(plan: MatchPlan) -> list[str]:
    resign, draw = plan.rules.resign, plan.rules.draw
    words = ["-maxmoves", str(plan.rules.longest_game)]
    if resign:
        words += ["-resign", f"movecount={resign.moves}", f"score={resign.centipawns}"]
    if draw:
        words += ["-draw", f"movenumber={draw.first_move}", f"movecount={draw.moves}"]
        words += [f"score={draw.centipawns}"]
    if plan.tablebase_folders is not None:
        folders = [*map(str, default_folders()), *filter(None, [plan.tablebase_folders])]
        words += ["-tb", os.pathsep.join(folders)]
    return words

"""The opponents that `halbzug rate` uses, in one list from a random mover upwards.

The scale is that of `UCI_Elo`, fixed at 1350: the level 1350 and those above are Halbzug with that
`UCI_Elo` (LEDGER.md says how they were fitted to Stockfish 15.1). The levels below were measured
from there downwards, by a chain of matches between neighbours (LEDGER.md, "The scale of ratings").
No level uses the clock, so each is equally strong at every time control.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..base.launch import own_command
from ..base.time_control import TimeControl
from ..match.players import EngineSpec
from . import weakened

#: More nodes than any level needs: its own limit ends the search.
UNLIMITED = TimeControl(nodes=100_000_000)


@dataclass(frozen=True)
class Level:
    """An opponent, and its Elo."""

    elo: float
    spec: EngineSpec


#: Percentage of random moves of `halbzug.lab.weakened`, and the measured Elo.
WEAKENED = ((100, -918), (75, -543), (55, -229), (30, 109), (15, 337), (6, 505), (0, 657))

#: `UCI_Elo`, and the Elo on the scale fixed at 1350.
HALBZUG = (
    *((800, 828), (1100, 1049), (1350, 1350), (1500, 1500), (1650, 1650), (1800, 1800)),
    *((1950, 1950), (2100, 2100), (2250, 2250), (2400, 2400), (2550, 2550), (2700, 2700)),
)


def levels() -> list[Level]:
    """All levels, from the weakest."""
    file = str(Path(weakened.__file__))
    return [
        *(Level(elo, _weakened(file, share)) for share, elo in WEAKENED),
        *(Level(elo, _halbzug(setting)) for setting, elo in HALBZUG),
    ]


def _weakened(file: str, share: int) -> EngineSpec:
    command = tuple(own_command("halbzug.__main__", "run", "--strict", file))
    return EngineSpec(f"random-{share}%", command, {weakened.SHARE: str(share)}, UNLIMITED)


def _halbzug(elo: int) -> EngineSpec:
    options = {"UCI_LimitStrength": "true", "UCI_Elo": str(elo), "OwnBook": "false"}
    command = tuple(own_command("halbzug.__main__"))
    return EngineSpec(f"halbzug-{elo}", command, options, UNLIMITED)

"""Instructions for chess programs whose engine lists cannot be written.

Sources for the menus: Arena's help, "Engine Management"; BanksiaGUI's page on detecting engines;
Scid's English texts (`tcl/lang/english.tcl`) and its wiki on the engine list; Nibbler's `main.js`;
En Croissant's `AddEngine.tsx`. For lichess-bot: `config.yml.default`.
"""

from __future__ import annotations

import json
import os
import re

STEPS = (
    ("Arena", "Engines, Install New Engine..., choose", "Type: UCI"),
    ("BanksiaGUI", "Engine management, add an engine, choose", "Protocol: UCI"),
    ("Scid", "Tools, Analysis Engine..., New, Command:", "Name: Halbzug; tick UCI"),
    ("Nibbler", "Engine, Choose engine..., choose", "then set MultiPV to 1 for strength"),
    ("En Croissant", "Engines, Add new, Local, Binary file:", "Name: Halbzug"),
)

#: Milliseconds kept back on each move for network lag.
LICHESS_OVERHEAD_MS = 100
LICHESS_HASH_MB = 256


def instructions(program: str) -> str:
    """The menus and entries for each program.

    :param program: absolute path of the command.
    """
    blocks = []
    for title, way, rest in STEPS:
        blocks.append(f"{title}\n  {way}\n    {program}\n  {rest}\n")
    blocks.append(
        "lichess-bot: replace these keys in the engine: block of config.yml, and leave the others\n"
        f"\n{lichess_block(program)}"
    )
    return "\n".join(blocks)


def lichess_block(program: str) -> str:
    """The engine's keys of lichess-bot's `engine:` block; JSON is also valid YAML."""
    folder, file = re.split(r"[/\\](?=[^/\\]*$)", program)
    return f"""\
engine:
  dir: {json.dumps(folder or "/", ensure_ascii=False)}
  name: {json.dumps(file, ensure_ascii=False)}
  protocol: "uci"
  uci_options:
    Move Overhead: {LICHESS_OVERHEAD_MS}
    Threads: {os.cpu_count() or 1}
    Hash: {LICHESS_HASH_MB}
    UCI_ShowWDL: true
"""

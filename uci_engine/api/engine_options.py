"""The options of `halbzug.Engine` for type checkers; a test compares them with the real options."""

from __future__ import annotations

import os
from typing import TypedDict


class EngineOptions(TypedDict, total=False):
    """UCI options, in lower case with underscores; sizes in MiB, times in milliseconds."""

    hash: int
    threads: int
    move_overhead: int
    own_book: bool
    book_file: str | os.PathLike[str]
    eval_file: str | os.PathLike[str]
    book_depth: int
    book_variety: int
    syzygy_path: str | os.PathLike[str]
    syzygy_probe_depth: int
    syzygy_probe_limit: int
    syzygy50_move_rule: bool
    skill_level: int
    uci_limit_strength: bool
    uci_elo: int
    uci_analyse_mode: bool
    uci_show_wdl: bool
    uci_opponent: str | os.PathLike[str]
    uci_engine_about: str | os.PathLike[str]
    debug_log_file: str | os.PathLike[str]

"""Readable names of the features that the evaluation weighs."""

from __future__ import annotations

import chess

from ..base.text import counted
from ..eval.tables import ENEMY_PAIRS, OWN_PAIRS, PIECES

_RANKS = 8  # tables with two parts have this many entries in the first


def title_of(name: str, index: int) -> str:
    """A feature in words: `knight on f3`, `rook mobility 7`, `passed pawn, rank 6`."""
    if name == "material":
        return PIECES[index + 1]
    words = name.replace("_", " ")
    if name.endswith("_square"):
        return f"{words.removesuffix(' square')} on {chess.SQUARE_NAMES[index ^ 56]}"
    if name == "king_mobility":
        return f"king, {counted(index, 'safe step')}"
    if name.endswith("_mobility"):
        return f"{words.removesuffix(' mobility')}, {counted(index, 'square')} to go to"
    if name in ("own_pair", "enemy_pair"):
        one, other = (OWN_PAIRS if name == "own_pair" else ENEMY_PAIRS)[index]
        return f"{PIECES[one]} {'with' if name == 'own_pair' else 'against'} {PIECES[other]}"
    if name in ("phalanx_pawn", "supported_pawn"):
        opposed = ", opposed" if index >= _RANKS else ""
        return f"{words} on rank {index % _RANKS + 1}{opposed}"
    if name in ("passed_pawn", "lever"):
        return f"{words} on rank {index + 1}"
    if name == "passed_connected":
        return f"connected passed pawn on rank {index + 1}"
    if name == "shelter":
        file = "own file" if index >= _RANKS else "file beside"
        return f"shelter, {file}: {_rank(index % _RANKS)}"
    if name in ("storm", "blocked_storm"):
        return f"{words}: {_rank(index)}"
    if name == "king_danger":
        return f"attack on the king, {counted(index, 'unit')}"
    if name in ("safe_check", "other_check"):
        return f"{words} by a {PIECES[index]}"
    if name in ("minor_threat", "rook_threat"):
        attacker = "minor piece" if name == "minor_threat" else "rook"
        return f"{attacker} attacks a {PIECES[index]}"
    if name == "restricted":
        return "square that both sides attack"
    return words


def _rank(rank: int) -> str:
    return f"pawn on rank {rank + 1}" if rank else "no pawn"

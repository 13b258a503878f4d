"""German names of the evaluation's features; see `halbzug.api.term_titles`."""

from __future__ import annotations

import chess

from ..base.language import reader_language
from ..eval.tables import ENEMY_PAIRS, OWN_PAIRS
from .term_titles import title_of

_PIECES = ("", "Bauer", "Springer", "Läufer", "Turm", "Dame", "König")
_NUMBERS = {name: number for number, name in enumerate(chess.PIECE_NAMES) if name}
_RANKS = 8  # in tables with two parts, the first part has this many entries

_TITLES = {
    "bad_bishop": "schlechter Läufer",
    "locked_bishop": "eingesperrter Läufer",
    "knight_outpost": "Springer auf Vorposten",
    "bishop_outpost": "Läufer auf Vorposten",
    "knight_to_outpost": "Vorposten in Reichweite eines Springers",
    "minor_behind_pawn": "Leichtfigur hinter einem Bauern",
    "rook_open_file": "Turm auf offener Linie",
    "rook_half_open_file": "Turm auf halboffener Linie",
    "rook_on_queen_file": "Turm auf der Linie einer Dame",
    "rook_seventh_rank": "Turm auf der siebten Reihe",
    "doubled_pawn": "Doppelbauer",
    "isolated_pawn": "Isolani",
    "pawn_island": "Bauerninsel",
    "backward_pawn": "rückständiger Bauer",
    "exposed_pawn": "schwacher Bauer auf halboffener Linie",
    "loose_lever": "ungedeckter Hebel",
    "passed_own_king": "Freibauer, Abstand des eigenen Königs",
    "passed_enemy_king": "Freibauer, Abstand des gegnerischen Königs",
    "passed_blocked": "blockierter Freibauer",
    "passed_safe_stop": "Freibauer, Feld davor nicht angegriffen",
    "passed_held_stop": "Freibauer, Feld davor gedeckt",
    "passed_free_path": "Freibauer, Weg frei",
    "passed_rook_behind": "eigener Turm hinter dem Freibauern",
    "passed_chased": "gegnerischer Turm hinter dem Freibauern",
    "pin": "Fesselung",
    "pawnless_flank": "König an einem Flügel ohne Bauern",
    "pawn_attacks_minor": "Bauer greift Leichtfigur an",
    "pawn_attacks_major": "Bauer greift Schwerfigur an",
    "hanging_piece": "ungedeckte Figur angegriffen",
    "hanging_pawn": "ungedeckter Bauer angegriffen",
    "pawn_push_threat": "Bauernzug droht Figur anzugreifen",
    "restricted": "Feld, das beide Seiten angreifen",
    "mop_up_edge": "König am Rand",
    "mop_up_kings": "Nähe der Könige",
    "mop_up_corner": "König in der Ecke des Läufers",
    "tempo": "Zugrecht",
}

#: With placeholders for a number, a rank or a piece.
_PATTERNS = {
    "king_mobility": "König, {index} sichere Schritte",
    "lever": "Hebel auf Reihe {rank}",
    "passed_pawn": "Freibauer auf Reihe {rank}",
    "passed_connected": "verbundener Freibauer auf Reihe {rank}",
    "phalanx_pawn": "Bauer in einer Phalanx auf Reihe {rank}",
    "supported_pawn": "gedeckter Bauer auf Reihe {rank}",
    "shelter": "Königsschutz: {guard}",
    "storm": "Bauernsturm: {guard}",
    "blocked_storm": "blockierter Bauernsturm: {guard}",
    "king_danger": "Angriff auf den König, {index} Einheiten",
    "safe_check": "sicheres Schach: {piece}",
    "other_check": "anderes Schach: {piece}",
    "minor_threat": "Leichtfigur greift an: {piece}",
    "rook_threat": "Turm greift an: {piece}",
}


def term_title(name: str, index: int) -> str:
    """A feature in words, in the reader's language."""
    return title_of(name, index) if reader_language() == "en" else german_title(name, index)


def german_title(name: str, index: int) -> str:
    """A feature in words, `Springer auf f3`; in English if there is no translation."""
    if name == "material":
        return _PIECES[index + 1]
    if name in ("own_pair", "enemy_pair"):
        one, other = (OWN_PAIRS if name == "own_pair" else ENEMY_PAIRS)[index]
        return f"{_PIECES[one]} {'mit' if name == 'own_pair' else 'gegen'} {_PIECES[other]}"
    if name in _TITLES:
        return _TITLES[name]
    if name in _PATTERNS:
        rank = index % _RANKS
        second = index >= _RANKS
        note = ", gegenüber ein Bauer" if second and name.endswith("_pawn") else ""
        note = ", eigene Linie" if second and name == "shelter" else note
        words = _PATTERNS[name].format(
            index=index,
            rank=rank + 1,
            guard=f"Bauer auf Reihe {rank + 1}" if rank else "kein Bauer",
            piece=_PIECES[index] if index < len(_PIECES) else "",
        )
        return words + note
    piece, _, kind = name.partition("_")
    if piece not in _NUMBERS or kind not in ("mobility", "square"):
        return title_of(name, index)
    word = _PIECES[_NUMBERS[piece]]
    if kind == "mobility":
        return f"{word}, {index} {'Feld' if index == 1 else 'Felder'} erreichbar"
    return f"{word} auf {chess.SQUARE_NAMES[index ^ 56]}"

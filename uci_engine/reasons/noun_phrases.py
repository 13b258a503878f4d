"""Pieces in a sentence: unchanged in English, and in German in the case that the sentence needs.

A sentence of `german.po` names the form in its placeholder, such as `{piece:acc}`: nominative,
accusative, dative or genitive; with `von` or `zu` before it; a pronoun, or a relative pronoun.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import chess

from ..base.language import reader_language, say
from .motifs import PlacedPiece

#: A piece in German: nominative, other cases of the singular, genitive, plural.
_NOUNS = {
    chess.PAWN: ("Bauer", "Bauern", "Bauern", "Bauern"),
    chess.KNIGHT: ("Springer", "Springer", "Springers", "Springer"),
    chess.BISHOP: ("Läufer", "Läufer", "Läufers", "Läufer"),
    chess.ROOK: ("Turm", "Turm", "Turms", "Türme"),
    chess.QUEEN: ("Dame", "Dame", "Dame", "Damen"),
    chess.KING: ("König", "König", "Königs", "Könige"),
}

#: For each form, the article or pronoun of a masculine and a feminine noun.
_ARTICLES = {
    "nom": ("der", "die"),
    "acc": ("den", "die"),
    "dat": ("dem", "der"),
    "gen": ("des", "der"),
    "von": ("vom", "von der"),
    "zu": ("zum", "zur"),
}
_PRONOUNS = {
    "er": ("er", "sie"),
    "ihn": ("ihn", "sie"),
    "der": ("der", "die"),
    "den": ("den", "die"),
}
_INDEFINITE = {"acc": ("einen", "eine"), "dat": ("einem", "einer")}


def _noun(kind: chess.PieceType, form: str) -> str:
    return _NOUNS[kind][0 if form == "nom" else 2 if form == "gen" else 1]


@dataclass(frozen=True)
class ThePiece:
    """`the knight on f3`, or without a square `the knight`."""

    kind: chess.PieceType
    square: chess.Square | None = None

    @classmethod
    def of(cls, stand: PlacedPiece) -> ThePiece:
        """A piece with its square."""
        return cls(stand.kind, stand.square)

    def __format__(self, form: str) -> str:
        where = "" if self.square is None else chess.square_name(self.square)
        if reader_language() == "en":
            return f"the {chess.piece_name(self.kind)}" + (where and f" on {where}")
        is_feminine = self.kind == chess.QUEEN
        if form in _PRONOUNS:
            return _PRONOUNS[form][is_feminine]
        noun = f"{_ARTICLES[form][is_feminine]} {_noun(self.kind, form)}"
        return noun + (where and f" auf {where}")


@dataclass(frozen=True)
class APiece:
    """`a knight`, `two knights`, or `a new queen`."""

    kind: chess.PieceType
    count: int = 1
    is_new: bool = False

    def __format__(self, form: str) -> str:
        if reader_language() == "en":
            new = "new " if self.is_new else ""
            plural = "s" if self.count > 1 else ""
            return f"{_NUMBERS[self.count]} {new}{chess.piece_name(self.kind)}{plural}"
        if self.count > 1:
            return f"{say(_NUMBERS[self.count])} {_NOUNS[self.kind][3]}"
        is_feminine = self.kind == chess.QUEEN
        new = ("neue " if is_feminine else "neuen ") if self.is_new else ""
        return f"{_INDEFINITE[form][is_feminine]} {new}{_noun(self.kind, form)}"


@dataclass(frozen=True)
class Listed:
    """Several things with `and` before the last one."""

    things: Sequence[ThePiece | APiece | str]

    def __format__(self, form: str) -> str:
        words = [one if isinstance(one, str) else format(one, form) for one in self.things]
        return f" {say('and')} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


_NUMBERS = ("no", "a", "two", "three", "four", "five", "six", "seven", "eight")

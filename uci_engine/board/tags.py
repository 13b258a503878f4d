"""Reads the tags at the head of a game, however they are written.

python-chess silently ignores tags that it does not understand, and starts from the standard
position. Here names may have any case, and values any quotes or none, as long as the meaning is
certain; anything else is reported. A game whose start is uncertain is rejected.
"""

# ruff: noqa: RUF001 (the quotes of many programs)

from __future__ import annotations

import re
from collections.abc import Iterable

import chess
import chess.pgn

from .fen import read_fen
from .movetext import NOTE, REFUSAL, remark

#: The standard spelling of tag names, by their names in lower case.
NAMES = {
    name.lower(): name
    for name in (
        *("Event", "Site", "Date", "Round", "White", "Black", "Result", "FEN", "SetUp", "Variant"),
        *("WhiteElo", "BlackElo", "WhiteTitle", "BlackTitle", "WhiteTeam", "BlackTeam", "ECO"),
        *("Opening", "Variation", "TimeControl", "Termination", "Annotator", "PlyCount", "Mode"),
        *("EventDate", "UTCDate", "UTCTime", "Time", "Repertoire", "MatchId", "WhiteFideId"),
        *("BlackFideId", "Source", "EventType"),
    )
}
_QUOTES = {
    '"': '"',
    "'": "'",
    "“": "”",
    "”": "”",
    "„": "“”",
    "‘": "’",
    "’": "’",
    "«": "»",
    "`": "`'",
}
_QUOTES |= {"»": "«", "″": "″", "＂": "＂"}
_OPENING = "".join(_QUOTES)
_NAME = r"[A-Za-z0-9][\w+#=:-]*?"
_TAG = re.compile(rf"\s*\[\s*(?P<name>{_NAME})\s*[:=]?\s*(?P<quote>[{_OPENING}])")
_UNQUOTED = re.compile(rf"\s*\[\s*(?P<name>{'|'.join(NAMES)})\s*[:=\s]\s*(?P<value>[^\]\n]*)", re.I)
_USUAL = re.compile(r'\[([A-Za-z0-9][\w+#=:-]*) "((?:[^"\\\r]|\\.)*)"\]\s*\Z')
_PLACEMENT = re.compile(r"(?:[pnbrqkPNBRQK1-8]+/){3}")
_BOARD = re.compile(r"(?:[pnbrqkPNBRQK1-8]{1,8}/){7}[pnbrqkPNBRQK1-8]{1,8}(?:\s|_|\Z)")
#: Tags with a position other than the first.
_NOT_START = re.compile("current|final|last|end", re.IGNORECASE)
_STANDARD = {"standard", "chess", "normal", "from position"}


def name_of(line: str) -> str | None:
    """The name of the tag at the start of a line; None if there is none."""
    if "[" not in line[:40]:
        return None
    found = _TAG.match(line) or _UNQUOTED.match(line)
    if not found:
        return None
    name = found["name"].rstrip(":=")
    return NAMES.get(name.lower(), name)


def is_open(line: str) -> bool:
    """Whether a tag continues in the next line."""
    found = _TAG.match(line)
    if found is None or "]" in line:
        return False
    return not set(line[found.end() :]) & set(_OPENING)


def split_head(line: str) -> tuple[list[str], str]:
    """The tags at the start of a line, one per item, and the text after them.

    An unclosed tag ends with the line.
    """
    if _USUAL.match(line):
        return [line], ""
    tags: list[str] = []
    rest = line.strip()
    while rest.startswith("["):
        end = _end_of_tag(rest)
        tags.append(rest[:end] + "\n")
        rest = rest[end:].strip()
    return tags, rest + "\n" if rest else ""


def _end_of_tag(text: str) -> int:
    """The end of the tag with which a text begins."""
    if found := _TAG.match(text):
        closing = _QUOTES[found["quote"]]
        for end in re.finditer(rf"(?<!\\)[{re.escape(closing)}]\s*\]", text[found.end() :]):
            rest = text[found.end() + end.end() :].lstrip()
            if not rest.startswith(("]", '"')):
                return found.end() + end.end()
    end_of_any = text.find("]")
    return end_of_any + 1 if end_of_any >= 0 else len(text)


def read_head(lines: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """The tags of a game, and remarks on them for the visitor.

    Values are in file form, with backslashes before quotes.
    """
    tags: dict[str, str] = {}
    remarks: list[str] = []
    for line in lines:
        usual = _USUAL.match(line)
        name, value = (usual[1], usual[2]) if usual else ("", "")
        if not usual:
            found = _read_tag(line)
            if not found:
                kind = REFUSAL if _PLACEMENT.search(line) or "fen" in line.lower() else NOTE
                what = "the start is not certain: " if kind == REFUSAL else ""
                remarks.append(remark(kind, f"{what}cannot read the line {line.strip()[:60]}"))
                continue
            name, value = found
        name = name.rstrip(":=")
        name = NAMES.get(name.lower(), name)
        if not name.isascii():  # python-chess rejects such names
            remarks.append(remark(NOTE, f"cannot read the line {line.strip()[:60]}"))
        elif name == "FEN" and tags.get(name, value) != value:
            remarks.append(remark(REFUSAL, "the start is not certain: two different tags FEN"))
        else:
            tags[name] = value
    _settle_start(tags, remarks)
    return tags, remarks


def _read_tag(line: str) -> tuple[str, str] | None:
    """The name and value of a tag, if they are certain."""
    line = line.strip()
    if found := _TAG.match(line):
        value = line[found.end() :]
        closing = _QUOTES[found["quote"]]
        end = max(value.rfind(quote) for quote in {*closing, found["quote"]})
        value = value[:end] if end >= 0 else value.rstrip("]")
        if found["quote"] != '"':
            value = value.replace("\\", "\\\\").replace('"', '\\"')
        return found["name"], value.rstrip() if end < 0 else value
    if found := _UNQUOTED.match(line):
        return found["name"], found["value"].strip().strip(_OPENING + '"').replace('"', '\\"')
    return None


def _settle_start(tags: dict[str, str], remarks: list[str]) -> None:
    """Make sure that a chess game's start position is certain."""
    for name, value in tags.items():
        if "FEN" not in tags and _BOARD.search(value) and not _NOT_START.search(name):
            remarks.append(remark(REFUSAL, f"the start is not certain: the tag {name} has a FEN"))
    variant = tags.get("Variant", "").lower()
    fen = tags.get("FEN", "").strip()
    if fen in ("", "?", "-", "startpos"):
        if fen != "startpos" and tags.get("SetUp", "0").strip() == "1":
            remarks.append(remark(REFUSAL, "the start is not certain: SetUp is 1, without a FEN"))
        tags.pop("FEN", None)
        return
    is_chess960 = chess.pgn.Headers(Variant=variant).is_chess960()
    if variant and variant not in _STANDARD and not is_chess960:
        return
    chess960 = is_chess960 or (False if variant in _STANDARD else None)
    try:
        board, note = read_fen(fen, chess960)
    except ValueError as error:
        remarks.append(remark(REFUSAL, f"the tag FEN: {error}"))
        del tags["FEN"]
        return
    if note:
        remarks.append(remark(NOTE, note))
    if note or len(fen.split()) < 6:
        tags["FEN"] = board.fen(shredder=board.chess960, en_passant="fen")

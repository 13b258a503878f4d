"""Rewrites a game's moves as people write them into PGN that python-chess reads.

python-chess skips what it does not know, so that `Sf6`, a German knight move, becomes a pawn move.
Here every word of the moves is either understood completely or reported with its place. Figurines
and old and foreign notations become standard algebraic notation (SAN); a game whose words are all
standard is left unchanged.

Remarks on a text are embedded in it: comments that no file can contain, for the visitor that reads
the game.
"""

# ruff: noqa: RUF001 (this module distinguishes letters and signs that look alike)

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import chess

from ..base.text import on_one_line
from .san import parse_move

#: The start of a comment that is a remark for the visitor; a character that no game keeps.
_MARK = "\x01"

#: The kinds of remarks: a note; the end of the readable part of a line; the reason for rejecting a
#: game.
NOTE, FAULT, REFUSAL = "note", "fault", "refusal"

_FIGURINES = dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP", strict=True))
_ALIKE = str.maketrans(
    {
        **_FIGURINES,
        **dict.fromkeys("‐‑‒–—−﹣", "-"),
        **dict.fromkeys("×х", "x"),
        "⁄": "/",
        "†": "+",
        "‡": "#",
        **dict.fromkeys("\ufe0e\ufe0f", None),
    }
)
#: Cyrillic letters that look like file names.
_FILES = str.maketrans("асе", "ace")
_FILE = re.compile("[асе](?=[1-8x:-])")

#: Words that python-chess understands correctly.
_PLAIN = re.compile(
    r"\(*(?:"
    r"(?:\d{1,4}\.+|\d{1,3}|\.+)?"
    r"(?:(?:(?:[NBRQK][a-h]?[1-8]?x?|[a-h]x)?[a-h][1-8](?:=?[NBRQ])?|O-O(?:-O)?|0-0(?:-0)?)"
    r"[+#]?|[NBRQP]?@[a-h][1-8][+#]?|--|Z0)?"
    r"(?:!!?|\?\??|!\?|\?!)?(?:\$\d{1,4})?"
    r"|1-0|0-1|1/2-1/2|\*)\)*"
)
_COMMENTS = re.compile(r"\{[^}]*\}|;[^\n]*|^%[^\n]*", re.MULTILINE)
_EARLY_BRACKET = re.compile(r"(?:\A|\()[\s\d.]*\(")
_BRACKETS = re.compile(r"[()]")
_MAX_KNOWN = 100_000
_known: set[str] = set()  # words that are plain

_PARTS = re.compile(
    r"(?P<comment>\{[^}]*\}?)"
    r"|(?P<line>;[^\n]*)"
    r"|(?P<escape>^%[^\n]*)"
    r"|(?P<command>\[%[^\]\n]*\])"
    r"|(?P<draw>\(=\))"
    r"|(?P<bracket>[()])"
    r"|(?P<nag>\$\d{1,4}(?!\d))"
    r"|(?P<word>(?:[^\s{}();,$\x00-\x1f]|(?<=[a-h][18])\([^\s()]{1,2}\))+)"
    r"|(?P<odd>[^\s,\x00-\x1f])",
    re.MULTILINE,
)
_RESULTS = {
    **{text: text for text in ("1-0", "0-1", "1/2-1/2", "*")},
    **{"1:0": "1-0", "0:1": "0-1", "+:-": "1-0", "-:+": "0-1"},
    **dict.fromkeys(("1/2", "1/2:1/2", "1/2-", "0.5-0.5", "=:=", "draw", "remis"), "1/2-1/2"),
}
_NULL_MOVES = {"--", "Z0", "0000", "@@@@", "null", "<>"}
#: A four-digit number without a dot is a move in correspondence notation.
_NUMBER = re.compile(r"\d{1,6}\.+|\d{1,3}(?=[^\W\d_]|\Z)|\.+")
#: A question mark in place of a move.
_GAP = re.compile(r"(?<![^\s(])(?:\d{1,6}\.*|\.+)\s*\?")
_CASTLING = re.compile(r"[O0oОо]-[O0oОо](?P<long>-[O0oОо])?|OO(?P<far>O)?")
_LETTER = r"(?:Кр|кр|[^\W\d_])"
_TARGET = r"(?P<origin>[a-h]?[1-8]?)(?P<take>[-x:]?)(?P<target>[a-h][1-8])"
_PAWN_MOVE = re.compile(rf"{_TARGET}(?:(?<=[18])[=/:(]?(?P<promotion>{_LETTER})(?![^\W\d_])\)?)?")
_PIECE_MOVE = re.compile(rf"(?P<piece>{_LETTER}){_TARGET}")
_GLYPHS = {
    **{"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6, "□": 7, "=": 10, "∞": 13, "=∞": 44},
    **{"⩲": 14, "+=": 14, "+/=": 14, "⩱": 15, "=+": 15, "=/+": 15, "±": 16, "+/-": 16},
    **{"∓": 17, "-/+": 17, "+-": 18, "-+": 19, "⨀": 22, "○": 26, "⟳": 32, "↑": 36, "→": 40},
    **{"⇆": 132, "⊕": 138, "∆": 140, "△": 140, "⌓": 142, "N": 146, "TN": 146, "D": 220},
}
_GLYPH = re.compile(
    r"(?P<judged>[!?]+)|(?P<glyph>TN|N|D|[+=]/?[-=∞]|[-=]/?\+(?!\+)|[□=∞⩲⩱±∓⨀○⟳↑→⇆⊕∆△⌓])"
    r"|[+#]+|[(]?e\.?p\.?[)]?|(?:dbl\.?|dis\.?)?ch\.?|mate|matt?|[.]"
)

#: Piece letters in other languages: king, queen, rook, bishop, knight.
_ALPHABETS = {
    "German or Scandinavian": "KDTLS",
    "Dutch": "KDTLP",
    "French": "RDTFC",
    "Spanish or Italian": "RDTAC",
    "Portuguese": "RDTBC",
    "Romanian": "RDTNC",
    "Czech or Slovak": "KDVSJ",
    "Polish": "KHWGS",
    "Hungarian": "KVBFH",
    "Finnish": "KDTLR",
    "Estonian": "KLVOR",
    "Icelandic": "KDHBR",
    "Latvian": "KDTLZ",
    "Lithuanian": "KVBRŽ",
    "Turkish": "ŞVKFA",
    "Greek": "ΡΒΠΑΙ",
    "Ukrainian": ("Кр", *"ФТСК"),
    "Russian": ("Кр", *"ФЛСК"),
    "Bulgarian": "ЦДТОК",
    "Serbian": "КДТЛС",
}
_ENGLISH = "KQRBN"


class _Token(NamedTuple):
    """A part of the moves.

    :ivar kind: `(`, `)`, `move`, `odd`, or `text` for what python-chess takes unchanged.
    :ivar san: a move that needs no piece letter; for an odd token, the text after the word.
    :ivar piece: its piece letter; together with `san`, a lower-case letter that may be one.
    :ivar rest: the text after the piece letter.
    :ivar promotion: the letter of the promotion piece.
    """

    kind: str
    text: str
    san: str = ""
    piece: str = ""
    rest: str = ""
    promotion: str = ""

    @property
    def letters(self) -> tuple[str, ...]:
        """Its piece letters."""
        return tuple(letter for letter in (self.piece, self.promotion) if letter and not self.san)


def remark(kind: str, text: str) -> str:
    """A remark for the visitor, as embedded in the moves."""
    text = " ".join(on_one_line(text.replace("}", ")")).split())
    return f"{{{_MARK}{kind} {text}}}"


def read_remark(comment: str) -> tuple[str, str] | None:
    """The kind and the text of a remark; None if the comment is not a remark."""
    if not comment.startswith(_MARK):
        return None
    kind, _, text = comment[1:].partition(" ")
    return kind, text


def is_plain(text: str) -> bool:
    """Whether python-chess understands these moves correctly."""
    if _MARK in text:
        return False
    if "{" in text or ";" in text or "%" in text:
        text = _COMMENTS.sub(" ", text)
    words = set(text.split()) - _known
    if words:
        if not all(map(_PLAIN.fullmatch, words)):
            return False
        if len(_known) > _MAX_KNOWN:
            _known.clear()
        _known.update(words)
    if "?" in text and _GAP.search(text):
        return False
    return ("(" not in text and ")" not in text) or _has_pairs(text)


def _has_pairs(text: str) -> bool:
    if _EARLY_BRACKET.search(text):
        return False
    depth = 0
    for bracket in _BRACKETS.findall(text):
        depth += 1 if bracket == "(" else -1
        if depth < 0:
            return False
    return depth == 0


def rewritten(text: str, start: Callable[[], chess.Board]) -> list[str]:
    """A game's moves in the form that python-chess reads, with remarks, as lines.

    :param start: creates the position before the first move, when needed.
    """
    tokens = list(_closed(_tokens(text)))
    letters = {letter for token in tokens for letter in token.letters}
    sans: dict[int, str] = {}
    notes: list[str] = []
    if letters - set(_ENGLISH):
        found = _translated(tokens, letters, start())
        if isinstance(found, str):
            return [remark(REFUSAL, found) + "\n"]
        sans, note = found
        notes = [remark(NOTE, note) + "\n"] if note else []
    lines = []
    for index, token in enumerate(tokens):
        if token.kind == "odd":
            lines.append(remark(FAULT, f"{token.text} {token.san}"))
        elif token.kind == "move":
            lines.append(sans.get(index) or _san(token, {}))
        else:
            lines.append(token.text)
    return [*notes, *(f"{line}\n" for line in lines)]


def read_move(board: chess.Board, word: str) -> chess.Move:
    """Read a single move as people write it, with marks and a number.

    :raises ValueError: if it is not legal; the message is one line with the move.
    """
    tokens = _read_word(word)
    moves = [token for token in tokens if token.kind == "move"]
    if len(moves) != 1 or any(token.kind == "odd" for token in tokens):
        raise ValueError(f"{word[:40]} is not a move")
    unknown = sorted(set(moves[0].letters) - {*_ENGLISH, "P"})
    if unknown and moves[0].promotion.lower() not in ("q", "r", "b", "n"):
        raise ValueError(f"{word[:40]}: unknown piece letter {unknown[0]}")
    try:
        return parse_move(board, _san(moves[0], {}))
    except chess.AmbiguousMoveError:
        raise ValueError(f"{word[:40]} is ambiguous") from None
    except ValueError:
        raise ValueError(f"{word[:40]} is not legal") from None


# -- words --------------------------------------------------------------------------------------


def _tokens(text: str) -> Iterator[_Token]:
    depth = 0
    has_moves = False
    is_over = False
    before = "("  # the kind of the last token other than a comment
    after_number = -1  # where a move number ends
    is_numbered = False  # whether a move number comes immediately before
    for part in _PARTS.finditer(text):
        kind, found = part.lastgroup, part[0]
        if kind == "escape":
            continue
        if kind in ("comment", "line", "command", "draw"):
            yield _comment(found.strip("{}") if kind == "comment" else found.lstrip(";"))
            if kind == "comment" and not found.endswith("}"):
                yield _Token("odd", "{", "has no end")
            continue
        tokens: list[_Token]
        if kind == "bracket":
            if found == ")" and not depth and part.start() == after_number:
                continue  # "1) e4"
            depth += 1 if found == "(" else -1
            if depth < 0 or (found == "(" and (before == "(" or not has_moves)):
                yield _Token("odd", found, "does not belong there")
                return
            tokens = [_Token(found, found)]
        elif kind == "nag":
            tokens = [_Token("text", found)]
        else:
            tokens = _read_word(found) if kind == "word" else [_unread(found)]
            if (
                found.lstrip("0123456789.") in ("N", "D")
                and text[part.end() : part.end() + 1] == "("
            ):
                tokens = [_unread(found + "(")]  # "N(g1)f3", not the mark for a novelty
            move = standard(found).lstrip("0123456789.")
            if move and not move.strip("?") and (is_numbered or not found.startswith(move)):
                tokens = [_unread(found)]
            is_numbered = not move
            if found.isdecimal():
                after_number = part.end()
        for token in tokens:
            if token.kind == "odd" and is_over and not depth:
                token = _comment(found)
            has_moves |= token.kind == "move"
            is_over |= token.text in _RESULTS and not depth
            before = token.kind
            yield token


def _comment(text: str) -> _Token:
    return _Token("text", "{" + text.replace(_MARK, " ").replace("}", ")") + "}")


def _unread(word: str) -> _Token:
    number = _NUMBER.match(word)
    word = word[number.end() :] if number else word
    return _Token("odd", word[:40], "is not a move")


def _closed(tokens: Iterable[_Token]) -> Iterator[_Token]:
    """The tokens before an unterminated variation."""
    held: list[_Token] = []
    depth = 0
    for token in tokens:
        depth += (token.kind == "(") - (token.kind == ")")
        held.append(token)
        if not depth:
            yield from held
            held = []
    if held:
        odd = [token for token in held if token.kind == "odd"]
        yield odd[0] if odd else _Token("odd", "(", "has no end")


def standard(word: str) -> str:
    """The word with lookalike letters and signs replaced by standard ones."""
    if word.isascii():
        return word
    word = unicodedata.normalize("NFKC", word).translate(_ALIKE)
    word = "".join(letter for letter in word if unicodedata.category(letter) != "Cf")  # invisible
    return _FILE.sub(lambda found: found[0].translate(_FILES), word)


def _read_word(word: str) -> list[_Token]:
    """The tokens in a word between spaces; a single odd token if unclear."""
    text = standard(word)
    if result := _RESULTS.get(text.lower()):
        return [_Token("text", result)]
    number = None if text in _NULL_MOVES else _NUMBER.match(text)
    begin = number.end() if number else 0
    if result := _RESULTS.get(text[begin:]):
        return [_Token("text", result)]
    tokens: list[_Token] = []
    if text[begin:] in _NULL_MOVES:
        return [_Token("move", "--", san="--")]
    if move := _read_move(text, begin):
        token, begin = move
        prefix = _NUMBER.match(word)
        tokens.append(token._replace(text=word[prefix.end() :] if prefix else word))
    while begin < len(text):
        found = _GLYPH.match(text, begin)
        if not found or found.end() == begin:
            return [_unread(word)]
        nag = _GLYPHS.get(found["judged"][:2] if found["judged"] else found["glyph"] or "")
        if nag:
            tokens.append(_Token("text", f"${nag}"))
        begin = found.end()
    return tokens


def _read_move(text: str, begin: int = 0) -> tuple[_Token, int] | None:
    """The move at an offset of a text, and the offset of its end."""
    if found := _CASTLING.match(text, begin):
        san = "O-O-O" if found["long"] or found["far"] else "O-O"
        return _Token("move", found[0], san=san), found.end()
    pawn = _PAWN_MOVE.match(text, begin)
    piece = _PIECE_MOVE.match(text, begin)
    if piece and (not pawn or piece["piece"] in "bcdfah"):
        letter, rest = piece["piece"], _rest(piece)
        if not pawn:
            return _Token("move", piece[0], piece=letter, rest=rest), piece.end()
        san = _rest(pawn) + (f"={pawn['promotion'].upper()}" if pawn["promotion"] else "")
        return _Token("move", pawn[0], san, letter, rest), pawn.end()
    if pawn:
        token = _Token("move", pawn[0], rest=_rest(pawn), promotion=pawn["promotion"] or "")
        return token, pawn.end()
    return None


def _rest(found: re.Match[str]) -> str:
    take = "x" if found["take"] == ":" else found["take"]
    return found["origin"] + take + found["target"]


def _san(token: _Token, pieces: dict[str, str]) -> str:
    if token.san:
        return token.san
    promotion = pieces.get(token.promotion, token.promotion).upper()
    piece = pieces.get(token.piece, "" if token.piece == "P" else token.piece)
    return f"{piece}{token.rest}{'=' if promotion else ''}{promotion}"


# -- languages ----------------------------------------------------------------------------------


class _Replay(NamedTuple):
    """A game's moves with the piece letters of one language.

    :ivar sans: by token index, as far as all moves are legal.
    :ivar wrong: the first illegal move, with its number; empty if all are legal.
    """

    sans: dict[int, str]
    moves: list[chess.Move]
    wrong: str


def _translated(
    tokens: list[_Token], letters: set[str], start: chess.Board
) -> str | tuple[dict[int, str], str]:
    """The moves by token index, with a note; or why the game is rejected.

    A language must have all piece letters of the game, and all moves must be legal in it.
    """
    is_lower = any(letter.islower() for letter in letters)
    first = _replay(tokens, start, _pieces_of(_ENGLISH), is_lower=False).wrong
    foreign = ", ".join(sorted(letters - set(_ENGLISH)))
    languages: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for name, alphabet in {"English": (*_ENGLISH, "P"), **_ALPHABETS}.items():
        pieces = _pieces_of(alphabet)
        if letters <= pieces.keys():
            used = pieces if is_lower else {letter: pieces[letter] for letter in letters}
            languages.setdefault(tuple(sorted(used.items())), []).append(name)
    legal: dict[tuple[chess.Move, ...], tuple[_Replay, list[str]]] = {}
    wrong = ""
    for pieces_used, names in languages.items():
        replay = _replay(tokens, start, dict(pieces_used), is_lower)
        if not replay.wrong:
            known = legal.setdefault(tuple(replay.moves), (replay, []))
            known[1].extend(names)
        else:
            wrong = wrong or f"with the letters of {names[0]} {replay.wrong} is not legal"
    if len(legal) == 1:
        ((replay, names),) = legal.values()
        if names[0] == "English":
            return replay.sans, "the piece letters are in lower case" if is_lower else ""
        names = names if len(names) < 3 else [*names[:2], "others"]
        return replay.sans, f"the piece letters {foreign} are read as {' or '.join(names)}"
    if legal:
        languages_text = " or ".join(name for _, names in legal.values() for name in names)
        reason = f"they may be {languages_text}, with different moves"
    else:
        reason = wrong or "no language has them all"
    return f"{first}: unknown piece letters {foreign}: {reason}"


def _pieces_of(alphabet: Iterable[str]) -> dict[str, str]:
    """The English letters by a language's letters, in both cases."""
    letters = dict(zip(alphabet, (*_ENGLISH, ""), strict=False))
    return letters | {letter.lower(): piece for letter, piece in letters.items()}


def _replay(
    tokens: list[_Token], start: chess.Board, pieces: dict[str, str], is_lower: bool
) -> _Replay:
    """Play all moves, including variations, with the letters of one language."""
    boards = [start.copy()]
    sans: dict[int, str] = {}
    moves: list[chess.Move] = []
    skipped = 0  # the depth of brackets around an unreadable word
    for index, token in enumerate(tokens):
        if skipped:
            skipped += (token.kind == "(") - (token.kind == ")")
            if not skipped:
                boards.pop()
        elif token.kind == "(":
            board = boards[-1].copy()
            board.pop()
            boards.append(board)
        elif token.kind == ")":
            boards.pop()
        elif token.kind == "odd":
            if len(boards) == 1:
                break
            skipped = 1
        elif token.kind == "move":
            board = boards[-1]
            texts = [_san(token, pieces)] if token.san or set(token.letters) <= {*pieces} else []
            if is_lower and token.san and token.piece in pieces:
                texts.append(pieces[token.piece] + token.rest)
            found = {}
            for text in texts:
                with contextlib.suppress(ValueError):
                    found[parse_move(board, text)] = text
            if len(found) != 1:
                return _Replay(sans, moves, numbered(board, token.text))
            ((move, sans[index]),) = found.items()
            board.push(move)
            moves.append(move)
    return _Replay(sans, moves, "")


def numbered(board: chess.Board, word: str) -> str:
    """A word with the number of the next move: `12.Nf3`, `12...Sf6`."""
    return f"{board.fullmove_number}{'.' if board.turn else '...'}{word}"

"""Creates an engine file: a commented one, or a copy of an engine that comes with Halbzug."""

from __future__ import annotations

import ast
import difflib
import io
import re
import textwrap
import tokenize
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from string import Template

from ..base.language import catalogue, reader_language, say
from ..base.os_errors import reason_of
from ..base.text import on_one_line
from ..base.whole_file import write_whole

_EXAMPLES = "halbzug.teaching"

#: The longest line of a comment, in characters.
_WIDTH = 100

_START = Template('''"""$title"""

import chess

name = "$name"
author = "$me"

# $worth
VALUES = {
    chess.PAWN: 100,
    chess.KNIGHT: 300,
    chess.BISHOP: 300,
    chess.ROOK: 500,
    chess.QUEEN: 900,
}


def evaluate(board: chess.Board) -> int:
    """$good

    $ahead
    """
    value = 0
    for piece, worth in VALUES.items():
        value += worth * len(board.pieces(piece, board.turn))
        value -= worth * len(board.pieces(piece, not board.turn))
    # $centre
    # for square in (chess.D4, chess.E4, chess.D5, chess.E5):
    #     if board.color_at(square) == board.turn:
    #         value += 10
    return value


# $choose
#
# import random
# from halbzug.lab import Clock
#
# def choose(board: chess.Board, clock: Clock) -> chess.Move:
#     return random.choice(list(board.legal_moves))
#
# $better
#
# def choose(board, clock):
#     for depth in range(1, 100):
#         yield my_search(board, depth)
#
# $order
#
# def order(board, moves):
#     return sorted(moves, key=board.is_capture, reverse=True)
#
# $weights
#
# WEIGHTS = {"bishop with bishop": 60}
# WITHOUT = ["null move"]
#
# $options
#
# OPTIONS = {"Courage": (50, 0, 100), "Style": "calm", "Attack": True}
''')


def _start(name: str) -> str:
    """The commented engine, in the reader's language.

    :param name: of the engine.
    """
    text = _START.substitute(
        name=name,
        title=say("My chess engine: halbzug play --engine FILE.py plays against it."),
        me=say("me"),
        worth=say("What each piece is worth, in centipawns: a pawn is 100."),
        good=say("How good a position is for the side to move, in centipawns."),
        ahead=say(
            "Halbzug looks ahead, move by move, and asks this for the positions at the end of its "
            "lines."
        ),
        centre=say(
            "An idea to try: knights, bishops and pawns are worth more in the centre. This adds "
            "10 centipawns for each piece of ours on d4, e4, d5 or e5:"
        ),
        choose=say(
            "Instead, a file may choose the move itself. Then nothing of Halbzug's search is used."
        ),
        better=say(
            "A `choose` that yields moves, better and better ones, may go on until the time is "
            "over:"
        ),
        order=say("The order in which Halbzug's search tries the moves, best first:"),
        weights=say(
            "Halbzug's own evaluation with other weights, and its search without a technique (the "
            "first instead of `evaluate`; halbzug explain eval shows the names of the weights):"
        ),
        options=say(
            'Options for the menu of a chess program; here OPTIONS["Courage"] is what the user has '
            "set:"
        ),
    )
    return "".join(map(_wrapped, text.splitlines(keepends=True)))


def _wrapped(line: str) -> str:
    """A long comment on several lines."""
    if len(line) <= _WIDTH:
        return line
    margin = line[: len(line) - len(line.lstrip(" #"))]
    text = line.removeprefix(margin)
    return textwrap.fill(text, _WIDTH, initial_indent=margin, subsequent_indent=margin) + "\n"


class NewFileError(Exception):
    """Why the file cannot be created, in one line."""


def example_names() -> list[str]:
    """The names, with hyphens, of the engines that come with Halbzug."""
    return sorted(_examples())


def write_start(path: Path, example: str | None = None, replace: bool = False) -> None:
    """Write an engine file.

    :param example: one of `example_names`; None: a commented start.
    :param replace: whether to replace an existing file.
    :raises NewFileError: if there is no such example, or the file already exists or cannot be
        written.
    """
    text = _start(_title(path)) if example is None else _example(example)
    if path.exists() and not replace:
        raise NewFileError(say("{file} already exists; --force replaces it", file=path))
    try:
        write_whole(path, text)
    except OSError as error:
        why = reason_of(error, "folder")
        raise NewFileError(say("cannot write {file}: {why}", file=path, why=why)) from None


def _title(path: Path) -> str:
    words = path.stem.replace("_", " ").replace("-", " ").title()
    return "".join(c for c in on_one_line(words) if c not in '"\\')


def _example(name: str) -> str:
    examples = _examples()
    if source := examples.get(name.replace("_", "-")):
        return _in_german(source) if reader_language() == "de" else source
    near = difflib.get_close_matches(name, examples, 3, 0.4) or sorted(examples)
    names = ", ".join(near)
    raise NewFileError(
        say("there is no example {name}; the examples are {names}", name=name, names=names)
    )


def _in_german(source: str) -> str:
    """The same program with German comments and docstrings, by `engines_german.po`."""
    lines = source.splitlines()
    for first, last, text in sorted([*_docstrings(source), *_comments(lines)], reverse=True):
        lines[first - 1 : last] = text
    return "\n".join(lines) + "\n"


def _docstrings(source: str) -> Iterator[tuple[int, int, list[str]]]:
    """The first and last line of each docstring, and its German lines."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            text, place = ast.get_docstring(node), node.body[0]
            if text is None or place.end_lineno is None:
                continue
            margin = " " * place.col_offset
            first, *rest = re.split(r"(\n\n|\n(?=:\w))", text)  # paragraphs and fields
            rest[1::2] = [
                _filled(part, margin, margin + "    " * part.startswith(":")) for part in rest[1::2]
            ]
            german = _filled(first, f'{margin}"""', margin) + "".join(rest)
            is_short = "\n" not in german and len(german) + 3 <= _WIDTH
            german += '"""' if is_short else f'\n{margin}"""'
            yield place.lineno, place.end_lineno, german.split("\n")


def _comments(lines: list[str]) -> Iterator[tuple[int, int, list[str]]]:
    """The first and last line of each comment, and its lines in German."""
    source = io.StringIO("\n".join(lines) + "\n")
    found = [
        one for one in tokenize.generate_tokens(source.readline) if one.type == tokenize.COMMENT
    ]
    while found:
        (first, column), text = found[0].start, found[0].string
        before, margin = lines[first - 1][:column], text[: len(text) - len(text.lstrip("#: "))]
        whole = [one for n, one in enumerate(found) if one.start == (first + n, column)]
        if before.strip():
            whole = whole[:1]
        words = " ".join(one.string.lstrip("#: ") for one in whole)
        yield first, first + len(whole) - 1, _filled(words, before + margin).split("\n")
        del found[: len(whole)]


def _filled(text: str, margin: str, further: str | None = None) -> str:
    """A paragraph in German, on lines of at most 100 characters."""
    words = " ".join(text.split())
    return textwrap.fill(
        catalogue("engines_german.po").get(words, words),
        _WIDTH,
        initial_indent=margin,
        subsequent_indent=margin if further is None else further,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _examples() -> dict[str, str]:
    """The sources of the engines, by name."""
    folder = files(_EXAMPLES) / "engines"
    sources = {}
    if folder.is_dir():
        for file in folder.iterdir():
            if file.name.endswith(".py"):
                text = file.read_text(encoding="utf-8")
                if _has_name(text):
                    sources[file.name.removesuffix(".py").replace("_", "-")] = text
    return sources


def _has_name(source: str) -> bool:
    return any(
        isinstance(target, ast.Name) and target.id == "name"
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign)
        for target in node.targets
    )

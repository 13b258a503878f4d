"""Creates an engine file: a commented one, or a copy of an engine that comes with Halbzug."""

from __future__ import annotations

import ast
import difflib
import textwrap
from importlib.resources import files
from pathlib import Path
from string import Template

from ..base.language import say
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
    if name.replace("_", "-") in examples:
        return examples[name.replace("_", "-")]
    near = difflib.get_close_matches(name, examples, 3, 0.4) or sorted(examples)
    names = ", ".join(near)
    raise NewFileError(
        say("there is no example {name}; the examples are {names}", name=name, names=names)
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

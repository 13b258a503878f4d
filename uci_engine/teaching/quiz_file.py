"""Reads the questions written by a teacher, and those that come with Halbzug.

A file has an entry for each question, separated by blank lines; an entry has lines such as `ask:
cut`. Solutions are computed, so a file contains no answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import chess

from ..base.text import on_one_line
from ..board.fen import fen_of, read_position
from ..display.page import read_part
from .bracket_trees import is_max_n
from .examples import EXAMPLES
from .game_trees import (
    LECTURES,
    ORDERS,
    GameTree,
    Order,
    Player,
    TreeNode,
    matches,
    ordered,
    quoted,
    read_tree,
)
from .games.battleships import SIZE, square_name
from .quiz_solutions import Asked, QuizQuestion, keys_of, make_question
from .recorded import SearchedTree
from .searched_trees import SEARCHED, bracket_tree

#: More questions would be too many for a lesson, and their page slow.
MAX_QUESTIONS = 200

#: A file is not read beyond this many characters.
MAX_CHARACTERS = 1_000_000

#: Longer texts do not fit on the page.
MAX_TEXT = 1000

#: Larger trees are not used for questions: nobody would count their leaves.
MAX_NODES = 2000

_KEYS = (
    *("ask", "tree", "player", "order", "node", "search", "number"),
    *("position", "depth", "shots", "text"),
)


def own_questions() -> list[QuizQuestion]:
    """The questions that come with Halbzug."""
    return read_questions(read_part("halbzug.teaching", "questions.txt"))


def read_questions(text: str) -> list[QuizQuestion]:
    r"""The questions of a file.

    :raises ValueError: if a question is invalid; the one-line message has its number.

    >>> read_questions("ask: value\ntree: ((3 5) (2 9))")[0].right
    '3'
    """
    found = []
    for number, entry in enumerate(_entries(text), 1):
        if number > MAX_QUESTIONS:
            raise ValueError(f"a file has at most {MAX_QUESTIONS} questions")
        try:
            found.append(make_question(_asked(entry)))
        except ValueError as error:
            raise ValueError(f"question {number}: {error}") from None
    if not found:
        raise ValueError("there is no question: an entry has lines such as ask: cut")
    return found


def _entries(text: str) -> Iterator[dict[str, str]]:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    for block in re.split(r"\n\s*\n", "\n".join(lines)):
        entry: dict[str, str] = {}
        for line in block.splitlines():
            key, colon, value = line.partition(":")
            key = key.strip()
            if line.strip() and (not colon or key not in _KEYS or key in entry):
                # Kept until the question's number is known.
                entry.setdefault("", line.strip())
            elif line.strip():
                entry[key] = value.strip()
        if entry:
            yield entry


def _asked(entry: dict[str, str]) -> Asked:
    """Parse an entry.

    :raises ValueError: if it is not a question.
    """
    if "" in entry:
        _refuse_line(entry)
    if "ask" not in entry:
        raise ValueError("it has no line ask:")
    text = on_one_line(entry.get("text", ""))
    if len(text) > MAX_TEXT:
        raise ValueError(f"its text has at most {MAX_TEXT:,} characters")
    if "position" in entry:
        _check_keys(entry, ("position", "depth"))
        return Asked(entry["ask"], board=_position(entry), text=text)
    if entry["ask"] == "shot":
        _check_keys(entry, ("shots",))
        return Asked("shot", shots=_shots(entry.get("shots", "")), text=text)
    tree = _tree(entry)
    keys = keys_of(entry["ask"], tree)
    if keys is not None:
        is_own = entry["tree"].startswith(("(", "[")) and not is_max_n(entry["tree"])
        _check_keys(entry, ("tree", *keys, *("player",) * is_own))
    return Asked(
        entry["ask"],
        tree,
        _order(entry),
        entry.get("node", ""),
        entry.get("search", ""),
        _integer(entry, "number", 1, 3),
        text=text,
    )


def _refuse_line(entry: dict[str, str]) -> None:
    """Reject a malformed line.

    :raises ValueError: always, saying what is wrong with the line.
    """
    line = entry[""]
    key = line.partition(":")[0].strip()
    if key in entry:
        raise ValueError(f"{key}: appears twice; separate two questions with an empty line")
    raise ValueError(f"a line is one of {', '.join(_KEYS)}, once each, not {quoted(line, 40)}")


def _check_keys(entry: dict[str, str], allowed: tuple[str, ...]) -> None:
    """Check the keys of an entry.

    :raises ValueError: if one does not belong to this question.
    """
    allowed = ("ask", *allowed, "text")
    for key in entry:
        if key not in allowed:
            raise ValueError(
                f"{entry['ask']} is asked with {', '.join(allowed)} here, not with {key}"
            )


def _position(entry: dict[str, str]) -> tuple[chess.Board, int]:
    """A position, and the depth to which it is searched."""
    example = next((one for one in EXAMPLES if one.name == entry["position"]), None)
    depth = _integer(entry, "depth", example.depth if example else 3, 6)
    fen = example.fen if example else fen_of(entry["position"])
    board = chess.Board(read_position(fen, False).fen())
    if not any(board.legal_moves):
        raise ValueError("the game is over in its position")
    return board, depth


def _shots(text: str) -> dict[int, bool]:
    """Shots at battleships, as in `c3 hit, b3 miss`; whether each has hit, by square."""
    squares = {square_name(square): square for square in range(SIZE * SIZE)}
    shots = {}
    for shot in filter(None, map(str.split, text.split(","))):
        if len(shot) != 2 or shot[0] not in squares or shot[1] not in ("hit", "miss"):
            raise ValueError(f"shots are like c3 hit, b3 miss, not {' '.join(shot)[:20]!r}")
        shots[squares[shot[0]]] = shot[1] == "hit"
    return shots


def _integer(entry: dict[str, str], key: str, usual: int, maximum: int) -> int:
    text = entry.get(key, str(usual))
    if not re.fullmatch(r"[1-9]\d?", text) or int(text) > maximum:
        raise ValueError(f"{key} is from 1 to {maximum}, not {text[:20]!r}")
    return int(text)


def _order(entry: dict[str, str]) -> Order:
    text = entry.get("order", "given")
    for order in ORDERS:
        if order == text:
            return order
    raise ValueError(f"order is given, best or worst, not {text[:20]!r}")


def _player(entry: dict[str, str]) -> Player:
    text = entry.get("player", "max").lower()
    if text not in ("max", "min"):
        raise ValueError(f"player is max or min, not {text[:20]!r}")
    return "max" if text == "max" else "min"


def _tree(entry: dict[str, str]) -> GameTree | SearchedTree:
    """The tree of a question, with its moves in order."""
    text = entry.get("tree", "")
    if text in SEARCHED:
        return SEARCHED[text]()
    tree = named_tree(text)
    if tree is None and ("[" in text or is_max_n(text)):
        return bracket_tree(text, _player(entry))
    if tree is None and "(" in text:
        tree = read_tree(text, _player(entry))
    if tree is None:
        names = ", ".join([*LECTURES, "uniform 3 2", *SEARCHED])
        raise ValueError(f"{text[:40]!r} is neither a tree, as ((3 5) (2 9)), nor one of {names}")
    if tree.root.size > MAX_NODES:
        raise ValueError(f"its tree has at most {MAX_NODES:,} nodes")
    return ordered(tree, _order(entry))


def named_tree(text: str) -> GameTree | None:
    """A MAX/MIN tree by its name, such as `matches 7` or `uniform 3 2`; None if there is none.

    :raises ValueError: if a number in it is out of range.
    """
    name, *numbers = text.split() or [""]
    if name == "matches" and len(numbers) == 1:
        return matches(_integer({"matches": numbers[0]}, "matches", 5, 12))
    if name == "uniform" and len(numbers) == 2:
        return _uniform(*(int(one) if re.fullmatch(r"[1-6]", one) else 9 for one in numbers))
    return LECTURES[name]() if name in LECTURES and not numbers else None


def _uniform(width: int, depth: int) -> GameTree:
    """A tree with the same number of moves everywhere, all equally good."""
    if max(width, depth) > 6 or width**depth > MAX_NODES // 2:
        raise ValueError("a uniform tree has a width and a depth, as uniform 3 2, and 1,000 leaves")

    def node(left: int) -> TreeNode:
        if not left:
            return TreeNode(value=0)
        moves = tuple((str(number), node(left - 1)) for number in range(1, width + 1))
        return TreeNode(player="min" if (depth - left) % 2 else "max", moves=moves)

    return GameTree("uniform", node(depth), {"width": width, "depth": depth})

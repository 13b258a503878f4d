"""Misleading characters are replaced wherever text from files is shown or written.

They change the writing direction, break a line, move the cursor or are invisible.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
from collections.abc import Callable
from typing import Any

import chess.pgn
import pytest

from halbzug.base.events import Introduction, Notice
from halbzug.base.text import name_text
from halbzug.base.time_control import TimeControl
from halbzug.board.movetext import remark
from halbzug.board.pgn import pgn_text
from halbzug.client.engine_errors import mistakes_in
from halbzug.display.board_tree import tree_data
from halbzug.display.page import page
from halbzug.display.sheet import Column, Row, Sheet
from halbzug.display.streams import VisibleStream
from halbzug.display.terminal import PlainConsole, table_of
from halbzug.match.engines import read_specs
from halbzug.uci.printer import to_uci
from halbzug.web.analyst import AnalystSettings, PageAnalyst
from halbzug.web.reading import ReadGames

pytestmark = pytest.mark.any_build

MISLEADING = [
    *("\x00", "\x07", "\x1b", "\x7f", "\x85", "\x9b", "\u2028", "\u2029"),
    *("\u061c", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e"),
    *("\u2066", "\u2067", "\u2068", "\u2069", "\u206a"),
    *("\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\u2063", "\ufeff", "\ufe0f", "\u3164"),
    *("\U000e0001", "\U000e0041", "\U000e007f"),
]

#: Real names, with joiners and selectors where their scripts need them.
LEGITIMATE = [
    *("M\u00fcller", "\u0141ukasz", "\u041a\u0430\u0440\u043f\u043e\u0432", "\u65e5\u672c"),
    "\u05de\u05e0\u05d7\u05dd \u05d0\u05f3",  # Hebrew
    "\u0645\u0631\u062d\u0628\u0627",  # Arabic
    "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",  # Persian, with a zero-width non-joiner
    "\u0d15\u0d4d\u200d\u0d37",  # Malayalam, with a zero-width joiner
    "\U0001f469\u200d\u2764\ufe0f\u200d\U0001f468 \u265f\ufe0f",  # emoji
    "\u845b\U000e0100",  # a variant of a Japanese character
]


def sheet(text: str) -> Sheet:
    return Sheet((Column("Name"),), [Row((text,))])


def at_a_terminal(text: str) -> str:
    console = PlainConsole(file=io.StringIO(), width=200)
    console.print(f"{text}!")
    console.print(table_of(console, sheet(text)))
    return console.file.getvalue()  # type: ignore[attr-defined]


def in_a_stream(text: str) -> str:
    raw = io.BytesIO()
    bare = io.TextIOWrapper(raw, "utf-8")
    VisibleStream(bare).write(text)
    return raw.getvalue().decode()


def a_game(text: str) -> chess.pgn.Game:
    game = chess.pgn.Game({"White": text, "Event": text})
    game.add_main_variation(chess.Move.from_uci("e2e4"), comment=text)
    return game


def on_the_board(text: str) -> str:
    data: dict[str, Any] = tree_data(a_game(text))
    return "{White} {Event} ".format(**data["tags"]) + data["nodes"][1]["comment"]


def beside_the_board(text: str) -> str:
    async def name() -> str:
        analyst = PageAnalyst(text, (), {}, AnalystSettings(), print)
        await analyst.close()
        return analyst.name

    return asyncio.run(name())


DOORS: dict[str, Callable[[str], str]] = {
    "terminal": at_a_terminal,
    "stream": in_a_stream,
    "page": lambda text: str(page(text, "", "", f"<p>{text}</p>")),
    "notebook": lambda text: sheet(text).html() + sheet(text).text(),
    "pgn": lambda text: pgn_text(a_game(text)),
    "board": on_the_board,
    "engines of the board": beside_the_board,
    "games of a file": lambda text: ReadGames(io.StringIO(f'[White "{text}"]\n\n*\n')).titles()[0],
    "info string": lambda text: to_uci(Notice(text)) + to_uci(Introduction(text, "")),
    "mistake": lambda text: mistakes_in([f"exception: {text}"])[0].text,
    "remark": lambda text: remark("note", text),
    "file name": name_text,
}


@pytest.mark.parametrize("door", DOORS)
def test_misleading_characters_are_replaced_and_other_scripts_are_left_alone(door: str) -> None:
    for letter in MISLEADING:
        shown = DOORS[door](f"Ann{letter}Lee").replace("\x1b[0m", "")
        assert letter not in shown, (door, ascii(letter))
        assert "Ann" in shown and "Lee" in shown
    for name in LEGITIMATE:
        assert name in DOORS[door](name), (door, ascii(name))


def test_no_engine_has_a_misleading_name() -> None:
    for letter in MISLEADING:
        with contextlib.suppress(ValueError):  # refused
            (spec,) = read_specs((f"a{letter}b=halbzug",), TimeControl(move_seconds=0.1))
            assert letter not in spec.name
    for name in LEGITIMATE:
        (spec,) = read_specs((f"{name.split()[0]}=halbzug",), TimeControl(move_seconds=0.1))
        assert spec.name == name.split()[0]

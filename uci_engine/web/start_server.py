"""Sets up the board's server from command-line arguments."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from ..base.os_errors import reason_of
from ..base.text import name_text
from ..board.epd import is_position, shorten
from ..books.builder import pgn_files
from ..books.opening_book import BookError
from ..client.engine_command import EngineCommand, parse_engine
from .page_data import Knowledge
from .page_engines import other_engine, own_engine
from .page_messages import Message
from .reading import Opened, ReadGames, game_from, read_file

#: What the server needs; nothing else in Halbzug does.
_LIBRARIES = ("starlette", "uvicorn", "websockets", "anyio", "h11")


class BoardPageError(Exception):
    """Why the board cannot be opened, in one line."""


def open_board(
    what: str | None = None,
    engine: EngineCommand | None = None,
    *,
    chess960: bool = False,
    port: int = 0,
    linger_seconds: float = 60.0,
    book_path: Path | None = None,
    tablebase_paths: str = "",
    explored: Sequence[Path] = (),
) -> Callable[[bool, Callable[[str], None]], None]:
    """Prepare a board.

    :param what: a FEN, a file of games, or a Python file with an engine; by default the start
        position.
    :param engine: another engine to run beside ours.
    :param port: on the loopback interface; 0 takes any free one.
    :param linger_seconds: how long to keep running without a page.
    :param tablebase_paths: additional tablebase folders, separated as in PATH.
    :param explored: PGN files for the opening explorer, or folders of them.
    :returns: serves the board until the last page has been closed for a while, or an interrupt,
        which it passes on after the engines have stopped. It takes whether to open the browser, and
        a function to call with the page's address once it accepts requests.
    :raises BoardPageError: if one of these cannot be used, or a library is missing; the message is
        one line.
    """
    try:
        from .page_session import BoardSession
        from .server import Server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _LIBRARIES:
            raise
        raise BoardPageError(
            f'{error.name} is not installed: pip install "halbzug[board]" installs what the board'
            " needs"
        ) from None
    engines = [own_engine()]
    try:
        if what and Path(what).suffix.lower() == ".py" and not is_position(what):
            engines.append(other_engine(parse_engine(f'"{what}"')))
            what = None
        if engine:
            engines.append(other_engine(engine))
        opened, games = _open(what or "startpos", chess960)
        files = pgn_files(explored)
        if files and not find_spec("_sqlite3"):
            raise ValueError("the explorer needs sqlite3, which this Python was built without")
        knowledge = Knowledge(tablebase_paths, str(book_path or ""))
    except (BookError, ValueError) as error:
        raise BoardPageError(str(error)) from None
    try:
        server = Server(linger_seconds, port)
    except OSError as error:
        raise BoardPageError(f"cannot listen on port {port}: {reason_of(error)}") from None

    def begin(tell: Callable[[Message], None]) -> BoardSession:
        return BoardSession(opened, games, engines, knowledge, tell, files)

    return lambda opens, announce: asyncio.run(server.serve(begin, opens, announce))


def _open(what: str, chess960: bool) -> tuple[Opened, ReadGames | None]:
    if what == "startpos" or is_position(what):
        return game_from(what, chess960), None
    path = Path(what)
    try:
        if not path.is_file():
            raise ValueError(f"neither a FEN nor a file: {shorten(name_text(what))}")
        games = read_file(path)
    except OSError as error:
        raise ValueError(f"cannot read {name_text(what)}: {reason_of(error)}") from None
    except ValueError as error:
        if path.is_file():
            raise ValueError(f"{name_text(what)}: {error}") from None
        raise
    return games.open(0), games

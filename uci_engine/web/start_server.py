"""Sets up the board's server from command-line arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.os_errors import reason_of
from ..base.text import name_text
from ..board.epd import is_position, shorten
from ..books.builder import pgn_files
from ..books.opening_book import BookError
from ..client.engine_command import EngineCommand, parse_engine
from .page_data import Knowledge
from .page_engines import EngineSetup, other_engine, own_engine
from .reading import Opened, ReadGames, game_from, read_file

if TYPE_CHECKING:
    from .server import Server

#: What the server needs; nothing else in Halbzug does.
_LIBRARIES = ("starlette", "uvicorn", "websockets", "anyio", "h11")


class BoardPageError(Exception):
    """Why the board cannot be opened, in one line."""


@dataclass
class ReadyBoard:
    """A board that is ready to be served."""

    server: Server
    opened: Opened
    games: ReadGames | None
    engines: list[EngineSetup]
    knowledge: Knowledge
    explored: Sequence[Path]

    def run(self, opens_browser: bool, announce: Callable[[str], None]) -> None:
        """Serve until the last page has been closed for a while, or an interrupt.

        :param announce: called with the page's address once the server accepts requests.
        :raises KeyboardInterrupt: passed on after the engines have stopped.
        """
        self.server.serve(
            *(self.opened, self.games, self.engines, self.knowledge, self.explored),
            opens_browser,
            announce,
        )


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
) -> ReadyBoard:
    """Prepare a board.

    :param what: a FEN, a file of games, or a Python file with an engine; by default the start
        position.
    :param engine: another engine to run beside ours.
    :param port: on the loopback interface; 0 takes any free one.
    :param linger_seconds: how long to keep running without a page.
    :param tablebase_paths: additional tablebase folders, separated as in PATH.
    :param explored: PGN files for the opening explorer, or folders of them.
    :raises BoardPageError: if one of these cannot be used, or a library is missing; the message is
        one line.
    """
    try:
        from .server import Server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _LIBRARIES:
            raise
        raise BoardPageError(
            f'{error.name} is not installed: pip install "halbzug[board]" installs what the board'
            " needs"
        ) from None
    engines = [own_engine()]
    games = None
    try:
        if what and Path(what).suffix.lower() == ".py" and not is_position(what):
            engines.append(other_engine(parse_engine(f'"{what}"')))
            what = None
        if engine:
            engines.append(other_engine(engine))
        opened, games = _open(what, chess960)
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
    return ReadyBoard(server, opened, games, engines, knowledge, files)


def _open(what: str | None, chess960: bool) -> tuple[Opened, ReadGames | None]:
    if not what:
        return game_from("startpos", chess960), None
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

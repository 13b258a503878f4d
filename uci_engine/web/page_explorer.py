"""The opening explorer of all pages: what the user's games contain for the shown position."""

from __future__ import annotations

import asyncio
import subprocess
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import chess
import chess.pgn

from ..base.launch import own_command
from ..base.os_errors import reason_of
from ..base.text import counted, name_text
from ..display.board_tree import step_text
from .game_index import (
    RESULTS,
    DamagedIndexError,
    GameIndex,
    IndexedGame,
    index_path,
    key_of,
    part_path,
)
from .page_games import PageGames
from .page_messages import Message, MessageError, number_in
from .reading import event_name, opened_game
from .shared_board import SharedBoard

#: The number of games shown: those of the best-rated players or, without ratings, the latest ones.
SHOWN_GAMES = 8


class ExploredFile:
    """A PGN file and its index.

    :ivar index: None until it has been made or opened.
    :ivar status: in one line, how far this has got, or why there is no index.
    :ivar is_pending: whether it still has to be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.index: GameIndex | None = None
        self.status = "waiting"
        self.is_pending = True

    def record(self) -> Message:
        """What a page shows about the file."""
        return {"name": name_text(self.path.name), "status": self.status}

    def open(self) -> bool:
        """Open the index; return whether there is one for the present contents of the file.

        :raises OSError: if there is no such file.
        """
        self.path.stat()
        try:
            self.index = GameIndex(self.path)
        except DamagedIndexError:
            return False
        self.status = self._words(self.index)
        return True

    @staticmethod
    def _words(index: GameIndex) -> str:
        games, damaged, others, fault = index.summary
        words = [counted(games, "game")]
        if damaged:
            words.append(f"{damaged:,} damaged and read as far as possible")
        if others:
            words.append(f"{counted(others, 'game')} of other variants left out")
        if fault:
            words.append(f"the file breaks off: {fault}")
        return ", ".join(words)


class PageExplorer:
    """Looks the shown position up in the indexes of PGN files, and makes missing indexes.

    :param paths: the files.
    """

    def __init__(self, board: SharedBoard, games: PageGames, paths: Sequence[Path]) -> None:
        self._board = board
        self._games = games
        self._files = [ExploredFile(path) for path in paths]
        self._is_begun = self._is_closed = False
        self._builder: subprocess.Popen[str] | None = None
        self._found: Message = {}
        board.followers.append(self.look_up)

    def close(self) -> None:
        """End the process that makes an index, if there is one, and close the files."""
        self._is_closed = True
        if self._builder:
            self._builder.kill()
        for file in self._files:
            if file.index:
                file.index.close()

    def begin(self) -> None:
        """Open the indexes, or make them, as soon as a page is open."""
        if self._files and not self._is_begun:
            self._is_begun = True
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._prepare, args=(loop,), daemon=True).start()

    def messages(self) -> list[Message]:
        """What is known about the shown position."""
        return [self._message()] if self._files else []

    def _message(self) -> Message:
        about = self._board.about("explorer")
        known = self._found if self._found.get("at") == about["at"] else {}
        files = [file.record() for file in self._files]
        reading = any(file.is_pending for file in self._files)
        found = {"moves": [], "games": [], **known, **about}
        return {**found, "files": files, "reading": reading}

    # -- the indexes, in a thread of their own --------------------------------------------------

    def _prepare(self, loop: asyncio.AbstractEventLoop) -> None:
        """Open or make all indexes that are missing."""

        def tell(also_looks_up: bool = False) -> None:
            if not self._is_closed:
                loop.call_soon_threadsafe(self.look_up if also_looks_up else self._tell)

        for file in self._files:
            if file.index is None and not self._is_closed:
                try:
                    if not file.open():
                        self._build(file, tell)
                except OSError as error:
                    file.status = f"cannot be read: {reason_of(error)}"
                except DamagedIndexError as error:
                    file.status = f"no index: {error}"
                file.is_pending = False
                tell(True)
        self._is_begun = False

    def _build(self, file: ExploredFile, tell: object) -> None:
        """Make an index in another process, so that the board answers meanwhile."""
        assert callable(tell)
        file.status = "reading the games"
        tell()
        reason = "its process has ended"
        with subprocess.Popen(
            own_command("halbzug.web.game_index", str(file.path)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        ) as self._builder:
            assert self._builder.stdout
            for line in self._builder.stdout:
                if line.startswith("!"):
                    reason = line[1:].strip()
                    continue
                part, games = line.split()
                percent = f"{100 * float(part):.0f} %"
                doing = "sorting" if float(part) == 1 else f"reading the games, {percent}"
                file.status = f"{doing}: {counted(int(games), 'game')} so far"
                tell()
        part_path(index_path(file.path), self._builder.pid).unlink(missing_ok=True)
        self._builder = None
        if not self._is_closed and not file.open():
            raise DamagedIndexError(reason)

    # -- the shown position ---------------------------------------------------------------------

    def look_up(self) -> None:
        """Look the shown position up, and send the result to all pages."""
        if not self._files:
            return
        node, board = self._board.at, self._board.at.board()

        async def look() -> None:
            try:
                found = await asyncio.to_thread(self._find, board)
            except DamagedIndexError:
                if not self._is_closed:
                    self._make_again()
                return
            if node is self._board.at and not self._is_closed:
                self._found = {**found, "at": self._board.tree.number(node)}
                self._tell()

        self._looking = asyncio.ensure_future(look())

    def _tell(self) -> None:
        self._board.tell(self._message())

    def _make_again(self) -> None:
        """Replace the indexes that cannot be read."""
        for file in self._files:
            if file.index:
                file.index.close()
                file.index = None
                file.is_pending = True
                file.status = "the index is damaged and will be rebuilt"
                index_path(file.path).unlink(missing_ok=True)
        self.begin()
        self._tell()

    def _find(self, board: chess.Board) -> Message:
        """The moves of a position, most frequent first, and games that reached it."""
        key = key_of(board)
        counts: dict[chess.Move, Counter[str]] = {}
        games: list[tuple[int, IndexedGame]] = []
        for number, file in enumerate(self._files):
            if file.index is None or key is None:
                continue
            for (move, result), count in file.index.moves(key).items():
                try:
                    own = board.parse_uci(move.uci())  # castling in the notation of this board
                except ValueError:
                    continue  # of another position with the same key
                counts.setdefault(own, Counter())[result] += count
            games += [(number, game) for game in file.index.games(key, SHOWN_GAMES)]
        ranked = sorted(counts.items(), key=lambda item: (-item[1].total(), item[0].uci()))
        games.sort(key=lambda pair: _rank(pair[1]), reverse=True)
        return {
            "moves": [
                {
                    "step": step_text(board, move),
                    "games": count.total(),
                    **dict(
                        zip(
                            ("white", "draws", "black"),
                            (count[each] for each in RESULTS[1:]),
                            strict=True,
                        )
                    ),
                }
                for move, count in ranked
            ],
            "games": [
                {"file": number, "id": game.id, "title": _title(game), "result": game.result}
                for number, game in games[:SHOWN_GAMES]
            ],
        }

    # -- its games ------------------------------------------------------------------------------

    async def do_explored(self, message: Message) -> None:
        """Show a game of the explorer, at the present position if the game contains it."""
        number = number_in(message, "file")
        index = self._files[number].index if 0 <= number < len(self._files) else None
        if index is None:
            raise MessageError("there is no such file")
        key = key_of(self._board.at.board())
        game = await asyncio.to_thread(index.load, number_in(message, "id"))
        opened = opened_game(game.tree(), [*game.notes, *game.faults])
        node: chess.pgn.GameNode = opened.game
        while key_of(node.board()) != key and not node.is_end():
            node = node.variations[0]
        self._games.show(opened, opened.game if node.is_end() else node)


def _rank(game: IndexedGame) -> tuple[int, str]:
    one, other = game.white_elo, game.black_elo
    return (one or other or 0) + (other or one or 0), game.date


def _title(game: IndexedGame) -> str:
    """The players with their ratings, and where and when they played."""
    players = (
        f"{name or color} ({elo})" if elo else name or color
        for name, elo, color in (
            (game.white, game.white_elo, "White"),
            (game.black, game.black_elo, "Black"),
        )
    )
    year = game.date.partition(".")[0].strip("0")
    event = event_name(game.event)
    return ", ".join(filter(None, [" - ".join(players), event, year and game.date[:4]]))

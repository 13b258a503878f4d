"""The games that pages open: from files, pasted text, set-up positions, and new games."""

from __future__ import annotations

import base64

import chess
import chess.pgn

from ..board.fen import chess960_number
from .page_messages import Message, MessageError, number_in, text_in
from .page_view import PageView
from .reading import Opened, ReadGames, game_from, read_text, text_of
from .shared_board import SharedBoard

#: Maximum length of pasted text, in characters.
MAX_TEXT = 4_000_000


class PageGames:
    """Switches between games.

    :param games: the file that the first game comes from.
    """

    def __init__(self, board: SharedBoard, view: PageView, games: ReadGames | None) -> None:
        self._board = board
        self._view = view
        self._games = games
        self._index = 0
        self._before: Opened | None = None

    def state(self) -> Message:
        """Which game is shown."""
        return {"game": self._index, "before": self._before is not None}

    def messages(self) -> list[Message]:
        """The titles of the games that can be opened, if there are several."""
        return [self._titles(self._games)] if self._games and len(self._games) > 1 else []

    def _titles(self, games: ReadGames) -> Message:
        titles = games.titles() if len(games) > 1 else []
        return {"type": "games", "titles": titles, "complete": games.is_complete}

    def show(self, opened: Opened, node: chess.pgn.GameNode | None = None) -> None:
        """Show another game; `do_before` returns to this one.

        :param node: the position to show; by default the first one.
        """
        tree, warning = self._board.tree, self._board.warning
        if tree.game.variations:
            self._before = Opened(tree.game, warning)
        self._board.open(opened)
        self._view.show_tree(node or opened.game)

    def do_before(self, message: Message) -> None:
        """Return to the previously shown game."""
        if self._before is None:
            raise MessageError("there is no previous game")
        self.show(self._before)

    def do_paste(self, message: Message) -> None:
        """Show the position or games in pasted text."""
        self._show_text(text_in(message, "text", MAX_TEXT))

    def do_file(self, message: Message) -> None:
        """Show the position or games in a file, sent as base64."""
        data = base64.b64decode(text_in(message, "data", 2 * MAX_TEXT), validate=True)
        self._show_text(text_of(data, MAX_TEXT))

    def _show_text(self, text: str) -> None:
        read = read_text(text)
        if isinstance(read, ReadGames):
            opened = read.open(0)
            self._games, self._index = read, 0
            self._board.tell(self._titles(read))
        else:
            opened = read
        self.show(opened)

    def do_open(self, message: Message) -> None:
        """Show another game from the file or text."""
        if self._games is None:
            raise MessageError("there are no other games")
        index = number_in(message, "game")
        opened = self._games.open(index)
        self._index = index
        self.show(opened)

    def do_setup(self, message: Message) -> None:
        """Show a set-up position."""
        self.show(game_from(text_in(message, "fen", 200), bool(message.get("chess960"))))

    def do_new(self, message: Message) -> None:
        """Start a new game, from the usual start position or a Chess960 one."""
        self.show(Opened(new_game(message)))


def new_game(message: Message) -> chess.pgn.Game:
    """A game without moves, of Chess960 if the message has a position number.

    :raises MessageError: if there is no such number.
    """
    number = message.get("chess960")
    if number is None:
        return chess.pgn.Game()
    if number == "random":
        number = chess960_number(number)
    if not isinstance(number, int) or not 0 <= number < 960:
        raise MessageError("Chess960 positions have numbers from 0 to 959")
    game = chess.pgn.Game()
    game.setup(chess.Board.from_chess960_pos(number))
    return game

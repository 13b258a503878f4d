"""A game between the user and one of the engines beside the board."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from datetime import date

import chess
import chess.pgn

from ..base.time_control import TimeControl, parse_minutes
from ..board.game_end import GameEnd, lost, natural_end
from ..client.client import Client
from ..client.engine_errors import UciError
from ..search.strength import MAX_ELO, MIN_ELO
from .board_match import BoardMatch
from .page_engines import PageEngines
from .page_games import PageGames, new_game
from .page_messages import Message, MessageError, number_in, seconds_in, text_in
from .page_review import PageReview
from .page_view import PageView
from .reading import Opened, game_from
from .shared_board import SharedBoard


@dataclass(frozen=True)
class _MatchSetup:
    """How to play a game.

    :ivar engine: its index among the engines beside the board.
    :ivar elo: the engine's strength; None is full strength.
    :ivar game: the game to start from; None starts from the shown position.
    """

    engine: int
    human: chess.Color
    elo: int | None
    control: TimeControl
    game: chess.pgn.Game | None


class PageMatch:
    """Plays a game against an engine."""

    def __init__(
        self,
        board: SharedBoard,
        view: PageView,
        engines: PageEngines,
        review: PageReview,
        games: PageGames,
    ) -> None:
        self._board = board
        self._view = view
        self._engines = engines
        self._review = review
        self._games = games
        self._match: BoardMatch | None = None
        board.is_engines_turn = self._is_engines_turn
        board.ends.insert(0, self.end)

    async def close(self) -> None:
        """End the game and stop its engine."""
        self._stop_thinking()
        if self._match:
            await asyncio.gather(self._match.player.stop(), return_exceptions=True)

    def state(self) -> Message:
        """The state of the game, and the selectable range of strength."""
        match = self._match.message(self._board.tree) if self._match else None
        return {"match": match, "elo": [MIN_ELO, MAX_ELO]}

    @property
    def is_played(self) -> bool:
        """Whether a game is in progress."""
        return self._match is not None and not self._match.over

    def _is_engines_turn(self) -> bool:
        match = self._match
        if match is None or match.over or self._board.at is not match.head:
            return False
        return self._board.at.turn() != match.human

    # -- start ----------------------------------------------------------------------------------

    async def do_match(self, message: Message) -> None:
        """Start a game against an engine, from the shown position or the start."""
        index = number_in(message, "engine") if "engine" in message else 0
        if not 0 <= index < len(self._engines.setups):
            raise MessageError("there is no such engine")
        elo = number_in(message, "elo") if message.get("elo") is not None else None
        if elo is not None and not MIN_ELO <= elo <= MAX_ELO:
            raise MessageError(f"an Elo is between {MIN_ELO} and {MAX_ELO}")
        control = _control(message)
        color = message.get("color", "white")
        human = random.random() < 0.5 if color == "random" else color != "black"
        game = new_game(message) if message.get("fresh") else None
        await self._begin(_MatchSetup(index, human, elo, control, game))

    async def do_rematch(self, message: Message) -> None:
        """Play a finished game again with colours reversed."""
        match = self._match
        if match is None or not match.over:
            raise MessageError("no game has ended")
        start = match.start.board()
        game = game_from(start.fen(), start.chess960).game
        setup = _MatchSetup(match.engine, not match.human, match.elo, match.control, game)
        await self._begin(setup)

    async def _begin(self, setup: _MatchSetup) -> None:
        if self._match:
            await self._match.player.stop()
        self.end()
        if self._review.is_running:
            self._review.end()  # free the processor for the engine
        if setup.game:
            self._games.show(Opened(setup.game))
        engine = self._engines.setups[setup.engine]
        options = dict(engine.options)
        name = self._engines.name(setup.engine)
        if setup.elo is not None:
            options.update({"UCI_LimitStrength": "true", "UCI_Elo": str(setup.elo)})
            name = f"{name} (Elo {setup.elo})"
        player = Client(name, engine.command, options)
        at, human, control = self._board.at, setup.human, setup.control
        self._match = BoardMatch(human, player, setup.engine, setup.elo, control, at)
        game = self._board.tree.game
        if not game.variations:
            game.headers["White"], game.headers["Black"] = ("You", name) if human else (name, "You")
            game.headers["Date"] = date.today().strftime("%Y.%m.%d")
            if self._match.has_clocks:
                game.headers["TimeControl"] = str(control)
        self._engines.switch_off()
        self._view.show_tree(at)
        self._continue()

    # -- moves ----------------------------------------------------------------------------------

    def take_move(
        self, before: chess.pgn.GameNode, node: chess.pgn.ChildNode, is_new: bool
    ) -> bool:
        """Continue the game with the user's move; return whether it belongs to the game."""
        match = self._match
        if match is None or match.over or before.turn() != match.human or not node.move:
            return False
        match.advance(node)
        self._stop_thinking()
        self._view.show_move(node, is_new)
        self._continue()
        return True

    def _continue(self) -> None:
        """Report the end of the game, or have the engine move."""
        match = self._match
        assert match is not None
        end = natural_end(match.head.board())
        if end:
            self._finish(end)
        elif match.head.turn() != match.human:
            match.task = asyncio.ensure_future(self._think(match))
        else:
            match.start_clock(self._flag_falls)
        self._board.tell_state()

    async def _think(self, match: BoardMatch) -> None:
        node = match.head
        board = node.board()
        if not all(board.move_stack):
            board = board.copy(stack=False)
        try:
            await match.player.start()
            if match.has_clocks:
                match.start_clock(self._flag_falls)
                self._board.tell_state()
            move = await match.choose(board)
        except UciError as error:
            match.stop_clock()
            match.over = str(error)
            self._board.tell_state()
            return
        if self._match is not match or match.head is not node or move is None:
            return
        child, is_new = self._board.tree.play(node, node.board().uci(move))
        was_shown = self._board.at is node
        match.advance(child)
        match.task = None
        if was_shown:
            self._view.show_move(child, is_new)
        elif is_new:
            self._board.tell_node(child)
        self._continue()

    def do_back(self, message: Message) -> None:
        """Take back the user's last move."""
        match = self._played()
        self._stop_thinking()
        node = match.head
        while isinstance(node, chess.pgn.ChildNode):
            node = node.parent
            if node.turn() == match.human:
                break
        match.rewind(node)
        self._view.show_tree(node)
        self._continue()

    # -- end ------------------------------------------------------------------------------------

    def do_resign(self, message: Message) -> None:
        """Resign."""
        match = self._played()
        self._stop_thinking()
        self._finish(lost(match.human, "normal", "resigns"))

    def _played(self) -> BoardMatch:
        if self._match is None or self._match.over:
            raise MessageError("there is no game")
        return self._match

    async def do_leave(self, message: Message) -> None:
        """End the game against the engine; keep its moves."""
        if self._match:
            player = self._match.player
            self.end()
            await player.stop()
        self._board.tell_state()
        self._view.tell_position()

    def _flag_falls(self) -> None:
        """End the game because the side to move has run out of time."""
        assert self._match is not None
        self._stop_thinking()
        self._finish(self._match.flag_end())

    def _finish(self, end: GameEnd) -> None:
        assert self._match is not None
        self._match.over = f"{end.result} {end.reason}"
        headers = self._board.tree.game.headers
        headers["Result"] = end.result
        if end.termination != "normal":
            headers["Termination"] = end.termination
        # the page shows the result after the moves
        self._view.show_tree(self._board.at)

    def end_if_in(self, branch: chess.pgn.GameNode) -> None:
        """End the game if its head lies in the branch starting at this node."""
        node = self._match.head if self._match else None
        while node is not branch and isinstance(node, chess.pgn.ChildNode):
            node = node.parent
        if node is branch:
            self.end()

    def end(self) -> None:
        """End the game."""
        if self._match is None:
            return
        self._stop_thinking()
        closing = asyncio.ensure_future(self._match.player.stop())
        self._closing = closing  # keep a reference until it has finished
        self._match = None

    def _stop_thinking(self) -> None:
        if self._match:
            self._match.stop_clock()
            if self._match.task:
                self._match.task.cancel()
                self._match.task = None


def _control(message: Message) -> TimeControl:
    """The clock as the user wrote it, or the engine's limit per move."""
    if message.get("clock") is not None:
        return parse_minutes(text_in(message, "clock", 20))
    return TimeControl(move_seconds=seconds_in(message, 1.0, "move"))

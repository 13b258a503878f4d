"""What the pages of one board share: the game, the engines beside it, and a game against one.

Pages send messages, `{"do": NAME, ...}`, which `BoardSession.handle()` carries out; what changes is
told to all pages as messages `{"type": NAME, ...}`. Both are plain data. Nothing here knows how
they travel.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import chess
import chess.engine
import chess.pgn

from ..base.launch import own_command
from ..base.limits import Limits
from ..base.os_errors import words_of
from ..base.text import visible
from ..base.time_control import TimeControl, parse_minutes
from ..batch import DEFAULT_SECONDS_EACH
from ..board.fen import chess960_number
from ..board.game_end import GameEnd, lost, natural_end
from ..client.engine_command import EngineCommand
from ..client.engine_errors import UciError
from ..display.board_tree import arrow_records, fen_text, legal_steps
from ..engine.options import MAX_HASH_MB
from ..search.strength import MAX_ELO, MIN_ELO
from .analyst import AnalystSettings, PageAnalyst, PagePlayer, PageQuestion
from .board_match import BoardMatch
from .game_tree import PageTree, TreeError
from .page_data import Knowledge, terms
from .reading import Opened, ReadGames, game_from, read_text, text_of
from .reason import ReasonSearch
from .review import Review

#: How long an engine may analyse a position, in seconds, where nothing else is chosen.
DEFAULT_SECONDS = 120.0

#: The most lines of an engine, and the most seconds for a move of an opponent.
MAX_LINES, MAX_MOVE_SECONDS = 10, 60.0

#: The longest text that may be pasted, in characters.
MAX_TEXT = 4_000_000

OWN_NAME = "Halbzug"

Message = dict[str, Any]


@dataclass
class _Asked:
    """A move whose reason is searched for."""

    node: chess.pgn.GameNode
    search: ReasonSearch
    task: asyncio.Task[None] | None = None


@dataclass(frozen=True)
class EngineSetup:
    """An engine to have beside the board."""

    name: str
    command: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)


def own_engine() -> EngineSetup:
    """Our own engine."""
    return EngineSetup(OWN_NAME, tuple(own_command("halbzug.__main__")))


def other_engine(engine: EngineCommand) -> EngineSetup:
    """Another engine, as the command line names it.

    :raises ValueError: in one line, if there is no such file.
    """
    name = os.path.basename(engine.words[0])  # noqa: PTH119 (of either system)
    return EngineSetup(name, tuple(engine.program), engine.settings)


class BoardSession:
    """One board, for any number of pages.

    :param opened: what is shown first.
    :param games: the file that it comes from.
    :param engines: our own, and others.
    :param tell: called with every message for all pages.
    """

    def __init__(
        self,
        opened: Opened,
        games: ReadGames | None,
        engines: Sequence[EngineSetup],
        knowledge: Knowledge,
        tell: Callable[[Message], None],
    ) -> None:
        self._tell = tell
        self._knowledge = knowledge
        self._games = games
        self._game_index = 0
        self._warning = opened.warning
        self._before: Opened | None = None
        self._setups = list(engines)
        self._seconds: float | None = DEFAULT_SECONDS
        self._threat = False
        self._match: BoardMatch | None = None
        self._tag = ""  # by which a page recognises the answer to its own message
        self._lock = asyncio.Lock()
        self._is_watched = False
        self._review: Review | None = None
        # The game of a file is analysed as soon as somebody looks at it.
        self._wants_review = games is not None and len(games) == 1
        self._tree = PageTree(opened.game)
        self._at: chess.pgn.GameNode = opened.game
        self._asked: _Asked | None = None
        self._search_key: object = object()
        self._heard: dict[int, Message] = {}
        self._analysts = [
            PageAnalyst(
                setup.name,
                setup.command,
                setup.options,
                AnalystSettings(),
                lambda message, index=index: self._hear(index, message),  # type: ignore[misc]
            )
            for index, setup in enumerate(engines)
        ]
        self._analysts[0].is_on = True

    async def close(self) -> None:
        """End all engines, and close the files."""
        self._stop_thinking()
        if self._review:
            self._review.stop()
        players = [self._match.player] if self._match else []
        asked, self._asked = self._asked, None
        if asked:
            asked.search.stop()
        await asyncio.gather(
            *(one.task for one in [asked] if one and one.task),
            *(analyst.close() for analyst in self._analysts),
            *(player.close() for player in players),
            return_exceptions=True,
        )
        self._knowledge.close()

    # -- what is told ---------------------------------------------------------------------------

    def greeting(self) -> list[Message]:
        """What a page that has just been opened must know."""
        messages = [self._tree_message(), *self._position_messages(), self._state()]
        if self._games and len(self._games) > 1:
            titles = self._games.titles()
            complete = self._games.is_complete
            messages.append({"type": "games", "titles": titles, "complete": complete})
        messages += [message for _, message in sorted(self._heard.items())]
        if self._review:
            messages.append(self._review_message(self._review))
        return messages

    def _tree_message(self) -> Message:
        return {
            "type": "tree",
            "tree": self._tree.data(),
            "at": self._tree.number(self._at),
            "version": self._tree.version,
            "tag": self._tag,
            "warning": self._warning,
        }

    def _position_messages(self) -> list[Message]:
        return [self._position_message(), *self._reason_messages(), *self._facts_messages()]

    def _position_message(self) -> Message:
        """What is needed to move on."""
        board = self._at.board()
        end = natural_end(board)
        return {
            "type": "position",
            "at": self._tree.number(self._at),
            "version": self._tree.version,
            "fen": fen_text(board),
            "rights": _castling_rights(board),
            "legal": [] if self._is_engines_turn() else legal_steps(board),
            "end": f"{end.result} {end.reason}" if end else "",
            "opening": self._knowledge.opening(board),
            "book": self._knowledge.book(board),
        }

    def _reason_messages(self, failure: str = "") -> list[Message]:
        """Why the move that led here is bad, if that was asked.

        :param failure: why nothing was found.
        """
        is_searching = self._asked is not None and self._asked.node is self._at
        notes = self._tree.reasons.get(self._at, [])
        if not (is_searching or notes or failure):
            return []
        return [
            {
                "type": "reason",
                "at": self._tree.number(self._at),
                "version": self._tree.version,
                "searching": is_searching,
                "notes": notes,
                "failure": failure,
            }
        ]

    def _facts_messages(self) -> list[Message]:
        """What can come a little later."""
        board = self._at.board()
        facts: Message = {
            "type": "facts",
            "at": self._tree.number(self._at),
            "version": self._tree.version,
            "tablebase": self._knowledge.tablebase(board),
            "terms": terms(board),
        }
        return [facts, {"type": "pgn", "text": self._tree.pgn()}]

    def _state(self) -> Message:
        return {
            "type": "state",
            "engines": [
                {
                    "name": analyst.name,
                    "on": analyst.is_on,
                    "error": analyst.error,
                    "threads": analyst.settings.threads,
                    "hash": analyst.settings.hash_mb,
                    "lines": analyst.settings.lines,
                }
                for analyst in self._analysts
            ],
            "seconds": self._seconds,
            "threat": self._threat,
            "cores": os.cpu_count() or 1,
            "elo": [MIN_ELO, MAX_ELO],
            "chess960": self._tree.game.board().chess960,
            "match": self._match.message(self._tree) if self._match else None,
            "game": self._game_index,
            "before": self._before is not None,
        }

    def _tell_state(self) -> None:
        self._tell(self._state())

    def _tell_position(self) -> None:
        """Tell the position at once, and the rest when that is on its way, if it is still shown."""
        for message in [self._position_message(), *self._reason_messages()]:
            self._tell(message)
        asyncio.get_running_loop().call_soon(self._tell_facts, self._at)

    def _tell_facts(self, node: chess.pgn.GameNode) -> None:
        if node is self._at:
            for message in self._facts_messages():
                self._tell(message)

    def _hear(self, index: int, message: Message) -> None:
        """Pass on what an engine says, and remember its evaluation of the position."""
        if message["type"] != "analysis":
            self._tell_state()
            return
        if message["version"] != self._tree.version:
            return
        message["engine"] = index
        self._heard[index] = message
        if not message["threat"] and message["lines"] and index == self._first_engine():
            with contextlib.suppress(TreeError):  # of a move that was deleted
                node = self._tree.node(message["at"])
                best = message["lines"][0]
                self._tree.evaluations[node] = (best["eval"], best["chances"])
        self._tell(message)

    def _first_engine(self) -> int:
        return next((number for number, one in enumerate(self._analysts) if one.is_on), 0)

    # -- the engines ----------------------------------------------------------------------------

    def watch(self, is_watched: bool) -> None:
        """Have the engines analyse as long as a page is open."""
        if is_watched == self._is_watched:
            return
        self._is_watched = is_watched
        self._ask_engines()
        if self._wants_review:
            self._wants_review = False
            with contextlib.suppress(ValueError):  # nobody asked
                self._begin_review(DEFAULT_SECONDS_EACH)

    def _ask_engines(self) -> None:
        """Have the engines that are on analyse what is shown."""
        self._heard.clear()
        question = self._question() if self._is_watched else None
        for analyst in self._analysts:
            analyst.ask(question if analyst.is_on else None)

    def _question(self) -> PageQuestion | None:
        board = self._at.board()
        if self._asked or board.is_game_over():
            return None
        prefix: tuple[str, ...] = ()
        if self._threat:
            if board.is_check():
                return None
            board = board.copy(stack=False)
            board.push(chess.Move.null())
            board.clear_stack()
            prefix = ("0000 --",)
            if not board.is_valid() or board.is_game_over():
                return None
        elif not all(board.move_stack):
            board = board.copy(stack=False)  # engines know no null move
        number, version = self._tree.number(self._at), self._tree.version
        return PageQuestion(number, version, board, self._search_key, prefix, self._seconds)

    # -- what pages ask for ---------------------------------------------------------------------

    async def handle(self, message: object, reply: Callable[[Message], None]) -> None:
        """Carry out a message of a page; `reply` tells that page alone what is wrong with it."""
        async with self._lock:
            if not isinstance(message, dict) or not isinstance(message.get("do"), str):
                reply({"type": "error", "text": "not a message"})
                return
            version = message.get("version", self._tree.version)
            if "at" in message and version != self._tree.version:
                for one in (self._tree_message(), *self._position_messages()):
                    self._tell(one)
                return
            action = _ACTIONS.get(message["do"])
            self._tag = str(message.get("tag", ""))[:40]
            try:
                if action is None:
                    raise TreeError("not a message")
                done = action(self, message)
                if done is not None:
                    await done
            except (ValueError, OSError, UciError) as error:
                reply({"type": "error", "text": visible(words_of(error))[:300]})
            finally:
                self._tag = ""

    def _node(self, message: Message) -> chess.pgn.GameNode:
        return self._tree.node(_number(message, "at"))

    def _show(self, node: chess.pgn.GameNode) -> None:
        self._at = node
        if self._asked and self._asked.node is not node:
            self._asked.search.stop()
            self._asked = None

    def _go(self, node: chess.pgn.GameNode) -> None:
        """Show a node."""
        self._show(node)
        number, version = self._tree.number(node), self._tree.version
        self._tell({"type": "at", "at": number, "version": version, "tag": self._tag})
        self._tell_position()
        self._ask_engines()

    def _show_move(self, node: chess.pgn.GameNode, is_new: bool) -> None:
        if is_new:
            record = self._tree.record(node)
            version = self._tree.version
            self._tell({"type": "node", "record": record, "version": version})
        self._go(node)

    def _retell(self, node: chess.pgn.GameNode) -> None:
        """Tell the whole tree, which is in another order, or another one."""
        self._show(node)
        self._tell(self._tree_message())
        self._tell_position()
        self._tell_state()
        self._ask_engines()

    def do_go(self, message: Message) -> None:
        """Show another position."""
        self._go(self._node(message))

    def do_move(self, message: Message) -> None:
        """Play a move; in a game, the engine answers."""
        before = self._node(message)
        node, is_new = self._tree.play(before, _text(message, "move", 8))
        match = self._match
        if match is None or match.over or before.turn() != match.human or not node.move:
            self._show_move(node, is_new)
            return
        match.advance(node)
        self._stop_thinking()
        self._show_move(node, is_new)
        self._continue_match()

    def do_line(self, message: Message) -> None:
        """Add the moves of a line, and show its end."""
        node = self._node(message)
        moves = message.get("moves")
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise TreeError("not a line")
        for move in moves[:200]:
            node, is_new = self._tree.play(node, move)
            if is_new:
                record, version = self._tree.record(node), self._tree.version
                self._tell({"type": "node", "record": record, "version": version})
        self._go(node)

    def do_delete(self, message: Message) -> None:
        """Delete a move and what follows."""
        node = self._node(message)
        inside = self._match and _is_in(self._match.head, node)
        if inside:
            self._end_match()
        self._retell(self._tree.delete(node))

    def do_promote(self, message: Message) -> None:
        """Make a line the main line."""
        node = self._node(message)
        self._tree.promote(node)
        self._retell(node)

    def do_comment(self, message: Message) -> None:
        """Set the comment of a move."""
        node = self._node(message)
        self._tree.comment(node, _text(message, "text", 100_000))
        self._retell(node)

    def do_arrows(self, message: Message) -> None:
        """Set the arrows and circles of a position: of each, two squares and a colour."""
        node = self._node(message)
        self._tree.draw(node, message.get("arrows"))
        number, version = self._tree.number(node), self._tree.version
        arrows = {"arrows": arrow_records(node), "at": number, "version": version}
        self._tell({"type": "arrows", **arrows, "tag": self._tag})
        self._tell({"type": "pgn", "text": self._tree.pgn()})

    def do_mark(self, message: Message) -> None:
        """Set the sign of a move."""
        node = self._node(message)
        self._tree.mark(node, _number(message, "nag"))
        self._retell(node)

    def do_paste(self, message: Message) -> None:
        """Show the position or the games of a text."""
        self._show_text(_text(message, "text", MAX_TEXT))

    def do_file(self, message: Message) -> None:
        """Show the position or the games of a file, whose bytes come in base 64."""
        data = base64.b64decode(_text(message, "data", 2 * MAX_TEXT), validate=True)
        self._show_text(text_of(data, MAX_TEXT))

    def _show_text(self, text: str) -> None:
        read = read_text(text)
        if isinstance(read, ReadGames):
            opened = read.open(0)
            self._games, self._game_index = read, 0
            titles = read.titles() if len(read) > 1 else []
            complete = read.is_complete
            self._tell({"type": "games", "titles": titles, "complete": complete})
        else:
            opened = read
        self._show_game(opened)

    def do_open(self, message: Message) -> None:
        """Show another game of the file or the text."""
        if self._games is None:
            raise TreeError("there are no other games")
        index = _number(message, "game")
        opened = self._games.open(index)
        self._game_index = index
        self._show_game(opened)

    def do_setup(self, message: Message) -> None:
        """Show a position that was set up."""
        chess960 = bool(message.get("chess960"))
        self._show_game(game_from(_text(message, "fen", 200), chess960))

    def do_new(self, message: Message) -> None:
        """Begin anew, with the usual position or one of Chess960."""
        self._show_game(Opened(_new_game(message)))

    def _show_game(self, opened: Opened) -> None:
        self._end_match()
        self._end_review()
        if self._tree.game.variations:
            self._before = Opened(self._tree.game, self._warning)
        self._warning = opened.warning
        self._tree = PageTree(opened.game, self._tree.version + 1)
        self._search_key = object()
        self._retell(opened.game)

    def do_before(self, message: Message) -> None:
        """Show the game again that was shown before this one."""
        if self._before is None:
            raise TreeError("there was no game before")
        self._show_game(self._before)

    def do_engine(self, message: Message) -> None:
        """Switch an engine on or off, or change its settings."""
        index = _number(message, "engine")
        if not 0 <= index < len(self._analysts):
            raise TreeError("there is no such engine")
        analyst = self._analysts[index]
        settings = analyst.settings
        limits = {"threads": os.cpu_count() or 1, "hash_mb": MAX_HASH_MB, "lines": MAX_LINES}
        for name, maximum in limits.items():
            if name in message:
                setattr(settings, name, max(1, min(_number(message, name), maximum)))
        if "on" in message:
            analyst.is_on = bool(message["on"])
            analyst.error = ""
        self._tell_state()
        self._ask_engines()

    def do_seconds(self, message: Message) -> None:
        """Set how long a position is analysed; null: without an end."""
        seconds = message.get("seconds")
        if seconds is not None and not (isinstance(seconds, (int, float)) and 0 < seconds < 1e6):
            raise TreeError("not a time")
        self._seconds = None if seconds is None else float(seconds)
        self._tell_state()
        self._ask_engines()

    def do_threat(self, message: Message) -> None:
        """Analyse what the other side would do if the side to move passed."""
        self._threat = bool(message.get("on"))
        self._tell_state()
        self._ask_engines()

    def do_reason(self, message: Message) -> None:
        """Say why the move that led to the shown position is bad; engines that analyse wait."""
        node = self._node(message)
        if node is not self._at or (self._asked and self._asked.node is node):
            return
        if not isinstance(node, chess.pgn.ChildNode) or not node.move:
            raise TreeError("no move led to this position")
        if node not in self._tree.reasons:
            board = node.parent.board().copy(stack=False)
            self._asked = _Asked(node, ReasonSearch(board, node.move))
            self._asked.task = asyncio.ensure_future(self._find_reason(self._asked))
            self._ask_engines()
        for one in self._reason_messages():
            self._tell(one)

    async def _find_reason(self, asked: _Asked) -> None:
        notes: list[str] = []
        failure = ""
        try:
            notes = await asyncio.get_running_loop().run_in_executor(None, asked.search.run)
        except (ValueError, OSError, asyncio.TimeoutError, chess.engine.EngineError) as error:
            failure = visible(words_of(error))[:300]
        if self._asked is not asked:
            return
        self._asked = None
        if notes:
            self._tree.reasons[asked.node] = notes
        for one in self._reason_messages(failure):
            self._tell(one)
        self._ask_engines()

    # -- the whole game -------------------------------------------------------------------------

    def do_review(self, message: Message) -> None:
        """Analyse the whole game in the background."""
        seconds = message.get("seconds", DEFAULT_SECONDS_EACH)
        if not isinstance(seconds, (int, float)) or not 0.01 <= seconds <= MAX_MOVE_SECONDS:
            raise TreeError(f"the time for a position is at most {MAX_MOVE_SECONDS:g} seconds")
        if self._match and not self._match.over:
            raise TreeError("the game against the engine is not over")
        self._begin_review(float(seconds))

    def do_stop_review(self, message: Message) -> None:
        """End the analysis of the whole game."""
        self._end_review()

    def _begin_review(self, seconds: float) -> None:
        """Analyse the whole game in the background.

        :raises ValueError: in one line, if that is not possible.
        """
        if not self._tree.game.variations:
            raise TreeError("the game has no moves")
        loop = asyncio.get_running_loop()

        def tell() -> None:
            loop.call_soon_threadsafe(self._hear_review, review)

        limits = Limits(move_time_ms=round(seconds * 1000))
        review = Review(self._tree.game, limits, tell)
        self._end_review()
        self._review = review
        review.start()
        self._tell(self._review_message(review))

    def _end_review(self) -> None:
        if self._review:
            self._review.stop()
            self._review = None
            self._tell({"type": "review", "size": 0})

    def _hear_review(self, review: Review) -> None:
        if self._review is not review:
            return
        if review.facts and not review.is_running:
            self._tree.reviews = dict(zip(review.nodes, review.facts, strict=True))
            for one in (self._tree_message(), *self._position_messages()):
                self._tell(one)
            for _, one in sorted(self._heard.items()):
                self._tell(one)
        self._tell(self._review_message(review))

    def _review_message(self, review: Review) -> Message:
        is_done = bool(review.facts) and not review.is_running
        return {
            "type": "review",
            "version": self._tree.version,
            "tag": self._tag,
            "done": review.done,
            "size": len(review.nodes),
            "running": review.is_running,
            "failure": review.failure,
            "nodes": [self._tree.number(node) for node in review.nodes] if is_done else [],
            "summary": review.summary if is_done else [],
        }

    def review_file(self, name: str) -> bytes | None:
        """The graph, the report or the annotated PGN of the whole game, if there is one."""
        return self._review.files.get(name) if self._review else None

    # -- a game against an engine ---------------------------------------------------------------

    async def do_match(self, message: Message) -> None:
        """Begin a game against an engine, from what is shown or from the beginning."""
        index = _number(message, "engine") if "engine" in message else 0
        if not 0 <= index < len(self._setups):
            raise TreeError("there is no such engine")
        elo = _number(message, "elo") if message.get("elo") is not None else None
        if elo is not None and not MIN_ELO <= elo <= MAX_ELO:
            raise TreeError(f"an Elo is between {MIN_ELO} and {MAX_ELO}")
        control = _control(message)
        color = message.get("color", "white")
        human = random.random() < 0.5 if color == "random" else color != "black"
        game = _new_game(message) if message.get("fresh") else None
        await self._begin_match(index, human, elo, control, game)

    async def do_rematch(self, message: Message) -> None:
        """Begin a game again that is over, with the colours changed."""
        match = self._match
        if match is None or not match.over:
            raise TreeError("there is no game that is over")
        start = match.start.board()
        game = game_from(start.fen(), start.chess960).game
        await self._begin_match(match.engine, not match.human, match.elo, match.control, game)

    async def _begin_match(
        self,
        index: int,
        human: chess.Color,
        elo: int | None,
        control: TimeControl,
        game: chess.pgn.Game | None,
    ) -> None:
        """Begin a game against an engine.

        :param game: it begins there; None: from what is shown.
        """
        if self._match:
            await self._match.player.close()
        self._end_match()
        if self._review and self._review.is_running:
            self._end_review()  # the engine needs the processor
        if game:
            self._show_game(Opened(game))
        setup = self._setups[index]
        options = dict(setup.options)
        name = self._analysts[index].name
        if elo is not None:
            options.update({"UCI_LimitStrength": "true", "UCI_Elo": str(elo)})
            name = f"{name} (Elo {elo})"
        player = PagePlayer(name, setup.command, options)
        self._match = BoardMatch(human, player, index, elo, control, self._at)
        if not self._tree.game.variations:
            headers = self._tree.game.headers
            headers["White"], headers["Black"] = ("You", name) if human else (name, "You")
            headers["Date"] = date.today().strftime("%Y.%m.%d")
            if self._match.has_clocks:
                headers["TimeControl"] = str(control)
        for analyst in self._analysts:
            analyst.is_on = False
        self._threat = False
        self._ask_engines()
        self._retell(self._at)
        self._continue_match()

    def _continue_match(self) -> None:
        """Say whether the game is over, or have the engine move."""
        match = self._match
        assert match is not None
        end = natural_end(match.head.board())
        if end:
            self._finish(end)
        elif match.head.turn() != match.human:
            match.task = asyncio.ensure_future(self._think(match))
        else:
            match.start_clock(self._flag_falls)
        self._tell_state()

    def _flag_falls(self) -> None:
        """End a game in which the side to move has no time left."""
        assert self._match is not None
        self._stop_thinking()
        end = self._match.flag_end()
        self._finish(end)

    async def _think(self, match: BoardMatch) -> None:
        node = match.head
        board = node.board()
        if not all(board.move_stack):
            board = board.copy(stack=False)
        try:
            await match.player.start()
            if match.has_clocks:
                match.start_clock(self._flag_falls)
                self._tell_state()
            move = await match.choose(board)
        except UciError as error:
            match.stop_clock()
            match.over = str(error)
            self._tell_state()
            return
        if self._match is not match or match.head is not node or move is None:
            return
        child, is_new = self._tree.play(node, node.board().uci(move))
        was_shown = self._at is node
        match.advance(child)
        match.task = None
        if was_shown:
            self._show_move(child, is_new)
        elif is_new:
            record, version = self._tree.record(child), self._tree.version
            self._tell({"type": "node", "record": record, "version": version})
        self._continue_match()

    def do_back(self, message: Message) -> None:
        """Take back the user's last move in a game."""
        match = self._match
        if match is None or match.over:
            raise TreeError("there is no game")
        self._stop_thinking()
        node = match.head
        while isinstance(node, chess.pgn.ChildNode):
            node = node.parent
            if node.turn() == match.human:
                break
        match.rewind(node)
        self._retell(node)
        self._continue_match()

    def do_resign(self, message: Message) -> None:
        """Give up a game."""
        match = self._match
        if match is None or match.over:
            raise TreeError("there is no game")
        self._stop_thinking()
        end = lost(match.human, "normal", "resigns")
        self._finish(end)

    async def do_leave(self, message: Message) -> None:
        """End the game against the engine; its moves stay."""
        if self._match:
            player = self._match.player
            self._end_match()
            await player.close()
        self._tell_state()
        self._tell_position()

    def _finish(self, end: GameEnd) -> None:
        assert self._match is not None
        self._match.over = f"{end.result} {end.reason}"
        headers = self._tree.game.headers
        headers["Result"] = end.result
        if end.termination != "normal":
            headers["Termination"] = end.termination
        # The page shows the result behind the moves.
        self._retell(self._at)

    def _is_engines_turn(self) -> bool:
        match = self._match
        if match is None or match.over or self._at is not match.head:
            return False
        return self._at.turn() != match.human

    def _stop_thinking(self) -> None:
        if self._match:
            self._match.stop_clock()
            if self._match.task:
                self._match.task.cancel()
                self._match.task = None

    def _end_match(self) -> None:
        if self._match is None:
            return
        self._stop_thinking()
        closing = asyncio.ensure_future(self._match.player.close())
        self._closing = closing  # so that it is not collected before it has ended
        self._match = None


def _is_in(node: chess.pgn.GameNode, branch: chess.pgn.GameNode) -> bool:
    """Whether a node lies in the branch that begins with another."""
    while node is not branch and isinstance(node, chess.pgn.ChildNode):
        node = node.parent
    return node is branch


def _castling_rights(board: chess.Board) -> str:
    """The rights to castle as in a FEN of usual chess; a rook's file does not matter here."""
    rights = ""
    for color, letters in ((chess.WHITE, "KQ"), (chess.BLACK, "kq")):
        rights += letters[0] if board.has_kingside_castling_rights(color) else ""
        rights += letters[1] if board.has_queenside_castling_rights(color) else ""
    return rights


def _new_game(message: Message) -> chess.pgn.Game:
    number = message.get("chess960")
    if number is None:
        return chess.pgn.Game()
    if number == "random":
        number = chess960_number(number)
    if not isinstance(number, int) or not 0 <= number < 960:
        raise TreeError("a position of Chess960 has a number from 0 to 959")
    game = chess.pgn.Game()
    game.setup(chess.Board.from_chess960_pos(number))
    return game


def _control(message: Message) -> TimeControl:
    """A clock, as people write it, or what the engine may take for a move."""
    if message.get("clock") is not None:
        return parse_minutes(_text(message, "clock", 20))
    seconds = message.get("seconds", 1.0)
    if not isinstance(seconds, (int, float)) or not 0.01 <= seconds <= MAX_MOVE_SECONDS:
        raise TreeError(f"the time for a move is at most {MAX_MOVE_SECONDS:g} seconds")
    return TimeControl(move_seconds=float(seconds))


def _number(message: Message, key: str) -> int:
    value = message.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise TreeError(f"{key} is no number")
    return value


def _text(message: Message, key: str, max_length: int) -> str:
    value = message.get(key)
    if not isinstance(value, str):
        raise TreeError(f"{key} is no text")
    if len(value) > max_length:
        raise TreeError(f"longer than {max_length} characters")
    return value


_Action = Callable[[BoardSession, Message], Awaitable[None] | None]
_ACTIONS: dict[str, _Action] = {
    name.removeprefix("do_"): action
    for name, action in vars(BoardSession).items()
    if name.startswith("do_")
}

"""The referee: one game between two players, as a PGN game with clocks and evaluations."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date

import chess
import chess.pgn

from ..base.time_control import GameClock, limit_for
from ..board.game_end import GameEnd, natural_end
from ..board.pgn import tag_value
from ..client import PATIENCE_SECONDS
from ..client.engine_errors import EngineMistake, Fault, UciError
from ..tablebase.probing import Tablebase
from .adjudication import Adjudicator, Rules
from .players import PlayedMove, Player

#: The PGN tag Event of all our games.
EVENT = "halbzug match"


@dataclass(frozen=True)
class Conditions:
    """The conditions that all games of a match share."""

    rules: Rules
    tablebase: Tablebase | None = None
    margin_seconds: float = 0.0  # seconds by which an engine may exceed its time
    patience_seconds: float = PATIENCE_SECONDS  # seconds to wait for a move without a clock


@dataclass(frozen=True)
class FinishedGame:
    """A finished game, and why it ended."""

    game: chess.pgn.Game
    end: GameEnd
    mistakes: tuple[tuple[str, EngineMistake], ...] = ()  # of the files of engines, by their names


async def play_game(
    white: Player, black: Player, opening: chess.Board, conditions: Conditions
) -> FinishedGame:
    """Play one game from an opening; an engine that fails loses."""
    board = opening.copy()
    game = chess.pgn.Game.from_board(opening)
    node: chess.pgn.GameNode = game.end()
    clocks = {
        chess.WHITE: GameClock(white.spec.control),
        chess.BLACK: GameClock(black.spec.control),
    }
    adjudicator = Adjudicator(conditions.rules, conditions.tablebase)
    mistakes: list[tuple[str, EngineMistake]] = []
    replaced = Counter[str]()  # moves that were played in place of mistakes, by the tag of the side
    end = await _start(white, black)
    while end is None:
        player, clock = (white if board.turn else black), clocks[board.turn]
        try:
            played = await player.play(
                board, limit_for(clocks, board.turn), clock.allowance_seconds, game
            )
            late = clock.press(played.seconds)
            if late > conditions.margin_seconds:
                reason = f"oversteps its time by {1000 * late:.0f} ms"
                raise UciError(player.spec.name, Fault.TIME, reason)
        except UciError as error:
            end = _forfeit(board.turn, player, error)
            break
        mistakes += [(player.spec.name, one) for one in played.mistakes]
        if played.mistakes:
            replaced["WhiteMistakes" if board.turn else "BlackMistakes"] += 1
        node = node.add_variation(played.move)
        _annotate(node, played, clock)
        board.push(played.move)
        end = natural_end(board) or adjudicator.verdict(board, played.score)
    node.comment = f"{node.comment} {end.reason}".strip()
    _set_headers(game, white, black, end)
    game.headers.update({tag: str(count) for tag, count in sorted(replaced.items(), reverse=True)})
    return FinishedGame(game, end, tuple(mistakes))


async def _start(white: Player, black: Player) -> GameEnd | None:
    """Start the engines that are not running; an engine that does not start loses."""
    for side, player in ((chess.WHITE, white), (chess.BLACK, black)):
        try:
            await player.start()
        except UciError as error:
            return _forfeit(side, player, error)
    return None


def _forfeit(side: chess.Color, player: Player, error: UciError) -> GameEnd:
    name = f"{'White' if side else 'Black'} ({player.spec.name})"
    return GameEnd("0-1" if side else "1-0", error.fault.value, f"{name} {error.reason}")


def _annotate(node: chess.pgn.GameNode, played: PlayedMove, clock: GameClock) -> None:
    if played.score is not None:
        node.set_eval(played.score, played.depth)
    if clock.control.base_seconds:
        node.set_clock(clock.remaining_seconds)
    node.set_emt(played.seconds)


def _set_headers(game: chess.pgn.Game, white: Player, black: Player, end: GameEnd) -> None:
    headers = game.headers
    headers["Event"] = EVENT
    headers["Date"] = f"{date.today():%Y.%m.%d}"
    headers["White"] = tag_value(white.spec.name)
    headers["Black"] = tag_value(black.spec.name)
    headers["Result"], headers["Termination"] = end.result, end.termination
    headers["PlyCount"] = str(game.end().ply() - game.ply())
    controls = str(white.spec.control), str(black.spec.control)
    if controls[0] == controls[1]:
        headers["TimeControl"] = controls[0]
    else:
        headers["WhiteTimeControl"], headers["BlackTimeControl"] = controls

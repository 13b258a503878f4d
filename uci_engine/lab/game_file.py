"""A player of any game, in a user's Python file, for `halbzug explain match`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..base.language import say
from ..teaching.game_match import Chooser, evaluating_player
from ..teaching.game_protocol import Game
from .file import describe_error, run_file


def file_player(path: Path, game: Game[Any, Any]) -> Chooser:
    """The player that a file defines.

    `choose(game, state, moves)` returns one of the moves. `evaluate(game, state)` returns what a
    state is worth for player 0, and `DEPTH` says how many plies to look ahead.

    :raises ValueError: if it defines neither that suits the game, or fails; also later, when the
        player does.
    """
    place = str(path.resolve())
    try:
        names = vars(run_file(place))
    except Exception as error:
        raise ValueError(describe_error(error, place)[0]) from None
    choose, evaluate = names.get("choose"), names.get("evaluate")
    if callable(choose):
        player = choose
    elif callable(evaluate):
        plies = names.get("DEPTH", 0)
        player = evaluating_player(evaluate, game, plies if type(plies) is int else 0)
    else:
        raise ValueError(say("{file} defines neither choose nor evaluate", file=path.name))

    def guarded(game: Any, state: Any, moves: Any) -> Any:
        try:
            return player(game, state, moves)
        except Exception as error:
            raise ValueError(describe_error(error, place, choose or evaluate)[0]) from None

    guarded.__name__ = path.name
    return guarded

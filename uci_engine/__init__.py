"""Halbzug: a UCI chess engine on python-chess.

>>> import chess, halbzug
>>> board = chess.Board("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1")
>>> halbzug.play(board, depth=3).san
'Qg7#'
>>> with halbzug.Engine(threads=1, hash=16) as engine:  # a chess.engine.SimpleEngine
...     board.san(engine.play(board, chess.engine.Limit(depth=4)).move)
'Qg7#'
"""

# Before anything else: even `from __future__` would import a file of that name beside the script.
from .base.script_folder import ScriptFolderLast

with ScriptFolderLast():
    from typing import TYPE_CHECKING, Any

    from .base.loading import load_for_python, prefer_compiled
    from .version import __version__

if TYPE_CHECKING:
    from . import explain as explain
    from .api.engine import Engine, popen
    from .api.environments import ChessEnv as ChessEnv
    from .api.environments import ChessVectorEnv as ChessVectorEnv
    from .api.evaluation import evaluate, evaluate_many
    from .api.one_liners import analyse, perft, play
    from .api.policy_moves import moves_array, policy_move
    from .api.shown_results import BoardError
    from .api.two_player_environment import ChessAECEnv as ChessAECEnv
    from .batch.many import analyse_many
    from .board.game_builder import Game, GameBuilder
    from .board.pgn_files import read_games
    from .board.pgn_games import PgnGame
    from .board.public_board import Board
    from .games.game_annotation import annotate

__all__ = [
    "Board",
    "BoardError",
    "Engine",
    "Game",
    "GameBuilder",
    "PgnGame",
    "__version__",
    "analyse",
    "analyse_many",
    "annotate",
    "evaluate",
    "evaluate_many",
    "moves_array",
    "perft",
    "play",
    "policy_move",
    "popen",
    "read_games",
]

prefer_compiled()

#: The module of each public name. They are imported when they are first used: the engine's own
#: processes, which import this package as well, need none of them.
_HOME = {
    "Board": "board.public_board",
    "BoardError": "api.shown_results",
    "Engine": "api.engine",
    "Game": "board.game_builder",
    "GameBuilder": "board.game_builder",
    "PgnGame": "board.pgn_games",
    "analyse": "api.one_liners",
    "analyse_many": "batch.many",
    "annotate": "games.game_annotation",
    "evaluate": "api.evaluation",
    "evaluate_many": "api.evaluation",
    "moves_array": "api.policy_moves",
    "perft": "api.one_liners",
    "play": "api.one_liners",
    "policy_move": "api.policy_moves",
    "popen": "api.engine",
    "read_games": "board.pgn_files",
}

#: What needs an extra, and so is not in `__all__`.
_WITH_EXTRA = {
    "ChessAECEnv": "api.two_player_environment",
    "ChessEnv": "api.environments",
    "ChessVectorEnv": "api.environments",
}

#: Rooms with calls of their own; they, too, are imported when they are first used.
_ROOMS = {"explain"}


def __getattr__(name: str) -> Any:
    """Import a public name on its first use."""
    home = _HOME.get(name) or _WITH_EXTRA.get(name) or name
    if home == name and name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = load_for_python(f"{__name__}.{home}")
    value = module if name in _ROOMS else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_ROOMS, *_WITH_EXTRA, "__doc__", "__file__", "__name__", "__path__"])

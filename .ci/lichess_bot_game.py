"""Plays through lichess-bot: `python .ci/lichess_bot_game.py LICHESS_BOT COMMAND [ARGUMENTS]`.

LICHESS_BOT is a checkout of https://github.com/lichess-bot-devs/lichess-bot, with what it requires
installed; COMMAND is `halbzug`. The keys that `halbzug register --print` gives replace those of
`config.yml.default`, the server is the fake one of lichess-bot's own tests, and the opponent moves
at random.
"""

from __future__ import annotations

import datetime
import logging
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from queue import Queue
from typing import Any

import chess
import yaml

#: The random mover is mated long before this.
MAX_PLIES = 400


def printed_keys(command: list[str]) -> dict[str, Any]:
    """The keys of the engine block that `register --print` shows for lichess-bot."""
    shown = subprocess.run(
        [*command, "register", "--print"], check=True, capture_output=True, encoding="utf-8"
    ).stdout
    block = re.search(r"^engine:\n(?:  .*\n)+", shown, re.MULTILINE)
    assert block, shown
    keys: dict[str, Any] = yaml.safe_load(block[0])["engine"]
    return keys


def play_white(moves: Queue[Any], boards: Queue[Any], clocks: Queue[Any], games: list[Any]) -> None:
    """Be the opponent and the clock, like lichess-bot's own simulator."""
    source = random.Random(1)
    board = chess.Board()
    clock = datetime.timedelta(seconds=20), datetime.timedelta(seconds=20)
    while not board.is_game_over() and board.ply() < MAX_PLIES:
        if board.turn == chess.WHITE:
            # First moves to the middle of the board, which are in every book.
            known = ["e2e4", "d2d4"][board.ply() // 2 : board.ply() // 2 + 1]
            move = source.choice(known or sorted(move.uci() for move in board.legal_moves))
            board.push_uci(move)
            boards.put(board)
            clocks.put((*clock, datetime.timedelta(seconds=0.1)))
        else:
            move = moves.get()
            if move is None:  # the stream was opened again
                boards.put(board)
                clocks.put((*clock, datetime.timedelta(seconds=0.1)))
            else:
                assert move in board.legal_moves, (board.fen(), move)
                board.push(move)
            moves.task_done()
    boards.put(board)
    clocks.put((*clock, datetime.timedelta(seconds=0.1)))
    games.append(board)


def main(checkout: Path, command: list[str]) -> None:
    """Play one game, and check what lichess-bot reports about our moves."""
    keys = printed_keys(command)
    os.chdir(checkout)
    sys.path.insert(0, str(checkout))
    import test_bot.lichess
    from lib import config as configuration
    from lib import lichess_bot

    raw = yaml.safe_load((checkout / "config.yml.default").read_text(encoding="utf-8"))
    assert set(keys) <= set(raw["engine"]), "keys that its file does not have"
    raw["engine"].update(keys)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.txt"
        raw.update(token="", move_overhead=100, pgn_directory=folder)
        configuration.insert_default_values(raw)
        configuration.validate_config(raw)
        lichess_bot.logging_configurer(logging.INFO, str(log), True)
        manager = multiprocessing.Manager()
        moves, boards, clocks = manager.Queue(), manager.Queue(), manager.Queue()
        games: list[chess.Board] = []
        opponent = threading.Thread(target=play_white, args=(moves, boards, clocks, games))
        opponent.start()
        server = test_bot.lichess.Lichess(moves, boards, clocks)
        lichess_bot.disable_restart()
        settings = configuration.Configuration(raw)
        assert settings.engine.draw_or_resign.offer_draw_enabled
        lichess_bot.start(
            server, server.get_profile(), settings, logging.INFO, str(log), True, one_game=True
        )
        opponent.join()
        text = log.read_text(encoding="utf-8")
    (board,) = games
    sources = re.findall(r"Source: (.+?)\s*$", text, re.MULTILINE)
    counts = {source: sources.count(source) for source in set(sources)}
    print(f"{board.ply()} plies, {board.result()}; sources: {counts}")
    assert board.result() == "0-1", text[-5000:]
    assert {"Opening Book", "Engine"} <= set(sources), text[-5000:]


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), sys.argv[2:])

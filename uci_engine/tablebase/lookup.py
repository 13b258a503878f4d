"""Lists tablebases in folders, and looks up positions, as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import chess
from chess.syzygy import tablenames

from ..base.scores import TB_BOUND
from ..board.movegen import new_board, uci
from .files import TableFile, default_folders, find_tablebase_files, split_paths
from .probing import Tablebase
from .root_ranking import RootRank

_RESULTS = {2: "win", 1: "cursed win", 0: "draw", -1: "blessed loss", -2: "loss"}


def list_tablebases(paths: str) -> tuple[list[dict[str, Any]], list[str]]:
    """The tables in the usual and additional folders, by folder and number of pieces.

    :param paths: additional folders, separated as in PATH.
    :returns: a row for each folder and number, and a message for each file that is not a table.
    """
    rows: list[dict[str, Any]] = []
    messages: list[str] = []
    for folder in default_folders() + split_paths(paths):
        files: list[TableFile] = []
        for file in find_tablebase_files(folder):
            if isinstance(file, str):
                messages.append(file)
            else:
                files.append(file)
        for pieces in sorted({file.pieces for file in files}):
            rows.append(_row(folder, pieces, [file for file in files if file.pieces == pieces]))
    return rows, messages


def _row(folder: Path, pieces: int, files: list[TableFile]) -> dict[str, Any]:
    smaller = sum(1 for _ in tablenames(piece_count=pieces - 1)) if pieces > 3 else 0
    return {
        "folder": str(folder),
        "pieces": pieces,
        "wdl": sum(file.suffix == ".rtbw" for file in files),
        "dtz": sum(file.suffix == ".rtbz" for file in files),
        "all": sum(1 for _ in tablenames(piece_count=pieces)) - smaller,
        "bytes": sum(file.size for file in files),
    }


def look_up(tablebase: Tablebase, board: chess.Board) -> dict[str, Any]:
    """Look up the result, the distance to zeroing and all moves of a position.

    :raises LookupError: if the tablebases do not know the position; the message is one line.
    """
    twin = new_board(board.fen(en_passant="fen"))
    dtz = tablebase.probe_dtz(twin)
    ranking = tablebase.rank_root(twin)
    twin.halfmove_clock = 0
    fresh = tablebase.probe_wdl(twin)
    if fresh is None:
        raise LookupError(_why_unknown(tablebase, board))
    return {
        "fen": board.fen(),
        "result": _result(ranking[0]) if ranking else _RESULTS[fresh],
        "wdl": fresh,
        "dtz": dtz,
        "moves": [_move_report(board, move) for move in ranking or ()],
    }


def _result(best: RootRank) -> str:
    """The result at the current fifty-move clock, which may turn a win into a cursed win."""
    if abs(best.score) >= TB_BOUND:
        return _RESULTS[2 if best.score > 0 else -2]
    return _RESULTS[(best.score > 0) - (best.score < 0)]


def _move_report(board: chess.Board, move: RootRank) -> dict[str, Any]:
    text = uci(move.code)
    return {
        "move": text,
        "san": board.san(board.parse_uci(text)),
        "result": _result(move),
        "wdl": move.wdl,
        "dtz": move.dtz,
    }


def _why_unknown(tablebase: Tablebase, board: chess.Board) -> str:
    if board.castling_rights:
        return "the tables have no positions with castling"
    pieces = board.occupied.bit_count()
    if pieces > tablebase.largest:
        return f"{pieces} pieces, but the tables found have at most {tablebase.largest}"
    return "a table that is needed is missing or damaged"

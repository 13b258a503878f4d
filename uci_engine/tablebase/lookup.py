"""What there is to know about tablebases in folders, and about a position in them, as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import chess
from chess.syzygy import tablenames

from halbzug.board.rules import new_board, uci
from halbzug.scores import TB_BOUND
from halbzug.tablebase.files import TableFile, default_folders, find_tables, split_paths
from halbzug.tablebase.probing import Tablebase
from halbzug.tablebase.root_ranking import RootRank

_RESULTS = {2: "win", 1: "cursed win", 0: "draw", -1: "blessed loss", -2: "loss"}


def list_tables(paths: str) -> tuple[list[dict[str, Any]], list[str]]:
    """The tables in the usual folders and in others, by folder and number of pieces.

    :param paths: other folders, separated as in PATH.
    :returns: a row for each folder and number, and a line for each file that is no table.
    """
    rows: list[dict[str, Any]] = []
    messages: list[str] = []
    for folder in default_folders() + split_paths(paths):
        tables: list[TableFile] = []
        for file in find_tables(folder):
            if isinstance(file, str):
                messages.append(file)
            else:
                tables.append(file)
        for pieces in sorted({table.pieces for table in tables}):
            rows.append(_row(folder, pieces, [t for t in tables if t.pieces == pieces]))
    return rows, messages


def _row(folder: Path, pieces: int, tables: list[TableFile]) -> dict[str, Any]:
    smaller = sum(1 for _ in tablenames(piece_count=pieces - 1)) if pieces > 3 else 0
    return {
        "folder": str(folder),
        "pieces": pieces,
        "wdl": sum(table.suffix == ".rtbw" for table in tables),
        "dtz": sum(table.suffix == ".rtbz" for table in tables),
        "all": sum(1 for _ in tablenames(piece_count=pieces)) - smaller,
        "bytes": sum(table.size for table in tables),
    }


def look_up(tablebase: Tablebase, board: chess.Board) -> dict[str, Any]:
    """Result, distance to zeroing and all moves of a position.

    :raises LookupError: in one line, if the tablebases do not know the position.
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
    """The result with the clock as it is: a win may have become a cursed one."""
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

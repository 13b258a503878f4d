"""Games as data for the board of a page, which does not know the rules of chess.

A *step* is a move as text: the move in UCI notation, its name and, if more than one piece changes
its square, the changed squares, each followed by its new content (`.`: empty): `e2e4 e4`, `e1g1 O-O
e1.f1Rg1Kh1. h1`. The last part is another square on which the piece may be dropped to play the
move; a `-` in place of the squares means that no others change.

A *tree* is `{"fen": ..., "tags": {...}, "nodes": [...]}`. Its nodes are records, parents before
their children and the first child of a node before the others. The first record is the start:

- `step`: the move that leads to it; the start has none.
- `parent`: the id of the previous node; by default that of the previous record.
- `id`: an integer; by default one more than that of the previous record, starting at 0.
- `check`: of the start, whether the side to move is in check.
- `nags`: numbers as in PGN. `comment`, `lead`: the texts after and before the move.
- `clock`: the time left to the player who moved, as text.
- `arrows`: `{"from": "e2", "to": "e4", "kind": ...}`, the kind one of `best`, `bad`, `next`,
  `threat`, `own`; a circle if both are the same square.
- `eval`: the evaluation as text, from White's side. `chances`: White's, in per cent, 0 to 100.
- `verdict`: a sentence on the move; `judgement`: `inaccuracy`, `mistake` or `blunder`.
- `lines`: lines from there, each `{"eval": ..., "depth": ..., "note": ..., "kind": ..., "steps":
  [...]}`; all but `steps` may be left out.
- `legal`: the steps that can be tried on the board; without it, none can.

Other keys are kept for the page's own script. All texts are shown as texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import chess
import chess.pgn

from ..base.text import on_one_line
from ..board.pgn import tag_text

#: What is known about a node besides its PGN: keys of a record.
Facts = Callable[[chess.pgn.GameNode, chess.Board], Mapping[str, Any]]

#: A command for programs in a comment, such as `[%clk 0:05:00]`.
COMMAND = re.compile(r"\s*\[%\w+\s[^\]]*\]")

#: The colours of arrows and circles in PGN, `[%cal Ge2e4]` and `[%csl Rd5]`.
ARROW_COLORS = ("green", "red", "blue", "yellow")


def step_text(board: chess.Board, move: chess.Move) -> str:
    """A legal move, or a null move, as a step for the board of a page.

    >>> step_text(chess.Board(), chess.Move.from_uci("g1f3"))
    'g1f3 Nf3'
    """
    words = [board.uci(move), board.san(move)]
    if not move:
        words[0] = "0000"
    elif board.is_castling(move):
        words.append(_changes(board, move))
        words.append(_other_square(board, move))
    elif move.promotion or board.is_en_passant(move):
        words.append(_changes(board, move))
    return " ".join(filter(None, words))


def _changes(board: chess.Board, move: chess.Move) -> str:
    before = board.piece_map()
    board.push(move)
    now = board.piece_map()
    board.pop()
    return "".join(
        chess.square_name(square) + (now[square].symbol() if square in now else ".")
        for square in sorted(before.keys() | now.keys())
        if before.get(square) != now.get(square)
    )


def _other_square(board: chess.Board, move: chess.Move) -> str:
    """The other square on which the king may be dropped to castle: the rook's, or its target."""
    is_kingside = board.is_kingside_castling(move)
    rank = chess.square_rank(move.from_square)
    goal = chess.square(6 if is_kingside else 2, rank)
    if not board.chess960:
        return chess.square_name(chess.square(7 if is_kingside else 0, rank))
    king_move = chess.Move(move.from_square, goal)
    is_other = goal in (move.to_square, move.from_square) or board.is_legal(king_move)
    return "" if is_other else chess.square_name(goal)


def line_steps(board: chess.Board, moves: Iterable[chess.Move]) -> list[str]:
    """A line from a position, up to the first illegal move."""
    after = board.copy(stack=False)
    steps = []
    for move in moves:
        if move not in after.legal_moves:
            break
        steps.append(step_text(after, move))
        after.push(move)
    return steps


def legal_steps(board: chess.Board) -> list[str]:
    """All legal moves of a position."""
    return [step_text(board, move) for move in board.legal_moves]


def tree_data(game: chess.pgn.Game, facts: Facts | None = None) -> dict[str, Any]:
    """A game with its variations and comments, as data for the board of a page.

    :param facts: returns additional keys for the record of a node, given its board.
    """
    board = game.board()
    root = root_record(game, board)
    if facts:
        root.update(facts(game, board))
    nodes = [root]
    # With the ids of their parents; a node's variations wait until its main line is done.
    waiting = [(child, 0) for child in reversed(game.variations)]
    while waiting:
        node, parent = waiting.pop()
        before = node.parent.board()
        while True:
            record = node_record(node, before)
            if parent != len(nodes) - 1:
                record["parent"] = parent
            before.push(node.move)
            if facts:
                record.update(facts(node, before))
            parent = len(nodes)
            nodes.append(record)
            if not node.variations:
                break
            waiting += [(child, parent) for child in reversed(node.variations[1:])]
            node = node.variations[0]
    return {"fen": fen_text(board), "tags": tags(game), "nodes": nodes}


def fen_text(board: chess.Board) -> str:
    """The FEN of a position, with Shredder's castling rights in Chess960."""
    return board.fen(shredder=board.chess960)


def tags(game: chess.pgn.Game) -> dict[str, str]:
    """The tags of a game as people read them."""
    return {name: tag_text(value) for name, value in game.headers.items()}


def root_record(game: chess.pgn.Game, board: chess.Board) -> dict[str, Any]:
    """The record of a game's start, from its PGN."""
    record = _texts(game)
    if board.is_check():
        record["check"] = True
    return record


def node_record(node: chess.pgn.ChildNode, before: chess.Board) -> dict[str, Any]:
    """The record of a move, from its PGN.

    :param before: the position before the move.
    """
    record: dict[str, Any] = {"step": step_text(before, node.move)}
    if node.nags:
        record["nags"] = sorted(node.nags)
    if lead := _plain(node.starting_comment):
        record["lead"] = lead
    record.update(_texts(node))
    if (seconds := node.clock()) is not None:
        record["clock"] = clock_text(seconds)
    return record


def _texts(node: chess.pgn.GameNode) -> dict[str, Any]:
    record: dict[str, Any] = {}
    if comment := _plain(node.comment):
        record["comment"] = comment
    if arrows := arrow_records(node):
        record["arrows"] = arrows
    return record


def arrow_records(node: chess.pgn.GameNode) -> list[dict[str, str]]:
    """The arrows and circles of a node; `kind` is one of `ARROW_COLORS`."""
    return [
        {
            "from": chess.square_name(arrow.tail),
            "to": chess.square_name(arrow.head),
            "kind": arrow.color,
        }
        for arrow in node.arrows()
    ]


def _plain(comment: str) -> str:
    """A comment without its commands for programs."""
    return on_one_line(COMMAND.sub("", comment)).strip() if comment else ""


def clock_text(seconds: float) -> str:
    """A clock's time: `1:05:09`, or `5:09`.

    >>> clock_text(309.4)
    '5:09'
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

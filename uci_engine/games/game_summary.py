"""Summarises an annotated game: how well each side played, and the judged moves."""

from __future__ import annotations

from typing import cast

import chess

from ..base.language import local, say, speaking, spelled
from ..base.text import visible
from ..board.notation import san_line
from ..display.sheet import Column, Sheet, Tone
from .annotation import AnnotatedGame
from .graph import graph_svg


def player_text(game: AnnotatedGame, color: chess.Color) -> str:
    """A player's name and rating; the side if the game does not name the player."""
    side = "White" if color else "Black"
    headers = game.record.game.headers
    name = headers.get(side, "?")
    name = say(side) if name in ("?", "") else name
    rating = headers.get(f"{side}Elo", "")
    return f"{name} ({rating})" if rating.isdigit() else name


@speaking("en")
def summary_html(game: AnnotatedGame) -> str:
    """The graph, each side's accuracy, and the judged moves, for a notebook."""
    frame = "display:inline-block;line-height:0;border:1px solid #88888880"
    parts = [f'<div style="{frame}">{graph_svg(game)}</div>', players_table(game).html()]
    moves = _judged_moves(game)
    if moves.rows:
        parts.append(moves.html())
    return "".join(f'<div style="margin-bottom:.8em">{part}</div>' for part in parts)


@speaking("en")
def summary_text(game: AnnotatedGame) -> str:
    """The same as text, without the graph."""
    moves = _judged_moves(game)
    parts = [game.record.name, players_table(game).text(), moves.text() if moves.rows else ""]
    return visible("\n\n".join(part for part in parts if part))


def moves_table(game: AnnotatedGame) -> Sheet:
    """Each move with its score, the better or expected line, and why a judged move is bad."""
    wide = Column(say("Better, or the line the engine expects"), is_wide=True)
    score = Column(say("score").capitalize(), True)
    sheet = Sheet((Column(say("Move")), score, Column(say("Known from")), wide))
    for move in game.moves:
        line = san_line(move.before.board, [reply.uci() for reply in move.before.line])
        sources = [say("book")] if move.is_book else []
        if move.after.tablebase:
            sources.append(say("tables: {result}", result=say(move.after.tablebase)))
        tone = cast(Tone, move.judgement.name) if move.judgement else "plain"
        sheet.add(
            spelled(move.name) + move.symbol,
            local(say(move.after.evaluation)),
            ", ".join(sources),
            "" if move.is_best or move.is_book else spelled(line),
            tone=tone,
        )
        if move.reason and move.reason.why:
            sheet.add("", "", "", move.reason.why, tone=tone)
    return sheet


def players_table(game: AnnotatedGame) -> Sheet:
    """How well each side played, as a table."""
    numbers = (say("Accuracy"), say("Inaccuracies"), say("Mistakes"), say("Blunders"))
    sheet = Sheet((Column(say("Player")), *(Column(title, True) for title in numbers)))
    for color in (chess.WHITE, chess.BLACK):
        counts = game.count(color)
        sheet.add(
            player_text(game, color),
            f"{local(f'{game.accuracy[color]:.1f}')} %" if color in game.accuracy else "",
            *(str(counts[name]) for name in ("inaccuracy", "mistake", "blunder")),
        )
    return sheet


def _judged_moves(game: AnnotatedGame) -> Sheet:
    columns = (Column("Move"), Column("Judgement"), Column("Before", True), Column("After", True))
    sheet = Sheet((*columns, Column("Better was")))
    for move in game.moves:
        if move.judgement:
            sheet.add(
                move.name + move.symbol,
                move.judgement.name,
                move.before.evaluation,
                move.after.evaluation,
                san_line(move.before.board, [reply.uci() for reply in move.before.line]),
            )
    return sheet

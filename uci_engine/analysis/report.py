"""Renders annotated games as one HTML file without a server, a network or a framework.

The page contains all data; the script in `html/report.js` only steps through it. A
Content-Security-Policy forbids the page to load or send anything, whatever a PGN contains.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

import chess
import chess.svg

from halbzug.analysis.annotation import AnnotatedGame, AnnotatedMove, AnnotatedPosition
from halbzug.analysis.page import (
    board_svg,
    fill,
    page,
    read_part,
    result_html,
    stepping_board,
)
from halbzug.board.notation import san_line
from halbzug.page.assets import embedded_json

#: The maximum number of diagrams of a game.
MAX_DIAGRAMS = 6

#: The height of the evaluation graph in its own units; its width is the number of moves.
_GRAPH_HEIGHT = 100.0

#: What is left above and below, so that no dot is cut off.
_GRAPH_MARGIN = 5.0

#: The dots of the graph by judgement.
_DOTS = {"inaccuracy": "#3d93cc", "mistake": "#e08a00", "blunder": "#d93a3a"}

_ROOM = "halbzug.analysis"


def render(games: Sequence[AnnotatedGame], colophon: str) -> str:
    """The report of some games as an HTML page.

    :param colophon: a sentence on how it was made.
    """
    first = games[0].record
    more = f" and {len(games) - 1} more" if len(games) > 1 else ""
    articles = "\n".join(_game(game, number) for number, game in enumerate(games, start=1))
    return page(
        title=escape(f"{first.name}{more}"),
        style=read_part(_ROOM, "report.css"),
        script=read_part(_ROOM, "report.js"),
        content=f"{_navigation(games)}\n<main>\n{articles}\n</main>",
        colophon=escape(colophon),
    )


def _navigation(games: Sequence[AnnotatedGame]) -> str:
    if len(games) < 2:
        return ""
    links = [
        f'<a href="#game-{number}">{number}. {escape(game.record.name)}</a>'
        for number, game in enumerate(games, start=1)
    ]
    return f'<nav aria-label="Games">{"".join(links)}</nav>'


def _game(game: AnnotatedGame, number: int) -> str:
    headers = game.record.game.headers
    names = {color: _player(game, color) for color in chess.COLORS}
    return fill(
        _ROOM,
        "game.html",
        number=str(number),
        white=names[chess.WHITE],
        black=names[chess.BLACK],
        result=result_html(headers.get("Result", "*")),
        facts=_facts(headers),
        white_accuracy=_accuracy(game, chess.WHITE),
        black_accuracy=_accuracy(game, chess.BLACK),
        board=stepping_board(game.positions[0].board),
        graph=graph_svg(game),
        moves=_move_list(game),
        summary="\n".join(_summary_row(game, color) for color in (chess.WHITE, chess.BLACK)),
        critical=_critical(game),
        positions=embedded_json(_positions(game)),
    )


# -- words --------------------------------------------------------------------------------------


def player_text(game: AnnotatedGame, color: chess.Color) -> str:
    """A player's name and rating; the side where the game does not tell."""
    side = "White" if color else "Black"
    headers = game.record.game.headers
    name = headers.get(side, "?")
    name = side if name in ("?", "") else name
    rating = headers.get(f"{side}Elo", "")
    return f"{name} ({rating})" if rating.isdigit() else name


def _player(game: AnnotatedGame, color: chess.Color) -> str:
    return escape(player_text(game, color))


def _accuracy(game: AnnotatedGame, color: chess.Color) -> str:
    return f"{game.accuracy[color]:.1f} %" if color in game.accuracy else ""


def _facts(headers: chess.pgn.Headers) -> str:
    date = headers.get("Date", "").replace(".??", "").replace("????", "")
    round_ = headers.get("Round", "?")
    facts = [headers.get(name, "?") for name in ("Event", "Site")]
    facts += [f"round {round_}" if round_ not in ("?", "-", "") else "", date]
    facts += [headers.get("ECO", ""), headers.get("Opening", "")]
    return escape(" · ".join(fact for fact in facts if fact not in ("?", "")))


def _tag(move: AnnotatedMove) -> str:
    """The symbol of a judged move."""
    if move.judgement is None:
        return ""
    return f'<span class="nag {move.judgement.name}">{move.judgement.symbol}</span>'


def _line(position: AnnotatedPosition) -> str:
    """The best line from a position, in figurine notation."""
    return san_line(position.board, [move.uci() for move in position.line])


def _verdict(move: AnnotatedMove) -> str:
    """The judgement in a sentence, with the line that was better."""
    if move.judgement is None:
        return ""
    return f"{move.judgement.name.capitalize()}. Best was {_line(move.before)}. {move.why}".rstrip()


# -- the stepping board -------------------------------------------------------------------------


def _positions(game: AnnotatedGame) -> list[dict[str, Any]]:
    """The data of each position for the script."""
    return [
        _position(position, move)
        for position, move in zip(game.positions, [None, *game.moves], strict=True)
    ]


def _position(position: AnnotatedPosition, move: AnnotatedMove | None) -> dict[str, Any]:
    board, best = position.board, position.best
    marks = ["book"] if move and move.is_book else []
    if position.tablebase:
        marks.append(f"tablebase: {position.tablebase}")
    return {
        "board": board.board_fen(),
        "move": [move.move.from_square, move.move.to_square] if move else None,
        "check": board.king(board.turn) if board.is_check() else None,
        "evaluation": position.evaluation,
        "chances": round(position.chances, 1),
        "played": move.name if move else "",
        "symbol": move.symbol if move else "",
        "judgement": move.judgement.name if move and move.judgement else "",
        "verdict": _verdict(move) if move else "",
        "marks": " · ".join(marks),
        "line": _line(position),
        "best": [best.from_square, best.to_square] if best else None,
    }


# -- graph, moves, diagrams ---------------------------------------------------------------------


def graph_svg(game: AnnotatedGame) -> str:
    """White's winning chances over the game, with a dot for each judged move.

    Its colours are for a picture that stands alone; the report's style sheet has others.
    """
    heights = [_GRAPH_HEIGHT - position.chances for position in game.positions]
    points = " ".join(f"{ply},{height:.1f}" for ply, height in enumerate(heights))
    end = max(len(game.moves), 1)
    top, height = -_GRAPH_MARGIN, _GRAPH_HEIGHT + 2 * _GRAPH_MARGIN
    bottom = f"{_GRAPH_HEIGHT + _GRAPH_MARGIN:g}"
    dots = [
        f'<path class="dot {move.judgement.name}" d="M{ply},{heights[ply]:.1f}h0" '
        f'stroke="{_DOTS[move.judgement.name]}" stroke-width="9" stroke-linecap="round" '
        f'vector-effect="non-scaling-stroke"/>'
        for ply, move in enumerate(game.moves, start=1)
        if move.judgement
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="640" height="120" overflow="visible" '
        f'viewBox="0 {top:g} {end} {height:g}" preserveAspectRatio="none" role="img" '
        f'aria-label="White\'s winning chances over the game">'
        f'<rect class="above" fill="#4a433d" y="{top:g}" width="{end}" height="{height:g}"/>'
        f'<polygon class="area" fill="#fbf8f2" '
        f'points="0,{bottom} {points} {len(game.moves)},{bottom}"/>'
        f'<line class="even" x1="0" x2="{end}" y1="{_GRAPH_HEIGHT / 2:g}" '
        f'y2="{_GRAPH_HEIGHT / 2:g}" stroke="#a0764f" vector-effect="non-scaling-stroke"/>'
        f'<polyline class="curve" fill="none" stroke="#a0764f" '
        f'vector-effect="non-scaling-stroke" points="{points}"/>'
        f'<line class="here" x1="0" x2="0" y1="{top:g}" y2="{bottom}"/>'
        f"{''.join(dots)}</svg>"
    )


def _move_list(game: AnnotatedGame) -> str:
    """The moves in pairs, with the remarks on each pair below it."""
    rows: list[str] = []
    moves = list(enumerate(game.moves, start=1))
    while moves:
        pair = [moves.pop(0)]
        if pair[0][1].color and moves:
            pair.append(moves.pop(0))
        number = pair[0][1].before.board.fullmove_number
        cells = [_move_button(ply, move) for ply, move in pair]
        if not pair[0][1].color:
            cells.insert(0, '<span class="gap">…</span>')
        rows.append(
            f'<div class="pair"><span class="number">{number}.</span>{"".join(cells)}</div>'
        )
        rows += [
            f'<p class="remark {move.judgement.name}">{escape(move.name)} &ndash; '
            f"{escape(_verdict(move))}</p>"
            for _, move in pair
            if move.judgement
        ]
    result = result_html(game.record.game.headers.get("Result", "*"))
    return "\n".join([*rows, f'<p class="outcome">{result}</p>'])


def _move_button(ply: int, move: AnnotatedMove) -> str:
    san = move.before.board.san(move.move)
    book = ' <span class="book" title="in the opening book">book</span>' if move.is_book else ""
    return (
        f'<button type="button" class="move" data-ply="{ply}">{san}{_tag(move)}{book}'
        f'<span class="value">{move.after.evaluation}</span></button>'
    )


def _summary_row(game: AnnotatedGame, color: chess.Color) -> str:
    counts = game.count(color)
    cells = [_accuracy(game, color) or "&ndash;"]
    cells += [str(counts[name]) for name in ("inaccuracy", "mistake", "blunder")]
    return f"<tr><td>{_player(game, color)}</td><td>{'</td><td>'.join(cells)}</td></tr>"


def _critical(game: AnnotatedGame) -> str:
    worst = game.critical(MAX_DIAGRAMS)
    if not worst:
        return ""
    figures = "\n".join(_figure(game, move) for move in worst)
    return (
        f'<section class="critical"><h2>Critical positions</h2>\n'
        f'<div class="diagrams">\n{figures}\n</div></section>'
    )


def _figure(game: AnnotatedGame, move: AnnotatedMove) -> str:
    board = move.before.board
    arrows = [chess.svg.Arrow(move.move.from_square, move.move.to_square, color="red")]
    if move.before.best:
        best = move.before.best
        arrows.append(chess.svg.Arrow(best.from_square, best.to_square, color="green"))
    drawing = board_svg(board, orientation=board.turn, arrows=arrows)
    # python-chess draws arrows in this order; the page sets their colours.
    kinds = iter(("bad", "bad", "best", "best"))
    drawing = re.sub(r'class="arrow"', lambda _: f'class="arrow {next(kinds)}"', drawing)
    ply = game.moves.index(move)
    turn = "White" if move.color else "Black"
    return (
        f'<figure data-ply="{ply}">{drawing}<figcaption>'
        f'<span class="number">{escape(move.name)}</span>{_tag(move)} '
        f"{move.before.evaluation} → {move.after.evaluation}"
        f"<p>{turn} to move. {escape(_verdict(move))}</p></figcaption></figure>"
    )

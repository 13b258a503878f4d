"""The page of a tournament for a class: the table, what each file did wrong, and all games.

It is a single file (`halbzug.display.page`) that loads and sends nothing. Names and messages come
from untrusted files and are shown as text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from html import escape
from typing import Any

from ..base.language import reader_language, say
from ..display import assets
from ..display.board_tree import fen_text, line_steps
from ..display.page import fill, page, read_part
from ..match.games_display import end_text, fault_kind, fault_text
from ..match.match_summary import forfeit_remarks, games_text, pace_text
from ..match.standings import Score
from ..version import __version__
from .faults import KINDS
from .file_tournament import Entrant, Standing, Tournament
from .tournament_games import PlayedGame

_ROOM = "halbzug.lab"

#: The number of messages shown for a file; rare ones are omitted.
MAX_MESSAGES = 8


def render(tournament: Tournament) -> str:
    """The page of a tournament as HTML."""
    games = tournament.games()
    places = tournament.places()
    title = escape(tournament.plan.folder.absolute().name or say("Tournament"))
    numbers = {place.entrant.spec.name: number for number, place in enumerate(places, start=1)}
    content = fill(
        _ROOM,
        "tournament.html",
        **_words(),
        pieces=assets.pieces(),
        colophon=escape(_colophon(tournament)),
        title=title,
        facts=escape(_facts(tournament, places)),
        left_out=_left_out(tournament.left_out),
        heads=_heads(len(places)),
        rows="\n".join(_row(tournament, places, place) for place in places),
        faults=_fault_counts(places, games),
        players="\n".join(_player(place, numbers, games) for place in places),
        games=assets.embedded_json([_game_data(game) for game in games]),
    )
    return page(
        f"{title} &ndash; {escape(say('tournament'))}",
        style=f"{assets.style()}\n{read_part(_ROOM, 'tournament.css')}",
        script=f"{assets.script()}\n{read_part(_ROOM, 'tournament.js')}",
        content=content,
        language=reader_language(),
    )


def _words() -> dict[str, str]:
    """The page's own texts."""
    texts = {
        "engine": say("Engine"),
        "points": say("Points"),
        "number": say("Games"),
        "wrong": say("Faults"),
        "legend": say(
            "Each cell shows the points against the engine with that number. Faults are games lost "
            "through an exception, an illegal move, a late move or a crash. Engines in italics are "
            "opponents of known strength; the Elo of the others has its "
            "95\N{NARROW NO-BREAK SPACE}% error."
        ),
        "went_wrong": say("What went wrong"),
        "a_game": say("A game"),
        "close": say("Close"),
        "engines_and_games": say("Engines and their games"),
    }
    return {name: escape(text) for name, text in texts.items()}


def _facts(tournament: Tournament, places: Sequence[Standing]) -> str:
    match = tournament.match
    files = sum(place.entrant.known is None for place in places)
    parts = [say("1 file") if files == 1 else say("{n:,} files", n=files)]
    if known := len(places) - files:
        one, many = say("1 opponent of known strength"), "{n:,} opponents of known strength"
        parts.append(one if known == 1 else say(many, n=known))
    played, planned = match.standings.games, match.planned
    games = games_text(planned)
    if played < planned:
        games = say("{games:,} of {planned}", games=played, planned=games)
    return " · ".join([*parts, games, pace_text(tournament.plan.control)])


def _colophon(tournament: Tournament) -> str:
    return say(
        "Played by Halbzug {version} at {pace}, on {day}. Elo is on the scale of UCI_Elo and holds "
        "for this time.",
        version=__version__,
        pace=pace_text(tournament.plan.control),
        day=date.today().strftime(say("%d %B %Y")),
    )


def _left_out(entrants: Sequence[Entrant]) -> str:
    if not entrants:
        return ""
    rows = "".join(
        f"<li><b>{escape(one.spec.name)}</b> {escape(one.trouble)}</li>" for one in entrants
    )
    return f'<section class="out"><h2>{say("Left out")}</h2><ul>{rows}</ul></section>'


# -- the table ------------------------------------------------------------------------------------


def _heads(count: int) -> str:
    return "".join(f'<th scope="col" class="cross">{number}</th>' for number in range(1, count + 1))


def _row(tournament: Tournament, places: Sequence[Standing], place: Standing) -> str:
    number = places.index(place) + 1
    rating, score = place.rating, place.score
    is_level = place.entrant.known is not None
    elo = _elo(rating.elo) if is_level or score.games else ""
    if elo and not is_level:
        elo += f' <span class="error">±&#8239;{rating.error:.0f}</span>'
    cells = [
        f'<td class="number">{number}</td>',
        f'<th scope="row">{_link(place, number)}</th>',
        f'<td class="elo">{elo}</td>',
        f'<td class="points">{_points(score.points)}</td>',
        f'<td class="count">{score.games}</td>',
        f'<td class="faults">{place.forfeits.total() or ""}</td>',
    ]
    for other in places:
        against = tournament.standings.between(place.index, other.index)
        cells.append(_cross_cell(against, is_self=other is place))
    return f"<tr{' class=level' if is_level else ''}>{''.join(cells)}</tr>"


def _link(place: Standing, number: int) -> str:
    return f'<a href="#player-{number}">{escape(place.entrant.spec.name)}</a>'


def _cross_cell(score: Score | None, *, is_self: bool) -> str:
    if is_self:
        return '<td class="cross self"></td>'
    if score is None or not score.games:
        return '<td class="cross"></td>'
    share = score.points / score.games
    kind = "won" if share > 0.5 else "lost" if share < 0.5 else "even"
    return f'<td class="cross {kind}">{_points(score.points)}</td>'


def _elo(elo: float) -> str:
    return f"{elo:.0f}".replace("-", "&minus;")


def _points(points: float) -> str:
    whole, half = divmod(points, 1)
    return f"{whole:.0f}½" if half and whole else "½" if half else f"{whole:.0f}"


# -- what was wrong -------------------------------------------------------------------------------


def _fault_counts(places: Sequence[Standing], games: Sequence[PlayedGame]) -> str:
    """How many games each engine lost by each kind of fault; engines without faults are omitted."""
    counts = {place.entrant.spec.name: Counter[str]() for place in places}
    for game in games:
        if game.fault and game.record.loser in counts:
            counts[game.record.loser][game.fault.kind] += 1
    if not any(counts.values()):
        nothing = say("No game was lost by an exception, an illegal move or by being too late.")
        return f"<p>{nothing}</p>"
    heads = "".join(f'<th scope="col">{say(kind)}</th>' for kind in KINDS)
    rows = []
    for number, place in enumerate(places, start=1):
        count = counts[place.entrant.spec.name]
        if count:
            cells = "".join(f"<td>{count[kind] or ''}</td>" for kind in KINDS)
            rows.append(f'<tr><th scope="row">{_link(place, number)}</th>{cells}</tr>')
    remarks = forfeit_remarks(
        (place.entrant.spec.name, place.forfeits, place.score.games) for place in places
    )
    return (
        '<div class="scroll"><table class="kinds">'
        f'<thead><tr><th scope="col">{say("Games lost by")}</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
        + "".join(f"<p>{escape(remark)}</p>" for remark in remarks)
    )


def _messages(name: str, games: Sequence[PlayedGame], late_moves: int) -> str:
    """What was wrong with a file, the most frequent message first."""
    texts: dict[tuple[str, tuple[str, str]], list[str]] = {}
    for game in games:
        if (fault := game.fault) and game.record.loser == name:
            kind = fault.kind, fault_kind(game.record.termination, game.reason)
            texts.setdefault(kind, []).append(f"{say(fault.kind)}: {fault_text(fault.text)}")
    often = sorted(texts.values(), key=len, reverse=True)[:MAX_MESSAGES]
    items = "".join(
        f"<li><b>{len(same)}&#8239;&times;</b> {escape(same[0])}</li>" for same in often
    )
    if late_moves:
        if late_moves == 1:
            late = say("1 move came too late, and another one was played instead")
        else:
            late = say(
                "{n:,} moves came too late, and another one was played instead", n=late_moves
            )
        items += f"<li>{late}</li>"
    return f'<ul class="messages">{items}</ul>' if items else ""


# -- the games ------------------------------------------------------------------------------------


def _player(place: Standing, numbers: dict[str, int], games: Sequence[PlayedGame]) -> str:
    name = place.entrant.spec.name
    number = numbers[name]
    own = [
        (index, game)
        for index, game in enumerate(games)
        if name in (game.record.white, game.record.black)
    ]
    items = "".join(_game_item(name, index, game, numbers) for index, game in own)
    score = say("{points} of {n}", points=_points(place.score.points), n=place.score.games)
    if place.entrant.known is not None:
        score = f"{_elo(place.rating.elo)} · {score}"
    elif place.score.games:
        score = f"{_elo(place.rating.elo)} ±&#8239;{place.rating.error:.0f} · {score}"
    return (
        f'<details class="player-card" id="player-{number}"><summary>'
        f'<span class="number">{number}</span> <span class="name">{escape(name)}</span> '
        f'<span class="sum">{score}</span></summary>'
        f'{_messages(name, games, place.mistakes)}<ol class="games">{items}</ol></details>'
    )


def _game_item(name: str, index: int, game: PlayedGame, numbers: dict[str, int]) -> str:
    record = game.record
    is_white = record.white == name
    other = record.black if is_white else record.white
    points = record.white_points if is_white else 1 - record.white_points
    kind = {1.0: "won", 0.0: "lost"}.get(points, "even")
    side = "white" if is_white else "black"
    fault = game.fault
    why = f"{say(fault.kind)}: {fault_text(fault.text)}" if fault else end_text(game.reason)
    return (
        f'<li><button type="button" class="open" data-game="{index}">'
        f'<span class="hz-disc is-{side}"></span><span class="mark {kind}">{_points(points)}</span>'
        f'<span class="other">{escape(other)}</span>'
        f'<span class="why">{escape(why)}</span></button></li>'
    )


def _game_data(played: PlayedGame) -> dict[str, Any]:
    """A game for the script; its moves are steps of `halbzug.display.board_tree`."""
    board = played.game.board()
    return {
        "white": played.record.white,
        "black": played.record.black,
        "result": played.record.result,
        "why": end_text(played.reason),
        "fen": fen_text(board),
        "steps": line_steps(board, played.game.mainline_moves()),
        "empty": say("This game has no moves"),
    }

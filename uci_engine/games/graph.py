"""The graph of an annotated game: White's winning chances, move by move."""

from __future__ import annotations

from .annotation import AnnotatedGame

#: The height of the graph in its own units; its width is the number of moves.
_HEIGHT = 100.0

#: The space above and below, so that no dot is cut off.
_MARGIN = 5.0

#: The colours of the graph's dots by judgement.
_DOTS = {"inaccuracy": "#3d93cc", "mistake": "#e08a00", "blunder": "#d93a3a"}


def graph_svg(game: AnnotatedGame) -> str:
    """White's winning chances over the game, with a dot for each judged move.

    The colours suit a stand-alone picture; the report's style sheet sets its own.
    """
    heights = [_HEIGHT - position.chances for position in game.positions]
    points = " ".join(f"{ply},{height:.1f}" for ply, height in enumerate(heights))
    end = max(len(game.moves), 1)
    top, height = -_MARGIN, _HEIGHT + 2 * _MARGIN
    bottom = f"{_HEIGHT + _MARGIN:g}"
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
        f'<line class="even" x1="0" x2="{end}" y1="{_HEIGHT / 2:g}" '
        f'y2="{_HEIGHT / 2:g}" stroke="#a0764f" vector-effect="non-scaling-stroke"/>'
        f'<polyline class="curve" fill="none" stroke="#a0764f" '
        f'vector-effect="non-scaling-stroke" points="{points}"/>'
        f'<line class="here" x1="0" x2="0" y1="{top:g}" y2="{bottom}"/>'
        f"{''.join(dots)}</svg>"
    )

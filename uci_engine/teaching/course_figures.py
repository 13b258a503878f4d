"""Figures of the course that are not trees: boards in memory, symmetries, chances, sizes, ratings.

All are SVG without style sheets (`plain_svg`). Their numbers are calculated when they are drawn.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import xor
from xml.sax.saxutils import escape

import chess

from ..api.one_liners import own_board
from ..match.elo import expected_score
from ..tablebase.files import SHIPPED
from ..tablebase.probing import Tablebase
from .game_protocol import canonical, read_moves
from .games.battleships import SIZE, Battleships
from .games.noughts_and_crosses import LINES, Grid, NoughtsAndCrosses, open_lines
from .plain_svg import Looks, drawing
from .tree_texts import grouped

_LOOKS: Looks = {
    "title": {"font-size": "16", "font-weight": "bold", "text-anchor": "start"},
    "left": {"text-anchor": "start"},
    "right": {"text-anchor": "end"},
    "inside": {},
    "small": {"font-size": "11", "fill": "#5a5a5a"},
    "cell": {"fill": "#ffffff", "stroke": "#8a8a8a"},
    "grey": {"fill": "#d9d9d9", "stroke": "#8a8a8a"},
    "blue": {"fill": "#a9cdea", "stroke": "#8a8a8a"},
    "red": {"fill": "#f0b9ae", "stroke": "#8a8a8a"},
    "yellow": {"fill": "#f5df85", "stroke": "#8a8a8a"},
    "rule": {"stroke": "#c8c8c8", "fill": "none"},
    "curve": {"stroke": "#1d6fb8", "stroke-width": "2.5", "fill": "none"},
    "bar": {"fill": "#1d6fb8"},
}

#: Distances in pixels: around the drawing, between panels, and between lines of text.
_MARGIN, _GAP, _LINE = 16, 24, 18

#: The text of a cell, and its colour.
Cell = tuple[str, str]


@dataclass(frozen=True)
class _Panel:
    """A board: its cells row by row from the top, and the text below it."""

    rows: Sequence[Sequence[Cell]]
    caption: str
    cell: tuple[int, int] = (24, 24)

    @property
    def width(self) -> int:
        return self.cell[0] * len(self.rows[0])

    @property
    def height(self) -> int:
        return self.cell[1] * len(self.rows) + _LINE + 4

    def parts(self, left: float, top: float) -> Iterable[str]:
        wide, high = self.cell
        for y, row in enumerate(self.rows):
            for x, (text, look) in enumerate(row):
                yield (
                    f'<rect class="{look}" x="{left + x * wide}" y="{top + y * high}" '
                    f'width="{wide}" height="{high}"/>'
                )
                if text:
                    middle = left + (x + 0.5) * wide, top + (y + 0.5) * high + 4
                    yield _text(
                        "inside small" if wide < 20 * len(text) / 2 else "inside", *middle, text
                    )
        yield _text("inside", left + self.width / 2, top + self.height - 4, self.caption)


def _text(look: str, x: float, y: float, text: str) -> str:
    return f'<text class="{look}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _svg(title: str, width: float, height: float, parts: Iterable[str]) -> str:
    width = max(width, 8.6 * len(title) + 2 * _MARGIN)
    parts = [_text("title", _MARGIN, _MARGIN + 10, title), *parts]
    return drawing(title, width, height, parts, _LOOKS)


def _panels(title: str, panels: Sequence[_Panel], columns: int = 2) -> str:
    """Panels of equal size, beside and below each other."""
    parts: list[str] = []
    width, height = panels[0].width + _GAP, panels[0].height + _GAP
    for number, panel in enumerate(panels):
        row, column = divmod(number, columns)
        parts += panel.parts(_MARGIN + column * width, 2 * _MARGIN + 12 + row * height)
    rows = -(-len(panels) // columns)
    right = 2 * _MARGIN + columns * width - _GAP
    return _svg(title, right, 3 * _MARGIN + rows * height - _GAP + 6, parts)


# -- games --------------------------------------------------------------------------------------


def symmetries(language: str) -> str:
    """A position of noughts and crosses, turned and mirrored; the smallest key stands for all."""
    game = NoughtsAndCrosses()
    state = read_moves(game, "a3 b3 c2")
    smallest = canonical(game, state)
    key, common = ("key {}", "common key {}") if language == "en" else ("{}", "gemeinsam: {}")
    panels = [
        _Panel(
            _cells(game, one, "blue" if one == smallest else "cell"),
            (common if one == smallest else key).format(one[0] << 9 | one[1]),
            (34, 34),
        )
        for one in game.symmetries(state)
    ]
    title = "Eight positions, one entry" if language == "en" else "Acht Stellungen, ein Eintrag"
    return _panels(title, panels, 4)


def _cells(game: NoughtsAndCrosses, state: Grid, color: str = "cell") -> list[list[Cell]]:
    return [[(one.replace(".", ""), color) for one in row] for row in game.text(state).split("/")]


#: A number of five bits for a cross and for a nought on each square of noughts and crosses.
_NUMBERS = random.Random(1).sample(range(1, 32), 18)
CROSS_KEYS, NOUGHT_KEYS = _NUMBERS[:9], _NUMBERS[9:]


def small_key(state: Grid) -> int:
    """The five-bit Zobrist key of a position of noughts and crosses, to calculate by hand."""
    numbers = [
        keys[square]
        for side, keys in zip(state, (CROSS_KEYS, NOUGHT_KEYS), strict=True)
        for square in range(9)
        if side >> square & 1
    ]
    return reduce(xor, numbers, 0)


def zobrist(language: str) -> str:
    """The numbers of all squares, and a position with its key."""
    game = NoughtsAndCrosses()
    before, after = read_moves(game, "b2 a3"), read_moves(game, "b2 a3 c1")
    words = ("numbers of x", "numbers of o", "key {:05b}", "x on c1: key {:05b}")
    if language == "de":
        words = ("Zahlen für x", "Zahlen für o", "Schlüssel {:05b}", "mit x auf c1: {:05b}")
    panels = [
        _Panel(
            [[(f"{keys[3 * y + x]:05b}", "cell") for x in range(3)] for y in range(3)],
            words[at],
            (54, 34),
        )
        for at, keys in enumerate((CROSS_KEYS, NOUGHT_KEYS))
    ]
    cells = _cells(game, after)
    cells[2][2] = ("x", "blue")
    panels += [
        _Panel(_cells(game, before), words[2].format(small_key(before)), (54, 34)),
        _Panel(cells, words[3].format(small_key(after)), (54, 34)),
    ]
    return _panels(
        "Zobrist keys by hand" if language == "en" else "Zobrist-Schlüssel von Hand", panels
    )


def battleships(language: str) -> str:
    """How likely a hit is on each square: before the first shot, after a hit, after a miss."""
    game = Battleships()
    words = ("no shot yet", "after a hit on c3", "after a miss on c3", "after hits on c3, c4")
    if language == "de":
        words = ("vor dem ersten Schuss", "nach Treffer auf c3", "nach Fehlschuss auf c3",
                 "nach Treffern auf c3, c4")  # fmt: skip
    places = ("a1-a3b1-c1 c3-e3d5-e5", "a1-a3b1-c1 c3-e3d5-e5 c3", "a1-a3b1-c1 a5-c5d1-e1 c3",
              "a1-a3b1-c1 c3-c5d1-e1 c3 a5 c4")  # fmt: skip
    panels = []
    for moves, caption in zip(places, words, strict=True):
        state = read_moves(game, moves)
        chances = game.hit_chances(state, 0)
        best = max(chances.values())
        cells = []
        for square in range(SIZE * SIZE):
            chance = chances.get(square)
            if chance is not None:
                color = "blue" if chance == best else "cell"
                cells.append((f"{float(100 * chance):.0f} %", color))
            elif any(ship >> square & 1 for ship in state.fleets[1]):
                cells.append(("x", "red"))
            else:
                cells.append(("·", "cell"))
        panels.append(_Panel(_rows(cells), caption, (40, 30)))
    title = "Battleships: how likely is a hit?"
    return _panels(title if language == "en" else "Schiffe versenken: Trefferchancen", panels)


def _rows(squares: Sequence[Cell]) -> list[Sequence[Cell]]:
    """The rows of a board, from the squares a1, b1, ..."""
    size = math.isqrt(len(squares))
    return [squares[first : first + size] for first in range(0, len(squares), size)][::-1]


def square_sum(state: Grid) -> int:
    """An evaluation with nine features: how many lines go through the squares of each side."""
    return sum(
        sign
        * sum(
            bool(side >> square & 1 and line >> square & 1) for square in range(9) for line in LINES
        )
        for side, sign in zip(state, (1, -1), strict=True)
    )


def line_sum(state: Grid) -> int:
    """An evaluation with features of three squares: an open line counts 1, 10 or 100."""
    crosses, noughts = state
    worth = (0, 1, 10, 100)
    return sum(
        worth[(own & line).bit_count()] * sign
        for own, other, sign in ((crosses, noughts, 1), (noughts, crosses, -1))
        for line in LINES
        if not other & line
    )


def share_of_best_moves(evaluate: Callable[[Grid], int]) -> Fraction:
    """In how many positions of noughts and crosses an evaluation prefers a best move.

    Positions in which all moves are equally good do not count.
    """
    game = NoughtsAndCrosses()
    values: dict[Grid, int] = {}

    def value(state: Grid) -> int:
        if state not in values:
            found = [value(game.apply(state, move)) for move in game.moves(state)]
            player = game.player(state)
            values[state] = game.result(state)[0] if player is None else (max, min)[player](found)
        return values[state]

    value(game.start())
    asked = right = 0
    for state in list(values):
        player = game.player(state)
        after = [] if player is None else [game.apply(state, move) for move in game.moves(state)]
        if len({values[one] for one in after}) > 1:
            choice = (max, min)[player or 0](after, key=evaluate)
            asked += 1
            right += values[choice] == values[state]
    return Fraction(right, asked)


def evaluations(language: str) -> str:
    """How often three evaluations of noughts and crosses choose a best move, without a search."""
    names = ("squares, each by itself", "open lines, 6 to 4", "lines by what is in them")
    title = "Share of best moves without a search"
    if language == "de":
        names = ("Felder, jedes für sich", "offene Linien, 6 zu 4", "Linien nach Besetzung")
        title = "Anteil bester Züge ohne Suche"
    shares = [float(share_of_best_moves(one)) for one in (square_sum, open_lines, line_sum)]
    bars = [
        (name, 200 * share, f"{100 * share:.0f} %")
        for name, share in zip(names, shares, strict=True)
    ]
    return _bars(title, bars, 200)


def _bars(title: str, bars: Sequence[tuple[str, float, str]], longest: float) -> str:
    """Bars, each with a name to its left and a number at its end."""
    left, parts = 186, []
    for number, (name, length, text) in enumerate(bars):
        y = 2 * _MARGIN + 20 + 30 * number
        parts += [
            _text("right inside", left - 8, y + 14, name),
            f'<rect class="bar" x="{left}" y="{y}" width="{length:.0f}" height="20"/>',
            _text("left inside", left + length + 6, y + 14, text),
        ]
    return _svg(title, left + longest + 70, 3 * _MARGIN + 30 * len(bars) + 10, parts)


# -- boards in memory ----------------------------------------------------------------------------

#: A mailbox of 12 rows of 10 squares; its border is two squares thick at the top and the bottom.
_KNIGHT_STEPS = (-21, -19, -12, -8, 8, 12, 19, 21)


def mailbox(language: str) -> str:
    """The numbers of a board with a border, and the steps of a knight from g1."""
    knight = 97
    colors = [
        "cell" if 2 <= y <= 9 and 1 <= x <= 8 else "grey" for y in range(12) for x in range(10)
    ]
    for step in _KNIGHT_STEPS:
        colors[knight + step] = "red" if colors[knight + step] == "grey" else "blue"
    colors[knight] = "yellow"
    cells = [(str(number), color) for number, color in enumerate(colors)]
    rows = [cells[first : first + 10] for first in range(0, 120, 10)]
    caption = (
        "yellow: knight; blue: on the board; red: off it"
        if language == "en"
        else "gelb: Springer, blau: auf dem Brett, rot: daneben"
    )
    title = "A mailbox of 120 squares" if language == "en" else "Mailbox mit 120 Feldern"
    return _panels(title, [_Panel(rows, caption, (34, 24))], 1)


def _bits(squares: int, caption: str, marked: int = 0) -> _Panel:
    cells = []
    for square in chess.SQUARES:
        text, color = ("1", "blue") if squares >> square & 1 else ("·", "cell")
        cells.append((text, "red" if marked >> square & 1 else color))
    return _Panel(_rows(cells), caption)


#: The positions that are drawn as bitboards: after 1.e4 e5, and a rook between pieces.
PAWNS_FEN = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
ROOK_FEN = "3r2k1/8/3p4/8/1P1R2n1/8/8/3K4 w - - 0 1"


def bitboard(language: str) -> str:
    """How all white pawns are pushed at once, in three operations."""
    board = chess.Board(PAWNS_FEN)
    pawns = board.pawns & board.occupied_co[chess.WHITE]
    pushed = pawns << 8
    empty = ~board.occupied & chess.BB_ALL
    words = ("white pawns", "<< 8", "empty squares", "pushes: << 8 & empty")
    if language == "de":
        words = ("weiße Bauern", "<< 8", "leere Felder", "Züge: << 8 & leer")
    panels = [_bits(one, word) for one, word in
              zip((pawns, pushed, empty, pushed & empty), words, strict=True)]  # fmt: skip
    return _panels(
        "Bitboards after 1.e4 e5" if language == "en" else "Bitboards nach 1.e4 e5", panels
    )


def rook_mask(square: int) -> int:
    """The squares whose pieces decide where a rook can go: its lines without their ends."""
    file, rank = chess.square_file(square), chess.square_rank(square)
    on_rank = chess.BB_RANKS[rank] & ~(chess.BB_FILE_A | chess.BB_FILE_H)
    on_file = chess.BB_FILES[file] & ~(chess.BB_RANK_1 | chess.BB_RANK_8)
    return (on_rank | on_file) & ~chess.BB_SQUARES[square]


def magic(language: str) -> str:
    """The three bitboards that a magic number connects: the mask, the blockers, the attacks."""
    board, square = chess.Board(ROOK_FEN), chess.D4
    mask = rook_mask(square)
    attacks = int(board.attacks_mask(square))
    count = mask.bit_count()
    words = (
        "pieces",
        f"mask: {count} bits, {grouped(2**count, 'en')} cases",
        "pieces & mask",
        "attacks",
    )
    title = "Where can the rook on d4 go?"
    if language == "de":
        cases = grouped(2**count, "de")
        words = ("Figuren", f"Maske: {count} Bits, {cases} Fälle", "Figuren & Maske", "Angriffe")
        title = "Wohin kann der Turm auf d4?"
    boards = (board.occupied, mask, mask & board.occupied, attacks)
    rook = chess.BB_SQUARES[square]
    return _panels(title, [_bits(*one, rook) for one in zip(boards, words, strict=True)])


#: White's king and pawn in an ending; the figure shows where Black's king, to move, still draws.
ENDING_FEN = "8/8/8/8/3P4/3K4/8/8 b - - 0 1"


def ending(language: str) -> str:
    """What the tablebases say for each square of Black's king: won for White, or drawn."""
    board = chess.Board(ENDING_FEN)
    caption = "1: White wins; =: draw; Black to move"
    if language == "de":
        caption = "1: Weiß gewinnt, =: remis; Schwarz am Zug"
    cells = []
    tablebase = Tablebase(str(SHIPPED), use_default=False, fifty_move_rule=False)
    for square in chess.SQUARES:
        cell = {chess.D3: "♔", chess.D4: "♙"}.get(square, ""), "grey"
        placed = board.copy()
        if not board.piece_at(square):
            placed.set_piece_at(square, chess.Piece(chess.KING, chess.BLACK))
            if placed.is_valid():
                is_won = tablebase.probe_wdl(own_board(placed))
                cell = ("1", "blue") if is_won else ("=", "cell")
        cells.append(cell)
    title = "King and pawn against king" if language == "en" else "König und Bauer gegen König"
    return _panels(title, [_Panel(_rows(cells), caption, (34, 34))], 1)


# -- sizes and ratings ---------------------------------------------------------------------------

#: Positions of games, as powers of ten, with their names in both languages. Sources are in the
#: chapter on milestones.
SIZES: tuple[tuple[str, str, float], ...] = (
    ("noughts and crosses", "Tic-Tac-Toe", math.log10(5478)),
    ("Connect Four", "Vier gewinnt", math.log10(4531985219092)),
    ("draughts, 8 by 8", "Dame, 8 mal 8", math.log10(5e20)),
    ("Othello", "Othello", 28),
    ("chess", "Schach", math.log10(4.8e44)),
    ("Go, 19 by 19", "Go, 19 mal 19", math.log10(2.08e170)),
)


def sizes(language: str) -> str:
    """The numbers of positions of games, on a logarithmic scale."""
    bars = [
        (english if language == "en" else german, 1.3 * power, f"10^{power:.0f}")
        for english, german, power in SIZES
    ]
    return _bars("Positions of games" if language == "en" else "Stellungen von Spielen", bars, 222)


def elo(language: str) -> str:
    """The expected score at each difference in Elo."""
    left, top, wide, high = 56, 46, 400, 200
    parts = []
    for score in (0, 0.25, 0.5, 0.75, 1):
        y = top + high * (1 - score)
        parts.append(f'<path class="rule" d="M{left} {y}H{left + wide}"/>')
        parts.append(_text("right inside", left - 6, y + 4, f"{100 * score:.0f} %"))
    for difference in range(-400, 401, 200):
        x = left + wide * (difference + 400) / 800
        parts.append(f'<path class="rule" d="M{x} {top}V{top + high}"/>')
        parts.append(
            _text("inside", x, top + high + _LINE, f"{difference:+d}" if difference else "0")
        )
    points = (
        f"{left + wide * (one + 400) / 800:.1f} {top + high * (1 - expected_score(one)):.1f}"
        for one in range(-400, 401, 10)
    )
    parts.append(f'<path class="curve" d="M{"L".join(points)}"/>')
    title, axis = "Expected score by the difference in Elo", "difference in Elo"
    if language == "de":
        title, axis = "Erwartete Punkte nach der Elo-Differenz", "Elo-Differenz"
    parts.append(_text("inside", left + wide / 2, top + high + 2 * _LINE + 2, axis))
    return _svg(title, left + wide + 2 * _MARGIN, top + high + 2 * _LINE + _MARGIN, parts)


#: The figures by their names; each is drawn in a language, `en` or `de`.
FIGURES: Mapping[str, Callable[[str], str]] = {
    one.__name__: one
    for one in (
        battleships,
        evaluations,
        symmetries,
        zobrist,
        mailbox,
        bitboard,
        magic,
        ending,
        sizes,
        elo,
    )
}


def draw_figure(name: str, language: str = "en") -> str:
    """Draw a figure of the course as SVG.

    :raises ValueError: if there is no such figure; the message lists all.
    """
    if name not in FIGURES:
        raise ValueError(f"there is no figure {name[:30]!r}; there are: {', '.join(FIGURES)}")
    return FIGURES[name](language)

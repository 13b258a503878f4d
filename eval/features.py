"""The evaluation as a weighted sum, feature by feature, in plain Python.

`count` says how often each weight of `eval/weights.py` applies to a board, for White and for Black.
The sum of count times weight, White minus Black, blended by `score`, is what
`Evaluator.evaluate` computes much faster; a test holds the two together. The tuner fits the
weights to these counts, and people can read off them why a position is judged as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from halbzug.board.rules import (
    Bitboard,
    Board,
    Color,
    Square,
    bishop_attacks,
    king_attacks,
    king_square,
    knight_attacks,
    lsb,
    piece_on,
    pieces_of,
    popcount,
    rook_attacks,
)
from halbzug.eval.endgame import (
    FULL_SCALE,
    corner_closeness,
    edge_distance,
    officers_worth,
    scale,
)
from halbzug.eval.geometry import (
    ahead,
    all_pawn_attacks,
    beside,
    distance,
    fill_ahead,
    rank_of,
)
from halbzug.eval.king import nearest
from halbzug.eval.network import FULL, HIDDEN, INPUT_WEIGHTS, LARGEST, OUTPUT_WEIGHTS, PARTS, row_of
from halbzug.eval.network_weights import BIASES
from halbzug.eval.pawns import passed_pawns
from halbzug.eval.tables import (
    ATTACKER_UNITS,
    CHECK_UNITS,
    ENEMY_PAIRS,
    FLANKS,
    FULL_PHASE,
    OWN_PAIRS,
    PHASE,
    PIECES,
    WEAK_SQUARE_UNITS,
)
from halbzug.eval.weights import WEIGHTS

#: A weight: its name and its place in the table of that name.
Feature = tuple[str, int]
Counts = Counter[Feature]
Weights = Mapping[str, Sequence[tuple[int, int]]]

_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN, _KING = 1, 2, 3, 4, 5, 6
_ALL = 0xFFFFFFFFFFFFFFFF
_DARK = 0xAA55AA55AA55AA55
_FILE_A = 0x0101010101010101
_RANK_1 = 0xFF
_OUTPOST_RANKS = 0x0000FFFFFF000000
_CENTER_FILES = 0x3C3C3C3C3C3C3C3C


def count(board: Board) -> tuple[Counts, Counts]:
    """How often each feature occurs, for White and for Black."""
    attacks = {color: attack_maps(board, color) for color in (True, False)}
    twice = {color: attacked_twice(board, color) for color in (True, False)}
    white, black = (_Side(board, color, attacks, twice).count() for color in (True, False))
    (white if board.turn else black)["tempo", 0] += 1
    return white, black


def phase(board: Board) -> int:
    """The game phase: 24 with all pieces on the board, 0 with none."""
    pieces = (0, board.pawns, board.knights, board.bishops, board.rooks, board.queens, 0)
    total = sum(PHASE[number] * popcount(pieces[number]) for number in range(7))
    return min(total, FULL_PHASE)


def weigh(counts: Counts, weights: Weights = WEIGHTS) -> tuple[int, int]:
    """The sum of count times weight: middlegame and endgame, in centipawns."""
    middlegame = endgame = 0
    for (name, index), number in counts.items():
        middlegame += number * weights[name][index][0]
        endgame += number * weights[name][index][1]
    return middlegame, endgame


def score(board: Board, weights: Weights = WEIGHTS) -> int:
    """The evaluation in centipawns from the side to move, as `Evaluator.evaluate` gives it."""
    white, black = count(board)
    own, other = (white, black) if board.turn else (black, white)
    middlegame, endgame = (
        ours - theirs
        for ours, theirs in zip(weigh(own, weights), weigh(other, weights), strict=True)
    )
    strong = board.turn if endgame > 0 else not board.turn
    endgame = endgame * scale(board, strong) // FULL_SCALE
    early = phase(board)
    return (middlegame * early + endgame * (FULL_PHASE - early)) // FULL_PHASE


def attack_maps(board: Board, color: Color) -> dict[int, Bitboard]:
    """The squares that a side attacks with each type of piece, and at 0 with any."""
    own = pieces_of(board, color)
    maps = {
        _PAWN: all_pawn_attacks(board.pawns & own, color),
        _KNIGHT: 0,
        _BISHOP: 0,
        _ROOK: 0,
        _QUEEN: 0,
        _KING: king_attacks(king_square(board, color)),
    }
    for square in squares_of(own & ~board.pawns & ~board.kings):
        maps[piece_on(board, square)] |= attacks_from(board, square)
    everything = 0
    for squares in maps.values():
        everything |= squares
    maps[0] = everything
    return maps


def attacks_from(board: Board, square: Square) -> Bitboard:
    """The squares that the officer on a square attacks."""
    piece = piece_on(board, square)
    occupied = pieces_of(board, True) | pieces_of(board, False)
    if piece == _KNIGHT:
        return knight_attacks(square)
    attacks = 0
    if piece != _ROOK:
        attacks |= bishop_attacks(square, occupied)
    if piece != _BISHOP:
        attacks |= rook_attacks(square, occupied)
    return attacks


def attacked_twice(board: Board, color: Color) -> Bitboard:
    """The squares that at least two pieces of a side attack."""
    own = pieces_of(board, color)
    pawns = ahead(board.pawns & own, color)
    left, right = (pawns & ~_FILE_A) >> 1, (pawns & ~(_FILE_A << 7)) << 1
    once, twice = left | right, left & right
    attackers = [king_attacks(king_square(board, color))]
    officers = squares_of(own & ~board.pawns & ~board.kings)
    attackers += [attacks_from(board, square) for square in officers]
    for attacks in attackers:
        twice |= once & attacks
        once |= attacks
    return twice


def piece_counts(board: Board, color: Color) -> list[int]:
    """How many pieces of each type a side has."""
    own = pieces_of(board, color)
    pieces = (0, board.pawns, board.knights, board.bishops, board.rooks, board.queens)
    return [popcount(own & squares) for squares in pieces]


def squares_of(squares: Bitboard) -> Iterator[Square]:
    """The squares of a set, a1 first."""
    while squares:
        yield lsb(squares)
        squares &= squares - 1


class _Side:
    """Counts the features of one side."""

    def __init__(
        self,
        board: Board,
        color: Color,
        attacks: Mapping[Color, Mapping[int, Bitboard]],
        twice: Mapping[Color, Bitboard],
    ) -> None:
        self.board = board
        self.color = color
        self.attacks, self.enemy_attacks = attacks[color], attacks[not color]
        self.twice, self.enemy_twice = twice[color], twice[not color]
        self.own = pieces_of(board, color)
        self.enemy = pieces_of(board, not color)
        self.occupied = self.own | self.enemy
        self.pawns = board.pawns & self.own
        self.enemy_pawns = board.pawns & self.enemy
        self.king = king_square(board, color)
        self.enemy_king = king_square(board, not color)
        self.minors = self.enemy & (board.knights | board.bishops)
        self.majors = self.enemy & (board.rooks | board.queens)
        self.counts: Counts = Counter()

    def count(self) -> Counts:
        self._material()
        self._structure()
        self._shelter()
        self._officers()
        self._king_attack()
        self._threats()
        self._passed_pawns()
        self._mop_up()
        self._network()
        return self.counts

    def _add(self, name: str, number: int = 1, index: int = 0) -> None:
        if number:
            self.counts[name, index] += number

    def _rank(self, square: Square) -> int:
        return rank_of(square, self.color)

    def _material(self) -> None:
        for square in squares_of(self.own):
            piece = piece_on(self.board, square)
            self._add("material", index=piece - 1)
            self._add(f"{PIECES[piece]}_square", index=square ^ 56 if self.color else square)
        own, enemy = piece_counts(self.board, self.color), piece_counts(self.board, not self.color)
        for index, (piece, partner) in enumerate(OWN_PAIRS):
            number = own[piece] * (own[partner] - (piece == partner))
            self._add("own_pair", number // 2 if piece == partner else number, index)
        for index, (piece, partner) in enumerate(ENEMY_PAIRS):
            self._add("enemy_pair", own[piece] * enemy[partner], index)

    def _network(self) -> None:
        """The network's correction is its own feature, counted in centipawns."""
        sums = list(BIASES)
        for square in squares_of(self.occupied):
            kind = piece_on(self.board, square) - (1 if self.own >> square & 1 else -5)
            first = HIDDEN * (kind << 6 | (square if self.color else square ^ 56))
            for neuron in range(HIDDEN):
                sums[neuron] += INPUT_WEIGHTS[first + neuron]
        first = HIDDEN * row_of(popcount(self.occupied))
        total = sum(
            min(max(value, 0), FULL) ** 2 * OUTPUT_WEIGHTS[first + neuron]
            for neuron, value in enumerate(sums)
        )
        self._add("network", min(max(total // PARTS, -LARGEST), LARGEST))

    def _structure(self) -> None:
        pawns, color = self.pawns, self.color
        files = pawns | fill_ahead(pawns, True) | fill_ahead(pawns, False)
        isolated = pawns & ~beside(files)
        helped = beside(pawns) | fill_ahead(beside(pawns), color)
        halted = ahead(self.enemy_attacks[_PAWN], not color)
        backward = pawns & halted & ~helped & ~isolated
        opposed = fill_ahead(self.enemy_pawns, not color)
        self._add("doubled_pawn", popcount(pawns & fill_ahead(pawns, not color)))
        self._add("isolated_pawn", popcount(isolated))
        columns = files & _RANK_1
        self._add("pawn_island", popcount(columns & ~(columns << 1)))
        self._add("backward_pawn", popcount(backward))
        self._add("exposed_pawn", popcount((isolated | backward) & ~opposed))
        for square in squares_of(pawns & beside(pawns)):
            self._add("phalanx_pawn", index=self._rank(square) + 8 * (opposed >> square & 1))
        for square in squares_of(pawns & self.attacks[_PAWN]):
            self._add("supported_pawn", index=self._rank(square) + 8 * (opposed >> square & 1))
        levers = pawns & self.enemy_attacks[_PAWN]
        self._add("loose_lever", popcount(levers & ~self.attacks[_PAWN]))
        for square in squares_of(levers):
            self._add("lever", index=self._rank(square))
        joined = beside(pawns) | self.attacks[_PAWN]
        for square in squares_of(passed_pawns(pawns, self.enemy_pawns, color)):
            self._add("passed_pawn", index=self._rank(square))
            self._add("passed_connected", joined >> square & 1, self._rank(square))

    def _shelter(self) -> None:
        rank = _RANK_1 << (self.king & 56)
        region = rank | fill_ahead(rank, self.color)
        center = min(max(self.king & 7, 1), 6)
        for file in range(center - 1, center + 2):
            column = region & _FILE_A << file
            guard = nearest(self.pawns & column, self.color)
            stormer = nearest(self.enemy_pawns & column, self.color)
            self._add("shelter", index=guard + 8 if file == self.king & 7 else guard)
            if guard and stormer == guard + 1:
                self._add("blocked_storm", index=stormer)
            else:
                self._add("storm", index=stormer)

    def _officers(self) -> None:
        board, color = self.board, self.color
        chased = self.enemy_attacks[_PAWN]
        area = _ALL & ~(self.own & (board.pawns | board.kings) | chased)
        outposts = self.attacks[_PAWN] & ~fill_ahead(beside(self.enemy_pawns), not color)
        outposts &= _OUTPOST_RANKS if color else _OUTPOST_RANKS >> 8
        stuck = popcount(ahead(self.occupied, not color) & self.pawns & _CENTER_FILES)
        for square in squares_of(self.own & ~board.pawns & ~board.kings):
            piece = piece_on(board, square)
            mobility = popcount(attacks_from(board, square) & area)
            self._add(f"{PIECES[piece]}_mobility", index=mobility)
            if outposts >> square & 1 and piece in (_KNIGHT, _BISHOP):
                self._add(f"{PIECES[piece]}_outpost")
            if piece == _BISHOP:
                shade = _DARK if _DARK >> square & 1 else ~_DARK
                self._add("bad_bishop", popcount(self.pawns & shade))
                self._add("locked_bishop", popcount(self.pawns & shade) * stuck)
            if piece == _ROOK:
                self._rook(square)
        self._add("knight_to_outpost", popcount(self.attacks[_KNIGHT] & outposts & ~self.own))
        minors = self.own & (board.knights | board.bishops)
        self._add("minor_behind_pawn", popcount(minors & ahead(board.pawns, not color)))

    def _rook(self, square: Square) -> None:
        file = _FILE_A << (square & 7)
        if not file & self.board.pawns:
            self._add("rook_open_file")
        elif not file & self.pawns:
            self._add("rook_half_open_file")
        if file & self.enemy & self.board.queens:
            self._add("rook_on_queen_file")
        rank = _RANK_1 << (square & 56)
        is_king_home = rank_of(self.enemy_king, not self.color) == 0
        if self._rank(square) == 6 and (is_king_home or rank & self.enemy_pawns):
            self._add("rook_seventh_rank")

    def _king_attack(self) -> None:
        board, attacks, enemy_attacks = self.board, self.attacks, self.enemy_attacks
        ring = enemy_attacks[_KING]
        units = 0
        for square in squares_of(self.own & ~board.pawns & ~board.kings):
            bearing = popcount(attacks_from(board, square) & ring)
            if bearing:
                units += ATTACKER_UNITS[piece_on(board, square)] + bearing
        if units:
            guarded = (
                enemy_attacks[_PAWN]
                | enemy_attacks[_KNIGHT]
                | enemy_attacks[_BISHOP]
                | enemy_attacks[_ROOK]
            )
            units += WEAK_SQUARE_UNITS * popcount(ring & attacks[0] & ~guarded)
            free = _ALL & ~self.own
            alone = enemy_attacks[_KING] | enemy_attacks[_QUEEN]
            weak = attacks[0] & ~self.enemy_twice & (~enemy_attacks[0] | alone)
            safe = free & (~enemy_attacks[0] | weak & self.twice)
            diagonal = bishop_attacks(self.enemy_king, self.occupied)
            straight = rook_attacks(self.enemy_king, self.occupied)
            checks = {
                _KNIGHT: knight_attacks(self.enemy_king),
                _BISHOP: diagonal,
                _ROOK: straight,
                _QUEEN: diagonal | straight,
            }
            for piece, squares in checks.items():
                squares &= attacks[piece] & free
                if squares & safe:
                    units += CHECK_UNITS[piece]
                    self._add("safe_check", index=piece)
                elif squares:
                    self._add("other_check", index=piece)
            if not board.queens & self.own:
                units //= 2
        self._add("king_danger", index=min(units, len(WEIGHTS["king_danger"]) - 1))
        self._add("king_mobility", index=popcount(attacks[_KING] & ~(self.own | enemy_attacks[0])))
        if not board.pawns & FLANKS[self.enemy_king & 7]:
            self._add("pawnless_flank")
        pins = 0
        queens = board.queens
        for see, sliders in ((bishop_attacks, board.bishops), (rook_attacks, board.rooks)):
            seen = see(self.enemy_king, self.occupied)
            behind = see(self.enemy_king, self.occupied & ~(seen & self.enemy)) & ~seen
            pins += popcount(behind & self.own & (sliders | queens))
        self._add("pin", pins)

    def _threats(self) -> None:
        board, color, minors, majors = self.board, self.color, self.minors, self.majors
        attacks, enemy_attacks = self.attacks, self.enemy_attacks
        minor = attacks[_KNIGHT] | attacks[_BISHOP]
        self._add("pawn_attacks_minor", popcount(attacks[_PAWN] & minors))
        self._add("pawn_attacks_major", popcount(attacks[_PAWN] & majors))
        # A pawn guards against minor pieces only what is worth less.
        poor = ~enemy_attacks[_PAWN]
        for square in squares_of(minor & (minors | majors | self.enemy & board.pawns & poor)):
            self._add("minor_threat", index=piece_on(board, square))
        for square in squares_of(
            attacks[_ROOK] & self.enemy & ~board.kings & (poor | board.queens)
        ):
            self._add("rook_threat", index=piece_on(board, square))
        self._add("restricted", popcount(attacks[0] & enemy_attacks[0] & poor))
        loose = self.enemy & attacks[0] & ~enemy_attacks[0]
        self._add("hanging_piece", popcount(loose & (minors | majors)))
        self._add("hanging_pawn", popcount(loose & board.pawns))
        free = _ALL & ~self.occupied
        single_step = ahead(self.pawns, color) & free
        third_rank = _RANK_1 << (16 if color else 40)
        steps = single_step | ahead(single_step & third_rank, color) & free
        steps &= ~enemy_attacks[_PAWN] & (attacks[0] | ~enemy_attacks[0])
        pushed = all_pawn_attacks(steps, color) & ~attacks[_PAWN]
        self._add("pawn_push_threat", popcount(pushed & (minors | majors)))

    def _passed_pawns(self) -> None:
        attacked = self.enemy_attacks[0]
        for square in squares_of(passed_pawns(self.pawns, self.enemy_pawns, self.color)):
            step = self._rank(square) - 2
            if step <= 0:
                continue
            pawn = 1 << square
            front = ahead(pawn, self.color)
            stop = lsb(front)
            self._add("passed_own_king", step * distance(self.king, stop))
            self._add("passed_enemy_king", step * distance(self.enemy_king, stop))
            if self.enemy & front:
                self._add("passed_blocked", step)
            elif not attacked & front:
                self._add("passed_safe_stop", step)
            if self.attacks[0] & front:
                self._add("passed_held_stop", step)
            if fill_ahead(pawn, not self.color) & self.enemy & self.board.rooks:
                self._add("passed_chased", step)
            if not fill_ahead(pawn, self.color) & (self.occupied | attacked):
                self._add("passed_free_path", step)
            if fill_ahead(pawn, not self.color) & self.own & self.board.rooks:
                self._add("passed_rook_behind", step)

    def _mop_up(self) -> None:
        board = self.board
        surplus = officers_worth(board, self.color) - officers_worth(board, not self.color)
        if self.enemy_pawns or surplus < 4:
            return
        self._add("mop_up_edge", edge_distance(self.enemy_king))
        self._add("mop_up_kings", 7 - distance(self.enemy_king, self.king))
        pair = self.own & (board.knights | board.bishops)
        bishop = pair & board.bishops
        are_alone = self.own == pair | self.own & board.kings
        if are_alone and popcount(pair) == 2 and popcount(bishop) == 1:
            self._add("mop_up_corner", corner_closeness(self.enemy_king, bool(bishop & _DARK)))

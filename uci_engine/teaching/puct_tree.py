"""PUCT over the engine's own boards: the tree search of AlphaZero, compiled.

It is the search of the lectures' `quiet_policy`: a position is worth what the quiescence search
says, and the policy of `policy_value` says where to look. The tree is stored in flat
arrays, and the moves of a position only from its second visit on, because most are visited once.
Sources: https://www.chessprogramming.org/AlphaZero and
https://www.chessprogramming.org/Christopher_D._Rosin#PUCT
"""

from __future__ import annotations

from array import array
from math import exp, sqrt
from typing import TYPE_CHECKING

from ..base.limits import Limits
from ..base.scores import MATE, MAX_PLY
from ..board.movegen import (
    MAX_MOVES,
    Bitboard,
    Board,
    Flag,
    Index,
    MoveCode,
    Number,
    PieceType,
    Ply,
    Score,
    Square,
    from_square,
    generate_legal,
    lsb,
    new_board,
    piece_on,
    pieces_of,
    to_square,
)
from ..search.position import Position
from ..search.settings import Settings
from ..search.smp_counters import SharedCounters
from ..search.time_management import Clock
from ..search.transposition import TranspositionTable
from ..search.tree import Frame, Tree

if TYPE_CHECKING:
    Real = float  # of 64 bits in C

#: A policy's weights and sums are integers, in this fraction of 1.
UNIT = 128

_HIDDEN = 128  # neurons
_REACHED = 64  # the first output for a target square; those before are for origins
_MATE, _MAX_PLY, _UNIT = MATE, MAX_PLY, UNIT
_FIRST_NODES = 1 << 10  # the initial size of the arrays

# Chosen by games against itself, with 1,000 visits a move.
_EXPLORATION = 0.8  # the share of the bonus for moves that are likely or seldom tried
_FLATNESS = 0.3  # probabilities are raised to this power, so that the value counts more
_ODDS_SCALE = 400.0  # centipawns at which the odds of winning are e to 1


class PuctPolicy:
    """A network of one hidden layer that says how promising a move is.

    The weights are those of `halbzug.teaching.engines.network` times `UNIT`, rounded to 16 bits.

    :param inputs: a row of 128 for each piece on each square as the side to move sees them.
    :param hidden_biases: 128.
    :param outputs: a row of 128 for each origin square, and for each target square and type of
        piece.
    :param biases: one for each output.
    """

    def __init__(
        self,
        inputs: array[int],
        hidden_biases: array[int],
        outputs: array[int],
        biases: array[int],
    ) -> None:
        self.inputs = inputs
        self.hidden_biases = hidden_biases
        self.outputs = outputs
        self.biases = biases
        self.sums = array("h", bytes(2 * _HIDDEN))

    def look(self, board: Board) -> None:
        """Compute the hidden layer for a position."""
        index: Index
        for index in range(_HIDDEN):
            self.sums[index] = self.hidden_biases[index]
        own: Bitboard = pieces_of(board, board.turn)
        rest: Bitboard = board.occupied
        while rest:
            square: Square = lsb(rest)
            rest &= rest - 1
            row: Index = piece_on(board, square) - 1
            if not own >> square & 1:
                row += 6
            row = (row << 6 | (square if board.turn else square ^ 56)) * _HIDDEN
            for index in range(_HIDDEN):
                self.sums[index] += self.inputs[row + index]
        for index in range(_HIDDEN):
            if self.sums[index] < 0:
                self.sums[index] = 0

    def rate(self, board: Board, move: MoveCode) -> Real:
        """The logarithm of a legal move's odds, after `look`."""
        flip: Square = 0 if board.turn else 56
        origin: Square = from_square(move)
        piece: PieceType = piece_on(board, origin)
        left: Index = origin ^ flip
        reached: Index = _REACHED + (piece - 1 << 6 | to_square(move) ^ flip)
        return (self._output(left) + self._output(reached)) / (1.0 * _UNIT * _UNIT)

    def _output(self, number: Index) -> Number:
        row: Index = number * _HIDDEN
        total: Number = 0
        index: Index
        for index in range(_HIDDEN):
            total += self.sums[index] * self.outputs[row + index]
        return total + self.biases[number] * _UNIT


class PuctTree:
    """The tree below one position; it grows with each visit.

    :param policy: says where to look.
    :param most_nodes: the maximum size of the tree, at 32 bytes a node; beyond it, only visits are
        added.
    :ivar nodes: positions in the tree, most of which have not been visited.
    """

    def __init__(self, policy: PuctPolicy, most_nodes: int = 4_000_000) -> None:
        self.policy = policy
        self.most_nodes = most_nodes
        # Earlier searches must not change the result.
        self.settings = Settings(transposition_table=False, correction_history=False)
        self.quiescence = Tree(TranspositionTable(1), self.settings)
        self.limits, self.clock, self.counters = Limits(), Clock(), SharedCounters()
        self.buffer = array("q", bytes(8 * MAX_MOVES))
        self.odds = array("d", bytes(8 * MAX_MOVES))
        self.path = array("i", bytes(4 * (MAX_PLY + 1)))
        self._allocate(_FIRST_NODES)
        self.begin(new_board())

    def begin(self, board: Board) -> None:
        """Forget the tree, and start from this position, which is not changed."""
        self.position = Position(board.copy())
        tree = self.quiescence
        tree.new_game()
        tree.begin(self.position, self.settings, self.limits, self.clock, self.counters)
        self.nodes = 0
        self._add(0, 1.0)

    @property
    def visits(self) -> int:
        """Visits of the root."""
        return self.visit_counts[0]

    def grow(self, visits: int) -> None:
        """Visit that many positions: each the most urgent one that has not been visited."""
        for _ in range(visits):
            self._visit()

    def best_move(self) -> MoveCode:
        """The first of the moves with the most visits; 0 before the second visit."""
        best: Index = 0
        child: Index
        for child in range(self.firsts[0], self.firsts[0] + self.child_counts[0]):
            if best == 0 or self.visit_counts[child] > self.visit_counts[best]:
                best = child
        return self.moves[best]

    def _visit(self) -> None:
        position = self.position
        frame: Frame = self.quiescence.root_frame
        ply: Ply = 0
        node: Index = 0
        value: Real
        while True:
            self.path[ply] = node
            in_check: Flag = position.checkers != 0
            if ply > 0 and self.quiescence.is_draw(in_check, frame):
                value = 0.0
                break
            if self.visit_counts[node] == 0 or ply >= _MAX_PLY or not self._has_moves(node):
                value = self._value(frame)
                break
            if self.child_counts[node] == 0:
                value = -1.0 if in_check else 0.0
                break
            node = self._most_urgent(node)
            position.make(self.moves[node])
            frame = frame.next
            ply += 1
        while True:
            value = -value  # for the side that moved there
            node = self.path[ply]
            self.visit_counts[node] += 1
            self.totals[node] += value
            if ply == 0:
                break
            position.unmake()
            ply -= 1

    def _value(self, frame: Frame) -> Real:
        """The value for the side to move, from -1 to 1, once all captures are over."""
        score: Score = self.quiescence.search(-_MATE, _MATE, 0, frame, False, False)
        return 2.0 / (1.0 + exp(-score / _ODDS_SCALE)) - 1.0

    def _has_moves(self, node: Index) -> Flag:
        """Whether the node has its moves, now or from an earlier visit."""
        if self.firsts[node]:
            return True
        board = self.position.board
        count: Index = generate_legal(board, self.buffer, 0)
        if self.nodes + count > self.most_nodes:
            return False
        if self.nodes + count > self.capacity:
            self._double()
        self.policy.look(board)
        total: Real = 0.0
        index: Index
        for index in range(count):
            self.odds[index] = exp(_FLATNESS * self.policy.rate(board, self.buffer[index]))
            total += self.odds[index]
        self.firsts[node] = self.nodes
        self.child_counts[node] = count
        for index in range(count):
            self._add(self.buffer[index], self.odds[index] / total)
        return True

    def _add(self, move: MoveCode, prior: Real) -> None:
        node: Index = self.nodes
        self.moves[node] = move
        self.priors[node] = prior
        self.totals[node] = 0.0
        self.visit_counts[node] = self.firsts[node] = self.child_counts[node] = 0
        self.nodes += 1

    def _most_urgent(self, node: Index) -> Index:
        """The child to visit next: one of high value, or one that is likely and seldom tried."""
        visits: Real = self.visit_counts[node]
        bonus: Real = _EXPLORATION * sqrt(visits)
        untried: Real = -self.totals[node] / visits  # as good as its parent
        highest: Real = -1e9
        best: Index = 0
        child: Index
        for child in range(self.firsts[node], self.firsts[node] + self.child_counts[node]):
            count: Number = self.visit_counts[child]
            value: Real = self.totals[child] / count if count else untried
            value += bonus * self.priors[child] / (1 + count)
            if value > highest:
                highest = value
                best = child
        return best

    def _double(self) -> None:
        size, old = self.capacity, self._arrays()
        self._allocate(2 * size)
        for before, after in zip(old, self._arrays(), strict=True):
            memoryview(after)[:size] = memoryview(before)

    def _arrays(self) -> list[array[int] | array[float]]:
        arrays: list[array[int] | array[float]] = [self.moves, self.visit_counts, self.firsts]
        arrays += [self.child_counts, self.priors, self.totals]
        return arrays

    def _allocate(self, capacity: int) -> None:
        """Arrays for the nodes: the move to each, its visits, the sum of their values, etc."""
        self.capacity = capacity
        self.moves = array("i", bytes(4 * capacity))
        self.visit_counts = array("i", bytes(4 * capacity))
        self.firsts = array("i", bytes(4 * capacity))
        self.child_counts = array("i", bytes(4 * capacity))
        self.priors = array("d", bytes(8 * capacity))
        self.totals = array("d", bytes(8 * capacity))

"""Compiled loops of the trainer: forward pass, backward pass and AdamW for one batch.

The network is that of `halbzug.eval.network`, in floating-point numbers of 32 bits and with any
number of neurons. Its weights lie in one array, by blocks of `BLOCK` neurons; a block has `ROWS`
rows of `BLOCK` weights. A block needs of the others only the sum of what their neurons are worth.
So each thread works on its own blocks, without the interpreter's lock, and any number of threads
adds in the same order, to the same bits. A block and its gradient fit the cache of a core.

The optimiser is AdamW: Adam, and each step also takes a part of the weight away.
Sources: https://www.chessprogramming.org/NNUE#Training, https://arxiv.org/abs/1711.05101.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING

import cython

from ..board.movegen import Bitboard, Flag, Index, Number, lsb
from ..eval.network import PIECES_PER_ROW, ROWS_OF_SIDE
from .descent import FADE, SQUARE_FADE, TINY

if TYPE_CHECKING:
    from .descent import Vector

    Real = float  # of 64 bits in C

#: Neurons per block.
BLOCK = 32

#: A block's rows: first those of 768 inputs, then one of zeros, the biases, and the outputs, with
#: those of the side to move first; and the number of rows.
NOTHING, BIASES, OUTPUTS = 768, 769, 770
ROWS = OUTPUTS + 2 * ROWS_OF_SIDE

#: Maximum number of pieces in a position.
PIECES = 32

# Private copies, which are C constants in the compiled build.
_BLOCK, _PIECES, _SIZE = BLOCK, PIECES, BLOCK * ROWS
_NOTHING, _BIASES, _OUTPUTS = NOTHING * BLOCK, BIASES * BLOCK, OUTPUTS * BLOCK
_WORDS = 4  # 64-bit words in a record of `halbzug.tuning.positions_file`
_PIECES_PER_ROW = PIECES_PER_ROW
_SIDE = ROWS_OF_SIDE * BLOCK  # the outputs of one side
_GROUP = 4  # rows of inputs added in one pass
_ROUNDS = 4  # of the shuffling cipher
_FADE, _SQUARE_FADE, _TINY = FADE, SQUARE_FADE, TINY
_MIX: Bitboard = 0x9E3779B97F4A7C15  # an odd number with well-mixed bits


class Backpropagation:
    """A batch of positions, the weights, their gradient, and the moments of AdamW.

    For each batch call `gather`, `forward` for all blocks, `judge`, `backward` for all blocks, and
    `update` for all blocks, in this order. Calls of one of them may run side by side, each for
    other positions or other blocks.

    :param records: those of all positions, as native words of 64 bits.
    :param terms: of each, its evaluation without the network, in centipawns for the side to move.
        More of them than records are of the same positions with their files from h to a.
    :param weights: of all blocks; `update` changes them.
    :param moments: two arrays like the weights, one after the other: AdamW's averages of the
        gradient and of its square.
    :param size: positions of the largest batch.
    :param scale: centipawns of an evaluation for which the sigmoid's argument is 1.
    :param score_scale: the same of the recorded scores.
    :param limit: what a view is worth at most, in centipawns.
    :param unit: centipawns in which output weights are counted.
    """

    def __init__(
        self,
        records: Vector,
        terms: Vector,
        weights: Vector,
        moments: Vector,
        size: int,
        scale: float,
        score_scale: float,
        limit: float,
        unit: float,
    ) -> None:
        import numpy as np

        self.records, self.terms = records, terms
        self.weights, self.moments = weights, moments
        self.gradient = np.zeros_like(weights)
        blocks = len(weights) // _SIZE
        self.positions, self.recorded = len(terms), len(records) // _WORDS
        self.size, self.blocks = size, blocks
        self.scale, self.score_scale = scale, score_scale
        self.limit, self.unit = limit, unit
        self.inputs = np.zeros(size * 2 * _PIECES, np.int32)
        self.piece_counts = np.zeros(size, np.int32)
        self.sums = np.zeros(blocks * size * 2 * _BLOCK, np.float32)
        self.scratch = np.zeros(blocks * _BLOCK, np.float32)
        self.worth = np.zeros(blocks * size * 2, np.float32)
        self.slopes = np.zeros(size * 2, np.float32)
        self.static = np.zeros(size, np.float32)
        self.targets = np.zeros(size, np.float32)
        self.corrections = np.zeros(size, np.float32)
        self.first = self.count = 0
        self.key = 0
        self.squared_error = self.slope = 0.0

    def choose(self, first: Index, count: Index, key: Bitboard) -> None:
        """Choose the positions of a batch: `count` of them, starting at `first`.

        :param key: determines the order of all positions; 0 keeps their order.
        """
        self.first, self.count, self.key = first, count, key

    def gather(self, begin: Index, end: Index) -> None:
        """Read the batch's positions from index `begin` to before `end`."""
        with cython.nogil:
            self._gather(begin, end)

    def forward(self, block: Index) -> None:
        """Compute the output of a block's neurons for the batch's positions."""
        with cython.nogil:
            self._forward(block)

    def judge(self, advantage: Real) -> None:
        """Compute the batch's corrections, their error, and its slope.

        `squared_error` is the sum of squared differences between expectation and target, `slope`
        the derivative of their mean with respect to `advantage`.

        :param advantage: of the side to move, in addition to the terms, in units.
        """
        with cython.nogil:
            self._judge(advantage)

    def backward(self, block: Index) -> None:
        """Compute the gradient of a block's weights."""
        with cython.nogil:
            self._backward(block)

    def update(
        self,
        block: Index,
        number: Number,
        step: Real,
        decay: Real,
        max_input: Real,
        max_output: Real,
    ) -> None:
        """Update a block's weights, and reset its gradient.

        :param number: of the batch, from 1.
        :param step: the approximate change of a weight with a steady gradient.
        :param decay: of all weights except the biases, as a share of a step.
        :param max_input: the largest absolute value of an input weight; `max_output`: of an output
            weight.
        """
        base: Index = block * _SIZE
        with cython.nogil:
            self._update(base, base + _NOTHING, number, step, decay, max_input)
            self._update(base + _BIASES, base + _OUTPUTS, number, step, 0.0, 1e30)
            self._update(base + _OUTPUTS, base + _SIZE, number, step, decay, max_output)

    def _shuffled(self, place: Index) -> Index:
        """The position at an index of the shuffled order: a Feistel cipher of the index."""
        if not self.key:
            return place
        bits: Number = 1
        while self.positions > (1 << 2 * bits):
            bits += 1
        mask: Bitboard = (1 << bits) - 1
        left: Bitboard
        right: Bitboard
        mixed: Bitboard
        number: Number
        while True:
            left, right = place >> bits, place & mask
            for number in range(_ROUNDS):
                mixed = (self.key ^ right) * _MIX
                mixed = (mixed ^ mixed >> 29) * (_MIX + 2 * number)
                mixed = left ^ mixed >> 32 & mask
                left, right = right, mixed
            place = left << bits | right
            if place < self.positions:  # others are not positions, and are enciphered again
                return place

    def _gather(self, begin: Index, end: Index) -> None:
        place: Index
        piece: Index
        number: Index
        kind: Index
        square: Index
        for place in range(begin, end):
            number = self._shuffled(self.first + place)
            is_mirrored: Flag = number >= self.recorded
            record: Index = (number - self.recorded if is_mirrored else number) * _WORDS
            occupied: Bitboard = self.records[record]
            facts: Bitboard = self.records[record + 3]
            white: Index = facts >> 24 & 1  # whether White is to move
            own: Index = place * 2 * _PIECES
            other: Index = own + _PIECES
            piece = 0
            while occupied and piece < _PIECES:
                square = lsb(occupied) ^ (7 if is_mirrored else 0)
                occupied &= occupied - 1
                kind = self.records[record + 1 + (piece >> 4)] >> 4 * (piece & 15) & 15
                black: Index = kind >> 3
                kind = (kind & 7) - 1
                # In White's and Black's view; one of them belongs to the side to move.
                first: Index = (kind + 6 * black) << 6 | square
                second: Index = (kind + 6 - 6 * black) << 6 | square ^ 56
                self.inputs[own + piece] = (first if white else second) * _BLOCK
                self.inputs[other + piece] = (second if white else first) * _BLOCK
                piece += 1
            self.piece_counts[place] = piece
            while piece % _GROUP:
                self.inputs[own + piece] = self.inputs[other + piece] = _NOTHING
                piece += 1
            score: cython.double = cython.cast(cython.short, facts & 0xFFFF)
            if not white:
                score = -score
            self.targets[place] = 1 / (1 + exp(-score / self.score_scale))
            self.static[place] = self.terms[number]

    def _row(self, place: Index, view: Index) -> Index:
        """The offset of a block's outputs for a view and a position's number of pieces."""
        count: Index = self.piece_counts[place]
        return _OUTPUTS + view * _SIDE + (count - 1) // _PIECES_PER_ROW * _BLOCK

    def _forward(self, block: Index) -> None:
        base: Index = block * _SIZE
        scratch: Index = block * _BLOCK
        place: Index
        view: Index
        piece: Index
        neuron: Index
        width: Index
        value: cython.float
        for place in range(self.count):
            count: Index = self.piece_counts[place]
            for view in range(2):
                outputs: Index = base + self._row(place, view)
                inputs: Index = (2 * place + view) * _PIECES
                sums: Index = ((block * self.size + place) * 2 + view) * _BLOCK
                for neuron in range(_BLOCK):
                    self.sums[sums + neuron] = self.weights[base + _BIASES + neuron]
                piece = 0
                while piece < count:
                    row: Index = base + self.inputs[inputs + piece]
                    second: Index = base + self.inputs[inputs + piece + 1]
                    third: Index = base + self.inputs[inputs + piece + 2]
                    fourth: Index = base + self.inputs[inputs + piece + 3]
                    for neuron in range(_BLOCK):
                        self.sums[sums + neuron] += (
                            self.weights[row + neuron] + self.weights[second + neuron]
                        ) + (self.weights[third + neuron] + self.weights[fourth + neuron])
                    piece += _GROUP
                for neuron in range(_BLOCK):
                    value = self.sums[sums + neuron]
                    value = value if value > 0 else 0
                    value = value if value < 1 else 1
                    self.scratch[scratch + neuron] = value * value * self.weights[outputs + neuron]
                # Adding halves lets processors add several numbers at a time.
                width = _BLOCK >> 1
                while width:
                    for neuron in range(width):
                        self.scratch[scratch + neuron] += self.scratch[scratch + width + neuron]
                    width >>= 1
                self.worth[(block * self.size + place) * 2 + view] = self.scratch[scratch]

    def _judge(self, advantage: Real) -> None:
        place: Index
        block: Index
        self.squared_error = self.slope = 0.0
        for place in range(self.count):
            own: cython.double = 0.0
            other: cython.double = 0.0
            for block in range(self.blocks):
                own += self.worth[(block * self.size + place) * 2]
                other += self.worth[(block * self.size + place) * 2 + 1]
            own_in: cython.double = min(max(own * self.unit, -self.limit), self.limit)
            other_in: cython.double = min(max(other * self.unit, -self.limit), self.limit)
            total: cython.double = self.static[place] + advantage * self.unit + own_in - other_in
            expected: cython.double = 1 / (1 + exp(-total / self.scale))
            miss: cython.double = expected - self.targets[place]
            slope: cython.double = 2 * miss * expected * (1 - expected) * self.unit
            slope /= self.scale * self.count
            self.corrections[place] = own_in - other_in
            self.squared_error += miss * miss
            self.slope += slope
            # Beyond the limit, the output no longer changes.
            self.slopes[2 * place] = slope if own_in == own * self.unit else 0.0
            self.slopes[2 * place + 1] = -slope if other_in == other * self.unit else 0.0

    def _backward(self, block: Index) -> None:
        base: Index = block * _SIZE
        scratch: Index = block * _BLOCK
        place: Index
        view: Index
        piece: Index
        neuron: Index
        slope: cython.float
        value: cython.float
        change: cython.float
        for place in range(self.count):
            count: Index = self.piece_counts[place]
            for view in range(2):
                outputs: Index = base + self._row(place, view)
                slope = self.slopes[2 * place + view]
                inputs: Index = (2 * place + view) * _PIECES
                sums: Index = ((block * self.size + place) * 2 + view) * _BLOCK
                for neuron in range(_BLOCK):
                    value = self.sums[sums + neuron]
                    change = slope * self.weights[outputs + neuron] * (value + value)
                    change = change if value > 0 else 0
                    change = change if value < 1 else 0
                    value = value if value > 0 else 0
                    value = value if value < 1 else 1
                    self.gradient[outputs + neuron] += slope * value * value
                    self.gradient[base + _BIASES + neuron] += change
                    self.scratch[scratch + neuron] = change
                for piece in range(count):
                    row: Index = base + self.inputs[inputs + piece]
                    for neuron in range(_BLOCK):
                        self.gradient[row + neuron] += self.scratch[scratch + neuron]

    def _update(
        self,
        begin: Index,
        end: Index,
        number: Number,
        step: Real,
        decay: Real,
        limit: Real,
    ) -> None:
        fade: cython.float = _FADE
        square_fade: cython.float = _SQUARE_FADE
        left: cython.float = 1 - _FADE
        square_left: cython.float = 1 - _SQUARE_FADE
        # Both averages start at zero, which these factors correct.
        rate: cython.float = step / (1 - _FADE**number)
        square_rate: cython.float = 1 / (1 - _SQUARE_FADE**number)
        kept: cython.float = 1 - step * decay
        top: cython.float = limit
        tiny: cython.float = _TINY
        squares: Index = self.blocks * _SIZE
        place: Index
        slope: cython.float
        moment: cython.float
        square: cython.float
        value: cython.float
        for place in range(begin, end):
            slope = self.gradient[place]
            moment = fade * self.moments[place] + left * slope
            square = square_fade * self.moments[squares + place] + square_left * slope * slope
            self.moments[place] = moment
            self.moments[squares + place] = square
            self.gradient[place] = 0
            value = sqrt(square * square_rate)
            value = kept * self.weights[place] - rate * moment / (value + tiny)
            value = value if value < top else top
            self.weights[place] = value if value > -top else -top

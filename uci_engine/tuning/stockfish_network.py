"""Computes the evaluations of Stockfish's network without asking Stockfish about each position.

Stockfish's command `eval` takes a quarter of a millisecond, most of it for a table of piece values.
The network alone takes ten microseconds here, compiled. `Teacher.network` has Stockfish export it.

The network is that of Stockfish 15.1, of type HalfKAv2_hm. It has an input for each piece on each
square and each of 32 king buckets, with the board mirrored so that the own king is on the files e
to h. Each side has 1,024 sums of its active inputs, which feed a few small layers, and a material
value (PSQT); the piece count selects a set of weights for each. The weights are integers, so the
evaluations are the same on every machine.

Sources: https://www.chessprogramming.org/Stockfish_NNUE,
https://github.com/official-stockfish/nnue-pytorch/blob/master/docs/nnue.md.
"""

from __future__ import annotations

from array import array

from ..board.movegen import Bitboard, Index, Number, Rating, Score, Square, lsb
from .positions_file import SIZE, little_endian, words_of
from .searcher import LabError

#: The words at the start of a file: its version, and a hash of the network's architecture.
_HEAD = (0x7AF32F20, 0x1C102EF2)

#: Sums per side, inputs per king bucket, king buckets, and sets of weights.
_SUMS, _INPUTS, _PLACES, _SETS = 1024, 704, 32, 8

#: Neurons in the first and second layers. The first has an additional one, added to the output.
_FIRST, _SECOND = 15, 32

#: The upper limit of a sum; it is also the value of a weight of 1 times 2 ** `_WEIGHT_BITS`.
_FULL, _WEIGHT_BITS = 127, 6

#: The value of 1 in the network's output, and the units of the output in one of the evaluation.
_ONE, _PARTS = 9600, 16

#: The value of a pawn in units of the evaluation, and piece values by python-chess's types.
_PAWN = 361
_VALUES = array("i", [0, 0, 781, 825, 1276, 2538, 0, 0])

_KING = 6  # its code in a record


class StockfishNetwork:
    """Stockfish's network.

    :param data: the contents of a file written by Stockfish's command `export_net`.
    :raises LabError: if they are not a network, or one with a different architecture.
    """

    def __init__(self, data: bytes) -> None:
        reader = _Reader(data)
        if (*reader.numbers("I", 2),) != _HEAD:
            raise LabError("that is not a network for Stockfish 15.1")
        reader.skip(reader.numbers("I", 1)[0] + 4)  # a description, and a hash of what follows
        self.biases = reader.numbers("h", _SUMS)
        self.inputs = reader.numbers("h", _SUMS * _INPUTS * _PLACES)
        self.material = reader.numbers("i", _SETS * _INPUTS * _PLACES)
        # One set after another; in the file, each set has all its layers.
        layers = [array(kind) for kind in "ihiiii"]  # the first with its inputs' type
        sizes = (_FIRST + 1, (_FIRST + 1) * _SUMS, _SECOND, _SECOND**2, 1, _SECOND)
        for _ in range(_SETS):
            reader.skip(4)
            for number, (layer, size) in enumerate(zip(layers, sizes, strict=True)):
                layer.extend(list(reader.numbers("b" if number % 2 else "i", size)))
        reader.end()
        self.first_biases, self.first, self.second_biases, self.second = layers[:4]
        self.output_biases, self.output = layers[4:]
        # Intermediate results: the sums of both sides (the side to move first), their products, the
        # first layer and its clipped output, and the pieces.
        self.sums = array("h", bytes(2 * 2 * _SUMS))
        self.products = array("h", bytes(2 * _SUMS))
        self.neurons = array("i", bytes(4 * (_FIRST + 1)))
        self.clipped = array("i", bytes(4 * _SECOND))
        self.squares, self.codes = array("i", bytes(4 * 32)), array("i", bytes(4 * 32))
        self.kings, self.values = array("i", bytes(4 * 2)), _VALUES
        self.words, self.has_failed = array("Q"), False

    def scores(self, records: bytes) -> list[int]:
        """The network's evaluations of some positions, in centipawns for White.

        They are Stockfish's values before it reduces them for moves without progress. Where
        Stockfish uses its classical evaluation, because one side is far ahead, they are still
        those of the network.

        :param records: see `halbzug.tuning.positions_file`; both sides must have a king.
        :raises ValueError: if they contain anything else.
        """
        self.words = words_of(records)
        self.has_failed = False
        found = [self._evaluate(first) for first in range(0, len(records) // 8, SIZE // 8)]
        if self.has_failed:
            raise ValueError("not a record of a position")
        return found

    def _evaluate(self, record: Index) -> Score:
        """The evaluation of the record that starts at this word, in centipawns for White."""
        count: Index = 0
        non_pawn_material: Number = 0
        occupied: Bitboard = self.words[record]
        while occupied and count < 32:
            code: Number = self.words[record + 1 + (count >> 4)] >> 4 * (count & 15) & 15
            if not 0 < code & 7 <= _KING:
                self.has_failed = True  # not the code of a piece
                return 0
            self.squares[count] = lsb(occupied)
            self.codes[count] = code
            non_pawn_material += self.values[code & 7]
            if code & 7 == _KING:
                self.kings[code >> 3] = self.squares[count]
            occupied &= occupied - 1
            count += 1
        if not count:
            self.has_failed = True
            return 0
        weights: Index = (count - 1) // 4
        black: Number = 1 - (self.words[record + 3] >> 24 & 1)  # whether it is to move
        material: Rating = self._add_up(black, 0, count, weights)
        material -= self._add_up(1 - black, _SUMS, count, weights)
        material = _divided(material, 2)
        self._multiply(0)
        self._multiply(_SUMS)
        position: Rating = self._layers(weights)
        # The positional part counts slightly more than the material.
        total: Rating = _divided(1000 * material + 1048 * position, 1024 * _PARTS)
        scale: Rating = 1064 + 106 * non_pawn_material // 5120
        total = _divided(total * scale, 1024)
        total = _divided(200 * total + (_PAWN if total > 0 else -_PAWN), 2 * _PAWN)
        return -total if black else total

    def _add_up(self, black: Number, first: Index, count: Index, weights: Index) -> Rating:
        """Store a side's sums from index `first` on; return its material value."""
        king: Square = self.kings[black]
        turned: Square = (56 if black else 0) ^ (0 if king & 4 else 7)
        king ^= turned
        place: Index = _INPUTS * (31 - 4 * (king >> 3) - (king & 3))
        material: Rating = 0
        neuron: Index
        piece: Index
        for neuron in range(_SUMS):
            self.sums[first + neuron] = self.biases[neuron]
        for piece in range(count):
            code: Number = self.codes[piece]
            kind: Index = 128 * ((code & 7) - 1)
            if code & 7 != _KING and code >> 3 != black:
                kind += 64
            one: Index = place + kind + (self.squares[piece] ^ turned)
            material += self.material[one * _SETS + weights]
            one *= _SUMS
            for neuron in range(_SUMS):
                self.sums[first + neuron] += self.inputs[one + neuron]
        return material

    def _multiply(self, first: Index) -> None:
        """Multiply the first half of a side's sums, from index `first` on, by the second half."""
        half: Index = _SUMS // 2
        products: Index = first // 2
        neuron: Index
        for neuron in range(half):
            one: Number = self.sums[first + neuron]
            other: Number = self.sums[first + half + neuron]
            one = one if one > 0 else 0
            one = one if one < _FULL else _FULL
            other = other if other > 0 else 0
            other = other if other < _FULL else _FULL
            self.products[products + neuron] = one * other >> 7

    def _layers(self, weights: Index) -> Rating:
        """The output of the small layers for the products."""
        neuron: Index
        seen: Index
        total: Number
        begin: Index
        for neuron in range(_FIRST + 1):
            total = 0
            begin = (weights * (_FIRST + 1) + neuron) * _SUMS
            for seen in range(_SUMS):
                total += self.products[seen] * self.first[begin + seen]
            total += self.first_biases[weights * (_FIRST + 1) + neuron]
            self.neurons[neuron] = total
        # The second layer receives each neuron squared and plain; two of its inputs are never used.
        for neuron in range(_FIRST):
            value: Rating = self.neurons[neuron]
            square: Rating = value * value >> 2 * _WEIGHT_BITS + 7
            self.clipped[neuron] = _clipped(square)
            self.clipped[_FIRST + neuron] = _clipped(value >> _WEIGHT_BITS)
        output: Rating = self.output_biases[weights]
        for neuron in range(_SECOND):
            total = self.second_biases[weights * _SECOND + neuron]
            begin = (weights * _SECOND + neuron) * _SECOND
            for seen in range(2 * _FIRST):
                total += self.clipped[seen] * self.second[begin + seen]
            output += _clipped(total >> _WEIGHT_BITS) * self.output[weights * _SECOND + neuron]
        value = self.neurons[_FIRST]
        return output + _divided(value * _ONE, _FULL << _WEIGHT_BITS)


def _clipped(value: Rating) -> Rating:
    """The value clipped to the range from 0 to `_FULL`."""
    value = value if value > 0 else 0
    return value if value < _FULL else _FULL


def _divided(value: Rating, by: Rating) -> Rating:
    """A quotient, rounded towards 0 as in C."""
    return value // by if value >= 0 else -(-value // by)


class _Reader:
    """Reads the numbers of a file, one array after another.

    Its methods raise `LabError` if the file is too short, and `end` if it is too long.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def numbers(self, kind: str, count: int) -> array[int]:
        """The next numbers, of one of `array`'s type codes."""
        found = array(kind)
        found.frombytes(self.skip(count * found.itemsize))
        return little_endian(found)

    def skip(self, size: int) -> bytes:
        """Skip the next bytes and return them."""
        self._place += size
        found = self._data[self._place - size : self._place]
        if len(found) < size:
            raise LabError("that network is incomplete")
        return found

    def end(self) -> None:
        """Check that nothing follows."""
        if self._place < len(self._data):
            raise LabError("that network is followed by other data")

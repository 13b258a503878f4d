"""Networks as files: what a network that is an evaluation by itself consists of.

All numbers are little-endian:

    8   the letters HALBZUG1
    4   neurons of a view, N: a multiple of 32, at most 4,096
    4   places of the own king, K: at most 32
    4   by what evaluations are multiplied, in 1,024ths
    4   CRC-32 of all that follows, as zlib has it
    32  the place of the king, one byte for each square: e1, f1, g1, h1, then e2 to h2, and so on
    2N  the biases, 16 bits each
    16N the weights of the outputs, 8 bits each: eight rows, the first for 1 to 4 pieces on the
        board, the last for 29 and more; a row has N weights of the side to move, then N of the
        other
    12,288K  the worth of material and position, 16 bits each, in quarters of a centipawn: for each
        place, kind and square, eight numbers, one for each row
    768KN    the weights of the inputs, 8 bits each: for each place, kind and square, N of them

Kinds are the own pawn, knight, bishop, rook, queen and king, and then the other side's. Squares are
those of the side's own view (see `halbzug.eval.whole_network`), a1 first.
"""

from __future__ import annotations

import stat
import struct
import sys
import zlib
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..base.os_errors import reason_of
from ..board.movegen import BUILD

_HEAD = struct.Struct("<8s4I")
_LETTERS = b"HALBZUG1"

#: Rows of output weights, inputs of a place, and squares that have a place.
ROWS, INPUTS, KING_SQUARES = 8, 768, 32

#: What a file may have at most.
MAX_NEURONS, MAX_PLACES, MAX_SCALE = 4096, 32, 1 << 14

#: What 1 is in `Weights.scale`.
WHOLE_SCALE = 1024


#: Evaluations that have names: by terms and the small network, and by the network that comes with
#: Halbzug.
TERMS, NETWORK = "terms", "network"

#: What the engine plays with: plain Python is several times as slow with the network.
DEFAULT_EVALUATION = NETWORK if BUILD == "compiled" else TERMS

#: The network that comes with Halbzug.
SHIPPED = Path(__file__).with_name("network.nnue")


class NetworkError(Exception):
    """Why a file is no network, in one line."""


@dataclass(frozen=True, eq=False)
class Weights:
    """The numbers of a network, in the order of the file.

    :ivar scale: by what evaluations are multiplied, in parts of `WHOLE_SCALE`.
    """

    neurons: int
    scale: int
    places: array[int]
    biases: array[int]
    outputs: array[int]
    position: array[int]
    inputs: array[int]

    @property
    def kings(self) -> int:
        """How many places of the own king there are."""
        return len(self.position) // (INPUTS * ROWS)

    @cached_property
    def padded(self) -> tuple[array[int], array[int]]:
        """Weights of inputs and of material and position, and behind them those of no piece.

        They are the same arrays, because a copy would take as much memory again.
        """
        if len(self.inputs) == self.kings * INPUTS * self.neurons:
            self.inputs.extend(array("b", bytes(self.neurons)))
            self.position.extend(array("h", bytes(2 * ROWS)))
        return self.inputs, self.position

    def pack(self) -> bytes:
        """The file."""
        position = self.position[: self.kings * INPUTS * ROWS]
        inputs = self.inputs[: self.kings * INPUTS * self.neurons]
        parts = (self.places, self.biases, self.outputs, position, inputs)
        body = b"".join(_little_endian(part).tobytes() for part in parts)
        head = (_LETTERS, self.neurons, self.kings, self.scale, zlib.crc32(body))
        return _HEAD.pack(*head) + body


def unpack(data: bytes) -> Weights:
    """Read a file.

    :raises NetworkError: if it is none, or damaged.
    """
    if data[: len(_LETTERS)] != _LETTERS:
        raise NetworkError("it is no network of Halbzug")
    if len(data) < _HEAD.size:
        raise NetworkError("it ends too early")
    _, neurons, kings, scale, checksum = _HEAD.unpack_from(data)
    if not (
        0 < neurons <= MAX_NEURONS
        and neurons % 32 == 0
        and 0 < kings <= MAX_PLACES
        and 0 < scale <= MAX_SCALE
    ):
        raise NetworkError(f"it has {neurons} neurons, {kings} places of the king, scale {scale}")
    sizes = (
        ("B", KING_SQUARES),
        ("h", neurons),
        ("b", ROWS * 2 * neurons),
        ("h", kings * INPUTS * ROWS),
        ("b", kings * INPUTS * neurons),
    )
    parts = [array(kind) for kind, _ in sizes]
    expected = _HEAD.size + sum(
        part.itemsize * size for part, (_, size) in zip(parts, sizes, strict=True)
    )
    if len(data) != expected:
        raise NetworkError(f"it has {len(data):,} bytes instead of {expected:,}")
    if zlib.crc32(data[_HEAD.size :]) != checksum:
        raise NetworkError("it is damaged: its checksum is another")
    first = _HEAD.size
    for place, (part, (_, size)) in enumerate(zip(parts, sizes, strict=True)):
        end = first + part.itemsize * size
        part.frombytes(data[first:end])
        parts[place] = _little_endian(part)
        first = end
    if max(parts[0]) >= kings:
        raise NetworkError("it has no weights for a place of the king")
    return Weights(neurons, scale, *parts)


def read(path: Path) -> Weights:
    """Read a file.

    :raises NetworkError: if it cannot be read, is no network, or is damaged.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise NetworkError("it is not a regular file")
        if status.st_size > _HEAD.size + 2 * MAX_PLACES * INPUTS * MAX_NEURONS:
            raise NetworkError("it is larger than any network")
        return unpack(path.read_bytes())
    except (OSError, ValueError) as error:
        raise NetworkError(reason_of(error)) from None


def named(text: str) -> Weights | None:
    """What an evaluation is called: a file, `NETWORK` or `TERMS`; None: by terms and network.

    :raises NetworkError: if there is no such network.
    """
    if text == TERMS:
        return None
    return read(SHIPPED if text == NETWORK else Path(text))


_chosen: Weights | None = None


def choose(weights: Weights | None) -> None:
    """Have all positions from now on evaluated by this network; None: by terms and network."""
    global _chosen
    _chosen = weights


@contextmanager
def evaluating_by(text: str) -> Iterator[None]:
    """Have positions evaluated by what is called so, and afterwards as before.

    :raises NetworkError: if there is no such network; it names it.
    """
    before = _chosen
    try:
        choose(named(text))
    except NetworkError as error:
        raise NetworkError(f"{text} is not used: {error}") from None
    try:
        yield
    finally:
        choose(before)


def chosen() -> Weights | None:
    """The network that evaluates positions by itself, if any does."""
    return _chosen


def _little_endian(numbers: array[int]) -> array[int]:
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers

"""The file format of networks.

All numbers are little-endian:

    8   the letters HALBZUG1
    4   neurons per view, N: a multiple of 32, at most 4,096
    4   king buckets, K: at most 32
    4   factor for evaluations, in 1,024ths
    4   CRC-32 of everything after it, as in zlib
    32  the king's bucket, one byte for each square: e1, f1, g1, h1, then e2 to h2, and so on
    2N  the biases, 16 bits each
    16N the output weights, 8 bits each: eight rows, the first for 1 to 4 pieces on the
        board, the last for 29 and more; a row has N weights for the side to move, then N for
        the other
    12,288K  material and position, 16 bits each, in quarters of a centipawn: for each bucket,
        kind and square, eight numbers, one for each row
    768KN    the input weights, 8 bits each: for each bucket, kind and square, N weights

Kinds are the side's own pawn, knight, bishop, rook, queen and king, then the enemy's. Squares are
seen from the side's own view (see `halbzug.eval.network`), a1 first.
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

#: Rows of output weights, inputs per king bucket, and squares that have a bucket.
ROWS, INPUTS, KING_SQUARES = 8, 768, 32

#: Limits of a file.
MAX_NEURONS, MAX_PLACES, MAX_SCALE = 4096, 32, 1 << 14

#: The value of `Weights.scale` that means 1.
WHOLE_SCALE = 1024


#: Named evaluations: by terms, and by the network that comes with Halbzug.
TERMS, NETWORK = "terms", "network"

#: What the engine plays with: the network makes pure Python several times slower.
DEFAULT_EVALUATION = NETWORK if BUILD == "compiled" else TERMS

#: The network that comes with Halbzug.
SHIPPED = Path(__file__).with_name("network.nnue")


class NetworkError(Exception):
    """Why a file is not a network, in one line."""


@dataclass(frozen=True, eq=False)
class Weights:
    """The numbers of a network, in file order.

    :ivar scale: factor for evaluations, in parts of `WHOLE_SCALE`.
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
        """The number of king buckets."""
        return len(self.position) // (INPUTS * ROWS)

    @cached_property
    def padded(self) -> tuple[array[int], array[int]]:
        """The weights of inputs and of material and position, each followed by zeros for no piece.

        The arrays are extended in place, because a copy would double the memory.
        """
        if len(self.inputs) == self.kings * INPUTS * self.neurons:
            self.inputs.extend(array("b", bytes(self.neurons)))
            self.position.extend(array("h", bytes(2 * ROWS)))
        return self.inputs, self.position

    def pack(self) -> bytes:
        """The content of the file."""
        position = self.position[: self.kings * INPUTS * ROWS]
        inputs = self.inputs[: self.kings * INPUTS * self.neurons]
        parts = (self.places, self.biases, self.outputs, position, inputs)
        body = b"".join(_little_endian(part).tobytes() for part in parts)
        head = (_LETTERS, self.neurons, self.kings, self.scale, zlib.crc32(body))
        return _HEAD.pack(*head) + body


def unpack(data: bytes) -> Weights:
    """Parse the content of a file.

    :raises NetworkError: if it is not a network, or is damaged.
    """
    if data[: len(_LETTERS)] != _LETTERS:
        raise NetworkError("it is not a Halbzug network")
    if len(data) < _HEAD.size:
        raise NetworkError("it ends too early")
    _, neurons, kings, scale, checksum = _HEAD.unpack_from(data)
    if not (
        0 < neurons <= MAX_NEURONS
        and neurons % 32 == 0
        and 0 < kings <= MAX_PLACES
        and 0 < scale <= MAX_SCALE
    ):
        raise NetworkError(f"it has {neurons} neurons, {kings} king buckets, scale {scale}")
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
    body = memoryview(data)[_HEAD.size :]  # a copy would take milliseconds at each start
    if zlib.crc32(body) != checksum:
        raise NetworkError("it is damaged: its checksum does not match")
    first = 0
    for place, (part, (_, size)) in enumerate(zip(parts, sizes, strict=True)):
        end = first + part.itemsize * size
        part.frombytes(body[first:end])
        parts[place] = _little_endian(part)
        first = end
    if max(parts[0]) >= kings:
        raise NetworkError("it has no weights for a king bucket")
    return Weights(neurons, scale, *parts)


def read(path: Path) -> Weights:
    """Read a file.

    :raises NetworkError: if it cannot be read, is not a network, or is damaged.
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
    """The network that a file name or `NETWORK` stands for; None for `TERMS`.

    :raises NetworkError: if there is no such network.
    """
    if text == TERMS:
        return None
    return read(SHIPPED if text == NETWORK else Path(text))


_chosen: Weights | None = None


def choose(weights: Weights | None) -> None:
    """Evaluate all positions with this network from now on; None: with terms."""
    global _chosen
    _chosen = weights


@contextmanager
def evaluating_by(text: str) -> Iterator[None]:
    """A context in which positions are evaluated with the named evaluation.

    :raises NetworkError: if there is no such network; the message names it.
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
    """The network that evaluates; None: terms do."""
    return _chosen


def _little_endian(numbers: array[int]) -> array[int]:
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers

"""Trains networks that evaluate on their own, on a graphics processor.

    python -m halbzug.tuning.torch_training POSITIONS NETWORK [--neurons 1024] [--places 8]

`POSITIONS` is a folder of `halbzug.tuning.visits`; its first file is held out. The network is
written to `NETWORK` in the format of `halbzug.eval.network_file`, for the option `EvalFile`. With
`--start`, training continues from a network; use positions that it has not seen.

A graphics processor of 2023 learns three to seven million positions a second. Training needs numpy
and PyTorch (`pip install torch`), which nothing else here needs. Without a graphics processor it
takes hours before anything can be seen.

A network has two heads. For each of them, the number of pieces chooses one of eight rows:

- material and position: a value for each piece on each square, the linear evaluation of the
  textbooks. They are stored as eight more sums of a view;
- neurons: sums of the same inputs, limited to 0 and 1 and squared. The sums of the side to move
  and those of the other side have separate weights.

Each side sees the board from its own end, mirrored if its king is on the files a to d. The place of
this king chooses one of several sets of input weights, `places`. During training, each set is the
sum of its own part and a part that all sets share, so that what few positions show is learnt from
all ("feature factorization" in the documentation of
https://github.com/official-stockfish/nnue-pytorch). Weights are rounded as in the engine, so that
the rounding costs nothing later.
"""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ..base.whole_file import write_whole
from ..eval.network_file import ROWS, WHOLE_SCALE, NetworkError, Weights, read
from .command import command_parser, exit_code
from .numpy_training import (
    INPUT_PARTS,
    KINDS,
    MATERIAL,
    MAX_WEIGHT,
    OUTPUT_PARTS,
    POSITION_PARTS,
    UNIT,
)
from .searcher import LabError

#: The places of the king, from e1 to h1, then from e2 on, by their number.
PLACES = {
    1: (0,) * 32,
    4: (0, 0, 1, 1, 2, 2, 2, 2, *(3,) * 24),
    8: (0, 1, 2, 3, 4, 4, 5, 5, *(6,) * 8, *(7,) * 16),
}

_KINDS = torch.tensor(KINDS, dtype=torch.uint8)


class DevicePositions:
    """Positions on the device: both views of each, its row, and its score for the side to move."""

    def __init__(self, paths: Sequence[Path], device: str) -> None:
        parts = [decoded(read_words(path).to(device)) for path in paths]
        self.own, self.other, self.rows, self.scores = map(torch.cat, zip(*parts, strict=True))

    def __len__(self) -> int:
        return len(self.scores)


def read_words(path: Path) -> Any:
    """The records of a file: a row of four 64-bit words each."""
    return torch.from_numpy(np.fromfile(path, "<i8").reshape(-1, 4))


def decoded(words: Any) -> tuple[Any, Any, Any, Any]:
    """Views of both sides, rows and scores of some records."""
    squares = torch.arange(64, device=words.device)
    bits = words[:, :1] >> squares & 1
    places = bits.cumsum(1) - bits
    halves = torch.where(places < 16, words[:, 1:2], words[:, 2:3])
    codes = ((halves >> 4 * (places & 15) & 15) * bits).to(torch.uint8)
    is_white = (words[:, 3] >> 24 & 1).bool()
    own = torch.where(is_white[:, None], codes, turned(codes))
    scores = ((words[:, 3] & 0xFFFF) + 0x8000 & 0xFFFF) - 0x8000
    scores = torch.where(is_white, scores, -scores).to(torch.int16)
    rows = ((bits.sum(1) - 1) // 4).to(torch.uint8)
    return mirrored(own), mirrored(turned(own)), rows, scores


def turned(codes: Any) -> Any:
    """Boards seen from the other end, with colours swapped."""
    codes = codes.view(-1, 8, 8).flip(1).reshape(-1, 64)
    return torch.where(codes > 0, codes ^ 8, codes)


def mirrored(codes: Any) -> Any:
    """Views mirrored so that the own king is on the files e to h."""
    is_left = (king(codes) & 7) < 4
    return torch.where(is_left[:, None], codes.view(-1, 8, 8).flip(2).reshape(-1, 64), codes)


def king(codes: Any) -> Any:
    """The square of the own king."""
    return (codes == 6).to(torch.uint8).argmax(1)


class _Sums(torch.autograd.Function):
    """Sums of views: the active inputs of each, times the weights of its king's place."""

    @staticmethod
    def forward(context: Any, codes: Any, order: Any, ends: list[int], weights: Any) -> Any:
        context.save_for_backward(codes, order)
        context.ends, context.shape = ends, weights.shape
        sums = torch.empty(len(codes), weights.shape[2], device=codes.device)
        for place, rows in enumerate(_groups(order, ends)):
            sums[rows] = _inputs(codes[rows]) @ weights[place]
        return sums

    @staticmethod
    def backward(context: Any, slopes: Any) -> Any:
        codes, order = context.saved_tensors
        gradient = torch.empty(context.shape, device=codes.device)
        for place, rows in enumerate(_groups(order, context.ends)):
            gradient[place] = _inputs(codes[rows]).T @ slopes[rows]
        return None, None, None, gradient


def _groups(order: Any, ends: list[int]) -> list[Any]:
    return [order[first:end] for first, end in zip([0, *ends[:-1]], ends, strict=True)]


def _inputs(codes: Any) -> Any:
    """The 768 inputs of each view, nearly all of them 0."""
    kinds = _KINDS.to(codes.device)
    return (codes[:, None] == kinds[:, None]).view(len(codes), 768).float()


def _rounded(weights: Any, parts: float) -> Any:
    """Weights rounded as in the engine; the gradient passes as if they were not rounded."""
    return weights + ((weights * parts).round() / parts - weights).detach()


class Network(torch.nn.Module):
    """A network during training.

    :param neurons: the number of neurons of a view.
    :param places: the number of places of the own king, see `PLACES`.
    """

    def __init__(self, neurons: int, places: int, seed: int = 1) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)

        def uniform(*shape: int, deviation: float) -> Any:
            numbers = torch.rand(shape, generator=generator) * 2 - 1
            return torch.nn.Parameter(numbers * math.sqrt(3) * deviation)

        self.neurons = neurons
        self.register_buffer("places", torch.tensor(PLACES[places]))
        self.common = uniform(768, neurons + ROWS, deviation=0.05)
        material = torch.tensor([*MATERIAL, *(-value for value in MATERIAL)]) / UNIT
        with torch.no_grad():
            self.common[:, neurons:] = material.repeat_interleave(64)[:, None]
        self.special = torch.nn.Parameter(torch.zeros(places, 768, neurons + ROWS))
        self.biases = torch.nn.Parameter(torch.full((neurons,), 0.25))
        self.outputs = uniform(ROWS, 2 * neurons, deviation=0.02)

    def input_weights(self) -> Any:
        """Those of each place, as the engine rounds them."""
        weights = self.special + self.common
        neurons = _rounded(weights[..., : self.neurons], INPUT_PARTS)
        position = _rounded(weights[..., self.neurons :], UNIT * POSITION_PARTS)
        return torch.cat([neurons, position], 2)

    @torch.no_grad()
    def limit(self) -> None:
        """Bring the weights within what a byte holds."""
        largest, neurons = MAX_WEIGHT / INPUT_PARTS, self.neurons
        common, special = self.common[:, :neurons], self.special[..., :neurons]
        common.clamp_(-largest, largest)
        special.copy_((special + common).clamp(-largest, largest) - common)
        self.outputs.clamp_(-MAX_WEIGHT / OUTPUT_PARTS, MAX_WEIGHT / OUTPUT_PARTS)

    @torch.no_grad()
    def start_from(self, weights: Weights) -> None:
        """Take the weights of a network of the same shape.

        :raises LabError: if it has another shape.
        """
        if weights.neurons != self.neurons or weights.places != array("B", self.places.tolist()):
            shape = f"{weights.neurons} neurons, {weights.kings} places"
            raise LabError(f"it has a different shape: {shape}")

        def parts(numbers: array[int], of: float, *shape: int) -> Any:
            return torch.tensor(numbers, dtype=torch.float32).view(shape) / of

        places = len(self.special)
        count = places * 768
        inputs, values = weights.inputs[: count * self.neurons], weights.position[: count * ROWS]
        neurons = parts(inputs, INPUT_PARTS, places, 768, -1)
        position = parts(values, UNIT * POSITION_PARTS, places, 768, -1)
        found = torch.cat([neurons, position], 2)
        self.common.copy_(found.mean(0))
        self.special.copy_(found - found.mean(0))
        self.biases.copy_(parts(weights.biases, INPUT_PARTS, -1))
        self.outputs.copy_(parts(weights.outputs, OUTPUT_PARTS, ROWS, -1))

    def forward(self, own: Any, other: Any, rows: Any) -> Any:
        """The evaluations of some positions, in units, for the side to move."""
        codes = torch.cat([own, other])
        where = king(codes)
        place = self.places[(where >> 3) * 4 + (where & 3)]
        order = torch.argsort(place)
        counts = torch.bincount(place, minlength=len(self.special))
        sums = _Sums.apply(codes, order, counts.cumsum(0).tolist(), self.input_weights())
        position = sums[:, self.neurons :].gather(1, rows.long().repeat(2)[:, None])[:, 0]
        position = (position[: len(own)] - position[len(own) :]) / 2
        values = (sums[:, : self.neurons] + _rounded(self.biases, INPUT_PARTS)).clamp(0, 1)
        values = values.square()
        values = torch.cat([values[: len(own)], values[len(own) :]], 1)
        worth = values @ _rounded(self.outputs, OUTPUT_PARTS).T
        return position + worth.gather(1, rows.long()[:, None])[:, 0]

    def weights(self) -> Weights:
        """The weights as the engine has them."""
        weights, neurons = self.input_weights().detach(), self.neurons

        def whole(kind: str, numbers: Any, parts: float) -> array[int]:
            found = (numbers.detach() * parts).round().to(torch.int16).cpu().numpy().ravel()
            return array(kind, found.tolist())

        return Weights(
            neurons,
            WHOLE_SCALE,
            array("B", self.places.tolist()),
            whole("h", self.biases, INPUT_PARTS),
            whole("b", self.outputs, OUTPUT_PARTS),
            whole("h", weights[..., neurons:], UNIT * POSITION_PARTS),
            whole("b", weights[..., :neurons], INPUT_PARTS),
        )


def train(
    network: Network,
    learnt: DevicePositions,
    steps: int,
    batch: int,
    step: float,
    scale: float,
    score_scale: float,
    seed: int = 1,
    tell: Callable[[str], None] = print,
) -> float:
    """Train a network with AdamW, with a step that rises quickly and falls to 0 along a cosine.

    :param scale: the evaluation in centipawns for which the sigmoid's argument is 1.
    :param score_scale: the same for the recorded scores.
    :returns: the mean squared error of the last twentieth of the steps.
    """
    device = learnt.scores.device
    optimiser = torch.optim.AdamW(network.parameters(), lr=step, weight_decay=0.01)
    generator = torch.Generator(device=device).manual_seed(seed)
    order = torch.empty(0, dtype=torch.int64, device=device)
    warm = min(200, steps // 10)
    began, total, number = time.monotonic(), torch.zeros((), device=device), 0
    last = 0.0
    for done in range(steps):
        if len(order) < batch:
            order = torch.randperm(len(learnt), generator=generator, device=device)
        rows, order = order[:batch], order[batch:]
        rate = step * (1 + math.cos(math.pi * done / steps)) / 2 * min(1.0, (done + 1) / (warm + 1))
        for group in optimiser.param_groups:
            group["lr"] = rate
        optimiser.zero_grad(set_to_none=True)
        found = network(learnt.own[rows], learnt.other[rows], learnt.rows[rows])
        target = torch.sigmoid(learnt.scores[rows].float() / score_scale)
        error = (torch.sigmoid(found * (UNIT / scale)) - target).square().mean()
        (error * 1000).backward()
        optimiser.step()
        network.limit()
        total, number = total + error.detach(), number + 1
        if (done + 1) % max(1, steps // 20) == 0:
            last = float(total) / number
            speed = (done + 1) * batch / (time.monotonic() - began)
            tell(f"step {done + 1} of {steps}: error {last:.6f}, {speed:,.0f} positions a second")
            total, number = torch.zeros((), device=device), 0
    return last


@torch.no_grad()
def evaluations(network: Network, positions: DevicePositions, batch: int = 65_536) -> Any:
    """The evaluations of some positions, in centipawns for the side to move."""
    parts = [
        network(
            *(
                part[first : first + batch]
                for part in (positions.own, positions.other, positions.rows)
            )
        )
        for first in range(0, len(positions), batch)
    ]
    return torch.cat(parts) * UNIT


def errors(found: Any, scores: Any, scale: float, score_scale: float) -> dict[str, float]:
    """The errors of the evaluations of held-out positions."""
    scores = scores.float()
    expected, target = torch.sigmoid(found / scale), torch.sigmoid(scores / score_scale)
    near = scores.abs() <= 300
    both = torch.stack([found[near], scores[near]])
    return {
        "error": float((expected - target).square().mean()),
        "centipawns": float((found - scores)[near].square().mean().sqrt()),
        "deviation": float(found[near].std()),
        "deviation_of_scores": float(scores[near].std()),
        "correlation": float(torch.corrcoef(both)[0, 1]),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Train."""
    parser = command_parser("halbzug.tuning.torch_training", __doc__)
    parser.add_argument("positions", metavar="POSITIONS", type=Path)
    parser.add_argument("network", metavar="NETWORK", type=Path)
    parser.add_argument("--neurons", type=int, default=1024, help="a multiple of 32: %(default)s")
    parser.add_argument("--places", type=int, default=8, choices=PLACES, help="%(default)s")
    parser.add_argument("--start", type=Path, help="a network of the same shape to continue from")
    parser.add_argument("--steps", type=int, default=15_000, help="%(default)s")
    parser.add_argument("--batch", type=int, default=32_768, help="%(default)s")
    parser.add_argument("--step", type=float, default=0.002, help="%(default)s")
    parser.add_argument("--scale", type=float, default=110, help="of evaluations: %(default)s")
    parser.add_argument("--score_scale", type=float, default=102, help="%(default)s")
    parser.add_argument("--seed", type=int, default=1, help="%(default)s")
    options = parser.parse_args(arguments)
    if options.neurons < 32 or options.neurons % 32:
        parser.error("--neurons must be a multiple of 32")
    for name in ("steps", "batch", "step", "scale", "score_scale"):
        if getattr(options, name) <= 0:
            parser.error(f"--{name} is more than 0")

    def work() -> None:
        device = "cuda" if torch.cuda.is_available() else "cpu"
        torch.backends.cuda.matmul.allow_tf32 = True
        held_out_file, *files = sorted(options.positions.glob("games-*.bin")) or [None]
        if not files:
            raise LabError(f"{options.positions} has fewer than two files of positions")
        held_out = DevicePositions([held_out_file], device)
        learnt = DevicePositions(files, device)
        if len(learnt) < options.batch:
            raise LabError(f"{len(learnt):,} positions are less than a batch")
        network = Network(options.neurons, options.places, seed=options.seed)
        if options.start:
            try:
                network.start_from(read(options.start))
            except (NetworkError, LabError) as error:
                raise LabError(f"cannot start from {options.start}: {error}") from None
        network.to(device)
        scales = options.scale, options.score_scale
        train(network, learnt, options.steps, options.batch, options.step, *scales, options.seed)
        for name, value in errors(evaluations(network, held_out), held_out.scores, *scales).items():
            print(f"held out, {name}: {value:.6f}")
        write_whole(options.network, network.weights().pack())

    return exit_code(parser.prog, work, "folder")


if __name__ == "__main__":
    raise SystemExit(main())

"""Fits the weights of the evaluation to positions with known results (Texel's method).

    python -m halbzug.tuning.tune FILE... [--rounds 120] [--blend 0]
                                          [--output uci_engine/eval/weights.py]

Files are those of `halbzug.tuning.selfplay`, as they are or with the results replaced by
`halbzug.tuning.label`. The expected result of a position is the sigmoid of its evaluation; the fit
minimises the squared difference to the result (blended with what the search expected). In order:

1. every position becomes a sparse vector of counts (`halbzug.eval.features`), White minus Black;
2. the scale of the sigmoid is fitted with the weights as they are;
3. the weights follow the gradient (Adam, all positions at once), with a penalty for distance from
   their start, so that weights of rare features hardly change;
4. the error on held-out games shows whether the fit generalises;
5. the orientation of tables is checked, and the rounded weights are written.

Needs numpy: `pip install ".[tuning]"` in the checkout.
Source: https://www.chessprogramming.org/Texel%27s_Tuning_Method
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ..base.whole_file import write_whole
from ..board.movegen import new_board
from ..eval import weights as weights_module
from ..eval.endgame import FULL_SCALE, scale
from ..eval.features import Feature, Weights, count, phase
from ..eval.tables import FULL_PHASE
from ..eval.weights import GROUPS, WEIGHTS
from .command import command_parser
from .descent import Adam, expectation
from .selfplay import Sample

if TYPE_CHECKING:
    import numpy as np

    Vector: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
    Integers: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.signedinteger[Any]]]
    Mask: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]

#: One of this many games is held out.
HELD_OUT = 10

#: Weights that are not fitted, because their features do not occur in quiet positions.
FIXED = ("mop_up_edge", "mop_up_kings", "mop_up_corner")

#: Adam's first step, in centipawns.
STEP = 2.0

Table = dict[str, tuple[tuple[int, int], ...]]


@dataclass
class Data:
    """Positions as arrays; `rows`, `columns` and `values` are the sparse matrix of counts."""

    rows: Integers  # which position
    columns: Integers  # which weight
    values: Vector  # how often, White minus Black
    early: Vector  # the middlegame's share, by position
    scales: Vector  # the endgame's scale factor, by position and side (Black, White)
    results: Vector  # 0 to 1, for White
    scores: Vector  # the search's, in centipawns for White
    games: Integers  # which game

    def __len__(self) -> int:
        return len(self.early)

    def part(self, wanted: Mask) -> Data:
        """The positions where `wanted` is true."""
        import numpy as np

        number = np.cumsum(wanted) - 1
        entries = wanted[self.rows]
        return Data(
            number[self.rows[entries]],
            self.columns[entries],
            self.values[entries],
            self.early[wanted],
            self.scales[wanted],
            self.results[wanted],
            self.scores[wanted],
            self.games[wanted],
        )


def all_features(weights: Weights = WEIGHTS) -> list[Feature]:
    """The weights in the order of the columns."""
    return [(name, index) for name, table in weights.items() for index in range(len(table))]


def extract(
    samples: Iterable[Sample], on_progress: Callable[[int], None] = lambda done: None
) -> Data:
    """Count the features of every position."""
    from array import array

    import numpy as np

    column_of = {feature: column for column, feature in enumerate(all_features())}
    rows, columns = array("i"), array("i")
    values, scales = array("d"), array("d")
    early, results, scores, games = array("d"), array("d"), array("d"), array("i")
    for row, sample in enumerate(samples):
        board = new_board(sample.fen)
        white, black = count(board)
        white.subtract(black)
        for feature, number in white.items():
            if number:
                rows.append(row)
                columns.append(column_of[feature])
                values.append(number)
        early.append(phase(board) / FULL_PHASE)
        scales.extend((scale(board, False) / FULL_SCALE, scale(board, True) / FULL_SCALE))
        results.append(sample.result)
        scores.append(sample.score)
        games.append(sample.game)
        on_progress(row + 1)
    return Data(
        np.array(rows),
        np.array(columns),
        np.array(values),
        np.array(early),
        np.array(scales).reshape(-1, 2),
        np.array(results),
        np.array(scores),
        np.array(games),
    )


class Fit:
    """A fit of weights to data.

    :param start: the weights to begin with.
    :param blend: the share of the search's expectation in the target, 0 to 1; the rest is the
        result.
    :param hold: the penalty for a weight's distance from its start, in squared errors of one
        position for a squared centipawn.
    """

    def __init__(self, data: Data, start: Weights, blend: float = 0.0, hold: float = 1e-3) -> None:
        import numpy as np

        held_out = data.games % HELD_OUT == 0
        self.training, self.held_out = data.part(~held_out), data.part(held_out)
        self.features = all_features(start)
        self.start = np.array([start[name][index] for name, index in self.features], dtype=float)
        self.weights = self.start.copy()
        self.free = np.array([[name not in FIXED] for name, _ in self.features], dtype=float)
        self.blend = blend
        self.hold = hold
        self.scale = self._fit_scale()

    def evaluate(self, data: Data, weights: Vector) -> tuple[Vector, Vector]:
        """Evaluations in centipawns for White, and the scale factor of the endgame in each."""
        import numpy as np

        halves = [
            np.bincount(data.rows, data.values * weights[data.columns, half], len(data))
            for half in (0, 1)
        ]
        late = (1 - data.early) * np.where(halves[1] > 0, data.scales[:, 1], data.scales[:, 0])
        return halves[0] * data.early + halves[1] * late, late

    def error(self, data: Data, weights: Vector) -> float:
        """The mean squared difference between target and expectation."""
        evaluations, _ = self.evaluate(data, weights)
        difference = expectation(evaluations, self.scale) - self._targets(data)
        return float((difference**2).mean())

    def run(self, rounds: int, report: Callable[[int, float, float], None] | None = None) -> None:
        """Run the fit.

        :param report: called from time to time with the round, the training error and the held-out
            error.
        """
        import numpy as np

        data = self.training
        targets = self._targets(data)
        adam = Adam(self.weights)
        for number in range(1, rounds + 1):
            evaluations, late = self.evaluate(data, self.weights)
            expected = expectation(evaluations, self.scale)
            slope = 2 * (expected - targets) * expected * (1 - expected) * self.scale
            gradient = np.stack(
                [
                    np.bincount(
                        data.columns, data.values * (slope * share)[data.rows], len(self.features)
                    )
                    for share in (data.early, late)
                ],
                axis=1,
            )
            gradient += 2 * self.hold * (self.weights - self.start)
            gradient *= self.free
            self.weights += adam.change(gradient, STEP * (1 - (number - 1) / rounds))
            if report and (number % 20 == 0 or number == rounds):
                report(
                    number,
                    self.error(self.training, self.weights),
                    self.error(self.held_out, self.weights),
                )

    def table(self) -> Table:
        """The weights, rounded."""
        found: dict[str, list[tuple[int, int]]] = {}
        for (name, _), (middlegame, endgame) in zip(self.features, self.weights, strict=True):
            found.setdefault(name, []).append((round(middlegame), round(endgame)))
        return {name: tuple(pairs) for name, pairs in found.items()}

    def _targets(self, data: Data) -> Vector:
        return (1 - self.blend) * data.results + self.blend * expectation(data.scores, self.scale)

    def _fit_scale(self) -> float:
        """The scale with the least error against plain results, for the weights at the start."""
        evaluations, _ = self.evaluate(self.training, self.start)

        def error(scale: float) -> float:
            difference = expectation(evaluations, scale) - self.training.results
            return float((difference**2).mean())

        low, high = 0.0005, 0.02
        while high - low > 1e-6:  # the minimum is between them: keep the better two thirds
            third = (high - low) / 3
            if error(low + third) < error(high - third):
                high -= third
            else:
                low += third
        return (low + high) / 2


def check_orientation(weights: Weights) -> None:
    """Make sure that no table is mirrored.

    :raises ValueError: with the name of the first wrong table.
    """

    def mean(name: str, half: int, places: range) -> float:
        return sum(weights[name][place][half] for place in places) / len(places)

    def row(rank: int) -> range:
        """The indices of a rank (1 to 8) in a table of squares, which begins with a8."""
        return range(64 - 8 * rank, 72 - 8 * rank)

    for least, more in ((0, 1), (1, 3), (2, 3), (3, 4)):  # pawn < knight, bishop < rook < queen
        for half in (0, 1):
            if weights["material"][least][half] >= weights["material"][more][half]:
                raise ValueError("material is out of order")
    if mean("pawn_square", 1, row(7)) <= mean("pawn_square", 1, row(2)):
        raise ValueError("pawn_square is mirrored: the seventh rank should be better")
    if mean("king_square", 1, row(6)) <= mean("king_square", 1, row(3)):
        raise ValueError("king_square is mirrored: in the endgame the king should go forward")
    if weights["passed_pawn"][6][1] <= weights["passed_pawn"][1][1]:
        raise ValueError("passed_pawn is mirrored: the seventh rank should be better")
    for piece in ("knight", "bishop", "rook", "queen"):
        table = weights[f"{piece}_mobility"]
        if sum(table[1]) >= sum(table[len(table) * 2 // 3]):
            raise ValueError(f"{piece}_mobility is mirrored: more squares should be better")
    if weights["king_danger"][30][0] <= weights["king_danger"][0][0]:
        raise ValueError("king_danger is mirrored: more attackers should be better")


def render(weights: Weights, provenance: str) -> str:
    """The text of `uci_engine/eval/weights.py`."""
    lines = [
        '"""The weights of the evaluation: data only, written by `python -m halbzug.tuning.tune`.',
        "",
        *provenance.strip().splitlines(),
        "",
        "Pairs are (middlegame, endgame) in centipawns, seen by the side they belong to. Tables of",
        "squares begin with a8; tables by rank with the own back rank; mobility with no square to",
        "go to. `shelter` has the ranks of the guarding pawn (0: none) on the files beside the",
        "king, then on its own. Tables of pawns with 16 places begin anew for those that an enemy",
        "pawn opposes. `material` goes from pawn to king; other tables by piece begin with none.",
        "Pairs are in the order of `halbzug.eval.tables`. Groups are what people are shown.",
        '"""',
        "",
        "# fmt: off",
        "GROUPS: dict[str, dict[str, tuple[tuple[int, int], ...]]] = {",
    ]
    for group, names in GROUPS.items():
        lines.append(f'    "{group}": {{')
        for name in names:
            lines += _render_table(name, weights[name])
        lines.append("    },")
    lines += ["}", "# fmt: on", "", "#: The same without groups."]
    lines += [
        "WEIGHTS = {name: table for group in GROUPS.values() for name, table in group.items()}"
    ]
    return "\n".join([*lines, ""])


def _render_table(name: str, table: Sequence[tuple[int, int]]) -> list[str]:
    cells = [f"({middlegame}, {endgame})," for middlegame, endgame in table]
    if len(cells) == 1:
        return [f'        "{name}": ({cells[0]}),']
    indent, row = 12, 7
    if name.endswith("_square"):
        indent, row = 9, 8
        cells = [cell.replace(" ", "").rjust(9) for cell in cells]
    rows = [
        " " * indent + " ".join(cells[first : first + row]) for first in range(0, len(cells), row)
    ]
    return [f'        "{name}": (', *rows, "        ),"]


def read(files: Iterable[Path]) -> list[Sample]:
    """All samples; games of different files get different numbers."""
    samples: list[Sample] = []
    for path in files:
        offset = max((sample.game for sample in samples), default=0)
        for line in path.read_text(encoding="utf-8").splitlines():
            sample = Sample.parse(line)
            samples.append(Sample(sample.fen, sample.game + offset, sample.result, sample.score))
    return samples


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit and write."""
    parser = command_parser("halbzug.tuning.tune", __doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--rounds", type=int, default=120)
    parser.add_argument("--blend", type=float, default=0.0, help="the search's part of the target")
    parser.add_argument(
        "--hold", type=float, default=1e-3, help="how strongly to stay at the start"
    )
    parser.add_argument("--note", default="", help="a sentence for the provenance")
    default = Path(weights_module.__file__)
    parser.add_argument("--output", type=Path, default=default, help="default: %(default)s")
    options = parser.parse_args(arguments)

    samples = read(options.files)
    data = extract(samples, lambda done: print(f"\rcounting: {done}", end="", flush=True))
    fit = Fit(data, WEIGHTS, options.blend, options.hold)
    before = fit.error(fit.held_out, fit.start)
    print(f"\nscale {fit.scale:.6f}, held-out error {before:.6f}")
    fit.run(
        options.rounds,
        lambda number, training, held_out: print(f"{number}: {training:.6f} {held_out:.6f}"),
    )
    weights = fit.table()
    # Fitted, so that no other weight takes its part; but games want less of it than positions do.
    weights["tempo"] = WEIGHTS["tempo"]
    check_orientation(weights)
    import numpy as np

    rounded = np.array([weights[name][index] for name, index in fit.features], dtype=float)
    after = fit.error(fit.held_out, rounded)
    games = len({sample.game for sample in samples})
    provenance = (
        f"Tuned on {datetime.date.today()} on {len(samples)} quiet positions of {games} games.\n"
        f"{options.note or 'Targets as the files have them.'}\n"
        f"{options.rounds} rounds, blend {options.blend:g}, hold {options.hold:g}; sigmoid scale"
        f" {fit.scale:.5f} a centipawn.\n"
        f"Mean squared error on held-out games: {before:.5f} before, {after:.5f} after."
    )
    write_whole(options.output, render(weights, provenance))
    print(f"held-out error {before:.6f} -> {after:.6f}; wrote {options.output}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Checks the moves of a repertoire with a UCI engine, and saves its scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ..base.whole_file import Claim
from ..books import checker
from ..books.builder import pgn_files, refuse_to_replace
from ..books.checker import (
    MAX_LOSS,
    WORST_FOR_BLACK,
    WORST_FOR_WHITE,
    BookVerdict,
    CheckReport,
    Scores,
)
from ..client.blocking import BlockingClient


@dataclass(frozen=True)
class BookCheck:
    """The result of checking a repertoire."""

    engine: str
    report: CheckReport
    scores: Scores  # of the positions in this repertoire

    def greatest_losses(self, number: int) -> list[BookVerdict]:
        """The moves that lose most compared with the score before them."""
        return sorted(self.report.verdicts, key=lambda verdict: -verdict.loss)[:number]

    def text(self) -> str:
        """All figures as a Markdown list."""
        result = self.report
        nodes = Counter(score.nodes for score in self.scores.values())
        searched = ", ".join(
            f"{number} with {size} nodes" for size, number in sorted(nodes.items())
        )
        rows = [
            ("engine", f"{self.engine}, 1 thread, the table cleared before each position"),
            ("positions judged", f"{result.positions}: {searched}"),
            ("positions with a book move", result.positions_with_move),
            ("book moves", result.moves),
            ("deepest book move", f"half-move {result.deepest + 1}"),
            ("bound for White", f"{WORST_FOR_WHITE / 100:+.2f} after each of its moves"),
            ("worst for White", result.worst.get(True, "-")),
            ("bound for Black", f"{WORST_FOR_BLACK / 100:+.2f} after each of its moves"),
            ("worst for Black", result.worst.get(False, "-")),
            ("bound for the loss", f"{MAX_LOSS / 100:.2f} against the score before the move"),
            ("greatest loss", f"{max((v.loss for v in result.verdicts), default=0) / 100:.2f}"),
            ("moves outside the bounds", len(result.failed)),
        ]
        return "".join(f"- {name}: {value}\n" for name, value in rows)

    def json(self, losses: int) -> dict[str, object]:
        """The same as data; scores in centipawns from the side that moved.

        :param losses: the number of worst moves to list.
        """
        result = self.report
        worst = [result.worst.get(color) for color in (True, False)]
        return {
            "engine": self.engine,
            "positions": result.positions,
            "positions_with_move": result.positions_with_move,
            "moves": result.moves,
            "deepest_ply": result.deepest + 1,
            "nodes": sorted({score.nodes for score in self.scores.values()}),
            "bounds": {"white": WORST_FOR_WHITE, "black": WORST_FOR_BLACK, "loss": MAX_LOSS},
            "worst": dict(zip(("white", "black"), map(_verdict_json, worst), strict=True)),
            "outside": [_verdict_json(verdict) for verdict in result.failed],
            "losses": [_verdict_json(verdict) for verdict in self.greatest_losses(losses)],
        }


def _verdict_json(verdict: BookVerdict | None) -> dict[str, object] | None:
    if verdict is None:
        return None
    return {
        "epd": verdict.epd,
        "move": verdict.san,
        "score": verdict.score,
        "loss": verdict.loss,
    }


def refuse_outputs(sources: Sequence[Path], scores: Path, report: Path | None) -> None:
    """Make sure that no input file is overwritten.

    :raises ValueError: if an output is also an input.
    """
    files = pgn_files(sources)
    refuse_to_replace(scores, files)
    if report:
        refuse_to_replace(report, [*files, scores])


def check_book(
    sources: Sequence[Path],
    scores: Path,
    engine: str,
    nodes: int | None,
    advance: Callable[[int, int], None],
) -> BookCheck:
    """Have an engine judge every position of a repertoire.

    :param sources: PGN files, or folders of them.
    :param scores: EPD file: known scores are read from it, and new ones added.
    :param engine: the command of a UCI engine.
    :param nodes: for each position; known scores with at least as many nodes are kept.
    :param advance: called with the number of judged positions and the total.
    :raises ValueError: if a file cannot be used.
    :raises UciError: if the engine fails.
    :raises WriteError: if another process writes the scores.
    """
    client = BlockingClient(engine, [engine], preferred=checker.OPTIONS)
    judge = checker.BookJudge(client, client.id.get("name", engine), nodes or checker.NODES)
    with closing(client), Claim(scores):
        known = checker.read_scores(scores)
        try:
            judged = checker.score_source(sources, judge, known, advance)
        finally:  # this may be hours of work, and the file also has scores from other sources
            checker.write_scores(scores, known)
    with TemporaryDirectory() as folder:
        result = checker.check_source(sources, judged, Path(folder) / "checked.bin")
    return BookCheck(judge.name, result, judged)

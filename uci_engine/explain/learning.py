"""A run of learning from self-play: how it continues, and how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.language import local, say
from ..display.document import Part, Remark
from ..display.progress import progress_shown
from ..display.sheet import Column, Sheet, Tone, show_text
from ..teaching.self_play.batched_puct import BatchedPuct
from ..teaching.self_play.exam import EXAM_POSITIONS, Exam
from ..teaching.self_play.learner import Learner, LearnerSettings
from ..teaching.self_play.line_game import game_title
from ..teaching.self_play.policy_value_net import softmax
from ..teaching.self_play.solved_table import solved
from .plotting import load_matplotlib

if TYPE_CHECKING:
    from .plot import Plot

#: Processor time between two examinations, and so between two rows of the table, in seconds.
EXAM_SECONDS = 20

#: The names of values.
_RESULTS = {-1: "lost", 0: "drawn", 1: "won"}


class Learning:
    """A run, kept in a file.

    :param path: of the file; if it exists already, the run continues.
    :param game: that a new run learns, one of `LINE_GAMES`; of an old one its own, or nothing.
    :param seed: of a new run; of an old one its own, or nothing.
    :param positions: of each examination.
    :raises ValueError: if there is no such game, or the file contains another run, or none.
    :raises OSError: if the file cannot be read.
    """

    def __init__(
        self,
        path: Path,
        game: str | None = None,
        seed: int | None = None,
        positions: int = EXAM_POSITIONS,
    ) -> None:
        self.path = path
        if path.exists():
            self.learner = Learner.load(path)
            kept = self.learner.settings
            for name, asked, known in (("game", game, kept.game), ("seed", seed, kept.seed)):
                if asked not in (None, known):
                    raise ValueError(f"{path.name} is a run with {name} {known}, not {asked}")
        else:
            usual = LearnerSettings()
            seed = usual.seed if seed is None else seed
            self.learner = Learner(LearnerSettings(game or usual.game, seed))
        self._exam = Exam(self.learner.settings.game, positions)

    def learn(
        self,
        minutes: float,
        tell: Callable[[str], object] | None = None,
        plot: tuple[Path, Sequence[Learning]] | None = None,
    ) -> None:
        """Learn until the whole run has taken this long; save it at each examination.

        :param minutes: processor time.
        :param tell: is called with the head of the table and each row, as text.
        :param plot: a file that is drawn again at each examination, and runs to draw beside this.
        :raises OSError: if a file cannot be written.
        :raises ImportError: if there is something to plot, and matplotlib is missing.
        """
        learner = self.learner
        if tell:
            tell(say(_HEAD))
        if not learner.log:
            with progress_shown(None, say("First examination"), 2) as report:
                learner.baselines = self._exam.baselines(learner.settings.simulations)
                report(1, 2)
                self._examine(tell, plot)
        total = round(60 * minutes)
        with progress_shown(None, say("Processor time (s)"), total) as report:
            while learner.seconds < 60 * minutes:
                due = min(learner.log[-1]["seconds"] + EXAM_SECONDS, 60 * minutes)
                while learner.seconds < due:
                    learner.play_round()
                    report(round(learner.seconds), total)
                self._examine(tell, plot)
        if plot:
            self.plot(*plot[1]).save(plot[0])

    def _examine(
        self,
        tell: Callable[[str], object] | None,
        plot: tuple[Path, Sequence[Learning]] | None,
    ) -> None:
        row = self._exam.examine(self.learner)
        self.learner.note(row)
        self.learner.save(self.path)
        if tell:
            tell(_line(row))
        if plot:
            self.plot(*plot[1]).save(plot[0])

    def judged(self, moves: str = "") -> Sheet:
        """What the network and the search think of a position, compared with the truth.

        :param moves: that lead there, as columns (1) or squares (a1), with spaces between them.
        :raises ValueError: if one of them is not possible, or the game is over.
        """
        game, net = self.learner.game, self.learner.net
        boards = game.read(moves)
        search = BatchedPuct(game, net.judge, boards, self.learner.settings.simulations)
        search.run()
        legal = game.legal(boards)
        policy = softmax(np.where(legal, net.judge(game.inputs(boards))[0], -np.inf))[0]
        truth = solved(self.learner.settings.game).move_values(boards)[0]
        titles = Column("Policy", True), Column(say("Visits"), True), Column(say("In truth"))
        sheet = Sheet((Column(say("Move")), *titles))
        for move in map(int, np.flatnonzero(legal[0])):
            counts = local(f"{policy[move]:.0%}"), f"{search.visits[0, 0, move]:.0f}"
            tone: Tone = "strong" if truth[move] == truth.max() else "plain"
            sheet.add(game.move_name(move), *counts, say(_RESULTS[int(truth[move])]), tone=tone)
        return sheet

    def plot(self, *others: Learning) -> Plot:
        """The curve: how often a best move is chosen, over the minutes.

        :param others: runs of the same game that are drawn, too.
        :raises ImportError: if matplotlib is missing.
        """
        load_matplotlib()
        from .learning_plot import draw_learning

        return draw_learning([one.learner for one in (self, *others)])

    def document(self) -> Iterator[Part]:
        """The last examination, beside the players without a network."""
        learner = self.learner
        settings = learner.settings
        game = game_title(settings.game)
        title = "How often a best move is chosen: {game} (seed {seed})"
        yield Remark(say(title, game=game, seed=settings.seed), "strong")
        last = learner.log[-1]
        number = settings.simulations
        sheet = Sheet((Column(say("Player")), Column(say("Positions"), True)))
        sheet.add(say("a random mover"), _percent(learner.baselines["chance"]))
        sheet.add(say("UCT, {number} playouts", number=number), _percent(learner.baselines["uct"]))
        sheet.add(say("the policy alone"), _percent(last["policy"]))
        puct = say("PUCT, {number} simulations", number=number)
        sheet.add(puct, _percent(last["puct"]), tone="strong")
        yield sheet
        yield say(
            "In {exam:,} positions in which a move can give value away. Learned for {minutes:.1f} "
            "minutes of processor time, from {games:,} games with {positions:,} positions.",
            exam=len(self._exam.boards.own),
            minutes=last["seconds"] / 60,
            games=last["games"],
            positions=last["positions"],
        )

    def as_json(self) -> dict[str, Any]:
        """The same for programs; shares are from 0 to 1."""
        learner = self.learner
        return {
            "game": learner.settings.game,
            "seed": learner.settings.seed,
            "simulations": learner.settings.simulations,
            "exam_positions": len(self._exam.boards.own),
            "baselines": learner.baselines,
            "log": learner.log,
        }

    def __str__(self) -> str:
        return "\n".join([say(_HEAD), *map(_line, self.learner.log)])

    def __repr__(self) -> str:
        return f"<Learning {self.learner.settings.game}, {self.learner.seconds / 60:.1f} minutes>"

    _repr_pretty_ = show_text


#: The head of the table that grows while a run learns.
_HEAD = "Minutes    Games  Policy    PUCT   Arena  Losses"


def _line(row: dict[str, Any]) -> str:
    """A row of the log, below `_HEAD`."""
    shares = " ".join(f"{_percent(row[name]):>7}" for name in ("policy", "puct", "arena"))
    losses = " + ".join(f"{loss:.2f}" for loss in row["losses"])
    start = f"{row['seconds'] / 60:7.1f} {row['games']:8,} "
    return local(start) + shares + "  " + local(losses)


def _percent(share: float) -> str:
    return local(f"{share:.1%}")

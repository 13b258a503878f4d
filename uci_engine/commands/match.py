"""`kiebitz match`: two engines play a match in colour-swapped pairs, and an SPRT may end it.

This is the proving ground for changes of search and evaluation: two builds or two sets of options,
the same openings for both, fixed nodes (free of noise) or a clock. python-chess's `chess.engine`
is the client, so any UCI engine can play.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from uci_engine.commands.statistics import Sprt, judge

if TYPE_CHECKING:
    import chess
    import chess.engine
    import chess.pgn

#: Plies after which a game is called a draw: nobody makes progress any more.
LONGEST_GAME = 400

#: How much an engine may overstep its clock before it forfeits, in seconds.
TIME_MARGIN_SECONDS = 0.0


@dataclass(frozen=True)
class TimeControl:
    """How long engines may think: a clock, or a fixed number of nodes a move."""

    base_seconds: float = 0.0
    increment_seconds: float = 0.0
    nodes: int | None = None

    def __str__(self) -> str:
        if self.nodes:
            return f"{self.nodes} nodes"
        return f"{self.base_seconds:g}+{self.increment_seconds:g}"


@dataclass
class Player:
    """One engine of the match, with its process."""

    name: str
    command: list[str]
    options: dict[str, str]
    engine: chess.engine.SimpleEngine | None = None
    forfeits: int = 0
    longest_overstep_seconds: float = field(default=0.0)

    def start(self) -> chess.engine.SimpleEngine:
        """The running engine, started if need be."""
        import chess.engine

        if self.engine is None:
            self.engine = chess.engine.SimpleEngine.popen_uci(self.command, timeout=30)
            self.engine.configure(self.options)
        return self.engine

    def stop(self) -> None:
        """End the process."""
        import chess.engine

        if self.engine is not None:
            try:
                self.engine.quit()
            except (chess.engine.EngineError, TimeoutError):
                self.engine.close()
            self.engine = None


@dataclass(frozen=True)
class GameEnd:
    """How a game ended: the result as PGN writes it, and why."""

    result: str
    reason: str

    @property
    def white_score(self) -> float:
        """Points for White."""
        return {"1-0": 1.0, "0-1": 0.0}.get(self.result, 0.5)


def read_openings(path: Path) -> list[str]:
    """The positions of an EPD or FEN file, one a line.

    :raises click.ClickException: if the file cannot be read or a line is no position.
    """
    import chess

    fens = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise click.ClickException(f"cannot read {path}: {error}") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                board = chess.Board.empty()
                board.set_epd(" ".join(line.split(" ")[:4]))
            except ValueError as error:
                raise click.ClickException(f"{path}, line {number}: {error}") from None
            fens.append(board.fen())
    if not fens:
        raise click.ClickException(f"{path} holds no position")
    return fens


def play_game(
    white: Player, black: Player, fen: str, control: TimeControl, game: chess.pgn.Game
) -> GameEnd:
    """Play one game and record its moves in `game`; who fails to answer properly loses."""
    import time

    import chess
    import chess.engine

    board = chess.Board(fen)
    node: chess.pgn.GameNode = game
    clocks = {chess.WHITE: control.base_seconds, chess.BLACK: control.base_seconds}
    for _ in range(LONGEST_GAME):
        outcome = board.outcome(claim_draw=True)
        if outcome:
            return GameEnd(outcome.result(), outcome.termination.name.lower().replace("_", " "))
        player = white if board.turn else black
        lost = "0-1" if board.turn else "1-0"
        limit = chess.engine.Limit(
            white_clock=clocks[True],
            black_clock=clocks[False],
            white_inc=control.increment_seconds,
            black_inc=control.increment_seconds,
        )
        if control.nodes:
            limit = chess.engine.Limit(nodes=control.nodes)
        began = time.perf_counter()
        try:
            played = player.start().play(board, limit, game=game, info=chess.engine.INFO_SCORE)
        except (chess.engine.EngineError, TimeoutError) as error:
            player.forfeits += 1
            player.stop()
            return GameEnd(lost, f"{player.name} failed: {error}")
        taken = time.perf_counter() - began
        if played.move is None or played.move not in board.legal_moves:
            player.forfeits += 1
            return GameEnd(lost, f"{player.name} made no legal move")
        if not control.nodes:
            clocks[board.turn] -= taken
            if clocks[board.turn] < -TIME_MARGIN_SECONDS:
                player.forfeits += 1
                player.longest_overstep_seconds = max(
                    player.longest_overstep_seconds, -clocks[board.turn]
                )
                return GameEnd(lost, f"{player.name} forfeits on time")
            clocks[board.turn] += control.increment_seconds
        score = played.info.get("score")
        node = node.add_variation(played.move)
        node.comment = f"{score.relative if score else '?'} {taken:.3f}s"
        board.push(played.move)
    return GameEnd("1/2-1/2", "no end in sight")


def pairings(openings: list[str], seed: int) -> Iterator[str]:
    """Openings in random order, for ever; the same order for the same seed."""
    import random

    order = list(openings)
    generator = random.Random(seed)
    while True:
        generator.shuffle(order)
        yield from order


@dataclass
class Match:
    """A match and its score, from the first player's view."""

    players: tuple[Player, Player]
    control: TimeControl
    sprt: Sprt | None
    pgn: Path | None
    pentanomial: list[int] = field(default_factory=lambda: [0] * 5)
    results: list[int] = field(default_factory=lambda: [0] * 3)  # losses, draws, wins
    games: int = 0

    def play_pair(self, fen: str) -> None:
        """Two games from one opening, colours swapped."""
        first, second = self.players
        points = self._play(first, second, fen) + (1 - self._play(second, first, fen))
        self.pentanomial[round(2 * points)] += 1

    def _play(self, white: Player, black: Player, fen: str) -> float:
        import chess.pgn

        self.games += 1
        game = chess.pgn.Game()
        game.setup(fen)
        game.headers.update(
            Event="kiebitz match",
            Round=str(self.games),
            White=white.name,
            Black=black.name,
            TimeControl=str(self.control),
        )
        end = play_game(white, black, fen, self.control, game)
        game.headers["Result"] = end.result
        game.headers["Termination"] = end.reason
        if self.pgn:
            with self.pgn.open("a", encoding="utf-8") as file:
                print(game, file=file, end="\n\n")
        score = end.white_score
        self.results[round(2 * (score if white is self.players[0] else 1 - score))] += 1
        return score

    def summary(self) -> str:
        """The state of the match in one line."""
        verdict = judge(self.pentanomial)
        losses, draws, wins = self.results
        first, second = self.players
        text = (
            f"{first.name} - {second.name}: +{wins} ={draws} -{losses} of {self.games}, "
            f"Elo {verdict.elo:+.1f} +/- {verdict.error:.1f}, "
            f"LOS {100 * verdict.superiority:.0f} %, pairs {self.pentanomial}"
        )
        if self.sprt:
            ratio = self.sprt.log_likelihood_ratio(self.pentanomial)
            text += f", LLR {ratio:+.2f} ({self.sprt.lower:.2f}, {self.sprt.upper:.2f})"
        if first.forfeits or second.forfeits:
            text += f", forfeits {first.forfeits}:{second.forfeits}"
        return text


def parse_engine(text: str, number: int) -> Player:
    """An engine from its command line: `NAME=COMMAND ARGS; Option=Value; ...`.

    :raises click.ClickException: if there is no command in it.
    """
    command, *settings = [part.strip() for part in text.split(";")]
    name, separator, rest = command.partition("=")
    if not separator or " " in name or "/" in name:
        name, rest = "", command
    words = shlex.split(rest)
    if not words:
        raise click.ClickException(f"no command in {text!r}")
    options = {}
    for setting in filter(None, settings):
        key, separator, value = setting.partition("=")
        if not separator:
            raise click.ClickException(f"not Option=Value: {setting!r}")
        options[key.strip()] = value.strip()
    return Player(name or f"{Path(words[0]).name}-{number}", words, options)


def parse_time_control(tc: str | None, nodes: int | None) -> TimeControl:
    """`SECONDS+INCREMENT`, or a number of nodes.

    :raises click.ClickException: if it is neither.
    """
    if nodes:
        return TimeControl(nodes=nodes)
    base, _, increment = (tc or "10+0.1").partition("+")
    try:
        control = TimeControl(float(base), float(increment or 0))
    except ValueError:
        raise click.ClickException(f"not a time control: {tc}") from None
    if control.base_seconds <= 0 or control.increment_seconds < 0:
        raise click.ClickException(f"not a time control: {tc}")
    return control


@click.command()
@click.option(
    "-e",
    "--engine",
    "engines",
    multiple=True,
    required=True,
    metavar="COMMAND",
    help="An engine: [NAME=]COMMAND[; Option=Value...]; give it twice.",
)
@click.option(
    "--openings",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="EPD or FEN file with the openings.",
)
@click.option("--games", default=100, show_default=True, help="Games at most; they come in pairs.")
@click.option("--tc", metavar="SECONDS+INCREMENT", help="Clock of each side. [default: 10+0.1]")
@click.option("--nodes", type=click.IntRange(1), help="Nodes a move instead of a clock.")
@click.option(
    "--sprt",
    nargs=2,
    type=float,
    metavar="ELO0 ELO1",
    help="Stop when one of the two hypotheses is accepted (alpha = beta = 0.05).",
)
@click.option("--seed", default=1, show_default=True, help="Order of the openings.")
@click.option("--pgn", type=click.Path(path_type=Path, dir_okay=False), help="Append games here.")
def match(
    engines: tuple[str, ...],
    openings: Path,
    games: int,
    tc: str | None,
    nodes: int | None,
    sprt: tuple[float, float] | None,
    seed: int,
    pgn: Path | None,
) -> None:
    r"""Let two engines play a match in colour-swapped pairs.

    \b
    kiebitz match -e new="kiebitz" -e old="/old/bin/kiebitz; Hash=64" \\
        --openings openings.epd --nodes 20000 --games 1000 --sprt 0 10
    """
    if len(engines) != 2:
        raise click.ClickException("a match needs two engines")
    players = (parse_engine(engines[0], 1), parse_engine(engines[1], 2))
    control = parse_time_control(tc, nodes)
    test = Sprt(*sprt) if sprt else None
    fens = read_openings(openings)
    run = Match(players, control, test, pgn)
    try:
        for player in players:
            _start(player)
        order = pairings(fens, seed)
        while run.games < games and not (test and test.verdict(run.pentanomial)):
            run.play_pair(next(order))
            if run.games % 20 == 0:
                click.echo(run.summary())
    finally:
        for player in players:
            player.stop()
    click.echo(run.summary())
    if test:
        meaning = {"H1": "H1 accepted: a gain", "H0": "H0 accepted: no gain", None: "undecided"}
        click.echo(f"SPRT {test.elo0:g} .. {test.elo1:g}: {meaning[test.verdict(run.pentanomial)]}")


def _start(player: Player) -> None:
    import chess.engine

    try:
        player.start()
    except (OSError, TimeoutError, chess.engine.EngineError) as error:
        raise click.ClickException(f"{player.name} does not start: {error}") from None

"""`kiebitz play`: a game in the terminal against the engine."""

from __future__ import annotations

import random
import re
import time
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from uci_engine.events import EXACT, BestMove, Event, Info, Notice
from uci_engine.game_end import GameEnd, lost, natural_end
from uci_engine.handicap import STRONGEST_ELO, WEAKEST_ELO

if TYPE_CHECKING:
    import chess

    from uci_engine.clock import Limits
    from uci_engine.commands.terminal import PlainConsole
    from uci_engine.engine import Engine

#: How long the engine thinks about a move without a clock, and about a hint, in seconds.
USUAL_SECONDS = 1.0
HINT_SECONDS = 1.0

#: Before this move of the game the engine agrees to no draw.
YOUNG_MOVES = 20

#: Where games go if nothing else is asked for.
USUAL_PGN = "kiebitz-games.pgn"

EXAMPLES = """\b
Examples:
  kiebitz play
  kiebitz play --black --clock 5+3
  kiebitz play --elo 1200
  kiebitz play --chess960
  kiebitz play --fen "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
"""

HELP = """\
A move in algebraic notation (Nf3, exd5, O-O, e8=Q) or in coordinates (g1f3, e7e8q), or
  back      take back your last move        hint      what the engine would play for you
  moves     the legal moves                 score     the game so far
  flip      turn the board                  fen       the position as text
  draw      offer a draw                    resign    give up
  quit      stop here; the game is saved    help      this list\
"""

_CASTLING = {"0-0": "O-O", "o-o": "O-O", "0-0-0": "O-O-O", "o-o-o": "O-O-O"}
_DECORATION = re.compile(r"^\d+\s*\.+\s*|[!?+#]+$|\s*e\.p\.$")


@dataclass(frozen=True)
class TimeControl:
    """A clock: minutes for the game and seconds more with each move."""

    minutes: float
    increment_seconds: float = 0.0

    def __str__(self) -> str:
        return f"{60 * self.minutes:g}+{self.increment_seconds:g}"  # as PGN writes it


def _read_clock(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> TimeControl | None:
    """:raises click.BadParameter: if it is no `MINUTES+SECONDS`."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,4}(?:\.\d+)?)(?:\+(\d{1,4}(?:\.\d+)?))?", text)
    if match is None or float(match[1]) == 0:
        raise click.BadParameter(f"{text} is not MINUTES+SECONDS, such as 5+3.")
    return TimeControl(float(match[1]), float(match[2] or 0))


def _read_start(context: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    """The number of a Chess960 start position.

    :raises click.BadParameter: if there is no such position.
    """
    if text == "random":
        return random.randrange(960)
    if text is not None and (not text.isdecimal() or int(text) > 959):
        raise click.BadParameter(f"{text} is not a number from 0 to 959.")
    return None if text is None else int(text)


@click.command(epilog=EXAMPLES)
@click.option("--white", "color", flag_value="white", default=True, help="You play White (usual).")
@click.option("--black", "color", flag_value="black", help="You play Black.")
@click.option("--random", "color", flag_value="random", help="Chance decides.")
@click.option(
    "--elo",
    type=click.IntRange(WEAKEST_ELO, STRONGEST_ELO),
    metavar="ELO",
    help=f"How strong Kiebitz plays, {WEAKEST_ELO} to {STRONGEST_ELO}; as well as it can without.",
)
@click.option("--clock", callback=_read_clock, metavar="MINUTES+SECONDS", help="Play with a clock.")
@click.option(
    "-t",
    "--time",
    "seconds",
    type=click.FloatRange(0.01, 3600),
    default=USUAL_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How long the engine thinks without a clock.",
)
@click.option("--fen", help="Start from this position.")
@click.option(
    "--chess960",
    callback=_read_start,
    is_flag=False,
    flag_value="random",
    metavar="[NUMBER]",
    help="Start from a position of Chess960: any, or number 0 to 959.",
)
@click.option("--name", default="You", metavar="NAME", help="Your name in the saved game.")
@click.option(
    "--pgn",
    type=click.Path(dir_okay=False, path_type=Path),
    default=USUAL_PGN,
    show_default=True,
    metavar="FILE",
    help="Append the game to this file.",
)
def play(
    color: str,
    elo: int | None,
    clock: TimeControl | None,
    seconds: float,
    fen: str | None,
    chess960: int | None,
    name: str,
    pgn: Path,
) -> None:
    """Play a game against Kiebitz in the terminal.

    You type moves as in a newspaper (Nf3, exd5, O-O) or as coordinates (g1f3); `help` lists what
    else you can type: take back, hint, draw, resign. The game is saved as PGN when it ends, also
    when you leave it.
    """
    from uci_engine.commands.terminal import PlainConsole

    if fen and chess960 is not None:
        raise click.UsageError("--fen and --chess960 exclude each other")
    board = _start_board(fen, chess960)
    human = random.random() < 0.5 if color == "random" else color == "white"
    _check_writable(pgn)
    opponent = _Opponent(seconds, elo)
    try:
        sitting = _Sitting(board, human, opponent, clock, name, PlainConsole())
        sitting.run(pgn)
    finally:
        opponent.close()


def _start_board(fen: str | None, chess960: int | None) -> chess.Board:
    """:raises click.ClickException: if the position cannot be played."""
    import chess

    from uci_engine.analysis.positions import Subject, read_record

    if chess960 is not None:
        return chess.Board.from_chess960_pos(chess960)
    if fen is None:
        return chess.Board()
    item = read_record(fen)
    if not isinstance(item, Subject):
        raise click.ClickException(item.message)
    if item.board.is_game_over():
        raise click.ClickException("the game is over in this position")
    return item.board


def _check_writable(path: Path) -> None:
    """Rather now than after the game.

    :raises click.ClickException: if the game could not be saved.
    """
    try:
        with path.open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror}") from None


class _Opponent:
    """The engine, as a player and as an adviser."""

    def __init__(self, seconds: float, elo: int | None) -> None:
        from uci_engine.engine import Engine

        self.name = "Kiebitz"
        self.elo = elo  # None: full strength
        self.notice = ""
        self.score: int | None = None  # of its last move, in centipawns, as it sees it
        self._seconds = seconds
        self._engine: Engine = Engine(emit=self._hear)
        if elo is not None:
            self._engine.limits_strength = True
            self._engine.elo = elo
        while not self._engine.is_ready:
            self._engine.handle_next()
        if self._engine.worker_pid is None:
            raise click.ClickException("Kiebitz cannot start its search process")

    def choose(self, board: chess.Board, clock: _GameClock | None) -> chess.Move:
        """Its move in a position of the game."""
        self._engine.uses_book = True
        self._engine.is_analysing = False
        best = self._ask(board, clock.limits() if clock else self._limits(self._seconds))
        return board.parse_uci(best.move or "0000")

    def advise(self, board: chess.Board) -> tuple[chess.Move, int]:
        """The best move for the other side at full strength, and its score."""
        then = self.score
        self._engine.uses_book = False
        self._engine.is_analysing = True
        best = self._ask(board, self._limits(HINT_SECONDS))
        score, self.score = self.score or 0, then
        return board.parse_uci(best.move or "0000"), score

    def accepts_draw(self, board: chess.Board) -> bool:
        """Whether it is content with half a point: the game is not young, nor it better."""
        is_young = board.fullmove_number < YOUNG_MOVES
        return not is_young and self.score is not None and self.score <= 0

    def close(self) -> None:
        """End its process."""
        self._engine.close()

    def _limits(self, seconds: float) -> Limits:
        from uci_engine.clock import Limits

        return Limits(move_time_ms=max(round(seconds * 1000), 1))

    def _ask(self, board: chess.Board, limits: Limits) -> BestMove:
        self.notice = ""
        self._engine.chess960 = board.chess960
        root = board.root().fen(shredder=board.chess960, en_passant="fen")
        self._engine.set_position(root, [move.uci() for move in board.move_stack])
        return self._engine.play(limits)

    def _hear(self, event: Event) -> None:
        if isinstance(event, Info) and event.multipv == 1 and event.bound == EXACT:
            self.score = event.score
        elif isinstance(event, Notice):
            self.notice = event.text


class _GameClock:
    """Two clocks in one box. Times are seconds."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.left = {True: 60 * control.minutes, False: 60 * control.minutes}
        self._since = time.perf_counter()

    def start(self) -> None:
        """Somebody begins to think."""
        self._since = time.perf_counter()

    def stop(self, color: bool) -> bool:
        """Somebody has moved; whether in time."""
        self.left[color] -= time.perf_counter() - self._since
        if self.left[color] <= 0:
            return False
        self.left[color] += self.control.increment_seconds
        return True

    def limits(self) -> Limits:
        """The clock as the engine wants to know it."""
        from uci_engine.clock import Limits

        increment_ms = round(1000 * self.control.increment_seconds)
        return Limits(
            white_time_ms=round(1000 * self.left[True]),
            black_time_ms=round(1000 * self.left[False]),
            white_increment_ms=increment_ms,
            black_increment_ms=increment_ms,
        )


class _Sitting:
    """One game at the board."""

    def __init__(
        self,
        board: chess.Board,
        human: bool,
        opponent: _Opponent,
        control: TimeControl | None,
        name: str,
        console: PlainConsole,
    ) -> None:
        self.board = board
        self.human = human
        self.opponent = opponent
        self.name = name
        self.console = console
        self.clock = _GameClock(control) if control else None
        self.is_flipped = not human
        self._times: list[dict[bool, float]] = []  # the clocks before each move

    def run(self, pgn: Path) -> None:
        """Play to the end, and save.

        :raises KeyboardInterrupt: passed on, after the game has been saved.
        """
        is_interrupted = False
        end = None
        self.console.print("Type your move, or help. Good luck!", style="dim")
        try:
            while end is None:
                end = natural_end(self.board) or self._turn()
        except EOFError:
            self.console.print()
        except KeyboardInterrupt:
            self.console.print()
            is_interrupted = True
        if end and end.reason:
            self._show()
            self.console.print(f"{end.result}: {end.reason}.", style="bold")
        if self.board.move_stack:
            self._save(end, pgn)
        if is_interrupted:
            raise KeyboardInterrupt

    def _turn(self) -> GameEnd | None:
        if self.clock:
            self.clock.start()
        if self.board.turn != self.human:
            with self.console.status("Kiebitz is thinking"):
                move = self.opponent.choose(self.board, self.clock)
            return self._make(move)
        self._show()
        while True:
            text = self.console.input("Your move: ").strip()
            if not text:
                continue
            action = _ACTIONS.get(text.lower())
            if action is None:
                move_or_reason = read_move(self.board, text)
                if not isinstance(move_or_reason, str):
                    return self._make(move_or_reason)
                self.console.print(move_or_reason, style="red")
                continue
            end = action(self)
            if end is not None or self.board.turn != self.human:
                return end

    def _make(self, move: chess.Move) -> GameEnd | None:
        """Make a move, if there is still time for it."""
        color = self.board.turn
        before = dict(self.clock.left) if self.clock else {}
        if self.clock and not self.clock.stop(color):
            return lost(color, "time forfeit", "loses on time")
        self._times.append(before)
        self.board.push(move)
        return None

    # -- what else one can type -------------------------------------------------------------------

    def take_back(self) -> None:
        """The last move of the human, and the engine's answer to it."""
        if len(self.board.move_stack) < 2:
            self.console.print("There is nothing to take back.", style="red")
            return
        for _ in range(2):
            self.board.pop()
            before = self._times.pop()
            if self.clock:
                self.clock.left.update(before)
        self.opponent.notice = ""
        self._show()

    def hint(self) -> None:
        """What the engine would play, and what it thinks of it."""
        from uci_engine.analysis.notation import pawns_text, san_line

        move, score = self.opponent.advise(self.board)
        text = san_line(self.board, [self.board.uci(move)])
        self.console.print(f"{text} ({pawns_text(score)} for you)", style="cyan")

    def moves(self) -> None:
        """List the legal moves."""
        self.console.print(" ".join(sorted(map(self.board.san, self.board.legal_moves))))

    def score_sheet(self) -> None:
        """Print the game so far."""
        from uci_engine.analysis.notation import san_line

        moves = [move.uci() for move in self.board.move_stack]
        self.console.print(san_line(self.board.root(), moves) or "No move yet.")

    def flip(self) -> None:
        """Turn the board."""
        self.is_flipped = not self.is_flipped
        self._show()

    def fen(self) -> None:
        """Print the position."""
        self.console.print(self.board.fen(shredder=self.board.chess960))

    def offer_draw(self) -> GameEnd | None:
        """The engine takes it unless it stands better."""
        if self.opponent.accepts_draw(self.board):
            return GameEnd("1/2-1/2", "normal", "Draw by agreement")
        self.console.print("Kiebitz would rather play on.")
        return None

    def resign(self) -> GameEnd:
        """Give up."""
        return lost(self.human, "normal", "resigns")

    def quit(self) -> GameEnd:
        """Leave the game as it stands."""
        return GameEnd("*", "unterminated", "")

    def show_help(self) -> None:
        """List what can be typed."""
        self.console.print(HELP)

    # -- looks ------------------------------------------------------------------------------------

    def _show(self) -> None:
        """The board, with the opponent above and the human below."""
        from rich.table import Table

        from uci_engine.commands.terminal import draw_board

        sheet = Table.grid(padding=(0, 3))
        sheet.add_column(no_wrap=True, min_width=26)
        sheet.add_column()
        sheet.add_row(draw_board(self.board, self.console, self.is_flipped), self._facts())
        self.console.print()
        self.console.print(sheet)

    def _facts(self) -> str:
        from uci_engine.analysis.notation import last_move_text

        lines = ["", "", "", "", "", "", "", ""]
        lower = not self.is_flipped
        for color, row in ((not lower, 0), (lower, 7)):
            name = self.name if color == self.human else self.opponent.name
            lines[row] = f"{name} ({'White' if color else 'Black'})"
            if self.clock:
                lines[row] += f"  {_clock_text(self.clock.left[color])}"
        if self.board.move_stack:
            lines[3] = f"Last move: {last_move_text(self.board)}"
            lines[4] = self.opponent.notice if self.board.turn == self.human else ""
        return "\n".join(lines)

    # -- the saved game ---------------------------------------------------------------------------

    def _save(self, end: GameEnd | None, path: Path) -> None:
        import chess.pgn

        game = chess.pgn.Game()
        game.setup(self.board.root())
        names = {self.human: self.name, not self.human: self.opponent.name}
        game.headers.update(
            Event="kiebitz play",
            Site="?",
            Date=date.today().strftime("%Y.%m.%d"),
            White=names[True],
            Black=names[False],
            Result=end.result if end else "*",
        )
        if self.opponent.elo:
            game.headers["BlackElo" if self.human else "WhiteElo"] = str(self.opponent.elo)
        if self.clock:
            game.headers["TimeControl"] = str(self.clock.control)
        game.headers["Termination"] = end.termination if end else "unterminated"
        node: chess.pgn.GameNode = game
        times = [*self._times[1:], self.clock.left if self.clock else {}]
        for move, after in zip(self.board.move_stack, times, strict=True):
            node = node.add_variation(move)
            if after:
                node.set_clock(after[not node.turn()])
        if end:
            node.comment = f"{node.comment} {end.reason}".strip()
        try:
            with path.open("a", encoding="utf-8") as file:
                print(game, file=file, end="\n\n")
        except OSError as error:
            raise click.ClickException(f"cannot write {path}: {error.strerror}") from None
        self.console.print(f"The game is in {path}.", style="dim")


_ACTIONS = {
    "back": _Sitting.take_back,
    "undo": _Sitting.take_back,
    "takeback": _Sitting.take_back,
    "hint": _Sitting.hint,
    "moves": _Sitting.moves,
    "score": _Sitting.score_sheet,
    "flip": _Sitting.flip,
    "fen": _Sitting.fen,
    "draw": _Sitting.offer_draw,
    "resign": _Sitting.resign,
    "quit": _Sitting.quit,
    "exit": _Sitting.quit,
    "help": _Sitting.show_help,
    "?": _Sitting.show_help,
}


def read_move(board: chess.Board, text: str) -> chess.Move | str:
    """A move as a person types it; if it is none, the reason in a sentence.

    Understood are algebraic notation, also with small letters for pieces, and coordinates.
    """
    import chess

    text = _DECORATION.sub("", _DECORATION.sub("", text.strip()))
    text = _CASTLING.get(text.lower(), text)
    try:
        return board.parse_san(text)
    except chess.AmbiguousMoveError:
        return f"{text} could be several moves: say from where."
    except ValueError:
        pass
    try:
        return board.parse_uci(text.lower())
    except ValueError:
        pass
    alike = [
        move
        for move in board.legal_moves
        if _DECORATION.sub("", board.san(move)).lower() == text.lower()
    ]
    if len(alike) == 1:
        return alike[0]
    return f"{text} is not a legal move here; moves lists them, help says more."


def _clock_text(seconds: float) -> str:
    seconds = max(seconds, 0.0)
    if seconds < 20:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"

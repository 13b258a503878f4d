"""A game in the terminal: reads commands, shows the board, saves the game."""

from __future__ import annotations

import contextlib
import re
import time
from datetime import date
from pathlib import Path

import chess
import chess.pgn

from ..base.language import PIECE_LETTERS, local, reader_language, say, spelled
from ..base.time_control import GameClock, TimeControl
from ..base.whole_file import STANDARD_STREAM, append_record, is_read
from ..board.epd import read_operations, read_record
from ..board.fen import fen_of
from ..board.game_end import GameEnd, lost, natural_end
from ..board.notation import last_move_text, pawns_text, san_line
from ..board.pgn import pgn_text, tag_value
from ..display.ending import undisturbed
from ..display.terminal import PlainConsole, draw_board, side_by_side
from .games_display import end_text
from .terminal_opponent import Opponent

#: The default file for games, also used if another one cannot be written.
DEFAULT_PGN = Path("halbzug-games.pgn")

HELP = """\
A move in algebraic notation (Nf3, exd5, O-O, e8=Q) or in coordinates (g1f3, e7e8q), or
  back      take back your last move        hint      what the engine would play for you
  moves     the legal moves                 score     the game so far
  flip      turn the board                  fen       the position as text
  draw      offer a draw                    resign    give up
  quit      stop here; the game is saved    help      this list\
"""

_CASTLING = {"0-0": "O-O", "o-o": "O-O", "0-0-0": "O-O-O", "o-o-o": "O-O-O"}
_BOOK_MOVE = re.compile(r"book move, (\d+%) of the book's games here")
_DECORATION = re.compile(r"^\d+\s*\.+\s*|[!?+#]+$|\s*e\.p\.$")


class SaveError(Exception):
    """Why a game cannot be saved, in one line."""


def start_board(fen: str | None, chess960: int | None) -> chess.Board:
    """The start position of the game.

    :param fen: a FEN or an EPD record, or `startpos`.
    :param chess960: the number of a Chess960 start position, instead of a FEN.
    :raises ValueError: in one line, if the position cannot be played.
    """
    if chess960 is not None:
        return chess.Board.from_chess960_pos(chess960)
    board, rest, _ = read_record(fen_of("startpos" if fen is None else fen))
    read_operations(board, rest)
    if board.is_game_over():
        raise ValueError("the game is over in this position")
    return board


def check_writable(path: Path) -> None:
    """Make sure, before the game, that it can be saved. This leaves no file behind.

    :raises SaveError: if it cannot.
    """
    if is_read(path, STANDARD_STREAM):
        raise SaveError(f"{path} is the input; choose another name for the output")
    is_new = not path.exists()
    try:
        with path.open("a", encoding="utf-8"):
            pass
        if is_new:
            path.resolve().unlink()  # a link stays
    except OSError as error:
        raise SaveError(f"cannot write {path}: {error.strerror}") from None


class TerminalGame:
    """One game in the terminal."""

    def __init__(
        self,
        board: chess.Board,
        human: bool,
        opponent: Opponent,
        control: TimeControl | None,
        name: str,
        console: PlainConsole,
    ) -> None:
        self.board = board
        self.human = human
        self.opponent = opponent
        self.name = name
        self.console = console
        self.clocks = {color: GameClock(control) for color in chess.COLORS} if control else {}
        self.is_flipped = not human
        self._began_at = 0.0  # the start of the thinking time, by time.perf_counter
        self._times: list[dict[chess.Color, float]] = []  # the clocks before each move, in seconds

    def run(self, pgn: Path) -> None:
        """Play to the end and save the game, even after an interrupt.

        :raises KeyboardInterrupt: passed on, after the game has been saved.
        :raises SaveError: if the game could not be saved in its file; it names the other place.
        """
        end = None
        self.console.print(say("Type your move, or help. Good luck!"), style="dim")
        try:
            while end is None:
                end = natural_end(self.board) or self._turn()
            if end.reason:
                self._show()
                self.console.print(f"{end.result}: {end_text(end.reason)}.", style="bold")
        except EOFError:
            self.console.print()
        finally:
            if self.board.move_stack:
                with undisturbed():
                    self._save(end, pgn)

    def _turn(self) -> GameEnd | None:
        self._began_at = time.perf_counter()
        if self.board.turn != self.human:
            with self.console.status(say("{name} is thinking", name=self.opponent.name)):
                move = self.opponent.choose(self.board, self.clocks)
            return self._make(move)
        self._show()
        while True:
            text = self.console.input(say("Your move: ")).strip()
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
        """Make a move, unless its time is up."""
        color = self.board.turn
        before = self._remaining()
        if self.clocks and self.clocks[color].press(time.perf_counter() - self._began_at):
            self.clocks[color].remaining_seconds = 0.0
            return lost(color, "time forfeit", "loses on time")
        self._times.append(before)
        self.board.push(move)
        return None

    def _remaining(self) -> dict[chess.Color, float]:
        """The remaining time on both clocks, in seconds; empty without clocks."""
        return {color: clock.remaining_seconds for color, clock in self.clocks.items()}

    # -- what else one can type -------------------------------------------------------------------

    def take_back(self) -> None:
        """Take back the human's last move and the engine's reply to it."""
        if len(self.board.move_stack) < 2:
            self.console.print(say("There is nothing to take back."), style="red")
            return
        for _ in range(2):
            self.board.pop()
            before = self._times.pop()
            for color, seconds in before.items():
                self.clocks[color].remaining_seconds = seconds
        self.opponent.notices.clear()
        self._show()

    def hint(self) -> None:
        """Print the move that the engine would play and its score."""
        move, score = self.opponent.advise(self.board)
        text = spelled(san_line(self.board, [self.board.uci(move)]))
        advice = say("{move} ({score} for you)", move=text, score=local(pawns_text(score)))
        self.console.print(advice, style="cyan")

    def moves(self) -> None:
        """List the legal moves."""
        moves = map(self.board.san, self.board.legal_moves)
        self.console.print(" ".join(sorted(map(spelled, moves))))

    def score_sheet(self) -> None:
        """Print the game so far."""
        moves = [move.uci() for move in self.board.move_stack]
        line = spelled(san_line(self.board.root(), moves))
        self.console.print(line or say("No move yet."))

    def flip(self) -> None:
        """Turn the board."""
        self.is_flipped = not self.is_flipped
        self._show()

    def fen(self) -> None:
        """Print the position."""
        self.console.print(self.board.fen(shredder=self.board.chess960))

    def offer_draw(self) -> GameEnd | None:
        """Offer a draw; the engine accepts it unless it stands better."""
        if self.opponent.accepts_draw(self.board):
            return GameEnd("1/2-1/2", "normal", "Draw by agreement")
        self.console.print(say("{name} would rather play on.", name=self.opponent.name))
        return None

    def resign(self) -> GameEnd:
        """Give up."""
        return lost(self.human, "normal", "resigns")

    def quit(self) -> GameEnd:
        """End the game without a result."""
        return GameEnd("*", "unterminated", "")

    def show_help(self) -> None:
        """List the commands."""
        self.console.print(say(HELP))

    # -- looks ------------------------------------------------------------------------------------

    def _show(self) -> None:
        """Show the board, with the opponent above and the human below."""
        drawing = draw_board(self.board, self.console, self.is_flipped)
        self.console.print()
        self.console.print(side_by_side(drawing, self._facts()))
        if self.board.turn == self.human:
            for notice in self.opponent.notices:
                if found := _BOOK_MOVE.fullmatch(notice):
                    text = "book move, {share} of the book's games here"
                    notice = say(text, share=local(found[1]))
                self.console.print(notice, style="yellow")

    def _facts(self) -> str:
        lines = ["", "", "", "", "", "", "", ""]
        lower = not self.is_flipped
        for color, row in ((not lower, 0), (lower, 7)):
            name = self.name if color == self.human else self.opponent.name
            lines[row] = f"{name} ({say('White' if color else 'Black')})"
            if self.clocks:
                lines[row] += f"  {_clock_text(self.clocks[color].remaining_seconds)}"
        if self.board.move_stack:
            lines[3] = say("Last move: {move}", move=spelled(last_move_text(self.board)))
        return "\n".join(lines)

    # -- the saved game ---------------------------------------------------------------------------

    def _save(self, end: GameEnd | None, path: Path) -> None:
        """Append the game to its file; if that fails, to the default file, or else print it.

        :raises SaveError: if it is not in its file.
        """
        text = pgn_text(self._record(end))
        try:
            append_record(path, f"{text}\n\n")
        except OSError as error:
            reason = f"cannot write {path}: {error.strerror or error}"
        else:
            # Nothing can be printed at a closed terminal; the game is saved.
            with contextlib.suppress(OSError):
                self.console.print(say("The game is in {path}.", path=path), style="dim")
            return
        try:
            if path == DEFAULT_PGN:
                raise OSError
            append_record(DEFAULT_PGN, f"{text}\n\n")
        except OSError:
            self.console.print(f"\n{text}\n", soft_wrap=True)
            raise SaveError(f"{reason}; the game is shown instead") from None
        raise SaveError(f"{reason}; the game is in {DEFAULT_PGN} instead")

    def _record(self, end: GameEnd | None) -> chess.pgn.Game:
        game = chess.pgn.Game()
        game.setup(self.board.root())
        names = {self.human: self.name, not self.human: self.opponent.name}
        game.headers.update(
            Event="halbzug play",
            Site="?",
            Date=date.today().strftime("%Y.%m.%d"),
            White=tag_value(names[True]),
            Black=tag_value(names[False]),
            Result=end.result if end else "*",
        )
        if self.opponent.elo:
            game.headers["BlackElo" if self.human else "WhiteElo"] = str(self.opponent.elo)
        if self.clocks:
            game.headers["TimeControl"] = str(self.clocks[self.human].control)
        game.headers["Termination"] = end.termination if end else "unterminated"
        node: chess.pgn.GameNode = game
        # If a move was interrupted while being made, its time is already stored.
        times = self._times[1 : len(self.board.move_stack)]
        times.append(self._remaining())
        for move, after in zip(self.board.move_stack, times, strict=True):
            node = node.add_variation(move)
            if after:
                node.set_clock(after[not node.turn()])
        if end:
            node.comment = f"{node.comment} {end.reason}".strip()
        return game


_ACTIONS = {
    "back": TerminalGame.take_back,
    "undo": TerminalGame.take_back,
    "takeback": TerminalGame.take_back,
    "hint": TerminalGame.hint,
    "moves": TerminalGame.moves,
    "score": TerminalGame.score_sheet,
    "flip": TerminalGame.flip,
    "fen": TerminalGame.fen,
    "draw": TerminalGame.offer_draw,
    "resign": TerminalGame.resign,
    "quit": TerminalGame.quit,
    "exit": TerminalGame.quit,
    "help": TerminalGame.show_help,
    "?": TerminalGame.show_help,
}


def read_move(board: chess.Board, text: str) -> chess.Move | str:
    """Read a typed move; if that fails, return the reason in a sentence.

    It may be in algebraic notation, also with lower-case piece letters, or in coordinates.
    Pieces have the letters of the reader's language, or the English ones.
    """
    text = _DECORATION.sub("", _DECORATION.sub("", text.strip()))
    text = _CASTLING.get(text.lower(), text)
    letters = str.maketrans(PIECE_LETTERS[reader_language()], PIECE_LETTERS["en"])
    try:
        return board.parse_san(text.translate(letters))
    except chess.AmbiguousMoveError:
        return say("{text} is ambiguous: add the starting square.", text=text)
    except ValueError:
        pass
    try:
        return board.parse_uci(text.lower())
    except ValueError:
        pass
    alike = [
        move
        for move in board.legal_moves
        if _DECORATION.sub("", spelled(board.san(move))).lower() == text.lower()
    ]
    if len(alike) == 1:
        return alike[0]
    return say("{text} is not a legal move here; moves lists them, help says more.", text=text)


def _clock_text(seconds: float) -> str:
    seconds = max(seconds, 0.0)
    if seconds < 20:
        return local(f"{seconds:.1f} s")
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"

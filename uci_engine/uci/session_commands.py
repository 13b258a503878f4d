"""Carries out a session's commands on its engine."""

from __future__ import annotations

from ..base.limits import Limits
from ..engine.engine import Engine
from .identity import FIELDS, Identity
from .line_writer import LineWriter
from .parser import (
    Bad,
    BadPosition,
    Bench,
    Command,
    Debug,
    Go,
    Perft,
    Register,
    SetOption,
    SetPosition,
    Simple,
)
from .reader import MAX_LINE_BYTES
from .session_options import ABOUT, LOG_FILE, OPPONENT, find_option, opponent_text, read_value
from .session_output import SessionOutput

HELP = """\
Halbzug speaks UCI, the language of chess programs: load it into a chess GUI.
By hand: uci, isready, position startpos moves e2e4, go movetime 1000, stop, quit.
Also: d (show the board), flip (swap the sides), eval (explain the evaluation), go perft N,
bench [DEPTH].
For people at a terminal there is: halbzug --help"""


class SessionCommands:
    """Carries out all commands but `uci` and `quit`."""

    def __init__(
        self, engine: Engine, identity: Identity, output: SessionOutput, writer: LineWriter
    ) -> None:
        self._engine = engine
        self._identity = identity
        self._output = output
        self._writer = writer
        self._is_debugging = False

    def carry_out(self, command: Command | None, received: float) -> None:
        """Carry out a command.

        :param received: when it was received, by `time.perf_counter`.
        """
        if isinstance(command, Simple):
            self._carry_out_simple(command.name)
        elif isinstance(command, Go):
            for complaint in command.complaints:
                self._output.write_notice(complaint)
            self._go(command.limits, received)
        elif isinstance(command, SetPosition):
            try:
                self._engine.set_position(command.fen, command.moves)
            except ValueError as error:
                self._refuse_position(str(error))
        elif isinstance(command, BadPosition):
            self._refuse_position(command.complaint)
        elif isinstance(command, SetOption):
            try:
                self._set_option(command.name, command.value)
            except ValueError as error:
                self._output.write_notice(str(error))
        elif isinstance(command, Perft):
            self._engine.go(Limits(depth=command.depth), kind="perft")
        elif isinstance(command, Bench):
            self._engine.go(Limits(depth=command.depth), kind="bench")
        elif isinstance(command, Debug):
            self._is_debugging = command.on
        elif isinstance(command, Register) and not command.is_later:  # every registration succeeds
            self._writer.write("registration checking")
            self._writer.write("registration ok")
        elif isinstance(command, Bad):
            self._output.write_notice(command.complaint)

    def _carry_out_simple(self, name: str) -> None:
        if name == "isready":
            self._output.pending_readyoks += 1
        elif name == "ucinewgame":
            self._engine.new_game()
        elif name == "stop":
            self._engine.requests.stop()
        elif name == "ponderhit":
            self._engine.requests.ponder_hit()
        elif name == "d":
            self._show_board()
        elif name == "eval":
            self._show_evaluation()
        elif name == "flip":
            self._flip()
        elif name == "help":
            self._writer.write(HELP)

    def _go(self, limits: Limits, received: float) -> None:
        self._output.write_readyoks()  # before any line of the search
        if self._is_debugging:
            self._output.write_notice(f"go with {ascii(limits)[:400]}")
        self._output.pending_best_moves += 1
        self._engine.go(limits, received=received)

    # -- the position ---------------------------------------------------------------------------

    def ignore_long_line(self, start: str) -> None:
        """Report a line that is too long, quoting its start."""
        reason = f"a line of more than {MAX_LINE_BYTES} bytes"
        if start.split(None, 1)[:1] == ["position"]:
            self._refuse_position(reason)
        else:
            self._output.write_notice(f"{reason} ignored")

    def _refuse_position(self, reason: str) -> None:
        """Refuse to search until a position is set: the old position is not the intended one."""
        self._output.write_notice(f"position refused: {reason}")
        self._engine.refuse_position(reason)

    def _show_board(self) -> None:
        from .diagram import diagram

        refusal = self._engine.refusal
        if refusal:
            self._output.write_notice(f"no position to show: {refusal}")
        self._writer.write(diagram(None if refusal else self._engine.board))

    def _show_evaluation(self) -> None:
        from .evaluation_text import NO_POSITION, table

        if self._identity.guest:
            self._output.write_notice("eval explains Halbzug's own evaluation, not that of a file")
            return
        refusal = self._engine.refusal
        if refusal:
            self._output.write_notice(f"no position to evaluate: {refusal}")
        eval_file = self._engine.options.eval_file
        self._writer.write(NO_POSITION if refusal else table(self._engine.board, eval_file))

    def _flip(self) -> None:
        """Swap the sides, including the side to move."""
        if self._engine.refusal:
            self._output.write_notice(f"no position to flip: {self._engine.refusal}")
            return
        board = self._engine.board.mirror()
        self._engine.set_position(board.fen(shredder=board.chess960))

    # -- options --------------------------------------------------------------------------------

    def _set_option(self, name: str, text: str | None) -> None:
        """Set an option, with immediate effect.

        :raises ValueError: if the value is wrong, in which case the old one stays; the message is
            one line.
        """
        option = find_option(name, self._identity.options)
        value = read_value(option, text)
        if option in self._identity.file_options:
            assert value is not None
            self._engine.set_file_option(option.name, value)
        elif option is OPPONENT:
            if value:  # shown to the user, and thereby logged
                opponent = ascii(opponent_text(str(value))[:80])[1:-1]
                self._output.write_notice(f"playing against {opponent}")
        elif option is LOG_FILE:
            self._writer.log_to(str(value))
        elif option is ABOUT:
            if value != ABOUT.default:
                raise ValueError(f"{ABOUT.name} cannot be changed")
        else:
            self._engine.configure(**{FIELDS[option.name]: value})

"""`halbzug.Board`: python-chess's board for users, compiled like the engine's.

It is a `chess.Board` in both builds. In the compiled build, it also inherits from the board
compiled from the installed python-chess, whose methods take precedence; without compiled code, or
with another version of python-chess, only python-chess's own methods exist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import chess

from . import movegen

if TYPE_CHECKING or movegen.Board is chess.Board:
    _Base = chess.Board
else:
    _Base = type("Board", (movegen.Board, chess.Board), {"__module__": __name__})


BoardT = TypeVar("BoardT", bound=chess.Board)

_FIELDS = (
    "pawns",
    "knights",
    "bishops",
    "rooks",
    "queens",
    "kings",
    "promoted",
    "occupied",
    "turn",
    "castling_rights",
    "ep_square",
    "halfmove_clock",
    "fullmove_number",
    "chess960",
    "move_stack",
    "_stack",
)


class _Signature:
    """What `inspect` shows for the compiled constructor: python-chess's parameters."""

    def __get__(self, board: object, owner: type[Board]) -> Any:
        if owner.__init__ is not Board.__init__:  # a subclass has its own
            raise AttributeError("__signature__")
        import inspect

        return inspect.signature(chess.Board)


class Board(_Base):
    """A `chess.Board` that is many times faster in the compiled build.

    Everything is as in python-chess: moves are `chess.Move`, and squares, pieces and errors are the
    same. A subclass may override any method; where that affects others, they are as slow as in
    python-chess. Methods assigned to this class or to an instance replace what callers see, but
    other methods do not call them.

    >>> board = Board()
    >>> board.push_san("e4")
    Move.from_uci('e2e4')
    >>> isinstance(board, chess.Board)
    True
    """

    __signature__ = _Signature()

    @classmethod
    def from_board(cls: type[BoardT], board: chess.Board, *, stack: bool | int = True) -> BoardT:
        """A board in the state of any chess board.

        :param stack: as for `chess.Board.copy`: whether to copy the move stack, or how many moves
            of it.
        :raises ValueError: for a board of another game, such as those of `chess.variant`.
        """
        if board.uci_variant != "chess":
            raise ValueError(f"a board of {board.uci_variant}, which is a different game")
        return _fill(cls(None), board.copy(stack=stack))

    def to_chess_board(self, *, stack: bool | int = True) -> chess.Board:
        """An ordinary `chess.Board` in the same state.

        :param stack: as for `chess.Board.copy`: whether to copy the move stack, or how many moves
            of it.
        """
        return _fill(chess.Board(None), self.copy(stack=stack))

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Uses the newer protocols' method for all: older ones cannot handle compiled classes."""
        return super().__reduce_ex__(max(protocol, 2))


def snapshot(board: chess.Board) -> chess.Board:
    """A read-only copy with its move stack; in the pure build, it shares the moves.

    python-chess copies each move, which takes longer the longer the game is.
    """
    if movegen.Board is not chess.Board and isinstance(board, movegen.Board):
        return board.copy()
    copied = object.__new__(type(board))
    copied.__dict__.update(board.__dict__)
    copied.occupied_co = board.occupied_co[:]
    copied.move_stack = board.move_stack[:]
    copied._stack = board._stack[:]
    return copied


def _fill(board: BoardT, copied: chess.Board) -> BoardT:
    """Fill a board with the data of a copy that nobody else holds."""
    for name in _FIELDS:
        setattr(board, name, getattr(copied, name))
    board.occupied_co = list(copied.occupied_co)
    return board


# The module name in pickles, which both builds know.
Board.__module__ = "halbzug"

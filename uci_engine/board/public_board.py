"""`halbzug.Board`: python-chess's board for everybody, compiled where the engine is.

It is a `chess.Board` in both builds. In the compiled one it is also the board that was made out of
the installed python-chess, whose methods come first; without compiled code, or with another
python-chess than that, nothing comes before python-chess's own.
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
    """What `inspect` says of the constructor: it is compiled, and has python-chess's parameters."""

    def __get__(self, board: object, owner: type[Board]) -> Any:
        if owner.__init__ is not Board.__init__:  # a subclass has its own
            raise AttributeError("__signature__")
        import inspect

        return inspect.signature(chess.Board)


class Board(_Base):
    """A `chess.Board` that is many times faster in the compiled build.

    Everything is as in python-chess: moves are `chess.Move`, squares and pieces too, and errors.
    A subclass may override any method, and is then as slow as python-chess where that matters.
    Methods put into this class, or into an instance, replace what is called from outside, but the
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
        """A board in the state of any board of chess.

        :param stack: as for `chess.Board.copy`: whether the moves come along, or how many.
        :raises ValueError: for a board of another game, as those of `chess.variant`.
        """
        if board.uci_variant != "chess":
            raise ValueError(f"a board of {board.uci_variant}, which is a different game")
        return _fill(cls(None), board.copy(stack=stack))

    def to_chess_board(self, *, stack: bool | int = True) -> chess.Board:
        """An ordinary `chess.Board` in the same state.

        :param stack: as for `chess.Board.copy`: whether the moves come along, or how many.
        """
        return _fill(chess.Board(None), self.copy(stack=stack))

    def __reduce_ex__(self, protocol: Any) -> Any:
        """By the way of newer protocols with any of them: the older know no compiled classes."""
        return super().__reduce_ex__(max(protocol, 2))


def snapshot(board: chess.Board) -> chess.Board:
    """A copy with the game before it, for reading: in the pure build it shares the moves.

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
    """Give a board all that is in a copy that nobody else has."""
    for name in _FIELDS:
        setattr(board, name, getattr(copied, name))
    board.occupied_co = list(copied.occupied_co)
    return board


# The name that pickles carry, and which both builds know.
Board.__module__ = "halbzug"

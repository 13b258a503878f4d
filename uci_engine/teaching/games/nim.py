"""Nim, and the take-away game: matches lie in heaps, and taking the last one wins, or loses.

Sources: Bouton, Nim, A Game with a Complete Mathematical Theory (1901), for the sum without carry
(XOR) that tells who wins. The lectures' take-away game is one heap of five matches, from which one
or two are taken, and the player who takes the last one loses.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from ..game_protocol import Game

#: The matches in each heap, and the player to move.
Heaps = tuple[tuple[int, ...], int]

#: From which heap, and how many.
Taking = tuple[int, int]


class Nim(Game[Heaps, Taking]):
    """Players take matches from one heap in turn.

    With three players, the loser pays one to each of the others, and a player who cannot win may
    decide who does.

    :param heaps: at the start.
    :param maximum: how many may be taken at once; any number by default.
    :param players: 2 or 3.
    :param is_misere: whether the player who takes the last match pays one to each other player,
        instead of being paid.
    :raises ValueError: if there are no matches, or a number is out of range.
    """

    def __init__(
        self,
        heaps: tuple[int, ...] = (5,),
        maximum: int | None = None,
        players: int = 2,
        is_misere: bool = False,
    ) -> None:
        if not heaps or min(heaps) < 1 or sum(heaps) > 100:
            raise ValueError("heaps have at least one match each, and at most 100 together")
        if players not in (2, 3) or (maximum is not None and maximum < 1):
            raise ValueError("2 or 3 players take at least one match each")
        self.heaps, self.maximum = heaps, maximum or max(heaps)
        self.players, self.is_misere = players, is_misere

    def start(self) -> Heaps:
        """All heaps are complete, and player 0 begins."""
        return self.heaps, 0

    def player(self, state: Heaps) -> int | None:
        """The players in turn, until nothing is left."""
        heaps, turn = state
        return turn if any(heaps) else None

    def moves(self, state: Heaps) -> list[Taking]:
        """From each heap, any number up to the maximum."""
        return [
            (heap, number)
            for heap, size in enumerate(state[0])
            for number in range(1, min(size, self.maximum) + 1)
        ]

    def apply(self, state: Heaps, move: Taking) -> Heaps:
        """Take the matches away."""
        heaps, turn = state
        heap, number = move
        left = (*heaps[:heap], heaps[heap] - number, *heaps[heap + 1 :])
        return left, (turn + 1) % self.players

    def result(self, state: Heaps) -> list[int]:
        """The previous player has taken the last match."""
        last = (state[1] - 1) % self.players
        paid = -1 if self.is_misere else 1
        return [paid * (self.players - 1 if one == last else -1) for one in range(self.players)]

    def symmetries(self, state: Heaps) -> Iterator[Heaps]:
        """The order of the heaps does not matter."""
        return ((heaps, state[1]) for heaps in permutations(state[0]))

    def text(self, state: Heaps) -> str:
        """The sizes of the heaps."""
        return " ".join(map(str, state[0]))

    def move_text(self, state: Heaps, move: Taking) -> str:
        """How many are taken; with several heaps, after the letter of the heap."""
        heap, number = move
        return str(number) if len(state[0]) == 1 else f"{chr(97 + heap)}{number}"


def take_away(matches: int = 5, players: int = 2) -> Nim:
    """The lectures' game: one or two matches are taken; the player who takes the last one loses."""
    return Nim((matches,), 2, players, is_misere=True)

"""The take-away game: take one or two of five matches in turn; who takes the last one loses.

A state is the number of matches left and whether MAX is to take. MAX begins.
"""

from __future__ import annotations

from alpha_beta import alpha_beta
from game import Player
from minimax import minimax

#: Matches left, and whether MAX is to take.
Matches = tuple[int, bool]


class TakeAway:
    """The rules, for any number of matches."""

    def start(self, matches: int = 5) -> Matches:
        """The first state."""
        return matches, True

    def player(self, state: Matches) -> Player:
        """Whose turn it is."""
        return Player.MAX if state[1] else Player.MIN

    def moves(self, state: Matches) -> list[int]:
        """How many matches can be taken."""
        return [number for number in (1, 2) if number <= state[0]]

    def after(self, state: Matches, move: int) -> Matches:
        """Take some."""
        return state[0] - move, not state[1]

    def value(self, state: Matches) -> int:
        """1 if MAX has won: the other one took the last match, and MAX would be next."""
        return 1 if state[1] else -1


if __name__ == "__main__":
    game = TakeAway()
    for matches in range(1, 11):
        solution = minimax(game, game.start(matches))
        quick = alpha_beta(game, game.start(matches))
        verdict = f"win by taking {solution.move}" if solution.value == 1 else "lost"
        print(f"{matches:2} matches: {verdict:15} {solution.nodes:4} nodes, {quick.nodes:3} of them"
              " with alpha-beta")  # fmt: skip

"""Kuhn poker: three cards, two players, one bet. The smallest game in which bluffing is right.

Each player pays one and gets a card: jack, queen or king. In turn they check or bet one more, or,
after a bet, fold or call. Source: Kuhn, A Simplified Two-Person Poker (1950), who proved that the
first player loses 1/18 per game if both play optimally.
"""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

from ..game_protocol import CHANCE, Game

#: The cards that two players hold: 0 is the jack, 2 the king.
Deal = tuple[int, int]

CARDS = "JQK"

#: The actions at the end of the game: p is a pass (check or fold), b a bet (or call).
_ENDINGS = {"pp", "bp", "bb", "pbp", "pbb"}


class KuhnState(NamedTuple):
    """The cards, None before they are dealt, and the actions, a letter each."""

    cards: Deal | None
    history: str


class KuhnPoker(Game[KuhnState, Deal | str]):
    """The rules; a move is a deal by CHANCE, or `p` or `b`."""

    def start(self) -> KuhnState:
        """Nothing is dealt."""
        return KuhnState(None, "")

    def player(self, state: KuhnState) -> int | None:
        """The players in turn, until both have checked, or one has folded or called."""
        if state.cards is None:
            return CHANCE
        return None if state.history in _ENDINGS else len(state.history) % 2

    def moves(self, state: KuhnState) -> list[Deal | str]:
        """Six deals; then pass or bet."""
        return list(permutations(range(3), 2)) if state.cards is None else ["p", "b"]

    def apply(self, state: KuhnState, move: Deal | str) -> KuhnState:
        """Deal, or act."""
        if isinstance(move, str):
            return KuhnState(state.cards, state.history + move)
        return KuhnState(move, "")

    def result(self, state: KuhnState) -> tuple[int, int]:
        """The other player's stake: to the one who did not fold, otherwise to the higher card."""
        assert state.cards is not None
        if state.history.endswith("bp"):
            value = 1 if len(state.history) == 2 else -1
        else:
            stake = 2 if state.history.endswith("bb") else 1
            value = stake if state.cards[0] > state.cards[1] else -stake
        return value, -value

    def sees(self, state: KuhnState, player: int) -> tuple[str, str]:
        """The player's own card, and the actions."""
        return "" if state.cards is None else CARDS[state.cards[player]], state.history

    def text(self, state: KuhnState) -> str:
        """Both cards and the actions: JK pb."""
        cards = "" if state.cards is None else "".join(CARDS[card] for card in state.cards)
        return f"{cards} {state.history}".strip()

    def move_text(self, state: KuhnState, move: Deal | str) -> str:
        """The two cards, or check, bet, fold, call."""
        if not isinstance(move, str):
            return "".join(CARDS[card] for card in move)
        is_answer = state.history.endswith("b")
        return {"p": "fold", "b": "call"}[move] if is_answer else {"p": "check", "b": "bet"}[move]

"""The schedule: pairings and openings as a fixed list; game N is the same in every run."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations


@dataclass(frozen=True)
class Fixture:
    """One game of the schedule. The games 1 and 2, 3 and 4, ... are pairs with colours swapped."""

    number: int  # from 1
    white: int  # index of the engine
    black: int
    opening: int  # index of the opening


def pairings(engines: int, is_gauntlet: bool) -> list[tuple[int, int]]:
    """Which engines meet: a round robin, or the first engine against all others.

    :param engines: how many there are.
    """
    pairs = combinations(range(engines), 2)
    return [pair for pair in pairs if not is_gauntlet or pair[0] == 0]


def opening_order(openings: int, seed: int) -> Iterator[int]:
    """An endless series of indices of openings in random order, determined by the seed.

    Every opening is used once before any is used again.
    """
    order = list(range(openings))
    generator = random.Random(seed)
    while True:
        generator.shuffle(order)
        yield from order


def schedule(rounds: Iterable[Sequence[tuple[int, int]]], openings: Iterable[int]) -> list[Fixture]:
    """The games of rounds; in a round each pairing plays a pair of games.

    More rounds do not change the games of earlier ones.

    :param rounds: the pairings of each round.
    :param openings: of each round.
    """
    fixtures: list[Fixture] = []
    for meetings, opening in zip(rounds, openings, strict=True):
        for game in chain.from_iterable((pair, pair[::-1]) for pair in meetings):
            fixtures.append(Fixture(len(fixtures) + 1, game[0], game[1], opening))
    return fixtures

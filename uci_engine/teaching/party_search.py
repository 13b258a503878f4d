"""Max^n of a drawn tree, step by step: minimax for three players, each with a value of his own.

Source: Luckhardt and Irani, An Algorithmic Solution of N-Person Games (1986).
"""

from __future__ import annotations

from .recorded import Figure, RecordedNode, Recording, StepRecorder, exact

PLAYERS: tuple[Figure, ...] = ("first", "second", "third")

#: Who helps whom among moves that are equally good for himself; the names of the runs.
ALLIANCES: dict[str, dict[int, int]] = {
    "max-n": {},
    "max-n-12": {0: 1, 1: 0},
    "max-n-13": {0: 2, 2: 0},
    "max-n-23": {1: 2, 2: 1},
}


def max_n(root: RecordedNode, alliance: str = "max-n") -> Recording:
    """Search a tree of three players, from left to right.

    :param alliance: one of `ALLIANCES`.
    """
    recorder = StepRecorder(root)
    return recorder.recording(exact(_values(root, recorder, ALLIANCES[alliance])))


def take_away_for_three(number: int = 5) -> RecordedNode:
    """One or two matches are taken in turn; who takes the last one pays one to each other."""

    def node(left: int, turn: int) -> RecordedNode:
        if not left:
            last = (turn + 2) % 3
            return RecordedNode(
                "leaf", "0", worth=tuple(-2 if one == last else 1 for one in range(3))
            )
        moves = tuple(
            (str(taken), node(left - taken, (turn + 1) % 3)) for taken in (1, 2) if taken <= left
        )
        return RecordedNode(PLAYERS[turn], str(left), moves)

    return node(number, 0)


def _values(
    node: RecordedNode, recorder: StepRecorder, alliance: dict[int, int]
) -> tuple[int, ...]:
    recorder.step("enter", node, "search_enter")
    if node.figure == "leaf":
        assert isinstance(node.worth, tuple)
        recorder.step("leaf", node, "search_leaf", exact(node.worth), value=exact(node.worth))
        return node.worth
    player = PLAYERS.index(node.figure)
    friend = alliance.get(player, player)
    best: tuple[int, ...] | None = None
    for move, child in node.moves:
        recorder.step("try", node, "party_try", child=child, move=move)
        values = _values(child, recorder, alliance)
        shown = exact(values)
        recorder.step("back", node, "search_back", child=child, move=move, value=shown)
        own, other = (exact((values[one],)) for one in (player, friend))
        told = {"value": shown, "own": own, "friend": str(friend + 1), "other": other}
        if best is None or values[player] > best[player]:
            recorder.step("best", node, "party_best", shown, child, **told)
        elif values[player] == best[player] and values[friend] > best[friend]:
            recorder.step("best", node, "party_ally", shown, child, **told)
        else:
            if values[player] == best[player]:
                recorder.step("back", node, "party_equal", child=child, **told)
            continue
        best = values
        recorder.choose(node, child)
    assert best is not None
    recorder.step("return", node, "search_return", exact(best), value=exact(best))
    return best

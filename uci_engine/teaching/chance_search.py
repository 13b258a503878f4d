"""Expectiminimax of a drawn tree, step by step: minimax with nodes of CHANCE, in exact fractions.

Source: https://www.chessprogramming.org/Expectiminimax
"""

from __future__ import annotations

from fractions import Fraction

from .recorded import RecordedNode, Recording, StepRecorder, exact, short


def expectiminimax(root: RecordedNode) -> Recording:
    """Search a tree of MAX, MIN and CHANCE, from left to right."""
    recorder = StepRecorder(root)
    return recorder.recording(exact(_value(root, recorder)))


def _value(node: RecordedNode, recorder: StepRecorder) -> Fraction:
    recorder.step("enter", node, "search_enter")
    if node.figure == "leaf":
        assert isinstance(node.worth, Fraction)
        recorder.step("leaf", node, "search_leaf", short(node.worth), value=exact(node.worth))
        return node.worth
    value = (_mean if node.figure == "chance" else _best)(node, recorder)
    recorder.step("return", node, "search_return", short(value), value=exact(value))
    return value


def _mean(node: RecordedNode, recorder: StepRecorder) -> Fraction:
    mean = Fraction(0)
    for move, child in node.moves:
        told = {"move": move, "chance": exact(child.chance)}
        recorder.step("try", node, "chance_try", child=child, **told)
        value = _value(child, recorder)
        mean += child.chance * value
        told |= {"value": exact(value), "product": exact(child.chance * value), "sum": exact(mean)}
        recorder.step("best", node, "chance_sum", short(mean), child, **told)
    return mean


def _best(node: RecordedNode, recorder: StepRecorder) -> Fraction:
    best: Fraction | None = None
    for move, child in node.moves:
        recorder.step("try", node, "search_try", child=child, move=move)
        value = _value(child, recorder)
        recorder.step("back", node, "search_back", child=child, move=move, value=exact(value))
        if best is None or (value > best if node.figure == "max" else value < best):
            best = value
            recorder.choose(node, child)
            recorder.step("best", node, "search_best", short(best), child, value=exact(best))
    assert best is not None
    return best

"""The passes find what they were written for, and say so when they do not."""

from __future__ import annotations

import ast
from pathlib import Path

import chess
import pytest

from halbzug.native import passes, specialise
from halbzug.native.rewriting import Pass, PassMismatch, rewrite

SOURCE = Path(chess.__file__).read_text("utf-8")


def altered(old: str, new: str) -> ast.Module:
    """python-chess with one change."""
    assert old in SOURCE
    return ast.parse(SOURCE.replace(old, new, 1))


@pytest.mark.slow
def test_pinned_release_is_what_the_passes_expect() -> None:
    text = specialise.specialise(ast.parse(SOURCE))
    assert text.count("def _c_") > 40
    for line in text.splitlines():
        assert "BB_SQUARES" not in line and "scan_reversed" not in line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("BB_KNIGHT_ATTACKS[square] & self.knights", "self.knights", "attack_by_table"),
        ("for checker in scan_reversed(sliders)", "for checker in scan(sliders)", "scan_bits"),
        ("assert self.ep_square is not None", "pass", "drop_assertions"),
        ("def _slider_blockers", "def _blockers", "strip_hot_methods"),
        ("yield Move(king, to_square)", "yield Move(king, to_square, None, 1)", "encode_moves"),
        ("self._stack.append(board_state)", "self._stack += [board_state]", "record_undo_in_c"),
        ("self.occupied_co[color] ^= mask", "self.co[color] ^= mask", "pair_occupied_co"),
        ("def is_valid(self) -> bool", "def is_fine(self) -> bool:\n        return True\n\n"
         "    def is_valid(self) -> bool", "keep_members"),
    ],
)  # fmt: skip
def test_altered_source_stops_the_pass(old: str, new: str, name: str) -> None:
    with pytest.raises(PassMismatch) as caught:
        specialise.specialise(altered(old, new))
    assert caught.value.pass_name == name
    assert name in str(caught.value)
    assert caught.value.expected != caught.value.found


def test_a_shape_that_a_pass_cannot_take_apart_stops_it() -> None:
    tree = altered("for attacks, sliders in [(", "for attacks, sliders in *self.none, [(")
    with pytest.raises(PassMismatch, match="unroll_slider_loop"):
        specialise.specialise(tree)


def test_other_version_stops() -> None:
    with pytest.raises(PassMismatch, match=r"1\.11\.2.*1\.12\.0"):
        specialise.check_version(altered('"1.11.2"', '"1.12.0"'))
    with pytest.raises(PassMismatch, match="no version"):
        specialise.check_version(ast.parse("pass"))


def test_constants_must_be_all_there() -> None:
    with pytest.raises(PassMismatch, match="constants"):
        specialise.constants(altered("BB_A1: Bitboard", "BB_A1"), chess)


def test_every_pass_is_named_and_explained() -> None:
    names = [one_pass.name for one_pass in passes.PASSES]
    assert len(names) == len(set(names))
    assert all(one_pass.run.__doc__ for one_pass in passes.PASSES)
    assert all(isinstance(one_pass, Pass) and one_pass.places for one_pass in passes.PASSES)


@pytest.mark.parametrize(
    ("source", "pattern", "replacement", "result", "count"),
    [
        ("f(a[1], a[b])", "a[__i]", "g(__i)", "f(g(1), g(b))", 2),
        ("a[a[1]]", "a[__i]", "g(__i)", "g(g(1))", 2),
        ("x + x * y", "__a + __a * __b", "__b", "y", 1),
        ("x + z * y", "__a + __a * __b", "__b", "x + z * y", 0),
        ("s.append(1)\nt()", "s.append(__x)", "s = __x\nn += 1", "s = 1\nn += 1\nt()", 1),
        ("assert x\nt()", "assert __x", "", "t()", 1),
    ],
)
def test_rewrite(source: str, pattern: str, replacement: str, result: str, count: int) -> None:
    tree = ast.parse(source)
    assert rewrite(tree, pattern, replacement) == count
    assert ast.unparse(tree) == result

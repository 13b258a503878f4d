"""The passes find the code that they were written for, and report if they do not."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import chess
import pytest

from halbzug.native import passes, python_chess_source, specialise
from halbzug.native.python_chess_source import KNOWN, PythonChessSource
from halbzug.native.rewriting import Pass, PassMismatch, rewrite

FOLDER = Path(chess.__file__).parent
SOURCE = (FOLDER / "__init__.py").read_text("utf-8")


def altered(old: str, new: str) -> PythonChessSource:
    """python-chess with one change, presented as if it were unchanged."""
    assert old in SOURCE
    number = python_chess_source.identify(FOLDER, SOURCE).number
    return PythonChessSource(FOLDER, SOURCE.replace(old, new, 1), number)


@pytest.mark.slow
def test_a_known_source_is_what_the_passes_expect() -> None:
    text = specialise.specialise(python_chess_source.find())
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


def test_code_of_an_unexpected_form_stops_the_pass() -> None:
    source = altered("for attacks, sliders in [(", "for attacks, sliders in *self.none, [(")
    with pytest.raises(PassMismatch, match="unroll_slider_loop"):
        specialise.specialise(source)


def other_source(folder: Path) -> Path:
    """python-chess with one more comment."""
    (folder / "chess").mkdir()
    (folder / "chess" / "__init__.py").write_text(SOURCE + "# Patched.\n", "utf-8")
    return folder


def test_an_installed_source_must_be_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A release and a development version can have the same number."""
    monkeypatch.syspath_prepend(str(other_source(tmp_path)))
    monkeypatch.delitem(sys.modules, "chess")
    with pytest.raises(PassMismatch, match=r"1\.11\.2 or git master.*1\.11\.2, whose source"):
        python_chess_source.find()


def test_a_chosen_source_need_not_be_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(python_chess_source.VARIABLE, str(other_source(tmp_path)))
    source = python_chess_source.find()
    assert source.folder == tmp_path / "chess" and not source.is_known
    assert source.known == KNOWN[-1]
    assert str(tmp_path) in source.name and source.version == chess.__version__


def test_a_chosen_folder_without_python_chess_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(python_chess_source.VARIABLE, str(tmp_path))
    with pytest.raises(PassMismatch, match=r"HALBZUG_PYTHON_CHESS.*__init__\.py"):
        python_chess_source.find()


def test_importing_a_source_does_not_affect_the_installed_one(tmp_path: Path) -> None:
    text = 'THIS = "other"\n'
    (tmp_path / "__init__.py").write_text(text)
    with PythonChessSource(tmp_path, text, 0).imported() as module:
        assert module.THIS == "other" and sys.modules["chess"] is module
    assert sys.modules["chess"] is chess


def test_all_constants_must_exist() -> None:
    with pytest.raises(PassMismatch, match="constants"):
        specialise.constants(altered("BB_A1: Bitboard", "BB_A1"), chess)


def test_every_pass_has_a_name_and_an_explanation() -> None:
    names = [one_pass.name for one_pass in passes.PASSES]
    assert len(names) == len(set(names))
    assert all(one_pass.run.__doc__ for one_pass in passes.PASSES)
    assert all(isinstance(one_pass, Pass) for one_pass in passes.PASSES)
    for one_pass in passes.PASSES:
        places = one_pass.places
        assert places if isinstance(places, int) else len(places) == len(KNOWN) and any(places)


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

"""Specialises a source of python-chess: writes pychess.py, pychess.pxd and chess_tables.h.

``python -m halbzug.native.specialise OUT_DIR`` writes them for inspection.
"""

from __future__ import annotations

import ast
import re
import shutil
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from . import python_chess_source
from .passes import PASSES
from .python_chess_source import PythonChessSource
from .rewriting import PassMismatch, classes, rewrite

HERE = Path(__file__).parent
CONSTANT_TYPES = {
    **dict.fromkeys(("PieceType", "Square", "File", "Rank"), "int"),
    "Color": "bint",
    "Bitboard": "u64",
}


def specialise(source: PythonChessSource) -> str:
    """Runs the passes over python-chess's syntax tree; returns the text of pychess.py.

    :raises: :exc:`PassMismatch`
    """
    tree = ast.parse(source.text)
    descriptions = {
        (name, node.name): ast.get_docstring(node, clean=False)
        for name, cls in classes(tree).items()
        for node in cls.body
        if isinstance(node, ast.FunctionDef)
    }
    for one_pass in PASSES:
        one_pass.apply(tree, source.number)
    rewrite(tree, "'SPECIALISED_VERSION'", repr(source.version))
    describe(tree, descriptions)
    ast.fix_missing_locations(tree)
    return ast.unparse(tree) + "\n"


def describe(tree: ast.Module, descriptions: dict[tuple[str, str], str | None]) -> None:
    """Gives the entry points the docstrings of python-chess's methods, for `help()` and editors."""
    for cls in classes(tree).values():
        for node in cls.body:
            if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is None:
                names = ("Board", "BaseBoard") if cls.name == "Board" else (cls.name,)
                found = [descriptions.get((name, node.name)) for name in names]
                text = next(filter(None, found), None)
                if text:
                    node.body.insert(0, ast.Expr(ast.Constant(text)))


def constants(source: PythonChessSource, chess: ModuleType) -> str:
    """Declarations of python-chess's scalar constants as C literals.

    A C compiler folds them; as Python objects they would be looked up and unboxed at every use.

    :raises: :exc:`PassMismatch`
    """
    lines = []
    for node in ast.parse(source.text).body:
        if not isinstance(node, ast.AnnAssign):
            continue
        c_type = CONSTANT_TYPES.get(ast.unparse(node.annotation))
        if c_type and isinstance(node.target, ast.Name):
            name = node.target.id
            suffix = "ULL" if c_type == "u64" else ""
            lines.append(f'    const {c_type} {name} "{int(getattr(chess, name)):#x}{suffix}"')
    if len(lines) != source.known.constants:
        raise PassMismatch("constants", source.known.constants, len(lines))
    return "cdef extern from *:\n" + "\n".join(lines) + "\n"


def checksum(source: PythonChessSource) -> str:
    """Declaration of the source's CRC-32, which the module compares with that of `chess`."""
    return f'    const u64 CHECKSUM "{zlib.crc32(source.text.encode()):#x}ULL"\n'


def attack_tables(chess: ModuleType) -> str:
    """python-chess's attack tables as C constants."""
    squares = range(64)

    def rays(attacks: list[dict[int, int]]) -> list[int]:
        return [attacks[square][0] for square in squares]

    def diagonal(square: int, step: int) -> int:
        same_line = (
            target
            for target in squares
            if (target >> 3) - (square >> 3) == step * ((target & 7) - (square & 7))
        )
        return sum(1 << target for target in same_line if target != square)

    first_rank = [
        [chess.BB_RANK_ATTACKS[file][inner << 1 & chess.BB_RANK_MASKS[file]] for inner in squares]
        for file in range(8)
    ]
    between = [[chess.between(a, b) for b in squares] for a in squares]
    flat = {
        "_t_knight": chess.BB_KNIGHT_ATTACKS,
        "_t_king": chess.BB_KING_ATTACKS,
        "_t_rank_rays": rays(chess.BB_RANK_ATTACKS),
        "_t_file_rays": rays(chess.BB_FILE_ATTACKS),
        "_t_diag_rays": rays(chess.BB_DIAG_ATTACKS),
        "_t_diagonal": [diagonal(square, 1) for square in squares],
        "_t_antidiagonal": [diagonal(square, -1) for square in squares],
    }
    nested = {
        "_t_pawn": chess.BB_PAWN_ATTACKS,
        "_t_ray": chess.BB_RAYS,
        "_t_between": between,
        "_t_first_rank": first_rank,
    }
    lines = ["typedef unsigned long long u64;"]
    lines += [_c_array(f"{name}[64]", _c_numbers(values)) for name, values in flat.items()]
    lines += [
        _c_array(f"{name}[{len(rows)}][64]", ",\n".join(f"{{{_c_numbers(row)}}}" for row in rows))
        for name, rows in nested.items()
    ]
    return "\n".join(lines) + "\n"


def _c_numbers(values: Iterable[int]) -> str:
    return ",".join(f"{value:#x}ULL" for value in values)


def _c_array(declarator: str, body: str) -> str:
    return f"static const u64 {declarator} = {{{body}}};"


#: The files made from a source.
MADE = ("pychess.py", "pychess.pxd", "chess_tables.h")


def write(source: PythonChessSource, folder: Path) -> None:
    """Writes the specialised python-chess into *folder*; one in a distribution is only copied.

    :raises: :exc:`PassMismatch`
    """
    folder.mkdir(parents=True, exist_ok=True)
    if source.carried:
        for name in MADE:
            shutil.copy(source.carried / name, folder)
    else:
        for name, text in make(source).items():
            (folder / name).write_text(text, "utf-8", newline="\n")


def make(source: PythonChessSource) -> dict[str, str]:
    """Makes the specialised python-chess: the texts of the files in `MADE`.

    :raises: :exc:`PassMismatch`
    """
    with source.imported() as chess:
        texts = (
            specialise(source),
            interface(constants(source, chess) + checksum(source)),
            attack_tables(chess),
        )
    return dict(zip(MADE, texts, strict=True))


def interface(constants: str) -> str:
    """The text of pychess.pxd: ours, with the constants, and with the twins made final.

    A final method is called directly by the other twins, so the C compiler can inline it.
    """
    text = (HERE / "pychess.pxd").read_text("utf-8")
    text = re.sub(r"^    (?=cdef [^\n]*_c_)", "    @cython.final\n    ", text, flags=re.MULTILINE)
    return text.replace("cdef struct Undo:", constants + "\ncdef struct Undo:", 1)


if __name__ == "__main__":
    write(python_chess_source.find(), Path(sys.argv[1]))

"""Specialises the installed python-chess: writes pychess.py, pychess.pxd and chess_tables.h.

``python -m halbzug.native.specialise OUT_DIR`` writes them for a look at what Cython gets.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
import shutil
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from .passes import PASSES, PINNED_VERSION
from .rewriting import PassMismatch, classes

HERE = Path(__file__).parent
CONSTANT_TYPES = {"Color": "bint", "PieceType": "int", "Square": "int", "Bitboard": "u64"}
CONSTANTS = 159


def source_file() -> Path:
    """The installed ``chess/__init__.py``.

    :raises: :exc:`PassMismatch` if it is missing.
    """
    spec = importlib.util.find_spec("chess")
    if spec is None or spec.origin is None:
        raise PassMismatch("source_tree", f"python-chess {PINNED_VERSION}", "none installed")
    return Path(spec.origin)


def source() -> str:
    """The text of the installed ``chess/__init__.py``.

    :raises: :exc:`PassMismatch` if it is missing.
    """
    return source_file().read_text("utf-8")


def source_tree() -> ast.Module:
    """The syntax tree of the installed ``chess/__init__.py``.

    :raises: :exc:`PassMismatch` if it is missing or not the pinned version.
    """
    tree = ast.parse(source())
    check_version(tree)
    return tree


def check_version(tree: ast.Module) -> None:
    """Stops at any version of python-chess other than the pinned one.

    :raises: :exc:`PassMismatch`
    """
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__version__":
            version = ast.literal_eval(node.value)
            if version == PINNED_VERSION:
                return
            raise PassMismatch("check_version", PINNED_VERSION, version)
    raise PassMismatch("check_version", PINNED_VERSION, "no version")


def specialise(tree: ast.Module) -> str:
    """Runs the passes over python-chess's syntax tree; returns the text of pychess.py.

    :raises: :exc:`PassMismatch`
    """
    descriptions = {
        (name, node.name): ast.get_docstring(node, clean=False)
        for name, cls in classes(tree).items()
        for node in cls.body
        if isinstance(node, ast.FunctionDef)
    }
    for one_pass in PASSES:
        one_pass.apply(tree)
    describe(tree, descriptions)
    ast.fix_missing_locations(tree)
    return ast.unparse(tree) + "\n"


def describe(tree: ast.Module, descriptions: dict[tuple[str, str], str | None]) -> None:
    """Gives the doors the docstrings of python-chess's methods, for `help()` and editors."""
    for cls in classes(tree).values():
        for node in cls.body:
            if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is None:
                names = ("Board", "BaseBoard") if cls.name == "Board" else (cls.name,)
                found = [descriptions.get((name, node.name)) for name in names]
                text = next(filter(None, found), None)
                if text:
                    node.body.insert(0, ast.Expr(ast.Constant(text)))


def constants(tree: ast.Module, chess: ModuleType) -> str:
    """Declarations of python-chess's scalar constants as literals of C.

    A C compiler folds them; as Python objects they would be looked up and unboxed at every use.

    :raises: :exc:`PassMismatch`
    """
    lines = []
    for node in tree.body:
        if not isinstance(node, ast.AnnAssign):
            continue
        c_type = CONSTANT_TYPES.get(ast.unparse(node.annotation))
        if c_type and isinstance(node.target, ast.Name):
            name = node.target.id
            suffix = "ULL" if c_type == "u64" else ""
            lines.append(f'    const {c_type} {name} "{int(getattr(chess, name)):#x}{suffix}"')
    if len(lines) != CONSTANTS:
        raise PassMismatch("constants", CONSTANTS, len(lines))
    return "cdef extern from *:\n" + "\n".join(lines) + "\n"


def checksum() -> str:
    """Declaration of the CRC-32 of the installed python-chess, which the module checks."""
    return f'    const u64 CHECKSUM "{zlib.crc32(source().encode()):#x}ULL"\n'


def attack_tables(chess: ModuleType) -> str:
    """python-chess's attack tables as constants of C."""
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


def write(folder: Path) -> None:
    """Writes the specialised python-chess into *folder*.

    :raises: :exc:`PassMismatch`
    """
    chess = importlib.import_module("chess")
    texts = {
        "pychess.py": specialise(source_tree()),
        "pychess.pxd": interface(constants(source_tree(), chess) + checksum()),
        "chess_tables.h": attack_tables(chess),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    shutil.copy(HERE / "bits.h", folder)


def interface(constants: str) -> str:
    """The text of pychess.pxd: ours, with the constants, and with the twins made final.

    A final method is called directly by the other twins, so the C compiler can inline it.
    """
    text = (HERE / "pychess.pxd").read_text("utf-8")
    text = re.sub(r"^    (?=cdef [^\n]*_c_)", "    @cython.final\n    ", text, flags=re.MULTILINE)
    return text.replace("cdef struct Undo:", constants + "\ncdef struct Undo:", 1)


if __name__ == "__main__":
    write(Path(sys.argv[1]))

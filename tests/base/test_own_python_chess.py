"""The copy of python-chess in our own processes: the same, though its tables are filled later."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from halbzug.base import python_chess

CODE = """
import json
from halbzug.base.python_chess import copied_file, use_copy
use_copy()
import chess

def is_whole(masks, tables, deltas):
    known_masks, known = chess._attack_table(deltas)
    whole = [{key: table[key] for key in other} for table, other in zip(tables, known)]
    return [masks[square] for square in range(64)] == known_masks and whole == known

print(json.dumps([
    chess.__file__ == copied_file(),
    sum(map(len, chess.BB_DIAG_ATTACKS)) == len(chess.BB_RAYS) == 0,
    is_whole(chess.BB_DIAG_MASKS, chess.BB_DIAG_ATTACKS, [-9, -7, 7, 9]),
    is_whole(chess.BB_FILE_MASKS, chess.BB_FILE_ATTACKS, [-8, 8]),
    is_whole(chess.BB_RANK_MASKS, chess.BB_RANK_ATTACKS, [-1, 1]),
    chess._rays() == [chess.BB_RAYS[square] for square in range(64)],
    len(list(chess.Board().legal_moves)) == 20,
    chess.Board.__module__ == chess.Move.__module__ == "chess",
]))
"""


@pytest.mark.skipif(not python_chess.copied_file(), reason="a pure build has no copy")
def test_its_tables_equal_those_of_python_chess() -> None:
    result = subprocess.run([sys.executable, "-c", CODE], capture_output=True, check=True)
    assert json.loads(result.stdout) == [True] * 8
